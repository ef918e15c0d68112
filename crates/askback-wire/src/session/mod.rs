//! One connection after its handshake: messages in, events out; the engine's wishes in, messages out.
//!
//! Owns the ids of requests in flight, the return addresses of asks, and everything that differs between the eras. Must not do I/O.

mod listed;
mod listening;
mod response;
mod tasks;
mod tool_headers;

use std::collections::BTreeMap;

use askback_core::answer::Answer;
use askback_core::ask::{Ask, AskProblem};
use askback_core::call::{CallId, Operation};
use askback_core::engine::{Continuation, ReplyAddress, Returns, ServerError, Undelivered};
use askback_core::violation::Violation;
use serde_json::{Map, Value, json};

use crate::declared::Declared;
pub use crate::event::{Event, Received, RequestFailure};
use crate::from_message;
use crate::incoming::{Channel, Incoming, Noise};
use crate::jsonrpc::{self, ErrorObject, Id, Message};
use crate::outgoing::{Outgoing, Role};
use crate::revision::{Era, Revision};
use crate::to_message;
pub use listed::{Page, PageKey};
use listening::Listening;
pub use listening::{Change, Interest, List, ListeningEnd};
use tool_headers::{Postponed, ToolHeaders};

/// A request of the client that no server may interrupt: listing, completion, and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// How many pieces of noise are reported one by one; the others are only counted.
const NOISE_REPORTED: u32 = 5;

/// The asks of a round with their keys, read or not.
type Asks = Vec<(String, Result<Ask, AskProblem>)>;

/// What a request in flight is for.
#[derive(Clone, Debug, PartialEq)]
enum Pending {
    /// A call of the user's, and whether it is for a tool, so that it may become a task.
    Call { call: CallId, is_tool: bool },
    /// Another request of the user's, and the page of a list that it asks for, if it does.
    Request { request: RequestId, page: Option<PageKey> },
    /// A list of tools that a call has to wait for.
    Listing(Box<Postponed>),
    /// How the task stands that a call has become, or the answers to it.
    Task { call: CallId, work: String, is_question: bool },
    /// What is to be told of changes. The answer comes when no more will be told.
    Listening,
    /// That the resource with this URI is to be watched (legacy).
    Subscribing(String),
    /// The end of a task, or of a subscription. Whatever comes of it changes nothing any more.
    LastWord,
}

impl Pending {
    /// The call that this is for, if it is for one.
    fn call(&self) -> Option<CallId> {
        match self {
            Pending::Call { call, .. } => Some(*call),
            Pending::Listing(postponed) => Some(postponed.call),
            Pending::Task { call, .. } => Some(*call),
            Pending::Request { .. } | Pending::Listening | Pending::Subscribing(_) | Pending::LastWord => None,
        }
    }
}

/// A connection whose era is settled.
#[derive(Debug)]
pub struct Session {
    revision: Revision,
    declared: Declared,
    /// Whether the server may have context of its own added to what it asks of models; in old revisions it need not be told.
    gives_context: bool,
    instructions: Option<String>,
    client: Value,
    log_level: Option<String>,
    next_id: u64,
    pending: BTreeMap<u64, Pending>,
    next_address: u64,
    asks: BTreeMap<ReplyAddress, OpenAsk>,
    /// Messages sent that have no answer; a server may answer them with an error all the same.
    unanswerable_sent: u32,
    noise: u32,
    /// Only where header fields repeat the body of requests.
    tool_headers: Option<ToolHeaders>,
    listening: Listening,
}

/// A server request that waits for its answer.
#[derive(Debug)]
struct OpenAsk {
    id: Id,
    /// The requests in flight when it came, to one of which it belongs; none when it came outside of any.
    during: Vec<u64>,
}

impl Session {
    /// A session that speaks `revision`; ids below `next_id` were used during the handshake. `client` is our `Implementation` object.
    pub fn new(revision: Revision, declared: Declared, client: Value, next_id: u64) -> Session {
        Session {
            revision,
            declared: declared.within(revision),
            gives_context: declared.sampling && declared.sampling_context,
            instructions: None,
            client,
            log_level: None,
            next_id,
            pending: BTreeMap::new(),
            next_address: 1,
            asks: BTreeMap::new(),
            // `notifications/initialized`
            unanswerable_sent: u32::from(revision.era() == Era::Legacy),
            noise: 0,
            tool_headers: None,
            listening: Listening::default(),
        }
    }

    /// The same session, with what the server says of itself.
    #[must_use]
    pub fn with_instructions(mut self, instructions: Option<String>) -> Session {
        self.instructions = instructions;
        self
    }

