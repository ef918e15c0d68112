//! What came out otherwise than expected.
//!
//! Owns the comparison of a run with what a scenario expects, and how a difference is shown.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use similar::TextDiff;

use crate::record::Record;
use crate::scenario::Expect;
use crate::terminal::Ended;

/// Everything that came out otherwise, in words; empty when all is as expected.
pub fn differences(expect: &Expect, ended: &Ended, record: &Record) -> Vec<String> {
    let mut found = Findings(Vec::new());
    match ended.status.code() {
        Some(code) if code == expect.exit => {}
        code => found.tell(format!("exit code {code:?} rather than {}", expect.exit)),
    }
    match serde_json::from_str::<Value>(&ended.stdout) {
        Ok(document) => found.document(expect, &document),
        Err(error) => found.tell(format!("standard output is not one JSON document ({error}): {:?}", ended.stdout)),
    }
    found.wire(expect, record);
    for part in expect.stderr.contains.iter().filter(|part| !ended.stderr.contains(*part)) {
        found.tell(format!("standard error lacks {part:?}"));
    }
    for part in expect.stderr.lacks.iter().filter(|part| ended.stderr.contains(*part)) {
        found.tell(format!("standard error has {part:?}"));
    }
    found.0
}

struct Findings(Vec<String>);

impl Findings {
    fn tell(&mut self, what: String) {
        self.0.push(what);
    }

    fn same(&mut self, what: &str, expected: &Value, found: &Value) {
        if expected != found {
            self.tell(format!("{what}:\n{}", difference(expected, found)));
        }
    }

    fn document(&mut self, expect: &Expect, document: &Value) {
        // A list has a document for each server; here it is always one.
        let document = document.pointer("/servers/0").unwrap_or(document);
        let error = &document["error"];
        self.same("error.kind", &expect.error.clone().into(), &error["kind"]);
        if expect.code.is_some() {
            self.same("error.code", &expect.code.into(), &error["code"]);
        }
        if let Some(part) = &expect.says {
            let said = format!("{}\n{}", error["message"].as_str().unwrap_or(""), error["hint"].as_str().unwrap_or(""));
            if !said.contains(part.as_str()) {
                self.tell(format!("the error does not say {part:?}, but: {said}"));
            }
        }
        if let Some(expected) = &expect.result {
            let mut result = document["result"].clone();
            if expected.get("resultType").is_none()
                && let Some(result) = result.as_object_mut()
            {
                result.shift_remove("resultType");
            }
            self.same("the result", expected, &result);
        }
        if let Some(text) = &expect.text {
            self.same("the text of the result", &text.as_str().into(), &document["result"]["content"][0]["text"]);
        }
        if expect.result.is_none() && expect.text.is_none() {
            self.same("the result", &Value::Null, &document["result"]);
        }
        if let Some(asks) = &expect.asks {
            self.asks(asks, document["asks"].as_array().map_or(&[], Vec::as_slice));
        }
        if let Some(rounds) = expect.rounds {
            self.same("rounds", &rounds.into(), &document["rounds"]);
        }
        let rules: Value =
            document["violations"].as_array().into_iter().flatten().map(|one| one["rule"].clone()).collect();
        if rules != Value::from(expect.violations.clone()) {
            let expected = Value::from(expect.violations.clone());
            self.tell(format!("violations {} rather than the rules {expected}", document["violations"]));
        }
        let number = |field: &str| document[field].as_u64().unwrap_or_default();
        let (took, human) = (number("durationMs"), number("humanMs"));
        if expect.within.is_some_and(|limit| took > limit) || expect.at_least.is_some_and(|limit| took < limit) {
            self.tell(format!("it took {took} ms"));
        }
        if expect.human_at_least.is_some_and(|least| human < least) {
            self.tell(format!("the person is said to have taken {human} ms"));
        }
    }

