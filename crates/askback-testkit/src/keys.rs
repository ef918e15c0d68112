//! Keys from a readable script, as the bytes that a terminal sends for them.
//!
//! Words apart by spaces: `type:TEXT` (with `·` for a space), `paste:TEXT`, the names of keys, and `ctrl-X`. The words are those that the
//! tests of the prompts use.

/// The bytes for a script, one piece for each key.
///
/// # Errors
/// The word that is no key.
pub fn bytes(script: &str) -> Result<Vec<Vec<u8>>, String> {
    let mut pieces = Vec::new();
    for word in script.split_whitespace() {
        if let Some(text) = word.strip_prefix("type:") {
            pieces.extend(text.replace('·', " ").chars().map(|c| c.to_string().into_bytes()));
        } else if let Some(text) = word.strip_prefix("paste:") {
            let text = text.replace('·', " ").replace("\\e", "\u{1b}").replace("\\r", "\r").replace("\\n", "\n");
            pieces.push(format!("\u{1b}[200~{text}\u{1b}[201~").into_bytes());
        } else {
            pieces.push(key(word).ok_or_else(|| format!("no key is called {word:?}"))?);
        }
    }
    Ok(pieces)
}

fn key(word: &str) -> Option<Vec<u8>> {
    let sequence = match word {
        "enter" => "\r",
        "newline" => "\u{1b}\r",
        "tab" => "\t",
        "back" => "\u{1b}[Z",
        "left" => "\u{1b}[D",
        "right" => "\u{1b}[C",
        "up" => "\u{1b}[A",
        "down" => "\u{1b}[B",
        "home" => "\u{1b}[H",
        "end" => "\u{1b}[F",
        "word-left" => "\u{1b}[1;5D",
        "word-right" => "\u{1b}[1;5C",
        "page-up" => "\u{1b}[5~",
        "page-down" => "\u{1b}[6~",
        "backspace" => "\u{7f}",
        "delete" => "\u{1b}[3~",
        "space" => " ",
        "esc" => "\u{1b}",
        other => {
            let letter = other.strip_prefix("ctrl-").filter(|letter| letter.len() == 1)?.bytes().next()?;
            return letter.is_ascii_lowercase().then(|| vec![letter & 0x1f]);
        }
    };
    Some(sequence.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_what_a_terminal_sends() {
        let check = |script: &str, expected: &[u8]| assert_eq!(bytes(script).unwrap().concat(), expected, "{script}");
        check("type:a·键 enter", "a 键\r".as_bytes());
        check("ctrl-c esc up", b"\x03\x1b\x1b[A");
        check("paste:a\\nb", b"\x1b[200~a\nb\x1b[201~");
        assert!(bytes("entre").unwrap_err().contains("entre"));
    }
}
