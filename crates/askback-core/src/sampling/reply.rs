//! The reply as the protocol writes it.

use serde_json::{Map, Value, json};

use super::{ReplyContent, SamplingReply};

impl SamplingReply {
    /// The `CreateMessageResult`: one block of content as an object, several as an array, `stopReason` only when it is known.
    ///
    /// A reply without content goes out as one empty text block: the protocol knows no empty content.
    pub fn to_value(&self) -> Value {
        let mut blocks: Vec<Value> = self.content.iter().map(ReplyContent::to_value).collect();
        let content = match blocks.len() {
            0 => json!({"type": "text", "text": ""}),
            1 => blocks.swap_remove(0),
            _ => Value::Array(blocks),
        };
        let mut result = Map::new();
        result.insert("role".into(), "assistant".into());
        result.insert("content".into(), content);
        result.insert("model".into(), self.model.as_str().into());
        if let Some(reason) = &self.stop_reason {
            result.insert("stopReason".into(), reason.as_str().into());
        }
        Value::Object(result)
    }
}

impl ReplyContent {
    /// The content block.
    pub fn to_value(&self) -> Value {
        match self {
            ReplyContent::Text(text) => json!({"type": "text", "text": text}),
            ReplyContent::ToolUse { id, name, input } => {
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
            ReplyContent::Raw(block) => block.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::sampling::{ReplyContent, SamplingReply};

    #[track_caller]
    fn check(content: Vec<ReplyContent>, stop_reason: Option<&str>, sent: Value) {
        let reply = SamplingReply { content, model: "m".into(), stop_reason: stop_reason.map(str::to_owned) };
        assert_eq!(reply.to_value(), sent);
    }

    fn text(text: &str) -> ReplyContent {
        ReplyContent::Text(text.into())
    }

    #[test]
    fn s01_one_block_is_an_object_and_several_are_a_list() {
        let a = json!({"type": "text", "text": "A"});
        check(vec![text("A")], None, json!({"role": "assistant", "content": a, "model": "m"}));
        let tool = ReplyContent::ToolUse { id: "1".into(), name: "t".into(), input: Default::default() };
        let sent = json!([a, {"type": "tool_use", "id": "1", "name": "t", "input": {}}]);
        check(
            vec![text("A"), tool],
            Some("toolUse"),
            json!({"role": "assistant", "content": sent, "model": "m", "stopReason": "toolUse"}),
        );
        let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        check(
            vec![ReplyContent::Raw(image.clone())],
            None,
            json!({"role": "assistant", "content": image, "model": "m"}),
        );
    }

    #[test]
    fn s03_the_stop_reason_is_text_or_absent() {
        let block = json!({"type": "text", "text": "A"});
        let sent = json!({"role": "assistant", "content": block, "model": "m", "stopReason": "content_filter"});
        check(vec![text("A")], Some("content_filter"), sent);
    }

    #[test]
    fn s13_content_is_never_an_empty_list() {
        let block = json!({"type": "text", "text": ""});
        check(
            vec![],
            Some("endTurn"),
            json!({"role": "assistant", "content": block, "model": "m", "stopReason": "endTurn"}),
        );
    }
}
