//! Whatever the schema and whatever is typed: nothing panics, and what goes out satisfies the schema, as judged by a validator that is
//! set up here and not by the code under test.

use askback_core::form::{Entry, FieldKind, Form};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn one_of(values: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    proptest::sample::select(values.to_vec()).prop_map(str::to_owned)
}

fn text_schema() -> impl Strategy<Value = Value> {
    let format = proptest::option::of(one_of(&["email", "uri", "date", "date-time", "hostname"]));
    let pattern = proptest::option::weighted(0.3, one_of(&["^[a-z]*$", "\\d", "(?=x)x"]));
    let default = proptest::option::of(typed_text());
    (proptest::option::of(0_u8..4), proptest::option::of(0_u8..6), format, pattern, default).prop_map(
        |(least, most, format, pattern, default)| {
            keep(json!({"type": "string", "minLength": least, "maxLength": most, "format": format, "pattern": pattern,
                "default": default}))
        },
    )
}

fn number_schema() -> impl Strategy<Value = Value> {
    let number = prop_oneof![(-20_i64..20).prop_map(|n| json!(n)), (-20.0_f64..20.0).prop_map(|n| json!(n))];
    let bound = proptest::option::weighted(0.3, number);
    let multiple = proptest::option::weighted(0.3, proptest::sample::select(vec![json!(2), json!(0.5), json!(5)]));
    (any::<bool>(), bound.clone(), bound.clone(), bound.clone(), bound.clone(), multiple, bound).prop_map(
        |(integer, least, most, above, below, multiple, default)| {
            let name = if integer { "integer" } else { "number" };
            keep(json!({"type": name, "minimum": least, "maximum": most, "exclusiveMinimum": above,
                "exclusiveMaximum": below, "multipleOf": multiple, "default": default}))
        },
    )
}

fn constant() -> impl Strategy<Value = Value> + Clone {
    let values = vec![json!(""), json!("a"), json!("b"), json!(1), json!(1.5), json!(true), json!(null)];
    proptest::sample::select(values)
}

fn choice_schema() -> impl Strategy<Value = Value> {
    let constants = proptest::collection::vec(constant(), 0..5);
    let names = proptest::option::of(proptest::collection::vec("[ab ]{0,2}", 0..5));
    prop_oneof![
        (constants.clone(), names, proptest::option::of(constant()))
            .prop_map(|(values, names, default)| keep(json!({"enum": values, "enumNames": names, "default": default}))),
        constants.prop_map(|values| {
            let part = |value| json!({"const": value, "title": "T"});
            let parts: Vec<Value> = unique(values).into_iter().map(part).collect();
            if parts.is_empty() { json!({"type": "string"}) } else { json!({"oneOf": parts}) }
        }),
        constant().prop_map(|value| json!({"const": value})),
    ]
}

fn choices_schema() -> impl Strategy<Value = Value> {
    let constants = proptest::collection::vec(constant(), 1..5);
    (constants, proptest::option::of(0_u8..3), proptest::option::of(0_u8..4), any::<bool>()).prop_map(
        |(values, least, most, distinct)| {
            keep(json!({"type": "array", "items": {"enum": unique(values)}, "minItems": least, "maxItems": most,
                "uniqueItems": distinct}))
        },
    )
}

fn other_schema() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"type": "boolean"}),
        json!({"type": "boolean", "default": false}),
        json!({}),
        json!(true),
        json!(false),
        json!({"type": "object", "required": ["a"]}),
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"type": ["string", "integer"]}),
        json!({"type": ["string", "number", "boolean"], "default": "1.50"}),
        json!({"type": ["string", "number"], "default": 1.5}),
        json!({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "maxLength": 3}], "default": "true"}),
        json!({"type": "array", "items": {"type": "string"}, "default": ["a", " b", "", "[c]"]}),
        json!({"type": "array", "items": {"type": "string"}, "default": ["[]"]}),
        json!({"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1, "default": ["1", 1, "x"]}),
        json!({"allOf": [{"type": "string", "minLength": 1}, {"minLength": 2, "maxLength": 4}]}),
        json!({"$ref": "#/$defs/S"}),
        json!({"type": "string", "not": {"const": "a"}}),
    ])
}

