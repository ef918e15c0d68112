//! TOML in, entries out; every mistake is named with its place.

use serde::Deserialize;
use serde_json::{Map, Value};
use wildmatch::WildMatch;

use super::{Decision, Entry, Matcher, TextMatch};
use crate::ask::AskKind;
use crate::roots::{Root, RootError};
use crate::sampling::{MANUAL_MODEL, ModelOrder, ReplyContent, RequestChanges};

/// Why a file is no answer file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFileError {
    /// Not TOML, or with unknown keys or values of the wrong type.
    #[error("{file}: {detail}")]
    Syntax {
        /// The file.
        file: String,
        /// What and where, over several lines.
        detail: String,
    },
    /// An entry that says something that does not go together.
    #[error("{place}: {problem}")]
    Entry {
        /// The file and the number of the entry.
        place: String,
        /// What does not go together.
        problem: EntryProblem,
    },
}

/// What does not go together in an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryProblem {
    /// Nothing says what to answer.
    #[error("nothing says what to answer: give action, reply, approve, model or roots")]
    NoAnswer,
    /// Two keys that exclude each other.
    #[error("{first} and {second} do not go together")]
    Together {
        /// One.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A key that only another kind of ask takes.
    #[error("{key} is for {wanted} only")]
    OtherKind {
        /// The key.
        key: &'static str,
        /// The kind or action that takes it.
        wanted: &'static str,
    },
    /// A value that is no value of this key.
    #[error("{key}: {detail}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        detail: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    #[serde(default)]
    answer: Vec<EntryText>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct EntryText {
    server: Option<String>,
    tool: Option<String>,
    kind: Option<String>,
    message: Option<MessageText>,
    key: Option<String>,
    field: Option<String>,
    round: Option<u32>,
    times: Option<u32>,
    action: Option<String>,
    content: Option<toml::Table>,
    reason: Option<String>,
    open: Option<bool>,
    reply: Option<ReplyText>,
    stop_reason: Option<String>,
    approve: Option<bool>,
    model: Option<String>,
    edit: Option<EditText>,
    roots: Option<Vec<RootText>>,
}

/// What an entry changes in a sampling request before a model gets it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct EditText {
    system_prompt: Option<String>,
    max_tokens: Option<u64>,
    temperature: Option<f64>,
    stop_sequences: Option<Vec<String>>,
    #[serde(default)]
    replace: Vec<ReplaceText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplaceText {
    text: String,
    with: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "message is text, or { regex = \"…\" }")]
