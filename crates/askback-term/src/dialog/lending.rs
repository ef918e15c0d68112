//! What passes between a dialog and the models that the runner puts to work for it.
//!
//! Owns the dialog's part in that: what is asked of the runner, and what is made of its news. Must not know what a stage shows of them.

use askback_core::ask::AskBody;
use askback_core::display::neutralise_line;
use askback_desk::lending::{DraftEvent, Offer, Permission};

use super::view::{Errand, Step};
use super::{Dialog, Outcome, sampling};
use crate::drawing::{Line, Style};

impl Dialog {
    /// What would happen with what was wished for; nothing where no model is configured. `now` is the time, in milliseconds since the epoch.
    pub fn offered(&mut self, offer: Option<Offer>, now: u64) {
        if !std::mem::take(&mut self.offering) {
            if let Some(stage) = &mut self.stage {
                stage.offered(offer, now);
            }
        } else if let AskBody::Sampling(request) = &self.ask().body {
            let stage = sampling::SamplingStage::new(request.as_ref().clone(), offer, now);
            self.put(Box::new(stage));
        }
    }

    /// News of the model that was put to work.
    pub fn drafted(&mut self, event: DraftEvent) -> Vec<Outcome> {
        let stage = self.stage.as_mut().filter(|stage| stage.is_working());
        let step = stage.map_or(Step::Stay, |stage| stage.drafted(event));
        self.step(step)
    }

    /// Whether a model is at work. Once this says no, it is to be stopped.
    pub fn is_working(&self) -> bool {
        !self.done && self.stage.as_ref().is_some_and(|stage| stage.is_working())
    }

    /// The permission holds from now on; whether it could be written down as well.
    pub fn permitted(&mut self, permission: Permission, written: Result<(), String>) {
        let id = match permission {
            Permission::Session => "term-permitted-session",
            Permission::Always => "term-permitted-always",
        };
        let server = self.server.as_str();
        let line = match written {
            Ok(()) => {
                let text = self.texts.format(id, &[("server", server.into())]);
                Line::marked("✓", Style::Good).with(text, Style::Plain)
            }
            Err(why) => {
                let variables = [("server", server.into()), ("why", neutralise_line(&why).into())];
                let text = self.texts.format("term-permitted-unwritten", &variables);
                Line::marked("!", Style::Warning).with(text, Style::Warning)
            }
        };
        self.settled.push(line);
    }

    pub(super) fn put_to_work(&mut self, errand: Errand) -> Vec<Outcome> {
        let Errand { wish, permission, said } = errand;
        self.settled.push(Line::blank());
        self.settled.extend(said);
        let permit = permission.map(|permission| Outcome::Permit { permission });
        permit.into_iter().chain([Outcome::Draft { wish: Box::new(wish) }]).collect()
    }
}
