//! The host: the conductor with a real clock, real processes and real people.
//!
//! One task owns the conductor; everything else talks to it over one channel, so nothing here needs a lock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use askback_core::answer::{Answer, By};
use askback_core::answer_file::AnswerBook;
use askback_core::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use askback_core::engine::{Decided, Ending, OpenRound, Rules};
use askback_core::sampling::{ModelOrder, SamplingReply};
use askback_core::violation::Violation;
use askback_core::{Ask, AskBody};
use askback_desk::{AnswerRejected, Desk, DeskEvent};
use askback_wire::session::{Change, Interest, ListeningEnd, RequestFailure};
use askback_wire::{Era, ProtocolChoice, RequestId, Revision};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::conductor::{Arrived, Conductor, Todo};
use crate::connection::{self, FromConnection, Link, Open};
use crate::disclosure::{Disclosing, Disclosure};
use crate::drafting::Drafting;
use crate::era_memory::EraMemory;
use crate::error::{ConnectError, ConnectErrorKind, RequestError};
pub use crate::host_desk::Opener;
use crate::host_desk::{self, HostDesk};
use crate::lending::Lender;
use crate::list_cache::{self, ListCache};
use crate::listening::{ListeningState, Persistence, Tries};
use crate::roots::{self, LeftOut, Looked, RootKeeper, WhyLeftOut};
use crate::server::ServerSpec;

/// How many lines of all servers may wait to be handled; beyond that the servers wait.
const WAITING_LINES: usize = 256;
/// How often a server that died between two legs of a call is started again.
const RECONNECTS: u32 = 3;
/// The pause before the first such try; it doubles.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

/// What a host is made with.
#[derive(Default)]
pub struct HostOptions {
    /// Who answers what.
    pub rules: Rules,
    /// Which servers are known to be legacy.
    pub memory: Option<EraMemory>,
    /// How pages are opened.
    pub opener: Option<Opener>,
    /// Who keeps the user's roots; without it those of the rules are all there ever are.
    pub roots: Option<Arc<RootKeeper>>,
    /// Who lends the user's models; without it none answers, whatever the rules say.
    pub lender: Option<Arc<Lender>>,
    /// The least severe log messages that servers which log are asked for; they are asked for nothing if not given.
    pub log_level: Option<String>,
    /// The folder where the lists of servers are kept for as long as the servers say; they are not kept if not given.
    pub lists: Option<PathBuf>,
    /// Where it is written down what servers are given; it is not if not given.
    pub disclosing: Option<Disclosing>,
}

/// Something worth telling that is no answer to anything.
#[derive(Clone, Debug)]
pub enum Notice {
    /// An ask was decided.
    Decided(Box<Decided>),
    /// What a server is given could not be written down.
    NotWrittenDown {
        /// Which.
        server: ServerName,
        /// Why.
        detail: String,
    },
    /// A server broke a rule.
    Violated {
        /// Which.
        server: ServerName,
        /// How.
        violation: Violation,
    },
    /// A call makes progress.
    Progressed {
        /// Which.
        call: CallId,
        /// How far, in the server's unit.
        progress: f64,
        /// The whole, if known.
        total: Option<f64>,
        /// The server's words.
        message: Option<String>,
    },
    /// A call has become a task, and the server says how that stands.
    Working {
        /// Which call.
        call: CallId,
        /// The task's status, as sent.
        status: String,
        /// The server's words.
        message: Option<String>,
    },
    /// A server says that a page is done with that a person agreed to visit.
    PageCompleted {
        /// Which.
        server: ServerName,
    },
    /// A server logs something.
    Logged {
        /// Which.
        server: ServerName,
        /// The level.
        level: String,
        /// The part of the server that logs, if it says so.
        logger: Option<String>,
        /// What.
        text: String,
    },
    /// Something of a server's is not any more as it was.
    Changed {
        /// Whose.
        server: ServerName,
        /// What.
        change: Change,
    },
    /// How it stands with what a server tells of changes.
    Listening {
        /// Which.
        server: ServerName,
        /// How.
        state: ListeningState,
    },
    /// A root is left out of what a server is told.
    RootLeftOut {
        /// For which server.
        server: ServerName,
        /// Which root, and why.
        left_out: LeftOut,
    },
    /// A server died between two legs of a call and is started again.
    Reconnecting {
        /// Which.
        server: ServerName,
    },
    /// A page that an answer file wants opened could not be.
    PageNotOpened {
        /// The address.
        url: String,
        /// Why.
        detail: String,
    },
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

/// A call that is under way.
pub struct Call {
    id: CallId,
    ending: oneshot::Receiver<Box<Ending>>,
    commands: mpsc::UnboundedSender<Command>,
}

impl Call {
    /// Identifies the call.
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Waits for the end; nothing when the host went away first.
    pub async fn ending(&mut self) -> Option<Ending> {
        (&mut self.ending).await.ok().map(|ending| *ending)
    }

