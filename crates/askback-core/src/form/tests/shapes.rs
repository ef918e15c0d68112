//! The shapes that servers really send, and the fields that they become.

use serde_json::{Map, Value, json};

use crate::form::{
    Choice, Entry, EntryError, Field, FieldKind, FieldNote, Form, FormError, JsonReason, ScalarType, TextFormat,
    Unanswerable,
};

fn form_of(properties: Value) -> Form {
    Form::read(&json!({"type": "object", "properties": properties})).expect("a form")
}

/// A property's schema, the kind of field that it becomes, and what is said about it.
#[track_caller]
fn check(schema: Value, kind: FieldKind, notes: &[FieldNote]) {
    let form = form_of(json!({"x": schema}));
    assert_eq!(form.fields.len(), 1);
    assert_eq!(form.fields[0].kind, kind, "{schema}");
    assert_eq!(form.fields[0].notes, notes, "{schema}");
}

fn choice(choices: &[(Value, &str)]) -> FieldKind {
    let choices = choices.iter().map(|(value, label)| Choice { value: value.clone(), label: (*label).to_owned() });
    FieldKind::Choice { choices: choices.collect() }
}

fn plain_text() -> FieldKind {
    FieldKind::Text { min_length: None, max_length: None, pattern: None, format: None }
}

fn integer() -> FieldKind {
    FieldKind::Number { integer: true, bounds: Default::default() }
}

#[track_caller]
fn untouched(form: &Form) -> Value {
    form.content_of(&form.initial_entries()).map(Value::Object).expect("content")
}

#[test]
fn e03_a_confirmation_has_no_fields() {
    for schema in [json!({"type": "object", "properties": {}}), json!({"type": "object"}), json!({})] {
        let form = Form::read(&schema).expect("a form");
        assert_eq!(form.fields, []);
        assert_eq!(untouched(&form), json!({}));
        assert_eq!(form.unanswerable, None);
    }
    for schema in [json!(true), json!([]), json!("object"), json!(null), json!({"type": "string"})] {
        assert!(matches!(Form::read(&schema), Err(FormError::Invalid { .. })), "{schema}");
    }
}

#[test]
fn e07_enum_names_of_any_length() {
    let names = |names: Value| json!({"type": "string", "enum": ["p1", "p2"], "enumNames": names});
    check(names(json!(["Cat", "Dog"])), choice(&[(json!("p1"), "Cat"), (json!("p2"), "Dog")]), &[]);
    let short = choice(&[(json!("p1"), "Cat"), (json!("p2"), "p2")]);
    check(names(json!(["Cat"])), short, &[FieldNote::NamesDoNotFit]);
    let long = choice(&[(json!("p1"), "Cat"), (json!("p2"), "Dog")]);
    check(names(json!(["Cat", "Dog", "Eel"])), long, &[FieldNote::NamesDoNotFit]);
    check(names(json!([7, ""])), choice(&[(json!("p1"), "p1"), (json!("p2"), "p2")]), &[]);
    check(names(json!(["Cat", "Cat"])), choice(&[(json!("p1"), "Cat (p1)"), (json!("p2"), "Cat (p2)")]), &[]);
}

#[test]
fn e08_the_raw_schema_is_kept_and_used() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "title": "T", "additionalProperties": false,
        "properties": {"code": {"type": "string", "pattern": "^[A-Z]{3}$", "examples": ["ABC"], "x-unknown": 1}}
    });
    let form = Form::read(&schema).expect("a form");
    assert_eq!(form.schema, schema);
    assert_eq!(form.title.as_deref(), Some("T"));
    assert_eq!(form.schema_note, None);
    let content: Map<String, Value> = [("other".to_owned(), json!(1))].into_iter().collect();
    assert_eq!(form.check(&content).expect_err("not allowed").len(), 1);
}

