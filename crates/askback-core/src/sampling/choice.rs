//! Which of the user's models a request gets, and why.
//!
//! Owns the user's models as data, what makes one unusable for a request, and the order of the others. The choice is advice to the user, who
//! may take any model that is usable. Must not know providers, and has no words: the reasons are worded elsewhere.
//!
//! What decides, in this order:
//!
//! 1. A hint that is part of a model's id or name, whatever the case; an earlier hint before a later one.
//! 2. A hint that names the vendor or the class of a model ([`super::families`]).
//! 3. The server's priorities, among the models that a hint matches alike; among all where there is no hint.
//! 4. The user's default, then the order in which the user lists the models. Hints that match nothing lead here too.

use std::cmp::Ordering;

use serde_json::Value;

use super::estimate::{Estimate, Price};
use super::families::{ModelClass, vendor_of};
use super::{Content, SamplingRequest, ToolChoice};

/// A model that the user owns, as configured.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCard {
    /// The user's name for it: the key in `askback.toml`. What is allowed and what is the default is said by this name.
    pub name: String,
    /// The provider's id of the model.
    pub model: String,
    /// Who makes it, if the user says so.
    pub vendor: Option<String>,
    /// How dear it is, from 0 (free) to 1. A server's `costPriority` prefers models with less of it.
    pub cost: f64,
    /// How quick it is, from 0 to 1.
    pub speed: f64,
    /// How capable it is, from 0 to 1.
    pub intelligence: f64,
    /// What it takes besides text.
    pub takes: Takes,
    /// The most tokens that it takes and gives in one request, if known.
    pub context: Option<u64>,
    /// What it costs, if known.
    pub price: Option<Price>,
}

/// What a model takes besides text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    /// Images.
    pub images: bool,
    /// Sound.
    pub audio: bool,
    /// Tools to call, and conversations in which tools were called.
    pub tools: bool,
}

impl ModelCard {
    /// The score of a model for which the user gives none.
    pub const NEUTRAL: f64 = 0.5;
}

/// The user's models in the order in which they suit a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The usable models, the most suitable first.
    pub ranked: Vec<Ranked>,
    /// Why the first is the first; absent when there is none.
    pub why: Option<Why>,
    /// The models that cannot be used for this request, as listed by the user.
    pub unusable: Vec<Unusable>,
}

/// A model that could be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The user's name for it.
    pub name: String,
    /// The hint that leads to it, if one does.
    pub matched: Option<Match>,
    /// How well it suits the server's priorities, 0 to 1, if the server has any.
    pub score: Option<f64>,
}

/// How a hint leads to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The hint, as sent.
    pub hint: String,
    /// By what.
    pub by: MatchBy,
}

/// By what a hint leads to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchBy {
    /// The hint is part of the provider's id.
    Id,
    /// The hint is part of the user's name.
    Name,
    /// The hint names the model's vendor, or a family of its models.
    Vendor,
    /// The hint names models of the same class, of another vendor.
    Class(ModelClass),
}

/// Why a model is the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// A hint is part of its id or name.
    Hint {
        /// The hint, as sent.
        hint: String,
        /// Why this one of the models that the hint leads to.
        among: Among,
    },
    /// A hint names its vendor or class, and no hint matches a model directly.
    MappedHint {
        /// The hint, as sent.
        hint: String,
        /// What is alike.
        by: MatchBy,
        /// Why this one of the models that the hint leads to.
        among: Among,
    },
    /// It suits the server's priorities best.
    Priorities {
        /// How much cost matters to the server, 0 to 1.
        cost: f64,
        /// How much speed does.
        speed: f64,
        /// How much intelligence does.
        intelligence: f64,
    },
    /// It is the user's default.
    Default {
        /// Whether the server had hints, all of which lead nowhere.
        hints_missed: bool,
    },
    /// No other can be used.
    OnlyOne,
    /// It is the first that the user lists.
    FirstListed {
        /// Whether the server had hints, all of which lead nowhere.
        hints_missed: bool,
    },
}

/// What decided between the first and the second of the models that a hint leads to in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// There was only one.
    One,
    /// The server's priorities.
    Priorities,
    /// The user's default.
    Default,
    /// The order in which the user lists them.
    Order,
}

/// A model that cannot be used, with every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The user's name for it.
    pub name: String,
    /// Why; never empty.
    pub reasons: Vec<Unfit>,
}

