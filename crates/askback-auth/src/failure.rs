//! What can go wrong on the way to a token.
//!
//! Owns the failures as values. Must not know the words for them: those are in [`crate::wording`].

use rmcp::transport::auth::AuthError;
use rmcp::transport::auth::enterprise::EmaError;

use crate::browser::BrowserError;
use crate::courier::{CourierError, Note};
use crate::store::StoreError;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The server refused, and neither it nor its origin says who could let us in.
    #[error("the server says nowhere who could let us in")]
    NotOffered { status: Option<u16>, notes: Vec<Note> },
    #[error("nobody can be asked to log in")]
    NobodyToAsk,
    #[error("the server's metadata cannot be used")]
    Discovery(#[source] Box<AuthError>),
    #[error("the metadata names {address}, which is not spoken with")]
    Address { address: String },
    #[error("{issuer} does not offer PKCE with S256")]
    NoPkce { issuer: String },
    #[error("the server now names {now} instead of {before}, for which the client was registered by hand")]
    OtherIssuer { before: String, now: String },
    #[error("{issuer} registers no clients, and none is configured")]
    NoRegistration { issuer: String },
    #[error("{issuer} did not register the client")]
    Registration {
        issuer: String,
        #[source]
        source: Box<AuthError>,
    },
    #[error(transparent)]
    Browser(BrowserError),
    #[error("the login was refused: {error}")]
    LoginRefused { error: String, description: Option<String> },
    #[error("the answer to the login is not one to ours")]
    OtherState,
    #[error("the answer to the login came from {received:?}, and was expected from {expected}")]
    WrongIssuer { expected: String, received: Option<String> },
    #[error("the answer to the login has no code")]
    NoCode,
    #[error("the token was not issued")]
    Token(#[source] Box<AuthError>),
    #[error("the answer of the token endpoint holds no token")]
    NoToken,
    #[error("{address} did not issue a token: {detail}")]
    TokenEndpoint { address: String, detail: String },
    #[error("the request for a token failed")]
    Courier(#[from] CourierError),
    #[error("the organisation's vouching brought no token")]
    Enterprise(#[from] EmaError),
    #[error("the key cannot sign with {algorithm}")]
    Key { algorithm: &'static str },
    #[error("the tokens cannot be kept")]
    Store(#[from] StoreError),
    #[error("the server still refuses")]
    StillRefused { status: u16, error: Option<String>, description: Option<String> },
}

impl Failure {
    /// Metadata that cannot be used.
    pub(crate) fn discovery(error: AuthError) -> Failure {
        Failure::Discovery(Box::new(error))
    }

    /// A token that was not issued.
    pub(crate) fn token(error: AuthError) -> Failure {
        Failure::Token(Box::new(error))
    }

    /// Whether somebody was asked to log in before it failed: then nobody is asked again by itself.
    pub(crate) fn came_after_asking(&self) -> bool {
        match self {
            Failure::Browser(error) => !matches!(error, BrowserError::Listen(_) | BrowserError::NotNow { .. }),
            Failure::LoginRefused { .. }
            | Failure::OtherState
            | Failure::WrongIssuer { .. }
            | Failure::NoCode
            | Failure::NoToken
            | Failure::Token(_)
            | Failure::TokenEndpoint { .. } => true,
            _ => false,
        }
    }
}

impl From<BrowserError> for Failure {
    fn from(error: BrowserError) -> Failure {
        Failure::Browser(error)
    }
}
