//! Answers to what was sent: results, errors, and rounds in the place of results.

use askback_core::ask::{Ask, AskProblem};
use askback_core::call::CallId;
use askback_core::display::{neutralise_line, shorten};
use askback_core::engine::Returns;
use askback_core::violation::Violation;
use serde_json::{Map, Value};

use super::{Asks, Page, Pending, Session, number_of, server_error};
use crate::event::{Event, Received, RequestFailure};
use crate::from_message;
use crate::incoming::Channel;
use crate::jsonrpc::{ErrorObject, Id};
use crate::revision::{Era, Revision};

/// The error of a call that needs pages visited first (2025-11-25 only).
const URL_ELICITATION_REQUIRED: i64 = -32042;

impl Session {
    pub(super) fn response(
        &mut self,
        id: Option<Id>,
        outcome: Result<Value, ErrorObject>,
        channel: Channel,
        received: &mut Received,
    ) {
        let only_in_flight = self.only_in_flight();
        let mut warn = |text: String| {
            received.events.push(Event::Violated(Violation::new("response-id", text)));
        };
        let number = match &id {
            Some(id @ Id::Number(_)) => number_of(id),
            Some(id @ Id::Text(text)) => {
                let number = number_of(id).filter(|number| *number < self.next_id);
                if number.is_some_and(|number| self.pending.contains_key(&number)) {
                    warn(format!("answered request {text} with the id as a string"));
                }
                number
            }
            // In reply to one request it can only be meant for that one.
            None if let Channel::ReplyTo(request) = channel => Some(request).filter(|_| outcome.is_err()),
            // Servers that answer everything answer what has no id with an error that has none.
            None if self.unanswerable_sent > 0 && matches!(&outcome, Err(error) if error.code == -32601) => {
                self.unanswerable_sent -= 1;
                warn("answered a message that has no answer with an error".to_owned());
                return;
            }
            None => {
                let only = only_in_flight.filter(|_| outcome.is_err());
                if only.is_some() {
                    warn("answered with an error without an id; only one request is in flight".to_owned());
                }
                only
            }
        };
        match number.and_then(|number| self.settle(number)) {
            Some(Pending::Call { call, is_tool }) => {
                let again = match (&outcome, number) {
                    (Err(error), Some(id)) => self.mismatched(id, error),
                    (Ok(_), Some(id)) => {
                        self.forget_sent(id);
                        None
                    }
                    (_, None) => None,
                };
                match again {
                    Some(listing) => received.replies.push(listing),
                    None => self.call_response(call, is_tool, outcome, received),
                }
            }
            Some(Pending::Listing(postponed)) => self.listed(*postponed, outcome, received),
            Some(Pending::Task { call, work, is_question }) => {
                self.task_response(call, work, is_question, outcome, received);
            }
            Some(Pending::LastWord) => {}
            Some(Pending::Listening) => self.listening_response(outcome, received),
            Some(Pending::Subscribing(uri)) => self.subscribed(&uri, outcome, received),
            Some(Pending::Request { request, page }) => {
                let outcome = match outcome {
                    Ok(mut result) => {
                        if let Some(page) = page {
                            let lists_tools = page.method == "tools/list";
                            received.events.extend(Page::read(page, &result).map(Event::Listed));
                            if lists_tools {
                                self.learn(&mut result, received);
                            }
                        }
                        self.plain_result(result, received).map_err(RequestFailure::Protocol)
                    }
                    Err(error) => Err(RequestFailure::Server(server_error(error))),
                };
                received.events.push(Event::Responded { request, outcome });
            }
            // A late answer to a request that was cancelled is nobody's fault; one that was never sent is noise.
            None => {
                let ours = number.is_some_and(|number| number < self.next_id);
                if !ours {
                    let shown = id.map_or(Value::Null, |id| id.to_value());
                    let text = format!("answered a request that was never sent (id {shown})");
                    self.noise("response-id", text, received);
                }
            }
        }
    }

    fn call_response(
        &mut self,
        call: CallId,
        is_tool: bool,
        outcome: Result<Value, ErrorObject>,
        received: &mut Received,
    ) {
        let result = match outcome {
            Ok(result) => result,
            Err(error) if error.code == URL_ELICITATION_REQUIRED && self.revision == Revision::V2025_11_25 => {
                received.events.push(match self.pages_of(&error) {
                    Ok(asks) => Event::Asked { calls: vec![call], returns: Returns::Repeat, asks },
                    Err(violation) => Event::Broke { call, violation },
                });
                return;
            }
            Err(error) => {
                received.events.push(Event::Errored { call, error: server_error(error) });
                return;
            }
        };
        let kind = result.get("resultType");
        if kind.and_then(Value::as_str) == Some("input_required") && self.revision.era() == Era::Modern {
            match self.round_of(&result) {
                Ok((state, asks)) => {
                    let returns = Returns::Resend { state };
                    received.events.push(Event::Asked { calls: vec![call], returns, asks });
                }
                Err(violation) => received.events.push(Event::Broke { call, violation }),
            }
            return;
        }
        if is_tool && kind.and_then(Value::as_str) == Some("task") && self.revision.era() == Era::Modern {
            return self.became_task(call, &result, received);
        }
        match self.plain_result(result, received) {
            Ok(result) => received.events.push(Event::Returned { call, result }),
            Err(violation) => received.events.push(Event::Broke { call, violation }),
        }
    }

