//! One call: where it stands and how its time is counted.

use super::clock::{Millis, Stopwatch};
use super::decide::Fault;
use super::following::{Following, LONGEST_SUGGESTED_PAUSE};
use super::{Continuation, FIRST_PAUSE, LONGEST_PAUSE};
use crate::call::{Operation, ServerName, TimeLimits};

/// Where a call stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    /// A request is on the wire.
    InFlight,
    /// Nothing is on the wire; a round waits for answers, or the call for a person's word.
    Between,
    /// Nothing is on the wire; the call is sent again at `until`.
    Pausing { until: Millis, continuation: Option<Continuation> },
}

/// Whom an open round is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenTo {
    /// Models, under rules of the user's. People come after them, if at all.
    Models,
    /// People.
    People,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallState {
    pub(super) server: ServerName,
    pub(super) operation: Operation,
    pub(super) phase: Phase,
    pub(super) rounds: u32,
    pub(super) pauses: u32,
    pub(super) faults: Vec<Fault>,
    /// What the request on the wire carries, if a person answered any of it.
    pub(super) kept: Option<Continuation>,
    /// The work that the server does for it by itself.
    pub(super) following: Option<Following>,
    limits: TimeLimits,
    /// Time of the request on the wire.
    leg: Stopwatch,
    /// Time of the call, people's left out.
    whole: Stopwatch,
    /// Time that people took.
    human: Stopwatch,
    /// How many open rounds of this call wait for people.
    waiting_for_people: u32,
    /// How many open rounds of this call wait for models that the user lent.
    waiting_for_models: u32,
    /// Pages agreed to for this call, by the server's ids, and whether the server has said that they are done with.
    pages: Vec<(String, bool)>,
}

fn pause_length(before: u32) -> Millis {
    let mut length = FIRST_PAUSE;
    for _ in 0..before.min(20) {
        length = (length + length / 2).min(LONGEST_PAUSE);
    }
    length
}

