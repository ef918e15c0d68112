//! The runner between desk and terminal: one dialog at a time, closed the moment its answer is of no more use.
//!
//! Owns the queue of rounds and the terminal while a dialog is open. Must not know what is asked: that is the dialog's.

use std::collections::VecDeque;
use std::sync::Arc;

use askback_desk::view::RoundView;
use askback_desk::{Desk, DeskEvent, Texts};
use tokio::sync::mpsc;

use crate::dialog::{Dialog, Outcome};
use crate::key::Key;
use crate::screen::{EditFailed, Input, Screen};

/// Puts every round of the desk to the person at this screen, until the desk is gone.
///
/// May be dropped at any time; the terminal is then as it was before.
pub async fn run(desk: Arc<dyn Desk>, texts: Arc<Texts>, screen: Screen) {
    let events = desk.subscribe();
    let mut prompts = Prompts { desk, texts, screen, events, queue: VecDeque::new(), ended: false };
    while let Some(round) = prompts.next_round().await {
        prompts.put(round).await;
    }
}

struct Prompts {
    desk: Arc<dyn Desk>,
    texts: Arc<Texts>,
    screen: Screen,
    events: mpsc::UnboundedReceiver<DeskEvent>,
    queue: VecDeque<RoundView>,
    ended: bool,
}

/// Puts the terminal back even when the runner is dropped or panics.
struct Leave<'a>(&'a Screen);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Prompts {
    async fn next_round(&mut self) -> Option<RoundView> {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
        }
        loop {
            if let Some(round) = self.queue.pop_front() {
                return Some(round);
            }
            let event = self.events.recv().await?;
            self.note(event);
        }
    }

    /// What an event means for the rounds that wait.
    fn note(&mut self, event: DeskEvent) {
        match event {
            DeskEvent::Opened(round) => self.queue.push_back(*round),
            DeskEvent::Closed { round, .. } => self.queue.retain(|waiting| waiting.id != round),
        }
    }

    async fn put(&mut self, round: RoundView) {
        let screen = self.screen.clone();
        let mut inputs = match screen.open() {
            Ok(inputs) => inputs,
            Err(error) => {
                let why = error.to_string();
                screen.printer().print(&self.texts.format("term-unusable", &[("why", why.into())]));
                // Nobody can be asked here any more: what waits is cancelled, as at the end of input.
                mpsc::unbounded_channel().1
            }
        };
        let leave = Leave(&screen);
        let mut dialog = Dialog::new(round, Arc::clone(&self.texts));
        loop {
            dialog.set_waiting(self.queue.iter().map(|round| round.asks.len()).sum());
            let drawn = self.draw(&mut dialog);
            if dialog.is_done() {
                break;
            }
            let outcomes = tokio::select! {
                biased;
                // What cannot be shown cannot be answered.
                () = std::future::ready(()), if !drawn => dialog.handle(&Key::EndOfInput),
                event = self.events.recv(), if !self.ended => self.event(&mut dialog, event),
                input = inputs.recv() => match input {
                    Some(Input::Key(key)) => dialog.handle(&key),
                    Some(Input::Resized) => Vec::new(),
                    None => dialog.handle(&Key::EndOfInput),
                },
            };
            if let Some(again) = self.carry_out(&mut dialog, outcomes).await {
                inputs = again;
            }
        }
        drop(leave);
    }

    /// Draws the dialog; false when the terminal is gone.
    fn draw(&self, dialog: &mut Dialog) -> bool {
        let (width, height) = self.screen.size();
        self.screen.draw(dialog.draw(width, height)).is_ok()
    }

    fn event(&mut self, dialog: &mut Dialog, event: Option<DeskEvent>) -> Vec<Outcome> {
        match event {
            Some(DeskEvent::Closed { round, why }) if round == dialog.round().id => dialog.close(&why),
            Some(event) => {
                self.note(event);
                Vec::new()
            }
            None => {
                self.ended = true;
                dialog.rejected(&askback_desk::AnswerRejected::DeskClosed)
            }
        }
    }

    /// Does what the dialog wants; gives the new source of keys after the terminal was lent to an editor.
    async fn carry_out(
        &mut self,
        dialog: &mut Dialog,
        outcomes: Vec<Outcome>,
    ) -> Option<mpsc::UnboundedReceiver<Input>> {
        let mut todo = VecDeque::from(outcomes);
        let mut inputs = None;
        while let Some(outcome) = todo.pop_front() {
            match outcome {
                Outcome::Answer { index, answer } => {
                    todo.extend(match self.desk.answer(dialog.round().id, index, answer).await {
                        Ok(()) => dialog.taken(),
                        Err(why) => dialog.rejected(&why),
                    });
                }
                Outcome::OpenPage { url } => {
                    self.draw(dialog);
                    let opened = self.desk.open_page(&url).await;
                    todo.extend(dialog.page_opened(&url, opened));
                }
                Outcome::DeclineAllFromServer => {
                    let server = dialog.round().server.name.clone();
                    self.desk.decline_all_from(&server).await;
                }
                Outcome::EditInEditor { text } => {
                    let edit = self.screen.lend(text);
                    let edited = tokio::task::spawn_blocking(edit).await;
                    match edited {
                        Ok(Ok(text)) => dialog.edited(text),
                        Ok(Err(EditFailed::NotSet)) => dialog.complain(self.texts.get("term-no-editor")),
                        Ok(Err(error)) => dialog.complain(self.editor_failed(&error.to_string())),
                        Err(error) => dialog.complain(self.editor_failed(&error.to_string())),
                    }
                    // Without keys the dialog ends as at the end of input.
                    inputs = Some(self.screen.take_back().unwrap_or_else(|_| mpsc::unbounded_channel().1));
                }
                Outcome::Done => {}
            }
        }
        inputs
    }

    fn editor_failed(&self, why: &str) -> String {
        let why = askback_core::display::neutralise_line(why);
        self.texts.format("term-editor-failed", &[("why", why.into())])
    }
}
