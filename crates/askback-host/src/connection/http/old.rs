//! HTTP with SSE, the transport of 2024-11-05: one stream on which everything comes, and an address to which everything goes.
//!
//! Serves "HTTP with SSE" of the transports page of 2024-11-05.

use std::sync::Arc;
use std::time::Duration;

use askback_core::call::ServerName;
use askback_core::engine::Undelivered;
use askback_wire::framing::Frame;
use askback_wire::handshake::{ConnectFailure, Established, Handshake, Step};
use askback_wire::{Channel, Outgoing, Revision, Role};
use reqwest::StatusCode;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use url::Url;

use super::carrier::IN_ORDER;
use super::endpoint::{Endpoint, Failure, cause};
use super::reply::{Events, Reply};
use super::session::{Route, get, not_taken, post, refused};
use super::too_late;
use crate::connection::petition::OnBehalf;
use crate::connection::{FromConnection, News, Wire};
use crate::error::ConnectErrorKind;
use crate::server::ServerSpec;

/// How long the server may take to say where messages go.
const FIRST_EVENT: Duration = Duration::from_secs(30);
/// How long a message may take to be taken.
const TAKEN: Duration = Duration::from_secs(60);
/// How long the last messages may take to go out.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The address to which messages go.
#[derive(Debug)]
struct Inbox {
    endpoint: Arc<Endpoint>,
    url: Url,
}

/// A message that the server did not take, as far as is known.
struct NotTaken {
    /// The status with which it was refused.
    status: Option<StatusCode>,
    detail: String,
    may_have_arrived: bool,
}

/// Connects in the oldest way. An error without a kind: there is no such stream at this address.
pub(super) async fn connect(
    spec: &ServerSpec,
    endpoint: &Arc<Endpoint>,
    handshake: &mut Handshake,
    deadline: Instant,
    news: News,
) -> Result<(Established, Wire), Option<ConnectErrorKind>> {
    let route = Route { endpoint: endpoint.clone(), revision: Revision::V2024_11_05, limit: spec.message_limit };
    let response = match endpoint.send(&get(&route, None, None), FIRST_EVENT).await {
        Ok(response) => response,
        Err(Failure::Unauthorized(error)) => return Err(Some(ConnectErrorKind::Unauthorized(error))),
        Err(Failure::Lost { .. } | Failure::Silent) => return Err(None),
    };
    let Ok(Reply::Events(mut events)) = Reply::read(response, spec.message_limit).await else { return Err(None) };
    let Ok(Some(place)) = timeout(FIRST_EVENT, inbox_of(&mut events)).await else { return Err(None) };
    let url = endpoint.url.join(&place).ok().filter(|url| url.origin() == endpoint.url.origin());
    let Some(url) = url else {
        let what = format!("the server wants messages sent to {place:?}, which is not where it is itself");
        return Err(Some(ConnectErrorKind::Handshake(ConnectFailure::Invalid { what })));
    };
    let inbox = Arc::new(Inbox { endpoint: endpoint.clone(), url });
    let established = timeout(
        (deadline + endpoint.time_for_tokens()).saturating_duration_since(Instant::now()),
        shake_hands(&inbox, &mut events, handshake),
    );
    let established = established.await.map_err(|_| Some(too_late(spec.connect_timeout)))?.map_err(Some)?;
    let mut established = *established;
    for message in &established.send {
        match inbox.send(message).await {
            Ok(()) => {}
            Err(NotTaken { status: Some(_), detail, .. }) => established.violations.push(refused(&detail)),
            Err(NotTaken { detail, .. }) => return Err(Some(ConnectErrorKind::NotReady { detail })),
        }
    }
    let wire = carry(spec.name.clone(), inbox, *events, news);
    Ok((established, wire))
}

/// The first event says where messages go.
async fn inbox_of(events: &mut Events) -> Option<String> {
    loop {
        let event = events.next().await.ok()?;
        if let (Some("endpoint"), Frame::Line(place)) = (event.name.as_deref(), event.data) {
            return Some(place);
        }
    }
}

