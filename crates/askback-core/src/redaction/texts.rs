//! The texts of a request in which secrets may stand.
//!
//! Owns which texts these are. Whatever else is in a request stays as it is: names of tools, ids, roles, hints, and the Base64 of media.

use serde_json::{Map, Value};

use crate::sampling::{Content, SamplingRequest};

/// Where in a request a text stands. Indices count from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The system prompt.
    SystemPrompt,
    /// The text of a message.
    Text {
        /// Which message.
        message: usize,
        /// Which part of it.
        part: usize,
    },
    /// The input of a tool call.
    ToolInput {
        /// Which message.
        message: usize,
        /// Which part of it.
        part: usize,
    },
    /// What a tool returned.
    ToolResult {
        /// Which message.
        message: usize,
        /// Which part of it.
        part: usize,
    },
    /// The description or the schema of a tool.
    Tool {
        /// Its name.
        name: String,
    },
    /// A stop sequence.
    StopSequence,
    /// The metadata for the provider.
    Metadata,
}

/// Shows each text, with the name of the field of JSON that holds it, always in the same order.
pub(super) fn visit(request: &mut SamplingRequest, see: &mut dyn FnMut(&Place, Option<&str>, &mut String)) {
    if let Some(prompt) = &mut request.system_prompt {
        see(&Place::SystemPrompt, None, prompt);
    }
    for (message, content) in request.messages.iter_mut().enumerate() {
        for (part, content) in content.content.iter_mut().enumerate() {
            match content {
                Content::Text(text) => see(&Place::Text { message, part }, None, text),
                Content::Image(_) | Content::Audio(_) => {}
                Content::ToolUse { input, .. } => {
                    let place = Place::ToolInput { message, part };
                    visit_map(input, &mut |field, text| see(&place, field, text));
                }
                Content::ToolResult { content, .. } => {
                    let place = Place::ToolResult { message, part };
                    visit_value(content, None, &mut |field, text| see(&place, field, text));
                }
            }
        }
    }
    for tool in &mut request.tools {
        let place = Place::Tool { name: tool.name.clone() };
        if let Some(description) = &mut tool.description {
            see(&place, None, description);
        }
        // The names in a schema say what a field is for, and nothing about the words of the schema below them.
        visit_value(&mut tool.input_schema, None, &mut |_, text| see(&place, None, text));
    }
    for sequence in &mut request.stop_sequences {
        see(&Place::StopSequence, None, sequence);
    }
    if let Some(metadata) = &mut request.metadata {
        visit_value(metadata, None, &mut |field, text| see(&Place::Metadata, field, text));
    }
}

/// Shows each string of a value, and each key of its objects.
pub(super) fn visit_value(value: &mut Value, field: Option<&str>, see: &mut dyn FnMut(Option<&str>, &mut String)) {
    match value {
        Value::String(text) => see(field, text),
        Value::Array(items) => items.iter_mut().for_each(|item| visit_value(item, field, see)),
        Value::Object(members) => visit_map(members, see),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Shows each string of an object, and each of its keys.
pub(super) fn visit_map(members: &mut Map<String, Value>, see: &mut dyn FnMut(Option<&str>, &mut String)) {
    let is_media = members.contains_key("mimeType");
    let rebuilt = std::mem::take(members).into_iter().map(|(key, mut value)| {
        let is_data = is_media && matches!(key.as_str(), "data" | "blob");
        if !is_data {
            visit_value(&mut value, Some(&key), see);
        }
        let mut key = key;
        see(None, &mut key);
        (key, value)
    });
    *members = rebuilt.collect();
}
