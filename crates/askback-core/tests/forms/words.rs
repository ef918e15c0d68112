//! The form model in plain English, for the reference page.
//!
//! Owns the words of the page alone: what people see at a prompt is worded by the faces. Must not know schemas, only what became of them.

use askback_core::form::{
    Bounds, Choice, Entry, EntryError, Field, FieldKind, FieldNote, Form, JsonReason, ScalarType, TextFormat,
    Unanswerable,
};
use serde_json::{Number, Value};

/// A form, field by field; the names of fields are left out where there is only one.
pub(crate) fn form(form: &Form) -> String {
    let mut lines: Vec<String> = match form.fields.as_slice() {
        [] => vec!["no fields: accept, decline or cancel".into()],
        [only] => vec![field(only)],
        several => several.iter().map(|one| format!("{}: {}", code(&one.key), field(one))).collect(),
    };
    let no_answer = |why: &str, key: &str| format!("**no answer is possible**: {} {why}", code(key));
    lines.extend(form.unanswerable.as_ref().map(|why| match why {
        Unanswerable::RequiredButNotAllowed { key } => no_answer("is required and not allowed", key),
        Unanswerable::NoValue { key } => no_answer("is required and admits no value", key),
    }));
    lines.extend(form.schema_note.as_ref().map(|note| format!("note: {note}")));
    lines.join("\n")
}

/// One field.
pub(crate) fn field(field: &Field) -> String {
    let mut parts = vec![kind(&field.kind)];
    parts.push(if field.required { "required" } else { "optional" }.to_owned());
    parts.extend(field.default.as_ref().map(|default| format!("starts as {}", code(&default.to_string()))));
    let says_something = |title: &&String| !title.eq_ignore_ascii_case(&field.key.replace('_', " "));
    parts.extend(field.title.as_ref().filter(says_something).map(|title| format!("label “{title}”")));
    parts.extend(field.description.as_ref().map(|text| format!("hint “{text}”")));
    parts.extend(field.notes.iter().filter_map(note));
    parts.extend(field.secret.as_ref().map(|sign| format!("locked: asks for a secret ({})", code(&sign.found))));
    parts.join("; ")
}

/// What can be entered.
pub(crate) fn kind(kind: &FieldKind) -> String {
    let mut parts = Vec::new();
    match kind {
        FieldKind::Text { min_length, max_length, pattern, format } => {
            parts.push(
                match format {
                    None => "text",
                    Some(TextFormat::Email) => "e-mail address",
                    Some(TextFormat::Uri) => "URI",
                    Some(TextFormat::Date) => "date",
                    Some(TextFormat::DateTime) => "date and time with offset",
                }
                .to_owned(),
            );
            parts.extend(count("character", min_length.filter(|least| *least > 0), *max_length));
            // As at the prompts: beside a format, a pattern was written by a program.
            parts.extend(
                pattern
                    .as_ref()
                    .filter(|_| format.is_none())
                    .map(|pattern| format!("matching {}", code(&shortened(pattern, 40)))),
            );
        }
        FieldKind::Number { integer, bounds } => {
            parts.push(if *integer { "whole number" } else { "number" }.to_owned());
            parts.extend(range(bounds));
        }
        FieldKind::Boolean => parts.push("yes or no".into()),
        FieldKind::Choice { choices } if choices.is_empty() => parts.push("a choice of nothing".into()),
        FieldKind::Choice { choices } => parts.push(format!("one of {}", labels(choices))),
        FieldKind::Choices { choices, min_items, max_items } => {
            parts.push(format!("any of {}", labels(choices)));
            parts.extend(count("of them", min_items.filter(|least| *least > 0), *max_items));
        }
        FieldKind::Scalar { types } => {
            let names: Vec<&str> = types
                .iter()
                .map(|one| match one {
                    ScalarType::Text => "text",
                    ScalarType::Integer => "whole number",
                    ScalarType::Number => "number",
                    ScalarType::Boolean => "true/false",
                })
                .collect();
            parts.push(format!("{} on one line", names.join(" or ")));
        }
        FieldKind::List { item, min_items, max_items } => {
            parts.push(format!("list, one to a line: {}", self::kind(item)));
            parts.extend(count("line", min_items.filter(|least| *least > 0), *max_items));
        }
        FieldKind::Json { why } => parts.push(format!(
            "JSON editor ({})",
            match why {
                JsonReason::Object => "an object",
                JsonReason::List => "a list",
                JsonReason::Alternatives => "several shapes",
                JsonReason::Anything => "anything goes",
            }
        )),
    }
    parts.join(", ")
}

fn labels(choices: &[Choice]) -> String {
    const SHOWN: usize = 6;
    let mut labels: Vec<&str> = choices.iter().take(SHOWN).map(|choice| choice.label.as_str()).collect();
    if choices.len() > SHOWN {
        labels.push("…");
    }
    labels.join(" · ")
}

