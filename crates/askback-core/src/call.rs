//! A call: the client's own request that may be interrupted by rounds.

use std::time::Duration;

use serde_json::{Map, Value};

/// The name that *we* know a server by: from configuration, or made from its command or URL. Never the server's own claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerName(String);

impl ServerName {
    /// A server by this name.
    pub fn new(name: impl Into<String>) -> Self {
        ServerName(name.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ServerName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Identifies one call within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u64);

/// Identifies one round within this process, or a call that waits for a person's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoundId(pub u64);

/// What a call does: one of the three requests that a server may interrupt.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// `tools/call`
    Tool {
        /// The tool's name, as the server lists it.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// `prompts/get`
    Prompt {
        /// The prompt's name, as the server lists it.
        name: String,
        /// Its arguments; the protocol has only strings here.
        arguments: Map<String, Value>,
    },
    /// `resources/read`
    Resource {
        /// The resource's URI.
        uri: String,
    },
}

impl Operation {
    /// The name a person would call this by: the tool, the prompt or the URI.
    pub fn subject(&self) -> &str {
        match self {
            Operation::Tool { name, .. } | Operation::Prompt { name, .. } => name,
            Operation::Resource { uri } => uri,
        }
    }

    /// The tool's name, where this is a tool call.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Operation::Tool { name, .. } => Some(name),
            Operation::Prompt { .. } | Operation::Resource { .. } => None,
        }
    }
}

/// How long a call may take. Time that people take counts for neither limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// For one request on the wire; starts anew with progress and with each further leg.
    pub leg: Duration,
    /// For the call from beginning to end, people's time left out.
    pub budget: Option<Duration>,
}

impl Default for TimeLimits {
    fn default() -> Self {
        TimeLimits { leg: Duration::from_secs(60), budget: None }
    }
}
