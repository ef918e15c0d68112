//! Work that a server goes on with by itself: looking after it until it has a result.
//!
//! Serves the polling of the tasks extension, which is not known here: there is a name to ask after, a pace, and the keys that were answered.

use std::collections::BTreeSet;

use super::call_state::{CallState, Phase};
use super::{Continuation, Effect, Engine, Millis};
use crate::answer::Answer;
use crate::ask::{Ask, AskProblem};
use crate::call::CallId;

/// The shortest pause that a server may suggest, in milliseconds; one that is shorter is this long.
pub const SHORTEST_SUGGESTED_PAUSE: Millis = 200;
/// The longest pause that a server may suggest, in milliseconds; one that is longer is this long.
pub const LONGEST_SUGGESTED_PAUSE: Millis = 30_000;

/// How often in a row the work is asked after without an answer before the call is given up.
const IN_VAIN: u32 = 4;

/// What is known of the work for one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Following {
    /// The server's name of it.
    pub(super) work: String,
    suggested: Option<Millis>,
    /// Whether the request in flight only asks how it stands.
    is_asked: bool,
    /// How many such requests in a row got no answer.
    in_vain: u32,
    /// Keys that were answered. The server may list them for some time all the same, and uses none of them for anything else.
    answered: BTreeSet<String>,
}

impl Following {
    /// The pause that the server suggests, within bounds.
    pub(super) fn pause(&self) -> Option<Millis> {
        self.suggested.map(|pause| pause.clamp(SHORTEST_SUGGESTED_PAUSE, LONGEST_SUGGESTED_PAUSE))
    }
}

impl CallState {
    /// This goes out now: whether it only asks how the work stands.
    pub(super) fn note_question(&mut self, continuation: Option<&Continuation>) {
        if let Some(following) = &mut self.following {
            following.is_asked = continuation.is_some_and(|continuation| continuation.answers.is_empty());
        }
    }
}

impl Engine {
    /// The server is at work on a call by itself; takes out of `asks` what was answered before.
    pub(super) fn follow(
        &mut self,
        call: CallId,
        work: &str,
        pause: Option<Millis>,
        asks: &mut Vec<(String, Result<Ask, AskProblem>)>,
    ) {
        let Some(state) = self.calls.get_mut(&call) else { return };
        let fresh = || Following {
            work: work.to_owned(),
            suggested: None,
            is_asked: false,
            in_vain: 0,
            answered: BTreeSet::new(),
        };
        let following = state.following.get_or_insert_with(fresh);
        following.suggested = pause.or(following.suggested);
        following.in_vain = 0;
        asks.retain(|(key, _)| !following.answered.contains(key));
    }

    /// These answers go out now.
    pub(super) fn note_told(&mut self, call: CallId, answers: &[(String, Answer)]) {
        if let Some(following) = self.calls.get_mut(&call).and_then(|state| state.following.as_mut()) {
            following.answered.extend(answers.iter().map(|(key, _)| key.clone()));
        }
    }

    /// The question how the work stands got no answer: it is asked again after a pause, for a question repeats nothing. `false` where the
    /// request was no question, or too many were in vain.
    pub(super) fn asks_again(&mut self, now: Millis, call: CallId) -> bool {
        let Some(state) = self.calls.get_mut(&call).filter(|state| state.phase == Phase::InFlight) else {
            return false;
        };
        let Some(following) = state.following.as_mut().filter(|work| work.is_asked && work.in_vain < IN_VAIN) else {
            return false;
        };
        following.in_vain += 1;
        let times = 1 << following.in_vain;
        state.leg_ended(now);
        state.pause(now, None);
        state.lengthen_pause(now, times);
        true
    }

    /// A call ends here, and not because its work is over: the server is told, and may stop.
    pub(super) fn cancel_work(&self, call: CallId, reason: &'static str, effects: &mut Vec<Effect>) {
        if self.calls.get(&call).is_some_and(|state| state.following.is_some()) {
            self.cancel(call, reason, effects);
        }
    }

    /// What the server says of the work cannot be understood.
    pub(super) fn cancel_work_of_broken(&self, call: CallId, effects: &mut Vec<Effect>) {
        if self.is_in_flight(call) {
            self.cancel_work(call, "the protocol was broken", effects);
        }
    }
}
