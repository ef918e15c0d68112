//! One answer of the server in the making: a JSON object, or an event stream that may be cut and resumed.
//!
//! Knows messages only as text, and whether one is the last.

use serde_json::Value;

use crate::http::event::{self, Event};
use crate::http::exchange::{Head, Line, Piece};
use crate::http::manners::{Cut, HttpManners, ReplyForm};

/// An answer that is being given.
#[derive(Debug)]
pub(super) struct Stream {
    /// Its number among the streams of the server, which begins the ids of its events.
    pub(super) number: u64,
    /// The id of the request that it answers; none for a stream opened with GET.
    pub(super) request: Option<Value>,
    /// The method of that request, or `GET`.
    pub(super) of: String,
    /// What else is said in the head.
    headers: Vec<(String, String)>,
    line: Option<Line>,
    /// The name that its events have.
    name: Option<&'static str>,
    /// Whether the head of an event stream was sent on the connection.
    is_open: bool,
    /// How many events went out on the connection.
    sent: usize,
    /// The data of its events, kept for those who come again.
    history: Vec<String>,
    /// How many of them went out at all.
    pub(super) heard: usize,
    /// Whether the answer was given.
    pub(super) is_over: bool,
    /// When it may be resumed, if the client was told.
    pub(super) not_before: Option<u64>,
}

/// A message for a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    /// The status, if this is the answer: it ends the stream, and is the body when nothing came before.
    pub(super) answers_with: Option<u16>,
}

impl Stream {
    /// A stream to be written to this line.
    pub(super) fn new(number: u64, of: &str, request: Option<Value>, line: Option<Line>) -> Stream {
        Stream {
            number,
            request,
            of: of.to_owned(),
            headers: Vec::new(),
            line,
            name: None,
            is_open: false,
            sent: 0,
            history: Vec::new(),
            heard: 0,
            is_over: false,
            not_before: None,
        }
    }

    /// Says more in the head.
    pub(super) fn with(mut self, name: &str, value: &str) -> Stream {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Names its events.
    pub(super) fn named(mut self, name: &'static str) -> Stream {
        self.name = Some(name);
        self
    }

    /// Whether there is nothing in it that was not heard after this event, and nothing comes any more.
    pub(super) fn has_ended_at(&self, number: usize) -> bool {
        self.is_over && number >= self.history.len()
    }

    /// Breaks it off.
    pub(super) fn cut(&mut self) {
        if let Some(line) = self.line.take() {
            line.send(Piece::Cut);
        }
    }

    /// Whether somebody listens.
    pub(super) fn is_connected(&self) -> bool {
        self.line.is_some()
    }

    /// Whether it is written to this exchange.
    pub(super) fn is_of(&self, exchange: u64) -> bool {
        self.line.as_ref().is_some_and(|line| line.exchange == exchange)
    }

    /// The client went away.
    pub(super) fn disconnect(&mut self) {
        self.line = None;
    }

    /// Begins an event stream, unless it has begun.
    pub(super) fn open(&mut self, manners: &HttpManners) {
        self.open_after(self.history.len(), manners);
    }

    /// Begins an event stream that goes on after the event with this number.
    fn open_after(&mut self, number: usize, manners: &HttpManners) {
        let Some(line) = self.line.as_ref().filter(|_| !self.is_open) else { return };
        let head = Head { status: 200, headers: self.headers.clone(), whole: None };
        let head = head.with("content-type", "text/event-stream").with("cache-control", "no-cache");
        line.send(Piece::Head(head.with("x-accel-buffering", "no")));
        self.is_open = true;
        if manners.priming {
            let id = self.id(number);
            line.send(Piece::Data(event::priming(&id, manners).into_bytes()));
        }
    }

    /// Writes a message; what cannot be written is kept for those who come again.
    pub(super) fn write(&mut self, now: u64, message: Message<'_>, manners: &HttpManners, cuts: &mut [Cut]) {
        let Message { text, answers_with } = message;
        let as_json = match manners.reply {
            Some(ReplyForm::Sse) => answers_with.is_some_and(|status| status != 200),
            Some(ReplyForm::Json) | None => answers_with.is_some(),
        };
        if let (true, false, Some(line), Some(status)) = (as_json, self.is_open, &self.line, answers_with) {
            let mut head = Head::whole(status, "application/json", text);
            head.headers.extend(self.headers.clone());
            line.send(Piece::Head(head));
            self.line = None;
            self.is_over = true;
            return;
        }
        self.open(manners);
        self.history.push(text.to_owned());
        self.is_over |= answers_with.is_some();
        self.write_event(now, self.history.len(), manners, cuts);
        self.end_if_over(manners);
    }

    /// Writes an event with a name, plainly; no one who comes again is told of it.
    pub(super) fn write_named(&mut self, name: &str, data: &str, manners: &HttpManners) {
        self.open(manners);
        if let Some(line) = &self.line {
            let plain = HttpManners { before_each: String::new(), split_data: false, ..manners.clone() };
            let event = Event { id: None, name: Some(name), data };
            line.send(Piece::Data(event.written(&plain).into_bytes()));
        }
    }

    /// Goes on, on another connection, after the event with this number.
    pub(super) fn resume(&mut self, now: u64, line: Line, after: usize, manners: &HttpManners, cuts: &mut [Cut]) {
        self.line = Some(line);
        self.is_open = false;
        self.sent = 0;
        self.open_after(after, manners);
        for number in after + 1..=self.history.len() {
            self.write_event(now, number, manners, cuts);
        }
        self.end_if_over(manners);
    }

    fn end_if_over(&mut self, manners: &HttpManners) {
        if let Some(line) = self.line.take_if(|_| self.is_over) {
            let rest = event::with_line_ends(&manners.unterminated, manners);
            if !rest.is_empty() {
                line.send(Piece::Data(rest.into_bytes()));
            }
        }
    }

    fn write_event(&mut self, now: u64, number: usize, manners: &HttpManners, cuts: &mut [Cut]) {
        self.cut_if_due(now, manners, cuts);
        let Some(line) = &self.line else { return };
        let id = manners.event_ids.then(|| self.id(number));
        let event = Event { id: id.as_deref(), name: self.name, data: &self.history[number - 1] };
        let times = if manners.twice { 2 } else { 1 };
        line.send(Piece::Data(event.written(manners).repeat(times).into_bytes()));
        self.sent += 1;
        self.heard = self.heard.max(number);
        self.cut_if_due(now, manners, cuts);
    }

    fn cut_if_due(&mut self, now: u64, manners: &HttpManners, cuts: &mut [Cut]) {
        let is_due = |cut: &&mut Cut| cut.of == self.of && cut.after == self.sent && cut.times > 0;
        let Some(cut) = cuts.iter_mut().find(is_due) else { return };
        let Some(line) = self.line.take() else { return };
        cut.times -= 1;
        if let Some(wait) = cut.retry {
            line.send(Piece::Data(event::retry(wait, manners).into_bytes()));
        }
        self.not_before = cut.retry.map(|wait| now + wait);
        if cut.reset {
            line.send(Piece::Cut);
        }
    }

    fn id(&self, number: usize) -> String {
        format!("{}-{number}", self.number)
    }
}

/// The stream and the number of an event, by its id.
pub(super) fn place(id: &str) -> Option<(u64, usize)> {
    let (stream, number) = id.split_once('-')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}
