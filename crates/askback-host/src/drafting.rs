//! Models at work on asks, under rules of the user's: which are, and that they stop when nobody waits for them any more.
//!
//! Must not know models: the [`Lender`] does, and keeps the user's limits.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::call::{RoundId, ServerName};
use askback_core::sampling::{ModelOrder, SamplingReply, SamplingRequest};
use tokio::task::AbortHandle;

use crate::lending::Lender;

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
        lender: Arc<Lender>,
        server: ServerName,
        request: SamplingRequest,
        order: ModelOrder,
        done: impl FnOnce(Result<SamplingReply, String>) + Send + 'static,
    ) {
        let task = tokio::spawn(async move { done(lender.answer(server.as_str(), request, order).await) });
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
