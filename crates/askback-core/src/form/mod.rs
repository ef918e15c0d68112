//! The form model: a server's schema in, a plain list of fields out, and one parser for what people enter.
//!
//! Owns how schemas are read (`read`), what is drawn (the types here), how entries become values (`entry`) and the last check of
//! outgoing content against the raw schema (`validate`). Must not know any face: errors are data, words are made elsewhere.

use serde_json::{Map, Value};

use crate::redaction::MASK;

mod choices;
mod decimal;
mod entry;
mod flatten;
mod format;
pub mod limits;
mod lines;
mod ordinary;
mod read;
mod reference;
mod secret;
mod validate;

pub use format::local_date_time;
pub(crate) use secret::names_secret;

/// A form, drawn by every face from this and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The schema's title, as sent.
    pub title: Option<String>,
    /// The schema's description, as sent.
    pub description: Option<String>,
    /// The fields, in the order in which the server sent them.
    pub fields: Vec<Field>,
    /// The schema exactly as the server sent it; outgoing content is validated against this.
    pub schema: Value,
    /// Set when no answer at all can satisfy the schema; faces say so at once and offer only decline and cancel.
    pub unanswerable: Option<Unanswerable>,
    /// What of the raw schema cannot be checked, and why: English, for the server's author. The fields are checked all the same.
    pub schema_note: Option<String>,
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The property's name: what is sent. May be empty, and may hold any character.
    pub key: String,
    /// The title as sent, if it has one; with the key after it where several fields have the same.
    pub title: Option<String>,
    /// The description as sent.
    pub description: Option<String>,
    /// Whether accepting needs a value here.
    pub required: bool,
    /// What can be entered.
    pub kind: FieldKind,
    /// The server's default, if it satisfies the field's own schema.
    pub default: Option<Value>,
    /// What a person should know about how this field was read.
    pub notes: Vec<FieldNote>,
    /// Why this field looks like it asks for a secret, if it does.
    pub secret: Option<SecretSign>,
}

/// What can be entered into a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// Text.
    Text {
        /// Least number of code points.
        min_length: Option<u64>,
        /// Greatest number of code points.
        max_length: Option<u64>,
        /// A regular expression that must match somewhere in the text.
        pattern: Option<String>,
        /// A format that is checked.
        format: Option<TextFormat>,
    },
    /// A number.
    Number {
        /// Whether only whole numbers are allowed.
        integer: bool,
        /// Bounds.
        bounds: Bounds,
    },
    /// Yes or no; nothing is chosen until the person chooses.
    Boolean,
    /// Exactly one of several values.
    Choice {
        /// The values, in order.
        choices: Vec<Choice>,
    },
    /// Any number of several values.
    Choices {
        /// The values, in order.
        choices: Vec<Choice>,
        /// Least number of values.
        min_items: Option<u64>,
        /// Greatest number of values.
        max_items: Option<u64>,
    },
    /// Text, a number, or yes or no, on one line: which of them it is shows in how it is written. Text that would read as one of the others is
    /// put in quotation marks.
    Scalar {
        /// What is allowed: two at least.
        types: Vec<ScalarType>,
    },
    /// Any number of values that are entered as text, one to a line; or all of them as a JSON array.
    List {
        /// What each of them is: `Text`, `Number` or `Scalar`.
        item: Box<FieldKind>,
        /// Least number of values.
        min_items: Option<u64>,
        /// Greatest number of values.
        max_items: Option<u64>,
    },
    /// A shape that has no control of its own: entered as JSON and validated.
    Json {
        /// Why, e.g. a nested object.
        why: JsonReason,
    },
}

/// Bounds of a number, as sent (a JSON number each). The limits of JavaScript's integers are left out: nobody has set them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// `minimum`
    pub minimum: Option<serde_json::Number>,
    /// `maximum`
    pub maximum: Option<serde_json::Number>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: Option<serde_json::Number>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: Option<serde_json::Number>,
    /// `multipleOf`
    pub multiple_of: Option<serde_json::Number>,
}

/// One of the values of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What is sent.
    pub value: Value,
    /// What the server calls it; without a usable title, the value itself as text.
    pub label: String,
}

