//! What a strict server holds against its client.
//!
//! Every scripted server judges every line, so that a scenario fails when the client breaks a rule that the scenario is not about. Knows the
//! rules of the specification, and nothing of scripts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::script::Era;

/// The requests that a server may interrupt.
pub const CALLS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

/// Watches one connection.
#[derive(Debug)]
pub struct Judge {
    era: Era,
    revision: String,
    ids: BTreeSet<String>,
    initialized: bool,
    /// The ids of requests that the server sent and that were not answered yet.
    asked: BTreeSet<String>,
    answered: BTreeSet<String>,
    /// What the client has to bring back: by state, the call as it was and the keys that were asked.
    rounds: BTreeMap<String, Interrupted>,
    /// The calls of this client that no answer was given to.
    in_flight: BTreeSet<String>,
    /// Those that have their result: a cancellation may have crossed it.
    over: BTreeSet<String>,
}

#[derive(Debug)]
struct Interrupted {
    call: Map<String, Value>,
    keys: BTreeSet<String>,
}

impl Judge {
    /// A judge of one connection in a revision.
    pub fn new(revision: &str) -> Judge {
        Judge {
            era: Era::of(revision),
            revision: revision.to_owned(),
            ids: BTreeSet::new(),
            initialized: false,
            asked: BTreeSet::new(),
            answered: BTreeSet::new(),
            rounds: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            over: BTreeSet::new(),
        }
    }

