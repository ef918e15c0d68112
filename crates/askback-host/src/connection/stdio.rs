//! A server that is a process of ours: starting it, agreeing with it on a revision, and carrying lines through its standard streams.
//!
//! Serves the stdio pages of all revisions.

use askback_core::call::ServerName;
use askback_wire::framing::Framer;
use askback_wire::handshake::{ConnectFailure, Established, Handshake, Step};
use askback_wire::incoming::{self, Incoming, Noise};
use askback_wire::{Channel, Outgoing};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant, timeout};

use super::{FromConnection, News, Wire};
use crate::error::{ConnectError, ConnectErrorKind};
use crate::process::{Process, StartError};
use crate::server::{ServerCommand, ServerSpec};

/// How many bytes are read at a time.
const READ: usize = 64 * 1024;
/// How long after the end of output the process itself may take to end, so that its exit code can be told.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// How long the last lines may take to go out.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What ended a connection.
enum Over {
    /// The server closed its output.
    Output,
    /// The process ended.
    Process(Option<std::process::ExitStatus>),
    /// The host wants it so.
    Wanted,
}

/// A stream of lines from a process, cut and read.
struct Lines {
    stdout: ChildStdout,
    framer: Framer,
    buffer: Vec<u8>,
    ready: std::collections::VecDeque<Incoming>,
    /// Whether anything at all has come.
    any: bool,
    over: bool,
}

impl Lines {
    fn new(stdout: ChildStdout, limit: usize) -> Lines {
        Lines {
            stdout,
            framer: Framer::new(limit),
            buffer: vec![0; READ],
            ready: std::collections::VecDeque::new(),
            any: false,
            over: false,
        }
    }

    /// The next line; nothing at the end. Cancel-safe.
    async fn next(&mut self) -> Option<Incoming> {
        loop {
            if let Some(incoming) = self.ready.pop_front() {
                return Some(incoming);
            }
            if self.over {
                return None;
            }
            match self.stdout.read(&mut self.buffer).await {
                Ok(0) | Err(_) => {
                    self.over = true;
                    // Half a message is the trace of a death, and that is what will be told: not that the message was broken.
                    self.ready.extend(self.framer.finish().map(incoming::read).map(|incoming| match incoming {
                        Incoming::Noise(noise) => Incoming::Noise(Noise { lost_response_to: None, ..noise }),
                        whole => whole,
                    }));
                }
                Ok(count) => {
                    self.any = true;
                    self.ready.extend(self.framer.push(&self.buffer[..count]).into_iter().map(incoming::read));
                }
            }
        }
    }
}

