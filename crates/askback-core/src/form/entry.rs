//! From what a person entered to what is sent: one parser for live checks, review and submission.
//!
//! Owns how entries become values and the rules of each kind of field. Must not know faces.

use serde_json::{Map, Number, Value};

use super::decimal::Decimal;
use super::validate;
use super::{
    Bounds, ContentError, Entry, EntryError, Field, FieldKind, Form, JsonReason, ScalarType, choices, format, lines,
};

/// What every field holds before anyone has touched it.
pub(super) fn initial(form: &Form) -> Vec<Entry> {
    form.fields
        .iter()
        .map(|field| field.default.as_ref().and_then(|default| entry_of(field, default)).unwrap_or(Entry::Blank))
        .collect()
}

/// The entry that makes this value, if the field has one.
pub(super) fn entry_of(field: &Field, value: &Value) -> Option<Entry> {
    match &field.kind {
        FieldKind::Text { .. } | FieldKind::Number { .. } => lines::line_of(&field.kind, value).map(Entry::Text),
        FieldKind::Scalar { .. } if is_default_text(field, value.as_str()) => {
            value.as_str().map(|text| Entry::Text(text.to_owned()))
        }
        FieldKind::Scalar { .. } => lines::line_of(&field.kind, value).map(Entry::Text),
        FieldKind::List { item, .. } => lines::text_of(item, value).map(Entry::Text),
        FieldKind::Boolean => value.as_bool().map(Entry::Boolean),
        FieldKind::Choice { choices } => {
            choices.iter().position(|choice| choices::same(&choice.value, value)).map(Entry::Choice)
        }
        FieldKind::Choices { choices, .. } => {
            let mut indices = choices::positions(choices, value.as_array()?)?;
            indices.sort_unstable();
            indices.dedup();
            Some(Entry::Choices(indices))
        }
        FieldKind::Json { .. } => serde_json::to_string_pretty(value).ok().map(Entry::Text),
    }
}

/// Whether this is the server's default as it stands. It is sent as the server wrote it, so that nobody sees quotation marks around `"9.90"`.
fn is_default_text(field: &Field, text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty() && field.default.as_ref().and_then(Value::as_str) == Some(text))
}

/// The value of one entry: `Ok(None)` when the field is left out.
pub(super) fn value_of(field: &Field, entry: &Entry) -> Result<Option<Value>, EntryError> {
    let value = parse(field, entry)?;
    match &value {
        Some(value) => check_value(field, value)?,
        None if field.required => return Err(EntryError::Required),
        None => {}
    }
    Ok(value)
}

fn parse(field: &Field, entry: &Entry) -> Result<Option<Value>, EntryError> {
    match (&field.kind, entry) {
        (_, Entry::Blank) => Ok(None),
        (FieldKind::Scalar { .. }, Entry::Text(text)) if is_default_text(field, Some(text)) => {
            Ok(field.default.clone())
        }
        (FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Scalar { .. }, Entry::Text(text)) => {
            lines::parse(&field.kind, text)
        }
        (FieldKind::List { item, .. }, Entry::Text(text)) => lines::parse_list(item, text),
        (FieldKind::Json { .. }, Entry::Text(text)) if text.trim().is_empty() => Ok(None),
        (FieldKind::Json { .. }, Entry::Text(text)) => serde_json::from_str(text)
            .map(Some)
            .map_err(|error: serde_json::Error| EntryError::NotJson { detail: error.to_string() }),
        (FieldKind::Boolean, Entry::Boolean(yes)) => Ok(Some(Value::Bool(*yes))),
        (FieldKind::Choice { choices }, Entry::Choice(index)) => {
            choices.get(*index).map(|choice| Some(choice.value.clone())).ok_or(EntryError::WrongKind)
        }
        (FieldKind::Choices { choices, .. }, Entry::Choices(indices)) => {
            if !indices.is_sorted_by(|one, next| one < next) {
                return Err(EntryError::WrongKind);
            }
            let values: Option<Vec<Value>> =
                indices.iter().map(|index| choices.get(*index).map(|choice| choice.value.clone())).collect();
            values.map(|values| Some(Value::Array(values))).ok_or(EntryError::WrongKind)
        }
        _ => Err(EntryError::WrongKind),
    }
}

