use askback_core::sampling::{Content, Role, SamplingMessage, ToolChoice};
use serde_json::json;

use super::*;
use crate::settings::Takes;

fn request() -> SamplingRequest {
    SamplingRequest {
        system_prompt: None,
        messages: vec![SamplingMessage { role: Role::User, content: vec![Content::Text("Hi".into())] }],
        max_tokens: 100,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        temperature: Some(0.7),
        stop_sequences: vec!["END".into()],
        include_context: None,
        has_context: false,
        metadata: Some(json!({"x": 1})),
    }
}

fn settings(provider: Provider, model: &str) -> ModelSettings {
    let takes = Takes::default();
    ModelSettings {
        name: "m".into(),
        provider,
        base_url: None,
        model: model.into(),
        key: None,
        key_variable: None,
        takes,
    }
}

#[track_caller]
fn check_first(provider: Provider, model: &str, request: &SamplingRequest, expected: &[Parameter]) {
    let attempt = Attempt::first(request, &settings(provider, model));
    let left_out: Vec<Parameter> = attempt.left_out().iter().map(|left_out| left_out.parameter).collect();
    assert_eq!(left_out, expected, "{provider:?} {model}");
    assert!(attempt.left_out().iter().all(|left_out| left_out.why == WhyLeftOut::NotTaken));
}

#[test]
fn s14_what_is_known_not_to_be_taken_is_not_sent() {
    use Parameter::{Metadata, StopSequences, Temperature};
    let request = request();
    check_first(Provider::OpenAi, "smollm2", &request, &[]);
    check_first(Provider::OpenAi, "o3-mini", &request, &[Temperature, StopSequences]);
    check_first(Provider::OpenAi, "gpt-5-nano", &request, &[Temperature, StopSequences]);
    check_first(Provider::OpenAi, "gpt-5-chat-latest", &request, &[]);
    check_first(Provider::Anthropic, "claude-x", &request, &[Metadata]);
    check_first(Provider::Gemini, "gemini-x", &request, &[Metadata]);
    check_first(Provider::Ollama, "o3", &request, &[Metadata]);
    let user = SamplingRequest { metadata: Some(json!({"user_id": "7"})), ..request.clone() };
    check_first(Provider::Anthropic, "claude-x", &user, &[]);
    let default = SamplingRequest { temperature: Some(1.0), stop_sequences: Vec::new(), ..request.clone() };
    check_first(Provider::OpenAi, "o3-mini", &default, &[]);
    let empty = SamplingRequest { metadata: Some(json!({})), ..request };
    check_first(Provider::Ollama, "x", &empty, &[]);
}

#[track_caller]
fn check_refusal(said: &str, expected: Option<&[Parameter]>) {
    let request = request();
    let first = Attempt::first(&request, &settings(Provider::OpenAi, "m"));
    let next = first.after_refusal(said, &request);
    let left_out = next.as_ref().map(|next| next.left_out().iter().map(|one| one.parameter).collect::<Vec<_>>());
    assert_eq!(left_out.as_deref(), expected, "{said}");
    // The same refusal once more has nothing left to leave out.
    if let Some(next) = next {
        assert!(next.after_refusal(said, &request).is_none(), "{said}");
    }
}

#[test]
fn s14_a_refusal_that_names_a_parameter_leaves_it_out() {
    use Parameter::{Metadata, StopSequences, Temperature};
    check_refusal(r#"{"error":{"message":"Unsupported value","param":"temperature"}}"#, Some(&[Temperature]));
    check_refusal("Unsupported parameter: 'stop' is not supported with this model.", Some(&[StopSequences]));
    check_refusal(r#"{"error":{"param":"stop"}}"#, Some(&[StopSequences]));
    check_refusal("stop_sequences: at most 4", Some(&[StopSequences]));
    check_refusal("The 'metadata' parameter is only allowed when 'store' is enabled", Some(&[Metadata]));
    check_refusal("temperature and metadata are unknown", Some(&[Temperature, Metadata]));
    check_refusal("use max_completion_tokens", Some(&[]));
    check_refusal("stream_options: extra fields not permitted", Some(&[]));
    check_refusal("messages: roles must alternate", None);
    check_refusal("do not stop believing", None);
}

#[test]
fn the_limit_of_tokens_is_never_more_than_asked() {
    let settings = settings(Provider::OpenAi, "m");
    let request = request();
    let first = Attempt::first(&request, &settings);
    assert_eq!(first.options(&request, &settings, None).max_tokens, Some(100));
    let next = first.after_refusal("use 'max_completion_tokens' instead", &request).expect("another attempt");
    let options = next.options(&request, &settings, None);
    assert_eq!(
        (options.max_tokens, &options.extra_body.expect("a body")["max_completion_tokens"]),
        (None, &json!(100))
    );
    let enormous = SamplingRequest { max_tokens: 1 << 40, ..request };
    assert_eq!(first.options(&enormous, &settings, None).max_tokens, Some(u32::MAX));
}
