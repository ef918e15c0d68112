//! Plays a script: lines of a client in, bytes out. Without I/O, and on a clock told from outside.
//!
//! Speaks all five revisions over lines of JSON. In the modern era a round is an `InputRequiredResult` and the script goes on with the
//! call that brings the answers, in a fresh process as well; in the legacy era the asks are requests of the server.

mod tasks;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::judge::{CALLS, Judge};
use crate::script::{Act, Era, Probe, Request, Round, Script, Step};

/// The field of `_meta` that says to which subscription a notification belongs.
pub const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// What the server does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Says something to the client.
    Say {
        /// The id of the request of the client's that it belongs to, where it belongs to one.
        about: Option<Value>,
        /// Lines, as a pipe carries them: their ends are part of it.
        bytes: Vec<u8>,
    },
    /// Writes a line to standard error.
    Stderr(String),
    /// Ends with this code.
    Exit(i32),
    /// Ends by a signal that cannot be caught.
    Kill,
}

/// What is worth noting down about the client.
#[derive(Clone, Debug, PartialEq)]
pub enum Noted {
    /// An ask of the server was answered: the result, or the error as `{"error": …}`.
    Answered {
        /// The key of the ask.
        key: String,
        /// What came.
        reply: Value,
    },
    /// The client broke a rule.
    Wrong(String),
}

/// A server that does what its script says.
#[derive(Debug)]
pub struct ScriptedServer {
    script: Arc<Script>,
    revision: String,
    era: Era,
    judge: Judge,
    now: u64,
    noted: Vec<Noted>,
    plays: BTreeMap<u64, Play>,
    next_play: u64,
    /// Where the next call goes on.
    at: usize,
    /// Calls between two legs, by state.
    suspended: BTreeMap<String, Suspended>,
    /// Tasks that calls have become, by id.
    tasks: BTreeMap<String, tasks::Running>,
    /// How tasks ended, for whoever has not heard of it.
    ended_tasks: BTreeMap<String, Value>,
    /// Requests of ours that wait for their answers, by their ids as JSON.
    open: BTreeMap<String, Open>,
    next_id: u64,
    /// What is said later.
    later: Vec<(u64, Vec<Output>)>,
    handshaken: bool,
    begun: bool,
    /// How often each method was answered in turn.
    turns: BTreeMap<String, usize>,
    /// The request that subscribed last.
    subscription: Option<Value>,
}

/// A script being played.
#[derive(Debug)]
struct Play {
    track: Track,
    call: Option<Call>,
    /// The task that the call has become.
    task: Option<String>,
    at: usize,
    waiting: Waiting,
    received: Map<String, Value>,
    /// What is said at the end.
    last: Option<Output>,
}

