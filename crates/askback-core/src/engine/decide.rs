//! Who answers an ask: a rule of the user's, or a person, or nobody.

use super::{Rejection, Rules, folders};
use crate::answer::{Answer, By, Refusal};
use crate::answer_file::Scripted;
use crate::ask::{Ask, AskBody, AskKind};
use crate::call::{Operation, ServerName};
use crate::form::ContentError;
use crate::sampling::ModelOrder;
use crate::url_safety::{self, NotOpenable};

/// Where an ask stands.
pub(super) struct Context<'a> {
    pub(super) server: &'a ServerName,
    /// Known only when it is certain which call the ask belongs to.
    pub(super) operation: Option<&'a Operation>,
    pub(super) round: u32,
    pub(super) muted: bool,
    /// What a person has said in this run of the folders that this server wants to know.
    pub(super) said_of_roots: Option<&'a folders::Said>,
}

/// An ask that nobody and nothing could answer as it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The server that asked.
    pub server: ServerName,
    /// The tool in whose call it asked, if that is known.
    pub tool: Option<String>,
    /// The ask.
    pub ask: Ask,
    /// Why there was no answer.
    pub reason: FaultReason,
}

/// Why an ask had no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultReason {
    /// No entry of an answer file matches and no person is there.
    NothingMatches,
    /// The entry that matches has content that does not satisfy the form.
    EntryInvalid {
        /// Where the entry stands.
        place: String,
        /// Every place that is wrong.
        errors: Vec<ContentError>,
    },
    /// The entry accepts to go to an address that is never opened.
    NotOpenable {
        /// Where the entry stands.
        place: String,
        /// What is wrong with the address.
        why: NotOpenable,
    },
    /// The entry asks for a model and there is none.
    NoModel {
        /// Where the entry stands.
        place: String,
    },
    /// The model that a rule of the user's put to work gave no reply.
    ModelFailed {
        /// Why.
        message: String,
    },
}

/// Who an ask goes to.
pub(super) enum Decision {
    /// Nobody needs to see it any more.
    Answered(Answer, By),
    /// A model, under a rule of the user's.
    Model(ModelOrder),
    /// A person.
    Person,
}

/// Who answers, and if no person and no model is needed for it, what.
pub(super) fn decide(rules: &mut Rules, context: &Context<'_>, ask: &Ask, faults: &mut Vec<Fault>) -> Decision {
    if context.muted && ask.kind() != AskKind::Roots {
        return Decision::Answered(declined(ask), By::Person);
    }
    let reason = match rules.answers.take(context.server, context.operation, context.round, ask) {
        Some(Scripted::Answer(answer)) => return Decision::Answered(answer, By::Answers),
        Some(Scripted::Invalid { place, errors }) => FaultReason::EntryInvalid { place, errors },
        Some(Scripted::NotOpenable { place, why }) => FaultReason::NotOpenable { place, why },
        Some(Scripted::Model { order, .. }) if rules.models => return Decision::Model(order),
        Some(Scripted::Model { place, .. }) => FaultReason::NoModel { place },
        None if ask.kind() == AskKind::Roots => {
            let offers = rules.roots.get(context.server).map(Vec::as_slice).unwrap_or_default();
            return match folders::answer(offers, context.said_of_roots, rules.person && !context.muted) {
                Some((answer, by)) => Decision::Answered(answer, by),
                None => Decision::Person,
            };
        }
        None if ask.kind() == AskKind::Sampling && rules.models && rules.lent.contains(context.server) => {
            return Decision::Model(ModelOrder::default());
        }
        None => FaultReason::NothingMatches,
    };
    if rules.person && ask.kind() != AskKind::Roots {
        return Decision::Person;
    }
    faults.push(Fault::new(context.server, context.operation, ask, reason));
    let answer = match ask.kind() {
        AskKind::Form | AskKind::Url => Answer::Cancelled,
        AskKind::Sampling | AskKind::Roots => Answer::Refused(Refusal::NobodyToAnswer),
    };
    Decision::Answered(answer, By::Nobody)
}

impl Fault {
    pub(super) fn new(server: &ServerName, operation: Option<&Operation>, ask: &Ask, reason: FaultReason) -> Fault {
        let tool = operation.and_then(Operation::tool).map(str::to_owned);
        Fault { server: server.clone(), tool, ask: ask.clone(), reason }
    }
}

/// The answer of somebody who wants nothing to do with this server.
pub(super) fn declined(ask: &Ask) -> Answer {
    match ask.kind() {
        AskKind::Form | AskKind::Url => Answer::Declined { reason: None },
        AskKind::Sampling | AskKind::Roots => Answer::Refused(Refusal::ByPerson { reason: None }),
    }
}

/// Whether an ask takes this answer. Nobody can agree to go where nothing is ever opened.
pub(super) fn fits(ask: &Ask, answer: &Answer) -> Result<(), Rejection> {
    match (&ask.body, answer) {
        (AskBody::Form(form), Answer::Submitted { content }) => {
            form.form.check(content).map_err(|errors| Rejection::Invalid { errors })
        }
        (AskBody::Url(ask), Answer::Consented) if url_safety::inspect(&ask.url).destination().is_some() => Ok(()),
        (AskBody::Form(_) | AskBody::Url(_), Answer::Declined { .. } | Answer::Cancelled)
        | (AskBody::Sampling(_), Answer::Sampled(_))
        | (AskBody::Roots, Answer::Roots(_))
        | (_, Answer::Refused(_)) => Ok(()),
        _ => Err(Rejection::WrongKind),
    }
}
