//! The travel server over Streamable HTTP, in both eras. The client here is written by hand, one connection a request.
#![expect(clippy::unwrap_used, reason = "in a test, what is not there fails the test")]

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(askback_travel::serve_http(listener));
    address
}

/// Sends a message and reads the whole answer.
async fn post(address: SocketAddr, path: &str, headers: &[&str], message: &Value) -> String {
    let body = message.to_string();
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    tokio::time::timeout(Duration::from_secs(10), stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer
}

/// The message in an answer, which is one event or one JSON body.
fn message(answer: &str) -> Value {
    let line = answer.lines().map(|line| line.trim_start_matches("data:").trim()).find(|line| line.starts_with('{'));
    serde_json::from_str(line.unwrap_or_else(|| panic!("no message in {answer}"))).unwrap()
}

fn call(id: u32, more: &Value) -> Value {
    let mut params = json!({ "name": "book_vacation", "arguments": { "destination": "Barcelona" }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } } } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

const MODERN: [&str; 3] = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: book_vacation"];

#[tokio::test]
async fn a_round_of_the_modern_era_asks_as_over_a_pipe() {
    let address = server().await;
    let first = message(&post(address, "/mcp", &MODERN, &call(1, &json!({}))).await);
    let result = &first["result"];
    assert_eq!(result["resultType"], "input_required", "{first}");
    assert!(result.get("_meta").is_none(), "{first}");
    let (key, ask) = result["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert!(ask["params"]["requestedSchema"].is_object(), "{first}");
    let again = json!({ "requestState": result["requestState"], "inputResponses": { key: { "action": "decline" } } });
    let second = message(&post(address, "/mcp", &MODERN, &call(2, &again)).await);
    assert_eq!(second["result"]["resultType"], "complete", "{second}");
}

#[tokio::test]
async fn the_legacy_era_has_sessions() {
    let address = server().await;
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
    let answer = post(address, "/mcp", &[], &initialize).await;
    assert!(answer.to_lowercase().contains("mcp-session-id: ") && answer.contains("2025-11-25"), "{answer}");
}

#[tokio::test]
async fn pages_in_browsers_and_other_paths_are_refused() {
    let address = server().await;
    let origin = [&MODERN[..], &["Origin: https://evil.example"]].concat();
    assert!(post(address, "/mcp", &origin, &call(1, &json!({}))).await.starts_with("HTTP/1.1 403"));
    assert!(post(address, "/", &MODERN, &call(1, &json!({}))).await.starts_with("HTTP/1.1 404"));
}
