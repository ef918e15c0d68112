//! What the server on the command line offers, asked of it when it is first needed.
//!
//! Owns the connection. It is told of nothing that can be answered, so that nobody is ever asked and nothing disclosed; nobody is logged in for
//! it. What it says may be fresh for long is not asked for again.

use std::time::Duration;

use askback_core::engine::Rules;
use askback_host::era_memory::EraMemory;
use askback_host::{Connected, Host, HostOptions, ListCache, ServerSpec, wall_clock};
use askback_wire::Declared;
use serde_json::{Map, Value, json};

use super::place::Place;
use super::{List, Offers};
use crate::console::{self, Console};
use crate::listing;
use crate::target::Setup;

/// How long the server may take to end.
const ENDING: Duration = Duration::from_millis(200);

impl List {
    /// The capability without which it is not there, the method, and the key of its items.
    fn on_the_wire(self) -> (&'static str, &'static str, &'static str) {
        match self {
            List::Tools => ("tools", "tools/list", "tools"),
            List::Prompts => ("prompts", "prompts/list", "prompts"),
            List::Resources => ("resources", "resources/list", "resources"),
            List::Templates => ("resources", "resources/templates/list", "resourceTemplates"),
        }
    }
}

/// The configuration, and the server if one is meant.
pub(crate) struct Live {
    servers: Vec<String>,
    spec: Option<ServerSpec>,
    cache: Option<ListCache>,
    connection: Connection,
    limit: Duration,
}

enum Connection {
    NotTried,
    Failed,
    Open(Host, Box<Connected>),
}

impl Live {
    /// Reads the configuration; a mistake in it means that there is nothing to offer. `limit` is the longest for one request.
    pub(crate) fn new(console: &Console, place: &Place, limit: Duration) -> Live {
        let setup = Setup::read(console, &place.options).ok();
        let name = place.options.name.as_deref();
        let target = setup.as_ref().and_then(|setup| match &place.server {
            Some(server) => setup.named(server, name, &console.texts).ok(),
            None if place.server_command.is_empty() => None,
            None => Some(setup.command(&place.server_command, name)),
        });
        let memory = console::state_folder().map(|folder| EraMemory::new(folder.join("eras.json")));
        // A file in a folder that somebody else made may name any program: what the person never started, a key press does not start either.
        let may_start = |spec: &ServerSpec| {
            let is_configured_program = place.server.is_some() && !spec.source.is_address();
            !is_configured_program || memory.as_ref().is_some_and(|memory| memory.knows(&spec.source))
        };
        let spec = target.map(|target| target.spec).filter(may_start).map(|mut spec| {
            spec.declared = Declared::default();
            spec.authorizer = None;
            spec.connect_timeout = limit;
            spec
        });
        let folder = console::list_folder().zip(spec.as_ref());
        // Nobody is logged in for it, so there is no token.
        let cache = folder.map(|(folder, spec)| ListCache::new(&folder, spec, None));
        let servers = setup.map(|setup| setup.names()).unwrap_or_default();
        Live { servers, spec, cache, connection: Connection::NotTried, limit }
    }

    /// Lets the server end. What still runs then is killed when the runtime goes.
    pub(crate) async fn end(self) {
        if let Connection::Open(host, _) = self.connection {
            let _ = tokio::time::timeout(ENDING, host.shut_down()).await;
        }
    }

    async fn connected(&mut self) -> Option<(&Host, &Connected)> {
        if matches!(self.connection, Connection::NotTried) {
            // Should time run out meanwhile, it is not tried again.
            self.connection = Connection::Failed;
            let spec = self.spec.clone()?;
            let (host, notices) = Host::start(HostOptions {
                rules: Rules { person: false, ..Rules::default() },
                memory: console::state_folder().map(|folder| EraMemory::new(folder.join("eras.json"))),
                lists: console::list_folder(),
                ..HostOptions::default()
            });
            drop(notices);
            if let Ok(connected) = host.connect(spec).await {
                self.connection = Connection::Open(host, Box::new(connected));
            }
        }
        match &self.connection {
            Connection::Open(host, connected) => Some((host, connected)),
            Connection::NotTried | Connection::Failed => None,
        }
    }

    async fn ask_for(&mut self, list: List) -> Option<Vec<Value>> {
        let (capability, method, key) = list.on_the_wire();
        let limit = self.limit;
        let (host, connected) = self.connected().await?;
        connected.capabilities.get(capability)?;
        listing::all(host, &connected.name, method, key, limit).await.ok()
    }

    async fn ask_for_values(&mut self, params: Map<String, Value>) -> Option<Vec<String>> {
        let limit = self.limit;
        let (host, connected) = self.connected().await?;
        connected.capabilities.get("completions")?;
        let result = host.request(&connected.name, "completion/complete", params, limit).await.ok()?;
        let values = result.pointer("/completion/values")?.as_array()?;
        Some(values.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }
}

impl Offers for Live {
    fn servers(&self) -> Vec<String> {
        self.servers.clone()
    }

    async fn list(&mut self, list: List) -> Vec<Value> {
        let (_, method, _) = list.on_the_wire();
        let kept = self.cache.as_ref().and_then(|cache| cache.list(method, wall_clock::now()));
        match kept.filter(|list| list.is_whole) {
            Some(list) => list.items,
            None => self.ask_for(list).await.unwrap_or_default(),
        }
    }

    async fn values(&mut self, reference: Value, argument: (&str, &str), given: &Map<String, Value>) -> Vec<String> {
        let (name, value) = argument;
        let mut params = Map::new();
        params.insert("ref".into(), reference);
        params.insert("argument".into(), json!({ "name": name, "value": value }));
        if !given.is_empty() {
            params.insert("context".into(), json!({ "arguments": given }));
        }
        self.ask_for_values(params).await.unwrap_or_default()
    }
}