#[test]
fn e08_unknown_dialects_are_read_as_the_newest_and_noted() {
    let form = Form::read(
        &json!({"$schema": "https://dialects.example/x", "type": "object", "properties": {"x": {"type": "string"}}}),
    )
    .expect("a form");
    assert!(form.schema_note.is_some_and(|note| note.contains("dialects.example")));
}

#[test]
fn e09_titled_choices_without_a_type() {
    let expected = choice(&[(json!("lo"), "Low"), (json!("hi"), "High")]);
    for keyword in ["oneOf", "anyOf"] {
        let schema = json!({keyword: [{"const": "lo", "title": "Low"}, {"const": "hi", "title": "High"}]});
        check(schema, expected.clone(), &[]);
    }
    check(json!({"enum": ["lo", "hi"]}), choice(&[(json!("lo"), "lo"), (json!("hi"), "hi")]), &[]);
    check(
        json!({"enum": [1, 2.5, "x", true]}),
        choice(&[(json!(1), "1"), (json!(2.5), "2.5"), (json!("x"), "x"), (json!(true), "true")]),
        &[],
    );
    check(json!({"type": "integer", "enum": [1, 2, "x"]}), choice(&[(json!(1), "1"), (json!(2), "2")]), &[]);
    check(json!({"oneOf": [{"const": "only", "title": "Only"}]}), choice(&[(json!("only"), "Only")]), &[]);
}

#[test]
fn e10_local_references_become_choices() {
    let defs = json!({
        "S": {"type": "string", "enum": ["todo", "done"], "title": "State"},
        "Deep": {"$ref": "#/$defs/S"},
        "a/b c": {"$ref": "#/$defs/Deep"}
    });
    let expected = choice(&[(json!("todo"), "todo"), (json!("done"), "done")]);
    for (property, default) in [
        (json!({"$ref": "#/$defs/S"}), None),
        (json!({"allOf": [{"$ref": "#/$defs/S"}], "default": "done"}), Some(json!("done"))),
        (json!({"$ref": "#/$defs/a~1b%20c"}), None),
        (json!({"anyOf": [{"$ref": "#/$defs/S"}, {"type": "null"}], "default": null}), None),
    ] {
        let schema = json!({"type": "object", "properties": {"s": property}, "$defs": defs});
        let form = Form::read(&schema).expect("a form");
        assert_eq!(form.fields[0].kind, expected, "{schema}");
        assert_eq!(form.fields[0].title.as_deref(), Some("State"));
        assert_eq!(form.fields[0].default, default);
        assert_eq!(form.fields[0].notes, []);
        assert_eq!(form.schema_note, None);
    }
}

#[test]
fn e10_fields_of_one_type_are_told_apart() {
    let size = json!({"enum": ["s", "l"], "title": "Size"});
    let form = form_of(json!({
        "from": size, "to": size, "note": {"type": "string", "title": "Note"}, "a": {"title": " "}, "b": {"title": " "}
    }));
    let titles: Vec<_> = form.fields.iter().map(|field| field.title.as_deref()).collect();
    assert_eq!(titles, [Some("Size (from)"), Some("Size (to)"), Some("Note"), Some(" "), Some(" ")]);
}

