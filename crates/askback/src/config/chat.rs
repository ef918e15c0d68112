//! `[chat]` and `[servers.NAME.chat]`: the conversation with a model, and which tools it may call without a question.
//!
//! Owns the shape of these tables. Nothing in them is on by default.

use askback_host::chat::ServerRules;
use serde::Deserialize;

use super::Reader;
use crate::failure::Failure;

/// The conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatConfig {
    /// The user's name for the model.
    pub(crate) model: Option<String>,
    /// Whether secrets are hidden from the model; they are if not given.
    pub(crate) redact: Option<bool>,
    /// How many rounds of tools a turn may have.
    pub(crate) rounds: Option<u32>,
    /// The share of the model's context, 0 to 1, that the definitions of tools may take.
    pub(crate) definitions: Option<f64>,
    /// The most tokens of one reply.
    pub(crate) reply_tokens: Option<u64>,
}

impl ChatConfig {
    /// These settings, and where they say nothing, those of a file below.
    pub(super) fn over(self, below: ChatConfig) -> ChatConfig {
        ChatConfig {
            model: self.model.or(below.model),
            redact: self.redact.or(below.redact),
            rounds: self.rounds.or(below.rounds),
            definitions: self.definitions.or(below.definitions),
            reply_tokens: self.reply_tokens.or(below.reply_tokens),
        }
    }
}

/// What a conversation may have of one server.
#[derive(Clone, Debug)]
pub(crate) struct ServerChat {
    /// Whether conversations have it at all, unless it is named.
    pub(crate) offered: bool,
    pub(crate) rules: ServerRules,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChatText {
    model: Option<String>,
    redact: Option<bool>,
    rounds: Option<u32>,
    definitions: Option<f64>,
    reply_tokens: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerChatText {
    offered: Option<bool>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    trust_hints: bool,
}

/// `[chat]`
pub(super) fn chat(reader: &Reader<'_>, text: ChatText) -> Result<ChatConfig, Failure> {
    let ChatText { model, redact, rounds, definitions, reply_tokens } = text;
    if let Some(share) = definitions.filter(|share| !(0.0..=1.0).contains(share)) {
        return Err(reader.failure("config-value", "chat.definitions", &share.to_string()));
    }
    for (key, is_nothing) in [("chat.rounds", rounds == Some(0)), ("chat.reply_tokens", reply_tokens == Some(0))] {
        if is_nothing {
            return Err(reader.failure("config-value", key, "0"));
        }
    }
    Ok(ChatConfig { model, redact, rounds, definitions, reply_tokens })
}

/// `[servers.NAME.chat]`
pub(super) fn of_server(text: ServerChatText) -> ServerChat {
    let rules = ServerRules { allow: text.allow, deny: text.deny, trust_hints: text.trust_hints };
    ServerChat { offered: text.offered.unwrap_or(true), rules }
}
