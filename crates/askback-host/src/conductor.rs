//! The engine and the wire sessions of all servers, joined: messages and wishes in, messages and news out.
//!
//! Owns the way from effects to messages and from events to inputs. Without I/O and without a clock, so that the simulator in the testkit runs
//! exactly this.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::answer::{Answer, By};
use askback_core::ask::AskProblem;
use askback_core::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use askback_core::engine::{
    Continuation, Decided, Effect, Ending, Engine, Input, Leave, LeaveAnswer, OpenRound, PetitionId, Record, Rejection,
    Retraction, Rules, Undelivered, Wait,
};
use askback_core::sampling::{ModelOrder, SamplingReply};
use askback_core::violation::Violation;
use askback_core::{Ask, AskBody};
use askback_wire::event::Received;
use askback_wire::incoming::Incoming;
use askback_wire::jsonrpc::Message;
use askback_wire::session::{Change, Interest, ListeningEnd, Page, RequestFailure};
use askback_wire::{Channel, Event, Outgoing, RequestId, Session};
use serde_json::{Map, Value};

use crate::listening::Persistence;

/// What happened.
#[derive(Debug)]
pub enum Arrived {
    /// A server can be talked to.
    Connected {
        /// Which.
        server: ServerName,
        /// Its session.
        session: Box<Session>,
        /// Messages that came during the handshake.
        early: Vec<Message>,
    },
    /// A server cannot be talked to any more, or could not be reconnected.
    Disconnected {
        /// Which.
        server: ServerName,
        /// What is known about why.
        detail: String,
    },
    /// A message came, or something that is none.
    Received {
        /// From whom.
        server: ServerName,
        /// What it turned out to be.
        incoming: Incoming,
        /// Where it came.
        channel: Channel,
    },
    /// A request got no answer, and will get none, and the connection goes on.
    Undelivered {
        /// To whom it was sent.
        server: ServerName,
        /// Its id.
        id: u64,
        /// What is known about why.
        undelivered: Undelivered,
    },
    /// A request is not let through before a person has got leave.
    HeldUp {
        /// To whom it was sent.
        server: ServerName,
        /// Its id.
        id: u64,
        /// A number that was not used before.
        petition: PetitionId,
        /// Leave of whom, and for what.
        leave: Leave,
    },
    /// What was done about a leave is over, however it ended.
    LeaveSettled {
        /// Which petition it was.
        petition: PetitionId,
    },
    /// A transport saw a server break a rule.
    Violated {
        /// Which server.
        server: ServerName,
        /// How.
        violation: Violation,
    },
    /// The user wants something called.
    CallRequested {
        /// A number that was not used before.
        call: CallId,
        /// The server.
        server: ServerName,
        /// What to call.
        operation: Operation,
        /// How long it may take.
        limits: TimeLimits,
    },
    /// The user wants another request sent.
    RequestRequested {
        /// A number that was not used before.
        request: RequestId,
        /// The server.
        server: ServerName,
        /// The method.
        method: &'static str,
        /// The parameters.
        params: Map<String, Value>,
    },
    /// The user wants to hear of changes.
    ListenRequested {
        /// On whose part.
        server: ServerName,
        /// Of what.
        interest: Interest,
        /// Whether the server is brought back when it goes away.
        persistence: Persistence,
    },
    /// It is time to try again to listen.
    ListenAgain {
        /// To whom.
        server: ServerName,
    },
    /// The user does not want to hear of changes any more.
    ListenStopped {
        /// On whose part.
        server: ServerName,
    },
    /// An ask was answered.
    Answered {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// The answer.
        answer: Answer,
        /// Who or what.
        by: By,
    },
    /// A model replied that was put to work, or could not.
    Drafted {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// The reply as it may go back, or why there is none.
        outcome: Result<Box<SamplingReply>, String>,
    },
    /// The user stops a call.
    Stopped {
        /// Which.
        call: CallId,
    },
    /// The person wants a call sent again that waits for their word.
    Retried {
        /// The id of the wait.
        wait: RoundId,
    },
    /// The person does not go on with a call that waits for their word.
    GaveUp {
        /// The id of the wait.
        wait: RoundId,
    },
    /// The user lets a server have their models without being asked.
    Permitted {
        /// Which.
        server: ServerName,
    },
    /// The user declines everything from a server from now on.
    Muted {
        /// Which.
        server: ServerName,
    },
    /// Time passed.
    Ticked,
}

