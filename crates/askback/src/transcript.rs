//! A conversation as it goes on, printed for people to read: who asked what, and what went back.

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::{Ask, AskBody};
use askback_core::display::{neutralise, neutralise_line};
use askback_core::engine::Decided;
use askback_core::form::{Field, FieldKind};
use askback_core::sampling::Content;
use askback_desk::wording;
use serde_json::Value;

use crate::console::Console;
use crate::document;
use crate::run_call::print_out;

/// Prints one ask and its answer to standard output.
pub(crate) fn print(console: &Console, decided: &Decided) {
    print_out(&render(console, decided));
}

fn render(console: &Console, decided: &Decided) -> String {
    let texts = &console.texts;
    let mut lines = Vec::new();
    let kind = decided.ask.as_ref().map_or("unknown", |ask| ask.kind().as_str());
    let variables = [
        ("server", decided.server.as_str().into()),
        ("kind", texts.get(&format!("kind-{kind}")).into()),
        ("round", u64::from(decided.round).into()),
    ];
    lines.push(format!("◆ {}", texts.format("transcript-asks", &variables)));
    if let Some(ask) = &decided.ask {
        lines.extend(asked(console, ask).into_iter().map(|line| format!("  │ {line}")));
    }
    let by = texts.get(&format!("decided-by-{}", decided.by.as_str()));
    let answer = texts.get(match &decided.answer {
        Answer::Submitted { .. } | Answer::Consented | Answer::Sampled(_) | Answer::Roots(_) => "answer-accept",
        Answer::Declined { .. } | Answer::Refused(Refusal::ByPerson { .. }) => "answer-decline",
        Answer::Cancelled => "answer-cancel",
        Answer::Refused(_) => "answer-refuse",
    });
    lines.push(format!("  ↳ {}", texts.format("transcript-answers", &[("answer", answer.into()), ("by", by.into())])));
    lines.extend(answered(decided).into_iter().map(|line| format!("    {line}")));
    lines.push(String::new());
    lines.join("\n")
}

fn asked(console: &Console, ask: &Ask) -> Vec<String> {
    let texts = &console.texts;
    let mut lines: Vec<String> =
        ask.message().map(|message| neutralise(message).lines().map(str::to_owned).collect()).unwrap_or_default();
    match &ask.body {
        AskBody::Form(form) => {
            for field in &form.form.fields {
                lines.push(format!("· {}", field_line(console, field)));
            }
        }
        AskBody::Url(page) => lines.push(neutralise_line(&page.url)),
        AskBody::Sampling(request) => {
            if let Some(system) = &request.system_prompt {
                lines.push(texts.format("transcript-system", &[("text", neutralise_line(system).into())]));
            }
            for message in &request.messages {
                for part in &message.content {
                    lines.extend(part_lines(message.role.as_str(), part));
                }
            }
        }
        AskBody::Roots => lines.push(texts.get("transcript-roots")),
    }
    lines
}

fn field_line(console: &Console, field: &Field) -> String {
    let label = field.title.as_deref().or(field.description.as_deref()).unwrap_or(&field.key);
    let mut line = neutralise_line(label);
    if let FieldKind::Choice { choices } | FieldKind::Choices { choices, .. } = &field.kind {
        let names: Vec<String> = choices.iter().map(|choice| neutralise_line(&choice.label)).collect();
        line.push_str(&format!(": {}", names.join(" / ")));
    }
    if let Some(limits) = wording::limits(&console.texts, field) {
        line.push_str(&format!(" ({limits})"));
    }
    if field.required {
        line.push_str(" *");
    }
    line
}

/// How many lines of one message are printed; the rest is counted.
const SHOWN: usize = 12;

fn part_lines(role: &str, part: &Content) -> Vec<String> {
    match part {
        Content::Text(text) => {
            let text = neutralise(text);
            let count = text.lines().count();
            let mut lines: Vec<String> = text.lines().take(SHOWN).map(str::to_owned).collect();
            if count > SHOWN {
                lines.push(format!("… (+{})", count - SHOWN));
            }
            if let Some(first) = lines.first_mut() {
                *first = format!("{role}: {first}");
            }
            lines
        }
        Content::Image(media) | Content::Audio(media) => {
            vec![format!("{role}: [{} {} B]", neutralise_line(&media.mime_type), media.size())]
        }
        Content::ToolUse { name, input, .. } => {
            vec![format!(
                "{role}: {}({})",
                neutralise_line(name),
                neutralise_line(&Value::Object(input.clone()).to_string())
            )]
        }
        Content::ToolResult { content, .. } => vec![format!("{role}: → {}", neutralise_line(&content.to_string()))],
    }
}

fn answered(decided: &Decided) -> Vec<String> {
    match document::content(decided) {
        Value::Null => Vec::new(),
        Value::Object(content) => {
            content.iter().map(|(key, value)| format!("{} = {}", neutralise_line(key), shown(value))).collect()
        }
        Value::Array(items) => items.iter().map(shown).collect(),
        other => vec![shown(&other)],
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => neutralise_line(text),
        other => neutralise_line(&other.to_string()),
    }
}
