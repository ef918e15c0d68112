//! The credentials of one server, as one document.
//!
//! Owns the form of the document and the rule that credentials count only for the server and the issuer that they were issued by. Must not
//! know where the document is kept.

use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::address::ServerAddress;
use crate::credentials::Credentials;
use crate::secret::Secret;

/// What is kept for one server: an entry for each issuer, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    entries: Vec<Credentials>,
}

impl Ledger {
    /// Reads a document that was kept for `server`. Entries that name another server are not used, whoever put them there.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub(crate) fn read(document: Option<&Secret>, server: &ServerAddress) -> Result<Ledger, StoreError> {
        let Some(document) = document else { return Ok(Ledger::default()) };
        let mut ledger: Ledger = serde_json::from_str(document.reveal()).map_err(|_| StoreError::Damaged)?;
        ledger.entries.retain(|credentials| credentials.are_for(server));
        Ok(ledger)
    }

    /// The document.
    pub(crate) fn document(&self) -> Secret {
        Secret::new(serde_json::json!({ "entries": self.entries }).to_string())
    }

    /// The newest entry, whatever its issuer.
    pub(crate) fn newest(&self) -> Option<&Credentials> {
        self.entries.first()
    }

    /// The entry of `issuer`, to the letter.
    pub(crate) fn of_issuer(&self, issuer: &str) -> Option<&Credentials> {
        self.entries.iter().find(|credentials| credentials.issuer == issuer)
    }

    /// Keeps `credentials`, in place of those of the same issuer.
    pub(crate) fn put(&mut self, credentials: Credentials) {
        self.drop_issuer(&credentials.issuer);
        self.entries.insert(0, credentials);
    }

    /// Drops the entry of `issuer`.
    pub(crate) fn drop_issuer(&mut self, issuer: &str) {
        self.entries.retain(|kept| kept.issuer != issuer);
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::credentials::Client;

    fn credentials(server: &ServerAddress, issuer: &str, id: &str) -> Credentials {
        Credentials {
            server: server.as_str().to_owned(),
            issuer: issuer.to_owned(),
            client: Client::Registered { id: id.to_owned() },
            token: None,
        }
    }

    fn address(url: &str) -> ServerAddress {
        ServerAddress::new(&Url::parse(url).unwrap())
    }

    #[test]
    fn each_issuer_has_its_own_entry() {
        let server = address("https://mcp.example/");
        let mut ledger = Ledger::default();
        ledger.put(credentials(&server, "https://a.example", "one"));
        ledger.put(credentials(&server, "https://b.example", "two"));
        ledger.put(credentials(&server, "https://a.example", "three"));
        let read = Ledger::read(Some(&ledger.document()), &server).unwrap();
        assert_eq!(read.newest().unwrap().client.id(), "three");
        assert_eq!(read.of_issuer("https://b.example").unwrap().client.id(), "two");
        assert!(read.of_issuer("https://b.example/").is_none());
    }

    #[test]
    fn a_document_of_another_server_gives_nothing() {
        let mut ledger = Ledger::default();
        ledger.put(credentials(&address("https://mcp.example/"), "https://a.example", "one"));
        let read = Ledger::read(Some(&ledger.document()), &address("https://other.example/")).unwrap();
        assert_eq!(read.newest(), None);
    }

    #[test]
    fn a_document_that_is_none_is_said_to_be_damaged() {
        let server = address("https://mcp.example/");
        assert!(matches!(Ledger::read(Some(&Secret::new("{")), &server), Err(StoreError::Damaged)));
        assert_eq!(Ledger::read(None, &server).unwrap(), Ledger::default());
    }
}
