//! Server-sent events: bytes into events, within bounded memory.
//!
//! Serves the event stream format of the HTML standard, as the HTTP transports use it: data is one message, and everything else is there to
//! find the place again after the stream was cut. A crate was not taken for this since none bounds what it keeps.

use crate::framing::{Accumulator, Frame};

/// How long a line may be besides the data in it.
const FIELD: usize = 1024;
/// The longest pause that a server can ask for before it is connected to again, in milliseconds.
const LONGEST_RETRY: u64 = 24 * 60 * 60 * 1000;

/// One event that carries data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEvent {
    /// Its own id, where it has one.
    pub id: Option<String>,
    /// Its kind, where it names one.
    pub name: Option<String>,
    /// Its data.
    pub data: Frame,
}

impl ServerEvent {
    /// Whether this is a message of the protocol.
    pub fn is_message(&self) -> bool {
        self.name.as_deref().is_none_or(|name| name == "message")
    }
}

/// Cuts a stream of bytes into events. An event that the end of the stream cuts off is none.
#[derive(Debug)]
pub struct EventStream {
    line: Accumulator,
    data: Accumulator,
    has_data: bool,
    name: Option<String>,
    /// The id of the event that is being read, kept for good only once that is whole.
    id: Option<String>,
    last_id: Option<String>,
    retry: Option<u64>,
    /// A line feed right after a carriage return is part of the same line end.
    after_return: bool,
    at_start: bool,
}

impl EventStream {
    /// A stream whose events carry at most `limit` bytes each.
    pub fn new(limit: usize) -> EventStream {
        EventStream {
            line: Accumulator::new(limit.saturating_add(FIELD)),
            data: Accumulator::new(limit),
            has_data: false,
            name: None,
            id: None,
            last_id: None,
            retry: None,
            after_return: false,
            at_start: true,
        }
    }

