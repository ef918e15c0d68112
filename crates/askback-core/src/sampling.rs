//! Sampling: what a server wants of the user's model, and what may go back.
//!
//! Owns the request and reply as data, the checks that come before anyone is asked, which of the user's models is chosen and why, and
//! how much of them a server may have. Must not know providers.

use serde_json::{Map, Value};

pub mod budget;
pub mod choice;
mod context;
pub mod differences;
pub mod edit;
pub mod estimate;
pub mod families;
mod order;
mod read;
mod reply;

pub use order::{ModelOrder, RequestChanges};

/// A `sampling/createMessage` request, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingRequest {
    /// The system prompt the server wants.
    pub system_prompt: Option<String>,
    /// The messages, in order; never empty.
    pub messages: Vec<SamplingMessage>,
    /// The most tokens the reply may have; greater than zero.
    pub max_tokens: u64,
    /// Tools that the model may call.
    pub tools: Vec<SamplingTool>,
    /// Whether the model may, must or must not call tools.
    pub tool_choice: ToolChoice,
    /// Names or parts of names of models that the server would like, best first.
    pub model_hints: Vec<String>,
    /// How much cost matters to the server, 0 to 1.
    pub cost_priority: Option<f64>,
    /// How much speed matters to the server, 0 to 1.
    pub speed_priority: Option<f64>,
    /// How much intelligence matters to the server, 0 to 1.
    pub intelligence_priority: Option<f64>,
    /// Requested temperature.
    pub temperature: Option<f64>,
    /// Requested stop sequences.
    pub stop_sequences: Vec<String>,
    /// `includeContext` as sent, if it asks for anything.
    pub include_context: Option<String>,
    /// Whether it was added, at the end of the system prompt, because the user lets this server have it.
    pub has_context: bool,
    /// Metadata for the provider, as sent.
    pub metadata: Option<Value>,
}

/// One message of a sampling request.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said; never empty.
    pub content: Vec<Content>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `assistant`
    Assistant,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// An image.
    Image(Media),
    /// Sound.
    Audio(Media),
    /// The model wanted a tool called.
    ToolUse {
        /// The id that the result refers to.
        id: String,
        /// The tool.
        name: String,
        /// Its input.
        input: Map<String, Value>,
    },
    /// What a tool returned, shown as JSON.
    ToolResult {
        /// The id of the tool use.
        tool_use_id: String,
        /// The content, as sent.
        content: Value,
        /// Whether the tool failed.
        is_error: bool,
    },
}

/// An image or a sound, as the server sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// Its media type.
    pub mime_type: String,
    /// What it is, in Base64.
    pub data: String,
}

impl Media {
    /// How many bytes the Base64 text decodes to. Only used to tell people how much there is.
    pub fn size(&self) -> usize {
        let symbols = self.data.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').count();
        symbols / 4 * 3 + (symbols % 4) * 3 / 4
    }
}

/// A tool that the model may call while this request lasts.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingTool {
    /// Its name.
    pub name: String,
    /// What it does, in the server's words.
    pub description: Option<String>,
    /// The schema of its input.
    pub input_schema: Value,
}

/// Whether the model may, must or must not call tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model must call at least one tool.
    Required,
    /// The model must not call any.
    None,
}

impl ToolChoice {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolChoice::Auto => "auto",
            ToolChoice::Required => "required",
            ToolChoice::None => "none",
        }
    }
}

/// What goes back for a sampling request.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingReply {
    /// What the model, or the person in its place, said; never empty.
    pub content: Vec<ReplyContent>,
    /// The model that really wrote it; `manual` when the person did.
    pub model: String,
    /// Why it stopped, in the protocol's words where there is one; absent when not known.
    pub stop_reason: Option<String>,
}

/// A part of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplyContent {
    /// Text.
    Text(String),
    /// A tool call.
    ToolUse {
        /// An id that the server's result will refer to.
        id: String,
        /// The tool.
        name: String,
        /// Its input.
        input: Map<String, Value>,
    },
    /// A block given verbatim, as from an answer file (an image, say).
    Raw(Value),
}

/// The name under which the person's own replies go back.
pub const MANUAL_MODEL: &str = "manual";
