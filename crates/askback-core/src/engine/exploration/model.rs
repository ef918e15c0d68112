//! The books that are kept beside the engine, and what must be true of it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::round_state::RoundState;
use super::super::{
    CallFailure, Effect, Engine, Input, LeaveAnswer, Millis, PetitionId, Record, ReplyAddress, Returns, WaitFor,
};
use super::world::{LEG, World, refusal};
use crate::answer::{Answer, By};
use crate::ask::{AskKind, UrlAsk};
use crate::call::{CallId, RoundId};

/// What is known of a call.
#[derive(Clone, Debug, Default, Hash, PartialEq)]
struct Book {
    in_flight: bool,
    finished: bool,
    /// Set by a round, or by a person's word after a leg that got no answer; taken by the leg that follows from it.
    may_send_again: bool,
    /// What the leg in flight carries, if people answered any of it.
    carries: Option<String>,
    /// What people want sent a second time; taken by the leg that does so.
    repeats: Option<String>,
    /// The server is at work on it by itself.
    works: bool,
    /// Keys that were answered to this work.
    told: BTreeSet<String>,
    leg: Millis,
    whole: Millis,
    human: Millis,
}

/// What is known of a round that was put before people, or to models.
#[derive(Clone, Debug, Hash, PartialEq)]
struct Open {
    server: String,
    address: Option<ReplyAddress>,
    calls: Vec<CallId>,
    /// Outside of any call from the beginning: so no call's end takes it away.
    untied: bool,
    /// Models are at work on it, and people have not been shown it yet.
    with_models: bool,
    unanswered: BTreeSet<usize>,
}

/// A call that waits for a person's word: for pages, with what is to be sent a second time, or held up.
#[derive(Clone, Debug, Hash, PartialEq)]
struct WaitBook {
    call: CallId,
    resend: Option<String>,
    petition: Option<PetitionId>,
}

/// A wish for a leave: what was said to it, and whose time stands still for it until it is settled.
#[derive(Clone, Debug, Hash, PartialEq)]
struct PetitionBook {
    call: CallId,
    answered: bool,
    settled: bool,
    held: Vec<CallId>,
}

/// Two models that differ only in the time of day are the same state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Model {
    pub(super) now: Millis,
    calls: BTreeMap<CallId, Book>,
    open: BTreeMap<RoundId, Open>,
    waits: BTreeMap<RoundId, WaitBook>,
    petitions: BTreeMap<PetitionId, PetitionBook>,
    pub(super) addresses_used: u64,
    pub(super) rounds_used: usize,
    replied: BTreeSet<u64>,
    /// Addresses whose answer is of no use to the server any more.
    void: BTreeSet<u64>,
    pub(super) deaths: u32,
    pub(super) losses: u32,
    muted: BTreeSet<String>,
    pub(super) steps_taken: u32,
    pub(super) deadlines_met: u32,
    /// What was decided for the round of a call that is being gathered.
    decided: Vec<(String, String)>,
}

impl std::hash::Hash for Model {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let Model { now: _, calls, open, waits, petitions, addresses_used, rounds_used, replied, void, .. } = self;
        (calls, open, waits, petitions, addresses_used, rounds_used, replied, void).hash(state);
        (self.deaths, self.losses, &self.muted, self.steps_taken, self.deadlines_met, &self.decided).hash(state);
    }
}

impl Model {
    pub(super) fn started(&self, call: CallId) -> bool {
        self.calls.contains_key(&call)
    }

