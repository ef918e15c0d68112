//! Systems on which there is no sandbox: every start in one is refused.

use super::{SandboxError, SandboxPlan};

/// Refuses.
///
/// # Errors
/// Always: nothing is run.
pub(crate) fn within<T>(_: &SandboxPlan, _: impl FnOnce() -> T) -> Result<T, SandboxError> {
    Err(SandboxError::NotOffered { detail: std::env::consts::OS.to_owned() })
}
