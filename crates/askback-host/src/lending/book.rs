//! What outlives a run: how much each server has had, and which ones need not ask.

use std::collections::BTreeSet;

use askback_core::sampling::budget::Ledger;
use serde::{Deserialize, Serialize};

use crate::kept_file::KeptFile;

/// What is kept.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Kept {
    pub(crate) ledger: Ledger,
    /// Servers, by name and source, that may have models without the person being asked.
    pub(crate) always: BTreeSet<String>,
}

pub(crate) type Book = KeptFile<Kept>;