fn property() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        3 => text_schema(), 3 => number_schema(), 2 => choice_schema(), 2 => choices_schema(), 2 => other_schema()
    ];
    let nullable = |schema| json!({"anyOf": [schema, {"type": "null"}]});
    (plain, any::<bool>()).prop_map(move |(schema, null)| if null { nullable(schema) } else { schema })
}

fn schema() -> impl Strategy<Value = Value> {
    let keys = prop_oneof![one_of(&["", "a", "b/~", "键"]), "[a-c]{1,2}"];
    let properties = proptest::collection::vec((keys, property(), any::<bool>()), 0..5);
    let extra = proptest::sample::select(vec![json!(null), json!(false), json!(true), json!({"type": "integer"})]);
    (properties, proptest::bool::weighted(0.2), extra).prop_map(|(properties, ghost, extra)| {
        let needed = properties.iter().filter(|(_, _, required)| *required);
        let mut required: Vec<String> = needed.map(|(key, ..)| key.clone()).collect();
        required.sort();
        required.dedup();
        if ghost {
            required.push("ghost".into());
        }
        let properties: Map<String, Value> = properties.into_iter().map(|(key, schema, _)| (key, schema)).collect();
        keep(json!({"type": "object", "properties": properties, "required": required, "additionalProperties": extra,
            "$defs": {"S": {"type": "string", "enum": ["todo", "done"]}}}))
    })
}

/// Drops members that are null: they stand for keywords that are left out.
fn keep(schema: Value) -> Value {
    let Value::Object(map) = schema else { return schema };
    Value::Object(map.into_iter().filter(|(_, value)| !value.is_null()).collect())
}

fn unique(values: Vec<Value>) -> Vec<Value> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

fn typed_text() -> impl Strategy<Value = String> + Clone {
    let telling = one_of(&[
        "a@b",
        "https://x.example/",
        "2026-05-01",
        "2026-02-30",
        "2026-05-01T10:00:00Z",
        "2026-12-31T23:59:60Z",
        "2026-05-01T10:00",
        "mailto:a@b",
        "a@[127.0.0.1]",
        "todo",
        "1e400",
        "{\"a\": 1}",
        "[1, 2]",
        "null",
        "\"a\"",
        "{",
    ]);
    prop_oneof![
        any::<String>(),
        "[a-z0-9 ]{0,6}",
        telling.prop_map(String::from),
        (-30_i32..30, 0_u8..10).prop_map(|(whole, tenth)| format!("{whole}.{tenth}")),
        (-30_i32..30).prop_map(|whole| whole.to_string()),
        any::<f64>().prop_map(|float| float.to_string()),
        any::<i64>().prop_map(|whole| whole.to_string()),
        "[-+]?[0-9]{0,22}\\.?[0-9]{0,22}(e[-+]?[0-9]{1,3})?"
    ]
    .boxed()
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        Just(Entry::Blank),
        typed_text().prop_map(Entry::Text),
        any::<bool>().prop_map(Entry::Boolean),
        (0_usize..5).prop_map(Entry::Choice),
        proptest::collection::vec(0_usize..5, 0..4).prop_map(Entry::Choices)
    ]
}

/// An entry of the kind that the field takes, made of arbitrary stuff.
fn fitting(kind: &FieldKind, text: &str, number: usize) -> Entry {
    match kind {
        FieldKind::Text { .. }
        | FieldKind::Number { .. }
        | FieldKind::Scalar { .. }
        | FieldKind::List { .. }
        | FieldKind::Json { .. } => Entry::Text(text.to_owned()),
        FieldKind::Boolean => Entry::Boolean(number.is_multiple_of(2)),
        FieldKind::Choice { choices } => Entry::Choice(number % choices.len().max(1)),
        FieldKind::Choices { choices, .. } => {
            Entry::Choices((0..choices.len()).filter(|index| (number >> index) & 1 == 1).collect())
        }
    }
}

