//! What a strict server holds against its client over HTTP, beyond what its messages say ([`crate::judge`]).
//!
//! Knows the rules of the transports and keeps nothing in mind: what depends on what came before is judged where that is known.

use serde_json::{Map, Value};

use crate::http::Shape;
use crate::http::exchange::Received;

/// Judges a POST by its headers and the message that it carries.
pub(super) fn post(shape: Shape, request: &Received, message: &Map<String, Value>) -> Vec<String> {
    let mut wrong = Vec::new();
    let what = name(message);
    if !request.lists("content-type", "application/json") {
        wrong.push(format!("{what} came with the content type {:?}", request.header("content-type")));
    }
    let accepts = |media_type| request.lists("accept", media_type);
    if shape != Shape::Sse && !(accepts("application/json") && accepts("text/event-stream")) {
        wrong.push(format!("{what} accepts only {:?}", request.header("accept")));
    }
    let method = message.get("method").and_then(Value::as_str);
    match shape {
        Shape::Modern => {
            if request.header("mcp-session-id").is_some() && method != Some("initialize") {
                wrong.push(format!("{what} names a session in an era without sessions"));
            }
            if method == Some("notifications/cancelled") {
                wrong.push("a call was cancelled by a message rather than by closing its stream".to_owned());
            }
        }
        Shape::Legacy => {
            if method == Some("initialize") && request.header("mcp-session-id").is_some() {
                wrong.push("initialize names a session".to_owned());
            }
        }
        Shape::Sse => {}
    }
    wrong
}

/// Judges a GET by its headers.
pub(super) fn get(shape: Shape, request: &Received) -> Vec<String> {
    match shape {
        Shape::Modern => vec!["GET has no place in this revision".to_owned()],
        _ if !request.lists("accept", "text/event-stream") => {
            vec![format!("GET accepts only {:?}", request.header("accept"))]
        }
        _ => Vec::new(),
    }
}

/// Whether `MCP-Protocol-Version` says what it has to after `initialize`; the header is there from 2025-06-18 on.
pub(super) fn version(revision: &str, request: &Received) -> Option<String> {
    let given = request.header("mcp-protocol-version");
    let fits = given == Some(revision) || (revision < "2025-06-18" && given.is_none());
    (!fits).then(|| format!("{} names the protocol version {given:?} rather than {revision}", request.method))
}

/// What a message is called where it is spoken of.
pub(super) fn name(message: &Map<String, Value>) -> &str {
    message.get("method").and_then(Value::as_str).unwrap_or("response")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(shape: Shape, headers: &[(&str, &str)], method: &str, complaints: &[&str]) {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = Received { headers, ..Received::default() };
        let found = post(shape, &request, json!({ "method": method }).as_object().unwrap());
        assert_eq!(found.len(), complaints.len(), "{found:?}");
        assert!(found.iter().zip(complaints).all(|(found, part)| found.contains(part)), "{found:?}");
    }

    #[test]
    fn headers_are_looked_at() {
        let json = ("content-type", "application/json; charset=utf-8");
        let both = ("accept", "text/event-stream;q=0.9, application/json");
        let session = ("mcp-session-id", "s");
        check(Shape::Legacy, &[json, both], "tools/call", &[]);
        check(Shape::Sse, &[json], "tools/call", &[]);
        check(Shape::Legacy, &[json, ("accept", "application/json")], "tools/call", &["accepts only"]);
        check(Shape::Legacy, &[both], "tools/call", &["content type"]);
        check(Shape::Legacy, &[json, both, session], "initialize", &["names a session"]);
        check(Shape::Modern, &[json, both, session], "tools/call", &["without sessions"]);
        check(Shape::Modern, &[json, both], "notifications/cancelled", &["by closing its stream"]);
    }

    #[test]
    fn the_version_is_demanded_since_there_is_a_header() {
        let with = |value: &str| Received {
            headers: vec![("mcp-protocol-version".into(), value.into())],
            ..Received::default()
        };
        assert!(version("2025-11-25", &Received::default()).is_some());
        assert!(version("2025-11-25", &with("2025-06-18")).is_some());
        assert!(version("2025-11-25", &with("2025-11-25")).is_none());
        assert!(version("2025-03-26", &Received::default()).is_none());
    }
}
