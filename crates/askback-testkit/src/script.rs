//! What a scripted server does, as data.
//!
//! Owns the `[server]` part of a scenario file. One script serves every revision of the protocol; how it is played in which era is
//! [`crate::scripted_server`]'s business.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::http::manners::HttpManners;

/// Everything a scripted server does.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// The revision that it speaks, whatever it is run with.
    pub revision: Option<String>,
    /// What it does before it reads anything, in milliseconds of nothing.
    pub start_delay: u64,
    /// Lines printed before the first message comes.
    pub greeting: Vec<String>,
    /// What it does with `server/discover`; if not given, an error -32601 in the legacy era and a proper answer in the modern one.
    pub probe: Probe,
    /// Steps played before the handshake is answered.
    pub before_handshake: Vec<Step>,
    /// Steps played once the handshake is over, on their own account.
    pub started: Vec<Step>,
    /// Its capabilities; tools if not given.
    pub capabilities: Option<Value>,
    /// The entries of its tool list.
    pub tools: Vec<Value>,
    /// Results of other methods, by method.
    #[serde(deserialize_with = "json_map")]
    pub results: Map<String, Value>,
    /// Results of other methods, one after the other; the last one for ever.
    #[serde(deserialize_with = "json_map")]
    pub in_turn: Map<String, Value>,
    /// What of a subscription it honours; all that is asked for if not given.
    #[serde(deserialize_with = "json_option")]
    pub honours: Option<Value>,
    /// What it says it is asked for as well: the versions of its `server/discover` result, the one it is run with if not given.
    pub versions: Option<Vec<String>>,
    /// What ends each of its lines; `\n` if not given.
    pub line_end: Option<String>,
    /// What stands before its first line, such as a byte order mark.
    pub prefix: String,
    /// What it does when it is called: each request for a tool, a prompt or a resource goes on where the one before ended.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
    /// How its process behaves.
    pub process: ProcessManners,
    /// How it behaves over HTTP.
    pub http: HttpManners,
}

/// What a server does with `server/discover`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Probe {
    /// Ends the process with this code.
    pub exit: Option<i32>,
    /// Says nothing.
    pub silent: bool,
    /// The error it answers with.
    #[serde(deserialize_with = "json_option")]
    pub error: Option<Value>,
    /// The result it answers with.
    #[serde(deserialize_with = "json_option")]
    pub result: Option<Value>,
    /// How long it takes to answer, in milliseconds.
    pub after: u64,
    /// Whether the error comes without an id.
    pub without_id: bool,
    /// What it writes to standard error meanwhile.
    pub stderr: Option<String>,
}

/// How the process of a scripted server behaves.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProcessManners {
    /// Goes on after the end of its input.
    pub ignore_eof: bool,
    /// Goes on after SIGTERM.
    pub ignore_sigterm: bool,
    /// Starts a process that keeps standard output open and does not end by itself.
    pub grandchild: bool,
}

/// One of the two eras, as scripts name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// Multi round-trip requests.
    Modern,
    /// Server-initiated requests.
    Legacy,
}

impl Era {
    /// The era of a revision.
    pub fn of(revision: &str) -> Era {
        if revision >= "2026-07-28" { Era::Modern } else { Era::Legacy }
    }
}

/// One step of a script.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "StepText")]
pub struct Step {
    /// The era it is for; both if not given.
    pub only: Option<Era>,
    /// What is done.
    pub act: Act,
}

/// What is done in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Asks a round and waits for the answers.
    Ask(Round),
    /// Answers the call.
    Return(Value),
    /// Turns the call into a task: what follows happens in that, as it is asked after.
    Task(Task),
    /// The task is cancelled, with these words.
    CancelTask(String),
    /// The task is not known any more.
    ForgetTask,
    /// Answers the call with what the server was answered, by key.
    ReturnReceived,
    /// Answers the call with an error.
    Error(Value),
    /// Tells of progress.
    Progress(Map<String, Value>),
    /// Logs.
    Log(Value),
    /// Does nothing for so many milliseconds.
    Wait(u64),
    /// Ends the process.
    Exit(i32),
    /// Ends the process by a signal that cannot be caught.
    Kill,
    /// Writes to standard error.
    Stderr(String),
    /// Writes bytes to standard output.
    Say(Vec<u8>),
    /// Answers the call with a text of so many bytes.
    ReturnBig(usize),
    /// Withdraws an ask that waits for its answer (legacy).
    Withdraw(String),
    /// Sends a notification.
    Notify(Value),
    /// Sends a request of its own, whatever the era.
    Request(Request),
    /// Waits for the answer to an ask that was not waited for.
    Await(String),
    /// Answers the call with an error of the tool unless the server was answered so.
    Expect(Map<String, Value>),
}

