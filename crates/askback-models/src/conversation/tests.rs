use serde_json::json;

use super::*;

fn text(text: &str) -> Content {
    Content::Text(text.into())
}

fn image(kind: &str) -> Content {
    Content::Image(Media { mime_type: kind.into(), data: "AA\n==".into() })
}

fn audio(kind: &str) -> Content {
    Content::Audio(Media { mime_type: kind.into(), data: "AA==".into() })
}

fn user(content: Content) -> SamplingMessage {
    SamplingMessage { role: Role::User, content: vec![content] }
}

fn assistant(content: Content) -> SamplingMessage {
    SamplingMessage { role: Role::Assistant, content: vec![content] }
}

fn settings(provider: Provider, takes: Takes) -> ModelSettings {
    ModelSettings {
        name: "m".into(),
        provider,
        base_url: None,
        model: "m".into(),
        key: None,
        key_variable: None,
        takes,
    }
}

const ALL: Takes = Takes { images: true, audio: true, tools: true };

fn made(provider: Provider, takes: Takes, messages: Vec<SamplingMessage>) -> Result<Vec<ChatMessage>, ModelError> {
    let request = SamplingRequest {
        system_prompt: Some(String::new()),
        messages,
        max_tokens: 1,
        tools: Vec::new(),
        tool_choice: Default::default(),
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        temperature: None,
        stop_sequences: Vec::new(),
        include_context: None,
        has_context: false,
        metadata: None,
    };
    conversation(&request, &settings(provider, takes)).map(|chat| {
        assert_eq!(chat.system, None, "an empty prompt is none");
        chat.messages
    })
}

/// Roles and texts, a line a message.
#[track_caller]
fn check(provider: Provider, messages: Vec<SamplingMessage>, expected: &[&str]) {
    let line = |message: &ChatMessage| format!("{}: {}", message.role, message.content.texts().join(" | "));
    let lines: Vec<String> = made(provider, ALL, messages).expect("a conversation").iter().map(line).collect();
    assert_eq!(lines, expected, "{provider:?}");
}

#[track_caller]
fn refused(provider: Provider, takes: Takes, message: SamplingMessage, expected: Unsupported) {
    let refused = made(provider, takes, vec![message]).expect_err("it is not taken");
    assert_eq!(refused, ModelError::Unsupported(expected), "{provider:?}");
}

#[test]
fn s11_messages_in_a_row_are_joined_in_order() {
    let messages = || {
        let (a, b) = (user(text("a")), user(text("b")));
        vec![a, b, assistant(text("c")), assistant(text("d")), user(text("e"))]
    };
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        check(provider, messages(), &["User: a | b", "Assistant: c | d", "User: e"]);
    }
    check(Provider::Ollama, messages(), &["User: a\n\nb", "Assistant: c\n\nd", "User: e"]);
}

#[test]
fn s11_a_beginning_of_the_assistant_gets_a_word_before_it_where_the_provider_wants_one() {
    let messages = || vec![assistant(text("a")), user(text("b"))];
    for provider in [Provider::OpenAi, Provider::Ollama] {
        check(provider, messages(), &["Assistant: a", "User: b"]);
    }
    for provider in [Provider::Anthropic, Provider::Gemini] {
        check(provider, messages(), &[&format!("User: {BEGINNING}"), "Assistant: a", "User: b"]);
    }
}

#[test]
fn media_are_passed_or_refused_by_name() {
    let none = Takes::default();
    for provider in Provider::ALL {
        let made = made(provider, ALL, vec![user(image("Image/JPG; x=1"))]).expect("a conversation");
        let binary = made[0].content.binaries()[0];
        assert_eq!(binary.content_type, "image/jpeg");
        assert!(binary.clone().into_url().ends_with("base64,AA=="), "without the line break");
        refused(provider, none, user(image("image/png")), Unsupported::Images);
        refused(provider, none, user(audio("audio/wav")), Unsupported::Audio);
        refused(provider, ALL, user(image("application/pdf")), Unsupported::MediaType("application/pdf".into()));
        refused(provider, ALL, assistant(image("image/png")), Unsupported::MediaOfAssistant);
    }
    refused(Provider::Anthropic, ALL, user(audio("audio/wav")), Unsupported::Audio);
    refused(Provider::Ollama, ALL, user(audio("audio/wav")), Unsupported::Audio);
    refused(Provider::OpenAi, ALL, user(audio("audio/ogg")), Unsupported::MediaType("audio/ogg".into()));
    for (provider, kind, sent) in [
        (Provider::OpenAi, "audio/x-wav", "audio/wav"),
        (Provider::OpenAi, "audio/mp3", "audio/mpeg"),
        (Provider::Gemini, "audio/ogg", "audio/ogg"),
    ] {
        let made = made(provider, ALL, vec![user(audio(kind))]).expect("a conversation");
        assert_eq!(made[0].content.binaries()[0].content_type, sent);
    }
}

#[test]
fn tool_uses_and_results_keep_their_ids() {
    let used = || assistant(Content::ToolUse { id: "1".into(), name: "t".into(), input: Default::default() });
    let content = json!([{"type": "text", "text": "12"}]);
    let result = || Content::ToolResult { tool_use_id: "1".into(), content: content.clone(), is_error: true };
    for provider in [Provider::OpenAi, Provider::Gemini, Provider::Ollama] {
        let made = made(provider, ALL, vec![used(), user(result()), user(text("and?"))]).expect("a conversation");
        let answered = made.iter().find(|message| message.role == ChatRole::Tool).expect("a message of the tool");
        let response = answered.content.tool_responses()[0];
        assert_eq!((response.call_id.as_str(), response.content.as_str()), ("1", "Error: 12"));
        assert_eq!(made.last().map(|last| last.role.clone()), Some(ChatRole::User));
    }
    let made =
        made(Provider::Anthropic, ALL, vec![used(), user(result()), user(text("and?"))]).expect("a conversation");
    let last = made.last().expect("a message");
    assert_eq!(last.content.custom_parts()[0].data["is_error"], true);
    assert_eq!(last.content.texts(), ["and?"], "results and words of the user are one message");
    refused(Provider::OpenAi, Takes::default(), used(), Unsupported::Tools);
    refused(Provider::OpenAi, Takes::default(), user(result()), Unsupported::Tools);
    refused(Provider::OpenAi, ALL, assistant(result()), Unsupported::MisplacedTool);
}
