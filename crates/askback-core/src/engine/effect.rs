//! What is to be done: the engine's output, in the imperative, and how calls end.

use super::clock::Millis;
use super::decide::Fault;
use super::input::{Abandonment, Leave, PetitionId, ReplyAddress, ServerError, Undelivered};
use crate::answer::{Answer, By, Refusal};
use crate::ask::{Ask, AskKind, AskProblem, UrlAsk};
use crate::call::{CallId, Operation, RoundId, ServerName};
use crate::form::ContentError;
use crate::sampling::ModelOrder;
use crate::violation::Violation;

/// What is to be done, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Write down what was decided, before anything that follows from it is done.
    Record(Record),
    /// Send the call, for the first time or again with answers.
    Send {
        /// Which call.
        call: CallId,
        /// To whom.
        server: ServerName,
        /// What to call.
        operation: Operation,
        /// The answers to the round before, if this is not the first leg.
        continuation: Option<Continuation>,
    },
    /// Send one answer.
    Reply {
        /// To whom.
        server: ServerName,
        /// Where it goes.
        address: ReplyAddress,
        /// The kind of ask that it answers.
        kind: AskKind,
        /// The answer.
        answer: Answer,
    },
    /// Have a model answer a sampling ask, under a rule of the user's and within their limits. [`Effect::Retract`] of the round stops it.
    Draft {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// Who asks.
        server: ServerName,
        /// The ask.
        ask: Box<Ask>,
        /// What the rule says.
        order: ModelOrder,
    },
    /// Put a round before people.
    Publish(OpenRound),
    /// Take a round away from people.
    Retract {
        /// Which.
        round: RoundId,
        /// Why.
        why: Retraction,
    },
    /// Let people say how a call goes on; taken away by [`Effect::Retract`] like a round.
    Await(Wait),
    /// Say to whoever holds a request up what the person says; once for each petition.
    AnswerPetition {
        /// Which.
        petition: PetitionId,
        /// What they say.
        answer: LeaveAnswer,
    },
    /// The server says that a page is done with, while its call is in flight.
    PageCompleted {
        /// Which call.
        call: CallId,
        /// Who says so.
        server: ServerName,
    },
    /// Tell the server that a call is not wanted any more: its request in flight, if there is one, and the work for it, if there is any.
    Cancel {
        /// Which call.
        call: CallId,
        /// To whom.
        server: ServerName,
        /// The server's name of the work that it goes on with by itself.
        work: Option<String>,
        /// Why, in English, for the server's log.
        reason: &'static str,
    },
    /// The call is over.
    Finish {
        /// Which.
        call: CallId,
        /// How it ended.
        ending: Box<Ending>,
    },
    /// The server broke a rule and the call survives.
    Warn {
        /// Who.
        server: ServerName,
        /// How.
        violation: Violation,
    },
}

/// Answers and state that go out with the next leg of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Continuation {
    /// An answer for every key of the round, in the order of the asks.
    pub answers: Vec<(String, Answer)>,
    /// The server's state, echoed.
    pub state: Option<String>,
    /// The server's name of the work that it goes on with by itself: the leg goes to that, and the call is not sent again.
    pub work: Option<String>,
}

/// A round that waits for people.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRound {
    /// Identifies it.
    pub id: RoundId,
    /// Who asks.
    pub server: ServerName,
    /// The calls that it may belong to.
    pub calls: Vec<CallId>,
    /// Its number within the call, from 1.
    pub number: u32,
    /// The asks that people have to answer, with their places in the round.
    pub asks: Vec<(usize, Ask)>,
    /// What the server learns of what people decide.
    pub told: Told,
}

/// What a server learns of what people decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Every answer and every refusal.
    Everything,
    /// Every answer. A refusal ends the call, and the server never hears of it.
    Answers,
    /// Nothing. A consent lets the call be tried again; anything else ends it.
    Nothing,
}

