//! What a server did that the specification does not allow.

/// A breach of the protocol by a server, survived or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A stable name for the rule that was broken, in kebab-case, e.g. `noise-on-stdout`.
    pub rule: &'static str,
    /// What the server did, in English, quoting it where that helps; neutralised when it is shown.
    pub message: String,
}

impl Violation {
    /// A breach of `rule`.
    pub fn new(rule: &'static str, message: impl Into<String>) -> Self {
        Violation { rule, message: message.into() }
    }
}