    /// Whether the user lets the server have context of its own added to what it asks of models.
    pub fn gives_context(&self) -> bool {
        self.gives_context
    }

    /// What the server says of itself.
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// The same session over HTTP, where header fields repeat what stands in the body of modern requests.
    #[must_use]
    pub fn over_http(mut self) -> Session {
        self.tool_headers = (self.revision.era() == Era::Modern).then(ToolHeaders::default);
        self
    }

    /// The revision that is spoken.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Asks for log messages from this level on, with every request (modern only; nothing is sent before the next request).
    pub fn set_log_level(&mut self, level: &str) {
        self.log_level = Some(level.to_owned());
    }

    /// The message that sends a call, for the first time or again with answers; over HTTP, what has to be known before it.
    ///
    /// # Errors
    /// The rule of the HTTP transport that the tool's definition breaks, so that it cannot be called.
    pub fn call(
        &mut self,
        call: CallId,
        operation: &Operation,
        continuation: Option<&Continuation>,
    ) -> Result<Outgoing, Violation> {
        if let Some(Continuation { answers, work: Some(work), .. }) = continuation {
            return Ok(self.task(call, work, answers));
        }
        self.call_with_headers(call, operation, continuation)
    }

    /// The call that a request in flight is for, if it is for one.
    pub fn call_of(&self, id: u64) -> Option<CallId> {
        self.pending.get(&id).and_then(Pending::call)
    }

    fn send_call(&mut self, call: CallId, operation: &Operation, continuation: Option<&Continuation>) -> Outgoing {
        let (method, params) = to_message::call(operation, continuation);
        self.send(Pending::Call { call, is_tool: operation.tool().is_some() }, method, params, true)
    }

    /// The message that sends another request.
    pub fn request(&mut self, request: RequestId, method: &str, params: Map<String, Value>) -> Outgoing {
        let page = PageKey::of(method, &params);
        self.send(Pending::Request { request, page }, method, params, false)
    }

    fn send(&mut self, pending: Pending, method: &str, mut params: Map<String, Value>, progress: bool) -> Outgoing {
        let id = self.next_id;
        self.next_id += 1;
        let headers = self.header_fields(method, &params);
        let mut meta = Map::new();
        if progress {
            meta.insert("progressToken".into(), json!(id));
        }
        if self.revision.era() == Era::Modern {
            meta.extend(modern_meta(self.revision, &self.client, self.declared));
            tasks::declare(method, &mut meta);
            if let Some(level) = &self.log_level {
                meta.insert("io.modelcontextprotocol/logLevel".into(), json!(level));
            }
        }
        if !meta.is_empty() {
            params.insert("_meta".into(), Value::Object(meta));
        }
        self.pending.insert(id, pending);
        Outgoing::request(id, jsonrpc::request_line(id, method, Value::Object(params))).with_headers(headers)
    }

    /// The messages that cancel a call: the task that it has become, and its request in flight; none when there is neither.
    pub fn cancel(&mut self, call: CallId, work: Option<&str>, reason: &str) -> Vec<Outgoing> {
        let request = self.cancel_request(call, reason);
        let task = work.map(|work| self.cancel_task(work));
        task.into_iter().chain(request).collect()
    }

    fn cancel_request(&mut self, call: CallId, reason: &str) -> Option<Outgoing> {
        let id = self.pending.iter().find(|(_, pending)| pending.call() == Some(call)).map(|(id, _)| *id)?;
        self.settle(id);
        self.forget_sent(id);
        self.unanswerable_sent += 1;
        let line = jsonrpc::notification_line("notifications/cancelled", json!({ "requestId": id, "reason": reason }));
        Some(Outgoing { line, role: Role::Cancellation { id } })
    }

    /// The message that answers an ask; nothing when the server no longer wants it.
    pub fn reply(&mut self, address: ReplyAddress, answer: &Answer) -> Option<Outgoing> {
        let OpenAsk { id, during } = self.asks.remove(&address)?;
        self.unanswerable_sent += 1;
        let line = match to_message::result(answer) {
            Ok(result) => jsonrpc::result_line(&id, result),
            Err((code, message)) => jsonrpc::error_line(&id, code, &message),
        };
        Some(Outgoing { line, role: Role::Response { during } })
    }

    /// A request is in flight no longer; the asks that can only have belonged to it are forgotten, as the engine forgets them.
    fn settle(&mut self, id: u64) -> Option<Pending> {
        let pending = self.pending.remove(&id)?;
        let in_flight = &self.pending;
        self.asks.retain(|_, ask| {
            let belonged = !ask.during.is_empty();
            ask.during.retain(|other| in_flight.contains_key(other));
            !belonged || !ask.during.is_empty()
        });
        Some(pending)
    }

