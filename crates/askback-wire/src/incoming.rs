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

/// Where a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Where everything comes: standard output, or a stream that belongs to no request.
    Shared,
    /// In reply to the request with this id, and nothing else comes there.
    ReplyTo(u64),
}

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// What kind of noise, as the name of a rule.
    pub rule: &'static str,
    /// What is wrong, quoting the line's beginning.
    pub message: String,
    /// The id of the request that this was the answer to, as far as that can be told.
    pub lost_response_to: Option<u64>,
    /// Whether this may have been an answer at all.
    pub may_be_response: bool,
}

impl Noise {
    fn new(rule: &'static str, message: String, lost: &Lost) -> Noise {
        let lost_response_to = match lost {
            Lost::Response(id) => Some(*id),
            Lost::NoResponse | Lost::Unknown => None,
        };
        Noise { rule, message, lost_response_to, may_be_response: !matches!(lost, Lost::NoResponse) }
    }
}

/// How much of a line is quoted.
const QUOTED: usize = 120;

/// Reads one line of standard output.
pub fn read(frame: Frame) -> Incoming {
    read_from(frame, ("noise-on-stdout", "something other than a message on standard output"))
}

/// Reads one body, or the data of one event, from HTTP.
pub fn read_http(frame: Frame) -> Incoming {
    read_from(frame, ("not-a-message", "something other than a message"))
}

fn read_from(frame: Frame, stray: (&'static str, &str)) -> Incoming {
    let line = match frame {
        Frame::Line(line) => line,
        Frame::Unusable { why, head, tail } => {
            let lost = match judge_head(&head) {
                Lost::Unknown => judge_tail(&tail),
                lost => lost,
            };
            let (rule, what) = match why {
                Unusable::TooLong { bytes } => {
                    ("message-too-large", format!("a message of {bytes} bytes is over the limit"))
                }
                Unusable::NotUtf8 => ("not-utf-8", "a line is not UTF-8".to_owned()),
            };
            return Incoming::Noise(Noise::new(rule, format!("{what}: {}", quote(&head)), &lost));
        }
    };
    let value = match serde_json::from_str::<Value>(&line) {
        Ok(value) => value,
        Err(error) => {
            let looks_like_message = line.starts_with('{') && line.contains("\"jsonrpc\"");
            let lost = if looks_like_message { judge_head(&line) } else { Lost::NoResponse };
            let (rule, what) = if looks_like_message {
                ("not-json", format!("a message is not JSON ({error})"))
            } else {
                (stray.0, stray.1.to_owned())
            };
            return Incoming::Noise(Noise::new(rule, format!("{what}: {}", quote(&line)), &lost));
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
                Incoming::Noise(Noise::new("not-a-message", message, &Lost::NoResponse))
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

/// Whose answer a message was that cannot be read as a whole.
enum Lost {
    /// The response to the request with this id.
    Response(u64),
    /// A request or a notification of the server's own.
    NoResponse,
    /// It cannot be told.
    Unknown,
}

/// What the names and values at the top of an object say of it, as far as it can be read.
fn judge_head(text: &str) -> Lost {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    let mut id = None;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let name = text.get(start..at.min(bytes.len())).unwrap_or_default();
                let value = text.get(at + 1..).unwrap_or_default().trim_start();
                if let (1, Some(value)) = (depth, value.strip_prefix(':')) {
                    match name {
                        "id" => id = number_at(value),
                        "method" | "params" => return Lost::NoResponse,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    id.map_or(Lost::Unknown, Lost::Response)
}

/// The id at the end of an object of which only the end is left: nothing but one closing brace may come after it and its neighbours.
fn judge_tail(text: &str) -> Lost {
    let Some(at) = text.rfind("\"id\"") else { return Lost::Unknown };
    let Some(value) = text[at + 4..].trim_start().strip_prefix(':') else { return Lost::Unknown };
    let rest = value.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let closes_once = rest.ends_with('}') && rest.matches(['{', '[', '}', ']']).count() == 1;
    match number_at(value) {
        Some(_) if rest.contains("\"method\"") => Lost::NoResponse,
        Some(id) if closes_once => Lost::Response(id),
        _ => Lost::Unknown,
    }
}

fn number_at(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
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

    #[test]
    fn an_id_inside_of_a_broken_message_is_not_the_messages_own() {
        let bad = r#""\ud800""#;
        let check = |line: String, expected: Option<u64>| assert_eq!(noise(&line).lost_response_to, expected, "{line}");
        check(format!(r#"{{"jsonrpc":"2.0","result":{{"id":5,"a":{bad}}}}}"#), None);
        check(format!(r#"{{"jsonrpc":"2.0","result":{{"id":5,"a":{bad}}},"id":6}}"#), Some(6));
        check(format!(r#"{{"jsonrpc":"2.0","result":{{"t":"\"id\":5"}},"id":6,"x":{bad}}}"#), Some(6));
        check(format!(r#"{{"jsonrpc":"2.0","id":5,"params":{{}},"x":{bad}}}"#), None);
        check(r#"{"jsonrpc":"2.0","id":8,"result":{"cut":"#.to_owned(), Some(8));
    }

    #[test]
    fn a_message_that_is_too_long_is_told_by_its_beginning_or_its_end() {
        let long = |head: &str, tail: &str| {
            let why = Unusable::TooLong { bytes: 1 };
            match read(Frame::Unusable { why, head: head.into(), tail: tail.into() }) {
                Incoming::Noise(noise) => (noise.lost_response_to, noise.may_be_response),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(long(r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"te"#, "xxx\"}]}}"), (Some(3), true));
        assert_eq!(long(r#"{"result":{"content":[{"id":9,"te"#, r#"xxx"}]},"jsonrpc":"2.0","id":4}"#), (Some(4), true));
        assert_eq!(long(r#"{"result":{"content":[{"te"#, r#"xxx"}]},"id":4,"jsonrpc":"2.0"}"#), (Some(4), true));
        assert_eq!(long(r#"{"result":{"content":[{"te"#, r#""a":{"id":4}}]}}"#), (None, true));
        assert_eq!(long(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"#, r#"xxx"}}"#), (None, false));
        assert_eq!(long(r#"{"jsonrpc":"2.0","id":3,"params":{"messages":["#, r#"x"]},"method":"x"}"#), (None, false));
        assert_eq!(long("\u{fffd}", "\u{fffd}"), (None, true));
    }
}
