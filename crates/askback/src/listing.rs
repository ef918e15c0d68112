//! One list of a server, over all its pages.
//!
//! Serves "Pagination" and the hints of "Caching". Must not know what is listed.

use std::time::Duration;

use askback_core::ServerName;
use askback_host::{Host, RequestError};
use serde_json::{Map, Value};

/// The most pages of one list that are asked for.
const MOST_PAGES: usize = 200;

/// The items of a list.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) items: Vec<Value>,
    /// For how many milliseconds all of it may be taken for fresh; 0 if one page does not say.
    pub(crate) fresh_ms: u64,
}

/// Asks for all pages of a list.
///
/// # Errors
/// Why a page did not come.
pub(crate) async fn all(
    host: &Host,
    server: &ServerName,
    method: &'static str,
    key: &str,
    limit: Duration,
) -> Result<Listing, RequestError> {
    let mut listing = Listing { items: Vec::new(), fresh_ms: u64::MAX };
    let mut cursor: Option<Value> = None;
    for _ in 0..MOST_PAGES {
        let mut params = Map::new();
        if let Some(cursor) = cursor.take() {
            params.insert("cursor".into(), cursor);
        }
        let page = host.request(server, method, params, limit).await?;
        listing.items.extend(page.get(key).and_then(Value::as_array).into_iter().flatten().cloned());
        // Not there, or negative, it counts as 0.
        listing.fresh_ms = listing.fresh_ms.min(page.get("ttlMs").and_then(Value::as_u64).unwrap_or(0));
        match page.get("nextCursor") {
            Some(next @ Value::String(_)) => cursor = Some(next.clone()),
            _ => break,
        }
    }
    Ok(listing)
}
