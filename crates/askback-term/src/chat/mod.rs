//! The conversation of a person with their model, at a terminal.
//!
//! Owns whose turn it is here: the prompt while it is the person's, then what the model writes and what becomes of the calls it wants. What
//! servers ask meanwhile is put by the same dialogs as ever, at the same place. Must not know models, tools or the protocol: everything
//! comes over [`Conversation`] and [`askback_desk::Desk`].

pub mod consent;
pub mod prompt;
pub mod showing;

use std::collections::VecDeque;
use std::sync::Arc;

use askback_core::display::neutralise_line;
use askback_desk::chat::{ChatEvent, ConsentView, Conversation};
use askback_desk::{Desk, Texts};
use tokio::sync::mpsc;

use self::consent::{ConsentDialog, Decision};
use self::prompt::{Prompt, Typed};
use crate::dialog::view::usable_width;
use crate::drawing::{Drawing, Line, Style};
use crate::key::Key;
use crate::prompts::{Leave, Prompts};
use crate::screen::{Input, Screen};
use crate::zone::Zone;

/// What a conversation at a terminal is made of.
pub struct ChatAtTerminal {
    /// Where servers ask.
    pub desk: Arc<dyn Desk>,
    /// The conversation.
    pub conversation: Arc<dyn Conversation>,
    /// The words.
    pub texts: Arc<Texts>,
    /// Where the person is in time.
    pub zone: Zone,
    /// The terminal.
    pub screen: Screen,
    /// The one thing to say; otherwise the person is asked for what they say, until they end it.
    pub once: Option<String>,
}

type Keys = mpsc::UnboundedReceiver<Input>;

/// Goes on until the person ends it, or the one thing is said and answered.
///
/// May be dropped at any time; the terminal is then as it was before.
pub async fn run(options: ChatAtTerminal) {
    let ChatAtTerminal { desk, conversation, texts, zone, screen, once } = options;
    let mut chat = Chat {
        events: conversation.subscribe(),
        prompts: Prompts::new(desk, Arc::clone(&texts), zone, screen.clone()),
        conversation,
        texts,
        screen,
        prompt: Prompt::default(),
        early: VecDeque::new(),
        over: false,
    };
    if let Some(text) = once {
        chat.turn(text).await;
        return;
    }
    while let Some(text) = chat.listen().await {
        chat.turn(text).await;
    }
}

struct Chat {
    conversation: Arc<dyn Conversation>,
    events: mpsc::UnboundedReceiver<ChatEvent>,
    prompts: Prompts,
    texts: Arc<Texts>,
    screen: Screen,
    prompt: Prompt,
    /// Events that came while something else was drawn.
    early: VecDeque<ChatEvent>,
    /// Whether nobody can type any more, or nobody is there to talk to.
    over: bool,
}

/// What the person sees of a turn that goes on.
#[derive(Default)]
struct Going {
    /// What the model writes right now.
    text: String,
    /// What is going on.
    what: String,
    /// Whether the person has stopped it.
    stopping: bool,
}

impl Chat {
    /// What the person says next; nothing when they end the conversation.
    async fn listen(&mut self) -> Option<String> {
        let screen = self.screen.clone();
        while !self.over {
            // What a server asks by itself goes first; what was typed so far stays.
            while let Some(topic) = self.prompts.next_now() {
                self.prompts.put(topic).await;
            }
            let mut keys = self.open()?;
            let leave = Leave(&screen);
            loop {
                let (width, height) = screen.size();
                screen.draw(self.prompt.draw(&self.texts, width, height)).ok()?;
                tokio::select! {
                    biased;
                    () = self.prompts.news() => {
                        drop(leave);
                        break;
                    }
                    event = self.events.recv() => match event {
                        Some(ChatEvent::NotKept { detail }) => self.not_kept(&detail),
                        Some(_) => {}
                        None => return None,
                    },
                    key = keys.recv() => {
                        let key = match key {
                            Some(Input::Resized) => continue,
                            Some(Input::Key(key)) => key,
                            None => Key::EndOfInput,
                        };
                        match self.prompt.handle(&key) {
                            Typed::Stay => {}
                            Typed::Say(text) => return Some(text),
                            Typed::End => return None,
                        }
                    }
                }
            }
        }
        None
    }

    fn open(&mut self) -> Option<Keys> {
        match self.screen.open() {
            Ok(keys) => Some(keys),
            Err(error) => {
                let why = error.to_string();
                self.screen.printer().print(&self.texts.format("term-unusable", &[("why", why.into())]));
                self.over = true;
                None
            }
        }
    }

    /// One turn, from what the person says to the end of what the model does about it.
    async fn turn(&mut self, text: String) {
        self.print(&showing::said(&text));
        self.conversation.say(text);
        let screen = self.screen.clone();
        let mut going = Going::default();
        loop {
            while let Some(topic) = self.prompts.next_now() {
                self.prompts.put(topic).await;
            }
            let mut keys = if self.over { None } else { self.open() };
            let leave = Leave(&screen);
            let ended = self.watch(&mut going, &mut keys).await;
            drop(leave);
            if ended {
                return;
            }
        }
    }

