//! An entry ready to paste, for an ask that had none.

use serde_json::Value;

use crate::ask::{Ask, AskBody};
use crate::call::ServerName;
use crate::form::{Bounds, Field, FieldKind, JsonReason, ScalarType, TextFormat};
use crate::url_safety;

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
        AskBody::Url(url) => {
            let openable = url_safety::inspect(&url.url).destination().is_some();
            line("action", quoted(if openable { "accept" } else { "decline" }));
        }
        AskBody::Sampling(_) => line("reply", quoted("…")),
        AskBody::Roots => line("roots", "[]".into()),
    }
    text
}

/// A value for a field: its default, or the simplest that the field's own limits allow. A pattern cannot be guessed.
fn example(field: &Field) -> String {
    if let Some(default) = &field.default {
        return toml_of(default);
    }
    example_of(&field.kind)
}

fn example_of(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Scalar { types } if types.contains(&ScalarType::Text) => quoted(""),
        FieldKind::Scalar { .. } => "0".into(),
        FieldKind::List { item, min_items, .. } => {
            let least = usize::try_from(min_items.unwrap_or(0)).unwrap_or(usize::MAX).min(20);
            format!("[{}]", vec![example_of(item); least].join(", "))
        }
        FieldKind::Text { min_length, format, .. } => quoted(&text_example(min_length.unwrap_or(0), *format)),
        FieldKind::Json { why } => match why {
            JsonReason::Object => "{}".into(),
            JsonReason::List => "[]".into(),
            JsonReason::Alternatives | JsonReason::Anything => quoted(""),
        },
        FieldKind::Number { integer, bounds } => number_example(*integer, bounds),
        FieldKind::Boolean => "false".into(),
        FieldKind::Choice { choices } => choices.first().map_or(quoted(""), |choice| toml_of(&choice.value)),
        FieldKind::Choices { choices, min_items, .. } => {
            let least = usize::try_from(min_items.unwrap_or(0)).unwrap_or(usize::MAX);
            let values: Vec<String> = choices.iter().take(least).map(|choice| toml_of(&choice.value)).collect();
            format!("[{}]", values.join(", "))
        }
    }
}

fn text_example(least: u64, format: Option<TextFormat>) -> String {
    let mut text = match format {
        None => String::new(),
        Some(TextFormat::Email) => "name@example.com".into(),
        Some(TextFormat::Uri) => "https://example.com/".into(),
        Some(TextFormat::Date) => "2026-07-28".into(),
        Some(TextFormat::DateTime) => "2026-07-28T09:30:00Z".into(),
    };
    // No entry to paste is longer than a line or two, whatever the server demands.
    while (text.chars().count() as u64) < least.min(200) {
        text.push('x');
    }
    text
}

/// Zero, or the number nearest to it that keeps to the bounds.
fn number_example(integer: bool, bounds: &Bounds) -> String {
    let float = |number: &Option<serde_json::Number>| number.as_ref().and_then(serde_json::Number::as_f64);
    let step = float(&bounds.multiple_of).filter(|step| *step > 0.0).unwrap_or(if integer { 1.0 } else { 0.5 });
    let lowest = [
        float(&bounds.minimum).map(|low| (low / step).ceil()),
        float(&bounds.exclusive_minimum).map(|low| (low / step).floor() + 1.0),
    ];
    let highest = [
        float(&bounds.maximum).map(|high| (high / step).floor()),
        float(&bounds.exclusive_maximum).map(|high| (high / step).ceil() - 1.0),
    ];
    let steps = lowest.into_iter().flatten().fold(0.0, f64::max);
    let steps = highest.into_iter().flatten().fold(steps, f64::min);
    let value = steps * step;
    if !value.is_finite() {
        return "0".into();
    }
    if value.fract() == 0.0 && value.abs() < 9e15 { format!("{}", value as i64) } else { format!("{value:?}") }
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
        // The integers of TOML end where `i64` does; the double next to it is as near as an entry can come.
        Value::Number(number) if !number.is_i64() => format!("{:?}", number.as_f64().unwrap_or_default()),
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
