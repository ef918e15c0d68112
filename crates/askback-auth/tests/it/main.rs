//! The whole of it over loopback: a protected server, its authorization server, and a client that asks until it is let in or told why not.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod discovery;
mod enterprise;
mod machine;
mod person;
mod redirect;
mod refusals;
mod stores;
mod world;
