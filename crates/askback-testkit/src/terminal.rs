//! A program that runs, with a person at its terminal or without.
//!
//! Owns the pseudo-terminal and the screen that it shows. Every wait is bounded, and what was waited for is named when it does not come.

use std::io::{self, Read, Write as _};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use pty_process::blocking::Pty;

use crate::{keys, process};

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// How often it is looked at after the program has ended.
const LAST_LOOKS: u32 = 40;
/// How long after an Escape the next key is sent, so that the two are not taken for one.
const AFTER_ESCAPE: Duration = Duration::from_millis(60);
/// How many lines that have left the screen are kept.
const SCROLLBACK: usize = 5_000;

/// A program that runs.
pub struct Session {
    child: Child,
    screen: Option<Screen>,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

struct Screen {
    /// Our end of the terminal; closing it hangs up.
    pty: Option<Arc<Pty>>,
    hung_up: Arc<AtomicBool>,
    parser: Arc<Mutex<vt100::Parser>>,
    reader: Option<JoinHandle<()>>,
}

/// What is left of a program that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error; with a terminal, all that was ever to be seen and is not drawn over.
    pub stderr: String,
    /// The screen in the end.
    pub screen: String,
}

impl Session {
    /// Starts a program without a terminal: nothing can be typed.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Session> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().map(read_all);
        let stderr = child.stderr.take().map(read_all);
        Ok(Session { child, screen: None, stdout, stderr })
    }

    /// Starts a program at a terminal of so many rows and columns; its standard output is not the terminal.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start_at_terminal(command: Command, rows: u16, columns: u16) -> io::Result<Session> {
        let (pty, pts) = pty_process::blocking::open().map_err(io::Error::other)?;
        pty.resize(pty_process::Size::new(rows, columns)).map_err(io::Error::other)?;
        let command = pty_process::blocking::Command::from(command).stdout(Stdio::piped());
        let mut child = command.spawn(pts).map_err(io::Error::other)?;
        let stdout = child.stdout.take().map(read_all);
        let pty = Arc::new(pty);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, SCROLLBACK)));
        let hung_up = Arc::new(AtomicBool::new(false));
        let (from, into, told) = (Arc::clone(&pty), Arc::clone(&parser), Arc::clone(&hung_up));
        let reader = std::thread::spawn(move || show(&from, &into, &told));
        let screen = Screen { pty: Some(pty), hung_up, parser, reader: Some(reader) };
        Ok(Session { child, screen: Some(screen), stdout, stderr: None })
    }

    /// The process id.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What the screen shows now; empty without a terminal.
    pub fn screen(&self) -> String {
        self.screen.as_ref().map(|screen| lock(&screen.parser).screen().contents()).unwrap_or_default()
    }

    /// A picture of the screen as it is now; nothing without a terminal.
    pub fn picture(&self, title: &str) -> Option<String> {
        self.screen.as_ref().map(|screen| crate::picture::svg(lock(&screen.parser).screen(), title))
    }

    /// Waits until a condition holds.
    ///
    /// # Errors
    /// What was waited for, when it does not come in time or the program ends before.
    pub fn wait_until(
        &mut self,
        what: &str,
        limit: Duration,
        mut holds: impl FnMut(&Session) -> bool,
    ) -> Result<(), String> {
        let began = Instant::now();
        let mut last_look = LAST_LOOKS;
        loop {
            let ended = matches!(self.child.try_wait(), Ok(Some(_)));
            if holds(self) {
                return Ok(());
            }
            if ended {
                // Its last words may still be on their way to the screen.
                last_look -= 1;
                if last_look == 0 {
                    return Err(format!("the program ended before {what}"));
                }
            }
            if began.elapsed() >= limit {
                return Err(format!("waited {} s in vain for {what}", limit.as_secs_f32()));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Presses keys; see [`keys`].
    ///
    /// # Errors
    /// When there is no such key, no terminal, or nobody at its other end.
    pub fn press(&mut self, script: &str) -> Result<(), String> {
        let pty = self.screen.as_ref().and_then(|screen| screen.pty.clone());
        let Some(pty) = pty else { return Err("there is no terminal to press keys at".into()) };
        for piece in keys::bytes(script)? {
            (&*pty).write_all(&piece).map_err(|error| format!("cannot press {script:?}: {error}"))?;
            if piece == [0x1b] {
                std::thread::sleep(AFTER_ESCAPE);
            }
        }
        Ok(())
    }

    /// Closes the terminal, as when its window is closed.
    pub fn hang_up(&mut self) {
        let Some(screen) = &mut self.screen else { return };
        screen.hung_up.store(true, Ordering::Relaxed);
        if let Some(reader) = screen.reader.take() {
            let _ = reader.join();
        }
        screen.pty = None;
    }

    /// Sends a signal to the program alone.
    pub fn signal(&self, signal: Signal) {
        process::signal(self.child.id(), signal);
    }

    /// Waits for the end; the program is killed when it does not come in time.
    ///
    /// # Errors
    /// What was to be seen when time was up.
    pub fn end(mut self, limit: Duration) -> Result<Ended, String> {
        let began = Instant::now();
        let late = loop {
            match self.child.try_wait() {
                Ok(None) if began.elapsed() >= limit => break true,
                Ok(None) => std::thread::sleep(LOOK),
                Ok(Some(_)) | Err(_) => break false,
            }
        };
        if late {
            let _ = self.child.kill();
        }
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let text = |bytes: Option<JoinHandle<Vec<u8>>>| {
            let bytes = bytes.and_then(|reader| reader.join().ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (stdout, mut stderr) = (text(self.stdout.take()), text(self.stderr.take()));
        let mut shown = String::new();
        if let Some(screen) = &mut self.screen {
            if let Some(reader) = screen.reader.take() {
                let _ = reader.join();
            }
            shown = lock(&screen.parser).screen().contents();
            stderr = everything(&mut lock(&screen.parser));
        }
        if late {
            let heard = section("standard output", &stdout) + &section("standard error", &stderr);
            return Err(format!("waited {} s in vain for the program to end\n{heard}", limit.as_secs_f32()));
        }
        Ok(Ended { status, stdout, stderr, screen: shown })
    }
}

/// A text under a heading, for reports; nothing when there is no text.
pub fn section(heading: &str, text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let lines: String = text.trim_end().lines().map(|line| format!("    {line}\n")).collect();
    format!("  {heading}:\n{lines}")
}

/// The lines that have left the screen, and those on it.
fn everything(parser: &mut vt100::Parser) -> String {
    let screen = parser.screen_mut();
    screen.set_scrollback(SCROLLBACK);
    let above = screen.scrollback();
    let (rows, columns) = screen.size();
    let mut lines = Vec::new();
    for offset in (1..=above).rev() {
        screen.set_scrollback(offset);
        lines.extend(screen.rows(0, columns).next());
    }
    screen.set_scrollback(0);
    lines.extend(screen.rows(0, columns).take(usize::from(rows)));
    lines.join("\n").trim_end().to_owned()
}

/// Draws what a program writes to its terminal, until it has closed it or we hang up.
fn show(from: &Pty, into: &Mutex<vt100::Parser>, hung_up: &AtomicBool) {
    let mut bytes = [0; 4096];
    while !hung_up.load(Ordering::Relaxed) {
        let mut waiting = [PollFd::new(from.as_fd(), PollFlags::POLLIN)];
        if poll(&mut waiting, PollTimeout::from(20_u8)) == Ok(0) {
            continue;
        }
        // The end of a terminal shows as an error.
        match (&*from).read(&mut bytes) {
            Ok(count @ 1..) => lock(into).process(&bytes[..count]),
            Ok(0) | Err(_) => return,
        }
    }
}

fn read_all(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error is all that there is.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

fn lock(parser: &Mutex<vt100::Parser>) -> MutexGuard<'_, vt100::Parser> {
    parser.lock().unwrap_or_else(PoisonError::into_inner)
}