    /// Takes in bytes and gives out the events that they complete.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<ServerEvent> {
        let mut events = Vec::new();
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            if end == 0 && bytes[0] == b'\n' && self.after_return {
                self.after_return = false;
                bytes = &bytes[1..];
                continue;
            }
            self.line.extend(&bytes[..end]);
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            events.extend(self.line_ended());
        }
        if !bytes.is_empty() {
            self.after_return = false;
            self.line.extend(bytes);
        }
        events
    }

    /// The id to go on from after a break: that of the last whole event that had one.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long to wait before connecting again, in milliseconds, if the server said so.
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    fn line_ended(&mut self) -> Option<ServerEvent> {
        let first = std::mem::take(&mut self.at_start);
        let line = match self.line.take() {
            Ok(line) => line,
            Err(unusable) => {
                self.too_long(unusable);
                return None;
            }
        };
        let line = if first { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line) } else { &line };
        if line.is_empty() {
            return self.event_ended();
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            // A comment.
            Some(0) => return None,
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match field {
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.extend(b"\n");
                }
                self.data.extend(value);
            }
            b"event" => self.name = text(value).filter(|name| !name.is_empty()),
            b"id" => {
                if let Some(id) = text(value).filter(|id| !id.contains('\0')) {
                    self.id = Some(id);
                }
            }
            b"retry" => {
                let digits = text(value).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                if let Some(retry) = digits.and_then(|digits| digits.parse::<u64>().ok()) {
                    self.retry = Some(retry.min(LONGEST_RETRY));
                }
            }
            _ => {}
        }
        None
    }

    /// A line was over the limit. Only data can be that long for a reason, and then it is the event that cannot be used.
    fn too_long(&mut self, unusable: Frame) {
        let Frame::Unusable { why, head, tail } = unusable else { return };
        if let Some(head) = head.strip_prefix("data:") {
            self.has_data = true;
            self.data.spoil(why, head.trim_start(), &tail);
        }
    }

    fn event_ended(&mut self) -> Option<ServerEvent> {
        let name = self.name.take();
        let id = self.id.take();
        if let Some(id) = &id {
            self.last_id = (!id.is_empty()).then(|| id.clone());
        }
        let has_data = std::mem::take(&mut self.has_data);
        let data = self.data.take();
        let data = match data {
            // An event without data only says where the stream stands.
            Ok(data) if data.iter().all(u8::is_ascii_whitespace) => return None,
            Ok(data) => Frame::of_bytes(data)?,
            Err(unusable) => unusable,
        };
        has_data.then_some(ServerEvent { id: id.filter(|id| !id.is_empty()), name, data })
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framing::Unusable;
    use proptest::prelude::*;

    fn read(text: &str) -> (Vec<String>, EventStream) {
        let mut stream = EventStream::new(64);
        let events = stream.push(text.as_bytes()).into_iter().map(|event| {
            let data = match event.data {
                Frame::Line(line) => line,
                Frame::Unusable { why: Unusable::TooLong { .. }, .. } => "too long".to_owned(),
                Frame::Unusable { why: Unusable::NotUtf8, .. } => "not UTF-8".to_owned(),
            };
            event.name.map_or(data.clone(), |name| format!("{name}: {data}"))
        });
        (events.collect(), stream)
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text).0, expected, "{text:?}");
    }

    #[test]
    fn t08_an_event_without_data_only_keeps_the_place() {
        let (events, stream) = read("id: 1\ndata:\n\nid: 2\nretry: 500\ndata: \n\n");
        assert!(events.is_empty());
        assert_eq!((stream.last_id(), stream.retry()), (Some("2"), Some(500)));
    }

    #[test]
    fn t08_comments_and_unknown_fields_are_passed_over() {
        check(":keepalive\n\n:\r\n\nnonsense\ncolour: red\ndata: a\n\n", &["a"]);
        check("event: ping\ndata: x\n\n", &["ping: x"]);
    }

    #[test]
    fn t08_data_over_several_lines_is_one() {
        check("data: {\"jsonrpc\"\ndata: :\"2.0\"}\n\n", &["{\"jsonrpc\"\n:\"2.0\"}"]);
        check("data:a\ndata\ndata: b\n\n", &["a\n\nb"]);
    }

    #[test]
    fn t08_every_kind_of_line_end() {
        check("data: a\r\rdata: b\r\n\r\ndata: c\n\n", &["a", "b", "c"]);
        check("data: a\r\ndata: b\r\n\r\n", &["a\nb"]);
        check("\u{feff}data: a\n\n", &["a"]);
    }

    #[test]
    fn t08_what_the_end_cuts_off_is_no_event() {
        let (events, stream) = read("id: 1\ndata: a\n\nid: 2\ndata: b\n");
        assert_eq!(events, ["a"]);
        assert_eq!(stream.last_id(), Some("1"));
    }

    #[test]
    fn a_place_can_be_forgotten_and_nonsense_is_no_place() {
        assert_eq!(read("id: 1\n\nid:\n\n").1.last_id(), None);
        assert_eq!(read("id: 1\n\nid: 2\0\n\n").1.last_id(), Some("1"));
        assert_eq!(read("retry: soon\nretry: -1\n\n").1.retry(), None);
        assert_eq!(read("retry: 99999999999\n\n").1.retry(), Some(LONGEST_RETRY));
    }

    #[test]
    fn what_is_too_long_is_one_bad_event_in_bounded_memory() {
        let mut stream = EventStream::new(1000);
        let mut events = stream.push(b"data: {\"id\":7,");
        for _ in 0..1000 {
            events.extend(stream.push(&[b'x'; 1000]));
        }
        events.extend(stream.push(b"\"}\n\ndata: b\n\n"));
        let Frame::Unusable { why: Unusable::TooLong { .. }, head, .. } = &events[0].data else { panic!("{events:?}") };
        assert!(head.starts_with("{\"id\":7,"));
        assert_eq!(events[1].data, Frame::Line("b".into()));
        let many: String = (0..100).map(|_| "data: 0123456789\n").collect();
        let mut stream = EventStream::new(1000);
        let events = stream.push(format!("{many}\n").as_bytes());
        assert!(matches!(events[0].data, Frame::Unusable { why: Unusable::TooLong { .. }, .. }), "{events:?}");
    }

    proptest! {
        #[test]
        fn however_the_bytes_are_cut_the_events_are_the_same(text in "(data|id|:|event|retry| |a|\u{4e2d}|\r|\n|\r\n|:){0,40}", cut in 0usize..100) {
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            let mut whole = EventStream::new(64);
            let mut parts = EventStream::new(64);
            let expected = whole.push(bytes);
            let mut events = parts.push(&bytes[..cut]);
            events.extend(parts.push(&bytes[cut..]));
            prop_assert_eq!(events, expected);
            prop_assert_eq!(parts.last_id(), whole.last_id());
        }
    }
}
