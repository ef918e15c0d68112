//! Gate two: a model's draft before it goes back.
//!
//! Owns what is shown of a draft and what may be done with it. A draft for which secrets were hidden is there twice, with placeholders and
//! with the secrets, each with its own edits; the second is sent only after the person has seen it as it will be.

use askback_core::display::neutralise_line;
use askback_core::sampling::{ReplyContent, SamplingReply, ToolChoice};
use askback_desk::lending::Draft;

use super::changes;
use super::reply::{as_text, model_lines};
use super::reply_edit::{self, ReplyEdit};
use crate::dialog::menu::Menu;
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A draft at the gate.
pub(super) struct GateTwo {
    draft: Draft,
    /// The draft as the person has edited it.
    plain: SamplingReply,
    /// The same for the draft with the secrets in it.
    restored: Option<SamplingReply>,
    /// Which of the two is at hand.
    with_secrets: bool,
    /// Whether the server wants tool calls.
    choice: ToolChoice,
    menu: Menu<Act>,
    edit: Option<ReplyEdit>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Send,
    Edit,
    Restore,
    Placeholders,
    Regenerate,
    Request,
    Decline,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Editor(String),
    Send(Box<SamplingReply>),
    Regenerate,
    /// Back to the request.
    Request,
    Decline,
    Cancel,
}

impl GateTwo {
    /// A draft that has just come. `choice` says whether the server wants tool calls.
    pub(super) fn new(draft: Draft, choice: ToolChoice) -> GateTwo {
        let (plain, restored) = (draft.reply.clone(), draft.restored.clone());
        // Keys that were meant for something else must not send it.
        let menu = Menu::careful(&items(restored.is_some(), false));
        GateTwo { draft, plain, restored, with_secrets: false, choice, menu, edit: None }
    }

    fn reply(&self) -> &SamplingReply {
        self.restored.as_ref().filter(|_| self.with_secrets).unwrap_or(&self.plain)
    }

    /// What the model wrote, of the version at hand.
    fn written(&self) -> &SamplingReply {
        self.draft.restored.as_ref().filter(|_| self.with_secrets).unwrap_or(&self.draft.reply)
    }

    /// The person is here again, and has chosen nothing yet.
    pub(super) fn look_again(&mut self) {
        self.show(self.with_secrets);
    }

    fn show(&mut self, with_secrets: bool) {
        self.with_secrets = with_secrets && self.restored.is_some();
        self.menu = Menu::careful(&items(self.restored.is_some(), self.with_secrets));
    }

    pub(super) fn handle(&mut self, key: &Key) -> Event {
        if let Some(edit) = &mut self.edit {
            match edit.handle(key) {
                reply_edit::Event::Stay => {}
                reply_edit::Event::Back => self.edit = None,
                reply_edit::Event::Editor(text) => return Event::Editor(text),
                reply_edit::Event::Changed(reply) => {
                    match self.restored.as_mut().filter(|_| self.with_secrets) {
                        Some(restored) => *restored = reply,
                        None => self.plain = reply,
                    }
                    self.edit = None;
                    self.look_again();
                }
            }
            return Event::Stay;
        }
        if *key == Key::Escape {
            return Event::Cancel;
        }
        match self.menu.handle(key) {
            None => {}
            Some(Act::Send) => return Event::Send(Box::new(self.reply().clone())),
            Some(Act::Edit) => {
                let takes_text = self.choice != ToolChoice::Required;
                self.edit = Some(ReplyEdit::new(self.reply().clone(), takes_text));
            }
            Some(Act::Restore) => self.show(true),
            Some(Act::Placeholders) => self.show(false),
            Some(Act::Regenerate) => return Event::Regenerate,
            Some(Act::Request) => return Event::Request,
            Some(Act::Decline) => return Event::Decline,
        }
        Event::Stay
    }

    pub(super) fn edited(&mut self, text: &str) {
        if let Some(edit) = &mut self.edit {
            edit.edited(text);
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        if let Some(edit) = &self.edit {
            edit.draw(view, context);
            return;
        }
        let title = Line::own(context.of_server("term-review-reply"), Style::Bold);
        view.brief.push(title.clone());
        view.text.push(title);
        view.text.extend(self.kept(context));
        view.text.extend(self.remarks(context));
        self.menu.draw(&mut view.body, context);
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-refuse")]);
    }

    /// The reply in full.
    pub(super) fn kept(&self, context: &Context<'_>) -> Vec<Line> {
        model_lines(context, self.reply())
    }

    /// What makes the reply at hand another than the server expects.
    fn unfit(&self) -> Option<&'static str> {
        let content = &self.reply().content;
        let calls = content.iter().any(|content| matches!(content, ReplyContent::ToolUse { .. }));
        let says = |content: &ReplyContent| !matches!(content, ReplyContent::Text(text) if text.trim().is_empty());
        match self.choice {
            ToolChoice::Required if !calls => Some("term-must-call"),
            ToolChoice::None if calls => Some("term-must-not-call"),
            _ => (!content.iter().any(says)).then_some("term-draft-empty"),
        }
    }

    /// What there is to know of the draft besides its text.
    fn remarks(&self, context: &Context<'_>) -> Vec<Line> {
        let texts = context.texts;
        let model = neutralise_line(&self.draft.reply.model);
        let warning = |text: String| Line::marked("!", Style::Warning).with(text, Style::Warning);
        let mut facts = vec![texts.format("term-written-by", &[("model", model.as_str().into())])];
        if let Some((read, written)) = self.draft.tokens {
            let variables = [("read", read.into()), ("written", written.into())];
            facts.push(texts.format("term-tokens-used", &variables));
        }
        if let Some(reason) = &self.reply().stop_reason {
            facts.push(texts.format("term-stopped-by", &[("reason", neutralise_line(reason).into())]));
        }
        let mut lines = vec![Line::blank(), Line::own(facts.join(" · "), Style::Dim)];
        lines.extend(self.unfit().map(|id| warning(context.of_server(id))));
        if !self.draft.left_out.is_empty() {
            let names = self.draft.left_out.join(&context.get("term-list-separator"));
            lines.push(warning(texts.format("term-not-taken", &[("names", names.into())])));
        }
        if self.with_secrets {
            lines.push(warning(context.of_server("term-with-secrets")));
        } else if self.restored.is_some() {
            lines.push(Line::own(context.of_server("term-with-placeholders"), Style::Plain));
        }
        let changes = changes::of_text(&as_text(context, self.written()), &as_text(context, self.reply()));
        if !changes.is_empty() {
            lines.push(Line::blank());
            let text = texts.format("term-draft-edited", &[("model", model.into())]);
            lines.push(Line::own(text, Style::Bold));
            lines.extend(changes);
        }
        lines
    }
}

fn items(restorable: bool, with_secrets: bool) -> Vec<(Act, &'static str)> {
    let send = if with_secrets { "term-choice-send-secrets" } else { "term-choice-send" };
    let mut items = vec![(Act::Send, send), (Act::Edit, "term-choice-edit")];
    items.extend(match (restorable, with_secrets) {
        (false, _) => None,
        (true, false) => Some((Act::Restore, "term-choice-restore")),
        (true, true) => Some((Act::Placeholders, "term-choice-placeholders")),
    });
    items.extend([
        (Act::Regenerate, "term-choice-regenerate"),
        (Act::Request, "term-choice-request"),
        (Act::Decline, "term-choice-decline"),
    ]);
    items
}
