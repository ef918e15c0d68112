//! The tools of a request, as providers want them.
//!
//! They are written here and put into the request as they are: `genai` takes some names (`web_search`, `codeExecution`) for tools of the
//! provider's own, and a server must not be able to switch one of those on. Only Ollama's go through `genai`, which has no such names there.

use askback_core::sampling::{SamplingRequest, SamplingTool, ToolChoice};
use genai::chat::{Tool, ToolName};
use serde_json::{Value, json};

use crate::error::{ModelError, Unsupported};
use crate::settings::{ModelSettings, Provider};

/// The tools that a request offers to its model.
///
/// # Errors
/// [`ModelError::Unsupported`] when the model takes none.
pub(crate) fn offered<'a>(
    request: &'a SamplingRequest,
    settings: &ModelSettings,
) -> Result<&'a [SamplingTool], ModelError> {
    if !request.tools.is_empty() && !settings.takes.tools {
        return Err(ModelError::Unsupported(Unsupported::Tools));
    }
    // Ollama has no word for the choice, so a model that may call no tool is told of none.
    let untold = request.tool_choice == ToolChoice::None && settings.provider == Provider::Ollama;
    Ok(if untold { &[] } else { &request.tools })
}

/// The value of the provider's parameter `tools`, if it gets any in this way.
pub(crate) fn parameter(tools: &[SamplingTool], provider: Provider) -> Option<Value> {
    if tools.is_empty() || provider == Provider::Ollama {
        return None;
    }
    let tools: Vec<Value> = tools.iter().map(|tool| one(tool, provider)).collect();
    Some(match provider {
        Provider::Gemini => json!([{"functionDeclarations": tools}]),
        _ => Value::Array(tools),
    })
}

/// The tools in the words of `genai`, for the provider that gets them in this way.
pub(crate) fn through_genai(tools: &[SamplingTool], provider: Provider) -> Option<Vec<Tool>> {
    let tool = |tool: &SamplingTool| {
        Tool::new(ToolName::Custom(tool.name.clone()))
            .with_description(description(tool))
            .with_schema(tool.input_schema.clone())
    };
    (provider == Provider::Ollama && !tools.is_empty()).then(|| tools.iter().map(tool).collect())
}

/// The choice for the provider; without tools there is none.
pub(crate) fn tool_choice(request: &SamplingRequest) -> Option<genai::chat::ToolChoice> {
    (!request.tools.is_empty()).then_some(match request.tool_choice {
        ToolChoice::Auto => genai::chat::ToolChoice::Auto,
        ToolChoice::Required => genai::chat::ToolChoice::Required,
        ToolChoice::None => genai::chat::ToolChoice::None,
    })
}

/// Some endpoints refuse a tool without one.
fn description(tool: &SamplingTool) -> &str {
    tool.description.as_ref().unwrap_or(&tool.name)
}

fn one(tool: &SamplingTool, provider: Provider) -> Value {
    let name = &tool.name;
    let description = description(tool);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_providers_own_tools_stay_functions() {
        for name in ["web_search", "googleSearch", "codeExecution", "urlContext"] {
            let schema = json!({"type": "object", "$defs": {}});
            let tool = SamplingTool { name: name.into(), description: None, input_schema: schema.clone() };
            let sent = |provider| parameter(std::slice::from_ref(&tool), provider).expect("tools");
            let function = json!({"name": name, "description": name, "parameters": schema});
            assert_eq!(sent(Provider::OpenAi), json!([{"type": "function", "function": function}]));
            let anthropic = json!([{"name": name, "description": name, "input_schema": schema}]);
            assert_eq!(sent(Provider::Anthropic), anthropic);
            let gemini = json!({"name": name, "description": name, "parametersJsonSchema": schema});
            assert_eq!(sent(Provider::Gemini), json!([{"functionDeclarations": [gemini]}]));
            let ollama = through_genai(std::slice::from_ref(&tool), Provider::Ollama).expect("tools");
            assert_eq!((&ollama[0].name, &ollama[0].schema), (&ToolName::Custom(name.into()), &Some(schema)));
        }
    }

    #[test]
    fn without_tools_nothing_is_sent() {
        for provider in Provider::ALL {
            assert_eq!(parameter(&[], provider), None);
            assert!(through_genai(&[], provider).is_none());
        }
    }
}
