//! What the tests of Askback stand on: scripted servers and persons, a manual clock, and the scenario runner. For tests only.
//!
//! [`script`] is what a server does, as data; [`scripted_server`] plays it without I/O, in both eras; [`stdio_server`] plays it as a process,
//! [`http`] behind a socket, and [`fault_proxy`] is a network that is not kind.
//! [`scenario`] is a whole conversation as data, [`run`] holds it with the real binary, and [`verdict`] says what came out otherwise than
//! expected. [`terminal`] is a person at a terminal. [`world`] joins scripted servers with the conductor on a manual clock. [`simulation`]
//! runs the conductor under seeded faults. [`peers`] are the servers that nobody here wrote, [`served`] runs those that are reached over HTTP,
//! and [`interop`] tries them all out for a page of the documentation. [`real_model`] is a language model that really answers.
//!
//! The scripted server shares no code with the client: what both sides get wrong alike would never show.

mod conversation;
mod dice;
mod fault_judge;
pub mod fault_proxy;
pub mod hostile_server;
pub mod http;
pub mod interop;
pub mod judge;
pub mod keys;
pub mod peers;
pub mod picture;
pub mod process;
pub mod real_model;
pub mod record;
pub mod run;
pub mod scenario;
pub mod script;
pub mod scripted_server;
pub mod served;
pub mod simulation;
pub mod stdio_server;
pub mod surroundings;
pub mod terminal;
mod under_faults;
pub mod verdict;
pub mod world;
