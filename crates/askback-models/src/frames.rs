//! What is read from the frames of an answer themselves, beside what `genai` makes of them.
//!
//! `genai` does not tell, while streaming, which model answered, whether the answer is whole, or why a prompt was blocked; and it makes room
//! for as many tool calls as the endpoint likes. All of that is taken from the frames here. Owns no I/O.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde_json::Value;

use crate::settings::Provider;

/// How many tool calls one reply may have.
const CALLS: u64 = 128;

/// Listens to the frames of one answer.
pub(crate) struct Frames {
    provider: Provider,
    seen: Mutex<Seen>,
}

/// What the frames have told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// How many bytes they had.
    pub(crate) bytes: usize,
    /// How many held data.
    pub(crate) frames: usize,
    /// The model that answers, in the provider's words.
    pub(crate) model: Option<String>,
    /// Why it stopped, in the provider's words.
    pub(crate) stop: Option<String>,
    /// Whether the last frame of an answer has come.
    pub(crate) is_whole: bool,
    /// Why the provider would not have the prompt answered.
    pub(crate) blocked: Option<String>,
    /// The model's own words of refusal, which OpenAI sends apart.
    pub(crate) refusal: String,
    /// What went wrong in the middle, where `genai` passes over it.
    pub(crate) error: Option<Value>,
    /// The tool calls of OpenAI's protocol, by their number.
    pub(crate) calls: BTreeMap<u64, Call>,
    /// Whether there were too many of them.
    pub(crate) has_too_many_calls: bool,
}

/// A tool call that comes in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Frames {
    pub(crate) fn new(provider: Provider) -> Frames {
        Frames { provider, seen: Mutex::default() }
    }

    /// What the frames have told so far.
    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatFrameSink for Frames {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        self.seen().read(self.provider, frame.data);
    }
}

impl Seen {
    pub(crate) fn read(&mut self, provider: Provider, data: &str) {
        self.bytes += data.len();
        self.frames += usize::from(!data.trim().is_empty());
        match provider {
            Provider::OpenAi if data.trim() == "[DONE]" => self.is_whole = true,
            // Several lines may come as one frame.
            Provider::Ollama => data.lines().filter_map(parsed).for_each(|line| self.read_ollama(&line)),
            Provider::OpenAi => parsed(data).iter().for_each(|chunk| self.read_openai(chunk)),
            Provider::Anthropic => parsed(data).iter().for_each(|event| self.read_anthropic(event)),
            Provider::Gemini => parsed(data).iter().for_each(|chunk| self.read_gemini(chunk)),
        }
    }

    fn read_openai(&mut self, chunk: &Value) {
        take(&mut self.model, &chunk["model"]);
        let choice = &chunk["choices"][0];
        take(&mut self.stop, &choice["finish_reason"]);
        // Some endpoints end without the mark.
        self.is_whole |= self.stop.is_some();
        self.refusal.push_str(choice["delta"]["refusal"].as_str().unwrap_or_default());
        for piece in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let number = piece["index"].as_u64().unwrap_or_default();
            if number >= CALLS {
                self.has_too_many_calls = true;
                continue;
            }
            let call = self.calls.entry(number).or_default();
            // The name and the id come once, and are repeated by some.
            for (known, told) in [(&mut call.id, &piece["id"]), (&mut call.name, &piece["function"]["name"])] {
                if known.is_empty() {
                    *known = told.as_str().unwrap_or_default().to_owned();
                }
            }
            match &piece["function"]["arguments"] {
                Value::String(more) => call.arguments.push_str(more),
                Value::Object(whole) => call.arguments = Value::Object(whole.clone()).to_string(),
                _ => {}
            }
        }
    }

    fn read_anthropic(&mut self, event: &Value) {
        match event["type"].as_str() {
            Some("message_start") => take(&mut self.model, &event["message"]["model"]),
            Some("message_delta") => {
                take(&mut self.stop, &event["delta"]["stop_reason"]);
                // llama.cpp names the sequence and calls it a normal end.
                if event["delta"]["stop_sequence"].is_string() && self.stop.as_deref() == Some("end_turn") {
                    self.stop = Some("stop_sequence".to_owned());
                }
            }
            Some("message_stop") => self.is_whole = true,
            _ => {}
        }
    }

    fn read_gemini(&mut self, chunk: &Value) {
        take(&mut self.model, &chunk["modelVersion"]);
        take(&mut self.stop, &chunk["candidates"][0]["finishReason"]);
        take(&mut self.blocked, &chunk["promptFeedback"]["blockReason"]);
        self.is_whole |= self.stop.is_some();
    }

    fn read_ollama(&mut self, line: &Value) {
        take(&mut self.model, &line["model"]);
        take(&mut self.stop, &line["done_reason"]);
        self.is_whole |= line["done"] == true;
        if line["error"].is_string() {
            self.error = Some(line["error"].clone());
        }
    }
}

fn parsed(data: &str) -> Option<Value> {
    serde_json::from_str(data).ok()
}

/// The last text that is none of the empty ones wins.
fn take(known: &mut Option<String>, told: &Value) {
    if let Some(told) = told.as_str().filter(|told| !told.is_empty()) {
        *known = Some(told.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(provider: Provider, frames: &[Value]) -> Seen {
        let mut seen = Seen::default();
        frames.iter().for_each(|frame| seen.read(provider, &frame.to_string()));
        seen
    }

    #[test]
    fn the_model_and_the_end_are_where_each_provider_says_them() {
        let openai = [json!({"model": "m-1", "choices": [{"delta": {}, "finish_reason": "stop"}]})];
        let anthropic = [
            json!({"type": "message_start", "message": {"model": "m-1"}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "stop"}}),
            json!({"type": "message_stop"}),
        ];
        let gemini = [json!({"modelVersion": "m-1", "candidates": [{"finishReason": "stop"}]})];
        let ollama = [json!({"model": "m-1", "done": true, "done_reason": "stop"})];
        for (provider, frames) in [
            (Provider::OpenAi, &openai[..]),
            (Provider::Anthropic, &anthropic[..]),
            (Provider::Gemini, &gemini[..]),
            (Provider::Ollama, &ollama[..]),
        ] {
            let seen = seen(provider, frames);
            assert_eq!((seen.model.as_deref(), seen.stop.as_deref()), (Some("m-1"), Some("stop")), "{provider:?}");
            assert!(seen.is_whole, "{provider:?}");
            assert!(!self::seen(provider, &frames[..frames.len() - 1]).is_whole, "{provider:?}");
        }
    }

    #[test]
    fn tool_calls_come_in_pieces_and_a_hostile_number_makes_no_room() {
        let piece = |index: u64, rest: Value| json!({"choices": [{"delta": {"tool_calls": [{"index": index, "id": rest["id"], "function": rest}]}}]});
        let frames = [
            piece(0, json!({"id": "a", "name": "one", "arguments": ""})),
            piece(1, json!({"id": "b", "name": "two", "arguments": "{}"})),
            piece(0, json!({"arguments": "{\"x\":"})),
            piece(0, json!({"arguments": "1}"})),
            piece(4_000_000_000, json!({"id": "c", "name": "three"})),
        ];
        let seen = seen(Provider::OpenAi, &frames);
        assert!(seen.has_too_many_calls);
        assert_eq!(seen.calls.len(), 2);
        let first = Call { id: "a".into(), name: "one".into(), arguments: "{\"x\":1}".into() };
        assert_eq!(seen.calls[&0], first);
    }
}