    /// Takes in what came, on a channel that all messages share or in reply to one request.
    pub fn receive(&mut self, incoming: Incoming, channel: Channel) -> Received {
        let mut received = Received::default();
        match incoming {
            Incoming::Message(message) => self.message(message, channel, &mut received),
            Incoming::Batch(messages) if self.revision == Revision::V2025_03_26 => {
                for message in messages {
                    match message {
                        Ok(message) => self.message(message, channel, &mut received),
                        Err(error) => self.noise("not-a-message", format!("in a batch: {error}"), &mut received),
                    }
                }
            }
            Incoming::Batch(messages) => {
                let text = format!("a batch of {} messages; batches exist in 2025-03-26 only", messages.len());
                received.events.push(Event::Violated(Violation::new("batch", text.clone())));
                for message in messages.into_iter().flatten() {
                    if let Message::Response { id: Some(id), .. } = message
                        && let Some(number) = number_of(&id)
                    {
                        self.lost(number, Violation::new("batch", text.clone()), &mut received);
                    }
                }
            }
            Incoming::Noise(Noise { rule, message, lost_response_to, may_be_response }) => {
                // Where it cannot be told whose answer it was, there may be only one that it can be.
                let only = self.only_in_flight().filter(|_| rule == "message-too-large" && may_be_response);
                if let Some(id) = lost_response_to.or(only).filter(|id| self.pending.contains_key(id)) {
                    self.lost(id, Violation::new(rule, message), &mut received);
                } else {
                    self.noise(rule, message, &mut received);
                }
            }
        }
        received
    }

    /// A request got no answer, and will get none.
    pub fn undelivered(&mut self, id: u64, undelivered: Undelivered) -> Received {
        let mut received = Received::default();
        match self.settle(id) {
            Some(Pending::Call { call, .. } | Pending::Task { call, .. }) => {
                received.events.push(Event::Undelivered { call, undelivered });
            }
            Some(Pending::Listing(postponed)) => {
                let undelivered = Undelivered { may_have_acted: false, ..undelivered };
                received.events.push(Event::Undelivered { call: postponed.call, undelivered });
            }
            Some(Pending::Request { request, .. }) => {
                let violation = Violation::new("undelivered", undelivered.detail);
                received.events.push(Event::Responded { request, outcome: Err(RequestFailure::Protocol(violation)) });
            }
            Some(Pending::Listening) => self.listening_ended(ListeningEnd::Cut(undelivered.detail), &mut received),
            Some(Pending::Subscribing(uri)) => {
                self.not_subscribed(&uri, ListeningEnd::Cut(undelivered.detail), &mut received);
            }
            Some(Pending::LastWord) | None => {}
        }
        self.forget_sent(id);
        received
    }

    /// The request whose answer a message must be that does not say whose it is; none when there are several.
    fn only_in_flight(&self) -> Option<u64> {
        let mut in_flight = self.pending.keys().copied().filter(|id| !self.is_listening(*id));
        in_flight.next().filter(|_| in_flight.next().is_none())
    }

    fn noise(&mut self, rule: &'static str, message: String, received: &mut Received) {
        self.noise += 1;
        if self.noise <= NOISE_REPORTED {
            received.events.push(Event::Violated(Violation::new(rule, message)));
        } else if self.noise == NOISE_REPORTED + 1 {
            let text = "and more of the same; it is not reported any further";
            received.events.push(Event::Violated(Violation::new(rule, text)));
        }
    }

    /// The answer to a request in flight cannot be read: the request fails instead of waiting for ever.
    fn lost(&mut self, id: u64, violation: Violation, received: &mut Received) {
        match self.settle(id) {
            Some(Pending::Call { call, .. } | Pending::Task { call, .. }) => {
                received.events.push(Event::Broke { call, violation });
            }
            Some(Pending::Listing(postponed)) => {
                received.events.push(Event::Broke { call: postponed.call, violation });
            }
            Some(Pending::Request { request, .. }) => {
                received.events.push(Event::Responded { request, outcome: Err(RequestFailure::Protocol(violation)) })
            }
            Some(Pending::Listening) => self.listening_ended(ListeningEnd::Cut(violation.message), received),
            Some(Pending::Subscribing(uri)) => {
                self.not_subscribed(&uri, ListeningEnd::Cut(violation.message), received);
            }
            Some(Pending::LastWord) | None => {}
        }
        self.forget_sent(id);
    }

    fn message(&mut self, message: Message, channel: Channel, received: &mut Received) {
        match message {
            Message::Request { id, method, params } => self.server_request(id, &method, params, channel, received),
            Message::Notification { method, params } => self.notification(&method, &params, received),
            Message::Response { id, outcome } => self.response(id, outcome, channel, received),
        }
    }

