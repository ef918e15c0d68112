//! Ollama's own protocol.

use askback_core::sampling::ToolChoice;
use askback_models::{ModelError, Piece, Provider, Usage};
use serde_json::{Value, json};

use crate::scripted::{Scripted, hello, reply, weather};

fn line(message: Value, done: Option<&str>) -> Value {
    let mut line = json!({"model": "model-real", "message": message, "done": done.is_some()});
    if let Some(reason) = done {
        line["done_reason"] = reason.into();
        line["prompt_eval_count"] = 8.into();
        line["eval_count"] = 2.into();
    }
    line
}

#[tokio::test]
async fn text_streams_and_thinking_is_no_part_of_it() {
    let scripted = Scripted::new(Provider::Ollama).await;
    let thought = line(json!({"role": "assistant", "content": "", "thinking": "hm"}), None);
    scripted.stream(&[thought, line(json!({"content": "Hi"}), None), line(json!({"content": ""}), Some("stop"))]).await;
    let (completion, pieces) = scripted.ask(&hello()).await;
    let completion = completion.expect("a reply");
    let content = json!({"type": "text", "text": "Hi"});
    let expected = json!({"role": "assistant", "content": content, "model": "model-real", "stopReason": "endTurn"});
    assert_eq!(completion.reply.to_value(), expected);
    assert_eq!(completion.usage, Some(Usage { input_tokens: Some(8), output_tokens: Some(2) }));
    assert_eq!(pieces, [Piece::Thinking("hm".into()), Piece::Text("Hi".into())]);
    let body = &scripted.bodies().await[0];
    assert_eq!((&body["options"]["num_predict"], &body["model"]), (&json!(100), &json!("model-max")));
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_goes_back() {
    let scripted = Scripted::new(Provider::Ollama).await;
    let call = json!({"function": {"name": "web_search", "arguments": {"city": "Girona"}}});
    scripted.stream(&[line(json!({"content": "", "tool_calls": [call]}), None), line(json!({}), Some("stop"))]).await;
    let (completion, _) = scripted.ask(&weather("c1", ToolChoice::Auto)).await;
    let reply = reply(completion);
    assert_eq!((&reply["content"]["input"], &reply["stopReason"]), (&json!({"city": "Girona"}), &json!("toolUse")));

    scripted.stream(&[line(json!({"content": "No."}), Some("stop"))]).await;
    let (completion, _) = scripted.ask(&weather("c1", ToolChoice::Required)).await;
    assert_eq!(completion, Err(ModelError::NoToolCalled));
    scripted.stream(&[line(json!({"content": "No."}), Some("stop"))]).await;
    let (completion, _) = scripted.ask(&weather("c1", ToolChoice::None)).await;
    completion.expect("a reply");

    let bodies = scripted.bodies().await;
    let messages = &bodies[0]["messages"];
    assert_eq!(messages[2]["tool_calls"][0]["function"]["arguments"], json!({"city": "Barcelona"}));
    assert_eq!((&messages[3]["role"], &messages[3]["content"]), (&json!("tool"), &json!("12 °C")));
    assert_eq!(bodies[1]["tools"].as_array().map(Vec::len), Some(1));
    assert!(bodies[2].get("tools").is_none(), "what must not be called is not offered");
}

#[tokio::test]
async fn an_error_in_the_middle_and_a_missing_end_are_no_replies() {
    let scripted = Scripted::new(Provider::Ollama).await;
    let begun = line(json!({"content": "Ha"}), None);
    scripted.stream(&[begun.clone(), json!({"error": "the runner has ended"})]).await;
    let (completion, _) = scripted.ask(&hello()).await;
    let said = "the runner has ended".to_owned();
    assert_eq!(completion, Err(ModelError::Unavailable { status: None, retry_after: None, said }));
    scripted.stream(&[begun]).await;
    let (completion, _) = scripted.ask(&hello()).await;
    assert!(matches!(completion, Err(ModelError::CutShort { .. })), "{completion:?}");
}