/// Why a model cannot be used for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The user does not let this server have it.
    NotAllowed,
    /// The request has tools, or tools were called in it.
    NoTools,
    /// The request has an image.
    NoImages,
    /// The request has sound.
    NoAudio,
    /// The request leaves no room for a reply.
    ContextTooSmall {
        /// What the model takes, in tokens.
        context: u64,
        /// What the request is likely to be, in tokens.
        input: u64,
    },
}

impl Choice {
    /// The user's name for the model that suits best.
    pub fn chosen(&self) -> Option<&str> {
        self.ranked.first().map(|ranked| ranked.name.as_str())
    }
}

/// Chooses among the user's models. `allowed` has the names of those that this server may have (all, if absent); `default` is the user's.
///
/// Serves "Model Preferences" of the specification's sampling page.
pub fn choose(
    cards: &[ModelCard],
    request: &SamplingRequest,
    allowed: Option<&[String]>,
    default: Option<&str>,
) -> Choice {
    let needs = Needs::of(request);
    let priorities = Priorities::of(request);
    let mut usable = Vec::new();
    let mut unusable = Vec::new();
    for (order, card) in cards.iter().enumerate() {
        let reasons = needs.unmet(card, allowed);
        if reasons.is_empty() {
            let matched = find_match(card, &request.model_hints);
            let score = priorities.as_ref().map(|priorities| priorities.score(card));
            usable.push(Candidate { card, matched, score, is_default: default == Some(card.name.as_str()), order });
        } else {
            unusable.push(Unusable { name: card.name.clone(), reasons });
        }
    }
    let by_score = request.model_hints.is_empty();
    usable.sort_by(|one, other| one.compare(other, by_score));
    let why = explain(&usable, request, priorities.as_ref());
    let ranked = usable.into_iter().map(|candidate| Ranked {
        name: candidate.card.name.clone(),
        matched: candidate.matched.map(|(_, matched)| matched),
        score: candidate.score,
    });
    Choice { ranked: ranked.collect(), why, unusable }
}

struct Candidate<'c> {
    card: &'c ModelCard,
    matched: Option<(usize, Match)>,
    score: Option<f64>,
    is_default: bool,
    order: usize,
}

impl Candidate<'_> {
    fn rank(&self) -> usize {
        self.matched.as_ref().map_or(usize::MAX, |(rank, _)| *rank)
    }

    /// The better one is less. Where hints miss, the user's default comes before the priorities.
    fn compare(&self, other: &Self, by_score: bool) -> Ordering {
        let missed = self.matched.is_none() && other.matched.is_none() && !by_score;
        let preferred = if missed { other.is_default.cmp(&self.is_default) } else { Ordering::Equal };
        let scores = other.score.unwrap_or_default().total_cmp(&self.score.unwrap_or_default());
        let rest = other.is_default.cmp(&self.is_default).then(self.order.cmp(&other.order));
        self.rank().cmp(&other.rank()).then(preferred).then(scores).then(rest)
    }
}

/// What a request needs of a model.
struct Needs {
    takes: Takes,
    input: u64,
}

impl Needs {
    fn of(request: &SamplingRequest) -> Needs {
        let mut takes =
            Takes { tools: !request.tools.is_empty() && request.tool_choice != ToolChoice::None, ..Takes::default() };
        for content in request.messages.iter().flat_map(|message| &message.content) {
            match content {
                Content::Text(_) => {}
                Content::Image(_) => takes.images = true,
                Content::Audio(_) => takes.audio = true,
                Content::ToolUse { .. } => takes.tools = true,
                Content::ToolResult { content, .. } => {
                    takes.tools = true;
                    let blocks = content.as_array().into_iter().flatten();
                    for kind in blocks.filter_map(|block| block.get("type").and_then(Value::as_str)) {
                        takes.images |= kind == "image";
                        takes.audio |= kind == "audio";
                    }
                }
            }
        }
        Needs { takes, input: Estimate::of(request).input }
    }