/// A text format that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// `email`
    Email,
    /// `uri`
    Uri,
    /// `date`
    Date,
    /// `date-time`, RFC 3339 with an offset.
    DateTime,
}

/// What a value may be that is entered on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no, written `true` or `false`.
    Boolean,
}

/// What a person should know about how a field was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldNote {
    /// The default does not satisfy the field and is not used.
    DefaultIgnored {
        /// The default as JSON text.
        default: String,
    },
    /// `enumNames` has another length than `enum`; the values are shown where a name is missing.
    NamesDoNotFit,
    /// The format is not one of the protocol's and is not checked.
    UnknownFormat {
        /// The format as sent.
        format: String,
    },
    /// The pattern is not a regular expression that can be used; it is not checked here, and the person is told.
    PatternUnusable {
        /// The pattern as sent.
        pattern: String,
    },
    /// The value is fixed by the schema.
    Fixed,
}

/// Why a field has to be entered as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonReason {
    /// An object within the form.
    Object,
    /// A list of something that does not fit on a line each.
    List,
    /// A schema with several alternatives that no single control fits.
    Alternatives,
    /// A schema that says nothing about the value.
    Anything,
}

/// Why no answer can satisfy a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswerable {
    /// `required` names a property that the schema does not allow.
    RequiredButNotAllowed {
        /// The property.
        key: String,
    },
    /// A required field admits no value (an empty `enum`, contradicting bounds, a `$ref` to nothing).
    NoValue {
        /// The property.
        key: String,
    },
}

/// Where a field shows that it may be asking for a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretSign {
    /// The words that gave it away, as found.
    pub found: String,
}

/// What the person has entered into a field so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Nothing: the field is left out, or its default was taken away.
    Blank,
    /// Text as typed, for every field without choices. Deliberately empty text is `Text("")`.
    Text(String),
    /// Yes or no.
    Boolean(bool),
    /// The index of the chosen value.
    Choice(usize),
    /// The indices of the chosen values, ascending.
    Choices(Vec<usize>),
}

/// Why an entry cannot be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryError {
    /// A value is needed.
    Required,
    /// Fewer code points than `least`.
    TooShort {
        /// Code points needed.
        least: u64,
        /// Code points entered.
        actual: u64,
    },
    /// More code points than `most`.
    TooLong {
        /// Code points allowed.
        most: u64,
        /// Code points entered.
        actual: u64,
    },
    /// The text does not match the pattern.
    PatternMismatch {
        /// The pattern.
        pattern: String,
    },
    /// Not an e-mail address.
    NotEmail,
    /// Not an absolute URI.
    NotUri,
    /// Not a date that exists, in the form 2026-07-28.
    NotDate,
    /// Not a date and time in the form 2026-07-28T09:30:00+02:00.
    NotDateTime,
    /// A date and time, but without its offset from UTC.
    OffsetMissing,
    /// Not a number.
    NotNumber,
    /// A number, but not a whole one.
    NotInteger,
    /// A number too large or too fine to be sent exactly.
    NotRepresentable,
    /// Below the bound; `inclusive` tells whether the bound itself is allowed.
    TooSmall {
        /// The bound as JSON text.
        bound: String,
        /// Whether the bound itself is allowed.
        inclusive: bool,
    },
    /// Above the bound; `inclusive` tells whether the bound itself is allowed.
    TooLarge {
        /// The bound as JSON text.
        bound: String,
        /// Whether the bound itself is allowed.
        inclusive: bool,
    },
    /// Not a multiple of `of`.
    NotMultiple {
        /// As JSON text.
        of: String,
    },
    /// Fewer choices than `least`.
    TooFew {
        /// Choices needed.
        least: u64,
        /// Choices made.
        actual: u64,
    },
    /// More choices than `most`.
    TooMany {
        /// Choices allowed.
        most: u64,
        /// Choices made.
        actual: u64,
    },
    /// A value of a list is wrong.
    Item {
        /// Which of them, counted from 1.
        number: u64,
        /// What is wrong with it.
        error: Box<EntryError>,
    },
    /// Not JSON; `detail` is the parser's word.
    NotJson {
        /// What and where.
        detail: String,
    },
    /// The entry is of a kind that the field does not take.
    WrongKind,
    /// The raw schema refuses the value for a reason of its own; `detail` is the validator's word.
    Schema {
        /// What the validator says.
        detail: String,
    },
}

