//! A dialog driven by a script of keys, and drawn as text.

use std::sync::Arc;

use askback_core::answer::Answer;
use askback_desk::lending::Wish;
use askback_desk::view::RoundView;
use askback_desk::{Lang, Texts};
use askback_term::TERM;
use askback_term::dialog::{Dialog, Outcome};
use askback_term::drawing::{Drawing, Line};
use askback_term::key::keys;
use askback_term::zone::Zone;

use crate::lent::{Lender, NOW};

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
    /// What models were put to work on.
    pub(crate) wishes: Vec<Wish>,
    pub(crate) world: World,
}

/// What is around a dialog.
pub(crate) struct World {
    pub(crate) lang: Lang,
    pub(crate) width: usize,
    /// How opening a page ends.
    pub(crate) browser: Result<(), String>,
    /// Who lends models, if anyone does.
    pub(crate) lender: Option<Lender>,
    /// What the person's editor makes of a text, if there is one.
    pub(crate) editor: Option<fn(String) -> String>,
}

impl World {
    pub(crate) fn new(lang: Lang) -> World {
        World { lang, width: WIDTH, browser: Ok(()), lender: None, editor: None }
    }

    /// A world in which models are lent.
    pub(crate) fn lending(lang: Lang, lender: &Lender) -> World {
        World { lender: Some(lender.clone()), ..World::new(lang) }
    }

    /// Plays a script against a round whose answers are all taken.
    pub(crate) fn play(self, round: RoundView, script: &str) -> Played {
        let dialog = Dialog::new(round, texts(self.lang)).in_zone(Zone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3"));
        let (answers, outcomes, settled, wishes) = Default::default();
        let mut played = Played { dialog, answers, outcomes, settled, last: Drawing::default(), wishes, world: self };
        let begun = played.dialog.start();
        played.carry_out(begun);
        played.draw(40);
        for key in keys(script) {
            let outcomes = played.dialog.handle(&key);
            played.carry_out(outcomes);
            played.draw(40);
        }
        played
    }
}

/// Plays a script where there are no models.
pub(crate) fn play(lang: Lang, round: RoundView, script: &str) -> Played {
    World::new(lang).play(round, script)
}

impl Played {
    pub(crate) fn draw(&mut self, height: usize) {
        self.last = self.dialog.draw(self.world.width, height);
        self.settled.append(&mut self.last.settled);
    }

    pub(crate) fn carry_out(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            let more = match outcome {
                Outcome::Answer { index, answer } => {
                    self.answers.push((index, answer));
                    self.dialog.taken()
                }
                Outcome::OpenPage { url } => {
                    let opened = self.world.browser.clone();
                    let more = self.dialog.page_opened(&url, opened);
                    self.outcomes.push(Outcome::OpenPage { url });
                    more
                }
                Outcome::Offer { wish } => {
                    self.dialog.offered(self.world.lender.as_ref().map(|lender| lender.offer(&wish)), NOW);
                    Vec::new()
                }
                Outcome::Permit { permission } => {
                    self.dialog.permitted(permission, Ok(()));
                    self.outcomes.push(Outcome::Permit { permission });
                    Vec::new()
                }
                Outcome::Draft { wish } => {
                    self.wishes.push(*wish);
                    let drafts = self.world.lender.as_mut().map(|lender| &mut lender.drafts);
                    let events = drafts.and_then(|drafts| drafts.pop_front()).unwrap_or_default();
                    events.into_iter().flat_map(|event| self.dialog.drafted(event)).collect()
                }
                Outcome::EditInEditor { text } => match self.world.editor {
                    Some(editor) => self.dialog.edited(editor(text)),
                    None => {
                        self.outcomes.push(Outcome::EditInEditor { text });
                        Vec::new()
                    }
                },
                other => {
                    self.outcomes.push(other);
                    Vec::new()
                }
            };
            self.carry_out(more);
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
