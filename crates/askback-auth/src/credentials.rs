//! What is kept of a login: as whom we came, and what we got.
//!
//! Owns the record and its binding to a server and an issuer, and the conversion from the tokens of `rmcp`. Must not know where records are
//! kept.
//!
//! Serves "Authorization Server Binding" and "Refresh Tokens" of the authorization pages.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askback_host::authorization::AccessToken;
use rmcp::transport::auth::{OAuthTokenResponse, StoredCredentials};
use serde::{Deserialize, Serialize};

use crate::address::ServerAddress;
use crate::secret::Secret;

/// A token is renewed when less than this remains, or less than half of its life.
const RENEW_BEFORE: Duration = Duration::from_secs(30);

/// What we have from one issuer for one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// The server that the token is for; it is sent nowhere else.
    pub(crate) server: String,
    /// The issuer that the client and the refresh token belong to; they are sent nowhere else.
    pub(crate) issuer: String,
    /// As whom we came.
    pub(crate) client: Client,
    /// What we got; nothing once the issuer has withdrawn it.
    pub(crate) token: Option<Token>,
}

/// As whom we came to an issuer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Client {
    /// As a client registered by hand, whose secret stays in the configuration.
    Registered {
        /// `client_id`.
        id: String,
    },
    /// By the address of our metadata document.
    MetadataDocument {
        /// `client_id`.
        id: String,
    },
    /// As a client that the issuer registered when asked.
    Dynamic {
        /// `client_id`.
        id: String,
        /// `client_secret`, if it gave one.
        secret: Option<Secret>,
        /// The redirect address that it was registered with.
        redirect_uri: String,
    },
}

impl Client {
    /// `client_id`.
    pub(crate) fn id(&self) -> &str {
        match self {
            Client::Registered { id } | Client::MetadataDocument { id } | Client::Dynamic { id, .. } => id,
        }
    }

    /// Whether somebody made this client for one issuer only.
    pub(crate) fn is_by_hand(&self) -> bool {
        matches!(self, Client::Registered { .. })
    }
}

/// Tokens, and what is known of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Token {
    /// The token that requests carry.
    pub(crate) access: Secret,
    /// The token that gets the next one.
    pub(crate) refresh: Option<Secret>,
    /// When it was issued, in seconds since 1970.
    pub(crate) issued_at: u64,
    /// How long it lives, in seconds; nothing when the issuer did not say.
    pub(crate) lives: Option<u64>,
    /// The scopes that were asked for, which the next login asks for again.
    pub(crate) scopes: Vec<String>,
}

/// The part of a token response that matters here (RFC 6749, section 5.1).
#[derive(Deserialize)]
struct Issued {
    access_token: String,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    expires_in: Option<u64>,
}

impl Token {
    /// What `rmcp` got; nothing when it has no access token after all.
    pub(crate) fn from_response(response: &OAuthTokenResponse, scopes: &[String]) -> Option<Token> {
        let value = serde_json::to_value(response).ok()?;
        Token::from_json(value, scopes)
    }

    /// What a token endpoint answered; nothing when that has no token.
    pub(crate) fn from_json(value: serde_json::Value, scopes: &[String]) -> Option<Token> {
        let issued: Issued = serde_json::from_value(value).ok()?;
        Some(Token {
            access: Secret::new(issued.access_token),
            refresh: issued.refresh_token.map(Secret::new),
            issued_at: now(),
            lives: issued.expires_in,
            scopes: scopes.to_vec(),
        })
    }

    /// The token that requests carry.
    pub(crate) fn access_token(&self) -> AccessToken {
        AccessToken::new(self.access.reveal())
    }

    /// How fresh it is at `now`, in seconds since 1970.
    pub(crate) fn freshness(&self, now: u64) -> Freshness {
        let Some(lives) = self.lives else { return Freshness::Good };
        let remains = (self.issued_at + lives).saturating_sub(now);
        if remains == 0 {
            Freshness::Expired
        } else if remains < RENEW_BEFORE.as_secs().min(lives / 2) {
            Freshness::Ending
        } else {
            Freshness::Good
        }
    }
}

/// How much of a token's life is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Enough.
    Good,
    /// So little that it should be renewed.
    Ending,
    /// Nothing.
    Expired,
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl Credentials {
    /// The same client of the same issuer, with another token.
    pub(crate) fn with_token(&self, token: Option<Token>) -> Credentials {
        Credentials { token, ..self.clone() }
    }

    /// Whether these may be used for `server`.
    pub(crate) fn are_for(&self, server: &ServerAddress) -> bool {
        self.server == server.as_str()
    }

    /// These credentials as `rmcp` keeps them, for a refresh; nothing without a refresh token.
    pub(crate) fn to_rmcp(&self) -> Option<StoredCredentials> {
        let token = self.token.as_ref()?;
        let response = serde_json::json!({
            "access_token": token.access.reveal(),
            "token_type": "bearer",
            "refresh_token": token.refresh.as_ref()?.reveal(),
        });
        let response: OAuthTokenResponse = serde_json::from_value(response).ok()?;
        let stored = StoredCredentials::new(self.client.id().to_owned(), Some(response), token.scopes.clone(), None);
        Some(stored.with_issuer(Some(self.issuer.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lives: Option<u64>, age: u64, expected: Freshness) {
        let token = Token { access: Secret::new("a"), refresh: None, issued_at: 1000, lives, scopes: Vec::new() };
        assert_eq!(token.freshness(1000 + age), expected);
    }

    #[test]
    fn a_token_is_renewed_before_it_runs_out() {
        check(None, 1_000_000, Freshness::Good);
        check(Some(3600), 0, Freshness::Good);
        check(Some(3600), 3570, Freshness::Good);
        check(Some(3600), 3571, Freshness::Ending);
        check(Some(3600), 3600, Freshness::Expired);
        check(Some(10), 4, Freshness::Good);
        check(Some(10), 6, Freshness::Ending);
        check(Some(0), 0, Freshness::Expired);
        check(Some(1), 0, Freshness::Good);
    }

    #[test]
    fn secrets_are_not_shown() {
        let credentials = Credentials {
            server: "https://mcp.example/".to_owned(),
            issuer: "https://auth.example".to_owned(),
            client: Client::Dynamic {
                id: "client".to_owned(),
                secret: Some(Secret::new("client-key")),
                redirect_uri: "http://127.0.0.1:1/callback".to_owned(),
            },
            token: Token::from_json(serde_json::json!({ "access_token": "first", "refresh_token": "second" }), &[]),
        };
        let shown = format!("{credentials:?}");
        assert!(!["client-key", "first", "second"].iter().any(|secret| shown.contains(secret)), "{shown}");
    }
}
