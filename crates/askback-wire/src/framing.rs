//! Bytes into lines, within bounded memory.

/// The default cap on one message: 64 MiB.
pub const DEFAULT_MESSAGE_LIMIT: usize = 64 * 1024 * 1024;

/// How much of a line that cannot be used is kept, from its beginning and from its end.
const KEPT: usize = 256;

/// A line, without its end; blank lines are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Text.
    Line(String),
    /// A line that cannot be used.
    Unusable {
        /// Why.
        why: Unusable,
        /// Its beginning, made into text as well as can be.
        head: String,
        /// Its end, likewise; empty when the beginning is all.
        tail: String,
    },
}

/// Why a line cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Longer than the cap.
    TooLong {
        /// Its length in bytes.
        bytes: u64,
    },
    /// Not UTF-8.
    NotUtf8,
}

impl Frame {
    /// Bytes as text without the space around it; nothing when there is none.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Option<Frame> {
        match String::from_utf8(bytes) {
            Ok(text) => {
                let text = text.trim();
                (!text.is_empty()).then(|| Frame::Line(text.to_owned()))
            }
            Err(error) => {
                let bytes = error.as_bytes();
                let head = String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT)]).into_owned();
                let tail = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]).into_owned();
                Some(Frame::Unusable { why: Unusable::NotUtf8, head, tail })
            }
        }
    }
}

/// Cuts a stream of bytes into lines. Never holds more than the cap and one read.
#[derive(Debug)]
pub struct Framer {
    line: Accumulator,
    at_start: bool,
}

impl Framer {
    /// A framer for messages of at most `limit` bytes.
    pub fn new(limit: usize) -> Framer {
        Framer { line: Accumulator::new(limit), at_start: true }
    }

    /// Takes in bytes and gives out the lines that they complete.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.line.extend(&bytes[..end]);
            frames.extend(self.take());
            bytes = &bytes[end + 1..];
        }
        self.line.extend(bytes);
        frames
    }

    /// The stream is over: what is left counts as a line.
    pub fn finish(&mut self) -> Option<Frame> {
        self.take()
    }

    fn take(&mut self) -> Option<Frame> {
        let first = std::mem::take(&mut self.at_start);
        match self.line.take() {
            Ok(mut line) => {
                if first && line.starts_with("\u{feff}".as_bytes()) {
                    line.drain(.."\u{feff}".len());
                }
                Frame::of_bytes(line)
            }
            Err(unusable) => Some(unusable),
        }
    }
}

/// Bytes that belong together, up to a cap; of what is longer, only the beginning and the end are kept.
#[derive(Debug)]
pub(crate) struct Accumulator {
    limit: usize,
    bytes: Vec<u8>,
    /// How many bytes there were, if they are too many.
    dropped: u64,
    tail: Vec<u8>,
}

impl Accumulator {
    pub(crate) fn new(limit: usize) -> Accumulator {
        Accumulator { limit, bytes: Vec::new(), dropped: 0, tail: Vec::new() }
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        if self.dropped == 0 && self.bytes.len() + bytes.len() <= self.limit {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        if self.dropped == 0 {
            let keep = self.bytes.len().min(KEPT);
            self.tail = self.bytes[self.bytes.len() - keep..].to_vec();
            self.dropped = self.bytes.len() as u64;
            self.bytes.truncate(KEPT);
            self.bytes.shrink_to_fit();
        }
        if self.bytes.len() < KEPT {
            self.bytes.extend_from_slice(&bytes[..bytes.len().min(KEPT - self.bytes.len())]);
        }
        self.dropped += bytes.len() as u64;
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(KEPT)..]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT));
    }

    /// A part was too long by itself, so that the whole is.
    pub(crate) fn spoil(&mut self, why: Unusable, head: &str, tail: &str) {
        let Unusable::TooLong { bytes } = why else { return };
        if self.dropped == 0 && self.bytes.is_empty() {
            self.bytes.extend_from_slice(&head.as_bytes()[..head.len().min(KEPT)]);
        }
        self.bytes.truncate(KEPT);
        self.dropped = self.dropped.saturating_add(bytes).max(1);
        self.tail = tail.as_bytes().to_vec();
    }

    /// What came since this was asked last: all of it, or what is left of too much.
    pub(crate) fn take(&mut self) -> Result<Vec<u8>, Frame> {
        let bytes = std::mem::take(&mut self.bytes);
        let tail = std::mem::take(&mut self.tail);
        match std::mem::take(&mut self.dropped) {
            0 => Ok(bytes),
            dropped => Err(Frame::Unusable {
                why: Unusable::TooLong { bytes: dropped },
                head: String::from_utf8_lossy(&bytes).into_owned(),
                tail: String::from_utf8_lossy(&tail).into_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(chunks: &[&[u8]]) -> Vec<Frame> {
        let mut framer = Framer::new(64);
        let mut frames: Vec<Frame> = chunks.iter().flat_map(|chunk| framer.push(chunk)).collect();
        frames.extend(framer.finish());
        frames
    }

    fn check(chunks: &[&[u8]], expected: &[&str]) {
        let expected: Vec<Frame> = expected.iter().map(|text| Frame::Line((*text).to_owned())).collect();
        assert_eq!(lines(chunks), expected);
    }

    #[test]
    fn t03_line_ends_marks_and_spaces() {
        check(&["\u{feff}{}\r\n".as_bytes()], &["{}"]);
        check(&[b"{} \r\n\r\n{}"], &["{}", "{}"]);
        check(&[b"{", b"}", b"\n"], &["{}"]);
        check(&[b"{\"a\":\"x\\ry\"}\n"], &["{\"a\":\"x\\ry\"}"]);
    }

    #[test]
    fn t04_a_bad_line_does_not_spoil_the_next() {
        let frames = lines(&[b"\xc4\xe3\xba\xc3\n", b"{}\n"]);
        assert!(matches!(frames[0], Frame::Unusable { why: Unusable::NotUtf8, .. }));
        assert_eq!(frames[1], Frame::Line("{}".into()));
    }

    #[test]
    fn t04_a_character_cut_across_two_reads_stays_whole() {
        let bytes = "\"键\"\n".as_bytes();
        check(&[&bytes[..2], &bytes[2..]], &["\"键\""]);
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_in_bounded_memory() {
        let mut framer = Framer::new(1000);
        let mut frames = framer.push(b"{\"id\":7,");
        for _ in 0..1000 {
            frames.extend(framer.push(&[b'x'; 1000]));
            assert!(framer.line.bytes.capacity() <= 2000 && framer.line.tail.len() <= KEPT);
        }
        frames.extend(framer.push(b"\"id\":8}\n{}\n"));
        let Frame::Unusable { why: Unusable::TooLong { bytes }, head, tail } = &frames[0] else { panic!() };
        assert_eq!(*bytes, 1_000_015);
        assert!(head.starts_with("{\"id\":7,") && tail.ends_with("\"id\":8}"));
        assert_eq!(frames[1], Frame::Line("{}".into()));
    }

    proptest! {
        #[test]
        fn however_the_bytes_are_cut_the_lines_are_the_same(text in "[a\u{e9}\u{4e2d}\r\n ]{0,40}", cut in 0usize..100) {
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            prop_assert_eq!(lines(&[&bytes[..cut], &bytes[cut..]]), lines(&[bytes]));
        }
    }
}
