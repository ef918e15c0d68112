//! How long forms take: large ones, and those that are meant to take long.

use std::hint::black_box;
use std::time::Duration;

use askback_core::form::{Form, FormError, limits};
use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use serde_json::{Map, Value, json};

criterion_group!(forms, large, hostile);
criterion_main!(forms);

/// What an ask costs: reading its schema, and checking the content that answers it.
fn read_and_check(schema: &Value) -> Result<Form, FormError> {
    let form = Form::read(schema)?;
    let _ = black_box(form.content_of(&form.initial_entries()));
    Ok(form)
}

fn large(criterion: &mut Criterion) {
    askback_core::form::warm_up();
    let mut group = criterion.benchmark_group("large");
    group.sample_size(40).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    let ordinary = form_of_500_fields();
    let pydantic = form_of_500_optional_fields();
    for (name, schema) in
        [("the protocol's own kinds", &ordinary), ("optional fields as Pydantic writes them", &pydantic)]
    {
        let form = Form::read(schema).expect("a form");
        assert_eq!(form.fields.len(), 500);
        assert_eq!(form.content_of(&form.initial_entries()).map(|content| content.len()), Ok(500));
        cold(&mut group, &format!("{name}: read, cold"), schema, |schema| Form::read(schema));
        cold(&mut group, &format!("{name}: read and checked, cold"), schema, read_and_check);
        group.bench_function(format!("{name}: read and checked, warm"), |bencher| {
            bencher.iter_with_large_drop(|| read_and_check(schema));
        });
    }
    group.finish();
}

fn hostile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hostile");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    for (name, schema) in hostile_schemas() {
        let outcome = match Form::read(&schema) {
            Ok(_) => "drawn",
            Err(_) => "refused",
        };
        cold(&mut group, &format!("{name} ({outcome})"), &schema, read_and_check);
    }
    group.finish();
}

/// Measures `run` on a schema that it has not seen before.
fn cold<T>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, schema: &Value, run: impl Fn(&Value) -> T) {
    let mut count = 0_u64;
    group.bench_function(name, |bencher| {
        let fresh = || {
            count += 1;
            let mut schema = schema.clone();
            schema["title"] = json!(count.to_string());
            schema
        };
        // The schema is given back so that taking it apart is not measured.
        bencher.iter_batched(fresh, |schema| (run(&schema), schema), BatchSize::PerIteration);
    });
}

fn form_of_500_fields() -> Value {
    let field = |index: usize| match index % 5 {
        0 => {
            json!({"type": "string", "title": format!("Field {index}"), "minLength": 1, "maxLength": 40, "default": "some text"})
        }
        1 => json!({"type": "integer", "minimum": 0, "maximum": 1000, "default": 7}),
        2 => json!({"type": "boolean", "default": true}),
        3 => json!({"type": "string", "enum": ["a", "b", "c"], "default": "b"}),
        _ => json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "default": ["a", "c"]}),
    };
    object(fields(500, field))
}

fn form_of_500_optional_fields() -> Value {
    let nullable = |schema: Value, default: Value| json!({"anyOf": [schema, {"type": "null"}], "default": default, "title": "A Field"});
    let field = |index: usize| match index % 4 {
        0 => nullable(json!({"type": "string", "maxLength": 40}), json!("some text")),
        1 => nullable(json!({"type": "integer", "exclusiveMinimum": 0}), json!(7)),
        2 => nullable(json!({"$ref": "#/$defs/Colour"}), json!("red")),
        _ => json!({"allOf": [{"$ref": "#/$defs/Colour"}], "default": "green"}),
    };
    let mut schema = object(fields(500, field));
    schema["$defs"] = json!({"Colour": {"enum": ["red", "green"], "type": "string", "title": "Colour"}});
    schema
}

