//! What answer files say, and what they answer.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Abilities, AnswerBook, Scripted, suggest};
use crate::answer::{Answer, Refusal};
use crate::ask::{Ask, AskBody, FormAsk, UrlAsk};
use crate::call::{Operation, ServerName};
use crate::form::Form;
use crate::sampling::{ModelOrder, ReplyContent, RequestChanges, SamplingRequest};

fn book(text: &str) -> AnswerBook {
    let mut book = AnswerBook::default();
    book.add("a.toml", text).unwrap_or_else(|error| panic!("{error}"));
    book
}

fn form_of(message: &str, schema: &Value) -> Ask {
    let form = Form::read(schema).expect("a readable schema");
    let body = AskBody::Form(FormAsk { message: message.into(), form });
    Ask { key: "k".into(), body, raw: Value::Null, notes: Vec::new() }
}

fn form() -> Ask {
    form_of("Your name?", &json!({ "type": "object", "properties": { "name": { "type": "string" } } }))
}

fn url(address: &str) -> Ask {
    let body = AskBody::Url(UrlAsk { message: "Pay".into(), url: address.into(), elicitation_id: None });
    Ask { key: "u".into(), body, raw: Value::Null, notes: Vec::new() }
}

fn sampling() -> Ask {
    let params =
        json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "x" } }], "maxTokens": 5 });
    let body = AskBody::Sampling(Box::new(SamplingRequest::read(&params).expect("a readable request").0));
    Ask { key: "s".into(), body, raw: Value::Null, notes: Vec::new() }
}

fn roots() -> Ask {
    Ask { key: "r".into(), body: AskBody::Roots, raw: Value::Null, notes: Vec::new() }
}

fn tool(name: &str) -> Operation {
    Operation::Tool { name: name.into(), arguments: Map::new() }
}

fn told(scripted: Option<Scripted>) -> String {
    match scripted {
        None => "no entry".into(),
        Some(Scripted::Invalid { place, errors }) => format!("{place} is invalid in {} places", errors.len()),
        Some(Scripted::NotOpenable { place, why }) => format!("{place} accepts what is never opened: {why:?}"),
        Some(Scripted::Model { order: ModelOrder { model, changes }, .. }) => {
            let model = model.unwrap_or("the chosen model".into());
            if changes == RequestChanges::default() { model } else { format!("{model} with {changes:?}") }
        }
        Some(Scripted::Answer(answer)) => match answer {
            Answer::Submitted { content } => Value::Object(content).to_string(),
            Answer::Declined { reason } => format!("decline {}", reason.unwrap_or_default()).trim_end().to_owned(),
            Answer::Sampled(reply) => match &reply.content[..] {
                [ReplyContent::Text(text)] => {
                    format!("{text} ({}, {})", reply.model, reply.stop_reason.unwrap_or_default())
                }
                other => format!("{} blocks ({})", other.len(), reply.stop_reason.unwrap_or_default()),
            },
            Answer::Roots(roots) => roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(" "),
            Answer::Refused(Refusal::ByPerson { reason }) => {
                format!("refuse {}", reason.unwrap_or_default()).trim_end().to_owned()
            }
            other => other.action_str().to_owned(),
        },
    }
}

#[track_caller]
fn check(text: &str, ask: &Ask, expected: &str) {
    let taken = book(text).take(&ServerName::new("travel"), Some(&tool("book")), 1, ask);
    assert_eq!(told(taken), expected, "{text}");
}

/// A mistake, and how it is named.
fn mistake(text: &str) -> String {
    match AnswerBook::default().add("a.toml", text) {
        Err(error) => format!("{}\n=> {error}", text.trim()),
        Ok(()) => panic!("{text} is no mistake"),
    }
}

