//! Why a model was not put to work, or gave no reply.

use askback_core::sampling::budget::Exceeded;
use askback_core::sampling::choice::Unusable;
use askback_models::ModelError;
use thiserror::Error;

/// Why there is no reply.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LendingError {
    /// No model of this name is configured.
    #[error("no model {name:?} is configured")]
    UnknownModel {
        /// The name.
        name: String,
    },
    /// None of the models takes this request, or the one that is wanted does not.
    #[error("no model takes this request")]
    NoneUsable {
        /// The models, and why not; empty when there are none.
        unusable: Vec<Unusable>,
    },
    /// One of the user's limits forbids it.
    #[error(transparent)]
    Exceeded(Exceeded),
    /// What the request takes cannot be counted, so the limits cannot be kept. Nothing was sent.
    #[error("the use of models cannot be counted: {detail}")]
    NotCounted {
        /// Why.
        detail: String,
    },
    /// The model failed.
    #[error("{name}: {error}")]
    Model {
        /// The user's name for it.
        name: String,
        /// How.
        error: ModelError,
    },
}
