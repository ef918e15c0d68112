//! What a server answers over HTTP: one message, a stream of events, or nothing that can be used. Read within bounded memory.

use std::collections::VecDeque;

use askback_core::display::{neutralise_line, shorten};
use askback_wire::framing::Framer;
use askback_wire::http::{EventStream, Heard, ServerEvent};
use askback_wire::incoming::{self, Incoming};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Response, StatusCode};

use super::endpoint::{cause, leads_to};

/// How much of a body is looked at that is no message.
const EXCERPT: usize = 4 * 1024;
/// How many characters of it are quoted.
const QUOTED: usize = 200;

/// An answer, its body read as far as it has to be.
pub(super) enum Reply {
    /// One message, or several in one body.
    Message(Incoming),
    /// Messages that come one by one.
    Events(Box<Events>),
    /// Nothing, or nothing that is a message; with its beginning, or the place where it sends us.
    Other(String),
}

impl Reply {
    pub(super) async fn read(response: Response, limit: usize) -> Result<Reply, String> {
        if let Some(to) = leads_to(&response) {
            return Ok(Reply::Other(shorten(&neutralise_line(&format!("→ {to}")), QUOTED)));
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind == "text/event-stream" && response.status().is_success() {
            return Ok(Reply::Events(Box::new(Events::new(response, limit))));
        }
        if kind == "application/json" || kind.ends_with("+json") {
            return message(response, limit).await;
        }
        if kind == "text/html" {
            // A page is for browsers; its beginning says nothing.
            return Ok(Reply::Other("(HTML)".to_owned()));
        }
        excerpt(response).await.map(Reply::Other)
    }
}

async fn message(mut response: Response, limit: usize) -> Result<Reply, String> {
    let is_success = response.status().is_success();
    // The body is one line to the framer: in JSON, line breaks may stand wherever spaces may.
    let mut framer = Framer::new(limit);
    let mut beginning = Vec::new();
    while let Some(mut chunk) = response.chunk().await.map_err(|error| cause(&error.without_url()))?.map(Vec::from) {
        for byte in &mut chunk {
            if *byte == b'\n' {
                *byte = b' ';
            }
        }
        let room = EXCERPT.saturating_sub(beginning.len());
        beginning.extend_from_slice(&chunk[..chunk.len().min(room)]);
        framer.push(&chunk);
    }
    let Some(frame) = framer.finish() else { return Ok(Reply::Other(String::new())) };
    match incoming::read_http(frame) {
        // A status that says no comes with whatever a web server says then.
        Incoming::Noise(_) if !is_success => Ok(Reply::Other(quoted(&beginning))),
        incoming => Ok(Reply::Message(incoming)),
    }
}

async fn excerpt(mut response: Response) -> Result<String, String> {
    if matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::ACCEPTED) {
        return Ok(String::new());
    }
    let mut beginning = Vec::new();
    while beginning.len() < EXCERPT {
        match response.chunk().await {
            Ok(Some(chunk)) => beginning.extend_from_slice(&chunk),
            Ok(None) => break,
            // The status says enough.
            Err(_) => break,
        }
    }
    Ok(quoted(&beginning))
}

fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    shorten(&neutralise_line(text.split_whitespace().collect::<Vec<_>>().join(" ").as_str()), QUOTED)
}

/// A stream of events while it lasts.
pub(super) struct Events {
    response: Response,
    stream: EventStream,
    ready: VecDeque<ServerEvent>,
    /// What was heard of this stream, on connections before this one too.
    pub(super) heard: Heard,
}

/// The end of a stream: where it stood, and how it ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended {
    pub(super) last_id: Option<String>,
    /// In milliseconds.
    pub(super) retry: Option<u64>,
    /// What went wrong; nothing when the server ended it in good order.
    pub(super) error: Option<String>,
}

impl Events {
    fn new(response: Response, limit: usize) -> Events {
        Events { response, stream: EventStream::new(limit), ready: VecDeque::new(), heard: Heard::default() }
    }

    /// The next event, of whatever kind, that was not heard before. Cancel-safe.
    pub(super) async fn next(&mut self) -> Result<ServerEvent, Ended> {
        loop {
            while let Some(event) = self.ready.pop_front() {
                if self.heard.is_new(&event) {
                    return Ok(event);
                }
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.ready.extend(self.stream.push(&chunk)),
                Ok(None) => return Err(self.ended(None)),
                Err(error) => return Err(self.ended(Some(cause(&error.without_url())))),
            }
        }
    }

    /// The next message; other events are passed over. Cancel-safe.
    pub(super) async fn next_message(&mut self) -> Result<Incoming, Ended> {
        loop {
            let event = self.next().await?;
            if event.is_message() {
                return Ok(incoming::read_http(event.data));
            }
        }
    }

    fn ended(&self, error: Option<String>) -> Ended {
        Ended { last_id: self.stream.last_id().map(str::to_owned), retry: self.stream.retry(), error }
    }
}
