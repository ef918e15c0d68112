//! What a host tells that is no answer to anything.
//!
//! Owns values only; what is said of them is the binary's.

use askback_core::call::{CallId, ServerName};
use askback_core::engine::Decided;
use askback_core::violation::Violation;
use askback_wire::session::Change;

use crate::listening::ListeningState;

/// Something worth telling that is no answer to anything.
#[derive(Clone, Debug)]
pub enum Notice {
    /// An ask was decided.
    Decided(Box<Decided>),
    /// What a server is given could not be written down.
    NotWrittenDown {
        /// Which.
        server: ServerName,
        /// Why.
        detail: String,
    },
    /// A server broke a rule.
    Violated {
        /// Which.
        server: ServerName,
        /// How.
        violation: Violation,
    },
    /// A call makes progress.
    Progressed {
        /// Which.
        call: CallId,
        /// How far, in the server's unit.
        progress: f64,
        /// The whole, if known.
        total: Option<f64>,
        /// The server's words.
        message: Option<String>,
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
    /// A server says that a page is done with that a person agreed to visit.
    PageCompleted {
        /// Which.
        server: ServerName,
    },
    /// A server logs something.
    Logged {
        /// Which.
        server: ServerName,
        /// The level.
        level: String,
        /// The part of the server that logs, if it says so.
        logger: Option<String>,
        /// What.
        text: String,
    },
    /// Something of a server's is not any more as it was.
    Changed {
        /// Whose.
        server: ServerName,
        /// What.
        change: Change,
    },
    /// How it stands with what a server tells of changes.
    Listening {
        /// Which.
        server: ServerName,
        /// How.
        state: ListeningState,
    },
    /// A server died between two legs of a call and is started again.
    Reconnecting {
        /// Which.
        server: ServerName,
    },
    /// A page that an answer file wants opened could not be.
    PageNotOpened {
        /// The address.
        url: String,
        /// Why.
        detail: String,
    },
}
