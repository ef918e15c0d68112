//! What is drawn and what was drawn: lines that settle into the scrollback, and below them the live part, drawn anew each time.
//!
//! Owns the escape sequences and the lock around the terminal, so that notices from elsewhere never break an open dialog. Must not know dialogs.

use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::display::neutralise_line;
use tokio::sync::mpsc;

use crate::drawing::{Drawing, Line, Style, clip};
use crate::key::Key;

/// What a terminal reports while it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(Key),
    /// The terminal has another size.
    Resized,
}

/// Edits a text elsewhere; to be run where blocking is allowed.
pub type EditText = Box<dyn FnOnce() -> Result<String, EditFailed> + Send>;

/// Why the person's own editor could not be used.
#[derive(Debug, thiserror::Error)]
pub enum EditFailed {
    /// None is set.
    #[error("no editor is set")]
    NotSet,
    /// It did not start, or failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It ended with an error.
    #[error("{command} ended with {status}")]
    Ended {
        /// The editor's command.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
}

/// A terminal: something with a size that can be written to and, while open, gives keys.
pub trait Terminal: Send {
    /// Columns and rows.
    fn size(&self) -> (u16, u16);

    /// Writes text at once.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn write(&mut self, text: &str) -> io::Result<()>;

    /// Starts to give keys; what was typed before is dropped. The channel ends with the input.
    ///
    /// # Errors
    /// When keys cannot be read here.
    fn open(&mut self) -> io::Result<mpsc::UnboundedReceiver<Input>>;

    /// Stops giving keys and puts everything back as it was. Does nothing when it is not open.
    fn close(&mut self);

    /// Lets the person edit a text in their own editor. Called while closed.
    fn edit(&self, text: String) -> EditText;
}

/// The terminal that prompts and notices share.
#[derive(Clone)]
pub struct Screen {
    inner: Arc<Mutex<Inner>>,
}

/// Prints notices, above an open dialog if there is one.
#[derive(Clone)]
pub struct Printer {
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    terminal: Box<dyn Terminal>,
    coloured: bool,
    /// The dialog's live part, if one is open.
    dialog: Option<Drawing>,
    /// A line that stays at the bottom while no dialog is open.
    status: Option<Line>,
    /// The widths of the live rows on the terminal, and where the cursor is among them.
    drawn: Vec<usize>,
    cursor: (usize, usize),
    /// The width that they were drawn for.
    columns: u16,
    /// Lines held back while the person's editor has the terminal.
    held: Option<Vec<Line>>,
}

impl Screen {
    /// A screen on this terminal; without `coloured` no styles at all are written.
    pub fn new(terminal: impl Terminal + 'static, coloured: bool) -> Screen {
        let inner = Inner {
            terminal: Box::new(terminal),
            coloured,
            dialog: None,
            status: None,
            drawn: Vec::new(),
            cursor: (0, 0),
            columns: 0,
            held: None,
        };
        Screen { inner: Arc::new(Mutex::new(inner)) }
    }

    /// A handle for notices.
    pub fn printer(&self) -> Printer {
        Printer { inner: Arc::clone(&self.inner) }
    }

    /// Erases what is live and puts the terminal back as it was: before the process ends while a dialog may be open.
    pub fn restore(&self) {
        let mut inner = lock(&self.inner);
        inner.status = None;
        inner.leave();
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        let (columns, rows) = lock(&self.inner).terminal.size();
        (usize::from(columns), usize::from(rows))
    }

    pub(crate) fn open(&self) -> io::Result<mpsc::UnboundedReceiver<Input>> {
        lock(&self.inner).terminal.open()
    }

    /// Shows a state of a dialog: its settled rows are printed, its live rows replace those of the state before.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&self, mut drawing: Drawing) -> io::Result<()> {
        let mut inner = lock(&self.inner);
        let settled = std::mem::take(&mut drawing.settled);
        inner.dialog = Some(drawing);
        inner.paint(&settled)
    }

    /// Ends the dialog: its live part goes, the terminal is as before.
    pub(crate) fn leave(&self) {
        let mut inner = lock(&self.inner);
        inner.leave();
        if let Some(held) = inner.held.take() {
            // A terminal that is gone cannot be told so.
            let _ = inner.paint(&held);
        }
    }

    /// Gives the terminal to the person's editor; notices wait meanwhile.
    pub(crate) fn lend(&self, text: String) -> EditText {
        let mut inner = lock(&self.inner);
        inner.leave();
        inner.held = Some(Vec::new());
        inner.terminal.edit(text)
    }

    /// Takes the terminal back.
    pub(crate) fn take_back(&self) -> io::Result<mpsc::UnboundedReceiver<Input>> {
        let mut inner = lock(&self.inner);
        let held = inner.held.take().unwrap_or_default();
        inner.paint(&held)?;
        inner.terminal.open()
    }
}

