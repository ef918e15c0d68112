//! What happened: the engine's input, in past tense.

use super::clock::Millis;
use crate::answer::{Answer, By};
use crate::ask::{Ask, AskProblem};
use crate::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use crate::sampling::SamplingReply;
use crate::violation::Violation;

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The user wants something called.
    CallRequested {
        /// A number that was not used before.
        call: CallId,
        /// The server to call.
        server: ServerName,
        /// What to call.
        operation: Operation,
        /// How long it may take.
        limits: TimeLimits,
    },
    /// A round arrived.
    Asked {
        /// From whom.
        server: ServerName,
        /// The calls that it may belong to.
        calls: Vec<CallId>,
        /// How its answers travel.
        returns: Returns,
        /// The asks with their keys, in the order sent, read or not.
        asks: Vec<(String, Result<Ask, AskProblem>)>,
    },
    /// Someone or something answered one ask of an open round.
    Answered {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// The answer.
        answer: Answer,
        /// Who or what.
        by: By,
    },
    /// A model that was put to work replied, or did not.
    Drafted {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// The reply as it may go back, or why there is none, in words for a person.
        outcome: Result<Box<SamplingReply>, String>,
    },
    /// The user lets a server use their models without being asked each time, or does so no longer.
    Lent {
        /// Which server.
        server: ServerName,
        /// Whether it may.
        lent: bool,
    },
    /// The result of a call arrived; nothing more is asked.
    Returned {
        /// Which call.
        call: CallId,
        /// The result, as received.
        result: serde_json::Value,
    },
    /// The server answered a call with an error.
    Errored {
        /// Which call.
        call: CallId,
        /// The error.
        error: ServerError,
    },
    /// The server broke the protocol so that the call cannot go on.
    Broke {
        /// Which call.
        call: CallId,
        /// How.
        violation: Violation,
    },
    /// The work that the server went on with by itself has come to nothing.
    Abandoned {
        /// Which call it was for.
        call: CallId,
        /// How.
        why: Abandonment,
    },
    /// The request of a call got no answer, and will get none.
    Undelivered {
        /// Which call.
        call: CallId,
        /// What is known about why.
        undelivered: Undelivered,
    },
    /// The server says that the call makes progress.
    Progressed {
        /// Which call.
        call: CallId,
    },
    /// The server no longer wants an answer.
    Withdrawn {
        /// Which server.
        server: ServerName,
        /// The return address of the ask.
        address: ReplyAddress,
    },
    /// The connection to a server is gone.
    Disconnected {
        /// Which server.
        server: ServerName,
        /// What is known about why, in words for a person.
        detail: String,
    },
    /// The user stops a call.
    Stopped {
        /// Which call.
        call: CallId,
    },
    /// The person wants a call sent again that waits for their word.
    Retried {
        /// The id of the wait.
        wait: RoundId,
    },
    /// The person does not go on with a call that waits for their word.
    GaveUp {
        /// The id of the wait.
        wait: RoundId,
    },
    /// A request of a call is held up: somebody else has to give leave first, and wants the person for that.
    LeaveWanted {
        /// A number that was not used before.
        petition: PetitionId,
        /// Which call.
        call: CallId,
        /// Leave of whom, and for what.
        leave: Leave,
    },
    /// What was done about a leave is over, however it ended: the request goes on, or has failed.
    LeaveSettled {
        /// Which petition it was.
        petition: PetitionId,
    },
    /// The server says that a page is done with. Never a consent.
    PageCompleted {
        /// Which server.
        server: ServerName,
        /// Its id of the elicitation.
        elicitation_id: String,
    },
    /// The user declines everything from a server for the rest of this run.
    Muted {
        /// Which server.
        server: ServerName,
    },
    /// Time passed.
    Ticked,
}

/// How the answers of a round travel back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The server waits for this one answer while the call is in flight; it can be told of a refusal.
    Reply {
        /// Where the answer goes.
        address: ReplyAddress,
    },
    /// Nobody waits. The call is sent again with all answers and the server's state; a refusal has no shape there.
    Resend {
        /// The server's opaque state, echoed untouched.
        state: Option<String>,
    },
    /// Nobody waits. The server refused the call until pages have been visited; after that the call is sent again as it was. Neither a
    /// consent nor a refusal is told to it.
    Repeat,
    /// Nobody waits, and the server works on the call by itself. Answers, and after a pause the question how it stands, go to that work; a
    /// refusal has no shape there. An ask with a key that was answered before has only not been taken off the list yet.
    Follow {
        /// The server's name of the work.
        work: String,
        /// How long to wait before the next question, in milliseconds, if the server says so. Holds until it says otherwise.
        pause: Option<Millis>,
    },
}

/// How work that a server went on with by itself came to nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Abandonment {
    /// The server, or somebody else, cancelled it.
    Cancelled {
        /// The server's words.
        words: Option<String>,
    },
    /// The server does not know it any more.
    Forgotten {
        /// What the server said.
        error: ServerError,
    },
}

/// Identifies one wish for a leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PetitionId(pub u64);

/// What somebody else has to give before a request is let through, and only a person can get. All of it is text of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    /// Who gives it.
    pub giver: String,
    /// The address of the page where the person gets it.
    pub page: String,
    /// What it covers, in the giver's words; empty where the giver decides.
    pub extent: Vec<String>,
}

/// Where a single answer goes; the wire knows what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReplyAddress(pub u64);

/// Why a request got no answer, where the connection as a whole goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// What happened, in words for a person.
    pub detail: String,
    /// Whether the server may have got the request, and acted on it.
    pub may_have_acted: bool,
}

/// An error that a server answered a call with.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerError {
    /// The JSON-RPC error code.
    pub code: i64,
    /// The server's words.
    pub message: String,
    /// The server's data.
    pub data: Option<serde_json::Value>,
}
