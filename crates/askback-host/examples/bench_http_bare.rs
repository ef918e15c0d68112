//! The yardstick of `cargo xtask bench http`: a program that sends the requests of a read, reads their answers and does nothing else.
//!
//! `bench_http_bare SESSIONS COUNT VERSION URL URI` prints how many microseconds a read took, over all sessions together.

use std::time::Instant;

use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Map, Value, json};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [sessions, count, version, url, uri] = &args[..] else {
        eprintln!("bench_http_bare SESSIONS COUNT VERSION URL URI");
        std::process::exit(2);
    };
    let (sessions, count): (u32, u32) =
        (sessions.parse().expect("SESSIONS is a number"), count.parse().expect("COUNT is a number"));
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is a runtime");
    runtime.block_on(async {
        let mut readers = Vec::new();
        for _ in 0..sessions {
            readers.push(Reader::connect(version, url, uri).await);
        }
        let readers = read_all(readers, 20).await;
        let began = Instant::now();
        read_all(readers, count).await;
        println!("{}", began.elapsed().as_micros() as f64 / f64::from(count * sessions));
    });
}

async fn read_all(readers: Vec<Reader>, count: u32) -> Vec<Reader> {
    let sessions: Vec<_> = readers
        .into_iter()
        .map(|mut reader| {
            tokio::spawn(async move {
                for _ in 0..count {
                    reader.read().await;
                }
                reader
            })
        })
        .collect();
    let mut readers = Vec::new();
    for session in sessions {
        readers.push(session.await.expect("the reads succeed"));
    }
    readers
}

struct Reader {
    client: Client,
    version: String,
    url: String,
    uri: String,
    session: Option<String>,
    next: u64,
}

impl Reader {
    async fn connect(version: &str, url: &str, uri: &str) -> Reader {
        let client = Client::builder().no_proxy().build().expect("there is a client");
        let [version, url, uri] = [version, url, uri].map(str::to_owned);
        let mut reader = Reader { client, version, url, uri, session: None, next: 0 };
        if !reader.is_modern() {
            let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": reader.version,
                "capabilities": { "elicitation": { "form": {} } },
                "clientInfo": { "name": "bare", "version": "1" },
            } });
            let response = reader.post(&hello).send().await.expect("the server answers");
            let session = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
            Messages::of(response).next().await;
            reader.session = session;
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            reader.post(&ready).send().await.expect("the server answers");
        }
        reader
    }

    fn is_modern(&self) -> bool {
        self.version.as_str() >= "2026-07-28"
    }

    fn post(&self, message: &Value) -> RequestBuilder {
        let mut request = self.client.post(&self.url).header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        if message["method"] != "initialize" {
            request = request.header("mcp-protocol-version", &self.version);
        }
        if self.is_modern() {
            request = request.header("mcp-method", "resources/read").header("mcp-name", &self.uri);
        }
        request.body(message.to_string())
    }

    /// Sends the read, answers whatever is asked with an empty form, and waits for the result.
    async fn read(&mut self) {
        let mut more = Map::new();
        loop {
            self.next += 1;
            let mut params = json!({ "uri": self.uri, "_meta": { "progressToken": self.next } });
            if self.is_modern() {
                params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(self.version);
                params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "bare", "version": "1" });
                params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                    json!({ "elicitation": { "form": {} } });
            }
            params.as_object_mut().expect("it is an object").append(&mut more);
            let message = json!({ "jsonrpc": "2.0", "id": self.next, "method": "resources/read", "params": params });
            let mut messages = Messages::of(self.post(&message).send().await.expect("the server answers"));
            let result = loop {
                let message = messages.next().await;
                if message["method"] == "elicitation/create" {
                    let result = json!({ "action": "accept", "content": {} });
                    let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                    self.post(&answer).send().await.expect("the server takes the answer");
                } else if message["id"] == self.next {
                    break message["result"].clone();
                }
            };
            if result["resultType"] != "input_required" {
                assert!(result["contents"].is_array(), "{result}");
                return;
            }
            let keys = result["inputRequests"].as_object().into_iter().flatten().map(|(key, _)| key.clone());
            let answers: Map<String, Value> =
                keys.map(|key| (key, json!({ "action": "accept", "content": {} }))).collect();
            more.insert("inputResponses".into(), answers.into());
            more.insert("requestState".into(), result["requestState"].clone());
        }
    }
}

/// The messages of an answer, which is one JSON body or a stream of events.
struct Messages {
    response: Response,
    buffer: Vec<u8>,
    is_stream: bool,
}

impl Messages {
    fn of(response: Response) -> Messages {
        let kind = response.headers().get("content-type").map(|kind| kind.as_bytes().to_vec()).unwrap_or_default();
        Messages { response, buffer: Vec::new(), is_stream: kind.starts_with(b"text/event-stream") }
    }

    async fn next(&mut self) -> Value {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n').filter(|_| self.is_stream) {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                let data = line.strip_prefix(b"data:").and_then(|data| serde_json::from_slice(data).ok());
                if let Some(message) = data {
                    return message;
                }
                continue;
            }
            match self.response.chunk().await.expect("the server goes on") {
                Some(chunk) => self.buffer.extend_from_slice(&chunk),
                None => return serde_json::from_slice(&self.buffer).expect("the server writes JSON"),
            }
        }
    }
}
