//! The yardstick of `cargo xtask bench call`: a program that writes and reads the lines of a call and does nothing else.
//!
//! `bench_bare COUNT VERSION URI CONTENT -- COMMAND ARGS…` reads the resource `URI` COUNT times, answers every form with CONTENT (JSON), prints
//! the first result, and then on one line how many microseconds each further read took.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [count, version, uri, content, dashes, program, rest @ ..] = &args[..] else {
        eprintln!("bench_bare COUNT VERSION URI CONTENT -- COMMAND ARGS…");
        std::process::exit(2);
    };
    assert_eq!(dashes, "--");
    let count: u32 = count.parse().expect("COUNT is a number");
    let content: Value = serde_json::from_str(content).expect("CONTENT is JSON");
    let modern = version.as_str() >= "2026-07-28";
    let mut child = Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut to_server = child.stdin.take().expect("standard input is piped");
    let mut from_server = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { "name": "bare", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    });
    let mut send = |message: Value| {
        // One write for a line, as everybody does who cares.
        let line = format!("{message}\n");
        to_server.write_all(line.as_bytes()).expect("the server reads");
    };
    let mut receive = || -> Value {
        let mut line = String::new();
        from_server.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).expect("the server writes JSON")
    };
    if modern {
        send(json!({ "jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": { "_meta": meta } }));
        receive();
    } else {
        send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version,
            "capabilities": { "elicitation": { "form": {} } },
            "clientInfo": { "name": "bare", "version": "1" },
        } }));
        receive();
        send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }
    let mut id = 0;
    let mut began = Instant::now();
    for turn in 0..=count {
        id += 1;
        let mut params = json!({ "uri": uri });
        params["_meta"] = if modern { meta.clone() } else { json!({}) };
        // The host asks for progress as well, and the server then has more to write and both have more to read.
        params["_meta"]["progressToken"] = id.into();
        send(json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": params }));
        loop {
            let message = receive();
            if message["method"] == "elicitation/create" {
                let answer = json!({ "action": "accept", "content": content });
                send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer }));
            } else if message["result"]["resultType"] == "input_required" {
                id += 1;
                let requests = message["result"]["inputRequests"].as_object().cloned().unwrap_or_default();
                let answers: serde_json::Map<String, Value> = requests
                    .into_iter()
                    .map(|(key, _)| (key, json!({ "action": "accept", "content": content })))
                    .collect();
                let mut params = json!({ "uri": uri, "_meta": meta, "inputResponses": answers });
                params["_meta"]["progressToken"] = id.into();
                params["requestState"] = message["result"]["requestState"].clone();
                send(json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": params }));
            } else if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                if turn == 0 {
                    println!("{}", message["result"]);
                    began = Instant::now();
                }
                break;
            }
        }
    }
    if count > 0 {
        println!("{}", began.elapsed().as_micros() as f64 / f64::from(count));
    }
    drop(to_server);
    child.wait().expect("the server ends");
}
