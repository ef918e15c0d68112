//! The input schemas of the tools, written short.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// An input schema of which every argument may be left out.
pub(crate) fn schema(properties: Value) -> JsonObject {
    schema_requiring(properties, &[])
}

/// An input schema with arguments that must be given.
pub(crate) fn schema_requiring(properties: Value, required: &[&str]) -> JsonObject {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}
