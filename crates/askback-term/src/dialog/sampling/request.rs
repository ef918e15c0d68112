//! A sampling request in full, as the server sent it.
//!
//! Owns its drawing: every message and attachment, the tools, and whatever else the server wants of a model. Must not know what is done with
//! it.

use askback_core::display::neutralise_line;
use askback_core::sampling::{Content, Media, Role, SamplingMessage, SamplingRequest, SamplingTool};
use serde_json::Value;

use super::reply::pretty;
use crate::dialog::header::quoted;
use crate::dialog::view::Context;
use crate::drawing::{Line, Style};

/// The request, line by line.
pub(super) fn lines(context: &Context<'_>, request: &SamplingRequest) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(prompt) = &request.system_prompt {
        lines.push(Line::blank());
        lines.push(Line::own(context.get("term-system-prompt"), Style::Dim));
        lines.extend(quoted(prompt));
    }
    for message in &request.messages {
        lines.push(Line::blank());
        lines.extend(message_lines(context, message));
    }
    if !request.tools.is_empty() {
        lines.push(Line::blank());
        lines.push(Line::own(context.get("term-tools"), Style::Dim));
        lines.extend(request.tools.iter().flat_map(tool_lines));
    }
    lines.push(Line::blank());
    lines.extend(settings(context, request));
    lines
}

/// What stands above a message.
pub(super) fn role(context: &Context<'_>, role: Role) -> String {
    context.get(match role {
        Role::User => "term-role-user",
        Role::Assistant => "term-role-assistant",
    })
}

/// A tool, with the schema of its input: the model reads that as well.
fn tool_lines(tool: &SamplingTool) -> Vec<Line> {
    let name = Line::quoted(neutralise_line(&tool.name), Style::Bold);
    let mut lines = match tool.description.as_deref() {
        Some(text) if !text.contains('\n') => {
            vec![name.with("  ", Style::Plain).with(neutralise_line(text), Style::Plain)]
        }
        Some(text) => std::iter::once(name).chain(quoted(text)).collect(),
        None => vec![name],
    };
    lines.push(Line::quoted(neutralise_line(&tool.input_schema.to_string()), Style::Dim));
    lines
}

fn message_lines(context: &Context<'_>, message: &SamplingMessage) -> Vec<Line> {
    let mut lines = vec![Line::own(role(context, message.role), Style::Dim)];
    for content in &message.content {
        match content {
            Content::Text(text) => lines.extend(quoted(text)),
            Content::Image(media) => lines.push(attachment(context, "term-image", media)),
            Content::Audio(media) => lines.push(attachment(context, "term-audio", media)),
            Content::ToolUse { name, input, .. } => {
                let name = neutralise_line(name);
                lines.push(Line::quoted(
                    context.texts.format("term-calls-tool", &[("tool", name.into())]),
                    Style::Accent,
                ));
                lines.extend(quoted(&pretty(&Value::Object(input.clone()))));
            }
            Content::ToolResult { content, is_error, .. } => {
                let id = if *is_error { "term-tool-error" } else { "term-tool-result" };
                lines.push(Line::quoted(context.get(id), Style::Accent));
                lines.extend(result_lines(context, content));
            }
        }
    }
    lines
}

/// What a tool returned: its texts, its attachments, and the rest as JSON.
fn result_lines(context: &Context<'_>, content: &Value) -> Vec<Line> {
    let Value::Array(blocks) = content else { return quoted(&pretty(content)) };
    let block = |block: &Value| {
        let text = |key: &str| block[key].as_str();
        let media = || Some(Media { mime_type: text("mimeType")?.to_owned(), data: text("data")?.to_owned() });
        match (text("type"), text("text"), media()) {
            (Some("text"), Some(text), _) => quoted(text),
            (Some("image"), _, Some(media)) => vec![attachment(context, "term-image", &media)],
            (Some("audio"), _, Some(media)) => vec![attachment(context, "term-audio", &media)],
            _ => quoted(&pretty(block)),
        }
    };
    blocks.iter().flat_map(block).collect()
}

/// An attachment, by its kind and size.
fn attachment(context: &Context<'_>, id: &str, media: &Media) -> Line {
    let (mime, size) = (neutralise_line(&media.mime_type), size(media.size()));
    Line::quoted(context.texts.format(id, &[("type", mime.into()), ("size", size.into())]), Style::Accent)
}

/// A size in bytes, for people.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// What else the server wants of a model, one line each.
fn settings(context: &Context<'_>, request: &SamplingRequest) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut say = |id: &str, value: String| {
        let label = format!("{}{}", context.get(id), context.get("term-colon"));
        lines.push(Line::own(label, Style::Dim).with(value, Style::Plain));
    };
    say("term-max-tokens", context.texts.format("term-tokens", &[("count", request.max_tokens.into())]));
    if !request.model_hints.is_empty() {
        let hints: Vec<_> = request.model_hints.iter().map(|hint| neutralise_line(hint)).collect();
        say("term-model-hints", hints.join(&context.get("term-list-separator")));
    }
    let priorities = [
        ("term-cost", request.cost_priority),
        ("term-speed", request.speed_priority),
        ("term-intelligence", request.intelligence_priority),
    ];
    let given: Vec<String> =
        priorities.iter().filter_map(|(id, value)| value.map(|value| format!("{} {value}", context.get(id)))).collect();
    if !given.is_empty() {
        say("term-priorities", given.join(&context.get("term-list-separator")));
    }
    if let Some(temperature) = request.temperature {
        say("term-temperature", temperature.to_string());
    }
    if !request.stop_sequences.is_empty() {
        say("term-stop-sequences", neutralise_line(&serde_json::json!(request.stop_sequences).to_string()));
    }
    if let Some(include) = &request.include_context {
        let variables = [("what", neutralise_line(include).into())];
        let id = if request.has_context { "term-included" } else { "term-not-included" };
        say("term-include-context", context.texts.format(id, &variables));
    }
    if let Some(metadata) = &request.metadata {
        say("term-metadata", neutralise_line(&metadata.to_string()));
    }
    lines
}
