//! A simulated server: JSON lines in, JSON lines out, without I/O. It asks back at random and keeps an eye on what the client sends.

use std::collections::{BTreeMap, BTreeSet};

use askback_wire::{Era, Revision};
use serde_json::{Value, json};

use crate::dice::Dice;

/// A call that a legacy server is working on.
#[derive(Debug)]
struct Work {
    /// The id of the client's request.
    id: Value,
    /// How many asks are still to come.
    asks: u64,
}

/// A server and everything that it remembers. A modern one keeps its states over a restart, a legacy one forgets everything.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) revision: Revision,
    work: Vec<Work>,
    next_id: u64,
    /// Asks of this process that wait for an answer.
    waiting: BTreeSet<u64>,
    /// How often each ask of this process was sent, doubled ones counted by the network.
    pub(super) sent: BTreeMap<u64, u64>,
    /// How often each was answered.
    answered: BTreeMap<u64, u64>,
    /// The states given out, with the keys asked for.
    states: BTreeMap<String, Vec<String>>,
    used_states: BTreeMap<String, u64>,
    next_state: u64,
    /// How often each state may have come doubled: what the client sends twice is our network's fault then.
    doubled_states: BTreeMap<String, u64>,
    /// How often the person had each call sent a second time.
    resent: BTreeMap<u64, u64>,
    /// The same for the answers to each ask of this process.
    doubled_answers: BTreeMap<u64, u64>,
}

impl Server {
    pub(super) fn new(revision: Revision) -> Server {
        Server {
            revision,
            work: Vec::new(),
            next_id: 1,
            waiting: BTreeSet::new(),
            sent: BTreeMap::new(),
            answered: BTreeMap::new(),
            states: BTreeMap::new(),
            used_states: BTreeMap::new(),
            next_state: 1,
            doubled_states: BTreeMap::new(),
            resent: BTreeMap::new(),
            doubled_answers: BTreeMap::new(),
        }
    }

    /// The network doubles a line of the client's.
    pub(super) fn doubling(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(state) = message["params"]["requestState"].as_str() {
            *self.doubled_states.entry(state.to_owned()).or_insert(0) += 1;
        }
        if let (None, Some(id)) = (message.get("method"), message["id"].as_u64()) {
            *self.doubled_answers.entry(id).or_insert(0) += 1;
        }
    }

    /// The person has this call sent a second time.
    pub(super) fn resending(&mut self, call: u64) {
        *self.resent.entry(call).or_insert(0) += 1;
    }

    /// A fresh process.
    pub(super) fn restart(&mut self) {
        self.work.clear();
        self.waiting.clear();
        self.sent.clear();
        self.answered.clear();
        self.doubled_answers.clear();
    }

