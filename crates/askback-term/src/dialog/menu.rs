//! A short list of things to do, of which one is done by Enter.

use super::view::Context;
use crate::drawing::{Line, Rows, Style};
use crate::key::Key;

/// A menu of `T`, each with the id of its words.
#[derive(Clone, Debug)]
pub(crate) struct Menu<T> {
    items: Vec<(T, &'static str)>,
    at: Option<usize>,
    hurried: bool,
}

impl<T: Copy> Menu<T> {
    /// A menu with its first row highlighted: for what can be taken back, or what was just made on purpose.
    pub(crate) fn ready(items: &[(T, &'static str)]) -> Menu<T> {
        Menu { items: items.to_vec(), at: Some(0), hurried: false }
    }

    /// A menu with no row highlighted: a stray Enter consents to nothing.
    pub(crate) fn careful(items: &[(T, &'static str)]) -> Menu<T> {
        Menu { items: items.to_vec(), at: None, hurried: false }
    }

    /// Takes a key; gives the item that Enter chose.
    pub(crate) fn handle(&mut self, key: &Key) -> Option<T> {
        let last = self.items.len() - 1;
        self.hurried = false;
        match key {
            Key::Down | Key::Tab => self.at = Some(self.at.map_or(0, |at| (at + 1).min(last))),
            Key::Up | Key::BackTab => self.at = Some(self.at.map_or(last, |at| at.saturating_sub(1))),
            Key::Home | Key::PageUp => self.at = Some(0),
            Key::End | Key::PageDown => self.at = Some(last),
            Key::Char(digit @ '1'..='9') => {
                let wanted = *digit as usize - '1' as usize;
                if wanted <= last {
                    self.at = Some(wanted);
                }
            }
            Key::Enter => match self.at {
                Some(at) => return Some(self.items[at].0),
                None => self.hurried = true,
            },
            _ => {}
        }
        None
    }

    pub(crate) fn draw(&self, rows: &mut Rows, context: &Context<'_>) {
        self.draw_worded(rows, context, |id| context.of_server(id));
    }

    /// As [`Menu::draw`], with these words for each id.
    pub(crate) fn draw_worded(&self, rows: &mut Rows, context: &Context<'_>, words: impl Fn(&str) -> String) {
        for (at, (_, id)) in self.items.iter().enumerate() {
            if self.at == Some(at) {
                rows.focus_here();
            }
            rows.push(row(self.at == Some(at), None, &words(id)));
        }
        if self.hurried {
            rows.push(Line::marked("✗", Style::Error).with(context.get("term-choose-first"), Style::Error));
        }
    }
}

/// The place in a list that is drawn anew from what it lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place(pub(super) usize);

impl Place {
    /// Takes a key; whether it was Enter, which takes what is at this place.
    pub(crate) fn handle(&mut self, key: &Key, rows: usize) -> bool {
        let last = rows.saturating_sub(1);
        self.0 = match key {
            Key::Up | Key::BackTab => self.0.saturating_sub(1),
            Key::Down | Key::Tab => self.0 + 1,
            Key::Home | Key::PageUp => 0,
            Key::End | Key::PageDown => last,
            Key::Char(digit @ '1'..='9') => *digit as usize - '1' as usize,
            Key::Enter => return rows > 0,
            _ => self.0,
        }
        .min(last);
        false
    }
}

/// One row of a list: whether the cursor is on it, its mark (e.g. `●`), its words.
pub(crate) fn row(here: bool, mark: Option<&str>, text: &str) -> Line {
    let (pointer, style) = if here { ("❯", Style::Accent) } else { (" ", Style::Plain) };
    let line = Line::marked(pointer, Style::Accent);
    match mark {
        Some(mark) => {
            let mut line = line;
            line.hang =
                vec![crate::drawing::Span::new(" ".repeat(line.width() + mark.chars().count() + 1), Style::Plain)];
            line.with(format!("{mark} "), style).with(text, style)
        }
        None => line.with(text, style),
    }
}
