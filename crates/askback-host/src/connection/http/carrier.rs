//! Carries messages over Streamable HTTP: every message is a request of its own, and each may have a stream of answers.
//!
//! Owns the tasks of a connection and its session. Must not know what messages say.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askback_core::call::ServerName;
use askback_core::engine::Undelivered;
use askback_wire::handshake::Handshake;
use askback_wire::{Declared, Outgoing, ProtocolChoice, Role};
use serde_json::Value;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, timeout};

use super::endpoint::{Failure, cause};
use super::reply::Reply;
use super::session::{Route, delete, not_taken, post, said};
use super::{Shaken, exchange, listen, ready, shake_hands};
use crate::connection::petition::OnBehalf;
use crate::connection::{FromConnection, News, Wire};
use crate::server::ServerSpec;

/// How long the last messages may take to go out, and how long the end of the session.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long a message without an answer may take to be taken.
const TAKEN: Duration = Duration::from_secs(60);
/// How long a request waits for the notice before it to be taken. Some servers hold the answer to a notice back.
pub(super) const IN_ORDER: Duration = Duration::from_secs(1);
/// How long a lost session may take to be made anew.
const RENEWAL: Duration = Duration::from_secs(30);
/// How long the stream on which the server speaks by itself is waited for before the first call. A server may ask on that stream only, and
/// loses what it says before somebody listens; one that says nothing there until it has something to say costs this much, once.
const LISTENING: Duration = Duration::from_millis(500);

/// A connection over Streamable HTTP.
#[derive(Debug)]
pub(super) struct Carrier {
    pub(super) name: ServerName,
    pub(super) route: Route,
    pub(super) news: News,
    session: Mutex<Session>,
    /// How many notices have been begun to send, and how many of them have been taken, or given up.
    notices_begun: AtomicU64,
    notices_over: watch::Sender<u64>,
    declared: Declared,
    client: Value,
}

/// The session that a legacy server keeps.
#[derive(Debug)]
struct Session {
    id: Option<String>,
    listening: Option<AbortHandle>,
}

impl Carrier {
    pub(super) fn new(spec: &ServerSpec, client: Value, route: Route, id: Option<String>, news: News) -> Arc<Carrier> {
        Arc::new(Carrier {
            name: spec.name.clone(),
            route,
            news,
            session: Mutex::new(Session { id, listening: None }),
            notices_begun: AtomicU64::new(0),
            notices_over: watch::Sender::new(0),
            declared: spec.declared,
            client,
        })
    }

    /// Starts carrying.
    pub(super) async fn start(self: Arc<Carrier>) -> Wire {
        if !self.route.is_modern() {
            let open = self.listen(&mut *self.session.lock().await);
            let _ = timeout(LISTENING, open).await;
        }
        let (messages, to_send) = mpsc::unbounded_channel();
        let (end_sender, end) = oneshot::channel();
        let task = tokio::spawn(self.carry(to_send, end));
        Wire { messages, end: Some(end_sender), task }
    }

