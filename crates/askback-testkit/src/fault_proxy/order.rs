//! In which order, and how often, the events of one stream come. Without I/O.

use super::plan::Faults;
use crate::dice::Dice;

/// The events of a stream on their way.
#[derive(Debug)]
pub(super) struct Order {
    dice: Dice,
    double: bool,
    swap: bool,
    /// An event that the next one overtakes, if that comes soon.
    held: Option<Vec<u8>>,
    /// The copy of an event, which comes after the next one.
    copy: Option<Vec<u8>>,
}

impl Order {
    pub(super) fn new(faults: &Faults, seed: u64) -> Order {
        Order { dice: Dice::new(seed), double: faults.double, swap: faults.swap, held: None, copy: None }
    }

    /// An event came; what goes out now.
    pub(super) fn came(&mut self, event: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        match self.held.take() {
            Some(before) => {
                self.put(event, &mut out);
                self.put(before, &mut out);
            }
            None if self.swap && self.dice.percent(50) => self.held = Some(event),
            None => self.put(event, &mut out),
        }
        out
    }

    /// Whether an event waits to be overtaken.
    pub(super) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Nothing came in time: what goes out after all.
    pub(super) fn release(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(event) = self.held.take() {
            self.put(event, &mut out);
        }
        out
    }

    /// The stream is over: everything that is left.
    pub(super) fn end(&mut self) -> Vec<u8> {
        let mut out = self.release();
        out.extend(self.copy.take().unwrap_or_default());
        out
    }

    fn put(&mut self, event: Vec<u8>, out: &mut Vec<u8>) {
        out.extend_from_slice(&event);
        out.extend(self.copy.take().unwrap_or_default());
        if !self.double {
            return;
        }
        if self.dice.percent(50) {
            out.extend(event);
        } else {
            self.copy = Some(event);
        }
    }
}

/// The length of the first whole event in these bytes, with its blank line.
pub(super) fn whole_event(bytes: &[u8]) -> Option<usize> {
    let blank_lines: [&[u8]; 3] = [b"\r\n\r\n", b"\n\n", b"\r\r"];
    let ends =
        |blank: &&[u8]| bytes.windows(blank.len()).position(|window| window == *blank).map(|at| at + blank.len());
    blank_lines.iter().filter_map(ends).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that comes out of the events `a`, `b`, `c` and `d` under each of some seeds.
    fn outcomes(faults: &Faults) -> Vec<String> {
        let outcome = |seed| {
            let mut order = Order::new(faults, seed);
            let mut out: Vec<u8> = "abcd".bytes().flat_map(|event| order.came(vec![event])).collect();
            out.extend(order.end());
            String::from_utf8(out).unwrap()
        };
        (0..200).map(outcome).collect()
    }

    #[test]
    fn a_copy_comes_at_once_or_after_the_next() {
        let doubled = outcomes(&Faults { double: true, ..Faults::default() });
        for one in &doubled {
            assert!("abcd".chars().all(|event| one.matches(event).count() == 2), "{one}");
        }
        assert!(doubled.contains(&"aabbccdd".to_owned()) && doubled.iter().any(|one| one.starts_with("aba")));
    }

    #[test]
    fn events_overtake_their_neighbours_and_none_is_lost() {
        let swapped = outcomes(&Faults { swap: true, ..Faults::default() });
        for one in &swapped {
            let mut events: Vec<char> = one.chars().collect();
            events.sort_unstable();
            assert_eq!(events, ['a', 'b', 'c', 'd'], "{one}");
        }
        assert!(swapped.contains(&"abcd".to_owned()) && swapped.contains(&"badc".to_owned()));
    }

    #[test]
    fn an_event_ends_with_its_blank_line() {
        assert_eq!(whole_event(b"data: 1\n\ndata: 2\n\n"), Some(9));
        assert_eq!(whole_event(b"data: 1\r\n\r\n"), Some(11));
        assert_eq!(whole_event(b"data: 1\r\r"), Some(9));
        assert_eq!(whole_event(b"data: 1\n"), None);
    }
}