#[test]
fn e10_references_that_lead_astray() {
    let read = |schema: Value| Form::read(&schema);
    let remote = read(json!({"type": "object", "properties": {"s": {"$ref": "https://schemas.example/x.json"}}}));
    assert_eq!(
        remote,
        Err(FormError::RemoteReference {
            path: "requestedSchema.properties.s.$ref".into(),
            target: "https://schemas.example/x.json".into()
        })
    );
    let hidden = read(
        json!({"type": "object", "properties": {"o": {"type": "object", "properties": {"s": {"$ref": "file:///etc/passwd"}}}}}),
    );
    assert!(matches!(hidden, Err(FormError::RemoteReference { .. })), "{hidden:?}");
    for looping in [
        json!({"type": "object", "properties": {"s": {"$ref": "#/properties/s"}}}),
        json!({"type": "object", "properties": {"s": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"$ref": "#"}),
        json!({"type": "object", "properties": {"s": {"anyOf": [{"$ref": "#/properties/s"}, {"type": "null"}]}}}),
    ] {
        assert!(
            matches!(&read(looping.clone()), Err(FormError::Invalid { what, .. }) if what.contains("itself")),
            "{looping}"
        );
    }
    let nowhere = json!({"type": "object", "properties": {"s": {"$ref": "#/$defs/S"}}});
    let form = read(nowhere.clone()).expect("a form");
    assert_eq!(form.fields[0].kind, FieldKind::Json { why: JsonReason::Anything });
    assert!(form.schema_note.is_some());
    assert_eq!(form.unanswerable, None);
    let mut required = nowhere;
    required["required"] = json!(["s"]);
    assert_eq!(read(required).expect("a form").unanswerable, Some(Unanswerable::NoValue { key: "s".into() }));
    // A tree within the form is recursive, but does not lead back to itself without going down.
    let tree = read(json!({"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}},
        "$defs": {"T": {"type": "object", "properties": {"child": {"$ref": "#/$defs/T"}, "n": {"type": "integer"}}}}}))
    .expect("a form");
    assert_eq!(tree.fields[0].kind, FieldKind::Json { why: JsonReason::Object });
    assert!(tree.content_of(&[Entry::Text(r#"{"child": {"child": {"n": 1}}}"#.into())]).is_ok());
    assert!(tree.content_of(&[Entry::Text(r#"{"child": {"child": {"n": "x"}}}"#.into())]).is_err());
}

#[test]
fn e11_nullable_fields_are_optional_fields() {
    let form = form_of(json!({
        "nick": {"anyOf": [{"type": "string", "maxLength": 20}, {"type": "null"}], "default": null, "title": "Nick"},
        "n": {"type": ["integer", "null"]},
        "e": {"enum": ["a", null]},
        "many": {"anyOf": [{"type": "array", "items": {"enum": ["x", "y"]}}, {"type": "null"}]}
    }));
    let kinds: Vec<&FieldKind> = form.fields.iter().map(|field| &field.kind).collect();
    assert_eq!(*kinds[0], FieldKind::Text { min_length: None, max_length: Some(20), pattern: None, format: None });
    assert_eq!(*kinds[1], integer());
    assert_eq!(*kinds[2], choice(&[(json!("a"), "a")]));
    assert!(matches!(kinds[3], FieldKind::Choices { choices, .. } if choices.len() == 2));
    assert!(form.fields.iter().all(|field| field.default.is_none() && field.notes.is_empty()));
    assert_eq!(form.fields[0].title.as_deref(), Some("Nick"));
    assert_eq!(untouched(&form), json!({}));
    let typed = [Entry::Text("Bo".into()), Entry::Text("3".into()), Entry::Choice(0), Entry::Choices(vec![1])];
    let content = form.content_of(&typed).map(Value::Object);
    assert_eq!(content, Ok(json!({"nick": "Bo", "n": 3, "e": "a", "many": ["y"]})));
    let null: Map<String, Value> = [("n".to_owned(), json!(null))].into_iter().collect();
    assert!(form.check(&null).is_err());
}

#[test]
fn e12_lists_of_choices() {
    for items in [
        json!({"type": "string", "enum": ["a", "b"]}),
        json!({"anyOf": [{"const": "a", "title": "a"}, {"const": "b", "title": "b"}]}),
        json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
        json!({"enum": ["a", "b"]}),
    ] {
        let form =
            form_of(json!({"x": {"type": "array", "items": items, "minItems": 1, "maxItems": 2.0, "default": ["b"]}}));
        let choices =
            vec![Choice { value: json!("a"), label: "a".into() }, Choice { value: json!("b"), label: "b".into() }];
        assert_eq!(form.fields[0].kind, FieldKind::Choices { choices, min_items: Some(1), max_items: Some(2) });
        assert_eq!(form.initial_entries(), [Entry::Choices(vec![1])]);
        assert_eq!(untouched(&form), json!({"x": ["b"]}));
    }
}

#[test]
fn e13_all_kinds_have_fields() {
    let number = FieldKind::Number { integer: false, bounds: Default::default() };
    check(json!({"type": "string"}), plain_text(), &[]);
    check(json!({"type": "number"}), number.clone(), &[]);
    check(json!({"type": ["integer", "number"]}), number, &[]);
    check(json!({"type": "integer"}), integer(), &[]);
    check(json!({"type": "boolean"}), FieldKind::Boolean, &[]);
    check(
        json!({"minLength": 1}),
        FieldKind::Text { min_length: Some(1), max_length: None, pattern: None, format: None },
        &[],
    );
    check(
        json!({"anyOf": [{"type": "string", "format": "email"}, {"type": "string", "format": "uri"}]}),
        plain_text(),
        &[],
    );
    check(json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "string"}]}), plain_text(), &[]);
    check(json!({"type": "string", "oneOf": [{"format": "email"}, {"pattern": "^x"}]}), plain_text(), &[]);
}

#[test]
fn e15_untouched_booleans() {
    let form = form_of(json!({"a": {"type": "boolean"}, "c": {"type": "boolean", "default": true}}));
    assert_eq!(form.initial_entries(), [Entry::Blank, Entry::Boolean(true)]);
    assert_eq!(untouched(&form), json!({"c": true}));
    let required = Form::read(&json!({"properties": {"b": {"type": "boolean"}}, "required": ["b"]})).expect("a form");
    let errors = required.content_of(&required.initial_entries()).expect_err("nobody has chosen");
    assert_eq!(
        errors.iter().map(|error| (error.key.as_deref(), &error.error)).collect::<Vec<_>>(),
        [(Some("b"), &EntryError::Required)]
    );
}

#[test]
fn e16_nothing_is_chosen_beforehand() {
    let schema = json!({"properties": {"choice": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]}}, "required": ["choice"]});
    let form = Form::read(&schema).expect("a form");
    assert_eq!(form.initial_entries(), [Entry::Blank]);
    assert!(form.content_of(&[Entry::Blank]).is_err());
    assert!(form.content_of(&[]).is_err());
}

#[test]
fn e17_defaults_are_kept_unless_they_do_not_fit() {
    let form = form_of(json!({
        "n": {"type": "integer", "default": 0},
        "f": {"type": "boolean", "default": false},
        "s": {"type": "string", "default": ""},
        "e": {"type": "string", "enum": ["x", "y"], "default": "y"},
        "m": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "default": []},
        "o": {"type": "object", "required": ["a"], "default": {"a": 1}},
        "bad": {"type": "integer", "default": "seven"},
        "low": {"type": "integer", "minimum": 5, "default": 4},
        "out": {"type": "string", "enum": ["x"], "default": "z"},
        "few": {"type": "object", "required": ["a"], "default": {}},
        "not": {"type": "string", "not": {"const": "no"}, "default": "no"}
    }));
    assert_eq!(untouched(&form), json!({"n": 0, "f": false, "s": "", "e": "y", "m": [], "o": {"a": 1}}));
    let notes: Vec<_> = form
        .fields
        .iter()
        .filter(|field| !field.notes.is_empty())
        .map(|field| (field.key.as_str(), &field.notes[0]))
        .collect();
    let ignored = |default: &str| FieldNote::DefaultIgnored { default: default.into() };
    assert_eq!(
        notes,
        [
            ("bad", &ignored("\"seven\"")),
            ("low", &ignored("4")),
            ("out", &ignored("\"z\"")),
            ("few", &ignored("{}")),
            ("not", &ignored("\"no\""))
        ]
    );
}

#[test]
fn e21_what_has_no_control_is_entered_as_json() {
    let json_field = |why| FieldKind::Json { why };
    check(json!({"type": "object", "properties": {"zip": {"type": "string"}}}), json_field(JsonReason::Object), &[]);
    check(json!({"type": "array", "items": {"type": "object"}}), json_field(JsonReason::List), &[]);
    check(json!({"type": "array", "items": {"type": "boolean"}}), json_field(JsonReason::List), &[]);
    check(json!({"type": "array", "prefixItems": [{"type": "number"}]}), json_field(JsonReason::List), &[]);
    check(json!({"type": "array"}), json_field(JsonReason::List), &[]);
    check(json!({"type": ["string", "array"]}), json_field(JsonReason::Alternatives), &[]);
    check(json!({"anyOf": [{"type": "string"}, {"type": "object"}]}), json_field(JsonReason::Alternatives), &[]);
    check(json!({"allOf": [{"type": "string"}, {"type": "integer"}]}), json_field(JsonReason::Alternatives), &[]);
    check(json!({"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]}), json_field(JsonReason::Alternatives), &[]);
    check(json!(true), json_field(JsonReason::Anything), &[]);
    check(json!({}), json_field(JsonReason::Anything), &[]);
    check(json!({"type": "null"}), json_field(JsonReason::Anything), &[]);
}

#[test]
fn e21_one_line_is_enough_for_text_or_a_number() {
    use ScalarType::{Boolean, Integer, Number, Text};
    let scalar = |types: &[ScalarType]| FieldKind::Scalar { types: types.to_vec() };
    check(json!({"anyOf": [{"type": "number"}, {"type": "string"}]}), scalar(&[Number, Text]), &[]);
    check(json!({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}]}), scalar(&[Number, Text]), &[]);
    check(json!({"type": ["string", "integer"]}), scalar(&[Integer, Text]), &[]);
    check(json!({"type": ["boolean", "number", "null"]}), scalar(&[Boolean, Number]), &[]);
    check(json!({"anyOf": [{"enum": ["a", "b"]}, {"type": "integer"}]}), scalar(&[Integer, Text]), &[]);
    check(
        json!({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]}),
        scalar(&[Number, Text]),
        &[],
    );
}

#[test]
fn e21_lists_of_lines() {
    let list = |item, min_items, max_items| FieldKind::List { item: Box::new(item), min_items, max_items };
    check(json!({"type": "array", "items": {"type": "string"}, "minItems": 1}), list(plain_text(), Some(1), None), &[]);
    check(json!({"items": {"type": "integer"}, "maxItems": 3}), list(integer(), None, Some(3)), &[]);
    let day = FieldKind::Text { min_length: None, max_length: None, pattern: None, format: Some(TextFormat::Date) };
    check(json!({"type": "array", "items": {"type": "string", "format": "date"}}), list(day, None, None), &[]);
    let note = FieldNote::UnknownFormat { format: "uuid".into() };
    check(
        json!({"type": "array", "items": {"type": "string", "format": "uuid"}}),
        list(plain_text(), None, None),
        &[note],
    );
    let form = form_of(json!({
        "none": {"type": "array", "items": {"type": "string"}, "default": []},
        "two": {"type": "array", "items": {"type": "string"}, "default": ["a b", "c"]},
        "odd": {"type": "array", "items": {"type": "string"}, "default": ["a\nb", ""]},
        "bad": {"type": "array", "items": {"type": "string"}, "default": [1]}
    }));
    let texts: Vec<_> = ["[]", "a b\nc", "[\"a\\nb\",\"\"]"].map(|text| Entry::Text(text.into())).into();
    assert_eq!(form.initial_entries()[..3], texts);
    assert_eq!(untouched(&form), json!({"none": [], "two": ["a b", "c"], "odd": ["a\nb", ""]}));
    assert_eq!(form.fields[3].notes, [FieldNote::DefaultIgnored { default: "[1]".into() }]);
}

#[test]
fn e18_of_two_limits_the_first_is_drawn_and_both_are_checked() {
    let both = json!({"type": "string", "allOf": [{"pattern": "^ORD-"}, {"pattern": "-EU$"}]});
    let kind = FieldKind::Text { min_length: None, max_length: None, pattern: Some("^ORD-".into()), format: None };
    check(both.clone(), kind, &[]);
    let form = form_of(json!({"x": both}));
    let errors = form.content_of(&[Entry::Text("ORD-7".into())]).expect_err("the end is missing");
    assert_eq!(errors[0].error, EntryError::PatternMismatch { pattern: "-EU$".into() });
    assert!(form.content_of(&[Entry::Text("ORD-7-EU".into())]).is_ok());
}

#[test]
fn parts_that_each_allow_only_their_own_properties_cannot_be_answered() {
    let part = |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key], "additionalProperties": false});
    let form = Form::read(&json!({"allOf": [part("a"), part("b")]})).expect("a form");
    assert_eq!(form.fields.len(), 2);
    assert_eq!(form.unanswerable, Some(Unanswerable::RequiredButNotAllowed { key: "a".into() }));
    let same = Form::read(&json!({"allOf": [part("a"), part("a")]})).expect("a form");
    assert_eq!(same.unanswerable, None);
}

