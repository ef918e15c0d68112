//! Tokens in the keyring of the desktop, by the Secret Service over D-Bus.
//!
//! Owns the time that a keyring gets to answer. Must not know what is kept.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use keyring_core::api::CredentialStoreApi;
use zbus_secret_service_keyring_store::Store;

use super::{StoreError, TokenStore};
use crate::address::ServerAddress;
use crate::secret::Secret;

/// The name of our items in the keyring.
const SERVICE: &str = "askback";
/// How long connecting may take: a bus without a Secret Service says so at once.
const PATIENCE_TO_CONNECT: Duration = Duration::from_millis(800);
/// How long one operation may take: the desktop may ask the person to unlock the keyring.
const PATIENCE_TO_UNLOCK: Duration = Duration::from_secs(30);

/// Keeps documents in the default collection of the Secret Service.
pub struct KeyringStore {
    connection: Mutex<Connection>,
}

enum Connection {
    NotTried,
    There(Arc<Store>),
    /// It did not answer once, and is not waited for again in this process.
    Gone(String),
}

impl KeyringStore {
    /// A keyring that is connected to when it is first needed.
    pub fn new() -> KeyringStore {
        KeyringStore { connection: Mutex::new(Connection::NotTried) }
    }

    /// Whether there is a session bus at all, by the places where it would be.
    pub fn may_be_there() -> bool {
        let by_runtime_folder = || {
            let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)?;
            Some(folder.join("bus").exists())
        };
        std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty())
            || by_runtime_folder().unwrap_or(false)
    }

    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&keyring_core::Entry) -> keyring_core::Result<T> + Send + 'static,
        server: &ServerAddress,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*connection, Connection::NotTried) {
            *connection = match within(PATIENCE_TO_CONNECT, Store::new) {
                Ok(store) => Connection::There(store),
                Err(detail) => Connection::Gone(detail),
            };
        }
        let store = match &*connection {
            Connection::There(store) => store.clone(),
            Connection::Gone(detail) => return Err(StoreError::Keyring { detail: detail.clone() }),
            Connection::NotTried => unreachable!("it was tried above"),
        };
        let user = server.as_str().to_owned();
        within(PATIENCE_TO_UNLOCK, move || work(&store.build(SERVICE, &user, None)?)).map_err(|detail| {
            *connection = Connection::Gone(detail.clone());
            StoreError::Keyring { detail }
        })
    }
}

impl Default for KeyringStore {
    fn default() -> KeyringStore {
        KeyringStore::new()
    }
}

impl TokenStore for KeyringStore {
    fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError> {
        let read = |entry: &keyring_core::Entry| match entry.get_password() {
            Ok(document) => Ok(Some(Secret::new(document))),
            Err(keyring_core::Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        };
        self.run(read, server)
    }

    fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError> {
        let document = document.clone();
        self.run(move |entry| entry.set_password(document.reveal()), server)
    }

    fn remove(&self, server: &ServerAddress) -> Result<(), StoreError> {
        let remove = |entry: &keyring_core::Entry| match entry.delete_credential() {
            Ok(()) | Err(keyring_core::Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        };
        self.run(remove, server)
    }
}

impl fmt::Debug for KeyringStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("KeyringStore")
    }
}

/// Does `work` on a thread of its own, because a keyring that waits for a person cannot be told to stop; the thread is left to itself then.
fn within<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> keyring_core::Result<T> + Send + 'static,
) -> Result<T, String> {
    let (done, outcome) = mpsc::channel();
    thread::spawn(move || done.send(work()));
    match outcome.recv_timeout(patience) {
        Ok(Ok(value)) => Ok(value),
        // Not the whole error: some of its kinds carry the secret along.
        Ok(Err(keyring_core::Error::PlatformFailure(cause) | keyring_core::Error::NoStorageAccess(cause))) => {
            Err(cause.to_string())
        }
        Ok(Err(_)) => Err("it refused".to_owned()),
        Err(_) => Err(format!("no answer within {} ms", patience.as_millis())),
    }
}
