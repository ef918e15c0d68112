//! A reply that is being written, and the one that is whole.
//!
//! Owns the joining of pieces and the last checks: content that is never empty, tool calls with ids of their own and inputs that are objects,
//! the tool choice kept. Must not know HTTP.

use std::collections::HashSet;

use askback_core::sampling::{Content, ReplyContent, SamplingReply, SamplingRequest, ToolChoice};
use serde_json::{Map, Value};

use crate::error::ModelError;
use crate::frames::Seen;
use crate::stop_reason::{MAX_TOKENS, TOOL_USE, stop_reason};

/// What has come of a reply so far, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Call { id: String, name: String, arguments: Value },
}

impl Draft {
    /// More text.
    pub(crate) fn text(&mut self, more: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push_str(more),
            _ => self.parts.push(Part::Text(more.to_owned())),
        }
    }

    /// A tool call. The last one with this id is replaced when `grows`: then the arguments are all that came so far. Says whether it is new.
    pub(crate) fn call(&mut self, id: &str, name: &str, arguments: Value, grows: bool) -> bool {
        if let Some(Part::Call { id: last, arguments: known, .. }) = self.parts.last_mut().filter(|_| grows)
            && last == id
        {
            *known = arguments;
            return false;
        }
        self.parts.push(Part::Call { id: id.to_owned(), name: name.to_owned(), arguments });
        true
    }

    /// The reply, once nothing more will come. `model` is the name to tell when the provider told none.
    ///
    /// # Errors
    /// [`ModelError::Unreadable`] for a tool call that is none, [`ModelError::NoToolCalled`] and [`ModelError::ToolNotAllowed`] when the
    /// tool choice was not kept.
    pub(crate) fn finish(
        mut self,
        seen: &Seen,
        request: &SamplingRequest,
        model: &str,
    ) -> Result<SamplingReply, ModelError> {
        if !seen.refusal.is_empty() {
            self.text(&seen.refusal);
        }
        for call in seen.calls.values() {
            self.call(&call.id, &call.name, Value::String(call.arguments.clone()), false);
        }
        let is_cut = stop_reason(seen.stop.as_deref(), false).as_deref() == Some(MAX_TOKENS);
        let mut ids = used_ids(request);
        let mut content = Vec::new();
        for part in self.parts {
            match part {
                Part::Text(text) if text.is_empty() => {}
                Part::Text(text) => content.push(ReplyContent::Text(text)),
                Part::Call { id, name, arguments } => match input(arguments) {
                    Some(input) => content.push(ReplyContent::ToolUse { id: unique(id, &mut ids), name, input }),
                    // The limit of tokens was reached within the call: half a call is none.
                    None if is_cut => {}
                    None => {
                        let detail = format!("the input for the tool {name:?} is not an object");
                        return Err(ModelError::Unreadable { detail });
                    }
                },
            }
        }
        let called = content.iter().find_map(|part| match part {
            ReplyContent::ToolUse { name, .. } => Some(name.clone()),
            _ => None,
        });
        let stop_reason = stop_reason(seen.stop.as_deref(), called.is_some());
        check_choice(request, called, stop_reason.as_deref())?;
        if content.is_empty() {
            content.push(ReplyContent::Text(String::new()));
        }
        Ok(SamplingReply { content, model: seen.model.clone().unwrap_or_else(|| model.to_owned()), stop_reason })
    }
}

/// Serves the specification's rules for `toolChoice`. A model that was stopped by something else had no chance to keep to it.
fn check_choice(
    request: &SamplingRequest,
    called: Option<String>,
    stop_reason: Option<&str>,
) -> Result<(), ModelError> {
    let allowed = !request.tools.is_empty() && request.tool_choice != ToolChoice::None;
    let required = allowed && request.tool_choice == ToolChoice::Required;
    match called {
        Some(name) if !allowed => Err(ModelError::ToolNotAllowed { name }),
        None if required && matches!(stop_reason, None | Some("endTurn" | TOOL_USE)) => Err(ModelError::NoToolCalled),
        _ => Ok(()),
    }
}

/// The input of a call; none at all is an empty one.
fn input(arguments: Value) -> Option<Map<String, Value>> {
    match arguments {
        Value::Object(input) => Some(input),
        Value::Null => Some(Map::new()),
        Value::String(text) if text.trim().is_empty() => Some(Map::new()),
        Value::String(text) => serde_json::from_str(&text).ok(),
        _ => None,
    }
}

fn used_ids(request: &SamplingRequest) -> HashSet<String> {
    let content = request.messages.iter().flat_map(|message| &message.content);
    content
        .filter_map(|content| match content {
            Content::ToolUse { id, .. } => Some(id.clone()),
            _ => None,
        })
        .collect()
}

/// An id that no other call of the conversation has: the server's results refer to calls by it, and not every provider gives ids.
fn unique(id: String, used: &mut HashSet<String>) -> String {
    let stem = if id.is_empty() { "call".to_owned() } else { id };
    let mut id = stem.clone();
    let mut number = 1;
    while !used.insert(id.clone()) {
        number += 1;
        id = format!("{stem}_{number}");
    }
    id
}

#[cfg(test)]
mod tests;
