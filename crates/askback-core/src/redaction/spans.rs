//! Parts of a text that are secret.
//!
//! Owns how overlapping parts become one, and that placeholders stay whole.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::SecretKind;

/// A part of a text, in bytes, that is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: SecretKind,
}

impl Span {
    pub(super) fn new(range: Range<usize>, kind: SecretKind) -> Span {
        Span { start: range.start, end: range.end, kind }
    }
}

/// What has the form of a placeholder, whoever wrote it.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(PLACEHOLDER_FORM).expect("the pattern is right"));
const PLACEHOLDER_FORM: &str = r"\[\[redacted[0-9]*-[0-9]+\]\]";

/// The spans in order, without overlaps: what overlaps becomes one span of the most telling kind, and what has the form of a placeholder is left
/// out, so that redacting twice is the same as redacting once.
pub(super) fn join(mut spans: Vec<Span>, text: &str) -> Vec<Span> {
    if spans.is_empty() {
        return spans;
    }
    spans.sort_by_key(|span| (span.start, span.end));
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans.into_iter().filter(|span| span.start < span.end) {
        match joined.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                last.kind = last.kind.min(span.kind);
            }
            _ => joined.push(span),
        }
    }
    if text.contains("[[redacted") { without_placeholders(joined, text) } else { joined }
}

fn without_placeholders(spans: Vec<Span>, text: &str) -> Vec<Span> {
    let mut placeholders = PLACEHOLDER.find_iter(text).peekable();
    let mut left = Vec::with_capacity(spans.len());
    for mut span in spans {
        while let Some(placeholder) = placeholders.peek() {
            if placeholder.end() <= span.start {
                placeholders.next();
                continue;
            }
            if placeholder.start() >= span.end {
                break;
            }
            if span.start < placeholder.start() {
                left.push(Span { end: placeholder.start(), ..span });
            }
            if placeholder.end() >= span.end {
                span.start = span.end;
                break;
            }
            span.start = placeholder.end();
            placeholders.next();
        }
        if span.start < span.end {
            left.push(span);
        }
    }
    left
}
