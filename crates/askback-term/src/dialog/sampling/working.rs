//! A model at work: what it writes, as it comes.

use askback_core::display::neutralise;
use askback_desk::lending::DraftEvent;

use super::reply::calls;
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Rows, Style};

/// How many rows of the text are shown: its end.
const ROWS: usize = 12;
/// How many bytes of the text are kept to be shown. The draft comes whole at the end.
const BYTES: usize = 16 * 1024;

/// What was written so far.
pub(super) struct Working {
    /// The user's name for the model.
    model: String,
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    Thinking(String),
    Call(String),
}

impl Working {
    pub(super) fn new(model: String) -> Working {
        Working { model, pieces: Vec::new() }
    }

    /// Takes more of it; news of the end are not for here.
    pub(super) fn note(&mut self, event: DraftEvent) {
        match (event, self.pieces.last_mut()) {
            (DraftEvent::Text(more), Some(Piece::Text(text)))
            | (DraftEvent::Thinking(more), Some(Piece::Thinking(text))) => append(text, &more),
            (DraftEvent::Text(text), _) => self.pieces.push(Piece::Text(text)),
            (DraftEvent::Thinking(text), _) => self.pieces.push(Piece::Thinking(text)),
            (DraftEvent::ToolCall { name }, _) => self.pieces.push(Piece::Call(name)),
            (DraftEvent::Finished(_) | DraftEvent::Failed { .. }, _) => {}
        }
        if self.pieces.len() > 2 * ROWS {
            self.pieces.drain(..ROWS);
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>) {
        let title = context.texts.format("term-working", &[("model", self.model.as_str().into())]);
        view.body.push(Line::own(title, Style::Bold));
        let mut rows = Rows::new(view.body.width);
        for piece in &self.pieces {
            rows.gap();
            match piece {
                Piece::Text(text) => rows.extend(bar(text, Style::Plain)),
                Piece::Thinking(text) => {
                    rows.push(Line::own(context.get("term-thinking"), Style::Dim));
                    rows.extend(bar(text, Style::Dim));
                }
                Piece::Call(name) => rows.push(Line::quoted(calls(context, name), Style::Accent)),
            }
        }
        let from = rows.rows.len().saturating_sub(ROWS);
        view.body.rows.extend(rows.rows.split_off(from));
        view.body.focus = view.body.rows.len() - 1;
        view.keys(context, &[("Esc", "term-do-stop")]);
    }
}

/// Text that is not ours, behind a bar.
fn bar(text: &str, style: Style) -> Vec<Line> {
    neutralise(text).trim_end().split('\n').map(|line| Line::quoted(line, style)).collect()
}

/// Adds to a text, of which only the end is kept.
fn append(text: &mut String, more: &str) {
    text.push_str(more);
    if text.len() > BYTES {
        let from = (text.len() - BYTES / 2..text.len()).find(|at| text.is_char_boundary(*at));
        text.drain(..from.unwrap_or(text.len()));
    }
}
