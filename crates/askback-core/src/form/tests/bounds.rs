//! Hostile schemas and large forms, in bounded time.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::form::limits::{MAX_BYTES, MAX_FIELDS};
use crate::form::{Entry, Form, FormError};

/// Reads a schema and answers it; says how long that took.
fn time(schema: &Value) -> (Result<Form, FormError>, Duration) {
    let start = Instant::now();
    let form = Form::read(schema);
    if let Ok(form) = &form {
        let _ = form.content_of(&form.initial_entries());
    }
    (form, start.elapsed())
}

#[track_caller]
fn check(name: &str, schema: &Value, refused: bool) {
    let (form, took) = time(schema);
    eprintln!("{name}: {took:?}, refused {:?}", form.as_ref().err().map(ToString::to_string));
    assert_eq!(form.is_err(), refused, "{name}");
    // Generous, as machines under test are busy and this is a build without optimisation: the point is that time does not grow with guile.
    assert!(took < Duration::from_secs(5), "{name} took {took:?}");
}

fn one(property: Value) -> Value {
    json!({"type": "object", "properties": {"x": property}, "required": ["x"]})
}

#[test]
fn a_form_of_500_fields() {
    let properties: serde_json::Map<String, Value> = (0..500)
        .map(|index| {
            let schema = match index % 5 {
                0 => json!({"type": "string", "title": format!("Field {index}"), "minLength": 1, "maxLength": 40, "default": "some text"}),
                1 => json!({"type": "integer", "minimum": 0, "maximum": 1000, "default": 7}),
                2 => json!({"type": "boolean", "default": true}),
                3 => json!({"type": "string", "enum": ["a", "b", "c"], "default": "b"}),
                _ => json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "default": ["a", "c"]}),
            };
            (format!("field{index}"), schema)
        })
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    // The first round also pays for what is set up once in a process.
    for round in 0..3 {
        let start = Instant::now();
        let form = Form::read(&schema).expect("a form");
        let read = start.elapsed();
        let entries: Vec<Entry> = form.initial_entries();
        let start = Instant::now();
        let content = form.content_of(&entries).expect("content");
        let validated = start.elapsed();
        assert_eq!(content.len(), 500);
        eprintln!("500 fields, round {round}: read in {read:?}, validated in {validated:?}");
    }
}

#[test]
fn hostile_schemas_are_refused_in_bounded_time() {
    check("too long", &one(json!({"type": "string", "description": "x".repeat(MAX_BYTES)})), true);
    let many: serde_json::Map<String, Value> = (0..=MAX_FIELDS).map(|index| (index.to_string(), json!({}))).collect();
    check("too many fields", &json!({"type": "object", "properties": many}), true);
    let mut deep = json!({"type": "string"});
    for _ in 0..100 {
        deep = json!({"type": "object", "properties": {"x": deep}});
    }
    check("too deep", &deep, true);
    let mut chain = serde_json::Map::new();
    for index in 0..5000 {
        chain.insert(format!("d{index}"), json!({"$ref": format!("#/$defs/d{}", index + 1)}));
    }
    chain.insert("d5000".into(), json!({"type": "string"}));
    check("long chain", &json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": chain}), true);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let mut laughs = serde_json::Map::new();
        for index in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
            laughs.insert(format!("d{index}"), json!({keyword: [next, next]}));
        }
        laughs.insert("d40".into(), json!({"type": "string"}));
        check(keyword, &json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": laughs}), true);
    }
    let values: Vec<Value> = (0..15_000).map(|index| json!(format!("value {index}"))).collect();
    let fields: serde_json::Map<String, Value> =
        (0..500).map(|index| (index.to_string(), json!({"$ref": "#/$defs/E"}))).collect();
    let names: Vec<Value> = (0..50_000).map(|index| json!(index.to_string())).collect();
    check("many required names", &json!({"properties": {}, "required": names}), true);
    check(
        "as many that are not allowed",
        &json!({"properties": {}, "required": names, "additionalProperties": false}),
        true,
    );
    let wide: serde_json::Map<String, Value> = (0..20_000).map(|index| (index.to_string(), json!({}))).collect();
    check("too many subschemas", &one(json!({"type": "object", "properties": wide})), true);
    check("one large enum in many fields", &json!({"properties": fields, "$defs": {"E": {"enum": values}}}), true);
}

