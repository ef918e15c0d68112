//! A chat that goes on: the machine with a real model, real servers and a person behind a face.
//!
//! One task owns the machine; faces talk to it over [`Conversation`]. What servers ask in the middle of a call does not come by here: it goes
//! to the desk as always.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askback_core::call::{Operation, ServerName, TimeLimits};
use askback_core::engine::Ending;
use askback_core::sampling::{ReplyContent, SamplingRequest};
use askback_desk::ServerView;
use askback_desk::chat::{
    ChatEnd, ChatEvent, ChatUsage, Consent, ConsentBy, ConsentView, Conversation, Standing, ToolCallView,
};
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::caution::may_stand;
use super::chat::Chat;
use super::consents::{ConsentRules, StandingConsents, Verdict};
use super::event::{Decision, Effect, Entry, Input, ToolCall, TurnEnd};
use super::transcript::Transcript;
use crate::host::Host;
use crate::lending::{Lender, OwnNews, OwnReply};

/// How long a call that was stopped may take to end.
const STOPPING: Duration = Duration::from_secs(2);

/// Is told how each call ended, and gives the words for one that has no result.
pub type TellEnding = Arc<dyn Fn(&ServerName, &Ending) -> String + Send + Sync>;

/// A server of a chat.
#[derive(Clone, Debug)]
pub struct ChatServer {
    /// Its command line, or its address.
    pub source: String,
    /// How long calls to it may take.
    pub limits: TimeLimits,
}

/// What a session is made with.
pub struct SessionOptions {
    /// The machine.
    pub chat: Chat,
    /// The model, by the user's name for it.
    pub model: String,
    /// Whether the model is not shown what the user wants hidden.
    pub redact: bool,
    /// Who has the models.
    pub lender: Arc<Lender>,
    /// Who has the servers.
    pub host: Host,
    /// The servers.
    pub servers: BTreeMap<ServerName, ChatServer>,
    /// What decides about calls before the person does.
    pub rules: ConsentRules,
    /// What the person has decided for always.
    pub standing: StandingConsents,
    /// Where the conversation is kept, if anywhere.
    pub transcript: Option<Transcript>,
    /// Is told how calls end.
    pub tell_ending: TellEnding,
}

enum Command {
    Say(String),
    Decide(String, Consent),
    Stop,
    Note(Map<String, Value>),
}

/// A chat that goes on until this and all its faces are gone.
pub struct Session {
    commands: mpsc::UnboundedSender<Command>,
    faces: Faces,
}

#[derive(Clone, Default)]
struct Faces(Arc<Mutex<Vec<mpsc::UnboundedSender<ChatEvent>>>>);

impl Faces {
    fn tell(&self, event: &ChatEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|face| face.send(event.clone()).is_ok());
    }
}

impl Session {
    /// Begins.
    pub fn start(options: SessionOptions) -> Arc<Session> {
        let (commands, receiver) = mpsc::unbounded_channel();
        let faces = Faces::default();
        let runner = Runner {
            options,
            faces: faces.clone(),
            secrets: BTreeSet::new(),
            usage: ChatUsage::default(),
            why: String::new(),
            kept: true,
        };
        tokio::spawn(runner.run(receiver));
        Arc::new(Session { commands, faces })
    }

    /// Writes something else into the transcript, e.g. how an ask was decided.
    pub fn note(&self, line: Map<String, Value>) {
        let _ = self.commands.send(Command::Note(line));
    }
}

impl Conversation for Session {
    fn subscribe(&self) -> mpsc::UnboundedReceiver<ChatEvent> {
        let (events, receiver) = mpsc::unbounded_channel();
        self.faces.0.lock().unwrap_or_else(PoisonError::into_inner).push(events);
        receiver
    }

    fn say(&self, text: String) {
        let _ = self.commands.send(Command::Say(text));
    }

    fn decide(&self, id: &str, decision: Consent) {
        let _ = self.commands.send(Command::Decide(id.to_owned(), decision));
    }

    fn stop(&self) {
        let _ = self.commands.send(Command::Stop);
    }
}