enum MessageText {
    Contains(String),
    Regex { regex: String },
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "reply is text, or a list of content blocks")]
enum ReplyText {
    Text(String),
    Blocks(Vec<toml::Table>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a root is a path, or { uri = \"…\", name = \"…\" }")]
enum RootText {
    Place(String),
    Named { uri: String, name: Option<String> },
}

pub(super) fn read(file: &str, text: &str) -> Result<Vec<Entry>, AnswerFileError> {
    let parsed: FileText = toml::from_str(text)
        .map_err(|error| AnswerFileError::Syntax { file: file.to_owned(), detail: error.to_string() })?;
    let entries = parsed.answer.into_iter().enumerate().map(|(index, entry)| {
        let place = format!("{file}, answer {}", index + 1);
        entry_of(place.clone(), entry).map_err(|problem| AnswerFileError::Entry { place, problem })
    });
    entries.collect()
}

fn entry_of(place: String, mut text: EntryText) -> Result<Entry, EntryProblem> {
    let kind = text.kind.as_deref().map(kind_of).transpose()?;
    let message = match text.message.take() {
        None => None,
        Some(MessageText::Contains(part)) => Some(TextMatch::Contains(part)),
        Some(MessageText::Regex { regex }) => Some(TextMatch::Regex(
            regex::Regex::new(&regex)
                .map_err(|error| EntryProblem::Value { key: "message.regex", detail: error.to_string() })?,
        )),
    };
    if text.round == Some(0) {
        return Err(EntryProblem::Value { key: "round", detail: "rounds are counted from 1".into() });
    }
    let matcher = Matcher {
        server: text.server.as_deref().map(WildMatch::new),
        tool: text.tool.as_deref().map(WildMatch::new),
        kind,
        message,
        key: text.key.clone(),
        field: text.field.clone(),
        round: text.round,
    };
    let times = match text.times {
        Some(0) => None,
        Some(times) => Some(times),
        None => Some(1),
    };
    let decision = decision_of(kind, text)?;
    Ok(Entry { place, matcher, decision, times, used: 0 })
}

fn kind_of(word: &str) -> Result<AskKind, EntryProblem> {
    [AskKind::Form, AskKind::Url, AskKind::Sampling, AskKind::Roots]
        .into_iter()
        .find(|kind| kind.as_str() == word)
        .ok_or_else(|| EntryProblem::Value {
            key: "kind",
            detail: format!("{word:?} is none of form, url, sampling, roots"),
        })
}

fn decision_of(kind: Option<AskKind>, text: EntryText) -> Result<Decision, EntryProblem> {
    let given: Vec<&'static str> = [
        ("action", text.action.is_some()),
        ("reply", text.reply.is_some()),
        ("approve", text.approve.is_some()),
        ("model", text.model.is_some() && text.reply.is_none()),
        ("roots", text.roots.is_some()),
    ]
    .into_iter()
    .filter_map(|(key, is_given)| is_given.then_some(key))
    .collect();
    match given[..] {
        [] => return Err(EntryProblem::NoAnswer),
        ["approve", "model"] | [_] => {}
        [first, second, ..] => return Err(EntryProblem::Together { first, second }),
    }
    let accepts = text.action.as_deref() == Some("accept");
    let declines = text.action.as_deref() == Some("decline");
    let replies = text.reply.is_some();
    only(text.content.is_some(), "content", accepts, "action = \"accept\"")?;
    only(text.content.is_some(), "content", matches!(kind, None | Some(AskKind::Form)), "kind = \"form\"")?;
    only(text.open.is_some(), "open", accepts, "action = \"accept\"")?;
    only(text.open.is_some(), "open", matches!(kind, None | Some(AskKind::Url)), "kind = \"url\"")?;
    only(text.reason.is_some(), "reason", declines, "action = \"decline\"")?;
    only(text.stop_reason.is_some(), "stop_reason", replies, "reply")?;
    only(text.edit.is_some(), "edit", text.approve.is_some() || text.model.is_some(), "approve or model")?;
    let samples = matches!(given[0], "reply" | "approve" | "model");
    only(samples, given[0], matches!(kind, None | Some(AskKind::Sampling)), "kind = \"sampling\"")?;
    only(text.roots.is_some(), "roots", matches!(kind, None | Some(AskKind::Roots)), "kind = \"roots\"")?;
    only(accepts, "action = \"accept\"", kind != Some(AskKind::Sampling), "kind = \"form\" or \"url\"")?;
    only(text.action.is_some(), "action", kind != Some(AskKind::Roots), "kind = \"form\", \"url\" or \"sampling\"")?;

    if let Some(roots) = text.roots {
        let roots: Result<Vec<Root>, RootError> = roots.into_iter().map(root_of).collect();
        return Ok(Decision::Roots(
            roots.map_err(|error| EntryProblem::Value { key: "roots", detail: error.to_string() })?,
        ));
    }
    if let Some(reply) = text.reply {
        let content = reply_of(reply)?;
        let calls_tool = content.iter().any(|block| matches!(block, ReplyContent::ToolUse { .. }));
        let stop_reason = text.stop_reason.unwrap_or_else(|| if calls_tool { "toolUse" } else { "endTurn" }.into());
        let model = text.model.unwrap_or_else(|| MANUAL_MODEL.into());
        return Ok(Decision::Reply { content, model, stop_reason: Some(stop_reason) });
    }
    if text.approve == Some(false) {
        return Err(EntryProblem::Value {
            key: "approve",
            detail: "only true means anything; to refuse, decline".into(),
        });
    }
    if text.approve.is_some() || text.model.is_some() {
        let changes = text.edit.map(changes_of).transpose()?.unwrap_or_default();
        return Ok(Decision::Model { order: ModelOrder { model: text.model, changes } });
    }
    match text.action.as_deref() {
        Some("accept") => {
            let content = text.content.map(|table| object_of("content", table)).transpose()?;
            Ok(Decision::Accept { content, open: text.open.unwrap_or(false) })
        }
        Some("decline") => Ok(Decision::Decline { reason: text.reason }),
        Some("cancel") => Ok(Decision::Cancel),
        other => Err(EntryProblem::Value {
            key: "action",
            detail: format!("{:?} is none of accept, decline, cancel", other.unwrap_or_default()),
        }),
    }
}

