//! What can go wrong with a model.
//!
//! Owns the errors as values. What a provider said is bounded and never holds the key. Must not know wording: the sentences here are for logs
//! and tests, people read those of the binary.

use std::time::Duration;

use thiserror::Error;

/// Why there is no reply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ModelError {
    /// The settings cannot be used.
    #[error("the settings of the model cannot be used: {what}")]
    Settings {
        /// What is wrong with them.
        what: String,
    },
    /// The provider's own endpoint wants a key, and none is configured. Nothing was sent.
    #[error("no key is configured{}", in_variable(.variable.as_deref()))]
    NoKey {
        /// The variable that it is looked for in, if there is one.
        variable: Option<String>,
    },
    /// The provider does not know the key, or wants one (401).
    #[error("the provider does not take the key{}: {said}", in_variable(.variable.as_deref()))]
    Unauthorized {
        /// The variable that the key comes from, if that is known.
        variable: Option<String>,
        /// What the provider said.
        said: String,
    },
    /// The key is good, but not for this (403).
    #[error("the provider forbids it: {said}")]
    Forbidden {
        /// What the provider said.
        said: String,
    },
    /// There is no such model, or nothing at this address (404).
    #[error("the provider knows no model {model:?}: {said}")]
    UnknownModel {
        /// The name that was sent.
        model: String,
        /// What the provider said.
        said: String,
    },
    /// Too many requests, or nothing left of what was paid for (429).
    #[error("the provider takes no more requests for now: {said}")]
    TooManyRequests {
        /// How long to wait, if the provider says.
        retry_after: Option<Duration>,
        /// What the provider said.
        said: String,
    },
    /// The request is longer than the model can read.
    #[error("the request is too long for the model: {said}")]
    TooLong {
        /// What the provider said.
        said: String,
    },
    /// The provider refused the content.
    #[error("the provider refuses the content: {said}")]
    Filtered {
        /// What the provider said.
        said: String,
    },
    /// The provider refused the request for another reason.
    #[error("the provider refused the request ({status}): {said}")]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// What the provider said.
        said: String,
    },
    /// The provider is in trouble (5xx, or overloaded).
    #[error("the provider is in trouble ({}): {said}", .status.map_or("while answering".to_owned(), |status| status.to_string()))]
    Unavailable {
        /// The HTTP status, unless it said so in the middle of an answer.
        status: Option<u16>,
        /// How long to wait, if the provider says.
        retry_after: Option<Duration>,
        /// What the provider said.
        said: String,
    },
    /// There is no way to the endpoint.
    #[error("{origin} cannot be reached: {detail}")]
    Unreachable {
        /// The origin of the endpoint.
        origin: String,
        /// Whether nobody listens there, as when a local server is not running.
        refused: bool,
        /// What happened.
        detail: String,
    },
    /// The endpoint sends elsewhere. Redirects are not followed: the key belongs to the configured address.
    #[error("the endpoint redirects{}, which is not followed", .to.as_deref().map(|to| format!(" to {to}")).unwrap_or_default())]
    Redirected {
        /// Where to, if it says.
        to: Option<String>,
    },
    /// The answer broke off. What had come is not a reply.
    #[error("the answer broke off: {detail}")]
    CutShort {
        /// What happened.
        detail: String,
    },
    /// Nothing came for too long.
    #[error("nothing came from the provider for {} s", .after.as_secs())]
    Silent {
        /// How long was waited.
        after: Duration,
    },
    /// The answer is not what the protocol of the provider says.
    #[error("the answer cannot be read: {detail}")]
    Unreadable {
        /// What is wrong with it.
        detail: String,
    },
    /// The answer is too large.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// How many bytes may come.
        limit: usize,
    },
    /// The request has something that the model or its provider does not take. Nothing was sent.
    #[error("the model does not take {0}")]
    Unsupported(Unsupported),
    /// The server requires a tool call (`toolChoice` is `required`), and the model made none.
    #[error("the model was required to call a tool, and called none")]
    NoToolCalled,
    /// The server forbids tool calls (`toolChoice` is `none`), or offers no tools, and the model called one.
    #[error("the model called the tool {name:?} although it may call none")]
    ToolNotAllowed {
        /// The tool.
        name: String,
    },
}

/// Something that a model or its provider does not take.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unsupported {
    /// Images, by the settings of the model.
    #[error("images")]
    Images,
    /// Sound, by the settings of the model or for the provider as such.
    #[error("sound")]
    Audio,
    /// Tools, by the settings of the model.
    #[error("tools")]
    Tools,
    /// Images or sound of this media type.
    #[error("media of the type {0:?}")]
    MediaType(String),
    /// An image or sound in a message of the assistant.
    #[error("images or sound said by the assistant")]
    MediaOfAssistant,
    /// An image or sound in the result of a tool.
    #[error("images or sound in the result of a tool")]
    MediaInToolResult,
    /// A tool use in a message of the user, or a tool result in one of the assistant.
    #[error("a tool use of the user, or a tool result of the assistant")]
    MisplacedTool,
}

fn in_variable(variable: Option<&str>) -> String {
    variable.map(|variable| format!(" (from {variable})")).unwrap_or_default()
}
