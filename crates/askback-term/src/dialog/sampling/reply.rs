//! A reply, as it is shown before it goes back and afterwards.

use askback_core::display::neutralise_line;
use askback_core::sampling::{ReplyContent, SamplingReply};
use serde_json::Value;

use crate::dialog::header::quoted;
use crate::dialog::review::json;
use crate::dialog::view::Context;
use crate::drawing::{Line, Style};

/// Text that the person wrote.
pub(super) fn text_lines(text: &str) -> Vec<Line> {
    text.split('\n').map(|line| Line::lead("    ", Style::Plain).with(neutralise_line(line), Style::Plain)).collect()
}

/// A part that the person wrote.
pub(super) fn own_lines(context: &Context<'_>, content: &ReplyContent) -> Vec<Line> {
    match content {
        ReplyContent::Text(text) => text_lines(text),
        ReplyContent::ToolUse { name, input, .. } => {
            std::iter::once(Line::lead("    ", Style::Plain).with(calls(context, name), Style::Plain))
                .chain(json(&Value::Object(input.clone())))
                .collect()
        }
        ReplyContent::Raw(value) => json(value),
    }
}

/// All that a model wrote: behind a bar, as whatever is not ours.
pub(super) fn model_lines(context: &Context<'_>, reply: &SamplingReply) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, content) in reply.content.iter().enumerate() {
        if at > 0 {
            lines.push(Line::quoted("", Style::Plain));
        }
        match content {
            ReplyContent::Text(text) => lines.extend(quoted(text)),
            ReplyContent::ToolUse { name, input, .. } => {
                lines.push(Line::quoted(calls(context, name), Style::Accent));
                lines.extend(quoted(&pretty(&Value::Object(input.clone()))));
            }
            ReplyContent::Raw(value) => lines.extend(quoted(&pretty(value))),
        }
    }
    lines
}

/// The reply as one text, to compare two of them by.
pub(super) fn as_text(context: &Context<'_>, reply: &SamplingReply) -> String {
    let parts = reply.content.iter().map(|content| match content {
        ReplyContent::Text(text) => text.clone(),
        ReplyContent::ToolUse { name, input, .. } => {
            format!("{}\n{}", calls(context, name), pretty(&Value::Object(input.clone())))
        }
        ReplyContent::Raw(value) => pretty(value),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// That a tool is called.
pub(super) fn calls(context: &Context<'_>, tool: &str) -> String {
    context.texts.format("term-calls-tool", &[("tool", neutralise_line(tool).into())])
}

/// JSON over several lines.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
