//! What a session tells the host.

use askback_core::ask::{Ask, AskProblem};
use askback_core::call::CallId;
use askback_core::engine::{Abandonment, ReplyAddress, Returns, ServerError, Undelivered};
use askback_core::violation::Violation;
use serde_json::Value;

use crate::outgoing::Outgoing;
use crate::session::{Change, ListeningEnd, Page, RequestId};

/// What a message meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A round arrived.
    Asked {
        /// The calls that it may belong to.
        calls: Vec<CallId>,
        /// How its answers travel.
        returns: Returns,
        /// The asks with their keys.
        asks: Vec<(String, Result<Ask, AskProblem>)>,
    },
    /// A call has its result.
    Returned {
        /// Which call.
        call: CallId,
        /// The result, as received.
        result: Value,
    },
    /// A call was answered with an error.
    Errored {
        /// Which call.
        call: CallId,
        /// The error.
        error: ServerError,
    },
    /// A call cannot go on.
    Broke {
        /// Which call.
        call: CallId,
        /// Why.
        violation: Violation,
    },
    /// A call got no answer, and will get none.
    Undelivered {
        /// Which call.
        call: CallId,
        /// What is known about why.
        undelivered: Undelivered,
    },
    /// A task that a call has become came to nothing.
    Abandoned {
        /// Which call.
        call: CallId,
        /// How.
        why: Abandonment,
    },
    /// A call has become a task, and the server says how that stands.
    Working {
        /// Which call.
        call: CallId,
        /// The task's status, as sent.
        status: String,
        /// The server's words.
        message: Option<String>,
    },
    /// A call makes progress.
    Progressed {
        /// Which call.
        call: CallId,
        /// How far, in the server's own unit.
        progress: f64,
        /// The whole, if known.
        total: Option<f64>,
        /// The server's words.
        message: Option<String>,
    },
    /// The server no longer wants an answer.
    Withdrawn {
        /// The ask.
        address: ReplyAddress,
    },
    /// Another request has its outcome.
    Responded {
        /// Which.
        request: RequestId,
        /// The result or the error; a broken result is an error of ours.
        outcome: Result<Value, RequestFailure>,
    },
    /// The server logs something.
    Logged {
        /// Its level, as sent.
        level: String,
        /// The part of the server that logs, if it says so.
        logger: Option<String>,
        /// What, as text.
        text: String,
    },
    /// An out-of-band elicitation is done; never a consent.
    ElicitationCompleted {
        /// The server's id of it.
        elicitation_id: String,
    },
    /// A page of a list came.
    Listed(Page),
    /// Something is not any more as it was.
    Changed(Change),
    /// The server tells of changes from now on.
    Listening {
        /// What it was asked for and does not tell of.
        left_out: Vec<Change>,
    },
    /// The server tells of no more changes.
    ListeningEnded(ListeningEnd),
    /// The server broke a rule and everything goes on.
    Violated(Violation),
}

/// Why a request that is no call has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestFailure {
    /// The server's error.
    Server(ServerError),
    /// The answer broke the protocol.
    Protocol(Violation),
}

/// What came of a message: events for the host, and messages to send back at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// What happened.
    pub events: Vec<Event>,
    /// Messages to send now.
    pub replies: Vec<Outgoing>,
}
