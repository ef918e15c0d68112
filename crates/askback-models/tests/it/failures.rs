//! What goes wrong over HTTP, with each provider's way of saying it.

use std::time::Duration;

use askback_core::sampling::{Content, Media, Role, SamplingMessage};
use askback_models::{ModelError, ModelSettings, Provider, Takes, Unsupported, connect};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::timeout;
use wiremock::ResponseTemplate;

use crate::scripted::{Scripted, hello, request, run};

/// An error as this provider writes it.
fn body(provider: Provider, message: &str) -> Value {
    match provider {
        Provider::OpenAi => json!({"error": {"message": message, "type": "x", "code": null}}),
        Provider::Anthropic => json!({"type": "error", "error": {"type": "x", "message": message}}),
        Provider::Gemini => json!([{"error": {"code": 1, "message": message, "status": "X"}}]),
        Provider::Ollama => json!({"error": message}),
    }
}

#[tokio::test]
async fn refusals_of_every_provider_are_values() {
    for provider in Provider::ALL {
        let scripted = Scripted::new(provider).await;
        let said = "No key like •••".to_owned();
        let variable = Some("TEST_KEY".to_owned());
        let retry_after = Some(Duration::from_secs(7));
        for (status, expected) in [
            (401, ModelError::Unauthorized { variable, said: said.clone() }),
            (404, ModelError::UnknownModel { model: "model-max".into(), said: said.clone() }),
            (429, ModelError::TooManyRequests { retry_after, said: said.clone() }),
            (500, ModelError::Unavailable { status: Some(500), retry_after, said: said.clone() }),
        ] {
            let refusal = ResponseTemplate::new(status).set_body_json(body(provider, "No key like sk-secret"));
            scripted.answer(refusal.insert_header("retry-after", "7")).await;
            let (completion, pieces) = scripted.ask(&hello()).await;
            let shown = format!("{completion:?}");
            assert_eq!(completion, Err(expected), "{provider:?}");
            assert!(pieces.is_empty() && !shown.contains("sk-secret"), "{shown}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_none_cannot_be_read() {
    for provider in Provider::ALL {
        let scripted = Scripted::new(provider).await;
        let page = ResponseTemplate::new(200).set_body_raw("<html>\n<p>Welcome</p>\n</html>\n", "text/html");
        scripted.answer(page).await;
        let (completion, _) = scripted.ask(&hello()).await;
        let is_error = matches!(completion, Err(ModelError::Unreadable { .. } | ModelError::CutShort { .. }));
        assert!(is_error, "{provider:?}: {completion:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for provider in Provider::ALL {
        let elsewhere = Scripted::new(provider).await;
        let scripted = Scripted::new(provider).await;
        let to = elsewhere.server.uri();
        scripted.answer(ResponseTemplate::new(307).insert_header("location", to.as_str())).await;
        let (completion, _) = scripted.ask(&hello()).await;
        assert_eq!(completion, Err(ModelError::Redirected { to: Some(to) }), "{provider:?}");
        assert!(elsewhere.bodies().await.is_empty());
    }
}

fn settings(port: u16) -> ModelSettings {
    ModelSettings {
        name: "test".into(),
        provider: Provider::OpenAi,
        base_url: Some(format!("http://127.0.0.1:{port}/v1").parse().expect("an address")),
        model: "m".into(),
        key: None,
        key_variable: None,
        takes: Takes::default(),
    }
}

#[tokio::test]
async fn nobody_there_is_told_with_the_origin() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let (completion, _) = run(connect(settings(port)).expect("a model").as_ref(), &hello()).await;
    let Err(ModelError::Unreachable { origin, refused: true, .. }) = completion else { panic!("{completion:?}") };
    assert_eq!(origin, format!("http://127.0.0.1:{port}"));
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 100000000\r\n\r\n";
const PIECE: &str = "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n";

#[tokio::test]
async fn a_connection_that_breaks_is_no_reply() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a connection");
        let _ = socket.read(&mut [0; 4096]).await;
        socket.write_all(format!("{HEAD}{PIECE}").as_bytes()).await.expect("it is written");
    });
    let (completion, pieces) = run(connect(settings(port)).expect("a model").as_ref(), &hello()).await;
    assert!(matches!(completion, Err(ModelError::CutShort { .. })), "{completion:?}");
    assert_eq!(pieces.len(), 1, "what had come was told, and is no reply");
}

#[tokio::test]
async fn an_endless_answer_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a connection");
        let _ = socket.read(&mut [0; 4096]).await;
        let large = format!("data: {{\"choices\":[{{\"delta\":{{\"x\":\"{}\"}}}}]}}\n\n", "x".repeat(60_000));
        let _ = socket.write_all(HEAD.as_bytes()).await;
        while socket.write_all(large.as_bytes()).await.is_ok() {}
    });
    let model = connect(settings(port)).expect("a model");
    let request = hello();
    let (completion, _) = timeout(Duration::from_secs(50), run(model.as_ref(), &request)).await.expect("it ends");
    assert!(matches!(completion, Err(ModelError::TooLarge { .. })), "{completion:?}");
}

#[tokio::test]
async fn dropping_the_future_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let closed = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a connection");
        let _ = socket.read(&mut [0; 4096]).await;
        socket.write_all(format!("{HEAD}{PIECE}").as_bytes()).await.expect("it is written");
        // Nothing more is sent; a read ends when the other side closes.
        while !matches!(socket.read(&mut [0; 4096]).await, Ok(0) | Err(_)) {}
    });
    let model = connect(settings(port)).expect("a model");
    let (sender, mut pieces) = unbounded_channel();
    let request = hello();
    let working = model.complete(&request, sender);
    tokio::select! {
        completion = working => panic!("it ended by itself: {completion:?}"),
        piece = pieces.recv() => assert!(piece.is_some()),
    }
    timeout(Duration::from_secs(10), closed).await.expect("the connection closes").expect("no panic");
}

#[tokio::test]
async fn what_is_not_taken_is_refused_before_anything_is_sent() {
    let scripted = Scripted::new(Provider::Anthropic).await;
    let sound = Content::Audio(Media { mime_type: "audio/wav".into(), data: "AA==".into() });
    let (completion, _) =
        scripted.ask(&request(vec![SamplingMessage { role: Role::User, content: vec![sound] }])).await;
    assert_eq!(completion, Err(ModelError::Unsupported(Unsupported::Audio)));
    assert!(scripted.bodies().await.is_empty());
}
