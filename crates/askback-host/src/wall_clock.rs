//! The time as the rest of the world counts it, for what is kept from run to run. Waiting and time-outs have clocks of their own.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; nothing before.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