/// A call of which nothing goes on, on the wire or at the server, before a person says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Identifies it, among rounds as well.
    pub id: RoundId,
    /// The server that was called.
    pub server: ServerName,
    /// The call that waits.
    pub call: CallId,
    /// What for.
    pub wait_for: WaitFor,
}

/// What a call waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitFor {
    /// For people to have been where a round sent them; they have agreed to all of it. Then the call is sent again as it was.
    Pages(Vec<UrlAsk>),
    /// For people to decide whether the answers that they gave are sent a second time, after the first got no answer.
    Resend(Undelivered),
    /// For people to say whether they go and get a leave. Its request is held up, and goes on by itself once they have it.
    Leave(Leave),
}

/// What a person says to going to get a leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveAnswer {
    /// They go: the page may be opened.
    Goes,
    /// They do not.
    Stays,
    /// Nobody was there who could say, or nobody waits for it any more.
    Nobody,
}

/// Why a round, or a call that waits, is taken away from people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retraction {
    /// Everything was answered, or somebody said that the call goes on.
    Answered,
    /// The server says that all pages are done with.
    PagesDone,
    /// The server no longer wants an answer.
    Withdrawn,
    /// The call timed out.
    TimedOut,
    /// The user stopped the call.
    Stopped,
    /// The server is gone.
    Disconnected,
    /// The call ended without waiting for this answer.
    CallEnded,
}

/// What is written down.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// An ask got its answer.
    Decided(Box<Decided>),
    /// That answer is on its way to the server, which learns something of the user's by it. It may be lost on the way; it is never sent
    /// without this.
    Given(Box<Decided>),
}

/// An ask and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Who asked.
    pub server: ServerName,
    /// The calls that the ask may belong to.
    pub calls: Vec<CallId>,
    /// The number of the round within its call, from 1.
    pub round: u32,
    /// The ask's key.
    pub key: String,
    /// The ask; nothing when it could not be read.
    pub ask: Option<Ask>,
    /// The answer.
    pub answer: Answer,
    /// Who or what decided it.
    pub by: By,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The result, or why there is none.
    pub outcome: Result<serde_json::Value, CallFailure>,
    /// How many rounds there were.
    pub rounds: u32,
    /// How long people took, in milliseconds.
    pub human: Millis,
    /// Asks that nobody and nothing could answer.
    pub faults: Vec<Fault>,
    /// Whether the server was at work on it by itself, and may still be. Where it could be told to stop, it was.
    pub may_go_on: bool,
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum CallFailure {
    /// The server answered with an error.
    Server(ServerError),
    /// The server broke the protocol.
    Protocol(Violation),
    /// The work that the server went on with by itself has come to nothing.
    Abandoned(Abandonment),
    /// An ask of a round cannot be met, so nobody was asked and nothing was sent.
    Unmeetable {
        /// The ask's key.
        key: String,
        /// Why it cannot be met.
        problem: AskProblem,
    },
    /// An ask was refused, and the protocol has no shape in which the server could be told.
    Refused {
        /// The ask's key.
        key: String,
        /// What was refused.
        kind: AskKind,
        /// Why.
        refusal: Refusal,
    },
    /// More rounds than allowed.
    TooManyRounds {
        /// How many there were.
        rounds: u32,
    },
    /// A limit ran out. The server may still have acted.
    TimedOut {
        /// The limit, in milliseconds.
        limit: Millis,
        /// Whether it was the limit for the call from beginning to end.
        whole_call: bool,
    },
    /// The user stopped it.
    Stopped,
    /// The server is gone. It may still have acted.
    Disconnected {
        /// What is known about why.
        detail: String,
    },
    /// The request got no answer.
    Undelivered(Undelivered),
}

/// Why an answer is not taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// Somebody was faster.
    AlreadyAnswered {
        /// Who or what.
        by: By,
    },
    /// The round is over.
    NoLongerWanted,
    /// The content does not satisfy the form.
    Invalid {
        /// Every place that is wrong.
        errors: Vec<ContentError>,
    },
    /// The ask does not take such an answer.
    WrongKind,
}
