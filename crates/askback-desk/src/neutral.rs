//! Stands in for `askback_core::display` until that is written.

use std::borrow::Cow;

fn safe(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let upsets = |c: char| {
        (c.is_control() && !(keep_lines && c == '\n'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
    };
    if !text.contains(upsets) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| match c {
                '\n' if !keep_lines => "␊".to_owned(),
                '\t' => "    ".to_owned(),
                c if upsets(c) => match c as u32 {
                    code @ 0..32 => char::from_u32(0x2400 + code).unwrap_or('�').to_string(),
                    code => format!("‹U+{code:04X}›"),
                },
                c => c.to_string(),
            })
            .collect(),
    )
}

/// Text of several lines, made safe to show.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    safe(text, true)
}

/// Text for one line, made safe to show.
pub fn neutralise_line(text: &str) -> Cow<'_, str> {
    safe(text, false)
}
