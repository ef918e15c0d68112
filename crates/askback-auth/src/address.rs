//! Which addresses OAuth may be spoken with.
//!
//! Owns the server's address as credentials are bound to it, and the rule for every address that a stranger's metadata names. Must not know
//! what is asked there.
//!
//! Serves "Communication Security" of the authorization pages: endpoints are https, or http on this machine for a server on this machine.

use std::fmt;

use url::{Host, Url};

/// A server's address, in the one form that credentials are bound to: no fragment, no user name, no password.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress(Url);

impl ServerAddress {
    /// The address of the server at `url`, which is http or https.
    pub fn new(url: &Url) -> ServerAddress {
        let mut url = url.clone();
        url.set_fragment(None);
        // Both fail only for addresses without a host, which have neither.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        ServerAddress(url)
    }

    /// Where the key of a model belongs that is asked at `endpoint`: `openai` for a provider's own, or a base URL. A scheme of its own keeps it
    /// apart from the tokens of a server at the same address.
    ///
    /// # Errors
    /// The endpoint has a character that no address has.
    pub fn of_models(endpoint: &str) -> Result<ServerAddress, url::ParseError> {
        Url::parse(&format!("model-key:{endpoint}")).map(ServerAddress)
    }

    /// The address.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Another path at this server's own origin, without a query.
    pub(crate) fn at_origin(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_query(None);
        url.set_path(path);
        url
    }

    /// Whether this address may be asked on behalf of the server: https anywhere but on this machine, and this machine only for a server
    /// that is on it too, so that a stranger's metadata cannot make us speak to what listens here.
    pub(crate) fn may_ask(&self, url: &Url) -> bool {
        if url.host().is_none() {
            return false;
        }
        match (url.scheme(), is_loopback(url)) {
            ("http" | "https", true) => is_loopback(&self.0),
            ("https", false) => true,
            _ => false,
        }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Whether an address is on this machine, whatever its name resolves to.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|mapped| mapped.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(server: &str, asked: &str, expected: bool) {
        let server = ServerAddress::new(&Url::parse(server).unwrap());
        assert_eq!(server.may_ask(&Url::parse(asked).unwrap()), expected, "{server} {asked}");
    }

    #[test]
    fn only_https_is_spoken_to_beyond_this_machine() {
        check("https://mcp.example/mcp", "https://auth.example/token", true);
        check("https://mcp.example/mcp", "http://auth.example/token", false);
        check("http://mcp.example/mcp", "http://mcp.example/token", false);
        check("https://mcp.example/mcp", "ftp://auth.example/token", false);
        check("https://mcp.example/mcp", "data:text/plain,token", false);
    }

    #[test]
    fn this_machine_is_spoken_to_only_for_servers_on_it() {
        check("http://127.0.0.1:3000/mcp", "http://localhost:4000/token", true);
        check("http://localhost/mcp", "http://[::1]/token", true);
        check("http://localhost/mcp", "https://auth.example/token", true);
        check("https://mcp.example/mcp", "http://127.0.0.1:4000/token", false);
        check("https://mcp.example/mcp", "https://localhost/token", false);
        check("https://mcp.example/mcp", "https://[::ffff:127.0.0.1]/token", false);
        check("https://mcp.example/mcp", "https://inner.localhost./token", false);
    }

    #[test]
    fn what_is_not_part_of_the_address_is_left_out() {
        let address = ServerAddress::new(&Url::parse("https://anne:key@mcp.example/mcp?tenant=1#top").unwrap());
        assert_eq!(address.as_str(), "https://mcp.example/mcp?tenant=1");
        assert_eq!(address.at_origin("/token").as_str(), "https://mcp.example/token");
    }
}
