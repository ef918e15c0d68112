//! What is watched while a call runs: news from the host, and the user's wish to stop.
//!
//! Owns what is told of the news, and when. Must not know how a call is made.

use std::time::Instant;

use askback_host::Notice;
use tokio::sync::mpsc;

use crate::console::Console;
use crate::document::Document;
use crate::interrupts::Interrupts;
use crate::progress_bar::{ProgressBar, Report};
use crate::server_log::{Logged, ServerLog};
use crate::{transcript, wording};

/// How many violations are kept; a server that breaks rules without end breaks no more of them by that.
const MOST_VIOLATIONS: usize = 500;

/// What is watched.
pub(crate) struct Watch {
    pub(crate) notices: mpsc::UnboundedReceiver<Notice>,
    pub(crate) interrupts: Interrupts,
    pub(crate) progress: Progress,
    log: ServerLog,
    /// Whether asks and answers are printed as they are decided.
    transcript: bool,
}

impl Watch {
    pub(crate) fn new(console: &Console, notices: mpsc::UnboundedReceiver<Notice>, transcript: bool) -> Watch {
        Watch {
            notices,
            interrupts: Interrupts::listen(),
            progress: Progress::new(console),
            log: ServerLog::new(console.verbose),
            transcript,
        }
    }

    /// Takes in everything that has been told so far, now that the call is over: how far it was is of no more interest.
    pub(crate) fn drain(&mut self, console: &Console, document: &mut Document) {
        self.progress.is_over(console);
        while let Ok(notice) = self.notices.try_recv() {
            self.take(console, notice, document);
        }
    }

    /// One of several calls is over: how far it was is of no more interest, and the next one begins anew.
    pub(crate) fn next_call(&mut self, console: &Console) {
        self.progress.is_over(console);
        console.no_status();
        self.progress = Progress::new(console);
    }

    pub(crate) fn take(&mut self, console: &Console, notice: Notice, document: &mut Document) {
        if self.transcript
            && let Notice::Decided(decided) = &notice
        {
            // The transcript goes to standard output, which may be the same terminal.
            console.no_status();
            transcript::print(console, decided);
        }
        match notice {
            Notice::Decided(decided) => document.asks.push(*decided),
            Notice::Violated { violation, .. } if document.violations.len() < MOST_VIOLATIONS => {
                document.violations.push(violation);
            }
            Notice::Progressed { progress, total, message, .. } => {
                self.progress.report(console, Report { progress, total, message });
            }
            Notice::Logged { server, level, logger, text } => {
                let (server, logger) = (server.as_str(), logger.as_deref());
                self.log.tell(console, Logged { server, level: &level, logger, text: &text });
            }
            notice => wording::tell(console, &notice),
        }
    }
}

/// How progress is told of in this run.
pub(crate) struct Progress {
    bar: ProgressBar,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// On a line that is replaced.
    Drawn,
    /// On lines of its own.
    Noted,
    /// Not at all.
    Untold,
}

impl Progress {
    fn new(console: &Console) -> Progress {
        let way = match (console.draws(), console.verbose) {
            (true, _) => Way::Drawn,
            (false, 0) => Way::Untold,
            (false, _) => Way::Noted,
        };
        Progress { bar: ProgressBar::new(Instant::now()), way }
    }

    /// Waits until it is to be drawn again though nothing was said. Cancel-safe.
    pub(crate) async fn drawing_is_due(&self) {
        match self.bar.next_drawing().filter(|_| self.way == Way::Drawn) {
            Some(at) => tokio::time::sleep_until(at.into()).await,
            None => std::future::pending().await,
        }
    }

    /// Draws it as it is now.
    pub(crate) fn draw(&mut self, console: &Console) {
        let line = self.bar.line(&console.texts, Instant::now(), console.columns());
        console.status(&line);
    }

    fn report(&mut self, console: &Console, report: Report) {
        let now = Instant::now();
        let is_due = self.bar.report(now, report);
        match self.way {
            Way::Drawn if is_due => self.draw(console),
            Way::Noted if is_due => note(console, self.bar.draw(now)),
            Way::Drawn | Way::Noted | Way::Untold => {}
        }
    }

    fn is_over(&mut self, console: &Console) {
        if self.way == Way::Noted {
            note(console, self.bar.untold());
        }
        self.way = Way::Untold;
    }
}

fn note(console: &Console, report: Option<&Report>) {
    let Some(report) = report else { return };
    let variables = [("count", report.count().into()), ("message", report.words().into())];
    console.note(console.texts.format("progress", &variables).trim_end());
}
