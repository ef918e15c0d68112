//! The engine: what happened goes in, what is to be done comes out.
//!
//! Owns every rule about calls, rounds and time: who may answer, when an answer goes out, what closes an ask, what counts as time. It is
//! a pure function of its state, an [`Input`] and the time it is told. Must not know the wire: a round says how its answers travel
//! ([`Returns`]), and that is all the engine knows of protocol eras.

mod call_state;
mod clock;
mod closing;
mod decide;
mod effect;
#[cfg(test)]
mod exploration;
mod following;
mod input;
mod leave;
mod models;
mod pages;
mod round_state;
#[cfg(test)]
mod tests;
mod undelivered;
mod waits;

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::{Answer, By, Refusal};
use crate::answer_file::AnswerBook;
use crate::ask::{Ask, AskKind, AskProblem};
use crate::call::{CallId, Operation, RoundId, ServerName};
use crate::roots::Root;
use crate::violation::Violation;

use call_state::{CallState, OpenTo, Phase};
pub use clock::Millis;
use decide::Decision;
pub use decide::{Fault, FaultReason};
pub use effect::{
    CallFailure, Continuation, Decided, Effect, Ending, LeaveAnswer, OpenRound, Record, Rejection, Retraction, Told,
    Wait, WaitFor,
};
pub use following::{LONGEST_SUGGESTED_PAUSE, SHORTEST_SUGGESTED_PAUSE};
pub use input::{Abandonment, Input, Leave, PetitionId, ReplyAddress, Returns, ServerError, Undelivered};
use round_state::{RoundState, Slot};
use waits::WaitState;

/// What the user set up.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Whether a person is there to be asked.
    pub person: bool,
    /// What each server may be told of the workspace; a server that is not here has no roots.
    pub roots: BTreeMap<ServerName, Vec<Root>>,
    /// The most rounds a call may have.
    pub rounds: u32,
    /// Scripted answers.
    pub answers: AnswerBook,
    /// Whether there is a model that could answer sampling.
    pub models: bool,
    /// The servers that may use a model without the person being asked each time, within the limits that they set.
    pub lent: BTreeSet<ServerName>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            person: false,
            roots: BTreeMap::new(),
            rounds: 50,
            answers: AnswerBook::default(),
            models: false,
            lent: BTreeSet::new(),
        }
    }
}

/// The pause before the first retry of a round that asks nothing, in milliseconds; it grows by half with each further one.
pub const FIRST_PAUSE: Millis = 300;
/// The longest such pause.
pub const LONGEST_PAUSE: Millis = 5_000;
/// How many rounds that ask nothing a call may have for every round it may have that asks something.
const PAUSES_PER_ROUND: u32 = 10;
/// For how many settled rounds a late answer is told who was faster.
const SETTLED_KEPT: usize = 64;

/// The state of everything that is going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    rules: Rules,
    calls: BTreeMap<CallId, CallState>,
    rounds: BTreeMap<RoundId, RoundState>,
    /// Calls that wait for a person's word; their ids are taken from the same numbers as those of rounds.
    waits: BTreeMap<RoundId, WaitState>,
    /// The calls whose time stands still while a leave is got.
    held: BTreeMap<PetitionId, Vec<CallId>>,
    /// Who answered the asks of the rounds settled last.
    settled: BTreeMap<RoundId, Vec<Option<By>>>,
    /// Faults of asks that came outside of any call; the server's next call reports them.
    stray_faults: Vec<Fault>,
    muted: BTreeSet<ServerName>,
    next_round: u64,
}

impl Engine {
    /// An engine with nothing going on.
    pub fn new(rules: Rules) -> Engine {
        Engine {
            rules,
            calls: BTreeMap::new(),
            rounds: BTreeMap::new(),
            waits: BTreeMap::new(),
            held: BTreeMap::new(),
            settled: BTreeMap::new(),
            stray_faults: Vec::new(),
            muted: BTreeSet::new(),
            next_round: 1,
        }
    }

