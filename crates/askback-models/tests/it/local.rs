//! Finding endpoints on this machine.

use std::time::{Duration, Instant};

use askback_models::local::{LocalKind, Place, find};
use askback_testkit::real_model::RealModel;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

async fn listing(at: &str, body: Value) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path(at))
        .respond_with(ResponseTemplate::new(200).set_body_json(body))
        .mount(&server)
        .await;
    server
}

fn place(kind: LocalKind, server: &MockServer) -> Place {
    Place { kind, port: server.address().port() }
}

#[tokio::test]
async fn what_lists_models_is_found_and_nothing_else() {
    let ollama = listing("/api/tags", json!({"models": [{"name": "llama3.2:1b"}, {"no": 1}, {"name": "qwen3"}]})).await;
    let studio = listing("/v1/models", json!({"object": "list", "data": [{"id": "gemma"}]})).await;
    let other = listing("/v1/models", json!({"hello": "world"})).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let gone = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
    let nobody = Place { kind: LocalKind::LlamaCpp, port: port(&gone) };
    drop(gone);
    let places = [
        Place { kind: LocalKind::Vllm, port: port(&silent) },
        place(LocalKind::Ollama, &ollama),
        nobody,
        place(LocalKind::LmStudio, &studio),
        place(LocalKind::LlamaCpp, &other),
        // One that speaks otherwise than expected.
        place(LocalKind::Ollama, &studio),
    ];
    let began = Instant::now();
    let found = find(&places).await;
    assert!(began.elapsed() < Duration::from_secs(3), "all at once, and not for long");
    let told: Vec<_> = found.iter().map(|found| (found.kind, found.base_url.as_str(), found.models.clone())).collect();
    let at_studio = format!("{}/v1", studio.uri());
    let at_ollama = format!("{}/", ollama.uri());
    let expected = [
        (LocalKind::Ollama, at_ollama.as_str(), vec!["llama3.2:1b".to_owned(), "qwen3".to_owned()]),
        (LocalKind::LmStudio, at_studio.as_str(), vec!["gemma".to_owned()]),
    ];
    assert_eq!(told, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_server_is_found() {
    let Some(server) = RealModel::start("a_real_server_is_found") else { return };
    let port = server.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let found = find(&[Place { kind: LocalKind::LlamaCpp, port }]).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].models, [RealModel::NAME]);
}
