//! A text editor of one or many lines: the text, the place in it, and the rows it is drawn as.
//!
//! Owns editing by graphemes, so that what looks like one character is one. Must not know fields, and never draws a control character.

use askback_core::display::neutralise_line;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::drawing::{Line, Rows, Span, Style};
use crate::key::Key;

/// Text being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editor {
    text: String,
    /// A byte offset at a grapheme's boundary.
    at: usize,
}

impl Editor {
    /// An editor that holds this text, with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Editor {
        let text = text.into();
        Editor { at: text.len(), text }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Does what an editing key says; tells whether it was one. Enter, Up and Down are taken only by [`Editor::handle_lines`].
    pub fn handle(&mut self, key: &Key) -> bool {
        match key {
            Key::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Paste(text) => self.insert(text),
            Key::NewLine => self.insert("\n"),
            Key::Left | Key::Ctrl('b') => self.at = self.before(self.at),
            Key::Right | Key::Ctrl('f') => self.at = self.after(self.at),
            Key::WordLeft => self.at = self.word_before(),
            Key::WordRight => self.at = self.word_after(),
            Key::Home | Key::Ctrl('a') => self.at = self.line_start(),
            Key::End | Key::Ctrl('e') => self.at = self.line_end(),
            Key::Backspace | Key::Ctrl('h') => self.remove(self.before(self.at), self.at),
            Key::Delete => self.remove(self.at, self.after(self.at)),
            Key::Ctrl('w') => self.remove(self.word_before(), self.at),
            Key::Ctrl('u') => self.remove(self.line_start(), self.at),
            Key::Ctrl('k') => self.remove(self.at, self.line_end()),
            _ => return false,
        }
        true
    }

    /// As [`Editor::handle`], with Enter for a new line, and Up and Down between lines.
    pub fn handle_lines(&mut self, key: &Key) -> bool {
        match key {
            Key::Enter => self.insert("\n"),
            Key::Up => self.vertical(true),
            Key::Down => self.vertical(false),
            key => return self.handle(key),
        }
        true
    }

    /// Whether the cursor is in the first line.
    pub(crate) fn is_in_first_line(&self) -> bool {
        self.line_start() == 0
    }

    /// Whether the cursor is in the last line.
    pub(crate) fn is_in_last_line(&self) -> bool {
        self.line_end() == self.text.len()
    }

    fn insert(&mut self, text: &str) {
        let text: String = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .chars()
            .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
            .collect();
        self.text.insert_str(self.at, &text);
        self.at += text.len();
        self.settle();
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
        self.settle();
    }

    /// After an edit, what was two graphemes may be one: the cursor goes behind it.
    fn settle(&mut self) {
        let boundary = self.text.grapheme_indices(true).map(|(at, _)| at).find(|at| *at >= self.at);
        self.at = boundary.unwrap_or(self.text.len());
    }

