//! One round: its asks and the answers they have so far.

use super::call_state::OpenTo;
use super::{Decided, Effect, OpenRound, Record, Returns, Told, pages};
use crate::answer::{Answer, By, Refusal};
use crate::ask::{Ask, AskKind};
use crate::call::{CallId, RoundId, ServerName};
use crate::roots::RootOffer;
use crate::sampling::ModelOrder;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoundState {
    pub(super) server: ServerName,
    pub(super) calls: Vec<CallId>,
    pub(super) number: u32,
    pub(super) returns: Returns,
    pub(super) slots: Vec<Slot>,
    /// Whom it is put to, while it is open.
    pub(super) open_to: OpenTo,
    /// The folders that people choose from, if one of the asks is for them.
    pub(super) roots: Vec<RootOffer>,
}

/// An ask and, once there is one, its answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) ask: Ask,
    pub(super) answer: Option<(Answer, By)>,
    /// What a model is at, until it has answered or failed.
    pub(super) order: Option<ModelOrder>,
}

impl RoundState {
    pub(super) fn is_settled(&self) -> bool {
        self.slots.iter().all(|slot| slot.answer.is_some())
    }

    /// Whether a model is at work on any of it. People are asked when it is done.
    pub(super) fn is_with_models(&self) -> bool {
        self.slots.iter().any(|slot| slot.answer.is_none() && slot.order.is_some())
    }

    pub(super) fn answered_by(&self) -> Vec<Option<By>> {
        self.slots.iter().map(|slot| slot.answer.as_ref().map(|(_, by)| *by)).collect()
    }

    pub(super) fn calls_only(&self, call: CallId) -> bool {
        self.calls[..] == [call]
    }

    /// A refusal that the server cannot be told, because nobody waits for an answer.
    pub(super) fn untellable_refusal(&self) -> Option<(String, AskKind, Refusal)> {
        self.slots.iter().find_map(|slot| {
            let refusal = match (&self.returns, &slot.answer) {
                (Returns::Resend { .. } | Returns::Follow { .. }, Some((Answer::Refused(refusal), _))) => {
                    refusal.clone()
                }
                (Returns::Repeat, Some((answer, by))) => pages::refusal_of(answer, *by)?,
                _ => return None,
            };
            Some((slot.ask.key.clone(), slot.ask.kind(), refusal))
        })
    }

    pub(super) fn open(&self, id: RoundId) -> OpenRound {
        let waiting = self.slots.iter().enumerate().filter(|(_, slot)| slot.answer.is_none());
        OpenRound {
            id,
            server: self.server.clone(),
            calls: self.calls.clone(),
            number: self.number,
            asks: waiting.map(|(index, slot)| (index, slot.ask.clone())).collect(),
            roots: self.roots.clone(),
            told: match self.returns {
                Returns::Reply { .. } => Told::Everything,
                Returns::Resend { .. } | Returns::Follow { .. } => Told::Answers,
                Returns::Repeat => Told::Nothing,
            },
        }
    }

    pub(super) fn record(&self, slot: &Slot, answer: Answer, by: By) -> Effect {
        Effect::Record(Record::Decided(Box::new(self.decided(slot, answer, by))))
    }

    /// What the server learns when all answers go out.
    pub(super) fn given(&self) -> impl Iterator<Item = Effect> {
        self.slots.iter().filter_map(|slot| {
            let (answer, by) = slot.answer.clone().filter(|(answer, _)| answer.tells())?;
            Some(Effect::Record(Record::Given(Box::new(self.decided(slot, answer, by)))))
        })
    }

    fn decided(&self, slot: &Slot, answer: Answer, by: By) -> Decided {
        Decided {
            server: self.server.clone(),
            calls: self.calls.clone(),
            round: self.number,
            key: slot.ask.key.clone(),
            ask: Some(slot.ask.clone()),
            answer,
            by,
        }
    }
}
