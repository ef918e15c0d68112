//! The fields of a form, one after the other.
//!
//! Owns the walk through the fields, what each holds, and when an error is said. Must not decide what happens to the finished content.

use askback_core::display::neutralise_line;
use askback_core::form::{ContentError, Entry, EntryError, Field, FieldKind, Form, TextFormat, local_date_time};
use askback_desk::wording;
use serde_json::{Map, Value};

use super::control::{Control, Did};
use super::errors_by_key;
use super::header::quoted;
use super::view::{Context, View};
use crate::drawing::{Line, Style, clip};
use crate::editor::Editor;
use crate::key::Key;
use crate::zone::weekday;
use unicode_width::UnicodeWidthStr;

/// What is drawn in the place of a secret.
pub(super) const MASK: &str = "••••";

/// How many of the fields before are drawn at most.
const SUMMARIES: usize = 12;

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    Stay,
    /// Every field holds something that can be sent.
    Finished,
    /// Back from the first field.
    Before,
    /// The text is to be edited elsewhere.
    Edit(String),
}

/// The fields of a form while they are filled in.
pub(super) struct Fields {
    pub(super) form: Form,
    slots: Vec<Slot>,
    at: usize,
    /// Set when a single field is being corrected: Enter then leads back to where one came from.
    single: bool,
}

struct Slot {
    control: Control,
    /// What the field held at first, for as long as nobody has been asked about it.
    visited: bool,
    /// Enter was pressed although something is wrong.
    pressed: bool,
    /// What the form as a whole had against this field.
    problem: Option<EntryError>,
    /// The offset from UTC that was added to what was typed.
    added: Option<String>,
    /// For secrets: what was typed to unlock the field; nothing once it is unlocked.
    lock: Option<Editor>,
}

