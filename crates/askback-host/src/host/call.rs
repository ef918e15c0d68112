//! The handle of a call that is under way.

use askback_core::call::CallId;
use askback_core::engine::Ending;
use tokio::sync::{mpsc, oneshot};

use super::Command;

/// A call that is under way.
pub struct Call {
    pub(super) id: CallId,
    pub(super) ending: oneshot::Receiver<Box<Ending>>,
    pub(super) commands: mpsc::UnboundedSender<Command>,
}

impl Call {
    /// Identifies the call.
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Waits for the end; nothing when the host went away first.
    pub async fn ending(&mut self) -> Option<Ending> {
        (&mut self.ending).await.ok().map(|ending| *ending)
    }

    /// Stops the call: the server is told, prompts close. [`Call::ending`] follows at once.
    pub fn stop(&self) {
        let _ = self.commands.send(Command::Stop { call: self.id });
    }
}