    async fn carry(
        self: Arc<Carrier>,
        mut messages: mpsc::UnboundedReceiver<Outgoing>,
        mut end: oneshot::Receiver<()>,
    ) {
        let mut exchanges = JoinSet::new();
        let mut by_id: BTreeMap<u64, AbortHandle> = BTreeMap::new();
        let mut notes = JoinSet::new();
        let mut open = true;
        while open {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(message) => self.dispatch(message, &mut exchanges, &mut by_id, &mut notes),
                    None => open = false,
                },
                Some(done) = exchanges.join_next(), if !exchanges.is_empty() => {
                    if let Ok(id) = done {
                        by_id.remove(&id);
                    }
                }
                Some(_) = notes.join_next(), if !notes.is_empty() => {}
                _ = &mut end => open = false,
            }
        }
        while let Ok(message) = messages.try_recv() {
            self.dispatch(message, &mut exchanges, &mut by_id, &mut notes);
        }
        // What was said before, such as that a call is cancelled, still goes out; a server that does not listen is not waited for.
        let _ = timeout(LAST_WORDS, async { while notes.join_next().await.is_some() {} }).await;
        exchanges.abort_all();
        let session = self.session.lock().await;
        if let Some(listening) = &session.listening {
            listening.abort();
        }
        if let Some(id) = &session.id {
            // A server may say that it does not let clients end sessions; that is as well.
            let _ = timeout(LAST_WORDS, self.route.endpoint.send(&delete(&self.route, id), LAST_WORDS)).await;
        }
    }

    fn dispatch(
        self: &Arc<Carrier>,
        message: Outgoing,
        exchanges: &mut JoinSet<u64>,
        by_id: &mut BTreeMap<u64, AbortHandle>,
        notes: &mut JoinSet<()>,
    ) {
        match message.role {
            Role::Request { id, parting: true, .. } => {
                let exchange = exchange::exchange(self.clone(), id, message);
                notes.spawn(async move {
                    exchange.await;
                });
            }
            Role::Request { id, .. } => {
                let earlier = self.earlier_notices();
                let exchange = exchange::exchange(self.clone(), id, message);
                let task = exchanges.spawn(async move {
                    earlier.await;
                    exchange.await
                });
                by_id.insert(id, task);
            }
            Role::Cancellation { id } => {
                let stream = by_id.remove(&id);
                if self.route.is_modern() {
                    // Closing its stream is how a request is cancelled there.
                    return stream.into_iter().for_each(|stream| stream.abort());
                }
                let carrier = self.clone();
                notes.spawn(async move {
                    carrier.note(message).await;
                    stream.into_iter().for_each(|stream| stream.abort());
                });
            }
            Role::Notification => {
                self.notices_begun.fetch_add(1, Ordering::Relaxed);
                let carrier = self.clone();
                notes.spawn(async move {
                    carrier.note(message).await;
                    carrier.notices_over.send_modify(|over| *over += 1);
                });
            }
            Role::Response { .. } => {
                let carrier = self.clone();
                notes.spawn(async move { carrier.note(message).await });
            }
        }
    }

    /// Waits until the server has taken what it was told before: each message is a request of its own, and could overtake another.
    fn earlier_notices(&self) -> impl Future<Output = ()> + Send + 'static {
        let begun = self.notices_begun.load(Ordering::Relaxed);
        let mut over = self.notices_over.subscribe();
        async move {
            if begun > 0 {
                let _ = timeout(IN_ORDER, over.wait_for(|over| *over >= begun)).await;
            }
        }
    }

    /// Sends a message that has no answer. That it was not taken is told, and everything goes on.
    async fn note(&self, message: Outgoing) {
        let session = self.session_id().await;
        let mut request = post(&self.route.endpoint, Some(self.route.revision), session.as_deref(), &message);
        if let Role::Response { during } = &message.role
            && let [id] = during[..]
        {
            request.on_behalf = Some(self.on_behalf_of(id));
        }
        let detail = match self.route.endpoint.send(&request, TAKEN).await {
            Ok(response) if response.status().is_success() => return,
            Ok(response) => {
                let status = response.status();
                let body = match Reply::read(response, self.route.limit).await {
                    Ok(Reply::Other(body)) => body,
                    Ok(Reply::Message(message)) => said(&message),
                    Ok(Reply::Events(_)) | Err(_) => String::new(),
                };
                format!("{status} {body}").trim_end().to_owned()
            }
            Err(Failure::Lost { detail, .. }) => detail,
            Err(Failure::Silent) => format!("no answer within {} s", TAKEN.as_secs()),
            Err(Failure::Unauthorized(error)) => cause(&error),
        };
        let name = self.name.clone();
        self.tell(match message.role {
            // The server waits for this answer, and with it our request waits.
            Role::Response { during } if during.len() == 1 => {
                let detail = format!("the answer did not arrive: {detail}");
                FromConnection::Undelivered(name, during[0], Undelivered { detail, may_have_acted: true })
            }
            role => FromConnection::Violated(name, not_taken(&role, &detail)),
        })
        .await;
    }

    /// Whoever asks for the request with this id can be asked for what is sent for it.
    pub(super) fn on_behalf_of(&self, id: u64) -> OnBehalf {
        OnBehalf { news: self.news.clone(), server: self.name.clone(), id }
    }

    pub(super) async fn tell(&self, news: FromConnection) {
        self.news.tell(news).await;
    }

    pub(super) async fn session_id(&self) -> Option<String> {
        self.session.lock().await.id.clone()
    }

    /// The server does not know this session any more: makes a new one, unless somebody else has done so meanwhile. Says why not.
    pub(super) async fn renew(self: &Arc<Carrier>, lost: Option<&str>) -> Result<(), String> {
        let mut session = self.session.lock().await;
        if session.id.as_deref() != lost {
            return Ok(());
        }
        let choice = ProtocolChoice::Only(self.route.revision);
        let mut handshake = Handshake::new(choice, self.declared, self.client.clone()).over_http();
        let deadline = Instant::now() + RENEWAL;
        let shaken = shake_hands(&self.route.endpoint, &mut handshake, self.route.limit, deadline).await;
        let Shaken::Done(established, id) =
            shaken.map_err(|kind| kind.map_or_else(|| "no answer came in time".to_owned(), |kind| kind.to_string()))?
        else {
            return Err("the server does not begin a new session".to_owned());
        };
        for message in &established.send {
            if let Some(violation) =
                ready(&self.route, id.as_deref(), message).await.map_err(|kind| kind.to_string())?
            {
                self.tell(FromConnection::Violated(self.name.clone(), violation)).await;
            }
        }
        session.id = id;
        let open = self.listen(&mut session);
        drop(session);
        let _ = timeout(LISTENING, open).await;
        Ok(())
    }

    /// Opens the stream of the server's own for this session, in place of that of another. The receiver is done once the server has answered.
    fn listen(self: &Arc<Carrier>, session: &mut Session) -> oneshot::Receiver<()> {
        let (opened, open) = oneshot::channel();
        let listening = tokio::spawn(listen::listen(self.clone(), session.id.clone(), opened)).abort_handle();
        if let Some(before) = session.listening.replace(listening) {
            before.abort();
        }
        open
    }
}
