//! Google's generative language API.

use askback_core::sampling::ToolChoice;
use askback_models::{ModelError, Piece, Provider, Usage};
use serde_json::{Value, json};

use crate::scripted::{Scripted, hello, reply, weather};

fn chunk(parts: Value, finish: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}});
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    let usage = json!({"promptTokenCount": 6, "candidatesTokenCount": 3});
    json!({"candidates": [candidate], "modelVersion": "model-real", "usageMetadata": usage})
}

#[tokio::test]
async fn text_streams_and_a_chunk_without_candidates_is_nothing() {
    let scripted = Scripted::new(Provider::Gemini).await;
    let counted = json!({"usageMetadata": {"promptTokenCount": 6}, "modelVersion": "model-real"});
    scripted
        .stream(&[counted, chunk(json!([{"text": "He"}]), None), chunk(json!([{"text": "llo"}]), Some("MAX_TOKENS"))])
        .await;
    let (completion, pieces) = scripted.ask(&hello()).await;
    let completion = completion.expect("a reply");
    let content = json!({"type": "text", "text": "Hello"});
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "maxTokens"});
    assert_eq!(completion.reply.to_value(), expected);
    assert_eq!(completion.usage, Some(Usage { input_tokens: Some(6), output_tokens: Some(3) }));
    assert_eq!(pieces, [Piece::Text("He".into()), Piece::Text("llo".into())]);
    let sent = &scripted.server.received_requests().await.expect("requests")[0];
    let path = "/v1beta/models/model-max:streamGenerateContent";
    assert_eq!((sent.url.path(), sent.url.query()), (path, Some("alt=sse")));
    assert_eq!(sent.headers["x-goog-api-key"], "sk-secret");
    assert_eq!(scripted.bodies().await[0]["generationConfig"]["maxOutputTokens"], 100);
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_goes_back() {
    let scripted = Scripted::new(Provider::Gemini).await;
    let call = json!([{"functionCall": {"name": "web_search", "args": {"city": "Girona"}}}]);
    scripted.stream(&[chunk(call.clone(), None), chunk(call, Some("STOP"))]).await;
    let (completion, _) = scripted.ask(&weather("call#web_search#0", ToolChoice::Required)).await;
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "web_search", "input": {"city": "Girona"}});
    let content = json!([call("call#web_search#0_2"), call("call#web_search#0_3")]);
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "toolUse"});
    assert_eq!(reply(completion), expected);

    let body = &scripted.bodies().await[0];
    let contents = &body["contents"];
    assert_eq!(contents[1]["parts"][0]["functionCall"]["args"], json!({"city": "Barcelona"}));
    let response = &contents[2]["parts"][0]["functionResponse"];
    assert_eq!((&response["name"], &response["response"]["content"]), (&json!("web_search"), &json!("12 °C")));
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");
    assert_eq!(body["toolConfig"]["functionCallingConfig"]["mode"], "ANY");
    assert_eq!(body["tools"][0]["functionDeclarations"][0]["name"], "web_search");
}

#[tokio::test]
async fn a_blocked_prompt_and_a_blocked_answer_are_told_apart() {
    let scripted = Scripted::new(Provider::Gemini).await;
    scripted.stream(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})]).await;
    let (completion, _) = scripted.ask(&hello()).await;
    assert_eq!(completion, Err(ModelError::Filtered { said: "SAFETY".into() }));
    scripted.stream(&[json!({"candidates": [{"finishReason": "SAFETY"}], "modelVersion": "model-real"})]).await;
    let (completion, _) = scripted.ask(&hello()).await;
    assert_eq!(completion.expect("a reply").reply.stop_reason.as_deref(), Some("SAFETY"));
}

#[tokio::test]
async fn an_answer_without_its_end_is_no_reply() {
    let scripted = Scripted::new(Provider::Gemini).await;
    scripted.stream(&[chunk(json!([{"text": "Ha"}]), None)]).await;
    let (completion, _) = scripted.ask(&hello()).await;
    assert!(matches!(completion, Err(ModelError::CutShort { .. })), "{completion:?}");
}
