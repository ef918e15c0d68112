//! The books: what was asked, decided, shown and sent, and what must not have happened.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::answer::{Answer, By};
use askback_core::call::{CallId, RoundId, ServerName};
use askback_core::engine::{Decided, Engine, OpenRound, Told, WaitFor};
use askback_host::conductor::Todo;
use askback_wire::to_message;
use serde_json::Value;

/// How the keys begin of asks to visit pages before a call is sent again.
const PAGES: &str = "elicitations[";

/// Something that somebody decided and that has not gone out yet.
#[derive(Debug)]
struct Due {
    server: ServerName,
    calls: Vec<CallId>,
    key: String,
    wire: Value,
    /// Whether it may go out: it was written down that it does, or there is nothing in it to write down.
    written_down: bool,
}

#[derive(Debug, Default)]
struct CallBook {
    /// Request ids on the wire, the last one first in line to be cancelled.
    requests: Vec<u64>,
    finished: bool,
    /// Whether pages were visited, so that it may be sent again as it was.
    may_repeat: bool,
    /// Whether the person wants sent again what was sent last.
    may_resend: bool,
    /// The state and the answers that were sent last.
    last: (Value, Value),
    human: u64,
}

#[derive(Debug)]
struct OpenBook {
    server: ServerName,
    calls: Vec<CallId>,
    untied: bool,
    /// Whether the server waits for what people decide; where it is told nothing, it does not.
    awaited: bool,
}

/// A call that waits for the person's word.
#[derive(Debug)]
struct WaitBook {
    call: CallId,
    resend: bool,
}

#[derive(Debug, Default)]
pub(super) struct Books {
    now: u64,
    calls: BTreeMap<CallId, CallBook>,
    open: BTreeMap<RoundId, OpenBook>,
    waits: BTreeMap<RoundId, WaitBook>,
    due: Vec<Due>,
    states: BTreeSet<String>,
    pub(super) finished: u64,
    pub(super) results: u64,
    pub(super) decided: u64,
    pub(super) resent: u64,
}

/// What the person did in this step, so that nothing else can pass for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Deed {
    pub(super) answer: Option<Answer>,
    pub(super) mutes: bool,
    /// The wait of which they said that the call goes on.
    pub(super) retries: Option<RoundId>,
}

fn wire(answer: &Answer) -> Value {
    match to_message::result(answer) {
        Ok(result) => result,
        Err((code, message)) => serde_json::json!({ "code": code, "message": message }),
    }
}

impl Due {
    fn may_go(&self) -> Result<(), String> {
        if self.written_down { Ok(()) } else { Err(format!("{} was given away and not written down", self.wire)) }
    }
}

impl Books {
    pub(super) fn requested(&mut self, call: CallId) {
        self.calls.insert(call, CallBook::default());
    }

    /// Time goes on before anything else happens.
    pub(super) fn time(&mut self, now: u64) {
        let open = self.open.values().flat_map(|open| open.calls.iter().copied());
        let asked: BTreeSet<CallId> = open.chain(self.waits.values().map(|wait| wait.call)).collect();
        for call in asked {
            if let Some(book) = self.calls.get_mut(&call) {
                book.human += now - self.now;
            }
        }
        self.now = now;
    }

