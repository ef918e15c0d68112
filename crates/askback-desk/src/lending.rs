//! Sampling as a face sees it: what a model would be given, which one and why, what it drafts, and permissions for the future.
//!
//! Plain data. What is in it has been checked against the user's limits; whoever shows it neutralises the server's and the model's texts.

use askback_core::redaction::Found;
use askback_core::sampling::budget::{Cap, Exceeded, Left, Limits};
use askback_core::sampling::choice::{Match, Unusable, Why};
use askback_core::sampling::estimate::{CostRange, Estimate};
use askback_core::sampling::{SamplingReply, SamplingRequest};

/// What the person wants done with a sampling request.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// The request, as sent or as the person edited it.
    pub request: SamplingRequest,
    /// The model, by the user's name for it; the most suitable one if not given.
    pub model: Option<String>,
    /// Whether secrets are replaced before the model sees the request.
    pub redact: bool,
}

/// What would happen if a model were put to work now. This is what gate one shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The request as the model would get it: with secrets replaced, and with fewer tokens where a limit wants that.
    pub sent: SamplingRequest,
    /// The models that could be used, the most suitable first.
    pub models: Vec<ModelOffer>,
    /// The place in `models` of the one that is or was chosen; absent when there is none.
    pub chosen: Option<usize>,
    /// Why the first one suits best. Says nothing of one that the person chose.
    pub why: Option<Why>,
    /// The models that cannot be used for this, and why.
    pub unusable: Vec<Unusable>,
    /// What was, or would be, replaced.
    pub found: Vec<Found>,
    /// What makes the reply shorter than the server asks for.
    pub capped: Option<Cap>,
    /// The user's limits for this server.
    pub limits: Limits,
    /// What is left of them.
    pub left: Left,
    /// The limit that forbids it just now, if one does.
    pub exceeded: Option<Exceeded>,
}

impl Offer {
    /// The model that would be put to work.
    pub fn model(&self) -> Option<&ModelOffer> {
        self.chosen.and_then(|at| self.models.get(at))
    }
}

/// A model that could be used.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOffer {
    /// The user's name for it.
    pub name: String,
    /// The provider's id.
    pub model: String,
    /// The hint of the server that leads to it.
    pub matched: Option<Match>,
    /// The likely size of the request.
    pub estimate: Estimate,
    /// What it may cost, in the user's currency, if the price is known.
    pub cost: Option<CostRange>,
}

/// News of a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEvent {
    /// More of the text.
    Text(String),
    /// More of the model's thinking, which is no part of the reply.
    Thinking(String),
    /// The model begins to call a tool.
    ToolCall {
        /// The tool.
        name: String,
    },
    /// The whole draft. Nothing follows.
    Finished(Box<Draft>),
    /// There is no draft. Nothing follows.
    Failed {
        /// Why, in words for a person.
        why: String,
    },
}

/// A reply before it goes back. This is what gate two shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The reply as the model wrote it.
    pub reply: SamplingReply,
    /// The same with the secrets put back in the place of their placeholders, if it has any. It goes back so only if the person says so.
    pub restored: Option<SamplingReply>,
    /// Tokens that the model read and wrote, if the provider says.
    pub tokens: Option<(u64, u64)>,
    /// Parameters of the request that the model was not given because it does not take them, by their names in the protocol.
    pub left_out: Vec<&'static str>,
}

/// For how long a server may use the user's models without the person being asked, within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Until this run ends.
    Session,
    /// Until the user takes it back.
    Always,
}
