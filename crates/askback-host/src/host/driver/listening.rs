//! Changes that servers tell of, and listening to them that breaks off.
//!
//! Must not know how long is waited between two tries; that is [`Tries`](crate::listening::Tries).

use std::time::Instant;

use askback_core::call::ServerName;
use askback_wire::session::{Change, ListeningEnd};

use super::Driver;
use crate::host::{Command, Notice};
use crate::listening::ListeningState;

impl Driver {
    /// What is kept of a list that has changed is of no use any more.
    pub(super) fn changed(&self, server: ServerName, change: Change) {
        if let (Change::List(list), Some(cache)) = (&change, self.caches.get(&server)) {
            list.methods().iter().for_each(|method| cache.forget(method));
        }
        let _ = self.notices.send(Notice::Changed { server, change });
    }

    /// Listens again after a pause, as often as that is worth trying.
    pub(super) fn listening_ended(&mut self, server: ServerName, end: ListeningEnd) {
        let detail = match end {
            ListeningEnd::Refused(error) => return self.tell_listening(server, ListeningState::Refused { error }),
            ListeningEnd::Finished => "the server ended it".to_owned(),
            ListeningEnd::Cut(detail) => detail,
        };
        let Some(pause) = self.tries.entry(server.clone()).or_default().ended(Instant::now()) else {
            return self.tell_listening(server, ListeningState::Over { detail });
        };
        self.tell_listening(server.clone(), ListeningState::Interrupted { detail });
        let commands = self.commands.clone();
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let _ = commands.send(Command::ListenAgain { server });
        });
    }

    /// Tells how listening to a server stands.
    pub(super) fn tell_listening(&self, server: ServerName, state: ListeningState) {
        let _ = self.notices.send(Notice::Listening { server, state });
    }
}