    /// Stops the call: the server is told, prompts close. [`Call::ending`] follows at once.
    pub fn stop(&self) {
        let _ = self.commands.send(Command::Stop { call: self.id });
    }
}

pub(crate) enum Command {
    Adopt {
        spec: Box<ServerSpec>,
        open: Box<Open>,
        lists: Option<ListCache>,
        connected: oneshot::Sender<Connected>,
    },
    Reconnected {
        name: ServerName,
        open: Result<Box<Open>, String>,
    },
    Call {
        call: CallId,
        server: ServerName,
        operation: Operation,
        limits: TimeLimits,
        ending: oneshot::Sender<Box<Ending>>,
    },
    Request {
        request: RequestId,
        server: ServerName,
        method: &'static str,
        params: Map<String, Value>,
        outcome: oneshot::Sender<Result<Value, RequestFailure>>,
    },
    Listen {
        server: ServerName,
        interest: Interest,
        persistence: Persistence,
    },
    ListenAgain {
        server: ServerName,
    },
    StopListening {
        server: ServerName,
    },
    Answer {
        round: RoundId,
        index: usize,
        answer: Answer,
        taken: oneshot::Sender<Result<(), AnswerRejected>>,
    },
    Drafted {
        round: RoundId,
        index: usize,
        outcome: Result<Box<SamplingReply>, String>,
    },
    Stop {
        call: CallId,
    },
    Retry {
        wait: RoundId,
    },
    GiveUp {
        wait: RoundId,
    },
    Mute {
        server: ServerName,
    },
    /// The server may have models without the person being asked.
    Permit {
        server: ServerName,
    },
    Subscribe {
        events: mpsc::UnboundedSender<DeskEvent>,
    },
    CloseDesk,
    Answers {
        book: oneshot::Sender<AnswerBook>,
    },
    RootsLooked {
        server: ServerName,
        looked: Looked,
    },
    ToldRoots {
        server: ServerName,
        told: oneshot::Sender<RootsTold>,
    },
    ShutDown {
        done: oneshot::Sender<()>,
    },
}

/// How it stands with a server's first question for roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootsTold {
    /// It has not asked.
    NotAsked,
    /// It has asked, and a person is deciding.
    Deciding,
    /// It has its answer.
    Told,
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

/// What we call ourselves on the wire.
fn client_info() -> Value {
    json!({ "name": "askback", "title": "Askback", "version": env!("CARGO_PKG_VERSION") })
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
                roots: options.roots.clone(),
            },
            commands: commands.clone(),
            news: news.clone(),
            next: Arc::new(AtomicU64::new(1)),
            memory: options.memory.clone(),
            lists: options.lists,
        };
        let most_rounds = options.rules.rounds;
        let mut rules = options.rules;
        rules.models &= options.lender.as_ref().is_some_and(|lender| lender.has_models());
        let driver = Driver {
            conductor: Conductor::new(rules),
            most_rounds,
            began: Instant::now(),
            commands: commands.clone(),
            news,
            notices,
            opener: options.opener,
            lender: options.lender,
            roots: options.roots,
            left_out: BTreeMap::new(),
            drafting: Drafting::default(),
            log_level: options.log_level,
            disclosing: options.disclosing,
            next: Arc::clone(&host.next),
            links: BTreeMap::new(),
            specs: BTreeMap::new(),
            calls: BTreeMap::new(),
            requests: BTreeMap::new(),
            caches: BTreeMap::new(),
            tries: BTreeMap::new(),
            faces: Vec::new(),
            told_roots: BTreeSet::new(),
        };
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
    pub(crate) async fn has_told_roots(&self, server: &ServerName) -> RootsTold {
        let (told, receiver) = oneshot::channel();
        let _ = self.commands.send(Command::ToldRoots { server: server.clone(), told });
        receiver.await.unwrap_or(RootsTold::NotAsked)
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

/// The task that owns everything.
struct Driver {
    conductor: Conductor,
    most_rounds: u32,
    began: Instant,
    commands: mpsc::UnboundedSender<Command>,
    news: mpsc::Sender<FromConnection>,
    notices: mpsc::UnboundedSender<Notice>,
    opener: Option<Opener>,
    lender: Option<Arc<Lender>>,
    roots: Option<Arc<RootKeeper>>,
    /// What people have been told is left out, by server.
    left_out: BTreeMap<ServerName, Vec<LeftOut>>,
    drafting: Drafting,
    disclosing: Option<Disclosing>,
    log_level: Option<String>,
    next: Arc<AtomicU64>,
    links: BTreeMap<ServerName, Link>,
    specs: BTreeMap<ServerName, ServerSpec>,
    calls: BTreeMap<CallId, oneshot::Sender<Box<Ending>>>,
    requests: BTreeMap<RequestId, oneshot::Sender<Result<Value, RequestFailure>>>,
    caches: BTreeMap<ServerName, ListCache>,
    tries: BTreeMap<ServerName, Tries>,
    faces: Vec<mpsc::UnboundedSender<DeskEvent>>,
    told_roots: BTreeSet<ServerName>,
}

impl Driver {
    async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>, mut news: mpsc::Receiver<FromConnection>) {
        // One timer for good, moved only when the deadline moves.
        let timer = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(timer);
        let mut set_for = None;
        loop {
            let deadline = self.conductor.engine().next_deadline();
            if let Some(at) = deadline
                && set_for != deadline
            {
                timer.as_mut().reset((self.began + Duration::from_millis(at)).into());
                set_for = deadline;
            }
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::ShutDown { done }) => {
                        // Nothing more is heard, and nobody waits for being heard.
                        news.close();
                        // All servers end at the same time, so that a slow one delays nobody else.
                        let links = std::mem::take(&mut self.links);
                        let ends: Vec<_> = links.into_values().map(|link| tokio::spawn(link.end())).collect();
                        for end in ends {
                            let _ = end.await;
                        }
                        let _ = done.send(());
                        return;
                    }
                    Some(command) => self.command(command),
                    None => return,
                },
                Some(message) = news.recv() => match message {
                    FromConnection::Received(server, incoming, channel) => {
                        self.arrived(Arrived::Received { server, incoming, channel });
                    }
                    FromConnection::Undelivered(server, id, undelivered) => {
                        self.arrived(Arrived::Undelivered { server, id, undelivered });
                    }
                    FromConnection::Violated(server, violation) => {
                        self.arrived(Arrived::Violated { server, violation });
                    }
                    FromConnection::Gone(server, detail) => {
                        self.links.remove(&server);
                        self.arrived(Arrived::Disconnected { server, detail });
                    }
                },
                () = &mut timer, if deadline.is_some() => {
                    set_for = None;
                    self.arrived(Arrived::Ticked);
                }
            }
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Adopt { spec, open, lists, connected } => {
                self.caches.extend(lists.map(|lists| (spec.name.clone(), lists)));
                let information = Connected {
                    name: spec.name.clone(),
                    revision: open.established.session.revision(),
                    server_info: open.established.server_info.clone(),
                    capabilities: open.established.capabilities.clone(),
                    instructions: open.established.instructions.clone(),
                };
                self.specs.insert(spec.name.clone(), (*spec).clone());
                self.watch_roots(&spec);
                self.adopt(spec.name.clone(), *open);
                let _ = connected.send(information);
            }
            Command::Reconnected { name, open: Ok(open) } => self.adopt(name, *open),
            Command::Reconnected { name, open: Err(detail) } => {
                self.arrived(Arrived::Disconnected { server: name, detail });
            }
            Command::Call { call, server, operation, limits, ending } => {
                self.calls.insert(call, ending);
                self.arrived(Arrived::CallRequested { call, server, operation, limits });
            }
            Command::Request { request, server, method, params, outcome } => {
                self.requests.insert(request, outcome);
                self.arrived(Arrived::RequestRequested { request, server, method, params });
            }
            Command::Answer { round, index, answer, taken } => {
                let outcome = self.conductor.check_answer(round, index, &answer).map_err(host_desk::rejected);
                let is_taken = outcome.is_ok();
                let _ = taken.send(outcome);
                if is_taken {
                    self.arrived(Arrived::Answered { round, index, answer, by: By::Person });
                }
            }
            Command::Drafted { round, index, outcome } => self.arrived(Arrived::Drafted { round, index, outcome }),
            Command::Listen { server, interest, persistence } => {
                self.arrived(Arrived::ListenRequested { server, interest, persistence });
            }
            Command::ListenAgain { server } => self.arrived(Arrived::ListenAgain { server }),
            Command::StopListening { server } => self.arrived(Arrived::ListenStopped { server }),
            Command::Stop { call } => self.arrived(Arrived::Stopped { call }),
            Command::Retry { wait } => self.arrived(Arrived::Retried { wait }),
            Command::GiveUp { wait } => self.arrived(Arrived::GaveUp { wait }),
            Command::Permit { server } => self.arrived(Arrived::Permitted { server }),
            Command::Mute { server } => self.arrived(Arrived::Muted { server }),
            Command::Subscribe { events } => {
                for round in self.conductor.engine().open_rounds() {
                    let _ = events.send(DeskEvent::Opened(Box::new(self.view(&round))));
                }
                for wait in self.conductor.engine().waits() {
                    let _ = events.send(DeskEvent::Waiting(Box::new(self.wait_view(&wait))));
                }
                self.faces.push(events);
            }
            Command::CloseDesk => self.faces.clear(),
            Command::Answers { book } => {
                let _ = book.send(self.conductor.engine().answers().clone());
            }
            Command::RootsLooked { server, looked } => self.roots_looked(server, looked),
            Command::ToldRoots { server, told } => {
                let _ = told.send(self.roots_told(&server));
            }
            Command::ShutDown { .. } => {}
        }
    }

    /// Looks at the roots of a server now and then, from now on.
    fn watch_roots(&self, spec: &ServerSpec) {
        let Some(keeper) = self.roots.clone() else { return };
        let (server, commands) = (spec.name.clone(), self.commands.clone());
        let tell = move |looked| commands.send(Command::RootsLooked { server: server.clone(), looked }).is_ok();
        tokio::spawn(roots::watch(keeper, spec.name.to_string(), spec.source.line(), tell));
    }

    fn roots_looked(&mut self, server: ServerName, looked: Looked) {
        let Looked { offers, left_out } = looked;
        let before = self.left_out.insert(server.clone(), left_out.clone()).unwrap_or_default();
        // An exclusion is the person's own wish, and no news.
        let is_news = |left: &LeftOut| left.why != WhyLeftOut::Excluded && !before.contains(left);
        for left_out in left_out.into_iter().filter(is_news) {
            let _ = self.notices.send(Notice::RootLeftOut { server: server.clone(), left_out });
        }
        self.arrived(Arrived::RootsChanged { server, roots: offers });
    }

    fn roots_told(&self, server: &ServerName) -> RootsTold {
        let asks = |round: &OpenRound| round.asks.iter().any(|(_, ask)| ask.body == AskBody::Roots);
        if self.conductor.engine().open_rounds().any(|round| round.server == *server && asks(&round)) {
            return RootsTold::Deciding;
        }
        if self.told_roots.contains(server) { RootsTold::Told } else { RootsTold::NotAsked }
    }

    fn adopt(&mut self, name: ServerName, open: Open) {
        let Open { established, link } = open;
        let mut session = established.session;
        let log_level = self.log_level.clone().filter(|_| established.capabilities.get("logging").is_some());
        let is_legacy = session.revision().era() == Era::Legacy;
        if let Some(level) = &log_level {
            session.set_log_level(level);
        }
        if session.looks_tools_up()
            && let Some(list) = self.caches.get(&name).and_then(|cache| cache.list("tools/list", list_cache::now()))
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

    fn arrived(&mut self, arrived: Arrived) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        for todo in self.conductor.handle(now, arrived) {
            self.carry_out(todo);
        }
    }

    fn carry_out(&mut self, todo: Todo) {
        match todo {
            Todo::Send { server, message } => {
                if let Some(link) = self.links.get(&server) {
                    link.send(message);
                }
            }
            Todo::Reconnect { server } => self.reconnect(server),
            Todo::Publish(round) => {
                let view = self.view(&round);
                self.tell_faces(&DeskEvent::Opened(Box::new(view)));
            }
            Todo::Await(wait) => {
                let view = self.wait_view(&wait);
                self.tell_faces(&DeskEvent::Waiting(Box::new(view)));
            }
            Todo::PageCompleted { server, .. } => {
                let _ = self.notices.send(Notice::PageCompleted { server });
            }
            Todo::Draft { round, index, server, ask, order } => self.draft(round, index, server, *ask, order),
            Todo::Retract { round, why } => {
                self.drafting.stop(round);
                self.tell_faces(&DeskEvent::Closed { round, why: host_desk::closed(why) });
            }
            Todo::Decided(decided) => {
                self.open_if_scripted(&decided);
                if decided.ask.as_ref().is_some_and(|ask| ask.body == AskBody::Roots) {
                    self.told_roots.insert(decided.server.clone());
                }
                let _ = self.notices.send(Notice::Decided(decided));
            }
            Todo::Given(decided) => self.disclose(&decided),
            Todo::Finished { call, ending } => {
                if let Some(sender) = self.calls.remove(&call) {
                    let _ = sender.send(ending);
                }
            }
            Todo::Responded { request, outcome } => {
                if let Some(sender) = self.requests.remove(&request) {
                    let _ = sender.send(outcome);
                }
            }
            Todo::Listed { server, page } => {
                if let Some(cache) = self.caches.get(&server) {
                    cache.keep(page, list_cache::now());
                }
            }
            Todo::Changed { server, change } => self.changed(server, change),
            Todo::Listening { server, left_out } => {
                self.tries.entry(server.clone()).or_default().begun(Instant::now());
                self.tell_listening(server, ListeningState::Begun { left_out });
            }
            Todo::ListeningEnded { server, end } => self.listening_ended(server, end),
            Todo::Violated { server, violation } => {
                let _ = self.notices.send(Notice::Violated { server, violation });
            }
            Todo::Progressed { call, progress, total, message } => {
                let _ = self.notices.send(Notice::Progressed { call, progress, total, message });
            }
            Todo::Working { call, status, message } => {
                let _ = self.notices.send(Notice::Working { call, status, message });
            }
            Todo::Logged { server, level, logger, text } => {
                let _ = self.notices.send(Notice::Logged { server, level, logger, text });
            }
        }
    }

    fn draft(&mut self, round: RoundId, index: usize, server: ServerName, ask: Ask, order: ModelOrder) {
        let commands = self.commands.clone();
        let done = move |outcome: Result<SamplingReply, String>| {
            let _ = commands.send(Command::Drafted { round, index, outcome: outcome.map(Box::new) });
        };
        match (ask.body, self.lender.clone()) {
            (AskBody::Sampling(request), Some(lender)) => {
                self.drafting.start(round, lender, server, *request, order, done);
            }
            _ => done(Err("no model is there".to_owned())),
        }
    }

    /// What is kept of a list that has changed is of no use any more.
    fn changed(&self, server: ServerName, change: Change) {
        if let (Change::List(list), Some(cache)) = (&change, self.caches.get(&server)) {
            list.methods().iter().for_each(|method| cache.forget(method));
        }
        let _ = self.notices.send(Notice::Changed { server, change });
    }

    fn listening_ended(&mut self, server: ServerName, end: ListeningEnd) {
        let detail = match end {
            ListeningEnd::Refused(error) => return self.tell_listening(server, ListeningState::Refused { error }),
            ListeningEnd::Finished => "the server ended it".to_owned(),
            ListeningEnd::Cut(detail) => detail,
        };
        let Some(pause) = self.tries.entry(server.clone()).or_default().ended(Instant::now()) else {
            return self.tell_listening(server, ListeningState::Over { detail });
        };
        self.tell_listening(server.clone(), ListeningState::Interrupted { detail });
        let commands = self.commands.clone();
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let _ = commands.send(Command::ListenAgain { server });
        });
    }

    fn tell_listening(&self, server: ServerName, state: ListeningState) {
        let _ = self.notices.send(Notice::Listening { server, state });
    }

    /// A page that an answer file consented to is opened only if the file says so as well.
    fn open_if_scripted(&self, decided: &Decided) {
        let Some(ask) = &decided.ask else { return };
        let AskBody::Url(page) = &ask.body else { return };
        let consented = decided.answer == Answer::Consented && decided.by == By::Answers;
        if !consented || !self.conductor.engine().answers().opens(&decided.server, ask) {
            return;
        }
        let Some(opener) = self.opener.clone() else { return };
        let (url, notices) = (page.url.clone(), self.notices.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(detail) = opener(&url) {
                let _ = notices.send(Notice::PageNotOpened { url, detail });
            }
        });
    }

    fn reconnect(&mut self, server: ServerName) {
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

    /// Writes down what a server is about to be given. What cannot be written down is told at once, and the answer goes out all the same: the
    /// person, or a rule of theirs, wants it to.
    fn disclose(&self, decided: &Decided) {
        let Some(disclosing) = &self.disclosing else { return };
        let source = self.specs.get(&decided.server).map(|spec| spec.source.line()).unwrap_or_default();
        let call = match decided.calls[..] {
            [call] => self.conductor.engine().operation(call).map(|operation| operation.subject().to_owned()),
            _ => None,
        };
        let entry = Disclosure::of(decided, source, call, list_cache::now(), &disclosing.redactor);
        if let Some(Err(error)) = entry.map(|entry| disclosing.log.add(&entry)) {
            let _ =
                self.notices.send(Notice::NotWrittenDown { server: decided.server.clone(), detail: error.to_string() });
        }
    }

    fn view(&self, round: &OpenRound) -> askback_desk::RoundView {
        let source = self.specs.get(&round.server).map(|spec| spec.source.line()).unwrap_or_default();
        let asks_for_roots = round.asks.iter().any(|(_, ask)| ask.body == AskBody::Roots);
        let keeper = self.roots.as_ref().filter(|_| asks_for_roots);
        let excluded = keeper.map(|keeper| keeper.excluded()).unwrap_or_default();
        let operation = |call| self.conductor.engine().operation(call).cloned();
        host_desk::round_view(round, self.most_rounds, source, excluded, operation)
    }

    fn wait_view(&self, wait: &askback_core::engine::Wait) -> askback_desk::WaitView {
        let source = self.specs.get(&wait.server).map(|spec| spec.source.line()).unwrap_or_default();
        host_desk::wait_view(wait, source, self.conductor.engine().operation(wait.call))
    }

    fn tell_faces(&mut self, event: &DeskEvent) {
        self.faces.retain(|face| face.send(event.clone()).is_ok());
    }
}
