//! The scripted server as a process on standard input and output.
//!
//! Run as `scripted-server FILE [--revision V] [--record FILE] [--http]`, where the file is a scenario or only its `[server]` part. With
//! `--http` it listens on a port of loopback instead and prints where. A test program
//! that calls [`run_if_asked`] first thing is such a server too, so that no other program has to be built or found.

use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal};
use serde::Deserialize;

use crate::http::listener::HttpServer;
use crate::record::Recorder;
use crate::script::Script;
use crate::scripted_server::{Output, ScriptedServer};

/// The first argument with which a test program becomes a scripted server.
pub const ROLE: &str = "scripted-server";
/// The first argument with which it becomes the process that such a server leaves behind.
const GRANDCHILD: &str = "hold-the-pipe";
/// How long the longest of these processes lives when nobody ends it.
const LIFETIME: Duration = Duration::from_secs(90);

#[derive(Deserialize)]
struct ScriptFile {
    #[serde(default)]
    server: Script,
}

struct Arguments {
    file: PathBuf,
    revision: String,
    record: Option<PathBuf>,
    http: bool,
}

/// Becomes a scripted server if the first argument says so; the exit code then ends the process.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    (arguments.next().as_deref() == Some(ROLE)).then(|| run(arguments.collect()))
}

/// Serves as these arguments say.
pub fn run(arguments: Vec<String>) -> ExitCode {
    if arguments.first().map(String::as_str) == Some(GRANDCHILD) {
        std::thread::sleep(LIFETIME);
        return ExitCode::SUCCESS;
    }
    match read(arguments).and_then(|arguments| Ok((script(&arguments.file)?, arguments))) {
        Ok((script, arguments)) if arguments.http => listen(script, arguments).unwrap_or_else(|error| {
            eprintln!("scripted-server: {error}");
            ExitCode::FAILURE
        }),
        Ok((script, arguments)) => serve(script, &arguments).unwrap_or_else(|error| {
            eprintln!("scripted-server: {error}");
            ExitCode::FAILURE
        }),
        Err(problem) => {
            eprintln!("scripted-server: {problem}");
            ExitCode::from(2)
        }
    }
}

fn read(arguments: Vec<String>) -> Result<Arguments, String> {
    let mut file = None;
    let mut revision = "2026-07-28".to_owned();
    let mut record = None;
    let mut http = false;
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--revision" => revision = value()?,
            "--http" => http = true,
            "--record" => record = Some(PathBuf::from(value()?)),
            _ => file = Some(PathBuf::from(word)),
        }
    }
    Ok(Arguments { file: file.ok_or("no script is given")?, revision, record, http })
}

fn script(file: &Path) -> Result<Script, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let read: ScriptFile = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(read.server)
}

fn listen(script: Script, arguments: Arguments) -> io::Result<ExitCode> {
    let server = HttpServer::start(script, &arguments.revision, Recorder::new(arguments.record))?;
    println!("{}", server.url);
    server.wait();
    Ok(ExitCode::SUCCESS)
}

fn serve(script: Script, arguments: &Arguments) -> io::Result<ExitCode> {
    let began = Instant::now();
    if script.process.ignore_sigterm {
        // Blocked here and in every thread that starts after this.
        SigSet::from_iter([Signal::SIGTERM]).thread_block()?;
    }
    let recorder = Recorder::new(arguments.record.clone());
    let grandchild = script.process.grandchild.then(start_grandchild).transpose()?;
    recorder.started(grandchild.as_ref().map(Child::id))?;
    std::thread::sleep(Duration::from_millis(script.start_delay));

    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let ignore_eof = script.process.ignore_eof;
    let mut server = ScriptedServer::new(Arc::new(script), &arguments.revision);
    let now = || u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut outputs = server.begin();
    loop {
        for noted in server.noted() {
            recorder.noted(&noted)?;
        }
        for output in outputs {
            if let Some(code) = put_out(output) {
                return Ok(code);
            }
        }
        if began.elapsed() > LIFETIME {
            return Ok(ExitCode::FAILURE);
        }
        let wait = server.next_wake().map_or(LIFETIME, |at| Duration::from_millis(at.saturating_sub(now())));
        outputs = match lines.recv_timeout(wait) {
            Ok(line) => {
                recorder.line(&line)?;
                server.receive(now(), &line)
            }
            Err(RecvTimeoutError::Timeout) => server.tick(now()),
            Err(RecvTimeoutError::Disconnected) if ignore_eof => {
                std::thread::sleep(LIFETIME);
                Vec::new()
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(ExitCode::SUCCESS),
        };
    }
}

/// Does it; gives the exit code when that is what is to be done.
fn put_out(output: Output) -> Option<ExitCode> {
    match output {
        Output::Say { bytes, .. } => {
            let mut stdout = io::stdout().lock();
            // A client that has gone shows at the end of input.
            let _ = stdout.write_all(&bytes).and_then(|()| stdout.flush());
            None
        }
        Output::Stderr(text) => {
            eprintln!("{text}");
            None
        }
        Output::Exit(code) => Some(ExitCode::from(u8::try_from(code).unwrap_or(1))),
        Output::Kill => {
            crate::process::signal(std::process::id(), Signal::SIGKILL);
            None
        }
    }
}

fn start_grandchild() -> io::Result<Child> {
    let itself = std::env::current_exe()?;
    let mut command = Command::new(itself);
    if std::env::args().nth(1).as_deref() == Some(ROLE) {
        command.arg(ROLE);
    }
    command.arg(GRANDCHILD).stdin(Stdio::null()).spawn()
}
