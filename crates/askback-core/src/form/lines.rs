//! Values that are typed as text: one on a line, or one to a line.
//!
//! Owns how typed text becomes values and how values are typed. Must not know fields, only kinds; their limits are checked elsewhere.

use serde_json::Value;

use super::decimal::Decimal;
use super::{EntryError, FieldKind, ScalarType, choices};

/// What is typed on one line. Only text can be empty: anything else that was emptied is one that was left out.
pub(super) fn parse(kind: &FieldKind, text: &str) -> Result<Option<Value>, EntryError> {
    match kind {
        FieldKind::Text { format, .. } => {
            // White space around an address or a date is never meant, and never valid.
            let text = if format.is_some() { text.trim() } else { text };
            Ok(Some(Value::String(text.to_owned())))
        }
        FieldKind::Number { .. } if text.trim().is_empty() => Ok(None),
        FieldKind::Number { integer, .. } => parse_number(text, *integer).map(Some),
        FieldKind::Scalar { types } => parse_scalar(types, text),
        _ => Err(EntryError::WrongKind),
    }
}

fn parse_scalar(types: &[ScalarType], text: &str) -> Result<Option<Value>, EntryError> {
    let typed = text.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let takes_text = types.contains(&ScalarType::Text);
    if types.contains(&ScalarType::Boolean)
        && let Some(yes) = ["false", "true"].iter().position(|word| *word == typed)
    {
        return Ok(Some(Value::Bool(yes == 1)));
    }
    let integer = types.contains(&ScalarType::Integer);
    if integer || types.contains(&ScalarType::Number) {
        match parse_number(typed, integer) {
            Ok(number) => return Ok(Some(number)),
            Err(error) if !takes_text => return Err(error),
            Err(_) => {}
        }
    }
    if !takes_text {
        return Err(EntryError::WrongKind);
    }
    let quoted = if typed.starts_with('"') { serde_json::from_str(typed).ok() } else { None };
    Ok(Some(Value::String(quoted.unwrap_or_else(|| text.to_owned()))))
}

/// One value to a line, blank lines left out; or a JSON array.
pub(super) fn parse_list(item: &FieldKind, text: &str) -> Result<Option<Value>, EntryError> {
    if text.trim_start().starts_with('[')
        && let Ok(list @ Value::Array(_)) = serde_json::from_str(text)
    {
        return Ok(Some(list));
    }
    let mut values = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let number = values.len() as u64 + 1;
        let value = parse(item, line).map_err(|error| EntryError::Item { number, error: Box::new(error) })?;
        values.extend(value);
    }
    Ok(if values.is_empty() { None } else { Some(Value::Array(values)) })
}

fn parse_number(text: &str, integer: bool) -> Result<Value, EntryError> {
    let decimal = Decimal::parse(text).ok_or(EntryError::NotNumber)?;
    if integer && !decimal.is_whole() {
        return Err(EntryError::NotInteger);
    }
    let number = if integer { decimal.to_integer() } else { decimal.to_number() };
    number.map(Value::Number).ok_or(EntryError::NotRepresentable)
}

/// A value as it is typed on one line.
pub(super) fn line_of(kind: &FieldKind, value: &Value) -> Option<String> {
    match (kind, value) {
        (FieldKind::Text { .. }, Value::String(text)) => Some(text.clone()),
        (FieldKind::Number { .. } | FieldKind::Scalar { .. }, Value::Number(number)) => {
            Some(Decimal::of(number).map_or_else(|| number.to_string(), |decimal| decimal.to_text()))
        }
        (FieldKind::Scalar { types }, Value::String(text)) => {
            let comes_back = parse_scalar(types, text).is_ok_and(|read| read.as_ref() == Some(value));
            Some(if comes_back { text.clone() } else { value.to_string() })
        }
        (FieldKind::Scalar { .. }, Value::Bool(yes)) => Some(yes.to_string()),
        _ => None,
    }
}

/// A list as it is typed, one value to a line.
pub(super) fn text_of(item: &FieldKind, value: &Value) -> Option<String> {
    let lines: Vec<String> = value.as_array()?.iter().map(|value| line_of(item, value)).collect::<Option<_>>()?;
    let text = lines.join("\n");
    // What would not come back from lines as it was (nothing at all, say) is written as JSON.
    let comes_back = matches!(parse_list(item, &text), Ok(Some(list)) if choices::same(&list, value));
    Some(if comes_back { text } else { value.to_string() })
}
