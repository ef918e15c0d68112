//! How a scripted server behaves over HTTP, as data: the `[server.http]` part of a scenario file.
//!
//! Owns what is odd about statuses, headers, streams and sessions. What the server says is the script's business, in [`crate::script`].

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::fault_proxy::plan::Faults;
use crate::http::login::Guard;

/// Everything that a scripted server does over HTTP otherwise than a plain one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HttpManners {
    /// How requests are answered; as an event stream when something comes before the answer, and else as JSON, if not given.
    pub reply: Option<ReplyForm>,
    /// Where the server's own requests go (legacy Streamable HTTP).
    pub asks_on: AsksOn,
    /// Whether events have ids, and streams can be resumed (legacy Streamable HTTP).
    pub event_ids: bool,
    /// Whether each stream begins with an event that has an id and empty data.
    pub priming: bool,
    /// What stands before each event, such as a comment or an event of another kind; lines end with `\n` here.
    pub before_each: String,
    /// What ends the lines of event streams; `\n` if not given.
    pub line_end: Option<String>,
    /// Whether the data of an event is spread over two lines.
    pub split_data: bool,
    /// What stands at the end of each event stream, without the blank line that would make an event of it.
    pub unterminated: String,
    /// Whether it does without sessions (legacy Streamable HTTP).
    pub no_sessions: bool,
    /// Whether it refuses GET (legacy Streamable HTTP).
    pub no_get: bool,
    /// Whether it refuses DELETE (legacy Streamable HTTP).
    pub no_delete: bool,
    /// Whether each event of a stream comes twice.
    pub twice: bool,
    /// What goes wrong between it and the client.
    pub through: Option<Faults>,
    /// Where streams are cut.
    pub cut: Vec<Cut>,
    /// What it answers instead of what belongs there.
    pub instead: Vec<Instead>,
    /// What it lets through only with a token, which it issues itself to whoever comes to its page.
    pub guard: Vec<Guard>,
}

/// How a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyForm {
    /// As one JSON object, as long as nothing comes before it.
    Json,
    /// As an event stream.
    Sse,
}

/// Where the server's own requests go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AsksOn {
    /// On the stream of the call that they belong to.
    #[default]
    Post,
    /// On the stream that the client opened with GET.
    Get,
}

/// A place where a stream is cut.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The method of the request whose stream it is, or `GET`.
    #[serde(default = "of_a_call")]
    pub of: String,
    /// After how many events on the connection; the priming event does not count.
    #[serde(default)]
    pub after: usize,
    /// How many connections are cut; one if not given.
    #[serde(default = "once")]
    pub times: usize,
    /// Whether the connection breaks off rather than that the stream ends.
    #[serde(default)]
    pub reset: bool,
    /// The milliseconds that the client is told to wait before it comes again.
    pub retry: Option<u64>,
}

/// What a server answers instead of what belongs there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Instead {
    /// To what: the method of a message, `response`, `GET`, `DELETE`, or `any` for whatever comes.
    pub of: String,
    /// Only to the one with this number, counted from 1 among those that it applies to.
    pub nth: Option<usize>,
    /// To how many; to all if not given.
    pub times: Option<usize>,
    /// The status.
    pub status: Option<u16>,
    /// The type of the body; JSON when it looks like JSON, else HTML.
    pub content_type: Option<String>,
    /// The body; `{id}` stands for the id of the request.
    pub body: String,
    /// Further headers; `{origin}` stands for the server's own, as in `http://127.0.0.1:4000`.
    pub headers: BTreeMap<String, String>,
    /// How many milliseconds the answer is held back.
    pub after: u64,
    /// Whether the connection is closed without an answer.
    pub close: bool,
    /// Whether the script takes in the message all the same; notifications and responses are when the status says so, if not given.
    pub take: Option<bool>,
    /// Whether the session is gone from now on (legacy Streamable HTTP); the status is 404 then, if not given.
    pub lose_session: bool,
    /// Sends the client elsewhere with status 307, if none is given.
    pub redirect: Option<Redirect>,
}

/// Where a client is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redirect {
    /// To another path of the same server.
    SameOrigin,
    /// To the same server under another host name, which is another origin.
    OtherOrigin,
}

fn of_a_call() -> String {
    "tools/call".to_owned()
}

fn once() -> usize {
    1
}

impl Instead {
    /// The status that it comes with; none when only the usual answer is held back.
    pub(super) fn status(&self) -> Option<u16> {
        let implied = if self.lose_session { Some(404) } else { self.redirect.map(|_| 307) };
        self.status.or(implied)
    }

    /// Whether the message still reaches the script.
    pub(super) fn takes(&self, is_request: bool) -> bool {
        self.take.unwrap_or_else(|| match self.status() {
            Some(status) => !is_request && (200..300).contains(&status),
            None => !self.close,
        })
    }

    pub(super) fn content_type(&self) -> &str {
        match &self.content_type {
            Some(given) => given,
            None if self.body.trim_start().starts_with(['{', '[']) => "application/json",
            None => "text/html",
        }
    }
}