/// What is to be done or told, in this order.
#[derive(Debug, PartialEq)]
pub enum Todo {
    /// Send a message to a server.
    Send {
        /// To whom.
        server: ServerName,
        /// What.
        message: Outgoing,
    },
    /// A call goes on with a server whose process is gone: start it again.
    Reconnect {
        /// Which.
        server: ServerName,
    },
    /// Have a model answer a sampling ask; taking the round away stops it.
    Draft {
        /// Which round.
        round: RoundId,
        /// Which ask of it.
        index: usize,
        /// Who asks.
        server: ServerName,
        /// The ask.
        ask: Box<Ask>,
        /// What the rule says that has it answered so.
        order: ModelOrder,
    },
    /// Tell people of a round.
    Publish(OpenRound),
    /// Let people say how a call goes on.
    Await(Wait),
    /// Say to whoever holds a request up what the person says.
    AnswerPetition {
        /// Which.
        petition: PetitionId,
        /// What they say.
        answer: LeaveAnswer,
    },
    /// A server says that a page is done with, while its call is in flight.
    PageCompleted {
        /// Which call.
        call: CallId,
        /// Who says so.
        server: ServerName,
    },
    /// Tell people that a round, or a wait, is over.
    Retract {
        /// Which.
        round: RoundId,
        /// Why.
        why: Retraction,
    },
    /// An ask was decided.
    Decided(Box<Decided>),
    /// The answer to it goes to the server, which learns something of the user's; it is sent after this.
    Given(Box<Decided>),
    /// A call is over.
    Finished {
        /// Which.
        call: CallId,
        /// How.
        ending: Box<Ending>,
    },
    /// A request has its outcome.
    Responded {
        /// Which.
        request: RequestId,
        /// What came.
        outcome: Result<Value, RequestFailure>,
    },
    /// A page of a list came.
    Listed {
        /// Whose.
        server: ServerName,
        /// The page.
        page: Page,
    },
    /// Something of a server's is not any more as it was.
    Changed {
        /// Whose.
        server: ServerName,
        /// What.
        change: Change,
    },
    /// A server tells of changes from now on.
    Listening {
        /// Which.
        server: ServerName,
        /// What it was asked for and does not tell of.
        left_out: Vec<Change>,
    },
    /// A server tells of no more changes.
    ListeningEnded {
        /// Which.
        server: ServerName,
        /// Why.
        end: ListeningEnd,
    },
    /// A server broke a rule.
    Violated {
        /// Which server.
        server: ServerName,
        /// How.
        violation: Violation,
    },
    /// A call makes progress.
    Progressed {
        /// Which.
        call: CallId,
        /// How far.
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
    /// A server logs something.
    Logged {
        /// Which server.
        server: ServerName,
        /// The level.
        level: String,
        /// The part of the server that logs, if it says so.
        logger: Option<String>,
        /// What.
        text: String,
    },
}

/// A leg of a call that waits for its server to come back.
#[derive(Debug)]
struct Waiting {
    call: CallId,
    operation: Operation,
    continuation: Option<Continuation>,
}

/// The engine with its sessions.
#[derive(Debug)]
pub struct Conductor {
    engine: Engine,
    sessions: BTreeMap<ServerName, Session>,
    requests: BTreeMap<RequestId, ServerName>,
    waiting: BTreeMap<ServerName, Vec<Waiting>>,
    reconnecting: BTreeSet<ServerName>,
    interests: BTreeMap<ServerName, (Interest, Persistence)>,
}

impl Conductor {
    /// A conductor with no servers yet.
    pub fn new(rules: Rules) -> Conductor {
        Conductor {
            engine: Engine::new(rules),
            sessions: BTreeMap::new(),
            requests: BTreeMap::new(),
            waiting: BTreeMap::new(),
            reconnecting: BTreeSet::new(),
            interests: BTreeMap::new(),
        }
    }

