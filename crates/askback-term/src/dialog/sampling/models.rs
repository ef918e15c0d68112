//! The user's models, to choose another one from.

use askback_core::display::neutralise_line;
use askback_core::sampling::choice::Unusable;
use askback_desk::lending::{ModelOffer, Offer};
use askback_desk::wording::lending as words;

use crate::dialog::menu::{Place, row};
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// The list of models.
pub(super) struct Models {
    at: Place,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    /// This one, by the user's name for it.
    Chosen(String),
}

impl Models {
    /// The list, at the one that is chosen now.
    pub(super) fn new(offer: &Offer) -> Models {
        Models { at: Place(offer.chosen.unwrap_or_default()) }
    }

    pub(super) fn handle(&mut self, key: &Key, offer: &Offer) -> Event {
        if *key == Key::Escape {
            return Event::Back;
        }
        match offer.models.get(self.at.0) {
            Some(model) if self.at.handle(key, offer.models.len()) => Event::Chosen(model.name.clone()),
            _ => Event::Stay,
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>, offer: &Offer) {
        view.body.push(Line::own(context.get("term-pick-model"), Style::Dim));
        for (at, model) in offer.models.iter().enumerate() {
            let here = at == self.at.0;
            if here {
                view.body.focus_here();
            }
            let mark = if offer.chosen == Some(at) { "●" } else { "○" };
            let variables =
                [("name", neutralise_line(&model.name).into()), ("id", neutralise_line(&model.model).into())];
            view.body.push(row(here, Some(mark), &context.texts.format("term-model-of", &variables)));
            view.body.push(Line::lead("      ", Style::Plain).with(details(context, model), Style::Dim));
        }
        if !offer.unusable.is_empty() {
            view.body.gap();
            view.body.push(Line::own(context.get("term-models-unusable"), Style::Dim));
            view.body.extend(offer.unusable.iter().map(|model| unusable(context, model)));
        }
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-back")]);
    }
}

/// The hint that leads to it, its size and its cost.
fn details(context: &Context<'_>, model: &ModelOffer) -> String {
    let texts = context.texts;
    let matched = model.matched.as_ref().map(|matched| words::matched(texts, matched));
    let estimate = [("input", model.estimate.input.into()), ("output", model.estimate.output_at_most.into())];
    let cost = model.cost.as_ref().map_or_else(|| context.get("term-cost-unknown"), |cost| words::cost(texts, cost));
    let parts = [matched, Some(texts.format("term-size-short", &estimate)), Some(cost)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A model that cannot be used, and why.
pub(super) fn unusable(context: &Context<'_>, unusable: &Unusable) -> Line {
    let reasons: Vec<String> = unusable.reasons.iter().map(|reason| words::unfit(context.texts, reason)).collect();
    let name = format!("{}{}", neutralise_line(&unusable.name), context.get("term-colon"));
    let reasons = reasons.join(&context.get("term-list-separator"));
    Line::marked("✗", Style::Dim).with(name, Style::Dim).with(reasons, Style::Dim)
}
