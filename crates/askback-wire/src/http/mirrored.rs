//! Header fields that repeat what stands in a request's body, so that what lies between can route without reading it.
//!
//! Serves "Request Metadata" of the Streamable HTTP page of 2026-07-28.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// How deep a tool's schema is looked through for annotations.
const DEEPEST: usize = 64;
/// The keyword that names a header.
const KEYWORD: &str = "x-mcp-header";
/// The largest integer that survives in JavaScript: 2^53 - 1.
const SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// The fields that every request has: its method, and what it names.
pub fn standard(method: &str, params: &Map<String, Value>) -> Vec<(String, String)> {
    let mut fields = vec![("Mcp-Method".to_owned(), method.to_owned())];
    let named = match method {
        "tools/call" | "prompts/get" => params.get("name"),
        "resources/read" => params.get("uri"),
        // "Routing Headers" of the tasks extension.
        "tasks/get" | "tasks/update" | "tasks/cancel" => params.get("taskId"),
        _ => None,
    };
    if let Some(name) = named.and_then(Value::as_str) {
        fields.push(("Mcp-Name".to_owned(), encode(name)));
    }
    fields
}

/// A value as it can stand in a header field: plain where that is safe, else in Base64 between markers.
pub fn encode(value: &str) -> String {
    let plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let padded = value.starts_with(' ') || value.ends_with(' ');
    let looks_encoded = value.starts_with("=?base64?") && value.ends_with("?=");
    if plain && !padded && !looks_encoded {
        return value.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(value))
}

/// A parameter of a tool that is repeated in a header field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamHeader {
    /// The field's name, with `Mcp-Param-` before the part that the server chose.
    pub field: String,
    /// The names of properties that lead to the value in the call's arguments.
    pub path: Vec<String>,
}

/// Why a tool cannot be called over HTTP: one of its annotations breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tool {tool:?} cannot be used over HTTP: {why}")]
pub struct InvalidTool {
    /// The tool's name.
    pub tool: String,
    /// Which rule, in English.
    pub why: String,
}

/// The parameters of one tool that are repeated in header fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamHeaders(Vec<ParamHeader>);

impl ParamHeaders {
    /// Reads the annotations of a tool as listed.
    ///
    /// # Errors
    /// The rule that the first bad annotation breaks; such a tool is not to be offered.
    pub fn of_tool(tool: &Value) -> Result<ParamHeaders, InvalidTool> {
        let mut headers = ParamHeaders::default();
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let invalid = |why: String| InvalidTool { tool: name.to_owned(), why };
        if let Some(Value::Object(schema)) = tool.get("inputSchema") {
            headers.collect(schema, &mut Vec::new()).map_err(invalid)?;
        }
        Ok(headers)
    }

    /// The fields for a call with these arguments. A value that is absent or null has none.
    pub fn fields(&self, arguments: &Map<String, Value>) -> Vec<(String, String)> {
        self.0.iter().filter_map(|header| Some((header.field.clone(), header.value(arguments)?))).collect()
    }

    /// Follows the chain of `properties`, where annotations may stand, and refuses those that stand anywhere else.
    fn collect(&mut self, schema: &Map<String, Value>, path: &mut Vec<String>) -> Result<(), String> {
        if path.len() > DEEPEST {
            return Err(format!("its properties are nested more than {DEEPEST} deep"));
        }
        if let Some(name) = schema.get(KEYWORD) {
            self.add(name, schema, path)?;
        }
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (property, schema) in properties {
                        let Value::Object(schema) = schema else { continue };
                        path.push(property.clone());
                        self.collect(schema, path)?;
                        path.pop();
                    }
                }
                ("const" | "enum" | "default" | "examples", _) => {}
                ("patternProperties" | "$defs" | "definitions", Value::Object(named)) => {
                    named.values().try_for_each(|value| refuse_annotations(value, path.len()))?;
                }
                (_, value) => refuse_annotations(value, path.len())?,
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &Value, schema: &Map<String, Value>, path: &[String]) -> Result<(), String> {
        let at = path.join(".");
        let Some(name) = name.as_str() else { return Err(format!("{KEYWORD} of {at:?} is {name}, not text")) };
        if path.is_empty() {
            return Err(format!("{KEYWORD} stands on the arguments as a whole"));
        }
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(format!("{KEYWORD} {name:?} of {at:?} is no name of a header field"));
        }
        if !is_mirrorable(schema.get("type")) {
            let kind = schema.get("type").unwrap_or(&Value::Null);
            return Err(format!(
                "{KEYWORD} {name:?} stands on {at:?} of type {kind}; only text, integers and booleans"
            ));
        }
        let field = format!("Mcp-Param-{name}");
        if self.0.iter().any(|other| other.field.eq_ignore_ascii_case(&field)) {
            return Err(format!("{KEYWORD} {name:?} is given twice"));
        }
        self.0.push(ParamHeader { field, path: path.to_vec() });
        Ok(())
    }
}

