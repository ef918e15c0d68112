//! Drawing and drawing again, seen through a terminal emulator.

use std::io;
use std::sync::{Arc, Mutex};

use askback_desk::Lang;
use askback_term::screen::{EditFailed, EditText, Input, Screen, Terminal};
use tokio::sync::mpsc;

use crate::asks;
use crate::drawn::texts;
use askback_term::dialog::Dialog;
use askback_term::drawing::{Drawing, Line, Style};
use askback_term::key::keys;

/// A terminal in memory.
#[derive(Clone)]
pub(crate) struct Memory(pub(crate) Arc<Mutex<State>>);

pub(crate) struct State {
    pub(crate) emulator: vt100::Parser,
    /// Where keys are sent to, while open.
    pub(crate) keys: Option<mpsc::UnboundedSender<Input>>,
    pub(crate) opened: usize,
    pub(crate) edited: Option<String>,
}

impl Memory {
    pub(crate) fn new(rows: u16, columns: u16) -> Memory {
        let emulator = vt100::Parser::new(rows, columns, 500);
        Memory(Arc::new(Mutex::new(State { emulator, keys: None, opened: 0, edited: None })))
    }

    pub(crate) fn contents(&self) -> String {
        let state = self.0.lock().unwrap();
        let text = state.emulator.screen().contents();
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.lock().unwrap().keys.is_some()
    }
}

impl Terminal for Memory {
    fn size(&self) -> (u16, u16) {
        let (rows, columns) = self.0.lock().unwrap().emulator.screen().size();
        (columns, rows)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        // Open means raw: then a line feed is no more than that.
        let raw = state.keys.is_some();
        let text = if raw { text.to_owned() } else { text.replace("\r\n", "\n").replace('\n', "\r\n") };
        state.emulator.process(text.as_bytes());
        Ok(())
    }

    fn open(&mut self) -> io::Result<mpsc::UnboundedReceiver<Input>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut state = self.0.lock().unwrap();
        state.keys = Some(sender);
        state.opened += 1;
        Ok(receiver)
    }

    fn close(&mut self) {
        self.0.lock().unwrap().keys = None;
    }

    fn edit(&self, text: String) -> EditText {
        let edited = self.0.lock().unwrap().edited.clone();
        Box::new(move || edited.map(|more| text + &more).ok_or(EditFailed::NotSet))
    }
}

/// Plays a script and draws after each key; the screen must end as if only the last state had been drawn.
fn check(rows: u16, columns: u16, script: &str) -> String {
    let terminal = Memory::new(rows, columns);
    let screen = Screen::new(terminal.clone(), true);
    let mut dialog = Dialog::new(asks::round(1, vec![asks::barcelona()]), texts(Lang::En));
    dialog.start();
    let size = (usize::from(columns), usize::from(rows));
    screen.draw(dialog.draw(size.0, size.1)).unwrap();
    for key in keys(script) {
        dialog.handle(&key);
        screen.draw(dialog.draw(size.0, size.1)).unwrap();
    }
    terminal.contents()
}

#[test]
fn redraws_leave_nothing_behind() {
    insta::assert_snapshot!("redrawn", check(40, 80, "down enter down down up enter enter back back end enter"));
    insta::assert_snapshot!("redrawn_low", check(14, 60, "down enter down down up enter enter back back end enter"));
}

/// While a page is opened a dialog is there, and the terminal raw, with nothing live.
#[test]
fn rows_that_come_while_nothing_is_live_begin_at_the_margin() {
    let terminal = Memory::new(40, 80);
    let screen = Screen::new(terminal.clone(), false);
    let _inputs = Terminal::open(&mut terminal.clone()).unwrap();
    for text in ["Opening the page …", "If no page appears, copy the address."] {
        let settled = vec![Line::own(text, Style::Plain)];
        screen.draw(Drawing { settled, ..Drawing::default() }).unwrap();
    }
    screen.printer().print("A notice.");
    assert_eq!(
        terminal.contents().trim_end(),
        "  Opening the page …\n  If no page appears, copy the address.\nA notice."
    );
}

#[test]
fn notices_are_printed_above_an_open_dialog() {
    let terminal = Memory::new(40, 80);
    let screen = Screen::new(terminal.clone(), true);
    let printer = screen.printer();
    printer.print("before");
    printer.status(Some("working …"));
    let mut dialog = Dialog::new(asks::round(1, vec![asks::payment()]), texts(Lang::En));
    dialog.start();
    screen.draw(dialog.draw(80, 40)).unwrap();
    printer.print("progress: 3 of 10\u{1b}[2J");
    printer.status(Some("still working …"));
    insta::assert_snapshot!(terminal.contents());
}