    /// The engine, to look at.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The session of a server, while it is connected.
    pub fn session(&self, server: &ServerName) -> Option<&Session> {
        self.sessions.get(server)
    }

    /// Whether an answer would be taken.
    ///
    /// # Errors
    /// Why not.
    pub fn check_answer(&self, round: RoundId, index: usize, answer: &Answer) -> Result<(), Rejection> {
        self.engine.check_answer(round, index, answer)
    }

    /// Takes in what happened at `now`, in milliseconds on a monotonic clock.
    pub fn handle(&mut self, now: u64, arrived: Arrived) -> Vec<Todo> {
        let mut todo = Vec::new();
        match arrived {
            Arrived::Connected { server, session, early } => {
                self.connected(now, &server, *session, early, &mut todo);
            }
            Arrived::Disconnected { server, detail } => self.disconnected(now, server, detail, &mut todo),
            Arrived::Received { server, incoming, channel } => {
                let Some(session) = self.sessions.get_mut(&server) else { return todo };
                let received = session.receive(incoming, channel);
                self.took(now, &server, received, &mut todo);
            }
            Arrived::Undelivered { server, id, undelivered } => {
                let Some(session) = self.sessions.get_mut(&server) else { return todo };
                let received = session.undelivered(id, undelivered);
                self.took(now, &server, received, &mut todo);
            }
            Arrived::HeldUp { server, id, petition, leave } => {
                match self.sessions.get(&server).and_then(|session| session.call_of(id)) {
                    Some(call) => self.feed(now, Input::LeaveWanted { petition, call, leave }, &mut todo),
                    None => todo.push(Todo::AnswerPetition { petition, answer: LeaveAnswer::Nobody }),
                }
            }
            Arrived::LeaveSettled { petition } => self.feed(now, Input::LeaveSettled { petition }, &mut todo),
            Arrived::Violated { server, violation } => todo.push(Todo::Violated { server, violation }),
            Arrived::CallRequested { call, server, operation, limits } => {
                self.feed(now, Input::CallRequested { call, server, operation, limits }, &mut todo);
            }
            Arrived::RequestRequested { request, server, method, params } => match self.sessions.get_mut(&server) {
                Some(session) => {
                    let message = session.request(request, method, params);
                    self.requests.insert(request, server.clone());
                    todo.push(Todo::Send { server, message });
                }
                None => todo.push(Todo::Responded { request, outcome: Err(gone()) }),
            },
            Arrived::ListenRequested { server, interest, persistence } => {
                self.interests.insert(server.clone(), (interest, persistence));
                self.listen(&server, &mut todo);
            }
            Arrived::ListenAgain { server } => self.listen(&server, &mut todo),
            Arrived::ListenStopped { server } => {
                self.interests.remove(&server);
                let messages = self.sessions.get_mut(&server).map(Session::stop_listening).unwrap_or_default();
                todo.extend(messages.into_iter().map(|message| Todo::Send { server: server.clone(), message }));
            }
            Arrived::Answered { round, index, answer, by } => {
                self.feed(now, Input::Answered { round, index, answer, by }, &mut todo);
            }
            Arrived::Drafted { round, index, outcome } => {
                self.feed(now, Input::Drafted { round, index, outcome }, &mut todo);
            }
            Arrived::Stopped { call } => self.feed(now, Input::Stopped { call }, &mut todo),
            Arrived::Retried { wait } => self.feed(now, Input::Retried { wait }, &mut todo),
            Arrived::GaveUp { wait } => self.feed(now, Input::GaveUp { wait }, &mut todo),
            Arrived::Permitted { server } => self.feed(now, Input::Lent { server, lent: true }, &mut todo),
            Arrived::Muted { server } => self.feed(now, Input::Muted { server }, &mut todo),
            Arrived::Ticked => self.feed(now, Input::Ticked, &mut todo),
        }
        todo
    }