#[test]
fn each_mistake_is_named_with_its_place() {
    let entry = |lines: &str| mistake(&format!("[[answer]]\n{lines}"));
    let ok = "[[answer]]\naction = \"cancel\"\n";
    insta::assert_snapshot!(
        [
            mistake("answer = 7"),
            mistake("[[answers]]\naction = \"cancel\""),
            mistake("[[answer]\n"),
            entry("acton = \"cancel\""),
            entry("action = 7"),
            entry("times = -1\naction = \"cancel\""),
            entry("message = 7\naction = \"cancel\""),
            entry(""),
            mistake(&format!("{ok}[[answer]]\nkind = \"from\"\naction = \"cancel\"")),
            entry("action = \"allow\""),
            entry("round = 0\naction = \"cancel\""),
            entry("message = { regex = \"(\" }\naction = \"cancel\""),
            entry("action = \"accept\"\nreply = \"x\""),
            entry("approve = true\nreply = \"x\""),
            entry("action = \"decline\"\ncontent = { a = 1 }"),
            entry("kind = \"url\"\naction = \"accept\"\ncontent = { a = 1 }"),
            entry("kind = \"form\"\naction = \"accept\"\nopen = true"),
            entry("action = \"accept\"\nreason = \"x\""),
            entry("action = \"cancel\"\nstop_reason = \"x\""),
            entry("action = \"cancel\"\nedit = { a = 1 }"),
            entry("kind = \"form\"\nreply = \"x\""),
            entry("kind = \"sampling\"\naction = \"accept\""),
            entry("kind = \"roots\"\naction = \"cancel\""),
            entry("kind = \"form\"\nroots = []"),
            entry("roots = [\"https://x/\"]"),
            entry("roots = [\"file:///w#a\"]"),
            entry("roots = [\"w\"]"),
            entry("approve = false"),
            entry("roots = [7]"),
            entry("reply = 7"),
            entry("reply = []"),
            entry("reply = [{ text = \"x\" }]"),
            entry("reply = [{ type = \"text\" }]"),
            entry("reply = [{ type = \"tool_use\", id = \"1\" }]"),
            entry("reply = [{ type = \"video\" }]"),
            entry("approve = true\nedit = { max_tokens = 0 }"),
            entry("approve = true\nedit = { messages = [] }"),
            entry("approve = true\nedit = { replace = [{ text = \"\", with = \"x\" }] }"),
            entry("action = \"accept\"\ncontent = { a = inf }"),
        ]
        .join("\n\n")
    );
}

