//! Server text made safe to show.
//!
//! Owns the functions that neutralise text from servers for display. What goes out on the wire or to `--json` is never changed. Must not
//! know terminals, browsers or how wide a character is drawn.

/// Combining marks that may stand on one base; more of them climb over neighbouring lines.
const MAX_MARKS: usize = 4;
/// What stands for the marks beyond that.
const MARKS_DROPPED: char = '…';
/// What a tab is shown as.
const TAB: &str = "    ";

/// Text of several lines, with everything that could act on a terminal or mislead a reader shown visibly instead.
///
/// Line breaks stay (as `\n`), tabs become spaces. Control characters are shown as their pictures (`␛`), bidirectional controls,
/// invisible and undefined characters as their code points (`‹U+202E›`). Joiners stay where they do their work: within emoji and
/// within Persian or Indic words.
pub fn neutralise(text: &str) -> String {
    write_safely(text, false)
}

/// Like [`neutralise`], on one line: line breaks are shown as `⏎`.
pub fn neutralise_line(text: &str) -> String {
    write_safely(text, true)
}

/// Text of at most `most` characters; a visible `…` stands for what was cut. Cuts before combining marks and joiners, never between
/// them and their base.
pub fn shorten(text: &str, most: usize) -> String {
    let Some((_, next)) = text.char_indices().nth(most) else { return text.to_owned() };
    if most == 0 {
        return String::new();
    }
    let mut kept: Vec<char> = text.chars().take(most - 1).collect();
    let mut following = text.chars().nth(most - 1).unwrap_or(next);
    while joins(following) || kept.last().is_some_and(|last| *last == ZWJ) {
        match kept.pop() {
            Some(last) => following = last,
            None => break,
        }
    }
    kept.into_iter().chain(['…']).collect()
}

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';

fn write_safely(text: &str, one_line: bool) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut marks = 0;
    let mut before: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let after = chars.peek().copied();
        if is_mark(char) {
            marks += 1;
            match marks {
                _ if before.is_none() || before == Some('\n') => show_code(&mut safe, char),
                1..=MAX_MARKS => safe.push(char),
                more if more == MAX_MARKS + 1 => safe.push(MARKS_DROPPED),
                _ => {}
            }
            continue;
        }
        let joins = match char {
            ZWJ | ZWNJ => joiner_works(char, before, after),
            '\u{FE00}'..='\u{FE0F}' => marks == 0 && before.is_some_and(takes_variation),
            '\u{E0100}'..='\u{E01EF}' => marks == 0 && before.is_some_and(is_ideograph),
            _ => false,
        };
        match char {
            _ if joins => {
                safe.push(char);
                // The base goes on, and with it the count of what has been put on it.
                marks += 1;
                if char == ZWJ {
                    before = Some(char);
                    marks = 0;
                }
                continue;
            }
            '\r' if after == Some('\n') => continue,
            '\n' | '\r' if one_line => safe.push('⏎'),
            '\n' => safe.push('\n'),
            // A lone carriage return would go back over what has been written.
            '\u{0}'..='\u{1F}' if char != '\t' => safe.push(picture(char)),
            '\t' => safe.push_str(TAB),
            '\u{7F}' => safe.push('␡'),
            _ if is_hidden(char) => show_code(&mut safe, char),
            _ => safe.push(char),
        }
        marks = 0;
        before = Some(char);
    }
    safe
}

fn show_code(safe: &mut String, char: char) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(safe, "‹U+{:04X}›", u32::from(char));
}

