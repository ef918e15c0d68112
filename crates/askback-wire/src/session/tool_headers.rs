//! Tools whose parameters are repeated in header fields: learning them from the server's list before a call needs them.
//!
//! Serves "Client Behavior" of the Streamable HTTP page of 2026-07-28. Over other transports none of this happens.

use std::collections::BTreeMap;

use askback_core::call::{CallId, Operation};
use askback_core::engine::{Continuation, ServerError};
use askback_core::violation::Violation;
use serde_json::{Map, Value};

use super::{Page, PageKey, Pending, Received, Session, server_error};
use crate::event::Event;
use crate::handshake::HEADER_MISMATCH;
use crate::http::mirrored::{self, InvalidTool, ParamHeaders};
use crate::jsonrpc::ErrorObject;
use crate::outgoing::{Outgoing, Role};

/// How many pages of a server's list are read to find one tool.
const PAGES: u32 = 50;
/// How many tools are remembered.
const REMEMBERED: usize = 10_000;

/// What is known of a server's tools.
#[derive(Debug, Default)]
pub(super) struct ToolHeaders {
    known: BTreeMap<String, Result<ParamHeaders, InvalidTool>>,
    /// Tools that were looked for and are not in the list.
    unlisted: std::collections::BTreeSet<String>,
    /// Calls in flight that may have to be sent once more.
    sent: BTreeMap<u64, Postponed>,
}

/// A call that waits for the list of tools.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Postponed {
    pub(super) call: CallId,
    operation: Operation,
    continuation: Option<Continuation>,
    /// What the server said to the call when it was sent without the right header fields.
    refused: Option<ServerError>,
    pages: u32,
    /// Where the page begins that is waited for; nothing for the first one.
    cursor: Option<String>,
}

impl Session {
    /// The message to send for a call, over a transport where header fields repeat the body: the call, or the list that it needs first.
    pub(super) fn call_with_headers(
        &mut self,
        call: CallId,
        operation: &Operation,
        continuation: Option<&Continuation>,
    ) -> Result<Outgoing, Violation> {
        let postponed = |operation: &Operation| Postponed {
            call,
            operation: operation.clone(),
            continuation: continuation.cloned(),
            refused: None,
            pages: 0,
            cursor: None,
        };
        let Some(tools) = &mut self.tool_headers else { return Ok(self.send_call(call, operation, continuation)) };
        let Some(name) = operation.tool() else { return Ok(self.send_call(call, operation, continuation)) };
        match tools.known.get(name) {
            Some(Err(invalid)) => Err(Violation::new("x-mcp-header", invalid.to_string())),
            None if !tools.unlisted.contains(name) => Ok(self.list_for(postponed(operation), None)),
            Some(Ok(_)) | None => {
                let kept = postponed(operation);
                let message = self.send_call(call, operation, continuation);
                if let (Some(id), Some(tools)) = (message.request_id(), &mut self.tool_headers) {
                    tools.sent.insert(id, kept);
                }
                Ok(message)
            }
        }
    }

    fn list_for(&mut self, postponed: Postponed, cursor: Option<String>) -> Outgoing {
        let postponed = Postponed { cursor, ..postponed };
        let mut params = Map::new();
        if let Some(cursor) = &postponed.cursor {
            params.insert("cursor".into(), Value::from(cursor.as_str()));
        }
        self.send(Pending::Listing(Box::new(postponed)), "tools/list", params, false)
    }

