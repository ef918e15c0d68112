//! Answer files: scripted answers, matched to asks.
//!
//! Owns what an entry is, how entries are chosen and used up, and what a run with these entries may declare. `read` makes entries from
//! TOML; `suggest` writes an entry ready to paste for an ask that had none.

mod read;
mod suggest;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::{Map, Value};
use wildmatch::WildMatch;

pub use read::AnswerFileError;
pub use suggest::suggest;

use crate::answer::{Answer, Refusal};
use crate::ask::{Ask, AskBody, AskKind};
use crate::call::{Operation, ServerName};
use crate::form::ContentError;
use crate::roots::Root;
use crate::sampling::{Content, ModelOrder, ReplyContent, SamplingReply};
use crate::url_safety::{self, NotOpenable, Openable};

/// All entries of all answer files of a run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerBook {
    entries: Vec<Entry>,
    /// The consents given, in order: to whom, for which ask, and whether the entry lets the page be opened.
    consents: Vec<(ServerName, Ask, bool)>,
}

/// One scripted answer and the asks that it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The file and the number of the entry in it, for messages.
    pub place: String,
    matcher: Matcher,
    decision: Decision,
    /// How often it may be used; nothing for any number of times.
    times: Option<u32>,
    used: u32,
}

/// Which asks an entry is for; what is not given matches everything.
#[derive(Clone, Debug, Default)]
struct Matcher {
    server: Option<WildMatch>,
    tool: Option<WildMatch>,
    kind: Option<AskKind>,
    message: Option<TextMatch>,
    key: Option<String>,
    field: Option<String>,
    round: Option<u32>,
}

impl PartialEq for Matcher {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

/// How the message is compared.
#[derive(Clone, Debug)]
enum TextMatch {
    Contains(String),
    Regex(regex::Regex),
}

/// What an entry answers with.
#[derive(Clone, Debug, PartialEq)]
enum Decision {
    Accept { content: Option<Map<String, Value>>, open: bool },
    Decline { reason: Option<String> },
    Cancel,
    Reply { content: Vec<ReplyContent>, model: String, stop_reason: Option<String> },
    Model { order: ModelOrder },
    Roots(Vec<Root>),
}

/// What the entries say of one ask.
#[derive(Clone, Debug, PartialEq)]
pub enum Scripted {
    /// This is the answer.
    Answer(Answer),
    /// The content of the entry that matches does not satisfy the form.
    Invalid {
        /// Where the entry stands.
        place: String,
        /// Every place that is wrong.
        errors: Vec<ContentError>,
    },
    /// The entry that matches accepts to go to an address that is never opened.
    NotOpenable {
        /// Where the entry stands.
        place: String,
        /// What is wrong with the address.
        why: NotOpenable,
    },
    /// The entry has a model answer.
    Model {
        /// Where the entry stands.
        place: String,
        /// Which model, and what it is given.
        order: ModelOrder,
    },
}

/// What a run with these entries alone can answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// Elicitation in form mode.
    pub form: bool,
    /// Elicitation in URL mode.
    pub url: bool,
    /// Sampling, with tools.
    pub sampling: bool,
    /// Roots.
    pub roots: bool,
}

impl AnswerBook {
    /// Adds the entries of one file; `name` is what messages call it.
    ///
    /// # Errors
    /// The first thing in the file that is no valid entry. Nothing is added then.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), AnswerFileError> {
        self.entries.extend(read::read(name, text)?);
        Ok(())
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What a run with these entries alone can answer: an entry with a kind declares that kind, one without declares all that people are
    /// asked for.
    pub fn abilities(&self) -> Abilities {
        let mut abilities = Abilities::default();
        for entry in &self.entries {
            match entry.matcher.kind {
                Some(AskKind::Form) => abilities.form = true,
                Some(AskKind::Url) => abilities.url = true,
                Some(AskKind::Sampling) => abilities.sampling = true,
                Some(AskKind::Roots) => abilities.roots = true,
                None => {
                    (abilities.form, abilities.url, abilities.sampling) = (true, true, true);
                }
            }
            abilities.roots |= matches!(entry.decision, Decision::Roots(_));
        }
        abilities
    }

    /// The entries that were never used.
    pub fn unused(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.used == 0)
    }

    /// Whether the page of this ask may be opened: the entry that consented to it says so.
    pub fn opens(&self, server: &ServerName, ask: &Ask) -> bool {
        let consent = self.consents.iter().rev().find(|(to, of, _)| to == server && of == ask);
        consent.is_some_and(|(.., open)| *open)
    }

    /// The scripted answer for an ask, if an entry matches that is not used up. Using it counts.
    pub fn take(
        &mut self,
        server: &ServerName,
        operation: Option<&Operation>,
        round: u32,
        ask: &Ask,
    ) -> Option<Scripted> {
        let entry = self.entries.iter_mut().find(|entry| {
            entry.times.is_none_or(|times| entry.used < times)
                && entry.matcher.matches(server, operation, round, ask)
                && entry.decision.suits(ask)
        })?;
        entry.used += 1;
        let scripted = entry.answer(ask);
        if let (Decision::Accept { open, .. }, Scripted::Answer(Answer::Consented)) = (&entry.decision, &scripted) {
            self.consents.push((server.clone(), ask.clone(), *open));
        }
        Some(scripted)
    }
}

