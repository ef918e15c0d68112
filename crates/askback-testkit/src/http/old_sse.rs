//! HTTP with server-sent events as 2024-11-05 has it: one stream for everything that the server says, and an address for what the client says.

use serde_json::json;

use crate::http::Shape;
use crate::http::exchange::{Head, Line, Piece, Received};
use crate::http::front::{Front, error, message};
use crate::http::rules;
use crate::http::session::State;
use crate::http::stream::Stream;

/// The address for messages; the session follows.
pub(super) const MESSAGES: &str = "/messages?session=";

/// Whether a request goes to an address that takes messages.
pub(super) fn takes_messages(request: &Received) -> bool {
    request.path.starts_with(MESSAGES)
}

impl Front {
    /// Answers a request.
    pub(super) fn handle_old_sse(&mut self, request: &Received, line: Line) {
        match (request.method.as_str(), request.path.strip_prefix(MESSAGES)) {
            ("GET", None) => self.connect(request, line),
            ("POST", Some(key)) => self.take_message(request, key, line),
            (_, session) => {
                let allowed = if session.is_some() { "POST" } else { "GET" };
                let refusal = Head::whole(405, "text/plain", "Method Not Allowed").with("allow", allowed);
                line.send(Piece::Head(refusal));
            }
        }
    }

    fn connect(&mut self, request: &Received, line: Line) {
        rules::get(Shape::Sse, request).into_iter().for_each(|wrong| self.wrong(wrong));
        if self.sessions.values().any(|session| session.state == State::Alive) {
            self.wrong("a second stream was opened while there was one".to_owned());
        }
        let key = format!("session-{}", self.number());
        let mut own = Stream::new(self.number(), "GET", None, Some(line)).named("message");
        own.write_named("endpoint", &format!("{MESSAGES}{key}"), &self.script.http);
        self.new_session(&key).streams.push(own);
    }

    fn take_message(&mut self, request: &Received, key: &str, line: Line) {
        let Some(message) = message(request) else {
            self.wrong(format!("the body of a POST is not one message: {}", request.body));
            return line.send(Piece::Head(error(400, None, json!({ "code": -32600, "message": "Invalid Request" }))));
        };
        rules::post(Shape::Sse, request, &message).into_iter().for_each(|wrong| self.wrong(wrong));
        if !self.sessions.get(key).is_some_and(|session| session.state == State::Alive) {
            self.wrong(format!("a message names a session that there is not: {key:?}"));
            return line.send(Piece::Head(Head::whole(404, "text/plain", "Session not found")));
        }
        line.send(Piece::Head(Head::whole(202, "text/plain", "Accepted")));
        self.tell_script(key, &request.body);
    }
}
