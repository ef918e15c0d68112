//! The headers that repeat what the body says, as 2026-07-28 wants them (basic/transports/streamable-http, "Request Metadata").
//!
//! Finds what does not agree. What comes of it is decided elsewhere.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use crate::http::exchange::Received;

/// A header that does not agree with the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// What is wrong, in words.
    pub(super) what: String,
    /// Whether it is missing and of a parameter, so that only a client that has seen the list of tools could know of it.
    pub(super) needs_the_list: bool,
}

/// Everything that does not agree, for a request.
pub(super) fn mismatches(request: &Received, message: &Map<String, Value>, tools: &[Value]) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let mut compare = |header: &str, body: Option<&Value>, encoded: bool, needs_the_list: bool| {
        let name = header.to_ascii_lowercase();
        let given = request.header(&name);
        let what = match (given, body.filter(|body| !body.is_null())) {
            (None, None) => return,
            (None, Some(body)) => format!("the header {header} is missing, and the body says {body}"),
            (Some(given), None) => format!("the header {header} says {given:?}, and the body nothing"),
            (Some(given), Some(body)) => match if encoded { decoded(given) } else { Ok(given.to_owned()) } {
                Ok(value) if is_same(&value, body) => return,
                Ok(value) => format!("the header {header} says {value:?}, and the body {body}"),
                Err(problem) => format!("the header {header} is {given:?}: {problem}"),
            },
        };
        found.push(Mismatch { what, needs_the_list: needs_the_list && given.is_none() });
    };
    let params = message.get("params").and_then(Value::as_object);
    let param = |name: &str| params.and_then(|params| params.get(name));
    let version = param("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
    compare("MCP-Protocol-Version", version, false, false);
    compare("Mcp-Method", message.get("method"), false, false);
    let name = match message.get("method").and_then(Value::as_str) {
        Some("tools/call" | "prompts/get") => param("name"),
        Some("resources/read") => param("uri"),
        Some("tasks/get" | "tasks/update" | "tasks/cancel") => param("taskId"),
        _ => None,
    };
    compare("Mcp-Name", name, true, false);
    for (header, path) in parameters(message, tools) {
        let value = param("arguments").and_then(|all| path.iter().try_fold(all, |value, key| value.get(key)));
        compare(&format!("Mcp-Param-{header}"), value, true, true);
    }
    found
}

/// The headers of parameters that no parameter of the tool stands behind.
pub(super) fn superfluous(request: &Received, message: &Map<String, Value>, tools: &[Value]) -> Vec<String> {
    let known: Vec<String> = parameters(message, tools)
        .into_iter()
        .map(|(name, _)| format!("mcp-param-{}", name.to_ascii_lowercase()))
        .collect();
    let given = request.headers.iter().map(|(name, _)| name).filter(|name| name.starts_with("mcp-param-"));
    given
        .filter(|name| !known.contains(name))
        .map(|name| format!("no parameter stands behind the header {name}"))
        .collect()
}

/// The annotated parameters of the called tool: header name and path in the arguments.
fn parameters(message: &Map<String, Value>, tools: &[Value]) -> Vec<(String, Vec<String>)> {
    let name = message.get("params").and_then(|params| params.get("name"));
    let is_called = |tool: &&Value| message.get("method") == Some(&"tools/call".into()) && tool.get("name") == name;
    let mut found = Vec::new();
    if let Some(schema) = tools.iter().find(is_called).and_then(|tool| tool.get("inputSchema")) {
        annotated(schema, &mut Vec::new(), &mut found);
    }
    found
}

fn annotated(schema: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        path.push(key.clone());
        if let Some(name) = property.get("x-mcp-header").and_then(Value::as_str) {
            found.push((name.to_owned(), path.clone()));
        }
        annotated(property, path, found);
        path.pop();
    }
}

/// A value without its Base64, if it has it.
fn decoded(value: &str) -> Result<String, String> {
    if value.bytes().any(|byte| !(0x20..0x7f).contains(&byte) && byte != b'\t') {
        return Err("it has characters that no header may have".into());
    }
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value.to_owned());
    };
    let bytes = BASE64_STANDARD.decode(encoded).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn is_same(header: &str, body: &Value) -> bool {
    match body {
        Value::String(text) => header == text,
        Value::Bool(value) => header == value.to_string(),
        Value::Number(number) => header.parse::<f64>().ok() == number.as_f64(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(name: &str, headers: &[(&str, &str)], complaints: &[&str]) {
        let tools = [json!({ "name": name, "inputSchema": { "properties":
            { "where": { "properties": { "region": { "type": "string", "x-mcp-header": "Region" } } } } } })];
        let message = json!({ "method": "tools/call", "params": { "name": name, "arguments": { "where": { "region": "a b" } },
            "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } });
        let usual = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call")];
        let headers =
            usual.iter().chain(headers).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = Received { headers, ..Received::default() };
        let found = mismatches(&request, message.as_object().unwrap(), &tools);
        assert_eq!(found.len(), complaints.len(), "{found:?}");
        for (found, part) in found.iter().zip(complaints) {
            assert!(found.what.contains(part), "{found:?}");
        }
    }

    #[test]
    fn headers_agree_with_the_body() {
        check("t", &[("mcp-name", "t"), ("mcp-param-region", "a b")], &[]);
        check("t", &[("mcp-name", "u")], &["\"u\"", "Mcp-Param-Region is missing"]);
        check("t", &[("mcp-param-region", "=?base64?YSBi?=")], &["Mcp-Name is missing"]);
        check("预订", &[("mcp-name", "=?base64?6aKE6K6i?="), ("mcp-param-region", "a b")], &[]);
        check("预订", &[("mcp-name", "预订"), ("mcp-param-region", "a b")], &["no header may have"]);
        check("t", &[("mcp-name", "=?base64?!?="), ("mcp-param-region", "a b")], &["Mcp-Name"]);
    }
}
