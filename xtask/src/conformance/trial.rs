//! One run of the suite, bounded in time.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::Run;
use super::suite::{EXTENSION, Suite};
use crate::program::{program, succeeds};

/// What the suite grants the client.
const CLIENT_LIMIT: Duration = Duration::from_secs(30);
/// What the suite gets, in which it starts, waits for the client and tidies up.
const SUITE_LIMIT: Duration = Duration::from_secs(60);
/// How often a running suite is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// What a run of the suite left behind.
#[derive(Debug, Default)]
pub(super) struct Trial {
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Whether the suite exited with 0; `None` when it had to be ended.
    pub(super) approved: Option<bool>,
    pub(super) took: Duration,
}

/// Runs the suite's scenario against `client`, a command of the shell.
pub(super) fn try_client(suite: &Suite, client: &str, run: &Run) -> Trial {
    let mut command = suite.command();
    command.args(["client", "--verbose", "--command", client, "--scenario", &run.scenario]);
    command.args(["--timeout", &CLIENT_LIMIT.as_millis().to_string()]);
    // A revision would make the suite skip an extension; without one, it takes its own choice for it.
    if run.version != EXTENSION {
        command.args(["--spec-version", &run.version]);
    }
    let started = Instant::now();
    // A group of its own: the suite starts a shell and that the client, and whatever is left of them ends together.
    match command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn() {
        Ok(child) => wait(child, started),
        Err(error) => Trial { stderr: format!("the suite did not start: {error}"), ..Trial::default() },
    }
}

fn wait(mut child: Child, started: Instant) -> Trial {
    let stdout = child.stdout.take().expect("standard output is piped");
    let stderr = child.stderr.take().expect("standard error is piped");
    thread::scope(|scope| {
        let stdout = scope.spawn(|| everything(stdout));
        let stderr = scope.spawn(|| everything(stderr));
        let approved = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status.success()),
                Ok(None) if started.elapsed() < SUITE_LIMIT => thread::sleep(GLANCE),
                Ok(None) | Err(_) => break None,
            }
        };
        let took = started.elapsed();
        // Also after a regular end: a client that outlived its scenario would keep the pipes open, and this waiting.
        succeeds(program("kill").args(["-KILL", "--", &format!("-{}", child.id())]));
        let _ = child.wait();
        let joined = "reading output does not panic";
        Trial { stdout: stdout.join().expect(joined), stderr: stderr.join().expect(joined), approved, took }
    })
}

fn everything(mut from: impl Read) -> String {
    let mut said = Vec::new();
    // What came before an error is still worth showing.
    let _ = from.read_to_end(&mut said);
    String::from_utf8_lossy(&said).into_owned()
}