impl ParamHeader {
    fn value(&self, arguments: &Map<String, Value>) -> Option<String> {
        let (last, steps) = self.path.split_last()?;
        let mut at = arguments;
        for step in steps {
            at = at.get(step)?.as_object()?;
        }
        match at.get(last)? {
            Value::String(text) => Some(encode(text)),
            Value::Bool(value) => Some(value.to_string()),
            Value::Number(number) => integer(number).map(|number| number.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// A whole number within what every server can read; another is left to the server to refuse in the body.
fn integer(number: &serde_json::Number) -> Option<i64> {
    let whole = number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
        (float.abs() <= SAFE_INTEGER as f64).then_some(float as i64)
    })?;
    (whole.abs() <= SAFE_INTEGER).then_some(whole)
}

fn refuse_annotations(value: &Value, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        // What lies deeper than anybody reads can mirror nothing.
        return Ok(());
    }
    match value {
        Value::Object(object) => {
            if object.contains_key(KEYWORD) {
                return Err(format!("{KEYWORD} stands where no argument can be told by its path"));
            }
            object.iter().try_for_each(|(keyword, value)| match (keyword.as_str(), value) {
                // The names in there are the server's own, whatever they are.
                ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(named)) => {
                    named.values().try_for_each(|value| refuse_annotations(value, depth + 1))
                }
                ("const" | "enum" | "default" | "examples", _) => Ok(()),
                (_, value) => refuse_annotations(value, depth + 1),
            })
        }
        Value::Array(items) => items.iter().try_for_each(|value| refuse_annotations(value, depth + 1)),
        _ => Ok(()),
    }
}

/// Text, integer or boolean, which may be null besides.
fn is_mirrorable(kind: Option<&Value>) -> bool {
    let is_one = |kind: &Value| matches!(kind.as_str(), Some("string" | "integer" | "boolean"));
    match kind {
        Some(kind @ Value::String(_)) => is_one(kind),
        Some(Value::Array(kinds)) => {
            let mut others = kinds.iter().filter(|kind| kind.as_str() != Some("null"));
            others.next().is_some_and(is_one) && others.next().is_none()
        }
        _ => false,
    }
}

