//! Talks to the scripted server over HTTP, by hand: each shape of the transport, what is odd in it, and what is held against a client.

#![expect(clippy::unwrap_used, reason = "what surrounds the tests may fail as they do")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use askback_testkit::http::listener::HttpServer;
use askback_testkit::record::{Record, Recorder};
use askback_testkit::script::Script;
use serde_json::{Value, json};

/// A server and the record that it keeps.
struct Peer {
    server: HttpServer,
    folder: tempfile::TempDir,
}

/// An answer that is being read.
struct Reply {
    stream: TcpStream,
    text: String,
}

const JSON: &str = "Content-Type: application/json";
const BOTH: &str = "Accept: application/json, text/event-stream";
const EVENTS: &str = "Accept: text/event-stream";

impl Peer {
    fn new(revision: &str, script: &str) -> Peer {
        let script: Script = toml::from_str(script).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::without_process(folder.path().join("record"));
        Peer { server: HttpServer::start(script, revision, recorder).unwrap(), folder }
    }

    fn authority(&self) -> &str {
        self.server.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let mut stream = TcpStream::connect(self.authority()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let (host, length) = (self.authority(), body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        Reply { stream, text: String::new() }
    }

    fn post(&self, headers: &[&str], message: &Value) -> Reply {
        self.send("POST", "/mcp", &[&[JSON, BOTH], headers].concat(), &message.to_string())
    }

    /// A call of the modern era, with the headers that it has to have.
    fn call(&self, id: u32, more: &Value) -> Reply {
        let message = modern(id, "tools/call", more);
        self.post(&["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: greet"], &message)
    }

    /// Begins a session of the legacy era; gives the headers for it.
    fn initialize(&self, revision: &str) -> [String; 2] {
        let params =
            json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
        let mut reply = self.post(&[], &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        let text = reply.whole();
        let session = text.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap_or_default();
        let headers = [format!("Mcp-Session-Id: {session}"), format!("MCP-Protocol-Version: {revision}")];
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.post(&[&headers[0], &headers[1]], &ready).has("HTTP/1.1 202");
        headers
    }

    /// What it noted down, at the end.
    #[track_caller]
    fn complains(self, parts: &[&str]) -> Record {
        let path = self.folder.path().join("record");
        self.server.stop();
        let record = Record::read(&path);
        assert_eq!(record.wrong.len(), parts.len(), "{:?}", record.wrong);
        assert!(record.wrong.iter().zip(parts).all(|(wrong, part)| wrong.contains(part)), "{:?}", record.wrong);
        record
    }
}

impl Reply {
    /// Reads until this has come.
    #[track_caller]
    fn has(&mut self, part: &str) -> &mut Reply {
        let mut piece = [0; 4096];
        while !self.text.contains(part) {
            match self.stream.read(&mut piece) {
                Ok(0) => panic!("{part:?} did not come: {}", self.text),
                Ok(count) => self.text.push_str(std::str::from_utf8(&piece[..count]).unwrap()),
                Err(error) => panic!("{part:?} did not come ({error}): {}", self.text),
            }
        }
        self
    }

    /// Reads to the end, however the connection ends.
    fn whole(&mut self) -> String {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest);
        std::mem::take(&mut self.text) + &String::from_utf8(rest).unwrap()
    }
}

fn modern(id: u32, method: &str, more: &Value) -> Value {
    let mut params = json!({ "name": "greet", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "x", "version": "1" } } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn legacy(id: u32) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "greet" } })
}

const ASKS: &str = "[[step]]\nask.who = { method = \"elicitation/create\", params = { message = \"Who?\" } }\n[[step]]\ntext = \"hello\"\n";