    fn unmet(&self, card: &ModelCard, allowed: Option<&[String]>) -> Vec<Unfit> {
        let mut unmet = Vec::new();
        if allowed.is_some_and(|allowed| !allowed.contains(&card.name)) {
            unmet.push(Unfit::NotAllowed);
        }
        for (needed, taken, unfit) in [
            (self.takes.tools, card.takes.tools, Unfit::NoTools),
            (self.takes.images, card.takes.images, Unfit::NoImages),
            (self.takes.audio, card.takes.audio, Unfit::NoAudio),
        ] {
            if needed && !taken {
                unmet.push(unfit);
            }
        }
        // Only the input is weighed: a reply that is too long for the rest is capped, not refused.
        if let Some(context) = card.context.filter(|context| *context <= self.input) {
            unmet.push(Unfit::ContextTooSmall { context, input: self.input });
        }
        unmet
    }
}

/// What matters to the server, each 0 to 1, and not all of it 0.
struct Priorities {
    cost: f64,
    speed: f64,
    intelligence: f64,
}

impl Priorities {
    fn of(request: &SamplingRequest) -> Option<Priorities> {
        let weight = |priority: Option<f64>| score(priority.unwrap_or_default(), 0.0);
        let (cost, speed) = (weight(request.cost_priority), weight(request.speed_priority));
        let intelligence = weight(request.intelligence_priority);
        (cost + speed + intelligence > 0.0).then_some(Priorities { cost, speed, intelligence })
    }

    fn score(&self, card: &ModelCard) -> f64 {
        let of = |value| score(value, ModelCard::NEUTRAL);
        let sum =
            self.cost * (1.0 - of(card.cost)) + self.speed * of(card.speed) + self.intelligence * of(card.intelligence);
        sum / (self.cost + self.speed + self.intelligence)
    }
}

fn score(value: f64, otherwise: f64) -> f64 {
    if value.is_nan() { otherwise } else { value.clamp(0.0, 1.0) }
}

/// The best way from a hint to this model; a smaller number is a better way.
fn find_match(card: &ModelCard, hints: &[String]) -> Option<(usize, Match)> {
    let (id, name) = (card.model.to_lowercase(), card.name.to_lowercase());
    let direct = hints.iter().enumerate().find_map(|(rank, hint)| {
        let wanted = hint.trim().to_lowercase();
        let by = match () {
            () if wanted.is_empty() => return None,
            () if id.contains(&wanted) => MatchBy::Id,
            () if name.contains(&wanted) => MatchBy::Name,
            () => return None,
        };
        Some((rank, Match { hint: hint.clone(), by }))
    });
    direct.or_else(|| {
        hints.iter().enumerate().find_map(|(index, hint)| {
            let rank = hints.len() + 2 * index;
            let class = ModelClass::of(hint);
            let card_class = ModelClass::of(&card.model).or_else(|| ModelClass::of(&card.name));
            let same_vendor =
                card.vendor.as_deref().is_some_and(|vendor| Some(vendor.to_lowercase().as_str()) == vendor_of(hint));
            let other_class = class.is_some() && card_class.is_some() && class != card_class;
            if same_vendor && !other_class {
                return Some((rank, Match { hint: hint.clone(), by: MatchBy::Vendor }));
            }
            let class = class.filter(|class| card_class == Some(*class))?;
            Some((rank + 1, Match { hint: hint.clone(), by: MatchBy::Class(class) }))
        })
    })
}

fn explain(ranked: &[Candidate<'_>], request: &SamplingRequest, priorities: Option<&Priorities>) -> Option<Why> {
    let first = ranked.first()?;
    if let Some((rank, Match { hint, by })) = &first.matched {
        let rival = ranked.get(1).filter(|second| second.rank() == *rank);
        let among = match rival {
            None => Among::One,
            Some(rival) if rival.score != first.score => Among::Priorities,
            Some(_) if first.is_default => Among::Default,
            Some(_) => Among::Order,
        };
        let hint = hint.clone();
        return Some(match *by {
            MatchBy::Id | MatchBy::Name => Why::Hint { hint, among },
            by @ (MatchBy::Vendor | MatchBy::Class(_)) => Why::MappedHint { hint, by, among },
        });
    }
    let Some(second) = ranked.get(1) else { return Some(Why::OnlyOne) };
    let hints_missed = !request.model_hints.is_empty();
    let by_default = first.is_default && (hints_missed || first.score == second.score);
    Some(match priorities {
        _ if by_default => Why::Default { hints_missed },
        Some(Priorities { cost, speed, intelligence }) if first.score != second.score => {
            Why::Priorities { cost: *cost, speed: *speed, intelligence: *intelligence }
        }
        _ => Why::FirstListed { hints_missed },
    })
}

#[cfg(test)]
mod tests;
