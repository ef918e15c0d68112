//! How a failure of the provider, or on the way there, becomes a [`ModelError`].
//!
//! Owns the reading of statuses, of errors in the middle of an answer, and of what `genai` wraps them in.

use std::error::Error;
use std::io;
use std::time::Duration;

use genai::webc::StreamTimeout;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use secrecy::SecretString;
use serde_json::Value;

use crate::error::ModelError;
use crate::said::{bounded, said};
use crate::settings::ModelSettings;

/// How long the beginning of an answer may take: a model on a small machine reads a long prompt for minutes.
pub(crate) const BEGINNING: Duration = Duration::from_secs(600);
/// How long nothing at all may come once an answer has begun.
pub(crate) const SILENCE: Duration = Duration::from_secs(300);

/// Why an attempt failed.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The provider refused the request with a status.
    Status(Refusal),
    /// Anything else.
    Other(ModelError),
}

/// An answer that is none.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) body: String,
    headers: HeaderMap,
}

/// What a failed attempt comes down to, for these settings.
pub(crate) struct Reading<'a> {
    pub(crate) settings: &'a ModelSettings,
    /// The origin of the endpoint, for messages.
    pub(crate) origin: &'a str,
}

impl Reading<'_> {
    /// What an error of `genai` means.
    pub(crate) fn failure(&self, error: genai::Error) -> Failure {
        match error {
            genai::Error::WebStream { error, .. } => self.broken(error.as_ref()),
            genai::Error::HttpError { .. } => self.broken(&error),
            genai::Error::ChatResponse { body, .. } => Failure::Other(self.told(&body)),
            genai::Error::StreamParse { serde_error, .. } => {
                unreadable(format!("a part of it is no JSON: {serde_error}"))
            }
            genai::Error::JsonValueExt(error) => unreadable(format!("a part of it is not as expected: {error}")),
            genai::Error::SerdeJson(error) => unreadable(format!("a part of it is not as expected: {error}")),
            other => Failure::Other(ModelError::Settings { what: bounded(&other.to_string(), self.key()) }),
        }
    }

    fn broken(&self, error: &(dyn Error + 'static)) -> Failure {
        if let Some(genai::Error::HttpError { status, body, headers, .. }) = error.downcast_ref() {
            let refusal = Refusal { status: status.as_u16(), body: body.clone(), headers: (**headers).clone() };
            return Failure::Status(refusal);
        }
        if let Some(timeout) = error.downcast_ref::<StreamTimeout>() {
            let after = if *timeout == StreamTimeout::Headers { BEGINNING } else { SILENCE };
            return Failure::Other(ModelError::Silent { after });
        }
        let Some(error) = error.downcast_ref::<reqwest::Error>() else {
            return unreadable(bounded(&error.to_string(), self.key()));
        };
        let detail = bounded(&cause(error), self.key());
        let lost_on_the_way = !error.is_connect() && (error.is_body() || error.is_decode());
        Failure::Other(if lost_on_the_way {
            ModelError::CutShort { detail }
        } else {
            ModelError::Unreachable { origin: self.origin.to_owned(), refused: is_refused(error), detail }
        })
    }

    /// What a refusal means.
    pub(crate) fn refusal(&self, refusal: &Refusal) -> ModelError {
        let said = said(&refusal.body, self.key());
        let small = refusal.body.to_ascii_lowercase();
        let retry_after = retry_after(&refusal.headers, &refusal.body);
        match refusal.status {
            300..=399 => ModelError::Redirected { to: location(&refusal.headers) },
            400 if small.contains("api_key_invalid") || small.contains("api key not valid") => self.unauthorized(said),
            401 => self.unauthorized(said),
            413 => ModelError::TooLong { said },
            400 | 422 if is_too_long(&small) => ModelError::TooLong { said },
            400 | 403 | 422 if is_filtered(&small) => ModelError::Filtered { said },
            403 => ModelError::Forbidden { said },
            404 => ModelError::UnknownModel { model: self.settings.model.clone(), said },
            429 => ModelError::TooManyRequests { retry_after, said },
            // llama.cpp calls it trouble of its own when a request is too long.
            500 if is_too_long(&small) => ModelError::TooLong { said },
            status @ (408 | 500..) => ModelError::Unavailable { status: Some(status), retry_after, said },
            status => ModelError::Rejected { status, said },
        }
    }

    /// What an error means that came in the middle of an answer.
    pub(crate) fn told(&self, body: &Value) -> ModelError {
        let text = body.to_string();
        let said = body.as_str().map_or_else(|| said(&text, self.key()), |text| bounded(text, self.key()));
        let small = text.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
        if has(&["rate_limit", "resource_exhausted"]) {
            ModelError::TooManyRequests { retry_after: retry_after(&HeaderMap::new(), &text), said }
        } else if has(&["authentication_error", "unauthenticated"]) {
            self.unauthorized(said)
        } else if has(&["permission_error", "permission_denied"]) {
            ModelError::Forbidden { said }
        } else if is_too_long(&small) {
            ModelError::TooLong { said }
        } else if is_filtered(&small) {
            ModelError::Filtered { said }
        } else {
            ModelError::Unavailable { status: None, retry_after: None, said }
        }
    }

    fn unauthorized(&self, said: String) -> ModelError {
        ModelError::Unauthorized { variable: self.settings.key_variable.clone(), said }
    }

    fn key(&self) -> Option<&SecretString> {
        self.settings.key.as_ref()
    }
}

fn unreadable(detail: String) -> Failure {
    Failure::Other(ModelError::Unreadable { detail })
}

fn is_too_long(small: &str) -> bool {
    let words = [
        "context_length_exceeded",
        "maximum context length",
        "context window",
        "prompt is too long",
        "exceed_context_size",
        "exceeds the available context size",
        "input token count",
        "request_too_large",
    ];
    words.iter().any(|word| small.contains(word))
}

fn is_filtered(small: &str) -> bool {
    let words = ["content_filter", "content management policy", "content_policy_violation", "prohibited_content"];
    words.iter().any(|word| small.contains(word))
}

/// Seconds or milliseconds in a header field, or the delay that Gemini writes into the body.
fn retry_after(headers: &HeaderMap, body: &str) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let in_body = || {
        let (_, rest) = body.split_once("\"retryDelay\"")?;
        rest.split('"').nth(1)?.strip_suffix('s')?.parse::<f64>().ok()
    };
    let milliseconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    let seconds = milliseconds.or_else(|| number(RETRY_AFTER.as_str())).or_else(in_body)?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Where a redirect leads, without what may be secret in an address.
fn location(headers: &HeaderMap) -> Option<String> {
    let to = headers.get(LOCATION)?.to_str().ok()?;
    let end = to.find(['?', '#']).unwrap_or(to.len());
    Some(bounded(&to[..end], None))
}

/// The innermost reason, which is the one that a person can use.
fn cause(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

fn is_refused(error: &(dyn Error + 'static)) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            return true;
        }
        next = error.source();
    }
    false
}

#[cfg(test)]
mod tests;
