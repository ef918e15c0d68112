//! Everything around the conductor: the clock, the network, the servers and the person.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use askback_core::answer::{Answer, By, Refusal};
use askback_core::answer_file::AnswerBook;
use askback_core::ask::{Ask, AskBody};
use askback_core::call::{CallId, Operation, ServerName, TimeLimits};
use askback_core::engine::{Rules, Undelivered, Wait, WaitFor};
use askback_core::roots::{Root, RootOffer, RootOrigin};
use askback_core::sampling::{ReplyContent, SamplingReply};
use askback_host::conductor::{Arrived, Conductor, Todo};
use askback_wire::framing::Frame;
use askback_wire::{Channel, Declared, Era, Revision, Session, incoming};
use serde_json::{Map, json};

use super::Report;
use super::books::{Books, Deed};
use super::server::Server;
use crate::dice::Dice;

/// How many things happen before everything is brought to its end.
const STEPS: u64 = 250;
/// How many more it may take until everything has ended.
const PATIENCE: u64 = 20_000;

/// A line on its way.
struct Packet {
    at: u64,
    to_client: bool,
    server: ServerName,
    process: u64,
    line: String,
}

struct Process {
    server: Server,
    number: u64,
    up: bool,
    /// When it is back, or known not to come back, if it is being started again.
    starting: Option<u64>,
}

