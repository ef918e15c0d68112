//! Roots: the folders that the user lets servers see.
//!
//! Owns the way from paths to `file://` URIs and back, what an exclusion excludes, and what a server may be told. Must not touch the file
//! system: whether a folder is there is looked at by the host.

mod exclusion;
mod offer;
mod uri;
mod windows;

use serde::{Deserialize, Serialize};

pub use exclusion::{ExclusionError, Exclusions, is_excluded};
pub use offer::{RootOffer, RootOrigin, without_doubles};
pub use uri::{Path, looks_like_uri};

/// A folder that a server may be told about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// A name for people, if the user gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Why something the user gave is no root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// The path is not absolute.
    #[error("{path:?} is not an absolute path")]
    NotAbsolute {
        /// The path, as given.
        path: String,
    },
    /// The path has `.` or `..` in it. It is not resolved here: what `..` means depends on links.
    #[error("{path:?} has \".\" or \"..\" in it; write the path without")]
    HasDots {
        /// The path or URI, as given.
        path: String,
    },
    /// The path cannot be told in a URI so that it could be read back.
    #[error("{path:?} cannot be written as a file:// URI: {why}")]
    NoUri {
        /// The path or URI, as given.
        path: String,
        /// What is in the way.
        why: Obstacle,
    },
    /// Only `file://` URIs may be roots.
    #[error("{uri:?} is not a file:// URI")]
    NotFile {
        /// The URI, as given.
        uri: String,
    },
    /// A fragment, a query or a foreign host has no meaning in a root.
    #[error("{uri:?} has a {part}, which a root cannot have")]
    HasPart {
        /// The URI, as given.
        uri: String,
        /// `fragment`, `query` or `host`.
        part: &'static str,
    },
}

/// What is in the way of a URI that could be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// It is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It has a NUL in it.
    #[error("it has a NUL in it")]
    Nul,
    /// It has control characters in it.
    #[error("it has control characters in it")]
    ControlCharacter,
    /// It has an empty part in the place of a host.
    #[error("it has an empty part in the place of a host")]
    EmptyHost,
    /// It has a character that names cannot have.
    #[error("it has a character that names cannot have")]
    ForbiddenCharacter,
    /// A % is not followed by two digits.
    #[error("a % is not followed by two digits")]
    BadPercent,
    /// It has an encoded slash in it.
    #[error("it has an encoded slash in it")]
    EncodedSlash,
    /// It names a device.
    #[error("it names a device")]
    Device,
    /// The name of its computer has no place in a URI.
    #[error("the name of its computer has no place in a URI")]
    ComputerName,
    /// Localhost in a URI means no computer at all; write the path with its drive.
    #[error("localhost in a URI means no computer at all; write the path with its drive")]
    Localhost,
    /// It names a computer and no share.
    #[error("it names a computer and no share")]
    NoShare,
}

impl Root {
    /// The root for an absolute POSIX path, which is kept as it is: links are not resolved, Unicode is not normalised.
    ///
    /// # Errors
    /// Why there is no URI for it that could be read back.
    pub fn from_posix_path(path: &str, name: Option<String>) -> Result<Root, RootError> {
        Ok(Root { uri: uri::of_posix(path)?, name })
    }

    /// The root for an absolute Windows path: with a drive, on a share, or either in its extended form, `\\?\`.
    ///
    /// # Errors
    /// Why there is no URI for it that could be read back.
    pub fn from_windows_path(path: &str, name: Option<String>) -> Result<Root, RootError> {
        Ok(Root { uri: windows::to_uri(path)?, name })
    }

    /// The root for an absolute path of the system that this runs on.
    ///
    /// # Errors
    /// Why there is no URI for it that could be read back.
    pub fn from_path(path: &std::path::Path, name: Option<String>) -> Result<Root, RootError> {
        let Some(text) = path.to_str() else {
            let path = path.display().to_string();
            return Err(RootError::NoUri { path, why: Obstacle::NotUtf8 });
        };
        if cfg!(windows) { Root::from_windows_path(text, name) } else { Root::from_posix_path(text, name) }
    }

    /// The root for a URI that the user gave, in the one way of writing it: the drive with a bare colon, nothing encoded that need not be,
    /// no `localhost`, no slash at the end.
    ///
    /// # Errors
    /// Why it is no root.
    pub fn from_uri(uri: &str, name: Option<String>) -> Result<Root, RootError> {
        Ok(Root { uri: uri::normalised(uri)?, name })
    }

    /// The folder behind the URI.
    ///
    /// # Errors
    /// Why the URI leads to no path.
    pub fn path(&self) -> Result<Path, RootError> {
        uri::to_path(&self.uri)
    }

    /// The path for people, or the URI where there is none.
    pub fn shown(&self) -> String {
        self.path().map_or_else(|_| self.uri.clone(), |path| path.text().to_owned())
    }
}

#[cfg(test)]
mod tests;