    /// Takes in what happened at `now` and says what is to be done. Inputs about calls and rounds that are over are without effect.
    pub fn handle(&mut self, now: Millis, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        match input {
            Input::CallRequested { call, server, operation, limits } => {
                let mut state = CallState::new(server.clone(), operation.clone(), limits);
                state.faults.extend(self.stray_faults.extract_if(.., |fault| fault.server == server));
                state.leg_began(now);
                self.calls.insert(call, state);
                effects.push(Effect::Send { call, server, operation, continuation: None });
            }
            Input::Asked { server, calls, returns, asks } => {
                self.asked(now, server, calls, returns, asks, &mut effects)
            }
            Input::Answered { round, index, answer, by } => {
                if self.check_answer(round, index, &answer).is_ok() {
                    self.answered(now, round, index, answer, by, &mut effects);
                }
            }
            Input::Returned { call, result } => self.came_back(now, call, Ok(result), &mut effects),
            Input::Errored { call, error } => {
                self.came_back(now, call, Err(CallFailure::Server(error)), &mut effects);
            }
            Input::Broke { call, violation } => {
                self.cancel_work_of_broken(call, &mut effects);
                self.came_back(now, call, Err(CallFailure::Protocol(violation)), &mut effects);
            }
            Input::Abandoned { call, why } => {
                self.came_back(now, call, Err(CallFailure::Abandoned(why)), &mut effects);
            }
            Input::Undelivered { call, .. } if self.asks_again(now, call) => {}
            Input::Undelivered { call, undelivered } => {
                let failure = CallFailure::Undelivered(undelivered.clone());
                self.undelivered(now, call, undelivered, failure, &mut effects);
            }
            Input::Progressed { call } => {
                if let Some(state) = self.calls.get_mut(&call) {
                    state.progressed(now);
                }
            }
            Input::Withdrawn { server, address } => self.withdrawn(now, &server, address, &mut effects),
            Input::Disconnected { server, detail } => self.disconnected(now, &server, &detail, &mut effects),
            Input::Stopped { call } => self.stop(now, call, &mut effects),
            Input::Retried { wait } => self.go_on(now, wait, Retraction::Answered, &mut effects),
            Input::GaveUp { wait } => self.gave_up(now, wait, &mut effects),
            Input::LeaveWanted { petition, call, leave } => self.leave_wanted(now, petition, call, leave, &mut effects),
            Input::LeaveSettled { petition } => self.leave_settled(now, petition, &mut effects),
            Input::PageCompleted { server, elicitation_id } => {
                self.page_completed(now, &server, &elicitation_id, &mut effects);
            }
            Input::Drafted { round, index, outcome } => self.drafted(now, round, index, outcome, &mut effects),
            Input::Lent { server, lent: true } => {
                self.rules.lent.insert(server);
            }
            Input::Lent { server, lent: false } => {
                self.rules.lent.remove(&server);
            }
            Input::Muted { server } => self.mute(now, server, &mut effects),
            Input::Ticked => self.tick(now, &mut effects),
        }
        effects
    }

    /// Whether this answer would be taken. Nobody can answer a round that no one was shown, because models are still at work on it.
    ///
    /// # Errors
    /// Why not; nothing changes then.
    pub fn check_answer(&self, round: RoundId, index: usize, answer: &Answer) -> Result<(), Rejection> {
        let shown = self.rounds.get(&round).filter(|state| state.open_to == OpenTo::People);
        let Some(slot) = shown.and_then(|state| state.slots.get(index)) else {
            let by = self.settled.get(&round).and_then(|answered| *answered.get(index)?);
            return Err(by.map_or(Rejection::NoLongerWanted, |by| Rejection::AlreadyAnswered { by }));
        };
        if let Some((_, by)) = &slot.answer {
            return Err(Rejection::AlreadyAnswered { by: *by });
        }
        decide::fits(&slot.ask, answer)
    }

    /// When [`Input::Ticked`] is due, if nothing else happens before.
    pub fn next_deadline(&self) -> Option<Millis> {
        self.calls.values().filter_map(CallState::deadline).min()
    }

    /// The operation of a call that is not over.
    pub fn operation(&self, call: CallId) -> Option<&Operation> {
        self.calls.get(&call).map(|state| &state.operation)
    }

