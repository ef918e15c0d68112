//! A call that waits until the person has been where it sent them: try again, or end it.

use std::sync::Arc;

use askback_core::display::neutralise_line;
use askback_core::url_safety;
use askback_desk::view::{Closed, PageWaitView};
use askback_desk::{Texts, wording};

use super::Outcome;
use super::menu::Menu;
use super::url::address_line;
use super::view::{Context, View, title, usable_width};
use crate::drawing::{Drawing, Line, Style};
use crate::key::Key;
use crate::zone::Zone;

/// The dialog of a call that waits for pages.
pub struct Wait {
    wait: PageWaitView,
    texts: Arc<Texts>,
    server: String,
    menu: Menu<Act>,
    settled: Vec<Line>,
    spilled: Vec<Line>,
    done: bool,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    TryAgain,
    GiveUp,
}

impl Wait {
    /// A dialog for this call.
    pub fn new(wait: PageWaitView, texts: Arc<Texts>) -> Wait {
        let server = neutralise_line(&wait.server.name);
        let menu = Menu::ready(&[(Act::TryAgain, "term-choice-try-again"), (Act::GiveUp, "term-choice-give-up")]);
        let mut dialog = Wait { wait, texts, server, menu, settled: Vec::new(), spilled: Vec::new(), done: false };
        dialog.settled = dialog.intro();
        dialog
    }

    fn intro(&self) -> Vec<Line> {
        let context = Context { texts: &self.texts, server: &self.server, zone: &Zone::default() };
        let mut lines = vec![Line::blank(), title(context.of_server("term-wait-title"))];
        if let Some(call) = &self.wait.call {
            let call = wording::call(&self.texts, call);
            lines.push(Line::own(self.texts.format("term-for-call", &[("call", call.into())]), Style::Dim));
        }
        lines.push(Line::blank());
        lines.extend(self.wait.pages.iter().map(|page| address_line(&url_safety::inspect(page))));
        lines
    }

    /// What this dialog is about.
    pub fn wait(&self) -> &PageWaitView {
        &self.wait
    }

    /// Whether nothing is left to say.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes one key.
    pub fn handle(&mut self, key: &Key) -> Vec<Outcome> {
        if self.done {
            return Vec::new();
        }
        let act = match key {
            Key::Escape | Key::EndOfInput | Key::Ctrl('c' | 'd') => Some(Act::GiveUp),
            key => self.menu.handle(key),
        };
        match act {
            None => Vec::new(),
            Some(Act::TryAgain) => {
                let text = self.texts.get("term-trying-again");
                self.finish(Line::marked("✓", Style::Good).with(text, Style::Plain), Outcome::TryAgain)
            }
            Some(Act::GiveUp) => {
                let text = self.texts.format("term-gave-up", &[("server", self.server.as_str().into())]);
                self.finish(Line::marked("–", Style::Warning).with(text, Style::Plain), Outcome::GiveUp)
            }
        }
    }

    fn finish(&mut self, line: Line, outcome: Outcome) -> Vec<Outcome> {
        self.settled.extend([Line::blank(), line]);
        self.done = true;
        vec![outcome, Outcome::Done]
    }

    /// The call waits no longer, and here is why.
    pub fn close(&mut self, why: &Closed) -> Vec<Outcome> {
        if self.done {
            return Vec::new();
        }
        let text = wording::closed(&self.texts, why, &self.server);
        let mark = match why {
            Closed::PagesDone | Closed::Answered => Line::marked("✓", Style::Good),
            _ => Line::marked("!", Style::Warning),
        };
        self.settled.extend([Line::blank(), mark.with(text, Style::Plain)]);
        self.done = true;
        vec![Outcome::Done]
    }

    /// The dialog as it is now. Settled rows are handed out once.
    pub fn draw(&mut self, width: usize, height: usize) -> Drawing {
        let context = Context { texts: &self.texts, server: &self.server, zone: &Zone::default() };
        let mut view = View::new(usable_width(width));
        view.body.push(Line::own(context.of_server("term-wait-explained"), Style::Dim));
        view.body.gap();
        self.menu.draw(&mut view.body, &context);
        view.keys(&context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-end-call")]);
        let mut drawing = view.finish(height, &context, &mut self.settled, &mut self.spilled);
        if self.done {
            drawing.live.clear();
        }
        drawing
    }
}
