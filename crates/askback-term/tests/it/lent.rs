//! Models that are not there: offers by the rules of core, and drafts as a test says.

use std::collections::VecDeque;

use askback_core::redaction::Redactor;
use askback_core::sampling::budget::{self, Ledger, Limits, Wanted};
use askback_core::sampling::choice::{self, ModelCard, Takes};
use askback_core::sampling::estimate::{Estimate, Price};
use askback_core::sampling::{ReplyContent, SamplingReply};
use askback_desk::lending::{Draft, DraftEvent, ModelOffer, Offer, Wish};

/// The time of all offers, in milliseconds since the epoch.
pub(crate) const NOW: u64 = 1_780_000_000_000;

/// Lends three models.
#[derive(Clone)]
pub(crate) struct Lender {
    pub(crate) cards: Vec<ModelCard>,
    pub(crate) allowed: Option<Vec<String>>,
    pub(crate) limits: Limits,
    pub(crate) ledger: Ledger,
    /// What the models write, one entry each time that one is put to work.
    pub(crate) drafts: VecDeque<Vec<DraftEvent>>,
}

fn card(name: &str, model: &str, images: bool, price: Option<(f64, f64)>) -> ModelCard {
    ModelCard {
        name: name.into(),
        model: model.into(),
        vendor: None,
        cost: ModelCard::NEUTRAL,
        speed: ModelCard::NEUTRAL,
        intelligence: ModelCard::NEUTRAL,
        takes: Takes { images, audio: false, tools: images },
        context: Some(32_000),
        price: price.map(|(input, output)| Price { input, output }),
    }
}

impl Lender {
    pub(crate) fn new() -> Lender {
        Lender {
            cards: vec![
                card("small", "qwen3-4b", false, None),
                card("sonnet", "claude-sonnet-9", true, Some((3.0, 15.0))),
                card("vision", "gpt-9-vision", true, Some((1.0, 4.0))),
            ],
            allowed: None,
            limits: Limits { requests_per_minute: Some(10), tokens_per_day: Some(100_000), ..Limits::default() },
            ledger: Ledger::default(),
            drafts: VecDeque::new(),
        }
    }

    pub(crate) fn drafting(drafts: Vec<Vec<DraftEvent>>) -> Lender {
        Lender { drafts: drafts.into(), ..Lender::new() }
    }

    pub(crate) fn offer(&self, wish: &Wish) -> Offer {
        let redacted = Redactor::new::<&str>(&[]).expect("there is no pattern to be wrong").redact(&wish.request);
        let choice = choice::choose(&self.cards, &wish.request, self.allowed.as_deref(), Some("small"));
        let mut sent = if wish.redact { redacted.request } else { wish.request.clone() };
        let estimate = Estimate::of(&sent);
        let card = |name: &str| self.cards.iter().find(|card| card.name == name).expect("the model is there");
        let mut models: Vec<ModelOffer> = (choice.ranked.iter())
            .map(|ranked| ModelOffer {
                name: ranked.name.clone(),
                model: card(&ranked.name).model.clone(),
                matched: ranked.matched.clone(),
                estimate,
                cost: card(&ranked.name).price.map(|price| estimate.cost(&price)),
            })
            .collect();
        let wanted = wish.model.as_deref().or(choice.chosen());
        let chosen = models.iter().position(|model| Some(model.name.as_str()) == wanted);
        let checked = chosen.map(|at| {
            let card = card(&models[at].name);
            let wanted = Wanted::of(&sent, card.price, card.context);
            budget::check(&self.limits, &self.ledger, "travel", NOW, &wanted)
        });
        let within = checked.and_then(Result::ok);
        if let (Some(within), Some(at)) = (within, chosen) {
            sent.max_tokens = within.max_tokens;
            models[at].estimate.output_at_most = within.max_tokens;
            models[at].cost = card(&models[at].name).price.map(|price| models[at].estimate.cost(&price));
        }
        Offer {
            sent,
            chosen,
            models,
            why: choice.why,
            unusable: choice.unusable,
            found: redacted.found,
            capped: within.and_then(|within| within.capped),
            limits: self.limits,
            left: budget::left(&self.limits, &self.ledger, "travel", NOW),
            exceeded: checked.and_then(Result::err),
        }
    }
}

/// A reply of a model, as it comes in the end.
pub(crate) fn reply(content: Vec<ReplyContent>) -> SamplingReply {
    let calls = content.iter().any(|content| matches!(content, ReplyContent::ToolUse { .. }));
    let stop_reason = if calls { "toolUse" } else { "maxTokens" };
    SamplingReply { content, model: "claude-sonnet-9".into(), stop_reason: Some(stop_reason.into()) }
}

/// The end of a draft.
pub(crate) fn finished(content: Vec<ReplyContent>) -> DraftEvent {
    let draft = Draft { reply: reply(content), restored: None, tokens: Some((1712, 24)), left_out: Vec::new() };
    DraftEvent::Finished(Box::new(draft))
}

/// A draft of text.
pub(crate) fn text(text: &str) -> Vec<DraftEvent> {
    vec![DraftEvent::Text(text.into()), finished(vec![ReplyContent::Text(text.into())])]
}