    fn server_request(&mut self, id: Id, method: &str, params: Value, channel: Channel, received: &mut Received) {
        if self.revision.era() == Era::Modern {
            let text = format!("sent the request {method:?}; in this revision a server asks in its results only");
            received.events.push(Event::Violated(Violation::new("server-request", text)));
            return;
        }
        if method == "ping" {
            received.replies.push(Outgoing::response(jsonrpc::result_line(&id, json!({}))));
            return;
        }
        if self.asks.values().any(|open| open.id == id) {
            // Two answers with one id could not be told apart, and a doubled message must not ask twice.
            let text = format!("sent {method:?} with the id {}, which is still waiting for its answer", id.to_value());
            received.events.push(Event::Violated(Violation::new("request-id", text)));
            return;
        }
        let ask = from_message::ask(method, method, &params, self.declared);
        let address = ReplyAddress(self.next_address);
        self.next_address += 1;
        // What comes in reply to one request belongs to that one; on a shared channel it may belong to any in flight.
        let belongs = |id: u64| matches!(channel, Channel::Shared) || channel == Channel::ReplyTo(id);
        let of_calls = self.pending.iter().filter_map(|(id, pending)| match pending {
            Pending::Call { call, .. } => belongs(*id).then_some((*id, *call)),
            Pending::Request { .. }
            | Pending::Listing(_)
            | Pending::Task { .. }
            | Pending::Listening
            | Pending::Subscribing(_)
            | Pending::LastWord => None,
        });
        let (during, calls) = of_calls.unzip();
        self.asks.insert(address, OpenAsk { id, during });
        received.events.push(Event::Asked {
            calls,
            returns: Returns::Reply { address },
            asks: vec![(method.to_owned(), ask)],
        });
    }

    fn notification(&mut self, method: &str, params: &Value, received: &mut Received) {
        if self.change_notice(method, params, received) {
            return;
        }
        match method {
            "notifications/cancelled" => {
                let withdrawn = self
                    .asks
                    .iter()
                    .find(|(_, ask)| params.get("requestId") == Some(&ask.id.to_value()))
                    .map(|(address, _)| *address);
                if let Some(address) = withdrawn {
                    self.asks.remove(&address);
                    received.events.push(Event::Withdrawn { address });
                }
            }
            "notifications/progress" => {
                let token = params.get("progressToken").and_then(Id::parse).and_then(|token| number_of(&token));
                if let Some(Pending::Call { call, .. }) = token.and_then(|token| self.pending.get(&token)) {
                    received.events.push(Event::Progressed {
                        call: *call,
                        progress: params.get("progress").and_then(Value::as_f64).unwrap_or_default(),
                        total: params.get("total").and_then(Value::as_f64),
                        message: params.get("message").and_then(Value::as_str).map(str::to_owned),
                    });
                }
            }
            "notifications/message" => {
                let data = params.get("data").unwrap_or(&Value::Null);
                received.events.push(Event::Logged {
                    level: params.get("level").and_then(Value::as_str).unwrap_or("info").to_owned(),
                    logger: params.get("logger").and_then(Value::as_str).map(str::to_owned),
                    text: data.as_str().map_or_else(|| data.to_string(), str::to_owned),
                });
            }
            "notifications/elicitation/complete" => {
                if let Some(id) = params.get("elicitationId").and_then(Value::as_str) {
                    received.events.push(Event::ElicitationCompleted { elicitation_id: id.to_owned() });
                }
            }
            _ => {}
        }
    }
}

/// The `_meta` that every modern request carries.
pub(crate) fn modern_meta(revision: Revision, client: &Value, declared: Declared) -> Map<String, Value> {
    let mut meta = Map::new();
    meta.insert("io.modelcontextprotocol/protocolVersion".into(), json!(revision.as_str()));
    meta.insert("io.modelcontextprotocol/clientInfo".into(), client.clone());
    meta.insert("io.modelcontextprotocol/clientCapabilities".into(), declared.to_value(revision));
    meta
}

fn number_of(id: &Id) -> Option<u64> {
    match id {
        Id::Number(number) => number.as_u64().or_else(|| {
            number
                .as_f64()
                .filter(|float| float.fract() == 0.0 && (0.0..1e15).contains(float))
                .map(|float| float as u64)
        }),
        Id::Text(text) => text.parse().ok().filter(|number: &u64| number.to_string() == *text),
    }
}

pub(crate) fn server_error(error: ErrorObject) -> ServerError {
    ServerError { code: error.code, message: error.message, data: error.data }
}
