//! Server text as it is shown: whatever it was, nothing of it may act on a terminal or change the direction of reading.

use askback_core::display::{neutralise, neutralise_line, shorten};

/// Fails when text that is made safe is not.
#[track_caller]
pub(crate) fn check(text: &str) {
    let (lines, line, short) = (neutralise(text), neutralise_line(text), shorten(text, 40));
    assert!(lines.chars().all(|c| c == '\n' || is_harmless(c)), "{text:?} is shown as {lines:?}");
    assert!(line.chars().all(is_harmless), "{text:?} is shown as {line:?}");
    assert!(short.chars().count() <= 40, "{text:?} is shortened to {short:?}");
}

fn is_harmless(c: char) -> bool {
    let moves = matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let hides = matches!(c, '\u{200B}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{FEFF}' | '\u{E0001}'..='\u{E007F}');
    !c.is_control() && !moves && !hides
}