struct Runner {
    options: SessionOptions,
    faces: Faces,
    /// Tool uses of the last reply with secrets in them.
    secrets: BTreeSet<String>,
    /// What this turn took so far.
    usage: ChatUsage,
    /// Why the model gave no reply.
    why: String,
    /// Whether everything could be written down so far.
    kept: bool,
}

impl Runner {
    async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        while let Some(command) = commands.recv().await {
            match command {
                Command::Say(text) => self.turn(text, &mut commands).await,
                Command::Note(line) => self.write(|transcript| transcript.add_line(line)),
                // Nothing is under way.
                Command::Decide(..) | Command::Stop => {}
            }
        }
    }

    async fn turn(&mut self, text: String, commands: &mut mpsc::UnboundedReceiver<Command>) {
        self.usage = ChatUsage::default();
        let mut todo = VecDeque::from(self.options.chat.handle(Input::Said(text)));
        while let Some(effect) = todo.pop_front() {
            let input = match effect {
                Effect::Record(entry) => {
                    self.record(&entry);
                    continue;
                }
                Effect::End(end) => {
                    self.ended(end);
                    continue;
                }
                Effect::Complete(request) => self.complete(&request, commands).await,
                Effect::AskConsent(call) => self.consent(call, commands).await,
                Effect::Call(call) => self.call(call, commands).await,
            };
            todo.extend(self.options.chat.handle(input));
        }
    }

    fn record(&mut self, entry: &Entry) {
        self.write(|transcript| transcript.add(entry));
        if let Entry::Decided { call, decision } = entry {
            let (arguments, allowed, by) = match decision {
                Decision::Allowed { arguments, by, .. } => (arguments.clone(), true, *by),
                Decision::Declined { by, .. } => (call.arguments.clone(), false, *by),
            };
            let call = Box::new(ToolCallView { arguments, ..self.view(call) });
            self.faces.tell(&ChatEvent::Decided { call, allowed, by });
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut Transcript) -> std::io::Result<()>) {
        let outcome = self.options.transcript.as_mut().map_or(Ok(()), write);
        if let Err(error) = outcome {
            self.not_kept(&error);
        }
    }

    fn not_kept(&mut self, error: &std::io::Error) {
        if std::mem::take(&mut self.kept) {
            self.faces.tell(&ChatEvent::NotKept { detail: error.to_string() });
        }
    }

    fn ended(&mut self, end: TurnEnd) {
        let end = match end {
            TurnEnd::Finished { cut, .. } => ChatEnd::Finished { cut },
            TurnEnd::Capped { rounds } => ChatEnd::Capped { rounds },
            TurnEnd::ModelFailed => ChatEnd::Failed { why: std::mem::take(&mut self.why) },
            TurnEnd::Stopped => ChatEnd::Stopped,
        };
        self.faces.tell(&ChatEvent::Ended { end, usage: self.usage });
    }

    /// Waits for the person to stop the turn, or to decide about a call; what else is said meanwhile is noted or not heard. Nothing more
    /// comes when everybody has gone, which stops the turn as well.
    async fn interruption(&mut self, commands: &mut mpsc::UnboundedReceiver<Command>) -> Option<(String, Consent)> {
        loop {
            match commands.recv().await {
                Some(Command::Stop) | None => return None,
                Some(Command::Decide(id, decision)) => return Some((id, decision)),
                Some(Command::Note(line)) => self.write(|transcript| transcript.add_line(line)),
                Some(Command::Say(_)) => {}
            }
        }
    }

    async fn stop(&mut self, commands: &mut mpsc::UnboundedReceiver<Command>) {
        while self.interruption(commands).await.is_some() {}
    }

    async fn complete(&mut self, request: &SamplingRequest, commands: &mut mpsc::UnboundedReceiver<Command>) -> Input {
        let faces = self.faces.clone();
        let tell = move |news| {
            faces.tell(&match news {
                OwnNews::Hidden(hidden) => ChatEvent::Thinking { hidden },
                OwnNews::Text(text) => ChatEvent::Text(text),
            });
        };
        let (lender, model) = (Arc::clone(&self.options.lender), self.options.model.clone());
        let completing = lender.converse(&model, request, self.options.redact, tell);
        let outcome = tokio::select! {
            outcome = completing => outcome,
            () = self.stop(commands) => return Input::Stopped,
        };
        match outcome {
            Ok(OwnReply { reply, with_secrets, usage }) => {
                self.secrets = with_secrets;
                self.usage.input += usage.input;
                self.usage.output += usage.output;
                self.usage.money = match (self.usage.money, usage.money) {
                    (before, Some(now)) => Some(before.unwrap_or_default() + now),
                    (before, None) => before,
                };
                let texts = reply.content.iter().filter_map(|content| match content {
                    ReplyContent::Text(text) if !text.is_empty() => Some(text.as_str()),
                    _ => None,
                });
                self.faces.tell(&ChatEvent::Said { text: texts.collect::<Vec<_>>().join("\n\n") });
                Input::Replied(reply)
            }
            Err(error) => {
                self.why = self.options.lender.explain(&error);
                Input::ModelFailed
            }
        }
    }

    async fn consent(&mut self, call: ToolCall, commands: &mut mpsc::UnboundedReceiver<Command>) -> Input {
        let source = self.source(&call.server);
        let tool = self.options.chat.tool(&call.server, &call.tool).cloned();
        let always = tool.as_ref().is_some_and(|tool| self.options.standing.holds(tool, &source));
        let has_secrets = self.secrets.contains(&call.id);
        let by = match self.options.rules.judge(&call, always, has_secrets) {
            Verdict::Allow(by) => {
                return Input::Allowed { id: call.id, arguments: call.arguments, by, remember: false };
            }
            Verdict::Decline(by) => return Input::Declined { id: call.id, reason: None, by },
            Verdict::Ask => ConsentBy::Person,
        };
        let may_stand = may_stand(call.claim) && !has_secrets;
        let view = ConsentView { call: self.view(&call), claim: call.claim, may_stand, has_secrets };
        self.faces.tell(&ChatEvent::Consent(Box::new(view)));
        loop {
            match self.interruption(commands).await {
                None => return Input::Stopped,
                // An answer to a question from before.
                Some((id, _)) if id != call.id => {}
                Some((id, Consent::Decline { reason })) => return Input::Declined { id, reason, by },
                Some((id, Consent::Allow { arguments, standing })) => {
                    if let (Standing::Always, true, Some(tool)) = (standing, may_stand, &tool)
                        && let Err(error) = self.options.standing.add(tool, &source)
                    {
                        self.not_kept(&error);
                    }
                    return Input::Allowed { id, arguments, by, remember: may_stand && standing != Standing::Once };
                }
            }
        }
    }

    async fn call(&mut self, call: ToolCall, commands: &mut mpsc::UnboundedReceiver<Command>) -> Input {
        let operation = Operation::Tool { name: call.tool.clone(), arguments: call.arguments.clone() };
        let limits = self.options.servers.get(&call.server).map(|server| server.limits).unwrap_or_default();
        let mut running = self.options.host.call(call.server.clone(), operation, limits);
        let ending = tokio::select! {
            ending = running.ending() => ending,
            () = self.stop(commands) => {
                running.stop();
                // The server is told, and its questions close, before the conversation goes on.
                let _ = tokio::time::timeout(STOPPING, running.ending()).await;
                return Input::Stopped;
            }
        };
        let Some(ending) = ending else {
            return Input::Failed { id: call.id, message: "Askback is shutting down.".to_owned() };
        };
        let words = (self.options.tell_ending)(&call.server, &ending);
        let input = match ending.outcome {
            Ok(result) => Input::Returned { id: call.id.clone(), result },
            Err(_) => Input::Failed { id: call.id.clone(), message: words },
        };
        let told = self.options.chat.outcome(&input);
        let view = Box::new(self.view(&call));
        let (text, is_error, left_out) = told;
        self.faces.tell(&ChatEvent::Returned { call: view, text, is_error, left_out });
        input
    }

    fn source(&self, server: &ServerName) -> String {
        self.options.servers.get(server).map(|server| server.source.clone()).unwrap_or_default()
    }

    fn view(&self, call: &ToolCall) -> ToolCallView {
        ToolCallView {
            id: call.id.clone(),
            server: ServerView { name: call.server.to_string(), source: self.source(&call.server) },
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        }
    }
}
