//! What a chat is told, and what it wants done.

use askback_core::call::ServerName;
use askback_core::sampling::{SamplingReply, SamplingRequest};
use askback_desk::chat::{ConsentBy, EffectClaim};
use serde_json::{Map, Value};

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The person said something. Heard only between turns.
    Said(String),
    /// The model replied.
    Replied(SamplingReply),
    /// The model gave no reply.
    ModelFailed,
    /// The person, or a rule of theirs, allowed the call.
    Allowed {
        /// The call's [`ToolCall::id`].
        id: String,
        /// The arguments, as they were edited.
        arguments: Map<String, Value>,
        /// By whom.
        by: ConsentBy,
        /// Whether the tool need not be asked about again in this chat; heard only where [`super::may_stand`].
        remember: bool,
    },
    /// The person, or a rule of theirs, declined the call.
    Declined {
        /// The call's [`ToolCall::id`].
        id: String,
        /// Why; the model is told.
        reason: Option<String>,
        /// By whom.
        by: ConsentBy,
    },
    /// The call has a result, which may say that the tool failed.
    Returned {
        /// The call's [`ToolCall::id`].
        id: String,
        /// The result of `tools/call`, as sent.
        result: Value,
    },
    /// The call has no result.
    Failed {
        /// The call's [`ToolCall::id`].
        id: String,
        /// Why; the model is told.
        message: String,
    },
    /// The person stopped the turn.
    Stopped,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Write this down.
    Record(Entry),
    /// Have the model reply, and tell [`Input::Replied`] or [`Input::ModelFailed`].
    Complete(Box<SamplingRequest>),
    /// Ask the person, and tell [`Input::Allowed`] or [`Input::Declined`].
    AskConsent(ToolCall),
    /// Call the tool, and tell [`Input::Returned`] or [`Input::Failed`].
    Call(ToolCall),
    /// The turn is over; it is the person's turn.
    End(TurnEnd),
}

/// A call that the model wants.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The model's id of it, unique within the chat.
    pub id: String,
    /// The server.
    pub server: ServerName,
    /// The tool, as the server lists it.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// What the server says of the tool's effects.
    pub claim: EffectClaim,
    /// Whether an earlier decision of this chat stands for this call.
    pub remembered: bool,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The model has nothing more to say.
    Finished {
        /// The text of its last reply; may be empty.
        text: String,
        /// Whether the limit of tokens cut it off.
        cut: bool,
    },
    /// The model wanted more rounds of tools than a turn may have.
    Capped {
        /// How many it had.
        rounds: u32,
    },
    /// The model gave no reply.
    ModelFailed,
    /// The person stopped it.
    Stopped,
}

/// Something to write down. It never has what the person answered to a server's question.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The person said this.
    Said {
        /// What.
        text: String,
    },
    /// The model replied.
    Replied(SamplingReply),
    /// It was decided about a call.
    Decided {
        /// The call, with the arguments that the model wanted.
        call: ToolCall,
        /// What was decided.
        decision: Decision,
    },
    /// What the model was told as the result of its tool use.
    Answered {
        /// The model's id of the tool use.
        id: String,
        /// The text.
        text: String,
        /// Whether it is an error.
        is_error: bool,
        /// How many bytes of the result were left out.
        left_out: usize,
    },
    /// The turn ended.
    Ended(TurnEnd),
}

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// It may go out.
    Allowed {
        /// The arguments that go out.
        arguments: Map<String, Value>,
        /// By whom.
        by: ConsentBy,
        /// Whether this decision stands for later ones.
        remember: bool,
    },
    /// It may not.
    Declined {
        /// Why.
        reason: Option<String>,
        /// By whom.
        by: ConsentBy,
    },
}
