//! Server text made safe to show.
//!
//! Owns the one function that neutralises text from servers for display. What goes out on the wire or to `--json` is never changed.
