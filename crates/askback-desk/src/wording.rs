//! The words for what the core hands out as data: errors, limits, notes, reasons.
//!
//! Owns the choice of message; the messages are in the Fluent resource. Text from servers is neutralised here, so that what comes out can be
//! shown as it is.

pub mod lending;

use std::borrow::Cow;

use askback_core::answer::By;
use askback_core::ask::{AskProblem, AuthorNote};
use askback_core::display::neutralise_line;
use askback_core::form::{
    Bounds, EntryError, Field, FieldKind, FieldNote, JsonReason, ScalarType, SecretSign, TextFormat, Unanswerable,
};
use askback_core::url_safety::{AddressWarning, LONGEST, Network, NotOpenable};

use crate::desk::AnswerRejected;
use crate::texts::{Texts, Variable};
use crate::view::{CallKind, CallView, Closed};

/// Text of a server, or what may contain some, as a variable.
fn safe(text: &str) -> Variable<'_> {
    Variable::Text(Cow::Owned(neutralise_line(text)))
}

/// What is wrong with an entry.
pub fn entry_error(texts: &Texts, error: &EntryError) -> String {
    match error {
        EntryError::Required => texts.get("entry-required"),
        EntryError::TooShort { least, actual } => {
            texts.format("entry-too-short", &[("least", (*least).into()), ("actual", (*actual).into())])
        }
        EntryError::TooLong { most, actual } => {
            texts.format("entry-too-long", &[("most", (*most).into()), ("actual", (*actual).into())])
        }
        EntryError::PatternMismatch { pattern } => texts.format("entry-pattern", &[("pattern", safe(pattern))]),
        EntryError::NotEmail => texts.get("entry-not-email"),
        EntryError::NotUri => texts.get("entry-not-uri"),
        EntryError::NotDate => texts.get("entry-not-date"),
        EntryError::NotDateTime => texts.get("entry-not-date-time"),
        EntryError::OffsetMissing => texts.get("entry-offset-missing"),
        EntryError::NotNumber => texts.get("entry-not-number"),
        EntryError::NotInteger => texts.get("entry-not-integer"),
        EntryError::NotRepresentable => texts.get("entry-not-representable"),
        EntryError::TooSmall { bound, inclusive } => {
            let id = if *inclusive { "entry-too-small" } else { "entry-not-above" };
            texts.format(id, &[("bound", safe(bound))])
        }
        EntryError::TooLarge { bound, inclusive } => {
            let id = if *inclusive { "entry-too-large" } else { "entry-not-below" };
            texts.format(id, &[("bound", safe(bound))])
        }
        EntryError::NotMultiple { of } => texts.format("entry-not-multiple", &[("of", safe(of))]),
        EntryError::TooFew { least, actual } => {
            texts.format("entry-too-few", &[("least", (*least).into()), ("actual", (*actual).into())])
        }
        EntryError::TooMany { most, actual } => {
            texts.format("entry-too-many", &[("most", (*most).into()), ("actual", (*actual).into())])
        }
        EntryError::Item { number, error } => {
            texts.format("entry-item", &[("number", (*number).into()), ("error", entry_error(texts, error).into())])
        }
        EntryError::NotJson { detail } => texts.format("entry-not-json", &[("detail", safe(detail))]),
        EntryError::WrongKind => texts.get("entry-wrong-kind"),
        EntryError::Schema { detail } => texts.format("entry-schema", &[("detail", safe(detail))]),
    }
}

/// What may be entered into a field, short enough for a label: `2–40 characters`, `0 to 3`, `e-mail address`.
pub fn limits(texts: &Texts, field: &Field) -> Option<String> {
    let parts = limits_of(texts, &field.kind);
    (!parts.is_empty()).then(|| parts.join(&texts.get("limits-separator")))
}

