//! The host: the conductor with a real clock, real processes and real people.
//!
//! Owns the handle that callers have. One task, the [`driver`], owns the conductor; everything else talks to it over one channel, so nothing
//! here needs a lock.

mod call;
mod command;
mod driver;
mod notice;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askback_core::answer_file::AnswerBook;
use askback_core::call::{CallId, Operation, ServerName, TimeLimits};
use askback_core::engine::Rules;
use askback_desk::Desk;
use askback_wire::session::{Interest, RequestFailure};
use askback_wire::{Era, ProtocolChoice, RequestId, Revision};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

pub use self::call::Call;
pub(crate) use self::command::Command;
use self::driver::Driver;
pub use self::notice::Notice;
use crate::connection::{self, FromConnection};
use crate::disclosure::Disclosing;
use crate::era_memory::EraMemory;
use crate::error::{ConnectError, ConnectErrorKind, RequestError};
use crate::host_desk::HostDesk;
pub use crate::host_desk::Opener;
use crate::lending::Lender;
use crate::list_cache::ListCache;
use crate::listening::Persistence;
use crate::server::ServerSpec;

/// How many lines of all servers may wait to be handled; beyond that the servers wait.
const WAITING_LINES: usize = 256;

/// What a host is made with.
#[derive(Default)]
pub struct HostOptions {
    /// Who answers what.
    pub rules: Rules,
    /// Which servers are known to be legacy.
    pub memory: Option<EraMemory>,
    /// How pages are opened.
    pub opener: Option<Opener>,
    /// Who lends the user's models; without it none answers, whatever the rules say.
    pub lender: Option<Arc<Lender>>,
    /// The least severe log messages that servers which log are asked for; they are asked for nothing if not given.
    pub log_level: Option<String>,
    /// The folder where the lists of servers are kept for as long as the servers say; they are not kept if not given.
    pub lists: Option<PathBuf>,
    /// Where it is written down what servers are given; it is not if not given.
    pub disclosing: Option<Disclosing>,
}

/// What is known of a server once it is connected.
#[derive(Clone, Debug)]
pub struct Connected {
    /// What we call it.
    pub name: ServerName,
    /// The revision that is spoken.
    pub revision: Revision,
    /// What it says of itself.
    pub server_info: Value,
    /// Its capabilities, as sent.
    pub capabilities: Value,
    /// Its instructions.
    pub instructions: Option<String>,
}

/// A running host.
#[derive(Clone)]
pub struct Host {
    commands: mpsc::UnboundedSender<Command>,
    news: mpsc::Sender<FromConnection>,
    next: Arc<AtomicU64>,
    memory: Option<EraMemory>,
    lists: Option<PathBuf>,
    desk: HostDesk,
}

impl Host {
    /// Starts a host with no servers yet; what is worth telling comes out of the receiver.
    pub fn start(options: HostOptions) -> (Host, mpsc::UnboundedReceiver<Notice>) {
        let (commands, command_receiver) = mpsc::unbounded_channel();
        let (news, news_receiver) = mpsc::channel(WAITING_LINES);
        let (notices, notice_receiver) = mpsc::unbounded_channel();
        let host = Host {
            desk: HostDesk {
                commands: commands.clone(),
                opener: options.opener.clone(),
                lender: options.lender.clone(),
            },
            commands: commands.clone(),
            news: news.clone(),
            next: Arc::new(AtomicU64::new(1)),
            memory: options.memory.clone(),
            lists: options.lists.clone(),
        };
        let driver = Driver::new(options, commands, news, notices, Arc::clone(&host.next));
        tokio::spawn(driver.run(command_receiver, news_receiver));
        (host, notice_receiver)
    }

    /// The desk of this host.
    pub fn desk(&self) -> Arc<dyn Desk> {
        Arc::new(self.desk.clone())
    }

