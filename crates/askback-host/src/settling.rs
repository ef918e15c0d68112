//! The moment between a handshake and the first call, in which a legacy server may ask for the roots and has to take them in.
//!
//! Some servers ask for the roots as soon as they are told that the client is ready, and refuse every path until they know them. A client
//! that stays connected never notices; one that calls at once would be refused. Must not know what is called afterwards.

use std::time::Duration;

use askback_core::call::ServerName;
use serde_json::Map;

use crate::host::{Host, RootsTold};

/// The longest that a server is waited for; one that does not answer a ping gets its call all the same.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a server is left to itself that was told the roots: nothing that it sends says when it has taken them in.
const TAKING_IN: Duration = Duration::from_millis(100);

/// How often it is looked whether a person has decided.
const DECIDING: Duration = Duration::from_millis(50);

impl Host {
    /// Lets a legacy server over stdio ask for the roots, if it means to, before anything is called.
    ///
    /// What it asks on being told that the client is ready, it asks before it answers a ping: both go over one pipe. Over HTTP, where its
    /// own requests come on another stream than its answers, there is no such order, and nothing to wait for.
    pub(crate) async fn let_settle(&self, server: &ServerName) {
        let _ = self.request(server, "ping", Map::new(), PATIENCE).await;
        loop {
            match self.has_told_roots(server).await {
                RootsTold::NotAsked => return,
                RootsTold::Told => return tokio::time::sleep(TAKING_IN).await,
                // However long a person takes: the call would be refused for want of what they are about to say.
                RootsTold::Deciding => tokio::time::sleep(DECIDING).await,
            }
        }
    }
}
