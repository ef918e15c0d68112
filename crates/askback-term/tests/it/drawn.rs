//! A dialog driven by a script of keys, and drawn as text.

use std::sync::Arc;

use askback_core::answer::Answer;
use askback_desk::view::RoundView;
use askback_desk::{Lang, Texts};
use askback_term::TERM;
use askback_term::dialog::{Dialog, Outcome};
use askback_term::drawing::{Drawing, Line};
use askback_term::key::keys;
use askback_term::zone::Zone;

pub(crate) const WIDTH: usize = 80;

pub(crate) fn texts(lang: Lang) -> Arc<Texts> {
    Arc::new(Texts::new(lang, &[TERM]))
}

/// What a script led to.
pub(crate) struct Played {
    pub(crate) dialog: Dialog,
    pub(crate) answers: Vec<(usize, Answer)>,
    /// Everything else that the runner had to do.
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) settled: Vec<Line>,
    pub(crate) last: Drawing,
    /// How opening a page ends.
    pub(crate) browser: Result<(), String>,
}

/// Plays a script against a round whose answers are all taken.
pub(crate) fn play(lang: Lang, round: RoundView, script: &str) -> Played {
    play_with(lang, round, script, Ok(()))
}

/// As [`play`], where opening a page ends like this.
pub(crate) fn play_with(lang: Lang, round: RoundView, script: &str, browser: Result<(), String>) -> Played {
    let dialog = Dialog::new(round, texts(lang)).in_zone(Zone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3"));
    let last = Drawing::default();
    let mut played = Played { dialog, answers: Vec::new(), outcomes: Vec::new(), settled: Vec::new(), last, browser };
    played.draw(40);
    for key in keys(script) {
        let outcomes = played.dialog.handle(&key);
        played.carry_out(outcomes);
        played.draw(40);
    }
    played
}

impl Played {
    pub(crate) fn draw(&mut self, height: usize) {
        self.last = self.dialog.draw(WIDTH, height);
        self.settled.append(&mut self.last.settled);
    }

    pub(crate) fn carry_out(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            if let Outcome::Answer { index, answer } = outcome {
                self.answers.push((index, answer));
                let more = self.dialog.taken();
                self.carry_out(more);
            } else if let Outcome::OpenPage { url } = &outcome {
                let opened = self.browser.clone();
                let more = self.dialog.page_opened(url, opened);
                self.outcomes.push(outcome);
                self.carry_out(more);
            } else {
                self.outcomes.push(outcome);
            }
        }
    }

    /// The settled lines, then the live ones below a rule, with the cursor drawn as a block.
    pub(crate) fn text(&self) -> String {
        let mut text: String = self.settled.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect();
        if !self.last.live.is_empty() {
            text.push_str("┄┄┄┄┄┄┄┄\n");
            text.push_str(&live(&self.last));
        }
        text
    }
}

pub(crate) fn live(drawing: &Drawing) -> String {
    let mut text = String::new();
    for (row, line) in drawing.live.iter().enumerate() {
        match drawing.cursor {
            Some((at, column)) if at == row => text.push_str(&with_cursor(&line.text(), column)),
            _ => text.push_str(line.text().trim_end()),
        }
        text.push('\n');
    }
    text
}

fn with_cursor(line: &str, column: usize) -> String {
    let mut shown = String::new();
    let mut used = 0;
    let mut placed = false;
    for c in line.chars() {
        if used >= column && !placed {
            shown.push('█');
            placed = true;
        }
        shown.push(c);
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
    }
    if !placed {
        shown.push('█');
    }
    shown
}
