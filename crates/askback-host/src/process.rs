//! A server's process: started in a group of its own, and ended with everything it started.
//!
//! Serves "Shutdown" of the stdio page: end of input, then SIGTERM, then SIGKILL, to the whole group.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::sandbox::{self, NotReady, Prepared, Sandbox, SandboxError};
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
    /// The folder of a sandboxed process for temporary files: it goes when the process has gone.
    _temporary: Option<tempfile::TempDir>,
}

/// Why there is no process.
#[derive(Debug)]
pub(crate) enum StartError {
    /// The system did not start it.
    System(std::io::Error),
    /// It was not started, because it could not be held in its sandbox.
    Sandbox(SandboxError),
}

impl From<std::io::Error> for StartError {
    fn from(error: std::io::Error) -> StartError {
        StartError::System(error)
    }
}

impl From<NotReady> for StartError {
    fn from(error: NotReady) -> StartError {
        match error {
            NotReady::Sandbox(error) => StartError::Sandbox(error),
            NotReady::System(error) => StartError::System(error),
        }
    }
}

impl From<SandboxError> for StartError {
    fn from(error: SandboxError) -> StartError {
        StartError::Sandbox(error)
    }
}

impl Process {
    pub(crate) async fn start(command: &ServerCommand) -> Result<Process, StartError> {
        let inherited = INHERITED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
        let mut environment: BTreeMap<OsString, OsString> = inherited.collect();
        let (mut child, temporary) = match &command.sandbox {
            None => {
                environment.extend(command.env.iter().map(|(name, value)| (name.into(), value.into())));
                (builder(command, command.program.as_ref(), &environment).spawn()?, None)
            }
            Some(sandbox) => {
                let (sandbox, command) = (sandbox.clone(), command.clone());
                let started = tokio::task::spawn_blocking(move || start_within(&sandbox, &command, environment)).await;
                let (child, temporary) = started.map_err(std::io::Error::other)??;
                (child, Some(temporary))
            }
        };
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let last = LastLines::default();
        let stderr = child.stderr.take();
        let stderr_done = tokio::spawn(keep_last_lines(stderr, last.clone()));
        Ok(Process { child, group, stdin, stdout, stderr: last, stderr_done, _temporary: temporary })
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

fn builder(command: &ServerCommand, program: &OsStr, environment: &BTreeMap<OsString, OsString>) -> Command {
    let mut builder = Command::new(program);
    builder.args(&command.args).env_clear().envs(environment);
    if let Some(cwd) = &command.cwd {
        builder.current_dir(cwd);
    }
    builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    builder.process_group(0).kill_on_drop(true);
    builder
}

/// Starts the process in its sandbox. Blocks for as long as that takes.
fn start_within(
    sandbox: &Sandbox,
    command: &ServerCommand,
    environment: BTreeMap<OsString, OsString>,
) -> Result<(Child, tempfile::TempDir), StartError> {
    let prepared = Prepared::new(sandbox, command, environment)?;
    let mut builder = builder(command, prepared.program.as_os_str(), &prepared.environment);
    let runtime = tokio::runtime::Handle::current();
    let child = sandbox::within(&prepared.plan, move || {
        let _entered = runtime.enter();
        builder.spawn()
    })??;
    Ok((child, prepared.temporary))
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
