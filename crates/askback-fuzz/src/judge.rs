//! Whether content satisfies a schema, as judged by a validator that is set up here and not by the code under test.

use jsonschema::PatternOptions;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

/// Fails when the content does not satisfy the schema. A schema that is no valid JSON Schema, or has a pattern without bounded cost, cannot
/// be judged.
#[track_caller]
pub(crate) fn check(schema: &Value, content: &Map<String, Value>) {
    if reads_formats_backwards(schema) {
        return;
    }
    let options = jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::regex().size_limit(1 << 18).dfa_size_limit(1 << 18));
    let Ok(validator) = options.build(schema) else { return };
    let content = Value::Object(content.clone());
    if let Some(error) = validator.iter_errors(&content).find(|error| !is_rounding(error.kind())) {
        panic!("{content} does not satisfy {schema}: {error}");
    }
}

/// Whether a value may be fine just because it is not in a format. Formats are not checked here, so nothing can be said of such a schema.
fn reads_formats_backwards(schema: &Value) -> bool {
    let text = schema.to_string();
    let has = |keyword: &str| text.contains(&format!("\"{keyword}\""));
    has("format") && ["oneOf", "not", "if", "maxContains"].into_iter().any(has)
}

/// The validator divides in binary, where 0.3 is no multiple of 0.1.
fn is_rounding(kind: &ValidationErrorKind) -> bool {
    matches!(kind, ValidationErrorKind::MultipleOf { multiple_of } if multiple_of.fract() != 0.0)
}