    /// Connects to a server. Several can be connected at the same time.
    ///
    /// # Errors
    /// Why there is no connection.
    pub async fn connect(&self, mut spec: ServerSpec) -> Result<Connected, ConnectError> {
        if spec.protocol == ProtocolChoice::Auto && self.memory.as_ref().is_some_and(|m| m.is_legacy(&spec.source)) {
            spec.protocol = ProtocolChoice::RememberedLegacy;
        }
        let open = connection::connect(&spec, client_info(), self.news.clone()).await?;
        let shutting_down = |spec: &ServerSpec| ConnectError {
            server: spec.name.clone(),
            source_line: spec.source.line(),
            is_address: spec.source.is_address(),
            sandbox: spec.source.sandbox().cloned().map(Box::new),
            kind: ConnectErrorKind::ShuttingDown,
            exit: None,
            stderr: Vec::new(),
        };
        let (connected, outcome) = oneshot::channel();
        let lists = self.list_cache(&spec).await;
        let command = Command::Adopt { spec: Box::new(spec.clone()), open: Box::new(open), lists, connected };
        self.commands.send(command).map_err(|_| shutting_down(&spec))?;
        let connected = outcome.await.map_err(|_| shutting_down(&spec))?;
        if let Some(memory) = &self.memory
            && !matches!(spec.protocol, ProtocolChoice::Only(_))
        {
            memory.remember(&spec.source, connected.revision);
        }
        if connected.revision.era() == Era::Legacy && spec.declared.roots && !spec.source.is_address() {
            self.let_settle(&spec.name).await;
        }
        Ok(connected)
    }

    /// What is kept of the lists of a server, for whom we are to it by now.
    async fn list_cache(&self, spec: &ServerSpec) -> Option<ListCache> {
        let folder = self.lists.as_ref()?;
        let token = match &spec.authorizer {
            Some(authorizer) => authorizer.token().await,
            None => None,
        };
        Some(ListCache::new(folder, spec, token.as_ref()))
    }

    /// Wants to hear of changes, in place of what was to be heard of before; they come as [`Notice::Changed`].
    pub fn listen(&self, server: ServerName, interest: Interest, persistence: Persistence) {
        let _ = self.commands.send(Command::Listen { server, interest, persistence });
    }

    /// Does not want to hear of changes any more; the server is told.
    pub fn stop_listening(&self, server: ServerName) {
        let _ = self.commands.send(Command::StopListening { server });
    }

    /// Whether a server has been told the roots.
    pub(crate) async fn has_told_roots(&self, server: &ServerName) -> bool {
        let (told, receiver) = oneshot::channel();
        let _ = self.commands.send(Command::ToldRoots { server: server.clone(), told });
        receiver.await.unwrap_or(false)
    }

    /// Starts a call.
    pub fn call(&self, server: ServerName, operation: Operation, limits: TimeLimits) -> Call {
        let call = CallId(self.next.fetch_add(1, Ordering::Relaxed));
        let (ending, receiver) = oneshot::channel();
        let _ = self.commands.send(Command::Call { call, server, operation, limits, ending });
        Call { id: call, ending: receiver, commands: self.commands.clone() }
    }

    /// Sends another request and waits for its result.
    ///
    /// # Errors
    /// Why there is no result.
    pub async fn request(
        &self,
        server: &ServerName,
        method: &'static str,
        params: Map<String, Value>,
        limit: Duration,
    ) -> Result<Value, RequestError> {
        let request = RequestId(self.next.fetch_add(1, Ordering::Relaxed));
        let (outcome, receiver) = oneshot::channel();
        let command = Command::Request { request, server: server.clone(), method, params, outcome };
        self.commands.send(command).map_err(|_| RequestError::ShuttingDown)?;
        match tokio::time::timeout(limit, receiver).await {
            Err(_) => Err(RequestError::TimedOut { seconds: limit.as_secs() }),
            Ok(Err(_)) => Err(RequestError::ShuttingDown),
            Ok(Ok(Err(RequestFailure::Server(error)))) => Err(RequestError::Server(error)),
            Ok(Ok(Err(RequestFailure::Protocol(violation)))) => Err(RequestError::Protocol(violation)),
            Ok(Ok(Ok(result))) => Ok(result),
        }
    }

    /// Lets all faces know that nothing more will come; they end by themselves after what was told before.
    pub fn close_desk(&self) {
        let _ = self.commands.send(Command::CloseDesk);
    }

    /// The scripted answers with what of them was used.
    pub async fn answers(&self) -> AnswerBook {
        let (book, receiver) = oneshot::channel();
        let _ = self.commands.send(Command::Answers { book });
        receiver.await.unwrap_or_default()
    }

    /// Ends all servers, which have some time to end by themselves. What still runs when the runtime goes is killed.
    pub async fn shut_down(&self) {
        let (done, receiver) = oneshot::channel();
        if self.commands.send(Command::ShutDown { done }).is_ok() {
            let _ = receiver.await;
        }
    }
}

/// What we call ourselves on the wire.
fn client_info() -> Value {
    json!({ "name": "askback", "title": "Askback", "version": env!("CARGO_PKG_VERSION") })
}