fn changes_of(edit: EditText) -> Result<RequestChanges, EntryProblem> {
    if edit.max_tokens == Some(0) {
        return Err(EntryProblem::Value { key: "edit.max_tokens", detail: "is not greater than zero".into() });
    }
    if edit.replace.iter().any(|replace| replace.text.is_empty()) {
        return Err(EntryProblem::Value { key: "edit.replace", detail: "an empty text is everywhere".into() });
    }
    Ok(RequestChanges {
        system_prompt: edit.system_prompt,
        max_tokens: edit.max_tokens,
        temperature: edit.temperature,
        stop_sequences: edit.stop_sequences,
        replace: edit.replace.into_iter().map(|replace| (replace.text, replace.with)).collect(),
    })
}

fn only(given: bool, key: &'static str, allowed: bool, wanted: &'static str) -> Result<(), EntryProblem> {
    if given && !allowed { Err(EntryProblem::OtherKind { key, wanted }) } else { Ok(()) }
}

fn root_of(text: RootText) -> Result<Root, RootError> {
    let (place, name) = match text {
        RootText::Place(place) => (place, None),
        RootText::Named { uri, name } => (uri, name),
    };
    let is_path = place.starts_with('/') || !place.contains(':');
    if is_path { Root::from_posix_path(&place, name) } else { Root::from_uri(&place, name) }
}

fn reply_of(reply: ReplyText) -> Result<Vec<ReplyContent>, EntryProblem> {
    let blocks = match reply {
        ReplyText::Text(text) => return Ok(vec![ReplyContent::Text(text)]),
        ReplyText::Blocks(blocks) => blocks,
    };
    if blocks.is_empty() {
        return Err(EntryProblem::Value { key: "reply", detail: "at least one block is needed".into() });
    }
    blocks.into_iter().map(|block| block_of(object_of("reply", block)?)).collect()
}

fn block_of(block: Map<String, Value>) -> Result<ReplyContent, EntryProblem> {
    let problem = |detail: &str| EntryProblem::Value { key: "reply", detail: detail.to_owned() };
    let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
    match block.get("type").and_then(Value::as_str) {
        Some("text") => {
            text("text").map(ReplyContent::Text).ok_or_else(|| problem("a text block needs text, a string"))
        }
        Some("tool_use") => Ok(ReplyContent::ToolUse {
            id: text("id").ok_or_else(|| problem("a tool_use block needs id, a string"))?,
            name: text("name").ok_or_else(|| problem("a tool_use block needs name, a string"))?,
            input: block.get("input").and_then(Value::as_object).cloned().unwrap_or_default(),
        }),
        Some("image" | "audio") => Ok(ReplyContent::Raw(Value::Object(block))),
        Some(other) => Err(problem(&format!("{other:?} is no type of block: text, image, audio, tool_use"))),
        None => Err(problem("a block needs a type")),
    }
}

fn object_of(key: &'static str, table: toml::Table) -> Result<Map<String, Value>, EntryProblem> {
    table.into_iter().map(|(name, value)| Ok((name, json_of(key, value)?))).collect()
}

fn json_of(key: &'static str, value: toml::Value) -> Result<Value, EntryProblem> {
    Ok(match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::Number(serde_json::Number::from_f64(number).ok_or_else(|| {
            EntryProblem::Value { key, detail: format!("{number} is no number that JSON can carry") }
        })?),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        // The server asks for dates as text; a TOML date is the same text without quotes.
        toml::Value::Datetime(moment) => Value::String(moment.to_string()),
        toml::Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| json_of(key, item)).collect::<Result<_, _>>()?)
        }
        toml::Value::Table(table) => Value::Object(object_of(key, table)?),
    })
}
