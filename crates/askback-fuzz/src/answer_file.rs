//! An answer file: it is refused with a reason, or what it answers passes.

use askback_core::answer::Answer;
use askback_core::answer_file::{AnswerBook, Scripted};
use askback_core::ask::{FormAsk, UrlAsk};
use askback_core::form::Form;
use askback_core::{Ask, AskBody, Operation, ServerName};
use serde_json::{Map, Value, json};

use crate::form_schema::check_sent;

/// The input is the text of an answer file.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut book = AnswerBook::default();
    if let Err(error) = book.add("answers.toml", &text) {
        assert!(error.to_string().contains("answers.toml"), "{error}");
        assert!(book.is_empty());
        return;
    }
    let _ = book.abilities();
    let server = ServerName::new("travel");
    let operation = Operation::Tool { name: "book".into(), arguments: Map::new() };
    // Every round but the first asks again, so that entries that were used up give way to those after them.
    for round in 1..4 {
        for ask in asks() {
            match (book.take(&server, Some(&operation), round, &ask), &ask.body) {
                (Some(Scripted::Answer(Answer::Submitted { content })), AskBody::Form(ask)) => {
                    check_sent(&ask.form, &content);
                }
                (Some(Scripted::Answer(Answer::Submitted { .. })), _) => panic!("content for what is no form"),
                (Some(Scripted::Answer(Answer::Consented)), body) => {
                    assert!(matches!(body, AskBody::Url(url) if url.url.starts_with("https:")), "{body:?}");
                }
                (Some(Scripted::Invalid { errors, .. }), _) => assert!(!errors.is_empty()),
                _ => {}
            }
            assert!(!book.opens(&server, &ask) || matches!(ask.body, AskBody::Url(_)));
        }
    }
    let _ = book.unused().count();
}

fn asks() -> [Ask; 4] {
    let schema = json!({ "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string", "minLength": 1 }, "seats": { "type": "integer", "minimum": 1, "maximum": 9 },
        "on": { "type": "string", "format": "date" }, "meals": { "type": "array", "items": { "enum": ["a", "b"] } },
    }});
    let form = Form::read(&schema).expect("a form");
    let page = |url: &str| AskBody::Url(UrlAsk { message: "Pay".into(), url: url.into(), elicitation_id: None });
    let bodies = [
        AskBody::Form(FormAsk { message: "Who travels?".into(), form }),
        page("https://pay.example/7"),
        page("javascript:alert(1)"),
        AskBody::Roots,
    ];
    bodies.map(|body| Ask { key: "k".into(), body, raw: Value::Null, notes: Vec::new() })
}