    /// Takes in one step's outcome.
    pub(super) fn done(&mut self, todo: &[Todo], deed: &Deed, muted: &BTreeSet<ServerName>) -> Result<(), String> {
        for one in todo {
            match one {
                Todo::Decided(decided) => self.decided(decided, deed, muted)?,
                Todo::Given(given) => self.given(given)?,
                Todo::Send { server, message } => self.written(server, &message.line)?,
                Todo::Publish(round) => self.published(round)?,
                Todo::Await(wait) => {
                    let resend = matches!(wait.wait_for, WaitFor::Resend(_));
                    if !resend {
                        // A consent to these pages is told to nobody.
                        self.due.retain(|due| due.calls != [wait.call] || !due.key.starts_with(PAGES));
                    }
                    if self.waits.insert(wait.id, WaitBook { call: wait.call, resend }).is_some() {
                        return Err("a call waits twice".into());
                    }
                }
                Todo::Retract { round, .. } => match self.waits.remove(round) {
                    Some(WaitBook { call, resend }) => {
                        let book = self.calls.get_mut(&call).ok_or("a call waited that never began")?;
                        book.may_repeat = !resend;
                        book.may_resend = resend && deed.retries == Some(*round);
                    }
                    None => {
                        self.open.remove(round).ok_or("a round was taken away that was not open")?;
                    }
                },
                Todo::Finished { call, ending } => {
                    let book = self.calls.get_mut(call).ok_or("a call ended that never began")?;
                    if std::mem::replace(&mut book.finished, true) {
                        return Err(format!("call {} ended twice", call.0));
                    }
                    if book.human != ending.human {
                        return Err(format!("people took {} ms, and {} were counted", book.human, ending.human));
                    }
                    for open in self.open.values_mut() {
                        open.calls.retain(|other| other != call);
                    }
                    self.due.retain(|due| due.calls != [*call]);
                    self.finished += 1;
                    self.results += u64::from(ending.outcome.is_ok());
                }
                Todo::AnswerPetition { .. } => return Err("somebody is sent for a leave that nobody wants".to_owned()),
                Todo::Draft { .. } => return Err("a model was put to work that nobody lent".to_owned()),
                Todo::Reconnect { .. }
                | Todo::PageCompleted { .. }
                | Todo::Responded { .. }
                | Todo::Violated { .. }
                | Todo::Progressed { .. }
                | Todo::Working { .. }
                | Todo::Logged { .. }
                | Todo::Listed { .. }
                | Todo::Changed { .. }
                | Todo::Listening { .. }
                | Todo::ListeningEnded { .. } => {}
            }
        }
        Ok(())
    }

    fn decided(&mut self, decided: &Decided, deed: &Deed, muted: &BTreeSet<ServerName>) -> Result<(), String> {
        self.decided += 1;
        if let ([call], true) = (&decided.calls[..], decided.key.starts_with(PAGES)) {
            self.left(*call);
        }
        let by_person = deed.answer.as_ref() == Some(&decided.answer) || deed.mutes || muted.contains(&decided.server);
        let refused = matches!(decided.answer, Answer::Refused(_) | Answer::Cancelled);
        let allowed = match decided.by {
            By::Person => by_person,
            By::Nobody => refused,
            By::Answers => true,
            By::Config => matches!(decided.answer, Answer::Roots(_)),
            By::Policy | By::Model => false,
        };
        if !allowed {
            return Err(format!("{:?} is said to have decided {:?}", decided.by, decided.answer));
        }
        self.due.push(Due {
            server: decided.server.clone(),
            calls: decided.calls.clone(),
            key: decided.key.clone(),
            wire: wire(&decided.answer),
            written_down: !decided.answer.tells(),
        });
        Ok(())
    }

    /// An answer is written down as given away.
    fn given(&mut self, given: &Decided) -> Result<(), String> {
        let wire = wire(&given.answer);
        let mut due = self.due.iter_mut().filter(|due| due.server == given.server && due.calls == given.calls);
        let due = due.find(|due| !due.written_down && due.key == given.key && due.wire == wire);
        due.ok_or_else(|| format!("{wire} is said to be given, which nobody decided"))?.written_down = true;
        Ok(())
    }

    fn written(&mut self, server: &ServerName, line: &str) -> Result<(), String> {
        let message: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        match message.get("method").and_then(Value::as_str) {
            Some("tools/call") => self.sent(server, &message),
            Some("notifications/cancelled") => {
                let id = message["params"]["requestId"].as_u64();
                let of = self.calls.values().find(|book| !book.finished && book.requests.last().copied() == id);
                of.map(|_| ()).ok_or_else(|| "a cancel of a request that is not in flight".into())
            }
            Some(method) => Err(format!("wrote {method}")),
            None => {
                let outcome = message.get("result").or(message.get("error")).ok_or("a response with nothing in it")?;
                let decided = self.due.iter().position(|due| due.server == *server && due.wire == *outcome);
                let at = decided.ok_or_else(|| format!("sent {outcome}, which nobody decided"))?;
                self.due.remove(at).may_go()
            }
        }
    }