/// `tchar` of RFC 9110.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(schema: Value, arguments: Value, expected: &[(&str, &str)]) {
        let headers = ParamHeaders::of_tool(&json!({ "name": "t", "inputSchema": schema })).unwrap();
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let fields = headers.fields(&arguments);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(fields, expected);
    }

    fn one(kind: Value) -> Value {
        json!({ "type": "object", "properties": { "a": { "type": kind, "x-mcp-header": "A" } } })
    }

    #[test]
    fn values_are_written_as_the_specification_says() {
        check(one(json!("string")), json!({ "a": "us-west1" }), &[("Mcp-Param-A", "us-west1")]);
        check(one(json!("string")), json!({ "a": "" }), &[("Mcp-Param-A", "")]);
        check(
            one(json!("string")),
            json!({ "a": "Hello, 世界" }),
            &[("Mcp-Param-A", "=?base64?SGVsbG8sIOS4lueVjA==?=")],
        );
        check(one(json!("string")), json!({ "a": " padded " }), &[("Mcp-Param-A", "=?base64?IHBhZGRlZCA=?=")]);
        check(one(json!("string")), json!({ "a": "line1\nline2" }), &[("Mcp-Param-A", "=?base64?bGluZTEKbGluZTI=?=")]);
        check(one(json!("string")), json!({ "a": "tab\there" }), &[("Mcp-Param-A", "=?base64?dGFiCWhlcmU=?=")]);
        let marked = "=?base64?literal?=";
        check(one(json!("string")), json!({ "a": marked }), &[("Mcp-Param-A", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")]);
        check(one(json!("integer")), json!({ "a": -7 }), &[("Mcp-Param-A", "-7")]);
        check(one(json!("integer")), json!({ "a": 42.0 }), &[("Mcp-Param-A", "42")]);
        check(one(json!("boolean")), json!({ "a": false }), &[("Mcp-Param-A", "false")]);
        check(one(json!(["boolean", "null"])), json!({ "a": null }), &[]);
        check(one(json!("string")), json!({}), &[]);
        check(one(json!("integer")), json!({ "a": 9_007_199_254_740_992_i64 }), &[]);
    }

    #[test]
    fn a_nested_value_is_found_by_its_path() {
        let schema = json!({ "properties": { "where": { "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" } } } } });
        check(schema.clone(), json!({ "where": { "region": "eu" } }), &[("Mcp-Param-Region", "eu")]);
        check(schema, json!({ "where": "eu" }), &[]);
    }

    #[test]
    fn a_property_may_be_named_like_the_keyword() {
        check(json!({ "properties": { "x-mcp-header": { "type": "string" } } }), json!({ "x-mcp-header": "a" }), &[]);
        check(json!({ "properties": { "a": { "default": { "x-mcp-header": "A" } } } }), json!({}), &[]);
        check(json!({ "$defs": { "x-mcp-header": { "type": "string" } } }), json!({}), &[]);
    }

    #[test]
    fn a_bad_annotation_makes_the_tool_unusable() {
        let bad =
            |schema: Value| ParamHeaders::of_tool(&json!({ "name": "t", "inputSchema": schema })).unwrap_err().why;
        let named = |name: &str| bad(json!({ "properties": { "a": { "type": "string", "x-mcp-header": name } } }));
        for name in ["", "My Region", "Region:", "Région", "a\tb", "a\r\nb"] {
            assert!(named(name).contains("no name"), "{name:?}");
        }
        for kind in ["number", "object", "array", "null"] {
            assert!(bad(one(json!(kind))).contains("only text"), "{kind}");
        }
        let twice = json!({ "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" }, "b": { "type": "string", "x-mcp-header": "REGION" } } });
        assert!(bad(twice).contains("twice"));
        for elsewhere in [
            json!({ "properties": { "a": { "type": "array", "items": { "type": "string", "x-mcp-header": "A" } } } }),
            json!({ "anyOf": [{ "properties": { "a": { "type": "string", "x-mcp-header": "A" } } }] }),
            json!({ "$defs": { "a": { "type": "string", "x-mcp-header": "A" } } }),
        ] {
            assert!(bad(elsewhere.clone()).contains("path"), "{elsewhere}");
        }
        assert!(bad(json!({ "x-mcp-header": "A" })).contains("whole"));
    }

    #[test]
    fn a_request_says_what_it_is_and_names() {
        let Value::Object(params) = json!({ "name": "订票", "uri": "file:///a%20b" }) else { panic!() };
        assert_eq!(standard("tools/list", &params), [("Mcp-Method".into(), "tools/list".into())]);
        assert_eq!(standard("resources/read", &params)[1], ("Mcp-Name".into(), "file:///a%20b".into()));
        let Value::Object(task) = json!({ "taskId": "t-1" }) else { panic!() };
        assert_eq!(standard("tasks/get", &task)[1], ("Mcp-Name".into(), "t-1".into()));
        assert_eq!(standard("tools/call", &params)[1], ("Mcp-Name".into(), "=?base64?6K6i56Wo?=".into()));
    }
}
