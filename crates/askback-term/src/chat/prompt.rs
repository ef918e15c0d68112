//! The line on which the person says something: typing, pasting, and what they said before.
//!
//! Owns the history of this run; it is not kept beyond it. Must not know what becomes of what is said.

use askback_desk::Texts;

use crate::dialog::view::{Context, View, usable_width};
use crate::drawing::{Drawing, Line, Style};
use crate::editor::Editor;
use crate::key::Key;
use crate::zone::Zone;

/// How much of what was said before can be had again.
const REMEMBERED: usize = 200;

/// The person's turn.
#[derive(Debug, Default)]
pub struct Prompt {
    editor: Editor,
    said: Vec<String>,
    /// Which of `said` is shown, and what was being typed before.
    past: Option<(usize, Editor)>,
    /// Set after a Ctrl-C that had nothing to clear.
    wants_to_end: bool,
}

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Nothing to be done.
    Stay,
    /// The person says this.
    Say(String),
    /// The person ends the conversation.
    End,
}

impl Prompt {
    /// Takes a key.
    pub fn handle(&mut self, key: &Key) -> Typed {
        let wanted_to_end = std::mem::take(&mut self.wants_to_end);
        match key {
            Key::EndOfInput => return Typed::End,
            Key::Ctrl('d') if self.editor.is_empty() => return Typed::End,
            Key::Ctrl('c') if self.editor.is_empty() && wanted_to_end => return Typed::End,
            Key::Ctrl('c') => {
                self.wants_to_end = self.editor.is_empty();
                self.clear();
            }
            Key::Ctrl('d') => {
                self.editor.handle(&Key::Delete);
            }
            Key::Enter => {
                let text = self.editor.text().trim().to_owned();
                if text.is_empty() {
                    return Typed::Stay;
                }
                self.clear();
                if self.said.last() != Some(&text) {
                    self.said.push(text.clone());
                    let surplus = self.said.len().saturating_sub(REMEMBERED);
                    self.said.drain(..surplus);
                }
                return Typed::Say(text);
            }
            Key::Up if self.editor.is_in_first_line() => self.earlier(),
            Key::Down if self.editor.is_in_last_line() => self.later(),
            key => {
                self.editor.handle_lines(key);
            }
        }
        Typed::Stay
    }

    fn clear(&mut self) {
        self.editor = Editor::default();
        self.past = None;
    }

    fn earlier(&mut self) {
        let at = self.past.as_ref().map_or(self.said.len(), |(at, _)| *at);
        let Some(text) = at.checked_sub(1).and_then(|at| self.said.get(at)) else { return };
        let before = std::mem::replace(&mut self.editor, Editor::new(text.clone()));
        let typed = self.past.take().map_or(before, |(_, typed)| typed);
        self.past = Some((at - 1, typed));
    }

    fn later(&mut self) {
        let Some((at, typed)) = self.past.take() else { return };
        match self.said.get(at + 1) {
            Some(text) => {
                self.editor = Editor::new(text.clone());
                self.past = Some((at + 1, typed));
            }
            None => self.editor = typed,
        }
    }

    /// The prompt as it is now.
    pub fn draw(&self, texts: &Texts, width: usize, height: usize) -> Drawing {
        let zone = Zone::default();
        let context = Context { texts, server: "", zone: &zone };
        let mut view = View::new(usable_width(width));
        self.editor.draw(&mut view.body, "›", Style::Accent, false);
        if self.wants_to_end {
            let cursor = view.body.cursor;
            view.body.push(Line::own(context.get("term-chat-end-hint"), Style::Dim));
            view.body.cursor = cursor;
        }
        view.keys(
            &context,
            &[
                ("Enter", "term-do-say"),
                ("Alt-Enter", "term-do-new-line"),
                ("↑", "term-do-earlier"),
                ("Ctrl-D", "term-do-end"),
            ],
        );
        view.finish(height, &context, &mut Vec::new(), &mut Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::keys;

    #[track_caller]
    fn check(script: &str, typed: &str, said: &[&str]) {
        let mut prompt = Prompt::default();
        let mut all = Vec::new();
        for key in keys(script) {
            match prompt.handle(&key) {
                Typed::Say(text) => all.push(text),
                Typed::End => all.push("(end)".to_owned()),
                Typed::Stay => {}
            }
        }
        assert_eq!((prompt.editor.text(), all), (typed, said.iter().map(|text| (*text).to_owned()).collect()));
    }

    #[test]
    fn many_lines_are_one_thing_to_say() {
        check("paste:one\\ntwo newline type:three enter", "", &["one\ntwo\nthree"]);
        check("enter space enter", " ", &[]);
    }

    #[test]
    fn what_was_said_comes_back_and_what_was_typed_is_not_lost() {
        check("type:a enter type:b enter type:c up up", "a", &["a", "b"]);
        check("type:a enter type:b enter type:c up up up down down down", "c", &["a", "b"]);
        check("type:a enter type:a enter up up", "a", &["a", "a"]);
        check("type:a enter paste:x\\ny up", "x\ny", &["a"]);
        check("type:a enter paste:x\\ny up up", "a", &["a"]);
        check("type:a enter up type:b enter", "", &["a", "ab"]);
    }

    #[test]
    fn the_conversation_ends_on_purpose_only() {
        check("type:ab ctrl-c", "", &[]);
        check("type:ab home ctrl-d", "b", &[]);
        check("ctrl-d", "", &["(end)"]);
        check("ctrl-c type:a ctrl-c", "", &[]);
        check("ctrl-c ctrl-c", "", &["(end)"]);
        check("eof", "", &["(end)"]);
    }
}
