//! Requests that got no answer: what a person answered is kept, and nothing is sent twice without their word.
//!
//! Owns what becomes of a call whose request failed on the way. A server that was about to get answers of a person may have acted on them or
//! may never have seen them, and only the person can weigh that. What no person answered ends with its call: it is made again as easily.

use super::call_state::Phase;
use super::waits::{Reason, WaitState};
use super::{CallFailure, Continuation, Effect, Engine, Millis, Retraction, Undelivered};
use crate::call::CallId;

impl Engine {
    /// The request in flight got no answer: the call waits for the person whose answers it carried, or ends with `failure`.
    pub(super) fn undelivered(
        &mut self,
        now: Millis,
        call: CallId,
        undelivered: Undelivered,
        failure: CallFailure,
        effects: &mut Vec<Effect>,
    ) {
        let Some(state) = self.calls.get_mut(&call).filter(|state| state.phase == Phase::InFlight) else { return };
        let (Some(continuation), true) = (state.kept.take(), self.rules.person) else {
            return self.finish(now, call, Err(failure), Retraction::Disconnected, effects);
        };
        let server = state.server.clone();
        state.leg_ended(now);
        self.forget_replies(now, call, effects);
        self.forget_leave(call, effects);
        let id = self.new_id();
        let wait = WaitState { server, call, reason: Reason::Undelivered { undelivered, continuation } };
        self.wait(now, id, wait, effects);
    }

    /// Sends answers that a person gave, and keeps them until the server has answered.
    pub(super) fn send_answers(
        &mut self,
        now: Millis,
        call: CallId,
        continuation: Continuation,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(state) = self.calls.get_mut(&call) {
            state.kept = Some(continuation.clone());
        }
        self.send_leg(now, call, Some(continuation), effects);
    }
}
