//! The tools of all servers of a chat, by the names that the model has for them.
//!
//! Owns the reading of listed tools and the names. Must not know which of them the model is told of.

use std::collections::BTreeMap;

use askback_core::call::ServerName;
use askback_core::sampling::SamplingTool;
use askback_desk::chat::EffectClaim;
use serde_json::{Value, json};

use super::caution::claim;
use super::tool_names::tool_name;

/// A tool of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatTool {
    /// What we call the server.
    pub server: ServerName,
    /// The tool's name, as the server lists it.
    pub name: String,
    /// Its title, in the server's words.
    pub title: Option<String>,
    /// What it does, in the server's words.
    pub description: Option<String>,
    /// The schema of its arguments.
    pub input_schema: Value,
    /// What the server says of its effects.
    pub claim: EffectClaim,
    /// As the server lists it. A consent that stands for always is for a tool that is listed like this.
    pub listed: Value,
}

impl ChatTool {
    /// Reads an item of `tools/list`; nothing when it has no name.
    pub fn read(server: &ServerName, listed: &Value) -> Option<ChatTool> {
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
        let annotations = listed.get("annotations");
        let schema = listed.get("inputSchema").filter(|schema| schema.is_object()).cloned();
        Some(ChatTool {
            server: server.clone(),
            name: text(listed.get("name"))?,
            title: text(listed.get("title")).or_else(|| text(annotations?.get("title"))),
            description: text(listed.get("description")),
            // Providers want an object with properties, and some servers send an empty one.
            input_schema: schema.map_or_else(|| json!({"type": "object", "properties": {}}), with_properties),
            claim: claim(annotations),
            listed: listed.clone(),
        })
    }

    /// As a model is told of it.
    pub(super) fn definition(&self, name: &str) -> SamplingTool {
        let description = self.description.clone().or_else(|| self.title.clone());
        SamplingTool { name: name.to_owned(), description, input_schema: self.input_schema.clone() }
    }
}

fn with_properties(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.entry("type").or_insert_with(|| json!("object"));
        object.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// All tools, by the model's names for them.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, ChatTool>,
    order: Vec<String>,
}

impl Toolbox {
    /// The tools in this order. Of two with the same name the first one counts: a server must not put itself in the place of another's tool.
    pub fn new(tools: impl IntoIterator<Item = ChatTool>) -> Toolbox {
        let mut toolbox = Toolbox::default();
        for tool in tools {
            let name = tool_name(tool.server.as_str(), &tool.name);
            if !toolbox.tools.contains_key(&name) {
                toolbox.order.push(name.clone());
                toolbox.tools.insert(name, tool);
            }
        }
        toolbox
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The tools with their names, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ChatTool)> {
        self.order.iter().filter_map(|name| Some((name.as_str(), self.tools.get(name)?)))
    }

    /// The tool of this name.
    pub(super) fn get(&self, name: &str) -> Option<&ChatTool> {
        self.tools.get(name)
    }

    /// All of them, as a model is told of them.
    pub(super) fn definitions(&self) -> Vec<SamplingTool> {
        self.iter().map(|(name, tool)| tool.definition(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_tool_is_read_tolerantly() {
        let server = ServerName::new("travel");
        let read = |listed: Value| ChatTool::read(&server, &listed);
        let tool = read(json!({"name": "x", "annotations": {"title": "X", "readOnlyHint": true}})).expect("a tool");
        assert_eq!((tool.title.as_deref(), tool.claim), (Some("X"), EffectClaim::ReadsOutside));
        assert_eq!(tool.input_schema, json!({"type": "object", "properties": {}}));
        let tool = read(json!({"name": "x", "inputSchema": {"type": "object", "required": ["a"]}})).expect("a tool");
        assert_eq!(tool.input_schema["properties"], json!({}));
        assert_eq!(read(json!({"name": ""})), None);
        assert_eq!(read(json!("x")), None);
    }

    #[test]
    fn the_first_of_two_tools_counts() {
        let tool = |description: &str| {
            let listed = json!({"name": "pay", "description": description});
            ChatTool::read(&ServerName::new("bank"), &listed).expect("a tool")
        };
        let toolbox = Toolbox::new([tool("first"), tool("second")]);
        assert_eq!(toolbox.len(), 1);
        assert_eq!(toolbox.get("bank__pay").and_then(|tool| tool.description.as_deref()), Some("first"));
    }
}