    /// The rounds that wait for people.
    pub fn open_rounds(&self) -> impl Iterator<Item = OpenRound> + '_ {
        let shown = self.rounds.iter().filter(|(_, state)| state.open_to == OpenTo::People);
        shown.map(|(id, state)| state.open(*id))
    }

    /// The scripted answers with how often each was used.
    pub fn answers(&self) -> &AnswerBook {
        &self.rules.answers
    }

    fn asked(
        &mut self,
        now: Millis,
        server: ServerName,
        calls: Vec<CallId>,
        returns: Returns,
        mut asks: Vec<(String, Result<Ask, AskProblem>)>,
        effects: &mut Vec<Effect>,
    ) {
        let calls: Vec<CallId> = calls.into_iter().filter(|call| self.calls.contains_key(call)).collect();
        if !matches!(returns, Returns::Reply { .. }) {
            // A round answers the request in flight; without one there is nothing that it could continue.
            let [call] = calls[..] else { return };
            if !self.is_in_flight(call) {
                return;
            }
            self.leg_ended(now, call);
            self.forget_replies(now, call, effects);
            self.forget_leave(call, effects);
            if let Returns::Follow { work, pause } = &returns {
                self.follow(call, work, *pause, &mut asks);
            }
            if asks.is_empty() {
                return self.pause(now, call, returns, effects);
            }
        }
        let number = self.count_round(&calls);
        if number > self.rules.rounds {
            return self.too_many_rounds(now, &calls, number, &server, returns, asks, effects);
        }
        let Some(asks) = self.readable(now, &server, &calls, number, &returns, asks, effects) else { return };
        let context = decide::Context {
            server: &server,
            operation: common_operation(&self.calls, &calls),
            round: number,
            muted: self.muted.contains(&server),
        };
        let mut faults = Vec::new();
        let mut slots = Vec::new();
        for ask in asks {
            slots.push(match decide::decide(&mut self.rules, &context, &ask, &mut faults) {
                Decision::Answered(answer, by) => Slot { ask, answer: Some((answer, by)), order: None },
                Decision::Model(order) => Slot { ask, answer: None, order: Some(order) },
                Decision::Person => Slot { ask, answer: None, order: None },
            });
        }
        for call in &calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.faults.extend(faults.iter().cloned());
            }
        }
        if calls.is_empty() {
            self.stray_faults.extend(faults);
        }
        let id = self.new_id();
        let mut round = RoundState { server, calls, number, returns, slots, open_to: OpenTo::People };
        for slot in &round.slots {
            if let Some((answer, by)) = &slot.answer {
                effects.push(round.record(slot, answer.clone(), *by));
            }
        }
        if round.is_settled() {
            return self.settle(now, id, round, effects);
        }
        // A refusal of one ask ends the whole call where it cannot be told: so nobody is bothered with the others.
        if round.untellable_refusal().is_some() {
            return self.settle(now, id, round, effects);
        }
        if round.is_with_models() {
            round.open_to = OpenTo::Models;
            self.put_to_models(now, id, &round, effects);
        } else {
            self.put_to_people(now, id, &round, effects);
        }
        self.rounds.insert(id, round);
    }

    /// Shows a round to people, whose time begins.
    fn put_to_people(&mut self, now: Millis, id: RoundId, round: &RoundState, effects: &mut Vec<Effect>) {
        for call in &round.calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.round_opened(now, OpenTo::People);
            }
        }
        effects.push(Effect::Publish(round.open(id)));
    }

    /// The asks, if all of them can be put to someone; otherwise the server is told, or the call ends.
    #[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
    fn readable(
        &mut self,
        now: Millis,
        server: &ServerName,
        calls: &[CallId],
        number: u32,
        returns: &Returns,
        asks: Vec<(String, Result<Ask, AskProblem>)>,
        effects: &mut Vec<Effect>,
    ) -> Option<Vec<Ask>> {
        let mut readable = Vec::new();
        let mut problems = Vec::new();
        for (key, ask) in asks {
            match ask {
                Ok(ask) => readable.push(ask),
                Err(problem) => problems.push((key, problem)),
            }
        }
        let Some((first_key, first_problem)) = problems.first().cloned() else { return Some(readable) };
        for (key, problem) in problems {
            let answer = Answer::Refused(Refusal::Problem(problem.clone()));
            effects.push(Effect::Record(Record::Decided(Box::new(Decided {
                server: server.clone(),
                calls: calls.to_vec(),
                round: number,
                key,
                ask: None,
                answer: answer.clone(),
                by: By::Nobody,
            }))));
            if let Returns::Reply { address } = returns {
                effects.push(Effect::Warn {
                    server: server.clone(),
                    violation: Violation::new("unanswerable-ask", problem.to_string()),
                });
                effects.push(Effect::Reply { server: server.clone(), address: *address, kind: AskKind::Form, answer });
            }
        }
        if let (Returns::Resend { .. } | Returns::Repeat | Returns::Follow { .. }, [call]) = (returns, calls) {
            self.cancel_work(*call, "an ask cannot be met", effects);
            let failure = CallFailure::Unmeetable { key: first_key, problem: first_problem };
            self.finish(now, *call, Err(failure), Retraction::CallEnded, effects);
        }
        None
    }

    fn answered(&mut self, now: Millis, id: RoundId, index: usize, answer: Answer, by: By, effects: &mut Vec<Effect>) {
        let Some(round) = self.rounds.get_mut(&id) else { return };
        effects.push(round.record(&round.slots[index], answer.clone(), by));
        round.slots[index].answer = Some((answer, by));
        if !round.is_settled() && round.untellable_refusal().is_none() {
            return;
        }
        let Some(round) = self.rounds.remove(&id) else { return };
        self.settled.insert(id, round.answered_by());
        if self.settled.len() > SETTLED_KEPT {
            self.settled.pop_first();
        }
        effects.push(Effect::Retract { round: id, why: Retraction::Answered });
        for call in &round.calls {
            if let Some(state) = self.calls.get_mut(call) {
                state.round_closed(now, round.open_to);
            }
        }
        self.settle(now, id, round, effects);
    }

    /// Sends what a settled round decided.
    fn settle(&mut self, now: Millis, id: RoundId, round: RoundState, effects: &mut Vec<Effect>) {
        let refusal = round.untellable_refusal();
        let by_person = round.answered_by().contains(&Some(By::Person));
        match &round.returns {
            &Returns::Reply { address } => {
                self.note_pages(&round);
                effects.extend(round.given());
                for slot in round.slots {
                    let kind = slot.ask.kind();
                    let Some((answer, _)) = slot.answer else { continue };
                    effects.push(Effect::Reply { server: round.server.clone(), address, kind, answer });
                }
            }
            Returns::Resend { .. } | Returns::Follow { .. } => {
                let [call] = round.calls[..] else { return };
                if let Some((key, kind, refusal)) = refusal {
                    self.cancel_work(call, "an ask was refused", effects);
                    let failure = CallFailure::Refused { key, kind, refusal };
                    return self.finish(now, call, Err(failure), Retraction::CallEnded, effects);
                }
                effects.extend(round.given());
                let (state, work) = match round.returns {
                    Returns::Resend { state } => (state, None),
                    Returns::Follow { work, .. } => (None, Some(work)),
                    Returns::Reply { .. } | Returns::Repeat => (None, None),
                };
                let answers: Vec<(String, Answer)> = round
                    .slots
                    .into_iter()
                    .filter_map(|slot| slot.answer.map(|(answer, _)| (slot.ask.key, answer)))
                    .collect();
                self.note_told(call, &answers);
                let continuation = Continuation { answers, state, work };
                if by_person {
                    self.send_answers(now, call, continuation, effects);
                } else {
                    self.send_leg(now, call, Some(continuation), effects);
                }
            }
            Returns::Repeat => {
                let [call] = round.calls[..] else { return };
                if let Some((key, kind, refusal)) = refusal {
                    let failure = CallFailure::Refused { key, kind, refusal };
                    return self.finish(now, call, Err(failure), Retraction::CallEnded, effects);
                }
                self.await_pages(now, id, round, call, effects);
            }
        }
    }

    fn send_leg(&mut self, now: Millis, call: CallId, continuation: Option<Continuation>, effects: &mut Vec<Effect>) {
        let Some(state) = self.calls.get_mut(&call) else { return };
        state.leg_began(now);
        state.note_question(continuation.as_ref());
        effects.push(Effect::Send {
            call,
            server: state.server.clone(),
            operation: state.operation.clone(),
            continuation,
        });
    }

    /// An id for what is put before people: whoever speaks of it late never speaks of what came after it.
    fn new_id(&mut self) -> RoundId {
        let id = RoundId(self.next_round);
        self.next_round += 1;
        id
    }

    fn leg_ended(&mut self, now: Millis, call: CallId) {
        if let Some(state) = self.calls.get_mut(&call) {
            state.leg_ended(now);
        }
    }

    /// A round that asks nothing: the call is sent again after a pause.
    fn pause(&mut self, now: Millis, call: CallId, returns: Returns, effects: &mut Vec<Effect>) {
        let most = self.rules.rounds.saturating_mul(PAUSES_PER_ROUND);
        let Some(call_state) = self.calls.get_mut(&call) else { return };
        let state = match returns {
            Returns::Resend { state } => state,
            // Work takes as long as it takes; only the limit for the whole call ends the waiting.
            Returns::Follow { .. } => return call_state.pause(now, None),
            Returns::Reply { .. } | Returns::Repeat => return,
        };
        if call_state.pauses >= most {
            let failure = CallFailure::TooManyRounds { rounds: call_state.rounds + call_state.pauses };
            return self.finish(now, call, Err(failure), Retraction::CallEnded, effects);
        }
        call_state.pause(now, state);
    }

    /// Counts a round for its call and says which one it is. Where it may belong to several calls, the one with the fewest rounds counts it:
    /// so none of them is held to be over its limit while another may have been meant.
    fn count_round(&mut self, calls: &[CallId]) -> u32 {
        let fewest = calls.iter().min_by_key(|call| self.calls.get(call).map_or(0, |state| state.rounds));
        let Some(state) = fewest.and_then(|call| self.calls.get_mut(call)) else { return 1 };
        state.rounds += 1;
        state.pauses = 0;
        state.rounds
    }

    #[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
    fn too_many_rounds(
        &mut self,
        now: Millis,
        calls: &[CallId],
        number: u32,
        server: &ServerName,
        returns: Returns,
        asks: Vec<(String, Result<Ask, AskProblem>)>,
        effects: &mut Vec<Effect>,
    ) {
        if let Returns::Reply { address } = returns {
            for (key, ask) in asks {
                let ask = ask.ok();
                let kind = ask.as_ref().map_or(AskKind::Form, Ask::kind);
                let answer = Answer::Refused(Refusal::NobodyToAnswer);
                effects.push(Effect::Record(Record::Decided(Box::new(Decided {
                    server: server.clone(),
                    calls: calls.to_vec(),
                    round: number,
                    key,
                    ask,
                    answer: answer.clone(),
                    by: By::Nobody,
                }))));
                effects.push(Effect::Reply { server: server.clone(), address, kind, answer });
            }
        }
        for call in calls {
            let Some(state) = self.calls.get(call) else { continue };
            let failure = CallFailure::TooManyRounds { rounds: state.rounds };
            self.cancel(*call, "too many rounds", effects);
            self.finish(now, *call, Err(failure), Retraction::CallEnded, effects);
        }
    }

    fn is_in_flight(&self, call: CallId) -> bool {
        self.calls.get(&call).is_some_and(|state| state.phase == Phase::InFlight)
    }

    /// The answer to the request in flight: the call is over.
    fn came_back(
        &mut self,
        now: Millis,
        call: CallId,
        outcome: Result<serde_json::Value, CallFailure>,
        effects: &mut Vec<Effect>,
    ) {
        if self.is_in_flight(call) {
            self.finish(now, call, outcome, Retraction::CallEnded, effects);
        }
    }

    /// Tells the server that a call is not wanted any more, if it has anything to do with it just now.
    fn cancel(&self, call: CallId, reason: &'static str, effects: &mut Vec<Effect>) {
        let Some(state) = self.calls.get(&call) else { return };
        let work = state.following.as_ref().map(|following| following.work.clone());
        if state.phase == Phase::InFlight || work.is_some() {
            effects.push(Effect::Cancel { call, server: state.server.clone(), work, reason });
        }
    }
}

/// The operation of the call that an ask belongs to, or one that stands for all it may belong to, when they have the same subject.
fn common_operation<'a>(calls: &'a BTreeMap<CallId, CallState>, of: &[CallId]) -> Option<&'a Operation> {
    let mut operations = of.iter().filter_map(|call| calls.get(call)).map(|state| &state.operation);
    let first = operations.next()?;
    operations.all(|other| (other.subject(), other.tool()) == (first.subject(), first.tool())).then_some(first)
}
