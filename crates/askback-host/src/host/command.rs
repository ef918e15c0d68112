//! What the driver is asked to do: by the handle, by the desk, and by the tasks that it has started itself.

use askback_core::answer::Answer;
use askback_core::answer_file::AnswerBook;
use askback_core::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use askback_core::engine::{Ending, PetitionId};
use askback_core::sampling::SamplingReply;
use askback_desk::{AnswerRejected, DeskEvent};
use askback_wire::RequestId;
use askback_wire::session::{Interest, RequestFailure};
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use super::Connected;
use crate::connection::Open;
use crate::list_cache::ListCache;
use crate::listening::Persistence;
use crate::server::ServerSpec;

/// What is wanted, or what has come of something that was wanted.
pub(crate) enum Command {
    Adopt {
        spec: Box<ServerSpec>,
        open: Box<Open>,
        lists: Option<ListCache>,
        connected: oneshot::Sender<Connected>,
    },
    Reconnected {
        name: ServerName,
        open: Result<Box<Open>, String>,
    },
    Call {
        call: CallId,
        server: ServerName,
        operation: Operation,
        limits: TimeLimits,
        ending: oneshot::Sender<Box<Ending>>,
    },
    Request {
        request: RequestId,
        server: ServerName,
        method: &'static str,
        params: Map<String, Value>,
        outcome: oneshot::Sender<Result<Value, RequestFailure>>,
    },
    Listen {
        server: ServerName,
        interest: Interest,
        persistence: Persistence,
    },
    ListenAgain {
        server: ServerName,
    },
    StopListening {
        server: ServerName,
    },
    Answer {
        round: RoundId,
        index: usize,
        answer: Answer,
        taken: oneshot::Sender<Result<(), AnswerRejected>>,
    },
    Drafted {
        round: RoundId,
        index: usize,
        outcome: Result<Box<SamplingReply>, String>,
    },
    Stop {
        call: CallId,
    },
    Retry {
        wait: RoundId,
    },
    GiveUp {
        wait: RoundId,
    },
    LeaveSettled {
        petition: PetitionId,
    },
    Mute {
        server: ServerName,
    },
    /// The server may have models without the person being asked.
    Permit {
        server: ServerName,
    },
    Subscribe {
        events: mpsc::UnboundedSender<DeskEvent>,
    },
    CloseDesk,
    Answers {
        book: oneshot::Sender<AnswerBook>,
    },
    ToldRoots {
        server: ServerName,
        told: oneshot::Sender<bool>,
    },
    ShutDown {
        done: oneshot::Sender<()>,
    },
}
