//! What is typed, and what is sent.

use serde_json::{Map, Value, json};

use crate::form::{Entry, EntryError, Form};

/// A form of one required field `x`, an entry, and the value that is sent for it.
#[track_caller]
fn check(schema: Value, entry: Entry, sent: Result<Value, EntryError>) {
    let form = Form::read(&json!({"type": "object", "properties": {"x": schema}, "required": ["x"]})).expect("a form");
    let value = form.value_of(0, &entry).map(|value| value.expect("a required field is never left out"));
    assert_eq!(value, sent, "{schema} with {entry:?}");
    let content = form.content_of(std::slice::from_ref(&entry));
    match sent {
        Ok(value) => {
            let expected: Map<String, Value> = [("x".to_owned(), value)].into_iter().collect();
            assert_eq!(content, Ok(expected.clone()));
            assert_eq!(form.check(&expected), Ok(()));
        }
        Err(error) => {
            let errors = content.expect_err("an entry that cannot be sent makes no content");
            assert_eq!(errors.into_iter().map(|one| one.error).collect::<Vec<_>>(), [error]);
        }
    }
}

fn text(text: &str) -> Entry {
    Entry::Text(text.to_owned())
}

#[test]
fn e18_limits_are_enforced() {
    let age = json!({"type": "integer", "minimum": 18, "maximum": 120});
    check(age.clone(), text("17"), Err(EntryError::TooSmall { bound: "18".into(), inclusive: true }));
    check(age.clone(), text("18"), Ok(json!(18)));
    check(age.clone(), text("120"), Ok(json!(120)));
    check(age, text("121"), Err(EntryError::TooLarge { bound: "120".into(), inclusive: true }));
    let mail = json!({"type": "string", "format": "email"});
    check(mail.clone(), text("a@b"), Ok(json!("a@b")));
    check(mail.clone(), text(" a@b "), Ok(json!("a@b")));
    check(mail, text("not mail"), Err(EntryError::NotEmail));
    check(json!({"type": "string", "format": "uri"}), text("x.example"), Err(EntryError::NotUri));
    check(json!({"type": "string", "format": "date"}), text("2026-02-30"), Err(EntryError::NotDate));
    let name = json!({"type": "string", "minLength": 2, "maxLength": 4});
    check(name.clone(), text("😀😀😀😀"), Ok(json!("😀😀😀😀")));
    check(name.clone(), text("😀"), Err(EntryError::TooShort { least: 2, actual: 1 }));
    check(name, text("😀😀😀😀😀"), Err(EntryError::TooLong { most: 4, actual: 5 }));
    let code = json!({"type": "string", "pattern": "^[A-Z]{3}$"});
    check(code.clone(), text("ABC"), Ok(json!("ABC")));
    check(code, text("abc"), Err(EntryError::PatternMismatch { pattern: "^[A-Z]{3}$".into() }));
}

#[test]
fn e18_open_bounds_and_multiples() {
    let open = json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5});
    check(open.clone(), text("0"), Err(EntryError::TooSmall { bound: "0".into(), inclusive: false }));
    check(open.clone(), text("1.5"), Err(EntryError::TooLarge { bound: "1.5".into(), inclusive: false }));
    check(open, text("1.4999"), Ok(json!(1.4999)));
    let tenths = json!({"type": "number", "multipleOf": 0.1});
    check(tenths.clone(), text("0.3"), Ok(json!(0.3)));
    check(tenths, text("0.35"), Err(EntryError::NotMultiple { of: "0.1".into() }));
    check(json!({"type": "integer", "multipleOf": 5}), text("12"), Err(EntryError::NotMultiple { of: "5".into() }));
    let floats = json!({"type": "integer", "minimum": 0.0, "maximum": 10.0});
    check(floats.clone(), text("10"), Ok(json!(10)));
    check(floats, text("11"), Err(EntryError::TooLarge { bound: "10".into(), inclusive: true }));
}

