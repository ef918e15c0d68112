//! A server's process: started in a group of its own, and ended with everything it started.
//!
//! Serves "Shutdown" of the stdio page: end of input, then SIGTERM, then SIGKILL, to the whole group.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::server::ServerCommand;

/// Variables of our environment that a server gets without being configured to: what programs need to find their way, and nothing that
/// is likely to be a secret.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "PIP_CERT",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "npm_config_registry",
    "npm_config_cache",
    "NPM_CONFIG_REGISTRY",
    "NPM_CONFIG_CACHE",
    "UV_CACHE_DIR",
    "SystemRoot",
];

/// How many of the last lines of standard error are kept.
const STDERR_LINES: usize = 12;
/// How long a line of them may be, in bytes.
const STDERR_LINE: u64 = 2_000;
/// How long a server may take to end by itself after the end of its input.
const GRACE: Duration = Duration::from_millis(1_500);
/// How long it may take after SIGTERM.
const TERM_GRACE: Duration = Duration::from_millis(1_500);

/// The last lines that a process wrote to standard error.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastLines(Arc<Mutex<VecDeque<String>>>);

impl LastLines {
    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The lines, oldest first.
    pub(crate) fn get(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Option<Pid>,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: Option<ChildStdout>,
    pub(crate) stderr: LastLines,
    stderr_done: tokio::task::JoinHandle<()>,
}

impl Process {
    pub(crate) fn start(command: &ServerCommand) -> std::io::Result<Process> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.args).env_clear();
        for name in INHERITED {
            if let Some(value) = std::env::var_os(name) {
                builder.env(name, value);
            }
        }
        builder.envs(&command.env);
        if let Some(cwd) = &command.cwd {
            builder.current_dir(cwd);
        }
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        builder.process_group(0).kill_on_drop(true);
        let mut child = builder.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let last = LastLines::default();
        let stderr = child.stderr.take();
        let stderr_done = tokio::spawn(keep_last_lines(stderr, last.clone()));
        Ok(Process { child, group, stdin, stdout, stderr: last, stderr_done })
    }

    /// Waits for the process itself to end. Cancel-safe.
    pub(crate) async fn ended(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends the process and everything in its group. Returns how the process ended.
    pub(crate) async fn end(mut self) -> Option<ExitStatus> {
        drop(self.stdin.take());
        let mut status = timeout(GRACE, self.child.wait()).await.ok().and_then(Result::ok);
        if status.is_none() {
            self.signal(Signal::SIGTERM);
            status = timeout(TERM_GRACE, self.child.wait()).await.ok().and_then(Result::ok);
        }
        self.clean_up().await;
        match status {
            Some(status) => Some(status),
            None => self.child.wait().await.ok(),
        }
    }

    /// Ends the process and its group at once.
    pub(crate) async fn kill(mut self) -> Option<ExitStatus> {
        drop(self.stdin.take());
        self.signal(Signal::SIGKILL);
        let status = self.child.wait().await.ok();
        self.clean_up().await;
        status
    }

    /// Ends what the process may have left behind, and reads the rest of its standard error.
    pub(crate) async fn clean_up(&mut self) {
        self.signal(Signal::SIGKILL);
        // A process that left the group may hold the pipe open for ever.
        let _ = timeout(Duration::from_millis(200), &mut self.stderr_done).await;
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // The group is empty when everything has ended already; there is nothing to do then.
            let _ = killpg(group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::SIGKILL);
    }
}

async fn keep_last_lines(stderr: Option<ChildStderr>, last: LastLines) {
    let Some(stderr) = stderr else { return };
    let mut reader = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(STDERR_LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_end();
                if !text.is_empty() {
                    last.push(text.to_owned());
                }
            }
        }
    }
}
