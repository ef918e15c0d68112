//! How many tokens a request is likely to be, and what that may cost.
//!
//! Owns the estimate: no tokenizer is asked, so that it is the same for every provider and costs nothing. It is made to be shown as an
//! estimate and to keep budgets, not to be billed by. Must not know limits.

use serde_json::Value;

use super::{Content, SamplingRequest, SamplingTool};

/// What one image counts as: about what the large vendors charge for a full-size picture. The picture is not decoded for a better figure.
pub const IMAGE_TOKENS: u64 = 1_600;
/// What one sound counts as: about a minute of speech. The sound is not decoded for a better figure.
pub const AUDIO_TOKENS: u64 = 2_000;
/// What a message or a tool adds to its text: roles and separators.
const FRAME_TOKENS: u64 = 4;
/// Bytes of UTF-8 per token in scripts with letters; code and European languages lie between 3 and 5.
const BYTES_PER_TOKEN: u64 = 4;

/// The likely size of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Tokens that go to the model, estimated.
    pub input: u64,
    /// Tokens that may come back: the request's own limit, so not an estimate.
    pub output_at_most: u64,
}

/// What a model costs, in the user's currency, per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// For a million tokens that go to the model.
    pub input: f64,
    /// For a million tokens that come back.
    pub output: f64,
}

/// What a request may cost, in the user's currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRange {
    /// When nothing comes back.
    pub least: f64,
    /// When as much comes back as may.
    pub most: f64,
}

impl Estimate {
    /// The estimate for a request.
    pub fn of(request: &SamplingRequest) -> Estimate {
        let mut input = request.system_prompt.as_deref().map_or(0, text_tokens);
        for message in &request.messages {
            input = input.saturating_add(FRAME_TOKENS);
            for content in &message.content {
                input = input.saturating_add(content_tokens(content));
            }
        }
        for tool in &request.tools {
            input = input.saturating_add(tool_tokens(tool));
        }
        Estimate { input, output_at_most: request.max_tokens }
    }

    /// Input and output together, at most.
    pub fn most(&self) -> u64 {
        self.input.saturating_add(self.output_at_most)
    }

    /// What it may cost at this price.
    pub fn cost(&self, price: &Price) -> CostRange {
        let least = price.of_input(self.input);
        CostRange { least, most: least + price.of_output(self.output_at_most) }
    }
}

impl Price {
    /// What this many tokens cost that go to the model.
    pub fn of_input(&self, tokens: u64) -> f64 {
        tokens as f64 * self.input.max(0.0) / 1e6
    }

    /// What this many tokens cost that come back.
    pub fn of_output(&self, tokens: u64) -> f64 {
        tokens as f64 * self.output.max(0.0) / 1e6
    }
}

/// The likely number of tokens of a text: one for each character of Chinese, Japanese and Korean, and one for each four bytes of the rest.
pub fn text_tokens(text: &str) -> u64 {
    let (mut ideographs, mut bytes) = (0_u64, 0_u64);
    for char in text.chars() {
        if is_east_asian(char) {
            ideographs += 1;
        } else {
            bytes += char.len_utf8() as u64;
        }
    }
    ideographs + bytes.div_ceil(BYTES_PER_TOKEN)
}

fn is_east_asian(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x11FF        // Hangul letters
        | 0x2E80..=0x9FFF      // radicals, kana, Chinese characters
        | 0xA960..=0xA97F
        | 0xAC00..=0xD7FF      // Hangul syllables
        | 0xF900..=0xFAFF
        | 0xFF00..=0xFFEF      // full and half width forms
        | 0x20000..=0x3FFFF)
}

fn content_tokens(content: &Content) -> u64 {
    match content {
        Content::Text(text) => text_tokens(text),
        Content::Image(_) => IMAGE_TOKENS,
        Content::Audio(_) => AUDIO_TOKENS,
        Content::ToolUse { name, input, .. } => {
            let members = input.iter().map(|(key, value)| text_tokens(key).saturating_add(value_tokens(value)));
            members.fold(FRAME_TOKENS + text_tokens(name), u64::saturating_add)
        }
        Content::ToolResult { content, .. } => FRAME_TOKENS.saturating_add(value_tokens(content)),
    }
}