impl Fields {
    pub(super) fn new(form: Form, yes_no: &[String; 2]) -> Fields {
        let entries = form.initial_entries();
        let slots = form.fields.iter().enumerate().map(|(at, field)| Slot {
            control: Control::new(field, entries.get(at).unwrap_or(&Entry::Blank), yes_no.clone()),
            visited: false,
            pressed: false,
            problem: None,
            added: None,
            lock: field.secret.is_some().then(Editor::default),
        });
        Fields { slots: slots.collect(), form, at: 0, single: false }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Goes to a field; Enter there leads back instead of to the next one.
    pub(super) fn correct(&mut self, field: usize) {
        self.at = field.min(self.slots.len().saturating_sub(1));
        self.single = true;
    }

    /// Goes to the last field, to walk backwards.
    pub(super) fn reenter(&mut self) {
        self.at = self.slots.len().saturating_sub(1);
        self.single = false;
    }

    /// The content that the fields make.
    pub(super) fn content(&self) -> Result<Map<String, Value>, Vec<ContentError>> {
        let entries: Vec<Entry> = self.slots.iter().map(|slot| slot.control.entry()).collect();
        self.form.content_of(&entries)
    }

    /// Remembers what is wrong with each field and goes to the first of them; false when no field is to blame.
    pub(super) fn blame(&mut self, errors: &[ContentError]) -> bool {
        for (slot, field) in self.slots.iter_mut().zip(&self.form.fields) {
            slot.problem = errors_by_key(errors, &field.key).next().map(|error| error.error.clone());
        }
        match self.slots.iter().position(|slot| slot.problem.is_some()) {
            Some(at) => {
                self.correct(at);
                true
            }
            None => false,
        }
    }

    pub(super) fn edited(&mut self, text: String) {
        if let Some(slot) = self.slots.get_mut(self.at) {
            slot.control.set_text(text);
        }
    }

    pub(super) fn handle(&mut self, key: &Key, context: &Context<'_>) -> Walk {
        let required = self.form.fields[self.at].required;
        let slot = &mut self.slots[self.at];
        slot.visited = true;
        if let Some(lock) = &mut slot.lock {
            match key {
                Key::Enter if lock.text().trim().eq_ignore_ascii_case(&context.get("term-secret-word")) => {
                    slot.lock = None
                }
                Key::Enter | Key::Tab | Key::Down => {
                    if required && slot.control.entry() == Entry::Blank {
                        slot.pressed = true;
                    } else {
                        return self.next();
                    }
                }
                Key::Up | Key::BackTab => return self.back(),
                key => {
                    slot.pressed = false;
                    lock.handle(key);
                }
            }
            return Walk::Stay;
        }
        if let (Key::Ctrl('e'), Some(text)) = (key, slot.control.text_for_editor()) {
            return Walk::Edit(text.to_owned());
        }
        match slot.control.handle(key) {
            Did::Took => {
                slot.pressed = false;
                slot.problem = None;
                slot.added = None;
                Walk::Stay
            }
            Did::Nothing => Walk::Stay,
            Did::Back => self.back(),
            Did::Next => {
                let entry = slot.control.entry();
                if self.form.check_entry(self.at, &entry).is_err() {
                    if !self.add_offset(context) {
                        self.slots[self.at].pressed = true;
                    }
                    return Walk::Stay;
                }
                self.slots[self.at].problem = None;
                self.next()
            }
        }
    }

    /// A date and time that lacks only its offset, in full, and the offset that the person's clock has then.
    fn completion(&self, context: &Context<'_>) -> Option<(String, String)> {
        let (field, slot) = (&self.form.fields[self.at], &self.slots[self.at]);
        let is_time = matches!(field.kind, FieldKind::Text { format: Some(TextFormat::DateTime), .. });
        let local = slot.control.line().filter(|_| is_time && slot.lock.is_none()).and_then(local_date_time)?;
        let offset = context.zone.offset_at(&local)?;
        Some((local, offset))
    }

    /// Completes such a time, for the person to see before it is taken.
    fn add_offset(&mut self, context: &Context<'_>) -> bool {
        let Some((local, offset)) = self.completion(context) else { return false };
        let slot = &mut self.slots[self.at];
        slot.control.set_line(format!("{local}{offset}"));
        slot.added = Some(offset);
        true
    }

    /// What helps to see that a date is the one that was meant.
    fn help(&self, context: &Context<'_>) -> Option<Line> {
        let slot = &self.slots[self.at];
        if let Some(offset) = &slot.added {
            let text = context.texts.format("term-offset-added", &[("offset", offset.as_str().into())]);
            return Some(Line::marked("✓", Style::Good).with(text, Style::Plain));
        }
        let dated = matches!(
            self.form.fields[self.at].kind,
            FieldKind::Text { format: Some(TextFormat::Date | TextFormat::DateTime), .. }
        );
        let line = slot.control.line().filter(|_| dated && self.error().is_none())?;
        let day = u64::from(weekday(line)?);
        Some(Line::own(context.texts.format("term-weekday", &[("day", day.into())]), Style::Dim))
    }

    fn next(&mut self) -> Walk {
        if self.single || self.at + 1 == self.slots.len() {
            return Walk::Finished;
        }
        self.at += 1;
        Walk::Stay
    }

    fn back(&mut self) -> Walk {
        if self.single {
            return Walk::Finished;
        }
        if self.at == 0 {
            return Walk::Before;
        }
        self.at -= 1;
        Walk::Stay
    }

    /// Why the field at hand cannot be left, once that is worth saying.
    fn error(&self) -> Option<EntryError> {
        let slot = &self.slots[self.at];
        if let Some(problem) = &slot.problem {
            return Some(problem.clone());
        }
        if slot.lock.is_some() || (slot.control.is_untouched() && !slot.pressed) {
            return None;
        }
        let error = self.form.check_entry(self.at, &slot.control.entry()).err();
        // While JSON is being written it is not JSON yet.
        error.filter(|error| slot.pressed || !matches!(error, EntryError::NotJson { .. }))
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        if !self.single {
            view.hidden = self.at.saturating_sub(SUMMARIES);
            for at in view.hidden..self.at {
                view.head.push(self.summary(at, context, view.head.width));
            }
        }
        let (field, slot) = (&self.form.fields[self.at], &self.slots[self.at]);
        let texts = context.texts;
        let title = Line::quoted(label(field), Style::Bold);
        if let Some(description) = field.description.as_deref().filter(|text| !text.trim().is_empty()) {
            view.text.push(title.clone());
            view.text.extend(quoted(description));
            view.brief.push(title);
            view.joined = true;
        } else {
            view.body.push(title);
        }
        view.body.push(Line::own(self.place(context), Style::Dim));
        for note in &field.notes {
            view.body.push(Line::own(wording::note(texts, note), Style::Dim));
        }
        if let Some(sign) = &field.secret {
            view.body.push(
                Line::marked("!", Style::Warning)
                    .with(wording::secret_warning(texts, sign, context.server), Style::Warning),
            );
        }
        if let Some(lock) = &slot.lock {
            let word = context.get("term-secret-word");
            view.body.push(Line::own(texts.format("term-secret-override", &[("word", word.into())]), Style::Plain));
            lock.draw(&mut view.body, "›", Style::Warning, false);
            if slot.pressed {
                view.body.push(Line::marked("✗", Style::Error).with(
                    texts.format("term-secret-locked", &[("word", context.get("term-secret-word").into())]),
                    Style::Error,
                ));
            }
        } else {
            if let FieldKind::Json { why } = field.kind {
                view.body.push(Line::own(wording::json_reason(texts, why), Style::Dim));
            }
            slot.control.draw(&mut view.body, context, !field.required, field.secret.is_some());
        }
        if slot.lock.is_none() {
            view.body.extend(self.help(context));
        }
        if let Some((_, offset)) = self.completion(context) {
            let text = texts.format("term-offset-to-add", &[("offset", offset.into())]);
            view.body.push(Line::own(text, Style::Dim));
        } else if let Some(error) = self.error() {
            let choosing = matches!(field.kind, FieldKind::Boolean | FieldKind::Choice { .. });
            let text = match error {
                EntryError::Required if choosing => context.get("term-choose-first"),
                error => wording::entry_error(texts, &error),
            };
            view.body.push(Line::marked("✗", Style::Error).with(text, Style::Error));
        }
        let mut hints = if slot.lock.is_some() { vec![("Enter", "term-do-next")] } else { slot.control.hints() };
        let typed = matches!(&slot.control, Control::Line { editor, .. } if !editor.is_empty());
        if slot.lock.is_none() && field.default.is_some() && typed {
            hints.push(("Ctrl-U", "term-do-clear"));
        }
        if self.at > 0 && !self.single {
            hints.push(("Shift-Tab", "term-do-back"));
        }
        hints.extend([("Ctrl-X", "term-do-decline"), ("Esc", "term-do-cancel")]);
        view.keys(context, &hints);
    }

    /// Where one is and what is wanted, in our words: `2 of 4 · required · 2–40 characters`.
    fn place(&self, context: &Context<'_>) -> String {
        let field = &self.form.fields[self.at];
        let mut parts = vec![context.server.to_owned()];
        if self.slots.len() > 1 {
            let (number, of) = (self.at as u64 + 1, self.slots.len() as u64);
            parts.push(context.texts.format("term-field", &[("number", number.into()), ("of", of.into())]));
        }
        parts.push(context.get(if field.required { "term-required" } else { "term-optional" }));
        parts.extend(wording::limits(context.texts, field));
        if let Some(default) = &field.default {
            let shown =
                if field.secret.is_some() { MASK.to_owned() } else { self.shown_value(field, default, context) };
            parts.push(context.texts.format("term-default", &[("value", clip(&shown, 30).into())]));
        }
        parts.join(" · ")
    }

    fn shown_value(&self, field: &Field, value: &Value, context: &Context<'_>) -> String {
        let label_of = |value: &Value| {
            let (FieldKind::Choice { choices } | FieldKind::Choices { choices, .. }) = &field.kind else { return None };
            choices.iter().find(|choice| choice.value == *value).map(|choice| choice.label.clone())
        };
        let text = match value {
            Value::Bool(yes) => context.get(if *yes { "term-yes" } else { "term-no" }),
            Value::Array(values) if values.is_empty() => context.get("term-empty-list"),
            Value::Array(values) if matches!(field.kind, FieldKind::Choices { .. }) => {
                let labels: Vec<String> = values.iter().filter_map(label_of).collect();
                labels.join(&context.get("term-list-separator"))
            }
            Value::String(text) if text.is_empty() && label_of(value).is_none() => context.get("term-empty-text"),
            value => label_of(value).unwrap_or_else(|| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }),
        };
        neutralise_line(&text)
    }