#[test]
fn answers_of_every_kind() {
    let entry = |lines: &str| format!("[[answer]]\n{lines}");
    check(&entry("action = \"accept\"\ncontent = { name = \"Ada\" }"), &form(), r#"{"name":"Ada"}"#);
    check(&entry("action = \"accept\""), &form(), "{}");
    check(&entry("action = \"accept\"\ncontent = { name = 7 }"), &form(), "a.toml, answer 1 is invalid in 1 places");
    check(&entry("action = \"accept\""), &url("https://x/"), "accept");
    check(&entry("action = \"decline\"\nreason = \"too dear\""), &form(), "decline too dear");
    check(&entry("action = \"cancel\""), &url("https://x/"), "cancel");
    check(&entry("action = \"decline\"\nreason = \"no\""), &sampling(), "refuse no");
    check(&entry("action = \"cancel\""), &sampling(), "refuse");
    check(&entry("reply = \"Take 7.\""), &sampling(), "Take 7. (manual, endTurn)");
    check(&entry("reply = \"x\"\nmodel = \"m\"\nstop_reason = \"maxTokens\""), &sampling(), "x (m, maxTokens)");
    check(
        &entry("reply = [{ type = \"text\", text = \"a\" }, { type = \"tool_use\", id = \"1\", name = \"n\" }]"),
        &sampling(),
        "2 blocks (toolUse)",
    );
    check(&entry("approve = true"), &sampling(), "the chosen model");
    check(&entry("approve = true\nmodel = \"small\""), &sampling(), "small");
    check(&entry("model = \"small\""), &sampling(), "small");
    check(
        &entry("model = \"small\"\nedit = { max_tokens = 5, replace = [{ text = \"a\", with = \"b\" }] }"),
        &sampling(),
        r#"small with RequestChanges { system_prompt: None, max_tokens: Some(5), temperature: None, stop_sequences: None, replace: [("a", "b")] }"#,
    );
    check(&entry("roots = [\"/w/a b\", { uri = \"file:///x\", name = \"X\" }]"), &roots(), "file:///w/a%20b file:///x");
    check(&entry("roots = []"), &roots(), "");
}

#[test]
fn an_entry_passes_over_asks_that_it_cannot_answer() {
    check("[[answer]]\naction = \"accept\"\n[[answer]]\nreply = \"x\"", &sampling(), "x (manual, endTurn)");
    check("[[answer]]\naction = \"accept\"\ncontent = { a = 1 }", &url("https://x/"), "no entry");
    check("[[answer]]\naction = \"decline\"", &roots(), "no entry");
    check("[[answer]]\nreply = \"x\"", &form(), "no entry");
}

#[test]
fn every_matcher_has_to_match() {
    let entry = |matcher: &str| format!("[[answer]]\n{matcher}\naction = \"cancel\"");
    for (matcher, matches) in [
        ("server = \"travel\"", true),
        ("server = \"tra*\"", true),
        ("server = \"t?avel\"", true),
        ("server = \"trave\"", false),
        ("tool = \"b*k\"", true),
        ("tool = \"pay\"", false),
        ("kind = \"form\"", true),
        ("kind = \"url\"", false),
        ("message = \"name\"", true),
        ("message = \"Name\"", false),
        ("message = { regex = \"(?i)^your NAME\" }", true),
        ("message = { regex = \"^name\" }", false),
        ("key = \"k\"", true),
        ("key = \"K\"", false),
        ("field = \"name\"", true),
        ("field = \"nam\"", false),
        ("round = 1", true),
        ("round = 2", false),
        ("server = \"travel\"\nround = 2", false),
    ] {
        check(&entry(matcher), &form(), if matches { "cancel" } else { "no entry" });
    }
    check(&entry("field = \"name\""), &url("https://x/"), "no entry");
    check(&entry("message = \"no such words\""), &sampling(), "no entry");
    check(&entry("message = \"x\""), &sampling(), "refuse");
    let mut no_call = book(&entry("tool = \"*\""));
    assert_eq!(no_call.take(&ServerName::new("travel"), None, 1, &form()), None);
}

#[test]
fn entries_are_tried_in_order_and_used_up() {
    let mut book = book(
        r#"
        [[answer]]
        action = "decline"
        [[answer]]
        action = "cancel"
        times = 2
        [[answer]]
        round = 9
        action = "decline"
        reason = "nine"
        [[answer]]
        action = "accept"
        times = 0
        "#,
    );
    assert_eq!(book.unused().count(), 4);
    let mut take = |round| told(book.take(&ServerName::new("travel"), None, round, &form()));
    let taken: Vec<String> = [1, 1, 1, 1, 9, 9].map(&mut take).to_vec();
    assert_eq!(taken, ["decline", "cancel", "cancel", "{}", "decline nine", "{}"]);
    assert_eq!(book.unused().count(), 0);
}

#[test]
fn entries_that_were_never_used_are_known_by_their_place() {
    let mut book = book("[[answer]]\nkind = \"url\"\naction = \"accept\"\n[[answer]]\naction = \"cancel\"");
    book.add("b.toml", "[[answer]]\nreply = \"x\"").expect("a valid file");
    let _ = book.take(&ServerName::new("travel"), None, 1, &form());
    let places: Vec<&str> = book.unused().map(|entry| entry.place.as_str()).collect();
    assert_eq!(places, ["a.toml, answer 1", "b.toml, answer 1"]);
}

#[test]
fn a_file_with_a_mistake_adds_nothing() {
    let mut book = AnswerBook::default();
    assert!(book.add("a.toml", "[[answer]]\naction = \"cancel\"\n[[answer]]").is_err());
    assert!(book.is_empty());
}

#[test]
fn abilities_are_those_of_the_entries() {
    let check = |text: &str, expected: [bool; 4]| {
        let Abilities { form, url, sampling, roots } = book(text).abilities();
        assert_eq!([form, url, sampling, roots], expected, "{text}");
    };
    check("", [false; 4]);
    check("[[answer]]\nkind = \"form\"\naction = \"cancel\"", [true, false, false, false]);
    check("[[answer]]\nkind = \"url\"\naction = \"cancel\"", [false, true, false, false]);
    check("[[answer]]\nkind = \"sampling\"\nreply = \"x\"", [false, false, true, false]);
    check("[[answer]]\nkind = \"roots\"\nroots = []", [false, false, false, true]);
    check("[[answer]]\naction = \"cancel\"", [true, true, true, false]);
    check("[[answer]]\nreply = \"x\"", [true, true, true, false]);
    check("[[answer]]\nroots = []", [true; 4]);
}

#[test]
fn dates_and_nested_values_in_content_become_json() {
    let schema = json!({ "type": "object", "properties": {
        "day": { "type": "string", "format": "date" },
        "at": { "type": "string", "format": "date-time" },
        "many": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] } },
        "n": { "type": "number" },
        "inner": { "type": "object" }
    } });
    check(
        "[[answer]]\naction = \"accept\"\n[answer.content]\nday = 2026-07-28\nat = 2026-07-28 09:30:00+02:00\nmany = [\"a\"]\nn = 0.5\ninner = { z = 1, a = [true] }",
        &form_of("m", &schema),
        r#"{"day":"2026-07-28","at":"2026-07-28T09:30:00+02:00","many":["a"],"n":0.5,"inner":{"z":1,"a":[true]}}"#,
    );
}

