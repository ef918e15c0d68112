//! The desk as a face sees it.

use std::future::Future;
use std::pin::Pin;

use askback_core::answer::{Answer, By};
use askback_core::form::ContentError;
use askback_core::roots::Root;
use tokio::sync::mpsc;

use crate::lending::{DraftEvent, Offer, Permission, Wish};
use crate::view::{Closed, RoundId, RoundView, ServerView, WaitView};

/// What a desk tells its faces.
#[derive(Clone, Debug, PartialEq)]
pub enum DeskEvent {
    /// A round waits for a person.
    Opened(Box<RoundView>),
    /// A call waits until the person says how it goes on.
    Waiting(Box<WaitView>),
    /// A round, or a call, waits no longer, whoever ended that.
    Closed {
        /// Which.
        round: RoundId,
        /// Why.
        why: Closed,
    },
}

/// Why an answer was not taken. Nothing was sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnswerRejected {
    /// Somebody was faster.
    #[error("already answered by {}", by.as_str())]
    AlreadyAnswered {
        /// Who.
        by: By,
    },
    /// The round is over.
    #[error("the server no longer waits for this answer")]
    NoLongerWanted,
    /// The content does not satisfy the form.
    #[error("the content does not satisfy the form")]
    Invalid {
        /// Every place that is wrong.
        errors: Vec<ContentError>,
    },
    /// The answer is of a kind that this ask does not take.
    #[error("this ask does not take such an answer")]
    WrongKind,
    /// The desk itself is gone.
    #[error("the desk is closed")]
    DeskClosed,
}

/// A boxed future, so that a desk can be used behind a pointer.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where faces learn of asks and answer them.
pub trait Desk: Send + Sync {
    /// Everything that happens from now on, and first what is open already.
    fn subscribe(&self) -> mpsc::UnboundedReceiver<DeskEvent>;

    /// Gives the answer to one ask of a round. The first answer wins.
    fn answer(&self, round: RoundId, index: usize, answer: Answer) -> BoxFuture<'_, Result<(), AnswerRejected>>;

    /// Mutes a server for the rest of this run: its open asks and those to come are declined, by the person's standing decision.
    fn decline_all_from(&self, server: &str) -> BoxFuture<'_, ()>;

    /// The person wants the call sent again that waits under this id. One that does not wait any more is left alone.
    fn try_again(&self, wait: RoundId) -> BoxFuture<'_, ()>;

    /// The person does not go on with the call that waits under this id. It ends.
    fn give_up(&self, wait: RoundId) -> BoxFuture<'_, ()>;

    /// What would happen with a sampling request of this server; nothing where no model is configured.
    fn offer(&self, server: &ServerView, wish: Wish) -> Option<Offer>;

    /// Puts a model to work on a sampling request of this server, now that the person agrees to that. Dropping the receiver stops it.
    fn draft(&self, server: &ServerView, wish: Wish) -> mpsc::UnboundedReceiver<DraftEvent>;

    /// From now on the server may use the user's models without the person being asked, within the limits.
    ///
    /// # Errors
    /// Why that could not be written down; it then holds for this run.
    fn permit(&self, server: &ServerView, permission: Permission) -> BoxFuture<'_, Result<(), String>>;

    /// From now on, in later runs as well, the server may be told of the one kind of folders without the person being asked, and is not told
    /// of the other. For this run [`Desk::answer`] has said it already.
    ///
    /// # Errors
    /// Why that could not be written down; the person is asked again in the next run.
    fn remember_roots(
        &self,
        server: &ServerView,
        shared: Vec<Root>,
        withheld: Vec<Root>,
    ) -> BoxFuture<'_, Result<(), String>>;

    /// Opens a page that the person has consented to see. Faces call this after [`Desk::answer`] took the consent.
    ///
    /// # Errors
    /// Why the page could not be opened; the face then shows the address to copy.
    fn open_page(&self, url: &str) -> BoxFuture<'_, Result<(), String>>;
}
