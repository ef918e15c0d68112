//! A form: its fields, then the review; or, without fields, a plain question.

use askback_core::answer::Answer;
use askback_core::ask::FormAsk;
use askback_core::form::ContentError;
use askback_desk::wording;
use serde_json::Map;

use super::fields::{Fields, Walk};
use super::header::quoted;
use super::menu::Menu;
use super::review::{self, Review};
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A form being answered.
pub(super) struct FormStage {
    ask: FormAsk,
    fields: Fields,
    phase: Phase,
}

enum Phase {
    /// No fields: yes or no to the message.
    Confirm(Menu<Act>),
    /// Nothing that could be entered would do.
    Hopeless(Menu<Act>),
    Fields,
    Review(Review),
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Accept,
    Decline,
    Cancel,
}

impl FormStage {
    pub(super) fn new(ask: FormAsk, context: &Context<'_>) -> FormStage {
        let phase = if ask.form.unanswerable.is_some() {
            Phase::Hopeless(Menu::ready(&[(Act::Decline, "term-choice-decline"), (Act::Cancel, "term-choice-cancel")]))
        } else if ask.form.fields.is_empty() {
            Phase::Confirm(Menu::careful(&[
                (Act::Accept, "term-choice-accept"),
                (Act::Decline, "term-choice-decline"),
                (Act::Cancel, "term-choice-cancel"),
            ]))
        } else {
            Phase::Fields
        };
        let fields = Fields::new(ask.form.clone(), &[context.get("term-yes"), context.get("term-no")]);
        FormStage { ask, fields, phase }
    }

    fn review(&mut self) {
        match self.fields.content() {
            Ok(content) => self.phase = Phase::Review(Review::ready(content)),
            Err(errors) => self.blame(&errors),
        }
    }

    fn blame(&mut self, errors: &[ContentError]) {
        let phase =
            if self.fields.blame(errors) { Phase::Fields } else { Phase::Review(Review::refused(errors.to_vec())) };
        self.phase = phase;
    }
}

fn act(act: Act) -> Step {
    match act {
        Act::Accept => Step::Answer(Answer::Submitted { content: Map::new() }),
        Act::Decline => Step::Decline,
        Act::Cancel => Step::Cancel,
    }
}

impl Stage for FormStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        let FormAsk { message, form } = &self.ask;
        let mut lines = vec![Line::blank()];
        let words = [Some(message), form.title.as_ref(), form.description.as_ref()];
        let said = words.into_iter().flatten().filter(|text| !text.trim().is_empty());
        let mut seen: Vec<&str> = Vec::new();
        for text in said {
            if !seen.contains(&text.as_str()) {
                if !seen.is_empty() {
                    lines.push(Line::quoted("", Style::Plain));
                }
                lines.extend(quoted(text));
                seen.push(text);
            }
        }
        if seen.is_empty() {
            lines.push(Line::own(context.of_server("term-no-message"), Style::Dim));
        }
        if form.fields.iter().any(|field| field.secret.is_some()) {
            lines.push(Line::blank());
            lines.push(
                Line::marked("!", Style::Warning)
                    .with(wording::secret_form(context.texts, context.server), Style::Warning),
            );
        }
        if let Some(why) = &form.unanswerable {
            lines.push(Line::blank());
            lines.push(
                Line::marked("!", Style::Warning).with(wording::unanswerable(context.texts, why), Style::Warning),
            );
        }
        lines
    }

    fn handle(&mut self, key: &Key, context: &Context<'_>) -> Step {
        match &mut self.phase {
            Phase::Confirm(menu) | Phase::Hopeless(menu) => {
                if *key == Key::Escape {
                    return Step::Cancel;
                }
                menu.handle(key).map_or(Step::Stay, act)
            }
            Phase::Fields => {
                if *key == Key::Escape {
                    return Step::Cancel;
                }
                match self.fields.handle(key, context) {
                    Walk::Stay | Walk::Before => Step::Stay,
                    Walk::Finished => {
                        self.review();
                        Step::Stay
                    }
                    Walk::Edit(text) => Step::Edit(text),
                }
            }
            Phase::Review(review) => match review.handle(key, self.fields.len()) {
                review::Event::Stay => Step::Stay,
                review::Event::Send(content) => Step::Answer(Answer::Submitted { content }),
                review::Event::Field(at) => {
                    self.fields.correct(at);
                    self.phase = Phase::Fields;
                    Step::Stay
                }
                review::Event::Back => {
                    self.fields.reenter();
                    self.phase = Phase::Fields;
                    Step::Stay
                }
                review::Event::Decline => Step::Decline,
                review::Event::Cancel => Step::Cancel,
            },
        }
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        match &self.phase {
            Phase::Confirm(menu) => {
                view.body.push(Line::own(context.of_server("term-confirm"), Style::Dim));
                view.body.gap();
                menu.draw(&mut view.body, context);
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]);
            }
            Phase::Hopeless(menu) => {
                menu.draw(&mut view.body, context);
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]);
            }
            Phase::Fields => self.fields.draw(view, context),
            Phase::Review(review) => review.draw(view, context, &self.fields),
        }
    }

    fn kept(&self, context: &Context<'_>, sent: bool) -> Vec<Line> {
        self.fields.kept(context, sent)
    }

    fn edited(&mut self, text: String, _: &Context<'_>) -> Step {
        self.fields.edited(text);
        Step::Stay
    }

    fn refused(&mut self, errors: &[ContentError]) {
        self.blame(errors);
    }
}
