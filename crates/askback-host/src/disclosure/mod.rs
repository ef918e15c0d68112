//! What each server was given of the user's: roots, values of forms, consents, replies.
//!
//! Owns what an entry says and the [`DisclosureLog`] trait. An entry is written before the answer leaves, so what it tells of may have been
//! lost on the way, and nothing leaves untold. Secrets are not in it. Must not know how answers travel.

mod given;
mod json_lines;

use std::io;
use std::sync::Arc;

use askback_core::redaction::Redactor;
use askback_core::roots::Root;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::json_lines::JsonLines;

/// One thing that a server was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disclosure {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What the user calls the server.
    pub server: String,
    /// What the server is: its command, or its address.
    pub source: String,
    /// What was called: the tool, the prompt or the URI. Nothing when it cannot be told which of several calls it belongs to, or it belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The number of the round within the call, from 1.
    pub round: u32,
    /// Who or what decided it, in the words of [`By`](askback_core::answer::By).
    pub by: String,
    /// The server's words to the person, if it had any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What it was given.
    pub given: Given,
}

/// What a server was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Given {
    /// The values of a form, secrets masked.
    Values(Map<String, Value>),
    /// The word that the person goes to this page.
    Consent {
        /// The page.
        url: String,
    },
    /// What a model, or a person in its place, replied to the server's messages; secrets masked, long texts cut short.
    Reply {
        /// What was asked, and by whom: the system prompt, then the messages.
        prompt: Vec<Said>,
        /// The model that wrote the reply.
        model: String,
        /// The reply.
        reply: Vec<Said>,
    },
    /// Folders.
    Roots(Vec<Root>),
    /// Why the person said no.
    Reason(String),
}

/// A part of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// The text; for anything else what it is, in brackets.
    pub text: String,
}

/// What was read of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disclosures {
    /// The entries, oldest first.
    pub entries: Vec<Disclosure>,
    /// How many entries cannot be read, of any server.
    pub damaged: usize,
}

/// What a host needs to write down what servers are given.
#[derive(Clone)]
pub struct Disclosing {
    /// Where.
    pub log: Arc<dyn DisclosureLog>,
    /// What finds the secrets that are left out.
    pub redactor: Redactor,
}

/// Keeps what servers were given. Entries are added and never changed.
pub trait DisclosureLog: Send + Sync {
    /// Adds an entry. When this returns, the end of this process does not undo it.
    ///
    /// # Errors
    /// When it may not have been kept.
    fn add(&self, entry: &Disclosure) -> io::Result<()>;

    /// All entries of the server of this name.
    ///
    /// # Errors
    /// When there are some and they cannot be read.
    fn of_server(&self, server: &str) -> io::Result<Disclosures>;
}
