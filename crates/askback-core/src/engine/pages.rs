//! Calls that wait for pages: the server refuses a call until the person has been somewhere, and then wants it once more as it was.
//!
//! Owns the time between consent and the next try. A consent is the person's alone; what the server says of a page afterwards can only
//! spare them the word that they are done.

use super::{CallFailure, Effect, Engine, Millis, PageWait, Retraction, RoundState, Slot};
use crate::answer::{Answer, By, Refusal};
use crate::ask::{AskBody, AskKind, UrlAsk};
use crate::call::{CallId, RoundId, ServerName};

/// A call between two tries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaitState {
    pub(super) server: ServerName,
    pub(super) call: CallId,
    number: u32,
    pages: Vec<Page>,
}

#[derive(Clone, Debug, PartialEq)]
struct Page {
    ask: UrlAsk,
    /// The key of the ask.
    key: String,
    /// Whether the server says that nothing is left to do there.
    done: bool,
}

impl WaitState {
    fn of(round: RoundState, call: CallId) -> WaitState {
        let page = |slot: Slot| match slot.ask.body {
            AskBody::Url(ask) => Some(Page { ask, key: slot.ask.key, done: false }),
            AskBody::Form(_) | AskBody::Sampling(_) | AskBody::Roots => None,
        };
        let pages = round.slots.into_iter().filter_map(page).collect();
        WaitState { server: round.server, call, number: round.number, pages }
    }

    fn open(&self, id: RoundId) -> PageWait {
        PageWait {
            id,
            server: self.server.clone(),
            call: self.call,
            number: self.number,
            pages: self.pages.iter().map(|page| page.ask.clone()).collect(),
        }
    }

    /// Takes note of a page; true once all of them are done.
    fn completed(&mut self, elicitation_id: &str) -> bool {
        let mut any = false;
        for page in &mut self.pages {
            if page.ask.elicitation_id.as_deref() == Some(elicitation_id) {
                any |= !page.done;
                page.done = true;
            }
        }
        any && self.pages.iter().all(|page| page.done)
    }
}

impl Engine {
    /// The calls that wait until a person says that they have been where they were sent.
    pub fn page_waits(&self) -> impl Iterator<Item = PageWait> + '_ {
        self.waits.iter().map(|(id, wait)| wait.open(*id))
    }

    /// The person has agreed to every page: now they go there, and then the call is tried again.
    pub(super) fn await_pages(
        &mut self,
        now: Millis,
        id: RoundId,
        round: RoundState,
        call: CallId,
        effects: &mut Vec<Effect>,
    ) {
        let Some(state) = self.calls.get_mut(&call) else { return };
        if !self.rules.person {
            // Nobody is there to say when; an answer file means that somebody else sees to the page.
            return state.pause_before_repeat(now);
        }
        state.person_asked(now);
        let wait = WaitState::of(round, call);
        effects.push(Effect::AwaitPages(wait.open(id)));
        self.waits.insert(id, wait);
    }

    /// The person has been there, or wants the call tried again all the same.
    pub(super) fn retried(&mut self, now: Millis, id: RoundId, effects: &mut Vec<Effect>) {
        self.repeat(now, id, Retraction::Answered, effects);
    }

    /// The person does not go on: the call ends.
    pub(super) fn gave_up(&mut self, now: Millis, id: RoundId, effects: &mut Vec<Effect>) {
        let Some(wait) = self.waits.get(&id) else { return };
        let key = wait.pages.first().map(|page| page.key.clone()).unwrap_or_default();
        let refusal = Refusal::ByPerson { reason: None };
        let failure = CallFailure::Refused { key, kind: AskKind::Url, refusal };
        self.finish(now, wait.call, Err(failure), Retraction::Stopped, effects);
    }

    /// A server says that a page is done. Only for pages that the person has agreed to does that mean anything.
    pub(super) fn page_completed(
        &mut self,
        now: Millis,
        server: &ServerName,
        elicitation_id: &str,
        effects: &mut Vec<Effect>,
    ) {
        let done = self
            .waits
            .iter_mut()
            .filter(|(_, wait)| wait.server == *server)
            .filter_map(|(id, wait)| wait.completed(elicitation_id).then_some(*id))
            .collect::<Vec<_>>();
        for id in done {
            self.repeat(now, id, Retraction::PagesDone, effects);
        }
        for (call, state) in self.calls.iter_mut().filter(|(_, state)| state.server == *server) {
            if state.page_completed(elicitation_id) {
                effects.push(Effect::PageCompleted { call: *call, server: server.clone() });
            }
        }
    }

    fn repeat(&mut self, now: Millis, id: RoundId, why: Retraction, effects: &mut Vec<Effect>) {
        let Some(wait) = self.waits.remove(&id) else { return };
        effects.push(Effect::Retract { round: id, why });
        if let Some(state) = self.calls.get_mut(&wait.call) {
            state.person_answered(now);
        }
        self.send_leg(now, wait.call, None, effects);
    }

    /// The pages of a round that the server asked for in a request of its own, once they are agreed to.
    pub(super) fn note_pages(&mut self, round: &RoundState) {
        let consented = |slot: &&Slot| matches!(slot.answer, Some((Answer::Consented, _)));
        for slot in round.slots.iter().filter(consented) {
            let AskBody::Url(UrlAsk { elicitation_id: Some(id), .. }) = &slot.ask.body else { continue };
            for call in &round.calls {
                if let Some(state) = self.calls.get_mut(call) {
                    state.page_agreed(id);
                }
            }
        }
    }
}

/// What a person's answer means where the server can be told nothing: going on needs a consent to every page.
pub(super) fn refusal_of(answer: &Answer, by: By) -> Option<Refusal> {
    match answer {
        Answer::Refused(refusal) => Some(refusal.clone()),
        Answer::Declined { .. } | Answer::Cancelled if by == By::Nobody => Some(Refusal::NobodyToAnswer),
        Answer::Declined { reason } => Some(Refusal::ByPerson { reason: reason.clone() }),
        Answer::Cancelled => Some(Refusal::ByPerson { reason: None }),
        Answer::Submitted { .. } | Answer::Consented | Answer::Sampled(_) | Answer::Roots(_) => None,
    }
}
