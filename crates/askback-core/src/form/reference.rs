//! Local references within a schema.
//!
//! Owns how `$ref` is followed inside one document (JSON pointers, anchors, the document's own `$id`) and the memory of what has been found
//! there. Nothing is ever fetched. Must not know what the target means.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use serde_json::Value;

use super::flatten::Flat;

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target<'a> {
    /// A place in the same document.
    Here(&'a Value),
    /// A place in the same document that does not exist.
    Nowhere,
    /// Another document.
    Outside,
}

/// A schema document in which references are followed.
pub(super) struct Document<'a> {
    root: &'a Value,
    /// Made when the first anchor is asked for; most schemas have none.
    anchors: OnceCell<HashMap<&'a str, &'a Value>>,
    /// What has been flattened, by the place in the document.
    flats: RefCell<HashMap<*const Value, Flat<'a>>>,
}

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Document { root, anchors: OnceCell::new(), flats: RefCell::default() }
    }

    /// Follows `reference` within this document.
    pub(super) fn follow(&self, reference: &str) -> Target<'a> {
        let fragment = match reference.strip_prefix('#') {
            Some(fragment) => fragment,
            None => match self.own_fragment(reference) {
                Some(fragment) => fragment,
                None => return Target::Outside,
            },
        };
        let found = if fragment.is_empty() {
            Some(self.root)
        } else if fragment.starts_with('/') {
            percent_decoded(fragment).and_then(|pointer| self.root.pointer(&pointer))
        } else {
            self.anchors.get_or_init(|| collect_anchors(self.root)).get(fragment).copied()
        };
        found.map_or(Target::Nowhere, Target::Here)
    }

    /// What was remembered of a place.
    pub(super) fn flattened(&self, place: &'a Value) -> Option<Flat<'a>> {
        self.flats.borrow().get(&std::ptr::from_ref(place)).cloned()
    }

    /// Remembers what a place is when flattened.
    pub(super) fn remember(&self, place: &'a Value, flat: Flat<'a>) {
        self.flats.borrow_mut().insert(place, flat);
    }

    /// The fragment of a reference that names this very document by its `$id`.
    fn own_fragment<'r>(&self, reference: &'r str) -> Option<&'r str> {
        let own = self.root.get("$id").or_else(|| self.root.get("id"))?.as_str()?.trim_end_matches('#');
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        (!own.is_empty() && document == own).then_some(fragment)
    }
}

fn collect_anchors(root: &Value) -> HashMap<&str, &Value> {
    let mut anchors = HashMap::new();
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                let text = |key: &str| map.get(key).and_then(Value::as_str);
                let name = text("$anchor").or_else(|| text("$dynamicAnchor"));
                if let Some(name) = name.or_else(|| text("$id").and_then(|id| id.strip_prefix('#'))) {
                    anchors.entry(name).or_insert(value);
                }
                open.extend(map.values());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    anchors
}

/// A fragment is part of a URI, so a pointer in it may be percent-encoded on top of its own escapes.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'%'
            && let Some(hex) = tail.get(..2)
            && let Some(byte) = std::str::from_utf8(hex).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok())
        {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Document, Target};

    #[test]
    fn e10_local_references_are_followed_and_others_are_not() {
        let root = json!({
            "$id": "https://own.example/s.json",
            "$defs": {"a/b": 1, "c~d": 2, "e f": 3, "键": 4, "n": {"$anchor": "here"}},
            "list": [{"x": 5}]
        });
        let check = |reference: &str, found: Option<Value>| {
            let expected = found.as_ref().map_or(Target::Nowhere, Target::Here);
            assert_eq!(Document::new(&root).follow(reference), expected, "{reference}");
        };
        check("#", Some(root.clone()));
        check("#/$defs/a~1b", Some(json!(1)));
        check("#/$defs/c~0d", Some(json!(2)));
        check("#/$defs/e%20f", Some(json!(3)));
        check("#/$defs/%E9%94%AE", Some(json!(4)));
        check("#/$defs/键", Some(json!(4)));
        check("#here", Some(json!({"$anchor": "here"})));
        check("#/list/0/x", Some(json!(5)));
        check("https://own.example/s.json#/list/0/x", Some(json!(5)));
        check("#/$defs/missing", None);
        check("#nope", None);
        for outside in ["https://schemas.example/x.json", "other.json", "file:///etc/passwd", "urn:x", "//h/x", ""] {
            assert_eq!(Document::new(&root).follow(outside), Target::Outside, "{outside}");
        }
    }
}