    /// Shows what happens until the turn is over, which it tells, or something is put to the person by a server.
    async fn watch(&mut self, going: &mut Going, keys: &mut Option<Keys>) -> bool {
        loop {
            if self.screen.draw(self.drawing(going)).is_err() {
                self.gone();
            }
            let event = match self.early.pop_front() {
                Some(event) => Some(event),
                None => tokio::select! {
                    biased;
                    () = self.prompts.news() => return false,
                    event = self.events.recv() => event,
                    key = next(keys) => {
                        match key {
                            Some(Input::Key(Key::Ctrl('c'))) => {
                                going.stopping = true;
                                self.conversation.stop();
                            }
                            Some(Input::Key(_) | Input::Resized) => {}
                            None => {
                                *keys = None;
                                self.gone();
                            }
                        }
                        continue;
                    }
                },
            };
            match event {
                None => {
                    self.over = true;
                    return true;
                }
                Some(ChatEvent::Consent(view)) => {
                    if let Some(keys) = keys {
                        self.consent(*view, keys).await;
                    } else {
                        self.conversation.stop();
                    }
                }
                Some(event) => {
                    if self.show(going, event) {
                        return true;
                    }
                    self.take_what_is_written(going);
                }
            }
        }
    }

    /// Takes what the model has written by now, before it is drawn.
    fn take_what_is_written(&mut self, going: &mut Going) {
        while self.early.is_empty() {
            match self.events.try_recv() {
                Ok(ChatEvent::Text(text)) => going.text.push_str(&text),
                Ok(event) => self.early.push_back(event),
                Err(_) => return,
            }
        }
    }

    /// Nobody can type any more: what goes on is stopped.
    fn gone(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            self.conversation.stop();
        }
    }

    /// Shows an event; whether it was the last one of the turn.
    fn show(&mut self, going: &mut Going, event: ChatEvent) -> bool {
        let texts = Arc::clone(&self.texts);
        match event {
            ChatEvent::Thinking { hidden } => {
                going.what = texts.get("term-chat-thinking");
                if hidden > 0 {
                    let text = texts.format("term-said-hidden", &[("count", (hidden as u64).into())]);
                    self.print(&[Line::own(text, Style::Dim)]);
                }
            }
            ChatEvent::Text(text) => going.text.push_str(&text),
            ChatEvent::Said { text } => {
                going.text.clear();
                if !text.trim().is_empty() {
                    self.print(&showing::replied(&text));
                }
            }
            ChatEvent::Decided { call, allowed, by } => {
                if allowed {
                    let name = neutralise_line(&call.server.name);
                    going.what = texts.format("term-chat-calling", &[("server", name.into())]);
                }
                self.print(&showing::decided(&texts, &call, allowed, by));
            }
            ChatEvent::Returned { call, text, is_error, left_out } => {
                self.print(&showing::returned(&texts, &call, &text, is_error, left_out));
            }
            ChatEvent::NotKept { detail } => self.not_kept(&detail),
            ChatEvent::Ended { end, usage } => {
                if !going.text.trim().is_empty() {
                    // What was written before it broke off.
                    self.print(&showing::replied(&going.text));
                }
                self.print(&showing::ended(&texts, &end, &usage));
                return true;
            }
            ChatEvent::Consent(_) => {}
        }
        false
    }

    /// Asks the person about a call.
    async fn consent(&mut self, view: ConsentView, keys: &mut Keys) {
        let id = view.call.id.clone();
        let mut dialog = ConsentDialog::new(view, Arc::clone(&self.texts));
        loop {
            let (width, height) = self.screen.size();
            let key = if self.screen.draw(dialog.draw(width, height)).is_err() {
                Key::EndOfInput
            } else {
                tokio::select! {
                    biased;
                    event = self.events.recv() => {
                        // The conversation goes on without the person's word.
                        let waits = matches!(event, Some(ChatEvent::NotKept { .. }));
                        self.early.extend(event);
                        if waits { continue } else { return }
                    }
                    key = keys.recv() => match key {
                        Some(Input::Resized) => continue,
                        Some(Input::Key(key)) => key,
                        None => Key::EndOfInput,
                    },
                }
            };
            match dialog.handle(&key) {
                Decision::Stay => {}
                Decision::Decided(consent) => return self.conversation.decide(&id, consent),
                Decision::Stop => {
                    if key == Key::EndOfInput {
                        self.over = true;
                    }
                    return self.conversation.stop();
                }
            }
        }
    }

    fn not_kept(&self, detail: &str) {
        let text = self.texts.format("term-chat-not-kept", &[("detail", neutralise_line(detail).into())]);
        self.print(&[Line::marked("!", Style::Warning).with(text, Style::Plain)]);
    }

    fn print(&self, lines: &[Line]) {
        self.screen.printer().print_lines(lines);
    }

    /// What the model writes, as much of its end as there is room for, and what is going on.
    fn drawing(&self, going: &Going) -> Drawing {
        let (width, height) = self.screen.size();
        let width = usable_width(width);
        let mut live: Vec<Line> = Vec::new();
        if !going.text.trim().is_empty() {
            live = showing::replied(&going.text).iter().flat_map(|line| line.wrap(width)).collect();
            let surplus = live.len().saturating_sub(height.saturating_sub(4).max(1));
            live.drain(..surplus);
        }
        live.push(Line::blank());
        let what = if going.stopping { self.texts.get("term-chat-stopping") } else { going.what.clone() };
        let mut line = Line::own(what, Style::Dim);
        if !going.stopping {
            line = line.with(format!("  Ctrl-C\u{a0}{}", self.texts.get("term-do-stop")), Style::Dim);
        }
        live.extend(line.wrap(width));
        Drawing { live, gives_way: going.text.is_empty(), ..Drawing::default() }
    }
}

/// The next key; never where there are none.
async fn next(keys: &mut Option<Keys>) -> Option<Input> {
    match keys {
        Some(keys) => keys.recv().await,
        None => std::future::pending().await,
    }
}
