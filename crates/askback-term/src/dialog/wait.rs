//! A call that waits for the person's word: send it again, or end it.

use std::sync::Arc;

use askback_core::display::neutralise_line;
use askback_core::url_safety::{self, Openable};
use askback_desk::view::{Closed, WaitFor, WaitView};
use askback_desk::{Texts, wording};

use super::Outcome;
use super::menu::Menu;
use super::url::address_line;
use super::view::{Context, View, title, usable_width};
use crate::drawing::{Drawing, Line, Style};
use crate::key::Key;
use crate::zone::Zone;

/// The dialog of a call that waits for the person's word.
pub struct Wait {
    wait: WaitView,
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

/// The ids of what is said, by what is waited for.
struct Words {
    title: &'static str,
    explained: &'static str,
    try_again: &'static str,
    trying_again: &'static str,
    give_up: &'static str,
    gave_up: &'static str,
}

const PAGES: Words = Words {
    title: "term-wait-title",
    explained: "term-wait-explained",
    try_again: "term-choice-try-again",
    trying_again: "term-trying-again",
    give_up: "term-choice-give-up",
    gave_up: "term-gave-up",
};

const RESEND: Words = Words {
    title: "term-resend-title",
    explained: "term-resend-explained",
    try_again: "term-choice-send-again",
    trying_again: "term-sending-again",
    give_up: "term-choice-give-up",
    gave_up: "term-not-sent-again",
};

const LOGIN: Words = Words {
    title: "term-login-title",
    explained: "term-login-explained",
    try_again: "term-choice-log-in",
    trying_again: "term-logging-in",
    give_up: "term-choice-no-login",
    gave_up: "term-not-logged-in",
};

fn words(wait_for: &WaitFor) -> &'static Words {
    match wait_for {
        WaitFor::Pages { .. } => &PAGES,
        WaitFor::Resend { .. } => &RESEND,
        WaitFor::Login { .. } => &LOGIN,
    }
}

impl Wait {
    /// A dialog for this call.
    pub fn new(wait: WaitView, texts: Arc<Texts>) -> Wait {
        let server = neutralise_line(&wait.server.name);
        let words = words(&wait.wait_for);
        let choices = [(Act::TryAgain, words.try_again), (Act::GiveUp, words.give_up)];
        let menu = match &wait.wait_for {
            WaitFor::Pages { .. } => Menu::ready(&choices),
            // An address that is never opened cannot be agreed to.
            WaitFor::Login { page, .. } if url_safety::inspect(page).destination().is_none() => {
                Menu::ready(&choices[1..])
            }
            // What is sent a second time may be done a second time; and a login may be what a server would like to have.
            WaitFor::Resend { .. } | WaitFor::Login { .. } => Menu::careful(&choices),
        };
        let mut dialog = Wait { wait, texts, server, menu, settled: Vec::new(), spilled: Vec::new(), done: false };
        dialog.settled = dialog.intro();
        dialog
    }

    fn intro(&self) -> Vec<Line> {
        let context = Context { texts: &self.texts, server: &self.server, zone: &Zone::default() };
        let mut lines = vec![Line::blank(), title(context.of_server(words(&self.wait.wait_for).title))];
        if let Some(call) = &self.wait.call {
            let call = wording::call(&self.texts, call);
            lines.push(Line::own(self.texts.format("term-for-call", &[("call", call.into())]), Style::Dim));
        }
        lines.push(Line::blank());
        match &self.wait.wait_for {
            WaitFor::Pages { pages } => {
                lines.extend(pages.iter().map(|page| address_line(&url_safety::inspect(page))));
            }
            WaitFor::Login { issuer, page, scopes } => lines.extend(login_lines(&context, issuer, page, scopes)),
            WaitFor::Resend { detail, may_have_acted } => {
                let label = format!("{}{}", context.get("term-what-happened"), context.get("term-colon"));
                lines.push(Line::own(label, Style::Dim).with(neutralise_line(detail), Style::Plain));
                lines.push(if *may_have_acted {
                    Line::marked("!", Style::Warning).with(context.of_server("term-may-have-acted"), Style::Warning)
                } else {
                    Line::own(context.of_server("term-has-not-acted"), Style::Plain)
                });
            }
        }
        lines
    }

    /// What this dialog is about.
    pub fn wait(&self) -> &WaitView {
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
                let id = words(&self.wait.wait_for).trying_again;
                let text = self.texts.format(id, &[("server", self.server.as_str().into())]);
                self.finish(Line::marked("✓", Style::Good).with(text, Style::Plain), Outcome::TryAgain)
            }
            Some(Act::GiveUp) => {
                let id = words(&self.wait.wait_for).gave_up;
                let text = self.texts.format(id, &[("server", self.server.as_str().into())]);
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
        let text = wording::wait_closed(&self.texts, why, &self.server);
        let mark = match why {
            Closed::PagesDone | Closed::Answered | Closed::AnsweredElsewhere { .. } => Line::marked("✓", Style::Good),
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
        view.body.push(Line::own(context.of_server(words(&self.wait.wait_for).explained), Style::Dim));
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

/// Who wants the login, where it is, and what it is good for.
fn login_lines(context: &Context<'_>, issuer: &str, page: &str, scopes: &[String]) -> Vec<Line> {
    let labelled = |id: &str, text: String| {
        let label = format!("{}{}", context.get(id), context.get("term-colon"));
        Line::own(label, Style::Dim).with(text, Style::Plain)
    };
    let address = url_safety::inspect(page);
    let mut lines = vec![labelled("term-login-at", neutralise_line(issuer))];
    if scopes.is_empty() {
        lines.push(Line::own(context.of_server("term-login-any-scope"), Style::Dim));
    } else {
        let scopes: Vec<String> = scopes.iter().map(|scope| neutralise_line(scope)).collect();
        lines.push(labelled("term-login-scopes", scopes.join(&context.get("term-list-separator"))));
    }
    lines.extend([Line::blank(), address_line(&address)]);
    if let Openable::No(why) = &address.openable {
        let why = wording::not_openable(context.texts, why);
        lines.push(Line::marked("✗", Style::Error).with(why, Style::Error));
    }
    lines.extend(address.warnings.iter().map(|warning| {
        let warning = wording::address_warning(context.texts, warning);
        Line::marked("!", Style::Warning).with(warning, Style::Warning)
    }));
    lines
}
