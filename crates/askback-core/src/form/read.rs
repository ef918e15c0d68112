//! From a raw schema to a form.
//!
//! Owns which control each property gets. Reads tolerantly: whatever servers really send becomes a field, and what has no control of its
//! own becomes a JSON field; nothing is dropped. Must not know entries or faces.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Number, Value};

use super::decimal::Decimal;
use super::flatten::Flat;
use super::limits::{self, MAX_CHOICES, MAX_FIELDS, MAX_PATTERNS, MAX_UNUSABLE_PATTERNS};
use super::reference::Document;
use super::validate::{self, Checker};
use super::{
    Bounds, Field, FieldKind, FieldNote, Form, FormError, JsonReason, ScalarType, TextFormat, Unanswerable, choices,
    ordinary, secret,
};

/// 2⁵³ − 1.
pub(super) const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;
const ROOT: &str = "requestedSchema";
/// The schema of a property about which nothing is said.
static ANYTHING: Value = Value::Bool(true);

pub(super) fn read(schema: &Value) -> Result<Form, FormError> {
    let Value::Object(_) = schema else {
        return Err(invalid(ROOT, "is not an object"));
    };
    let document = Document::new(schema);
    limits::check(&document, schema)?;
    let root = read_root(&document, schema)?;
    if root.required.names.len() > MAX_FIELDS {
        return Err(FormError::TooLarge { what: format!("it requires more than {MAX_FIELDS} properties") });
    }
    let mut reader = Reader { document: &document, choices: 0, patterns: HashMap::new(), laborious: 0 };
    let mut form = Form {
        title: root.flat.text("title"),
        description: root.flat.text("description"),
        fields: Vec::with_capacity(root.properties.len()),
        schema: schema.clone(),
        unanswerable: None,
        schema_note: None,
    };
    for &(key, property) in &root.properties {
        reader.add_field(&mut form, key, property, root.required.contains(key))?;
    }
    if let Some(key) = root.required.names.iter().find(|key| root.known.contains(*key) && !root.allows(key)) {
        form.unanswerable.get_or_insert(Unanswerable::RequiredButNotAllowed { key: (*key).to_owned() });
    }
    for key in root.required.names.iter().copied().filter(|key| !root.known.contains(key)) {
        if root.allows_only_properties {
            form.unanswerable.get_or_insert(Unanswerable::RequiredButNotAllowed { key: key.to_owned() });
        } else {
            // Nothing is known about it but that it has to be there.
            reader.add_field(&mut form, key, root.others, true)?;
        }
    }
    tell_titles_apart(&mut form);
    let checker = (!ordinary::is_ordinary(schema)).then(|| validate::checker(schema));
    form.schema_note = checker.as_ref().and_then(|checker| checker.note.clone());
    drop_unfit_defaults(&mut form, checker.as_deref());
    Ok(form)
}

/// The names of what has to be there, each once and in order: servers send them in any number.
#[derive(Default)]
struct Required<'a> {
    names: Vec<&'a str>,
    seen: HashSet<&'a str>,
}

impl<'a> Required<'a> {
    fn add(&mut self, name: &'a str) {
        if self.seen.insert(name) {
            self.names.push(name);
        }
    }

    fn contains(&self, name: &str) -> bool {
        self.seen.contains(name)
    }
}

struct Root<'a> {
    flat: Flat<'a>,
    properties: Vec<(&'a str, &'a Value)>,
    /// The names of these properties.
    known: HashSet<&'a str>,
    required: Required<'a>,
    allows_only_properties: bool,
    /// What the parts list that allow nothing besides, each part by itself: it does not matter to them what other parts list.
    closed: Vec<Option<&'a Map<String, Value>>>,
    /// What a property must be that is not listed.
    others: &'a Value,
}

fn read_root<'a>(document: &Document<'a>, schema: &'a Value) -> Result<Root<'a>, FormError> {
    let flat = Flat::of(document, schema);
    let types = flat.types();
    if !types.is_empty() && !types.contains(&"object") {
        return Err(invalid(&format!("{ROOT}.type"), "is not \"object\""));
    }
    let mut root = Root {
        properties: Vec::new(),
        known: HashSet::new(),
        required: Required::default(),
        allows_only_properties: false,
        closed: Vec::new(),
        others: &ANYTHING,
        flat,
    };
    root.gather(document, schema)?;
    if root.flat.dangling {
        return Err(invalid(&format!("{ROOT}.$ref"), "leads to nothing"));
    }
    let alternatives = root.flat.alternatives(document).unwrap_or_default();
    if root.properties.is_empty() && alternatives.iter().any(|part| part.get("properties").is_some()) {
        return Err(invalid(ROOT, "offers several alternatives at the top level, and a form has one list of fields"));
    }
    Ok(root)
}

