//! Streamable HTTP as 2025-03-26 to 2025-11-25 have it: sessions, a stream of the server's own, and streams that can be resumed.

use serde_json::json;

use crate::http::Shape;
use crate::http::exchange::{Head, Line, Piece, Received};
use crate::http::front::{Front, error, message};
use crate::http::rules;
use crate::http::session::State;
use crate::http::stream::{Stream, place};
use crate::script::Probe;

/// Where the probe of a modern client is answered, if it is.
const LOBBY: &str = "";
/// The key of the one session of a server that has none.
const ONLY: &str = "only";

impl Front {
    /// Answers a request.
    pub(super) fn handle_legacy(&mut self, request: &Received, line: Line) {
        match request.method.as_str() {
            "POST" => self.post(request, line),
            "GET" => self.get(request, line),
            "DELETE" => self.delete(request, line),
            _ => line.send(Piece::Head(Head::empty(405).with("allow", "GET, POST, DELETE"))),
        }
    }

    fn post(&mut self, request: &Received, line: Line) {
        let Some(message) = message(request) else {
            self.wrong(format!("the body of a POST is not one message: {}", request.body));
            return line.send(Piece::Head(error(400, None, json!({ "code": -32600, "message": "Invalid Request" }))));
        };
        rules::post(Shape::Legacy, request, &message).into_iter().for_each(|wrong| self.wrong(wrong));
        match rules::name(&message) {
            "initialize" => return self.initialize(request, line),
            "server/discover" if self.script.probe != Probe::default() => {
                self.new_session(LOBBY);
                return self.ask_script(LOBBY, request, &message, line, &[]);
            }
            "server/discover" if request.header("mcp-session-id").is_none() => {
                let problem = json!({ "code": -32000, "message": "Bad Request: Server not initialized" });
                return line.send(Piece::Head(error(400, None, problem)));
            }
            _ => {}
        }
        let Some(key) = self.session_of(request, &line) else { return };
        if message.contains_key("method") && message.contains_key("id") {
            self.ask_script(&key, request, &message, line, &[]);
        } else {
            line.send(Piece::Head(Head::empty(202)));
            self.tell_script(&key, &request.body);
        }
    }

    fn initialize(&mut self, request: &Received, line: Line) {
        let in_use = |session: &crate::http::session::Session| {
            session.state == State::Alive && session.streams.iter().any(is_met)
        };
        if self.sessions.values().any(in_use) {
            self.wrong("initialize came while there was a session".to_owned());
        }
        let has_none = self.script.http.no_sessions;
        let key = if has_none { ONLY.to_owned() } else { format!("session-{}", self.number()) };
        self.sessions.remove(ONLY);
        let own = Stream::new(self.number(), "GET", None, None).named("message");
        let offers_get = !self.script.http.no_get;
        self.new_session(&key).streams.extend(offers_get.then_some(own));
        let Some(message) = message(request) else { return };
        let head = [("mcp-session-id", key.as_str())];
        self.ask_script(&key, request, &message, line, if has_none { &[] } else { &head });
    }

    fn get(&mut self, request: &Received, line: Line) {
        rules::get(Shape::Legacy, request).into_iter().for_each(|wrong| self.wrong(wrong));
        let Some(key) = self.session_of(request, &line) else { return };
        if let Some(last) = request.header("last-event-id") {
            return self.come_again(&key, last, line);
        }
        let own = self.sessions.get_mut(&key).and_then(|session| session.own_stream());
        let Some(own) = own else { return line.send(Piece::Head(Head::empty(405).with("allow", "POST, DELETE"))) };
        let (number, heard, not_before) = (own.number, own.heard, own.not_before);
        self.judge_patience(not_before);
        self.resume(&key, number, line, heard);
    }

    /// A client goes on with a stream that was cut.
    fn come_again(&mut self, key: &str, last: &str, line: Line) {
        let session = self.sessions.get(key);
        let found = place(last).filter(|_| self.script.http.event_ids || self.script.http.priming);
        let stream = found.and_then(|(number, after)| {
            let stream = session?.streams.iter().find(|stream| stream.number == number)?;
            Some((number, after, stream.not_before, stream.has_ended_at(after), stream.is_connected()))
        });
        let Some((number, after, not_before, has_ended, is_connected)) = stream else {
            self.wrong(format!("the client came again after an event that was never sent: {last:?}"));
            return line.send(Piece::Head(Head::empty(400)));
        };
        if has_ended {
            self.wrong("the client came again to a stream that it had heard to its end".to_owned());
        }
        if is_connected {
            self.wrong("the client came again to a stream that it was listening to".to_owned());
        }
        self.judge_patience(not_before);
        self.resume(key, number, line, after);
    }

    /// The client has to wait as long as it was told (2025-11-25, basic/transports, "Sending Messages to the Server").
    fn judge_patience(&mut self, not_before: Option<u64>) {
        if let Some(early) = not_before.and_then(|at| at.checked_sub(self.now)).filter(|early| *early > 0) {
            self.wrong(format!("the client came again {early} ms before it was told to"));
        }
    }

    fn delete(&mut self, request: &Received, line: Line) {
        let Some(key) = self.session_of(request, &line) else { return };
        if let Some(session) = self.sessions.get_mut(&key) {
            session.state = State::Ended;
            session.streams.iter_mut().for_each(Stream::disconnect);
        }
        line.send(Piece::Head(Head::empty(if self.script.http.no_delete { 405 } else { 200 })));
    }

    /// The session that a request names; without one it is answered here.
    fn session_of(&mut self, request: &Received, line: &Line) -> Option<String> {
        let key = match request.header("mcp-session-id") {
            _ if self.script.http.no_sessions => ONLY,
            Some(key) => key,
            None => {
                self.wrong(format!("{} names no session: {}", request.method, request.body));
                line.send(Piece::Head(Head::whole(
                    400,
                    "text/plain",
                    "Bad Request: Mcp-Session-Id header is required",
                )));
                return None;
            }
        };
        // Before the answer to initialize has come the client cannot know which version it will be.
        let is_agreed = self.sessions.get(key).is_some_and(|session| session.streams.iter().any(is_met));
        if let Some(wrong) = rules::version(&self.revision, request).filter(|_| is_agreed) {
            self.wrong(wrong);
            line.send(Piece::Head(Head::whole(400, "text/plain", "Bad Request: MCP-Protocol-Version")));
            return None;
        }
        match self.sessions.get(key).map(|session| session.state) {
            Some(State::Alive) => return Some(key.to_owned()),
            Some(State::Lost) => {}
            Some(State::Ended) => self.wrong(format!("{} names a session that was ended", request.method)),
            None => self.wrong(format!("{} names a session that there never was: {key:?}", request.method)),
        }
        let problem = json!({ "code": -32001, "message": "Session not found" });
        line.send(Piece::Head(error(404, None, problem)));
        None
    }
}

/// Whether this stream has answered `initialize`.
fn is_met(stream: &Stream) -> bool {
    stream.of == "initialize" && stream.is_over
}
