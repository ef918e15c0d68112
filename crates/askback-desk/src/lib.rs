//! What a face may know: view types, the [`Desk`] trait, and the words that people see, in every language.
//!
//! A face (line prompts, the full-screen desk, the browser) draws what is here and answers through [`Desk`]. It never parses a schema,
//! never sees a message of the protocol, and never learns how an answer travels.

pub mod chat;
pub mod desk;
pub mod lending;
pub mod texts;
pub mod view;
pub mod wording;

pub use desk::{AnswerRejected, Desk, DeskEvent};
pub use texts::{Lang, Texts};
pub use view::{AskView, CallView, Closed, RootsView, RoundId, RoundView, ServerView, WaitFor, WaitView};