fn limits_of(texts: &Texts, kind: &FieldKind) -> Vec<String> {
    let mut parts = Vec::new();
    match kind {
        FieldKind::Scalar { types } => {
            let names: Vec<String> = types
                .iter()
                .map(|one| match one {
                    ScalarType::Text => texts.get("limits-text"),
                    ScalarType::Integer => texts.get("limits-integer"),
                    ScalarType::Number => texts.get("limits-number"),
                    ScalarType::Boolean => texts.get("limits-true-false"),
                })
                .collect();
            parts.push(names.join(&texts.get("limits-or")));
        }
        FieldKind::List { item, min_items, max_items } => {
            parts.push(texts.get("limits-lines"));
            parts.extend(limits_of(texts, item));
            parts.extend(count(texts, "limits-items", min_items.filter(|least| *least > 0), *max_items));
        }
        FieldKind::Text { min_length, max_length, pattern, format } => {
            if let Some(format) = format {
                parts.push(texts.get(match format {
                    TextFormat::Email => "limits-email",
                    TextFormat::Uri => "limits-uri",
                    TextFormat::Date => "limits-date",
                    TextFormat::DateTime => "limits-date-time",
                }));
            }
            parts.extend(count(texts, "limits-characters", min_length.filter(|least| *least > 0), *max_length));
            // Beside a format, a pattern says the same again, and was written by a program.
            if let (Some(pattern), None) = (pattern, format) {
                parts.push(texts.format("limits-pattern", &[("pattern", safe(&beginning(pattern)))]));
            }
        }
        FieldKind::Number { integer, bounds } => {
            parts.push(texts.get(if *integer { "limits-integer" } else { "limits-number" }));
            parts.extend(range(texts, bounds));
            if let Some(of) = &bounds.multiple_of {
                parts.push(texts.format("limits-multiple", &[("of", of.to_string().into())]));
            }
        }
        FieldKind::Boolean => parts.push(texts.get("limits-boolean")),
        FieldKind::Choice { .. } => parts.push(texts.get("limits-choice")),
        FieldKind::Choices { choices, min_items, max_items } => {
            let most = max_items.filter(|most| *most < choices.len() as u64);
            let counted = count(texts, "limits-choices", min_items.filter(|least| *least > 0), most);
            parts.push(counted.unwrap_or_else(|| texts.get("limits-choices")));
        }
        FieldKind::Json { .. } => parts.push(texts.get("limits-json")),
    }
    parts
}

/// The beginning of a pattern that is too long for a label.
fn beginning(pattern: &str) -> Cow<'_, str> {
    const MOST: usize = 40;
    match pattern.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &pattern[..at]).into(),
        None => pattern.into(),
    }
}

/// How many of something, from `…-exactly`, `…-between`, `…-at-least` and `…-at-most`.
fn count(texts: &Texts, of: &str, least: Option<u64>, most: Option<u64>) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) if least == most => {
            Some(texts.format(&format!("{of}-exactly"), &[("count", least.into())]))
        }
        (Some(least), Some(most)) => {
            Some(texts.format(&format!("{of}-between"), &[("least", least.into()), ("most", most.into())]))
        }
        (Some(least), None) => Some(texts.format(&format!("{of}-at-least"), &[("count", least.into())])),
        (None, Some(most)) => Some(texts.format(&format!("{of}-at-most"), &[("count", most.into())])),
        (None, None) => None,
    }
}

fn range(texts: &Texts, bounds: &Bounds) -> Vec<String> {
    if let (Some(least), Some(most), None, None) =
        (&bounds.minimum, &bounds.maximum, &bounds.exclusive_minimum, &bounds.exclusive_maximum)
    {
        return vec![
            texts.format("limits-range", &[("least", least.to_string().into()), ("most", most.to_string().into())]),
        ];
    }
    let one_sided = [
        ("limits-least", &bounds.minimum),
        ("limits-above", &bounds.exclusive_minimum),
        ("limits-most", &bounds.maximum),
        ("limits-below", &bounds.exclusive_maximum),
    ];
    one_sided
        .into_iter()
        .filter_map(|(id, bound)| bound.as_ref().map(|bound| texts.format(id, &[("bound", bound.to_string().into())])))
        .collect()
}