/// Starts the server and agrees with it on a revision, over as many processes as that takes.
pub(super) async fn connect(
    spec: &ServerSpec,
    command: &ServerCommand,
    client: Value,
    news: News,
) -> Result<(Established, Wire), ConnectError> {
    let mut handshake = Handshake::new(spec.protocol, spec.declared, client);
    let deadline = Instant::now() + spec.connect_timeout;
    // The probe, `initialize`, and once more each way when the first judgement was wrong.
    for _ in 0..4 {
        let mut process = Process::start(command).await.map_err(|error| {
            let kind = match error {
                StartError::Sandbox(error) => ConnectErrorKind::Sandbox(error),
                StartError::System(error) => ConnectErrorKind::Start {
                    program: command.program.clone(),
                    detail: error.to_string(),
                    not_found: error.kind() == std::io::ErrorKind::NotFound,
                },
            };
            not_connected(spec, kind)
        })?;
        let (Some(mut stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else { continue };
        let mut lines = Lines::new(stdout, spec.message_limit);
        let step = shake_hands(&mut handshake, &mut stdin, &mut lines, deadline).await;
        match step {
            Ok(Step::Done(established)) => {
                let Established { send, .. } = &*established;
                for message in send {
                    let _ = write_line(&mut stdin, &message.line).await;
                }
                let wire = carry(spec.name.clone(), process, stdin, lines, news);
                return Ok((*established, wire));
            }
            Ok(Step::StartFresh) => {
                drop(stdin);
                process.kill().await;
            }
            Ok(Step::Continue(_)) => unreachable!("the handshake goes on until something else comes of it"),
            Ok(Step::Failed(failure) | Step::OpenStream(failure)) => {
                drop(stdin);
                return Err(failed(spec, process, ConnectErrorKind::Handshake(failure)).await);
            }
            Err(TooLate) => {
                drop(stdin);
                let seconds = spec.connect_timeout.as_secs();
                return Err(failed(spec, process, ConnectErrorKind::TimedOut { seconds }).await);
            }
        }
    }
    Err(not_connected(spec, ConnectErrorKind::Handshake(ConnectFailure::Silent)))
}

fn not_connected(spec: &ServerSpec, kind: ConnectErrorKind) -> ConnectError {
    ConnectError {
        server: spec.name.clone(),
        source_line: spec.source.line(),
        is_address: false,
        sandbox: spec.source.sandbox().cloned().map(Box::new),
        kind,
        exit: None,
        stderr: Vec::new(),
    }
}

async fn failed(spec: &ServerSpec, mut process: Process, kind: ConnectErrorKind) -> ConnectError {
    let exited = timeout(EXIT_GRACE, process.ended()).await.ok().flatten();
    process.clean_up().await;
    let stderr = process.stderr.get();
    if exited.is_none() {
        process.kill().await;
    }
    let exit = exited.map(|status| status.to_string());
    ConnectError { exit, stderr, ..not_connected(spec, kind) }
}

struct TooLate;

/// One process's part of the handshake.
async fn shake_hands(
    handshake: &mut Handshake,
    stdin: &mut ChildStdin,
    lines: &mut Lines,
    deadline: Instant,
) -> Result<Step, TooLate> {
    let patience = handshake.patience();
    let first = handshake.begin();
    // A server that has ended already shows at its output.
    let _ = write_line(stdin, &first.line).await;
    let mut wait = Instant::now() + Duration::from_millis(patience.before_output);
    loop {
        let heard = lines.any;
        let step = tokio::select! {
            incoming = lines.next() => match incoming {
                Some(incoming) => handshake.received(incoming),
                None => handshake.ended(),
            },
            () = tokio::time::sleep_until(wait.min(deadline)) => {
                if Instant::now() >= deadline {
                    return Err(TooLate);
                }
                handshake.silent()
            }
        };
        if lines.any != heard || lines.any {
            wait = Instant::now() + Duration::from_millis(patience.after_output);
        }
        match step {
            Step::Continue(replies) => {
                for reply in replies {
                    let _ = write_line(stdin, &reply.line).await;
                }
            }
            step => return Ok(step),
        }
    }
}

async fn write_line(stdin: &mut ChildStdin, line: &str) -> std::io::Result<()> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    stdin.write_all(&bytes).await?;
    stdin.flush().await
}

/// Carries lines both ways until the server or the host is done. Reading and writing do not wait for each other.
fn carry(name: ServerName, mut process: Process, mut stdin: ChildStdin, mut lines: Lines, news: News) -> Wire {
    let (messages, mut to_write) = mpsc::unbounded_channel::<Outgoing>();
    let (end_sender, end) = oneshot::channel();
    let mut writer = tokio::spawn(async move {
        while let Some(message) = to_write.recv().await {
            if write_line(&mut stdin, &message.line).await.is_err() {
                break;
            }
        }
        // Dropping the pipe is the end of the server's input.
    });
    let task = tokio::spawn(async move {
        let mut end = end;
        news.known().await;
        let over = {
            // One wait for the end of the process, not one for every line: each costs a system call.
            let ended = process.ended();
            tokio::pin!(ended);
            // A line is read only when the one before has been taken: a server that floods is slowed down instead of filling the memory.
            let mut held: Option<Incoming> = None;
            loop {
                tokio::select! {
                    incoming = lines.next(), if held.is_none() => match incoming {
                        Some(incoming) => {
                            let received = FromConnection::Received(name.clone(), incoming, Channel::Shared);
                            if let Err(TrySendError::Full(FromConnection::Received(_, incoming, _))) = news.host.try_send(received) {
                                held = Some(incoming);
                            }
                        }
                        None => break Over::Output,
                    },
                    room = news.host.reserve(), if held.is_some() => {
                        if let (Ok(room), Some(incoming)) = (room, held.take()) {
                            room.send(FromConnection::Received(name.clone(), incoming, Channel::Shared));
                        }
                    }
                    // A grandchild may keep the pipe open after the server itself has ended.
                    exited = &mut ended => break Over::Process(exited),
                    _ = &mut end => break Over::Wanted,
                }
            }
        };
        match over {
            Over::Output => {
                let exited = timeout(EXIT_GRACE, process.ended()).await.ok().flatten();
                gone(&name, process, exited, &news).await;
            }
            Over::Process(exited) => {
                let rest = timeout(Duration::from_millis(100), async {
                    while let Some(incoming) = lines.next().await {
                        news.tell(FromConnection::Received(name.clone(), incoming, Channel::Shared)).await;
                    }
                });
                let _ = rest.await;
                gone(&name, process, exited, &news).await;
            }
            Over::Wanted => {
                // What was said before, such as that a call is cancelled, still goes out; a server that does not read is not waited for.
                let _ = timeout(LAST_WORDS, &mut writer).await;
                writer.abort();
                process.end().await;
            }
        }
        writer.abort();
    });
    Wire { messages, end: Some(end_sender), task }
}

async fn gone(name: &ServerName, mut process: Process, exited: Option<std::process::ExitStatus>, news: &News) {
    process.clean_up().await;
    let mut detail = match exited {
        Some(status) => format!("the server's process ended ({status})"),
        None => "the server closed its output".to_owned(),
    };
    for line in process.stderr.get() {
        detail.push_str("\n  ");
        detail.push_str(&line);
    }
    if exited.is_none() {
        process.kill().await;
    }
    news.tell(FromConnection::Gone(name.clone(), detail)).await;
}
