//! One page of a list as it came, and for how long and for whom it may be taken for the truth.
//!
//! Serves the hints of "Caching" of 2026-07-28. Nothing is kept here.

use serde_json::{Map, Value};

/// The lists that are read in pages, with the key of their items.
const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

/// Which page of which list a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageKey {
    /// The method that lists.
    pub method: String,
    /// Where the page begins; nothing for the first one.
    pub cursor: Option<String>,
}

impl PageKey {
    /// What a request asks for, if it asks for a page of a list.
    pub(super) fn of(method: &str, params: &Map<String, Value>) -> Option<PageKey> {
        LISTS.iter().any(|(list, _)| *list == method).then(|| PageKey {
            method: method.to_owned(),
            cursor: params.get("cursor").and_then(Value::as_str).map(str::to_owned),
        })
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Which one.
    pub key: PageKey,
    /// Its items, as sent; none where it is stale at once.
    pub items: Vec<Value>,
    /// Where the next page begins; nothing on the last one.
    pub next: Option<String>,
    /// For how many milliseconds it may be taken for fresh: 0 where the server does not say, or says nothing that makes sense.
    pub fresh_ms: u64,
    /// Whether it is the same for everybody. What is not said to be is not.
    pub is_public: bool,
}

impl Page {
    /// Reads the result of a request for a page; nothing where it is not final, for then it must not be kept.
    pub(super) fn read(key: PageKey, result: &Value) -> Option<Page> {
        if result.get("resultType").is_some_and(|kind| kind != "complete") {
            return None;
        }
        let fresh_ms = result.get("ttlMs").and_then(Value::as_u64).unwrap_or(0);
        let name = LISTS.iter().find(|(method, _)| *method == key.method).map_or("", |(_, name)| *name);
        let items = result.get(name).and_then(Value::as_array).filter(|_| fresh_ms > 0);
        Some(Page {
            items: items.cloned().unwrap_or_default(),
            next: result.get("nextCursor").and_then(Value::as_str).map(str::to_owned),
            fresh_ms,
            is_public: result.get("cacheScope").and_then(Value::as_str) == Some("public"),
            key,
        })
    }
}
