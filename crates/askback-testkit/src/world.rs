//! Scripted servers, the conductor and a clock that stands still until it is told otherwise.
//!
//! Everything between the lines of a server and the news for the faces is the real thing; only processes, clocks and people are missing.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use askback_core::answer::{Answer, By};
use askback_core::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use askback_core::engine::{Ending, Leave, OpenRound, PetitionId, Rejection, Rules};
use askback_host::conductor::{Arrived, Conductor, Todo};
use askback_wire::framing::{DEFAULT_MESSAGE_LIMIT, Framer};
use askback_wire::incoming;
use askback_wire::{Channel, Declared, Handshake, ProtocolChoice, RequestId, Step};
use serde_json::{Map, Value, json};

use crate::script::Script;
use crate::scripted_server::{Noted, Output, ScriptedServer};

/// Everything that can be answered.
pub const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

/// Servers and the conductor, at a moment.
pub struct World {
    now: u64,
    conductor: Conductor,
    servers: BTreeMap<ServerName, Wired>,
    told: Vec<Todo>,
    next: u64,
}

struct Wired {
    script: Arc<Script>,
    revision: String,
    declared: Declared,
    process: Option<(ScriptedServer, Framer)>,
    lines: Vec<String>,
}

enum Happening {
    ToServer(ServerName, String),
    FromServer(ServerName, Output),
    Arrived(Arrived),
}

impl World {
    /// A world at the time 0, without servers.
    pub fn new(rules: Rules) -> World {
        World { now: 0, conductor: Conductor::new(rules), servers: BTreeMap::new(), told: Vec::new(), next: 1 }
    }

    /// Connects a server that plays this script, the `[server]` part of a scenario.
    ///
    /// # Panics
    /// When the script is none, or there is no connection.
    pub fn connect(&mut self, name: &str, script: &str, revision: &str, declared: Declared) {
        let script: Script = toml::from_str(script).expect("the script of a test is a script");
        let name = ServerName::new(name);
        let wired = Wired {
            script: Arc::new(script),
            revision: revision.to_owned(),
            declared,
            process: None,
            lines: Vec::new(),
        };
        self.servers.insert(name.clone(), wired);
        self.start(&name);
    }

    /// Starts a process of the server and shakes hands with it.
    fn start(&mut self, name: &ServerName) {
        let wired = self.servers.get_mut(name).expect("only servers of this world are started");
        let client = json!({ "name": "askback", "version": "0" });
        let mut handshake = Handshake::new(ProtocolChoice::Auto, wired.declared, client);
        for _ in 0..4 {
            let mut server = ScriptedServer::new(Arc::clone(&wired.script), &wired.revision);
            let mut framer = Framer::new(DEFAULT_MESSAGE_LIMIT);
            let mut to_server = VecDeque::from([handshake.begin().line]);
            let mut to_client: VecDeque<Output> = server.begin().into();
            while let Some(line) = to_server.pop_front() {
                wired.lines.push(line.clone());
                to_client.extend(server.receive(self.now, &line));
                let mut fresh = false;
                while let Some(output) = to_client.pop_front() {
                    let Output::Say { bytes, .. } = output else { continue };
                    for frame in framer.push(&bytes) {
                        match handshake.received(incoming::read(frame)) {
                            Step::Continue(replies) => to_server.extend(replies.into_iter().map(|reply| reply.line)),
                            Step::StartFresh => fresh = true,
                            Step::Failed(failure) | Step::OpenStream(failure) => {
                                panic!("no connection to {name}: {failure:?}")
                            }
                            Step::Done(established) => {
                                let established = *established;
                                wired.process = Some((server, framer));
                                let server = name.clone();
                                let session = Box::new(established.session);
                                let mut next: VecDeque<Happening> = established
                                    .send
                                    .into_iter()
                                    .map(|message| Happening::ToServer(name.clone(), message.line))
                                    .collect();
                                next.extend(
                                    to_client.into_iter().map(|output| Happening::FromServer(name.clone(), output)),
                                );
                                next.push_front(Happening::Arrived(Arrived::Connected {
                                    server,
                                    session,
                                    early: established.early,
                                }));
                                return self.settle(next);
                            }
                        }
                        if fresh {
                            break;
                        }
                    }
                }
            }
        }
        panic!("no connection to {name}");
    }

    /// Calls a tool.
    pub fn call(&mut self, server: &str, tool: &str, limits: TimeLimits) -> CallId {
        let call = CallId(self.number());
        let operation = Operation::Tool { name: tool.to_owned(), arguments: Map::new() };
        self.arrive(Arrived::CallRequested { call, server: ServerName::new(server), operation, limits });
        call
    }

