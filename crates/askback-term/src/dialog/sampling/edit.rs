//! Editing a request, part by part: the system prompt, each text, and the length of the reply.

use askback_core::display::neutralise_line;
use askback_core::sampling::{Content, SamplingRequest};

use super::request::role;
use crate::dialog::menu::{Place, row};
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style, clip};
use crate::editor::Editor;
use crate::key::Key;

/// The request being edited.
pub(super) struct Edit {
    /// As the server sent it.
    asked: SamplingRequest,
    /// As it is by now.
    request: SamplingRequest,
    at: Place,
    open: Option<(Part, Editor)>,
    problem: Option<Problem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    SystemPrompt,
    Text {
        message: usize,
        part: usize,
    },
    MaxTokens,
    /// All of it, in the person's editor.
    Whole,
    /// As the server sent it.
    Undo,
}

enum Problem {
    TokensRange,
    NothingLeft,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    /// This text is to be edited in the person's editor.
    Editor(String),
    /// The whole request is.
    Whole,
    Changed(Box<SamplingRequest>),
}

impl Edit {
    pub(super) fn new(asked: &SamplingRequest, request: &SamplingRequest) -> Edit {
        Edit { asked: asked.clone(), request: request.clone(), at: Place::default(), open: None, problem: None }
    }

    /// Whether the editor of one part is open, and takes what comes from the person's own.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn parts(&self) -> Vec<Part> {
        let texts = self.request.messages.iter().enumerate().flat_map(|(message, said)| {
            let texts = said.content.iter().enumerate().filter(|(_, content)| matches!(content, Content::Text(_)));
            texts.map(move |(part, _)| Part::Text { message, part })
        });
        let changed = (self.request != self.asked).then_some(Part::Undo);
        std::iter::once(Part::SystemPrompt).chain(texts).chain([Part::MaxTokens, Part::Whole]).chain(changed).collect()
    }

    fn text(&self, part: Part) -> String {
        match part {
            Part::SystemPrompt => self.request.system_prompt.clone().unwrap_or_default(),
            Part::Text { message, part } => match &self.request.messages[message].content[part] {
                Content::Text(text) => text.clone(),
                _ => String::new(),
            },
            Part::MaxTokens => self.request.max_tokens.to_string(),
            Part::Whole | Part::Undo => String::new(),
        }
    }

    pub(super) fn handle(&mut self, key: &Key) -> Event {
        self.problem = None;
        let Some((part, editor)) = &mut self.open else { return self.pick(key) };
        match (key, *part) {
            (Key::Escape, _) => self.open = None,
            (Key::Ctrl('s'), _) | (Key::Enter, Part::MaxTokens) => return self.close(),
            (_, Part::MaxTokens) => {
                editor.handle(key);
            }
            (Key::Ctrl('e'), _) => return Event::Editor(editor.text().to_owned()),
            _ => {
                editor.handle_lines(key);
            }
        }
        Event::Stay
    }

    fn pick(&mut self, key: &Key) -> Event {
        let parts = self.parts();
        match key {
            Key::Escape => return Event::Back,
            Key::Ctrl('e') => return Event::Whole,
            key if !self.at.handle(key, parts.len()) => return Event::Stay,
            _ => {}
        }
        match parts[self.at.0] {
            Part::Whole => Event::Whole,
            Part::Undo => Event::Changed(Box::new(self.asked.clone())),
            part => {
                self.open = Some((part, Editor::new(self.text(part))));
                Event::Stay
            }
        }
    }

    /// Takes over what the open editor holds.
    fn close(&mut self) -> Event {
        let Some((part, editor)) = &self.open else { return Event::Stay };
        let text = editor.text();
        let mut request = self.request.clone();
        match *part {
            // A line break at the end is one of the editor's.
            part if text.trim_end_matches('\n') == self.text(part).trim_end_matches('\n') => {}
            Part::SystemPrompt => request.system_prompt = (!text.trim().is_empty()).then(|| text.to_owned()),
            Part::Text { message, part } if text.trim().is_empty() => {
                request.messages[message].content.remove(part);
                request.messages.retain(|message| !message.content.is_empty());
                if request.messages.is_empty() {
                    self.problem = Some(Problem::NothingLeft);
                    return Event::Stay;
                }
            }
            Part::Text { message, part } => request.messages[message].content[part] = Content::Text(text.to_owned()),
            Part::MaxTokens => match text.trim().parse() {
                Ok(count) if (1..=self.asked.max_tokens).contains(&count) => request.max_tokens = count,
                _ => {
                    self.problem = Some(Problem::TokensRange);
                    return Event::Stay;
                }
            },
            Part::Whole | Part::Undo => {}
        }
        Event::Changed(Box::new(request))
    }

    pub(super) fn edited(&mut self, text: &str) {
        if let Some((_, editor)) = &mut self.open {
            *editor = Editor::new(text.trim_end_matches('\n'));
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        match &self.open {
            None => self.draw_parts(view, context),
            Some((part, editor)) => {
                view.body.push(Line::own(self.label(context, *part), Style::Bold));
                editor.draw(&mut view.body, "›", Style::Accent, false);
                if *part == Part::MaxTokens {
                    view.keys(context, &[("Enter", "term-do-take"), ("Esc", "term-do-back")]);
                } else {
                    view.keys(
                        context,
                        &[
                            ("Ctrl-S", "term-do-take"),
                            ("Enter", "term-do-new-line"),
                            ("Ctrl-E", "term-do-editor"),
                            ("Esc", "term-do-back"),
                        ],
                    );
                }
            }
        }
        let problem = self.problem.as_ref().map(|problem| match problem {
            Problem::TokensRange => {
                context.texts.format("term-tokens-range", &[("most", self.asked.max_tokens.into())])
            }
            Problem::NothingLeft => context.get("term-nothing-left"),
        });
        view.body.extend(problem.map(|problem| Line::marked("✗", Style::Error).with(problem, Style::Error)));
    }

    fn draw_parts(&self, view: &mut View, context: &Context<'_>) {
        view.body.push(Line::own(context.get("term-pick-part"), Style::Dim));
        for (at, part) in self.parts().into_iter().enumerate() {
            if at == self.at.0 {
                view.body.focus_here();
            }
            let label = self.label(context, part);
            let text = self.text(part);
            let first = text.lines().find(|line| !line.trim().is_empty()).map(neutralise_line);
            let shown = first.map(|first| format!("{label}{}{first}", context.get("term-colon"))).unwrap_or(label);
            view.body.push(row(at == self.at.0, None, &clip(&shown, view.body.width.saturating_sub(4))));
        }
        view.keys(
            context,
            &[("↑↓", "term-do-move"), ("Enter", "term-do-edit"), ("Ctrl-E", "term-do-editor"), ("Esc", "term-do-back")],
        );
    }

    fn label(&self, context: &Context<'_>, part: Part) -> String {
        match part {
            Part::SystemPrompt => context.get("term-system-prompt"),
            Part::Text { message, .. } => {
                let role = role(context, self.request.messages[message].role);
                let variables = [("number", (message as u64 + 1).into()), ("role", role.into())];
                context.texts.format("term-message-of", &variables)
            }
            Part::MaxTokens => context.get("term-part-tokens"),
            Part::Whole => context.get("term-part-whole"),
            Part::Undo => context.get("term-part-undo"),
        }
    }
}
