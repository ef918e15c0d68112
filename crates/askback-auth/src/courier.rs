//! Carries every request that OAuth makes, and keeps to its bounds.
//!
//! Owns the HTTP client, the bounds of an answer (size, time, address, no redirects) and the notes of what was looked at. Must not know what
//! a request is for.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::transport::auth::{OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest};
use url::Url;

use crate::address::{ServerAddress, is_loopback};

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 1024 * 1024;
/// How often a document may be somewhere else.
const MOST_REDIRECTS: usize = 5;
/// How long one request may take, with its answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Carries the requests on behalf of one server.
#[derive(Clone)]
pub(crate) struct Courier {
    server: ServerAddress,
    clients: Arc<Clients>,
    notes: Arc<Mutex<Vec<Note>>>,
}

/// What was looked at, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The address.
    pub(crate) address: String,
    /// The answer.
    pub(crate) answer: Answer,
}

/// What came of looking at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// An answer with this status.
    Status(u16),
    /// No answer.
    Nothing {
        /// Why, in the words of the HTTP library.
        detail: String,
    },
    /// It was not looked at, because it is neither https nor on this machine like the server itself.
    NotAsked,
}

/// Why a request brought no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CourierError {
    #[error("{address} is not asked: it is neither https nor on the server's own machine")]
    NotAsked { address: String },
    #[error("{address} did not answer: {detail}")]
    Unreachable { address: String, detail: String },
    #[error("{address} answered more than {LONGEST_ANSWER} bytes")]
    TooLong { address: String },
    #[error("the request cannot be made")]
    NoRequest(#[source] http::Error),
}

impl Courier {
    /// A courier for `server`, with no notes.
    pub(crate) fn new(server: ServerAddress) -> Courier {
        Courier { server, clients: Arc::default(), notes: Arc::default() }
    }

    /// The same courier with a clean sheet of notes.
    pub(crate) fn with_clean_notes(&self) -> Courier {
        Courier { server: self.server.clone(), clients: self.clients.clone(), notes: Arc::default() }
    }

    /// What was looked at since the sheet was clean.
    pub(crate) fn notes(&self) -> Vec<Note> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the last request was answered with a refusal that asking again would not change.
    pub(crate) fn was_refused(&self) -> bool {
        const LATER: [u16; 3] = [408, 425, 429];
        let notes = self.notes();
        matches!(notes.last().map(|note| &note.answer), Some(Answer::Status(status @ 400..500)) if !LATER.contains(status))
    }

    /// Sends a request with a form to `address`.
    ///
    /// # Errors
    /// When the address may not be asked, or does not answer within the bounds.
    pub(crate) async fn post_form(
        &self,
        address: &Url,
        authorization: Option<String>,
        form: &[(&str, &str)],
    ) -> Result<http::Response<Vec<u8>>, CourierError> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request = http::Request::post(address.as_str())
            .header(http::header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(http::header::ACCEPT, "application/json");
        if let Some(authorization) = authorization {
            request = request.header(http::header::AUTHORIZATION, authorization);
        }
        self.carry(request.body(body.into_bytes()).map_err(CourierError::NoRequest)?).await
    }

    /// Gets the document at `address`.
    ///
    /// # Errors
    /// Like [`Courier::post_form`].
    pub(crate) async fn get(&self, address: &Url) -> Result<http::Response<Vec<u8>>, CourierError> {
        let request = http::Request::get(address.as_str())
            .header(http::header::ACCEPT, "application/json")
            .body(Vec::new())
            .map_err(CourierError::NoRequest)?;
        self.carry(request).await
    }

    /// Gets the document at `address`, or where that redirects to at the same origin.
    ///
    /// # Errors
    /// Like [`Courier::post_form`].
    pub(crate) async fn get_within_origin(&self, address: &Url) -> Result<http::Response<Vec<u8>>, CourierError> {
        let mut address = address.clone();
        let mut response = self.get(&address).await?;
        for _ in 0..MOST_REDIRECTS {
            let location = response.headers().get(http::header::LOCATION).and_then(|location| location.to_str().ok());
            let next = location.filter(|_| response.status().is_redirection()).and_then(|to| address.join(to).ok());
            match next {
                Some(next) if next.origin() == address.origin() => address = next,
                _ => break,
            }
            response = self.get(&address).await?;
        }
        Ok(response)
    }

