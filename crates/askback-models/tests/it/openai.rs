//! OpenAI's chat completions.

use askback_core::sampling::{SamplingRequest, ToolChoice};
use askback_models::{LeftOut, Parameter, Piece, Provider, Usage, WhyLeftOut};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::scripted::{Scripted, hello, reply, weather};

fn chunk(delta: Value, finish: Option<&str>) -> Value {
    json!({"id": "1", "model": "model-real", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

#[tokio::test]
async fn text_streams_and_the_model_that_answered_is_told() {
    let scripted = Scripted::new(Provider::OpenAi).await;
    let counted = json!({"model": "model-real", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}});
    let hi = chunk(json!({"role": "assistant", "content": "Hé"}), None);
    let thought = chunk(json!({"reasoning_content": "hm"}), None);
    scripted
        .stream(&[thought, hi, chunk(json!({"content": "llo"}), None), chunk(json!({}), Some("stop")), counted])
        .await;
    let (completion, pieces) = scripted.ask(&hello()).await;
    let completion = completion.expect("a reply");
    let content = json!({"type": "text", "text": "Héllo"});
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "endTurn"});
    assert_eq!(completion.reply.to_value(), expected);
    assert_eq!(completion.usage, Some(Usage { input_tokens: Some(5), output_tokens: Some(2) }));
    let told = [Piece::Thinking("hm".into()), Piece::Text("Hé".into()), Piece::Text("llo".into())];
    assert_eq!(pieces, told);

    let body = &scripted.bodies().await[0];
    assert_eq!(
        (&body["model"], &body["max_tokens"], &body["stream"]),
        (&json!("model-max"), &json!(100), &json!(true))
    );
    assert!(body.get("reasoning_effort").is_none(), "the name is no wish: {body}");
    assert!(body.get("tool_choice").is_none() && body.get("metadata").is_none(), "{body}");
    let sent = &scripted.server.received_requests().await.expect("requests")[0];
    assert_eq!(sent.headers["authorization"], "Bearer sk-secret");
    assert_eq!(sent.url.path(), "/chat/completions");
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_goes_back() {
    let scripted = Scripted::new(Provider::OpenAi).await;
    let call = |rest: Value| json!({"tool_calls": [{"index": 0, "id": rest["id"], "function": rest}]});
    let events = [
        chunk(call(json!({"id": "c9", "name": "web_search", "arguments": ""})), None),
        chunk(call(json!({"arguments": "{\"city\":\"Gi"})), None),
        chunk(call(json!({"arguments": "rona\"}"})), None),
        chunk(json!({}), Some("tool_calls")),
    ];
    scripted.stream(&events).await;
    let (completion, pieces) = scripted.ask(&weather("c1", ToolChoice::Required)).await;
    let content = json!({"type": "tool_use", "id": "c9", "name": "web_search", "input": {"city": "Girona"}});
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "toolUse"});
    assert_eq!(reply(completion), expected);
    assert_eq!(pieces, [Piece::ToolCall { name: "web_search".into() }]);

    let body = &scripted.bodies().await[0];
    let call = json!({"type": "function", "id": "c1", "function": {"name": "web_search", "arguments": "{\"city\":\"Barcelona\"}"}});
    let messages = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": "12 °C", "tool_call_id": "c1"},
    ]);
    assert_eq!(body["messages"], messages);
    assert_eq!(body["tool_choice"], "required");
    assert_eq!(body["tools"][0]["type"], "function");
    assert_eq!(body["tools"][0]["function"]["description"], "web_search");
}

#[tokio::test]
async fn s13_an_end_without_content_or_mark_is_an_empty_text() {
    let scripted = Scripted::new(Provider::OpenAi).await;
    let body = format!("data: {}\n\n", chunk(json!({"refusal": ""}), Some("content_filter")));
    scripted.answer(ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")).await;
    let (completion, _) = scripted.ask(&hello()).await;
    let content = json!({"type": "text", "text": ""});
    let expected =
        json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "content_filter"});
    assert_eq!(reply(completion), expected);
}

#[tokio::test]
async fn s14_a_refused_parameter_is_left_out_and_told() {
    let scripted = Scripted::new(Provider::OpenAi).await;
    let refusal =
        json!({"error": {"message": "Unsupported value: 'temperature' does not support 0.7", "param": "temperature"}});
    scripted.answer(ResponseTemplate::new(400).set_body_json(refusal)).await;
    scripted.stream(&[chunk(json!({"content": "Hi"}), Some("length"))]).await;
    let request = SamplingRequest {
        temperature: Some(0.7),
        stop_sequences: vec!["END".into()],
        metadata: Some(json!({"x": 1})),
        ..hello()
    };
    let (completion, _) = scripted.ask(&request).await;
    let completion = completion.expect("a reply");
    assert_eq!(completion.reply.stop_reason.as_deref(), Some("maxTokens"));
    assert_eq!(completion.left_out, [LeftOut { parameter: Parameter::Temperature, why: WhyLeftOut::Refused }]);
    let bodies = scripted.bodies().await;
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0]["temperature"], 0.7);
    assert!(bodies[1].get("temperature").is_none());
    for body in &bodies {
        assert_eq!((&body["stop"], &body["metadata"]), (&json!(["END"]), &json!({"x": 1})));
    }
}