#[test]
fn e20_one_parser_for_numbers() {
    let integer = json!({"type": "integer"});
    for (typed, sent) in [
        ("1.0", Ok(json!(1))),
        ("1e3", Ok(json!(1000))),
        (" 7 ", Ok(json!(7))),
        ("9007199254740993", Ok(json!(9_007_199_254_740_993_u64))),
        ("-0", Ok(json!(0))),
        ("٣", Err(EntryError::NotNumber)),
        ("1.5", Err(EntryError::NotInteger)),
        ("1e-400", Err(EntryError::NotInteger)),
        ("1e400", Err(EntryError::NotRepresentable)),
        ("18446744073709551616", Err(EntryError::NotRepresentable)),
        ("seven", Err(EntryError::NotNumber)),
        ("", Err(EntryError::Required)),
        ("  ", Err(EntryError::Required)),
    ] {
        check(integer.clone(), text(typed), sent);
    }
    let number = json!({"type": "number"});
    for (typed, sent) in [
        ("1,5", Err(EntryError::NotNumber)),
        (".5", Ok(json!(0.5))),
        ("-0", Ok(json!(0))),
        ("3", Ok(json!(3))),
        ("1e400", Err(EntryError::NotRepresentable)),
        ("NaN", Err(EntryError::NotNumber)),
        ("Infinity", Err(EntryError::NotNumber)),
    ] {
        check(number.clone(), text(typed), sent);
    }
}

#[test]
fn e14_booleans_are_booleans() {
    let yes = json!({"type": "boolean"});
    check(yes.clone(), Entry::Boolean(true), Ok(json!(true)));
    check(yes.clone(), Entry::Boolean(false), Ok(json!(false)));
    for typed in ["yes", "TRUE", "0", "true"] {
        check(yes.clone(), text(typed), Err(EntryError::WrongKind));
    }
}

#[test]
fn e22_date_time_without_an_offset_is_refused_with_that_reason() {
    let at = json!({"type": "string", "format": "date-time"});
    check(at.clone(), text("2026-05-01T10:00"), Err(EntryError::OffsetMissing));
    check(at.clone(), text("2026-05-01 10:00:00Z"), Err(EntryError::NotDateTime));
    check(at.clone(), text("2026-05-01T10:00:60Z"), Err(EntryError::NotDateTime));
    check(at, text("2026-05-01T10:00:00+05:30"), Ok(json!("2026-05-01T10:00:00+05:30")));
}

