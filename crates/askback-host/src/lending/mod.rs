//! The user's models, lent to servers: which one a request gets, within which limits, with what hidden, and what it took.
//!
//! Owns the models, the limits and permissions of each server, and the count of what was used. Everything that goes to a model goes through
//! here, whether a person stands at the gates or a rule of theirs. Nothing of one request is kept for another.

mod book;
mod error;
mod own_use;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use askback_core::redaction::{Redacted, Redactor};
use askback_core::sampling::budget::{self, Left, Limits, Spent, Wanted, Within};
use askback_core::sampling::choice::{self, Choice, ModelCard};
use askback_core::sampling::estimate::Estimate;
use askback_core::sampling::{ModelOrder, SamplingReply, SamplingRequest};
use askback_desk::ServerView;
use askback_desk::lending::{Draft, DraftEvent, ModelOffer, Offer, Permission, Wish};
use askback_models::{Completion, Model, Piece, Usage};
use tokio::sync::mpsc;

use self::book::Book;
pub use self::error::LendingError;
pub use self::own_use::{OwnNews, OwnReply};
use crate::wall_clock::now;

/// One of the user's models.
pub struct OwnModel {
    /// What is known of it.
    pub card: ModelCard,
    /// The model itself.
    pub model: Arc<dyn Model>,
}

/// What the user lets one server have.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The models that it may have, by the user's names; all if not given.
    pub allowed: Option<Vec<String>>,
    /// How much.
    pub limits: Limits,
}

/// Says in the user's language why there is no reply.
pub type Explain = Arc<dyn Fn(&LendingError) -> String + Send + Sync>;

/// What a [`Lender`] is made with.
pub struct LenderOptions {
    /// The models, in the user's order.
    pub models: Vec<OwnModel>,
    /// The name of the one that is taken when nothing else decides.
    pub default: Option<String>,
    /// What servers may have that are not in `terms`.
    pub usual: Terms,
    /// What each server may have; it says everything, as nothing is taken from `usual`.
    pub terms: BTreeMap<String, Terms>,
    /// What finds secrets.
    pub redactor: Redactor,
    /// Where permissions and counts are kept; nowhere if not given.
    pub book: Option<PathBuf>,
    /// The words for errors.
    pub explain: Explain,
}

/// Lends the user's models.
pub struct Lender {
    options: LenderOptions,
    book: Book,
    /// Servers that may have models until this run ends.
    session: Mutex<BTreeSet<String>>,
}

/// A permission is for a server as the person saw it: a name, and what is behind it.
fn identity(name: &str, source: &str) -> String {
    format!("{name}\t{source}")
}

/// A request on its way to a model.
struct Prepared<'l> {
    own: &'l OwnModel,
    redacted: Redacted,
    within: Within,
}

impl Lender {
    /// A lender with these models.
    pub fn new(options: LenderOptions) -> Lender {
        Lender { book: Book::new(options.book.clone()), options, session: Mutex::default() }
    }

    /// Whether there is any model.
    pub fn has_models(&self) -> bool {
        !self.options.models.is_empty()
    }

    /// Whether there is a model for this server that takes tools.
    pub fn takes_tools(&self, server: &str) -> bool {
        let allowed = self.terms(server).allowed.as_deref();
        let mut models = self.options.models.iter().map(|own| &own.card);
        models.any(|card| card.takes.tools && allowed.is_none_or(|allowed| allowed.contains(&card.name)))
    }

    /// Whether the person lets this server have models without being asked.
    pub fn permits(&self, name: &str, source: &str) -> bool {
        let identity = identity(name, source);
        self.session.lock().unwrap_or_else(PoisonError::into_inner).contains(&identity)
            || self.book.read().always.contains(&identity)
    }

    /// Lets a server have models without the person being asked.
    ///
    /// # Errors
    /// Why it could not be written down. It holds for this run all the same.
    pub fn permit(&self, server: &ServerView, permission: Permission) -> std::io::Result<()> {
        let identity = identity(&server.name, &server.source);
        self.session.lock().unwrap_or_else(PoisonError::into_inner).insert(identity.clone());
        match permission {
            Permission::Session => Ok(()),
            Permission::Always => self.book.change(|kept| {
                kept.always.insert(identity);
            }),
        }
    }

    /// The servers that may always have models, each by its name and what is behind it.
    pub fn permitted(&self) -> Vec<(String, String)> {
        let always = self.book.read().always;
        always
            .iter()
            .filter_map(|identity| identity.split_once('\t'))
            .map(|(n, s)| (n.to_owned(), s.to_owned()))
            .collect()
    }

    /// Takes back what servers of this name may always have; says how many that were.
    ///
    /// # Errors
    /// Why it could not be written down; nothing has changed then.
    pub fn revoke(&self, name: &str) -> std::io::Result<usize> {
        let mut count = 0;
        self.book.change(|kept| {
            let before = kept.always.len();
            kept.always.retain(|identity| identity.split_once('\t').is_none_or(|(other, _)| other != name));
            count = before - kept.always.len();
        })?;
        Ok(count)
    }