impl<'a> Root<'a> {
    /// Collects the properties of an object schema and of the parts that it is made of.
    fn gather(&mut self, document: &Document<'a>, schema: &'a Value) -> Result<(), FormError> {
        let Value::Object(map) = schema else { return Ok(()) };
        match map.get("properties") {
            None | Some(Value::Null) => {}
            Some(Value::Object(properties)) => self.add_properties(properties)?,
            Some(_) => return Err(invalid(&format!("{ROOT}.properties"), "is not an object")),
        }
        if let Some(Value::Array(names)) = map.get("required") {
            for name in names.iter().filter_map(Value::as_str) {
                self.required.add(name);
            }
        }
        self.allow_others(map);
        if let Some(super::reference::Target::Here(target)) =
            map.get("$ref").and_then(Value::as_str).map(|reference| document.follow(reference))
        {
            self.gather(document, target)?;
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.gather(document, part)?;
        }
        for keyword in ["anyOf", "oneOf"] {
            let parts = map.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let mut left = parts.iter().filter(|part| !Flat::of(document, part).is_null());
            if let (Some(only), None) = (left.next(), left.next()) {
                self.gather(document, only)?;
            }
        }
        Ok(())
    }

    fn add_properties(&mut self, properties: &'a Map<String, Value>) -> Result<(), FormError> {
        if self.properties.len() + properties.len() > MAX_FIELDS {
            return Err(FormError::TooLarge { what: format!("it has more than {MAX_FIELDS} fields") });
        }
        for (key, property) in properties {
            if !property.is_object() && !property.is_boolean() {
                return Err(invalid(&format!("{ROOT}.properties.{key}"), "is not a schema"));
            }
            let declared_required = property.get("required") == Some(&Value::Bool(true));
            if declared_required {
                self.required.add(key);
            }
            if self.known.insert(key) {
                self.properties.push((key, property));
            }
        }
        Ok(())
    }

    /// Whether every part that lists all it allows has this property.
    fn allows(&self, key: &str) -> bool {
        self.closed.iter().all(|properties| properties.is_some_and(|properties| properties.contains_key(key)))
    }

    fn allow_others(&mut self, map: &'a Map<String, Value>) {
        let by_pattern = map.get("patternProperties").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            match map.get(keyword) {
                Some(Value::Bool(false)) if !by_pattern => {
                    self.allows_only_properties = true;
                    if keyword == "additionalProperties" {
                        self.closed.push(map.get("properties").and_then(Value::as_object));
                    }
                }
                Some(others @ Value::Object(_)) => self.others = others,
                _ => {}
            }
        }
    }
}

struct Reader<'a, 'd> {
    document: &'d Document<'a>,
    choices: usize,
    /// Patterns met so far, and whether they can be used.
    patterns: HashMap<String, bool>,
    /// How many of them cannot, or not in linear time.
    laborious: usize,
}