#[test]
fn e41_an_unknown_format_is_no_error() {
    let note = FieldNote::UnknownFormat { format: "ipv4".into() };
    check(json!({"type": "string", "format": "ipv4"}), plain_text(), &[note]);
    let form = form_of(json!({"x": {"type": "string", "format": "ipv4"}}));
    assert!(form.content_of(&[Entry::Text("not an address".into())]).is_ok());
}

#[test]
fn a_constant_is_a_choice_of_one() {
    let schema = json!({"properties": {
        "v": {"const": "v1"}, "agree": {"type": "boolean", "const": true}, "opt": {"const": 7}
    }, "required": ["v", "agree"]});
    let form = Form::read(&schema).expect("a form");
    assert_eq!(form.fields[0].kind, choice(&[(json!("v1"), "v1")]));
    assert!(form.fields.iter().all(|field| field.notes == [FieldNote::Fixed]));
    assert_eq!(form.initial_entries(), [Entry::Choice(0), Entry::Blank, Entry::Blank]);
    let content = form.content_of(&[Entry::Choice(0), Entry::Choice(0)]).map(Value::Object);
    assert_eq!(content, Ok(json!({"v": "v1", "agree": true})));
}

#[test]
fn a_schema_that_no_answer_satisfies_says_so() {
    let no_value = |property: Value| {
        Form::read(&json!({"properties": {"x": property}, "required": ["x"]})).expect("a form").unanswerable
    };
    for property in [
        json!({"enum": []}),
        json!({"type": "string", "enum": []}),
        json!({"type": "string", "minLength": 3, "maxLength": 2}),
        json!({"type": "integer", "minimum": 3, "maximum": 2}),
        json!({"type": "integer", "minimum": 2.1, "maximum": 2.9}),
        json!({"type": "integer", "exclusiveMinimum": 2, "exclusiveMaximum": 3}),
        json!({"type": "number", "exclusiveMinimum": 2, "maximum": 2}),
        json!({"type": "array", "items": {"enum": ["a"]}, "minItems": 2, "uniqueItems": true}),
        json!({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 1}),
        json!(false),
        json!({"type": "string", "const": 1}),
        json!({"type": "integer", "exclusiveMinimum": -1, "exclusiveMaximum": 0}),
    ] {
        assert_eq!(no_value(property.clone()), Some(Unanswerable::NoValue { key: "x".into() }), "{property}");
    }
    for property in [
        json!({"type": "integer", "minimum": 2.5, "maximum": 3}),
        json!({"type": "number", "minimum": 2, "maximum": 2}),
    ] {
        assert_eq!(no_value(property), None);
    }
    let missing = json!({"properties": {}, "required": ["ghost"], "additionalProperties": false});
    let form = Form::read(&missing).expect("a form");
    assert_eq!(form.unanswerable, Some(Unanswerable::RequiredButNotAllowed { key: "ghost".into() }));
    assert!(form.content_of(&[]).is_err());
}

