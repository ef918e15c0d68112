//! Schemas that keep to the protocol's own subset of JSON Schema.
//!
//! Owns one question: is everything in a schema so ordinary that the fields alone can judge its defaults, and that it will compile? Most
//! servers' schemas are, and for them the validator is not needed before there is something to send. A `false` costs time, never
//! correctness. Must not know fields.

use serde_json::{Map, Value};

use super::read::MAX_SAFE_INTEGER;

/// Whether the schema is ordinary.
pub(super) fn is_ordinary(schema: &Value) -> bool {
    let Value::Object(root) = schema else { return false };
    let fits = root.iter().all(|(keyword, value)| match keyword.as_str() {
        "type" => value == "object",
        "title" | "description" => value.is_string(),
        "$schema" => {
            value == "https://json-schema.org/draft/2020-12/schema"
                || value == "http://json-schema.org/draft-07/schema#"
        }
        "additionalProperties" => value.is_boolean(),
        "properties" => value.as_object().is_some_and(|properties| properties.values().all(is_ordinary_property)),
        "required" => value.as_array().is_some_and(|names| {
            let mut seen = std::collections::HashSet::new();
            names.iter().all(|name| name.as_str().is_some_and(|name| seen.insert(name)))
        }),
        _ => false,
    });
    fits && root.contains_key("properties")
}

fn is_ordinary_property(property: &Value) -> bool {
    let Value::Object(map) = property else { return false };
    let has_default = map.contains_key("default");
    if map.get("type").is_none_or(|name| name == "array" && !map.contains_key("items")) {
        return false;
    }
    map.iter().all(|(keyword, value)| match keyword.as_str() {
        "type" => ["string", "integer", "number", "boolean", "array"].iter().any(|name| value == name),
        "title" | "description" | "format" | "pattern" => value.is_string(),
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        // Those that fields do not know of are left to the validator.
        "minimum" | "maximum" => {
            value.is_number() && !(has_default && value.as_i64().is_some_and(|number| number.abs() == MAX_SAFE_INTEGER))
        }
        "enum" => value.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_string)),
        // Not a keyword of JSON Schema, so that anything compiles.
        "enumNames" => true,
        // What does not fit is noticed by the fields, as all that may stand beside it is judged by them.
        "default" => true,
        "items" => value.as_object().is_some_and(is_ordinary_items),
        // A value that is listed twice satisfies no oneOf, which only the validator knows.
        "oneOf" => !has_default && is_titled(value),
        _ => false,
    })
}

fn is_ordinary_items(items: &Map<String, Value>) -> bool {
    let lists_values = items.contains_key("enum") || items.contains_key("anyOf");
    lists_values
        && items.iter().all(|(keyword, value)| match keyword.as_str() {
            "type" => value == "string",
            "enum" => value.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_string)),
            "anyOf" => is_titled(value),
            _ => false,
        })
}

fn is_titled(parts: &Value) -> bool {
    let is_constant = |part: &Value| {
        part.as_object().is_some_and(|part| {
            part.get("const").is_some_and(Value::is_string)
                && part
                    .iter()
                    .all(|(keyword, value)| matches!(keyword.as_str(), "const" | "title") && value.is_string())
        })
    };
    parts.as_array().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_constant))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::is_ordinary;
    use crate::form::Form;
    use crate::form::validate::Checker;

    #[track_caller]
    fn check(property: Value, ordinary: bool) {
        let schema = json!({"type": "object", "properties": {"x": property}, "required": ["x"]});
        assert_eq!(is_ordinary(&schema), ordinary, "{schema}");
        if ordinary {
            assert_eq!(Checker::new(&schema).note, None, "{schema}");
            let form = Form::read(&schema).expect("a form");
            if form.fields[0].default.is_some() {
                assert!(form.content_of(&form.initial_entries()).is_ok(), "{schema}");
            }
        }
    }

    #[test]
    fn the_protocols_own_kinds_are_ordinary() {
        check(json!({"type": "string", "title": "T", "minLength": 1, "maxLength": 3, "default": "ab"}), true);
        check(json!({"type": "string", "format": "email", "pattern": "^a", "default": "b"}), true);
        check(json!({"type": "integer", "minimum": 1, "maximum": 3.5, "default": 2}), true);
        check(json!({"type": "boolean", "default": false}), true);
        check(json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A"], "default": "b"}), true);
        check(json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}), true);
        check(
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1, "default": ["a"]}),
            true,
        );
        check(json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}), true);
    }

    #[test]
    fn anything_else_is_not() {
        for property in [
            json!({}),
            json!(true),
            json!({"type": "object"}),
            json!({"type": "array"}),
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": ["string", "null"]}),
            json!({"type": "string", "minLength": -1}),
            json!({"type": "string", "title": 1}),
            json!({"type": "string", "not": {"const": "a"}}),
            json!({"type": "string", "required": true}),
            json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "a"}], "default": "a"}),
            json!({"$ref": "#/$defs/x"}),
        ] {
            check(property, false);
        }
        assert!(!is_ordinary(&json!({"type": "object"})));
        assert!(!is_ordinary(&json!({"type": "object", "properties": {}, "minProperties": 1})));
        assert!(!is_ordinary(&json!({"type": "object", "properties": {}, "required": ["a", "a"]})));
    }
}
