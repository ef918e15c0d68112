//! Tokens in files that only their owner can read.
//!
//! Owns one file for each server in a folder of its own. Must not know what is in it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ring::digest;

use super::{StoreError, TokenStore};
use crate::address::ServerAddress;
use crate::secret::Secret;

/// Keeps each document in a file of mode 0600, in a folder of mode 0700.
#[derive(Debug)]
pub struct FileStore {
    folder: PathBuf,
}

impl FileStore {
    /// A store in `folder`, which is made when something is first kept.
    pub fn new(folder: &Path) -> FileStore {
        FileStore { folder: folder.to_owned() }
    }

    /// The file of `server`: named by a digest, because an address is no file name.
    pub fn path(&self, server: &ServerAddress) -> PathBuf {
        let digest = digest::digest(&digest::SHA256, server.as_str().as_bytes());
        let name: String = digest.as_ref()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name + ".json")
    }

    fn failed(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
        |source| StoreError::File { path: path.to_owned(), source }
    }
}

impl TokenStore for FileStore {
    fn read(&self, server: &ServerAddress) -> Result<Option<Secret>, StoreError> {
        let path = self.path(server);
        // Opened first and looked at then, so that what is looked at is what is read.
        let file = match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(FileStore::failed(&path))?,
        };
        if is_open_to_others(&file.metadata().map_err(FileStore::failed(&path))?) {
            return Err(StoreError::OpenToOthers { path });
        }
        let text = io::read_to_string(file).map_err(FileStore::failed(&path))?;
        Ok(Some(Secret::new(text)))
    }

    fn write(&self, server: &ServerAddress, document: &Secret) -> Result<(), StoreError> {
        make_folder(&self.folder).map_err(FileStore::failed(&self.folder))?;
        let path = self.path(server);
        // Written aside and moved into place: nobody ever reads half a document, and a full disk costs nothing that was kept.
        let mut aside = tempfile::NamedTempFile::new_in(&self.folder).map_err(FileStore::failed(&self.folder))?;
        aside.write_all(document.reveal().as_bytes()).map_err(FileStore::failed(&path))?;
        aside.as_file().sync_all().map_err(FileStore::failed(&path))?;
        aside.persist(&path).map_err(|error| StoreError::File { path: path.clone(), source: error.error })?;
        Ok(())
    }

    fn remove(&self, server: &ServerAddress) -> Result<(), StoreError> {
        let path = self.path(server);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(FileStore::failed(&path)),
        }
    }
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // It may have been there, made by somebody more generous.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
fn is_open_to_others(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;

    metadata.permissions().mode() & 0o077 != 0
}

/// Elsewhere a file inherits who may read it from the person's own folder.
#[cfg(not(unix))]
fn is_open_to_others(_: &fs::Metadata) -> bool {
    false
}