#[test]
fn a_required_property_without_a_schema_gets_a_field_at_the_end() {
    let schema = json!({"properties": {"a": {"type": "string"}}, "required": ["ghost"], "additionalProperties": {"type": "integer"}});
    let form = Form::read(&schema).expect("a form");
    assert_eq!(form.fields.iter().map(|field| field.key.as_str()).collect::<Vec<_>>(), ["a", "ghost"]);
    assert_eq!(form.fields[1].kind, integer());
    let plain = Form::read(&json!({"properties": {}, "required": ["ghost"]})).expect("a form");
    assert_eq!(plain.fields[0].kind, FieldKind::Json { why: JsonReason::Anything });
    assert!(plain.fields[0].required);
}

#[test]
fn keywords_of_old_drafts_are_understood() {
    let form = form_of(json!({
        "a": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
        "b": {"type": "string", "required": true},
        "c": {"type": "string", "minLength": 2}
    }));
    assert!(form.fields[1].required);
    assert!(form.schema_note.is_some(), "what is no valid JSON Schema is noted");
    let content =
        |a: &str, c: &str| form.content_of(&[Entry::Text(a.into()), Entry::Text("b".into()), Entry::Text(c.into())]);
    assert!(content("1", "cc").is_ok());
    assert_eq!(content("0", "cc").expect_err("excluded").len(), 1);
    assert_eq!(content("1", "c").expect_err("short").len(), 1);
    let old = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}});
    assert_eq!(Form::read(&old).expect("a form").schema_note, None);
}

