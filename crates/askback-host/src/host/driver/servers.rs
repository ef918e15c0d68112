//! Servers that come, and that come back.
//!
//! Owns how a new connection is taken in, and how often a server that has died is started again. Must not know when that is wanted: the
//! conductor says so.

use std::sync::atomic::Ordering;
use std::time::Duration;

use askback_core::call::ServerName;
use askback_wire::{Era, RequestId};
use serde_json::{Map, Value};

use super::Driver;
use crate::conductor::Arrived;
use crate::connection::{self, Open};
use crate::host::{Command, Connected, Notice, client_info};
use crate::list_cache::ListCache;
use crate::server::ServerSpec;
use crate::wall_clock;

/// How often a server that died between two legs of a call is started again.
const RECONNECTS: u32 = 3;
/// The pause before the first such try; it doubles.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

impl Driver {
    /// Takes in a server that was not known before, and says what is known of it now.
    pub(super) fn welcome(&mut self, spec: ServerSpec, open: Open, lists: Option<ListCache>) -> Connected {
        let name = spec.name.clone();
        self.caches.extend(lists.map(|lists| (name.clone(), lists)));
        let connected = Connected {
            name: name.clone(),
            revision: open.established.session.revision(),
            server_info: open.established.server_info.clone(),
            capabilities: open.established.capabilities.clone(),
            instructions: open.established.instructions.clone(),
        };
        self.watch_roots(&spec);
        self.specs.insert(name.clone(), spec);
        self.adopt(name, open);
        connected
    }

    /// Takes in a connection, the first one to a server or a further one.
    pub(super) fn adopt(&mut self, name: ServerName, open: Open) {
        let Open { established, link } = open;
        let mut session = established.session;
        let log_level = self.log_level.clone().filter(|_| established.capabilities.get("logging").is_some());
        let is_legacy = session.revision().era() == Era::Legacy;
        if let Some(level) = &log_level {
            session.set_log_level(level);
        }
        if session.looks_tools_up()
            && let Some(list) = self.caches.get(&name).and_then(|cache| cache.list("tools/list", wall_clock::now()))
        {
            session.know_tools(list.items);
        }
        for violation in established.violations {
            let _ = self.notices.send(Notice::Violated { server: name.clone(), violation });
        }
        link.now_known();
        self.links.insert(name.clone(), link);
        let early = established.early;
        self.arrived(Arrived::Connected { server: name.clone(), session: Box::new(session), early });
        if let Some(level) = log_level.filter(|_| is_legacy) {
            self.ask_for_logs(name, level);
        }
    }

    /// Legacy: the level is said once for the whole session. Nobody waits for the answer, and a refusal only means that the server logs as it
    /// likes.
    fn ask_for_logs(&mut self, server: ServerName, level: String) {
        let request = RequestId(self.next.fetch_add(1, Ordering::Relaxed));
        let params = Map::from_iter([("level".to_owned(), Value::from(level))]);
        self.arrived(Arrived::RequestRequested { request, server, method: "logging/setLevel", params });
    }

    /// Starts a server again, or meets it again; whether that worked comes as a command.
    pub(super) fn reconnect(&mut self, server: ServerName) {
        let Some(spec) = self.specs.get(&server).cloned() else {
            let detail = "the server is not known".to_owned();
            let _ = self.commands.send(Command::Reconnected { name: server, open: Err(detail) });
            return;
        };
        let _ = self.notices.send(Notice::Reconnecting { server: server.clone() });
        let (commands, news) = (self.commands.clone(), self.news.clone());
        tokio::spawn(async move {
            let mut pause = RECONNECT_PAUSE;
            let mut last = String::new();
            for _ in 0..RECONNECTS {
                tokio::time::sleep(pause).await;
                pause *= 2;
                match connection::connect(&spec, client_info(), news.clone()).await {
                    Ok(open) => {
                        let _ = commands.send(Command::Reconnected { name: server, open: Ok(Box::new(open)) });
                        return;
                    }
                    Err(error) => last = error.to_string(),
                }
            }
            let _ = commands.send(Command::Reconnected { name: server, open: Err(last) });
        });
    }
}
