//! One request and everything that comes in reply to it, over as many connections as that takes.

use std::sync::Arc;
use std::time::Duration;

use askback_core::engine::Undelivered;
use askback_wire::incoming::{Incoming, Noise};
use askback_wire::jsonrpc::{Id, Message};
use askback_wire::{Channel, Outgoing};
use reqwest::header::WWW_AUTHENTICATE;
use reqwest::{Response, StatusCode};

use super::carrier::Carrier;
use super::endpoint::{Failure, cause};
use super::reply::{Ended, Events, Reply};
use super::session::{get, post};
use crate::connection::FromConnection;

/// How long the beginning of an answer is waited for. The engine knows how long a call may take; this only bounds what it has forgotten.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a stream that was cut is gone on with, without anything having come in between.
const RESUMPTIONS: u32 = 5;
/// How long to wait before that, if the server does not say.
const RETRY: Duration = Duration::from_secs(1);

/// Sends a request, and tells the host what came. Gives back the request's id.
pub(super) async fn exchange(carrier: Arc<Carrier>, id: u64, message: Outgoing) -> u64 {
    let news = match answered(&carrier, id, &message).await {
        Ok(()) => return id,
        Err(undelivered) => FromConnection::Undelivered(carrier.name.clone(), id, undelivered),
    };
    carrier.tell(news).await;
    id
}

async fn answered(carrier: &Arc<Carrier>, id: u64, message: &Outgoing) -> Result<(), Undelivered> {
    let mut renewed = false;
    loop {
        let session = carrier.session_id().await;
        let mut request = post(&carrier.route.endpoint, Some(carrier.route.revision), session.as_deref(), message);
        // A second refusal is no lost session any more.
        request.has_session &= !renewed;
        request.on_behalf = Some(carrier.on_behalf_of(id));
        let response = carrier.route.endpoint.send(&request, PATIENCE).await.map_err(undelivered)?;
        let lost = match response.status() {
            StatusCode::NOT_FOUND => true,
            // With a challenge it is about a token, and a new session would not help.
            StatusCode::UNAUTHORIZED => !response.headers().contains_key(WWW_AUTHENTICATE),
            _ => false,
        };
        if lost && session.is_some() && !renewed {
            // The server did not let the request in: sending it once more in a new session repeats nothing.
            renewed = true;
            carrier
                .renew(session.as_deref())
                .await
                .map_err(|detail| refused(format!("the session was lost: {detail}")))?;
            continue;
        }
        return take(carrier, id, response).await;
    }
}

/// Takes in an answer, whatever its status.
async fn take(carrier: &Arc<Carrier>, id: u64, response: Response) -> Result<(), Undelivered> {
    let status = response.status();
    let reply = Reply::read(response, carrier.route.limit).await;
    match reply.map_err(|detail| Undelivered { detail, may_have_acted: true })? {
        Reply::Message(incoming) => {
            deliver(carrier, id, whole(incoming, id)).await;
            Ok(())
        }
        Reply::Events(events) => stream(carrier, id, *events).await,
        Reply::Other(body) => {
            let detail = format!("the server answered {status} {body}");
            // A server that took the request may have acted on it; one that says what is wrong with it has not.
            let may_have_acted = status.is_success() || status.is_server_error();
            Err(Undelivered { detail: detail.trim_end().to_owned(), may_have_acted })
        }
    }
}

/// A body is the answer, even if it cannot be read.
fn whole(incoming: Incoming, id: u64) -> Incoming {
    match incoming {
        Incoming::Noise(noise) => Incoming::Noise(Noise { lost_response_to: Some(id), ..noise }),
        incoming => incoming,
    }
}

/// Reads a stream until the answer has come; goes on with it where it was cut, if the server has said how.
async fn stream(carrier: &Arc<Carrier>, id: u64, mut events: Events) -> Result<(), Undelivered> {
    let mut place = Ended::default();
    let mut without_news = 0;
    loop {
        let ended = loop {
            match events.next_message().await {
                Ok(incoming) => {
                    without_news = 0;
                    let answers = is_answer(&incoming, id);
                    deliver(carrier, id, incoming).await;
                    if answers {
                        return Ok(());
                    }
                }
                Err(ended) => break ended,
            }
        };
        place = Ended {
            last_id: ended.last_id.or(place.last_id),
            retry: ended.retry.or(place.retry),
            error: ended.error.or(place.error),
        };
        let why = place.error.clone().unwrap_or_else(|| "the server closed the stream".to_owned());
        let cut = || Undelivered { detail: format!("{why} before the answer had come"), may_have_acted: true };
        // Only in the legacy era can a stream be gone on with, and only from a place that has a name.
        let Some(last_id) = place.last_id.clone().filter(|_| !carrier.route.is_modern()) else { return Err(cut()) };
        events = loop {
            if without_news == RESUMPTIONS {
                return Err(cut());
            }
            without_news += 1;
            tokio::time::sleep(place.retry.map_or(RETRY, Duration::from_millis)).await;
            let session = carrier.session_id().await;
            let mut request = get(&carrier.route, session.as_deref(), Some(&last_id));
            request.on_behalf = Some(carrier.on_behalf_of(id));
            match carrier.route.endpoint.send(&request, PATIENCE).await {
                Ok(response) => match Reply::read(response, carrier.route.limit).await {
                    Ok(Reply::Events(mut next)) => {
                        next.heard = std::mem::take(&mut events.heard);
                        break *next;
                    }
                    // The server does not know how to go on.
                    Ok(Reply::Message(_) | Reply::Other(_)) => return Err(cut()),
                    Err(_) => {}
                },
                Err(Failure::Unauthorized(_)) => return Err(cut()),
                Err(Failure::Lost { .. } | Failure::Silent) => {}
            }
        };
    }
}

fn is_answer(incoming: &Incoming, id: u64) -> bool {
    let answers = |message: &Message| match message {
        Message::Response { id: None, outcome } => outcome.is_err(),
        Message::Response { id: Some(Id::Number(number)), .. } => number.as_f64() == Some(id as f64),
        Message::Response { id: Some(Id::Text(text)), .. } => *text == id.to_string(),
        Message::Request { .. } | Message::Notification { .. } => false,
    };
    match incoming {
        Incoming::Message(message) => answers(message),
        Incoming::Batch(messages) => messages.iter().flatten().any(answers),
        Incoming::Noise(noise) => noise.lost_response_to == Some(id),
    }
}

async fn deliver(carrier: &Carrier, id: u64, incoming: Incoming) {
    carrier.tell(FromConnection::Received(carrier.name.clone(), incoming, Channel::ReplyTo(id))).await;
}

fn undelivered(failure: Failure) -> Undelivered {
    match failure {
        Failure::Lost { detail, may_have_arrived } => Undelivered { detail, may_have_acted: may_have_arrived },
        Failure::Silent => Undelivered { detail: "no answer came".to_owned(), may_have_acted: true },
        Failure::Unauthorized(error) => refused(cause(&error)),
    }
}

fn refused(detail: String) -> Undelivered {
    Undelivered { detail, may_have_acted: false }
}