    /// Judges a line of the client, without its end; says what is wrong with it.
    pub fn line(&mut self, line: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        if line.starts_with('\u{feff}') || line.ends_with('\r') {
            wrong.push("a line has a byte order mark or ends with a carriage return".to_owned());
        }
        let message = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(message)) => message,
            Ok(_) => return vec![format!("a message is not an object: {line}")],
            Err(error) => return vec![format!("a message is not JSON ({error}): {line}")],
        };
        if message.get("jsonrpc") != Some(&Value::from("2.0")) {
            wrong.push(format!("a message is not JSON-RPC 2.0: {line}"));
        }
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), Some(id)) => self.request(method, id, &message, &mut wrong),
            (Some(method), None) => self.notification(method, &message, &mut wrong),
            (None, Some(id)) => self.response(id, &message, &mut wrong),
            (None, None) => wrong.push(format!("neither a request nor a response: {line}")),
        }
        wrong
    }

    /// The server sent a request of its own.
    pub fn asked(&mut self, id: &Value) {
        self.asked.insert(id.to_string());
    }

    /// The server no longer wants an answer.
    pub fn withdrawn(&mut self, id: &Value) {
        self.asked.remove(&id.to_string());
    }

    /// The server answered a call with a round; the call has to come again with these answers.
    pub fn interrupted(&mut self, id: &Value, state: Option<&str>, call: &Map<String, Value>, keys: BTreeSet<String>) {
        self.in_flight.remove(&id.to_string());
        self.over.remove(&id.to_string());
        let call = bare(call);
        self.rounds.insert(state.unwrap_or_default().to_owned(), Interrupted { call, keys });
    }

    /// The server answered a call for good.
    pub fn returned(&mut self, id: &Value) {
        if self.in_flight.remove(&id.to_string()) {
            self.over.insert(id.to_string());
        }
    }

    fn request(&mut self, method: &str, id: &Value, message: &Map<String, Value>, wrong: &mut Vec<String>) {
        if !(id.is_u64() || id.is_i64() || id.is_string()) {
            wrong.push(format!("the id of a request is {id}"));
        }
        if !self.ids.insert(id.to_string()) {
            wrong.push(format!("the id {id} is used for a second request"));
        }
        let params = message.get("params").and_then(Value::as_object);
        match self.era {
            Era::Legacy => {
                let early = !self.initialized && !matches!(method, "initialize" | "ping" | "server/discover");
                if early {
                    wrong.push(format!("{method} came before notifications/initialized"));
                }
            }
            Era::Modern if method == "initialize" => {}
            Era::Modern => self.meta(method, params, wrong),
        }
        if method.starts_with("tasks/") {
            self.task(method, id, params, wrong);
        }
        if !CALLS.contains(&method) {
            return;
        }
        self.in_flight.insert(id.to_string());
        let params = params.cloned().unwrap_or_default();
        let responses = params.get("inputResponses");
        let state = params.get("requestState");
        if self.era == Era::Legacy && (responses.is_some() || state.is_some()) {
            wrong.push(format!("{method} carries what only 2026-07-28 knows"));
        }
        if self.era == Era::Modern && (responses.is_some() || state.is_some()) {
            self.retry(&params, wrong);
        }
    }

    fn meta(&self, method: &str, params: Option<&Map<String, Value>>, wrong: &mut Vec<String>) {
        let meta = params.and_then(|params| params.get("_meta"));
        let field = |name: &str| meta.and_then(|meta| meta.get(format!("io.modelcontextprotocol/{name}")));
        if field("protocolVersion") != Some(&Value::from(self.revision.as_str())) {
            wrong.push(format!("{method} names the protocol version {:?}", field("protocolVersion")));
        }
        if !field("clientCapabilities").is_some_and(Value::is_object) {
            wrong.push(format!("{method} does not say what the client can do"));
        }
        if !field("clientInfo").is_some_and(|info| info.get("name").is_some() && info.get("version").is_some()) {
            wrong.push(format!("{method} does not say who the client is"));
        }
    }

    /// What is said to a task: only where tasks are known, and by a client that says so in the same request.
    fn task(&mut self, method: &str, id: &Value, params: Option<&Map<String, Value>>, wrong: &mut Vec<String>) {
        self.in_flight.insert(id.to_string());
        let capabilities =
            params.and_then(|params| params.get("_meta")?.get("io.modelcontextprotocol/clientCapabilities"));
        let declared = capabilities.and_then(|all| all.get("extensions")?.get("io.modelcontextprotocol/tasks"));
        if self.era == Era::Legacy || declared.is_none() {
            wrong.push(format!("{method} came from a client that has not declared tasks"));
        }
        if !params.is_some_and(|params| params.get("taskId").is_some_and(Value::is_string)) {
            wrong.push(format!("{method} names no task"));
        }
    }

    /// A call that comes again: as it was, with every answer once and the state untouched.
    fn retry(&mut self, params: &Map<String, Value>, wrong: &mut Vec<String>) {
        let state = match params.get("requestState") {
            None => "",
            Some(Value::String(state)) => state,
            Some(other) => return wrong.push(format!("requestState is {other}")),
        };
        // A process that was started afresh knows nothing of the rounds before.
        let Some(round) = self.rounds.remove(state) else { return };
        let again = bare(params);
        if again != round.call {
            wrong.push(format!("the call came again as {again:?} and was {:?}", round.call));
        }
        let responses = params.get("inputResponses");
        if round.keys.is_empty() && responses.is_some() {
            wrong.push("inputResponses came where nothing was asked".to_owned());
        }
        let keys: BTreeSet<String> =
            responses.and_then(Value::as_object).map(|map| map.keys().cloned().collect()).unwrap_or_default();
        if keys != round.keys {
            wrong.push(format!("answers came for {keys:?} and {:?} were asked", round.keys));
        }
        for (key, response) in responses.and_then(Value::as_object).into_iter().flatten() {
            let envelope =
                ["jsonrpc", "id", "method", "result"].into_iter().find(|field| response.get(field).is_some());
            if let Some(field) = envelope {
                wrong.push(format!("the response for {key:?} is in an envelope: it has {field:?}"));
            }
        }
    }

    fn notification(&mut self, method: &str, message: &Map<String, Value>, wrong: &mut Vec<String>) {
        match method {
            "notifications/initialized" if self.era == Era::Modern || self.initialized => {
                wrong.push("notifications/initialized came where it has no place".to_owned());
            }
            "notifications/initialized" => self.initialized = true,
            "notifications/cancelled" => {
                let id = message.get("params").and_then(|params| params.get("requestId"));
                let known = |id: String| self.in_flight.remove(&id) || self.over.remove(&id);
                if !id.map(Value::to_string).is_some_and(known) {
                    wrong.push(format!("a request that is not in flight was cancelled: {id:?}"));
                }
            }
            _ => {}
        }
    }

    fn response(&mut self, id: &Value, message: &Map<String, Value>, wrong: &mut Vec<String>) {
        if self.era == Era::Modern {
            return wrong.push(format!("a response was written: {}", Value::Object(message.clone())));
        }
        if message.contains_key("result") == message.contains_key("error") {
            wrong.push(format!("the response to {id} has not just one of result and error"));
        }
        let name = id.to_string();
        if self.asked.remove(&name) {
            self.answered.insert(name);
        } else if self.answered.contains(&name) {
            wrong.push(format!("a second response to the request {id}"));
        } else {
            wrong.push(format!("a response to the request {id}, which is not open"));
        }
    }
}

