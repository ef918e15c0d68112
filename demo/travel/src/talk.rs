//! What has been said so far in one call: the arguments, the answers, and a few notes. A story reads it from the top
//! each time, and stops where an answer is still needed.
//!
//! A story is a plain function of a [`Talk`]. Asking for an answer that is there returns it; asking for one that is not
//! returns an [`Interruption`], which the story passes up with `?`. When the answer has come the story runs again, and
//! gets further. So a story must not act on the world before its last ask, and what it draws at random it keeps in a
//! note. Nothing here knows how an ask reaches the client, or in which era.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ask::Ask;

/// Why a story stops here.
#[derive(Debug)]
pub(crate) enum Interruption {
    /// These asks, by key, need answers: one round.
    Asking(Vec<(String, Ask)>),
    /// Nothing is asked, but the payment has to come in first, or the time run out.
    Waiting(Waiting),
    /// It cannot go on; the text is for the user.
    Failed(String),
}

/// What a story waits for.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    /// The payment whose button has to be pressed.
    pub(crate) payment: String,
    /// Milliseconds since 1970 at which the story goes on regardless.
    pub(crate) until_ms: u64,
    /// How long one poll of the modern era may be held.
    pub(crate) pace: Duration,
}

/// What a story returns: its end, or why there is none yet.
pub(crate) type Told<T> = Result<T, Interruption>;

/// A person's answer to a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormAnswer {
    Accepted(Map<String, Value>),
    Declined,
    Cancelled,
}

/// A language model's answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The model, as the client names it.
    pub(crate) model: String,
    /// The content blocks, as they came.
    pub(crate) blocks: Vec<Value>,
}

impl Reply {
    /// All text of the reply.
    pub(crate) fn text(&self) -> String {
        let texts =
            self.blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str());
        texts.collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// The tools that the model wants run.
    pub(crate) fn tool_uses(&self) -> impl Iterator<Item = &Value> {
        self.blocks.iter().filter(|block| block["type"] == "tool_use")
    }
}

/// The part of a talk that travels in `requestState`. It is signed there, not hidden.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// Names this talk. What it does to the world is done once under this name, however often it is sent.
    pub(crate) id: String,
    /// What the story drew or decided, so that it stays the same.
    notes: Map<String, Value>,
    answers: Map<String, Value>,
    /// The keys of the round that is open; no other answer is taken.
    asked: Vec<String>,
}

impl Memory {
    pub(crate) fn new(id: String) -> Self {
        Self { id, notes: Map::new(), answers: Map::new(), asked: Vec::new() }
    }
}

/// One call, as a story sees it.
#[derive(Debug)]
pub(crate) struct Talk {
    pub(crate) arguments: JsonObject,
    pub(crate) memory: Memory,
}

impl Talk {
    /// Answers a round: what was asked is kept, anything else is not.
    pub(crate) fn hear(&mut self, mut answers: impl FnMut(&str) -> Option<Value>) {
        for key in std::mem::take(&mut self.memory.asked) {
            if let Some(answer) = answers(&key) {
                self.memory.answers.insert(key, answer);
            }
        }
    }

    /// Opens a round.
    pub(crate) fn expect(&mut self, asks: &[(String, Ask)]) {
        self.memory.asked = asks.iter().map(|(key, _)| key.clone()).collect();
    }

    /// Asks several things in one round. The answers are then read one by one, with the same keys.
    pub(crate) fn together<const N: usize>(&self, asks: [(&str, Ask); N]) -> Told<()> {
        let open: Vec<_> = asks
            .into_iter()
            .filter(|(key, _)| !self.memory.answers.contains_key(*key))
            .map(|(key, ask)| (key.to_owned(), ask))
            .collect();
        if open.is_empty() { Ok(()) } else { Err(Interruption::Asking(open)) }
    }

    /// Asks a person to fill in a form.
    pub(crate) fn form(&self, key: &str, message: &str, schema: Value) -> Told<FormAnswer> {
        self.elicited(key, Ask::Form { message: message.to_owned(), schema })
    }

    /// Asks a person for a form or a page, and returns what they did.
    pub(crate) fn elicited(&self, key: &str, ask: Ask) -> Told<FormAnswer> {
        let answer = self.answer(key, ask)?;
        match answer["action"].as_str() {
            Some("accept") => Ok(FormAnswer::Accepted(answer["content"].as_object().cloned().unwrap_or_default())),
            Some("decline") => Ok(FormAnswer::Declined),
            Some("cancel") => Ok(FormAnswer::Cancelled),
            _ => {
                Err(Interruption::Failed(format!("The answer to `{key}` has no action of accept, decline or cancel.")))
            }
        }
    }

    /// Asks the user's language model.
    pub(crate) fn sample(&self, key: &str, params: Value) -> Told<Reply> {
        let answer = self.answer(key, Ask::Sampling(params))?;
        let blocks = match &answer["content"] {
            Value::Array(blocks) => blocks.clone(),
            block @ Value::Object(_) => vec![block.clone()],
            _ => {
                return Err(Interruption::Failed(format!("The answer to `{key}` has no content of a language model.")));
            }
        };
        Ok(Reply { model: answer["model"].as_str().unwrap_or("a model without a name").to_owned(), blocks })
    }

    /// Asks which folders are open, and returns their URIs.
    pub(crate) fn roots(&self, key: &str) -> Told<Vec<String>> {
        let answer = self.answer(key, Ask::Roots)?;
        let Some(roots) = answer["roots"].as_array() else {
            return Err(Interruption::Failed(format!("The answer to `{key}` has no list of roots.")));
        };
        Ok(roots.iter().filter_map(|root| root["uri"].as_str()).map(str::to_owned).collect())
    }

    fn answer(&self, key: &str, ask: Ask) -> Told<&Value> {
        match self.memory.answers.get(key) {
            Some(answer) => Ok(answer),
            None => Err(Interruption::Asking(vec![(key.to_owned(), ask)])),
        }
    }

    /// A value that is made once in this talk, and is the same when the story runs again.
    pub(crate) fn note(&mut self, key: &str, make: impl FnOnce() -> Value) -> Value {
        self.memory.notes.entry(key).or_insert_with(make).clone()
    }

    /// An argument that is a text, if it was given.
    pub(crate) fn text(&self, name: &str) -> Told<Option<&str>> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim())),
            Some(_) => Err(Interruption::Failed(format!("The argument `{name}` must be a text."))),
        }
    }

    /// An argument that is a text and cannot be left out.
    pub(crate) fn required_text(&self, name: &str) -> Told<&str> {
        self.text(name)?.ok_or_else(|| Interruption::Failed(format!("The argument `{name}` is missing.")))
    }
}

/// The result of a tool that worked: words for people, and the same for programs.
pub(crate) fn told(text: impl Into<String>, structured: Value) -> CallToolResult {
    let mut result = CallToolResult::structured(structured);
    result.content = vec![ContentBlock::text(text)];
    result
}

/// The present time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
}

/// A name that nobody can guess, of 32 letters and digits.
pub(crate) fn unguessable() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
