//! One property's schema, flattened.
//!
//! Owns how `$ref`, `allOf`, nullable types and alternatives are folded into one set of keywords. Relies on `limits`, which has already
//! refused loops and long chains. Must not know controls.

use serde_json::{Map, Value};

use super::reference::{Document, Target};

/// The keywords that fields are made from, those first that say nothing about which control a field gets; all others only matter to the
/// validator.
const KEYWORDS: [&str; 28] = [
    "title",
    "description",
    "default",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "type",
    "enum",
    "enumNames",
    "const",
    "items",
    "prefixItems",
    "uniqueItems",
    "properties",
    "additionalProperties",
    "patternProperties",
    "required",
    "anyOf",
    "oneOf",
    "nullable",
];

/// How many of them are such details.
const DETAILS: usize = 14;

/// The keywords that lead to other schemas for the same value.
const LEADING: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

/// A schema with everything that leads elsewhere folded in.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat<'a> {
    keywords: Vec<(&'static str, &'a Value)>,
    /// The schema is `false`, or requires two things that exclude each other.
    pub(super) never: bool,
    /// A reference in it leads to nothing.
    pub(super) dangling: bool,
    /// Several parts of an `allOf` say different things of what the value is, so that no single control tells the whole.
    pub(super) mixed: bool,
}

impl<'a> Flat<'a> {
    /// Flattens `schema`.
    pub(super) fn of(document: &Document<'a>, schema: &'a Value) -> Flat<'a> {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return Flat { never: true, ..Flat::default() },
            _ => return Flat::default(),
        };
        if !LEADING.iter().any(|keyword| map.contains_key(*keyword)) {
            let mut flat = Flat::default();
            flat.take_own(map);
            return flat;
        }
        // References can lead to the same place in a great many ways; each place is looked at once.
        if let Some(flat) = document.flattened(schema) {
            return flat;
        }
        let flat = Flat::followed(document, map);
        document.remember(schema, flat.clone());
        flat
    }

    fn followed(document: &Document<'a>, map: &'a Map<String, Value>) -> Flat<'a> {
        let mut flat = Flat::default();
        flat.take_own(map);
        if let Some(Value::String(reference)) = map.get("$ref") {
            match document.follow(reference) {
                Target::Here(target) => flat.add_below(Flat::of(document, target)),
                Target::Nowhere | Target::Outside => flat.dangling = true,
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            let mut together = Flat::default();
            for part in parts {
                together.add_beside(Flat::of(document, part));
            }
            flat.add_below(together);
        }
        flat.fold_alternatives(document);
        flat
    }

    /// The value of a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.keywords.iter().find(|(name, _)| *name == keyword).map(|(_, value)| *value)
    }

    /// The value of a keyword, as text.
    pub(super) fn text(&self, keyword: &str) -> Option<String> {
        self.get(keyword)?.as_str().map(str::to_owned)
    }

    /// The value of a keyword, as a count: not negative and whole, however it is written.
    pub(super) fn count(&self, keyword: &str) -> Option<u64> {
        let number = self.get(keyword)?.as_number()?;
        super::decimal::Decimal::of(number)?.to_integer()?.as_u64()
    }

    pub(super) fn has_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.get(keyword).is_some())
    }

    /// The alternatives left in `oneOf` or `anyOf` once null is taken out, flattened.
    pub(super) fn alternatives(&self, document: &Document<'a>) -> Option<Vec<Flat<'a>>> {
        let list = self.get("oneOf").or_else(|| self.get("anyOf"))?.as_array()?;
        Some(list.iter().map(|part| Flat::of(document, part)).filter(|flat| !flat.is_null()).collect())
    }

    /// The types that are allowed, null left out; empty when the schema names none.
    pub(super) fn types(&self) -> Vec<&'a str> {
        let mut types: Vec<&str> = match self.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        types.retain(|name| *name != "null");
        if types.contains(&"number") {
            types.retain(|name| *name != "integer");
        }
        types
    }

    /// Whether null is all that this allows.
    pub(super) fn is_null(&self) -> bool {
        let type_is_null = match self.get("type") {
            Some(Value::String(name)) => name == "null",
            Some(Value::Array(list)) => !list.is_empty() && list.iter().all(|name| name == "null"),
            _ => false,
        };
        let only_null =
            |values: &Value| values.as_array().is_some_and(|list| list.iter().all(Value::is_null) && !list.is_empty());
        type_is_null || self.get("const").is_some_and(Value::is_null) || self.get("enum").is_some_and(only_null)
    }

    fn take_own(&mut self, map: &'a Map<String, Value>) {
        if map.len() > KEYWORDS.len() {
            self.keywords.extend(KEYWORDS.iter().filter_map(|keyword| Some((*keyword, map.get(*keyword)?))));
            return;
        }
        // Most schemas have a handful of keywords: going through them is quicker than looking each keyword up.
        let known = |name: &str| KEYWORDS.iter().find(|keyword| **keyword == name).copied();
        self.keywords.extend(map.iter().filter_map(|(name, value)| Some((known(name)?, value))));
    }

    /// Adds what is missing here; what is here is nearer to the field and wins.
    fn add_below(&mut self, other: Flat<'a>) {
        for (keyword, value) in other.keywords {
            if self.get(keyword).is_none() {
                self.keywords.push((keyword, value));
            }
        }
        self.never |= other.never;
        self.dangling |= other.dangling;
        self.mixed |= other.mixed;
    }

    fn add_beside(&mut self, other: Flat<'a>) {
        // Of two limits the first is drawn, and the validator knows both.
        let tells_the_kind = |keyword: &str| !KEYWORDS[..DETAILS].contains(&keyword);
        self.mixed |= other
            .keywords
            .iter()
            .any(|(keyword, value)| tells_the_kind(keyword) && self.get(keyword).is_some_and(|mine| mine != *value));
        self.add_below(other);
    }

    /// `anyOf: [X, null]` is an optional X, and an alternative without a choice is none.
    fn fold_alternatives(&mut self, document: &Document<'a>) {
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(list)) = self.get(keyword) else { continue };
            let mut left = list.iter().map(|part| Flat::of(document, part)).filter(|flat| !flat.is_null());
            if let (Some(only), None) = (left.next(), left.next()) {
                // A single titled constant stays an alternative: its title is that of a choice, not of the field.
                if list.len() == 1 && only.get("const").is_some() {
                    continue;
                }
                self.keywords.retain(|(name, _)| *name != keyword);
                self.add_below(only);
            }
        }
    }
}
