//! Keys of models that are kept for the user: in the keyring of the desktop, or where none answers in files that only they can read.
//!
//! A key belongs to an endpoint and not to a name in a configuration, so that a file which gives a known name another address gets no key. Which
//! endpoints have one is written beside, without the keys, so that no keyring is asked for nothing.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askback_auth::address::ServerAddress;
use askback_auth::secret::Secret;
use askback_auth::store::{self, StoreError, TokenStore};
use askback_models::ModelSettings;
use secrecy::SecretString;

use crate::console;

/// Why a key could not be kept, read or forgotten.
#[derive(Debug)]
pub(crate) enum KeyError {
    /// There is no home folder, so nothing can be kept.
    NoPlace,
    /// The endpoint is no address.
    Endpoint(String),
    /// The store did not do it.
    Store(StoreError),
    /// The list of endpoints cannot be read or written.
    List(io::Error),
}

impl KeyError {
    /// What happened, for a message.
    pub(crate) fn detail(&self) -> String {
        match self {
            KeyError::NoPlace => "HOME".to_owned(),
            KeyError::Endpoint(detail) => detail.clone(),
            KeyError::Store(error @ StoreError::File { source, .. }) => format!("{error}: {source}"),
            KeyError::Store(error) => error.to_string(),
            KeyError::List(error) => error.to_string(),
        }
    }
}

/// The keys that are kept for this user.
pub(crate) struct ModelKeys {
    store: Arc<dyn TokenStore>,
    list: PathBuf,
}

impl ModelKeys {
    /// Those of this system; nothing where there is no folder for state.
    pub(crate) fn of_system() -> Option<ModelKeys> {
        let folder = console::state_folder()?;
        Some(ModelKeys { store: store::system_store(&folder.join("keys")), list: folder.join("model-keys.json") })
    }

    /// Whether there is a key for this model's endpoint.
    pub(crate) fn has(&self, settings: &ModelSettings) -> bool {
        self.endpoints().is_ok_and(|endpoints| endpoints.contains(&endpoint(settings)))
    }

    /// The key for this model's endpoint, if there is one.
    ///
    /// # Errors
    /// When there is one and it cannot be had.
    pub(crate) fn read(&self, settings: &ModelSettings) -> Result<Option<SecretString>, KeyError> {
        if !self.has(settings) {
            return Ok(None);
        }
        let key = self.store.read(&place(settings)?).map_err(KeyError::Store)?;
        Ok(key.map(|key| SecretString::from(key.reveal().to_owned())))
    }

    /// Keeps a key for this model's endpoint, in place of the one that was kept.
    pub(crate) fn keep(&self, settings: &ModelSettings, key: &str) -> Result<(), KeyError> {
        self.store.write(&place(settings)?, &Secret::new(key)).map_err(KeyError::Store)?;
        self.change(|endpoints| endpoints.insert(endpoint(settings)))
    }

    /// Forgets the key for this model's endpoint.
    pub(crate) fn forget(&self, settings: &ModelSettings) -> Result<(), KeyError> {
        self.store.remove(&place(settings)?).map_err(KeyError::Store)?;
        self.change(|endpoints| endpoints.remove(&endpoint(settings)))
    }

    fn endpoints(&self) -> io::Result<BTreeSet<String>> {
        match fs::read(&self.list) {
            Ok(text) => Ok(serde_json::from_slice(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeSet<String>) -> bool) -> Result<(), KeyError> {
        let write = || {
            make_folder_of(&self.list)?;
            let lock = File::options().create(true).append(true).open(self.list.with_extension("lock"))?;
            lock.lock()?;
            let mut endpoints = self.endpoints()?;
            if change(&mut endpoints) {
                let fresh = self.list.with_extension("new");
                fs::write(&fresh, serde_json::to_string_pretty(&endpoints)?)?;
                fs::rename(&fresh, &self.list)?;
            }
            Ok(())
        };
        write().map_err(KeyError::List)
    }
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Where a model is asked: by its base URL, or the provider's own endpoint by the provider's name.
fn endpoint(settings: &ModelSettings) -> String {
    match &settings.base_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => settings.provider.as_str().to_owned(),
    }
}

fn place(settings: &ModelSettings) -> Result<ServerAddress, KeyError> {
    ServerAddress::of_models(&endpoint(settings)).map_err(|error| KeyError::Endpoint(error.to_string()))
}
