//! A provider that answers as it is told, and what the tests ask of it.

use askback_core::sampling::{Content, Role, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice};
use askback_models::{Completion, Model, ModelError, ModelSettings, Piece, Provider, Takes, connect};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

/// A provider on a port of loopback.
pub(crate) struct Scripted {
    pub(crate) server: MockServer,
    provider: Provider,
}

impl Scripted {
    pub(crate) async fn new(provider: Provider) -> Scripted {
        Scripted { server: MockServer::start().await, provider }
    }

    /// Answers the next request so; each is answered once, in the order of these calls.
    pub(crate) async fn answer(&self, answer: ResponseTemplate) {
        Mock::given(method("POST")).respond_with(answer).up_to_n_times(1).mount(&self.server).await;
    }

    /// Answers the next request with these events, as a stream.
    pub(crate) async fn stream(&self, events: &[Value]) {
        let line = |event: &Value| match (self.provider, event["type"].as_str()) {
            (Provider::Ollama, _) => format!("{event}\n"),
            (Provider::Anthropic, Some(kind)) => format!("event: {kind}\ndata: {event}\n\n"),
            _ => format!("data: {event}\n\n"),
        };
        let mut body: String = events.iter().map(line).collect();
        if self.provider == Provider::OpenAi {
            body.push_str("data: [DONE]\n\n");
        }
        self.answer(ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")).await;
    }

    pub(crate) fn settings(&self) -> ModelSettings {
        ModelSettings {
            name: "test".into(),
            provider: self.provider,
            base_url: Some(self.server.uri().parse().expect("an address")),
            model: "model-max".into(),
            key: Some(SecretString::from("sk-secret")),
            key_variable: Some("TEST_KEY".into()),
            takes: Takes { images: true, audio: true, tools: true },
        }
    }

    /// Runs a request, and gives what came of it and the pieces.
    pub(crate) async fn ask(&self, request: &SamplingRequest) -> (Result<Completion, ModelError>, Vec<Piece>) {
        let model = connect(self.settings()).expect("a model");
        run(model.as_ref(), request).await
    }

    /// The bodies that were sent, in order.
    pub(crate) async fn bodies(&self) -> Vec<Value> {
        let requests = self.server.received_requests().await.expect("requests are recorded");
        requests.iter().map(|request| request.body_json().expect("a body of JSON")).collect()
    }
}

pub(crate) async fn run(model: &dyn Model, request: &SamplingRequest) -> (Result<Completion, ModelError>, Vec<Piece>) {
    let (sender, mut receiver) = unbounded_channel();
    let completion = model.complete(request, sender).await;
    let mut pieces = Vec::new();
    while let Ok(piece) = receiver.try_recv() {
        pieces.push(piece);
    }
    (completion, pieces)
}

/// A request with everything that is optional left out.
pub(crate) fn request(messages: Vec<SamplingMessage>) -> SamplingRequest {
    SamplingRequest {
        system_prompt: None,
        messages,
        max_tokens: 100,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
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

pub(crate) fn hello() -> SamplingRequest {
    request(vec![said(Role::User, "Hello")])
}

pub(crate) fn said(role: Role, text: &str) -> SamplingMessage {
    SamplingMessage { role, content: vec![Content::Text(text.into())] }
}

/// The second leg of a conversation with a tool: it was called, and its result is there.
pub(crate) fn weather(id: &str, choice: ToolChoice) -> SamplingRequest {
    let Value::Object(input) = json!({"city": "Barcelona"}) else { unreachable!("it is an object") };
    let used = Content::ToolUse { id: id.into(), name: "web_search".into(), input };
    let content = json!([{"type": "text", "text": "12 °C"}]);
    let result = Content::ToolResult { tool_use_id: id.into(), content, is_error: false };
    let mut request = request(vec![
        said(Role::User, "Weather?"),
        SamplingMessage { role: Role::Assistant, content: vec![used] },
        SamplingMessage { role: Role::User, content: vec![result] },
    ]);
    request.system_prompt = Some("Be brief.".into());
    // The name of a tool of the providers' own: it must stay a function.
    request.tools = vec![SamplingTool {
        name: "web_search".into(),
        description: None,
        input_schema: json!({"type": "object", "properties": {"city": {"type": "string"}}}),
    }];
    request.tool_choice = choice;
    request
}

/// The reply as it would go back.
#[track_caller]
pub(crate) fn reply(completion: Result<Completion, ModelError>) -> Value {
    completion.expect("a reply").reply.to_value()
}