fn hostile_schemas() -> Vec<(&'static str, Value)> {
    let one = |property: Value| object(fields(1, |_| property.clone()));
    let values: Vec<Value> = (0..15_000).map(|index| json!(format!("value {index}"))).collect();
    let numbers: Vec<usize> = (0..5_000).collect();
    let deep =
        |depth: usize| (0..depth).fold(json!({"type": "string"}), |inner, _| object(fields(1, |_| inner.clone())));
    let chain = |length: usize, step: fn(Value) -> Value| {
        let link = |index: usize| (format!("d{index}"), step(json!({"$ref": format!("#/$defs/d{}", index + 1)})));
        let mut links: Map<String, Value> = (0..length).map(link).collect();
        links.insert(format!("d{length}"), json!({"type": "string"}));
        json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": links})
    };
    let wide = |keyword: &str, width: usize| {
        let part = |index: usize| json!({"type": "string", "maxLength": index, "pattern": "^a"});
        one(json!({keyword: (0..width).map(part).collect::<Vec<_>>()}))
    };
    let patterns = |count: usize, pattern: fn(usize) -> String| {
        object(fields(count, |index| json!({"type": "string", "pattern": pattern(index)})))
    };
    let by_pattern: Map<String, Value> =
        (0..200).map(|index| (format!("^(\\p{{L}}{{{index},50}})+$"), json!({}))).collect();
    vec![
        ("refers to itself", json!({"properties": {"x": {"$ref": "#"}}})),
        ("a value that refers to itself", json!({"properties": {"x": {"$ref": "#/properties/x"}}})),
        ("refers to the outside", one(json!({"$ref": "https://schemas.example/x.json"}))),
        ("10,000 fields", object(fields(10_000, |_| json!({"type": "string"})))),
        (
            "as many fields as are allowed",
            object(fields(limits::MAX_FIELDS, |_| json!({"type": "string", "not": {"const": ""}}))),
        ),
        ("nested 30 deep", deep(30)),
        ("nested 5,000 deep", deep(5_000)),
        ("several megabytes", one(json!({"type": "string", "description": "x".repeat(4 * limits::MAX_BYTES)}))),
        ("just under a megabyte", one(json!({"type": "string", "description": "your password ".repeat(70_000)}))),
        ("a chain of 60 references", chain(60, |next| next)),
        ("a chain of 5,000 references", chain(5_000, |next| next)),
        ("2^11 ways through allOf", chain(11, |next| json!({"allOf": [next, next]}))),
        ("2^11 ways through anyOf", chain(11, |next| json!({"anyOf": [next, next]}))),
        ("2^11 ways through oneOf", chain(11, |next| json!({"oneOf": [next, next]}))),
        ("2^40 ways through anyOf", chain(40, |next| json!({"anyOf": [next, next]}))),
        ("as wide an anyOf as is allowed", wide("anyOf", limits::MAX_SUBSCHEMAS - 10)),
        ("as wide a oneOf as is allowed", wide("oneOf", limits::MAX_SUBSCHEMAS - 10)),
        ("as wide an allOf as is allowed", wide("allOf", limits::MAX_SUBSCHEMAS - 10)),
        ("20,000 subschemas", one(object(fields(20_000, |_| json!({}))))),
        (
            "as many subschemas as are allowed",
            one(object(fields(limits::MAX_SUBSCHEMAS - 10, |_| json!({"type": "string"})))),
        ),
        ("an enum of 15,000", one(json!({"enum": values, "default": "value 14999"}))),
        ("an enum of 15,000 for 500 fields", {
            let mut schema = object(fields(500, |_| json!({"$ref": "#/$defs/E"})));
            schema["$defs"] = json!({"E": {"enum": values}});
            schema
        }),
        (
            "a list of 5,000 choices",
            one(json!({"type": "array", "items": {"enum": numbers}, "uniqueItems": true, "default": numbers})),
        ),
        (
            "50,000 required names",
            json!({"properties": {}, "required": (0..50_000).map(|index| index.to_string()).collect::<Vec<_>>(),
            "additionalProperties": false}),
        ),
        (
            "a catastrophic pattern",
            one(json!({"type": "string", "pattern": "^(a+)+$", "default": format!("{}!", "a".repeat(5_000))})),
        ),
        ("a pattern of a billion", one(json!({"type": "string", "pattern": "(((x{1000}){1000}){1000})"}))),
        (
            "a pattern nested 5,000 deep",
            one(json!({"type": "string", "pattern": format!("{}{}", "(".repeat(5_000), ")".repeat(5_000))})),
        ),
        ("100 patterns", patterns(100, |index| format!("^[a-z]{{{index},150}}$"))),
        ("100 large patterns", patterns(100, |index| format!("^\\p{{L}}{{1,{}}}$", index % 10 + 1))),
        ("50 patterns that are too large", patterns(50, |index| format!("(\\p{{L}}{{{index}00}}){{10}}"))),
        ("200 pattern properties", json!({"properties": {}, "patternProperties": by_pattern})),
    ]
}

fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties})
}

fn fields(count: usize, field: impl Fn(usize) -> Value) -> Map<String, Value> {
    (0..count).map(|index| (format!("field{index}"), field(index))).collect()
}