    fn connected(
        &mut self,
        now: u64,
        server: &ServerName,
        session: Session,
        early: Vec<Message>,
        todo: &mut Vec<Todo>,
    ) {
        self.sessions.insert(server.clone(), session);
        self.reconnecting.remove(server);
        for message in early {
            let Some(session) = self.sessions.get_mut(server) else { return };
            let received = session.receive(Incoming::Message(message), Channel::Shared);
            self.took(now, server, received, todo);
        }
        self.listen(server, todo);
        for Waiting { call, operation, continuation } in self.waiting.remove(server).unwrap_or_default() {
            if self.engine.operation(call).is_some() {
                self.send(now, call, server.clone(), operation, continuation, todo);
            }
        }
    }

    /// Makes a server tell of what is to be heard of. One that is gone is brought back only if that was wished.
    fn listen(&mut self, server: &ServerName, todo: &mut Vec<Todo>) {
        let Some((interest, persistence)) = self.interests.get(server) else { return };
        match self.sessions.get_mut(server) {
            Some(session) => {
                let messages = session.listen(interest.clone()).into_iter();
                todo.extend(messages.map(|message| Todo::Send { server: server.clone(), message }));
            }
            None if *persistence == Persistence::Restart && self.reconnecting.insert(server.clone()) => {
                todo.push(Todo::Reconnect { server: server.clone() });
            }
            None => {}
        }
    }

    fn disconnected(&mut self, now: u64, server: ServerName, detail: String, todo: &mut Vec<Todo>) {
        self.sessions.remove(&server);
        self.reconnecting.remove(&server);
        // These never went out, so nobody has acted on them.
        for Waiting { call, .. } in self.waiting.remove(&server).unwrap_or_default() {
            let undelivered = Undelivered { detail: detail.clone(), may_have_acted: false };
            self.feed(now, Input::Undelivered { call, undelivered }, todo);
        }
        let lost: Vec<RequestId> =
            self.requests.iter().filter(|(_, owner)| **owner == server).map(|(request, _)| *request).collect();
        for request in lost {
            self.requests.remove(&request);
            let violation = Violation::new("disconnected", detail.clone());
            todo.push(Todo::Responded { request, outcome: Err(RequestFailure::Protocol(violation)) });
        }
        if self.interests.get(&server).is_some_and(|(_, persistence)| *persistence == Persistence::Restart) {
            let end = ListeningEnd::Cut(detail.clone());
            todo.push(Todo::ListeningEnded { server: server.clone(), end });
        }
        self.feed(now, Input::Disconnected { server, detail }, todo);
    }

    /// What came of a message: replies go out before anything else is done about it.
    fn took(&mut self, now: u64, server: &ServerName, received: Received, todo: &mut Vec<Todo>) {
        let replies = received.replies.into_iter();
        todo.extend(replies.map(|message| Todo::Send { server: server.clone(), message }));
        for event in received.events {
            self.event(now, server, event, todo);
        }
    }

    fn event(&mut self, now: u64, server: &ServerName, event: Event, todo: &mut Vec<Todo>) {
        let server = server.clone();
        match event {
            Event::Asked { calls, returns, mut asks } => {
                self.add_context(&server, &calls, &mut asks);
                self.feed(now, Input::Asked { server, calls, returns, asks }, todo);
            }
            Event::Returned { call, result } => self.feed(now, Input::Returned { call, result }, todo),
            Event::Errored { call, error } => self.feed(now, Input::Errored { call, error }, todo),
            Event::Broke { call, violation } => self.feed(now, Input::Broke { call, violation }, todo),
            Event::Abandoned { call, why } => self.feed(now, Input::Abandoned { call, why }, todo),
            Event::Working { call, status, message } => todo.push(Todo::Working { call, status, message }),
            Event::Undelivered { call, undelivered } => {
                self.feed(now, Input::Undelivered { call, undelivered }, todo);
            }
            Event::Progressed { call, progress, total, message } => {
                self.feed(now, Input::Progressed { call }, todo);
                todo.push(Todo::Progressed { call, progress, total, message });
            }
            Event::Withdrawn { address } => self.feed(now, Input::Withdrawn { server, address }, todo),
            Event::Responded { request, outcome } => {
                self.requests.remove(&request);
                todo.push(Todo::Responded { request, outcome });
            }
            Event::Logged { level, logger, text } => todo.push(Todo::Logged { server, level, logger, text }),
            Event::ElicitationCompleted { elicitation_id } => {
                self.feed(now, Input::PageCompleted { server, elicitation_id }, todo);
            }
            Event::Listed(page) => todo.push(Todo::Listed { server, page }),
            Event::Changed(change) => todo.push(Todo::Changed { server, change }),
            Event::Listening { left_out } => todo.push(Todo::Listening { server, left_out }),
            Event::ListeningEnded(end) => todo.push(Todo::ListeningEnded { server, end }),
            Event::Violated(violation) => todo.push(Todo::Violated { server, violation }),
        }
    }