    fn sent(&mut self, server: &ServerName, message: &Value) -> Result<(), String> {
        let params = &message["params"];
        let call = CallId(params["arguments"]["call"].as_u64().ok_or("the arguments were lost")?);
        let book = self.calls.get_mut(&call).ok_or("a call was sent that nobody asked for")?;
        if book.finished {
            return Err(format!("call {} was sent after its end", call.0));
        }
        let state = params.get("requestState").and_then(Value::as_str);
        let this = (params["requestState"].clone(), params["inputResponses"].clone());
        let may_resend = std::mem::take(&mut book.may_resend);
        let mut again = false;
        match state {
            None if std::mem::take(&mut book.may_repeat) => {}
            None if !book.requests.is_empty() => return Err(format!("call {} was run a second time", call.0)),
            None => {}
            Some(state) if !self.states.insert(format!("{}:{state}", server.as_str())) => {
                if !may_resend {
                    return Err(format!("the state {state:?} was sent twice"));
                }
                if this != book.last {
                    return Err(format!("sent {this:?}, where {:?} was kept", book.last));
                }
                again = true;
                self.resent += 1;
            }
            Some(_) => {}
        }
        book.last = this;
        book.requests.push(message["id"].as_u64().ok_or("a request without an id")?);
        if again {
            return Ok(());
        }
        for (key, response) in params["inputResponses"].as_object().into_iter().flatten() {
            let decided =
                self.due.iter().position(|due| due.calls == [call] && due.key == *key && due.wire == *response);
            let at = decided.ok_or_else(|| format!("sent {response} for {key:?}, which nobody decided"))?;
            self.due.remove(at).may_go()?;
        }
        Ok(())
    }

    /// The request of a call was refused for want of a visit to pages: what was asked while it was in flight is another call's now.
    fn left(&mut self, call: CallId) {
        for open in self.open.values_mut().filter(|open| open.awaited && open.calls.len() > 1) {
            open.calls.retain(|other| *other != call);
        }
    }

    fn published(&mut self, round: &OpenRound) -> Result<(), String> {
        if let ([call], Told::Nothing) = (&round.calls[..], round.told) {
            self.left(*call);
        }
        let open = OpenBook {
            server: round.server.clone(),
            calls: round.calls.clone(),
            untied: round.calls.is_empty(),
            awaited: round.told != Told::Nothing,
        };
        match self.open.insert(round.id, open) {
            None => Ok(()),
            Some(_) => Err("a round was published twice".into()),
        }
    }

    /// What must be true between two steps.
    pub(super) fn hold(&self, engine: &Engine, legacy_and_down: &[ServerName]) -> Result<(), String> {
        let shown: Vec<RoundId> = self.open.keys().copied().collect();
        let open: Vec<RoundId> = engine.open_rounds().map(|round| round.id).collect();
        if shown != open {
            return Err(format!("people see {shown:?}, open are {open:?}"));
        }
        let waiting: Vec<RoundId> = engine.waits().map(|wait| wait.id).collect();
        if self.waits.keys().copied().collect::<Vec<_>>() != waiting {
            return Err(format!("people wait with {:?}, the engine with {waiting:?}", self.waits));
        }
        for (id, round) in &self.open {
            if round.calls.is_empty() && !round.untied {
                return Err(format!("{id:?} is open though its calls have ended"));
            }
            if round.awaited && legacy_and_down.contains(&round.server) {
                return Err(format!("{id:?} is open though its server is gone"));
            }
        }
        for (call, book) in &self.calls {
            if book.finished != engine.operation(*call).is_none() {
                return Err(format!("call {} is kept or forgotten wrongly", call.0));
            }
            let asked = self.open.values().any(|open| open.calls.contains(call))
                || self.waits.values().any(|wait| wait.call == *call);
            if !book.finished && !asked && engine.next_deadline().is_none() {
                return Err(format!("call {} waits for nothing", call.0));
            }
        }
        Ok(())
    }

    pub(super) fn unfinished(&self) -> Vec<CallId> {
        self.calls.iter().filter(|(_, book)| !book.finished).map(|(call, _)| *call).collect()
    }
}
