//! The faces at the desk: what is shown to them, and when.

use askback_core::engine::{OpenRound, Wait};
use askback_desk::{DeskEvent, RoundView, WaitView};
use tokio::sync::mpsc;

use super::Driver;
use crate::host_desk;

impl Driver {
    /// A face has come: it is shown what is open already, then whatever happens.
    pub(super) fn subscribe(&mut self, events: mpsc::UnboundedSender<DeskEvent>) {
        for round in self.conductor.engine().open_rounds() {
            let _ = events.send(DeskEvent::Opened(Box::new(self.view(&round))));
        }
        for wait in self.conductor.engine().waits() {
            let _ = events.send(DeskEvent::Waiting(Box::new(self.wait_view(&wait))));
        }
        self.faces.push(events);
    }

    /// What a face is shown of a round.
    pub(super) fn view(&self, round: &OpenRound) -> RoundView {
        let source = self.specs.get(&round.server).map(|spec| spec.source.line()).unwrap_or_default();
        host_desk::round_view(round, self.most_rounds, source, |call| self.conductor.engine().operation(call).cloned())
    }

    /// What a face is shown of a wait.
    pub(super) fn wait_view(&self, wait: &Wait) -> WaitView {
        let source = self.specs.get(&wait.server).map(|spec| spec.source.line()).unwrap_or_default();
        host_desk::wait_view(wait, source, self.conductor.engine().operation(wait.call))
    }

    /// Tells all faces; those that have gone are forgotten.
    pub(super) fn tell_faces(&mut self, event: &DeskEvent) {
        self.faces.retain(|face| face.send(event.clone()).is_ok());
    }
}