#[test]
fn a_page_is_opened_only_where_the_entry_that_consented_says_so() {
    let server = ServerName::new("travel");
    let (first, second) = (url("https://one.example/"), url("https://two.example/"));
    let mut book = book(
        "[[answer]]\nkind = \"url\"\nmessage = \"Pay\"\naction = \"accept\"\nopen = true\n[[answer]]\nkind = \"url\"\naction = \"accept\"\ntimes = 0",
    );
    assert!(!book.opens(&server, &first));
    let _ = book.take(&server, None, 1, &first);
    assert!(book.opens(&server, &first));
    assert!(!book.opens(&ServerName::new("other"), &first));
    let _ = book.take(&server, None, 2, &second);
    assert!(!book.opens(&server, &second), "another entry, without open, consented to this one");
    let _ = book.take(&server, None, 3, &first);
    assert!(!book.opens(&server, &first), "the last consent is the one that counts");
}

#[test]
fn e35_no_entry_accepts_an_address_that_is_never_opened() {
    let (server, hostile) = (ServerName::new("travel"), url("javascript:alert(1)"));
    let text = "[[answer]]\nkind = \"url\"\naction = \"accept\"\nopen = true";
    let place = "a.toml, answer 1";
    check(text, &hostile, &format!("{place} accepts what is never opened: OtherScheme {{ scheme: \"javascript\" }}"));
    check("[[answer]]\nkind = \"url\"\naction = \"decline\"", &hostile, "decline");
    let mut book = book(text);
    let _ = book.take(&server, None, 1, &hostile);
    assert!(!book.opens(&server, &hostile));
    assert!(suggest(&server, None, &hostile).contains("action = \"decline\""));
}