#[test]
fn a_round_of_the_modern_era_is_two_posts() {
    let peer = Peer::new("2026-07-28", ASKS);
    let first = peer.call(1, &json!({})).whole();
    assert!(first.contains("application/json") && first.contains("\"input_required\""), "{first}");
    let state = first.split("\"requestState\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let again = json!({ "requestState": state, "inputResponses": { "who": { "action": "cancel" } } });
    peer.call(2, &again).has("hello");
    let record = peer.complains(&[]);
    assert_eq!(record.answers, [("who".to_owned(), json!({ "action": "cancel" }))]);
    assert_eq!(record.methods(), ["tools/call", "tools/call"]);
}

#[test]
fn headers_that_do_not_agree_are_refused() {
    let peer = Peer::new(
        "2026-07-28",
        "[[tools]]\nname = \"greet\"\ninputSchema.properties.a = { type = \"string\", x-mcp-header = \"A\" }\n[[step]]\ntext = \"hello\"",
    );
    let version = "MCP-Protocol-Version: 2026-07-28";
    let call = modern(1, "tools/call", &json!({}));
    peer.post(&[version, "Mcp-Method: tools/call", "Mcp-Name: other"], &call).has("HTTP/1.1 400").has("-32020");
    // Whoever has not seen the list of tools cannot know of the header.
    peer.call(2, &json!({ "arguments": { "a": "b" } })).has("HTTP/1.1 400").has("Mcp-Param-A");
    peer.post(&[version, "Mcp-Method: no/such"], &modern(3, "no/such", &json!({}))).has("HTTP/1.1 404").has("-32601");
    peer.send("GET", "/mcp", &[EVENTS], "").has("HTTP/1.1 405");
    peer.complains(&["Mcp-Name", "GET has no place"]);
}

#[test]
fn closing_a_stream_of_the_modern_era_cancels() {
    let peer = Peer::new(
        "2026-07-28",
        "[[step]]\nprogress = { progress = 1 }\n[[step]]\nwait = 20000\n[[step]]\ntext = \"late\"",
    );
    peer.call(1, &json!({})).has("text/event-stream").has("notifications/progress");
    let path = peer.folder.path().join("record");
    let began = Instant::now();
    while !Record::read(&path).methods().contains(&"notifications/cancelled".to_owned()) {
        assert!(began.elapsed() < Duration::from_secs(5), "the cancellation was not noted");
        std::thread::sleep(Duration::from_millis(10));
    }
    peer.complains(&[]);
}

#[test]
fn notifications_of_the_modern_era_go_to_subscribers() {
    let peer = Peer::new("2026-07-28", "[[started]]\nnotify = { method = \"notifications/tools/list_changed\" }");
    let headers = |method: &str| ["MCP-Protocol-Version: 2026-07-28".to_owned(), format!("Mcp-Method: {method}")];
    let discover = headers("server/discover");
    peer.post(&[&discover[0], &discover[1]], &modern(1, "server/discover", &json!({}))).has("supportedVersions");
    let listen = headers("subscriptions/listen");
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let mut stream = peer.post(&[&listen[0], &listen[1]], &modern(7, "subscriptions/listen", &wanted));
    let text = stream.has("subscriptions/acknowledged").has("tools/list_changed").has("\n\n").text.clone();
    assert!(text.contains(r#"subscriptionId":7"#), "{text}");
    peer.complains(&[]);
}

#[test]
fn a_legacy_session_asks_on_the_stream_of_the_call() {
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let peer = Peer::new(revision, ASKS);
        peer.post(&["MCP-Protocol-Version: 2026-07-28"], &modern(0, "server/discover", &json!({}))).has("HTTP/1.1 400");
        let headers = peer.initialize(revision);
        let headers = [headers[0].as_str(), headers[1].as_str()];
        let mut call = peer.post(&headers, &legacy(1));
        call.has("text/event-stream").has("elicitation/create");
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "action": "cancel" } });
        peer.post(&headers, &answer).has("HTTP/1.1 202").has("content-length: 0");
        call.has("hello");
        peer.send("DELETE", "/mcp", &headers, "").has("HTTP/1.1 200");
        peer.complains(&[]);
    }
}

#[test]
fn asks_may_come_on_the_stream_of_a_get() {
    let peer = Peer::new("2025-11-25", &format!("http.asks_on = \"get\"\n{ASKS}"));
    let headers = peer.initialize("2025-11-25");
    let headers = [headers[0].as_str(), headers[1].as_str()];
    let mut call = peer.post(&headers, &legacy(1));
    peer.send("GET", "/mcp", &[&headers[..], &[EVENTS]].concat(), "").has("elicitation/create");
    peer.post(&headers, &json!({ "jsonrpc": "2.0", "id": 1, "result": { "action": "cancel" } })).has("202");
    call.has("application/json").has("hello");
    peer.complains(&["not ended with DELETE"]);
}

#[test]
fn a_stream_that_was_cut_is_resumed() {
    let script =
        format!("http.event_ids = true\nhttp.priming = true\nhttp.cut = [{{ after = 1, retry = 300 }}]\n{ASKS}");
    let peer = Peer::new("2025-11-25", &script);
    let headers = peer.initialize("2025-11-25");
    let headers = [headers[0].as_str(), headers[1].as_str()];
    let cut = peer.post(&headers, &legacy(1)).whole();
    assert!(cut.contains("data:\n\n") && cut.contains("retry: 300") && !cut.contains("hello"), "{cut}");
    let id = cut.lines().filter_map(|line| line.strip_prefix("id: ")).next_back().unwrap();
    peer.post(&headers, &json!({ "jsonrpc": "2.0", "id": 1, "result": { "action": "cancel" } })).has("202");
    let again = format!("Last-Event-ID: {id}");
    // This one has no patience.
    peer.send("GET", "/mcp", &[&headers[..], &[EVENTS, &again]].concat(), "").has("hello");
    peer.send("GET", "/mcp", &[&headers[..], &[EVENTS, "Last-Event-ID: 99-1"]].concat(), "").has("400");
    peer.send("DELETE", "/mcp", &headers, "").has("200");
    peer.complains(&["before it was told to", "never sent"]);
}

#[test]
fn what_was_said_before_a_connection_breaks_off_is_heard() {
    let script =
        "http.cut = [{ after = 1, reset = true }]\n[[step]]\nprogress = { progress = 1 }\n[[step]]\ntext = \"hello\"";
    let peer = Peer::new("2026-07-28", script);
    let heard = peer.call(1, &json!({})).whole();
    assert!(heard.contains("notifications/progress") && !heard.contains("hello"), "{heard}");
    // The last chunk is missing: this was no end.
    assert!(!heard.ends_with("0\r\n\r\n"), "{heard}");
    peer.complains(&[]);
}

