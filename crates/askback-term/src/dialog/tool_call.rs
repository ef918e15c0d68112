//! A tool call written by the person in a model's place: which tool, and with what input.

use askback_core::display::neutralise_line;
use askback_core::form::Form;
use askback_core::sampling::{ReplyContent, SamplingTool};
use serde_json::{Map, Value};

use super::fields::{Fields, Walk};
use super::menu::row;
use super::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::editor::Editor;
use crate::key::Key;

/// A tool call in the making.
pub(super) struct ToolCall {
    tools: Vec<SamplingTool>,
    id: String,
    at: usize,
    input: Option<Input>,
    error: Option<String>,
}

enum Input {
    Fields(Box<Fields>),
    Json(Editor),
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    Edit(String),
    Done(ReplyContent),
}

impl ToolCall {
    pub(super) fn new(tools: Vec<SamplingTool>, id: String) -> ToolCall {
        ToolCall { tools, id, at: 0, input: None, error: None }
    }

    /// Starts: with one tool there is nothing to pick.
    pub(super) fn begin(&mut self, context: &Context<'_>) {
        if self.tools.len() == 1 && self.input.is_none() {
            self.pick(context);
        }
    }

    /// Opens the input of the tool at hand: its fields where its schema makes a form, JSON otherwise.
    fn pick(&mut self, context: &Context<'_>) {
        let form = Form::read(&self.tools[self.at].input_schema).ok().filter(|form| form.unanswerable.is_none());
        self.input = Some(match form {
            Some(form) if !form.fields.is_empty() => {
                Input::Fields(Box::new(Fields::new(form, &[context.get("term-yes"), context.get("term-no")])))
            }
            _ => Input::Json(Editor::new("{}")),
        });
    }

    fn done(&self, input: Map<String, Value>) -> Event {
        Event::Done(ReplyContent::ToolUse { id: self.id.clone(), name: self.tools[self.at].name.clone(), input })
    }

    fn back(&mut self) -> Event {
        self.error = None;
        if self.input.take().is_some() && self.tools.len() > 1 { Event::Stay } else { Event::Back }
    }

    pub(super) fn handle(&mut self, key: &Key, context: &Context<'_>) -> Event {
        if *key == Key::Escape {
            return self.back();
        }
        match &mut self.input {
            None => {
                match key {
                    Key::Up => self.at = self.at.saturating_sub(1),
                    Key::Down => self.at = (self.at + 1).min(self.tools.len() - 1),
                    Key::Enter => self.pick(context),
                    _ => {}
                }
                Event::Stay
            }
            Some(Input::Fields(fields)) => match fields.handle(key, context) {
                Walk::Stay => Event::Stay,
                Walk::Before => self.back(),
                Walk::Edit(text) => Event::Edit(text),
                Walk::Finished => match fields.content() {
                    Ok(content) => {
                        fields.reenter();
                        self.done(content)
                    }
                    Err(errors) => {
                        if !fields.blame(&errors) {
                            let first = errors
                                .first()
                                .map(|error| askback_desk::wording::entry_error(context.texts, &error.error));
                            self.error = first;
                        }
                        Event::Stay
                    }
                },
            },
            Some(Input::Json(editor)) => match key {
                Key::Ctrl('s') => match serde_json::from_str::<Map<String, Value>>(editor.text()) {
                    Ok(input) => self.done(input),
                    Err(error) => {
                        let detail = neutralise_line(&error.to_string());
                        self.error = Some(context.texts.format("term-not-an-object", &[("detail", detail.into())]));
                        Event::Stay
                    }
                },
                Key::Ctrl('e') => Event::Edit(editor.text().to_owned()),
                key => {
                    self.error = None;
                    editor.handle_lines(key);
                    Event::Stay
                }
            },
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        let tool = |tool: &SamplingTool| neutralise_line(&tool.name);
        match &self.input {
            None => {
                view.body.push(Line::own(context.get("term-pick-tool"), Style::Dim));
                for (at, offered) in self.tools.iter().enumerate() {
                    if at == self.at {
                        view.body.focus_here();
                    }
                    view.body.push(row(at == self.at, None, &tool(offered)));
                }
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-back")]);
            }
            Some(input) => {
                let title = context.texts.format("term-input-of", &[("tool", tool(&self.tools[self.at]).into())]);
                match input {
                    Input::Fields(fields) => {
                        view.head.push(Line::own(title, Style::Bold));
                        fields.draw(view, context);
                    }
                    Input::Json(editor) => {
                        view.body.push(Line::own(title, Style::Bold));
                        view.body.push(Line::own(context.get("term-input-json"), Style::Dim));
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
                }
                if let Some(error) = &self.error {
                    view.body.push(Line::marked("✗", Style::Error).with(error, Style::Error));
                }
            }
        }
    }

    pub(super) fn kept(&self, context: &Context<'_>) -> Vec<Line> {
        match &self.input {
            Some(Input::Fields(fields)) => fields.kept(context, false),
            Some(Input::Json(editor)) => editor
                .text()
                .split('\n')
                .map(|line| Line::lead("    ", Style::Plain).with(neutralise_line(line), Style::Plain))
                .collect(),
            None => Vec::new(),
        }
    }

    pub(super) fn edited(&mut self, text: String) {
        match &mut self.input {
            Some(Input::Fields(fields)) => fields.edited(text),
            Some(Input::Json(editor)) => *editor = Editor::new(text.trim_end_matches('\n')),
            None => {}
        }
    }
}