    /// The list came that a call waits for, or a page of it: the call goes out, or the next page is asked for.
    pub(super) fn listed(
        &mut self,
        postponed: Postponed,
        outcome: Result<Value, ErrorObject>,
        received: &mut Received,
    ) {
        let name = postponed.operation.tool().unwrap_or_default().to_owned();
        let pages = postponed.pages + 1;
        let mut next = None;
        if let Ok(mut result) = outcome {
            let key = PageKey { method: "tools/list".to_owned(), cursor: postponed.cursor.clone() };
            let page = Page::read(key, &result);
            next = page.as_ref().and_then(|page| page.next.clone());
            received.events.extend(page.map(Event::Listed));
            self.learn(&mut result, received);
        }
        let found = self.tool_headers.as_ref().is_some_and(|tools| tools.known.contains_key(&name));
        if let (Some(cursor), false) = (next.filter(|_| pages < PAGES), found) {
            let message = self.list_for(Postponed { pages, ..postponed }, Some(cursor));
            received.replies.push(message);
            return;
        }
        let call = postponed.call;
        if let Some(tools) = self.tool_headers.as_mut().filter(|_| !found) {
            if let Some(error) = postponed.refused {
                return received.events.push(Event::Errored { call, error });
            }
            // A server that lists nothing, or not this one, is called all the same: what it has is its own business.
            tools.unlisted.insert(name);
        }
        let refused_before = postponed.refused.is_some();
        match self.call_with_headers(call, &postponed.operation, postponed.continuation.as_ref()) {
            Ok(message) => {
                if let (true, Some(id), Some(tools)) = (refused_before, message.request_id(), &mut self.tool_headers) {
                    tools.sent.remove(&id);
                }
                received.replies.push(message);
            }
            Err(violation) => received.events.push(Event::Broke { call, violation }),
        }
    }

    /// A call was answered with an error: where header fields were missing or wrong, the list is read again and the call sent once more.
    /// The server has not acted: it refused the request for its form.
    pub(super) fn mismatched(&mut self, id: u64, error: &ErrorObject) -> Option<Outgoing> {
        let tools = self.tool_headers.as_mut()?;
        let postponed = tools.sent.remove(&id)?;
        if error.code != HEADER_MISMATCH {
            return None;
        }
        tools.known.remove(postponed.operation.tool()?);
        Some(self.list_for(Postponed { refused: Some(server_error(error.clone())), ..postponed }, None))
    }

    /// Whether a tool has to be looked up before it is called.
    pub fn looks_tools_up(&self) -> bool {
        self.tool_headers.is_some()
    }

    /// Takes in tools that were listed before and may still be taken for the truth, so that a call of one need not wait for the list.
    pub fn know_tools(&mut self, tools: Vec<Value>) {
        // What is wrong with them was told when they were listed.
        self.learn(&mut serde_json::json!({ "tools": tools }), &mut Received::default());
    }

    /// The tools are others now: what is known of them is asked for again before the next call, and not earlier.
    pub(super) fn forget_tools(&mut self) {
        if let Some(tools) = &mut self.tool_headers {
            tools.known.clear();
            tools.unlisted.clear();
        }
    }

    pub(super) fn forget_sent(&mut self, id: u64) {
        if let Some(tools) = &mut self.tool_headers {
            tools.sent.remove(&id);
        }
    }

    /// Takes in a list of tools, and takes out of it those that cannot be used.
    pub(super) fn learn(&mut self, result: &mut Value, received: &mut Received) {
        let Some(tools) = &mut self.tool_headers else { return };
        let Some(Value::Array(listed)) = result.get_mut("tools") else { return };
        listed.retain(|tool| {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { return true };
            let headers = ParamHeaders::of_tool(tool);
            if let Err(invalid) = &headers {
                received.events.push(Event::Violated(Violation::new("x-mcp-header", invalid.to_string())));
            }
            let usable = headers.is_ok();
            if tools.known.len() < REMEMBERED || tools.known.contains_key(name) {
                tools.known.insert(name.to_owned(), headers);
            }
            tools.unlisted.remove(name);
            usable
        });
    }

    /// The header fields that repeat the body of a request; none over other transports.
    pub(super) fn header_fields(&self, method: &str, params: &Map<String, Value>) -> Vec<(String, String)> {
        let Some(tools) = &self.tool_headers else { return Vec::new() };
        let mut fields = mirrored::standard(method, params);
        if method == "tools/call"
            && let Some(Ok(headers)) = params.get("name").and_then(Value::as_str).and_then(|name| tools.known.get(name))
            && let Some(Value::Object(arguments)) = params.get("arguments")
        {
            fields.extend(headers.fields(arguments));
        }
        fields
    }
}

impl Outgoing {
    pub(crate) fn with_headers(mut self, fields: Vec<(String, String)>) -> Outgoing {
        if let Role::Request { headers, .. } = &mut self.role {
            *headers = fields;
        }
        self
    }
}