impl Printer {
    /// Prints a line, or several. Control characters are neutralised; the text may be a server's, but then say so in it.
    pub fn print(&self, text: &str) {
        self.print_styled(text, Style::Plain);
    }

    /// As [`Printer::print`], in a style.
    pub fn print_styled(&self, text: &str, style: Style) {
        let lines: Vec<Line> = text.lines().map(|line| Line::flush(neutralise_line(line), style)).collect();
        self.print_lines(&lines);
    }

    /// Prints lines, wrapped to the terminal's width.
    pub fn print_lines(&self, lines: &[Line]) {
        let mut inner = lock(&self.inner);
        let width = usize::from(inner.terminal.size().0).saturating_sub(1).max(8);
        let rows: Vec<Line> = lines.iter().flat_map(|line| line.wrap(width)).collect();
        // A terminal that is gone cannot be told so.
        let _ = inner.paint(&rows);
    }

    /// Shows a line at the bottom for as long as no dialog is open that does not give way to it, or takes it away. For terminals only.
    pub fn status(&self, text: Option<&str>) {
        let mut inner = lock(&self.inner);
        let width = usize::from(inner.terminal.size().0).saturating_sub(1);
        let status = text.map(|text| Line::flush(clip(&neutralise_line(text), width), Style::Dim));
        if inner.status == status {
            return;
        }
        inner.status = status;
        // A dialog is not drawn anew for a line that is not shown beside it.
        if inner.dialog.as_ref().is_none_or(|dialog| dialog.gives_way) {
            let _ = inner.paint(&[]);
        }
    }

    /// How many columns the terminal has.
    pub fn columns(&self) -> usize {
        usize::from(lock(&self.inner).terminal.size().0)
    }
}

/// The lock; a panic elsewhere is no reason to stop drawing.
fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    fn leave(&mut self) {
        self.dialog = None;
        let _ = self.paint(&[]);
        self.terminal.close();
    }

    /// Writes what makes the terminal show `settled` and then the live part, all at once.
    fn paint(&mut self, settled: &[Line]) -> io::Result<()> {
        if let Some(held) = &mut self.held {
            held.extend_from_slice(settled);
            return Ok(());
        }
        let (live, cursor) = match (&self.dialog, &self.status) {
            (Some(drawing), Some(status)) if drawing.gives_way => (vec![status.clone()], None),
            (Some(drawing), _) => (drawing.live.clone(), drawing.cursor),
            (None, Some(status)) => (vec![status.clone()], None),
            (None, None) => (Vec::new(), None),
        };
        let moves = !self.drawn.is_empty() || !live.is_empty();
        let clear = if moves { "\x1b[K" } else { "" };
        // While there is a dialog the terminal is in raw mode, whether anything of it is live or not.
        let newline = if moves || self.dialog.is_some() { "\r\n" } else { "\n" };
        let mut out = String::new();
        if moves {
            out.push_str("\x1b[?25l\r");
            let up = self.rows_above_cursor();
            if up > 0 {
                let _ = write!(out, "\x1b[{up}A");
            }
            let columns = self.terminal.size().0;
            if columns != self.columns {
                // A terminal remembers which rows it has broken; cleared, they are not joined again when it gets wider.
                out.push_str("\x1b[J");
                self.columns = columns;
            }
        }
        for line in settled {
            self.render(&mut out, line);
            out.push_str(clear);
            out.push_str(newline);
        }
        for (at, line) in live.iter().enumerate() {
            if at > 0 {
                out.push_str(newline);
            }
            self.render(&mut out, line);
            out.push_str(clear);
        }
        self.drawn = live.iter().map(Line::width).collect();
        let last = live.len().saturating_sub(1);
        self.cursor = cursor.map_or((last, 0), |(row, column)| (row.min(last), column));
        if moves {
            out.push_str("\x1b[J\r");
            if last > self.cursor.0 {
                let _ = write!(out, "\x1b[{}A", last - self.cursor.0);
            }
            if self.cursor.1 > 0 {
                let _ = write!(out, "\x1b[{}C", self.cursor.1);
            }
            if cursor.is_some() || self.dialog.is_none() {
                out.push_str("\x1b[?25h");
            }
        }
        if out.is_empty() { Ok(()) } else { self.terminal.write(&out) }
    }

    /// How far the cursor is below the top of the live part, should the terminal have become narrower and broken its rows anew.
    fn rows_above_cursor(&self) -> usize {
        let columns = usize::from(self.terminal.size().0).max(1);
        let (row, column) = self.cursor;
        let above: usize = self.drawn.iter().take(row).map(|width| width.div_ceil(columns).max(1)).sum();
        above + column / columns
    }

    fn render(&self, out: &mut String, line: &Line) {
        for span in line.lead.iter().chain(&line.spans) {
            let code = span.style.code();
            if self.coloured && !code.is_empty() {
                let _ = write!(out, "\x1b[{code}m{}\x1b[0m", span.text);
            } else {
                out.push_str(&span.text);
            }
        }
    }
}