async fn shake_hands(
    inbox: &Inbox,
    events: &mut Events,
    handshake: &mut Handshake,
) -> Result<Box<Established>, ConnectErrorKind> {
    // Once more when the server comes down to an older revision only if it is asked for that.
    for _ in 0..3 {
        let message = handshake.begin();
        inbox.send(&message).await.map_err(|not| ConnectErrorKind::Unreachable { detail: not.detail })?;
        loop {
            let step = match events.next_message().await {
                Ok(incoming) => handshake.received(incoming),
                Err(_) => handshake.ended(),
            };
            match step {
                Step::Continue(replies) => {
                    for reply in replies {
                        let _ = inbox.send(&reply).await;
                    }
                }
                Step::StartFresh => break,
                Step::Done(established) => return Ok(established),
                Step::Failed(failure) | Step::OpenStream(failure) => return Err(ConnectErrorKind::Handshake(failure)),
            }
        }
    }
    Err(ConnectErrorKind::Handshake(ConnectFailure::Silent))
}

impl Inbox {
    async fn send(&self, message: &Outgoing) -> Result<(), NotTaken> {
        self.send_for(None, message).await
    }

    async fn send_for(&self, on_behalf: Option<OnBehalf>, message: &Outgoing) -> Result<(), NotTaken> {
        let mut request = post(&self.endpoint, None, None, message);
        request.url = self.url.clone();
        request.on_behalf = on_behalf;
        match self.endpoint.send(&request, TAKEN).await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => {
                let status = response.status();
                let detail = format!("the server answered {status}");
                Err(NotTaken { status: Some(status), detail, may_have_arrived: status.is_server_error() })
            }
            Err(Failure::Lost { detail, may_have_arrived }) => Err(NotTaken { status: None, detail, may_have_arrived }),
            Err(Failure::Silent) => {
                let detail = format!("no answer within {} s", TAKEN.as_secs());
                Err(NotTaken { status: None, detail, may_have_arrived: true })
            }
            Err(Failure::Unauthorized(error)) => {
                Err(NotTaken { status: None, detail: cause(&error), may_have_arrived: false })
            }
        }
    }
}

/// Carries messages until the stream or the host is done.
fn carry(name: ServerName, inbox: Arc<Inbox>, mut events: Events, news: News) -> Wire {
    let (messages, mut to_send) = mpsc::unbounded_channel::<Outgoing>();
    let (end_sender, mut end) = oneshot::channel();
    let sender = tokio::spawn({
        let (name, news) = (name.clone(), news.clone());
        async move {
            let mut sending = JoinSet::new();
            while let Some(message) = to_send.recv().await {
                let (name, news, inbox) = (name.clone(), news.clone(), inbox.clone());
                let is_notice = message.role == Role::Notification;
                let (over, taken) = oneshot::channel::<()>();
                sending.spawn(async move {
                    let _over = over;
                    let of = match &message.role {
                        Role::Request { id, .. } => Some(*id),
                        Role::Response { during } if during.len() == 1 => Some(during[0]),
                        Role::Cancellation { .. } | Role::Notification | Role::Response { .. } => None,
                    };
                    let on_behalf = of.map(|id| OnBehalf { news: news.clone(), server: name.clone(), id });
                    let sent = inbox.send_for(on_behalf, &message).await;
                    let Err(NotTaken { detail, may_have_arrived, .. }) = sent else { return };
                    let told = match message.role {
                        Role::Request { id, .. } => {
                            let may_have_acted = may_have_arrived;
                            FromConnection::Undelivered(name, id, Undelivered { detail, may_have_acted })
                        }
                        Role::Response { during } if during.len() == 1 => {
                            FromConnection::Undelivered(name, during[0], Undelivered { detail, may_have_acted: true })
                        }
                        role => FromConnection::Violated(name, not_taken(&role, &detail)),
                    };
                    news.tell(told).await;
                });
                if is_notice {
                    // What follows must not overtake it.
                    let _ = timeout(IN_ORDER, taken).await;
                }
                while sending.try_join_next().is_some() {}
            }
            while sending.join_next().await.is_some() {}
        }
    });
    let task = tokio::spawn(async move {
        let mut sender = sender;
        loop {
            tokio::select! {
                incoming = events.next_message() => match incoming {
                    Ok(incoming) => {
                        news.tell(FromConnection::Received(name.clone(), incoming, Channel::Shared)).await;
                    }
                    Err(ended) => {
                        let why = ended.error.unwrap_or_else(|| "the server closed the stream".to_owned());
                        news.tell(FromConnection::Gone(name, why)).await;
                        break;
                    }
                },
                _ = &mut end => {
                    let _ = timeout(LAST_WORDS, &mut sender).await;
                    break;
                }
            }
        }
        sender.abort();
    });
    Wire { messages, end: Some(end_sender), task }
}