#[test]
fn a_suggestion_is_ready_to_paste() {
    let schema = json!({ "type": "object", "required": ["mail", "n", "pick"], "properties": {
        "mail": { "type": "string", "format": "email" },
        "n": { "type": "integer", "minimum": 1, "maximum": 5 },
        "pick": { "type": "string", "enum": ["x", "y"] },
        "note \"q\"": { "type": "string" },
        "ok": { "type": "boolean", "default": true }
    } });
    let server = ServerName::new("travel");
    let all = [form_of("m", &schema), form(), url("https://x/"), sampling(), roots()];
    let texts: Vec<String> = all.iter().map(|ask| suggest(&server, Some("book"), ask)).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn a_suggestion_is_toml_whatever_the_numbers_are() {
    let schema = json!({ "required": ["low"], "properties": {
        "big": { "type": "integer", "default": u64::MAX },
        "pick": { "enum": [u64::MAX], "default": u64::MAX },
        "low": { "type": "number", "exclusiveMinimum": 1e308, "multipleOf": 1e-300 },
    } });
    let text = suggest(&ServerName::new("travel"), None, &form_of("m", &schema));
    assert_eq!(AnswerBook::default().add("s.toml", &text), Ok(()), "{text}");
}

fn field() -> impl Strategy<Value = Value> {
    let text = (0u64..6, prop::option::of(prop::sample::select(vec!["email", "uri", "date", "date-time", "color"])))
        .prop_map(|(least, format)| match format {
            Some(format) => json!({ "type": "string", "format": format }),
            None => json!({ "type": "string", "minLength": least }),
        });
    let number = (prop::sample::select(vec!["integer", "number"]), -50i64..50, 3i64..50, any::<bool>()).prop_map(
        |(kind, low, width, exclusive)| match exclusive {
            true => json!({ "type": kind, "exclusiveMinimum": low, "exclusiveMaximum": low + width }),
            false => json!({ "type": kind, "minimum": low, "maximum": low + width }),
        },
    );
    prop_oneof![
        text,
        number,
        (1i64..9).prop_map(|of| json!({ "type": "integer", "minimum": 1, "multipleOf": of })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "string", "enum": ["\u{7f}\u{1b}", "b"] })),
        Just(json!({ "type": "string", "oneOf": [{ "const": "lo", "title": "Low" }] })),
        (0u64..3).prop_map(|least| json!({ "type": "array", "minItems": least, "items": { "enum": ["a", "b", "c"] } })),
        Just(json!({ "type": "string", "default": "\"\\\u{0}\u{2028}é" })),
        Just(json!({ "type": "number", "default": 1e-7 })),
        Just(json!({ "type": "object" })),
        Just(json!({ "type": "array", "items": { "type": "number" } })),
        Just(json!({ "type": "array", "items": { "type": "string", "format": "date" }, "minItems": 2 })),
        Just(json!({ "type": "array", "items": { "type": ["boolean", "integer"] }, "minItems": 1 })),
        Just(json!({ "type": ["string", "number"] })),
        Just(json!({ "type": ["boolean", "number"] })),
    ]
}

proptest! {
    #[test]
    fn a_suggestion_can_be_read_and_answers_its_ask(
        fields in prop::collection::vec((".{0,6}", field(), any::<bool>()), 0..6), server in ".{0,8}", tool_name in ".{0,8}",
    ) {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (key, schema, needed) in fields {
            if needed && !properties.contains_key(&key) {
                required.push(key.clone());
            }
            properties.entry(key).or_insert(schema);
        }
        let ask = form_of("m", &json!({ "type": "object", "properties": properties, "required": required }));
        let server = ServerName::new(server);
        for ask in [ask, url("https://x/"), sampling(), roots()] {
            let text = suggest(&server, Some(&tool_name), &ask);
            let mut book = AnswerBook::default();
            prop_assert!(book.add("s.toml", &text).is_ok(), "{}\n{:?}", text, book.add("s.toml", &text));
            let taken = book.take(&server, Some(&tool(&tool_name)), 1, &ask);
            prop_assert!(matches!(taken, Some(Scripted::Answer(_))), "{}\n{:?}", text, taken);
        }
    }

    #[test]
    fn no_text_makes_reading_panic(text in "(\\[\\[answer\\]\\]|action|reply|content|=|\"|\\{|\\}|\n|accept| |[a-z0-9.]){0,30}") {
        let _ = AnswerBook::default().add("a.toml", &text);
    }
}
