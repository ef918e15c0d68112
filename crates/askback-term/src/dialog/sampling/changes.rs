//! What the person has changed, line by line.
//!
//! Owns the drawing of a difference. What differs is found in core.

use askback_core::display::neutralise_line;
use askback_core::sampling::SamplingRequest;
use askback_core::sampling::differences::{Difference, Line as Change, line_changes};

use super::request::role;
use crate::dialog::view::Context;
use crate::drawing::{Line, Style};

/// How many unchanged lines are shown before and after a change.
const AROUND: usize = 2;

/// What the person has changed of a request, which was this before; nothing where nothing was.
pub(super) fn of_request(context: &Context<'_>, before: &SamplingRequest, differences: &[Difference]) -> Vec<Line> {
    let mut lines = Vec::new();
    for difference in differences {
        match difference {
            Difference::SystemPrompt(changes) => {
                lines.push(Line::own(context.get("term-system-prompt"), Style::Dim));
                lines.extend(drawn(changes));
            }
            Difference::Text { message, lines: changes, .. } => {
                lines.push(Line::own(place(context, before, *message), Style::Dim));
                lines.extend(drawn(changes));
            }
            Difference::LeftOut { message, part } => {
                let variables = [("part", (*part as u64 + 1).into())];
                lines.push(Line::own(place(context, before, *message), Style::Dim));
                lines.push(removed(&context.texts.format("term-left-out-part", &variables)));
            }
            Difference::MaxTokens { before, after } => {
                let tokens = |count: u64| context.texts.format("term-tokens", &[("count", count.into())]);
                lines.extend(setting(context, "term-max-tokens", Some(tokens(*before)), Some(tokens(*after))));
            }
            Difference::Temperature { before, after } => {
                let number = |number: &Option<f64>| number.map(|number| number.to_string());
                lines.extend(setting(context, "term-temperature", number(before), number(after)));
            }
            Difference::StopSequences { before, after } => {
                let list = |list: &[String]| (!list.is_empty()).then(|| serde_json::json!(list).to_string());
                lines.extend(setting(context, "term-stop-sequences", list(before), list(after)));
            }
            Difference::Tool { name } => {
                lines.push(Line::own(context.get("term-tools"), Style::Dim));
                lines.push(removed(name));
            }
        }
    }
    lines
}

/// What differs between two texts; nothing where they are the same.
pub(super) fn of_text(before: &str, after: &str) -> Vec<Line> {
    if before == after { Vec::new() } else { drawn(&line_changes(before, after)) }
}

/// The message that a part belongs to.
fn place(context: &Context<'_>, request: &SamplingRequest, message: usize) -> String {
    let speaker = request.messages.get(message).map(|message| role(context, message.role)).unwrap_or_default();
    let variables = [("number", (message as u64 + 1).into()), ("role", speaker.into())];
    context.texts.format("term-message-of", &variables)
}

fn setting(context: &Context<'_>, label: &str, before: Option<String>, after: Option<String>) -> Vec<Line> {
    let mut lines = vec![Line::own(context.get(label), Style::Dim)];
    lines.extend(before.as_deref().map(removed));
    lines.extend(after.as_deref().map(added));
    lines
}

fn removed(text: &str) -> Line {
    Line::quoted(format!("− {}", neutralise_line(text)), Style::Warning)
}

fn added(text: &str) -> Line {
    Line::quoted(format!("+ {}", neutralise_line(text)), Style::Good)
}

/// The changed lines, with a few of those around them.
fn drawn(changes: &[Change]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut skipped = false;
    for (at, change) in changes.iter().enumerate() {
        let text = match change {
            Change::Removed(text) => {
                lines.push(removed(text));
                continue;
            }
            Change::Added(text) => {
                lines.push(added(text));
                continue;
            }
            Change::Same(text) => text,
        };
        let near = at.saturating_sub(AROUND)..changes.len().min(at + AROUND + 1);
        if changes[near].iter().any(|change| !matches!(change, Change::Same(_))) {
            lines.push(Line::quoted(format!("  {}", neutralise_line(text)), Style::Dim));
            skipped = false;
        } else if !std::mem::replace(&mut skipped, true) {
            lines.push(Line::quoted("  …", Style::Dim));
        }
    }
    lines
}