/// A call without what changes from one leg to the next.
fn bare(params: &Map<String, Value>) -> Map<String, Value> {
    let changing = ["inputResponses", "requestState"];
    params
        .iter()
        .filter(|(key, _)| !changing.contains(&key.as_str()))
        .map(|(key, value)| {
            let mut value = value.clone();
            if key == "_meta"
                && let Some(meta) = value.as_object_mut()
            {
                meta.remove("progressToken");
            }
            (key.clone(), value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays lines to a judge; `>` is the client, `<` a request of the server with this id.
    fn check(revision: &str, lines: &[&str], complaints: &[&str]) {
        let mut judge = Judge::new(revision);
        let mut wrong = Vec::new();
        for line in lines {
            match line.split_at(1) {
                ("<", id) => judge.asked(&serde_json::from_str(id).unwrap()),
                (_, line) => wrong.extend(judge.line(line)),
            }
        }
        assert_eq!(wrong.len(), complaints.len(), "{wrong:?}");
        for (found, part) in wrong.iter().zip(complaints) {
            assert!(found.contains(part), "{found}");
        }
    }

    const READY: &str = r#">{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

    #[test]
    fn a_request_is_answered_once() {
        let reply = r#">{"jsonrpc":"2.0","id":1,"result":{}}"#;
        check("2025-11-25", &[READY, "<1", reply], &[]);
        check("2025-11-25", &[READY, "<1", reply, reply], &["a second response"]);
        check("2025-11-25", &[READY, "<\"1\"", reply], &["which is not open"]);
        check("2026-07-28", &["<1", reply], &["a response was written"]);
    }

    #[test]
    fn ids_and_lines_are_looked_at() {
        let ping = r#">{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        check("2025-11-25", &[ping, ping], &["a second request"]);
        check("2025-11-25", &[">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r"], &["carriage return"]);
        check("2025-11-25", &[">[]"], &["not an object"]);
        check(
            "2025-11-25",
            &[r#">{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#],
            &["before notifications/initialized"],
        );
        check(
            "2025-11-25",
            &[r#">{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#],
            &["not in flight"],
        );
        check(
            "2026-07-28",
            &[r#">{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#],
            &["version", "can do", "who"],
        );
    }

    #[test]
    fn a_call_comes_again_as_it_was() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}"#;
        let call = |id: u32, rest: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t",{meta}{rest}}}}}"#)
        };
        let again = |rest: &str| {
            let mut judge = Judge::new("2026-07-28");
            let first = call(1, "");
            assert!(judge.line(&first).is_empty());
            let message: Value = serde_json::from_str(&first).unwrap();
            let params = message["params"].as_object().unwrap();
            judge.interrupted(&Value::from(1), Some("s"), params, BTreeSet::from(["k".to_owned()]));
            judge.line(&call(2, rest))
        };
        assert!(again(r#","inputResponses":{"k":{"action":"cancel"}},"requestState":"s""#).is_empty());
        assert!(again(r#","inputResponses":{"j":{}},"requestState":"s""#)[0].contains("were asked"));
        assert!(again(r#","arguments":{},"inputResponses":{"k":{}},"requestState":"s""#)[0].contains("came again as"));
        assert!(again(r#","inputResponses":{"k":{"result":{}}},"requestState":"s""#)[0].contains("envelope"));
    }
}
