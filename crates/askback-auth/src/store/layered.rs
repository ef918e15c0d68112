//! The keyring where it answers, files where it does not.
//!
//! Owns the order of two stores. Must not know either of them.

use super::{StoreError, TokenStore};
use crate::address::ServerAddress;
use crate::secret::Secret;

/// Keeps documents in `first`, and in `second` as long as the first does not answer.
#[derive(Debug)]
pub struct LayeredStore<First, Second> {
    first: First,
    second: Second,
}

impl<First: TokenStore, Second: TokenStore> LayeredStore<First, Second> {
    /// Puts `first` before `second`.
    pub fn new(first: First, second: Second) -> Self {
        LayeredStore { first, second }
    }
}

impl<First: TokenStore, Second: TokenStore> TokenStore for LayeredStore<First, Second> {
    fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError> {
        // What is in the second was written when the first did not answer, so it is the newer one.
        if let Some(document) = self.second.read(server)? {
            return Ok(Some(document));
        }
        Ok(self.first.read(server).unwrap_or_default())
    }

    fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError> {
        match self.first.write(server, document) {
            Ok(()) => self.second.remove(server),
            Err(_) => self.second.write(server, document),
        }
    }

    fn remove(&self, server: &ServerAddress) -> Result<(), StoreError> {
        // Both, even if one fails: what is left anywhere would be used again.
        let first = self.first.remove(server);
        self.second.remove(server)?;
        first
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use url::Url;

    use super::*;
    use crate::store::MemoryStore;

    #[derive(Debug, Default)]
    struct Keyring {
        locked: AtomicBool,
        kept: MemoryStore,
    }

    impl Keyring {
        fn answer(&self) -> Result<&MemoryStore, StoreError> {
            let locked = self.locked.load(Ordering::Relaxed);
            if locked { Err(StoreError::Keyring { detail: "locked".to_owned() }) } else { Ok(&self.kept) }
        }
    }

    impl TokenStore for Keyring {
        fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError> {
            self.answer()?.read(server)
        }

        fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError> {
            self.answer()?.write(server, document)
        }

        fn remove(&self, server: &ServerAddress) -> Result<(), StoreError> {
            self.answer()?.remove(server)
        }
    }

    #[test]
    fn the_newest_document_is_found_wherever_it_could_be_kept() {
        let server = ServerAddress::new(&Url::parse("https://mcp.example/").unwrap());
        let store = LayeredStore::new(Keyring::default(), MemoryStore::default());
        let read = || store.read(&server).unwrap().map(|document| document.reveal().to_owned());
        store.write(&server, &Secret::new("one")).unwrap();
        assert_eq!(store.second.read(&server).unwrap(), None, "kept in the keyring only");
        store.first.locked.store(true, Ordering::Relaxed);
        assert_eq!(read(), None);
        store.write(&server, &Secret::new("two")).unwrap();
        assert_eq!(read().as_deref(), Some("two"));
        store.first.locked.store(false, Ordering::Relaxed);
        assert_eq!(read().as_deref(), Some("two"), "and not what the keyring had before");
        store.write(&server, &Secret::new("three")).unwrap();
        assert_eq!(read().as_deref(), Some("three"));
        store.remove(&server).unwrap();
        assert_eq!(read(), None);
    }

    #[test]
    fn what_could_not_be_removed_is_said() {
        let server = ServerAddress::new(&Url::parse("https://mcp.example/").unwrap());
        let store = LayeredStore::new(Keyring::default(), MemoryStore::default());
        store.write(&server, &Secret::new("one")).unwrap();
        store.first.locked.store(true, Ordering::Relaxed);
        assert!(matches!(store.remove(&server), Err(StoreError::Keyring { .. })));
    }
}
