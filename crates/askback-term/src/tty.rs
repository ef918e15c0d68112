//! The real terminal: raw mode and keys while a dialog is open, standard error for everything drawn.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use tokio::sync::mpsc;

use crate::key::Key;
use crate::screen::{EditFailed, EditText, Input, Terminal};

/// How many milliseconds the reading thread waits for a key before it looks whether it should end.
const PATIENCE: u8 = 20;
/// How long the reading thread may take to end.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// Standard error, with keys from the controlling terminal.
pub struct Tty {
    editor: Option<String>,
    reading: Option<Reading>,
}

struct Reading {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Tty {
    /// The terminal; `editor` is the command of the person's own editor, as `VISUAL` and `EDITOR` have it.
    pub fn new(editor: Option<String>) -> Tty {
        Tty { editor, reading: None }
    }
}

impl Terminal for Tty {
    fn size(&self) -> (u16, u16) {
        match crossterm::terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
            _ => (80, 24),
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let mut stderr = io::stderr().lock();
        stderr.write_all(text.as_bytes())?;
        stderr.flush()
    }

    fn open(&mut self) -> io::Result<mpsc::UnboundedReceiver<Input>> {
        self.close();
        enable_raw_mode()?;
        self.write("\x1b[?2004h")?;
        // What was typed before there was a question is no answer to it.
        loop {
            match coming(0) {
                Coming::HangUp => return Err(io::ErrorKind::BrokenPipe.into()),
                Coming::Keys => {
                    while event::poll(Duration::ZERO)? {
                        event::read()?;
                    }
                }
                Coming::Nothing => break,
            }
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread =
            std::thread::Builder::new().name("askback-keys".into()).spawn(move || read_keys(&told, &sender))?;
        self.reading = Some(Reading { stop, thread });
        Ok(receiver)
    }

    fn close(&mut self) {
        let Some(Reading { stop, thread }) = self.reading.take() else { return };
        stop.store(true, Ordering::Relaxed);
        // A thread that is caught in a terminal that has gone away is left behind; there is nothing to be had from it any more.
        let deadline = Instant::now() + LAST_MOMENT;
        while !thread.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.write("\x1b[?2004l\x1b[?25h");
        let _ = disable_raw_mode();
    }

    fn edit(&self, text: String) -> EditText {
        let editor = self.editor.clone();
        Box::new(move || edit(editor, &text))
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.close();
    }
}

/// What comes from the terminal.
#[derive(PartialEq)]
enum Coming {
    Keys,
    Nothing,
    /// The terminal has gone away.
    HangUp,
}

/// Waits a moment for keys.
///
/// `event::poll` must not be waited in, nor be called when there is nothing: once the terminal has gone away it never returns.
fn coming(patience: u8) -> Coming {
    let stdin = io::stdin();
    let mut waiting = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    let gone = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
    match poll(&mut waiting, patience) {
        Ok(0) | Err(Errno::EINTR) => Coming::Nothing,
        Ok(_) if waiting[0].revents().is_some_and(|now| !now.intersects(gone)) => Coming::Keys,
        Ok(_) | Err(_) => Coming::HangUp,
    }
}

fn read_keys(stop: &AtomicBool, sender: &mpsc::UnboundedSender<Input>) {
    let mut size = crossterm::terminal::size().ok();
    while !stop.load(Ordering::Relaxed) {
        match coming(PATIENCE) {
            Coming::Keys => {}
            // The channel's end says that nobody can type any more.
            Coming::HangUp => return,
            Coming::Nothing => {
                let now = crossterm::terminal::size().ok();
                if now != size && sender.send(Input::Resized).is_err() {
                    return;
                }
                size = now;
                continue;
            }
        }
        // One read may bring several keys, which are kept where they cannot be seen from here: so all are taken at once.
        loop {
            match event::poll(Duration::ZERO).and_then(|ready| if ready { event::read().map(Some) } else { Ok(None) }) {
                Ok(None) => break,
                Ok(Some(event)) => {
                    if let Some(input) = input_of(event)
                        && sender.send(input).is_err()
                    {
                        return;
                    }
                }
                // The channel's end says that nobody can type any more.
                Err(_) => return,
            }
        }
    }
}

fn input_of(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_of(key).map(Input::Key),
        Event::Paste(text) => Some(Input::Key(Key::Paste(text))),
        Event::Resize(..) => Some(Input::Resized),
        _ => None,
    }
}

fn key_of(event: KeyEvent) -> Option<Key> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let shift = event.modifiers.contains(KeyModifiers::SHIFT);
    let by_word = control || alt;
    Some(match event.code {
        KeyCode::Enter if alt || shift => Key::NewLine,
        KeyCode::Enter => Key::Enter,
        // What a terminal that sends a line feed means by it.
        KeyCode::Char('j') if control => Key::Enter,
        KeyCode::Char('b') if alt => Key::WordLeft,
        KeyCode::Char('f') if alt => Key::WordRight,
        KeyCode::Char(c) if control => Key::Ctrl(c.to_ascii_lowercase()),
        KeyCode::Char(c) if !alt => Key::Char(c),
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Left if by_word => Key::WordLeft,
        KeyCode::Right if by_word => Key::WordRight,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Backspace if by_word => Key::Ctrl('w'),
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Esc => Key::Escape,
        _ => return None,
    })
}

/// Runs the person's editor on a file that only they can read.
fn edit(editor: Option<String>, text: &str) -> Result<String, EditFailed> {
    let editor = editor.unwrap_or_default();
    if editor.trim().is_empty() {
        return Err(EditFailed::NotSet);
    }
    let mut file = tempfile::Builder::new().prefix("askback-").suffix(".md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    let status = command(&editor).arg(file.path()).status()?;
    if !status.success() {
        return Err(EditFailed::Ended { command: editor, status });
    }
    Ok(std::fs::read_to_string(file.path())?)
}

/// The editor's command as the person's shell would understand it: `EDITOR` may hold quotes and options.
#[cfg(unix)]
fn command(editor: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh");
    command
}

/// The editor's command with its options.
#[cfg(not(unix))]
fn command(editor: &str) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}
