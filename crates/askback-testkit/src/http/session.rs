//! What belongs to one session of a client: the server that plays its script, and the streams on which it is heard.
//!
//! Decides which message goes on which stream. In the era without sessions there is one of these for everybody.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::http::Shape;
use crate::http::manners::{AsksOn, Cut, HttpManners};
use crate::http::stream::{Message, Stream};
use crate::script::Script;
use crate::scripted_server::{SUBSCRIPTION, ScriptedServer};

/// One session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) server: ScriptedServer,
    pub(super) streams: Vec<Stream>,
    /// What was said when there was no stream for it.
    unheard: Vec<String>,
    pub(super) state: State,
}

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is alive.
    Alive,
    /// The server no longer knows of it.
    Lost,
    /// The client has ended it.
    Ended,
}

/// What a server says, on its way to a stream.
pub(super) struct Outgoing<'a> {
    pub(super) now: u64,
    pub(super) shape: Shape,
    pub(super) manners: &'a HttpManners,
    pub(super) cuts: &'a mut [Cut],
}

impl Session {
    /// A new session.
    pub(super) fn new(script: &Arc<Script>, revision: &str) -> Session {
        let server = ScriptedServer::new(Arc::clone(script), revision);
        Session { server, streams: Vec::new(), unheard: Vec::new(), state: State::Alive }
    }

    /// The stream that is written to this exchange.
    pub(super) fn stream_of(&mut self, exchange: u64) -> Option<&mut Stream> {
        self.streams.iter_mut().find(|stream| stream.is_of(exchange))
    }

    /// The stream that was opened with GET.
    pub(super) fn own_stream(&mut self) -> Option<&mut Stream> {
        self.streams.iter_mut().find(|stream| stream.request.is_none())
    }

    /// Says a message on the stream where it belongs.
    pub(super) fn say(&mut self, about: Option<&Value>, text: &str, out: &mut Outgoing<'_>) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        if let (Shape::Modern, None) = (out.shape, about) {
            return self.publish(message, out);
        }
        let is_request = message.get("method").is_some() && message.get("id").is_some();
        let on_its_own = out.shape == Shape::Sse || (is_request && out.manners.asks_on == AsksOn::Get);
        let of_the_call = about.filter(|_| !on_its_own).and_then(|id| {
            self.streams.iter_mut().find(|stream| stream.request.as_ref() == Some(id) && !stream.is_over)
        });
        let answers = |stream: &Stream| {
            stream.request.as_ref().filter(|id| answers(&message, id)).map(|_| status(&message, out.shape))
        };
        let is_answer = message.get("method").is_none();
        let stream = match of_the_call {
            Some(stream) => Some(stream),
            None if is_answer && out.shape != Shape::Sse => return,
            None => self.streams.iter_mut().find(|stream| stream.request.is_none()),
        };
        match stream {
            Some(stream) => {
                let answers_with = answers(stream);
                stream.write(out.now, Message { text, answers_with }, out.manners, out.cuts);
            }
            None => self.unheard.push(text.to_owned()),
        }
    }

    /// Says on a new stream what could not be said before.
    pub(super) fn catch_up(&mut self, out: &mut Outgoing<'_>) {
        for text in std::mem::take(&mut self.unheard) {
            if out.shape == Shape::Modern {
                self.publish(serde_json::from_str(&text).unwrap_or_default(), out);
            } else if let Some(stream) = self.streams.iter_mut().rfind(|stream| stream.is_connected()) {
                stream.write(out.now, Message { text: &text, answers_with: None }, out.manners, out.cuts);
            }
        }
    }

    /// A notification of the modern era goes to all who listen, with the id of their subscription.
    fn publish(&mut self, message: Value, out: &mut Outgoing<'_>) {
        let listening = self.streams.iter_mut().filter(|stream| stream.of == LISTEN && stream.is_connected());
        let mut is_heard = false;
        for stream in listening {
            let mut own = message.clone();
            own["params"]["_meta"][SUBSCRIPTION] = json!(stream.request);
            let text = own.to_string();
            stream.write(out.now, Message { text: &text, answers_with: None }, out.manners, out.cuts);
            is_heard = true;
        }
        if !is_heard {
            self.unheard.push(message.to_string());
        }
    }
}

/// The request whose stream stays open for notifications.
pub(super) const LISTEN: &str = "subscriptions/listen";

/// Whether a message, or one in a batch, is the answer to the request with this id.
fn answers(message: &Value, id: &Value) -> bool {
    match message {
        Value::Array(batch) => batch.iter().any(|one| answers(one, id)),
        one => {
            let found = one.get("id");
            one.get("method").is_none()
                && (found == Some(id) || (found == Some(&Value::Null) && one.get("error").is_some()))
        }
    }
}

/// The status with which an answer goes out (2026-07-28, basic/transports/streamable-http).
fn status(message: &Value, shape: Shape) -> u16 {
    match message.pointer("/error/code").and_then(Value::as_i64) {
        Some(-32601) if shape == Shape::Modern => 404,
        Some(-32022..=-32020) => 400,
        _ => 200,
    }
}