    /// Stops all sampling, of all runs, or lets it go on.
    ///
    /// # Errors
    /// Why it could not be written down; nothing has changed then.
    pub fn stop(&self, stopped: bool) -> std::io::Result<()> {
        self.book.change(|kept| kept.ledger.stopped = stopped)
    }

    /// Whether all sampling is stopped.
    pub fn is_stopped(&self) -> bool {
        self.book.read().ledger.stopped
    }

    /// What is left of the limits of a server.
    pub fn left(&self, server: &str) -> Left {
        budget::left(&self.terms(server).limits, &self.book.read().ledger, server, now())
    }

    /// What would happen with a request of this server.
    pub fn offer(&self, server: &str, wish: &Wish) -> Offer {
        let terms = self.terms(server);
        let choice = self.choose(terms, &wish.request);
        let redacted = self.options.redactor.redact(&wish.request);
        let sent = if wish.redact { redacted.request } else { wish.request.clone() };
        let estimate = Estimate::of(&sent);
        let models: Vec<ModelOffer> = choice
            .ranked
            .iter()
            .filter_map(|ranked| {
                let card = &self.named(&ranked.name)?.card;
                let cost = card.price.as_ref().map(|price| estimate.cost(price));
                let (name, model) = (card.name.clone(), card.model.clone());
                Some(ModelOffer { name, model, matched: ranked.matched.clone(), estimate, cost })
            })
            .collect();
        let wanted_name = wish.model.as_deref().or(choice.chosen());
        let chosen = models.iter().position(|model| Some(model.name.as_str()) == wanted_name);
        let ledger = self.book.read().ledger;
        let left = budget::left(&terms.limits, &ledger, server, now());
        let mut offer = Offer {
            sent,
            chosen,
            models,
            why: choice.why,
            unusable: choice.unusable,
            found: redacted.found,
            capped: None,
            limits: terms.limits,
            left,
            exceeded: None,
        };
        let card = chosen.and_then(|at| self.named(&offer.models[at].name)).map(|own| &own.card);
        if let Some(card) = card {
            let wanted = Wanted::of(&offer.sent, card.price, card.context);
            match budget::check(&terms.limits, &ledger, server, now(), &wanted) {
                Ok(within) => {
                    offer.sent.max_tokens = within.max_tokens;
                    offer.capped = within.capped;
                    if let Some(model) = chosen.and_then(|at| offer.models.get_mut(at)) {
                        model.estimate.output_at_most = within.max_tokens;
                        model.cost = card.price.as_ref().map(|price| model.estimate.cost(price));
                    }
                }
                Err(exceeded) => offer.exceeded = Some(exceeded),
            }
        }
        offer
    }

    /// Puts a model to work. Dropping the receiver stops it.
    pub fn draft(self: &Arc<Self>, server: &str, wish: Wish) -> mpsc::UnboundedReceiver<DraftEvent> {
        let (events, receiver) = mpsc::unbounded_channel();
        let (lender, server) = (Arc::clone(self), server.to_owned());
        tokio::spawn(async move {
            let told = events.clone();
            let last = tokio::select! {
                outcome = lender.run(&server, &wish, |event| drop(told.send(event))) => match outcome {
                    Ok(draft) => DraftEvent::Finished(Box::new(draft)),
                    Err(error) => DraftEvent::Failed { why: (lender.options.explain)(&error) },
                },
                () = events.closed() => return,
            };
            let _ = events.send(last);
        });
        receiver
    }

    /// Has a model answer under a rule of the user's. Secrets are replaced before, and their placeholders stay in the reply.
    ///
    /// # Errors
    /// Why there is no reply, in words for a person.
    pub async fn answer(
        &self,
        server: &str,
        request: SamplingRequest,
        order: ModelOrder,
    ) -> Result<SamplingReply, String> {
        let wish = Wish { request: order.changes.apply(request), model: order.model, redact: true };
        let draft = self.run(server, &wish, |_| {}).await.map_err(|error| (self.options.explain)(&error))?;
        Ok(draft.reply)
    }

    async fn run(&self, server: &str, wish: &Wish, tell: impl Fn(DraftEvent)) -> Result<Draft, LendingError> {
        let Prepared { own, redacted, within } = self.prepare(server, wish)?;
        let mut request = if wish.redact { redacted.request } else { wish.request.clone() };
        request.max_tokens = within.max_tokens;
        let bill = Bill { lender: self, server, card: &own.card, estimate: Estimate::of(&request), written: 0 };
        let completion = self.complete(own, &request, bill, tell).await?;
        let Completion { reply, usage, left_out } = completion;
        let placeholders = &redacted.placeholders;
        let restored = (wish.redact && placeholders.mentions(&reply)).then(|| placeholders.restore(&reply));
        let tokens = usage.and_then(|usage| Some((usage.input_tokens?, usage.output_tokens?)));
        let left_out = left_out.into_iter().map(|left_out| left_out.parameter.as_str()).collect();
        Ok(Draft { reply, restored, tokens, left_out })
    }

