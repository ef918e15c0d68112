//! The runner between desk and terminal: one dialog at a time, closed the moment its answer is of no more use.
//!
//! Owns the queue of what waits for the person, the terminal while a dialog is open, and the model that is at work for it. Must not know what is asked: that is the dialog's.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use askback_desk::lending::DraftEvent;
use askback_desk::view::{Closed, RoundView, WaitView};
use askback_desk::{AnswerRejected, Desk, DeskEvent, RoundId, Texts};
use tokio::sync::mpsc;

use crate::dialog::{Dialog, Outcome, Wait};
use crate::drawing::Drawing;
use crate::key::Key;
use crate::screen::{EditFailed, Input, Screen};
use crate::zone::Zone;

/// Puts every round of the desk to the person at this screen, until the desk is gone.
///
/// May be dropped at any time; the terminal is then as it was before.
pub async fn run(desk: Arc<dyn Desk>, texts: Arc<Texts>, zone: Zone, screen: Screen) {
    let mut prompts = Prompts::new(desk, texts, zone, screen);
    while let Some(topic) = prompts.next().await {
        prompts.put(topic).await;
    }
}

/// What is put to the person.
pub(crate) enum Topic {
    Round(Box<RoundView>),
    Wait(WaitView),
}

impl Topic {
    fn id(&self) -> RoundId {
        match self {
            Topic::Round(round) => round.id,
            Topic::Wait(wait) => wait.id,
        }
    }

    /// How many questions that is.
    fn questions(&self) -> usize {
        match self {
            Topic::Round(round) => round.asks.len(),
            Topic::Wait(_) => 1,
        }
    }
}

/// The dialog that is open.
enum Front {
    Round(Box<Dialog>),
    Wait(Box<Wait>),
}

impl Front {
    fn new(topic: Topic, texts: Arc<Texts>, zone: &Zone) -> Front {
        match topic {
            Topic::Round(round) => Front::Round(Box::new(Dialog::new(*round, texts).in_zone(zone.clone()))),
            Topic::Wait(wait) => Front::Wait(Box::new(Wait::new(wait, texts))),
        }
    }

    fn start(&mut self) -> Vec<Outcome> {
        match self {
            Front::Round(dialog) => dialog.start(),
            Front::Wait(_) => Vec::new(),
        }
    }

    fn is_working(&self) -> bool {
        matches!(self, Front::Round(dialog) if dialog.is_working())
    }

    fn drafted(&mut self, event: DraftEvent) -> Vec<Outcome> {
        match self {
            Front::Round(dialog) => dialog.drafted(event),
            Front::Wait(_) => Vec::new(),
        }
    }

    fn id(&self) -> RoundId {
        match self {
            Front::Round(dialog) => dialog.round().id,
            Front::Wait(dialog) => dialog.wait().id,
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Front::Round(dialog) => dialog.is_done(),
            Front::Wait(dialog) => dialog.is_done(),
        }
    }

    fn set_waiting(&mut self, questions: usize) {
        if let Front::Round(dialog) = self {
            dialog.set_waiting(questions);
        }
    }

    fn handle(&mut self, key: &Key) -> Vec<Outcome> {
        match self {
            Front::Round(dialog) => dialog.handle(key),
            Front::Wait(dialog) => dialog.handle(key),
        }
    }

    fn close(&mut self, why: &Closed) -> Vec<Outcome> {
        match self {
            Front::Round(dialog) => dialog.close(why),
            Front::Wait(dialog) => dialog.close(why),
        }
    }

    /// The desk itself is gone.
    fn desk_closed(&mut self) -> Vec<Outcome> {
        match self {
            Front::Round(dialog) => dialog.rejected(&AnswerRejected::DeskClosed),
            Front::Wait(dialog) => dialog.close(&Closed::CallEnded),
        }
    }

    fn draw(&mut self, width: usize, height: usize) -> Drawing {
        match self {
            Front::Round(dialog) => dialog.draw(width, height),
            Front::Wait(dialog) => dialog.draw(width, height),
        }
    }
}

