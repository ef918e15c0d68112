//! What every request to a server carries once the revision is settled, and the session that some servers keep.

use std::sync::Arc;

use askback_core::violation::Violation;
use askback_wire::incoming::Incoming;
use askback_wire::jsonrpc::Message;
use askback_wire::{Era, Outgoing, Revision, Role};
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::endpoint::{Endpoint, Request};

/// The field with the id of a session.
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Where messages go, and in which revision.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) revision: Revision,
    /// The cap on one message, in bytes.
    pub(super) limit: usize,
}

impl Route {
    pub(super) fn is_modern(&self) -> bool {
        self.revision.era() == Era::Modern
    }
}

/// The request that carries a message. `revision` is the one in its header field: nothing while that is not settled.
pub(super) fn post(
    endpoint: &Endpoint,
    revision: Option<Revision>,
    session: Option<&str>,
    message: &Outgoing,
) -> Request {
    let mut headers = common(revision, session);
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Role::Request { headers: fields, .. } = &message.role {
        for (name, value) in fields {
            // They were made for this: names are tokens and values are plain.
            if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
                headers.insert(name, value);
            }
        }
    }
    Request {
        method: Method::POST,
        url: endpoint.url.clone(),
        headers,
        body: Some(message.line.clone()),
        has_session: session.is_some(),
        on_behalf: None,
    }
}

/// The request that opens a stream on which the server speaks by itself, or goes on with one that was cut.
pub(super) fn get(route: &Route, session: Option<&str>, last_id: Option<&str>) -> Request {
    let mut headers = common(Some(route.revision), session);
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(id) = last_id.and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok()) {
        headers.insert(LAST_EVENT_ID, id);
    }
    let url = route.endpoint.url.clone();
    Request { method: Method::GET, url, headers, body: None, has_session: session.is_some(), on_behalf: None }
}

/// The request that ends a session.
pub(super) fn delete(route: &Route, session: &str) -> Request {
    let headers = common(Some(route.revision), Some(session));
    let url = route.endpoint.url.clone();
    Request { method: Method::DELETE, url, headers, body: None, has_session: true, on_behalf: None }
}

fn common(revision: Option<Revision>, session: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // Before 2025-06-18 there is no such field.
    if let Some(revision) = revision.filter(|revision| *revision >= Revision::V2025_06_18) {
        headers.insert(VERSION, HeaderValue::from_static(revision.as_str()));
    }
    if let Some(Ok(id)) = session.map(HeaderValue::from_str) {
        headers.insert(SESSION, id);
    }
    headers
}

/// A server did not take a notification, and everything goes on.
pub(super) fn refused(detail: &str) -> Violation {
    Violation::new("notification-refused", format!("did not take a notification of ours: {detail}"))
}

/// A server did not take a message that nothing waits for on our side, and everything goes on. An answer that is lost so is told as what it is:
/// the server may wait for it in vain.
pub(super) fn not_taken(role: &Role, detail: &str) -> Violation {
    match role {
        Role::Response { .. } => Violation::new("answer-refused", format!("did not take an answer of ours: {detail}")),
        Role::Request { .. } | Role::Cancellation { .. } | Role::Notification => refused(detail),
    }
}

/// What an answer says that is an error, for words about it.
pub(super) fn said(incoming: &Incoming) -> String {
    match incoming {
        Incoming::Message(Message::Response { outcome: Err(error), .. }) => {
            format!("{} ({})", error.message, error.code)
        }
        Incoming::Message(_) | Incoming::Batch(_) => String::new(),
        Incoming::Noise(noise) => noise.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(role: &Role, rule: &'static str, message: &str) {
        assert_eq!(not_taken(role, "503"), Violation::new(rule, message));
    }

    #[test]
    fn what_was_not_taken_is_called_what_it_is() {
        let notification = "did not take a notification of ours: 503";
        check(&Role::Notification, "notification-refused", notification);
        check(&Role::Cancellation { id: 1 }, "notification-refused", notification);
        check(&Role::Response { during: Vec::new() }, "answer-refused", "did not take an answer of ours: 503");
        check(&Role::Response { during: vec![1, 2] }, "answer-refused", "did not take an answer of ours: 503");
    }
}
