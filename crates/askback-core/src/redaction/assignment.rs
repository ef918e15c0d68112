//! Values that the name beside them gives away: `password=…`, `"apiKey": "…"`, and fields of JSON.
//!
//! Owns the names and what of a value is taken for a secret. Words of prose after a colon are not, and neither are references to a secret
//! (`$TOKEN`, `<your key>`, `getPassword()`).

use std::sync::LazyLock;

use regex::Regex;

use super::SecretKind;
use super::spans::Span;
use crate::form;

const NAMES: &str = concat!(
    r"(?i)(?:password|passwd|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key",
    r"|signing[_-]?key|encryption[_-]?key|credentials?|密码|口令|密钥|令牌)(?:[_-]key)?(?:[_-]base)?",
    r#"\\?["'`]?\s{0,4}(?::=|=>|[:=：])\s{0,4}"#
);
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(NAMES).expect("the pattern is right"));

/// The shortest value that is taken for a secret, quoted and not, in bytes.
const QUOTED: usize = 4;
const BARE: usize = 6;
/// The longest value that is looked at, in bytes: what is longer is no value but a text.
const LONGEST: usize = 4 * 1024;
/// What documentation and code put where a secret would stand.
const NO_SECRETS: [&str; 14] = [
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "required",
    "optional",
    "string",
    "process.env",
    "os.environ",
    "changeme",
    "redacted",
    "example",
];

/// Adds the values of names that say they are secret.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut from = 0;
    while let Some(name) = NAME.find_at(text, from) {
        // A value may be the name of the next: the search goes on where the value begins.
        from = name.end();
        let is_tight = name.as_str().ends_with('=');
        let is_password = name.as_str().to_ascii_lowercase().starts_with("pass") || !name.as_str().is_ascii();
        if let Some((start, end)) = value_at(text, name.end(), is_tight, is_password) {
            spans.push(Span { start, end, kind: SecretKind::Named });
        }
    }
}

/// Adds the whole text, if the name of the field that holds it says that it is secret.
pub(super) fn find_field(field: &str, text: &str, spans: &mut Vec<Span>) {
    if (QUOTED..=LONGEST).contains(&text.len()) && form::names_secret(field) && may_be_secret(text) {
        spans.push(Span { start: 0, end: text.len(), kind: SecretKind::Named });
    }
}

/// Where the value at `at` begins and ends, if it may be a secret.
fn value_at(text: &str, at: usize, is_tight: bool, is_password: bool) -> Option<(usize, usize)> {
    let rest = &text[at..text.floor_char_boundary((at + LONGEST).min(text.len()))];
    let escape = usize::from(rest.starts_with('\\'));
    if let Some(quote) = rest[escape..].chars().next().filter(|char| matches!(char, '"' | '\'' | '`')) {
        let start = escape + 1;
        let closing = rest[start..].find([quote, '\n']);
        if let Some(length) = closing.filter(|length| rest[start + length..].starts_with(quote)) {
            let value = rest[start..start + length].trim_end_matches('\\');
            let is_secret = value.len() >= QUOTED && may_be_secret(value);
            return is_secret.then_some((at + start, at + start + value.len()));
        }
    }
    let ends = |char: char| {
        !char.is_ascii_graphic()
            || matches!(char, '"' | '\'' | '`' | ',' | ';' | '&' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '|')
    };
    let length = rest.find(ends).unwrap_or(rest.len());
    let value = rest[..length].trim_end_matches(['.', ':', '!', '?', '\\']);
    let is_call = rest[length..].starts_with(['(', '[']);
    let is_word = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'));
    let is_secret = value.len() >= BARE
        && !is_call
        && (!is_word || is_tight)
        && (!is_number || is_password)
        && may_be_secret(value);
    is_secret.then_some((at, at + value.len()))
}

fn may_be_secret(value: &str) -> bool {
    let stands_for_one =
        value.starts_with(['$', '<', '{', '[', '%', '*']) || value.contains("[[") || value.contains("${");
    let lower = value.to_ascii_lowercase();
    let is_no_secret = NO_SECRETS.iter().any(|word| lower == *word || (word.contains('.') && lower.starts_with(word)));
    let first = value.chars().next();
    let is_filler = value.chars().all(|char| Some(char) == first);
    !stands_for_one
        && !is_no_secret
        && !is_filler
        && value.bytes().any(|byte| byte.is_ascii_alphanumeric() || byte >= 128)
}
