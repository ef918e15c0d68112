//! Runs of the binary by hand, where a scenario does not do: with other servers than scripted ones, or more than once.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use askback_testkit::peers::Reach;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::{Ended, Session};
use serde_json::Value;

/// The longest that a run may take.
pub(crate) const WHOLE: Duration = Duration::from_secs(25);

/// The binary.
pub(crate) fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_askback"))
}

/// A run to be made.
pub(crate) struct Run<'a> {
    surroundings: &'a Surroundings,
    words: Vec<String>,
    server: Vec<String>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    /// The JSON document on standard output; null if there is none.
    pub(crate) document: Value,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl<'a> Run<'a> {
    /// `askback WORDS… --json`
    pub(crate) fn new(surroundings: &'a Surroundings, words: &[&str]) -> Run<'a> {
        let words = words.iter().map(|word| (*word).to_owned()).chain(["--json".to_owned()]).collect();
        Run { surroundings, words, server: Vec::new() }
    }

    /// Adds the answer file with this text.
    pub(crate) fn answers(mut self, text: &str) -> Run<'a> {
        let path = self.surroundings.path("answers.toml");
        std::fs::write(&path, text).expect("the answer file can be written");
        self.words.extend(["--answers".to_owned(), path.display().to_string()]);
        self
    }

    /// Adds an option.
    pub(crate) fn option(mut self, words: &[&str]) -> Run<'a> {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Starts this server.
    pub(crate) fn server(mut self, command: &[String]) -> Run<'a> {
        self.server = command.to_vec();
        self
    }

    /// Talks to this peer: over stdio it is started, over HTTP its address stands before the first argument.
    pub(crate) fn peer(mut self, reach: &Reach) -> Run<'a> {
        match reach {
            Reach::Command(command) => self.server = command.clone(),
            Reach::Served(served) => self.words.insert(1, served.address.clone()),
        }
        self
    }

    fn command(&self) -> Command {
        let mut command = self.surroundings.command(&binary());
        command.args(&self.words);
        if !self.server.is_empty() {
            command.arg("--").args(&self.server);
        }
        command
    }

    /// Runs it with nobody there.
    pub(crate) fn go(self) -> Outcome {
        let session = Session::start(&mut self.command()).expect("the binary starts");
        Outcome::of(session.end(WHOLE))
    }

    /// Starts it with nobody there.
    pub(crate) fn start(self) -> Session {
        Session::start(&mut self.command()).expect("the binary starts")
    }

    /// Starts it with a person at a terminal.
    pub(crate) fn start_at_terminal(self, rows: u16, columns: u16) -> Session {
        Session::start_at_terminal(self.command(), rows, columns).expect("the binary starts")
    }
}

impl Outcome {
    /// What is left of a run.
    #[track_caller]
    pub(crate) fn of(ended: Result<Ended, String>) -> Outcome {
        let ended = ended.unwrap_or_else(|problem| panic!("{problem}"));
        Outcome {
            code: ended.status.code().unwrap_or(-1),
            document: serde_json::from_str(&ended.stdout).unwrap_or_default(),
            stdout: ended.stdout,
            stderr: ended.stderr,
        }
    }

    /// The text of the first block of the result.
    pub(crate) fn text(&self) -> &str {
        self.document["result"]["content"][0]["text"].as_str().unwrap_or_default()
    }

    /// The JSON that is the text of the first block.
    pub(crate) fn json_text(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }

    /// The exit code has to be this.
    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Outcome {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// The kind of the error has to be this.
    #[track_caller]
    pub(crate) fn failed_as(self, kind: &str) -> Outcome {
        assert_eq!(self.document["error"]["kind"], kind, "{}\n{}", self.stdout, self.stderr);
        self
    }
}
