//! What the person has said of roots, for good: folders added by command, and which server may be told of which folder.

use serde::{Deserialize, Serialize};

use crate::kept_file::KeptFile;

/// All that is kept.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Kept {
    pub(crate) roots: Vec<AddedRoot>,
    pub(crate) consents: Vec<Consent>,
}

/// A folder that was added by command.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct AddedRoot {
    /// The absolute path, as it was given.
    pub path: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The only server that it is for; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Globs for what is never told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

/// What a server may be told of from now on, and of what not. It is bound to the server as the person saw it: a name, and what is behind it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Consent {
    /// The server's name.
    pub server: String,
    /// Its command line or address.
    pub source: String,
    /// The URIs that it may be told of.
    #[serde(default)]
    pub shared: Vec<String>,
    /// The URIs that it was not to be told of when the person was asked.
    #[serde(default)]
    pub withheld: Vec<String>,
}

pub(crate) type Book = KeptFile<Kept>;

impl Kept {
    /// What is said of a folder for a server.
    pub(crate) fn word(&self, server: &str, source: &str, uri: &str) -> Option<bool> {
        let consent = self.consents.iter().find(|consent| consent.is_for(server, source))?;
        let is_in = |uris: &[String]| uris.iter().any(|other| other == uri);
        if is_in(&consent.shared) { Some(true) } else { is_in(&consent.withheld).then_some(false) }
    }

    /// Notes what is said of folders; what was said of others stays.
    pub(crate) fn note(&mut self, server: &str, source: &str, shared: Vec<String>, withheld: Vec<String>) {
        let known = self.consents.iter().position(|consent| consent.is_for(server, source));
        let mut consent = match known {
            Some(at) => self.consents.remove(at),
            None => Consent { server: server.into(), source: source.into(), shared: Vec::new(), withheld: Vec::new() },
        };
        let unsaid = |uri: &String| !shared.contains(uri) && !withheld.contains(uri);
        consent.shared.retain(unsaid);
        consent.withheld.retain(unsaid);
        consent.shared.extend(shared);
        consent.withheld.extend(withheld);
        self.consents.push(consent);
    }
}

impl Consent {
    fn is_for(&self, server: &str, source: &str) -> bool {
        self.server == server && self.source == source
    }
}
