//! Saying no: an optional reason, and how far the no goes.

use super::menu;
use super::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::editor::Editor;
use crate::key::Key;

/// The view that asks for the reason.
#[derive(Default)]
pub(super) struct Decline {
    reason: Editor,
    everything: bool,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    Decline { reason: Option<String>, everything: bool },
}

impl Decline {
    pub(super) fn new() -> Decline {
        Decline::default()
    }

    pub(super) fn handle(&mut self, key: &Key) -> Event {
        match key {
            Key::Escape => return Event::Back,
            Key::Enter => {
                let reason = self.reason.text().trim();
                let reason = (!reason.is_empty()).then(|| reason.to_owned());
                return Event::Decline { reason, everything: self.everything };
            }
            Key::Up | Key::BackTab => self.everything = false,
            Key::Down => self.everything = true,
            Key::Tab => self.everything = !self.everything,
            key => {
                self.reason.handle(key);
            }
        }
        Event::Stay
    }

    /// Draws it; `more` says whether further questions of the round would be declined too, `told` whether the server hears of it.
    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>, more: bool, told: bool) {
        let body = &mut view.body;
        body.push(Line::own(context.get("term-decline-title"), Style::Bold));
        let why = if told { "term-decline-why" } else { "term-decline-why-unheard" };
        body.push(Line::own(context.of_server(why), Style::Dim));
        self.reason.draw(body, "›", Style::Accent, false);
        let cursor = body.cursor;
        body.gap();
        let everything = if more { "term-decline-all-and-rest" } else { "term-decline-all" };
        for (id, chosen) in [("term-decline-this", !self.everything), (everything, self.everything)] {
            body.push(menu::row(false, Some(if chosen { "●" } else { "○" }), &context.of_server(id)));
        }
        body.cursor = cursor;
        view.keys(context, &[("Enter", "term-do-decline"), ("↑↓", "term-do-choose"), ("Esc", "term-do-back")]);
    }
}
