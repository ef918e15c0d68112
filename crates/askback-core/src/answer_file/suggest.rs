//! An entry ready to paste, for an ask that had none.

use serde_json::Value;

use crate::ask::{Ask, AskBody};
use crate::call::ServerName;
use crate::form::{Field, FieldKind};

/// An entry for this ask, as TOML. Required fields have a value that fits where one can be told; the others are there as comments.
pub fn suggest(server: &ServerName, tool: Option<&str>, ask: &Ask) -> String {
    let mut text = String::from("[[answer]]\n");
    let mut line = |key: &str, value: String| text.push_str(&format!("{key} = {value}\n"));
    line("server", quoted(server.as_str()));
    if let Some(tool) = tool {
        line("tool", quoted(tool));
    }
    line("kind", quoted(ask.kind().as_str()));
    match &ask.body {
        AskBody::Form(form) => {
            line("action", quoted("accept"));
            if !form.form.fields.is_empty() {
                text.push_str("\n[answer.content]\n");
                for field in &form.form.fields {
                    let comment = if field.required || field.default.is_some() { "" } else { "# " };
                    text.push_str(&format!("{comment}{} = {}\n", key(&field.key), example(field)));
                }
            }
        }
        AskBody::Url(_) => line("action", quoted("accept")),
        AskBody::Sampling(_) => line("reply", quoted("…")),
        AskBody::Roots => line("roots", "[]".into()),
    }
    text
}

/// A value for a field: its default, or the simplest that the field's own limits allow.
fn example(field: &Field) -> String {
    if let Some(default) = &field.default {
        return toml_of(default);
    }
    match &field.kind {
        FieldKind::Text { .. } | FieldKind::Json { .. } => quoted(""),
        FieldKind::Number { bounds, .. } => bounds.minimum.as_ref().map_or("0".into(), ToString::to_string),
        FieldKind::Boolean => "false".into(),
        FieldKind::Choice { choices } => choices.first().map_or(quoted(""), |choice| toml_of(&choice.value)),
        FieldKind::Choices { .. } => "[]".into(),
    }
}

fn toml_of(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(toml_of).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => {
            let pairs: Vec<String> =
                object.iter().map(|(name, value)| format!("{} = {}", key(name), toml_of(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Null => quoted(""),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    // A TOML basic string takes the escapes of JSON, of which `serde_json` writes only such that TOML knows; DEL is the exception.
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
