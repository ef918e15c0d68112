//! A conversation with the user's own model, as a face sees it.
//!
//! Plain data and the trait behind which the conversation goes on. Whoever shows it neutralises what is not ours: the model's words, the
//! names and arguments of tools, their results.

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::view::ServerView;

/// Where a face says what the person says, and hears what comes of it.
pub trait Conversation: Send + Sync {
    /// Everything that happens from now on.
    fn subscribe(&self) -> mpsc::UnboundedReceiver<ChatEvent>;

    /// The person says something. Heard only between turns.
    fn say(&self, text: String);

    /// The person decides about the call that waits under this id. One that does not wait any more is left alone.
    fn decide(&self, id: &str, decision: Consent);

    /// The person stops the turn.
    fn stop(&self);
}

/// What happens in a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// The model begins to think. With `hidden` secrets replaced in what it is given.
    Thinking {
        /// How many secrets it does not see.
        hidden: usize,
    },
    /// More of the model's text.
    Text(String),
    /// The model's words are whole: the secrets in them are back, and this is all of what it said now.
    Said {
        /// The text; may be empty when it only wants tools.
        text: String,
    },
    /// The person has to decide about a call. The conversation waits.
    Consent(Box<ConsentView>),
    /// It was decided about a call.
    Decided {
        /// The call, with the arguments that go out where it is allowed.
        call: Box<ToolCallView>,
        /// Whether it goes out.
        allowed: bool,
        /// By whom.
        by: ConsentBy,
    },
    /// A call that went out has come to its end.
    Returned {
        /// The call.
        call: Box<ToolCallView>,
        /// What the model is told of it.
        text: String,
        /// Whether that is an error.
        is_error: bool,
        /// How many bytes of the result the model is not told.
        left_out: usize,
    },
    /// What is wanted to be kept could not be written down; the conversation goes on. Told once.
    NotKept {
        /// Why.
        detail: String,
    },
    /// The turn is over; it is the person's turn.
    Ended {
        /// How.
        end: ChatEnd,
        /// What the turn took.
        usage: ChatUsage,
    },
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatEnd {
    /// The model has nothing more to say.
    Finished {
        /// Whether the limit of tokens cut it off.
        cut: bool,
    },
    /// The model wanted more rounds of tools than a turn may have.
    Capped {
        /// How many it had.
        rounds: u32,
    },
    /// The model gave no reply.
    Failed {
        /// Why, in words for a person.
        why: String,
    },
    /// The person stopped it.
    Stopped,
}

/// What a turn took, as far as the provider says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChatUsage {
    /// Tokens that the model read.
    pub input: u64,
    /// Tokens that it wrote.
    pub output: u64,
    /// What they cost, in the user's currency, if the price is known.
    pub money: Option<f64>,
}

/// A call that the model wants.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCallView {
    /// Identifies the call within the conversation.
    pub id: String,
    /// The server, as we know it.
    pub server: ServerView,
    /// The tool, as the server lists it.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
}

/// A call about which the person has to decide.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsentView {
    /// The call.
    pub call: ToolCallView,
    /// What the server says of the tool's effects.
    pub claim: EffectClaim,
    /// Whether one consent may stand for later calls.
    pub may_stand: bool,
    /// Whether the arguments have something in them that was hidden from the model as a secret.
    pub has_secrets: bool,
}

/// What a server says that a tool does. It is the server's word and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectClaim {
    /// It only reads, and only what the server itself has.
    Reads,
    /// It only reads, and deals with the world outside.
    ReadsOutside,
    /// It may act.
    Acts,
    /// It may destroy.
    Destroys,
}

/// What the person decides about a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Consent {
    /// It may go out.
    Allow {
        /// With these arguments.
        arguments: Map<String, Value>,
        /// What else is allowed by that.
        standing: Standing,
    },
    /// It may not.
    Decline {
        /// Why; the model is told.
        reason: Option<String>,
    },
}

/// How far a consent goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// For this call.
    Once,
    /// For every call of the tool until the conversation ends.
    Conversation,
    /// For every call of the tool until the user takes it back, or the server describes the tool in another way.
    Always,
}

/// By whom, or what, it was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentBy {
    /// The person, about this call.
    Person,
    /// The person, earlier in this conversation.
    Conversation,
    /// The person, for always.
    Always,
    /// The configuration, or the command line.
    Rule,
    /// The server's word that the tool only reads, which the user's configuration takes for true.
    Hint,
    /// Nobody: nobody was there to be asked.
    Nobody,
}

impl ConsentBy {
    /// The word in transcripts and in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            ConsentBy::Person => "person",
            ConsentBy::Conversation => "conversation",
            ConsentBy::Always => "always",
            ConsentBy::Rule => "rule",
            ConsentBy::Hint => "hint",
            ConsentBy::Nobody => "nobody",
        }
    }
}
