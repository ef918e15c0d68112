//! The rules of Askback, pure: no I/O, no clock, no async.
//!
//! Owns the vocabulary (asks, answers, calls, rounds), the form model, the answer files, and the engine that turns inputs into effects.
//! Must not know JSON-RPC, protocol revisions, processes, terminals or languages: whatever a person reads is made elsewhere from the data here.

pub mod answer;
pub mod answer_file;
pub mod ask;
pub mod call;
pub mod display;
pub mod engine;
pub mod form;
pub mod redaction;
pub mod roots;
pub mod sampling;
pub mod url_safety;
pub mod violation;

pub use answer::{Action, Answer, By, Refusal};
pub use ask::{Ask, AskBody, AskKind, AskProblem};
pub use call::{CallId, Operation, ServerName};