fn tool_tokens(tool: &SamplingTool) -> u64 {
    let description = tool.description.as_deref().map_or(0, text_tokens);
    FRAME_TOKENS + text_tokens(&tool.name) + description + value_tokens(&tool.input_schema)
}

/// JSON as text, except that an image or a sound in it counts as one and not as the Base64 that it is written in.
fn value_tokens(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) => 1,
        Value::Number(number) => text_tokens(&number.to_string()),
        Value::String(text) => text_tokens(text) + 1,
        Value::Array(items) => items.iter().map(value_tokens).fold(1, u64::saturating_add),
        Value::Object(members) => match members.get("type").and_then(Value::as_str) {
            Some("image") if members.contains_key("data") => IMAGE_TOKENS,
            Some("audio") if members.contains_key("data") => AUDIO_TOKENS,
            _ => members
                .iter()
                .map(|(key, value)| text_tokens(key).saturating_add(value_tokens(value)))
                .fold(1, u64::saturating_add),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(text: &str, tokens: u64) {
        assert_eq!(text_tokens(text), tokens, "{text:?}");
    }

    fn request(changes: Value) -> SamplingRequest {
        let mut params =
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": ""}}], "maxTokens": 50});
        params.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        SamplingRequest::read(&params).unwrap().0
    }

    fn input(blocks: Value) -> u64 {
        Estimate::of(&request(json!({"messages": [{"role": "user", "content": blocks}]}))).input
    }

    #[test]
    fn each_script_has_its_weight() {
        check("", 0);
        check("a", 1);
        check("word", 1);
        check("words", 2);
        check("预订航班", 4);
        check("予約する", 4);
        check("예약하기", 4);
        check("預訂 book", 2 + 2);
        check("при", 2);
    }

    #[test]
    fn attachments_count_the_same_whatever_their_bytes() {
        let image = |data: &str| json!({"type": "image", "mimeType": "image/png", "data": data});
        assert_eq!(input(image("AAAA")), FRAME_TOKENS + IMAGE_TOKENS);
        assert_eq!(input(image(&"A".repeat(100_000))), FRAME_TOKENS + IMAGE_TOKENS);
        assert_eq!(input(json!({"type": "audio", "mimeType": "audio/wav", "data": "AA"})), FRAME_TOKENS + AUDIO_TOKENS);
    }

    #[test]
    fn an_image_in_a_tool_result_is_an_image() {
        let result = |content: Value| {
            let used =
                json!({"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "t", "input": {}}});
            let result =
                json!({"role": "user", "content": {"type": "tool_result", "toolUseId": "1", "content": content}});
            Estimate::of(&request(json!({"messages": [used, result]}))).input
        };
        let image = json!([{"type": "image", "mimeType": "image/png", "data": "A".repeat(100_000)}]);
        assert!(result(image) < IMAGE_TOKENS + 50);
        assert!(result(json!([{"type": "text", "text": "A".repeat(100_000)}])) >= 25_000);
    }

    #[test]
    fn everything_that_goes_to_the_model_counts() {
        let least = Estimate::of(&request(json!({})));
        let tool = json!([{"name": "t", "description": "x".repeat(400), "inputSchema": {"type": "object"}}]);
        for change in [json!({"systemPrompt": "x".repeat(400)}), json!({"tools": tool})] {
            assert!(Estimate::of(&request(change)).input >= least.input + 100);
        }
    }

    #[test]
    fn the_cost_lies_between_no_reply_and_the_longest() {
        let estimate = Estimate { input: 1_000_000, output_at_most: 500_000 };
        let cost = estimate.cost(&Price { input: 3.0, output: 15.0 });
        assert_eq!(cost, CostRange { least: 3.0, most: 10.5 });
        assert_eq!(estimate.cost(&Price { input: -1.0, output: f64::NAN }), CostRange { least: 0.0, most: 0.0 });
        assert_eq!(Estimate { input: u64::MAX, output_at_most: u64::MAX }.most(), u64::MAX);
    }
}
