//! Whether a folder is there.

use std::io::ErrorKind;
use std::path::Path;

/// Why a folder is of no use as a root now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It is not there.
    Vanished,
    /// Something is there that is no folder.
    NotAFolder,
    /// It cannot be listed.
    Unreadable {
        /// What the system says.
        detail: String,
    },
}

/// Looks whether a folder can be listed. Links are followed for that, and for that only.
pub(crate) fn look(folder: &Path) -> Result<(), Absence> {
    match std::fs::read_dir(folder) {
        Ok(_) => Ok(()),
        Err(error) => Err(match error.kind() {
            ErrorKind::NotFound => Absence::Vanished,
            ErrorKind::NotADirectory => Absence::NotAFolder,
            _ => Absence::Unreadable { detail: error.to_string() },
        }),
    }
}
