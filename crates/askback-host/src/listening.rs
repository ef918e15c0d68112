//! Listening to what servers tell of themselves: how long, and what becomes of it when the way there is cut.
//!
//! Owns the pauses and their bounds. Must not know how a server is told; that is the session's.

use std::time::{Duration, Instant};

use askback_core::engine::ServerError;
use askback_wire::session::Change;

/// How often in a row it is tried again.
const TRIES: u32 = 5;
/// The pause before the first such try; it doubles.
const PAUSE: Duration = Duration::from_millis(500);
/// How long it has to last for the next interruption to count from the beginning.
const LASTING: Duration = Duration::from_secs(30);

/// What is done about a server that goes away while it is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Nothing: it is listened to again when something else has brought it back.
    WhileConnected,
    /// It is started, or met, again. Only where nothing but listening goes on, so that nothing can be repeated by it.
    Restart,
}

/// How listening stands.
#[derive(Clone, Debug, PartialEq)]
pub enum ListeningState {
    /// The server has agreed.
    Begun {
        /// What it was asked for and does not tell of.
        left_out: Vec<Change>,
    },
    /// The server does not do this.
    Refused {
        /// In its words.
        error: ServerError,
    },
    /// It broke off, and is tried again after a pause. What changed meanwhile was not heard of.
    Interrupted {
        /// What is known about why.
        detail: String,
    },
    /// It broke off too often; nothing more will be heard.
    Over {
        /// What is known about why.
        detail: String,
    },
}

/// The tries to listen to one server.
#[derive(Debug, Default)]
pub(crate) struct Tries {
    in_vain: u32,
    since: Option<Instant>,
}

impl Tries {
    /// The server has agreed.
    pub(crate) fn begun(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// It is over: how long to wait before it is tried again; nothing where it was tried often enough.
    pub(crate) fn ended(&mut self, now: Instant) -> Option<Duration> {
        if self.since.take().is_some_and(|since| now.saturating_duration_since(since) >= LASTING) {
            self.in_vain = 0;
        }
        self.in_vain += 1;
        (self.in_vain <= TRIES).then(|| PAUSE * (1 << (self.in_vain - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_again_with_longer_pauses_and_not_for_ever() {
        let mut tries = Tries::default();
        let now = Instant::now();
        let pauses: Vec<u128> = (0..6).map_while(|_| tries.ended(now)).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000, 8000]);
    }

    #[test]
    fn only_what_lasted_for_a_while_counts_from_the_beginning() {
        let mut tries = Tries::default();
        let now = Instant::now();
        let pauses = [1, 29, 30].map(|seconds| {
            tries.begun(now);
            tries.ended(now + Duration::from_secs(seconds)).unwrap().as_millis()
        });
        assert_eq!(pauses, [500, 1000, 500]);
    }
}