fn count(what: &str, least: Option<u64>, most: Option<u64>) -> Option<String> {
    let what = |count: u64| match what {
        "of them" => what.to_owned(),
        _ if count == 1 => what.to_owned(),
        _ => format!("{what}s"),
    };
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(format!("{least} {}", what(least))),
        (Some(least), Some(most)) => Some(format!("{least} to {most} {}", what(most))),
        (Some(least), None) => Some(format!("at least {least} {}", what(least))),
        (None, Some(most)) => Some(format!("at most {most} {}", what(most))),
        (None, None) => None,
    }
}

fn range(bounds: &Bounds) -> Vec<String> {
    let mut parts = Vec::new();
    let mut say = |words: &str, bound: &Option<Number>| {
        parts.extend(bound.as_ref().map(|bound| format!("{words} {bound}")));
    };
    say("at least", &bounds.minimum);
    say("more than", &bounds.exclusive_minimum);
    say("at most", &bounds.maximum);
    say("less than", &bounds.exclusive_maximum);
    say("a multiple of", &bounds.multiple_of);
    parts
}

fn note(note: &FieldNote) -> Option<String> {
    let text = match note {
        FieldNote::DefaultIgnored { default } => format!("the default {} does not fit and is not used", code(default)),
        FieldNote::NamesDoNotFit => "`enumNames` has another length than `enum`".into(),
        FieldNote::UnknownFormat { format } => format!("the format {} is not checked", code(format)),
        FieldNote::PatternUnusable { .. } => "the pattern cannot be checked".into(),
        FieldNote::Fixed => "the value is fixed".into(),
    };
    Some(format!("note: {text}"))
}

/// What the person has done in the only field, or in all of them together.
pub(crate) fn entry(field: &Field, entry: &Entry) -> String {
    match (entry, &field.kind) {
        (Entry::Blank, _) => "*nothing*".into(),
        (Entry::Text(text), _) if text.is_empty() => "*empty text*".into(),
        (Entry::Text(text), _) => text.lines().map(code).collect::<Vec<_>>().join(" ⏎ "),
        (Entry::Boolean(true), _) => "*yes*".into(),
        (Entry::Boolean(false), _) => "*no*".into(),
        (Entry::Choice(index), FieldKind::Choice { choices }) => format!("*{}*", choices[*index].label),
        (Entry::Choices(indices), FieldKind::Choices { choices, .. }) if !indices.is_empty() => {
            let labels: Vec<&str> = indices.iter().map(|index| choices[*index].label.as_str()).collect();
            format!("*{}*", labels.join(", "))
        }
        _ => "*an empty list*".into(),
    }
}

/// Why something is not sent.
pub(crate) fn error(error: &EntryError) -> String {
    let bound = |words: &str, or: &str, bound: &str, inclusive: bool| {
        if inclusive { format!("{or} {bound}") } else { format!("{words} {bound}") }
    };
    match error {
        EntryError::Required => "a value is needed".into(),
        EntryError::TooShort { least, actual } => format!("too short: {actual} of at least {least} characters"),
        EntryError::TooLong { most, actual } => format!("too long: {actual} of at most {most} characters"),
        EntryError::PatternMismatch { pattern } => format!("does not match {}", code(&shortened(pattern, 40))),
        EntryError::NotEmail => "not an e-mail address".into(),
        EntryError::NotUri => "not an absolute URI".into(),
        EntryError::NotDate => "not a day that exists".into(),
        EntryError::NotDateTime => "not a date and time".into(),
        EntryError::OffsetMissing => "the offset from UTC is missing".into(),
        EntryError::NotNumber => "not a number".into(),
        EntryError::NotInteger => "not a whole number".into(),
        EntryError::NotRepresentable => "cannot be sent exactly".into(),
        EntryError::TooSmall { bound: at, inclusive } => bound("must be more than", "must be at least", at, *inclusive),
        EntryError::TooLarge { bound: at, inclusive } => bound("must be less than", "must be at most", at, *inclusive),
        EntryError::NotMultiple { of } => format!("not a multiple of {of}"),
        EntryError::TooFew { least, actual } => format!("too few: {actual} of at least {least}"),
        EntryError::TooMany { most, actual } => format!("too many: {actual} of at most {most}"),
        EntryError::Item { number, error } => format!("value {number}: {}", self::error(error)),
        EntryError::NotJson { .. } => "not JSON".into(),
        EntryError::WrongKind => "not what the field takes".into(),
        EntryError::Schema { detail } => format!("the schema refuses it: {detail}"),
    }
}

/// Text as code of Markdown, whatever it holds; a backtick within takes longer marks around it.
pub(crate) fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// JSON on one line, with the blanks that make it readable.
pub(crate) fn json(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let members: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), json(value))).collect();
            if members.is_empty() { "{}".into() } else { format!("{{{}}}", members.join(", ")) }
        }
        other => other.to_string(),
    }
}

/// The beginning of a long text.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