impl<'a> Reader<'a, '_> {
    fn add_field(&mut self, form: &mut Form, key: &str, schema: &'a Value, required: bool) -> Result<(), FormError> {
        if form.fields.len() >= MAX_FIELDS {
            return Err(FormError::TooLarge { what: format!("it has more than {MAX_FIELDS} fields") });
        }
        let flat = Flat::of(self.document, schema);
        let mut notes = Vec::new();
        let kind = self.kind(&flat, &mut notes)?;
        if required && form.unanswerable.is_none() && (flat.dangling || flat.never || admits_nothing(&kind)) {
            form.unanswerable = Some(Unanswerable::NoValue { key: key.to_owned() });
        }
        let mut field = Field {
            key: key.to_owned(),
            title: flat.text("title"),
            description: flat.text("description"),
            required,
            default: default_of(&flat, &kind, required, &notes),
            kind,
            notes,
            secret: None,
        };
        field.secret = secret::sign(&field, flat.get("format").and_then(Value::as_str));
        form.fields.push(field);
        Ok(())
    }

    fn kind(&mut self, flat: &Flat<'a>, notes: &mut Vec<FieldNote>) -> Result<FieldKind, FormError> {
        if flat.never {
            return Ok(FieldKind::Choice { choices: Vec::new() });
        }
        if flat.is_null() {
            return Ok(FieldKind::Json { why: JsonReason::Anything });
        }
        if flat.mixed {
            return Ok(FieldKind::Json { why: JsonReason::Alternatives });
        }
        if let Some(found) = choices::find(self.document, flat) {
            self.count_choices(found.len())?;
            notes.extend(found.notes.iter().cloned());
            return Ok(FieldKind::Choice { choices: found.into_choices() });
        }
        if let Some(alternatives) = flat.alternatives(self.document) {
            return Ok(self.common_kind(flat, &alternatives));
        }
        match *flat.types() {
            [only] => self.typed(only, flat, notes),
            [] => self.typed(implied_type(flat), flat, notes),
            ref types => Ok(kind_of_types(types)),
        }
    }

    fn typed(&mut self, name: &str, flat: &Flat<'a>, notes: &mut Vec<FieldNote>) -> Result<FieldKind, FormError> {
        Ok(match name {
            "string" => self.text(flat, notes)?,
            "integer" | "number" => FieldKind::Number { integer: name == "integer", bounds: bounds(flat) },
            "boolean" => FieldKind::Boolean,
            "array" => self.list(flat, notes)?,
            "object" => FieldKind::Json { why: JsonReason::Object },
            _ => FieldKind::Json { why: JsonReason::Anything },
        })
    }

    fn text(&mut self, flat: &Flat<'a>, notes: &mut Vec<FieldNote>) -> Result<FieldKind, FormError> {
        let format = match flat.get("format").and_then(Value::as_str) {
            None => None,
            Some("email") => Some(TextFormat::Email),
            Some("uri") => Some(TextFormat::Uri),
            Some("date") => Some(TextFormat::Date),
            Some("date-time") => Some(TextFormat::DateTime),
            Some(other) => {
                notes.push(FieldNote::UnknownFormat { format: other.to_owned() });
                None
            }
        };
        let mut pattern = flat.text("pattern");
        if let Some(sent) = &pattern
            && !self.is_usable(sent)?
        {
            notes.push(FieldNote::PatternUnusable { pattern: sent.clone() });
            pattern = None;
        }
        let (min_length, max_length) = (flat.count("minLength"), flat.count("maxLength"));
        Ok(FieldKind::Text { min_length, max_length, pattern, format })
    }

    fn is_usable(&mut self, pattern: &str) -> Result<bool, FormError> {
        if let Some(usable) = self.patterns.get(pattern) {
            return Ok(*usable);
        }
        if self.patterns.len() >= MAX_PATTERNS {
            return Err(FormError::TooLarge { what: format!("it has more than {MAX_PATTERNS} patterns") });
        }
        let linear = validate::is_linear(pattern);
        let usable = validate::is_usable(pattern);
        self.patterns.insert(pattern.to_owned(), usable);
        self.laborious += usize::from(!linear);
        if self.laborious > MAX_UNUSABLE_PATTERNS {
            let what = format!(
                "it has more than {MAX_UNUSABLE_PATTERNS} patterns that cannot be used, or only with great effort"
            );
            return Err(FormError::TooLarge { what });
        }
        Ok(usable)
    }

    fn list(&mut self, flat: &Flat<'a>, notes: &mut Vec<FieldNote>) -> Result<FieldKind, FormError> {
        let plain = FieldKind::Json { why: JsonReason::List };
        let (min_items, max_items) = (flat.count("minItems"), flat.count("maxItems"));
        let Some(items) = flat.get("items").filter(|items| items.is_object()) else { return Ok(plain) };
        if flat.get("prefixItems").is_some() {
            return Ok(plain);
        }
        let items = Flat::of(self.document, items);
        if items.mixed || items.never {
            return Ok(plain);
        }
        let Some(found) = choices::find(self.document, &items) else {
            let mut said = Vec::new();
            return Ok(match self.kind(&items, &mut said)? {
                item @ (FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Scalar { .. }) => {
                    notes.extend(said);
                    FieldKind::List { item: Box::new(item), min_items, max_items }
                }
                _ => plain,
            });
        };
        self.count_choices(found.len())?;
        notes.extend(found.notes.iter().filter(|note| **note != FieldNote::Fixed).cloned());
        let choices = found.into_choices();
        let repeats = flat.get("uniqueItems") != Some(&Value::Bool(true));
        if repeats && !choices.is_empty() && min_items.is_some_and(|least| least > choices.len() as u64) {
            // Only a list with repetitions can be that long, and a set of choices cannot say that.
            return Ok(plain);
        }
        Ok(FieldKind::Choices { choices, min_items, max_items })
    }

    /// The control for alternatives that differ in their rules but not in their type; the rules are the validator's business.
    fn common_kind(&self, flat: &Flat<'a>, alternatives: &[Flat<'a>]) -> FieldKind {
        let outer = flat.types();
        let mut types: Vec<&str> = Vec::new();
        for part in alternatives {
            let own = part.types();
            let of_part = if !own.is_empty() {
                own
            } else if let Some(values) = part.get("enum").and_then(Value::as_array) {
                values.iter().map(type_of).collect()
            } else if let Some(value) = part.get("const") {
                vec![type_of(value)]
            } else if outer.is_empty() {
                vec![implied_type(part)]
            } else {
                outer.clone()
            };
            types.extend(of_part);
        }
        kind_of_types(&types)
    }

    fn count_choices(&mut self, more: usize) -> Result<(), FormError> {
        self.choices += more;
        if self.choices > MAX_CHOICES {
            return Err(FormError::TooLarge { what: format!("it has more than {MAX_CHOICES} choices") });
        }
        Ok(())
    }
}

