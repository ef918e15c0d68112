//! Calls that wait for pages: the server refuses a call until the person has been somewhere, and then wants it once more as it was.
//!
//! Owns the time between consent and the next try. A consent is the person's alone; what the server says of a page afterwards can only
//! spare them the word that they are done.

use super::waits::{Reason, WaitState};
use super::{CallFailure, Effect, Engine, Millis, Retraction, RoundState, Slot};
use crate::answer::{Answer, By, Refusal};
use crate::ask::{AskBody, AskKind, UrlAsk};
use crate::call::{CallId, RoundId, ServerName};

/// A page that a person has agreed to visit before the call is tried again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Page {
    pub(super) ask: UrlAsk,
    /// The key of the ask.
    key: String,
    /// Whether the server says that nothing is left to do there.
    done: bool,
}

impl Page {
    fn of(slot: Slot) -> Option<Page> {
        match slot.ask.body {
            AskBody::Url(ask) => Some(Page { ask, key: slot.ask.key, done: false }),
            AskBody::Form(_) | AskBody::Sampling(_) | AskBody::Roots => None,
        }
    }
}

impl Engine {
    /// The person has agreed to every page: now they go there, and then the call is tried again.
    pub(super) fn await_pages(
        &mut self,
        now: Millis,
        id: RoundId,
        round: RoundState,
        call: CallId,
        effects: &mut Vec<Effect>,
    ) {
        if self.rules.person {
            let pages = round.slots.into_iter().filter_map(Page::of).collect();
            return self.wait(now, id, WaitState { server: round.server, call, reason: Reason::Pages(pages) }, effects);
        }
        // Nobody is there to say when; an answer file means that somebody else sees to the page.
        if let Some(state) = self.calls.get_mut(&call) {
            state.pause_before_repeat(now);
        }
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
            .filter_map(|(id, wait)| all_done(&mut wait.reason, elicitation_id).then_some(*id))
            .collect::<Vec<_>>();
        for id in done {
            self.go_on(now, id, Retraction::PagesDone, effects);
        }
        for (call, state) in self.calls.iter_mut().filter(|(_, state)| state.server == *server) {
            if state.page_completed(elicitation_id) {
                effects.push(Effect::PageCompleted { call: *call, server: server.clone() });
            }
        }
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

/// Takes note of a page; true once that was the last one that a call waits for.
fn all_done(reason: &mut Reason, elicitation_id: &str) -> bool {
    let Reason::Pages(pages) = reason else { return false };
    let mut any = false;
    for page in pages.iter_mut() {
        if page.ask.elicitation_id.as_deref() == Some(elicitation_id) {
            any |= !page.done;
            page.done = true;
        }
    }
    any && pages.iter().all(|page| page.done)
}

/// How a call ends whose pages the person does not want to visit after all.
pub(super) fn not_visited(pages: &[Page]) -> CallFailure {
    let key = pages.first().map(|page| page.key.clone()).unwrap_or_default();
    CallFailure::Refused { key, kind: AskKind::Url, refusal: Refusal::ByPerson { reason: None } }
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
