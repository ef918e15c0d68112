use askback_core::sampling::{Role, SamplingMessage, SamplingTool};
use serde_json::json;

use super::*;

fn request(choice: Option<ToolChoice>) -> SamplingRequest {
    let tool = SamplingTool { name: "t".into(), description: None, input_schema: json!({"type": "object"}) };
    let used = Content::ToolUse { id: "call_0".into(), name: "t".into(), input: Map::new() };
    SamplingRequest {
        system_prompt: None,
        messages: vec![SamplingMessage { role: Role::Assistant, content: vec![used] }],
        max_tokens: 100,
        tools: choice.map(|_| tool).into_iter().collect(),
        tool_choice: choice.unwrap_or_default(),
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        temperature: None,
        stop_sequences: Vec::new(),
        include_context: None,
        has_context: false,
        metadata: None,
    }
}

fn stopped(reason: &str) -> Seen {
    Seen { stop: Some(reason.into()), model: Some("real".into()), is_whole: true, ..Seen::default() }
}

fn calling(arguments: Value) -> Draft {
    let mut draft = Draft::default();
    draft.call("1", "t", arguments, false);
    draft
}

#[track_caller]
fn check(draft: Draft, reason: &str, choice: Option<ToolChoice>, expected: Result<Value, ModelError>) {
    let reply = draft.finish(&stopped(reason), &request(choice), "asked").map(|reply| reply.to_value());
    assert_eq!(reply, expected);
}

#[test]
fn s13_nothing_becomes_one_empty_text_with_the_true_reason() {
    let empty = |reason: &str| json!({"role": "assistant", "content": {"type": "text", "text": ""}, "model": "real", "stopReason": reason});
    check(Draft::default(), "stop", None, Ok(empty("endTurn")));
    check(Draft::default(), "length", None, Ok(empty("maxTokens")));
    check(Draft::default(), "content_filter", None, Ok(empty("content_filter")));
    let reply = Draft::default().finish(&Seen::default(), &request(None), "asked").expect("a reply");
    assert_eq!((reply.model.as_str(), reply.stop_reason), ("asked", None));
}

#[test]
fn text_and_calls_keep_their_order() {
    let mut draft = Draft::default();
    draft.text("Let me ");
    draft.text("see.");
    assert!(draft.call("1", "t", json!("{\"a\":"), true));
    assert!(!draft.call("1", "t", json!("{\"a\":1}"), true));
    draft.text("And now?");
    let content = json!([
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "1", "name": "t", "input": {"a": 1}},
        {"type": "text", "text": "And now?"},
    ]);
    let reply = json!({"role": "assistant", "content": content, "model": "real", "stopReason": "toolUse"});
    check(draft, "stop", Some(ToolChoice::Auto), Ok(reply));
}

#[test]
fn ids_of_calls_are_their_own_in_the_whole_conversation() {
    let mut draft = Draft::default();
    for id in ["call_0", "", "call_0"] {
        draft.call(id, "t", Value::Null, false);
    }
    let reply = draft.finish(&stopped("tool_calls"), &request(Some(ToolChoice::Auto)), "asked").expect("a reply");
    let ids: Vec<_> = reply.content.iter().map(|part| part.to_value()["id"].clone()).collect();
    assert_eq!(ids, ["call_0_2", "call", "call_0_3"]);
}

#[test]
fn half_a_call_is_none() {
    let empty = json!({"role": "assistant", "content": {"type": "text", "text": ""}, "model": "real", "stopReason": "maxTokens"});
    check(calling(json!("{\"a\":")), "length", Some(ToolChoice::Required), Ok(empty));
    let detail = "the input for the tool \"t\" is not an object".to_owned();
    let unreadable = Err(ModelError::Unreadable { detail });
    check(calling(json!("{\"a\":")), "tool_calls", Some(ToolChoice::Auto), unreadable.clone());
    check(calling(json!([1])), "tool_calls", Some(ToolChoice::Auto), unreadable);
}

#[test]
fn the_tool_choice_is_kept_or_it_is_an_error() {
    let not_allowed = Err(ModelError::ToolNotAllowed { name: "t".into() });
    check(calling(json!({})), "tool_calls", Some(ToolChoice::None), not_allowed.clone());
    check(calling(json!({})), "tool_calls", None, not_allowed);
    let mut text = Draft::default();
    text.text("No.");
    check(text.clone(), "stop", Some(ToolChoice::Required), Err(ModelError::NoToolCalled));
    let filtered = json!({"role": "assistant", "content": {"type": "text", "text": "No."}, "model": "real", "stopReason": "refusal"});
    check(text, "refusal", Some(ToolChoice::Required), Ok(filtered));
}
