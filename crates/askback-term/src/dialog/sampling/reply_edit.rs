//! Editing a draft, part by part: its texts, and the input of its tool calls.

use askback_core::display::neutralise_line;
use askback_core::sampling::{ReplyContent, SamplingReply};
use serde_json::{Map, Value};

use super::reply::{calls, pretty};
use crate::dialog::menu::{Place, row};
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style, clip};
use crate::editor::Editor;
use crate::key::Key;

/// A draft being edited.
pub(super) struct ReplyEdit {
    reply: SamplingReply,
    /// Whether the server takes text where the model calls tools.
    takes_text: bool,
    at: Place,
    open: Option<(Part, Editor)>,
    problem: Option<Problem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Content(usize),
    /// Text in place of all tool calls.
    TextInstead,
}

enum Problem {
    Empty,
    NotAnObject(String),
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    Editor(String),
    Changed(SamplingReply),
}

impl ReplyEdit {
    pub(super) fn new(reply: SamplingReply, takes_text: bool) -> ReplyEdit {
        let mut edit = ReplyEdit { reply, takes_text, at: Place::default(), open: None, problem: None };
        if let [part] = edit.parts()[..] {
            edit.begin(part);
        }
        edit
    }

    fn parts(&self) -> Vec<Part> {
        let contents = self.reply.content.iter().enumerate();
        let editable = contents.filter(|(_, content)| !matches!(content, ReplyContent::Raw(_)));
        let instead = (self.takes_text && calls_tools(&self.reply)).then_some(Part::TextInstead);
        editable.map(|(at, _)| Part::Content(at)).chain(instead).collect()
    }

    fn begin(&mut self, part: Part) {
        let text = match part {
            Part::Content(at) => match &self.reply.content[at] {
                ReplyContent::Text(text) => text.clone(),
                ReplyContent::ToolUse { input, .. } => pretty(&Value::Object(input.clone())),
                ReplyContent::Raw(_) => String::new(),
            },
            Part::TextInstead => String::new(),
        };
        self.open = Some((part, Editor::new(text)));
    }

    pub(super) fn handle(&mut self, key: &Key) -> Event {
        self.problem = None;
        let parts = self.parts();
        match (&mut self.open, key) {
            (Some(_), Key::Escape) => {
                self.open = None;
                if parts.len() > 1 { Event::Stay } else { Event::Back }
            }
            (Some(_), Key::Ctrl('s')) => self.close(),
            (Some((_, editor)), Key::Ctrl('e')) => Event::Editor(editor.text().to_owned()),
            (Some((_, editor)), key) => {
                editor.handle_lines(key);
                Event::Stay
            }
            (None, Key::Escape) => Event::Back,
            (None, key) => {
                if self.at.handle(key, parts.len()) {
                    self.begin(parts[self.at.0]);
                }
                Event::Stay
            }
        }
    }

    /// Takes over what the open editor holds; a part with nothing in it is left out.
    fn close(&mut self) -> Event {
        let Some((part, editor)) = &self.open else { return Event::Stay };
        let text = editor.text();
        let mut reply = self.reply.clone();
        match *part {
            Part::Content(at) if text.trim().is_empty() => {
                reply.content.remove(at);
            }
            Part::Content(at) => match &mut reply.content[at] {
                ReplyContent::Text(old) => text.clone_into(old),
                ReplyContent::ToolUse { input, .. } => match serde_json::from_str::<Map<String, Value>>(text) {
                    Ok(new) => *input = new,
                    Err(error) => {
                        self.problem = Some(Problem::NotAnObject(neutralise_line(&error.to_string())));
                        return Event::Stay;
                    }
                },
                ReplyContent::Raw(_) => {}
            },
            Part::TextInstead => {
                reply.content.retain(|content| !matches!(content, ReplyContent::ToolUse { .. }));
                if !text.trim().is_empty() {
                    reply.content.push(ReplyContent::Text(text.to_owned()));
                }
            }
        }
        if reply.content.is_empty() {
            self.problem = Some(Problem::Empty);
            return Event::Stay;
        }
        if !calls_tools(&reply) && reply.stop_reason.as_deref() == Some("toolUse") {
            reply.stop_reason = Some("endTurn".to_owned());
        }
        Event::Changed(reply)
    }

    pub(super) fn edited(&mut self, text: &str) {
        if let Some((_, editor)) = &mut self.open {
            *editor = Editor::new(text.trim_end_matches('\n'));
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        match &self.open {
            Some((part, editor)) => {
                view.body.push(Line::own(self.label(context, *part), Style::Bold));
                if self.parts().len() > 1 && *part != Part::TextInstead {
                    view.body.push(Line::own(context.get("term-empty-is-left-out"), Style::Dim));
                }
                editor.draw(&mut view.body, "›", Style::Accent, false);
                view.keys(
                    context,
                    &[
                        ("Ctrl-S", "term-do-review"),
                        ("Enter", "term-do-new-line"),
                        ("Ctrl-E", "term-do-editor"),
                        ("Esc", "term-do-back"),
                    ],
                );
            }
            None => {
                view.body.push(Line::own(context.get("term-pick-part"), Style::Dim));
                for (at, part) in self.parts().into_iter().enumerate() {
                    if at == self.at.0 {
                        view.body.focus_here();
                    }
                    let label = clip(&self.label(context, part), view.body.width.saturating_sub(4));
                    view.body.push(row(at == self.at.0, None, &label));
                }
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-edit"), ("Esc", "term-do-back")]);
            }
        }
        let problem = self.problem.as_ref().map(|problem| match problem {
            Problem::Empty => context.get("term-empty-reply"),
            Problem::NotAnObject(detail) => {
                context.texts.format("term-not-an-object", &[("detail", detail.as_str().into())])
            }
        });
        view.body.extend(problem.map(|problem| Line::marked("✗", Style::Error).with(problem, Style::Error)));
    }

    fn label(&self, context: &Context<'_>, part: Part) -> String {
        match part {
            Part::Content(at) => match &self.reply.content[at] {
                ReplyContent::Text(text) if self.open.is_none() => {
                    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                    format!("{}{}{}", context.get("term-part-text"), context.get("term-colon"), neutralise_line(first))
                }
                ReplyContent::Text(_) | ReplyContent::Raw(_) => context.get("term-part-text"),
                ReplyContent::ToolUse { name, .. } if self.open.is_none() => calls(context, name),
                ReplyContent::ToolUse { name, .. } => {
                    context.texts.format("term-input-of", &[("tool", neutralise_line(name).into())])
                }
            },
            Part::TextInstead => context.get("term-part-instead"),
        }
    }
}

fn calls_tools(reply: &SamplingReply) -> bool {
    reply.content.iter().any(|content| matches!(content, ReplyContent::ToolUse { .. }))
}
