//! Takes in the requests of a client and answers them as a script and its manners say. Without I/O, and on a clock told from outside.
//!
//! Owns what the three shapes of the transport have in common: records, oddities, the passing of time, and the end. What is particular to a
//! shape is in [`super::modern`], [`super::legacy`] and [`super::old_sse`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::http::Shape;
use crate::http::exchange::{Head, Line, Piece, Received};
use crate::http::login::Gate;
use crate::http::manners::{Cut, Instead, Redirect};
use crate::http::rules;
use crate::http::session::{Outgoing, Session, State};
use crate::http::stream::Stream;
use crate::record::Recorder;
use crate::script::Script;
use crate::scripted_server::{Noted, Output};

/// A scripted server behind HTTP.
#[derive(Debug)]
pub struct Front {
    pub(super) script: Arc<Script>,
    pub(super) revision: String,
    pub(super) shape: Shape,
    /// Where it is, as in `127.0.0.1:4000`.
    authority: String,
    recorder: Recorder,
    pub(super) now: u64,
    pub(super) sessions: BTreeMap<String, Session>,
    next: u64,
    /// What is answered instead of what belongs there, and how often that could have been.
    instead: Vec<(Instead, usize)>,
    cuts: Vec<Cut>,
    gate: Gate,
    later: Vec<(u64, Later)>,
    /// Whether the client has seen the list of tools.
    pub(super) has_listed: bool,
    is_down: bool,
}

/// What happens later.
#[derive(Debug)]
enum Later {
    Answer(Line, Head),
    Close(Line),
    Handle(Received, Line),
}

impl Front {
    /// A server at this authority that speaks `revision`, unless its script says otherwise.
    pub fn new(script: Arc<Script>, revision: &str, authority: &str, recorder: Recorder) -> Front {
        let revision = script.revision.as_deref().unwrap_or(revision).to_owned();
        let mut front = Front {
            shape: Shape::of(&revision),
            instead: script.http.instead.iter().map(|instead| (instead.clone(), 0)).collect(),
            cuts: script.http.cut.clone(),
            gate: Gate::new(&script.http.guard),
            script,
            revision,
            authority: authority.to_owned(),
            recorder,
            now: 0,
            sessions: BTreeMap::new(),
            next: 1,
            later: Vec::new(),
            has_listed: false,
            is_down: false,
        };
        if front.shape == Shape::Modern {
            front.new_session("");
        }
        front
    }

    /// A request came; what is answered goes to its line.
    pub fn receive(&mut self, now: u64, request: Received, line: Line) {
        self.now = now;
        if request.header("host").is_some_and(|host| host != self.authority) {
            self.wrong(format!("{} came to another origin: {:?}", request.method, request.header("host")));
        }
        let origin = format!("http://{}", self.authority);
        if let Some(page) = self.gate.page(&origin, &request) {
            let path = request.path.split('?').next().unwrap_or_default();
            self.record(|recorder| recorder.exchange(&format!("{} {path}", request.method)));
            return line.send(Piece::Head(page));
        }
        if !self.shape.serves(&request.path) {
            self.record(|recorder| recorder.exchange(&format!("{} {}", request.method, request.path)));
            return line.send(Piece::Head(Head::whole(404, "text/plain", "Not Found")));
        }
        let message = message(&request);
        let what = match &message {
            Some(message) => rules::name(message).to_owned(),
            None => request.method.clone(),
        };
        if let Some(refusal) = self.gate.refusal(&origin, &what, &request) {
            self.record(|recorder| {
                recorder.exchange(&format!("{} {} {what} {}", request.method, request.path, refusal.status))
            });
            return line.send(Piece::Head(refusal));
        }
        // An address that takes no messages tells nothing of what else it was sent, but the first question was asked.
        let is_elsewhere = self.shape == Shape::Sse && !super::old_sse::takes_messages(&request);
        if request.method == "POST" && (!is_elsewhere || what == "server/discover") {
            self.record(|recorder| recorder.line(&request.body));
        }
        let again = request.header("last-event-id").map(|id| format!(" after {id}")).unwrap_or_default();
        self.record(|recorder| recorder.exchange(&format!("{} {} {what}{again}", request.method, request.path)));
        let Some(instead) = self.instead_of(&what) else { return self.handle(request, line) };
        if instead.lose_session
            && let Some(session) = request.header("mcp-session-id").and_then(|id| self.sessions.get_mut(id))
        {
            session.state = State::Lost;
        }
        let at = now + instead.after;
        match instead.status() {
            None if !instead.close => return self.do_later(at, Later::Handle(request, line)),
            None => self.do_later(at, Later::Close(line)),
            Some(status) => {
                let head = self.head_instead(&instead, status, message.as_ref());
                self.do_later(at, Later::Answer(line, head));
            }
        }
        let is_request =
            message.as_ref().is_some_and(|message| message.contains_key("id") && message.contains_key("method"));
        if instead.takes(is_request) {
            self.handle(request, Line::to_nobody());
        }
    }

