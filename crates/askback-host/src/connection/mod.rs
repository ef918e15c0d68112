//! Connecting to one server, and carrying messages to it and from it.
//!
//! Owns what all transports have in common for the host. A transport knows what a message is for, never what it says.

mod http;
mod stdio;

use askback_core::call::ServerName;
use askback_core::engine::Undelivered;
use askback_core::violation::Violation;
use askback_wire::handshake::Established;
use askback_wire::incoming::Incoming;
use askback_wire::{Channel, Outgoing};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::error::ConnectError;
use crate::server::{ServerSource, ServerSpec};

/// What a connection tells the host.
#[derive(Debug)]
pub(crate) enum FromConnection {
    /// A message came, or something that is none.
    Received(ServerName, Incoming, Channel),
    /// The request with this id got no answer, and the connection goes on.
    Undelivered(ServerName, u64, Undelivered),
    /// The server broke a rule of the transport.
    Violated(ServerName, Violation),
    /// The connection is gone; with what is known about why.
    Gone(ServerName, String),
}

/// The host's end of a connection.
#[derive(Debug)]
pub(crate) struct Link {
    messages: mpsc::UnboundedSender<Outgoing>,
    end: Option<oneshot::Sender<()>>,
    task: tokio::task::JoinHandle<()>,
}

impl Link {
    pub(crate) fn send(&self, message: Outgoing) {
        // A connection that is gone has said so; the message has nowhere to go.
        let _ = self.messages.send(message);
    }

    /// Ends the connection, and with it a server that is ours, which has time to end by itself; waits until that is done.
    pub(crate) async fn end(self) {
        let Link { messages, end, task } = self;
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
    news: mpsc::Sender<FromConnection>,
) -> Result<Open, ConnectError> {
    match &spec.source {
        ServerSource::Command(command) => stdio::connect(spec, command, client, news).await,
        ServerSource::Address(address) => http::connect(spec, address, client, news).await,
    }
}
