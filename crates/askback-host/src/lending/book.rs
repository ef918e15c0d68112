//! What outlives a run: how much each server has had, and which ones need not ask.
//!
//! A file of JSON in the user's state folder, changed under a lock so that several runs count together, and replaced whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use askback_core::sampling::budget::Ledger;
use serde::{Deserialize, Serialize};

/// What is kept.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Kept {
    pub(crate) ledger: Ledger,
    /// Servers, by name and source, that may have models without the person being asked.
    pub(crate) always: BTreeSet<String>,
}

pub(crate) struct Book {
    path: Option<PathBuf>,
    /// What is kept where there is no file.
    memory: Mutex<Kept>,
}

impl Book {
    pub(crate) fn new(path: Option<PathBuf>) -> Book {
        Book { path, memory: Mutex::default() }
    }

    /// What is kept now. A file that cannot be read says nothing: [`Book::change`] tells why before anything is sent to a model.
    pub(crate) fn read(&self) -> Kept {
        match &self.path {
            Some(path) => load(path).unwrap_or_default(),
            None => self.memory.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Changes what is kept, alone among all runs.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Kept)) -> io::Result<()> {
        let Some(path) = &self.path else {
            change(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner));
            return Ok(());
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock = File::options().create(true).append(true).open(path.with_extension("lock"))?;
        lock.lock()?;
        let mut kept = load(path)?;
        change(&mut kept);
        let text = serde_json::to_string_pretty(&kept)?;
        let fresh = path.with_extension("new");
        fs::write(&fresh, text)?;
        fs::rename(&fresh, path)
    }
}

fn load(path: &Path) -> io::Result<Kept> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let unreadable = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()));
            serde_json::from_str(&text).map_err(unreadable)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    }
}
