//! What a tool returned, for providers.
//!
//! Anthropic takes the blocks of a result, images among them, and whether the tool failed; the others take one text.

use serde_json::{Value, json};

use crate::error::Unsupported;

/// The result as one text. A failure says so: these providers have no other place for it.
///
/// # Errors
/// When it holds an image or a sound, for which a text has no place.
pub(crate) fn text(content: &Value, is_error: bool) -> Result<String, Unsupported> {
    let texts: Vec<String> = blocks(content).iter().map(block_text).collect::<Result<_, _>>()?;
    let text = texts.join("\n\n");
    Ok(if is_error { format!("Error: {text}") } else { text })
}

/// The result as a block of Anthropic's.
///
/// # Errors
/// When it holds a sound, or an image and the model takes none.
pub(crate) fn anthropic_block(id: &str, content: &Value, is_error: bool, images: bool) -> Result<Value, Unsupported> {
    let block = |block: &Value| match block["type"].as_str() {
        Some("image") if images => Ok(json!({
            "type": "image",
            "source": {"type": "base64", "media_type": block["mimeType"], "data": block["data"]},
        })),
        _ => Ok(json!({"type": "text", "text": block_text(block)?})),
    };
    let blocks: Vec<Value> = blocks(content).iter().map(block).collect::<Result<_, _>>()?;
    let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": blocks});
    if is_error {
        result["is_error"] = true.into();
    }
    Ok(result)
}

/// The blocks of a result; some servers send one without a list.
fn blocks(content: &Value) -> &[Value] {
    match content {
        Value::Array(blocks) => blocks,
        Value::Null => &[],
        other => std::slice::from_ref(other),
    }
}

/// Text as it is, links and embedded resources as JSON.
fn block_text(block: &Value) -> Result<String, Unsupported> {
    match (block, block["type"].as_str(), block["text"].as_str()) {
        (Value::String(text), _, _) => Ok(text.clone()),
        (_, Some("text"), Some(text)) => Ok(text.to_owned()),
        (_, Some("image" | "audio"), _) => Err(Unsupported::MediaInToolResult),
        _ => Ok(block.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: Value, is_error: bool, expected: Result<&str, Unsupported>) {
        assert_eq!(text(&content, is_error), expected.map(str::to_owned));
    }

    #[test]
    fn every_block_gets_into_the_text_or_is_refused() {
        check(json!([{"type": "text", "text": "12 °C"}]), false, Ok("12 °C"));
        check(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), false, Ok("a\n\nb"));
        check(json!({"type": "text", "text": "alone"}), false, Ok("alone"));
        check(json!([]), false, Ok(""));
        check(json!([{"type": "text", "text": "no such city"}]), true, Ok("Error: no such city"));
        let link = json!({"type": "resource_link", "uri": "file:///a"});
        check(json!([link]), false, Ok(r#"{"type":"resource_link","uri":"file:///a"}"#));
        let image = json!([{"type": "image", "data": "AA==", "mimeType": "image/png"}]);
        check(image, false, Err(Unsupported::MediaInToolResult));
    }

    #[test]
    fn anthropic_gets_blocks_and_the_failure() {
        let image = json!([{"type": "image", "data": "AA==", "mimeType": "image/png"}]);
        let source = json!({"type": "base64", "media_type": "image/png", "data": "AA=="});
        let expected =
            json!({"type": "tool_result", "tool_use_id": "1", "content": [{"type": "image", "source": source}]});
        assert_eq!(anthropic_block("1", &image, false, true), Ok(expected));
        assert_eq!(anthropic_block("1", &image, false, false), Err(Unsupported::MediaInToolResult));
        let failed = anthropic_block("1", &json!([{"type": "text", "text": "no"}]), true, false).expect("a block");
        assert_eq!(failed["is_error"], true);
    }
}
