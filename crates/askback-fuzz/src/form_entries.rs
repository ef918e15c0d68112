//! A schema and what is typed into its fields: what is submitted satisfies the schema, or nothing is submitted.

use askback_core::form::{Entry, FieldKind, Form};

use crate::form_schema::check_sent;
use crate::loose_json;

/// A line that leaves its field out.
const BLANK: &str = "~";

/// The input is a schema and, from the next line on, what is typed: a line for each field.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (schema, typed) = loose_json::read(&text);
    let Ok(form) = Form::read(&schema) else { return };
    let initial = form.initial_entries();
    let mut lines = typed.strip_prefix('\n').unwrap_or(typed).split('\n');
    let entries: Vec<Entry> = (form.fields.iter().zip(&initial))
        .map(|(field, initial)| lines.next().map_or_else(|| initial.clone(), |line| entry_of(&field.kind, line)))
        .collect();
    check_outcome(&form, &entries);

    // What each field takes by itself, so that many of the inputs get as far as the schema.
    let taken = entries.iter().zip(&initial).enumerate().map(|(index, (entry, initial))| {
        match form.check_entry(index, entry) {
            Ok(value) => {
                assert!(value.is_some() || !form.fields[index].required);
                entry.clone()
            }
            Err(_) => initial.clone(),
        }
    });
    let taken: Vec<Entry> = taken.collect();
    if taken != entries {
        check_outcome(&form, &taken);
    }
}

fn entry_of(kind: &FieldKind, line: &str) -> Entry {
    if line == BLANK {
        return Entry::Blank;
    }
    match kind {
        FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Scalar { .. } | FieldKind::Json { .. } => {
            Entry::Text(line.to_owned())
        }
        FieldKind::List { .. } => Entry::Text(line.replace(',', "\n")),
        FieldKind::Boolean => Entry::Boolean(line.starts_with(['t', 'y', '1'])),
        FieldKind::Choice { .. } => Entry::Choice(line.parse().unwrap_or(line.len())),
        FieldKind::Choices { .. } => {
            Entry::Choices(line.bytes().map(|byte| usize::from(byte.wrapping_sub(b'0'))).collect())
        }
    }
}

fn check_outcome(form: &Form, entries: &[Entry]) {
    match form.content_of(entries) {
        Ok(content) => check_sent(form, &content),
        Err(errors) => assert!(!errors.is_empty()),
    }
}
