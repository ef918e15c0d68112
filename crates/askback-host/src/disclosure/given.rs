//! From an answer to the entry that tells of it.
//!
//! Owns what is masked and how much of a text is kept.

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::AskBody;
use askback_core::engine::Decided;
use askback_core::redaction::Redactor;
use askback_core::sampling::{Content, ReplyContent, SamplingReply, SamplingRequest};
use serde_json::{Map, Value};

use super::{Disclosure, Given, Said};

/// How much of one text is kept, in bytes.
const TEXT: usize = 16 * 1024;
/// How many parts of a conversation are kept: the last ones, which the reply is to.
const PARTS: usize = 100;

impl Disclosure {
    /// The entry for an answer; nothing if the server learns nothing by it.
    pub fn of(
        decided: &Decided,
        source: String,
        call: Option<String>,
        at: u64,
        redactor: &Redactor,
    ) -> Option<Disclosure> {
        let mask = |text: &str| short(&redactor.mask(text));
        let body = decided.ask.as_ref().map(|ask| &ask.body);
        let given = match (&decided.answer, body) {
            (Answer::Submitted { content }, Some(AskBody::Form(form))) => {
                Given::Values(values(form.form.mask_secrets(content), redactor))
            }
            (Answer::Consented, Some(AskBody::Url(page))) => Given::Consent { url: short(&page.url) },
            (Answer::Sampled(reply), Some(AskBody::Sampling(request))) => {
                Given::Reply { prompt: prompt(request, &mask), model: reply.model.clone(), reply: said(reply, &mask) }
            }
            (Answer::Roots(roots), _) => Given::Roots(roots.clone()),
            (
                Answer::Declined { reason: Some(reason) } | Answer::Refused(Refusal::ByPerson { reason: Some(reason) }),
                _,
            ) => Given::Reason(mask(reason)),
            _ => return None,
        };
        Some(Disclosure {
            at,
            server: decided.server.as_str().to_owned(),
            source,
            call,
            round: decided.round,
            by: decided.by.as_str().to_owned(),
            asked: decided.ask.as_ref().and_then(|ask| ask.message()).map(mask),
            given,
        })
    }
}

/// The values with whatever looks like a secret masked, and long texts cut short.
fn values(content: Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    content.into_iter().map(|(key, value)| (key, shortened(redactor.mask_value(&value)))).collect()
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => short(&text).into(),
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(key, value)| (key, shortened(value))).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

fn prompt(request: &SamplingRequest, mask: &impl Fn(&str) -> String) -> Vec<Said> {
    let part = |role: &str, text: String| Said { role: role.to_owned(), text };
    let messages = request.messages.iter().flat_map(|message| {
        message.content.iter().map(|content| {
            let text = match content {
                Content::Text(text) => mask(text),
                Content::Image(media) | Content::Audio(media) => {
                    format!("[{}, {} B]", short(&media.mime_type), media.size())
                }
                Content::ToolUse { name, input, .. } => {
                    format!("[{} {}]", short(name), mask(&Value::Object(input.clone()).to_string()))
                }
                Content::ToolResult { content, .. } => format!("[→ {}]", mask(&content.to_string())),
            };
            part(message.role.as_str(), text)
        })
    });
    let messages: Vec<Said> = messages.collect();
    let left_out = messages.len().saturating_sub(PARTS);
    let system = request.system_prompt.iter().map(|prompt| part("system", mask(prompt)));
    system.chain(messages.into_iter().skip(left_out)).collect()
}

fn said(reply: &SamplingReply, mask: &impl Fn(&str) -> String) -> Vec<Said> {
    let text = |content: &ReplyContent| match content {
        ReplyContent::Text(text) => mask(text),
        ReplyContent::ToolUse { name, input, .. } => {
            format!("[{} {}]", short(name), mask(&Value::Object(input.clone()).to_string()))
        }
        ReplyContent::Raw(block) => {
            format!("[{}]", short(block.get("type").and_then(Value::as_str).unwrap_or_default()))
        }
    };
    reply.content.iter().map(|content| Said { role: "assistant".to_owned(), text: text(content) }).collect()
}

/// The beginning of a text that is too long, and how much more there was.
fn short(text: &str) -> String {
    if text.len() <= TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(TEXT);
    format!("{}… (+{} B)", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests {
    use askback_core::answer::By;
    use askback_core::ask::{Ask, FormAsk};
    use askback_core::call::{CallId, ServerName};
    use askback_core::form::Form;
    use askback_core::redaction::MASK;
    use serde_json::json;

    use super::*;

    fn entry(schema: Value, answer: Answer) -> Option<Disclosure> {
        let form = FormAsk { message: "Sign in".into(), form: Form::read(&schema).expect("a form") };
        let decided = Decided {
            server: ServerName::new("bank"),
            calls: vec![CallId(1)],
            round: 2,
            key: "k".into(),
            ask: Some(Ask { key: "k".into(), body: AskBody::Form(form), raw: Value::Null, notes: Vec::new() }),
            answer,
            by: By::Person,
        };
        Disclosure::of(&decided, "npx bank".into(), Some("pay".into()), 7, &Redactor::default())
    }

    #[test]
    fn secrets_are_not_in_an_entry() {
        let schema = json!({ "type": "object", "properties": {
            "user": { "type": "string" }, "password": { "type": "string" }, "notes": { "type": "string" }
        } });
        let content = json!({
            "user": "ada", "password": "correct horse",
            "notes": "use ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 please"
        });
        let Value::Object(content) = content else { unreachable!("it is an object") };
        let entry = entry(schema, Answer::Submitted { content }).expect("something is given");
        let expected = json!({ "user": "ada", "password": MASK, "notes": format!("use {MASK} please") });
        assert_eq!(
            Value::Object(match entry.given {
                Given::Values(values) => values,
                other => panic!("{other:?}"),
            }),
            expected
        );
    }

    #[test]
    fn no_answer_gives_nothing_away_and_a_reason_does() {
        let schema = || json!({ "type": "object", "properties": {} });
        assert_eq!(entry(schema(), Answer::Cancelled), None);
        assert_eq!(entry(schema(), Answer::Declined { reason: None }), None);
        let declined = entry(schema(), Answer::Declined { reason: Some("too dear".into()) });
        assert_eq!(declined.map(|entry| entry.given), Some(Given::Reason("too dear".into())));
    }

    #[test]
    fn long_texts_are_cut_short_at_a_character() {
        let text = "é".repeat(TEXT);
        let cut = short(&text);
        assert!(cut.len() < TEXT + 40 && cut.ends_with(&format!("(+{TEXT} B)")), "{}", &cut[TEXT - 8..]);
    }
}
