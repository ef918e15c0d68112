//! A login without a person: the page is requested, and its redirect is the answer.
//!
//! For tests, and for authorization servers that let everybody in. Must not follow the redirect: nothing listens there.

use std::fmt;

use askback_host::authorization::Pending;

use super::{Browser, BrowserError, LoginPage, Redirected, Visit};
use crate::address::ServerAddress;
use crate::courier::Courier;

/// Requests the page of a login itself.
pub struct HeadlessBrowser {
    courier: Courier,
    redirect_uri: String,
}

impl HeadlessBrowser {
    /// Logs in to `server`, and says that it can be sent back to `redirect_uri`.
    pub fn new(server: &ServerAddress, redirect_uri: impl Into<String>) -> HeadlessBrowser {
        HeadlessBrowser { courier: Courier::new(server.clone()), redirect_uri: redirect_uri.into() }
    }
}

impl Browser for HeadlessBrowser {
    fn prepare<'a>(&'a self, _earlier: Option<&'a str>) -> Pending<'a, Result<Box<dyn Visit>, BrowserError>> {
        let visit: Box<dyn Visit> =
            Box::new(HeadlessVisit { courier: self.courier.clone(), redirect_uri: self.redirect_uri.clone() });
        Box::pin(std::future::ready(Ok(visit)))
    }
}

impl fmt::Debug for HeadlessBrowser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HeadlessBrowser").field("redirect_uri", &self.redirect_uri).finish_non_exhaustive()
    }
}

struct HeadlessVisit {
    courier: Courier,
    redirect_uri: String,
}

impl Visit for HeadlessVisit {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn make(self: Box<Self>, page: LoginPage) -> Pending<'static, Result<Redirected, BrowserError>> {
        Box::pin(async move {
            let not_opened = |detail: String| BrowserError::NotOpened { detail };
            let response = self.courier.get(&page.address).await.map_err(|error| not_opened(error.to_string()))?;
            let status = response.status();
            let location = response.headers().get(http::header::LOCATION).and_then(|location| location.to_str().ok());
            let location = location.filter(|_| status.is_redirection());
            let location = location.ok_or(BrowserError::NoRedirect { status: status.as_u16() })?;
            let address = page.address.join(location).map_err(|error| not_opened(error.to_string()))?;
            Ok(Redirected::new(address.query().unwrap_or_default()))
        })
    }
}
