//! One list of a server, over all its pages.
//!
//! Serves "Pagination". Always asks: what is kept of lists is the host's business. Must not know what is listed.

use std::time::Duration;

use askback_core::ServerName;
use askback_host::{Host, RequestError};
use serde_json::{Map, Value};

/// The most pages of one list that are asked for.
const MOST_PAGES: usize = 200;

/// Asks for all pages of a list, and gives its items.
///
/// # Errors
/// Why a page did not come.
pub(crate) async fn all(
    host: &Host,
    server: &ServerName,
    method: &'static str,
    key: &str,
    limit: Duration,
) -> Result<Vec<Value>, RequestError> {
    let mut items = Vec::new();
    let mut cursor: Option<Value> = None;
    for _ in 0..MOST_PAGES {
        let mut params = Map::new();
        if let Some(cursor) = cursor.take() {
            params.insert("cursor".into(), cursor);
        }
        let page = host.request(server, method, params, limit).await?;
        items.extend(page.get(key).and_then(Value::as_array).into_iter().flatten().cloned());
        match page.get("nextCursor") {
            Some(next @ Value::String(_)) => cursor = Some(next.clone()),
            _ => break,
        }
    }
    Ok(items)
}