/// What a person should know about how a field was read.
pub fn note(texts: &Texts, note: &FieldNote) -> String {
    match note {
        FieldNote::DefaultIgnored { default } => texts.format("note-default-ignored", &[("default", safe(default))]),
        FieldNote::NamesDoNotFit => texts.get("note-names-do-not-fit"),
        FieldNote::UnknownFormat { format } => texts.format("note-unknown-format", &[("format", safe(format))]),
        FieldNote::PatternUnusable { pattern } => texts.format("note-pattern-unusable", &[("pattern", safe(pattern))]),
        FieldNote::Fixed => texts.get("note-fixed"),
    }
}

/// Why a field has to be entered as JSON.
pub fn json_reason(texts: &Texts, why: JsonReason) -> String {
    texts.get(match why {
        JsonReason::Object => "json-object",
        JsonReason::List => "json-list",
        JsonReason::Alternatives => "json-alternatives",
        JsonReason::Anything => "json-anything",
    })
}

/// Why no answer can satisfy a form.
pub fn unanswerable(texts: &Texts, why: &Unanswerable) -> String {
    match why {
        Unanswerable::RequiredButNotAllowed { key } => texts.format("unanswerable-not-allowed", &[("key", safe(key))]),
        Unanswerable::NoValue { key } => texts.format("unanswerable-no-value", &[("key", safe(key))]),
    }
}

/// The warning at a field that seems to ask for a secret.
pub fn secret_warning(texts: &Texts, sign: &SecretSign, server: &str) -> String {
    texts.format("secret-field", &[("found", safe(&sign.found)), ("server", safe(server))])
}

/// The warning at a form of which a field seems to ask for a secret.
pub fn secret_form(texts: &Texts, server: &str) -> String {
    texts.format("secret-form", &[("server", safe(server))])
}

/// Why an address is never opened.
pub fn not_openable(texts: &Texts, why: &NotOpenable) -> String {
    match why {
        NotOpenable::TooLong { bytes } => {
            texts.format("address-too-long", &[("bytes", (*bytes as u64).into()), ("most", (LONGEST as u64).into())])
        }
        NotOpenable::ControlCharacters => texts.get("address-control-characters"),
        NotOpenable::Blanks => texts.get("address-blanks"),
        NotOpenable::NotAbsolute => texts.get("address-not-absolute"),
        NotOpenable::OtherScheme { scheme } => texts.format("address-other-scheme", &[("scheme", safe(scheme))]),
        NotOpenable::BadHost => texts.get("address-bad-host"),
        NotOpenable::Malformed => texts.get("address-malformed"),
    }
}

/// What is odd about an address.
pub fn address_warning(texts: &Texts, warning: &AddressWarning) -> String {
    match warning {
        AddressWarning::UserInfo => texts.get("address-user-info"),
        AddressWarning::MixedScripts => texts.get("address-mixed-scripts"),
        AddressWarning::LooksLike { plain } => texts.format("address-looks-like", &[("plain", safe(plain))]),
        AddressWarning::DomainInSubdomain { domain } => {
            texts.format("address-domain-in-subdomain", &[("domain", safe(domain))])
        }
        AddressWarning::AddressInPath => texts.get("address-in-path"),
        AddressWarning::DisguisedHost { host } => texts.format("address-disguised", &[("host", safe(host))]),
        AddressWarning::Punycode { ascii } => texts.format("address-punycode", &[("ascii", safe(ascii))]),
        AddressWarning::HiddenCharacters => texts.get("address-hidden-characters"),
        AddressWarning::Backslashes => texts.get("address-backslashes"),
        AddressWarning::IpAddress => texts.get("address-ip"),
        AddressWarning::Inside(network) => texts.get(match network {
            Network::ThisComputer => "address-this-computer",
            Network::Private => "address-private",
            Network::LinkLocal => "address-link-local",
            Network::CloudMetadata => "address-metadata",
        }),
        AddressWarning::PlainHttp => texts.get("address-plain-http"),
        AddressWarning::Port(port) => texts.format("address-port", &[("port", port.to_string().into())]),
        AddressWarning::Long { bytes } => texts.format("address-long", &[("bytes", (*bytes as u64).into())]),
    }
}