    /// Adds to what a server asks of models the context that it asks for, if the user lets it have that.
    fn add_context(&self, server: &ServerName, calls: &[CallId], asks: &mut [(String, Result<Ask, AskProblem>)]) {
        let Some(session) = self.sessions.get(server).filter(|session| session.gives_context()) else { return };
        let operation = match calls {
            [call] => self.engine.operation(*call),
            _ => None,
        };
        for (_, ask) in asks {
            if let Ok(Ask { body: AskBody::Sampling(request), .. }) = ask {
                request.add_context(session.instructions(), operation);
            }
        }
    }

    fn feed(&mut self, now: u64, input: Input, todo: &mut Vec<Todo>) {
        for effect in self.engine.handle(now, input) {
            match effect {
                Effect::Record(Record::Decided(decided)) => todo.push(Todo::Decided(decided)),
                Effect::Record(Record::Given(decided)) => todo.push(Todo::Given(decided)),
                Effect::Send { call, server, operation, continuation } => {
                    self.send(now, call, server, operation, continuation, todo);
                }
                Effect::Reply { server, address, answer, .. } => {
                    if let Some(message) =
                        self.sessions.get_mut(&server).and_then(|session| session.reply(address, &answer))
                    {
                        todo.push(Todo::Send { server, message });
                    }
                }
                Effect::Cancel { call, server, work, reason } => {
                    let session = self.sessions.get_mut(&server);
                    let messages = session.map(|session| session.cancel(call, work.as_deref(), reason));
                    let messages = messages.into_iter().flatten();
                    todo.extend(messages.map(|message| Todo::Send { server: server.clone(), message }));
                }
                Effect::Draft { round, index, server, ask, order } => {
                    todo.push(Todo::Draft { round, index, server, ask, order });
                }
                Effect::Publish(round) => todo.push(Todo::Publish(round)),
                Effect::Await(wait) => todo.push(Todo::Await(wait)),
                Effect::AnswerPetition { petition, answer } => todo.push(Todo::AnswerPetition { petition, answer }),
                Effect::PageCompleted { call, server } => todo.push(Todo::PageCompleted { call, server }),
                Effect::Retract { round, why } => todo.push(Todo::Retract { round, why }),
                Effect::Finish { call, ending } => todo.push(Todo::Finished { call, ending }),
                Effect::Warn { server, violation } => todo.push(Todo::Violated { server, violation }),
            }
        }
    }

    fn send(
        &mut self,
        now: u64,
        call: CallId,
        server: ServerName,
        operation: Operation,
        continuation: Option<Continuation>,
        todo: &mut Vec<Todo>,
    ) {
        if let Some(session) = self.sessions.get_mut(&server) {
            match session.call(call, &operation, continuation.as_ref()) {
                Ok(message) => todo.push(Todo::Send { server, message }),
                Err(violation) => self.feed(now, Input::Broke { call, violation }, todo),
            }
            return;
        }
        self.waiting.entry(server.clone()).or_default().push(Waiting { call, operation, continuation });
        if self.reconnecting.insert(server.clone()) {
            todo.push(Todo::Reconnect { server });
        }
    }
}

fn gone() -> RequestFailure {
    RequestFailure::Protocol(Violation::new("disconnected", "the server is not connected"))
}
