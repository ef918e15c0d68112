//! Results as people read them, on standard output.

use serde_json::Value;

use crate::command_line::Verb;
use crate::console::Console;

/// The result of a call, as text.
pub(crate) fn text(console: &Console, verb: Verb, result: &Value) -> String {
    let parts = match verb {
        Verb::Tool => tool(console, result),
        Verb::Prompt => prompt(console, result),
        Verb::Resource => list(result, "contents").map(|item| resource(console, item)).collect(),
    };
    parts.join("\n")
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn tool(console: &Console, result: &Value) -> Vec<String> {
    let mut parts: Vec<String> = list(result, "content").map(|block| self::block(console, block)).collect();
    if parts.is_empty()
        && let Some(structured) = result.get("structuredContent")
    {
        parts.push(pretty(console, structured));
    }
    if parts.is_empty() {
        parts.push(console.texts.get("result-empty"));
    }
    parts
}

fn prompt(console: &Console, result: &Value) -> Vec<String> {
    list(result, "messages")
        .map(|message| {
            let role = message.get("role").and_then(Value::as_str).unwrap_or("?");
            let content = message.get("content").map_or_else(String::new, |content| block(console, content));
            format!("{}: {content}", console.for_stdout(role))
        })
        .collect()
}

fn block(console: &Console, block: &Value) -> String {
    let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => console.for_stdout(text("text")),
        "image" | "audio" => console.texts.format(
            "result-media",
            &[("kind", text("type").into()), ("type", text("mimeType").into()), ("size", size(text("data")).into())],
        ),
        "resource_link" => console.for_stdout(&format!("{} <{}>", text("name"), text("uri"))),
        "resource" => block.get("resource").map_or_else(String::new, |inner| resource(console, inner)),
        _ => pretty(console, block),
    }
}

fn resource(console: &Console, resource: &Value) -> String {
    let text = |key: &str| resource.get(key).and_then(Value::as_str);
    match (text("text"), text("blob")) {
        (Some(content), _) => console.for_stdout(content),
        (None, Some(blob)) => console.texts.format(
            "result-media",
            &[
                ("kind", text("uri").unwrap_or_default().into()),
                ("type", text("mimeType").unwrap_or_default().into()),
                ("size", size(blob).into()),
            ],
        ),
        (None, None) => pretty(console, resource),
    }
}

/// The size of what is Base64 here.
fn size(base64: &str) -> String {
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    if bytes < 1024 { format!("{bytes} B") } else { format!("{:.1} KiB", bytes as f64 / 1024.0) }
}

fn pretty(console: &Console, value: &Value) -> String {
    console.for_stdout(&serde_json::to_string_pretty(value).unwrap_or_default())
}
