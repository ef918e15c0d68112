//! Work that a server goes on with by itself: looking after it until it has a result.
//!
//! Serves the polling of the tasks extension, which is not known here: there is a name to ask after, a pace, and the keys that were answered.

use std::collections::BTreeSet;

use super::{Effect, Engine, Millis};
use crate::answer::Answer;
use crate::ask::{Ask, AskProblem};
use crate::call::CallId;

/// The shortest pause that a server may suggest, in milliseconds; one that is shorter is this long.
pub const SHORTEST_SUGGESTED_PAUSE: Millis = 200;
/// The longest pause that a server may suggest, in milliseconds; one that is longer is this long.
pub const LONGEST_SUGGESTED_PAUSE: Millis = 30_000;

/// What is known of the work for one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Following {
    /// The server's name of it.
    pub(super) work: String,
    suggested: Option<Millis>,
    /// Keys that were answered. The server may list them for some time all the same, and uses none of them for anything else.
    answered: BTreeSet<String>,
}

impl Following {
    /// The pause that the server suggests, within bounds.
    pub(super) fn pause(&self) -> Option<Millis> {
        self.suggested.map(|pause| pause.clamp(SHORTEST_SUGGESTED_PAUSE, LONGEST_SUGGESTED_PAUSE))
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
        let fresh = || Following { work: work.to_owned(), suggested: None, answered: BTreeSet::new() };
        let following = state.following.get_or_insert_with(fresh);
        following.suggested = pause.or(following.suggested);
        asks.retain(|(key, _)| !following.answered.contains(key));
    }

    /// These answers go out now.
    pub(super) fn note_told(&mut self, call: CallId, answers: &[(String, Answer)]) {
        if let Some(following) = self.calls.get_mut(&call).and_then(|state| state.following.as_mut()) {
            following.answered.extend(answers.iter().map(|(key, _)| key.clone()));
        }
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
