//! What a scripted server notes down about its client: one JSON object a line, in a file that its process appends to.
//!
//! Several processes may write to one file, one after the other or at the same time.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::scripted_server::Noted;

/// Writes what happens in one process.
#[derive(Debug)]
pub struct Recorder {
    path: Option<PathBuf>,
    process: u32,
}

/// What one process noted down.
#[derive(Debug, Default)]
pub struct ProcessRecord {
    /// Its process id; 0 for a server that has no process of its own.
    pub process: u32,
    /// The process id of the process that it started, if it did.
    pub grandchild: Option<u32>,
    /// The lines that it received, without their ends.
    pub lines: Vec<String>,
}

/// Everything that was noted down.
#[derive(Debug, Default)]
pub struct Record {
    /// The processes in the order in which they started.
    pub processes: Vec<ProcessRecord>,
    /// The answers to the server's asks, with their keys.
    pub answers: Vec<(String, Value)>,
    /// The rules that the client broke.
    pub wrong: Vec<String>,
    /// The requests that came over HTTP: method, path, and the method of the message.
    pub exchanges: Vec<String>,
}

impl Recorder {
    /// A recorder for this process; without a path nothing is written.
    pub fn new(path: Option<PathBuf>) -> Recorder {
        Recorder { path, process: std::process::id() }
    }

    /// A recorder for a server that runs in the test itself.
    pub fn without_process(path: PathBuf) -> Recorder {
        Recorder { path: Some(path), process: 0 }
    }

    /// The process started.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn started(&self, grandchild: Option<u32>) -> io::Result<()> {
        self.write(json!({ "started": true, "grandchild": grandchild }))
    }

    /// A line came.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn line(&self, line: &str) -> io::Result<()> {
        self.write(json!({ "line": line }))
    }

    /// Something is worth noting down.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn noted(&self, noted: &Noted) -> io::Result<()> {
        self.write(match noted {
            Noted::Answered { key, reply } => json!({ "answered": key, "reply": reply }),
            Noted::Wrong(what) => json!({ "wrong": what }),
        })
    }

    /// A request came over HTTP.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn exchange(&self, what: &str) -> io::Result<()> {
        self.write(json!({ "exchange": what }))
    }

    fn write(&self, mut event: Value) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        event["process"] = json!(self.process);
        // One write, so that the lines of two processes do not mix.
        let line = format!("{event}\n");
        OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
    }
}

impl Record {
    /// Reads what has been noted down so far; nothing if there is no file yet.
    pub fn read(path: &Path) -> Record {
        let mut record = Record::default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        // What follows the last line end is still being written.
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            if let Ok(event) = serde_json::from_str(line) {
                record.take(&event);
            }
        }
        record
    }

    fn take(&mut self, event: &Value) {
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let Some(process) = number(&event["process"]) else { return };
        if event.get("started").is_some() {
            let grandchild = number(&event["grandchild"]);
            self.processes.push(ProcessRecord { process, grandchild, lines: Vec::new() });
        }
        if let Some(line) = event["line"].as_str()
            && let Some(record) = self.processes.iter_mut().rev().find(|record| record.process == process)
        {
            record.lines.push(line.to_owned());
        }
        if let Some(key) = event["answered"].as_str() {
            self.answers.push((key.to_owned(), event["reply"].clone()));
        }
        if let Some(wrong) = event["wrong"].as_str() {
            self.wrong.push(wrong.to_owned());
        }
        if let Some(exchange) = event["exchange"].as_str() {
            self.exchanges.push(exchange.to_owned());
        }
    }

    /// The methods that the client sent, to all processes, in order.
    pub fn methods(&self) -> Vec<String> {
        let lines = self.processes.iter().flat_map(|process| &process.lines);
        let messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages.filter_map(|message| message["method"].as_str().map(str::to_owned)).collect()
    }

    /// How often the client came again to a stream that had been cut.
    pub fn came_again(&self) -> usize {
        self.exchanges.iter().filter(|exchange| exchange.contains(" after ")).count()
    }

    /// The process ids of all that was started.
    pub fn process_ids(&self) -> Vec<u32> {
        let ids = self.processes.iter().flat_map(|record| [Some(record.process), record.grandchild]);
        ids.flatten().filter(|process| *process != 0).collect()
    }
}
