//! Keys, as dialogs understand them.
//!
//! Owns the names of keys. Where they come from is the terminal's business.

/// One key, or one paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// A letter with Control.
    Ctrl(char),
    /// Text pasted in one piece.
    Paste(String),
    /// Enter.
    Enter,
    /// Alt-Enter: a new line where Enter goes on.
    NewLine,
    /// Tab.
    Tab,
    /// Shift-Tab.
    BackTab,
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// The beginning of the line.
    Home,
    /// The end of the line.
    End,
    /// One word to the left.
    WordLeft,
    /// One word to the right.
    WordRight,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// Deletes to the left.
    Backspace,
    /// Deletes to the right.
    Delete,
    /// Escape.
    Escape,
    /// The end of input: nobody can type any more.
    EndOfInput,
}

/// Keys from a readable script such as `type:Ada enter ctrl-x`, for tests and demonstrations: words apart by spaces, `·` for a space to type.
///
/// # Panics
/// When a word is no key.
pub fn keys(script: &str) -> Vec<Key> {
    let mut found = Vec::new();
    for word in script.split_whitespace() {
        if let Some(text) = word.strip_prefix("type:") {
            found.extend(text.replace('·', " ").chars().map(Key::Char));
        } else if let Some(text) = word.strip_prefix("paste:") {
            let text = text.replace('·', " ").replace("\\e", "\u{1b}").replace("\\r", "\r").replace("\\n", "\n");
            found.push(Key::Paste(text));
        } else {
            found.push(key(word));
        }
    }
    found
}

fn key(word: &str) -> Key {
    match word {
        "enter" => Key::Enter,
        "newline" => Key::NewLine,
        "tab" => Key::Tab,
        "back" => Key::BackTab,
        "left" => Key::Left,
        "right" => Key::Right,
        "up" => Key::Up,
        "down" => Key::Down,
        "home" => Key::Home,
        "end" => Key::End,
        "word-left" => Key::WordLeft,
        "word-right" => Key::WordRight,
        "page-up" => Key::PageUp,
        "page-down" => Key::PageDown,
        "backspace" => Key::Backspace,
        "delete" => Key::Delete,
        "space" => Key::Char(' '),
        "esc" => Key::Escape,
        "eof" => Key::EndOfInput,
        other => match other.strip_prefix("ctrl-").and_then(|letter| letter.chars().next()) {
            Some(letter) => Key::Ctrl(letter),
            None => panic!("no key is called {other:?}"),
        },
    }
}
