//! Calls that become tasks: the script goes on as the task is asked after.
//!
//! Each question takes one of the task's words; when they are used up the script goes on with the question in the place of the call.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::{Call, Go, Noted, Output, Play, ScriptedServer, Track, Waiting};
use crate::script::{Round, Task};

/// A task that is not over.
#[derive(Debug)]
pub(super) struct Running {
    task: Task,
    words: VecDeque<String>,
    /// Where the script goes on.
    at: usize,
    received: Map<String, Value>,
    /// Asks that are listed, and to how many more questions where they were answered.
    asks: Option<(Map<String, Value>, Option<u32>)>,
}

impl ScriptedServer {
    pub(super) fn begin_task(&mut self, play: &mut Play, task: &Task, out: &mut Vec<Output>) -> Go {
        let Some(call) = &play.call else { return Go::On };
        let id = task.id.clone().unwrap_or_else(|| "task-1".to_owned());
        let running = Running {
            task: task.clone(),
            words: task.working.iter().cloned().collect(),
            at: play.at,
            received: std::mem::take(&mut play.received),
            asks: None,
        };
        let mut result = report(&id, &running.task, "working", Some("begun"));
        result["resultType"] = json!("task");
        let said = self.result(&call.id, result);
        out.push(said);
        self.ended_tasks.remove(&id);
        self.tasks.insert(id, running);
        Go::Suspended
    }

    /// A request about a task.
    pub(super) fn about_task(&mut self, method: &str, id: Value, params: &Map<String, Value>, out: &mut Vec<Output>) {
        let name = params.get("taskId").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(running) = self.tasks.get_mut(&name) else {
            let said = match (self.ended_tasks.get(&name).cloned(), method) {
                (None, _) => self.error(&id, unknown()),
                (Some(report), "tasks/get") => self.result(&id, report),
                (Some(_), _) => self.result(&id, json!({})),
            };
            return out.push(said);
        };
        match method {
            "tasks/update" => {
                let responses = params.get("inputResponses").and_then(Value::as_object).cloned().unwrap_or_default();
                let lag = running.task.lag;
                if let Some((_, left)) = &mut running.asks {
                    *left = Some(lag);
                }
                running.received.extend(responses.clone());
                self.noted.extend(responses.into_iter().map(|(key, reply)| Noted::Answered { key, reply }));
                let said = self.result(&id, json!({}));
                out.push(said);
            }
            "tasks/cancel" => {
                let said = self.result(&id, json!({}));
                out.push(said);
            }
            _ => self.asked_after(name, id, params.clone(), out),
        }
    }

    fn asked_after(&mut self, name: String, id: Value, params: Map<String, Value>, out: &mut Vec<Output>) {
        let Some(running) = self.tasks.get_mut(&name) else { return };
        if let Some((asks, left)) = &mut running.asks {
            if *left != Some(0) {
                if let Some(left) = left {
                    *left -= 1;
                }
                let mut result = report(&name, &running.task, "input_required", None);
                result["inputRequests"] = Value::Object(asks.clone());
                let said = self.result(&id, result);
                return out.push(said);
            }
            running.asks = None;
        }
        if let Some(words) = running.words.pop_front() {
            if running.task.endless && running.words.is_empty() {
                running.words.push_back(words.clone());
            }
            let result = report(&name, &running.task, "working", Some(&words));
            let said = self.result(&id, result);
            return out.push(said);
        }
        let play = Play {
            track: Track::Calls,
            call: Some(Call { id, params }),
            at: running.at,
            received: std::mem::take(&mut running.received),
            waiting: Waiting::Nothing,
            last: None,
            task: Some(name),
        };
        let number = self.next_play;
        self.next_play += 1;
        self.play(number, play, out);
    }

    /// A round inside a task.
    pub(super) fn task_asks(&mut self, play: &mut Play, round: &Round, out: &mut Vec<Output>) -> Go {
        let (Some(call), Some(name)) = (play.call.take(), play.task.clone()) else { return Go::On };
        if let Some(running) = self.tasks.get_mut(&name) {
            running.asks = Some((round.asks.clone(), None));
            running.at = play.at;
            running.received = std::mem::take(&mut play.received);
        }
        self.asked_after(name, call.id, call.params, out);
        Go::Suspended
    }

    /// The answer to the question that finds the task at its end.
    pub(super) fn task_over(&mut self, play: &Play, id: &Value, outcome: Result<Value, Value>) -> Output {
        let name = play.task.clone().unwrap_or_default();
        let task = self.tasks.remove(&name).map(|running| running.task).unwrap_or_default();
        let result = match outcome {
            Ok(result) => {
                let mut report = report(&name, &task, "completed", None);
                report["result"] = result;
                report
            }
            Err(error) => {
                let mut report = report(&name, &task, "failed", Some("it went wrong"));
                report["error"] = error;
                report
            }
        };
        self.ended_tasks.insert(name, result.clone());
        self.result(id, result)
    }

    pub(super) fn task_cancelled(&mut self, play: &Play, words: &str, out: &mut Vec<Output>) -> Go {
        let (Some(call), Some(name)) = (&play.call, &play.task) else { return Go::On };
        let task = self.tasks.remove(name).map(|running| running.task).unwrap_or_default();
        let report = report(name, &task, "cancelled", Some(words));
        self.ended_tasks.insert(name.clone(), report.clone());
        let said = self.result(&call.id, report);
        out.push(said);
        Go::Over
    }

    pub(super) fn task_forgotten(&mut self, play: &Play, out: &mut Vec<Output>) -> Go {
        let (Some(call), Some(name)) = (&play.call, &play.task) else { return Go::On };
        self.tasks.remove(name);
        let said = self.error(&call.id, unknown());
        out.push(said);
        Go::Over
    }
}

fn report(id: &str, task: &Task, status: &str, words: Option<&str>) -> Value {
    let mut report = json!({
        "taskId": id,
        "status": status,
        "createdAt": "2026-11-30T10:00:00Z",
        "lastUpdatedAt": "2026-11-30T10:00:01Z",
        "ttlMs": 60_000,
    });
    if let Some(words) = words {
        report["statusMessage"] = json!(words);
    }
    if let Some(interval) = task.interval {
        report["pollIntervalMs"] = json!(interval);
    }
    report
}

fn unknown() -> Value {
    json!({ "code": -32602, "message": "Task not found" })
}
