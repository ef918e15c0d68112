//! The user's own use of their models, as in a chat: no limits of servers apply, and nothing is counted against any. The switch that stops all
//! use of models does stop this one.

use askback_core::sampling::SamplingRequest;
use askback_core::sampling::budget::Exceeded;
use askback_core::sampling::choice::ModelCard;
use askback_models::{Completion, Piece};
use tokio::sync::mpsc::UnboundedSender;

use super::{Lender, LendingError};

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

    /// Has a model reply to the user. Dropping the future stops it.
    ///
    /// # Errors
    /// [`LendingError::UnknownModel`], [`LendingError::Exceeded`] when all use of models is stopped, [`LendingError::Model`].
    pub async fn converse(
        &self,
        name: &str,
        request: &SamplingRequest,
        pieces: UnboundedSender<Piece>,
    ) -> Result<Completion, LendingError> {
        let own = self.named(name).ok_or_else(|| LendingError::UnknownModel { name: name.to_owned() })?;
        if self.book.read().ledger.stopped {
            return Err(LendingError::Exceeded(Exceeded::Stopped));
        }
        let failed = |error| LendingError::Model { name: name.to_owned(), error };
        own.model.complete(request, pieces).await.map_err(failed)
    }
}
