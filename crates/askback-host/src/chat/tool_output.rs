//! A tool's result as the model gets it: one text, bounded.
//!
//! Owns what becomes of each kind of block, and what is said of what was left out. Must not know who called.

use serde_json::Value;

/// A result for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToolOutput {
    pub(super) text: String,
    pub(super) is_error: bool,
    /// How many bytes of text were left out.
    pub(super) left_out: usize,
}

impl ToolOutput {
    /// What comes of the result of `tools/call`; at most so many bytes of its text, and a line that says how much is missing.
    pub(super) fn of(result: &Value, most: usize) -> ToolOutput {
        let blocks = result.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut text = blocks.iter().map(block).collect::<Vec<_>>().join("\n\n");
        if text.is_empty()
            && let Some(structured) = result.get("structuredContent")
        {
            text = structured.to_string();
        }
        if text.is_empty() {
            text.push_str("(The tool returned nothing.)");
        }
        let is_error = result.get("isError") == Some(&Value::Bool(true));
        let (text, left_out) = bounded(text, most);
        ToolOutput { text, is_error, left_out }
    }

    /// What stands in the place of the result of a call that has none.
    pub(super) fn failed(message: String, most: usize) -> ToolOutput {
        let (message, left_out) = bounded(message, most);
        ToolOutput { text: format!("The call failed: {message}"), is_error: true, left_out }
    }

    /// Our own words in the place of a result.
    pub(super) fn error(text: impl Into<String>) -> ToolOutput {
        ToolOutput { text: text.into(), is_error: true, left_out: 0 }
    }
}

/// The beginning of a text, and how many bytes were left out.
pub(super) fn bounded(mut text: String, most: usize) -> (String, usize) {
    let whole = text.len();
    if whole <= most {
        return (text, 0);
    }
    let kept = text.floor_char_boundary(most);
    text.truncate(kept);
    let left_out = whole - kept;
    text.push_str(&format!(
        "\n[Askback cut the result here: {left_out} of its {whole} bytes are left out. Ask for less at a time.]"
    ));
    (text, left_out)
}

fn block(block: &Value) -> String {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    match (text("type"), text("text")) {
        (Some("text"), Some(text)) => text.to_owned(),
        (Some(kind @ ("image" | "audio")), _) => {
            left_out(kind, text("mimeType"), text("data").unwrap_or_default().len())
        }
        (Some("resource"), _) => resource(&block["resource"]),
        _ => block.to_string(),
    }
}

/// An embedded resource: its text, or a note that it has none.
fn resource(resource: &Value) -> String {
    let text = |key: &str| resource.get(key).and_then(Value::as_str);
    let uri = text("uri").unwrap_or_default();
    match (text("text"), text("blob")) {
        (Some(content), _) => format!("{uri}\n{content}"),
        (None, Some(blob)) => format!("{uri}\n{}", left_out("file", text("mimeType"), blob.len())),
        (None, None) => resource.to_string(),
    }
}

fn left_out(kind: &str, mime_type: Option<&str>, encoded: usize) -> String {
    let bytes = encoded / 4 * 3;
    format!("[Askback left out: {kind} {} of about {bytes} bytes.]", mime_type.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(result: Value, text: &str) {
        assert_eq!(ToolOutput::of(&result, 1_000).text, text);
    }

    #[test]
    fn every_kind_of_block_leaves_a_trace() {
        check(json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}), "a\n\nb");
        check(json!({"content": [], "structuredContent": {"n": 1}}), r#"{"n":1}"#);
        check(json!({"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": 1}}), "one");
        check(json!({}), "(The tool returned nothing.)");
        check(
            json!({"content": [{"type": "image", "mimeType": "image/png", "data": "AAAAAAAA"}]}),
            "[Askback left out: image image/png of about 6 bytes.]",
        );
        check(
            json!({"content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "x"}}]}),
            "file:///a\nx",
        );
        check(json!({"content": [{"type": "resource_link", "uri": "u"}]}), r#"{"type":"resource_link","uri":"u"}"#);
    }

    #[test]
    fn a_large_result_is_cut_between_characters_and_says_so() {
        let output = ToolOutput::of(&json!({"content": [{"type": "text", "text": "é".repeat(100)}]}), 11);
        assert_eq!(output.left_out, 190);
        assert!(output.text.starts_with("ééééé\n[Askback cut"), "{}", output.text);
        assert!(output.text.contains("190 of its 200 bytes"), "{}", output.text);
        assert!(!output.is_error);
    }

    #[test]
    fn an_error_stays_one() {
        let output = ToolOutput::of(&json!({"content": [], "isError": true}), 10);
        assert!(output.is_error);
    }
}
