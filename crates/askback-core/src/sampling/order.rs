//! What a rule of the user's has a model do, without asking them first.
//!
//! Owns the order and what it changes in a request. Must not know which models there are.

use super::{Content, SamplingRequest};

/// Both gates passed beforehand, by an entry of an answer file or by a standing permission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelOrder {
    /// The model, by the user's name for it; if not given, the one that is chosen for the request.
    pub model: Option<String>,
    /// What is changed in the request before the model gets it.
    pub changes: RequestChanges,
}

/// What is changed in a request before a model gets it; what is not given stays as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestChanges {
    /// Another system prompt; an empty one takes it away.
    pub system_prompt: Option<String>,
    /// Fewer tokens. More than the server asked for are never given (2026-07-28, `CreateMessageRequestParams.maxTokens`).
    pub max_tokens: Option<u64>,
    /// Another temperature.
    pub temperature: Option<f64>,
    /// Other stop sequences.
    pub stop_sequences: Option<Vec<String>>,
    /// Texts that are put in the place of others, in the system prompt and in all messages.
    pub replace: Vec<(String, String)>,
}

impl RequestChanges {
    /// The request with these changes.
    pub fn apply(&self, mut request: SamplingRequest) -> SamplingRequest {
        if let Some(prompt) = &self.system_prompt {
            request.system_prompt = Some(prompt.clone()).filter(|prompt| !prompt.is_empty());
        }
        if let Some(most) = self.max_tokens {
            request.max_tokens = request.max_tokens.min(most);
        }
        request.temperature = self.temperature.or(request.temperature);
        if let Some(stops) = &self.stop_sequences {
            request.stop_sequences.clone_from(stops);
        }
        for (text, with) in &self.replace {
            let texts = request.messages.iter_mut().flat_map(|message| &mut message.content);
            let texts = texts.filter_map(|content| match content {
                Content::Text(text) => Some(text),
                _ => None,
            });
            for target in texts.chain(&mut request.system_prompt) {
                *target = target.replace(text, with);
            }
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request() -> SamplingRequest {
        let text = json!({"type": "text", "text": "Which flight, for Ann?"});
        let params =
            json!({"systemPrompt": "Help Ann.", "messages": [{"role": "user", "content": text}], "maxTokens": 100});
        SamplingRequest::read(&params).expect("a request").0
    }

    #[test]
    fn what_is_not_given_stays() {
        assert_eq!(RequestChanges::default().apply(request()), request());
    }

    #[test]
    fn s12_tokens_become_fewer_and_never_more() {
        let with = |most| RequestChanges { max_tokens: Some(most), ..Default::default() }.apply(request()).max_tokens;
        assert_eq!((with(50), with(500)), (50, 100));
    }

    #[test]
    fn texts_are_replaced_wherever_they_are() {
        let replace = vec![("Ann".to_owned(), "the traveller".to_owned())];
        let changed = RequestChanges { replace, ..Default::default() }.apply(request());
        assert_eq!(changed.system_prompt.as_deref(), Some("Help the traveller."));
        assert_eq!(changed.messages[0].content, [Content::Text("Which flight, for the traveller?".into())]);
    }

    #[test]
    fn an_empty_system_prompt_takes_it_away() {
        let changed = RequestChanges { system_prompt: Some(String::new()), ..Default::default() }.apply(request());
        assert_eq!(changed.system_prompt, None);
    }
}
