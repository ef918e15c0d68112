//! What this run knows of its surroundings: the languages, the terminals, the folders.

use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use askback_desk::Texts;
use askback_term::drawing::Style;
use askback_term::screen::Printer;

use crate::command_line::Options;

/// The surroundings of a run.
pub(crate) struct Console {
    pub(crate) texts: Arc<Texts>,
    /// Whether a person is there to be asked.
    pub(crate) interactive: bool,
    /// Whether standard error is looked at by a person: only then is there progress.
    pub(crate) stderr_is_terminal: bool,
    /// Whether colours may be used on standard error.
    pub(crate) colour: bool,
    /// Whether standard output is looked at by a person.
    pub(crate) stdout_is_terminal: bool,
    pub(crate) verbose: u8,
    /// The way past an open prompt, once there are prompts.
    printer: Arc<OnceLock<Printer>>,
}

impl Console {
    pub(crate) fn new(texts: Texts, options: &Options) -> Console {
        let stderr_is_terminal = std::io::stderr().is_terminal();
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Console {
            texts: Arc::new(texts),
            interactive: !options.no_input && std::io::stdin().is_terminal() && stderr_is_terminal,
            stderr_is_terminal,
            colour: stderr_is_terminal && !no_colour,
            stdout_is_terminal: std::io::stdout().is_terminal(),
            verbose: options.verbose,
            printer: Arc::default(),
        }
    }

    /// Text from a server for standard output: made safe for a terminal, left alone for a program.
    pub(crate) fn for_stdout(&self, text: &str) -> String {
        if self.stdout_is_terminal { askback_core::display::neutralise(text) } else { text.to_owned() }
    }

    /// From now on notes go past the prompts, so that they do not break one that is open.
    pub(crate) fn print_through(&self, printer: Printer) {
        let _ = self.printer.set(printer);
    }

    /// Where notes go once there are prompts, for whoever outlives this.
    pub(crate) fn printer(&self) -> Arc<OnceLock<Printer>> {
        self.printer.clone()
    }

    /// Whether what is going on can be drawn, on a line that is replaced again and again.
    pub(crate) fn draws(&self) -> bool {
        self.stderr_is_terminal && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
    }

    /// How many columns there are for [`Console::status`].
    pub(crate) fn columns(&self) -> usize {
        self.printer.get().map_or(0, Printer::columns)
    }

    /// What is going on right now, on a line that the next one replaces; only where there is a screen, else nowhere.
    pub(crate) fn status(&self, line: &str) {
        if let Some(printer) = self.printer.get() {
            printer.status(Some(line));
        }
    }

    /// Takes that line away.
    pub(crate) fn no_status(&self) {
        if let Some(printer) = self.printer.get() {
            printer.status(None);
        }
    }

    /// A quiet line on standard error, for a person.
    pub(crate) fn note(&self, line: &str) {
        self.styled_note(line, Style::Dim);
    }

    /// A line on standard error, for a person.
    pub(crate) fn styled_note(&self, line: &str, style: Style) {
        if let Some(printer) = self.printer.get() {
            printer.print_styled(line, style);
        } else if self.colour {
            err(format_args!("\u{1b}[{}m{line}\u{1b}[0m", style.code()));
        } else {
            err(format_args!("{line}"));
        }
    }
}

/// A line on standard error. A terminal that has gone away is no reason to stop.
pub(crate) fn err(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The user's folder for state: `$XDG_STATE_HOME/askback`, or the usual place of that.
pub(crate) fn state_folder() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// Where the lists of servers are kept for as long as the servers say.
pub(crate) fn list_folder() -> Option<PathBuf> {
    state_folder().map(|folder| folder.join("lists"))
}

/// The user's folder for configuration.
pub(crate) fn config_folder() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config")
}

/// The home folder.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

fn folder(variable: &str, otherwise: &str) -> Option<PathBuf> {
    let base = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    base.or_else(|| home().map(|home| home.join(otherwise))).map(|base| base.join("askback"))
}
