//! The user's own use of their models, as in a chat: no limits of servers apply, and nothing is counted against any. The switch that stops all
//! use of models does stop this one, and what the user wants hidden from models is hidden here as well.

use std::collections::BTreeSet;

use askback_core::sampling::budget::Exceeded;
use askback_core::sampling::choice::ModelCard;
use askback_core::sampling::estimate::Estimate;
use askback_core::sampling::{ReplyContent, SamplingReply, SamplingRequest};
use askback_desk::chat::ChatUsage;
use askback_models::Piece;
use tokio::sync::mpsc;

use super::{Lender, LendingError};

/// News of a reply to the user.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnNews {
    /// So many secrets are hidden from the model.
    Hidden(usize),
    /// More of the text. It may have placeholders of secrets in it.
    Text(String),
}

/// A reply to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnReply {
    /// The reply, with the secrets back in it.
    pub reply: SamplingReply,
    /// The tool uses that have secrets in them which the model was not shown, by their ids.
    pub with_secrets: BTreeSet<String>,
    /// What it took; an estimate where the provider does not say.
    pub usage: ChatUsage,
}

impl Lender {
    /// The model for the user: the one of this name, else the default, else the first.
    ///
    /// # Errors
    /// [`LendingError::UnknownModel`] for a name that no model has, [`LendingError::NoneUsable`] when there are no models.
    pub fn pick(&self, name: Option<&str>) -> Result<&ModelCard, LendingError> {
        let wanted = name.or(self.options.default.as_deref());
        let own = match wanted {
            Some(wanted) => {
                let unknown = || LendingError::UnknownModel { name: wanted.to_owned() };
                self.named(wanted).ok_or_else(unknown)?
            }
            None => self.options.models.first().ok_or(LendingError::NoneUsable { unusable: Vec::new() })?,
        };
        Ok(&own.card)
    }

    /// Says in the user's language why there is no reply.
    pub fn explain(&self, error: &LendingError) -> String {
        (self.options.explain)(error)
    }

    /// Has a model reply to the user; with `redact` it is not shown what the user wants hidden. Dropping the future stops it.
    ///
    /// # Errors
    /// [`LendingError::UnknownModel`], [`LendingError::Exceeded`] when all use of models is stopped, [`LendingError::Model`].
    pub async fn converse(
        &self,
        name: &str,
        request: &SamplingRequest,
        redact: bool,
        tell: impl Fn(OwnNews),
    ) -> Result<OwnReply, LendingError> {
        let own = self.named(name).ok_or_else(|| LendingError::UnknownModel { name: name.to_owned() })?;
        if self.book.read().ledger.stopped {
            return Err(LendingError::Exceeded(Exceeded::Stopped));
        }
        let redacted = redact.then(|| self.options.redactor.redact(request));
        let sent = redacted.as_ref().map_or(request, |redacted| &redacted.request);
        tell(OwnNews::Hidden(redacted.as_ref().map_or(0, |redacted| redacted.found.len())));
        let (pieces, mut coming) = mpsc::unbounded_channel();
        let completing = own.model.complete(sent, pieces);
        tokio::pin!(completing);
        let news = |piece: Piece| match piece {
            Piece::Text(text) => tell(OwnNews::Text(text)),
            Piece::Thinking(_) | Piece::ToolCall { .. } => {}
        };
        let completion = loop {
            tokio::select! {
                biased;
                Some(piece) = coming.recv() => news(piece),
                outcome = &mut completing => {
                    while let Ok(piece) = coming.try_recv() {
                        news(piece);
                    }
                    break outcome.map_err(|error| LendingError::Model { name: name.to_owned(), error })?;
                }
            }
        };
        let reply = match &redacted {
            Some(redacted) => redacted.placeholders.restore(&completion.reply),
            None => completion.reply.clone(),
        };
        let tool_use = |content: &ReplyContent| match content {
            ReplyContent::ToolUse { id, .. } => Some(id.clone()),
            ReplyContent::Text(_) | ReplyContent::Raw(_) => None,
        };
        let changed = completion.reply.content.iter().zip(&reply.content).filter(|(before, after)| before != after);
        let with_secrets = changed.filter_map(|(_, after)| tool_use(after)).collect();
        let usage = completion.usage.unwrap_or_default();
        let input = usage.input_tokens.unwrap_or_else(|| Estimate::of(sent).input);
        let written = || completion.reply.content.iter().map(tokens).sum();
        let output = usage.output_tokens.unwrap_or_else(written);
        let money = own.card.price.map(|price| price.of_input(input) + price.of_output(output));
        Ok(OwnReply { reply, with_secrets, usage: ChatUsage { input, output, money } })
    }
}

fn tokens(content: &ReplyContent) -> u64 {
    let text = match content {
        ReplyContent::Text(text) => text.clone(),
        other => other.to_value().to_string(),
    };
    askback_core::sampling::estimate::text_tokens(&text)
}