pub(super) struct World {
    dice: Dice,
    now: u64,
    conductor: Conductor,
    books: Books,
    servers: BTreeMap<ServerName, Process>,
    network: Vec<Packet>,
    muted: BTreeSet<ServerName>,
    faulty: bool,
    /// Whether requests to the modern server fail on the way, as they do over HTTP, and the last of those that were sent.
    failing: Option<Dice>,
    requests: VecDeque<u64>,
    next_call: u64,
    report: Report,
    conversation: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64) -> World {
        let mut dice = Dice::new(seed);
        let mut answers = AnswerBook::default();
        let entries = [
            "[[answer]]\nkind = \"url\"\naction = \"decline\"\ntimes = 0",
            "[[answer]]\nkind = \"sampling\"\nreply = \"7\"\ntimes = 2",
            "[[answer]]\nkind = \"form\"\naction = \"accept\"\ncontent = { name = \"Ada\" }\ntimes = 3",
            "[[answer]]\ntool = \"b*\"\nround = 2\naction = \"cancel\"\ntimes = 0",
            "[[answer]]\nkind = \"form\"\naction = \"accept\"\ncontent = { name = 7 }",
        ];
        for entry in entries {
            if dice.percent(20) {
                answers.add("simulated.toml", entry).expect("the entries are valid");
            }
        }
        let names = ["old", "new", "other"];
        let roots = BTreeMap::from([(
            ServerName::new("old"),
            vec![RootOffer::agreed(Root { uri: "file:///w".into(), name: None }, RootOrigin::Config)],
        )]);
        let rounds = if dice.percent(30) { 3 } else { 50 };
        let rules = Rules { person: dice.percent(80), roots, rounds, answers, ..Rules::default() };
        let revisions = [Revision::V2025_11_25, Revision::V2026_07_28, Revision::V2025_11_25];
        let servers = names.into_iter().zip(revisions).map(|(name, revision)| {
            let process = Process { server: Server::new(revision), number: 0, up: false, starting: None };
            (ServerName::new(name), process)
        });
        World {
            now: 0,
            conductor: Conductor::new(rules),
            books: Books::default(),
            servers: servers.collect(),
            network: Vec::new(),
            muted: BTreeSet::new(),
            faulty: dice.percent(70),
            // With dice of its own, and in every third run only, so that the other seeds stay the runs that they were.
            failing: seed.is_multiple_of(3).then(|| Dice::new(seed)),
            requests: VecDeque::new(),
            next_call: 1,
            report: Report::default(),
            conversation: Vec::new(),
            dice,
        }
    }

    pub(super) fn report(&self) -> Report {
        let Books { finished, results, decided, resent, .. } = self.books;
        Report { calls: finished, results, decided, resent, ..self.report }
    }

    pub(super) fn conversation(&self) -> Vec<String> {
        self.conversation.clone()
    }

    pub(super) fn run(&mut self) -> Result<(), String> {
        for name in self.names() {
            self.connect(&name)?;
        }
        self.call()?;
        for _ in 0..STEPS {
            self.something_happens()?;
        }
        self.bring_to_an_end()
    }

    fn names(&self) -> Vec<ServerName> {
        self.servers.keys().cloned().collect()
    }

    fn something_happens(&mut self) -> Result<(), String> {
        if self.failing.as_mut().is_some_and(|dice| dice.percent(4)) {
            return self.request_fails();
        }
        match self.dice.below(100) {
            0..42 => self.deliver(),
            42..72 => self.server_speaks(),
            72..91 => self.person_acts(),
            91..93 => self.tick(),
            93 if self.dice.percent(40) => {
                self.now += self.dice.below(200_000);
                self.say("the clock jumps");
                self.tick_now()
            }
            94 if self.dice.percent(60) => self.server_dies(),
            95 => self.person_stops(),
            96..98 => self.call(),
            _ => self.time_goes_on(),
        }
    }

    /// A request to the modern server gets no answer, and that is known; or it had one already, and nothing must come of that.
    fn request_fails(&mut self) -> Result<(), String> {
        let Some(id) = self.requests.pop_back() else { return Ok(()) };
        let may_have_acted = id % 2 == 0;
        self.report.faults += 1;
        let undelivered = Undelivered { detail: "the connection was closed".into(), may_have_acted };
        let server = ServerName::new("new");
        self.arrived(format!("request {id} fails"), Arrived::Undelivered { server, id, undelivered }, Deed::default())
    }

    /// No more faults and no more calls: the person answers everything, servers finish, deadlines are met.
    fn bring_to_an_end(&mut self) -> Result<(), String> {
        self.faulty = false;
        for _ in 0..PATIENCE {
            if self.books.unfinished().is_empty() {
                return match self.conductor.engine().next_deadline() {
                    None => Ok(()),
                    Some(due) => Err(format!("nothing goes on, and yet something is due at {due}")),
                };
            }
            match self.dice.below(10) {
                0..4 => self.deliver()?,
                4..7 => self.server_speaks()?,
                7..9 => self.person_acts()?,
                _ => self.tick()?,
            }
        }
        Err(format!("{:?} never ended", self.books.unfinished()))
    }

    fn say(&mut self, what: &str) {
        self.conversation.push(format!("{:>7} {what}", self.now));
    }

    /// Gives an input to the conductor and sees to what comes of it.
    fn arrived(&mut self, what: String, arrived: Arrived, deed: Deed) -> Result<(), String> {
        self.say(&format!("> {what}"));
        self.report.steps += 1;
        self.books.time(self.now);
        let todo = self.conductor.handle(self.now, arrived);
        for one in &todo {
            self.say(&format!("    < {one:?}"));
        }
        self.books.done(&todo, &deed, &self.muted)?;
        for one in todo {
            match one {
                Todo::Send { server, message } => self.post(false, server, message.line),
                Todo::Reconnect { server } => {
                    let at = self.now + 100 + self.dice.below(5_000);
                    if let Some(process) = self.servers.get_mut(&server) {
                        if process.up || process.starting.is_some() {
                            return Err(format!("{server} is to be started twice"));
                        }
                        process.starting = Some(at);
                    }
                }
                _ => {}
            }
        }
        let down = |(_, process): &(&ServerName, &Process)| !process.up && process.server.revision.era() == Era::Legacy;
        let down: Vec<ServerName> = self.servers.iter().filter(down).map(|(name, _)| name.clone()).collect();
        self.books.hold(self.conductor.engine(), &down)
    }

    fn post(&mut self, to_client: bool, server: ServerName, line: String) {
        let Some(process) = self.servers.get_mut(&server) else { return };
        if !process.up {
            return;
        }
        if !to_client && process.server.revision.era() == Era::Modern {
            let message: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            self.requests.extend(message["id"].as_u64());
        }
        let mut copies = 1;
        let mut delay = self.dice.below(50);
        if self.faulty && self.dice.percent(3) {
            copies = 0;
        } else if self.faulty && self.dice.percent(3) {
            copies = 2;
            if !to_client {
                process.server.doubling(&line);
            } else if let Ok(message) = serde_json::from_str::<serde_json::Value>(&line)
                && message.get("method").is_some()
                && let Some(sent) = message["id"].as_u64().and_then(|id| process.server.sent.get_mut(&id))
            {
                *sent += 1;
            }
        } else if self.faulty && self.dice.percent(5) {
            delay = self.dice.below(30_000);
        } else {
            copies = 1;
        }
        self.report.faults += u64::from(copies != 1 || delay >= 50);
        for _ in 0..copies {
            let at = self.now + delay;
            self.network.push(Packet {
                at,
                to_client,
                server: server.clone(),
                process: process.number,
                line: line.clone(),
            });
        }
    }

    /// The next line arrives; time goes on until it does.
    fn deliver(&mut self) -> Result<(), String> {
        let starting = self.servers.values().filter_map(|process| process.starting).min();
        let next = (0..self.network.len()).min_by_key(|index| self.network[*index].at);
        if let Some(at) = starting
            && next.is_none_or(|index| at <= self.network[index].at)
        {
            return self.start_again(at);
        }
        let Some(index) = next else { return self.time_goes_on() };
        let Packet { at, to_client, server, process: number, line } = self.network.remove(index);
        self.now = self.now.max(at);
        let Some(process) = self.servers.get_mut(&server) else { return Ok(()) };
        if !process.up || process.number != number {
            return Ok(());
        }
        if to_client {
            let incoming = incoming::read(Frame::Line(line.clone()));
            return self.arrived(
                format!("{server} writes {line}"),
                Arrived::Received { server, incoming, channel: Channel::Shared },
                Deed::default(),
            );
        }
        for reply in process.server.received(&line, &mut self.dice)? {
            self.post(true, server.clone(), reply);
        }
        Ok(())
    }

    fn start_again(&mut self, at: u64) -> Result<(), String> {
        self.now = self.now.max(at);
        let found = self.servers.iter_mut().find(|(_, process)| process.starting == Some(at));
        let Some((name, process)) = found else { return Ok(()) };
        let name = name.clone();
        process.starting = None;
        if self.faulty && self.dice.percent(20) {
            let arrived = Arrived::Disconnected { server: name.clone(), detail: "it does not start".into() };
            return self.arrived(format!("{name} does not start"), arrived, Deed::default());
        }
        self.connect(&name)
    }

    fn connect(&mut self, name: &ServerName) -> Result<(), String> {
        let Some(process) = self.servers.get_mut(name) else { return Ok(()) };
        process.up = true;
        process.number += 1;
        process.server.restart();
        let all = Declared {
            form: true,
            url: true,
            sampling: true,
            sampling_tools: true,
            sampling_context: false,
            roots: true,
        };
        let session = Session::new(process.server.revision, all, json!({ "name": "simulated", "version": "0" }), 2);
        let arrived = Arrived::Connected { server: name.clone(), session: Box::new(session), early: Vec::new() };
        self.arrived(format!("{name} is connected"), arrived, Deed::default())
    }

    fn server_speaks(&mut self) -> Result<(), String> {
        let names = self.names();
        let Some(name) = self.dice.one(&names).cloned() else { return Ok(()) };
        let Some(process) = self.servers.get_mut(&name).filter(|process| process.up) else { return Ok(()) };
        if let Some(line) = process.server.speak(&mut self.dice) {
            self.post(true, name, line);
        }
        Ok(())
    }

    fn server_dies(&mut self) -> Result<(), String> {
        let names = self.names();
        let Some(name) = self.dice.one(&names).cloned() else { return Ok(()) };
        let Some(process) = self.servers.get_mut(&name).filter(|process| process.up) else { return Ok(()) };
        process.up = false;
        self.report.faults += 1;
        let arrived = Arrived::Disconnected { server: name.clone(), detail: "it died".into() };
        self.arrived(format!("{name} dies"), arrived, Deed::default())
    }

    fn tick(&mut self) -> Result<(), String> {
        if let Some(due) = self.conductor.engine().next_deadline() {
            self.now = self.now.max(due);
        }
        self.tick_now()
    }

    fn tick_now(&mut self) -> Result<(), String> {
        self.arrived("time passed".into(), Arrived::Ticked, Deed::default())?;
        match self.conductor.engine().next_deadline() {
            Some(due) if due <= self.now => Err(format!("{due} stays due")),
            _ => Ok(()),
        }
    }

    fn time_goes_on(&mut self) -> Result<(), String> {
        self.now += self.dice.below(500);
        Ok(())
    }

    fn call(&mut self) -> Result<(), String> {
        let names = self.names();
        let Some(server) = self.dice.one(&names).cloned() else { return Ok(()) };
        let call = CallId(self.next_call);
        self.next_call += 1;
        let tool = if self.dice.percent(50) { "book" } else { "pay" };
        let arguments = Map::from_iter([("call".to_owned(), json!(call.0))]);
        let operation = Operation::Tool { name: tool.into(), arguments };
        let budget = self.dice.percent(30).then(|| Duration::from_millis(1_000 + self.dice.below(60_000)));
        let limits = TimeLimits { leg: Duration::from_millis(2_000 + self.dice.below(60_000)), budget };
        self.books.requested(call);
        let what = format!("call {} of {server}, {limits:?}", call.0);
        self.arrived(what, Arrived::CallRequested { call, server, operation, limits }, Deed::default())
    }

    fn person_stops(&mut self) -> Result<(), String> {
        if self.dice.percent(20) {
            let names = self.names();
            let Some(server) = self.dice.one(&names).cloned() else { return Ok(()) };
            self.muted.insert(server.clone());
            let deed = Deed { mutes: true, ..Deed::default() };
            return self.arrived(format!("{server} is muted"), Arrived::Muted { server }, deed);
        }
        let call = CallId(1 + self.dice.below(self.next_call));
        self.arrived(format!("call {} is stopped", call.0), Arrived::Stopped { call }, Deed::default())
    }

    fn person_acts(&mut self) -> Result<(), String> {
        let waits: Vec<Wait> = self.conductor.engine().waits().collect();
        if self.dice.percent(30)
            && let Some(wait) = self.dice.one(&waits)
        {
            let (id, again) = (wait.id, self.dice.percent(80));
            if !again {
                return self.arrived(format!("{id:?} is given up"), Arrived::GaveUp { wait: id }, Deed::default());
            }
            if matches!(wait.wait_for, WaitFor::Resend(_))
                && let Some(process) = self.servers.get_mut(&wait.server)
            {
                process.server.resending(wait.call.0);
            }
            let deed = Deed { retries: Some(id), ..Deed::default() };
            return self.arrived(format!("{id:?} is tried again"), Arrived::Retried { wait: id }, deed);
        }
        let open: Vec<_> = self.conductor.engine().open_rounds().collect();
        let Some(round) = self.dice.one(&open) else { return self.time_goes_on() };
        let Some((index, ask)) = self.dice.one(&round.asks) else { return Ok(()) };
        let answer = answer(&mut self.dice, ask);
        let (round, index) = (round.id, *index);
        let fits = self.conductor.check_answer(round, index, &answer).is_ok();
        // Two faces may answer at the same time; only the first is heard.
        for _ in 0..=u64::from(self.dice.percent(10)) {
            let deed = Deed { answer: Some(answer.clone()), ..Deed::default() };
            let arrived = Arrived::Answered { round, index, answer: answer.clone(), by: By::Person };
            self.arrived(format!("{round:?}.{index} is answered {answer:?}"), arrived, deed)?;
        }
        match (fits, self.conductor.check_answer(round, index, &answer)) {
            (true, Ok(())) => Err("an answer that was taken would be taken again".into()),
            _ => Ok(()),
        }
    }
}

fn answer(dice: &mut Dice, ask: &Ask) -> Answer {
    let good = match &ask.body {
        AskBody::Form(_) => Answer::Submitted { content: Map::from_iter([("name".to_owned(), json!("Ada"))]) },
        AskBody::Url(_) => Answer::Consented,
        AskBody::Sampling(_) => Answer::Sampled(Box::new(SamplingReply {
            content: vec![ReplyContent::Text("Take flight 7.".into())],
            model: "manual".into(),
            stop_reason: Some("endTurn".into()),
        })),
        AskBody::Roots => Answer::Roots(Vec::new()),
    };
    match dice.below(10) {
        0 => Answer::Declined { reason: Some("no".into()) },
        1 => Answer::Cancelled,
        2 => Answer::Refused(Refusal::ByPerson { reason: None }),
        3 => Answer::Submitted { content: Map::new() },
        _ => good,
    }
}
