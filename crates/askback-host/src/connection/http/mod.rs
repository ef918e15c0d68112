//! A server behind an address: agreeing with it on a revision over HTTP, and carrying messages.
//!
//! Serves the Streamable HTTP pages of 2025-03-26 and later, and "HTTP with SSE" of 2024-11-05. Which answer means which era is decided in
//! `askback-wire`; here requests are made and streams are read.

mod carrier;
mod endpoint;
mod exchange;
mod listen;
mod old;
mod reply;
mod session;

use std::sync::Arc;
use std::time::Duration;

use askback_core::violation::Violation;
use askback_wire::handshake::{ConnectFailure, Established, Handshake, Step};
use askback_wire::{Era, Outgoing};
use serde_json::Value;
use tokio::time::Instant;

use super::{News, Wire};
use crate::error::{ConnectError, ConnectErrorKind};
use crate::server::{ServerAddress, ServerSpec};
use carrier::Carrier;
use endpoint::{Endpoint, Failure};
use reply::Reply;
use session::{Route, SESSION, delete, post, refused};

/// How long the server may take to hear that we are ready.
const READY: Duration = Duration::from_secs(2);

/// Connects to the server at an address.
pub(super) async fn connect(
    spec: &ServerSpec,
    address: &ServerAddress,
    client: Value,
    news: News,
) -> Result<(Established, Wire), ConnectError> {
    let error = |kind| ConnectError {
        server: spec.name.clone(),
        source_line: spec.source.line(),
        is_address: true,
        sandbox: None,
        kind,
        exit: None,
        stderr: Vec::new(),
    };
    let endpoint = Endpoint::new(address, spec.authorizer.clone());
    let endpoint = endpoint.map_err(|detail| error(ConnectErrorKind::Unreachable { detail }))?;
    let endpoint = Arc::new(endpoint);
    let mut handshake = Handshake::new(spec.protocol, spec.declared, client.clone()).over_http();
    let deadline = Instant::now() + spec.connect_timeout;
    // The probe, `initialize`, once more each way when the first judgement was wrong, and the oldest transport.
    for _ in 0..5 {
        let shaken = shake_hands(&endpoint, &mut handshake, spec.message_limit, deadline).await;
        let step = shaken.map_err(|late| error(late.unwrap_or_else(|| too_late(spec.connect_timeout))))?;
        match step {
            Shaken::Step(Step::StartFresh) => {}
            Shaken::Step(Step::OpenStream(failure)) => {
                let old = old::connect(spec, &endpoint, &mut handshake, deadline, news.clone()).await;
                return old.map_err(|kind| error(kind.unwrap_or(ConnectErrorKind::Handshake(failure))));
            }
            Shaken::Step(Step::Failed(failure)) => return Err(error(ConnectErrorKind::Handshake(failure))),
            Shaken::Step(Step::Continue(_) | Step::Done(_)) => {}
            Shaken::Done(established, session_id) => {
                let revision = established.session.revision();
                let route = Route { endpoint, revision, limit: spec.message_limit };
                let mut established = *established;
                for message in &established.send {
                    match ready(&route, session_id.as_deref(), message).await {
                        Ok(violation) => established.violations.extend(violation),
                        Err(kind) => {
                            if let Some(id) = &session_id {
                                let _ = route.endpoint.send(&delete(&route, id), READY).await;
                            }
                            return Err(error(kind));
                        }
                    }
                }
                let carrier = Carrier::new(spec, client, route, session_id, news);
                return Ok((established, carrier.start().await));
            }
        }
    }
    Err(error(ConnectErrorKind::Handshake(ConnectFailure::Silent)))
}

/// What came of one request of the handshake.
enum Shaken {
    Step(Step),
    /// The revision is settled, with the id of the session if there is one.
    Done(Box<Established>, Option<String>),
}

/// One request of the handshake and its answer. An error without a kind: the time for all of them has run out.
async fn shake_hands(
    endpoint: &Endpoint,
    handshake: &mut Handshake,
    limit: usize,
    deadline: Instant,
) -> Result<Shaken, Option<ConnectErrorKind>> {
    let patience = Duration::from_millis(handshake.patience().before_output);
    let message = handshake.begin();
    let request = post(endpoint, handshake.version_header(), None, &message);
    let left = (deadline + endpoint.time_for_tokens()).saturating_duration_since(Instant::now());
    let response = match endpoint.send(&request, patience.min(left)).await {
        Ok(response) => response,
        Err(Failure::Silent) if patience >= left => return Err(None),
        Err(Failure::Silent) => return Ok(Shaken::Step(handshake.silent())),
        Err(Failure::Lost { detail, .. }) => return Err(Some(ConnectErrorKind::Unreachable { detail })),
        Err(Failure::Unauthorized(error)) => return Err(Some(ConnectErrorKind::Unauthorized(error))),
    };
    let status = response.status().as_u16();
    let session_id = response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let left = (deadline + endpoint.time_for_tokens()).saturating_duration_since(Instant::now());
    let reading = async {
        match Reply::read(response, limit).await.map_err(|detail| ConnectErrorKind::Unreachable { detail })? {
            Reply::Other(body) => Ok(handshake.refused(status, &body)),
            Reply::Message(incoming) => Ok(match handshake.received(incoming) {
                Step::Continue(_) => handshake.refused(status, ""),
                step => step,
            }),
            Reply::Events(mut events) => loop {
                match events.next_message().await {
                    Err(_) => break Ok(handshake.refused(status, "")),
                    Ok(incoming) => match handshake.received(incoming) {
                        Step::Continue(replies) => {
                            for reply in replies {
                                let request = post(endpoint, None, session_id.as_deref(), &reply);
                                // A server that does not take it says so by not going on.
                                let _ = endpoint.send(&request, READY).await;
                            }
                        }
                        step => break Ok(step),
                    },
                }
            },
        }
    };
    match tokio::time::timeout(left.min(patience), reading).await {
        Err(_) if left <= patience => Err(None),
        Err(_) => Ok(Shaken::Step(handshake.silent())),
        Ok(Err(kind)) => Err(Some(kind)),
        Ok(Ok(Step::Done(established))) => {
            let session_id = session_id.filter(|_| established.session.revision().era() == Era::Legacy);
            Ok(Shaken::Done(established, session_id))
        }
        Ok(Ok(step)) => Ok(Shaken::Step(step)),
    }
}

fn too_late(limit: Duration) -> ConnectErrorKind {
    ConnectErrorKind::TimedOut { seconds: limit.as_secs() }
}

/// Tells the server that we are ready. Whether it hears that has to be known, but not for long: some hold the answer back. One that
/// refuses it breaks a rule and may still do what it is there for.
async fn ready(
    route: &Route,
    session_id: Option<&str>,
    message: &Outgoing,
) -> Result<Option<Violation>, ConnectErrorKind> {
    let request = post(&route.endpoint, Some(route.revision), session_id, message);
    match route.endpoint.send(&request, READY).await {
        Ok(response) if response.status().is_success() => Ok(None),
        Ok(response) => {
            let status = response.status();
            let body = match Reply::read(response, route.limit).await {
                Ok(Reply::Other(body)) => body,
                Ok(Reply::Message(message)) => session::said(&message),
                Ok(Reply::Events(_)) | Err(_) => String::new(),
            };
            Ok(Some(refused(format!("{status} {body}").trim_end())))
        }
        Err(Failure::Silent) => Ok(None),
        Err(Failure::Lost { detail, .. }) => Err(ConnectErrorKind::NotReady { detail }),
        Err(Failure::Unauthorized(error)) => Err(ConnectErrorKind::Unauthorized(error)),
    }
}
