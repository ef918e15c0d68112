//! Sampling that a model answers under a rule of the user's, without a person at the gates.
//!
//! Owns when a model is put to work and what its reply, or its failure, means for the round. A round is put before people only when no
//! model is at work on it any more, so that it stays one dialog. Must not know models: which one, and within which limits, is decided
//! where they are.

use super::call_state::OpenTo;
use super::round_state::RoundState;
use super::{Effect, Engine, Fault, FaultReason, Millis, common_operation};
use crate::answer::{Answer, By, Refusal};
use crate::call::RoundId;
use crate::sampling::SamplingReply;

impl Engine {
    /// Puts models to work on what is theirs to answer. They are given no one's time but the whole call's.
    pub(super) fn put_to_models(&mut self, now: Millis, id: RoundId, round: &RoundState, effects: &mut Vec<Effect>) {
        for call in &round.calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.round_opened(now, OpenTo::Models);
            }
        }
        for (index, slot) in round.slots.iter().enumerate() {
            let (None, Some(order)) = (&slot.answer, &slot.order) else { continue };
            effects.push(Effect::Draft {
                round: id,
                index,
                server: round.server.clone(),
                ask: Box::new(slot.ask.clone()),
                order: order.clone(),
            });
        }
    }

    /// A model has replied, or could not.
    pub(super) fn drafted(
        &mut self,
        now: Millis,
        id: RoundId,
        index: usize,
        outcome: Result<Box<SamplingReply>, String>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(round) = self.rounds.get_mut(&id) else { return };
        let Some(slot) = round.slots.get_mut(index).filter(|slot| slot.answer.is_none() && slot.order.is_some()) else {
            return;
        };
        slot.order = None;
        match outcome {
            Ok(reply) => self.answered(now, id, index, Answer::Sampled(reply), By::Model, effects),
            Err(_) if self.rules.person => {}
            Err(message) => self.model_failed(now, id, index, message, effects),
        }
        self.show_what_is_left(now, id, effects);
    }

    /// Nobody is there whom the ask could go to instead.
    fn model_failed(&mut self, now: Millis, id: RoundId, index: usize, message: String, effects: &mut Vec<Effect>) {
        let Some(round) = self.rounds.get(&id) else { return };
        let operation = common_operation(&self.calls, &round.calls);
        let reason = FaultReason::ModelFailed { message: message.clone() };
        let fault = Fault::new(&round.server, operation, &round.slots[index].ask, reason);
        for call in &round.calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.faults.push(fault.clone());
            }
        }
        if round.calls.is_empty() {
            self.stray_faults.push(fault);
        }
        self.answered(now, id, index, Answer::Refused(Refusal::ModelFailed { message }), By::Nobody, effects);
    }

    /// Puts before people what no model has answered, once the last one is done.
    fn show_what_is_left(&mut self, now: Millis, id: RoundId, effects: &mut Vec<Effect>) {
        let Some(mut round) = self.rounds.remove(&id) else { return };
        if !round.is_with_models() {
            for call in &round.calls {
                if let Some(state) = self.calls.get_mut(call) {
                    state.round_closed(now, OpenTo::Models);
                }
            }
            round.open_to = OpenTo::People;
            self.put_to_people(now, id, &round, effects);
        }
        self.rounds.insert(id, round);
    }
}
