//! A small language model that really answers, on this machine and without a network.
//!
//! It is the peer `model`: SmolLM2 with 135 million parameters, served by llama.cpp over the protocols of OpenAI and Anthropic. It takes
//! `tools`, but not `toolChoice`, and what it says is not to be relied upon.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::peers::peer;

/// How long it may take to read its weights; about a second where nothing else runs.
const START: Duration = Duration::from_secs(60);

/// A running model; it ends when this is dropped.
#[derive(Debug)]
pub struct RealModel {
    /// Where it listens, as in `http://127.0.0.1:1234`.
    pub url: String,
    process: Child,
}

impl RealModel {
    /// The name under which it answers.
    pub const NAME: &'static str = "smollm2-135m-instruct";

    /// Starts it, or says aloud that the test is skipped.
    ///
    /// # Panics
    /// When it is there but does not start, or when nothing may be skipped.
    pub fn start(test: &str) -> Option<RealModel> {
        let command = peer(test, "model")?.command;
        let mut process = Command::new(&command[0])
            .args(&command[1..])
            // It ends when this closes, so also when the test is killed.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the model starts");
        let stdout = process.stdout.take().expect("its standard output is a pipe");
        let mut model = RealModel { url: String::new(), process };
        let (sender, line) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let _ = BufReader::new(stdout).read_line(&mut line);
            // Nobody waits any more when it took too long.
            let _ = sender.send(line);
        });
        let line = line.recv_timeout(START).expect("the model says where it listens");
        assert!(line.starts_with("http://127.0.0.1:"), "the model did not start: {line:?}");
        model.url = line.trim().to_owned();
        Some(model)
    }
}

impl Drop for RealModel {
    fn drop(&mut self) {
        // One that has ended by itself is collected all the same.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
