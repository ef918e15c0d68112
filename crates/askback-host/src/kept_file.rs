//! A small file of JSON that outlives a run: changed under a lock so that several runs count together, and replaced whole.
//!
//! Must not know what is kept.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) struct KeptFile<T> {
    path: Option<PathBuf>,
    /// What is kept where there is no file.
    memory: Mutex<T>,
}

impl<T: Clone + Default + DeserializeOwned + Serialize> KeptFile<T> {
    pub(crate) fn new(path: Option<PathBuf>) -> KeptFile<T> {
        KeptFile { path, memory: Mutex::default() }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What is kept now. A file that cannot be read says nothing; [`KeptFile::change`] tells why before anything is changed.
    pub(crate) fn read(&self) -> T {
        self.load().unwrap_or_default()
    }

    /// What is kept now.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub(crate) fn load(&self) -> io::Result<T> {
        match &self.path {
            Some(path) => load(path),
            None => Ok(self.memory.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    /// Changes what is kept, alone among all runs.
    pub(crate) fn change(&self, change: impl FnOnce(&mut T)) -> io::Result<()> {
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

fn load<T: Default + DeserializeOwned>(path: &Path) -> io::Result<T> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let unreadable = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()));
            serde_json::from_str(&text).map_err(unreadable)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error),
    }
}
