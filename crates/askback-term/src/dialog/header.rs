//! Who asks, and for what: our own words, outside everything that the server says.

use askback_core::ask::AskBody;
use askback_core::display::neutralise_line;
use askback_desk::view::RoundView;
use askback_desk::wording;

use super::view::{Context, title};
use crate::drawing::{Line, Style};

/// The header of one ask; the first of a round says all, further ones only what differs.
pub(super) fn lines(context: &Context<'_>, round: &RoundView, current: usize) -> Vec<Line> {
    let texts = context.texts;
    let id = match &round.asks[current].body {
        AskBody::Form(ask) if ask.form.fields.is_empty() => "term-asks-confirm",
        AskBody::Form(_) => "term-asks-form",
        AskBody::Url(_) => "term-asks-url",
        AskBody::Sampling(_) => "term-asks-sampling",
        AskBody::Roots => "term-asks-roots",
    };
    let mut place = Vec::new();
    let mut lines = vec![Line::blank(), title(context.of_server(id))];
    if current == 0 {
        lines.push(Line::own(neutralise_line(&round.server.source), Style::Dim));
        match round.calls.as_slice() {
            [] => place.push(context.get("term-no-call")),
            [call] => place.push(texts.format("term-for-call", &[("call", wording::call(texts, call).into())])),
            several => {
                let calls: Vec<String> = several.iter().map(|call| wording::call(texts, call)).collect();
                place.push(
                    texts.format(
                        "term-for-one-of",
                        &[("calls", calls.join(&context.get("term-list-separator")).into())],
                    ),
                );
            }
        }
        place.push(texts.format(
            "term-round",
            &[("number", u64::from(round.number).into()), ("most", u64::from(round.most).into())],
        ));
    }
    if round.asks.len() > 1 {
        place.push(texts.format(
            "term-question",
            &[("number", (current as u64 + 1).into()), ("of", (round.asks.len() as u64).into())],
        ));
    }
    if !place.is_empty() {
        lines.push(Line::own(place.join(" · "), Style::Dim));
    }
    lines
}

/// A server's text, paragraph by paragraph, behind the bar.
pub(crate) fn quoted(text: &str) -> Vec<Line> {
    let safe = askback_core::display::neutralise(text);
    safe.trim_end().split('\n').map(|line| Line::quoted(line, Style::Plain)).collect()
}