/// A note for the author of the server.
pub fn author_note(texts: &Texts, note: &AuthorNote) -> String {
    match note {
        AuthorNote::OldDialect { found, instead } => {
            texts.format("author-old-dialect", &[("found", safe(found)), ("instead", safe(instead))])
        }
        AuthorNote::Deprecated { feature } => texts.format("author-deprecated", &[("feature", safe(feature))]),
    }
}

/// Why an ask cannot be put to anyone.
pub fn ask_problem(texts: &Texts, problem: &AskProblem) -> String {
    match problem {
        AskProblem::UnknownMethod { method } => texts.format("problem-unknown-method", &[("method", safe(method))]),
        AskProblem::Undeclared { capability } => {
            texts.format("problem-undeclared", &[("capability", safe(capability))])
        }
        AskProblem::Invalid { path, what } => {
            texts.format("problem-invalid", &[("path", safe(path)), ("what", safe(what))])
        }
    }
}

/// What was called, e.g. `the tool book_vacation`.
pub fn call(texts: &Texts, call: &CallView) -> String {
    let id = match call.kind {
        CallKind::Tool => "call-tool",
        CallKind::Prompt => "call-prompt",
        CallKind::Resource => "call-resource",
    };
    texts.format(id, &[("subject", safe(&call.subject))])
}

/// Who or what answered.
pub fn by(texts: &Texts, by: By) -> String {
    texts.get(match by {
        By::Person => "by-person",
        By::Answers => "by-answers",
        By::Policy => "by-policy",
        By::Model => "by-model",
        By::Config => "by-config",
        By::Nobody => "by-nobody",
    })
}

/// Why a question is no longer open.
pub fn closed(texts: &Texts, why: &Closed, server: &str) -> String {
    let server = ("server", safe(server));
    match why {
        Closed::Answered => texts.format("closed-answered", &[server]),
        Closed::AnsweredElsewhere { by: who } => {
            texts.format("closed-elsewhere", &[server, ("by", by(texts, *who).into())])
        }
        Closed::PagesDone => texts.format("closed-pages-done", &[server]),
        Closed::Withdrawn => texts.format("closed-withdrawn", &[server]),
        Closed::TimedOut => texts.format("closed-timed-out", &[server]),
        Closed::Stopped => texts.format("closed-stopped", &[server]),
        Closed::Disconnected => texts.format("closed-disconnected", &[server]),
        Closed::CallEnded => texts.format("closed-call-ended", &[server]),
    }
}

/// What became of a call that waited for the person's word, if it was not this person who gave it.
pub fn wait_closed(texts: &Texts, why: &Closed, server: &str) -> String {
    let server = ("server", safe(server));
    match why {
        Closed::Answered | Closed::AnsweredElsewhere { .. } => texts.format("wait-closed-goes-on", &[server]),
        Closed::PagesDone => texts.format("closed-pages-done", &[server]),
        Closed::Stopped => texts.format("wait-closed-stopped", &[server]),
        Closed::Withdrawn | Closed::TimedOut | Closed::Disconnected | Closed::CallEnded => {
            texts.format("wait-closed-ended", &[server])
        }
    }
}

/// Why the desk did not take an answer.
pub fn rejected(texts: &Texts, why: &AnswerRejected) -> String {
    match why {
        AnswerRejected::AlreadyAnswered { by: who } => {
            texts.format("rejected-already-answered", &[("by", by(texts, *who).into())])
        }
        AnswerRejected::NoLongerWanted => texts.get("rejected-no-longer-wanted"),
        AnswerRejected::Invalid { .. } => texts.get("rejected-invalid"),
        AnswerRejected::WrongKind => texts.get("rejected-wrong-kind"),
        AnswerRejected::DeskClosed => texts.get("rejected-desk-closed"),
    }
}