/// What waits at the desk for the person at this screen.
pub(crate) struct Prompts {
    desk: Arc<dyn Desk>,
    texts: Arc<Texts>,
    zone: Zone,
    screen: Screen,
    events: mpsc::UnboundedReceiver<DeskEvent>,
    queue: VecDeque<Topic>,
    ended: bool,
    /// What the model at work writes. It stops when this is dropped.
    drafting: Option<mpsc::UnboundedReceiver<DraftEvent>>,
}

/// How many pieces of a draft are taken before they are drawn.
const PIECES_AT_ONCE: usize = 64;

/// Puts the terminal back even when the runner is dropped or panics.
pub(crate) struct Leave<'a>(pub(crate) &'a Screen);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Prompts {
    pub(crate) fn new(desk: Arc<dyn Desk>, texts: Arc<Texts>, zone: Zone, screen: Screen) -> Prompts {
        let events = desk.subscribe();
        Prompts { desk, texts, zone, screen, events, queue: VecDeque::new(), ended: false, drafting: None }
    }

    async fn next(&mut self) -> Option<Topic> {
        loop {
            if let Some(topic) = self.next_now() {
                return Some(topic);
            }
            let event = self.events.recv().await?;
            self.note(event);
        }
    }

    /// What waits now, if anything does.
    pub(crate) fn next_now(&mut self) -> Option<Topic> {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
        }
        self.queue.pop_front()
    }

    /// Waits until something may have come to the desk; for ever once the desk is gone. Cancel-safe.
    pub(crate) async fn news(&mut self) {
        if self.ended {
            std::future::pending::<()>().await;
        }
        match self.events.recv().await {
            Some(event) => self.note(event),
            None => self.ended = true,
        }
    }

    /// What an event means for what waits.
    fn note(&mut self, event: DeskEvent) {
        match event {
            DeskEvent::Opened(round) => self.queue.push_back(Topic::Round(round)),
            // A call that was begun is gone on with before another question is put.
            DeskEvent::Waiting(wait) => self.queue.push_front(Topic::Wait(*wait)),
            DeskEvent::Closed { round, .. } => self.queue.retain(|waiting| waiting.id() != round),
        }
    }

    /// Puts it to the person, until it is answered or closed. The terminal must not be open.
    pub(crate) async fn put(&mut self, topic: Topic) {
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
        let mut dialog = Front::new(topic, Arc::clone(&self.texts), &self.zone);
        let begun = dialog.start();
        self.carry_out(&mut dialog, begun).await;
        loop {
            if !dialog.is_working() {
                self.drafting = None;
            }
            dialog.set_waiting(self.queue.iter().map(Topic::questions).sum());
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
                event = coming(&mut self.drafting) => self.drafted(&mut dialog, event),
            };
            if let Some(again) = self.carry_out(&mut dialog, outcomes).await {
                inputs = again;
            }
        }
        self.drafting = None;
        drop(leave);
    }

    /// Hands on what the model has written by now.
    fn drafted(&mut self, dialog: &mut Front, event: Option<DraftEvent>) -> Vec<Outcome> {
        let Some(event) = event else {
            self.drafting = None;
            return dialog.drafted(DraftEvent::Failed { why: self.texts.get("term-draft-lost") });
        };
        let mut outcomes = dialog.drafted(event);
        for _ in 1..PIECES_AT_ONCE {
            let Some(Ok(event)) = self.drafting.as_mut().map(mpsc::UnboundedReceiver::try_recv) else { break };
            outcomes.extend(dialog.drafted(event));
        }
        outcomes
    }

    /// Draws the dialog; false when the terminal is gone.
    fn draw(&self, dialog: &mut Front) -> bool {
        let (width, height) = self.screen.size();
        self.screen.draw(dialog.draw(width, height)).is_ok()
    }

    fn event(&mut self, dialog: &mut Front, event: Option<DeskEvent>) -> Vec<Outcome> {
        match event {
            Some(DeskEvent::Closed { round, why }) if round == dialog.id() => dialog.close(&why),
            Some(event) => {
                self.note(event);
                Vec::new()
            }
            None => {
                self.ended = true;
                dialog.desk_closed()
            }
        }
    }

    /// Does what the dialog wants; gives the new source of keys after the terminal was lent to an editor.
    async fn carry_out(
        &mut self,
        dialog: &mut Front,
        outcomes: Vec<Outcome>,
    ) -> Option<mpsc::UnboundedReceiver<Input>> {
        let mut todo = VecDeque::from(outcomes);
        let mut inputs = None;
        while let Some(outcome) = todo.pop_front() {
            let id = dialog.id();
            match (outcome, &mut *dialog) {
                (Outcome::Answer { index, answer }, Front::Round(dialog)) => {
                    todo.extend(match self.desk.answer(id, index, answer).await {
                        Ok(()) => dialog.taken(),
                        Err(why) => dialog.rejected(&why),
                    });
                }
                (Outcome::OpenPage { url }, Front::Round(_)) => {
                    self.draw(dialog);
                    let opened = self.desk.open_page(&url).await;
                    if let Front::Round(dialog) = dialog {
                        todo.extend(dialog.page_opened(&url, opened));
                    }
                }
                (Outcome::DeclineAllFromServer, Front::Round(dialog)) => {
                    let server = dialog.round().server.name.clone();
                    self.desk.decline_all_from(&server).await;
                }
                (Outcome::RememberRoots { shared, withheld }, Front::Round(dialog)) => {
                    let server = dialog.round().server.clone();
                    if let Err(why) = self.desk.remember_roots(&server, shared, withheld).await {
                        let why = askback_core::display::neutralise_line(&why);
                        let text = self.texts.format("term-roots-not-remembered", &[("why", why.into())]);
                        self.screen.printer().print(&text);
                    }
                }
                (Outcome::EditInEditor { text }, Front::Round(dialog)) => {
                    let edit = self.screen.lend(text);
                    let edited = tokio::task::spawn_blocking(edit).await;
                    match edited {
                        Ok(Ok(text)) => todo.extend(dialog.edited(text)),
                        Ok(Err(EditFailed::NotSet)) => dialog.complain(self.texts.get("term-no-editor")),
                        Ok(Err(error)) => dialog.complain(self.editor_failed(&error.to_string())),
                        Err(error) => dialog.complain(self.editor_failed(&error.to_string())),
                    }
                    // Without keys the dialog ends as at the end of input.
                    inputs = Some(self.screen.take_back().unwrap_or_else(|_| mpsc::unbounded_channel().1));
                }
                (Outcome::Offer { wish }, Front::Round(dialog)) => {
                    let offer = self.desk.offer(&dialog.round().server, *wish);
                    dialog.offered(offer, now());
                }
                (Outcome::Permit { permission }, Front::Round(dialog)) => {
                    let server = dialog.round().server.clone();
                    let written = self.desk.permit(&server, permission).await;
                    dialog.permitted(permission, written);
                }
                (Outcome::Draft { wish }, Front::Round(dialog)) => {
                    self.drafting = Some(self.desk.draft(&dialog.round().server, *wish));
                }
                (Outcome::TryAgain, _) => self.desk.try_again(id).await,
                (Outcome::GiveUp, _) => self.desk.give_up(id).await,
                // A wait has nothing to answer, open, edit or draft.
                (_, Front::Wait(_)) | (Outcome::Done, _) => {}
            }
        }
        inputs
    }

    fn editor_failed(&self, why: &str) -> String {
        let why = askback_core::display::neutralise_line(why);
        self.texts.format("term-editor-failed", &[("why", why.into())])
    }
}

/// The next piece of a draft; never where no model is at work.
async fn coming(drafting: &mut Option<mpsc::UnboundedReceiver<DraftEvent>>) -> Option<DraftEvent> {
    match drafting {
        Some(receiver) => receiver.recv().await,
        None => std::future::pending().await,
    }
}

/// The time in milliseconds since the epoch.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
