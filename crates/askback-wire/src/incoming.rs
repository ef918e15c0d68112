//! Lines into messages.

use serde_json::Value;

use crate::framing::{Frame, Unusable};
use crate::jsonrpc::Message;

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// One message.
    Message(Message),
    /// A batch: an array of messages, read or not.
    Batch(Vec<Result<Message, String>>),
    /// Nothing that can be used.
    Noise(Noise),
}

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// What kind of noise, as the name of a rule.
    pub rule: &'static str,
    /// What is wrong, quoting the line's beginning.
    pub message: String,
    /// The id of the request that this may have been the answer to.
    pub lost_response_to: Option<u64>,
}

/// How much of a line is quoted.
const QUOTED: usize = 120;

/// Reads one line.
pub fn read(frame: Frame) -> Incoming {
    let line = match frame {
        Frame::Line(line) => line,
        Frame::Unusable { why, head, tail } => {
            let lost_response_to = response_id(&head, &tail);
            let (rule, what) = match why {
                Unusable::TooLong { bytes } => {
                    ("message-too-large", format!("a message of {bytes} bytes is over the limit"))
                }
                Unusable::NotUtf8 => ("not-utf-8", "a line is not UTF-8".to_owned()),
            };
            return Incoming::Noise(Noise { rule, message: format!("{what}: {}", quote(&head)), lost_response_to });
        }
    };
    let value = match serde_json::from_str::<Value>(&line) {
        Ok(value) => value,
        Err(error) => {
            let looks_like_message = line.starts_with('{') && line.contains("\"jsonrpc\"");
            let lost_response_to = if looks_like_message { response_id(&line, &line) } else { None };
            let (rule, what) = if looks_like_message {
                ("not-json", format!("a message is not JSON ({error})"))
            } else {
                ("noise-on-stdout", "something other than a message on standard output".to_owned())
            };
            return Incoming::Noise(Noise { rule, message: format!("{what}: {}", quote(&line)), lost_response_to });
        }
    };
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            Incoming::Batch(items.into_iter().map(Message::parse).collect())
        }
        value => match Message::parse(value) {
            Ok(message) => Incoming::Message(message),
            Err(error) => {
                let message = format!("not a JSON-RPC message ({error}): {}", quote(&line));
                Incoming::Noise(Noise { rule: "not-a-message", message, lost_response_to: None })
            }
        },
    }
}

fn quote(line: &str) -> String {
    match line.char_indices().nth(QUOTED) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// The id of a response that cannot be read as a whole: from its beginning or its end, where senders put it.
fn response_id(head: &str, tail: &str) -> Option<u64> {
    let number = |text: &str| -> Option<u64> {
        let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let after = |text: &str, found: Option<usize>| {
        found.map(|at| text[at + 4..].trim_start()).and_then(|rest| rest.strip_prefix(':').and_then(number))
    };
    let start = head.char_indices().nth(60).map_or(head, |(end, _)| &head[..end]);
    if start.contains("\"method\"") {
        return None;
    }
    let end = tail.char_indices().rev().nth(60).map_or(tail, |(at, _)| &tail[at..]);
    after(start, start.find("\"id\"")).or_else(|| after(end, end.rfind("\"id\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(line: &str) -> Noise {
        match read(Frame::Line(line.into())) {
            Incoming::Noise(noise) => noise,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn t01_noise_is_named_and_quoted() {
        for line in
            ["npm warn exec x", "Server running on stdio", "{\"level\":\"info\"}", "[1,2]", "null", "\"x\"", "[]"]
        {
            assert!(noise(line).message.contains(line), "{line}");
        }
        assert!(noise(&"x".repeat(10_000)).message.len() < 300);
    }

    #[test]
    fn a_broken_response_names_its_request() {
        assert_eq!(noise(r#"{"jsonrpc":"2.0","id":7,"result":{"a":"\ud800"}}"#).lost_response_to, Some(7));
        assert_eq!(noise(r#"{"result":{"a":1e999},"jsonrpc":"2.0","id":12}"#).lost_response_to, Some(12));
        assert_eq!(noise(r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"\ud800"}}"#).lost_response_to, None);
        assert_eq!(noise("id: 7").lost_response_to, None);
    }
}
