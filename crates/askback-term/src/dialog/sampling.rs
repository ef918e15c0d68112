//! Sampling without a model: the person sees the whole request and writes the reply.
//!
//! Owns both gates: the request in full before anything is written, and the draft before it goes back.

use askback_core::answer::Answer;
use askback_core::display::neutralise_line;
use askback_core::sampling::{
    Content, MANUAL_MODEL, Media, ReplyContent, SamplingMessage, SamplingReply, SamplingRequest, ToolChoice,
};
use serde_json::Value;

use super::header::quoted;
use super::menu::Menu;
use super::review::json;
use super::tool_call::{self, ToolCall};
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::editor::Editor;
use crate::key::Key;

/// A sampling ask being answered.
pub(super) struct SamplingStage {
    request: SamplingRequest,
    draft: Editor,
    call: ToolCall,
    phase: Phase,
    empty_draft: bool,
}

enum Phase {
    /// Gate one.
    Request(Menu<Act>),
    Writing,
    Calling,
    /// Gate two: the reply as it would go back.
    Review(Box<SamplingReply>, Menu<Act>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Write,
    Call,
    Send,
    Edit,
    Decline,
}

impl SamplingStage {
    pub(super) fn new(request: SamplingRequest) -> SamplingStage {
        let phase = Phase::Request(gate_one(&request));
        let call = ToolCall::new(request.tools.clone(), next_id(&request));
        SamplingStage { request, draft: Editor::default(), call, phase, empty_draft: false }
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
}

fn gate_one(request: &SamplingRequest) -> Menu<Act> {
    let mut items = Vec::new();
    if request.tool_choice != ToolChoice::Required || request.tools.is_empty() {
        items.push((Act::Write, "term-choice-write"));
    }
    if request.tool_choice != ToolChoice::None && !request.tools.is_empty() {
        items.push((Act::Call, "term-choice-call"));
    }
    items.push((Act::Decline, "term-choice-decline"));
    Menu::ready(&items)
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

impl Stage for SamplingStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        let mut lines = vec![Line::blank(), Line::own(context.get("term-no-model"), Style::Plain)];
        if let Some(prompt) = &self.request.system_prompt {
            lines.push(Line::blank());
            lines.push(Line::own(context.get("term-system-prompt"), Style::Dim));
            lines.extend(quoted(prompt));
        }
        for message in &self.request.messages {
            lines.push(Line::blank());
            lines.extend(message_lines(context, message));
        }
        if !self.request.tools.is_empty() {
            lines.push(Line::blank());
            lines.push(Line::own(context.get("term-tools"), Style::Dim));
            for tool in &self.request.tools {
                let name = Line::quoted(neutralise_line(&tool.name), Style::Bold);
                match tool.description.as_deref() {
                    Some(text) if !text.contains('\n') => {
                        lines.push(name.with("  ", Style::Plain).with(neutralise_line(text), Style::Plain));
                    }
                    Some(text) => {
                        lines.push(name);
                        lines.extend(quoted(text));
                    }
                    None => lines.push(name),
                }
            }
        }
        lines.push(Line::blank());
        lines.extend(settings(context, &self.request));
        lines
    }

    fn handle(&mut self, key: &Key, context: &Context<'_>) -> Step {
        match &mut self.phase {
            Phase::Request(menu) => {
                if *key == Key::Escape {
                    return Step::Cancel;
                }
                match menu.handle(key) {
                    Some(Act::Write) => self.phase = Phase::Writing,
                    Some(Act::Call) => {
                        self.call.begin(context);
                        self.phase = Phase::Calling;
                    }
                    Some(Act::Decline) => return Step::Decline,
                    Some(Act::Send | Act::Edit) | None => {}
                }
            }
            Phase::Writing => match key {
                Key::Escape => self.phase = Phase::Request(gate_one(&self.request)),
                Key::Ctrl('e') => return Step::Edit(self.draft.text().to_owned()),
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
                tool_call::Event::Back => self.phase = Phase::Request(gate_one(&self.request)),
                tool_call::Event::Edit(text) => return Step::Edit(text),
                tool_call::Event::Done(content) => self.review(content),
            },
            Phase::Review(reply, menu) => {
                if *key == Key::Escape {
                    return Step::Cancel;
                }
                match menu.handle(key) {
                    Some(Act::Send) => return Step::Answer(Answer::Sampled(reply.clone())),
                    Some(Act::Edit) => {
                        let calling = matches!(reply.content.first(), Some(ReplyContent::ToolUse { .. }));
                        self.phase = if calling { Phase::Calling } else { Phase::Writing };
                    }
                    Some(Act::Decline) => return Step::Decline,
                    Some(Act::Write | Act::Call) | None => {}
                }
            }
        }
        Step::Stay
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        match &self.phase {
            Phase::Request(menu) => {
                match self.request.tool_choice {
                    ToolChoice::Required if !self.request.tools.is_empty() => {
                        view.body.push(Line::own(context.of_server("term-must-call"), Style::Dim));
                    }
                    ToolChoice::None if !self.request.tools.is_empty() => {
                        view.body.push(Line::own(context.of_server("term-must-not-call"), Style::Dim));
                    }
                    _ => {}
                }
                view.body.gap();
                menu.draw(&mut view.body, context);
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-refuse")]);
            }
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
                    view.text.extend(reply_lines(context, content));
                }
                menu.draw(&mut view.body, context);
                view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-refuse")]);
            }
        }
    }

    fn kept(&self, context: &Context<'_>, _: bool) -> Vec<Line> {
        match &self.phase {
            Phase::Review(reply, _) => reply.content.iter().flat_map(|content| reply_lines(context, content)).collect(),
            _ if self.draft.is_empty() => self.call.kept(context),
            _ => text_lines(self.draft.text()),
        }
    }

    fn edited(&mut self, text: String) {
        match &self.phase {
            Phase::Calling => self.call.edited(text),
            _ => self.draft = Editor::new(text.trim_end_matches('\n')),
        }
    }
}

