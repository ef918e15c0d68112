//! A conversation of a person, their model and the tools of servers, as a state machine.
//!
//! [`Chat`] is told what happened ([`Input`]) and says what is to be done ([`Effect`]): ask the model, ask the person, call a tool. It owns the
//! conversation that the model sees, which calls need a consent, how many rounds of tools a turn may have, how much of a result is passed
//! on, and which tools the model is told of. It does no I/O, reads no clock, knows no language, and has no place through which an answer
//! to a server's question could get into the conversation: only a tool's result does. [`Session`] drives it, with a model, servers and a person.

mod briefing;
mod caution;
#[expect(clippy::module_inception, reason = "the machine is what the folder is about")]
mod chat;
mod consents;
mod discovery;
mod event;
mod session;
mod tool_names;
mod tool_output;
mod toolbox;
mod transcript;

pub use briefing::ServerNotes;
pub use caution::{claim, may_stand};
pub use chat::{Chat, ChatSettings};
pub use consents::{ConsentRules, ServerRules, StandingConsents, Verdict};
pub use event::{Decision, Effect, Entry, Input, ToolCall, TurnEnd};
pub use session::{ChatServer, Session, SessionOptions, TellEnding};
pub use tool_names::tool_name;
pub use toolbox::{ChatTool, Toolbox};
pub use transcript::Transcript;
