//! The desk, served from inside the process.

use std::sync::Arc;

use askback_core::answer::Answer;
use askback_core::call::ServerName;
use askback_core::engine::{self, OpenRound, Rejection, Retraction, Wait};
use askback_core::{CallId, Operation};
use askback_desk::desk::BoxFuture;
use askback_desk::lending::{DraftEvent, Offer, Permission, Wish};
use askback_desk::view::{AskView, CallKind, CallView};
use askback_desk::{AnswerRejected, Closed, Desk, DeskEvent, RoundId, RoundView, ServerView, WaitFor, WaitView};
use tokio::sync::{mpsc, oneshot};

use crate::host::Command;
use crate::lending::Lender;

/// Opens a page in the person's browser; says why when it cannot.
pub type Opener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The desk of a host.
#[derive(Clone)]
pub(crate) struct HostDesk {
    pub(crate) commands: mpsc::UnboundedSender<Command>,
    pub(crate) opener: Option<Opener>,
    pub(crate) lender: Option<Arc<Lender>>,
}

impl Desk for HostDesk {
    fn subscribe(&self) -> mpsc::UnboundedReceiver<DeskEvent> {
        let (events, receiver) = mpsc::unbounded_channel();
        let _ = self.commands.send(Command::Subscribe { events });
        receiver
    }

    fn answer(&self, round: RoundId, index: usize, answer: Answer) -> BoxFuture<'_, Result<(), AnswerRejected>> {
        Box::pin(async move {
            let (taken, outcome) = oneshot::channel();
            let command = Command::Answer { round, index, answer, taken };
            self.commands.send(command).map_err(|_| AnswerRejected::DeskClosed)?;
            outcome.await.map_err(|_| AnswerRejected::DeskClosed)?
        })
    }

    fn decline_all_from(&self, server: &str) -> BoxFuture<'_, ()> {
        let command = Command::Mute { server: ServerName::new(server) };
        Box::pin(async move {
            let _ = self.commands.send(command);
        })
    }

    fn try_again(&self, wait: RoundId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let _ = self.commands.send(Command::Retry { wait });
        })
    }

    fn give_up(&self, wait: RoundId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let _ = self.commands.send(Command::GiveUp { wait });
        })
    }

    fn offer(&self, server: &ServerView, wish: Wish) -> Option<Offer> {
        let lender = self.lender.as_ref().filter(|lender| lender.has_models())?;
        Some(lender.offer(&server.name, &wish))
    }

    fn draft(&self, server: &ServerView, wish: Wish) -> mpsc::UnboundedReceiver<DraftEvent> {
        match &self.lender {
            Some(lender) => lender.draft(&server.name, wish),
            // Closed from the beginning: nothing comes.
            None => mpsc::unbounded_channel().1,
        }
    }

    fn permit(&self, server: &ServerView, permission: Permission) -> BoxFuture<'_, Result<(), String>> {
        let command = Command::Permit { server: ServerName::new(&server.name) };
        let written = self.lender.as_ref().map_or(Ok(()), |lender| lender.permit(server, permission));
        Box::pin(async move {
            let _ = self.commands.send(command);
            written.map_err(|error| error.to_string())
        })
    }

    fn open_page(&self, url: &str) -> BoxFuture<'_, Result<(), String>> {
        let opener = self.opener.clone();
        let url = url.to_owned();
        Box::pin(async move {
            let Some(opener) = opener else { return Err("no way to open pages".into()) };
            // Starting a browser may block for a moment.
            match tokio::task::spawn_blocking(move || opener(&url)).await {
                Ok(outcome) => outcome,
                Err(error) => Err(error.to_string()),
            }
        })
    }
}

pub(crate) fn round_view(
    round: &OpenRound,
    most: u32,
    source: String,
    operation: impl Fn(CallId) -> Option<Operation>,
) -> RoundView {
    RoundView {
        id: round.id,
        server: ServerView { name: round.server.to_string(), source },
        calls: round.calls.iter().filter_map(|call| operation(*call)).map(|operation| call_view(&operation)).collect(),
        number: round.number,
        most,
        told: round.told,
        asks: round
            .asks
            .iter()
            .map(|(index, ask)| AskView {
                index: *index,
                key: ask.key.clone(),
                body: ask.body.clone(),
                notes: ask.notes.clone(),
            })
            .collect(),
    }
}

pub(crate) fn wait_view(wait: &Wait, source: String, operation: Option<&Operation>) -> WaitView {
    WaitView {
        id: wait.id,
        server: ServerView { name: wait.server.to_string(), source },
        call: operation.map(call_view),
        wait_for: match &wait.wait_for {
            engine::WaitFor::Pages(pages) => {
                WaitFor::Pages { pages: pages.iter().map(|page| page.url.clone()).collect() }
            }
            engine::WaitFor::Leave(leave) => {
                WaitFor::Login { issuer: leave.giver.clone(), page: leave.page.clone(), scopes: leave.extent.clone() }
            }
            engine::WaitFor::Resend(undelivered) => {
                WaitFor::Resend { detail: undelivered.detail.clone(), may_have_acted: undelivered.may_have_acted }
            }
        },
    }
}

fn call_view(operation: &Operation) -> CallView {
    let kind = match operation {
        Operation::Tool { .. } => CallKind::Tool,
        Operation::Prompt { .. } => CallKind::Prompt,
        Operation::Resource { .. } => CallKind::Resource,
    };
    CallView { kind, subject: operation.subject().to_owned() }
}

pub(crate) fn closed(why: Retraction) -> Closed {
    match why {
        Retraction::Answered => Closed::Answered,
        Retraction::PagesDone => Closed::PagesDone,
        Retraction::Withdrawn => Closed::Withdrawn,
        Retraction::TimedOut => Closed::TimedOut,
        Retraction::Stopped => Closed::Stopped,
        Retraction::Disconnected => Closed::Disconnected,
        Retraction::CallEnded => Closed::CallEnded,
    }
}

pub(crate) fn rejected(rejection: Rejection) -> AnswerRejected {
    match rejection {
        Rejection::AlreadyAnswered { by } => AnswerRejected::AlreadyAnswered { by },
        Rejection::NoLongerWanted => AnswerRejected::NoLongerWanted,
        Rejection::Invalid { errors } => AnswerRejected::Invalid { errors },
        Rejection::WrongKind => AnswerRejected::WrongKind,
    }
}