/// What `message` is compared with: the server's words to the person, or the texts of the last message to a model, a line each.
fn words_of(ask: &Ask) -> Cow<'_, str> {
    let AskBody::Sampling(request) = &ask.body else { return ask.message().unwrap_or_default().into() };
    let last = request.messages.last().map(|message| message.content.as_slice()).unwrap_or_default();
    let texts = last.iter().filter_map(|content| match content {
        Content::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n").into()
}

impl Matcher {
    fn matches(&self, server: &ServerName, operation: Option<&Operation>, round: u32, ask: &Ask) -> bool {
        self.server.as_ref().is_none_or(|glob| glob.matches(server.as_str()))
            && self
                .tool
                .as_ref()
                .is_none_or(|glob| operation.is_some_and(|operation| glob.matches(operation.subject())))
            && self.kind.is_none_or(|kind| kind == ask.kind())
            && self.message.as_ref().is_none_or(|text| text.matches(&words_of(ask)))
            && self.key.as_ref().is_none_or(|key| *key == ask.key)
            && self.round.is_none_or(|wanted| wanted == round)
            && self.field.as_ref().is_none_or(|field| match &ask.body {
                AskBody::Form(form) => form.form.fields.iter().any(|candidate| candidate.key == *field),
                AskBody::Url(_) | AskBody::Sampling(_) | AskBody::Roots => false,
            })
    }
}

impl TextMatch {
    fn matches(&self, text: &str) -> bool {
        match self {
            TextMatch::Contains(part) => text.contains(part.as_str()),
            TextMatch::Regex(regex) => regex.is_match(text),
        }
    }
}

impl Decision {
    /// Whether this is an answer to that kind of ask at all; an entry without a kind passes over the others.
    fn suits(&self, ask: &Ask) -> bool {
        match (self, ask.kind()) {
            (Decision::Accept { content, .. }, AskKind::Url) => content.is_none(),
            (Decision::Accept { .. }, AskKind::Form) => true,
            (Decision::Accept { .. }, AskKind::Sampling | AskKind::Roots) => false,
            (Decision::Decline { .. }, kind) => kind != AskKind::Roots,
            (Decision::Cancel, kind) => kind != AskKind::Roots,
            (Decision::Reply { .. } | Decision::Model { .. }, kind) => kind == AskKind::Sampling,
            (Decision::Roots(_), kind) => kind == AskKind::Roots,
        }
    }
}

impl Entry {
    fn answer(&self, ask: &Ask) -> Scripted {
        Scripted::Answer(match (&self.decision, &ask.body) {
            (Decision::Accept { content, .. }, AskBody::Form(form)) => {
                let content = content.clone().unwrap_or_default();
                if let Err(errors) = form.form.check(&content) {
                    return Scripted::Invalid { place: self.place.clone(), errors };
                }
                Answer::Submitted { content }
            }
            (Decision::Accept { .. }, AskBody::Url(url)) => match url_safety::inspect(&url.url).openable {
                Openable::Yes(_) => Answer::Consented,
                Openable::No(why) => return Scripted::NotOpenable { place: self.place.clone(), why },
            },
            // An entry that accepts is never chosen for these.
            (Decision::Accept { .. }, AskBody::Sampling(_) | AskBody::Roots) => Answer::Cancelled,
            (Decision::Decline { reason }, AskBody::Sampling(_)) => {
                Answer::Refused(Refusal::ByPerson { reason: reason.clone() })
            }
            (Decision::Decline { reason }, _) => Answer::Declined { reason: reason.clone() },
            (Decision::Cancel, AskBody::Sampling(_)) => Answer::Refused(Refusal::ByPerson { reason: None }),
            (Decision::Cancel, _) => Answer::Cancelled,
            (Decision::Reply { content, model, stop_reason }, _) => Answer::Sampled(Box::new(SamplingReply {
                content: content.clone(),
                model: model.clone(),
                stop_reason: stop_reason.clone(),
            })),
            (Decision::Model { order }, _) => {
                return Scripted::Model { place: self.place.clone(), order: order.clone() };
            }
            (Decision::Roots(roots), _) => Answer::Roots(roots.clone()),
        })
    }
}
