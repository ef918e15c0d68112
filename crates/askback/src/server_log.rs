//! What a server logs, for a person: which of it is shown, how it looks, and how much of it at most.
//!
//! Serves "Logging" (`notifications/message`). Owns the levels and their order. Must not know how a level is asked for on the wire.

use askback_core::display::{neutralise_line, shorten};
use askback_term::drawing::Style;

use crate::console::Console;

/// How many messages are shown in one run.
const MOST_SHOWN: u32 = 200;
/// How many characters of one message are shown.
const MOST_TEXT: usize = 500;
/// How many characters of the names of a level and of a logger are shown.
const MOST_NAME: usize = 40;

/// How severe a message is; the order is that of the specification, which is that of RFC 5424.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    /// The least severe level that is shown, and so asked for, with so many `-v`.
    pub(crate) fn shown_with(verbose: u8) -> Level {
        match verbose {
            0 => Level::Warning,
            1 => Level::Info,
            _ => Level::Debug,
        }
    }

    /// The name in the protocol.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Error => "error",
            Level::Critical => "critical",
            Level::Alert => "alert",
            Level::Emergency => "emergency",
        }
    }

    /// A level as a server writes it: some write their language's name for it. An unknown one is as severe as most messages are.
    fn read(text: &str) -> Level {
        match text.to_ascii_lowercase().as_str() {
            "debug" | "trace" => Level::Debug,
            "notice" => Level::Notice,
            "warning" | "warn" => Level::Warning,
            "error" | "err" => Level::Error,
            "critical" | "fatal" => Level::Critical,
            "alert" => Level::Alert,
            "emergency" => Level::Emergency,
            _ => Level::Info,
        }
    }

    fn style(self) -> Style {
        match self {
            Level::Debug | Level::Info | Level::Notice => Style::Dim,
            Level::Warning => Style::Warning,
            Level::Error | Level::Critical | Level::Alert | Level::Emergency => Style::Error,
        }
    }
}

/// What was shown of the log so far.
#[derive(Debug)]
pub(crate) struct ServerLog {
    least: Level,
    shown: u32,
}

/// A message as it was sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logged<'a> {
    pub(crate) server: &'a str,
    pub(crate) level: &'a str,
    pub(crate) logger: Option<&'a str>,
    pub(crate) text: &'a str,
}

impl ServerLog {
    /// Nothing was shown yet.
    pub(crate) fn new(verbose: u8) -> ServerLog {
        ServerLog { least: Level::shown_with(verbose), shown: 0 }
    }

    /// Shows a message if it is severe enough and not one too many.
    pub(crate) fn tell(&mut self, console: &Console, logged: Logged<'_>) {
        if let Some((line, style)) = self.line(console, logged) {
            console.styled_note(&line, style);
        }
    }

    fn line(&mut self, console: &Console, logged: Logged<'_>) -> Option<(String, Style)> {
        let level = Level::read(logged.level);
        if level < self.least || self.shown > MOST_SHOWN {
            return None;
        }
        self.shown += 1;
        let server = ("server", logged.server.into());
        if self.shown > MOST_SHOWN {
            return Some((console.texts.format("server-log-more", &[server]), Style::Dim));
        }
        let name = |text: &str| shorten(&neutralise_line(text), MOST_NAME);
        let text = shorten(&neutralise_line(logged.text), MOST_TEXT);
        let variables = [
            server,
            ("level", name(logged.level).into()),
            ("logger", name(logged.logger.unwrap_or_default()).into()),
            ("text", text.into()),
        ];
        let id = if logged.logger.is_some_and(|logger| !logger.is_empty()) { "server-log-of" } else { "server-log" };
        Some((console.texts.format(id, &variables), level.style()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Options;
    use askback_desk::{Lang, Texts};

    /// What is shown of messages with these levels.
    fn check(verbose: u8, levels: &[&str]) -> Vec<(String, Style)> {
        let console = Console::new(Texts::new(Lang::En, &[crate::ASKBACK]), &Options::default());
        let mut log = ServerLog::new(verbose);
        let logged = |level| Logged { server: "s", level, logger: Some("db"), text: "x\u{1b}[2J" };
        levels.iter().filter_map(|level| log.line(&console, logged(level))).collect()
    }

    #[test]
    fn what_is_shown_follows_from_the_verbosity() {
        let all = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "WARN", "odd"];
        let levels = |verbose| -> Vec<String> {
            let word = |line: String| line.split(' ').nth(1).unwrap_or_default().to_owned();
            check(verbose, &all).into_iter().map(|(line, _)| word(line)).collect()
        };
        assert_eq!(levels(0), ["warning", "error", "critical", "alert", "emergency", "WARN"]);
        assert_eq!(levels(1), all[1..]);
        assert_eq!(levels(2), all);
    }

    #[test]
    fn the_logger_is_named_and_nothing_acts_on_the_terminal() {
        assert_eq!(check(0, &["error"]), [("[s error db] x␛[2J".to_owned(), Style::Error)]);
    }

    #[test]
    fn a_flood_ends() {
        let shown = check(0, &["warning"; 1000]);
        assert_eq!(shown.len(), 201);
        assert!(shown[200].0.contains("more"), "{}", shown[200].0);
    }
}