/// The control for values of these types, about which nothing else is said.
fn kind_of_types(types: &[&str]) -> FieldKind {
    let mut types = types.to_vec();
    types.sort_unstable();
    types.dedup();
    if types.contains(&"number") {
        types.retain(|name| *name != "integer");
    }
    match *types {
        ["string"] => FieldKind::Text { min_length: None, max_length: None, pattern: None, format: None },
        ["boolean"] => FieldKind::Boolean,
        ["integer"] => FieldKind::Number { integer: true, bounds: Bounds::default() },
        ["number"] => FieldKind::Number { integer: false, bounds: Bounds::default() },
        ["object"] => FieldKind::Json { why: JsonReason::Object },
        ["array"] => FieldKind::Json { why: JsonReason::List },
        _ => {
            let scalar = |name: &&str| match *name {
                "string" => Some(ScalarType::Text),
                "integer" => Some(ScalarType::Integer),
                "number" => Some(ScalarType::Number),
                "boolean" => Some(ScalarType::Boolean),
                _ => None,
            };
            match types.iter().map(scalar).collect::<Option<Vec<_>>>() {
                Some(types) if !types.is_empty() => FieldKind::Scalar { types },
                _ => FieldKind::Json { why: JsonReason::Alternatives },
            }
        }
    }
}

/// The type that a schema without one can only mean.
fn implied_type(flat: &Flat<'_>) -> &'static str {
    if flat.has_any(&["minLength", "maxLength", "pattern", "format"]) {
        "string"
    } else if flat.has_any(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
        "number"
    } else if flat.has_any(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]) {
        "array"
    } else if flat.has_any(&["properties", "additionalProperties", "patternProperties"]) {
        "object"
    } else {
        ""
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) if choices::is_type(value, "integer") => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn bounds(flat: &Flat<'_>) -> Bounds {
    // The integers that JavaScript can tell apart: its libraries write them as bounds where the author has set none. The validator knows them.
    let of_the_language = |number: &Number| number.as_i64().is_some_and(|number| number.abs() == MAX_SAFE_INTEGER);
    let number =
        |keyword: &str| flat.get(keyword).and_then(Value::as_number).filter(|number| !of_the_language(number)).cloned();
    // In draft 4 the exclusive keywords are switches on the inclusive ones.
    let switched = |keyword: &str| flat.get(keyword) == Some(&Value::Bool(true));
    let mut bounds = Bounds {
        minimum: number("minimum"),
        maximum: number("maximum"),
        exclusive_minimum: number("exclusiveMinimum"),
        exclusive_maximum: number("exclusiveMaximum"),
        multiple_of: number("multipleOf"),
    };
    if switched("exclusiveMinimum") {
        bounds.exclusive_minimum = bounds.minimum.take();
    }
    if switched("exclusiveMaximum") {
        bounds.exclusive_maximum = bounds.maximum.take();
    }
    bounds
}

/// Whether no value at all fits.
fn admits_nothing(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Choice { choices } => choices.is_empty(),
        FieldKind::Choices { choices, min_items, max_items } => {
            let least = min_items.unwrap_or(0);
            least > max_items.unwrap_or(u64::MAX) || least > choices.len() as u64
        }
        FieldKind::Text { min_length: Some(least), max_length: Some(most), .. } => least > most,
        FieldKind::Number { integer, bounds } => is_empty_range(*integer, bounds),
        FieldKind::List { item, min_items, max_items } => {
            let least = min_items.unwrap_or(0);
            least > max_items.unwrap_or(u64::MAX) || (least > 0 && admits_nothing(item))
        }
        FieldKind::Text { .. } | FieldKind::Boolean | FieldKind::Scalar { .. } | FieldKind::Json { .. } => false,
    }
}

