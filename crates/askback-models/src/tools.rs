//! The tools of a request, as providers want them.
//!
//! They are written here and put into the request as they are: `genai` takes some names (`web_search`, `codeExecution`) for tools of the
//! provider's own, and a server must not be able to switch one of those on.

use askback_core::sampling::{SamplingRequest, SamplingTool, ToolChoice};
use serde_json::{Value, json};

use crate::error::{ModelError, Unsupported};
use crate::settings::{ModelSettings, Provider};

/// The value of the provider's parameter `tools`, if it gets any.
///
/// # Errors
/// [`ModelError::Unsupported`] when the model takes none.
pub(crate) fn tools(request: &SamplingRequest, settings: &ModelSettings) -> Result<Option<Value>, ModelError> {
    if request.tools.is_empty() {
        return Ok(None);
    }
    if !settings.takes.tools {
        return Err(ModelError::Unsupported(Unsupported::Tools));
    }
    // Ollama has no word for the choice, so a model that may call no tool is told of none.
    if request.tool_choice == ToolChoice::None && settings.provider == Provider::Ollama {
        return Ok(None);
    }
    let tools: Vec<Value> = request.tools.iter().map(|tool| one(tool, settings.provider)).collect();
    Ok(Some(match settings.provider {
        Provider::Gemini => json!([{"functionDeclarations": tools}]),
        _ => Value::Array(tools),
    }))
}

/// The choice for the provider; without tools there is none.
pub(crate) fn tool_choice(request: &SamplingRequest) -> Option<genai::chat::ToolChoice> {
    (!request.tools.is_empty()).then_some(match request.tool_choice {
        ToolChoice::Auto => genai::chat::ToolChoice::Auto,
        ToolChoice::Required => genai::chat::ToolChoice::Required,
        ToolChoice::None => genai::chat::ToolChoice::None,
    })
}

fn one(tool: &SamplingTool, provider: Provider) -> Value {
    let name = &tool.name;
    // Some endpoints refuse a tool without a description.
    let description = tool.description.as_ref().unwrap_or(name);
    let schema = &tool.input_schema;
    match provider {
        Provider::OpenAi | Provider::Ollama => {
            let function = json!({"name": name, "description": description, "parameters": schema});
            json!({"type": "function", "function": function})
        }
        Provider::Anthropic => json!({"name": name, "description": description, "input_schema": schema}),
        Provider::Gemini => json!({"name": name, "description": description, "parametersJsonSchema": schema}),
    }
}