    /// What a field holds, in our words.
    fn shown_entry(&self, at: usize, context: &Context<'_>) -> Option<String> {
        let (field, entry) = (&self.form.fields[at], self.slots[at].control.entry());
        if field.secret.is_some() && entry != Entry::Blank {
            return Some(MASK.to_owned());
        }
        match (&entry, self.form.value_of(at, &entry)) {
            (Entry::Blank, _) | (_, Ok(None)) => None,
            (Entry::Text(text), _) if !text.is_empty() => Some(neutralise_line(text)),
            (_, Ok(Some(value))) => Some(self.shown_value(field, &value, context)),
            (_, Err(_)) => None,
        }
    }

    /// One answered field on one line.
    pub(super) fn summary(&self, at: usize, context: &Context<'_>, width: usize) -> Line {
        let colon = context.get("term-colon");
        let name = clip(&label(&self.form.fields[at]), width / 2);
        let room = width.saturating_sub(4 + name.width() + colon.width());
        match self.shown_entry(at, context) {
            Some(value) => Line::marked("✓", Style::Good)
                .with(format!("{name}{colon}"), Style::Plain)
                .with(clip(&value, room), Style::Plain),
            None => Line::marked("–", Style::Dim)
                .with(format!("{name}{colon}"), Style::Dim)
                .with(context.get("term-left-out"), Style::Dim),
        }
    }