/// A chain of alternatives whose two ways always lead to the same next link.
fn ways(length: usize, keyword: &str, end: Value) -> serde_json::Map<String, Value> {
    let mut links = serde_json::Map::new();
    for index in 0..length {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        links.insert(format!("d{index}"), json!({keyword: [next, next]}));
    }
    links.insert(format!("d{length}"), end);
    links
}

#[test]
fn each_place_is_looked_at_once_however_many_ways_lead_to_it() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for end in [json!({"type": "string"}), json!({"$ref": "#/$defs/nothing"})] {
            let schema = json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": ways(10, keyword, end)});
            check(keyword, &schema, false);
        }
    }
    let fields: serde_json::Map<String, Value> =
        (0..500).map(|index| (index.to_string(), json!({"$ref": "#/$defs/d0"}))).collect();
    check("many ways in many fields", &json!({"properties": fields, "$defs": ways(10, "anyOf", json!({}))}), true);
    check("few ways in many fields", &json!({"properties": fields, "$defs": ways(3, "anyOf", json!({}))}), false);
}

#[test]
fn laborious_patterns_take_bounded_time() {
    check(
        "catastrophic",
        &one(json!({"type": "string", "pattern": "^(a+)+$", "default": format!("{}!", "a".repeat(5000))})),
        false,
    );
    check("huge repetition", &one(json!({"type": "string", "pattern": "(((x{1000}){1000}){1000})"})), false);
    check("unicode repetition", &one(json!({"type": "string", "pattern": "(\\p{L}{100}){10}"})), false);
    check(
        "nested",
        &one(json!({"type": "string", "pattern": format!("{}{}", "(".repeat(5000), ")".repeat(5000))})),
        false,
    );
    let patterns = |count: usize, pattern: fn(usize) -> String| -> serde_json::Map<String, Value> {
        (0..count).map(|index| (index.to_string(), json!({"type": "string", "pattern": pattern(index)}))).collect()
    };
    let ahead = |index| format!("^(?=\\p{{L}}{{{index},60}})(a|a)*\\1b$");
    check("10 patterns that look ahead", &json!({"properties": patterns(10, ahead)}), false);
    check("11 patterns that look ahead", &json!({"properties": patterns(11, ahead)}), true);
    let shared: serde_json::Map<String, Value> =
        (0..1000).map(|index| (index.to_string(), json!({"$ref": "#/$defs/L"}))).collect();
    check(
        "one laborious pattern in all fields",
        &json!({"properties": shared, "$defs": {"L": {"type": "string", "pattern": "^(?=a)(a|a)*\\1b$", "default": "a".repeat(499)}}}),
        false,
    );
    let plain = |index| format!("^[a-z]{{{index},150}}$");
    check("100 patterns", &json!({"properties": patterns(100, plain)}), false);
    check("101 patterns", &json!({"properties": patterns(101, plain)}), true);
    let heavy = |index| format!("(\\p{{L}}{{{index}00}}){{10}}");
    check("many heavy patterns", &json!({"properties": patterns(50, heavy)}), true);
    let keys: serde_json::Map<String, Value> =
        (0..200).map(|index| (format!("^(\\p{{L}}{{{index},50}})+$"), json!({}))).collect();
    check("pattern properties", &json!({"properties": {}, "patternProperties": keys}), false);
    let values: Vec<Value> = (0..15_000).map(|index| json!(format!("value {index}"))).collect();
    check("large enum", &one(json!({"enum": values, "default": "value 14999"})), false);
    let all: Vec<usize> = (0..5_000).collect();
    check(
        "large list",
        &one(json!({"type": "array", "items": {"enum": all}, "uniqueItems": true, "default": all})),
        false,
    );
}