/// The control picture of a C0 character.
fn picture(control: char) -> char {
    char::from_u32(0x2400 + u32::from(control)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Characters that are not seen, or that move what is seen.
pub(crate) fn is_hidden(char: char) -> bool {
    matches!(u32::from(char),
        0x80..=0x9F // C1 controls, CSI and OSC among them
        | 0xAD // soft hyphen
        | 0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F // fillers and the Arabic letter mark
        | 0x200B..=0x200F // zero width, marks of direction
        | 0x2028..=0x202E // separators, embeddings and overrides
        | 0x2060..=0x206F // joiners, isolates, invisible operators
        | 0x3164 | 0xFFA0 // Hangul fillers
        | 0xFE00..=0xFE0F // variation selectors that vary nothing
        | 0xFEFF | 0xFFF0..=0xFFFB // byte order mark, annotations
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A // shorthand and musical controls
        | 0xE000..=0xF8FF | 0xF0000..=0x10FFFF // private use: everyone sees something else, or nothing
        | 0xE0000..=0xE0FFF // tags, and the rest of the plane
    ) || u32::from(char) & 0xFFFE == 0xFFFE // no characters
        || (0xFDD0..=0xFDEF).contains(&u32::from(char))
}

/// Marks that are drawn on the character before them, in the scripts where they are piled up for show. Marks of scripts whose words need
/// them side by side (Indic vowels, say) are letters here.
fn is_mark(char: char) -> bool {
    matches!(u32::from(char),
        0x0300..=0x034E | 0x0350..=0x036F | 0x0483..=0x0489 | 0x0591..=0x05BD | 0x0610..=0x061A | 0x064B..=0x065F | 0x06D6..=0x06DC
        | 0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20F0 | 0xFE20..=0xFE2F)
}

/// What belongs to the character before it.
fn joins(char: char) -> bool {
    is_mark(char)
        || matches!(char, ZWJ | ZWNJ | '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether a joiner changes how its neighbours are drawn; elsewhere it only hides.
fn joiner_works(joiner: char, before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    if is_cursive(before) && is_cursive(after) {
        return true;
    }
    joiner == ZWJ && is_pictograph(before) && is_pictograph(after)
}

/// Scripts in which joiners are spelling: Arabic (Persian, Urdu), Syriac, Mongolian and the Indic scripts.
fn is_cursive(char: char) -> bool {
    matches!(u32::from(char), 0x0600..=0x0605 | 0x0608..=0x061B | 0x061D..=0x07BF | 0x0840..=0x0DFF | 0x0F00..=0x109F | 0x1780..=0x17B3
        | 0x17B6..=0x180A | 0x1810..=0x18AF | 0xFB50..=0xFDCF | 0xFDF0..=0xFDFF | 0xFE70..=0xFEFC)
}

fn is_pictograph(char: char) -> bool {
    matches!(u32::from(char), 0x00A9 | 0x00AE | 0x203C..=0x2049 | 0x2100..=0x214F | 0x2190..=0x21FF | 0x2300..=0x27BF | 0x2900..=0x297F
        | 0x2B00..=0x2BFF | 0x3030 | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF)
}

/// Characters that have a text and a picture form, digits of key caps and ideographs among them.
fn takes_variation(char: char) -> bool {
    is_pictograph(char) || is_ideograph(char) || matches!(char, '0'..='9' | '#' | '*')
}

fn is_ideograph(char: char) -> bool {
    matches!(u32::from(char), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFD)
}

#[cfg(test)]
mod tests {
    use super::{neutralise, neutralise_line, shorten};

    #[track_caller]
    fn check(cases: &[(&str, &str)]) {
        for (text, shown) in cases {
            assert_eq!(neutralise(text), *shown, "{text:?}");
            assert_eq!(neutralise(shown), *shown, "what is shown stays as it is");
        }
    }

    #[test]
    fn e42_terminal_sequences_are_shown() {
        check(&[
            (
                "Approve?\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{1b}[1;1H[trusted-server] OK",
                "Approve?␛]52;c;ZXZpbA==␇␛[2J␛[1;1H[trusted-server] OK",
            ),
            ("x\u{1b}[31m", "x␛[31m"),
            ("a\u{9b}31m\u{9d}0;t\u{9c}", "a‹U+009B›31m‹U+009D›0;t‹U+009C›"),
            ("nul\u{0}del\u{7f}bs\u{8}", "nul␀del␡bs␈"),
            ("form\u{c}feed\u{b}", "form␌feed␋"),
        ]);
    }

    #[test]
    fn e42_lines_and_tabs() {
        check(&[("a\r\nb\nc", "a\nb\nc"), ("over\rwritten", "over␍written"), ("a\tb", "a    b"), ("end\r\n", "end\n")]);
        assert_eq!(neutralise_line("a\r\nb\nc\rd\te"), "a⏎b⏎c⏎d    e");
        assert_eq!(neutralise_line("x\u{85}y\u{2028}z\u{2029}"), "x‹U+0085›y‹U+2028›z‹U+2029›");
    }

    #[test]
    fn e42_direction_and_invisible_characters() {
        check(&[
            ("a\u{202e}cod.exe", "a‹U+202E›cod.exe"),
            ("\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}", "‹U+2066›x‹U+2069›‹U+200E›‹U+200F›‹U+061C›"),
            ("pass\u{200b}word\u{2060}\u{feff}", "pass‹U+200B›word‹U+2060›‹U+FEFF›"),
            ("so\u{ad}ft", "so‹U+00AD›ft"),
            ("\u{e0041}\u{e007f}", "‹U+E0041›‹U+E007F›"),
            ("\u{e000}\u{10ffff}\u{fdd0}", "‹U+E000›‹U+10FFFF›‹U+FDD0›"),
            ("\u{3164}\u{115f}", "‹U+3164›‹U+115F›"),
            ("a\u{fe0f}", "a‹U+FE0F›"),
            ("A\u{200d}B\u{200c}C", "A‹U+200D›B‹U+200C›C"),
        ]);
    }

    #[test]
    fn e42_honest_text_survives() {
        for text in [
            "Plain text, naïve café, 名前, 한국어, עברית, العربية",
            "می\u{200c}خواهم",
            "👩\u{200d}👩\u{200d}👧 👍🏽 ❤\u{fe0f} 🏴 1\u{fe0f}\u{20e3} 🇪🇸",
            "❤\u{fe0f}\u{200d}🔥",
            "क्\u{200d}ष श्री",
            "e\u{301} o\u{302}\u{301}",
            "葛\u{e0100}",
            "กำลังทดสอบ ที่",
            "",
        ] {
            assert_eq!(neutralise(text), text, "{text:?}");
        }
    }

    #[test]
    fn e42_piled_marks_are_bounded() {
        let piled = format!("z{}a", "\u{335}".repeat(50));
        assert_eq!(neutralise(&piled), "z\u{335}\u{335}\u{335}\u{335}…a");
        assert_eq!(neutralise("\u{301}x"), "‹U+0301›x", "a mark with nothing to stand on");
        assert_eq!(neutralise("❤\u{fe0f}\u{fe0f}\u{fe0f}"), "❤\u{fe0f}‹U+FE0F›‹U+FE0F›");
    }

    #[test]
    fn e32_cut_text_shows_that_it_was_cut() {
        assert_eq!(shorten("short", 5), "short");
        assert_eq!(shorten("longer", 5), "long…");
        assert_eq!(shorten("名前です", 3), "名前…");
        assert_eq!(shorten("abe\u{301}x", 4), "ab…", "a letter is not parted from its accent");
        assert_eq!(shorten("a👩\u{200d}👧b", 4), "a…");
        assert_eq!(shorten("abc", 1), "…");
        assert_eq!(shorten("abc", 0), "");
        assert_eq!(shorten("", 0), "");
    }
}
