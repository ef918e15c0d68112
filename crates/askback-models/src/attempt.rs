//! What of the optional parts of a request goes out, and what is left out after a refusal.
//!
//! Serves S14 and the specification's permission to ignore `temperature`, `stopSequences` and `metadata`: nothing is left out unless it is
//! known not to be taken, or the provider has refused it by name.

use askback_core::sampling::SamplingRequest;
use genai::chat::{ChatOptions, ReasoningEffort};
use serde_json::{Map, Value};

use crate::model::{LeftOut, Parameter, WhyLeftOut};
use crate::settings::{ModelSettings, Provider};
use crate::tools;

/// One attempt to have a request answered.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    left_out: Vec<LeftOut>,
    /// OpenAI's newer models have another name for the limit of tokens.
    limit_by_new_name: bool,
    /// Whether the provider is asked to count tokens, where that is a parameter.
    counts: bool,
}

impl Attempt {
    /// The first one.
    pub(crate) fn first(request: &SamplingRequest, settings: &ModelSettings) -> Attempt {
        let mut attempt = Attempt { left_out: Vec::new(), limit_by_new_name: false, counts: true };
        for parameter in [Parameter::Temperature, Parameter::StopSequences, Parameter::Metadata] {
            if asks_for(request, parameter) && !is_taken(parameter, request, settings) {
                attempt.left_out.push(LeftOut { parameter, why: WhyLeftOut::NotTaken });
            }
        }
        attempt
    }

    /// The next attempt after the provider refused this one with these words, if another one may do better.
    pub(crate) fn after_refusal(&self, said: &str, request: &SamplingRequest) -> Option<Attempt> {
        let mut next = self.clone();
        let said = said.to_ascii_lowercase();
        if !self.limit_by_new_name && said.contains("max_completion_tokens") {
            next.limit_by_new_name = true;
            return Some(next);
        }
        if self.counts && said.contains("stream_options") {
            next.counts = false;
            return Some(next);
        }
        let named: Vec<Parameter> = [Parameter::Temperature, Parameter::StopSequences, Parameter::Metadata]
            .into_iter()
            .filter(|parameter| asks_for(request, *parameter) && self.sends(*parameter) && names(&said, *parameter))
            .collect();
        next.left_out.extend(named.iter().map(|&parameter| LeftOut { parameter, why: WhyLeftOut::Refused }));
        (!named.is_empty()).then_some(next)
    }

    /// What it leaves out of the request.
    pub(crate) fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The options of this attempt; `tools` are the provider's own words for the tools.
    pub(crate) fn options(
        &self,
        request: &SamplingRequest,
        settings: &ModelSettings,
        tools: Option<&Value>,
    ) -> ChatOptions {
        let limit = u32::try_from(request.max_tokens).unwrap_or(u32::MAX);
        let mut body = Map::new();
        if settings.provider != Provider::Gemini {
            // Once more, because `genai` takes the end of some names for a wish: it would ask for `qwen` instead of `qwen-max`.
            body.insert("model".into(), settings.model.as_str().into());
        }
        if let Some(tools) = tools {
            body.insert("tools".into(), tools.clone());
        }
        if let Some(metadata) = request.metadata.as_ref().filter(|_| self.sends(Parameter::Metadata)) {
            body.insert("metadata".into(), metadata.clone());
        }
        let mut options = ChatOptions::default().with_capture_usage(self.counts);
        if self.limit_by_new_name {
            body.insert("max_completion_tokens".into(), limit.into());
        } else {
            options = options.with_max_tokens(limit);
        }
        if let Some(temperature) = request.temperature.filter(|_| self.sends(Parameter::Temperature)) {
            options = options.with_temperature(temperature);
        }
        if self.sends(Parameter::StopSequences) {
            options = options.with_stop_sequences(request.stop_sequences.clone());
        }
        if settings.provider == Provider::OpenAi {
            // This is how `genai` is kept from guessing an effort from the name; it sends nothing for it.
            options = options.with_reasoning_effort(ReasoningEffort::Budget(0));
        }
        // Ollama has no word for the choice, and its other parameters are not taken from the body that is made here.
        if let Some(choice) = tools::tool_choice(request).filter(|_| settings.provider != Provider::Ollama) {
            options = options.with_tool_choice(choice);
        }
        options.with_extra_body(Value::Object(body))
    }

    fn sends(&self, parameter: Parameter) -> bool {
        self.left_out.iter().all(|left_out| left_out.parameter != parameter)
    }
}

fn asks_for(request: &SamplingRequest, parameter: Parameter) -> bool {
    match parameter {
        Parameter::Temperature => request.temperature.is_some(),
        Parameter::StopSequences => !request.stop_sequences.is_empty(),
        Parameter::Metadata => request.metadata.as_ref().is_some_and(|metadata| *metadata != Value::Object(Map::new())),
    }
}

/// What is known of providers and models beforehand; when in doubt, it is sent.
fn is_taken(parameter: Parameter, request: &SamplingRequest, settings: &ModelSettings) -> bool {
    let reasons = settings.provider == Provider::OpenAi
        && ["o1", "o3", "o4", "gpt-5"].iter().any(|family| settings.model.starts_with(family))
        && !settings.model.contains("chat");
    match (parameter, settings.provider) {
        (Parameter::Temperature, _) => !reasons || request.temperature == Some(1.0),
        (Parameter::StopSequences, _) => !reasons,
        (Parameter::Metadata, Provider::OpenAi) => request.metadata.as_ref().is_some_and(Value::is_object),
        // The only metadata that it knows.
        (Parameter::Metadata, Provider::Anthropic) => request
            .metadata
            .as_ref()
            .and_then(Value::as_object)
            .is_some_and(|metadata| metadata.len() == 1 && metadata.get("user_id").is_some_and(Value::is_string)),
        (Parameter::Metadata, Provider::Gemini | Provider::Ollama) => false,
    }
}

/// Whether a refusal, in small letters, names the parameter.
fn names(said: &str, parameter: Parameter) -> bool {
    let words: &[&str] = match parameter {
        Parameter::Temperature => &["temperature"],
        Parameter::StopSequences => {
            &["stop_sequences", "stopsequences", "stop sequence", "'stop'", "\"stop\"", "\\\"stop\\\"", "`stop`"]
        }
        Parameter::Metadata => &["metadata"],
    };
    words.iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests;
