//! The task that owns everything of a host.
//!
//! Owns the loop: commands, what comes from servers, and the time go into the conductor, and what it says is done. Who does what of that:
//! [`todo`] carries out, [`servers`] takes connections in and brings them back, [`listening`] keeps listening, [`petitions`] takes a person's word to
//! requests that are held up, [`faces`] tells people.

mod faces;
mod listening;
mod petitions;
mod servers;
mod todo;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use askback_core::answer::By;
use askback_core::call::{CallId, ServerName};
use askback_core::engine::{Ending, LeaveAnswer, PetitionId};
use askback_desk::DeskEvent;
use askback_wire::RequestId;
use askback_wire::session::RequestFailure;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::{Command, HostOptions, Notice};
use crate::conductor::{Arrived, Conductor};
use crate::connection::{FromConnection, Link};
use crate::disclosure::Disclosing;
use crate::drafting::Drafting;
use crate::host_desk::{self, Opener};
use crate::lending::Lender;
use crate::list_cache::ListCache;
use crate::listening::Tries;
use crate::server::ServerSpec;

/// The task that owns everything.
pub(super) struct Driver {
    conductor: Conductor,
    most_rounds: u32,
    began: Instant,
    commands: mpsc::UnboundedSender<Command>,
    news: mpsc::Sender<FromConnection>,
    notices: mpsc::UnboundedSender<Notice>,
    opener: Option<Opener>,
    lender: Option<Arc<Lender>>,
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
    petitions: BTreeMap<PetitionId, oneshot::Sender<LeaveAnswer>>,
}

impl Driver {
    /// A driver with no servers yet; it does nothing before it runs.
    pub(super) fn new(
        options: HostOptions,
        commands: mpsc::UnboundedSender<Command>,
        news: mpsc::Sender<FromConnection>,
        notices: mpsc::UnboundedSender<Notice>,
        next: Arc<AtomicU64>,
    ) -> Driver {
        let most_rounds = options.rules.rounds;
        let mut rules = options.rules;
        rules.models &= options.lender.as_ref().is_some_and(|lender| lender.has_models());
        Driver {
            conductor: Conductor::new(rules),
            most_rounds,
            began: Instant::now(),
            commands,
            news,
            notices,
            opener: options.opener,
            lender: options.lender,
            drafting: Drafting::default(),
            log_level: options.log_level,
            disclosing: options.disclosing,
            next,
            links: BTreeMap::new(),
            specs: BTreeMap::new(),
            calls: BTreeMap::new(),
            requests: BTreeMap::new(),
            caches: BTreeMap::new(),
            tries: BTreeMap::new(),
            faces: Vec::new(),
            told_roots: BTreeSet::new(),
            petitions: BTreeMap::new(),
        }
    }

    /// Runs until it is told to shut down, or nobody is left who could tell it anything.
    pub(super) async fn run(
        mut self,
        mut commands: mpsc::UnboundedReceiver<Command>,
        mut news: mpsc::Receiver<FromConnection>,
    ) {
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
                    FromConnection::HeldUp(server, id, petition) => self.held_up(server, id, *petition),
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
                let _ = connected.send(self.welcome(*spec, *open, lists));
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
            Command::LeaveSettled { petition } => {
                self.petitions.remove(&petition);
                self.arrived(Arrived::LeaveSettled { petition });
            }
            Command::Permit { server } => self.arrived(Arrived::Permitted { server }),
            Command::Mute { server } => self.arrived(Arrived::Muted { server }),
            Command::Subscribe { events } => self.subscribe(events),
            Command::CloseDesk => self.faces.clear(),
            Command::Answers { book } => {
                let _ = book.send(self.conductor.engine().answers().clone());
            }
            Command::ToldRoots { server, told } => {
                let _ = told.send(self.told_roots.contains(&server));
            }
            Command::ShutDown { .. } => {}
        }
    }

    fn arrived(&mut self, arrived: Arrived) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        for todo in self.conductor.handle(now, arrived) {
            self.carry_out(todo);
        }
    }
}
