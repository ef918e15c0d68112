//! The last check: content against the server's raw schema, by a JSON Schema library.
//!
//! Owns how the library is set up: bounded, offline, linear-time patterns, and only the protocol's four formats asserted. Must not know
//! how a form was drawn.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use jsonschema::{Draft, PatternOptions, ValidationError, ValidationOptions, Validator};
use serde_json::{Map, Value, json};

use super::format;
use super::{ContentError, EntryError};

/// The size to which one compiled pattern may grow, in bytes.
const PATTERN_SIZE: usize = 256 * 1024;
/// The longest pattern, in bytes, that is checked although its time is not linear; the longest text, in code points, that it is tried on; the
/// size to which each part of it may grow; and how often it may turn back.
const LABORIOUS_PATTERN: usize = 300;
const LABORIOUS_TEXT: usize = 500;
const LABORIOUS_SIZE: usize = 64 * 1024;
const LABORIOUS_STEPS: usize = 500;
/// How many parts that are no valid JSON Schema are taken out before the rest is given up.
const MAX_REPAIRS: usize = 4;
/// How many errors are collected for one content.
const MAX_ERRORS: usize = 200;
/// Details longer than this (a long list of allowed values, say) are cut.
const MAX_DETAIL: usize = 300;
/// Formats that the library knows and the protocol does not: they are notes for people, not checks.
const UNCHECKED_FORMATS: [&str; 16] = [
    "duration",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri-reference",
    "uri-template",
    "uuid",
    "color",
];

/// A schema made ready for checking content.
pub(super) struct Checker {
    validator: Option<Validator>,
    /// What of the schema is not checked, and why; English, for the server's author.
    pub(super) note: Option<String>,
}

/// How many schemas are kept compiled. A server asks the same few questions again and again, and compiling one costs more than everything else
/// that is done for an ask.
const KEPT: usize = 16;
/// How many bytes of text they may have together.
const KEPT_BYTES: usize = 128 * 1024;

thread_local! {
    /// The schemas used last, newest first. A memory of a pure function: it changes how long a check takes and nothing else.
    static COMPILED: RefCell<VecDeque<Compiled>> = const { RefCell::new(VecDeque::new()) };
}

struct Compiled {
    /// The schema as text, which is quicker to compare than values are.
    schema: String,
    checker: Rc<Checker>,
}

thread_local! {
    /// The patterns compiled last, newest first; a memory like the one of schemas.
    static MATCHERS: RefCell<VecDeque<(String, Rc<Matcher>)>> = const { RefCell::new(VecDeque::new()) };
}

/// The schema made ready, from memory where it was used a moment ago.
pub(super) fn checker(schema: &Value) -> Rc<Checker> {
    let text = schema.to_string();
    let found = COMPILED.with_borrow_mut(|compiled| {
        let place = compiled.iter().position(|known| known.schema == text)?;
        let entry = compiled.remove(place)?;
        let checker = Rc::clone(&entry.checker);
        compiled.push_front(entry);
        Some(checker)
    });
    if let Some(checker) = found {
        return checker;
    }
    let checker = Rc::new(Checker::new(schema));
    if text.len() <= KEPT_BYTES {
        let entry = Compiled { schema: text, checker: Rc::clone(&checker) };
        COMPILED.with_borrow_mut(|compiled| {
            compiled.push_front(entry);
            while compiled.len() > KEPT || compiled.iter().map(|kept| kept.schema.len()).sum::<usize>() > KEPT_BYTES {
                compiled.pop_back();
            }
        });
    }
    checker
}

