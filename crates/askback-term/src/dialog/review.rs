//! The last look before anything is sent: the exact content, and to whom it goes.

use askback_core::display::neutralise_line;
use askback_core::form::ContentError;
use askback_desk::wording;
use serde_json::{Map, Value};

use super::fields::{Fields, MASK};
use super::menu::{self, Menu};
use super::view::{Context, View};
use crate::drawing::{Line, Span, Style};
use crate::key::Key;

/// The review of a form.
pub(super) struct Review {
    outcome: Result<Map<String, Value>, Vec<ContentError>>,
    menu: Menu<Act>,
    /// Set while the person looks for a field to edit.
    picking: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Send,
    Edit,
    Decline,
    Cancel,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Send(Map<String, Value>),
    Field(usize),
    Back,
    Decline,
    Cancel,
}

/// How many fields before and after the picked one are drawn.
const AROUND: usize = 8;

const EDIT: [(Act, &str); 3] =
    [(Act::Edit, "term-choice-edit"), (Act::Decline, "term-choice-decline"), (Act::Cancel, "term-choice-cancel")];

impl Review {
    /// Content that can be sent.
    pub(super) fn ready(content: Map<String, Value>) -> Review {
        let mut items = vec![(Act::Send, "term-choice-send")];
        items.extend(EDIT);
        Review { outcome: Ok(content), menu: Menu::ready(&items), picking: None }
    }

    /// Content that the form as a whole refuses; no single field is to blame.
    pub(super) fn refused(errors: Vec<ContentError>) -> Review {
        Review { outcome: Err(errors), menu: Menu::ready(&EDIT), picking: None }
    }

    pub(super) fn handle(&mut self, key: &Key, fields: usize) -> Event {
        if let Some(at) = &mut self.picking {
            match key {
                Key::Up | Key::BackTab => *at = at.saturating_sub(1),
                Key::Down | Key::Tab => *at = (*at + 1).min(fields.saturating_sub(1)),
                Key::Home => *at = 0,
                Key::End => *at = fields.saturating_sub(1),
                Key::Enter => return Event::Field(*at),
                Key::Escape => self.picking = None,
                _ => {}
            }
            return Event::Stay;
        }
        match key {
            Key::Escape => return Event::Cancel,
            Key::BackTab => return Event::Back,
            _ => {}
        }
        match self.menu.handle(key) {
            None => Event::Stay,
            Some(Act::Send) => match &self.outcome {
                Ok(content) => Event::Send(content.clone()),
                Err(_) => Event::Stay,
            },
            Some(Act::Edit) if fields == 1 => Event::Field(0),
            Some(Act::Edit) => {
                self.picking = Some(0);
                Event::Stay
            }
            Some(Act::Decline) => Event::Decline,
            Some(Act::Cancel) => Event::Cancel,
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>, fields: &Fields) {
        if let Some(picked) = self.picking {
            view.body.push(Line::own(context.get("term-pick-field"), Style::Dim));
            let shown = picked.saturating_sub(AROUND)..fields.len().min(picked + AROUND + 1);
            let more = |hidden: usize| {
                let text = context.texts.format("term-more", &[("count", (hidden as u64).into())]);
                Line::marked(" ", Style::Plain).with(text, Style::Dim)
            };
            if shown.start > 0 {
                view.body.push(more(shown.start));
            }
            for at in shown.clone() {
                let mut line = menu::row(at == picked, None, "");
                let summary = fields.summary(at, context, view.body.width);
                let style = if at == picked { Style::Accent } else { Style::Plain };
                line.spans.extend(summary.spans.into_iter().map(|span| Span { style, ..span }));
                if at == picked {
                    view.body.focus_here();
                }
                view.body.push(line);
            }
            if shown.end < fields.len() {
                view.body.push(more(fields.len() - shown.end));
            }
            view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-edit"), ("Esc", "term-do-back")]);
            return;
        }
        match &self.outcome {
            Ok(content) => {
                let title = Line::own(context.of_server("term-review"), Style::Bold);
                view.brief.push(title.clone());
                view.text.push(title);
                let mut shown = content.clone();
                for field in fields.form.fields.iter().filter(|field| field.secret.is_some()) {
                    if let Some(value) = shown.get_mut(&field.key) {
                        *value = Value::String(MASK.to_owned());
                    }
                }
                view.text.extend(json(&Value::Object(shown)));
            }
            Err(errors) => {
                view.text.push(Line::own(context.get("term-review-refused"), Style::Bold));
                for error in errors {
                    let text = wording::entry_error(context.texts, &error.error);
                    let text = match &error.key {
                        Some(key) => format!("{}{}{text}", neutralise_line(key), context.get("term-colon")),
                        None => text,
                    };
                    view.text.push(Line::marked("✗", Style::Error).with(text, Style::Error));
                }
            }
        }
        self.menu.draw(&mut view.body, context);
        view.keys(
            context,
            &[
                ("↑↓", "term-do-move"),
                ("Enter", "term-do-choose"),
                ("Shift-Tab", "term-do-back"),
                ("Esc", "term-do-cancel"),
            ],
        );
    }
}

/// A JSON value as it is sent, but over several lines, indented.
pub(super) fn json(value: &Value) -> Vec<Line> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.lines()
        .map(|line| {
            let inner = line.len() - line.trim_start().len();
            let mut shown = Line::lead(&" ".repeat(4 + inner), Style::Plain);
            shown.hang = vec![Span::new(" ".repeat(8 + inner), Style::Plain)];
            shown.with(neutralise_line(line.trim_start()), Style::Plain)
        })
        .collect()
}
