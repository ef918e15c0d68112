//! What a command says when it fails, and the exit code that goes with it: decided here and nowhere else.

use serde_json::{Value, json};

/// Why a command failed. Each kind has one exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The result came, and the tool says it is an error.
    ToolError,
    /// The server answered the call with an error.
    ServerError,
    /// The command line makes no sense.
    Usage,
    /// The configuration makes no sense.
    Config,
    /// An answer file makes no sense, or was not used up.
    Answers,
    /// There is no connection to the server.
    Connect,
    /// A model gave no reply.
    Model,
    /// Nobody and nothing could answer an ask.
    Unanswered,
    /// An ask was refused, and the protocol has no answer that says so.
    Refused,
    /// The server broke the protocol so that the call could not go on.
    Protocol,
    /// The server went away during the call.
    Disconnected,
    /// A request of the call got no answer.
    Undelivered,
    /// Too many rounds.
    Rounds,
    /// A limit ran out.
    TimedOut,
    /// The user stopped it.
    Interrupted,
}

impl FailureKind {
    /// The word in JSON output.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            FailureKind::ToolError => "tool-error",
            FailureKind::ServerError => "server-error",
            FailureKind::Usage => "usage",
            FailureKind::Config => "config",
            FailureKind::Answers => "answers",
            FailureKind::Connect => "connect",
            FailureKind::Model => "model",
            FailureKind::Unanswered => "unanswered",
            FailureKind::Refused => "refused",
            FailureKind::Protocol => "protocol",
            FailureKind::Disconnected => "disconnected",
            FailureKind::Undelivered => "undelivered",
            FailureKind::Rounds => "rounds",
            FailureKind::TimedOut => "timed-out",
            FailureKind::Interrupted => "interrupted",
        }
    }

    /// The exit code.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            FailureKind::ToolError | FailureKind::ServerError => 1,
            FailureKind::Usage | FailureKind::Config | FailureKind::Answers => 2,
            FailureKind::Connect | FailureKind::Model => 3,
            FailureKind::Unanswered | FailureKind::Refused => 4,
            FailureKind::Protocol | FailureKind::Disconnected | FailureKind::Undelivered | FailureKind::Rounds => 5,
            FailureKind::TimedOut => 6,
            FailureKind::Interrupted => 130,
        }
    }
}

/// A failure in the user's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    /// What happened to whom.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: Option<String>,
    /// The JSON-RPC error code, where the server gave one.
    pub(crate) code: Option<i64>,
    /// More to show below, such as the last lines of standard error.
    pub(crate) details: Vec<String>,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: None, code: None, details: Vec::new() }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// The `error` of the JSON document.
    pub(crate) fn to_value(&self) -> Value {
        json!({ "kind": self.kind.as_str(), "message": self.message, "hint": self.hint, "code": self.code })
    }
}
