//! The person's step of a login: a page is opened somewhere, and the answer comes back as a redirect.
//!
//! Owns the traits and what passes through them. Must not know what is asked on the page or what the answer means.

mod headless;
mod loopback;
mod page;

use std::fmt;
use std::time::Duration;

use askback_host::authorization::Pending;
use url::Url;

pub use headless::HeadlessBrowser;
pub use loopback::{LoopbackBrowser, Opener};
pub use page::{ENDINGS, Ending, redirect_page};

/// Where a person can be sent to log in.
pub trait Browser: Send + Sync + fmt::Debug {
    /// Prepares one visit, so that the address of the redirect is known. `earlier` is the address of an earlier visit, which is taken again
    /// if that is possible: the client is registered with it.
    ///
    /// # Errors
    /// [`BrowserError`], when nobody can be sent anywhere.
    fn prepare<'a>(&'a self, earlier: Option<&'a str>) -> Pending<'a, Result<Box<dyn Visit>, BrowserError>>;
}

/// One visit that can be made. Dropping it ends it.
pub trait Visit: Send {
    /// The address that the authorization server sends the person back to.
    fn redirect_uri(&self) -> &str;

    /// Opens the page and waits until the person is sent back.
    ///
    /// # Errors
    /// [`BrowserError`], when the person was not sent back.
    fn make(self: Box<Self>, page: LoginPage) -> Pending<'static, Result<Redirected, BrowserError>>;
}

/// The page that is opened, and what to say about it.
///
/// Its address holds nothing that must be kept from the person's screen: the secret half of PKCE stays here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginPage {
    /// The address to open.
    pub address: Url,
    /// The name that we know the server by.
    pub server_name: String,
    /// Who asks for the login; as the metadata says, so neutralise it before it is shown.
    pub issuer: String,
    /// Whether the person has seen its address and agreed to it already, so that nothing is left to ask or to show.
    pub is_agreed: bool,
}

impl LoginPage {
    /// The `state` that the answer has to carry.
    pub(crate) fn state(&self) -> Option<String> {
        self.address.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned())
    }
}

/// The query of the redirect, which may hold a code.
#[derive(Clone, PartialEq, Eq)]
pub struct Redirected(String);

impl Redirected {
    /// The query, without `?`.
    pub fn new(query: impl Into<String>) -> Redirected {
        Redirected(query.into())
    }

    /// The value of one parameter; nothing when it is absent or empty.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let mut pairs = url::form_urlencoded::parse(self.0.as_bytes());
        pairs.find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.into_owned())
    }
}

impl fmt::Debug for Redirected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Redirected(…)")
    }
}

/// Why the person was not sent back.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// The redirect cannot be received.
    #[error("no port on this machine can be listened on")]
    Listen(#[source] std::io::Error),
    /// The page could not be opened.
    #[error("the page could not be opened: {detail}")]
    NotOpened {
        /// Why.
        detail: String,
    },
    /// The person did not want to.
    #[error("the person did not want to log in")]
    Declined,
    /// Nobody could be shown the page just now.
    #[error("nobody can be asked now: {detail}")]
    NotNow {
        /// Why, and what to do instead.
        detail: String,
    },
    /// Nobody came back in time.
    #[error("nobody came back within {} s", .waited.as_secs())]
    TimedOut {
        /// How long was waited.
        waited: Duration,
    },
    /// The page answered, and did not send back (only without a person).
    #[error("the page answered {status} instead of a redirect")]
    NoRedirect {
        /// The status of the answer.
        status: u16,
    },
}
