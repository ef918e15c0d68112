//! The runtime: server processes, their connections, the call driver, and the desk service.
//!
//! Here clocks, processes and channels live. [`conductor`] is the part without I/O: it joins the engine with one wire session per server,
//! so that everything that matters can be tested on a manual clock. [`host`] gives it a real clock, real processes and real people.

pub mod authorization;
pub mod chat;
pub mod conductor;
mod connection;
pub mod disclosure;
mod drafting;
pub mod era_memory;
pub mod error;
pub mod host;
mod host_desk;
mod kept_file;
pub mod lending;
pub mod list_cache;
pub mod listening;
mod process;
pub mod roots;
pub mod sandbox;
pub mod server;
mod settling;
pub mod wall_clock;

pub use error::{ConnectError, RequestError};
pub use host::{Call, Connected, Host, HostOptions, Notice};
pub use list_cache::ListCache;
pub use listening::{ListeningState, Persistence};
pub use server::{ServerAddress, ServerCommand, ServerSource, ServerSpec};