#[test]
fn e12_lists_of_choices_are_counted() {
    let fruit =
        json!({"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["a", "b", "c"]}});
    check(fruit.clone(), Entry::Choices(vec![1]), Ok(json!(["b"])));
    check(fruit.clone(), Entry::Choices(vec![0, 2]), Ok(json!(["a", "c"])));
    check(fruit.clone(), Entry::Choices(vec![]), Err(EntryError::TooFew { least: 1, actual: 0 }));
    check(fruit.clone(), Entry::Choices(vec![0, 1, 2]), Err(EntryError::TooMany { most: 2, actual: 3 }));
    check(fruit.clone(), Entry::Choices(vec![2, 0]), Err(EntryError::WrongKind));
    check(fruit.clone(), Entry::Choices(vec![0, 0]), Err(EntryError::WrongKind));
    check(fruit, Entry::Choices(vec![3]), Err(EntryError::WrongKind));
}

#[test]
fn e19_deliberate_empty_text_is_sent_and_blanks_are_not() {
    let form = Form::read(&json!({"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "number"}}}))
        .expect("a form");
    let content = |entries: &[Entry]| Value::Object(form.content_of(entries).expect("content"));
    assert_eq!(content(&form.initial_entries()), json!({}));
    assert_eq!(content(&[text(""), Entry::Blank]), json!({"q": ""}));
    assert_eq!(content(&[Entry::Blank, text("")]), json!({}));
    check(json!({"type": "string"}), text(""), Ok(json!("")));
    check(json!({"type": "string"}), Entry::Blank, Err(EntryError::Required));
    check(json!({"type": "string", "minLength": 1}), text(""), Err(EntryError::TooShort { least: 1, actual: 0 }));
}

#[test]
fn e20_text_or_a_number_is_told_by_how_it_is_written() {
    let decimal = json!({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]});
    for (typed, sent) in [
        ("9.90", json!(9.9)),
        (" 7 ", json!(7)),
        ("\"9.90\"", json!("9.90")),
        ("a lot", json!("a lot")),
        ("1e400", json!("1e400")),
        ("true", json!("true")),
        ("\"open", json!("\"open")),
    ] {
        check(decimal.clone(), text(typed), Ok(sent));
    }
    check(decimal.clone(), text(""), Err(EntryError::Required));
    let form = Form::read(&json!({"properties": {"x": decimal}})).expect("a form");
    assert!(form.content_of(&[text("-1")]).is_err(), "the number's own limits are the validator's business");
    check(json!({"type": ["string", "integer"]}), text("1.5"), Ok(json!("1.5")));
    check(json!({"type": ["string", "integer"]}), text("1.0"), Ok(json!(1)));
    let switch = json!({"type": ["boolean", "integer"]});
    check(switch.clone(), text("true"), Ok(json!(true)));
    check(switch.clone(), text("3"), Ok(json!(3)));
    check(switch, text("yes"), Err(EntryError::NotNumber));
    for default in [json!("9.90"), json!(9.9), json!("x"), json!("true"), json!("\"x\"")] {
        let schema = json!({"properties": {"x": {"type": ["string", "number"], "default": default}}});
        let form = Form::read(&schema).expect("a form");
        assert_eq!(form.content_of(&form.initial_entries()).map(|content| content["x"].clone()), Ok(default));
    }
    let price = json!({"properties": {"x": {"type": ["string", "number"], "default": "9.90"}}});
    assert_eq!(Form::read(&price).expect("a form").initial_entries(), [text("9.90")]);
}

#[test]
fn e21_lists_are_entered_line_by_line() {
    let names = json!({"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 2});
    check(names.clone(), text("Ada\n\nBob \r\n"), Ok(json!(["Ada", "Bob "])));
    check(names.clone(), text("[\"Ada\", \"\"]"), Ok(json!(["Ada", ""])));
    check(names.clone(), text("[]"), Ok(json!([])));
    check(names.clone(), text("[Ada"), Ok(json!(["[Ada"])));
    check(names.clone(), text(" \n"), Err(EntryError::Required));
    check(names.clone(), text("a\nb\nc"), Err(EntryError::TooMany { most: 2, actual: 3 }));
    let long = EntryError::Item { number: 2, error: Box::new(EntryError::TooLong { most: 5, actual: 6 }) };
    check(names, text("a\nbbbbbb"), Err(long));
    let days = json!({"type": "array", "items": {"type": "string", "format": "date"}});
    check(days.clone(), text(" 2026-07-28 \n2026-07-29"), Ok(json!(["2026-07-28", "2026-07-29"])));
    let wrong = EntryError::Item { number: 1, error: Box::new(EntryError::NotDate) };
    check(days, text("tomorrow"), Err(wrong));
    check(json!({"type": "array", "items": {"type": "integer"}}), text("1\n2.0"), Ok(json!([1, 2])));
}

#[test]
fn e21_nested_objects_are_entered_as_json_and_validated() {
    let address = json!({"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]});
    check(address.clone(), text("{\"zip\": \"1\"}"), Ok(json!({"zip": "1"})));
    check(address.clone(), text("[1]"), Err(EntryError::WrongKind));
    check(address.clone(), Entry::Blank, Err(EntryError::Required));
    let form = Form::read(&json!({"type": "object", "properties": {"x": address}})).expect("a form");
    let errors = form.content_of(&[text("{}")]).expect_err("zip is missing");
    assert_eq!(errors[0].key.as_deref(), Some("x"));
    assert!(matches!(&errors[0].error, EntryError::Schema { detail } if detail.contains("zip")), "{errors:?}");
    assert!(matches!(form.value_of(0, &text("{")), Err(EntryError::NotJson { .. })));
}

#[test]
fn e21_what_only_the_schema_knows_of_a_field_is_said_at_that_field() {
    let zip = json!({"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]});
    let days = json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true});
    let schema =
        json!({"properties": {"addr": zip, "days": days, "name": {"type": "string"}}, "required": ["addr", "name"]});
    let form = Form::read(&schema).expect("a form");
    let outcome = |field: usize, typed: &str| form.check_entry(field, &text(typed));
    assert!(matches!(outcome(0, r#"{"zip": 7}"#), Err(EntryError::Schema { .. })));
    assert!(outcome(0, "{}").is_err());
    // That the other field is missing is not this one's fault.
    assert_eq!(outcome(0, r#"{"zip": "08001"}"#), Ok(Some(json!({"zip": "08001"}))));
    assert!(outcome(1, "mon\nmon").is_err());
    assert_eq!(outcome(1, "mon\ntue"), Ok(Some(json!(["mon", "tue"]))));
    assert_eq!(outcome(2, "Ada"), Ok(Some(json!("Ada"))));
    assert_eq!(form.check_entry(0, &Entry::Blank), Err(EntryError::Required));
}
