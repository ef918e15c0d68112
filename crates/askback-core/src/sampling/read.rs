//! From raw parameters to a sampling request, checked.
//!
//! Owns the rules of `sampling/createMessage`: roles, content, limits, and the balance of tool uses and results. Must not know which
//! capabilities were declared.

use serde_json::{Map, Value};

use super::{Content, Media, Role, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice};
use crate::ask::{AskProblem, AuthorNote};

impl SamplingRequest {
    /// Reads the parameters of `sampling/createMessage`, with what is worth telling the server's author.
    ///
    /// Advice that makes no sense (a priority beyond 0 to 1, a hint without a name) is put right or left out; whatever the model would be
    /// sent has to be right.
    ///
    /// # Errors
    /// `AskProblem::Invalid` with the path of the first thing that is wrong.
    pub fn read(params: &Value) -> Result<(SamplingRequest, Vec<AuthorNote>), AskProblem> {
        let Value::Object(params) = params else { return Err(invalid("params", "is not an object")) };
        let mut notes = Vec::new();
        let messages = read_messages(params.get("messages"), &mut notes)?;
        check_balance(&messages)?;
        let preferences = params.get("modelPreferences").and_then(Value::as_object);
        let preference = |name: &str| preferences.and_then(|preferences| preferences.get(name));
        let priority = |name: &str| preference(name).and_then(Value::as_f64).map(|value| value.clamp(0.0, 1.0));
        let request = SamplingRequest {
            system_prompt: optional(params, "systemPrompt", "a string", |value| value.as_str().map(str::to_owned))?,
            max_tokens: read_max_tokens(params.get("maxTokens"))?,
            tools: read_tools(params.get("tools"))?,
            tool_choice: read_tool_choice(params.get("toolChoice"))?,
            model_hints: preference("hints").map(read_hints).unwrap_or_default(),
            cost_priority: priority("costPriority"),
            speed_priority: priority("speedPriority"),
            intelligence_priority: priority("intelligencePriority"),
            temperature: optional(params, "temperature", "a number", Value::as_f64)?,
            stop_sequences: optional(params, "stopSequences", "a list of strings", strings)?.unwrap_or_default(),
            include_context: optional(params, "includeContext", "a string", |value| value.as_str().map(str::to_owned))?
                .filter(|context| context != "none"),
            has_context: false,
            metadata: params.get("metadata").filter(|metadata| !metadata.is_null()).cloned(),
            messages,
        };
        Ok((request, notes))
    }
}

fn read_messages(messages: Option<&Value>, notes: &mut Vec<AuthorNote>) -> Result<Vec<SamplingMessage>, AskProblem> {
    let path = "params.messages";
    let messages = messages.ok_or_else(|| invalid(path, "is missing"))?;
    let messages = messages.as_array().ok_or_else(|| invalid(path, "is not a list"))?;
    if messages.is_empty() {
        return Err(invalid(path, "is empty"));
    }
    messages
        .iter()
        .enumerate()
        .map(|(index, message)| read_message(message, &format!("{path}[{index}]"), notes))
        .collect()
}

fn read_message(message: &Value, path: &str, notes: &mut Vec<AuthorNote>) -> Result<SamplingMessage, AskProblem> {
    let message = message.as_object().ok_or_else(|| invalid(path, "is not an object"))?;
    let role = match message.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some(other) => {
            return Err(invalid(&format!("{path}.role"), format!("is {other:?}, and only user and assistant exist")));
        }
        None => return Err(invalid(&format!("{path}.role"), "is missing or not a string")),
    };
    let path = format!("{path}.content");
    let content = match message.get("content") {
        Some(Value::String(text)) => {
            let note = AuthorNote::OldDialect {
                found: "content as a bare string".into(),
                instead: "content as a block: {\"type\": \"text\", \"text\": …}".into(),
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
            vec![Content::Text(text.clone())]
        }
        Some(block @ Value::Object(_)) => vec![read_block(block, &path)?],
        Some(Value::Array(blocks)) if blocks.is_empty() => return Err(invalid(&path, "is empty")),
        Some(Value::Array(blocks)) => blocks
            .iter()
            .enumerate()
            .map(|(index, block)| read_block(block, &format!("{path}[{index}]")))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(invalid(&path, "is neither a content block nor a list of them")),
        None => return Err(invalid(&path, "is missing")),
    };
    Ok(SamplingMessage { role, content })
}

