//! What a connection over HTTP needs from whoever knows about OAuth.
//!
//! Owns the trait and what passes through it. Must not know how tokens are come by, kept or refreshed: that is `askback-auth`, which the
//! binary puts behind this trait.
//!
//! Serves "Authorization" of 2025-03-26 and later.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use askback_core::engine::{Leave, LeaveAnswer};

/// A future that is boxed, so that the trait can be an object.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A token that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Wraps a token, as it is sent after `Bearer`.
    pub fn new(token: impl Into<String>) -> AccessToken {
        AccessToken(token.into())
    }

    /// The token itself; for the header of a request to the server that it was issued for, and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AccessToken(…)")
    }
}

/// A request that the server did not let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// 401 or 403.
    pub status: u16,
    /// The `WWW-Authenticate` headers, as received; none when the server sent none.
    pub challenges: Vec<String>,
    /// The token that the request carried.
    pub token: Option<AccessToken>,
}

/// Why there is no token that the server would take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthorizationError {
    /// The server said no, and nothing says that logging in would help: no challenge, and no metadata where the specification puts it.
    #[error("{detail}")]
    NotOffered {
        /// What was looked at, and what it answered.
        detail: String,
    },
    /// Somebody has to log in, and nobody can be asked now.
    #[error("nobody is logged in to this server, and there is nobody to ask")]
    NobodyToAsk,
    /// Logging in, refreshing or registering failed.
    #[error("{detail}")]
    Failed {
        /// What happened, in words for the person.
        detail: String,
    },
    /// Everything that can be tried was tried, and the server still says no.
    #[error("the server still refuses: {detail}")]
    StillRefused {
        /// The server's own words, from its challenge.
        detail: String,
    },
}

/// Somebody who can be asked, in the middle of a call, whether they go and log in.
pub trait Person: Send + Sync + fmt::Debug {
    /// Whether they go. After [`LeaveAnswer::Goes`] the page of the leave may be opened, and no other; their time counts until the refusal is
    /// dealt with.
    fn goes(&self, leave: Leave) -> Pending<'_, LeaveAnswer>;
}

/// Gets the tokens for one server.
///
/// One authorizer serves one server address; requests may ask at the same time, and at most one login is under way at any time.
pub trait Authorizer: Send + Sync + fmt::Debug {
    /// The token for the next request, refreshed before it runs out; nothing when none is known. Never asks anybody.
    fn token(&self) -> Pending<'_, Option<AccessToken>>;

    /// The server refused a request; where `person` is known, they are asked before anything is opened for them. After `Ok` the request is worth sending once more, with what [`Authorizer::token`] gives then.
    ///
    /// Bounded: one refresh, then one login, then [`AuthorizationError::StillRefused`], until a request was let through.
    ///
    /// # Errors
    /// Why sending again would be of no use.
    fn refused<'a>(
        &'a self,
        refusal: Refusal,
        person: Option<&'a dyn Person>,
    ) -> Pending<'a, Result<(), AuthorizationError>>;

    /// A request was let through with this token, so that a later refusal counts from the beginning.
    fn accepted(&self, token: &AccessToken);
}