impl Checker {
    /// Compiles the raw schema. What is no valid JSON Schema in it is left out, and noted.
    pub(super) fn new(schema: &Value) -> Checker {
        let mut notes = Vec::new();
        let draft = read_dialect(schema, &mut notes);
        // Nearly every schema compiles as it is; a copy is made of those in which something has to be changed.
        let mut copy = Cow::Borrowed(schema);
        if let Some(map) = schema.as_object()
            && map.contains_key("$schema")
        {
            // The dialect is known by now, and the library would look up the ones that it does not know.
            let mut map = map.clone();
            map.shift_remove("$schema");
            copy = Cow::Owned(Value::Object(map));
        }
        let mut patterns_removed = false;
        for _ in 0..=MAX_REPAIRS {
            match options(draft).build(&copy) {
                Ok(validator) => return Checker { validator: Some(validator), note: joined(&notes) },
                // The fields say which patterns these are. Telling them apart means compiling each, so it is done only when needed.
                Err(_) if !patterns_removed => {
                    remove_unusable_patterns(copy.to_mut(), &mut HashMap::new());
                    patterns_removed = true;
                }
                Err(error) => {
                    let detail = shortened(&error.masked().to_string());
                    let place = error.instance_path().to_string();
                    if !remove(copy.to_mut(), &place) {
                        notes.push(format!("the schema cannot be compiled ({detail}): only the fields are checked"));
                        return Checker { validator: None, note: joined(&notes) };
                    }
                    notes.push(format!("{place} is not valid JSON Schema and is not checked ({detail})"));
                }
            }
        }
        notes.push("more of the schema is not valid JSON Schema: only the fields are checked".into());
        Checker { validator: None, note: joined(&notes) }
    }

    /// Every place where the raw schema refuses the content.
    pub(super) fn errors(&self, content: &Map<String, Value>) -> Vec<ContentError> {
        let Some(validator) = &self.validator else { return Vec::new() };
        let instance = Value::Object(content.clone());
        validator.iter_errors(&instance).take(MAX_ERRORS).flat_map(|error| read_error(&error)).collect()
    }
}

fn options(draft: Draft) -> ValidationOptions<'static> {
    let mut options = jsonschema::options()
        .with_draft(draft)
        .offline()
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE))
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_format("email", format::is_email)
        .with_format("uri", format::is_uri)
        .with_format("date", format::is_date)
        .with_format("date-time", format::is_date_time);
    for name in UNCHECKED_FORMATS {
        options = options.with_format(name, |_: &str| true);
    }
    options
}

/// The dialect named by `$schema`, 2020-12 for want of a known one.
fn read_dialect(schema: &Value, notes: &mut Vec<String>) -> Draft {
    let Some(dialect) = schema.get("$schema") else { return Draft::Draft202012 };
    let name = dialect.as_str().unwrap_or_default();
    let name = name.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://");
    match name {
        "json-schema.org/draft/2020-12/schema" => Draft::Draft202012,
        "json-schema.org/draft/2019-09/schema" => Draft::Draft201909,
        "json-schema.org/draft-07/schema" => Draft::Draft7,
        "json-schema.org/draft-06/schema" => Draft::Draft6,
        "json-schema.org/draft-04/schema" => Draft::Draft4,
        _ => {
            notes.push(format!("the dialect {dialect} is not known; the schema is read as JSON Schema 2020-12"));
            Draft::Draft202012
        }
    }
}

/// How a pattern is checked.
enum Matcher {
    /// In linear time and bounded memory.
    Linear(Validator),
    /// With look-around or back-references, which cannot be had in linear time.
    Laborious(Validator),
    /// Not at all.
    Unusable,
}

impl Matcher {
    fn new(pattern: &str) -> Matcher {
        let compiled = |options: ValidationOptions<'static>| options.build(&json!({ "pattern": pattern })).ok();
        if let Some(validator) = compiled(options(Draft::Draft7)) {
            return Matcher::Linear(validator);
        }
        // Schema libraries check e-mail addresses with look-ahead, so such patterns are worth the trouble while they are short.
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(LABORIOUS_STEPS)
            .size_limit(LABORIOUS_SIZE)
            .dfa_size_limit(LABORIOUS_SIZE);
        let short = pattern.len() <= LABORIOUS_PATTERN;
        let found = if short { compiled(options(Draft::Draft7).with_pattern_options(patterns)) } else { None };
        found.map_or(Matcher::Unusable, Matcher::Laborious)
    }
}