fn is_empty_range(integer: bool, bounds: &Bounds) -> bool {
    let decimal = |number: &Option<Number>| number.as_ref().and_then(Decimal::of);
    let lower = [(decimal(&bounds.minimum), false), (decimal(&bounds.exclusive_minimum), true)];
    let upper = [(decimal(&bounds.maximum), false), (decimal(&bounds.exclusive_maximum), true)];
    lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high))).any(|(low, high)| {
        let ((Some(least), least_excluded), (Some(most), most_excluded)) = (low, high) else { return false };
        match least.cmp(most) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => *least_excluded || *most_excluded || (integer && !least.is_whole()),
            std::cmp::Ordering::Less => integer && no_integer_between(least, *least_excluded, most, *most_excluded),
        }
    })
}

fn no_integer_between(least: &Decimal, least_excluded: bool, most: &Decimal, most_excluded: bool) -> bool {
    let float = |decimal: &Decimal| decimal.to_text().parse::<f64>().unwrap_or(f64::NAN);
    let (low, high) = (float(least), float(most));
    // Beyond this range doubles no longer tell neighbouring integers apart, and there is room enough anyway.
    if !(low.abs() < 1e15 && high.abs() < 1e15) {
        return false;
    }
    let first = if least_excluded && least.is_whole() { low + 1.0 } else { low.ceil() };
    let last = if most_excluded && most.is_whole() { high - 1.0 } else { high.floor() };
    first > last
}

/// The default as sent, or the one value that a fixed field can have. Whether it fits is judged once the whole form is known.
fn default_of(flat: &Flat<'_>, kind: &FieldKind, required: bool, notes: &[FieldNote]) -> Option<Value> {
    if let Some(default) = flat.get("default").filter(|default| !default.is_null()) {
        return Some(default.clone());
    }
    match kind {
        // A fixed yes is a question all the same ("I agree"): nobody's consent is invented.
        FieldKind::Choice { choices } if required && notes.contains(&FieldNote::Fixed) => {
            choices.first().map(|choice| choice.value.clone()).filter(|value| !value.is_boolean())
        }
        _ => None,
    }
}

/// Libraries give fields of one type that type's title. Fields that would all be called the same get their keys after it.
fn tell_titles_apart(form: &mut Form) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for title in form.fields.iter().filter_map(|field| field.title.as_ref()) {
        *counts.entry(title.trim().to_owned()).or_default() += 1;
    }
    for field in &mut form.fields {
        if let Some(title) = field.title.as_mut().filter(|title| !title.trim().is_empty())
            && counts.get(title.trim()).is_some_and(|count| *count > 1)
        {
            *title = format!("{title} ({})", field.key);
        }
    }
}

/// Takes away the defaults that do not satisfy their own fields, and says so.
fn drop_unfit_defaults(form: &mut Form, checker: Option<&Checker>) {
    let refused = match checker {
        Some(checker) => {
            let defaults = form.fields.iter().filter_map(|field| Some((field.key.clone(), field.default.clone()?)));
            checker.errors(&defaults.collect())
        }
        None => Vec::new(),
    };
    for index in 0..form.fields.len() {
        let field = &form.fields[index];
        let Some(default) = &field.default else { continue };
        // A default that is missing for another field is none of this one's faults.
        let refused_raw = refused
            .iter()
            .any(|error| error.key.as_ref() == Some(&field.key) && error.error != super::EntryError::Required);
        let entry = super::entry::entry_of(field, default);
        let fits = !refused_raw && entry.is_some_and(|entry| form.value_of(index, &entry).is_ok());
        if !fits {
            let field = &mut form.fields[index];
            if let Some(default) = field.default.take() {
                field.notes.push(FieldNote::DefaultIgnored { default: default.to_string() });
            }
        }
    }
}

fn invalid(path: &str, what: &str) -> FormError {
    FormError::Invalid { path: path.to_owned(), what: what.to_owned() }
}
