//! JSON-RPC, the protocol revisions, and the shape of messages. The only crate that knows them.
//!
//! Everything here is without I/O: bytes or lines go in, events and lines come out, and the host does the reading and writing. Messages are
//! raw `serde_json` values, never typed structs of the protocol: read tolerantly, answer strictly.
//!
//! The way of a message: [`framing`] cuts bytes into lines, [`incoming`] makes messages of lines, [`handshake`] finds the era of a new
//! connection, [`session`] turns messages into events and the engine's wishes into lines. [`from_message`] and [`to_message`] are the
//! only places where asks and answers meet JSON.

pub mod declared;
pub mod event;
pub mod framing;
pub mod from_message;
pub mod handshake;
pub mod http;
pub mod incoming;
pub mod jsonrpc;
pub mod outgoing;
pub mod revision;
pub mod session;
pub mod to_message;

pub use declared::Declared;
pub use event::Event;
pub use handshake::{ConnectFailure, Established, Handshake, Step};
pub use incoming::Channel;
pub use outgoing::{Outgoing, Role};
pub use revision::{Era, ProtocolChoice, Revision};
pub use session::{RequestId, Session};
