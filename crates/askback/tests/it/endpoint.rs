//! A model's endpoint that says what a test wants, and tells what it heard.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

/// How long a client may take to go.
const PATIENCE: Duration = Duration::from_secs(20);

/// An endpoint that answers so many requests, and gives back what it was sent.
pub(crate) struct Endpoint {
    pub(crate) url: String,
    pub(crate) heard: JoinHandle<Vec<String>>,
}

impl Endpoint {
    /// Answers each request in turn with this status and the next body.
    pub(crate) fn answering(status: &'static str, kind: &'static str, bodies: Vec<String>) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let heard = std::thread::spawn(move || {
            let answer = |body: String| {
                let (mut stream, heard) = taken(&listener);
                write!(stream, "{}content-length: {}\r\n\r\n{body}", head(status, kind), body.len())
                    .expect("it is taken");
                heard
            };
            bodies.into_iter().map(answer).collect()
        });
        Endpoint { url, heard }
    }

    /// Answers as a model that says these things, each the delta of one message and the reason why it ends.
    pub(crate) fn saying(replies: &[(Value, &str)]) -> Endpoint {
        let bodies = replies.iter().map(|(delta, reason)| {
            format!("{}{}data: [DONE]\n\n", chunk(delta, Value::Null), chunk(&json!({}), json!(reason)))
        });
        Endpoint::answering("200 OK", "text/event-stream", bodies.collect())
    }

    /// Answers as a model that says these texts, one for each request.
    pub(crate) fn writing(texts: &[&str]) -> Endpoint {
        let replies: Vec<_> =
            texts.iter().map(|text| (json!({ "role": "assistant", "content": text }), "stop")).collect();
        Endpoint::saying(&replies)
    }

    /// A model that begins with this text and never ends; it is heard when its client has gone.
    pub(crate) fn unending(text: &str) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let begin = chunk(&json!({ "role": "assistant", "content": text }), Value::Null);
        let heard = std::thread::spawn(move || {
            let (mut stream, heard) = taken(&listener);
            write!(stream, "{}\r\n{begin}", head("200 OK", "text/event-stream")).expect("it is taken");
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit can be set");
            // Nothing more is to come from a client; its end reads as nothing, or as a broken connection.
            match stream.read(&mut [0]) {
                Ok(0) => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                other => panic!("the client did not go: {other:?}"),
            }
            vec![heard]
        });
        Endpoint { url, heard }
    }
}

fn head(status: &str, kind: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n")
}

/// A piece of a streamed reply.
fn chunk(delta: &Value, reason: Value) -> String {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    let chunk = json!({ "id": "1", "object": "chat.completion.chunk", "model": "tiny-7", "choices": [choice] });
    format!("data: {chunk}\n\n")
}

/// The next client, and the body of its request.
fn taken(listener: &TcpListener) -> (TcpStream, String) {
    let (mut stream, _) = listener.accept().expect("somebody comes");
    let heard = request(&mut stream);
    (stream, heard)
}

/// The body of a request.
fn request(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).expect("it can be read");
        text.extend_from_slice(&piece[..read]);
        let so_far = String::from_utf8_lossy(&text);
        let Some((head, body)) = so_far.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if read == 0 || length.is_some_and(|length: usize| body.len() >= length) {
            return body.to_owned();
        }
    }
}
