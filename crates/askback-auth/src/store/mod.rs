//! Where tokens are kept between runs.
//!
//! Owns the [`TokenStore`] trait and the [`Ledger`] of one server, which binds what is kept to the server and to the issuer. Must not know
//! how a token is come by.
//!
//! Serves "Secure token storage" and "Authorization Server Binding" of the authorization pages.

mod file;
#[cfg(all(target_os = "linux", feature = "keyring"))]
mod keyring;
mod layered;
mod ledger;
mod memory;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::ServerAddress;
use crate::secret::Secret;

pub use file::FileStore;
#[cfg(all(target_os = "linux", feature = "keyring"))]
pub use keyring::KeyringStore;
pub use layered::LayeredStore;
pub(crate) use ledger::Ledger;
pub use memory::MemoryStore;

/// Keeps one secret document for each server.
///
/// The methods block, briefly; they are called where that is allowed.
pub trait TokenStore: Send + Sync + fmt::Debug {
    /// The document of `server`; nothing when none is kept.
    ///
    /// # Errors
    /// When it cannot be read, or must not be trusted.
    fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError>;

    /// Keeps `document` for `server`, in place of what was kept.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError>;

    /// Forgets what is kept for `server`, if anything is.
    ///
    /// # Errors
    /// When it may still be there.
    fn remove(&self, server: &ServerAddress) -> Result<(), StoreError>;
}

/// The store of this system: the keyring of the desktop where one answers, and `folder` where none does.
pub fn system_store(folder: &Path) -> Arc<dyn TokenStore> {
    let file = FileStore::new(folder);
    #[cfg(all(target_os = "linux", feature = "keyring"))]
    if KeyringStore::may_be_there() {
        return Arc::new(LayeredStore::new(KeyringStore::new(), file));
    }
    Arc::new(file)
}

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder could not be used.
    #[error("{path} cannot be used", path = .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file that others can read or change is not trusted.
    #[error("{path} can be read or changed by others", path = .path.display())]
    OpenToOthers {
        /// Which.
        path: PathBuf,
    },
    /// The keyring of the desktop did not do it.
    #[error("the keyring did not answer: {detail}")]
    Keyring {
        /// Why.
        detail: String,
    },
    /// What is kept is not what was written.
    #[error("what is kept cannot be read")]
    Damaged,
}
