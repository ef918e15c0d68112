//! What the person wants done with the request, and what would come of it.

use askback_core::sampling::SamplingRequest;
use askback_core::sampling::differences::{Difference, differences};
use askback_core::sampling::edit::EditError;
use askback_desk::lending::{Offer, Wish};

use super::gate_two::GateTwo;

/// A plan for a model. Nothing has been done of it yet.
pub(super) struct Plan {
    pub(super) wish: Wish,
    pub(super) offer: Offer,
    /// When the offer was made, in milliseconds since the epoch.
    pub(super) offered_at: u64,
    /// What the person has changed of the request.
    pub(super) changes: Vec<Difference>,
    /// What went wrong last.
    pub(super) setback: Option<Setback>,
    /// A draft that the person may go back to.
    pub(super) draft: Option<Box<GateTwo>>,
}

/// Why the person is back at the request.
pub(super) enum Setback {
    /// The model failed; why, in words.
    Failed(String),
    /// The person stopped the model.
    Stopped,
    /// The person's text is no request. It is kept, to be put right.
    Unreadable { text: String, error: EditError },
}

impl Plan {
    /// The plan for a request as it came.
    pub(super) fn new(wish: Wish, offer: Offer, offered_at: u64) -> Plan {
        Plan { wish, offer, offered_at, changes: Vec::new(), setback: None, draft: None }
    }

    /// A new offer for it.
    pub(super) fn offered(&mut self, asked: &SamplingRequest, offer: Offer, offered_at: u64) {
        self.offer = offer;
        self.offered_at = offered_at;
        self.changes = differences(asked, &self.wish.request);
    }

    /// The same with other wishes, of which what was drafted, or went wrong, says nothing.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Wish)) -> Box<Wish> {
        change(&mut self.wish);
        self.setback = None;
        self.draft = None;
        Box::new(self.wish.clone())
    }

    /// Whether a model could be put to work now.
    pub(super) fn can_ask(&self) -> bool {
        self.offer.model().is_some() && self.offer.exceeded.is_none()
    }

    /// The user's name for the model that would be put to work.
    pub(super) fn model(&self) -> String {
        let name = self.offer.model().map(|model| model.name.as_str()).unwrap_or_default();
        askback_core::display::neutralise_line(name)
    }

    /// The text for the person's editor: the request, or what they made of it last.
    pub(super) fn to_edit(&self, comments: &[&str]) -> String {
        match &self.setback {
            Some(Setback::Unreadable { text, .. }) => text.clone(),
            _ => self.wish.request.to_edit(comments),
        }
    }

    /// Reads the text back; nothing where it is no request.
    pub(super) fn read(&mut self, text: String) -> Option<SamplingRequest> {
        match self.wish.request.from_edit(&text) {
            Ok(request) => Some(request),
            Err(error) => {
                self.setback = Some(Setback::Unreadable { text, error });
                None
            }
        }
    }
}
