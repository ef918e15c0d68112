//! Calls that wait between two requests for a person's word: go on, or end it.
//!
//! Owns what all such waits have in common. What is waited for, and what comes after it, is in `pages`, `undelivered` and `leave`.

use super::call_state::OpenTo;
use super::pages::Page;
use super::{
    CallFailure, Continuation, Effect, Engine, Leave, LeaveAnswer, Millis, PetitionId, Retraction, Undelivered, Wait,
    WaitFor, pages,
};
use crate::call::{CallId, RoundId, ServerName};

/// A call with nothing on the wire, and with a person who says how it goes on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaitState {
    pub(super) server: ServerName,
    pub(super) call: CallId,
    pub(super) reason: Reason,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reason {
    /// The server wants the person to have been somewhere; then the call is sent once more as it was.
    Pages(Vec<Page>),
    /// The request that carried the person's answers was not answered; it may be sent once more with the same.
    Undelivered { undelivered: Undelivered, continuation: Continuation },
    /// The request is held up until the person has got a leave; the same request goes on then.
    Leave { petition: PetitionId, leave: Leave },
}

impl WaitState {
    pub(super) fn open(&self, id: RoundId) -> Wait {
        let wait_for = match &self.reason {
            Reason::Pages(pages) => WaitFor::Pages(pages.iter().map(|page| page.ask.clone()).collect()),
            Reason::Undelivered { undelivered, .. } => WaitFor::Resend(undelivered.clone()),
            Reason::Leave { leave, .. } => WaitFor::Leave(leave.clone()),
        };
        Wait { id, server: self.server.clone(), call: self.call, wait_for }
    }

    /// How the call ends if the person does not go on with it, where that is known by then.
    fn given_up(&self) -> Option<CallFailure> {
        match &self.reason {
            Reason::Pages(pages) => Some(pages::not_visited(pages)),
            Reason::Undelivered { undelivered, .. } => Some(CallFailure::Undelivered(undelivered.clone())),
            // Whoever holds the request up says how it fails.
            Reason::Leave { .. } => None,
        }
    }
}

impl Engine {
    /// The calls that wait until a person says how they go on.
    pub fn waits(&self) -> impl Iterator<Item = Wait> + '_ {
        self.waits.iter().map(|(id, wait)| wait.open(*id))
    }

    /// The call, which has nothing on the wire any more, waits for a person from now on.
    pub(super) fn wait(&mut self, now: Millis, id: RoundId, wait: WaitState, effects: &mut Vec<Effect>) {
        let Some(state) = self.calls.get_mut(&wait.call) else { return };
        state.round_opened(now, OpenTo::People);
        effects.push(Effect::Await(wait.open(id)));
        self.waits.insert(id, wait);
    }

    /// The person, or whoever may speak for them, wants the call sent again.
    pub(super) fn go_on(&mut self, now: Millis, id: RoundId, why: Retraction, effects: &mut Vec<Effect>) {
        if self.answer_petition(id, LeaveAnswer::Goes, effects) {
            return;
        }
        let Some(wait) = self.waits.remove(&id) else { return };
        effects.push(Effect::Retract { round: id, why });
        if let Some(state) = self.calls.get_mut(&wait.call) {
            state.round_closed(now, OpenTo::People);
        }
        match wait.reason {
            Reason::Pages(_) => self.send_leg(now, wait.call, None, effects),
            Reason::Undelivered { continuation, .. } => self.send_answers(now, wait.call, continuation, effects),
            Reason::Leave { .. } => {}
        }
    }

    /// The person does not go on: the call ends.
    pub(super) fn gave_up(&mut self, now: Millis, id: RoundId, effects: &mut Vec<Effect>) {
        let Some(wait) = self.waits.get(&id) else { return };
        let (call, failure) = (wait.call, wait.given_up());
        let Some(failure) = failure else {
            self.answer_petition(id, LeaveAnswer::Stays, effects);
            return;
        };
        self.cancel_work(call, "given up by the user", effects);
        self.finish(now, call, Err(failure), Retraction::Stopped, effects);
    }
}