fn read_block(block: &Value, path: &str) -> Result<Content, AskProblem> {
    let block = block.as_object().ok_or_else(|| invalid(path, "is not a content block"))?;
    let text = |name: &str| {
        let found = block.get(name).and_then(Value::as_str).map(str::to_owned);
        found.ok_or_else(|| invalid(&format!("{path}.{name}"), "is missing or not a string"))
    };
    match block.get("type").and_then(Value::as_str) {
        Some("text") => Ok(Content::Text(text("text")?)),
        Some("image") => Ok(Content::Image(Media { data: text("data")?, mime_type: text("mimeType")? })),
        Some("audio") => Ok(Content::Audio(Media { data: text("data")?, mime_type: text("mimeType")? })),
        Some("tool_use") => {
            let input = match block.get("input") {
                Some(Value::Object(input)) => input.clone(),
                _ => return Err(invalid(&format!("{path}.input"), "is missing or not an object")),
            };
            Ok(Content::ToolUse { id: text("id")?, name: text("name")?, input })
        }
        Some("tool_result") => {
            let content = block.get("content").cloned();
            let content = content.ok_or_else(|| invalid(&format!("{path}.content"), "is missing"))?;
            let is_error = block.get("isError").and_then(Value::as_bool).unwrap_or(false);
            Ok(Content::ToolResult { tool_use_id: text("toolUseId")?, content, is_error })
        }
        Some(other) => Err(invalid(
            &format!("{path}.type"),
            format!("is {other:?}, and only text, image, audio, tool_use and tool_result exist"),
        )),
        None => Err(invalid(&format!("{path}.type"), "is missing or not a string")),
    }
}

/// Every assistant message with tool uses is followed by a user message of nothing but their results.
fn check_balance(messages: &[SamplingMessage]) -> Result<(), AskProblem> {
    let mut wanted: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let path = format!("params.messages[{index}]");
        let results = tool_results(message);
        if message.role == Role::Assistant && !results.is_empty() {
            return Err(invalid(&path, "has a tool_result, which only user messages may have"));
        }
        if !results.is_empty() && results.len() != message.content.len() {
            return Err(invalid(&path, "mixes tool results with other content"));
        }
        if !wanted.is_empty() && (message.role != Role::User || results.is_empty()) {
            return Err(invalid(&path, format!("comes before the tool result for {:?}", wanted[0])));
        }
        for id in &results {
            let Some(at) = wanted.iter().position(|wanted| wanted == id) else {
                return Err(invalid(
                    &path,
                    format!("has a tool result for {id:?}, which no tool use before it asks for"),
                ));
            };
            wanted.swap_remove(at);
        }
        if let Some(missing) = wanted.first() {
            return Err(invalid(&path, format!("lacks the tool result for {missing:?}")));
        }
        for block in &message.content {
            let Content::ToolUse { id, .. } = block else { continue };
            if message.role != Role::Assistant {
                return Err(invalid(&path, "has a tool_use, which only assistant messages may have"));
            }
            if wanted.contains(&id.as_str()) {
                return Err(invalid(&path, format!("uses the tool use id {id:?} twice")));
            }
            wanted.push(id);
        }
    }
    match wanted.first() {
        Some(missing) => Err(invalid("params.messages", format!("end without the tool result for {missing:?}"))),
        None => Ok(()),
    }
}