    pub(super) fn in_flight(&self) -> impl Iterator<Item = CallId> + '_ {
        self.calls.iter().filter(|(_, book)| book.in_flight).map(|(call, _)| *call)
    }

    pub(super) fn petitions_used(&self) -> u64 {
        self.petitions.len() as u64
    }

    pub(super) fn is_muted(&self, server: &str) -> bool {
        self.muted.contains(server)
    }

    /// Takes in one step of the engine and says what of it must not be.
    pub(super) fn took(
        &mut self,
        world: &World,
        now: Millis,
        input: &Input,
        effects: &[Effect],
        engine: &Engine,
    ) -> Result<(), String> {
        self.time_passed(now, input);
        self.came_in(world, input);
        // The wait to which the person says something now.
        let spoken_of = match input {
            Input::Retried { wait } | Input::GaveUp { wait } => self.waits.get(wait).cloned(),
            _ => None,
        };
        let mut recorded: Vec<Answer> = Vec::new();
        let mut given: Vec<Answer> = Vec::new();
        let mut cancelled = BTreeSet::new();
        for (place, effect) in effects.iter().enumerate() {
            match effect {
                Effect::Record(Record::Decided(decided)) => {
                    allowed(self, input, &decided.answer, decided.by)?;
                    // Only the answers that a retry gathers are needed later.
                    if world.rounds_of.is_some_and(|call| decided.calls == [call]) {
                        self.decided.push((decided.key.clone(), format!("{:?}", decided.answer)));
                    }
                    recorded.push(decided.answer.clone());
                }
                Effect::Record(Record::Given(told)) => {
                    must(told.answer.tells(), "a disclosure that discloses nothing")?;
                    given.push(told.answer.clone());
                }
                Effect::Reply { address, answer, kind, .. } => {
                    let asked = if world.models { AskKind::Sampling } else { AskKind::Url };
                    must(*kind == asked, "the reply is of another kind")?;
                    must(recorded.contains(answer), "a reply was not recorded before")?;
                    disclosed(answer, &mut given)?;
                    must(address.0 <= self.addresses_used, "a reply to what was never asked")?;
                    must(!self.void.contains(&address.0), "a reply that is of no use any more")?;
                    must(self.replied.insert(address.0), "a second reply to one ask")?;
                }
                Effect::Send { call, continuation, .. } => {
                    // What was kept is sent once more, and was told of the first time.
                    let first = self.calls.get(call).is_some_and(|book| book.repeats.is_none());
                    for (_, answer) in continuation.iter().flat_map(|continuation| &continuation.answers) {
                        if first {
                            disclosed(answer, &mut given)?;
                        }
                    }
                    self.sent(world, *call, continuation.as_ref(), input)?;
                }
                Effect::Cancel { call, .. } => {
                    let follows = effects[place..]
                        .iter()
                        .any(|later| matches!(later, Effect::Finish { call: other, .. } if other == call));
                    must(follows, "a cancelled call goes on")?;
                    let book = self.calls.get(call).ok_or("a cancel of no call")?;
                    must((book.in_flight || book.works) && !book.finished, "a cancel of what is not in flight")?;
                    cancelled.insert(*call);
                }
                Effect::Publish(round) => {
                    let told = round.calls.iter().filter_map(|call| self.calls.get(call)).flat_map(|book| &book.told);
                    let told: Vec<&String> = told.collect();
                    let again = round.asks.iter().any(|(_, ask)| told.contains(&&ask.key));
                    must(!again, "people are asked again what was answered")?;
                    let unanswered = round.asks.iter().map(|(index, _)| *index).collect();
                    if let Some(open) = self.open.get_mut(&round.id).filter(|open| open.with_models) {
                        (open.with_models, open.unanswered) = (false, unanswered);
                        continue;
                    }
                    let open = Open { unanswered, ..self.opened(round.server.as_str(), input) };
                    must(open.calls == round.calls, "people are told of other calls")?;
                    must(self.open.insert(round.id, open).is_none(), "a round published twice")?;
                }
                Effect::Draft { round, index, server, .. } => {
                    must(world.models && matches!(input, Input::Asked { .. }), "a model works that nobody lent")?;
                    let opened = Open { with_models: true, ..self.opened(server.as_str(), input) };
                    let open = self.open.entry(*round).or_insert(opened);
                    must(open.unanswered.insert(*index), "a model is put to work twice")?;
                }
                Effect::Retract { round, .. } => {
                    let wait = self.waits.remove(round);
                    let taken = wait.is_some() || self.open.remove(round).is_some();
                    must(taken, "a round taken away that is not open")?;
                    if let (Some(WaitBook { call, resend: Some(resend), .. }), Input::Retried { .. }) = (wait, input) {
                        let book = self.calls.get_mut(&call).ok_or("a wait of no call")?;
                        (book.may_send_again, book.repeats) = (true, Some(resend));
                    }
                }
                Effect::Finish { call, ending } => {
                    let works = self.calls.get(call).is_some_and(|book| book.works);
                    must(!ending.may_go_on || works, "work that was never begun may go on")?;
                    let died = matches!(ending.outcome, Err(CallFailure::Disconnected { .. }));
                    must(!ending.may_go_on || died || cancelled.contains(call), "work is left without a word")?;
                    self.ended(world, *call, ending.human, &ending.outcome, input)?;
                }
                Effect::Await(wait) => {
                    let mut petition = None;
                    let resend = match &wait.wait_for {
                        WaitFor::Pages(pages) => self.waits_for_pages(world, wait.call, pages).map(|()| None)?,
                        WaitFor::Resend(_) => Some(self.waits_for_a_word(wait.call, input)?),
                        WaitFor::Leave(_) => {
                            petition = Some(self.waits_for_a_leave(world, wait.call, input)?);
                            None
                        }
                    };
                    let book = WaitBook { call: wait.call, resend, petition };
                    must(self.waits.insert(wait.id, book).is_none(), "a wait told twice")?;
                    must(!self.open.contains_key(&wait.id), "a wait under the id of a round")?;
                }
                Effect::AnswerPetition { petition, answer } => {
                    self.petition_answered(*petition, *answer, spoken_of.as_ref(), input)?;
                }
                Effect::PageCompleted { .. } => {
                    must(matches!(input, Input::PageCompleted { .. }), "a page is done and nobody said so")?;
                }
                Effect::Warn { .. } => {}
            }
        }
        must(given.is_empty(), "a disclosure of what was not sent")?;
        self.holds(engine, input)
    }

    /// A round that this input opens.
    fn opened(&self, server: &str, input: &Input) -> Open {
        let (address, calls) = match input {
            Input::Asked { returns: Returns::Reply { address }, calls, .. } => (Some(*address), calls.clone()),
            Input::Asked { calls, .. } => (None, calls.clone()),
            _ => (None, Vec::new()),
        };
        let calls: Vec<CallId> =
            calls.into_iter().filter(|call| self.calls.get(call).is_some_and(|book| !book.finished)).collect();
        let untied = calls.is_empty();
        Open { server: server.to_owned(), address, calls, untied, with_models: false, unanswered: BTreeSet::new() }
    }

    fn waits_for_pages(&self, world: &World, call: CallId, pages: &[UrlAsk]) -> Result<(), String> {
        must(world.repeats && world.rounds_of == Some(call), "a call waits that was not refused")?;
        let agreed = |ask: &UrlAsk| {
            let id = ask.elicitation_id.clone().unwrap_or_default();
            self.decided.contains(&(id, "Consented".to_owned()))
        };
        must(pages.iter().all(agreed), "people are sent where they did not agree to go")
    }

    /// A leg was lost. Gives what it carried, which may go out once more.
    fn waits_for_a_word(&mut self, call: CallId, input: &Input) -> Result<String, String> {
        let lost = match input {
            Input::Undelivered { call: lost, .. } => *lost == call,
            Input::Disconnected { .. } => true,
            _ => false,
        };
        must(lost, "people are asked about a leg that was not lost")?;
        let book = self.calls.get_mut(&call).ok_or("a wait of no call")?;
        must(book.in_flight && !book.finished, "people are asked about a leg that was not in flight")?;
        book.in_flight = false;
        book.carries.take().ok_or_else(|| "people are asked about a leg that carried nothing of theirs".to_owned())
    }

    /// A request is held up, and a person is asked.
    fn waits_for_a_leave(&mut self, world: &World, call: CallId, input: &Input) -> Result<PetitionId, String> {
        let Input::LeaveWanted { petition, call: held_up, .. } = input else {
            return Err("people are asked for a leave that nobody wants".to_owned());
        };
        must(*held_up == call, "people are asked for another call")?;
        let server = world.server_of(call);
        let held = self.in_flight().filter(|other| world.server_of(*other) == server).collect();
        let book = self.petitions.get_mut(petition).ok_or("a petition that never was")?;
        must(!book.answered, "people are asked about what is answered")?;
        book.held = held;
        Ok(*petition)
    }

    /// Only a person sends somebody to a page, and only to the one that they were asked about.
    fn petition_answered(
        &mut self,
        petition: PetitionId,
        answer: LeaveAnswer,
        spoken_of: Option<&WaitBook>,
        input: &Input,
    ) -> Result<(), String> {
        let of_this = spoken_of.is_some_and(|wait| wait.petition == Some(petition));
        let said = match answer {
            LeaveAnswer::Goes => of_this && matches!(input, Input::Retried { .. }),
            LeaveAnswer::Stays => of_this && matches!(input, Input::GaveUp { .. }),
            LeaveAnswer::Nobody => true,
        };
        must(said, "somebody goes, or does not, and nobody said so")?;
        let book = self.petitions.get_mut(&petition).ok_or("an answer to no petition")?;
        must(!std::mem::replace(&mut book.answered, true), "a petition answered twice")?;
        if answer == LeaveAnswer::Stays {
            // Who did not want this is not asked whether to try again.
            let call = self.calls.get_mut(&book.call).ok_or("a petition of no call")?;
            call.carries = None;
        }
        Ok(())
    }

    fn time_passed(&mut self, now: Millis, input: &Input) {
        let passed = now - self.now;
        if *input == Input::Ticked {
            // The input was chosen either as a plain step or as a deadline; only the count of them bounds the world.
            if passed == 400 { self.steps_taken += 1 } else { self.deadlines_met += 1 }
        }
        let open_to = |models: bool| self.open.values().filter(move |open| open.with_models == models);
        let asked: BTreeSet<CallId> = (open_to(false).flat_map(|open| open.calls.iter().copied()))
            .chain(self.waits.values().map(|wait| wait.call))
            .chain(self.petitions.values().filter(|book| !book.settled).flat_map(|book| book.held.iter().copied()))
            .collect();
        let with_models: BTreeSet<CallId> = open_to(true).flat_map(|open| open.calls.iter().copied()).collect();
        for (call, book) in &mut self.calls {
            if book.finished {
                continue;
            }
            if asked.contains(call) {
                book.human += passed;
                continue;
            }
            book.whole += passed;
            if book.in_flight && !with_models.contains(call) {
                book.leg += passed;
            }
        }
        self.now = now;
    }

    fn came_in(&mut self, world: &World, input: &Input) {
        match input {
            Input::CallRequested { call, .. } => {
                self.calls.insert(*call, Book::default());
            }
            Input::Asked { returns: Returns::Reply { .. }, .. } => self.addresses_used += 1,
            // A round that answers no request in flight is none.
            Input::Asked {
                returns: Returns::Resend { .. } | Returns::Repeat | Returns::Follow { .. }, calls, ..
            } if self.in_flight().all(|call| !calls.contains(&call)) => {}
            Input::Asked { returns, calls, .. } => {
                // The request is answered: what was asked during it alone is of no use any more.
                let void = self.open.values().filter(|open| open.calls == *calls).filter_map(|open| open.address);
                self.void.extend(void.map(|address| address.0));
                self.rounds_used += 1;
                self.decided.clear();
                for call in calls {
                    if let Some(book) = self.calls.get_mut(call) {
                        book.in_flight = false;
                        book.carries = None;
                        book.may_send_again = true;
                        book.works |= matches!(returns, Returns::Follow { .. });
                    }
                }
            }
            Input::LeaveWanted { petition, call, .. } => {
                let book = PetitionBook { call: *call, answered: false, settled: false, held: Vec::new() };
                self.petitions.insert(*petition, book);
            }
            Input::LeaveSettled { petition } => {
                if let Some(book) = self.petitions.get_mut(petition) {
                    book.settled = true;
                }
            }
            Input::Withdrawn { address, .. } => {
                self.void.insert(address.0);
            }
            Input::Progressed { call } => {
                if let Some(book) = self.calls.get_mut(call) {
                    book.leg = 0;
                }
            }
            Input::Disconnected { server, .. } => {
                self.deaths += 1;
                if server.as_str() == world.asking {
                    self.void.extend(1..=self.addresses_used);
                }
            }
            Input::Muted { server } => {
                self.muted.insert(server.as_str().to_owned());
            }
            Input::Undelivered { call, .. } => {
                self.losses += 1;
                if self.in_flight().any(|other| other == *call) {
                    let void = self.open.values().filter(|open| open.calls == [*call]).filter_map(|open| open.address);
                    self.void.extend(void.map(|address| address.0));
                }
            }
            Input::Returned { .. }
            | Input::Errored { .. }
            | Input::Broke { .. }
            | Input::Abandoned { .. }
            | Input::Stopped { .. }
            | Input::Answered { .. }
            | Input::Drafted { .. }
            | Input::Lent { .. }
            | Input::Retried { .. }
            | Input::GaveUp { .. }
            | Input::PageCompleted { .. }
            | Input::Ticked => {}
        }
    }

    fn sent(
        &mut self,
        world: &World,
        call: CallId,
        continuation: Option<&super::super::Continuation>,
        input: &Input,
    ) -> Result<(), String> {
        let book = self.calls.get_mut(&call).ok_or("a send of no call")?;
        must(!book.finished, "a send after the end")?;
        must(!book.in_flight, "a send while a request is in flight")?;
        match continuation {
            None if matches!(input, Input::CallRequested { call: requested, .. } if *requested == call) => {}
            None => {
                let wanted = matches!(input, Input::Retried { .. } | Input::PageCompleted { .. });
                must(wanted && world.repeats, "a leg that nobody asked for")?;
                must(std::mem::take(&mut book.may_send_again), "a call sent twice for one round")?;
            }
            Some(continuation) => {
                must(std::mem::take(&mut book.may_send_again), "a call sent twice for one round")?;
                let carried = format!("{continuation:?}");
                let again = book.repeats.take();
                must(again.as_ref().is_none_or(|kept| *kept == carried), "something else was sent than was kept")?;
                book.carries = (!continuation.answers.is_empty()).then_some(carried);
                for (key, answer) in &continuation.answers {
                    let decided = self.decided.contains(&(key.clone(), format!("{answer:?}")));
                    must(decided || again.is_some(), "an answer went out that nobody decided")?;
                    must(!matches!(answer, Answer::Refused(_)), "a refusal went out where there is no shape for it")?;
                }
                must(continuation.state.is_some() != book.works, "the state was lost")?;
                must(
                    continuation.work.is_some() == book.works,
                    "a call at work was sent again, or another asked after",
                )?;
                book.told.extend(continuation.answers.iter().filter(|_| book.works).map(|(key, _)| key.clone()));
            }
        }
        book.in_flight = true;
        book.leg = 0;
        if continuation.is_some() {
            self.decided.clear();
        }
        Ok(())
    }

    fn ended(
        &mut self,
        world: &World,
        call: CallId,
        human: Millis,
        outcome: &Result<serde_json::Value, CallFailure>,
        input: &Input,
    ) -> Result<(), String> {
        let book = self.calls.get_mut(&call).ok_or("an end of no call")?;
        must(!book.finished, "a call ended twice")?;
        must(human == book.human, "people's time is counted wrong")?;
        match outcome {
            Ok(_) => {
                must(
                    matches!(input, Input::Returned { call: other, .. } if *other == call),
                    "a result that never came",
                )?;
                must(book.in_flight, "a result without a request")?;
            }
            Err(CallFailure::TimedOut { whole_call: false, .. }) => {
                must(book.leg >= LEG && book.in_flight, "a leg timed out too early")?;
            }
            Err(CallFailure::TimedOut { whole_call: true, .. }) => {
                let budget = world.budget_of(call).ok_or("a budget that was never set ran out")?;
                must(book.whole >= budget, "a budget ran out too early")?;
            }
            Err(CallFailure::Refused { refusal: found, .. }) => must(*found == refusal(), "another refusal")?,
            Err(CallFailure::Disconnected { .. }) => {
                must(book.in_flight, "a call died with nothing in flight")?;
                must(book.carries.is_none(), "what people answered was dropped")?;
            }
            Err(CallFailure::Undelivered(_)) => {
                let given_up = matches!(input, Input::GaveUp { .. });
                must(book.in_flight != given_up, "a call failed with nothing in flight")?;
                must(given_up || book.carries.is_none(), "what people answered was dropped")?;
            }
            Err(_) => {}
        }
        book.finished = true;
        book.in_flight = false;
        Ok(())
    }

    /// What must be true between two inputs.
    fn holds(&mut self, engine: &Engine, input: &Input) -> Result<(), String> {
        if let Input::Answered { round, index, .. } = input
            && let Some(open) = self.open.get_mut(round)
            && engine
                .rounds
                .get(round)
                .and_then(|state| state.slots.get(*index))
                .is_some_and(|slot| slot.answer.is_some())
        {
            open.unanswered.remove(index);
        }
        let finished = |call: &CallId| self.calls.get(call).is_none_or(|book| book.finished);
        for open in self.open.values_mut() {
            open.calls.retain(|call| !finished(call));
        }
        let published: Vec<(RoundId, Vec<usize>)> = (self.open.iter())
            .map(|(id, open)| {
                let unanswered = if open.with_models { Vec::new() } else { open.unanswered.iter().copied().collect() };
                (*id, unanswered)
            })
            .collect();
        // What `open_rounds` tells, without copying every ask in every state.
        let waiting = |round: &RoundState| {
            if round.is_with_models() {
                return Vec::new();
            }
            round.slots.iter().enumerate().filter(|(_, slot)| slot.answer.is_none()).map(|(index, _)| index).collect()
        };
        let shown: Vec<(RoundId, Vec<usize>)> = engine.rounds.iter().map(|(id, round)| (*id, waiting(round))).collect();
        must(published == shown, "what people see is not what is open")?;
        for open in self.open.values() {
            must(!open.unanswered.is_empty(), "a round is open with nothing to answer")?;
            must(open.untied || !open.calls.is_empty(), "a round is open though its call has ended")?;
            must(!self.muted.contains(&open.server), "a round of a muted server is open")?;
            if let Some(address) = open.address {
                must(!self.void.contains(&address.0), "a round is open though its answer is of no use")?;
                must(!self.replied.contains(&address.0), "a round is open that was answered")?;
            }
        }
        let waiting: Vec<RoundId> = self.waits.keys().copied().collect();
        let known: Vec<RoundId> = engine.waits().map(|wait| wait.id).collect();
        must(waiting == known, "what people wait with is not what waits")?;
        for wait in self.waits.values() {
            must(!finished(&wait.call), "a call waits that has ended")?;
        }
        for (id, book) in &self.petitions {
            let is_open = self.waits.values().any(|wait| wait.petition == Some(*id));
            must(is_open != (book.answered || book.settled), "a petition waits that is over, or was dropped")?;
        }
        for address in 1..=self.addresses_used {
            let open = self.open.values().any(|open| open.address == Some(ReplyAddress(address)));
            let over = self.void.contains(&address) || self.replied.contains(&address);
            // What is neither open nor over can only have ended with its call; from now on its answer is of no use.
            if !open && !over {
                must(self.calls.values().any(|book| book.finished), "an ask was lost")?;
                self.void.insert(address);
            }
        }
        for (call, book) in &self.calls {
            must(book.finished == engine.operation(*call).is_none(), "the engine forgot a call, or kept one")?;
        }
        if *input == Input::Ticked {
            must(engine.next_deadline().is_none_or(|due| due > self.now), "a deadline lies in the past for ever")?;
            for (call, book) in &self.calls {
                let asked = self.open.values().any(|open| open.calls.contains(call));
                must(book.finished || !book.in_flight || asked || book.leg < LEG, "a leg that is over goes on")?;
            }
        }
        for (call, book) in &self.calls {
            let asked = self.open.values().any(|open| open.calls.contains(call));
            let asked = asked || self.waits.values().any(|wait| wait.call == *call);
            let asked =
                asked || self.petitions.values().any(|petition| !petition.settled && petition.held.contains(call));
            let waits_for_something = asked || engine.next_deadline().is_some();
            must(book.finished || waits_for_something, &format!("call {} waits for nothing", call.0))?;
        }
        Ok(())
    }
}

/// Whether somebody decided this: here that can only be the person, now.
fn allowed(model: &Model, input: &Input, answer: &Answer, by: By) -> Result<(), String> {
    let declined = matches!(answer, Answer::Declined { .. }) || *answer == Answer::Refused(refusal());
    let cap = matches!(answer, Answer::Refused(crate::answer::Refusal::NobodyToAnswer)) && by == By::Nobody;
    let decided = match input {
        Input::Answered { answer: given, by: who, .. } => given == answer && *who == by,
        Input::Muted { .. } => declined && by == By::Person,
        Input::Drafted { outcome: Ok(reply), .. } => *answer == Answer::Sampled(reply.clone()) && by == By::Model,
        Input::Asked { server, .. } => (model.is_muted(server.as_str()) && declined && by == By::Person) || cap,
        _ => false,
    };
    must(decided, "recorded what nobody decided")
}

/// Takes one answer that goes out off the list of what was written down before.
fn disclosed(answer: &Answer, given: &mut Vec<Answer>) -> Result<(), String> {
    if !answer.tells() {
        return Ok(());
    }
    let place = given.iter().position(|other| other == answer);
    given.swap_remove(place.ok_or("something was given away and not written down")?);
    Ok(())
}

fn must(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}
