//! Anthropic's messages.

use askback_core::sampling::ToolChoice;
use askback_models::{ModelError, Piece, Provider, Usage};
use serde_json::{Value, json};

use crate::scripted::{Scripted, hello, reply, weather};

fn start() -> Value {
    json!({"type": "message_start", "message": {"model": "model-real", "usage": {"input_tokens": 9, "output_tokens": 1}}})
}

fn block(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(reason: &str) -> [Value; 2] {
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    [json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 4}}), json!({"type": "message_stop"})]
}

#[tokio::test]
async fn thinking_text_and_a_tool_call_stream_in_order() {
    let scripted = Scripted::new(Provider::Anthropic).await;
    let mut events = vec![
        start(),
        block(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        stop(0),
        block(1, json!({"type": "text", "text": ""})),
        json!({"type": "ping"}),
        delta(1, json!({"type": "text_delta", "text": "Let me see."})),
        stop(1),
        block(2, json!({"type": "tool_use", "id": "t9", "name": "web_search", "input": {}})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "{\"city\":"})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "\"Girona\"}"})),
        stop(2),
    ];
    events.extend(end("tool_use"));
    scripted.stream(&events).await;
    let (completion, pieces) = scripted.ask(&weather("t1", ToolChoice::None)).await;
    assert_eq!(completion, Err(ModelError::ToolNotAllowed { name: "web_search".into() }));
    scripted.stream(&events).await;
    let (completion, _) = scripted.ask(&weather("t1", ToolChoice::Auto)).await;
    let completion = completion.expect("a reply");
    let content = json!([
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "t9", "name": "web_search", "input": {"city": "Girona"}},
    ]);
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "toolUse"});
    assert_eq!(completion.reply.to_value(), expected);
    assert_eq!(completion.usage, Some(Usage { input_tokens: Some(9), output_tokens: Some(4) }));
    let call = Piece::ToolCall { name: "web_search".into() };
    assert_eq!(pieces, [Piece::Thinking("hm".into()), Piece::Text("Let me see.".into()), call]);

    let bodies = scripted.bodies().await;
    let input = json!({"city": "Barcelona"});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "12 °C"}]});
    let messages = json!([
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "web_search", "input": input}]},
        {"role": "user", "content": [result]},
    ]);
    assert_eq!(bodies[0]["messages"], messages);
    assert_eq!((&bodies[0]["system"], &bodies[0]["max_tokens"]), (&json!("Be brief."), &json!(100)));
    assert_eq!(bodies[0]["model"], "model-max");
    assert_eq!(
        (&bodies[0]["tool_choice"]["type"], &bodies[1]["tool_choice"]["type"]),
        (&json!("none"), &json!("auto"))
    );
    assert!(bodies[0]["tools"][0].get("type").is_none(), "no tool of the provider's own: {}", bodies[0]["tools"]);
    let sent = &scripted.server.received_requests().await.expect("requests")[0];
    assert_eq!(sent.headers["x-api-key"], "sk-secret");
    assert_eq!(sent.url.path(), "/v1/messages");
}

#[tokio::test]
async fn s13_only_thinking_is_an_empty_text() {
    let scripted = Scripted::new(Provider::Anthropic).await;
    let mut events = vec![start(), block(0, json!({"type": "thinking", "thinking": "hm"})), stop(0)];
    events.extend(end("refusal"));
    scripted.stream(&events).await;
    let (completion, _) = scripted.ask(&hello()).await;
    let content = json!({"type": "text", "text": ""});
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "refusal"});
    assert_eq!(reply(completion), expected);
}

#[tokio::test]
async fn an_error_in_the_middle_and_a_missing_end_are_no_replies() {
    let scripted = Scripted::new(Provider::Anthropic).await;
    let begun =
        [start(), block(0, json!({"type": "text", "text": ""})), delta(0, json!({"type": "text_delta", "text": "Ha"}))];
    let busy = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    scripted.stream(&[&begun[..], &[busy]].concat()).await;
    let (completion, pieces) = scripted.ask(&hello()).await;
    let expected = ModelError::Unavailable { status: None, retry_after: None, said: "Overloaded".into() };
    assert_eq!((completion, pieces), (Err(expected), vec![Piece::Text("Ha".into())]));
    scripted.stream(&begun).await;
    let (completion, _) = scripted.ask(&hello()).await;
    assert!(matches!(completion, Err(ModelError::CutShort { .. })), "{completion:?}");
}