    /// Everything that was entered, in full, to stay in the scrollback.
    pub(super) fn kept(&self, context: &Context<'_>, sent: bool) -> Vec<Line> {
        let mut lines = Vec::new();
        let (mark, style) = if sent { ("✓", Style::Good) } else { (" ", Style::Plain) };
        for (at, slot) in self.slots.iter().enumerate() {
            let field = &self.form.fields[at];
            if !slot.visited || (!sent && slot.control.entry() == Entry::Blank) {
                continue;
            }
            let colon = context.get("term-colon");
            let line = match (slot.control.entry(), field.secret.is_some()) {
                (Entry::Blank, _) => Line::marked(if sent { "–" } else { " " }, Style::Dim)
                    .with(format!("{}{colon}", label(field)), Style::Dim)
                    .with(context.get("term-left-out"), Style::Dim),
                (_, true) => Line::marked(mark, style).with(format!("{}{colon}{MASK}", label(field)), Style::Plain),
                (Entry::Text(text), false) if text.contains('\n') => {
                    lines.push(Line::marked(mark, style).with(format!("{}{colon}", label(field)), Style::Plain));
                    lines.extend(
                        text.lines()
                            .map(|line| Line::lead("    ", Style::Plain).with(neutralise_line(line), Style::Plain)),
                    );
                    continue;
                }
                _ => {
                    let shown = self.shown_entry(at, context).unwrap_or_default();
                    Line::marked(mark, style).with(format!("{}{colon}{shown}", label(field)), Style::Plain)
                }
            };
            lines.push(line);
        }
        lines
    }
}

/// What a field is called: its title, or its key; a key without a letter is quoted, so that one sees it.
pub(super) fn label(field: &Field) -> String {
    match field.title.as_deref().filter(|title| !title.trim().is_empty()) {
        Some(title) => neutralise_line(title),
        None if field.key.trim().is_empty() => format!("{:?}", field.key),
        None => neutralise_line(&field.key),
    }
}