    /// Takes in a line and gives out what is said to it at once.
    ///
    /// # Errors
    /// What the client must not have sent.
    pub(super) fn received(&mut self, line: &str, dice: &mut Dice) -> Result<Vec<String>, String> {
        let message: Value =
            serde_json::from_str(line).map_err(|error| format!("the client wrote no JSON: {error}"))?;
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some("notifications/cancelled"), None) => {
                let id = &message["params"]["requestId"];
                self.work.retain(|work| work.id != *id);
                Ok(Vec::new())
            }
            (Some("tools/call"), Some(id)) if self.revision.era() == Era::Modern => {
                self.modern_call(id.clone(), &message["params"], dice)
            }
            (Some("tools/call"), Some(id)) => {
                self.work.push(Work { id: id.clone(), asks: dice.below(5) });
                Ok(Vec::new())
            }
            (None, Some(id)) if self.revision.era() == Era::Legacy => {
                let id = id.as_u64().ok_or("a response with an id that was never sent")?;
                let sent = self.sent.get(&id).copied().ok_or("a response to a request that was never sent")?;
                let answered = self.answered.entry(id).or_insert(0);
                *answered += 1;
                let extra = self.doubled_answers.get(&id).copied().unwrap_or(0);
                if *answered > sent + extra {
                    return Err(format!("request {id} was sent {sent} times and answered {answered} times"));
                }
                self.waiting.remove(&id);
                Ok(Vec::new())
            }
            _ => Err("a message that has no place in this era".into()),
        }
    }

    fn modern_call(&mut self, id: Value, params: &Value, dice: &mut Dice) -> Result<Vec<String>, String> {
        if let Some(state) = params.get("requestState").and_then(Value::as_str) {
            let keys = self.states.get(state).ok_or("a state that was never given out")?;
            let given: Vec<&String> =
                params["inputResponses"].as_object().into_iter().flat_map(|map| map.keys()).collect();
            if given != keys.iter().collect::<Vec<_>>() {
                return Err(format!("asked for {keys:?}, answered {given:?}"));
            }
            let used = self.used_states.entry(state.to_owned()).or_insert(0);
            *used += 1;
            let doubled = self.doubled_states.get(state).copied().unwrap_or(0);
            let resent = params["arguments"]["call"].as_u64().and_then(|call| self.resent.get(&call)).copied();
            if *used > 1 + doubled + resent.unwrap_or(0) {
                return Err(format!("the state {state:?} was sent back twice"));
            }
        } else if params.get("inputResponses").is_some() {
            return Err("answers without a state".into());
        }
        if dice.percent(35) {
            return Ok(vec![respond(&id, ending(dice, true))]);
        }
        let state = format!("state {} \u{1f}键\"", self.next_state);
        self.next_state += 1;
        let count = usize::try_from(dice.below(4)).unwrap_or(0);
        let keys: Vec<String> = ["", "__proto__", "键"][..count].iter().map(|key| (*key).to_owned()).collect();
        let mut result = json!({ "resultType": "input_required", "requestState": state });
        if count > 0 {
            let requests: serde_json::Map<String, Value> = keys.iter().map(|key| (key.clone(), ask(dice, 2))).collect();
            result["inputRequests"] = Value::Object(requests);
        }
        self.states.insert(state, keys);
        Ok(vec![respond(&id, json!({ "result": result }))])
    }

    /// Says something of its own accord, perhaps.
    pub(super) fn speak(&mut self, dice: &mut Dice) -> Option<String> {
        if dice.percent(5) {
            let noise = [
                "npm warn exec",
                "{}",
                "[1]",
                "{\"jsonrpc\":\"2.0\",\"id\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601}}",
            ];
            return dice.one(&noise).map(|line| (*line).to_owned());
        }
        if self.revision.era() == Era::Modern {
            return None;
        }
        if dice.percent(5) {
            // Outside of any call, maybe.
            return Some(self.request(ask(dice, 8)));
        }
        if dice.percent(8)
            && let Some(id) = dice.one(&self.waiting.iter().copied().collect::<Vec<_>>()).copied()
        {
            self.waiting.remove(&id);
            let params = json!({ "requestId": id });
            return Some(
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string(),
            );
        }
        if dice.percent(10) {
            let id = if dice.percent(50) { "e1" } else { "e2" };
            let params = json!({ "elicitationId": id });
            let method = "notifications/elicitation/complete";
            return Some(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
        }
        let at = usize::try_from(dice.below(self.work.len() as u64)).unwrap_or(0);
        let work = self.work.get_mut(at)?;
        if dice.percent(10) {
            let params = json!({ "progressToken": work.id, "progress": dice.below(100) });
            return Some(json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string());
        }
        if work.asks > 0 {
            work.asks -= 1;
            return Some(self.request(ask(dice, 8)));
        }
        // Most servers wait for their answers; some do not.
        if self.waiting.is_empty() || dice.percent(10) {
            let work = self.work.remove(at);
            return Some(respond(&work.id, ending(dice, false)));
        }
        None
    }

    fn request(&mut self, ask: Value) -> String {
        let id = self.next_id;
        self.next_id += 1;
        self.waiting.insert(id);
        self.sent.insert(id, 1);
        let mut message = json!({ "jsonrpc": "2.0", "id": id });
        message["method"] = ask["method"].clone();
        message["params"] = ask["params"].clone();
        message.to_string()
    }
}

fn respond(id: &Value, outcome: Value) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    for (name, value) in outcome.as_object().into_iter().flatten() {
        message[name] = value.clone();
    }
    message.to_string()
}

fn ending(dice: &mut Dice, modern: bool) -> Value {
    if !modern && dice.percent(20) {
        let page =
            |id: &str| json!({ "mode": "url", "message": "Log in", "url": "https://in.example/", "elicitationId": id });
        let pages = ["e1", "e2"][..1 + usize::from(dice.percent(30))].iter().map(|id| page(id));
        let data = json!({ "elicitations": pages.collect::<Vec<_>>() });
        return json!({ "error": { "code": -32042, "message": "log in first", "data": data } });
    }
    if dice.percent(15) {
        return json!({ "error": { "code": -32000, "message": "no" } });
    }
    if dice.percent(3) {
        return json!({ "result": { "resultType": "surprise" } });
    }
    if modern {
        json!({ "result": { "resultType": "complete", "content": [] } })
    } else {
        json!({ "result": { "content": [] } })
    }
}

/// An ask; one of `of_hundred` in a hundred cannot be answered.
fn ask(dice: &mut Dice, of_hundred: u64) -> Value {
    if dice.percent(of_hundred) {
        let bad = [
            json!({ "method": "foo/bar" }),
            json!({ "method": "elicitation/create", "params": { "requestedSchema": { "type": "object" } } }),
            json!({ "method": "sampling/createMessage", "params": { "messages": [], "maxTokens": -1 } }),
        ];
        return dice.one(&bad).cloned().unwrap_or_default();
    }
    match dice.below(8) {
        0 => json!({ "method": "roots/list" }),
        1 => json!({ "method": "sampling/createMessage", "params": {
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Which?" } }], "maxTokens": 10
        } }),
        2 | 3 => json!({ "method": "elicitation/create", "params": {
            "mode": "url", "message": "Pay", "url": "https://pay.example/", "elicitationId": "e1"
        } }),
        _ => json!({ "method": "elicitation/create", "params": {
            "message": "Name?", "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }
        } }),
    }
}