    fn before(&self, at: usize) -> usize {
        self.text[..at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self, at: usize) -> usize {
        at + self.text[at..].graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let head = self.text[..self.at].trim_end();
        head.split_word_bound_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn word_after(&self) -> usize {
        let tail = &self.text[self.at..];
        let blank = tail.len() - tail.trim_start().len();
        let word = tail[blank..].split_word_bounds().next().map_or(0, str::len);
        self.at + blank + word
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    fn vertical(&mut self, up: bool) {
        let start = self.line_start();
        let column = self.text[start..self.at].graphemes(true).count();
        let target = if up {
            if start == 0 {
                self.at = 0;
                return;
            }
            self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1)
        } else {
            let end = self.line_end();
            if end == self.text.len() {
                self.at = end;
                return;
            }
            end + 1
        };
        let line = self.text[target..].split('\n').next().unwrap_or_default();
        self.at = target + line.graphemes(true).take(column).map(str::len).sum::<usize>();
    }

    /// Adds the text's rows and the cursor, behind `mark` on the first row. Masked, each grapheme is drawn as a dot.
    pub(crate) fn draw(&self, rows: &mut Rows, mark: &str, style: Style, masked: bool) {
        let mut lead = Line::marked(mark, style);
        let indent = lead.hang.clone();
        let room = rows.width.saturating_sub(lead.width() + 1).max(2);
        let mut used = 0;
        let mut cursor = None;
        let mut drawn = Vec::new();
        let place = |drawn: &Vec<Line>, used: usize| Some((rows.rows.len() + drawn.len(), used));
        for (at, grapheme) in self.text.grapheme_indices(true) {
            let (shown, style) =
                if masked && grapheme != "\n" { ("•".to_owned(), Style::Plain) } else { shown(grapheme) };
            let columns = shown.width();
            if at == self.at && used + columns <= room {
                cursor = place(&drawn, used + lead.width().saturating_sub(used));
            }
            if grapheme == "\n" {
                drawn.push(std::mem::replace(&mut lead, Line { lead: indent.clone(), ..Line::default() }));
                used = 0;
                continue;
            }
            if used + columns > room {
                drawn.push(std::mem::replace(&mut lead, Line { lead: indent.clone(), ..Line::default() }));
                used = 0;
                if at == self.at {
                    cursor = place(&drawn, lead.width());
                }
            }
            match lead.spans.last_mut() {
                Some(last) if last.style == style => last.text.push_str(&shown),
                _ => lead.spans.push(Span::new(shown, style)),
            }
            used += columns;
        }
        if self.at == self.text.len() {
            cursor = place(&drawn, lead.width());
        }
        drawn.push(lead);
        rows.cursor = cursor;
        rows.focus = cursor.map_or(rows.rows.len(), |(row, _)| row);
        for line in drawn {
            rows.rows.push(Line { spans: line.lead.into_iter().chain(line.spans).collect(), ..Line::default() });
        }
    }
}

/// How one grapheme is drawn: what could upset a terminal is made visible.
fn shown(grapheme: &str) -> (String, Style) {
    match grapheme {
        "\t" => ("→   ".to_owned(), Style::Dim),
        plain if plain.chars().all(|c| c == ' ' || c.is_ascii_graphic()) => (plain.to_owned(), Style::Plain),
        other => {
            let safe = neutralise_line(other);
            let style = if safe == other { Style::Plain } else { Style::Warning };
            (safe, style)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::keys;

    fn check(typed: &str, text: &str, at: usize) {
        let mut editor = Editor::default();
        for key in keys(typed) {
            editor.handle_lines(&key);
        }
        assert_eq!((editor.text(), editor.at), (text, at));
    }

    #[test]
    fn edits_by_grapheme() {
        check("type:héllo left left backspace", "hélo", 3);
        check("type:e\u{301} backspace", "", 0);
        check("type:a👩‍👩‍👧b left backspace", "ab", 1);
        check("type:巴塞罗那 home right delete", "巴罗那", 3);
    }

    #[test]
    fn edits_by_word_and_line() {
        check("type:one·two ctrl-w", "one ", 4);
        check("type:one·two home ctrl-k", "", 0);
        check("type:one·two left ctrl-u", "o", 0);
        check("type:ab enter type:cd up type:X", "abX\ncd", 3);
        check("type:abcd enter type:e up home down end type:f", "abcd\nef", 7);
    }

    #[test]
    fn pasted_control_characters_are_left_out() {
        check("paste:a\\eb\\r\\nc", "ab\nc", 4);
    }

    #[test]
    fn long_text_wraps_and_the_cursor_follows() {
        let mut rows = Rows::new(10);
        Editor::new("abcdefgh").draw(&mut rows, "›", Style::Accent, false);
        assert_eq!(rows.rows.iter().map(Line::text).collect::<Vec<_>>(), ["  › abcde", "    fgh"]);
        assert_eq!(rows.cursor, Some((1, 7)));
    }
}
