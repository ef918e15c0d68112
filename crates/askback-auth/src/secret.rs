//! Text that must not be shown.
//!
//! Owns the wrapper that keeps tokens, client secrets and keys out of `Debug` and of errors. Must not know what they are for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A token, a client's secret or a private key.
///
/// It is serialised as it is, because the only thing that serialises it is a [store](crate::store).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text itself; for the one place that it is meant for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}
