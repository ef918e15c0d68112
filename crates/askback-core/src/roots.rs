//! Roots: the folders that the user lets servers see.
//!
//! Owns the way from paths to `file://` URIs and back. Must not touch the file system.

use serde::{Deserialize, Serialize};
use url::Url;

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

impl Root {
    /// The root for an absolute POSIX path, which is kept as it is: links are not resolved, Unicode is not normalised.
    pub fn from_posix_path(path: &str, name: Option<String>) -> Result<Root, RootError> {
        if !path.starts_with('/') {
            return Err(RootError::NotAbsolute { path: path.to_owned() });
        }
        let trimmed = if path.len() > 1 { path.trim_end_matches('/') } else { path };
        let mut uri = String::from("file://");
        for byte in if trimmed.is_empty() { "/" } else { trimmed }.bytes() {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' | b':' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*'
                | b'+' | b',' | b'=' => uri.push(byte as char),
                _ if byte.is_ascii_alphanumeric() => uri.push(byte as char),
                _ => uri.push_str(&format!("%{byte:02X}")),
            }
        }
        Ok(Root { uri, name })
    }

    /// The root for a URI that the user gave.
    pub fn from_uri(uri: &str, name: Option<String>) -> Result<Root, RootError> {
        let parsed = Url::parse(uri).map_err(|_| RootError::NotFile { uri: uri.to_owned() })?;
        if parsed.scheme() != "file" {
            return Err(RootError::NotFile { uri: uri.to_owned() });
        }
        let part = if parsed.fragment().is_some() {
            "fragment"
        } else if parsed.query().is_some() {
            "query"
        } else if parsed.host_str().is_some_and(|host| !host.is_empty() && host != "localhost") {
            "host"
        } else {
            return Ok(Root { uri: parsed.to_string(), name });
        };
        Err(RootError::HasPart { uri: uri.to_owned(), part })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, uri: &str) {
        assert_eq!(Root::from_posix_path(path, None).unwrap().uri, uri);
    }

    #[test]
    fn r02_each_path_is_encoded_once() {
        check("/w/a b", "file:///w/a%20b");
        check("/w/100%", "file:///w/100%25");
        check("/w/%20", "file:///w/%2520");
        check("/w/プ", "file:///w/%E3%83%97");
        check("/w/new\nline", "file:///w/new%0Aline");
        check("/w/a#b?c;d[e]", "file:///w/a%23b%3Fc%3Bd%5Be%5D");
        check("/", "file:///");
        check("/w/", "file:///w");
    }

    #[test]
    fn a_root_uri_has_no_fragment_query_or_host() {
        for (uri, part) in [("file:///w#x", "fragment"), ("file:///w?x", "query"), ("file://host/w", "host")] {
            assert_eq!(Root::from_uri(uri, None), Err(RootError::HasPart { uri: uri.into(), part }));
        }
        assert!(matches!(Root::from_uri("https://x/", None), Err(RootError::NotFile { .. })));
        assert_eq!(Root::from_uri("file:///w/a%20b", None).unwrap().uri, "file:///w/a%20b");
    }
}