/// A place where content does not satisfy the form.
#[derive(Clone, Debug, PartialEq)]
pub struct ContentError {
    /// The property, or nothing when the content as a whole is refused.
    pub key: Option<String>,
    /// Why.
    pub error: EntryError,
}

/// Why a schema cannot be made into a form at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The schema is not an object schema.
    #[error("{path}: {what}")]
    Invalid {
        /// JSON path within the schema, `requestedSchema` first.
        path: String,
        /// What is wrong, in English, for the server's author.
        what: String,
    },
    /// A `$ref` leads out of the schema; it is never fetched.
    #[error("{path}: $ref to {target:?} leads outside the schema and is never fetched")]
    RemoteReference {
        /// JSON path within the schema.
        path: String,
        /// Where it leads.
        target: String,
    },
    /// Too large, too deep or too many fields.
    #[error("the schema is too large: {what}")]
    TooLarge {
        /// Which bound, and by how much.
        what: String,
    },
}

impl Form {
    /// Reads a `requestedSchema`.
    ///
    /// # Errors
    /// `FormError` when it is no object schema, leads outside itself, or is too large.
    pub fn read(schema: &Value) -> Result<Form, FormError> {
        read::read(schema)
    }

    /// Content of this form with [`MASK`](crate::redaction::MASK) in the fields that ask for secrets, for what is kept or shown.
    pub fn mask_secrets(&self, content: &Map<String, Value>) -> Map<String, Value> {
        let asks_for_secret = |key: &str| self.fields.iter().any(|field| field.key == key && field.secret.is_some());
        let masked = content.iter().map(|(key, value)| {
            let value = if asks_for_secret(key) { Value::from(MASK) } else { value.clone() };
            (key.clone(), value)
        });
        masked.collect()
    }

    /// What every field holds before anyone has touched it: the default, or nothing.
    pub fn initial_entries(&self) -> Vec<Entry> {
        entry::initial(self)
    }

    /// The value of one entry: `Ok(None)` when the field is left out.
    ///
    /// What only the raw schema knows (a JSON field's inner rules, say) is checked by [`Form::content_of`].
    ///
    /// # Errors
    /// The first reason why the entry cannot be sent.
    pub fn value_of(&self, field: usize, entry: &Entry) -> Result<Option<Value>, EntryError> {
        match self.fields.get(field) {
            Some(field) => entry::value_of(field, entry),
            None => Err(EntryError::WrongKind),
        }
    }

    /// The same for the field that a person is at: what only the raw schema knows of it is said as well, as far as it concerns this field alone.
    ///
    /// # Errors
    /// The first reason why the entry cannot be sent.
    pub fn check_entry(&self, field: usize, entry: &Entry) -> Result<Option<Value>, EntryError> {
        let value = self.value_of(field, entry)?;
        if let (Some(field), Some(value)) = (self.fields.get(field), &value) {
            entry::check_alone(self, field, value)?;
        }
        Ok(value)
    }

    /// The content that these entries make, checked field by field and then against the raw schema.
    ///
    /// Fields beyond the end of `entries` are left out.
    ///
    /// # Errors
    /// Every place that is wrong; never empty.
    pub fn content_of(&self, entries: &[Entry]) -> Result<Map<String, Value>, Vec<ContentError>> {
        entry::content_of(self, entries)
    }

    /// Checks content from elsewhere (an answer file, the browser) against the raw schema and the fields.
    ///
    /// # Errors
    /// Every place that is wrong; never empty.
    pub fn check(&self, content: &Map<String, Value>) -> Result<(), Vec<ContentError>> {
        entry::check(self, content)
    }
}

#[cfg(test)]
mod tests;

/// Makes ready what the first form of a process would otherwise wait for: the JSON Schema library compiles its own schemas at its first use.
/// Takes a few milliseconds; call it on another thread while there is nothing to do.
pub fn warm_up() {
    let schema = serde_json::json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    if let Ok(form) = Form::read(&schema) {
        let _ = form.check(&Map::new());
    }
}