    async fn complete(
        &self,
        own: &OwnModel,
        request: &SamplingRequest,
        mut bill: Bill<'_>,
        tell: impl Fn(DraftEvent),
    ) -> Result<Completion, LendingError> {
        let (pieces, mut coming) = mpsc::unbounded_channel();
        let completing = own.model.complete(request, pieces);
        tokio::pin!(completing);
        loop {
            tokio::select! {
                biased;
                Some(piece) = coming.recv() => {
                    bill.note(&piece);
                    tell(event(piece));
                }
                outcome = &mut completing => {
                    while let Ok(piece) = coming.try_recv() {
                        bill.note(&piece);
                        tell(event(piece));
                    }
                    let completion =
                        outcome.map_err(|error| LendingError::Model { name: own.card.name.clone(), error })?;
                    bill.settle(completion.usage);
                    return Ok(completion);
                }
            }
        }
    }

    fn prepare(&self, server: &str, wish: &Wish) -> Result<Prepared<'_>, LendingError> {
        let terms = self.terms(server);
        let choice = self.choose(terms, &wish.request);
        let name = match &wish.model {
            Some(name) if self.named(name).is_none() => return Err(LendingError::UnknownModel { name: name.clone() }),
            Some(name) => choice.ranked.iter().map(|ranked| &ranked.name).find(|ranked| *ranked == name),
            None => choice.ranked.first().map(|ranked| &ranked.name),
        };
        let Some(own) = name.and_then(|name| self.named(name)) else {
            let wanted = |unusable: &choice::Unusable| wish.model.as_ref().is_none_or(|name| *name == unusable.name);
            return Err(LendingError::NoneUsable { unusable: choice.unusable.into_iter().filter(wanted).collect() });
        };
        let redacted = self.options.redactor.redact(&wish.request);
        let sent = if wish.redact { &redacted.request } else { &wish.request };
        let wanted = Wanted::of(sent, own.card.price, own.card.context);
        let mut outcome = Err(LendingError::NotCounted { detail: String::new() });
        // Checked and counted in one go, so that two runs cannot both take the last request of a minute.
        let counted = self.book.change(|kept| {
            outcome =
                budget::check(&terms.limits, &kept.ledger, server, now(), &wanted).map_err(LendingError::Exceeded);
            if outcome.is_ok() {
                kept.ledger.count_request(server, now());
            }
        });
        if let Err(error) = counted {
            return Err(LendingError::NotCounted { detail: error.to_string() });
        }
        Ok(Prepared { own, redacted, within: outcome? })
    }

    fn choose(&self, terms: &Terms, request: &SamplingRequest) -> Choice {
        let cards: Vec<ModelCard> = self.options.models.iter().map(|own| own.card.clone()).collect();
        choice::choose(&cards, request, terms.allowed.as_deref(), self.options.default.as_deref())
    }

    fn terms(&self, server: &str) -> &Terms {
        self.options.terms.get(server).unwrap_or(&self.options.usual)
    }

    fn named(&self, name: &str) -> Option<&OwnModel> {
        self.options.models.iter().find(|own| own.card.name == name)
    }
}

fn event(piece: Piece) -> DraftEvent {
    match piece {
        Piece::Text(text) => DraftEvent::Text(text),
        Piece::Thinking(text) => DraftEvent::Thinking(text),
        Piece::ToolCall { name } => DraftEvent::ToolCall { name },
    }
}

/// What a request has taken so far. It is paid however the request ends: a model that is stopped has read, and written, all the same.
struct Bill<'a> {
    lender: &'a Lender,
    server: &'a str,
    card: &'a ModelCard,
    estimate: Estimate,
    /// Tokens written so far, estimated.
    written: u64,
}

impl Bill<'_> {
    fn note(&mut self, piece: &Piece) {
        if let Piece::Text(text) | Piece::Thinking(text) = piece {
            self.written = self.written.saturating_add(askback_core::sampling::estimate::text_tokens(text));
        }
    }

    /// The provider says what it took.
    fn settle(&mut self, usage: Option<Usage>) {
        let usage = usage.unwrap_or_default();
        self.estimate.input = usage.input_tokens.unwrap_or(self.estimate.input);
        self.written = usage.output_tokens.unwrap_or(self.written);
    }
}

impl Drop for Bill<'_> {
    fn drop(&mut self) {
        let (read, written) = (self.estimate.input, self.written);
        let money = self.card.price.map_or(0.0, |price| price.of_input(read) + price.of_output(written));
        let spent = Spent { tokens: read.saturating_add(written), money };
        let server = self.server;
        // The request itself was counted before; a disk that is full now costs the user some of the count, and not the reply.
        let _ = self.lender.book.change(|kept| kept.ledger.spend(server, now(), spent));
    }
}

#[cfg(test)]
mod tests;