fn judge(schema: &Value) -> jsonschema::Validator {
    jsonschema::validator_for(schema).expect("generated schemas compile")
}

/// What comes of these entries; says whether it was content.
fn check_outcome(form: &Form, entries: &[Entry]) -> bool {
    match form.content_of(entries) {
        Ok(content) => {
            let value = Value::Object(content.clone());
            assert!(judge(&form.schema).is_valid(&value), "{value} does not satisfy {}", form.schema);
            assert_eq!(form.check(&content), Ok(()), "{value}");
            assert!(form.unanswerable.is_none(), "{value} answers what cannot be answered: {}", form.schema);
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            false
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn content_that_is_made_satisfies_the_schema(
        schema in schema(),
        entries in proptest::collection::vec(entry(), 0..7),
        typed in proptest::collection::vec((typed_text(), 0_usize..32), 7),
    ) {
        let form = Form::read(&schema).expect("a form");
        check_outcome(&form, &entries);
        let fit = form.fields.iter().zip(&typed).map(|(field, (text, number))| fitting(&field.kind, text, *number));
        let fit: Vec<Entry> = fit.collect();
        check_outcome(&form, &fit);
        // What each field takes by itself, so that many of the cases get as far as the schema.
        let taken = |(index, entry): (usize, &Entry)| {
            if form.value_of(index, entry).is_ok() { entry.clone() } else { form.initial_entries()[index].clone() }
        };
        let taken: Vec<Entry> = fit.iter().enumerate().map(taken).collect();
        check_outcome(&form, &taken);
        for (index, field) in form.fields.iter().enumerate() {
            for entry in entries.iter().chain(&fit) {
                if form.value_of(index, entry) == Ok(None) {
                    prop_assert!(!field.required);
                }
            }
        }
    }

    #[test]
    fn defaults_come_back_as_they_were(schema in schema()) {
        let form = Form::read(&schema).expect("a form");
        let entries = form.initial_entries();
        check_outcome(&form, &entries);
        for (index, field) in form.fields.iter().enumerate() {
            match &field.default {
                None => prop_assert_eq!(&entries[index], &Entry::Blank),
                Some(default) => {
                    let value = form.value_of(index, &entries[index]).expect("a default that fits").expect("a value");
                    prop_assert!(judge(&json!({"enum": [default]})).is_valid(&value), "{default} became {value}");
                }
            }
        }
    }

    #[test]
    fn any_json_is_read_or_refused(text in "[{}\\[\\]\",:a-z0-9$#/ ]{0,40}", value in any_json()) {
        if let Ok(schema) = serde_json::from_str::<Value>(&text) {
            let _ = Form::read(&schema);
        }
        for schema in [value.clone(), json!({"type": "object", "properties": {"x": value}, "required": ["x"]})] {
            if let Ok(form) = Form::read(&schema) {
                check_made(&form);
            }
        }
    }
}

fn check_made(form: &Form) {
    if let Ok(content) = form.content_of(&form.initial_entries()) {
        assert_eq!(form.check(&content), Ok(()), "{}", form.schema);
    }
    let _ = form.check(&Map::new());
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = one_of(&["string", "object", "null", "array", "#", "#/properties/x", "#x", "(", "x", "http://x/"]);
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words.prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let key = one_of(&[
            "type", "properties", "required", "$ref", "anyOf", "oneOf", "allOf", "items", "enum", "const", "pattern", "title",
            "default", "x", "minimum", "minLength", "$id", "$schema", "$anchor", "additionalProperties", "multipleOf", "not",
            "format", "enumNames", "dependentSchemas", "patternProperties", "maximum", "minItems", "uniqueItems",
        ]);
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            3 => proptest::collection::vec((key, inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect()))
        ]
    })
}