#[test]
fn unusable_patterns_are_noted_and_the_rest_is_still_checked() {
    let pattern = "[0-9";
    let form = Form::read(&json!({
        "type": "object",
        "properties": {"x": {"type": "string", "pattern": pattern, "minLength": 2}, "y": {"type": "object", "required": ["z"]}}
    }))
    .expect("a form");
    assert_eq!(form.fields[0].notes, [FieldNote::PatternUnusable { pattern: pattern.into() }]);
    assert_eq!(form.schema_note, None);
    assert!(form.content_of(&[Entry::Text("no digits".into()), Entry::Blank]).is_ok());
    assert!(form.content_of(&[Entry::Text("n".into()), Entry::Blank]).is_err());
    assert!(form.content_of(&[Entry::Blank, Entry::Text("{}".into())]).is_err());
}

#[test]
fn e18_patterns_that_look_around_are_checked_within_reason() {
    let pattern = "^(?=.*[0-9])(?!.*\\.\\.).+$";
    let form = form_of(
        json!({"x": {"type": "string", "pattern": pattern}, "y": {"type": "string", "pattern": "^(a|a)*\\1b$"}}),
    );
    assert!(form.fields.iter().all(|field| field.notes.is_empty()));
    let outcome = |x: &str, y: &str| form.content_of(&[Entry::Text(x.into()), Entry::Text(y.into())]);
    assert!(outcome("a1", "aab").is_ok());
    assert_eq!(
        outcome("a", "aab").expect_err("no digit")[0].error,
        EntryError::PatternMismatch { pattern: pattern.into() }
    );
    assert!(outcome("a..1", "aab").is_err());
    // What would take for ever is let through: the server judges in the end.
    assert!(outcome("a1", &format!("{}!", "a".repeat(400))).is_ok());
    assert!(outcome(&"a".repeat(501), "aab").is_ok());
}

