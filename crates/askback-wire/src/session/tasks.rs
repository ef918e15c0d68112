//! Calls that become tasks: from the server's word that one has begun to its result.
//!
//! Serves the extension `io.modelcontextprotocol/tasks` for revisions from 2026-07-28 on. Which call is which task is not kept here: that
//! travels with every leg, so that a task outlives its connection. When to ask is not decided here either.

use askback_core::answer::Answer;
use askback_core::call::CallId;
use askback_core::engine::{Abandonment, Returns};
use askback_core::violation::Violation;
use serde_json::{Map, Value, json};

use super::response::kind_name;
use super::{Asks, Pending, Session, server_error};
use crate::event::{Event, Received};
use crate::jsonrpc::ErrorObject;
use crate::outgoing::Outgoing;
use crate::to_message;

/// The extension's name among the capabilities.
const EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// The error of a request that names a task which does not exist, or not any more.
const INVALID_PARAMS: i64 = -32602;

/// Declares the extension where it is honoured: for calls of tools, which may become tasks, and for what is said to tasks.
pub(super) fn declare(method: &str, meta: &mut Map<String, Value>) {
    if !matches!(method, "tools/call" | "tasks/get" | "tasks/update" | "tasks/cancel") {
        return;
    }
    if let Some(Value::Object(capabilities)) = meta.get_mut("io.modelcontextprotocol/clientCapabilities") {
        capabilities.insert("extensions".into(), json!({ EXTENSION: {} }));
    }
}

/// What every report on a task says.
struct Report {
    status: String,
    message: Option<String>,
    /// In milliseconds.
    pause: Option<u64>,
}

impl Report {
    fn read(result: &Value) -> Result<Report, Violation> {
        let status = match result.get("status") {
            Some(Value::String(status)) => status.clone(),
            Some(other) => return Err(broken(format!("the status of a task is {}", kind_name(other)))),
            None => return Err(broken("a task has no status")),
        };
        let message = result.get("statusMessage").and_then(Value::as_str).map(str::to_owned);
        // Anything but a whole number of milliseconds suggests nothing.
        let pause = result.get("pollIntervalMs").and_then(Value::as_f64).filter(|pause| *pause >= 0.0);
        Ok(Report { status, message, pause: pause.map(|pause| pause as u64) })
    }
}

impl Session {
    /// The message to a task: the answers, or where there are none the question how it stands.
    pub(super) fn task(&mut self, call: CallId, work: &str, answers: &[(String, Answer)]) -> Outgoing {
        let (method, params) = to_message::task(work, answers);
        let pending = Pending::Task { call, work: work.to_owned(), is_question: answers.is_empty() };
        self.send(pending, method, params, false)
    }

    /// The message that ends a task, or asks for its end: the server need not honour it.
    pub(super) fn cancel_task(&mut self, work: &str) -> Outgoing {
        let params = Map::from_iter([("taskId".to_owned(), json!(work))]);
        self.send(Pending::LastWord, "tasks/cancel", params, false).parting()
    }

    /// A `CreateTaskResult` in the place of a result.
    pub(super) fn became_task(&mut self, call: CallId, result: &Value, received: &mut Received) {
        let work = match result.get("taskId") {
            Some(Value::String(work)) if !work.is_empty() => work.clone(),
            _ => {
                let violation = broken("a task has no taskId that could be asked after");
                return received.events.push(Event::Broke { call, violation });
            }
        };
        match Report::read(result) {
            // Whatever the status is by now: only an answer to `tasks/get` carries what belongs to it.
            Ok(report) => goes_on(call, work, report, Asks::new(), received),
            Err(violation) => received.events.push(Event::Broke { call, violation }),
        }
    }

    /// The answer to what was said to a task.
    pub(super) fn task_response(
        &mut self,
        call: CallId,
        work: String,
        is_question: bool,
        outcome: Result<Value, ErrorObject>,
        received: &mut Received,
    ) {
        let result = match outcome {
            Ok(result) => result,
            Err(error) if error.code == INVALID_PARAMS => {
                let why = Abandonment::Forgotten { error: server_error(error) };
                return received.events.push(Event::Abandoned { call, why });
            }
            Err(error) => return received.events.push(Event::Errored { call, error: server_error(error) }),
        };
        if !is_question {
            // An acknowledgement, which says nothing of how the task stands.
            let returns = Returns::Follow { work, pause: None };
            return received.events.push(Event::Asked { calls: vec![call], returns, asks: Asks::new() });
        }
        if let Err(violation) = self.report(call, work, result, received) {
            received.events.push(Event::Broke { call, violation });
        }
    }

    /// The answer to `tasks/get`.
    fn report(
        &mut self,
        call: CallId,
        work: String,
        mut result: Value,
        received: &mut Received,
    ) -> Result<(), Violation> {
        if result.get("resultType").and_then(Value::as_str) == Some("task") {
            // Taken for what it is meant to be, as the examples of the extension show it as well.
            let text = "answered tasks/get with the resultType \"task\"; it has to be \"complete\"";
            received.events.push(Event::Violated(Violation::new("result-type", text)));
            result["resultType"] = json!("complete");
        }
        let mut result = self.plain_result(result, received)?;
        if let Some(other) = result.get("taskId").filter(|id| **id != json!(work)) {
            return Err(broken(format!("asked for one task and was told of another ({other})")));
        }
        let report = Report::read(&result)?;
        match report.status.as_str() {
            "working" => goes_on(call, work, report, Asks::new(), received),
            "input_required" => {
                let asks = match result.get("inputRequests") {
                    Some(Value::Object(requests)) => self.entries(requests),
                    _ => return Err(broken("a task requires input and has no inputRequests")),
                };
                goes_on(call, work, report, asks, received);
            }
            "completed" => match result.get_mut("result").map(Value::take) {
                Some(Value::Object(result)) if result.contains_key("resultType") => {
                    let result = self.plain_result(Value::Object(result), received)?;
                    received.events.push(Event::Returned { call, result });
                }
                Some(result @ Value::Object(_)) => received.events.push(Event::Returned { call, result }),
                _ => return Err(broken("a task is completed and has no result")),
            },
            "failed" => match result.get_mut("error").map(Value::take) {
                Some(error @ Value::Object(_)) => {
                    let error = server_error(ErrorObject::read(error));
                    received.events.push(Event::Errored { call, error });
                }
                _ => return Err(broken("a task has failed and has no error")),
            },
            "cancelled" => {
                let why = Abandonment::Cancelled { words: report.message };
                received.events.push(Event::Abandoned { call, why });
            }
            other => return Err(broken(format!("the status {other:?} of a task is unknown"))),
        }
        Ok(())
    }
}

fn goes_on(call: CallId, work: String, report: Report, asks: Asks, received: &mut Received) {
    let Report { status, message, pause } = report;
    received.events.push(Event::Working { call, status, message });
    received.events.push(Event::Asked { calls: vec![call], returns: Returns::Follow { work, pause }, asks });
}

fn broken(text: impl Into<String>) -> Violation {
    Violation::new("task", text)
}
