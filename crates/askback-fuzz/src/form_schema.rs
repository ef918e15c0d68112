//! A schema, and content from elsewhere: the schema becomes a form or is refused, and content that passes satisfies the schema.

use askback_core::answer::Answer;
use askback_core::answer_file::{AnswerBook, Scripted, suggest};
use askback_core::ask::FormAsk;
use askback_core::form::{EntryError, FieldKind, Form};
use askback_core::{Ask, AskBody, ServerName};
use serde_json::{Map, Value};

use crate::{judge, loose_json, shown};

/// The input is a schema and, after it, content for it.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (schema, rest) = loose_json::read(&text);
    let form = match Form::read(&schema) {
        Ok(form) => form,
        Err(error) => return shown::check(&error.to_string()),
    };
    assert_eq!(form.schema, schema, "the schema is kept as it was sent");
    draw(&form);

    let entries = form.initial_entries();
    assert_eq!(entries.len(), form.fields.len());
    match form.content_of(&entries) {
        Ok(content) => check_sent(&form, &content),
        Err(errors) => assert!(!errors.is_empty()),
    }
    for content in [Value::Object(Map::new()), loose_json::read(rest).0] {
        let Value::Object(content) = content else { continue };
        match form.check(&content) {
            Ok(()) => check_sent(&form, &content),
            Err(errors) => assert!(!errors.is_empty()),
        }
    }
    suggest_entry(form);
}

/// What every face does with a form before anyone has touched it.
fn draw(form: &Form) {
    for text in [&form.title, &form.description, &form.schema_note].into_iter().flatten() {
        shown::check(text);
    }
    for (index, field) in form.fields.iter().enumerate() {
        shown::check(&field.key);
        [&field.title, &field.description].into_iter().flatten().for_each(|text| shown::check(text));
        if let FieldKind::Choice { choices } | FieldKind::Choices { choices, .. } = &field.kind {
            let mut labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
            labels.iter().for_each(|label| shown::check(label));
            labels.sort_unstable();
            labels.dedup();
            assert_eq!(labels.len(), choices.len(), "two choices look the same in {}", form.schema);
        }
        let entry = &form.initial_entries()[index];
        match form.value_of(index, entry) {
            Ok(value) => {
                assert!(!field.required || value.is_some());
                assert_eq!(value.is_some(), field.default.is_some(), "{field:?}");
            }
            Err(error) => assert_eq!(error, EntryError::Required, "the default of {field:?} does not fit"),
        }
    }
}

/// What must hold of content that is let out.
pub(crate) fn check_sent(form: &Form, content: &Map<String, Value>) {
    assert!(form.unanswerable.is_none(), "{content:?} answers what cannot be answered: {}", form.schema);
    assert_eq!(form.check(content), Ok(()), "{content:?} for {}", form.schema);
    for field in form.fields.iter().filter(|field| field.required) {
        assert!(content.contains_key(&field.key), "{content:?} lacks {:?}", field.key);
    }
    judge::check(&form.schema, content);
}

/// The entry that is printed for a form without an answer is one that can be read, and whatever it answers passes.
fn suggest_entry(form: Form) {
    let body = AskBody::Form(FormAsk { message: String::new(), form });
    let ask = Ask { key: String::new(), body, raw: Value::Null, notes: Vec::new() };
    let server = ServerName::new("server");
    let text = suggest(&server, None, &ask);
    let mut book = AnswerBook::default();
    if let Err(error) = book.add("suggested", &text) {
        panic!("{error}\n{text}");
    }
    match book.take(&server, None, 1, &ask) {
        Some(Scripted::Answer(Answer::Submitted { content })) => {
            if let AskBody::Form(ask) = &ask.body {
                check_sent(&ask.form, &content);
            }
        }
        Some(Scripted::Invalid { errors, .. }) => assert!(!errors.is_empty()),
        other => panic!("{other:?} comes of\n{text}"),
    }
}
