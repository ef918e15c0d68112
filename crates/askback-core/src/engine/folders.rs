//! Roots: what a server may be told now, what a person has said of it in this run, and what follows when the folders change.
//!
//! Owns that nothing is disclosed which is not offered at that moment, and nothing that nobody agreed to. Must not know where folders come
//! from, nor look at them.

use std::collections::BTreeMap;

use super::round_state::RoundState;
use super::{Effect, Engine, Millis, OpenTo};
use crate::answer::{Answer, By};
use crate::ask::AskBody;
use crate::call::{RoundId, ServerName};
use crate::roots::{Root, RootOffer};

/// What a person has said in this run, by the root's URI.
pub(super) type Said = BTreeMap<String, bool>;

/// The offers with what the person has said of them in this run, which goes before anything that was said earlier.
pub(super) fn standing(offers: &[RootOffer], said: Option<&Said>) -> Vec<RootOffer> {
    let word = |offer: &RootOffer| said.and_then(|said| said.get(&offer.root.uri)).copied().or(offer.agreed);
    offers.iter().map(|offer| RootOffer { agreed: word(offer), ..offer.clone() }).collect()
}

/// What goes out without anybody being asked, and who decided that; nothing when somebody has to be asked.
pub(super) fn answer(offers: &[RootOffer], said: Option<&Said>, person: bool) -> Option<(Answer, By)> {
    let standing = standing(offers, said);
    if person && standing.iter().any(|offer| offer.agreed.is_none()) {
        return None;
    }
    let by = match said {
        Some(said) if standing.iter().any(|offer| said.contains_key(&offer.root.uri)) => By::Person,
        _ => By::Config,
    };
    Some((Answer::Roots(agreed(standing)), by))
}

fn agreed(standing: Vec<RootOffer>) -> Vec<Root> {
    standing.into_iter().filter(|offer| offer.agreed == Some(true)).map(|offer| offer.root).collect()
}

/// What the server would notice of the offers: those that it may be told, and those that it may be told if somebody says so.
fn noticed(offers: &[RootOffer], said: Option<&Said>) -> Vec<RootOffer> {
    standing(offers, said).into_iter().filter(|offer| offer.agreed != Some(false)).collect()
}

impl Engine {
    /// The offers for a server as they stand.
    pub(super) fn standing_roots(&self, server: &ServerName) -> Vec<RootOffer> {
        let offers = self.rules.roots.get(server).map(Vec::as_slice).unwrap_or_default();
        standing(offers, self.said_of_roots.get(server))
    }

    /// What is offered and agreed to at this moment, of what was to be disclosed.
    pub(super) fn still_agreed(&self, server: &ServerName, roots: Vec<Root>) -> Vec<Root> {
        let agreed = agreed(self.standing_roots(server));
        roots.into_iter().filter(|root| agreed.contains(root)).collect()
    }

    /// A person has answered a roots ask: that is their word on each folder that they were shown, until this run ends.
    pub(super) fn said_roots(&mut self, server: ServerName, shown: &[RootOffer], chosen: &[Root]) {
        let said = self.said_of_roots.entry(server).or_default();
        said.extend(shown.iter().map(|offer| (offer.root.uri.clone(), chosen.contains(&offer.root))));
    }

    /// Other folders are offered from now on. The state is changed before anybody is told.
    pub(super) fn roots_changed(
        &mut self,
        now: Millis,
        server: ServerName,
        offers: Vec<RootOffer>,
        effects: &mut Vec<Effect>,
    ) {
        let before = self.rules.roots.insert(server.clone(), offers).unwrap_or_default();
        let said = self.said_of_roots.get(&server);
        let after = self.rules.roots.get(&server).map(Vec::as_slice).unwrap_or_default();
        if noticed(&before, said) == noticed(after, said) {
            return;
        }
        self.take_back(&server, effects);
        effects.push(Effect::TellRootsChanged { server: server.clone() });
        self.answer_open_roots(now, &server, effects);
    }

    /// What is decided and has not gone out yet goes out without the folders that are not there, or not agreed to, any longer.
    pub(super) fn take_back(&mut self, server: &ServerName, effects: &mut Vec<Effect>) {
        let agreed = agreed(self.standing_roots(server));
        for round in self.rounds.values_mut().filter(|round| round.server == *server) {
            let mut changed = Vec::new();
            for (index, slot) in round.slots.iter_mut().enumerate() {
                // An answer file says what is sent, whatever is there.
                let Some((Answer::Roots(roots), By::Config | By::Person)) = &mut slot.answer else { continue };
                let count = roots.len();
                roots.retain(|root| agreed.contains(root));
                if roots.len() < count {
                    changed.push(index);
                }
            }
            for slot in changed.into_iter().map(|index| &round.slots[index]) {
                let Some((answer, by)) = slot.answer.clone() else { continue };
                effects.push(round.record(slot, answer, by));
            }
        }
    }

    /// Answers what waits for a person and needs none any more, because they have said it elsewhere.
    pub(super) fn answer_open_roots(&mut self, now: Millis, server: &ServerName, effects: &mut Vec<Effect>) {
        while let Some((id, index)) = self.open_roots_ask(server) {
            let offers = self.rules.roots.get(server).map(Vec::as_slice).unwrap_or_default();
            let said = self.said_of_roots.get(server);
            let Some((answer, by)) = answer(offers, said, self.rules.person) else { return };
            self.answered(now, id, index, answer, by, effects);
        }
    }

    fn open_roots_ask(&self, server: &ServerName) -> Option<(RoundId, usize)> {
        let shown = |round: &&RoundState| round.server == *server && round.open_to == OpenTo::People;
        let mut rounds = self.rounds.iter().filter(|(_, round)| shown(round));
        rounds.find_map(|(id, round)| {
            let open = |slot: &super::Slot| slot.answer.is_none() && slot.ask.body == AskBody::Roots;
            round.slots.iter().position(open).map(|index| (*id, index))
        })
    }
}
