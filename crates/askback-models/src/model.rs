//! What a model does, and what comes of it.
//!
//! Owns the trait and its values. Must not know providers.

use std::pin::Pin;

use askback_core::sampling::{SamplingReply, SamplingRequest};
use tokio::sync::mpsc::UnboundedSender;

use crate::error::ModelError;

/// One model that the user has configured.
pub trait Model: Send + Sync {
    /// Runs one request. Pieces are told as they come, and nobody has to listen; dropping the future stops the model.
    ///
    /// Of the request it serves `systemPrompt`, `messages`, `maxTokens`, `tools`, `toolChoice`, `temperature`, `stopSequences` and
    /// `metadata`. Model preferences and `includeContext` are the caller's.
    ///
    /// # Errors
    /// See [`ModelError`]. What had come before an error is not a reply; it was told in pieces, and the person may have seen it.
    fn complete<'a>(&'a self, request: &'a SamplingRequest, pieces: UnboundedSender<Piece>) -> Completing<'a>;
}

/// A model at work.
pub type Completing<'a> = Pin<Box<dyn Future<Output = Result<Completion, ModelError>> + Send + 'a>>;

/// A whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The reply as it may go back, with the name of the model that really answered.
    pub reply: SamplingReply,
    /// What it took, if the provider says.
    pub usage: Option<Usage>,
    /// What of the request the model was not given, because it does not take it.
    pub left_out: Vec<LeftOut>,
}

/// Tokens that a request took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read; cached ones are among them.
    pub input_tokens: Option<u64>,
    /// Tokens written; those of thinking are among them, where the provider counts them.
    pub output_tokens: Option<u64>,
}

/// A piece of a reply that is still being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// More of the text.
    Text(String),
    /// More of the model's thinking, which is no part of the reply.
    Thinking(String),
    /// The model began to call a tool.
    ToolCall {
        /// The tool.
        name: String,
    },
}

/// A part of the request that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which.
    pub parameter: Parameter,
    /// How it is known that the model does not take it.
    pub why: WhyLeftOut,
}

/// A part of a request that the specification lets a client ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `temperature`
    Temperature,
    /// `stopSequences`
    StopSequences,
    /// `metadata`
    Metadata,
}

impl Parameter {
    /// The name in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Parameter::Temperature => "temperature",
            Parameter::StopSequences => "stopSequences",
            Parameter::Metadata => "metadata",
        }
    }
}

/// How it is known that a model does not take a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// Beforehand: it was not sent at all.
    NotTaken,
    /// The provider refused it, and the request was sent once more without.
    Refused,
}
