//! Holds the conversation of a scenario: the real binary, a scripted server as a real process or on a real socket, a person at a real
//! terminal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::fault_proxy::Faults;
use crate::http::listener::HttpServer;
use crate::process;
use crate::record::{Record, Recorder};
use crate::scenario::{PersonStep, Scenario, TerminalText, Transport};
use crate::script::Era;
use crate::stdio_server::ROLE;
use crate::terminal::{Ended, Session, section};
use crate::verdict::differences;

/// The longest that a run may take.
const WHOLE: Duration = Duration::from_secs(25);
/// The longest that the person waits for anything.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long after the binary its servers may still take to end.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// One scenario in one revision over one transport.
pub struct Trial {
    /// Unique, and with the cases in it.
    pub name: String,
    scenario: std::sync::Arc<Scenario>,
    revision: String,
    transport: Transport,
}

/// The programs that take part.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The `askback` binary.
    pub askback: PathBuf,
    /// A program that calls [`crate::stdio_server::run_if_asked`].
    pub server: PathBuf,
}

/// A run's own folders, away from the user's.
pub struct Surroundings {
    folder: tempfile::TempDir,
}

impl Surroundings {
    /// Makes new ones.
    ///
    /// # Errors
    /// When folders cannot be made.
    pub fn new() -> std::io::Result<Surroundings> {
        let folder = tempfile::Builder::new().prefix("askback-test-").tempdir()?;
        for name in ["home", "state", "config", "work"] {
            std::fs::create_dir(folder.path().join(name))?;
        }
        Ok(Surroundings { folder })
    }

    /// A file or folder in them.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The working directory.
    pub fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// A browser that writes down where it is sent and ends with this exit code.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn browser(&self, code: u8) -> std::io::Result<PathBuf> {
        use std::os::unix::fs::OpenOptionsExt;
        let path = self.path("browser");
        let script = format!("#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\nexit {code}\n", self.path("opened").display());
        let mut file = std::fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o755).open(&path)?;
        std::io::Write::write_all(&mut file, script.as_bytes())?;
        Ok(path)
    }

    /// Where the browser was sent.
    pub fn opened(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("opened")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A command that runs here and sees nothing of the user's own configuration and state.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.work());
        for name in ["PATH", "LD_LIBRARY_PATH", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.path("home"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8");
        command
    }
}

/// Every scenario of a folder in every revision that it names, over those of these transports that it may run over.
///
/// # Errors
/// The first file that is no scenario.
pub fn trials(folder: &Path, transports: &[Transport]) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for scenario in crate::scenario::read_folder(folder)? {
        let scenario = std::sync::Arc::new(scenario);
        let name = scenario.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for revision in &scenario.revisions {
            for transport in transports.iter().copied().filter(|transport| scenario.runs_over(*transport)) {
                trials.push(Trial {
                    name: format!("{name}::{}::{}", revision.replace('-', "_"), transport.name(revision)),
                    scenario: std::sync::Arc::clone(&scenario),
                    revision: revision.clone(),
                    transport,
                });
            }
        }
    }
    Ok(trials)
}

impl Trial {
    /// Holds the conversation.
    ///
    /// # Errors
    /// Everything that came out otherwise than the scenario expects, in words.
    pub fn run(&self, programs: &Programs) -> Result<(), String> {
        let surroundings = Surroundings::new().map_err(|error| error.to_string())?;
        let record_path = surroundings.path("record.jsonl");
        let outcome = self.converse(programs, &surroundings, &record_path);
        let record = Record::read(&record_path);
        let mut problems = Vec::new();
        let mut seen = String::new();
        match outcome {
            Ok(ended) => {
                let expect = self.scenario.expect(Era::of(&self.revision), self.transport)?;
                problems.extend(differences(&expect, &ended, &record));
                if let Some(opened) = expect.opened.filter(|expected| *expected != surroundings.opened()) {
                    problems.push(format!("the browser was sent to {:?}, not {opened:?}", surroundings.opened()));
                }
                seen = section("standard output", &ended.stdout) + &section("standard error", &ended.stderr);
            }
            Err(problem) => problems.push(problem),
        }
        let left = process::wait_until_ended(&record.process_ids(), AFTERWARDS);
        if !left.is_empty() {
            problems.push(format!("{} of the server's processes are left behind", left.len()));
            left.iter().for_each(|process| process::signal(*process, Signal::SIGKILL));
        }
        if problems.is_empty() {
            return Ok(());
        }
        let problems: String = problems.iter().map(|problem| format!("  * {}\n", problem.trim_end())).collect();
        let lines: Vec<&str> = record.processes.iter().flat_map(|one| &one.lines).map(String::as_str).collect();
        let head = format!(
            "{} ({})\n{}, in {} over {}\n",
            self.scenario.title,
            self.scenario.cases.join(", "),
            self.scenario.file.display(),
            self.revision,
            self.transport.name(&self.revision)
        );
        if self.transport != Transport::Stdio {
            seen = section("the requests were", &record.exchanges.join("\n")) + &seen;
        }
        Err(head + &problems + &section("the server received", &lines.join("\n")) + &seen)
    }

    fn converse(&self, programs: &Programs, surroundings: &Surroundings, record: &Path) -> Result<Ended, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut command = surroundings.command(&programs.askback);
        // The server is stopped, and has noted down everything, when this function returns.
        let listening = match self.transport {
            Transport::Stdio => None,
            Transport::Http | Transport::HttpInPieces => {
                let recorder = Recorder::without_process(record.to_owned());
                let mut script = self.scenario.server.clone();
                if self.transport == Transport::HttpInPieces {
                    script.http.through = Some(Faults::harmless(self.name.bytes().map(u64::from).sum()));
                }
                Some(HttpServer::start(script, &self.revision, recorder).map_err(text)?)
            }
        };
        let url = listening.as_ref().map(|server| server.url.as_str());
        command.args(self.arguments(surroundings, url).map_err(text)?);
        if url.is_none() {
            command.arg("--").arg(&programs.server).arg(ROLE).arg(&self.scenario.file);
            command.args(["--revision", &self.revision, "--record"]).arg(record);
        }
        if let Some(code) = self.scenario.call.browser {
            command.env("BROWSER", surroundings.browser(code).map_err(text)?);
        }
        let mut session = if self.scenario.at_terminal() {
            let TerminalText { rows, columns } =
                self.scenario.terminal.unwrap_or(TerminalText { rows: 40, columns: 100 });
            Session::start_at_terminal(command, rows, columns).map_err(text)?
        } else {
            Session::start(&mut command).map_err(text)?
        };
        for (number, step) in self.scenario.person.iter().enumerate() {
            if let Err(problem) = act(&mut session, step, record) {
                let screen = section("the screen then", &session.screen());
                session.signal(Signal::SIGKILL);
                let heard = session
                    .end(PATIENCE)
                    .map(|ended| section("standard output", &ended.stdout) + &section("standard error", &ended.stderr));
                return Err(format!(
                    "step {} of the person: {problem}\n{screen}{}",
                    number + 1,
                    heard.unwrap_or_default()
                ));
            }
        }
        session.end(WHOLE)
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
