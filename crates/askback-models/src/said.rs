//! What a provider says when it refuses, made fit to be shown.
//!
//! Owns the bounds and the removal of the key. Neutralising for a terminal is `askback_core::display`'s.

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

/// How many characters of a provider's text are kept.
const KEPT: usize = 600;

/// The text of a refusal: the message of its JSON, or else the beginning of what came.
pub(crate) fn said(body: &str, key: Option<&SecretString>) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let text = parsed.as_ref().and_then(message).unwrap_or(body).trim();
    bounded(text, key)
}

/// A text without the key and not too long.
pub(crate) fn bounded(text: &str, key: Option<&SecretString>) -> String {
    let key = key.map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
    let text = match key {
        Some(key) => text.replace(key, "•••"),
        None => text.to_owned(),
    };
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Where providers put the message; Gemini sends a list of one, some endpoints nest it once more.
fn message(body: &Value) -> Option<&str> {
    let body = if let Value::Array(list) = body { list.first()? } else { body };
    ["/error/error/message", "/error/message", "/error", "/message", "/detail"]
        .into_iter()
        .find_map(|place| body.pointer(place)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str) {
        assert_eq!(said(body, Some(&SecretString::from("sk-1234"))), expected);
    }

    #[test]
    fn the_message_is_found_where_providers_put_it() {
        check(r#"{"error":{"message":"No.","type":"x"}}"#, "No.");
        check(r#"{"type":"error","error":{"type":"x","message":"No."}}"#, "No.");
        check(r#"[{"error":{"code":400,"message":"No."}}]"#, "No.");
        check(r#"{"error":"model 'x' not found"}"#, "model 'x' not found");
        check("<html>Bad gateway</html>\n", "<html>Bad gateway</html>");
        check("", "");
    }

    #[test]
    fn it_is_bounded_and_never_holds_the_key() {
        check(r#"{"error":{"message":"Incorrect API key: sk-1234."}}"#, "Incorrect API key: •••.");
        assert_eq!(said(&"é".repeat(100_000), None).chars().count(), KEPT + 1);
    }
}
