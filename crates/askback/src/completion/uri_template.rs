//! URIs that are made from a template (RFC 6570), while they are being typed.
//!
//! Knows the two plain expressions, `{name}` and `{+name}`; a template with any other is not completed. Must not know servers.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};

/// What is encoded in the value of `{name}`: all but the unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// What is encoded in the value of `{+name}`: neither are the reserved ones.
const NOT_IN_URIS: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'#')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Where in a template the typed text ends.
#[derive(Debug, PartialEq)]
pub(crate) enum Fit {
    /// In text of the template: the URI up to the next variable.
    Beginning(String),
    /// In a variable.
    Variable(Variable),
}

/// A variable that is being typed.
#[derive(Debug, PartialEq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// What was typed of its value.
    pub(crate) value: String,
    /// The values of the variables before it.
    pub(crate) given: Map<String, Value>,
    before: String,
    after: String,
    is_reserved: bool,
    has_more: bool,
}

impl Variable {
    /// The URI with this value, up to the next variable.
    pub(crate) fn filled(&self, value: &str) -> String {
        let set = if self.is_reserved { NOT_IN_URIS } else { RESERVED };
        format!("{}{}{}", self.before, utf8_percent_encode(value, set), self.after)
    }

    /// Whether there is another variable after it.
    pub(crate) fn has_more(&self) -> bool {
        self.has_more
    }
}

/// Where in the template the typed text ends; nothing if it does not begin as the template does, or goes on after it.
pub(crate) fn fit(template: &str, typed: &str) -> Option<Fit> {
    let parts = parts(template)?;
    let mut before = String::new();
    let mut rest = typed;
    let mut given = Map::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => {
                if let Some(after) = rest.strip_prefix(text) {
                    before.push_str(text);
                    rest = after;
                } else {
                    return text.starts_with(rest).then(|| Fit::Beginning(before + text));
                }
            }
            Part::Variable { name, is_reserved } => {
                let after = match parts.get(at + 1) {
                    Some(Part::Text(text)) => *text,
                    Some(Part::Variable { .. }) | None => "",
                };
                let decoded = |value: &str| percent_decode_str(value).decode_utf8_lossy().into_owned();
                if let Some(end) = rest.find(after).filter(|_| !after.is_empty()) {
                    given.insert((*name).to_owned(), decoded(&rest[..end]).into());
                    before.push_str(&rest[..end]);
                    rest = &rest[end..];
                    continue;
                }
                if rest.contains('/') && !is_reserved {
                    // Only the text after the variable can have brought it, and that text is begun.
                    let begun = (1..after.len()).filter_map(|end| after.get(..end));
                    let value = begun.filter_map(|begun| rest.strip_suffix(begun)).find(|value| !value.contains('/'));
                    return value.map(|value| Fit::Beginning(before + value + after));
                }
                return Some(Fit::Variable(Variable {
                    name: (*name).to_owned(),
                    value: decoded(rest),
                    given,
                    before,
                    after: after.to_owned(),
                    is_reserved: *is_reserved,
                    has_more: parts[at + 1..].iter().any(|part| matches!(part, Part::Variable { .. })),
                }));
            }
        }
    }
    None
}

enum Part<'a> {
    Text(&'a str),
    Variable { name: &'a str, is_reserved: bool },
}

fn parts(template: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((text, more)) = rest.split_once('{') {
        let (expression, after) = more.split_once('}')?;
        let (name, is_reserved) = match expression.strip_prefix('+') {
            Some(name) => (name, true),
            None => (expression, false),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        parts.push(Part::Variable { name, is_reserved });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the typed text ends: the URI so far, or the variable, what was typed of it, and the URI with the value `a b/c`.
    fn check(template: &str, typed: &str) -> String {
        match fit(template, typed) {
            None => "nowhere".to_owned(),
            Some(Fit::Beginning(uri)) => uri,
            Some(Fit::Variable(variable)) => {
                format!(
                    "{}={} {} {}",
                    variable.name,
                    variable.value,
                    variable.filled("a b/c"),
                    Value::Object(variable.given)
                )
            }
        }
    }

    #[test]
    fn the_text_of_the_template_is_offered_up_to_the_variable() {
        assert_eq!(check("trip://{city}/plan", ""), "trip://");
        assert_eq!(check("trip://{city}/plan", "tr"), "trip://");
        assert_eq!(check("trip://{city}/plan", "other"), "nowhere");
    }

    #[test]
    fn a_variable_is_filled() {
        assert_eq!(check("trip://{city}/plan", "trip://New%20Y"), "city=New Y trip://a%20b%2Fc/plan {}");
        assert_eq!(check("file:///{+path}", "file:///a/b"), "path=a/b file:///a%20b/c {}");
        assert_eq!(check("trip://{city}", "trip://a/b"), "nowhere");
    }

    #[test]
    fn variables_before_it_are_known() {
        assert_eq!(check("t://{a}/{b}", "t://x/y"), r#"b=y t://x/a%20b%2Fc {"a":"x"}"#);
        assert_eq!(check("t://{a}/{b}/end", "t://x/y/"), "t://x/y/end");
        assert_eq!(check("t://{a}/{b}/end", "t://x/y/endless"), "nowhere");
    }

    #[test]
    fn other_expressions_are_left_alone() {
        for template in ["t://{?q}", "t://{a,b}", "t://{a*}", "t://{a:3}", "t://{", "t://{}"] {
            assert_eq!(check(template, "t://"), "nowhere", "{template}");
        }
    }
}
