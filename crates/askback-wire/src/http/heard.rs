//! Events of a stream that come again: where a server goes on a little too far back, or something in between sends twice.
//!
//! The id of an event is globally unique in its session (transports pages of 2025-03-26 to 2025-11-25, "Resumability and Redelivery"), so what
//! comes with the same id and says the same is the same event, and an ask in it must be neither shown nor answered a second time. Without an
//! id there is no telling: a server may say a thing twice.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::events::ServerEvent;
use crate::framing::Frame;

/// How many events are remembered. What comes again comes soon after.
const REMEMBERED: usize = 256;

/// The events that were heard last.
#[derive(Debug, Default)]
pub struct Heard {
    /// What is left of each: enough to know it again, and small whatever it was.
    events: VecDeque<u64>,
}

impl Heard {
    /// Whether an event was not heard before. From now on it was.
    pub fn is_new(&mut self, event: &ServerEvent) -> bool {
        let Some(id) = &event.id else { return true };
        let mut hasher = DefaultHasher::new();
        (id, &event.name).hash(&mut hasher);
        match &event.data {
            Frame::Line(line) => line.hash(&mut hasher),
            Frame::Unusable { head, tail, .. } => (head, tail).hash(&mut hasher),
        }
        let mark = hasher.finish();
        if self.events.contains(&mark) {
            return false;
        }
        if self.events.len() == REMEMBERED {
            self.events.pop_front();
        }
        self.events.push_back(mark);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::EventStream;

    /// The data of those events that are new.
    fn new_ones(text: &str) -> Vec<String> {
        let mut heard = Heard::default();
        let events = EventStream::new(1000).push(text.as_bytes());
        let new = events.into_iter().filter(|event| heard.is_new(event));
        new.map(|event| if let Frame::Line(line) = event.data { line } else { String::new() }).collect()
    }

    #[test]
    fn what_has_the_same_id_and_says_the_same_is_heard_once() {
        assert_eq!(new_ones("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 1\ndata: a\n\nid: 2\ndata: b\n\n"), ["a", "b"]);
    }

    #[test]
    fn what_has_no_id_or_says_something_else_is_new() {
        assert_eq!(new_ones("data: a\n\ndata: a\n\n"), ["a", "a"]);
        assert_eq!(new_ones("id: 1\ndata: a\n\nid: 1\ndata: b\n\n"), ["a", "b"]);
        // Such an event takes the place of its predecessor in the stream, and has no id of its own.
        assert_eq!(new_ones("id: 1\ndata: a\n\ndata: a\n\nid:\ndata: a\n\n"), ["a", "a", "a"]);
    }

    #[test]
    fn memory_is_bounded() {
        let mut heard = Heard::default();
        let event =
            |number: usize| ServerEvent { id: Some(number.to_string()), name: None, data: Frame::Line("a".into()) };
        assert!((0..REMEMBERED * 3).all(|number| heard.is_new(&event(number))));
        assert_eq!(heard.events.len(), REMEMBERED);
        assert!(!heard.is_new(&event(REMEMBERED * 3 - 1)));
    }
}