#[test]
fn e13_the_limits_of_javascript_are_not_drawn_but_checked() {
    let limit = 9_007_199_254_740_991_i64;
    let whole = json!({"type": "integer", "minimum": -limit, "maximum": limit});
    check(whole.clone(), integer(), &[]);
    let form = form_of(json!({"x": whole}));
    assert!(form.content_of(&[Entry::Text("9007199254740991".into())]).is_ok());
    assert!(form.content_of(&[Entry::Text("9007199254740992".into())]).is_err());
    let unfit = form_of(json!({"x": {"type": "integer", "maximum": limit, "default": 9_007_199_254_740_992_i64}}));
    assert_eq!(unfit.fields[0].default, None);
}

#[test]
fn properties_of_parts_are_gathered() {
    let form = Form::read(&json!({
        "$ref": "#/$defs/Model",
        "$defs": {
            "Model": {"allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"$ref": "#/$defs/More"}
            ]},
            "More": {"type": "object", "properties": {"b": {"type": "integer"}}}
        }
    }))
    .expect("a form");
    let fields: Vec<_> = form.fields.iter().map(|field| (field.key.as_str(), field.required)).collect();
    assert_eq!(fields, [("a", true), ("b", false)]);
    let alternatives = json!({"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]});
    assert!(matches!(Form::read(&alternatives), Err(FormError::Invalid { .. })));
}

#[test]
fn odd_keys_come_back_as_they_are() {
    let form = form_of(
        json!({"": {"type": "string"}, "__proto__": {"type": "string"}, "a.b/c~d": {"type": "string", "not": {"const": "x"}}, "键": {"type": "string"}}),
    );
    let x = Entry::Text("x".into());
    let errors = form.content_of(&[x.clone(), x.clone(), x.clone(), x.clone()]).expect_err("one is refused");
    assert_eq!(errors.iter().map(|error| error.key.as_deref()).collect::<Vec<_>>(), [Some("a.b/c~d")]);
    let content = form.content_of(&[x.clone(), x.clone(), Entry::Blank, x]).expect("content");
    assert_eq!(content.keys().collect::<Vec<_>>(), ["", "__proto__", "键"]);
}

/// The form as a person would be shown it, one line a field.
fn drawn(form: &Form) -> String {
    let line = |field: &Field| {
        let required = if field.required { "*" } else { "" };
        format!(
            "{:?}{required} title={:?} {:?} default={:?} notes={:?}",
            field.key, field.title, field.kind, field.default, field.notes
        )
    };
    let mut lines: Vec<String> = form.fields.iter().map(line).collect();
    lines.push(format!("unanswerable: {:?}", form.unanswerable));
    lines.push(format!("note: {:?}", form.schema_note));
    lines.join("\n")
}

fn nasty() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "T", "additionalProperties": false,
        "properties": {
            "": {"type": "string", "title": "empty key"},
            "名前": {"type": "string", "minLength": 1, "maxLength": 4},
            "opt": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
            "n": {"type": "integer", "default": 0, "minimum": 0.0, "maximum": 10.0},
            "f": {"type": "boolean", "default": false},
            "one": {"type": "string", "oneOf": [{"const": "", "title": "(none)"}, {"const": "x", "title": ""}]},
            "old": {"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha"]},
            "many": {"type": "array", "items": {"anyOf": [{"const": "x", "title": "Same"}, {"const": "y", "title": "Same"}]}, "minItems": 0, "maxItems": 1},
            "when": {"type": "string", "format": "date-time"},
            "ghost": {"type": "string"}
        },
        "required": ["n", "not_in_properties"]
    })
}

#[test]
fn the_nasty_form_is_drawn() {
    insta::assert_snapshot!(drawn(&Form::read(&nasty()).expect("a form")));
}

#[test]
fn the_nasty_form_answers_once_its_contradiction_is_gone() {
    let mut schema = nasty();
    schema["required"] = json!(["n"]);
    assert_eq!(untouched(&Form::read(&schema).expect("a form")), json!({"n": 0, "f": false}));
    let mut open = nasty();
    open["additionalProperties"] = json!(true);
    let form = Form::read(&open).expect("a form");
    assert_eq!(form.fields.last().map(|field| (field.key.as_str(), field.required)), Some(("not_in_properties", true)));
    let mut entries = form.initial_entries();
    assert!(form.content_of(&entries).is_err());
    *entries.last_mut().expect("fields") = Entry::Text("[1]".into());
    assert!(form.content_of(&entries).is_ok());
}
