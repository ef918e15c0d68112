//! What schema libraries really make of the types that server authors write.
//!
//! Owns the fixtures (written by `cargo xtask fixtures`, never by hand), and an author's person: someone who enters something sensible into
//! each field. What is entered is judged by a validator that is set up here and not by the code under test.

use std::path::Path;

use askback_core::form::{Entry, FieldKind, FieldNote, Form, TextFormat};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The libraries, in the order of the page; each with the one whose rows it need not repeat.
pub(crate) const LIBRARIES: [(&str, Option<&str>); 6] = [
    ("pydantic", None),
    ("fastmcp", Some("pydantic")),
    ("python-sdk", Some("pydantic")),
    ("zod", None),
    ("zod-3", Some("zod")),
    ("typescript-sdk", Some("zod")),
];

/// All that one library was asked to do.
#[derive(Deserialize)]
pub(crate) struct Library {
    pub(crate) library: String,
    pub(crate) version: String,
    /// The call that makes the schema.
    pub(crate) how: String,
    /// Declarations that the cases use.
    pub(crate) given: String,
    pub(crate) fixtures: Vec<Fixture>,
    pub(crate) refused: Vec<Refused>,
}

/// A schema, and the line of an author's code that it was made of.
#[derive(Deserialize)]
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) schema: Value,
}

/// A line that the library itself does not take.
#[derive(Deserialize)]
pub(crate) struct Refused {
    pub(crate) source: String,
    pub(crate) why: String,
}

/// Reads the fixtures of one library.
pub(crate) fn read(name: &str) -> Library {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/forms/{name}.json"));
    let text = std::fs::read_to_string(&path).expect("fixtures are in the repository");
    serde_json::from_str(&text).expect("fixtures are written by a program")
}

/// Something sensible in every field, and the content that it makes; `None` when no answer is possible.
pub(crate) fn filled(form: &Form) -> Option<(Vec<Entry>, Map<String, Value>)> {
    if form.unanswerable.is_some() {
        return None;
    }
    let judge = judge(&form.schema);
    let mut entries = form.initial_entries();
    for (index, field) in form.fields.iter().enumerate() {
        if entries[index] != Entry::Blank {
            continue;
        }
        let fits = |entry: &Entry| {
            let Ok(Some(value)) = form.value_of(index, entry) else { return false };
            let content = Value::Object([(field.key.clone(), value)].into_iter().collect());
            let refused = |error: &jsonschema::ValidationError<'_>| !error.instance_path().as_str().is_empty();
            !judge.iter_errors(&content).any(|error| refused(&error))
        };
        let candidates = candidates(&field.kind, &field.notes);
        entries[index] = candidates.into_iter().find(fits).unwrap_or_else(|| {
            panic!("nobody here knows what to enter into {:?}: {:?} of {}", field.key, field.kind, form.schema)
        });
    }
    match form.content_of(&entries) {
        Ok(content) => Some((entries, content)),
        Err(errors) => panic!("{entries:?} is refused: {errors:?}"),
    }
}

/// Whether the raw schema takes the content, formats included.
pub(crate) fn judge(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .build(schema)
        .expect("libraries write schemas that compile")
}

fn candidates(kind: &FieldKind, notes: &[FieldNote]) -> Vec<Entry> {
    let texts = |texts: &[&str]| texts.iter().map(|text| Entry::Text((*text).into())).collect();
    match kind {
        FieldKind::Text { format, .. } => {
            let unknown = notes.iter().find_map(|note| match note {
                FieldNote::UnknownFormat { format } => Some(format.as_str()),
                _ => None,
            });
            let first = match (format, unknown) {
                (Some(TextFormat::Email), _) => "ada@example.com",
                (Some(TextFormat::Uri), _) => "https://example.com/",
                (Some(TextFormat::Date), _) => "2026-07-28",
                (Some(TextFormat::DateTime), _) => "2026-07-28T09:30:00Z",
                (None, Some("uuid")) => "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                (None, Some("time")) => "09:30:00Z",
                (None, Some("duration")) => "P1DT2H",
                (None, Some("ipv4" | "ipvanyaddress")) => "192.0.2.1",
                (None, Some("base64")) => "aGVsbG8=",
                (None, Some("e164")) => "+431234567",
                (None, Some("path")) => "/tmp/report.txt",
                _ => "Ada",
            };
            texts(&[first, "ABC-1", "ORD-7-EU", "123456", "09:30", "https://example.com/", "ada@example.com"])
        }
        FieldKind::Number { .. } => texts(&["7", "2.5", "20", "1"]),
        FieldKind::Boolean => vec![Entry::Boolean(true)],
        FieldKind::Choice { .. } => vec![Entry::Choice(0), Entry::Choice(1)],
        FieldKind::Choices { .. } => vec![Entry::Choices(vec![0]), Entry::Choices(vec![0, 1])],
        FieldKind::Scalar { .. } => texts(&["9.90", "7", "true"]),
        FieldKind::List { item, .. } => {
            let joined = |entry: Entry| match entry {
                Entry::Text(text) => Entry::Text(format!("{text}\n{}", if text == "Ada" { "Bob" } else { "" })),
                other => other,
            };
            candidates(item, notes).into_iter().map(joined).collect()
        }
        FieldKind::Json { .. } => {
            let values = [
                json!({"street": "Main Street 1", "zip": "1010"}),
                json!([{"street": "Main Street 1", "zip": "1010"}]),
                json!({"by": "card", "last4": "4242"}),
                json!({"name": "root", "children": [{"name": "leaf"}]}),
                json!([48.2, 16.4]),
                json!({"apples": 3}),
            ];
            values.iter().map(|value| Entry::Text(crate::words::json(value))).collect()
        }
    }
}

/// How many properties a form's schema lists, itself or in parts.
pub(crate) fn properties(schema: &Value) -> usize {
    let own = schema.get("properties").and_then(Value::as_object).map_or(0, Map::len);
    let parts = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    own + parts.iter().map(properties).sum::<usize>()
}

#[test]
fn schemas_of_libraries_are_read_drawn_and_answered() {
    let mut unanswerable = Vec::new();
    let mut as_json = Vec::new();
    for (name, _) in LIBRARIES {
        let library = read(name);
        assert!(library.fixtures.len() > 20, "{name}");
        for Fixture { name: case, schema, .. } in &library.fixtures {
            let form = Form::read(schema).unwrap_or_else(|error| panic!("{name}, {case}: {error}"));
            assert_eq!(form.fields.len(), properties(schema), "{name}, {case}: a field is lost");
            assert_eq!(form.schema_note, None, "{name}, {case}");
            let given_up = form.fields.iter().any(|field| matches!(field.kind, FieldKind::Json { .. }));
            if given_up && !as_json.contains(case) {
                as_json.push(case.clone());
            }
            let Some((entries, content)) = filled(&form) else {
                unanswerable.push(format!("{name}: {case}"));
                continue;
            };
            assert_eq!(entries.len(), form.fields.len());
            let content = Value::Object(content);
            let errors: Vec<String> = judge(schema).iter_errors(&content).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{name}, {case}: {content} does not satisfy {schema}: {errors:?}");
        }
    }
    // zod closes both objects, and neither allows what the other requires: its own parser takes nothing either.
    assert_eq!(unanswerable, ["zod: two schemas together"]);
    let expected = [
        "pair",
        "model within",
        "optional model within",
        "list of models",
        "map",
        "any object",
        "tree",
        "discriminated union",
        "anything",
        "object within",
        "list of objects",
    ];
    assert_eq!(as_json, expected, "what is entered as JSON, for want of a control");
}
