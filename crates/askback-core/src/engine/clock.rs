//! Measuring time without a clock: every reading is told from outside.

/// Milliseconds on the caller's monotonic clock.
pub type Millis = u64;

/// Adds up the time during which it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stopwatch {
    used: Millis,
    since: Option<Millis>,
}

impl Stopwatch {
    pub(super) fn start(&mut self, now: Millis) {
        self.since.get_or_insert(now);
    }

    pub(super) fn stop(&mut self, now: Millis) {
        if let Some(since) = self.since.take() {
            self.used += now.saturating_sub(since);
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Stopwatch::default();
    }

    /// Begins again at zero, running or not as before.
    pub(super) fn restart(&mut self, now: Millis) {
        self.used = 0;
        self.since = self.since.map(|_| now);
    }

    pub(super) fn elapsed(&self, now: Millis) -> Millis {
        self.used + self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// When `limit` is used up, if it runs on and time goes that far.
    pub(super) fn reaches(&self, limit: Millis) -> Option<Millis> {
        self.since.and_then(|since| since.checked_add(limit.saturating_sub(self.used)))
    }

    pub(super) fn total(&self) -> Millis {
        self.used
    }
}