#[test]
fn a_network_may_deliver_late_and_in_pieces() {
    let peer = Peer::new("2026-07-28", &format!("http.through = {{ seed = 7, split = true, delay = 3 }}\n{ASKS}"));
    peer.call(1, &json!({})).has("\"input_required\"");
    // The first read is seldom more than the first byte.
    let mut pieces = 0;
    let mut reply = peer.call(2, &json!({}));
    let mut piece = [0; 4096];
    while reply.stream.read(&mut piece).unwrap() > 0 {
        pieces += 1;
    }
    assert!(pieces > 5, "{pieces} pieces");
    peer.complains(&[]);
}

#[test]
fn a_network_may_not_deliver_to_the_end() {
    let script = "http.through.cut = { connection = 2, byte = 30 }\n[[step]]\ntext = \"hello\"";
    let peer = Peer::new("2026-07-28", script);
    peer.call(1, &json!({})).has("hello");
    assert_eq!(peer.call(2, &json!({})).whole().len(), 30);
    peer.call(3, &json!({})).has("hello");
    peer.complains(&[]);
}

#[test]
fn events_may_come_twice() {
    let peer = Peer::new("2026-07-28", "http.twice = true\nhttp.reply = \"sse\"\n[[step]]\ntext = \"hello\"");
    assert_eq!(peer.call(1, &json!({})).whole().matches("hello").count(), 2);
    peer.complains(&[]);
}

#[test]
fn a_session_is_demanded_and_may_be_lost() {
    let peer = Peer::new(
        "2025-11-25",
        "http.instead = [{ of = \"tools/call\", nth = 2, lose_session = true }]\n[[step]]\ntext = \"hello\"",
    );
    peer.post(&["MCP-Protocol-Version: 2025-11-25"], &legacy(1)).has("HTTP/1.1 400");
    let headers = peer.initialize("2025-11-25");
    peer.post(&[&headers[0], &headers[1]], &legacy(1)).has("HTTP/1.1 404");
    let headers = peer.initialize("2025-11-25");
    peer.post(&[&headers[0]], &legacy(1)).has("HTTP/1.1 400");
    peer.post(&[&headers[0], &headers[1]], &legacy(1)).has("hello");
    peer.initialize("2025-11-25");
    peer.complains(&["names no session", "the protocol version", "while there was a session", "DELETE"]);
}

#[test]
fn http_with_sse_says_everything_on_one_stream() {
    let peer = Peer::new("2024-11-05", ASKS);
    assert!(peer.server.url.ends_with("/sse"));
    peer.send("POST", "/sse", &[JSON, BOTH], &modern(0, "server/discover", &json!({})).to_string()).has("HTTP/1.1 405");
    let mut stream = peer.send("GET", "/sse", &[EVENTS], "");
    let text = stream.has("event: endpoint\ndata: ").has("\n\n").text.clone();
    let address = text.split("data: ").nth(1).unwrap().lines().next().unwrap();
    let say = |message: Value| {
        peer.send("POST", address, &[JSON], &message.to_string()).has("HTTP/1.1 202");
    };
    say(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {} }));
    stream.has("event: message").has("protocolVersion");
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    say(legacy(1));
    stream.has("elicitation/create");
    say(json!({ "jsonrpc": "2.0", "id": 1, "result": { "action": "cancel" } }));
    stream.has("hello");
    let record = peer.complains(&[]);
    assert_eq!(record.methods(), ["server/discover", "initialize", "notifications/initialized", "tools/call"]);
}

#[test]
fn other_answers_come_instead_of_those_that_belong_there() {
    let script = r#"
        http.instead = [
            { of = "server/discover", times = 1, status = 404, body = "<p>nothing here</p>" },
            { of = "server/discover", nth = 2, status = 200, body = '{"jsonrpc":"2.0","id":{id},"error":{"code":-32601}}' },
            { of = "server/discover", nth = 3, status = 401, headers = { WWW-Authenticate = "Bearer" } },
            { of = "server/discover", nth = 4, close = true },
            { of = "server/discover", nth = 5, redirect = "other-origin" },
            { of = "server/discover", nth = 6, after = 300 },
        ]"#;
    let peer = Peer::new("2026-07-28", script);
    let headers = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"];
    let ask = |id| peer.post(&headers, &modern(id, "server/discover", &json!({})));
    ask(1).has("HTTP/1.1 404").has("text/html").has("nothing here");
    ask(2).has("HTTP/1.1 200").has(r#""id":2,"#);
    ask(3).has("HTTP/1.1 401").has("www-authenticate: Bearer");
    assert_eq!(ask(4).whole(), "");
    ask(5).has("HTTP/1.1 307").has("location: http://localhost:");
    let began = Instant::now();
    ask(6).has("supportedVersions");
    assert!(began.elapsed() >= Duration::from_millis(300));
    peer.complains(&[]);
}
