//! What can go wrong between the host and a server.

use askback_core::call::ServerName;
use askback_core::engine::ServerError;
use askback_core::violation::Violation;
use askback_wire::ConnectFailure;

use crate::authorization::AuthorizationError;
use crate::sandbox::{Sandbox, SandboxError};

/// Why a server could not be connected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("cannot connect to {server}: {kind}")]
pub struct ConnectError {
    /// The server.
    pub server: ServerName,
    /// Its command line, or its address.
    pub source_line: String,
    /// Whether it is an address.
    pub is_address: bool,
    /// What it may reach, if it has a sandbox.
    pub sandbox: Option<Box<Sandbox>>,
    /// Why.
    pub kind: ConnectErrorKind,
    /// How the process ended, if it did, in the system's words.
    pub exit: Option<String>,
    /// The last lines that it wrote to standard error.
    pub stderr: Vec<String>,
}

/// Why a server could not be connected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConnectErrorKind {
    /// The program could not be started.
    #[error("{program:?} cannot be started: {detail}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        detail: String,
        /// Whether there is no such program.
        not_found: bool,
    },
    /// The program was not started, because it could not be held in its sandbox.
    #[error("not started: {0}")]
    Sandbox(SandboxError),
    /// The server and we could not agree.
    #[error("the handshake failed: {0:?}")]
    Handshake(ConnectFailure),
    /// It took too long over all.
    #[error("no connection within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// Nothing answers at the address.
    #[error("the address cannot be reached: {detail}")]
    Unreachable {
        /// What happened.
        detail: String,
    },
    /// The server wants a token, and there is none that it takes.
    #[error("not authorized: {0}")]
    Unauthorized(AuthorizationError),
    /// The server did not want to hear that we are ready.
    #[error("the server refused notifications/initialized: {detail}")]
    NotReady {
        /// What it answered.
        detail: String,
    },
    /// The host is shutting down.
    #[error("shutting down")]
    ShuttingDown,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The server answered with an error.
    #[error("the server answered with error {}: {}", .0.code, .0.message)]
    Server(ServerError),
    /// The server broke the protocol, or is gone.
    #[error("{}", .0.message)]
    Protocol(Violation),
    /// No answer in time.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// The host is shutting down.
    #[error("shutting down")]
    ShuttingDown,
}
