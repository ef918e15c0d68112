//! What we have for one server, in memory and in the store.
//!
//! Owns the copy in memory and keeps the store in step with it. Must not know how credentials are come by.

use std::sync::{Arc, Mutex, PoisonError};

use askback_host::authorization::AccessToken;

use crate::address::ServerAddress;
use crate::credentials::Credentials;
use crate::secret::Secret;
use crate::store::{Ledger, StoreError, TokenStore};

/// The credentials of one server.
#[derive(Debug)]
pub(crate) struct Holdings {
    server: ServerAddress,
    store: Arc<dyn TokenStore>,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    /// What the store had, with our changes; nothing before it was read.
    ledger: Option<Ledger>,
    /// Whether a change could not be stored, so that the store is behind.
    unsaved: bool,
}

impl Holdings {
    /// What `store` has for `server`, which is read when it is first needed.
    pub(crate) fn new(server: ServerAddress, store: Arc<dyn TokenStore>) -> Holdings {
        Holdings { server, store, memory: Mutex::default() }
    }

    /// Reads the store, unless that was done.
    ///
    /// # Errors
    /// When the store cannot be read or trusted.
    pub(crate) async fn load(&self) -> Result<(), StoreError> {
        if self.with(|memory| memory.ledger.is_some()) { Ok(()) } else { self.reload().await }
    }

    /// Reads the store again: another process may have renewed what we have.
    ///
    /// # Errors
    /// Like [`Holdings::load`].
    pub(crate) async fn reload(&self) -> Result<(), StoreError> {
        if self.with(|memory| memory.unsaved) {
            return Ok(());
        }
        let document = self.in_store(|store, server| store.read(server)).await?;
        let ledger = Ledger::read(document.as_ref(), &self.server)?;
        self.with(|memory| memory.ledger = Some(ledger));
        Ok(())
    }

    /// The newest credentials.
    pub(crate) fn current(&self) -> Option<Credentials> {
        self.with(|memory| memory.ledger.as_ref()?.newest().cloned())
    }

    /// The token that requests carry now.
    pub(crate) fn token(&self) -> Option<AccessToken> {
        Some(self.current()?.token?.access_token())
    }

    /// The credentials of `issuer`.
    pub(crate) fn of_issuer(&self, issuer: &str) -> Option<Credentials> {
        self.with(|memory| memory.ledger.as_ref()?.of_issuer(issuer).cloned())
    }

    /// Keeps `credentials`. They are used from now on even if they cannot be stored.
    ///
    /// # Errors
    /// When they cannot be stored.
    pub(crate) async fn put(&self, credentials: Credentials) -> Result<(), StoreError> {
        self.change(|ledger| ledger.put(credentials)).await
    }

    /// Drops the credentials of `issuer`.
    ///
    /// # Errors
    /// When they may still be in the store.
    pub(crate) async fn drop_issuer(&self, issuer: &str) -> Result<(), StoreError> {
        self.change(|ledger| ledger.drop_issuer(issuer)).await
    }

    /// Forgets everything about the server.
    ///
    /// # Errors
    /// When something may still be in the store.
    pub(crate) async fn clear(&self) -> Result<(), StoreError> {
        self.with(|memory| *memory = Memory { ledger: Some(Ledger::default()), unsaved: false });
        self.in_store(|store, server| store.remove(server)).await
    }

    async fn change(&self, change: impl FnOnce(&mut Ledger)) -> Result<(), StoreError> {
        let document: Secret = self.with(|memory| {
            let ledger = memory.ledger.get_or_insert_default();
            change(ledger);
            memory.unsaved = true;
            ledger.document()
        });
        self.in_store(move |store, server| store.write(server, &document)).await?;
        self.with(|memory| memory.unsaved = false);
        Ok(())
    }

    async fn in_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn TokenStore, &ServerAddress) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (store, server) = (self.store.clone(), self.server.clone());
        let done = tokio::task::spawn_blocking(move || work(store.as_ref(), &server)).await;
        // A store that panicked has done nothing that can be relied on.
        done.unwrap_or(Err(StoreError::Damaged))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Memory) -> T) -> T {
        work(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
