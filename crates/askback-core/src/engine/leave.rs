//! Requests that somebody else holds up until a person has got their leave, such as by logging in somewhere.
//!
//! Owns that nobody goes anywhere unasked, and that a person's way there counts as their time. The request stays what it was and goes on by
//! itself, with the answers that it carries. Must not know who gives leave, or how: whoever holds the request up does, and bounds how often.

use super::call_state::{OpenTo, Phase};
use super::waits::{Reason, WaitState};
use super::{Effect, Engine, Leave, LeaveAnswer, Millis, PetitionId, Retraction};
use crate::call::{CallId, RoundId};

impl WaitState {
    /// The petition that is waiting for an answer.
    pub(super) fn petition(&self) -> Option<PetitionId> {
        match &self.reason {
            Reason::Leave { petition, .. } => Some(*petition),
            Reason::Pages(_) | Reason::Undelivered { .. } => None,
        }
    }
}

impl Engine {
    /// The person is asked whether they go and get the leave. It may let other requests to the same server through as well, and they may be
    /// held up for it: so the time of all calls that have one stands still.
    pub(super) fn leave_wanted(
        &mut self,
        now: Millis,
        petition: PetitionId,
        call: CallId,
        leave: Leave,
        effects: &mut Vec<Effect>,
    ) {
        let asking = self.calls.get(&call).filter(|state| state.phase == Phase::InFlight && self.rules.person);
        let Some(server) = asking.map(|state| state.server.clone()) else {
            return effects.push(Effect::AnswerPetition { petition, answer: LeaveAnswer::Nobody });
        };
        let in_flight = self.calls.iter_mut().filter(|(_, state)| state.server == server);
        let held = in_flight.filter(|(_, state)| state.phase == Phase::InFlight).map(|(id, state)| {
            state.round_opened(now, OpenTo::People);
            *id
        });
        self.held.insert(petition, held.collect());
        let id = self.new_id();
        let wait = WaitState { server, call, reason: Reason::Leave { petition, leave } };
        effects.push(Effect::Await(wait.open(id)));
        self.waits.insert(id, wait);
    }

    /// Says to whoever holds the request up what the person says; false if this wait is for something else. Their time goes on until
    /// [`Input::LeaveSettled`](super::Input::LeaveSettled): now they are on that page.
    pub(super) fn answer_petition(&mut self, id: RoundId, answer: LeaveAnswer, effects: &mut Vec<Effect>) -> bool {
        let Some((petition, call)) = self.waits.get(&id).and_then(|wait| Some((wait.petition()?, wait.call))) else {
            return false;
        };
        self.waits.remove(&id);
        let why = if answer == LeaveAnswer::Goes { Retraction::Answered } else { Retraction::Stopped };
        effects.push(Effect::Retract { round: id, why });
        if answer != LeaveAnswer::Goes
            && let Some(state) = self.calls.get_mut(&call)
        {
            // The request fails for want of the leave. Whoever did not want it is not asked whether to send it again.
            state.kept = None;
        }
        effects.push(Effect::AnswerPetition { petition, answer });
        true
    }

    /// The request that was held up is over: its leave is of no use to it any more.
    pub(super) fn forget_leave(&mut self, call: CallId, effects: &mut Vec<Effect>) {
        let moot = self.waits.extract_if(.., |_, wait| wait.call == call && wait.petition().is_some());
        for (round, wait) in moot {
            effects.push(Effect::Retract { round, why: Retraction::Withdrawn });
            let nobody = |petition| Effect::AnswerPetition { petition, answer: LeaveAnswer::Nobody };
            effects.extend(wait.petition().map(nobody));
        }
    }

    /// The leave is there, or has come to nothing: time runs again.
    pub(super) fn leave_settled(&mut self, now: Millis, petition: PetitionId, effects: &mut Vec<Effect>) {
        let open = self.waits.iter().find(|(_, wait)| wait.petition() == Some(petition)).map(|(id, _)| *id);
        if let Some(round) = open {
            self.waits.remove(&round);
            effects.push(Effect::Retract { round, why: Retraction::Withdrawn });
        }
        for call in self.held.remove(&petition).into_iter().flatten() {
            if let Some(state) = self.calls.get_mut(&call) {
                state.round_closed(now, OpenTo::People);
            }
        }
    }
}
