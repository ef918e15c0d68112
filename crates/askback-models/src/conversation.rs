//! The messages of a sampling request as a conversation of `genai`.
//!
//! Owns what a provider can be told of the messages, in which shape, and the refusal of what it cannot: nothing is dropped here.
//! `genai` passes over parts that it has no place for, so every part that gets to it has one.

use askback_core::sampling::{Content, Media, Role, SamplingMessage, SamplingRequest};
use genai::chat::{ChatMessage, ChatRequest, ChatRole, ContentPart, MessageContent, ToolCall, ToolResponse};
use serde_json::Value;

use crate::error::{ModelError, Unsupported};
use crate::settings::{ModelSettings, Provider, Takes};
use crate::tool_result;

/// What is said for the user when the conversation begins with the assistant and the provider wants the user to begin.
const BEGINNING: &str = "(The conversation begins with the assistant.)";

/// The system prompt and the messages of a request. Its tools go another way; see [`crate::tools`].
///
/// # Errors
/// [`ModelError::Unsupported`], for whatever the model, its provider or both do not take.
pub(crate) fn conversation(request: &SamplingRequest, settings: &ModelSettings) -> Result<ChatRequest, ModelError> {
    let shape = Shape { provider: settings.provider, takes: settings.takes };
    let mut messages: Vec<ChatMessage> = Vec::new();
    for message in &request.messages {
        for (role, part) in shape.parts(message).map_err(ModelError::Unsupported)? {
            match messages.last_mut() {
                // Two messages in a row by the same side become one: most providers, or the templates of their models, want turns.
                Some(last) if last.role == role && shape.may_join(&role) => last.content.push(part),
                _ => messages.push(ChatMessage::new(role, MessageContent::from_parts(vec![part]))),
            }
        }
    }
    if shape.user_begins() && messages.first().is_some_and(|first| first.role == ChatRole::Assistant) {
        messages.insert(0, ChatMessage::user(BEGINNING));
    }
    if shape.provider == Provider::Ollama {
        messages.iter_mut().for_each(join_texts);
    }
    let mut chat = ChatRequest::new(messages);
    chat.system = request.system_prompt.clone().filter(|prompt| !prompt.is_empty());
    Ok(chat)
}

struct Shape {
    provider: Provider,
    takes: Takes,
}

impl Shape {
    fn parts(&self, message: &SamplingMessage) -> Result<Vec<(ChatRole, ContentPart)>, Unsupported> {
        message.content.iter().map(|content| self.part(message.role, content)).collect()
    }

    fn part(&self, role: Role, content: &Content) -> Result<(ChatRole, ContentPart), Unsupported> {
        let speaker = match role {
            Role::User => ChatRole::User,
            Role::Assistant => ChatRole::Assistant,
        };
        match (role, content) {
            (_, Content::Text(text)) => Ok((speaker, ContentPart::Text(text.clone()))),
            (Role::Assistant, Content::Image(_) | Content::Audio(_)) => Err(Unsupported::MediaOfAssistant),
            (Role::User, Content::Image(image)) => Ok((speaker, self.image(image)?)),
            (Role::User, Content::Audio(audio)) => Ok((speaker, self.audio(audio)?)),
            (Role::Assistant, Content::ToolUse { id, name, input }) => {
                let call = ToolCall {
                    call_id: id.clone(),
                    fn_name: name.clone(),
                    fn_arguments: Value::Object(input.clone()),
                    thought_signatures: None,
                };
                self.takes_tools()?;
                Ok((speaker, ContentPart::ToolCall(call)))
            }
            (Role::User, Content::ToolResult { tool_use_id, content, is_error }) => {
                self.takes_tools()?;
                if self.provider == Provider::Anthropic {
                    let block = tool_result::anthropic_block(tool_use_id, content, *is_error, self.takes.images)?;
                    return Ok((speaker, ContentPart::from_custom(block, None)));
                }
                let text = tool_result::text(content, *is_error)?;
                Ok((ChatRole::Tool, ContentPart::ToolResponse(ToolResponse::new(tool_use_id, text))))
            }
            (Role::User, Content::ToolUse { .. }) | (Role::Assistant, Content::ToolResult { .. }) => {
                Err(Unsupported::MisplacedTool)
            }
        }
    }

    /// Ollama has one tool result a message.
    fn may_join(&self, role: &ChatRole) -> bool {
        *role != ChatRole::Tool || self.provider != Provider::Ollama
    }

    fn user_begins(&self) -> bool {
        matches!(self.provider, Provider::Anthropic | Provider::Gemini)
    }

    fn takes_tools(&self) -> Result<(), Unsupported> {
        if self.takes.tools { Ok(()) } else { Err(Unsupported::Tools) }
    }

    fn image(&self, image: &Media) -> Result<ContentPart, Unsupported> {
        if !self.takes.images {
            return Err(Unsupported::Images);
        }
        let kind = media_type(image);
        if !kind.starts_with("image/") {
            return Err(Unsupported::MediaType(image.mime_type.clone()));
        }
        Ok(media(&kind, image))
    }

    fn audio(&self, audio: &Media) -> Result<ContentPart, Unsupported> {
        let provider_takes = matches!(self.provider, Provider::OpenAi | Provider::Gemini);
        if !self.takes.audio || !provider_takes {
            return Err(Unsupported::Audio);
        }
        let kind = media_type(audio);
        let sent = match (self.provider, kind.as_str()) {
            (Provider::Gemini, kind) if kind.starts_with("audio/") => kind,
            // OpenAI knows two formats, by their short names.
            (_, "audio/wav" | "audio/x-wav" | "audio/wave" | "audio/vnd.wave") => "audio/wav",
            (_, "audio/mpeg" | "audio/mp3") => "audio/mpeg",
            _ => return Err(Unsupported::MediaType(audio.mime_type.clone())),
        };
        Ok(media(sent, audio))
    }
}

/// Ollama's messages have one text each.
fn join_texts(message: &mut ChatMessage) {
    let content = std::mem::take(&mut message.content);
    let texts: Vec<String> = content.texts().into_iter().map(str::to_owned).collect();
    let mut parts: Vec<ContentPart> = content.into_parts();
    if texts.len() > 1 {
        parts.retain(|part| !part.is_text());
        parts.insert(0, ContentPart::Text(texts.join("\n\n")));
    }
    message.content = MessageContent::from_parts(parts);
}

/// The media type in small letters, without parameters.
fn media_type(media: &Media) -> String {
    let kind = media.mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "image/jpg" { "image/jpeg".to_owned() } else { kind }
}

fn media(kind: &str, media: &Media) -> ContentPart {
    // Base64 in lines is allowed to servers and refused by providers.
    let data: String = media.data.chars().filter(|character| !character.is_ascii_whitespace()).collect();
    ContentPart::from_binary_base64(kind, data, None)
}

#[cfg(test)]
mod tests;
