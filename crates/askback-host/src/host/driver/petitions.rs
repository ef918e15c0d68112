//! Requests that are held up until a person has got leave.
//!
//! Owns the way of the person's word to whoever holds the request up. Must not know what the word means.

use std::sync::atomic::Ordering;

use askback_core::call::ServerName;
use askback_core::engine::{LeaveAnswer, PetitionId};

use super::Driver;
use crate::conductor::Arrived;
use crate::connection::Petition;
use crate::host::Command;

impl Driver {
    /// A request is held up; that nothing is done about it any more will be told, too.
    pub(super) fn held_up(&mut self, server: ServerName, id: u64, held: Petition) {
        let Petition { leave, answer, over } = held;
        let petition = PetitionId(self.next.fetch_add(1, Ordering::Relaxed));
        self.petitions.insert(petition, answer);
        let commands = self.commands.clone();
        tokio::spawn(async move {
            // Nothing is ever sent there.
            let _ = over.await;
            let _ = commands.send(Command::LeaveSettled { petition });
        });
        self.arrived(Arrived::HeldUp { server, id, petition, leave });
    }

    /// Takes a person's word to where it is waited for.
    pub(super) fn answer_petition(&mut self, petition: PetitionId, answer: LeaveAnswer) {
        if let Some(waiting) = self.petitions.remove(&petition) {
            // A request that is over waits for nothing.
            let _ = waiting.send(answer);
        }
    }
}
