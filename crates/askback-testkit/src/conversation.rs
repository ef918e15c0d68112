//! Holds one conversation: the real binary, a scripted server as a real process or on a real socket, a person at a real terminal.
//!
//! Owns what is started and typed, and gathers what came of it. Knows nothing of whether that is right.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::fault_proxy::traffic::Traffic;
use crate::http::listener::HttpServer;
use crate::process;
use crate::record::{Record, Recorder};
use crate::run::Programs;
use crate::scenario::{Expect, PersonStep, Scenario, TerminalText};
use crate::script::Script;
use crate::stdio_server::ROLE;
use crate::surroundings::Surroundings;
use crate::terminal::{Ended, Session, section};
use crate::verdict::differences;

/// The longest that a run may take.
const WHOLE: Duration = Duration::from_secs(25);
/// The longest that the person waits for anything.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long after the binary its servers may still take to end.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// A conversation to be held.
pub(crate) struct Conversation<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) scenario: &'a Scenario,
    pub(crate) revision: &'a str,
    /// What the server does on a socket; nothing when it is a process, which reads the scenario itself.
    pub(crate) on_a_socket: Option<Script>,
    /// Options of the command besides those of the scenario.
    pub(crate) options: &'a [&'a str],
}

/// What came of a conversation.
pub(crate) struct Held {
    /// What is left of the binary, or which step of the person could not be done.
    pub(crate) outcome: Result<Ended, String>,
    pub(crate) record: Record,
    /// Where the browser was sent.
    pub(crate) opened: Vec<String>,
    /// What passed between the two, where something stood between them.
    pub(crate) traffic: Traffic,
    /// How many processes were left behind. They have been ended since.
    pub(crate) left: usize,
    pub(crate) took: Duration,
    is_over_http: bool,
}

impl Held {
    /// Everything that came out otherwise than expected, in words.
    pub(crate) fn differences(&self, expect: &Expect) -> Vec<String> {
        let mut problems = match &self.outcome {
            Ok(ended) => differences(expect, ended, &self.record),
            Err(problem) => vec![problem.clone()],
        };
        if let Some(opened) = expect.opened.as_ref().filter(|expected| **expected != self.opened) {
            problems.push(format!("the browser was sent to {:?}, not {opened:?}", self.opened));
        }
        if self.left > 0 {
            problems.push(format!("{} of the server's processes are left behind", self.left));
        }
        problems
    }

    /// What was to be seen, for whom something came out wrong.
    pub(crate) fn told(&self) -> String {
        let lines: Vec<&str> = self.record.processes.iter().flat_map(|one| &one.lines).map(String::as_str).collect();
        let mut told = section("the server received", &lines.join("\n"));
        if self.is_over_http {
            told += &section("the requests were", &self.record.exchanges.join("\n"));
        }
        if let Ok(ended) = &self.outcome {
            told += &section("standard output", &ended.stdout);
            told += &section("standard error", &ended.stderr);
        }
        told
    }
}