    fn asks(&mut self, expected: &[Map<String, Value>], found: &[Value]) {
        if expected.len() != found.len() {
            return self.same("the asks", &expected.iter().cloned().map(Value::Object).collect(), &Value::from(found));
        }
        for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
            let of_interest: Map<String, Value> =
                expected.keys().map(|key| (key.clone(), found.get(key).cloned().unwrap_or_default())).collect();
            self.same(&format!("ask {}", number + 1), &Value::Object(expected.clone()), &Value::Object(of_interest));
        }
    }

    /// A call that comes twice with one state, which the server may have answered with something other than a script, or in a process that is
    /// gone by now: it has to be the same in everything but its id.
    fn sent_twice(&mut self, record: &Record) {
        let mut first: BTreeMap<String, (Value, Value)> = BTreeMap::new();
        for process in &record.processes {
            for message in process.lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
                let Some(state) = message["params"]["requestState"].as_str() else { continue };
                let this = (message["id"].clone(), without_token(&message["params"]));
                let Some((id, params)) = first.get(state) else {
                    first.insert(state.to_owned(), this);
                    continue;
                };
                if record.processes.len() == 1 && *id == this.0 {
                    self.tell(format!("the id {id} is used twice"));
                }
                self.same("a call that was sent a second time", params, &this.1);
            }
        }
    }

    fn wire(&mut self, expect: &Expect, record: &Record) {
        for wrong in &record.wrong {
            self.tell(format!("the client broke a rule: {wrong}"));
        }
        self.sent_twice(record);
        let mut received = Map::new();
        for (key, reply) in &record.answers {
            let reply = without_words(reply, expect.received.get(key));
            match received.get_mut(key) {
                None => {
                    received.insert(key.clone(), reply);
                }
                Some(Value::Array(replies)) => replies.push(reply),
                Some(first) => *first = Value::Array(vec![first.take(), reply]),
            }
        }
        self.same(
            "what the server's asks were answered",
            &Value::Object(expect.received.clone()),
            &Value::Object(received),
        );
        if let Some(sent) = &expect.sent {
            self.same("the methods that were sent", &sent.clone().into(), &methods(record, sent).into());
        }
        if let Some(declared) = &expect.declared {
            self.same("the declared capabilities", declared, &declared_in(record));
        }
        let is_a_process = record.processes.first().is_some_and(|first| first.process != 0);
        if let Some(processes) = expect.processes.filter(|_| is_a_process) {
            self.same("processes", &processes.into(), &record.processes.len().into());
        }
        if let Some(expected) = expect.came_again {
            self.same("how often the client came again to a stream", &expected.into(), &record.came_again().into());
        }
    }
}

/// The parameters of a call without what is its own in each request.
fn without_token(params: &Value) -> Value {
    let mut params = params.clone();
    if let Some(meta) = params.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.shift_remove("progressToken");
    }
    params
}

/// The methods that were sent. Over HTTP in the modern era a tool is looked up before it is called, for the header fields that it may want;
/// a scenario that is about something else need not say so.
pub(crate) fn methods(record: &Record, expected: &[String]) -> Vec<String> {
    let mut methods = record.methods();
    let first_call = methods.iter().position(|method| method == "tools/call");
    let looked_up = first_call.and_then(|call| call.checked_sub(1)).filter(|at| methods[*at] == "tools/list");
    let is_over_http = !record.exchanges.is_empty();
    if let Some(at) = looked_up.filter(|_| is_over_http && !expected.iter().any(|method| method == "tools/list")) {
        methods.remove(at);
    }
    methods
}

/// An error without its message, unless the message is expected.
fn without_words(reply: &Value, expected: Option<&Value>) -> Value {
    let mut reply = reply.clone();
    let expects = |field: &str| expected.is_some_and(|expected| expected["error"].get(field).is_some());
    if let Some(error) = reply.get_mut("error").and_then(Value::as_object_mut) {
        error.retain(|field, _| field == "code" || expects(field));
    }
    reply
}

/// What the client first said that it can do: in `initialize`, or else in its first request.
fn declared_in(record: &Record) -> Value {
    let lines = record.processes.iter().flat_map(|process| &process.lines);
    let messages: Vec<Value> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let initialize = messages.iter().find(|message| message["method"] == "initialize");
    match initialize {
        Some(message) => message["params"]["capabilities"].clone(),
        None => messages
            .first()
            .map(|first| first["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"].clone())
            .unwrap_or_default(),
    }
}

/// Two values beside each other, line by line: `-` is expected, `+` is found.
pub fn difference(expected: &Value, found: &Value) -> String {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let (expected, found) = (pretty(expected), pretty(found));
    let diff = TextDiff::from_lines(&expected, &found);
    diff.iter_all_changes().map(|change| format!("    {} {}\n", change.tag(), change.value().trim_end())).collect()
}
