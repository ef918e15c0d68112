//! One address over HTTP: requests with everything that goes along with them, and the tokens that they need.
//!
//! Owns how requests leave: TLS, proxies, redirects, the user's own header fields, and authorization. Must not know messages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Method, Response, StatusCode};
use url::{Host, Url};

use crate::authorization::{AuthorizationError, Authorizer, Person, Refusal};
use crate::connection::petition::OnBehalf;
use crate::server::ServerAddress;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(30);
/// How many redirects are followed.
const REDIRECTS: usize = 5;
/// How often one request is sent with another token. The authorizer gives up sooner; this is for one that does not.
const TOKENS: u32 = 6;

/// A request without what belongs to the address.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
    /// Whether a 401 without a challenge may mean that the session is lost: then it is handed back instead of asking for a token.
    pub(super) has_session: bool,
    /// The request of the connection that this belongs to, and whose people can be asked for it.
    pub(super) on_behalf: Option<OnBehalf>,
}

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// It did not get there, or got lost on the way.
    Lost {
        detail: String,
        /// Whether the server may have got it.
        may_have_arrived: bool,
    },
    /// No answer began in time.
    Silent,
    /// The server wants a token, and there is none that it takes.
    Unauthorized(AuthorizationError),
}

#[derive(Debug)]
pub(super) struct Endpoint {
    client: Client,
    pub(super) url: Url,
    headers: HeaderMap,
    authorizer: Option<Arc<dyn Authorizer>>,
    /// How long getting tokens has taken, in milliseconds: people's time.
    authorizing: AtomicU64,
}

impl Endpoint {
    /// # Errors
    /// What is wrong with the address or the user's header fields, in words.
    pub(super) fn new(address: &ServerAddress, authorizer: Option<Arc<dyn Authorizer>>) -> Result<Endpoint, String> {
        static PROVIDER: Once = Once::new();
        // Another part of the program may have installed one already, which will do as well.
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let mut headers = HeaderMap::new();
        for (name, value) in &address.headers {
            let bad = || format!("the header field {name:?} cannot be sent");
            let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?, value);
        }
        let mut builder = Client::builder()
            .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .redirect(Policy::custom(follow));
        if is_loopback(&address.url) {
            // A proxy has no business with what is on this machine.
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| cause(&error))?;
        // Who gave a credential themselves wants that one used, and no login.
        let authorizer = authorizer.filter(|_| !headers.contains_key(AUTHORIZATION));
        Ok(Endpoint { client, url: address.url.clone(), headers, authorizer, authorizing: AtomicU64::new(0) })
    }

    /// How long people and others took to get tokens, so far.
    pub(super) fn time_for_tokens(&self) -> Duration {
        Duration::from_millis(self.authorizing.load(Ordering::Relaxed))
    }

    /// Sends a request until it is let through or no token helps. `patience` is for the beginning of the answer, each time.
    pub(super) async fn send(&self, request: &Request, patience: Duration) -> Result<Response, Failure> {
        let mut last = None;
        for _ in 0..TOKENS {
            let token = match &self.authorizer {
                Some(authorizer) => authorizer.token().await,
                None => None,
            };
            let mut builder = self
                .client
                .request(request.method.clone(), request.url.clone())
                .headers(self.headers.clone())
                .headers(request.headers.clone());
            if let Some(token) = &token {
                builder = builder.bearer_auth(token.reveal());
            }
            if let Some(body) = &request.body {
                builder = builder.body(body.clone());
            }
            let response = match tokio::time::timeout(patience, builder.send()).await {
                Err(_) => return Err(Failure::Silent),
                Ok(Err(error)) => return Err(lost(error)),
                Ok(Ok(response)) => response,
            };
            let challenges = challenges(&response);
            let Some(authorizer) = self.authorizer.as_ref().filter(|_| wants_token(&response, &challenges)) else {
                if let (Some(authorizer), Some(token)) = (&self.authorizer, &token) {
                    authorizer.accepted(token);
                }
                return Ok(response);
            };
            if request.has_session && challenges.is_empty() {
                return Ok(response);
            }
            let refusal = Refusal { status: response.status().as_u16(), challenges, token };
            let began = Instant::now();
            let petitioner = request.on_behalf.as_ref().map(OnBehalf::petitioner);
            let person = petitioner.as_ref().map(|petitioner| petitioner as &dyn Person);
            let outcome = authorizer.refused(refusal, person).await;
            drop(petitioner);
            let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.authorizing.fetch_add(took, Ordering::Relaxed);
            match outcome {
                Ok(()) => last = Some(response),
                // The server gave a status and its own words; with nothing to log in to, those are what happened.
                Err(AuthorizationError::NotOffered { .. }) if response.status() == StatusCode::FORBIDDEN => {
                    return Ok(response);
                }
                Err(error) => return Err(Failure::Unauthorized(error)),
            }
        }
        last.ok_or(Failure::Silent)
    }
}

/// Only within the same origin, and only where the method is kept: nothing is sent to whom a server points.
fn follow(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_method = matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let here = attempt.previous().last().is_some_and(|last| last.origin() == attempt.url().origin());
    if keeps_method && here && attempt.previous().len() <= REDIRECTS { attempt.follow() } else { attempt.stop() }
}

fn wants_token(response: &Response, challenges: &[String]) -> bool {
    match response.status() {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => challenges.iter().any(|challenge| challenge.contains("insufficient_scope")),
        _ => false,
    }
}

fn challenges(response: &Response) -> Vec<String> {
    let values = response.headers().get_all(WWW_AUTHENTICATE).iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}

/// Where a redirect that was not followed leads.
pub(super) fn leads_to(response: &Response) -> Option<String> {
    let to = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    Some(String::from_utf8_lossy(to.as_bytes()).into_owned())
}

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn lost(error: reqwest::Error) -> Failure {
    let may_have_arrived = !error.is_connect() && !error.is_builder();
    Failure::Lost { detail: cause(&error.without_url()), may_have_arrived }
}

/// What an error comes down to: the innermost says what happened, those around it only where.
pub(super) fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
