//! What the conductor wants done is done.
//!
//! Owns the way from each [`Todo`] to whom it concerns. Decides nothing.

use std::time::Instant;

use askback_core::answer::{Answer, By};
use askback_core::call::{RoundId, ServerName};
use askback_core::engine::Decided;
use askback_core::sampling::{ModelOrder, SamplingReply};
use askback_core::{Ask, AskBody};
use askback_desk::DeskEvent;

use super::Driver;
use crate::conductor::Todo;
use crate::disclosure::Disclosure;
use crate::host::{Command, Notice};
use crate::host_desk;
use crate::listening::ListeningState;
use crate::wall_clock;

impl Driver {
    /// Does, or tells, what the conductor says.
    pub(super) fn carry_out(&mut self, todo: Todo) {
        match todo {
            Todo::Send { server, message } => {
                if let Some(link) = self.links.get(&server) {
                    link.send(message);
                }
            }
            Todo::Reconnect { server } => self.reconnect(server),
            Todo::Publish(round) => {
                let view = self.view(&round);
                self.tell_faces(&DeskEvent::Opened(Box::new(view)));
            }
            Todo::Await(wait) => {
                let view = self.wait_view(&wait);
                self.tell_faces(&DeskEvent::Waiting(Box::new(view)));
            }
            Todo::AnswerPetition { petition, answer } => self.answer_petition(petition, answer),
            Todo::PageCompleted { server, .. } => {
                let _ = self.notices.send(Notice::PageCompleted { server });
            }
            Todo::Draft { round, index, server, ask, order } => self.draft(round, index, server, *ask, order),
            Todo::Retract { round, why } => {
                self.drafting.stop(round);
                self.tell_faces(&DeskEvent::Closed { round, why: host_desk::closed(why) });
            }
            Todo::Decided(decided) => {
                self.open_if_scripted(&decided);
                if decided.ask.as_ref().is_some_and(|ask| ask.body == AskBody::Roots) {
                    self.told_roots.insert(decided.server.clone());
                }
                let _ = self.notices.send(Notice::Decided(decided));
            }
            Todo::Given(decided) => self.disclose(&decided),
            Todo::Finished { call, ending } => {
                if let Some(sender) = self.calls.remove(&call) {
                    let _ = sender.send(ending);
                }
            }
            Todo::Responded { request, outcome } => {
                if let Some(sender) = self.requests.remove(&request) {
                    let _ = sender.send(outcome);
                }
            }
            Todo::Listed { server, page } => {
                if let Some(cache) = self.caches.get(&server) {
                    cache.keep(page, wall_clock::now());
                }
            }
            Todo::Changed { server, change } => self.changed(server, change),
            Todo::Listening { server, left_out } => {
                self.tries.entry(server.clone()).or_default().begun(Instant::now());
                self.tell_listening(server, ListeningState::Begun { left_out });
            }
            Todo::ListeningEnded { server, end } => self.listening_ended(server, end),
            Todo::Violated { server, violation } => {
                let _ = self.notices.send(Notice::Violated { server, violation });
            }
            Todo::Progressed { call, progress, total, message } => {
                let _ = self.notices.send(Notice::Progressed { call, progress, total, message });
            }
            Todo::Working { call, status, message } => {
                let _ = self.notices.send(Notice::Working { call, status, message });
            }
            Todo::Logged { server, level, logger, text } => {
                let _ = self.notices.send(Notice::Logged { server, level, logger, text });
            }
        }
    }

    fn draft(&mut self, round: RoundId, index: usize, server: ServerName, ask: Ask, order: ModelOrder) {
        let commands = self.commands.clone();
        let done = move |outcome: Result<SamplingReply, String>| {
            let _ = commands.send(Command::Drafted { round, index, outcome: outcome.map(Box::new) });
        };
        match (ask.body, self.lender.clone()) {
            (AskBody::Sampling(request), Some(lender)) => {
                self.drafting.start(round, lender, server, *request, order, done);
            }
            _ => done(Err("no model is there".to_owned())),
        }
    }

    /// A page that an answer file consented to is opened only if the file says so as well.
    fn open_if_scripted(&self, decided: &Decided) {
        let Some(ask) = &decided.ask else { return };
        let AskBody::Url(page) = &ask.body else { return };
        let consented = decided.answer == Answer::Consented && decided.by == By::Answers;
        if !consented || !self.conductor.engine().answers().opens(&decided.server, ask) {
            return;
        }
        let Some(opener) = self.opener.clone() else { return };
        let (url, notices) = (page.url.clone(), self.notices.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(detail) = opener(&url) {
                let _ = notices.send(Notice::PageNotOpened { url, detail });
            }
        });
    }

    /// Writes down what a server is about to be given. What cannot be written down is told at once, and the answer goes out all the same: the
    /// person, or a rule of theirs, wants it to.
    fn disclose(&self, decided: &Decided) {
        let Some(disclosing) = &self.disclosing else { return };
        let source = self.specs.get(&decided.server).map(|spec| spec.source.line()).unwrap_or_default();
        let call = match decided.calls[..] {
            [call] => self.conductor.engine().operation(call).map(|operation| operation.subject().to_owned()),
            _ => None,
        };
        let entry = Disclosure::of(decided, source, call, wall_clock::now(), &disclosing.redactor);
        if let Some(Err(error)) = entry.map(|entry| disclosing.log.add(&entry)) {
            let _ =
                self.notices.send(Notice::NotWrittenDown { server: decided.server.clone(), detail: error.to_string() });
        }
    }
}
