//! The user's own patterns.
//!
//! Owns how they are compiled and searched for within bounds. A match may be up to 512 bytes long; a longer one may be found only in part in a
//! text of more than 2 KiB.

use regex::{Regex, RegexBuilder};

use super::SecretKind;
use super::spans::Span;

/// The most memory that one compiled pattern may take.
const SIZE: usize = 1 << 20;
/// How far a search may look ahead. A pattern may look to the end for each of its matches, which takes quadratic time where nothing stops it.
const WINDOW: usize = 2 * 1024;
/// How much of a window is searched again with the next: the longest match that is surely whole.
const OVERLAP: usize = 512;

/// A pattern of the user's that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("redaction pattern {number} ({pattern:?}) cannot be used")]
pub struct PatternError {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub source: regex::Error,
}

#[derive(Clone, Debug, Default)]
pub(super) struct OwnPatterns(Vec<Regex>);

impl OwnPatterns {
    pub(super) fn compile<P: AsRef<str>>(patterns: &[P]) -> Result<OwnPatterns, PatternError> {
        let compile = |(index, pattern): (usize, &P)| {
            let pattern = pattern.as_ref();
            let compiled = RegexBuilder::new(pattern).size_limit(SIZE).dfa_size_limit(SIZE).build();
            compiled.map_err(|source| PatternError { number: index + 1, pattern: pattern.to_owned(), source })
        };
        Ok(OwnPatterns(patterns.iter().enumerate().map(compile).collect::<Result<_, _>>()?))
    }

    /// Adds whatever the patterns match. Empty matches hide nothing.
    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        for pattern in &self.0 {
            let mut from = 0;
            while from < text.len() {
                let end = text.floor_char_boundary((from + WINDOW).min(text.len()));
                let again = if end == text.len() { end } else { text.floor_char_boundary(end - OVERLAP) };
                from = find_in_window(pattern, text, from, end, again, spans);
            }
        }
    }
}

/// Finds matches that begin before `again`, and says where the next window begins.
fn find_in_window(
    pattern: &Regex,
    text: &str,
    mut from: usize,
    end: usize,
    again: usize,
    spans: &mut Vec<Span>,
) -> usize {
    while from < again {
        let Some(found) = pattern.find_at(&text[..end], from).filter(|found| found.start() < again) else { break };
        if found.is_empty() {
            from = text.ceil_char_boundary(found.end() + 1);
        } else {
            spans.push(Span::new(found.range(), SecretKind::Own));
            from = found.end();
        }
    }
    from.max(again)
}
