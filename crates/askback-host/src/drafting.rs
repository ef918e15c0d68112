//! Models at work on asks, under rules of the user's: which are, and that they stop when nobody waits for them any more.
//!
//! Must not know models: a [`Drafter`] does, and keeps the user's limits.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::call::{RoundId, ServerName};
use askback_core::sampling::{ModelOrder, SamplingReply, SamplingRequest};
use askback_desk::desk::BoxFuture;
use tokio::task::AbortHandle;

/// Has one of the user's models answer a request for which they passed both gates beforehand.
pub trait Drafter: Send + Sync {
    /// The reply as it may go back to the server.
    ///
    /// Dropping the future stops the model.
    ///
    /// # Errors
    /// Why there is none, in words for a person: the model failed, or one of the user's limits is reached.
    fn draft<'a>(
        &'a self,
        server: &'a ServerName,
        request: SamplingRequest,
        order: ModelOrder,
    ) -> BoxFuture<'a, Result<SamplingReply, String>>;
}

/// The drafts that are under way.
#[derive(Default)]
pub(crate) struct Drafting {
    running: BTreeMap<RoundId, Vec<AbortHandle>>,
}

impl Drafting {
    /// Puts a model to work; `done` hears of the outcome, unless the round is taken away before.
    pub(crate) fn start(
        &mut self,
        round: RoundId,
        drafter: Arc<dyn Drafter>,
        server: ServerName,
        request: SamplingRequest,
        order: ModelOrder,
        done: impl FnOnce(Result<SamplingReply, String>) + Send + 'static,
    ) {
        let task = tokio::spawn(async move { done(drafter.draft(&server, request, order).await) });
        self.running.entry(round).or_default().push(task.abort_handle());
    }

    /// Nobody waits any more for what this round asked.
    pub(crate) fn stop(&mut self, round: RoundId) {
        for task in self.running.remove(&round).into_iter().flatten() {
            task.abort();
        }
    }
}

impl Drop for Drafting {
    fn drop(&mut self) {
        for task in self.running.values().flatten() {
            task.abort();
        }
    }
}
