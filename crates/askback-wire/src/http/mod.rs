//! What the HTTP transports need to know of the protocol, without I/O: header fields and event streams.
//!
//! Serves the Streamable HTTP pages of 2025-03-26 and later, and "HTTP with SSE" of 2024-11-05.

pub mod events;
pub mod heard;
pub mod mirrored;

pub use events::{EventStream, ServerEvent};
pub use heard::Heard;
pub use mirrored::{InvalidTool, ParamHeader, ParamHeaders};