fn millis(duration: std::time::Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

impl CallState {
    pub(super) fn new(server: ServerName, operation: Operation, limits: TimeLimits) -> CallState {
        CallState {
            server,
            operation,
            phase: Phase::InFlight,
            rounds: 0,
            pauses: 0,
            faults: Vec::new(),
            kept: None,
            following: None,
            limits,
            leg: Stopwatch::default(),
            whole: Stopwatch::default(),
            human: Stopwatch::default(),
            waiting_for_people: 0,
            waiting_for_models: 0,
            pages: Vec::new(),
        }
    }

    pub(super) fn leg_began(&mut self, now: Millis) {
        self.phase = Phase::InFlight;
        self.leg.reset();
        if self.waiting_for_people == 0 {
            self.leg.start(now);
            self.whole.start(now);
        }
    }

    pub(super) fn leg_ended(&mut self, now: Millis) {
        self.phase = Phase::Between;
        self.kept = None;
        self.leg.stop(now);
    }

    pub(super) fn progressed(&mut self, now: Millis) {
        self.leg.restart(now);
    }

    /// The call waits for one round more. The server is waited for no longer; while people are, the whole call's time stands still too.
    pub(super) fn round_opened(&mut self, now: Millis, open_to: OpenTo) {
        self.leg.stop(now);
        match open_to {
            OpenTo::Models => self.waiting_for_models += 1,
            OpenTo::People => {
                self.waiting_for_people += 1;
                self.whole.stop(now);
                self.human.start(now);
            }
        }
    }

    /// The call waits for one round less.
    pub(super) fn round_closed(&mut self, now: Millis, open_to: OpenTo) {
        let waiting = match open_to {
            OpenTo::Models => &mut self.waiting_for_models,
            OpenTo::People => &mut self.waiting_for_people,
        };
        *waiting = waiting.saturating_sub(1);
        if self.waiting_for_people > 0 {
            return;
        }
        self.human.stop(now);
        self.whole.start(now);
        if self.waiting_for_models == 0 && self.phase == Phase::InFlight {
            self.leg.start(now);
        }
    }

    pub(super) fn pause(&mut self, now: Millis, state: Option<String>) {
        let suggested = self.following.as_ref().and_then(Following::pause);
        let work = self.following.as_ref().map(|following| following.work.clone());
        self.phase = Phase::Pausing {
            until: now + suggested.unwrap_or_else(|| pause_length(self.pauses)),
            continuation: Some(Continuation { answers: Vec::new(), state, work }),
        };
        self.pauses = self.pauses.saturating_add(1);
    }

    /// Makes the pause so many times as long, within bounds.
    pub(super) fn lengthen_pause(&mut self, now: Millis, times: Millis) {
        if let Phase::Pausing { until, .. } = &mut self.phase {
            let length = until.saturating_sub(now).saturating_mul(times);
            *until = now + length.min(LONGEST_SUGGESTED_PAUSE);
        }
    }

    /// A call that is sent again as it was, after a pause that grows with its rounds.
    pub(super) fn pause_before_repeat(&mut self, now: Millis) {
        let length = pause_length(self.rounds.saturating_sub(1));
        self.phase = Phase::Pausing { until: now + length, continuation: None };
    }

    pub(super) fn page_agreed(&mut self, id: &str) {
        if self.pages.iter().all(|(known, _)| known != id) {
            self.pages.push((id.to_owned(), false));
        }
    }

    /// Whether that is news.
    pub(super) fn page_completed(&mut self, id: &str) -> bool {
        let page = self.pages.iter_mut().find(|(known, done)| known == id && !done);
        page.is_some_and(|(_, done)| !std::mem::replace(done, true))
    }

    /// What the next leg carries, when the pause is over.
    pub(super) fn pause_over(&self, now: Millis) -> Option<Option<Continuation>> {
        match &self.phase {
            Phase::Pausing { until, continuation } if *until <= now => Some(continuation.clone()),
            Phase::Pausing { .. } | Phase::InFlight | Phase::Between => None,
        }
    }

    /// The limit that has run out, and whether it is the one for the whole call.
    pub(super) fn expired(&self, now: Millis) -> Option<(Millis, bool)> {
        if let Some(budget) = self.limits.budget.map(millis)
            && self.whole.elapsed(now) >= budget
        {
            return Some((budget, true));
        }
        let leg = millis(self.limits.leg);
        (self.phase == Phase::InFlight && self.leg.elapsed(now) >= leg).then_some((leg, false))
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        let budget = self.limits.budget.and_then(|budget| self.whole.reaches(millis(budget)));
        let next = match &self.phase {
            Phase::InFlight => self.leg.reaches(millis(self.limits.leg)),
            Phase::Pausing { until, .. } => Some(*until),
            Phase::Between => None,
        };
        [budget, next].into_iter().flatten().min()
    }

    pub(super) fn stop_clocks(&mut self, now: Millis) {
        self.leg.stop(now);
        self.whole.stop(now);
        self.human.stop(now);
    }

    pub(super) fn human_time(&self) -> Millis {
        self.human.total()
    }

    /// Everything that the future depends on, told relative to `now`, so that states that differ only in when they are compare equal.
    #[cfg(test)]
    pub(super) fn fingerprint(&self, now: Millis) -> String {
        let phase = match &self.phase {
            Phase::InFlight => "in flight".to_owned(),
            Phase::Between => "between".to_owned(),
            Phase::Pausing { until, continuation } => {
                format!("pausing {} {continuation:?}", until.saturating_sub(now))
            }
        };
        let clocks =
            [&self.leg, &self.whole, &self.human].map(|clock| (clock.elapsed(now), clock.reaches(0).is_some()));
        let counts = (self.rounds, self.pauses, self.waiting_for_people, self.waiting_for_models);
        let told = (&self.pages, &self.kept, &self.following);
        format!("{phase} {counts:?} {clocks:?} {told:?}")
    }
}