fn tool_results(message: &SamplingMessage) -> Vec<&str> {
    let mut ids = Vec::new();
    for block in &message.content {
        if let Content::ToolResult { tool_use_id, .. } = block {
            ids.push(tool_use_id.as_str());
        }
    }
    ids
}

fn read_max_tokens(max_tokens: Option<&Value>) -> Result<u64, AskProblem> {
    let path = "params.maxTokens";
    let number = match max_tokens {
        None | Some(Value::Null) => return Err(invalid(path, "is missing")),
        Some(Value::Number(number)) => number,
        Some(_) => return Err(invalid(path, "is not a number")),
    };
    if let Some(count) = number.as_u64().filter(|count| *count > 0) {
        return Ok(count);
    }
    match number.as_f64() {
        Some(float) if float <= 0.0 => Err(invalid(path, "is not greater than zero")),
        Some(float) if float.fract() != 0.0 => Err(invalid(path, "is not a whole number")),
        // JSON Schema counts 1000.0 among the integers; beyond 2^64 the cast stops at the greatest count, as does any budget.
        Some(float) => Ok(float as u64),
        None => Err(invalid(path, "is not a number")),
    }
}

fn read_tools(tools: Option<&Value>) -> Result<Vec<SamplingTool>, AskProblem> {
    let path = "params.tools";
    let tools = match tools {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(tools) => tools.as_array().ok_or_else(|| invalid(path, "is not a list"))?,
    };
    let mut read: Vec<SamplingTool> = Vec::with_capacity(tools.len());
    for (index, tool) in tools.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let tool = tool.as_object().ok_or_else(|| invalid(&path, "is not an object"))?;
        let name = tool.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| invalid(&format!("{path}.name"), "is missing, empty or not a string"))?;
        if read.iter().any(|known| known.name == name) {
            return Err(invalid(&format!("{path}.name"), format!("is {name:?}, as is that of a tool before it")));
        }
        let input_schema = tool.get("inputSchema").filter(|schema| schema.is_object()).cloned();
        let input_schema =
            input_schema.ok_or_else(|| invalid(&format!("{path}.inputSchema"), "is missing or not an object"))?;
        let description = tool.get("description").and_then(Value::as_str).map(str::to_owned);
        read.push(SamplingTool { name: name.to_owned(), description, input_schema });
    }
    Ok(read)
}

fn read_tool_choice(choice: Option<&Value>) -> Result<ToolChoice, AskProblem> {
    let choice = match choice {
        None | Some(Value::Null) => return Ok(ToolChoice::Auto),
        Some(choice) => choice.as_object().ok_or_else(|| invalid("params.toolChoice", "is not an object"))?,
    };
    let path = "params.toolChoice.mode";
    match choice.get("mode") {
        None | Some(Value::Null) => Ok(ToolChoice::Auto),
        Some(Value::String(mode)) => match mode.as_str() {
            "auto" => Ok(ToolChoice::Auto),
            "required" => Ok(ToolChoice::Required),
            "none" => Ok(ToolChoice::None),
            other => Err(invalid(path, format!("is {other:?}, and only auto, required and none exist"))),
        },
        Some(_) => Err(invalid(path, "is not a string")),
    }
}

fn read_hints(hints: &Value) -> Vec<String> {
    let name = |hint: &Value| {
        hint.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty()).map(str::to_owned)
    };
    hints.as_array().into_iter().flatten().filter_map(name).collect()
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// A parameter that may be absent (or null, as some libraries write absence), but not of another type.
fn optional<T>(
    params: &Map<String, Value>,
    name: &str,
    wanted: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, AskProblem> {
    match params.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            read(value).map(Some).ok_or_else(|| invalid(&format!("params.{name}"), format!("is not {wanted}")))
        }
    }
}

fn invalid(path: &str, what: impl Into<String>) -> AskProblem {
    AskProblem::Invalid { path: path.to_owned(), what: what.into() }
}

#[cfg(test)]
mod balance_tests;
#[cfg(test)]
mod tests;