impl Play {
    /// The request of the client's that is being worked on.
    fn about(&self) -> Option<Value> {
        let answer = match &self.last {
            Some(Output::Say { about, .. }) => about.clone(),
            _ => None,
        };
        self.call.as_ref().map(|call| call.id.clone()).or(answer)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Track {
    BeforeHandshake,
    Started,
    Calls,
}

#[derive(Clone, Debug)]
struct Call {
    id: Value,
    params: Map<String, Value>,
}

#[derive(Debug)]
enum Waiting {
    Nothing,
    Until(u64),
    Replies { keys: BTreeSet<String>, rest: VecDeque<(String, Map<String, Value>)> },
}

#[derive(Debug)]
struct Suspended {
    at: usize,
    received: Map<String, Value>,
}

#[derive(Debug)]
struct Open {
    id: Value,
    key: String,
    play: u64,
}

enum Go {
    /// With the next step.
    On,
    /// When something has happened.
    Wait,
    /// Not: the call has its answer.
    Over,
    /// Not: the call goes on as another request.
    Suspended,
}

impl ScriptedServer {
    /// A server that speaks `revision`, unless its script says otherwise.
    pub fn new(script: Arc<Script>, revision: &str) -> ScriptedServer {
        let revision = script.revision.as_deref().unwrap_or(revision).to_owned();
        ScriptedServer {
            era: Era::of(&revision),
            judge: Judge::new(&revision),
            script,
            revision,
            now: 0,
            noted: Vec::new(),
            plays: BTreeMap::new(),
            next_play: 1,
            at: 0,
            suspended: BTreeMap::new(),
            tasks: BTreeMap::new(),
            ended_tasks: BTreeMap::new(),
            open: BTreeMap::new(),
            next_id: 1,
            later: Vec::new(),
            handshaken: false,
            begun: false,
            turns: BTreeMap::new(),
            subscription: None,
        }
    }

    /// What it says before anything comes.
    pub fn begin(&mut self) -> Vec<Output> {
        let greeting: Vec<String> = self.script.greeting.clone();
        greeting.into_iter().map(|line| self.line(None, line.into_bytes())).collect()
    }

    /// What is worth noting down since this was asked last.
    pub fn noted(&mut self) -> Vec<Noted> {
        std::mem::take(&mut self.noted)
    }

    /// When [`ScriptedServer::tick`] is due.
    pub fn next_wake(&self) -> Option<u64> {
        let waits = self.plays.values().filter_map(|play| match play.waiting {
            Waiting::Until(at) => Some(at),
            Waiting::Nothing | Waiting::Replies { .. } => None,
        });
        waits.chain(self.later.iter().map(|(at, _)| *at)).min()
    }

    /// Time passed.
    pub fn tick(&mut self, now: u64) -> Vec<Output> {
        self.now = now;
        let mut out = Vec::new();
        let later = std::mem::take(&mut self.later);
        for (at, said) in later {
            if at <= now { out.extend(said) } else { self.later.push((at, said)) }
        }
        let due: Vec<u64> = self
            .plays
            .iter()
            .filter(|(_, play)| matches!(play.waiting, Waiting::Until(at) if at <= now))
            .map(|(number, _)| *number)
            .collect();
        for number in due {
            if let Some(play) = self.plays.remove(&number) {
                self.play(number, play, &mut out);
            }
        }
        out
    }

    /// Takes in a line of the client, without its end.
    pub fn receive(&mut self, now: u64, line: &str) -> Vec<Output> {
        self.now = now;
        let mut out = Vec::new();
        let wrong = self.judge.line(line);
        self.noted.extend(wrong.into_iter().map(Noted::Wrong));
        let Ok(Value::Object(message)) = serde_json::from_str::<Value>(line) else { return out };
        let params = message.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), Some(id)) => self.request(method, id.clone(), params, &mut out),
            (Some("notifications/initialized"), None) => self.start(&mut out),
            (Some(_), None) => {}
            (None, Some(id)) => self.reply(id, &message, &mut out),
            (None, None) => {}
        }
        out
    }

    fn line(&mut self, about: Option<Value>, mut line: Vec<u8>) -> Output {
        line.extend_from_slice(self.script.line_end.as_deref().unwrap_or("\n").as_bytes());
        if !std::mem::replace(&mut self.begun, true) {
            let mut first = self.script.prefix.clone().into_bytes();
            first.extend(line);
            line = first;
        }
        Output::Say { about, bytes: line }
    }

    fn message(&mut self, about: Option<Value>, mut message: Value) -> Output {
        if let Some(object) = message.as_object_mut() {
            object.shift_insert(0, "jsonrpc".into(), json!("2.0"));
        }
        self.line(about, message.to_string().into_bytes())
    }

    fn result(&mut self, id: &Value, mut result: Value) -> Output {
        if self.era == Era::Modern
            && let Some(object) = result.as_object_mut()
            && !object.contains_key("resultType")
        {
            object.insert("resultType".into(), json!("complete"));
        }
        self.judge.returned(id);
        self.message(Some(id.clone()), json!({ "id": id, "result": result }))
    }

    fn error(&mut self, id: &Value, error: Value) -> Output {
        self.judge.returned(id);
        self.message(Some(id.clone()), json!({ "id": id, "error": error }))
    }

    fn request(&mut self, method: &str, id: Value, params: Map<String, Value>, out: &mut Vec<Output>) {
        match (method, self.era) {
            ("server/discover", era) if era == Era::Legacy || self.script.probe != Probe::default() => {
                self.probed(&id, out);
            }
            ("server/discover", _) => {
                let result = json!({
                    "supportedVersions": self.versions(),
                    "capabilities": self.capabilities(),
                    "ttlMs": 0,
                    "cacheScope": "private",
                    "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
                });
                self.shake_hands(&id, result, out);
                if !std::mem::replace(&mut self.handshaken, true) {
                    self.start(out);
                }
            }
            ("initialize", Era::Legacy) => {
                let result = json!({
                    "protocolVersion": self.revision,
                    "capabilities": self.capabilities(),
                    "serverInfo": server_info(),
                });
                self.shake_hands(&id, result, out);
            }
            ("initialize", Era::Modern) => {
                let error = json!({
                    "code": -32022,
                    "message": "Unsupported protocol version",
                    "data": { "supported": self.versions(), "requested": params.get("protocolVersion") },
                });
                let said = self.error(&id, error);
                out.push(said);
            }
            ("ping", _) => {
                let said = self.result(&id, json!({}));
                out.push(said);
            }
            _ if self.script.in_turn.contains_key(method) => {
                let turn = self.turns.entry(method.to_owned()).or_default();
                let results = self.script.in_turn[method].as_array().map(Vec::as_slice).unwrap_or_default();
                let result = results.get(*turn).or(results.last()).cloned().unwrap_or_default();
                *turn += 1;
                let said = self.result(&id, result);
                out.push(said);
            }
            _ if self.script.results.contains_key(method) => {
                let result = self.script.results[method].clone();
                let said = self.result(&id, result);
                out.push(said);
            }
            ("subscriptions/listen", Era::Modern) => {
                let asked_for = params.get("notifications").cloned().unwrap_or_default();
                let notifications = self.script.honours.clone().unwrap_or(asked_for);
                self.subscription = Some(id.clone());
                let params = json!({ "_meta": { SUBSCRIPTION: id }, "notifications": notifications });
                let message = json!({ "method": "notifications/subscriptions/acknowledged", "params": params });
                let said = self.message(Some(id), message);
                out.push(said);
            }
            ("tools/list", _) => {
                let mut result = json!({ "tools": self.script.tools.clone() });
                if self.era == Era::Modern {
                    result["ttlMs"] = json!(0);
                    result["cacheScope"] = json!("private");
                }
                let said = self.result(&id, result);
                out.push(said);
            }
            ("tasks/get" | "tasks/update" | "tasks/cancel", Era::Modern) => self.about_task(method, id, &params, out),
            _ if CALLS.contains(&method) => self.called(Call { id, params }, out),
            _ => {
                let said = self.error(&id, json!({ "code": -32601, "message": format!("Method not found: {method}") }));
                out.push(said);
            }
        }
    }

    fn versions(&self) -> Vec<String> {
        self.script.versions.clone().unwrap_or_else(|| vec![self.revision.clone()])
    }

    fn capabilities(&self) -> Value {
        self.script.capabilities.clone().unwrap_or_else(|| json!({ "tools": {} }))
    }

    fn probed(&mut self, id: &Value, out: &mut Vec<Output>) {
        let probe = self.script.probe.clone();
        out.extend(probe.stderr.map(Output::Stderr));
        if let Some(code) = probe.exit {
            return out.push(Output::Exit(code));
        }
        if probe.silent {
            return;
        }
        let about = Some(id.clone());
        let id = if probe.without_id { &Value::Null } else { id };
        let said = match (probe.error, probe.result) {
            (None, Some(result)) => self.message(about, json!({ "id": id, "result": result })),
            (error, _) => {
                let error = error.unwrap_or_else(|| json!({ "code": -32601, "message": "Method not found" }));
                self.message(about, json!({ "id": id, "error": error }))
            }
        };
        self.say_after(probe.after, said, out);
    }

    fn say_after(&mut self, wait: u64, said: Output, out: &mut Vec<Output>) {
        if wait == 0 { out.push(said) } else { self.later.push((self.now + wait, vec![said])) }
    }

    fn shake_hands(&mut self, id: &Value, result: Value, out: &mut Vec<Output>) {
        let last = self.result(id, result);
        self.begin_play(Track::BeforeHandshake, None, 0, Map::new(), Some(last), out);
    }

    fn start(&mut self, out: &mut Vec<Output>) {
        self.begin_play(Track::Started, None, 0, Map::new(), None, out);
    }

    fn called(&mut self, call: Call, out: &mut Vec<Output>) {
        let state = call.params.get("requestState").and_then(Value::as_str);
        let responses = call.params.get("inputResponses").and_then(Value::as_object).cloned();
        let comes_again = self.era == Era::Modern && (state.is_some() || responses.is_some());
        let key = state.unwrap_or_default().to_owned();
        let (at, mut received) = match self.suspended.remove(&key) {
            Some(Suspended { at, received }) if comes_again => (at, received),
            _ if comes_again => (self.step_after(&key).unwrap_or(self.at), Map::new()),
            _ if self.at >= self.script.steps.len() => (0, Map::new()),
            _ => (self.at, Map::new()),
        };
        for (key, reply) in responses.into_iter().flatten() {
            self.noted.push(Noted::Answered { key: key.clone(), reply: reply.clone() });
            received.insert(key, reply);
        }
        self.begin_play(Track::Calls, Some(call), at, received, None, out);
    }

    /// Where the script goes on with this state, in a process that did not give it out.
    fn step_after(&self, state: &str) -> Option<usize> {
        let made_up = state.strip_prefix("step-").and_then(|rest| rest.split('#').next()?.parse::<usize>().ok());
        let given = || {
            let is_it = |step: &Step| matches!(&step.act, Act::Ask(Round { state: Some(given), .. }) if given == state);
            self.script.steps.iter().position(is_it)
        };
        made_up.or_else(given).map(|at| at + 1)
    }

    fn begin_play(
        &mut self,
        track: Track,
        call: Option<Call>,
        at: usize,
        received: Map<String, Value>,
        last: Option<Output>,
        out: &mut Vec<Output>,
    ) {
        let number = self.next_play;
        self.next_play += 1;
        self.play(number, Play { track, call, task: None, at, waiting: Waiting::Nothing, received, last }, out);
    }

    fn reply(&mut self, id: &Value, message: &Map<String, Value>, out: &mut Vec<Output>) {
        let Some(Open { key, play: number, .. }) = self.open.remove(&id.to_string()) else { return };
        let reply = match (message.get("result"), message.get("error")) {
            (Some(result), _) => result.clone(),
            (None, Some(error)) => json!({ "error": error }),
            (None, None) => Value::Null,
        };
        self.noted.push(Noted::Answered { key: key.clone(), reply: reply.clone() });
        let Some(mut play) = self.plays.remove(&number) else { return };
        play.received.insert(key.clone(), reply);
        // Answers that travel at the same time may overtake each other; what is made of them does not depend on that.
        play.received.sort_keys();
        let about = play.about();
        if let Waiting::Replies { keys, rest } = &mut play.waiting
            && keys.remove(&key)
            && keys.is_empty()
        {
            if let Some((key, request)) = rest.pop_front() {
                keys.insert(key.clone());
                let said = self.ask(number, about, key, None, request);
                out.push(said);
            } else {
                play.waiting = Waiting::Nothing;
            }
        }
        if matches!(play.waiting, Waiting::Nothing) {
            self.play(number, play, out);
        } else {
            self.plays.insert(number, play);
        }
    }

    /// Plays on until something has to be waited for.
    fn play(&mut self, number: u64, mut play: Play, out: &mut Vec<Output>) {
        play.waiting = Waiting::Nothing;
        let script = Arc::clone(&self.script);
        let steps = match play.track {
            Track::BeforeHandshake => &script.before_handshake,
            Track::Started => &script.started,
            Track::Calls => &script.steps,
        };
        loop {
            let Some(step) = steps.get(play.at) else {
                out.extend(play.last.take());
                return;
            };
            play.at += 1;
            if step.only.is_some_and(|era| era != self.era) {
                continue;
            }
            match self.act(number, &mut play, &step.act, out) {
                Go::On => {}
                Go::Wait => {
                    self.plays.insert(number, play);
                    return;
                }
                Go::Over => {
                    if play.track == Track::Calls {
                        self.at = play.at;
                    }
                    return;
                }
                // Another call begins where this one began, unless this one comes to its end before.
                Go::Suspended => return,
            }
        }
    }

    fn act(&mut self, number: u64, play: &mut Play, act: &Act, out: &mut Vec<Output>) -> Go {
        match act {
            Act::Ask(round) if play.task.is_some() => return self.task_asks(play, round, out),
            Act::Task(task) if self.era == Era::Modern => return self.begin_task(play, task, out),
            Act::Task(_) => {}
            Act::CancelTask(words) => return self.task_cancelled(play, words, out),
            Act::ForgetTask => return self.task_forgotten(play, out),
            Act::Ask(round) if self.era == Era::Modern => return self.interrupt(number, play, round, out),
            Act::Ask(round) => return self.ask_all(number, play, round, out),
            Act::Return(result) => return self.finish(play, Ok(result.clone()), out),
            Act::ReturnReceived => {
                let received = Value::Object(play.received.clone());
                let text = received.to_string();
                let result = json!({ "content": [{ "type": "text", "text": text }], "structuredContent": received });
                return self.finish(play, Ok(result), out);
            }
            Act::ReturnBig(bytes) => {
                let text = "x".repeat(*bytes);
                return self.finish(play, Ok(json!({ "content": [{ "type": "text", "text": text }] })), out);
            }
            Act::Error(error) => return self.finish(play, Err(error.clone()), out),
            Act::Expect(expected) => {
                let wrong: Vec<&String> = expected
                    .iter()
                    .filter(|(key, value)| play.received.get(*key) != Some(value))
                    .map(|(key, _)| key)
                    .collect();
                if !wrong.is_empty() {
                    let text =
                        format!("not the expected answers for {wrong:?}: {}", Value::Object(play.received.clone()));
                    let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
                    return self.finish(play, Ok(result), out);
                }
            }
            Act::Progress(progress) => {
                let meta = play.call.as_ref().and_then(|call| call.params.get("_meta"));
                let token = meta.and_then(|meta| meta.get("progressToken")).cloned().unwrap_or_default();
                let mut params = progress.clone();
                params.insert("progressToken".into(), token);
                let said = self.message(play.about(), json!({ "method": "notifications/progress", "params": params }));
                out.push(said);
            }
            Act::Log(data) => {
                let params = json!({ "level": "info", "data": data });
                let said = self.message(play.about(), json!({ "method": "notifications/message", "params": params }));
                out.push(said);
            }
            Act::Wait(wait) => {
                play.waiting = Waiting::Until(self.now + wait);
                return Go::Wait;
            }
            Act::Exit(code) => out.push(Output::Exit(*code)),
            Act::Kill => out.push(Output::Kill),
            Act::Stderr(text) => out.push(Output::Stderr(text.clone())),
            Act::Say(bytes) => {
                let id = play.call.as_ref().map_or(Value::Null, |call| call.id.clone());
                out.push(Output::Say { about: play.about(), bytes: with_id(bytes, &id) });
            }
            Act::Withdraw(key) => {
                let Some(id) = self.open.values().find(|open| open.key == *key).map(|open| open.id.clone()) else {
                    return Go::On;
                };
                self.open.remove(&id.to_string());
                self.judge.withdrawn(&id);
                let params = json!({ "requestId": id, "reason": "not needed any more" });
                let said = self.message(play.about(), json!({ "method": "notifications/cancelled", "params": params }));
                out.push(said);
            }
            Act::Notify(notification) => {
                let mut notification = notification.clone();
                if let (Track::Started, Some(id)) = (play.track, &self.subscription) {
                    notification["params"]["_meta"][SUBSCRIPTION] = id.clone();
                }
                let said = self.message(play.about(), notification);
                out.push(said);
            }
            Act::Request(Request { key, id, request, wait }) => {
                let said = self.ask(number, play.about(), key.clone(), id.clone(), request.clone());
                out.push(said);
                if *wait {
                    play.waiting = Waiting::Replies { keys: BTreeSet::from([key.clone()]), rest: VecDeque::new() };
                    return Go::Wait;
                }
            }
            Act::Await(key) => {
                if self.open.values().any(|open| open.key == *key && open.play == number) {
                    play.waiting = Waiting::Replies { keys: BTreeSet::from([key.clone()]), rest: VecDeque::new() };
                    return Go::Wait;
                }
            }
        }
        Go::On
    }

    fn finish(&mut self, play: &mut Play, outcome: Result<Value, Value>, out: &mut Vec<Output>) -> Go {
        let Some(call) = &play.call else { return Go::On };
        let said = match outcome {
            outcome if play.task.is_some() => self.task_over(play, &call.id, outcome),
            Ok(result) => self.result(&call.id, result),
            Err(error) => self.error(&call.id, error),
        };
        out.push(said);
        Go::Over
    }

    /// A round in the modern era: the answer to the call.
    fn interrupt(&mut self, number: u64, play: &mut Play, round: &Round, out: &mut Vec<Output>) -> Go {
        let Some(call) = play.call.clone() else { return Go::On };
        let state = match (&round.state, round.stateless) {
            (_, true) => None,
            (Some(state), _) => Some(state.clone()),
            (None, _) => Some(format!("step-{}#{number}", play.at - 1)),
        };
        let mut result = json!({ "resultType": "input_required" });
        if !round.asks.is_empty() {
            result["inputRequests"] = Value::Object(round.asks.clone());
        }
        if let Some(state) = &state {
            result["requestState"] = json!(state);
        }
        let received = std::mem::take(&mut play.received);
        self.suspended.insert(state.clone().unwrap_or_default(), Suspended { at: play.at, received });
        let said = self.result(&call.id, result);
        self.judge.interrupted(&call.id, state.as_deref(), &call.params, round.asks.keys().cloned().collect());
        out.push(said);
        out.extend(round.then_exit.map(Output::Exit));
        Go::Suspended
    }

    /// A round in the legacy era: a request of ours for each ask.
    fn ask_all(&mut self, number: u64, play: &mut Play, round: &Round, out: &mut Vec<Output>) -> Go {
        let mut rest: VecDeque<(String, Map<String, Value>)> =
            round.asks.iter().map(|(key, ask)| (key.clone(), ask.as_object().cloned().unwrap_or_default())).collect();
        let mut keys = BTreeSet::new();
        let at_once = if round.together || round.open { rest.len() } else { 1 };
        for _ in 0..at_once {
            let Some((key, request)) = rest.pop_front() else { break };
            keys.insert(key.clone());
            let said = self.ask(number, play.about(), key, None, request);
            out.push(said);
        }
        if round.open || keys.is_empty() {
            return Go::On;
        }
        play.waiting = Waiting::Replies { keys, rest };
        Go::Wait
    }

    fn ask(
        &mut self,
        play: u64,
        about: Option<Value>,
        key: String,
        id: Option<Value>,
        request: Map<String, Value>,
    ) -> Output {
        let id = id.unwrap_or_else(|| {
            self.next_id += 1;
            json!(self.next_id - 1)
        });
        self.judge.asked(&id);
        self.open.insert(id.to_string(), Open { id: id.clone(), key, play });
        let mut message = Map::from_iter([("id".to_owned(), id)]);
        message.extend(request);
        self.message(about, Value::Object(message))
    }
}

fn server_info() -> Value {
    json!({ "name": "scripted", "version": "1.0.0" })
}

/// Bytes with `{id}` replaced by the id of the call.
fn with_id(bytes: &[u8], id: &Value) -> Vec<u8> {
    const PLACE: &[u8] = b"{id}";
    // Nothing but short lines has the place; long ones are not searched for it.
    if bytes.len() > 100_000 {
        return bytes.to_vec();
    }
    let mut with = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(PLACE) {
            with.extend_from_slice(id.to_string().as_bytes());
            at += PLACE.len();
        } else {
            with.push(bytes[at]);
            at += 1;
        }
    }
    with
}