    /// A result that is final, if it is one.
    pub(super) fn plain_result(&self, result: Value, received: &mut Received) -> Result<Value, Violation> {
        if !result.is_object() {
            return Err(Violation::new("result", format!("the result is {}, not an object", kind_name(&result))));
        }
        let modern = self.revision.era() == Era::Modern;
        match result.get("resultType") {
            None => {
                if modern {
                    let text = "a result has no resultType; it is taken as \"complete\"";
                    received.events.push(Event::Violated(Violation::new("result-type", text)));
                }
                Ok(result)
            }
            Some(Value::String(kind)) if kind == "complete" => Ok(result),
            Some(Value::String(kind)) if kind == "input_required" => {
                Err(Violation::new("result-type", "the resultType \"input_required\" is not allowed here".to_owned()))
            }
            // Before 2026-07-28 the field has no meaning, so another value in it is the server's own business.
            Some(_) if !modern => Ok(result),
            Some(kind) => Err(Violation::new("result-type", format!("the resultType {kind} is unknown"))),
        }
    }

    /// The pages that have to be visited before the call can go on: the `data.elicitations` of a `URLElicitationRequiredError`.
    fn pages_of(&self, error: &ErrorObject) -> Result<Asks, Violation> {
        let said = shorten(&neutralise_line(&error.message), 200);
        let broken = |what: &str| {
            let text = format!("the error {URL_ELICITATION_REQUIRED} ({said}) {what}");
            Violation::new("url-elicitation-required", text)
        };
        let pages = match error.data.as_ref().and_then(|data| data.get("elicitations")) {
            Some(Value::Array(pages)) if !pages.is_empty() => pages,
            Some(Value::Array(_)) => return Err(broken("names no page to visit: data.elicitations is empty")),
            Some(_) => return Err(broken("names no page to visit: data.elicitations is not a list")),
            None => return Err(broken("names no page to visit: data.elicitations is missing")),
        };
        let page = |(at, params): (usize, &Value)| {
            let key = format!("elicitations[{at}]");
            match params.get("mode") {
                Some(Value::String(mode)) if mode == "url" => {
                    let ask = from_message::ask(&key, "elicitation/create", params, self.declared);
                    Ok((key, ask))
                }
                None => Err(broken(&format!("has {key} without a mode; it has to be \"url\""))),
                Some(mode) => Err(broken(&format!("has {key} with the mode {mode}; it has to be \"url\""))),
            }
        };
        pages.iter().enumerate().map(page).collect()
    }

    /// The state and the asks of an `InputRequiredResult`.
    fn round_of(&self, result: &Value) -> Result<(Option<String>, Asks), Violation> {
        let state = match result.get("requestState") {
            None | Some(Value::Null) => None,
            Some(Value::String(state)) => Some(state.clone()),
            Some(other) => {
                let text = format!("requestState is {}, not a string", kind_name(other));
                return Err(Violation::new("input-required", text));
            }
        };
        let requests = match result.get("inputRequests") {
            None | Some(Value::Null) => None,
            Some(Value::Object(requests)) => Some(requests),
            Some(other) => {
                let text = format!("inputRequests is {}, not an object", kind_name(other));
                return Err(Violation::new("input-required", text));
            }
        };
        let nothing_asked = requests.is_none_or(Map::is_empty);
        if nothing_asked && state.is_none() {
            let text = "an input_required result with neither inputRequests nor requestState";
            return Err(Violation::new("input-required", text));
        }
        Ok((state, requests.map(|requests| self.entries(requests)).unwrap_or_default()))
    }

    /// The asks of an `InputRequests`.
    pub(super) fn entries(&self, requests: &Map<String, Value>) -> Asks {
        requests.iter().map(|(key, request)| (key.clone(), self.entry(key, request))).collect()
    }

    fn entry(&self, key: &str, request: &Value) -> Result<Ask, AskProblem> {
        let invalid = |path: &str, what: &str| AskProblem::Invalid { path: path.to_owned(), what: what.to_owned() };
        let Some(method) = request.get("method").and_then(Value::as_str) else {
            return Err(invalid("method", "is missing or not a string"));
        };
        let empty = Value::Object(Map::new());
        let params = match request.get("params") {
            None | Some(Value::Null) => &empty,
            Some(params) => params,
        };
        from_message::ask(key, method, params, self.declared)
    }
}

pub(super) fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
