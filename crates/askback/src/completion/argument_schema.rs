//! The arguments of a tool, from its `inputSchema`: their names, how they are written, and the values that there can be.
//!
//! Reads only what completion needs, and of whatever servers really send. Must not judge arguments: a schema is checked elsewhere.

use serde_json::Value;

/// How many references are followed one after the other; beyond that they lead nowhere.
const MOST_REFERENCES: usize = 8;

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgumentSchema {
    pub(crate) name: String,
    /// Whether it is text and so written `KEY=`; anything else is JSON.
    pub(crate) is_text: bool,
    /// What is told about it.
    pub(crate) about: String,
    /// All values that there can be, as typed; none when they cannot be listed.
    pub(crate) values: Vec<String>,
}

/// The arguments in the order of the schema, those that are required first.
pub(crate) fn read(schema: &Value) -> Vec<ArgumentSchema> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut arguments: Vec<ArgumentSchema> =
        properties.into_iter().flatten().map(|(name, property)| argument(schema, name, property)).collect();
    let required: Vec<&str> = items(schema, "required").filter_map(Value::as_str).collect();
    arguments.sort_by_key(|argument| !required.contains(&argument.name.as_str()));
    arguments
}

fn argument(root: &Value, name: &str, property: &Value) -> ArgumentSchema {
    let meant = meaning(root, property);
    let possible = possible(meant);
    let is_text = match kinds(meant).as_slice() {
        [] => possible.iter().all(|value| value.is_string()),
        kinds => kinds.contains(&"string"),
    };
    let values = match is_text {
        true => possible.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        false => possible.iter().map(Value::to_string).collect(),
    };
    let about = ["description", "title"].into_iter().flat_map(|key| [property.get(key), meant.get(key)]);
    let about = about.flatten().find_map(Value::as_str).unwrap_or_default().to_owned();
    ArgumentSchema { name: name.to_owned(), is_text, about, values }
}

/// What a schema comes down to: references followed, and an alternative to null left out.
fn meaning<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..MOST_REFERENCES {
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        let target = reference.and_then(|pointer| root.pointer(pointer));
        let mut alternatives = ["anyOf", "oneOf", "allOf"]
            .into_iter()
            .flat_map(|key| items(schema, key))
            .filter(|alternative| kinds(alternative) != ["null"]);
        let only = alternatives.next().filter(|_| alternatives.next().is_none());
        let Some(next) = target.or(only.filter(|_| kinds(schema).is_empty() && schema.get("enum").is_none())) else {
            break;
        };
        schema = next;
    }
    schema
}

/// The types that a schema names, but for null when there are others.
fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        _ => Vec::new(),
    }
}

/// The values that there can be, but for null.
fn possible(schema: &Value) -> Vec<Value> {
    let titled = items(schema, "oneOf").chain(items(schema, "anyOf")).filter_map(|one| one.get("const"));
    let listed = schema.get("const").into_iter().chain(items(schema, "enum")).chain(titled);
    let mut values: Vec<Value> = listed.filter(|value| !value.is_null()).cloned().collect();
    if values.is_empty() && kinds(schema) == ["boolean"] {
        values = vec![Value::Bool(true), Value::Bool(false)];
    }
    values
}

fn items<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// How the argument `a` is written, and its values.
    fn check(property: Value) -> String {
        let schema = json!({
            "properties": { "a": property },
            "$defs": { "Colour": { "enum": ["red", "green"] }, "Loop": { "$ref": "#/$defs/Loop" } },
        });
        let argument = read(&schema).remove(0);
        format!("a{} {}", if argument.is_text { "=" } else { ":=" }, argument.values.join(" "))
    }

    #[test]
    fn text_is_written_as_it_is_and_anything_else_as_json() {
        assert_eq!(check(json!({ "type": "string" })), "a= ");
        assert_eq!(check(json!({ "type": ["string", "null"] })), "a= ");
        assert_eq!(check(json!({ "type": "integer" })), "a:= ");
        assert_eq!(check(json!({ "type": "array", "items": { "enum": ["x"] } })), "a:= ");
        assert_eq!(check(json!({})), "a= ");
        assert_eq!(check(json!(true)), "a= ");
    }

    #[test]
    fn values_that_can_be_listed() {
        assert_eq!(check(json!({ "type": "boolean" })), "a:= true false");
        assert_eq!(check(json!({ "type": "string", "enum": ["x", "y", null] })), "a= x y");
        assert_eq!(check(json!({ "enum": [1, 2] })), "a:= 1 2");
        assert_eq!(check(json!({ "const": "x" })), "a= x");
        assert_eq!(
            check(json!({ "type": "string", "oneOf": [{ "const": "x", "title": "X" }, { "const": "y" }] })),
            "a= x y"
        );
    }

    #[test]
    fn references_and_alternatives_to_null_are_followed() {
        assert_eq!(check(json!({ "$ref": "#/$defs/Colour" })), "a= red green");
        assert_eq!(check(json!({ "anyOf": [{ "$ref": "#/$defs/Colour" }, { "type": "null" }] })), "a= red green");
        assert_eq!(check(json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] })), "a:= true false");
        assert_eq!(check(json!({ "$ref": "#/$defs/Loop" })), "a= ");
        assert_eq!(check(json!({ "$ref": "https://example.com/schema" })), "a= ");
    }

    #[test]
    fn what_is_required_comes_first() {
        let schema = json!({ "properties": { "a": {}, "b": {}, "c": {} }, "required": ["c"] });
        let names: Vec<String> = read(&schema).into_iter().map(|argument| argument.name).collect();
        assert_eq!(names, ["c", "a", "b"]);
    }
}
