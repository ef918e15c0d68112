//! The reply written by the person: text or a tool call, and a last look at it.

use askback_core::sampling::{Content, MANUAL_MODEL, ReplyContent, SamplingReply, SamplingRequest};

use super::reply::{own_lines, text_lines};
use crate::dialog::menu::Menu;
use crate::dialog::tool_call::{self, ToolCall};
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::editor::Editor;
use crate::key::Key;

/// A reply of the person's in the making. It is kept while they look at the request again.
pub(super) struct Manual {
    draft: Editor,
    call: ToolCall,
    phase: Phase,
    empty_draft: bool,
}

enum Phase {
    Writing,
    Calling,
    /// Gate two: the reply as it would go back.
    Review(Box<SamplingReply>, Menu<Act>),
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Send,
    Edit,
    Decline,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    /// Back to the request.
    Back,
    Editor(String),
    Send(Box<SamplingReply>),
    Decline,
    Cancel,
}

impl Manual {
    pub(super) fn new(request: &SamplingRequest) -> Manual {
        let call = ToolCall::new(request.tools.clone(), next_id(request));
        Manual { draft: Editor::default(), call, phase: Phase::Writing, empty_draft: false }
    }

    /// The person wants to write text.
    pub(super) fn write(&mut self) {
        self.phase = Phase::Writing;
    }

    /// The person wants to call a tool.
    pub(super) fn call(&mut self, context: &Context<'_>) {
        self.call.begin(context);
        self.phase = Phase::Calling;
    }

    fn review(&mut self, content: ReplyContent) {
        let reason = if matches!(content, ReplyContent::ToolUse { .. }) { "toolUse" } else { "endTurn" };
        let reply = SamplingReply {
            content: vec![content],
            model: MANUAL_MODEL.to_owned(),
            stop_reason: Some(reason.to_owned()),
        };
        let menu = Menu::ready(&[
            (Act::Send, "term-choice-send"),
            (Act::Edit, "term-choice-edit"),
            (Act::Decline, "term-choice-decline"),
        ]);
        self.phase = Phase::Review(Box::new(reply), menu);
    }

    pub(super) fn handle(&mut self, key: &Key, context: &Context<'_>) -> Event {
        match &mut self.phase {
            Phase::Writing => match key {
                Key::Escape => return Event::Back,
                Key::Ctrl('e') => return Event::Editor(self.draft.text().to_owned()),
                Key::Ctrl('s') => {
                    self.empty_draft = self.draft.text().trim().is_empty();
                    if !self.empty_draft {
                        self.review(ReplyContent::Text(self.draft.text().to_owned()));
                    }
                }
                key => {
                    self.empty_draft = false;
                    self.draft.handle_lines(key);
                }
            },
            Phase::Calling => match self.call.handle(key, context) {
                tool_call::Event::Stay => {}
                tool_call::Event::Back => return Event::Back,
                tool_call::Event::Edit(text) => return Event::Editor(text),
                tool_call::Event::Done(content) => self.review(content),
            },
            Phase::Review(reply, menu) => {
                if *key == Key::Escape {
                    return Event::Cancel;
                }
                match menu.handle(key) {
                    Some(Act::Send) => return Event::Send(reply.clone()),
                    Some(Act::Edit) => {
                        let calling = matches!(reply.content.first(), Some(ReplyContent::ToolUse { .. }));
                        self.phase = if calling { Phase::Calling } else { Phase::Writing };
                    }
                    Some(Act::Decline) => return Event::Decline,
                    None => {}
                }
            }
        }
        Event::Stay
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        match &self.phase {
            Phase::Writing => {
                view.body.push(Line::own(context.of_server("term-your-reply"), Style::Bold));
                self.draft.draw(&mut view.body, "›", Style::Accent, false);
                if self.empty_draft {
                    view.body.push(Line::marked("✗", Style::Error).with(context.get("term-empty-reply"), Style::Error));
                }
                view.keys(
                    context,
                    &[
                        ("Ctrl-S", "term-do-review"),
                        ("Enter", "term-do-new-line"),
                        ("Ctrl-E", "term-do-editor"),
                        ("Ctrl-X", "term-do-decline"),
                        ("Esc", "term-do-back"),
                    ],
                );
            }
            Phase::Calling => self.call.draw(view, context),
            Phase::Review(reply, menu) => {
                let title = Line::own(context.of_server("term-review-reply"), Style::Bold);
                view.brief.push(title.clone());
                view.text.push(title);
                for content in &reply.content {
                    view.text.extend(own_lines(context, content));
                }
                menu.draw(&mut view.body, context);
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-refuse")]);
            }
        }
    }

    /// What was written so far.
    pub(super) fn kept(&self, context: &Context<'_>) -> Vec<Line> {
        match &self.phase {
            Phase::Review(reply, _) => reply.content.iter().flat_map(|content| own_lines(context, content)).collect(),
            _ if self.draft.is_empty() => self.call.kept(context),
            _ => text_lines(self.draft.text()),
        }
    }

    pub(super) fn edited(&mut self, text: String) {
        match &self.phase {
            Phase::Calling => self.call.edited(text),
            _ => self.draft = Editor::new(text.trim_end_matches('\n')),
        }
    }
}

/// An id that no tool call of the conversation has: `call_1`, `call_2`, ….
fn next_id(request: &SamplingRequest) -> String {
    let taken = |id: &str| {
        request
            .messages
            .iter()
            .flat_map(|message| &message.content)
            .any(|content| matches!(content, Content::ToolUse { id: other, .. } if other == id))
    };
    (1..).map(|number| format!("call_{number}")).find(|id| !taken(id)).unwrap_or_default()
}
