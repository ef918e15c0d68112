//! What happens in a conversation, as lines: what was said, calls and their arguments in full, results as far as they fit.
//!
//! Nothing here is trusted: the model's words, and those of tools, are neutralised and indented, so that they cannot pass for ours.

use askback_core::display::{neutralise, neutralise_line};
use askback_desk::Texts;
use askback_desk::chat::{ChatEnd, ChatUsage, ConsentBy, ToolCallView};
use serde_json::{Map, Value};

use crate::drawing::{Line, Style};

/// How many lines of a result are shown; all of it is in the transcript.
const RESULT_LINES: usize = 12;

/// What the person said.
pub fn said(text: &str) -> Vec<Line> {
    let mut lines = vec![Line::blank()];
    lines.extend(marked("›", Style::Accent, text, Style::Bold));
    lines
}

/// What the model says.
pub fn replied(text: &str) -> Vec<Line> {
    let mut lines = vec![Line::blank()];
    lines.extend(marked("●", Style::Good, text.trim(), Style::Plain));
    lines
}

fn marked(mark: &str, mark_style: Style, text: &str, style: Style) -> Vec<Line> {
    let safe = neutralise(text);
    safe.split('\n')
        .enumerate()
        .map(|(at, line)| {
            let mark = if at == 0 { mark } else { " " };
            Line::marked(mark, mark_style).with(line, style)
        })
        .collect()
}

/// The arguments of a call, in full.
pub fn arguments(texts: &Texts, arguments: &Map<String, Value>) -> Vec<Line> {
    if arguments.is_empty() {
        return vec![Line::own(texts.get("term-no-arguments"), Style::Dim)];
    }
    let mut lines = Vec::new();
    for (name, value) in arguments {
        let value = match value {
            Value::String(text) if !text.contains('\n') => unquoted(text),
            Value::Array(_) | Value::Object(_) | Value::String(_) => {
                let text = serde_json::to_string_pretty(value).unwrap_or_default();
                lines.push(Line::quoted(format!("{}:", neutralise_line(name)), Style::Dim));
                lines.extend(neutralise(&text).lines().map(|line| Line::quoted(format!("  {line}"), Style::Plain)));
                continue;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        };
        lines.push(Line::quoted(format!("{}: ", neutralise_line(name)), Style::Dim).with(value, Style::Plain));
    }
    lines
}

/// A text without quotes, unless it could be taken for something else.
fn unquoted(text: &str) -> String {
    let clear = !text.is_empty() && text.trim() == text && serde_json::from_str::<Value>(text).is_err();
    if clear { neutralise_line(text) } else { neutralise_line(&Value::from(text).to_string()) }
}

/// What was decided about a call.
pub fn decided(texts: &Texts, call: &ToolCallView, allowed: bool, by: ConsentBy) -> Vec<Line> {
    let (mark, style) = if allowed { ("→", Style::Accent) } else { ("–", Style::Warning) };
    let id = match (allowed, by) {
        (true, ConsentBy::Person | ConsentBy::Nobody) => "term-call-allowed",
        (true, ConsentBy::Conversation) => "term-call-allowed-conversation",
        (true, ConsentBy::Always) => "term-call-allowed-always",
        (true, ConsentBy::Rule) => "term-call-allowed-rule",
        (true, ConsentBy::Hint) => "term-call-allowed-hint",
        (false, ConsentBy::Rule) => "term-call-declined-rule",
        (false, ConsentBy::Nobody) => "term-call-declined-nobody",
        (false, _) => "term-call-declined",
    };
    let mut line = Line::marked(mark, style).with(name(texts, call), Style::Bold);
    line = line.with(format!(" · {}", texts.get(id)), Style::Dim);
    let mut lines = vec![Line::blank(), line];
    if allowed {
        lines.extend(arguments(texts, &call.arguments).into_iter().map(indented));
    }
    lines
}

/// What came of a call.
pub fn returned(texts: &Texts, call: &ToolCallView, text: &str, is_error: bool, left_out: usize) -> Vec<Line> {
    let (mark, style, id) =
        if is_error { ("✗", Style::Error, "term-call-failed") } else { ("✓", Style::Good, "term-call-returned") };
    let line = Line::marked(mark, style).with(name(texts, call), Style::Bold);
    let mut lines = vec![line.with(format!(" · {}", texts.get(id)), Style::Dim)];
    let safe = neutralise(text.trim_end());
    let all: Vec<&str> = safe.lines().collect();
    let shown = all.iter().take(RESULT_LINES).map(|line| indented(Line::quoted(*line, Style::Dim)));
    lines.extend(shown);
    if let Some(more) = all.len().checked_sub(RESULT_LINES).filter(|more| *more > 0) {
        let text = texts.format("term-more-lines", &[("count", (more as u64).into())]);
        lines.push(indented(Line::own(text, Style::Dim)));
    }
    if left_out > 0 {
        let text = texts.format("term-result-cut", &[("bytes", (left_out as u64).into())]);
        lines.push(indented(Line::own(text, Style::Warning)));
    }
    lines
}

/// How a turn ended, where that is worth a word, and what it took.
pub fn ended(texts: &Texts, end: &ChatEnd, usage: &ChatUsage) -> Vec<Line> {
    let mut lines = Vec::new();
    let warning = |text: String| Line::marked("!", Style::Warning).with(text, Style::Plain);
    match end {
        ChatEnd::Finished { cut: false } => {}
        ChatEnd::Finished { cut: true } => lines.push(warning(texts.get("term-chat-cut"))),
        ChatEnd::Capped { rounds } => {
            lines.push(warning(texts.format("term-chat-capped", &[("rounds", u64::from(*rounds).into())])));
        }
        ChatEnd::Failed { why } => {
            let text = texts.format("term-chat-failed", &[("why", neutralise_line(why).into())]);
            lines.push(Line::marked("✗", Style::Error).with(text, Style::Error));
        }
        ChatEnd::Stopped => lines.push(warning(texts.get("term-chat-stopped"))),
    }
    if usage.input + usage.output > 0 {
        let variables = [("read", usage.input.into()), ("written", usage.output.into())];
        let mut text = texts.format("term-tokens-used", &variables);
        if let Some(money) = usage.money {
            text.push_str(&texts.format("term-chat-money", &[("money", format!("{money:.4}").into())]));
        }
        lines.push(Line::own(text, Style::Dim));
    }
    lines
}

/// The tool and its server, as we know them.
fn name(texts: &Texts, call: &ToolCallView) -> String {
    let variables =
        [("server", neutralise_line(&call.server.name).into()), ("tool", neutralise_line(&call.tool).into())];
    texts.format("term-tool-of", &variables)
}

/// Two columns further in.
fn indented(mut line: Line) -> Line {
    for part in [&mut line.lead, &mut line.hang] {
        part.insert(0, crate::drawing::Span::new("  ", Style::Plain));
    }
    line
}