impl Conversation<'_> {
    /// Holds it.
    ///
    /// # Errors
    /// When something cannot be started.
    pub(crate) fn hold(&self) -> io::Result<Held> {
        let surroundings = Surroundings::new()?;
        let record_path = surroundings.path("record.jsonl");
        let listening = match &self.on_a_socket {
            Some(script) => {
                let recorder = Recorder::without_process(record_path.clone());
                Some(HttpServer::start(script.clone(), self.revision, recorder)?)
            }
            None => None,
        };
        let url = listening.as_ref().map(|server| server.url.as_str());
        let began = Instant::now();
        let outcome = self.converse(&surroundings, url, &record_path)?;
        let took = began.elapsed();
        let traffic = listening.as_ref().map(|server| server.traffic.clone()).unwrap_or_default();
        // Once the server is stopped it has noted down everything.
        drop(listening);
        let record = Record::read(&record_path);
        let left = process::wait_until_ended(&record.process_ids(), AFTERWARDS);
        left.iter().for_each(|process| process::signal(*process, Signal::SIGKILL));
        let is_over_http = self.on_a_socket.is_some();
        Ok(Held { outcome, record, opened: surroundings.opened(), traffic, left: left.len(), took, is_over_http })
    }

    fn converse(
        &self,
        surroundings: &Surroundings,
        url: Option<&str>,
        record: &Path,
    ) -> io::Result<Result<Ended, String>> {
        let mut command = surroundings.command(&self.programs.askback);
        command.args(self.arguments(surroundings, url)?);
        if url.is_none() {
            command.arg("--").arg(&self.programs.server).arg(ROLE).arg(&self.scenario.file);
            command.args(["--revision", self.revision, "--record"]).arg(record);
        }
        if let Some(code) = self.scenario.call.browser {
            command.env("BROWSER", surroundings.browser(code)?);
        }
        let mut session = if self.scenario.at_terminal() {
            let TerminalText { rows, columns } =
                self.scenario.terminal.unwrap_or(TerminalText { rows: 40, columns: 100 });
            Session::start_at_terminal(command, rows, columns)?
        } else {
            Session::start(&mut command)?
        };
        for (number, step) in self.scenario.person.iter().enumerate() {
            if let Err(problem) = act(&mut session, step, record) {
                let screen = section("the screen then", &session.screen());
                session.signal(Signal::SIGKILL);
                let heard = session
                    .end(PATIENCE)
                    .map(|ended| section("standard output", &ended.stdout) + &section("standard error", &ended.stderr));
                return Ok(Err(format!(
                    "step {} of the person: {problem}\n{screen}{}",
                    number + 1,
                    heard.unwrap_or_default()
                )));
            }
        }
        Ok(session.end(WHOLE))
    }

    fn arguments(&self, surroundings: &Surroundings, url: Option<&str>) -> std::io::Result<Vec<OsString>> {
        let call = &self.scenario.call;
        let mut arguments: Vec<OsString> = Vec::new();
        let verbs = [("call", &call.tool), ("prompt", &call.prompt), ("read", &call.resource)];
        match verbs.into_iter().find_map(|(verb, subject)| Some((verb, subject.as_ref()?))) {
            Some((verb, subject)) => {
                arguments.push(verb.into());
                arguments.extend(url.map(OsString::from));
                arguments.push(subject.into());
            }
            None => {
                arguments.push("list".into());
                arguments.extend(url.map(OsString::from));
            }
        }
        match &call.arguments {
            Some(Value::Object(given)) if call.prompt.is_some() => {
                let word =
                    |(key, value): (&String, &Value)| format!("{key}={}", value.as_str().unwrap_or_default()).into();
                arguments.extend(given.iter().map(word));
            }
            Some(given) => arguments.extend(["--args".into(), given.to_string().into()]),
            None => {}
        }
        arguments.extend(["--as".into(), "scripted".into(), "--json".into()]);
        if !self.scenario.answer.is_empty() {
            let entries = self.scenario.answer.iter().cloned().map(toml::Value::Table).collect();
            let file = toml::Table::from_iter([("answer".to_owned(), toml::Value::Array(entries))]);
            std::fs::write(surroundings.path("answers.toml"), file.to_string())?;
            arguments.extend(["--answers".into(), surroundings.path("answers.toml").into()]);
        }
        if !self.scenario.config.is_empty() {
            std::fs::write(surroundings.work().join("askback.toml"), self.scenario.config.to_string())?;
        }
        for root in &call.roots {
            arguments.extend(["--root".into(), root.into()]);
        }
        arguments.extend(call.options.iter().map(OsString::from));
        arguments.extend(self.options.iter().map(OsString::from));
        Ok(arguments)
    }
}

/// The person waits for what the step waits for, and does what it says.
fn act(session: &mut Session, step: &PersonStep, record: &Path) -> Result<(), String> {
    if let Some(text) = &step.sees {
        session.wait_until(&format!("{text:?} on the screen"), PATIENCE, |session| session.screen().contains(text))?;
    }
    if let Some(method) = &step.sent {
        let came = |_: &Session| Record::read(record).methods().contains(method);
        session.wait_until(&format!("{method} to be sent"), PATIENCE, came)?;
    }
    if let Some(key) = &step.answered {
        let came = |_: &Session| Record::read(record).answers.iter().any(|(answered, _)| answered == key);
        session.wait_until(&format!("the answer to {key:?}"), PATIENCE, came)?;
    }
    if let Some(milliseconds) = step.thinks {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }
    if let Some(text) = step.lacks.as_ref().filter(|text| session.screen().contains(*text)) {
        return Err(format!("the screen shows {text:?}"));
    }
    if let Some(keys) = &step.presses {
        session.press(keys)?;
    }
    if step.hangs_up {
        session.hang_up();
    }
    match step.signals.as_deref() {
        None => {}
        Some("INT") => session.signal(Signal::SIGINT),
        Some("TERM") => session.signal(Signal::SIGTERM),
        Some("HUP") => session.signal(Signal::SIGHUP),
        Some(other) => return Err(format!("no signal is called {other:?}")),
    }
    Ok(())
}
