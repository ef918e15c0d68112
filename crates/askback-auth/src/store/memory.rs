//! Tokens that end with the process.
//!
//! Owns a map. For tests, and for runs that must leave nothing behind.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{StoreError, TokenStore};
use crate::address::ServerAddress;
use crate::secret::Secret;

/// Keeps documents in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    documents: Mutex<HashMap<ServerAddress, Secret>>,
}

impl TokenStore for MemoryStore {
    fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError> {
        Ok(self.documents.lock().unwrap_or_else(PoisonError::into_inner).get(server).cloned())
    }

    fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner).insert(server.clone(), document.clone());
        Ok(())
    }

    fn remove(&self, server: &ServerAddress) -> Result<(), StoreError> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner).remove(server);
        Ok(())
    }
}
