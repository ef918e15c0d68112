//! Language models for sampling and chat, behind one trait.
//!
//! [`model`] is what a model does and what comes of it; [`settings`] is what the user says of one; [`connect`] makes the first of the second.
//! [`error`] is what can go wrong, as values that a person can act on. [`catalogue`] knows well-known models by name, and [`local`] finds
//! endpoints on this machine.
//!
//! Must not know messages of MCP, policy, budgets or people: whoever calls has decided that the request may go out.

mod attempt;
pub mod catalogue;
mod connect;
mod conversation;
mod endpoint;
pub mod error;
mod failure;
mod frames;
pub mod local;
pub mod model;
mod reply;
mod said;
pub mod settings;
mod stop_reason;
mod tool_result;
mod tools;

pub use connect::connect;
pub use error::{ModelError, Unsupported};
pub use model::{Completing, Completion, LeftOut, Model, Parameter, Piece, Usage, WhyLeftOut};
pub use settings::{ModelSettings, Provider, Takes};
