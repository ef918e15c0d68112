//! What a dialog wants done outside of it.

use askback_core::answer::Answer;
use askback_desk::lending::{Permission, Wish};
use askback_desk::view::Root;

/// What the runner has to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Give this answer to the desk, then call [`super::Dialog::taken`] or [`super::Dialog::rejected`].
    Answer {
        /// The ask's place in its round.
        index: usize,
        /// The answer.
        answer: Answer,
    },
    /// Open this page; the consent has been taken. Then call [`super::Dialog::page_opened`].
    OpenPage {
        /// The address.
        url: String,
    },
    /// Let the person edit this text in their own editor, then call [`super::Dialog::edited`].
    EditInEditor {
        /// The text so far.
        text: String,
    },
    /// Find out what would happen with this, then call [`super::Dialog::offered`].
    Offer {
        /// What the person wants.
        wish: Box<Wish>,
    },
    /// Let the server have models from now on, then call [`super::Dialog::permitted`].
    Permit {
        /// For how long.
        permission: Permission,
    },
    /// Put a model to work and call [`super::Dialog::drafted`] with all that comes, for as long as [`super::Dialog::is_working`].
    Draft {
        /// On what.
        wish: Box<Wish>,
    },
    /// Write down that the server may be told of the one kind of folders from now on, and not of the other.
    RememberRoots {
        /// What it may be told of.
        shared: Vec<Root>,
        /// What it may not.
        withheld: Vec<Root>,
    },
    /// Mute the server from now on.
    DeclineAllFromServer,
    /// Send the call again that waits for the person's word.
    TryAgain,
    /// End the call that waits for the person's word.
    GiveUp,
    /// Nothing is left to ask.
    Done,
}