    /// Sends another request.
    pub fn request(&mut self, server: &str, method: &'static str) -> RequestId {
        let request = RequestId(self.number());
        let server = ServerName::new(server);
        self.arrive(Arrived::RequestRequested { request, server, method, params: Map::new() });
        request
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// The person answers the first ask of a round.
    ///
    /// # Errors
    /// Why the answer is not taken.
    pub fn answer(&mut self, round: RoundId, answer: Answer) -> Result<(), Rejection> {
        let index = self.open().into_iter().find(|open| open.id == round).and_then(|open| Some(open.asks.first()?.0));
        let index = index.unwrap_or_default();
        self.conductor.check_answer(round, index, &answer)?;
        self.arrive(Arrived::Answered { round, index, answer, by: By::Person });
        Ok(())
    }

    /// The last request to a server is held up until somebody has got leave for it.
    pub fn hold_up(&mut self, server: &str, petition: PetitionId) {
        let sent = self.sent(server);
        let id =
            sent.iter().rev().filter(|message| message.get("method").is_some()).find_map(|sent| sent["id"].as_u64());
        let leave = Leave {
            giver: "https://login.example".to_owned(),
            page: "https://login.example/authorize".to_owned(),
            extent: Vec::new(),
        };
        self.arrive(Arrived::HeldUp { server: ServerName::new(server), id: id.unwrap_or_default(), petition, leave });
    }

    /// The person says that they go and get it, or that they do not.
    pub fn goes(&mut self, goes: bool) {
        let Some(wait) = self.conductor.engine().waits().next().map(|wait| wait.id) else { return };
        self.arrive(if goes { Arrived::Retried { wait } } else { Arrived::GaveUp { wait } });
    }

    /// Nothing is done about a leave any more.
    pub fn settle_leave(&mut self, petition: PetitionId) {
        self.arrive(Arrived::LeaveSettled { petition });
    }

    /// The person stops a call.
    pub fn stop(&mut self, call: CallId) {
        self.arrive(Arrived::Stopped { call });
    }

    /// Lets time pass. Whatever is due on the way happens at its time.
    pub fn advance(&mut self, milliseconds: u64) {
        let until = self.now + milliseconds;
        loop {
            let engine = self.conductor.engine().next_deadline();
            let servers = self.servers.values().filter_map(|wired| wired.process.as_ref()?.0.next_wake());
            let Some(next) = servers.chain(engine).min().filter(|next| *next <= until) else { break };
            self.now = self.now.max(next);
            let names: Vec<ServerName> = self.servers.keys().cloned().collect();
            for name in names {
                let process = self.servers.get_mut(&name).and_then(|wired| wired.process.as_mut());
                let outputs = process.map(|(server, _)| server.tick(self.now)).unwrap_or_default();
                self.settle(outputs.into_iter().map(|output| Happening::FromServer(name.clone(), output)).collect());
            }
            if self.conductor.engine().next_deadline().is_some_and(|at| at <= self.now) {
                self.arrive(Arrived::Ticked);
            }
        }
        self.now = until;
        self.arrive(Arrived::Ticked);
    }

    /// The time, in milliseconds since the beginning.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The rounds that wait for the person.
    pub fn open(&self) -> Vec<OpenRound> {
        self.conductor.engine().open_rounds().collect()
    }

    /// Everything that was told so far, writing to servers left out.
    pub fn told(&self) -> &[Todo] {
        &self.told
    }

    /// How a call ended, if it has.
    pub fn ending(&self, call: CallId) -> Option<&Ending> {
        self.told.iter().find_map(|todo| match todo {
            Todo::Finished { call: finished, ending } if *finished == call => Some(&**ending),
            _ => None,
        })
    }

    /// The messages that a server received, over all its processes.
    pub fn sent(&self, server: &str) -> Vec<Value> {
        let lines = self.servers.get(&ServerName::new(server)).map(|wired| &wired.lines);
        lines.into_iter().flatten().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The methods that a server received from its first call on.
    pub fn methods(&self, server: &str) -> Vec<String> {
        let methods = self.sent(server).into_iter().filter_map(|message| message["method"].as_str().map(str::to_owned));
        methods.skip_while(|method| !crate::judge::CALLS.contains(&method.as_str())).collect()
    }

    /// The rules that the client broke with a server, since this was asked last.
    pub fn wrong(&mut self, server: &str) -> Vec<String> {
        let process = self.servers.get_mut(&ServerName::new(server)).and_then(|wired| wired.process.as_mut());
        let noted = process.map(|(server, _)| server.noted()).unwrap_or_default();
        noted
            .into_iter()
            .filter_map(|noted| match noted {
                Noted::Wrong(what) => Some(what),
                Noted::Answered { .. } => None,
            })
            .collect()
    }

    fn arrive(&mut self, arrived: Arrived) {
        self.settle(VecDeque::from([Happening::Arrived(arrived)]));
    }

    fn settle(&mut self, mut next: VecDeque<Happening>) {
        while let Some(happening) = next.pop_front() {
            match happening {
                Happening::ToServer(name, line) => {
                    let Some(wired) = self.servers.get_mut(&name) else { continue };
                    wired.lines.push(line.clone());
                    let Some((server, _)) = &mut wired.process else { continue };
                    let outputs = server.receive(self.now, &line);
                    next.extend(outputs.into_iter().map(|output| Happening::FromServer(name.clone(), output)));
                }
                Happening::FromServer(name, output) => self.said(&name, output, &mut next),
                Happening::Arrived(arrived) => {
                    for todo in self.conductor.handle(self.now, arrived) {
                        match todo {
                            Todo::Send { server, message } => next.push_back(Happening::ToServer(server, message.line)),
                            Todo::Reconnect { server } => self.start(&server),
                            todo => self.told.push(todo),
                        }
                    }
                }
            }
        }
    }

    fn said(&mut self, name: &ServerName, output: Output, next: &mut VecDeque<Happening>) {
        let Some(wired) = self.servers.get_mut(name) else { return };
        match output {
            Output::Say { bytes, .. } => {
                let Some((_, framer)) = &mut wired.process else { return };
                for frame in framer.push(&bytes) {
                    let incoming = incoming::read(frame);
                    let received = Arrived::Received { server: name.clone(), incoming, channel: Channel::Shared };
                    next.push_back(Happening::Arrived(received));
                }
            }
            Output::Stderr(_) => {}
            Output::Exit(_) | Output::Kill => {
                wired.process = None;
                let detail = "the server's process ended".to_owned();
                next.push_back(Happening::Arrived(Arrived::Disconnected { server: name.clone(), detail }));
            }
        }
    }
}