impl Step {
    /// Whether the server is gone once it has done this.
    pub fn ends_the_server(&self) -> bool {
        match &self.act {
            Act::Ask(round) => round.then_exit.is_some(),
            act => matches!(act, Act::Exit(_) | Act::Kill),
        }
    }
}

/// A round of asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The asks by key, in order.
    pub asks: Map<String, Value>,
    /// The state that is to be echoed (modern); made up if not given.
    pub state: Option<String>,
    /// Whether there is no state at all (modern).
    pub stateless: bool,
    /// Whether the asks are sent all at once rather than one after the other (legacy).
    pub together: bool,
    /// Whether the script goes on without waiting for the answers (legacy).
    pub open: bool,
    /// Whether the process ends with the round on its way (modern), and with which code.
    pub then_exit: Option<i32>,
}

/// How a task begins (modern).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Task {
    /// Its id; `task-1` if not given.
    pub id: Option<String>,
    /// The pause between two questions that the server suggests, in milliseconds.
    pub interval: Option<u64>,
    /// What is said of it while it is at work: one for each question, before the script goes on.
    pub working: Vec<String>,
    /// Whether the last of these is said for ever.
    pub endless: bool,
    /// To how many questions after an answer an ask is listed all the same.
    pub lag: u32,
}

/// A request that the server sends of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The name under which its answer is noted down.
    pub key: String,
    /// Its id, as JSON; the next number if not given.
    pub id: Option<Value>,
    /// Method and parameters.
    pub request: Map<String, Value>,
    /// Whether the script waits for the answer.
    pub wait: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepText {
    only: Option<Era>,
    #[serde(default, deserialize_with = "json_map_option")]
    ask: Option<Map<String, Value>>,
    state: Option<String>,
    #[serde(default)]
    stateless: bool,
    #[serde(default)]
    together: bool,
    #[serde(default)]
    open: bool,
    then_exit: Option<i32>,
    #[serde(default, rename = "return", deserialize_with = "json_option")]
    result: Option<Value>,
    text: Option<String>,
    task: Option<Task>,
    cancel_task: Option<String>,
    #[serde(default)]
    forget_task: bool,
    #[serde(default)]
    return_received: bool,
    #[serde(default, deserialize_with = "json_option")]
    error: Option<Value>,
    progress: Option<Map<String, Value>>,
    log: Option<Value>,
    wait: Option<u64>,
    exit: Option<i32>,
    #[serde(default)]
    kill: bool,
    stderr: Option<String>,
    say: Option<String>,
    say_hex: Option<String>,
    end: Option<String>,
    repeat: Option<usize>,
    return_big: Option<usize>,
    withdraw: Option<String>,
    #[serde(default, deserialize_with = "json_option")]
    notify: Option<Value>,
    #[serde(default, deserialize_with = "json_option")]
    request: Option<Value>,
    key: Option<String>,
    #[serde(default, deserialize_with = "json_option")]
    id: Option<Value>,
    #[serde(rename = "await")]
    wait_for: Option<String>,
    #[serde(default, deserialize_with = "json_map_option")]
    expect: Option<Map<String, Value>>,
}

impl TryFrom<StepText> for Step {
    type Error = String;

    fn try_from(text: StepText) -> Result<Step, String> {
        let only = text.only;
        let mut acts = acts(text)?;
        match (acts.pop(), acts.is_empty()) {
            (Some(act), true) => Ok(Step { only, act }),
            (None, _) => Err("a step that does nothing".into()),
            (Some(act), false) => Err(format!("a step that does more than one thing: {act:?} and {acts:?}")),
        }
    }
}

