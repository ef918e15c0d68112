//! The scripted server over HTTP, in the three shapes that the transport has had.
//!
//! [`manners`] is what is odd about it, as data; [`front`] answers requests without I/O; [`listener`] is the socket. What is said is decided
//! by [`crate::scripted_server`], as over standard input and output.

mod event;
pub mod exchange;
pub mod front;
mod legacy;
pub mod listener;
pub mod login;
pub mod manners;
mod mirrored;
mod modern;
mod old_sse;
mod rules;
mod session;
mod stream;

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Streamable HTTP of 2026-07-28.
    Modern,
    /// Streamable HTTP of 2025-03-26 to 2025-11-25.
    Legacy,
    /// HTTP with server-sent events, of 2024-11-05.
    Sse,
}

impl Shape {
    /// The shape of a revision.
    pub fn of(revision: &str) -> Shape {
        match revision {
            "2024-11-05" => Shape::Sse,
            legacy if legacy < "2026-07-28" => Shape::Legacy,
            _ => Shape::Modern,
        }
    }

    /// Where a server is to be found.
    pub fn path(self) -> &'static str {
        match self {
            Shape::Modern | Shape::Legacy => "/mcp",
            Shape::Sse => "/sse",
        }
    }

    /// Whether a server answers anything at this path; the second is where its redirects lead.
    fn serves(self, path: &str) -> bool {
        [self.path(), "/moved"].contains(&path) || (self == Shape::Sse && path.starts_with(old_sse::MESSAGES))
    }
}
