//! An answer: what goes back to a server that asked.

use serde_json::{Map, Value};

use crate::ask::AskProblem;
use crate::roots::Root;
use crate::sampling::SamplingReply;

/// What the person did with an elicitation. The three are different things and are never converted into one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Submitted the form, or consented to open the page.
    Accept,
    /// Said no.
    Decline,
    /// Went away without choosing: closing, Escape, Ctrl-C, end of input.
    Cancel,
}

impl Action {
    /// The word on the wire, in answer files and in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::Decline => "decline",
            Action::Cancel => "cancel",
        }
    }
}

/// What goes back for one ask.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Form: accepted with this content, which satisfies the schema. `content` is sent even when empty.
    Submitted {
        /// The filled-in fields; untouched optional ones are absent.
        content: Map<String, Value>,
    },
    /// URL: the person consented to open the page. Nothing else is known or sent.
    Consented,
    /// Form or URL: the person said no.
    Declined {
        /// The person's reason, if given.
        reason: Option<String>,
    },
    /// Form or URL: dismissed without a choice.
    Cancelled,
    /// Sampling: the approved reply.
    Sampled(Box<SamplingReply>),
    /// Roots: what the server may see, possibly nothing.
    Roots(Vec<Root>),
    /// No answer the protocol has a shape for; an error goes back where one can, and otherwise the call ends here.
    Refused(Refusal),
}

impl Answer {
    /// Whether the server learns something of the user's by it, beyond that there is no answer.
    pub fn tells(&self) -> bool {
        match self {
            Answer::Submitted { .. } | Answer::Consented | Answer::Sampled(_) | Answer::Roots(_) => true,
            Answer::Declined { reason } | Answer::Refused(Refusal::ByPerson { reason }) => reason.is_some(),
            Answer::Cancelled | Answer::Refused(_) => false,
        }
    }

    /// The action of an elicitation's answer, or what comes nearest to it, for logs and JSON output.
    pub fn action_str(&self) -> &'static str {
        match self {
            Answer::Submitted { .. } | Answer::Consented | Answer::Sampled(_) | Answer::Roots(_) => {
                Action::Accept.as_str()
            }
            Answer::Declined { .. } => Action::Decline.as_str(),
            Answer::Cancelled => Action::Cancel.as_str(),
            Answer::Refused(_) => "refuse",
        }
    }
}

/// Why an ask is refused with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The person said no to a sampling request.
    ByPerson {
        /// The person's reason, if given.
        reason: Option<String>,
    },
    /// The ask could not be put to anyone.
    Problem(AskProblem),
    /// It could be answered in principle, but nobody and nothing is there to do so.
    NobodyToAnswer,
    /// The model failed; `message` is the provider's, in its words.
    ModelFailed {
        /// What the provider said.
        message: String,
    },
}

/// Who or what decided an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// A person at a face.
    Person,
    /// An entry of an answer file.
    Answers,
    /// A rule of the user's policy.
    Policy,
    /// A model, under a standing approval of the user.
    Model,
    /// The user's configuration, roots in the first place.
    Config,
    /// Nobody: the ask could not be answered, and that is what was said.
    Nobody,
}

impl By {
    /// The word in JSON output and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            By::Person => "person",
            By::Answers => "answers",
            By::Policy => "policy",
            By::Model => "model",
            By::Config => "config",
            By::Nobody => "nobody",
        }
    }
}