fn acts(text: StepText) -> Result<Vec<Act>, String> {
    let mut acts = Vec::new();
    if let Some(asks) = text.ask {
        let asks = asks.into_iter().map(|(key, ask)| Ok((key, json(ask)?))).collect::<Result<_, String>>()?;
        acts.push(Act::Ask(Round {
            asks,
            state: text.state,
            stateless: text.stateless,
            together: text.together,
            open: text.open,
            then_exit: text.then_exit,
        }));
    } else if text.state.is_some() || text.stateless || text.together || text.open || text.then_exit.is_some() {
        return Err("state, stateless, together, open and then_exit go with ask".into());
    }
    acts.extend(text.result.map(Act::Return));
    acts.extend(
        text.text.map(|text| Act::Return(serde_json::json!({ "content": [{ "type": "text", "text": text }] }))),
    );
    acts.extend(text.task.map(Act::Task));
    acts.extend(text.cancel_task.map(Act::CancelTask));
    acts.extend(text.forget_task.then_some(Act::ForgetTask));
    acts.extend(text.return_received.then_some(Act::ReturnReceived));
    acts.extend(text.error.map(Act::Error));
    acts.extend(text.progress.map(Act::Progress));
    acts.extend(text.log.map(Act::Log));
    acts.extend(text.wait.map(Act::Wait));
    acts.extend(text.exit.map(Act::Exit));
    acts.extend(text.kill.then_some(Act::Kill));
    acts.extend(text.stderr.map(Act::Stderr));
    let said = match (text.say, text.say_hex) {
        (Some(say), _) => Some(say.into_bytes()),
        (None, Some(hex)) => Some(from_hex(&hex)?),
        (None, None) => None,
    };
    acts.extend(said.map(|mut bytes| {
        bytes.extend_from_slice(text.end.as_deref().unwrap_or("\n").as_bytes());
        Act::Say(bytes.repeat(text.repeat.unwrap_or(1)))
    }));
    acts.extend(text.return_big.map(Act::ReturnBig));
    acts.extend(text.withdraw.map(Act::Withdraw));
    acts.extend(text.notify.map(Act::Notify));
    if let Some(request) = text.request {
        let Value::Object(request) = request else { return Err("a request is an object".into()) };
        let method = request.get("method").and_then(Value::as_str).unwrap_or("request").to_owned();
        acts.push(Act::Request(Request {
            wait: text.key.is_some(),
            key: text.key.unwrap_or(method),
            id: text.id,
            request,
        }));
    } else if text.key.is_some() || text.id.is_some() {
        return Err("key and id go with request".into());
    }
    acts.extend(text.wait_for.map(Act::Await));
    acts.extend(text.expect.map(Act::Expect));
    Ok(acts)
}

fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.len() % 2 == 1 {
        return Err(format!("{hex:?} has an odd number of digits"));
    }
    let text = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    digits.chunks(2).map(|pair| text(pair).ok_or_else(|| format!("{hex:?} is not hexadecimal"))).collect()
}

/// A value as written: TOML stands for itself, and a string holds JSON.
///
/// # Errors
/// When the string holds something else.
pub fn json(value: Value) -> Result<Value, String> {
    match value {
        Value::String(text) => serde_json::from_str(&text).map_err(|error| format!("{text:?} is not JSON: {error}")),
        value => Ok(value),
    }
}

/// Reads a value in which a string holds JSON.
pub(crate) fn json_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    json(Value::deserialize(deserializer)?).map(Some).map_err(serde::de::Error::custom)
}

/// Reads a table of values in which a string holds JSON.
pub(crate) fn json_map<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
    let map = match json(Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)? {
        Value::Object(map) => map,
        other => return Err(serde::de::Error::custom(format!("{other} is no table"))),
    };
    map.into_iter()
        .map(|(key, value)| Ok((key, json(value)?)))
        .collect::<Result<_, String>>()
        .map_err(serde::de::Error::custom)
}

/// Reads a table of values in which a string holds JSON.
pub(crate) fn json_map_option<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    json_map(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Vec<Act>, String> {
        let script: Script = toml::from_str(text).map_err(|error| error.to_string())?;
        Ok(script.steps.into_iter().map(|step| step.act).collect())
    }

    #[test]
    fn json_may_be_written_as_toml_or_as_text() {
        let asks = |text: &str| match check(text).unwrap().remove(0) {
            Act::Ask(round) => Value::Object(round.asks),
            other => panic!("{other:?}"),
        };
        let written = asks("[[step]]\nask.a = { method = \"roots/list\" }");
        assert_eq!(written, asks("[[step]]\nask.a = '{\"method\":\"roots/list\"}'"));
        assert_eq!(written, asks("[[step]]\nask = '{\"a\":{\"method\":\"roots/list\"}}'"));
    }

    #[test]
    fn a_step_does_one_thing() {
        assert!(check("[[step]]\nonly = \"modern\"").unwrap_err().contains("does nothing"));
        assert!(check("[[step]]\nexit = 1\nwait = 2").unwrap_err().contains("more than one"));
        assert!(check("[[step]]\nexit = 1\nstate = \"x\"").unwrap_err().contains("go with ask"));
        assert!(check("[[step]]\nexxit = 1").unwrap_err().contains("exxit"));
    }

    #[test]
    fn bytes_may_be_written_in_hexadecimal() {
        assert_eq!(check("[[step]]\nsay_hex = \"c4e3 0a\"\nend = \"\"").unwrap(), [Act::Say(vec![0xc4, 0xe3, 0x0a])]);
        assert!(check("[[step]]\nsay_hex = \"c4e\"").is_err());
    }
}
