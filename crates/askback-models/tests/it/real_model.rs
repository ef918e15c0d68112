//! A model that really answers, over both protocols that its server speaks.

use askback_core::sampling::{Role, SamplingRequest, SamplingTool};
use askback_models::{ModelSettings, Piece, Provider, Takes, connect};
use askback_testkit::real_model::RealModel;
use serde_json::json;

use crate::scripted::{request, run, said};

fn settings(model: &RealModel, provider: Provider) -> ModelSettings {
    ModelSettings {
        name: "small".into(),
        provider,
        base_url: Some(format!("{}/v1", model.url).parse().expect("an address")),
        model: RealModel::NAME.into(),
        key: None,
        key_variable: None,
        takes: Takes { images: false, audio: false, tools: true },
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_answers_over_both_protocols() {
    let Some(server) = RealModel::start("it_answers_over_both_protocols") else { return };
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let model = connect(settings(&server, provider)).expect("a model");
        let asked = SamplingRequest {
            system_prompt: Some("You are a helpful assistant.".into()),
            temperature: Some(0.0),
            ..request(vec![said(Role::User, "What is the capital"), said(Role::User, "of France?")])
        };
        let (completion, pieces) = run(model.as_ref(), &asked).await;
        let completion = completion.expect("a reply");
        let reply = completion.reply.to_value();
        let text = reply["content"]["text"].as_str().expect("one text");
        assert!(text.contains("Paris"), "{provider:?}: {text}");
        assert_eq!(
            (&reply["model"], &reply["stopReason"]),
            (&json!(RealModel::NAME), &json!("endTurn")),
            "{provider:?}"
        );
        let told: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told, text, "{provider:?}");
        assert!(pieces.len() > 1, "it streams: {pieces:?}");
        let usage = completion.usage.expect("it counts");
        assert!(usage.input_tokens > Some(10) && usage.output_tokens > Some(0), "{usage:?}");
        assert!(completion.left_out.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_stops_at_the_limit_of_tokens_and_at_a_stop_sequence() {
    let Some(server) = RealModel::start("it_stops_at_the_limit_of_tokens_and_at_a_stop_sequence") else { return };
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let model = connect(settings(&server, provider)).expect("a model");
        let story = SamplingRequest {
            max_tokens: 5,
            temperature: Some(0.0),
            ..request(vec![said(Role::User, "Tell me a long story about a dragon.")])
        };
        let (completion, _) = run(model.as_ref(), &story).await;
        let completion = completion.expect("a reply");
        assert_eq!(completion.reply.stop_reason.as_deref(), Some("maxTokens"), "{provider:?}");
        assert!(completion.usage.expect("it counts").output_tokens <= Some(5));

        let counting = SamplingRequest { max_tokens: 200, stop_sequences: vec!["the".into()], ..story };
        let (completion, _) = run(model.as_ref(), &counting).await;
        let reply = completion.expect("a reply").reply.to_value();
        let text = reply["content"]["text"].as_str().expect("one text");
        assert!(!text.contains("the"), "{provider:?}: {text}");
        let reason = if provider == Provider::Anthropic { "stopSequence" } else { "endTurn" };
        assert_eq!(reply["stopReason"], reason, "OpenAI's protocol does not tell them apart");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_shown_tools_and_a_conversation_that_the_assistant_begins() {
    let Some(server) = RealModel::start("it_is_shown_tools_and_a_conversation_that_the_assistant_begins") else {
        return;
    };
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let model = connect(settings(&server, provider)).expect("a model");
        let mut asked = request(vec![said(Role::Assistant, "Hello, how can I help?"), said(Role::User, "Say hi.")]);
        asked.max_tokens = 20;
        asked.tools = vec![SamplingTool {
            name: "weather".into(),
            description: None,
            input_schema: json!({"type": "object", "properties": {"city": {"type": "string"}}}),
        }];
        let (completion, _) = run(model.as_ref(), &asked).await;
        assert!(!completion.expect("a reply").reply.content.is_empty(), "{provider:?}");
    }
}