/// What the raw schema has against the value of one field. Plain fields have said everything themselves.
pub(super) fn check_alone(form: &Form, field: &Field, value: &Value) -> Result<(), EntryError> {
    if !matches!(field.kind, FieldKind::Json { .. } | FieldKind::List { .. } | FieldKind::Scalar { .. }) {
        return Ok(());
    }
    let content = Map::from_iter([(field.key.clone(), value.clone())]);
    let mut errors = validate::checker(&form.schema).errors(&content).into_iter();
    let of_field = |error: &ContentError| {
        error.key.as_ref() == Some(&field.key)
            && error.error != EntryError::Required
            && !is_rounding(form, &content, error)
    };
    errors.find(of_field).map_or(Ok(()), |error| Err(error.error))
}

/// Whether a value satisfies its field. Patterns included; what only the raw schema says is left to the validator.
pub(super) fn check_value(field: &Field, value: &Value) -> Result<(), EntryError> {
    check_kind(&field.kind, value)
}

fn check_kind(kind: &FieldKind, value: &Value) -> Result<(), EntryError> {
    match (kind, value) {
        (FieldKind::Scalar { types }, value) => {
            let fits = |one: &ScalarType| {
                choices::is_type(
                    value,
                    match one {
                        ScalarType::Text => "string",
                        ScalarType::Integer => "integer",
                        ScalarType::Number => "number",
                        ScalarType::Boolean => "boolean",
                    },
                )
            };
            if types.iter().any(fits) { Ok(()) } else { Err(EntryError::WrongKind) }
        }
        (FieldKind::List { item, min_items, max_items }, Value::Array(values)) => {
            for (number, value) in (1..).zip(values) {
                check_kind(item, value).map_err(|error| EntryError::Item { number, error: Box::new(error) })?;
            }
            check_count(values.len() as u64, *min_items, *max_items)
        }
        (FieldKind::Text { min_length, max_length, pattern, format }, Value::String(text)) => {
            check_length(text, *min_length, *max_length)?;
            if let Some(format) = format {
                format::check(*format, text)?;
            }
            match pattern {
                Some(pattern) if !validate::matches(pattern, text) => {
                    Err(EntryError::PatternMismatch { pattern: pattern.clone() })
                }
                _ => Ok(()),
            }
        }
        (FieldKind::Number { integer, bounds }, Value::Number(number)) => check_number(number, *integer, bounds),
        (FieldKind::Boolean, Value::Bool(_)) => Ok(()),
        (FieldKind::Choice { choices }, value) if choices.iter().any(|choice| choices::same(&choice.value, value)) => {
            Ok(())
        }
        (FieldKind::Choices { choices, min_items, max_items }, Value::Array(values)) => {
            if choices::positions(choices, values).is_none() {
                return Err(EntryError::WrongKind);
            }
            check_count(values.len() as u64, *min_items, *max_items)
        }
        (FieldKind::Json { why: JsonReason::Object }, value) if !value.is_object() && !value.is_null() => {
            Err(EntryError::WrongKind)
        }
        (FieldKind::Json { why: JsonReason::List }, value) if !value.is_array() && !value.is_null() => {
            Err(EntryError::WrongKind)
        }
        (FieldKind::Json { .. }, _) => Ok(()),
        _ => Err(EntryError::WrongKind),
    }
}

fn check_length(text: &str, least: Option<u64>, most: Option<u64>) -> Result<(), EntryError> {
    let actual = text.chars().count() as u64;
    match (least, most) {
        (Some(least), _) if actual < least => Err(EntryError::TooShort { least, actual }),
        (_, Some(most)) if actual > most => Err(EntryError::TooLong { most, actual }),
        _ => Ok(()),
    }
}

fn check_count(actual: u64, least: Option<u64>, most: Option<u64>) -> Result<(), EntryError> {
    match (least, most) {
        (Some(least), _) if actual < least => Err(EntryError::TooFew { least, actual }),
        (_, Some(most)) if actual > most => Err(EntryError::TooMany { most, actual }),
        _ => Ok(()),
    }
}

fn check_number(number: &Number, integer: bool, bounds: &Bounds) -> Result<(), EntryError> {
    let Some(value) = Decimal::of(number) else { return Err(EntryError::NotNumber) };
    if integer && !value.is_whole() {
        return Err(EntryError::NotInteger);
    }
    let bound = |number: &Option<Number>| number.as_ref().and_then(Decimal::of);
    let too_small = |bound: &Decimal, inclusive| EntryError::TooSmall { bound: bound.to_text(), inclusive };
    let too_large = |bound: &Decimal, inclusive| EntryError::TooLarge { bound: bound.to_text(), inclusive };
    match (bound(&bounds.minimum), bound(&bounds.exclusive_minimum)) {
        (Some(least), _) if value < least => return Err(too_small(&least, true)),
        (_, Some(below)) if value <= below => return Err(too_small(&below, false)),
        _ => {}
    }
    match (bound(&bounds.maximum), bound(&bounds.exclusive_maximum)) {
        (Some(most), _) if value > most => return Err(too_large(&most, true)),
        (_, Some(above)) if value >= above => return Err(too_large(&above, false)),
        _ => {}
    }
    match bound(&bounds.multiple_of) {
        Some(of) if value.is_multiple_of(&of) == Some(false) => Err(EntryError::NotMultiple { of: of.to_text() }),
        _ => Ok(()),
    }
}

