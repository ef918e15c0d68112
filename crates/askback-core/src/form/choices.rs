//! Choices: values and what they are called.
//!
//! Owns the reading of `enum`, `enumNames`, `const` and titled constants into choices with distinct labels. Must not know fields.

use std::collections::HashMap;

use serde_json::Value;

use super::flatten::Flat;
use super::reference::Document;
use super::{Choice, FieldNote};

/// Choices as read, before labels are made distinct.
#[derive(Debug, Default)]
pub(super) struct Found {
    named: Vec<(Value, Option<String>)>,
    pub(super) notes: Vec<FieldNote>,
}

/// The choices of a schema that allows only certain values; `None` when it allows others.
pub(super) fn find<'a>(document: &Document<'a>, flat: &Flat<'a>) -> Option<Found> {
    let mut found = Found::default();
    if let Some(value) = flat.get("const") {
        found.named.push((value.clone(), None));
        found.notes.push(FieldNote::Fixed);
    } else if let Some(alternatives) = flat.alternatives(document)
        && let Some(named) = titled(&alternatives)
    {
        found.named = named;
    } else if let Some(Value::Array(values)) = flat.get("enum") {
        let names = flat.get("enumNames").and_then(Value::as_array);
        if names.is_some_and(|names| names.len() != values.len()) {
            found.notes.push(FieldNote::NamesDoNotFit);
        }
        let name = |index: usize| names?.get(index)?.as_str().map(str::to_owned);
        found.named = values.iter().enumerate().map(|(index, value)| (value.clone(), name(index))).collect();
    } else {
        return None;
    }
    // Null is never sent, and a value of another type would be refused.
    let types = flat.types();
    found
        .named
        .retain(|(value, _)| !value.is_null() && (types.is_empty() || types.iter().any(|name| is_type(value, name))));
    Some(found)
}

/// Alternatives that are constants or lists of values, all of them.
fn titled(alternatives: &[Flat<'_>]) -> Option<Vec<(Value, Option<String>)>> {
    let mut named = Vec::new();
    for part in alternatives {
        if let Some(value) = part.get("const") {
            named.push((value.clone(), part.text("title")));
        } else {
            let values = part.get("enum")?.as_array()?;
            let title = if values.len() == 1 { part.text("title") } else { None };
            named.extend(values.iter().map(|value| (value.clone(), title.clone())));
        }
    }
    (!named.is_empty()).then_some(named)
}

/// Whether a value is of a JSON Schema type. Types that do not exist fit anything, as there is nothing to go by.
pub(super) fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_number().and_then(super::decimal::Decimal::of).is_some_and(|decimal| decimal.is_whole()),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// Whether two JSON values are the same to JSON Schema, for which 1 and 1.0 are.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    let simple = |value: &Value| matches!(value, Value::String(_) | Value::Bool(_) | Value::Null);
    one == other || (!simple(one) && !simple(other) && canonical(one) == canonical(other))
}

/// Text that two values share when they are the same to JSON Schema, and only then.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            super::decimal::Decimal::of(number).map_or_else(|| number.to_string(), |decimal| decimal.to_text())
        }
        Value::Array(list) => format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(map) => {
            let mut members: Vec<String> =
                map.iter().map(|(key, value)| format!("{}:{}", Value::String(key.clone()), canonical(value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        _ => value.to_string(),
    }
}

/// The indices of `values` among `choices`, if all of them are there.
pub(super) fn positions(choices: &[Choice], values: &[Value]) -> Option<Vec<usize>> {
    let known: HashMap<String, usize> =
        choices.iter().enumerate().map(|(index, choice)| (canonical(&choice.value), index)).collect();
    values.iter().map(|value| known.get(&canonical(value)).copied()).collect()
}

impl Found {
    /// How many values were found.
    pub(super) fn len(&self) -> usize {
        self.named.len()
    }

    /// The choices, each value once, no two labels the same.
    pub(super) fn into_choices(self) -> Vec<Choice> {
        let mut seen = std::collections::HashSet::new();
        let mut choices: Vec<Choice> = self
            .named
            .into_iter()
            .filter(|(value, _)| seen.insert(canonical(value)))
            .map(|(value, name)| {
                let name = name.filter(|name| !name.trim().is_empty());
                Choice { label: name.unwrap_or_else(|| value_text(&value)), value }
            })
            .collect();
        // Once with the value added to titles that occur twice, and once more for titles that look just like that.
        for _ in 0..2 {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for choice in &choices {
                *counts.entry(choice.label.clone()).or_default() += 1;
            }
            if counts.len() == choices.len() {
                break;
            }
            for choice in &mut choices {
                if counts.get(&choice.label).is_some_and(|count| *count > 1) {
                    choice.label = format!("{} ({})", choice.label, value_text(&choice.value));
                }
            }
        }
        choices
    }
}

/// A value as people read it: text bare, but quoted where nothing would be seen, anything else as JSON.
fn value_text(value: &Value) -> String {
    match value.as_str() {
        Some(text) if !text.trim().is_empty() => text.to_owned(),
        _ => value.to_string(),
    }
}