    /// The status and headers with which the server answers somebody it does not know. The body is not waited for: it may be a stream
    /// without an end.
    ///
    /// # Errors
    /// Like [`Courier::post_form`].
    pub(crate) async fn knock(&self) -> Result<http::Response<()>, CourierError> {
        let url = self.server.url();
        let unreachable = |error: &reqwest::Error| CourierError::Unreachable {
            address: self.server.as_str().to_owned(),
            detail: in_full(error),
        };
        if !self.server.may_ask(url) {
            return Err(CourierError::NotAsked { address: self.server.as_str().to_owned() });
        }
        let client = self.clients.for_address(url).map_err(|error| unreachable(&error))?;
        let request = client.get(url.clone()).header(http::header::ACCEPT, "text/event-stream");
        let response = request.send().await.map_err(|error| unreachable(&error))?;
        let mut answer = http::Response::new(());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        Ok(answer)
    }

    async fn carry(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, CourierError> {
        let address = request.uri().to_string();
        let outcome = self.carry_unnoted(request, &address).await;
        let answer = match &outcome {
            Ok(response) => Answer::Status(response.status().as_u16()),
            Err(CourierError::NotAsked { .. }) => Answer::NotAsked,
            Err(error) => Answer::Nothing { detail: error.to_string() },
        };
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(Note { address, answer });
        outcome
    }

    async fn carry_unnoted(
        &self,
        request: http::Request<Vec<u8>>,
        address: &str,
    ) -> Result<http::Response<Vec<u8>>, CourierError> {
        let unreachable = |detail: String| CourierError::Unreachable { address: address.to_owned(), detail };
        let url = Url::parse(address).map_err(|error| unreachable(error.to_string()))?;
        if !self.server.may_ask(&url) {
            return Err(CourierError::NotAsked { address: address.to_owned() });
        }
        let client = self.clients.for_address(&url).map_err(|error| unreachable(in_full(&error)))?;
        let request = reqwest::Request::try_from(request).map_err(|error| unreachable(in_full(&error)))?;
        let mut response = client.execute(request).await.map_err(|error| unreachable(in_full(&error)))?;
        let mut answer = http::Response::builder().status(response.status());
        for (name, value) in response.headers() {
            answer = answer.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(in_full(&error)))? {
            if body.len() + chunk.len() > LONGEST_ANSWER {
                return Err(CourierError::TooLong { address: address.to_owned() });
            }
            body.extend_from_slice(&chunk);
        }
        answer.body(body).map_err(CourierError::NoRequest)
    }
}

/// `rmcp` follows the redirects of discovery itself, within one origin; no other request of OAuth has a reason to be redirected, and a
/// redirected one would carry a code or a secret along.
impl OAuthHttpClient for Courier {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move { Ok(self.carry(request.request).await?) })
    }
}

impl fmt::Debug for Courier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Courier").field("server", &self.server).finish_non_exhaustive()
    }
}

/// The HTTP clients, made when they are first needed: reading the system's certificates takes longer than a whole call over stdio.
#[derive(Default)]
struct Clients {
    direct: OnceLock<reqwest::Client>,
    by_proxy: OnceLock<reqwest::Client>,
}

impl Clients {
    /// A proxy of the system is of no use for what is on this machine.
    fn for_address(&self, url: &Url) -> Result<&reqwest::Client, reqwest::Error> {
        let direct = is_loopback(url);
        let slot = if direct { &self.direct } else { &self.by_proxy };
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        install_provider();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(0)
            .timeout(PATIENCE);
        if direct {
            builder = builder.no_proxy();
        }
        let client = builder.build()?;
        Ok(slot.get_or_init(|| client))
    }
}

/// Makes `ring` do the cryptography of TLS in this process, unless something was chosen before.
fn install_provider() {
    // An error says that there is a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// An error with its causes, since the outermost of `reqwest` says only that sending failed. It never holds bodies or headers.
fn in_full(error: &reqwest::Error) -> String {
    let mut texts = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        texts.push(error.to_string());
        cause = error.source();
    }
    if error.is_timeout() || texts.is_empty() { error.to_string() } else { texts.join(": ") }
}
