//! Connecting to one server, and carrying messages to it and from it.
//!
//! Owns what all transports have in common for the host. A transport knows what a message is for, never what it says.

mod http;
mod petition;
mod stdio;

use askback_core::call::ServerName;
use askback_core::engine::Undelivered;
use askback_core::violation::Violation;
use askback_wire::handshake::Established;
use askback_wire::incoming::Incoming;
use askback_wire::{Channel, Outgoing};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use self::petition::Petition;
use crate::error::ConnectError;
use crate::server::{ServerSource, ServerSpec};

/// What a connection tells the host.
#[derive(Debug)]
pub(crate) enum FromConnection {
    /// A message came, or something that is none.
    Received(ServerName, Incoming, Channel),
    /// The request with this id got no answer, and the connection goes on.
    Undelivered(ServerName, u64, Undelivered),
    /// The request with this id is not let through before a person has got leave.
    HeldUp(ServerName, u64, Box<Petition>),
    /// The server broke a rule of the transport.
    Violated(ServerName, Violation),
    /// The connection is gone; with what is known about why.
    Gone(ServerName, String),
}

/// The way to the host. Nothing goes there before the host knows the connection: it would not know whose it is.
#[derive(Clone, Debug)]
pub(crate) struct News {
    host: mpsc::Sender<FromConnection>,
    known: watch::Receiver<bool>,
}

impl News {
    /// Waits until the host knows the connection. Cancel-safe.
    async fn known(&self) {
        // A host that has gone away will not get to know it, and hears nothing either.
        let _ = self.known.clone().wait_for(|known| *known).await;
    }

    async fn tell(&self, news: FromConnection) {
        self.known().await;
        let _ = self.host.send(news).await;
    }
}

/// The host's end of a connection.
#[derive(Debug)]
pub(crate) struct Link {
    known: watch::Sender<bool>,
    wire: Wire,
}

/// A transport at work.
#[derive(Debug)]
struct Wire {
    messages: mpsc::UnboundedSender<Outgoing>,
    end: Option<oneshot::Sender<()>>,
    task: tokio::task::JoinHandle<()>,
}

impl Link {
    /// The host knows the connection now: what came meanwhile is told.
    pub(crate) fn now_known(&self) {
        let _ = self.known.send(true);
    }

    pub(crate) fn send(&self, message: Outgoing) {
        // A connection that is gone has said so; the message has nowhere to go.
        let _ = self.wire.messages.send(message);
    }

    /// Ends the connection, and with it a server that is ours, which has time to end by itself; waits until that is done.
    pub(crate) async fn end(self) {
        let Link { wire: Wire { messages, end, task }, known: _known } = self;
        // Nothing more is said: the transport ends with what was said already.
        drop(messages);
        if let Some(end) = end {
            let _ = end.send(());
        }
        let _ = task.await;
    }
}

/// A server that answered the handshake.
pub(crate) struct Open {
    pub(crate) established: Established,
    pub(crate) link: Link,
}

/// Connects to a server and agrees with it on a revision. `client` is our `Implementation` object.
pub(crate) async fn connect(
    spec: &ServerSpec,
    client: Value,
    host: mpsc::Sender<FromConnection>,
) -> Result<Open, ConnectError> {
    let (known, is_known) = watch::channel(false);
    let news = News { host, known: is_known };
    let (established, wire) = match &spec.source {
        ServerSource::Command(command) => stdio::connect(spec, command, client, news).await?,
        ServerSource::Address(address) => http::connect(spec, address, client, news).await?,
    };
    Ok(Open { established, link: Link { known, wire } })
}