fn text_lines(text: &str) -> Vec<Line> {
    text.split('\n').map(|line| Line::lead("    ", Style::Plain).with(neutralise_line(line), Style::Plain)).collect()
}

fn reply_lines(context: &Context<'_>, content: &ReplyContent) -> Vec<Line> {
    match content {
        ReplyContent::Text(text) => text_lines(text),
        ReplyContent::ToolUse { name, input, .. } => {
            let name = neutralise_line(name);
            let calls = context.texts.format("term-calls-tool", &[("tool", name.into())]);
            std::iter::once(Line::lead("    ", Style::Plain).with(calls, Style::Plain))
                .chain(json(&Value::Object(input.clone())))
                .collect()
        }
        ReplyContent::Raw(value) => json(value),
    }
}

fn message_lines(context: &Context<'_>, message: &SamplingMessage) -> Vec<Line> {
    let role = context.get(match message.role {
        askback_core::sampling::Role::User => "term-role-user",
        askback_core::sampling::Role::Assistant => "term-role-assistant",
    });
    let mut lines = vec![Line::own(role, Style::Dim)];
    let attachment = |id: &str, media: &Media| {
        let (mime, size) = (neutralise_line(&media.mime_type), size(media.size()));
        Line::quoted(context.texts.format(id, &[("type", mime.into()), ("size", size.into())]), Style::Accent)
    };
    for content in &message.content {
        match content {
            Content::Text(text) => lines.extend(quoted(text)),
            Content::Image(media) => lines.push(attachment("term-image", media)),
            Content::Audio(media) => lines.push(attachment("term-audio", media)),
            Content::ToolUse { name, input, .. } => {
                let name = neutralise_line(name);
                lines.push(Line::quoted(
                    context.texts.format("term-calls-tool", &[("tool", name.into())]),
                    Style::Accent,
                ));
                lines.extend(quoted(&serde_json::to_string_pretty(input).unwrap_or_default()));
            }
            Content::ToolResult { content, is_error, .. } => {
                let id = if *is_error { "term-tool-error" } else { "term-tool-result" };
                lines.push(Line::quoted(context.get(id), Style::Accent));
                lines.extend(quoted(&serde_json::to_string_pretty(content).unwrap_or_default()));
            }
        }
    }
    lines
}

/// A size in bytes, for people.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// What else the server wants of a model, one line each.
fn settings(context: &Context<'_>, request: &SamplingRequest) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut say = |id: &str, value: String| {
        let label = format!("{}{}", context.get(id), context.get("term-colon"));
        lines.push(Line::own(label, Style::Dim).with(value, Style::Plain));
    };
    say("term-max-tokens", context.texts.format("term-tokens", &[("count", request.max_tokens.into())]));
    if !request.model_hints.is_empty() {
        let hints: Vec<_> = request.model_hints.iter().map(|hint| neutralise_line(hint)).collect();
        say("term-model-hints", hints.join(&context.get("term-list-separator")));
    }
    let priorities = [
        ("term-cost", request.cost_priority),
        ("term-speed", request.speed_priority),
        ("term-intelligence", request.intelligence_priority),
    ];
    let given: Vec<String> =
        priorities.iter().filter_map(|(id, value)| value.map(|value| format!("{} {value}", context.get(id)))).collect();
    if !given.is_empty() {
        say("term-priorities", given.join(&context.get("term-list-separator")));
    }
    if let Some(temperature) = request.temperature {
        say("term-temperature", temperature.to_string());
    }
    if !request.stop_sequences.is_empty() {
        say("term-stop-sequences", neutralise_line(&serde_json::json!(request.stop_sequences).to_string()));
    }
    if let Some(include) = &request.include_context {
        say("term-include-context", neutralise_line(include));
    }
    if let Some(metadata) = &request.metadata {
        say("term-metadata", neutralise_line(&metadata.to_string()));
    }
    lines
}