/// The content that these entries make.
pub(super) fn content_of(form: &Form, entries: &[Entry]) -> Result<Map<String, Value>, Vec<ContentError>> {
    let mut content = Map::new();
    let mut errors = Vec::new();
    for (index, field) in form.fields.iter().enumerate() {
        match value_of(field, entries.get(index).unwrap_or(&Entry::Blank)) {
            Ok(Some(value)) => {
                content.insert(field.key.clone(), value);
            }
            Ok(None) => {}
            Err(error) => errors.push(ContentError { key: Some(field.key.clone()), error }),
        }
    }
    if entries.len() > form.fields.len() {
        errors.push(ContentError { key: None, error: EntryError::WrongKind });
    }
    finish(form, &content, errors).map(|()| content)
}

/// Checks content from elsewhere.
pub(super) fn check(form: &Form, content: &Map<String, Value>) -> Result<(), Vec<ContentError>> {
    let mut errors = Vec::new();
    for field in &form.fields {
        let outcome = match content.get(&field.key) {
            Some(value) => check_value(field, value),
            None if field.required => Err(EntryError::Required),
            None => Ok(()),
        };
        errors.extend(outcome.err().map(|error| ContentError { key: Some(field.key.clone()), error }));
    }
    if !allows_others(&form.schema) {
        let known: std::collections::HashSet<&str> = form.fields.iter().map(|field| field.key.as_str()).collect();
        for key in content.keys().filter(|key| !known.contains(key.as_str())) {
            let detail = "the form has no such field".to_owned();
            errors.push(ContentError { key: Some(key.clone()), error: EntryError::Schema { detail } });
        }
    }
    finish(form, content, errors)
}

/// Whether the server says in so many words that it takes properties beyond those it lists. Saying nothing is not enough: a key that
/// the form does not have is far more often a slip of the pen.
fn allows_others(schema: &Value) -> bool {
    let open = |keyword: &str| schema.get(keyword).is_some_and(|others| others != &Value::Bool(false));
    open("additionalProperties") || open("patternProperties")
}

/// The check against the raw schema, and the verdict. Where a field has already said what is wrong, the validator need not say it again.
fn finish(form: &Form, content: &Map<String, Value>, mut errors: Vec<ContentError>) -> Result<(), Vec<ContentError>> {
    let by_fields = errors.len();
    for error in validate::checker(&form.schema).errors(content) {
        let known = errors[..by_fields].iter().any(|known| known.key == error.key && known.key.is_some());
        if !known && !errors.contains(&error) && !is_rounding(form, content, &error) {
            errors.push(error);
        }
    }
    if let Some(error) = unanswerable_error(form)
        && errors.is_empty()
    {
        errors.push(error);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Divided in binary, 0.3 is no multiple of 0.1. The field has already divided in decimal, as people do.
fn is_rounding(form: &Form, content: &Map<String, Value>, error: &ContentError) -> bool {
    let (Some(key), EntryError::NotMultiple { .. }) = (&error.key, &error.error) else { return false };
    let field = form.fields.iter().find(|field| field.key == *key);
    field.zip(content.get(key)).is_some_and(|(field, value)| {
        let FieldKind::Number { bounds: Bounds { multiple_of: Some(of), .. }, .. } = &field.kind else { return false };
        let is_fraction = Decimal::of(of).is_some_and(|of| !of.is_whole());
        is_fraction && check_value(field, value).is_ok()
    })
}

/// With the raw schema out of use, its contradictions would otherwise go unnoticed.
fn unanswerable_error(form: &Form) -> Option<ContentError> {
    let (super::Unanswerable::RequiredButNotAllowed { key } | super::Unanswerable::NoValue { key }) =
        form.unanswerable.as_ref()?;
    let detail = "no value can satisfy the schema here".to_owned();
    Some(ContentError { key: Some(key.clone()), error: EntryError::Schema { detail } })
}