/// The pattern made ready, from memory where it was used a moment ago.
fn matcher(pattern: &str) -> Rc<Matcher> {
    let known = MATCHERS.with_borrow(|matchers| {
        matchers.iter().find(|(known, _)| known == pattern).map(|(_, matcher)| Rc::clone(matcher))
    });
    known.unwrap_or_else(|| {
        let matcher = Rc::new(Matcher::new(pattern));
        MATCHERS.with_borrow_mut(|matchers| {
            matchers.truncate(KEPT - 1);
            matchers.push_front((pattern.to_owned(), Rc::clone(&matcher)));
        });
        matcher
    })
}

/// Whether a pattern can be checked.
pub(super) fn is_usable(pattern: &str) -> bool {
    !matches!(*matcher(pattern), Matcher::Unusable)
}

/// Whether a pattern can be checked in linear time and bounded memory. Only these are part of the check against the raw schema.
pub(super) fn is_linear(pattern: &str) -> bool {
    matches!(*matcher(pattern), Matcher::Linear(_))
}

/// Whether the text matches. A pattern that cannot be used matches everything, and so does one that would have to work on this text for too
/// long.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let value = || Value::String(text.to_owned());
    match &*matcher(pattern) {
        Matcher::Linear(validator) => validator.is_valid(&value()),
        Matcher::Laborious(validator) if text.chars().nth(LABORIOUS_TEXT).is_none() => {
            let value = value();
            validator.iter_errors(&value).all(|error| !matches!(error.kind(), ValidationErrorKind::Pattern { .. }))
        }
        Matcher::Laborious(_) | Matcher::Unusable => true,
    }
}

fn remove_unusable_patterns(value: &mut Value, known: &mut HashMap<String, bool>) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(pattern)) = map.get("pattern") {
                let usable = match known.get(pattern) {
                    Some(usable) => *usable,
                    None => {
                        let usable = is_linear(pattern);
                        known.insert(pattern.clone(), usable);
                        usable
                    }
                };
                if !usable {
                    map.shift_remove("pattern");
                }
            }
            for (key, child) in map.iter_mut() {
                // These hold data, not schemas.
                if !matches!(key.as_str(), "enum" | "const" | "default" | "examples") {
                    remove_unusable_patterns(child, known);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|child| remove_unusable_patterns(child, known)),
        _ => {}
    }
}

/// Takes out the value at a JSON pointer; says whether there was one.
fn remove(schema: &mut Value, pointer: &str) -> bool {
    let Some((parent, name)) = pointer.rsplit_once('/') else { return false };
    let name = name.replace("~1", "/").replace("~0", "~");
    match schema.pointer_mut(parent) {
        Some(Value::Object(map)) => map.shift_remove(&name).is_some(),
        Some(Value::Array(list)) => match name.parse::<usize>() {
            Ok(index) if index < list.len() => {
                list.remove(index);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn read_error(error: &ValidationError<'_>) -> Vec<ContentError> {
    let key = error.instance_path().segments().next().and_then(|segment| match segment {
        LocationSegment::Property(name) => Some(name.into_owned()),
        LocationSegment::Index(_) => None,
    });
    let top = key.is_none();
    let schema = |key: Option<String>, detail: String| ContentError { key, error: EntryError::Schema { detail } };
    match error.kind() {
        ValidationErrorKind::Required { property } if top => {
            vec![ContentError { key: property.as_str().map(str::to_owned), error: EntryError::Required }]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected }
            if top =>
        {
            unexpected
                .iter()
                .map(|name| schema(Some(name.clone()), "the schema does not allow this property".into()))
                .collect()
        }
        ValidationErrorKind::Pattern { pattern } if error.instance_path().segments().count() == 1 => {
            vec![ContentError { key, error: EntryError::PatternMismatch { pattern: pattern.clone() } }]
        }
        ValidationErrorKind::MultipleOf { multiple_of } if error.instance_path().segments().count() == 1 => {
            vec![ContentError { key, error: EntryError::NotMultiple { of: multiple_of.to_string() } }]
        }
        // Masked: the value may be a secret, and errors are written to logs.
        _ => vec![schema(key, shortened(&error.masked().to_string()))],
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_DETAIL) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn joined(notes: &[String]) -> Option<String> {
    (!notes.is_empty()).then(|| notes.join("; "))
}
