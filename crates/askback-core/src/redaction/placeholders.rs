//! What stands in place of secrets, and the way back.
//!
//! Owns the form of a placeholder, `[[redacted-1]]`: plain enough that small models copy it faithfully. Where a text already has the
//! beginning of one, the label gets a number (`[[redacted2-1]]`), so no placeholder can be mistaken for what was there before.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};

use super::texts;
use crate::sampling::{ReplyContent, SamplingReply};

const OPENING: &str = "[[redacted";

/// The secrets behind the placeholders of one request. What is printed of it for debugging shows none.
#[derive(Clone, Default)]
pub struct Placeholders {
    opening: String,
    secrets: Vec<String>,
}

impl fmt::Debug for Placeholders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Placeholders").field("secrets", &self.secrets.len()).finish_non_exhaustive()
    }
}

impl Placeholders {
    pub(super) fn new(label: u64) -> Placeholders {
        let label = if label == 1 { String::new() } else { label.to_string() };
        Placeholders { opening: format!("{OPENING}{label}-"), secrets: Vec::new() }
    }

    pub(super) fn placeholder(&self, number: usize) -> String {
        format!("{}{}]]", self.opening, number + 1)
    }

    pub(super) fn keep(&mut self, secrets: Vec<String>) {
        self.secrets = secrets;
    }

    /// The reply with the secrets back in its text, in the input of its tool calls and in blocks given verbatim.
    pub fn restore(&self, reply: &SamplingReply) -> SamplingReply {
        let mut reply = reply.clone();
        visit_reply(&mut reply, &mut |text| {
            if let Some(restored) = self.restore_text(text) {
                *text = restored;
            }
        });
        reply
    }

    /// Whether any placeholder occurs in the reply.
    pub fn mentions(&self, reply: &SamplingReply) -> bool {
        let mut mentioned = false;
        visit_reply(&mut reply.clone(), &mut |text| mentioned |= self.restore_text(text).is_some());
        mentioned
    }

    /// The text with the secrets back, if it has a placeholder.
    pub fn restore_text(&self, text: &str) -> Option<String> {
        let mut restored = String::new();
        let mut copied = 0;
        let mut from = 0;
        while !self.secrets.is_empty()
            && let Some(at) = text[from..].find(&self.opening).map(|at| from + at)
        {
            from = at + self.opening.len();
            let digits = text[from..].bytes().take(10).take_while(u8::is_ascii_digit).count();
            let number = text[from..from + digits].parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let secret = number.and_then(|number| self.secrets.get(number));
            let Some(secret) = secret.filter(|_| text[from + digits..].starts_with("]]")) else { continue };
            restored.push_str(&text[copied..at]);
            restored.push_str(secret);
            from += digits + 2;
            copied = from;
        }
        (copied > 0).then(|| restored + &text[copied..])
    }
}

fn visit_reply(reply: &mut SamplingReply, see: &mut dyn FnMut(&mut String)) {
    for content in &mut reply.content {
        match content {
            ReplyContent::Text(text) => see(text),
            ReplyContent::ToolUse { input, .. } => visit_map(input, see),
            ReplyContent::Raw(block) => texts::visit_value(block, None, &mut |_, text| see(text)),
        }
    }
}

fn visit_map(map: &mut Map<String, Value>, see: &mut dyn FnMut(&mut String)) {
    texts::visit_map(map, &mut |_, text| see(text));
}

/// Which labels the texts of a request have already.
#[derive(Default)]
pub(super) struct UsedLabels(BTreeSet<u64>);

impl UsedLabels {
    pub(super) fn see(&mut self, text: &str) {
        for (at, _) in text.match_indices(OPENING) {
            let rest = &text[at + OPENING.len()..];
            let digits = rest.bytes().take(20).take_while(u8::is_ascii_digit).count();
            self.0.insert(rest[..digits].parse().unwrap_or(1));
        }
    }

    /// The smallest label that no text has.
    pub(super) fn free(&self) -> u64 {
        (1..).find(|label| !self.0.contains(label)).unwrap_or(1)
    }
}
