//! What faces draw: plain data, made by the host for people to look at.

use askback_core::answer::By;
use askback_core::ask::{AskBody, AuthorNote};
pub use askback_core::call::RoundId;
pub use askback_core::engine::Told;

/// All asks that arrived together and wait for a person: one dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundView {
    /// Identifies the round when it is answered.
    pub id: RoundId,
    /// Who asks.
    pub server: ServerView,
    /// The calls that this round may belong to: one as a rule; several where the server cannot say which; none when nothing was called.
    pub calls: Vec<CallView>,
    /// The number of this round within its call, from 1.
    pub number: u32,
    /// The most rounds that the call may have.
    pub most: u32,
    /// The asks that a person has to answer, in the order sent. Asks of the same round that something else answered are not here.
    pub asks: Vec<AskView>,
    /// What the server learns of what the person decides.
    pub told: Told,
}

/// Who asks, in our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerView {
    /// The name that we know the server by.
    pub name: String,
    /// The command line or URL behind the name.
    pub source: String,
}

/// What was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallView {
    /// The kind of call.
    pub kind: CallKind,
    /// The tool, the prompt or the URI.
    pub subject: String,
}

/// The three kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// A tool is called.
    Tool,
    /// A prompt is got.
    Prompt,
    /// A resource is read.
    Resource,
}

/// One ask for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct AskView {
    /// The ask's place in its round, as [`crate::Desk::answer`] wants it.
    pub index: usize,
    /// The server's key.
    pub key: String,
    /// What is asked. All text in it is the server's and has to be neutralised when it is drawn.
    pub body: AskBody,
    /// Notes for the author of the server.
    pub notes: Vec<AuthorNote>,
}

/// A call that goes on or ends when the person says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitView {
    /// Identifies it, as [`crate::Desk::try_again`] and [`crate::Desk::give_up`] want it.
    pub id: RoundId,
    /// Who was called.
    pub server: ServerView,
    /// What was called, and may be called again.
    pub call: Option<CallView>,
    /// What it waits for.
    pub wait_for: WaitFor,
}

/// What a call waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// The call was refused until pages have been visited. The person has agreed to all of them; once they have been there, the call is tried
    /// again as it was.
    Pages {
        /// The addresses, as sent; they have to be neutralised when they are drawn.
        pages: Vec<String>,
    },
    /// What the person answered got no answer. It is kept, and sent again if they want that.
    Resend {
        /// What happened. It may have text of the server in it, and has to be neutralised when it is drawn.
        detail: String,
        /// Whether the server may have taken the answers in, and acted on them.
        may_have_acted: bool,
    },
    /// The request in flight is let through once the person has logged in, and goes on by itself then. Nothing is opened before they say so;
    /// [`crate::Desk::try_again`] says it, and [`crate::Desk::give_up`] that they do not log in.
    Login {
        /// Who asks for the login; text of theirs, like everything else here, which has to be neutralised when it is drawn.
        issuer: String,
        /// The address of the page that will be opened.
        page: String,
        /// What the login lets us do, in the issuer's words; empty where the issuer decides that.
        scopes: Vec<String>,
    },
}

/// Why a round is no longer open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// Everything was answered.
    Answered,
    /// Someone or something else answered first.
    AnsweredElsewhere {
        /// Who or what.
        by: By,
    },
    /// The server says that the pages are done with: the call goes on.
    PagesDone,
    /// The server no longer wants an answer.
    Withdrawn,
    /// The call that it belongs to timed out.
    TimedOut,
    /// The call that it belongs to was stopped by the person.
    Stopped,
    /// The server is gone.
    Disconnected,
    /// The call ended, well or badly, without waiting for this answer.
    CallEnded,
}
