//! How calls end and rounds are taken away: results, stops, time-outs, withdrawals, disconnects.

use super::call_state::Phase;
use super::{
    CallFailure, Effect, Ending, Engine, LeaveAnswer, Millis, ReplyAddress, Retraction, Returns, Undelivered, decide,
};
use crate::answer::{Answer, By};
use crate::call::{CallId, RoundId, ServerName};

impl Engine {
    /// Ends a call and takes away every round that was open only for it.
    pub(super) fn finish(
        &mut self,
        now: Millis,
        call: CallId,
        outcome: Result<serde_json::Value, CallFailure>,
        why: Retraction,
        effects: &mut Vec<Effect>,
    ) {
        let Some(mut state) = self.calls.remove(&call) else { return };
        state.stop_clocks(now);
        for round in self.rounds.values_mut() {
            let only = round.calls_only(call);
            round.calls.retain(|other| *other != call || only);
        }
        let orphaned: Vec<RoundId> =
            self.rounds.iter().filter(|(_, round)| round.calls_only(call)).map(|(id, _)| *id).collect();
        for round in orphaned {
            self.rounds.remove(&round);
            effects.push(Effect::Retract { round, why });
        }
        let orphaned: Vec<RoundId> =
            self.waits.iter().filter(|(_, wait)| wait.call == call).map(|(id, _)| *id).collect();
        for round in orphaned {
            if let Some(petition) = self.waits.remove(&round).and_then(|wait| wait.petition()) {
                effects.push(Effect::AnswerPetition { petition, answer: LeaveAnswer::Nobody });
            }
            effects.push(Effect::Retract { round, why });
        }
        let over = matches!(&outcome, Ok(_) | Err(CallFailure::Server(_) | CallFailure::Abandoned(_)));
        let ending = Ending {
            outcome,
            rounds: state.rounds,
            human: state.human_time(),
            faults: state.faults,
            may_go_on: state.following.is_some() && !over,
        };
        effects.push(Effect::Finish { call, ending: Box::new(ending) });
    }

    pub(super) fn withdrawn(
        &mut self,
        now: Millis,
        server: &ServerName,
        address: ReplyAddress,
        effects: &mut Vec<Effect>,
    ) {
        let found = self
            .rounds
            .iter()
            .find(|(_, round)| round.server == *server && round.returns == Returns::Reply { address })
            .map(|(id, _)| *id);
        if let Some(id) = found {
            self.close(now, id, Retraction::Withdrawn, effects);
        }
    }

    /// The request that asks came with has been answered: nobody waits any more for what was asked during it alone.
    pub(super) fn forget_replies(&mut self, now: Millis, call: CallId, effects: &mut Vec<Effect>) {
        let mut orphaned = Vec::new();
        for (id, round) in self.rounds.iter_mut().filter(|(_, round)| round.calls.contains(&call)) {
            if round.calls_only(call) {
                orphaned.push(*id);
                continue;
            }
            round.calls.retain(|other| *other != call);
            if let Some(state) = self.calls.get_mut(&call) {
                state.round_closed(now, round.open_to);
            }
        }
        for id in orphaned {
            self.close(now, id, Retraction::CallEnded, effects);
        }
    }

    /// Takes a round away without an answer.
    fn close(&mut self, now: Millis, id: RoundId, why: Retraction, effects: &mut Vec<Effect>) {
        let Some(round) = self.rounds.remove(&id) else { return };
        effects.push(Effect::Retract { round: id, why });
        for call in &round.calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.round_closed(now, round.open_to);
            }
        }
    }

    pub(super) fn disconnected(&mut self, now: Millis, server: &ServerName, detail: &str, effects: &mut Vec<Effect>) {
        let lost: Vec<RoundId> = self
            .rounds
            .iter()
            .filter(|(_, round)| round.server == *server && matches!(round.returns, Returns::Reply { .. }))
            .map(|(id, _)| *id)
            .collect();
        for id in lost {
            self.close(now, id, Retraction::Disconnected, effects);
        }
        // A call between two legs has nothing in flight: it goes on with a fresh connection.
        let lost: Vec<CallId> = self
            .calls
            .iter()
            .filter(|(_, state)| state.server == *server && state.phase == Phase::InFlight)
            .map(|(id, _)| *id)
            .collect();
        for call in lost {
            let undelivered = Undelivered { detail: detail.to_owned(), may_have_acted: true };
            let failure = CallFailure::Disconnected { detail: detail.to_owned() };
            self.undelivered(now, call, undelivered, failure, effects);
        }
    }

    pub(super) fn stop(&mut self, now: Millis, call: CallId, effects: &mut Vec<Effect>) {
        self.cancel(call, "stopped by the user", effects);
        self.finish(now, call, Err(CallFailure::Stopped), Retraction::Stopped, effects);
    }

    pub(super) fn mute(&mut self, now: Millis, server: ServerName, effects: &mut Vec<Effect>) {
        let open: Vec<(RoundId, usize, Answer)> = self
            .rounds
            .iter()
            .filter(|(_, round)| round.server == server)
            .flat_map(|(id, round)| {
                let open = round.slots.iter().enumerate().filter(|(_, slot)| slot.answer.is_none());
                open.map(|(index, slot)| (*id, index, decide::declined(&slot.ask))).collect::<Vec<_>>()
            })
            .collect();
        self.muted.insert(server);
        for (round, index, answer) in open {
            self.answered(now, round, index, answer, By::Person, effects);
        }
    }

    pub(super) fn tick(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let calls: Vec<CallId> = self.calls.keys().copied().collect();
        for call in calls {
            let Some(state) = self.calls.get_mut(&call) else { continue };
            if let Some((limit, whole_call)) = state.expired(now) {
                self.cancel(call, "timed out", effects);
                let failure = CallFailure::TimedOut { limit, whole_call };
                self.finish(now, call, Err(failure), Retraction::TimedOut, effects);
            } else if let Some(continuation) = state.pause_over(now) {
                self.send_leg(now, call, continuation, effects);
            }
        }
    }
}