    /// The client went away from an exchange that was not over.
    pub fn gone(&mut self, now: u64, exchange: u64) {
        self.now = now;
        for key in self.sessions.keys().cloned().collect::<Vec<_>>() {
            let Some(session) = self.sessions.get_mut(&key) else { continue };
            let Some(stream) = session.stream_of(exchange) else { continue };
            stream.disconnect();
            let call = stream.request.clone().filter(|_| stream.of != super::session::LISTEN);
            match self.shape {
                Shape::Modern => self.cancelled(call),
                // A stream that breaks off cancels nothing.
                Shape::Legacy => {}
                Shape::Sse => session.state = State::Ended,
            }
        }
    }

    /// When [`Front::tick`] is due.
    pub fn next_wake(&self) -> Option<u64> {
        let servers = self.sessions.values().filter_map(|session| session.server.next_wake());
        servers.chain(self.later.iter().map(|(at, _)| *at)).min()
    }

    /// Time passed.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        let (due, later) = std::mem::take(&mut self.later).into_iter().partition(|(at, _)| *at <= now);
        self.later = later;
        let due: Vec<(u64, Later)> = due;
        due.into_iter().for_each(|(_, what)| self.do_now(what));
        for key in self.sessions.keys().cloned().collect::<Vec<_>>() {
            let Some(session) = self.sessions.get_mut(&key) else { continue };
            let outputs = session.server.tick(now);
            self.put_out(&key, outputs);
        }
    }

    /// Whether the script has ended the server.
    pub fn is_down(&self) -> bool {
        self.is_down
    }

    /// Whether there is a session that the client has still to end.
    pub fn has_session(&self) -> bool {
        let is_left = |(key, session): (&String, &Session)| !key.is_empty() && session.state == State::Alive;
        let has_them = self.shape == Shape::Legacy && !self.script.http.no_sessions && !self.is_down;
        has_them && self.sessions.iter().any(is_left)
    }

    /// The client has ended: what it left undone is noted.
    pub fn finish(&mut self) {
        if self.has_session() {
            self.wrong("the session was not ended with DELETE".to_owned());
        }
    }

    pub(super) fn handle(&mut self, request: Received, line: Line) {
        match self.shape {
            Shape::Modern => self.handle_modern(&request, line),
            Shape::Legacy => self.handle_legacy(&request, line),
            Shape::Sse => self.handle_old_sse(&request, line),
        }
    }

    pub(super) fn new_session(&mut self, key: &str) -> &mut Session {
        let session = Session::new(&self.script, &self.revision);
        self.sessions.entry(key.to_owned()).or_insert(session)
    }

    /// A number that nothing else has.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// A request for the script: its answer goes to a new stream.
    pub(super) fn ask_script(
        &mut self,
        key: &str,
        request: &Received,
        message: &Map<String, Value>,
        line: Line,
        head: &[(&str, &str)],
    ) {
        let mut stream = Stream::new(self.number(), rules::name(message), message.get("id").cloned(), Some(line));
        for (name, value) in head {
            stream = stream.with(name, value);
        }
        if self.shape == Shape::Legacy {
            stream = stream.named("message");
        }
        if let Some(session) = self.sessions.get_mut(key) {
            session.streams.push(stream);
        }
        if self.shape != Shape::Modern {
            self.catch_up(key);
        }
        self.tell_script(key, &request.body);
    }

    /// Says what could not be said before there was a stream for it.
    pub(super) fn catch_up(&mut self, key: &str) {
        let Some(session) = self.sessions.get_mut(key) else { return };
        let Front { now, shape, script, cuts, .. } = self;
        session.catch_up(&mut Outgoing { now: *now, shape: *shape, manners: &script.http, cuts });
    }

    /// A message for the script; what it says goes where it belongs.
    pub(super) fn tell_script(&mut self, key: &str, body: &str) {
        let Some(session) = self.sessions.get_mut(key) else { return };
        let outputs = session.server.receive(self.now, body);
        self.put_out(key, outputs);
    }

    /// Writes down a rule that the client broke.
    pub(super) fn wrong(&mut self, what: String) {
        self.record(|recorder| recorder.noted(&Noted::Wrong(what)));
    }

    /// Goes on with a stream on a line of its own.
    pub(super) fn resume(&mut self, key: &str, number: u64, line: Line, after: usize) {
        let Some(session) = self.sessions.get_mut(key) else { return };
        let Some(stream) = session.streams.iter_mut().find(|stream| stream.number == number) else { return };
        stream.resume(self.now, line, after, &self.script.http, &mut self.cuts);
    }

    fn put_out(&mut self, key: &str, outputs: Vec<Output>) {
        let Some(session) = self.sessions.get_mut(key) else { return };
        for noted in session.server.noted() {
            // A test that cannot write its record finds out when it reads it.
            let _ = self.recorder.noted(&noted);
        }
        for output in outputs {
            match output {
                Output::Say { about, bytes } => {
                    let Front { now, shape, script, cuts, .. } = self;
                    let out = &mut Outgoing { now: *now, shape: *shape, manners: &script.http, cuts };
                    let text = String::from_utf8_lossy(&bytes);
                    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                    lines.for_each(|line| session.say(about.as_ref(), line, out));
                }
                Output::Stderr(_) => {}
                Output::Exit(_) | Output::Kill => {
                    self.is_down = true;
                    session.streams.iter_mut().for_each(Stream::cut);
                }
            }
        }
    }

    /// Closing the stream of a call is its cancellation (2026-07-28, basic/patterns/cancellation).
    fn cancelled(&mut self, call: Option<Value>) {
        let Some(id) = call else { return };
        let message = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        self.record(|recorder| recorder.line(&message.to_string()));
        self.tell_script("", &message.to_string());
    }

    fn instead_of(&mut self, what: &str) -> Option<Instead> {
        let mut found = None;
        for (instead, seen) in &mut self.instead {
            if instead.of != what && instead.of != "any" {
                continue;
            }
            *seen += 1;
            let is_due = match instead.nth {
                Some(nth) => *seen == nth,
                None => instead.times.is_none_or(|times| *seen <= times),
            };
            if is_due && found.is_none() {
                found = Some(instead.clone());
            }
        }
        found
    }

    fn head_instead(&self, instead: &Instead, status: u16, message: Option<&Map<String, Value>>) -> Head {
        let id = message.and_then(|message| message.get("id")).cloned().unwrap_or_default();
        let body = instead.body.replace("{id}", &id.to_string());
        let mut head =
            if body.is_empty() { Head::empty(status) } else { Head::whole(status, instead.content_type(), body) };
        let origin = format!("http://{}", self.authority);
        for (name, value) in &instead.headers {
            head = head.with(name, value.replace("{origin}", &origin));
        }
        match instead.redirect {
            None => head,
            Some(Redirect::SameOrigin) => head.with("location", format!("{origin}/moved")),
            Some(Redirect::OtherOrigin) => {
                head.with("location", format!("{}/moved", origin.replace("127.0.0.1", "localhost")))
            }
        }
    }

    fn do_later(&mut self, at: u64, what: Later) {
        if at <= self.now { self.do_now(what) } else { self.later.push((at, what)) }
    }

    fn do_now(&mut self, what: Later) {
        match what {
            Later::Answer(line, head) => line.send(Piece::Head(head)),
            Later::Close(line) => line.send(Piece::Cut),
            Later::Handle(request, line) => self.handle(request, line),
        }
    }

    /// A record that cannot be written is found out by the test that reads it.
    fn record(&self, write: impl FnOnce(&Recorder) -> std::io::Result<()>) {
        let _ = write(&self.recorder);
    }
}

/// The message that a POST carries.
pub(super) fn message(request: &Received) -> Option<Map<String, Value>> {
    match serde_json::from_str(&request.body) {
        Ok(Value::Object(message)) if request.method == "POST" => Some(message),
        _ => None,
    }
}

/// A JSON-RPC error as the whole answer.
pub(super) fn error(status: u16, id: Option<&Value>, error: Value) -> Head {
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error });
    Head::whole(status, "application/json", body.to_string())
}
