//! How careful one has to be with a tool, by what its server says of it.
//!
//! Serves the annotations of tools: they are hints of the server, so all they can do here is to spare the person a question for a tool that is
//! said to change nothing.

use serde_json::Value;

/// What a tool's server says of its effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caution {
    /// It only reads: `readOnlyHint` is true, and nothing says otherwise.
    Reads,
    /// It may act, as every tool of which nothing is said.
    Acts,
    /// It may destroy: `destructiveHint` is true.
    Destroys,
}

impl Caution {
    /// What the `annotations` of a tool mean.
    pub fn of(annotations: Option<&Value>) -> Caution {
        let hint = |name: &str| annotations.and_then(|hints| hints.get(name)).and_then(Value::as_bool);
        match (hint("destructiveHint"), hint("readOnlyHint")) {
            (Some(true), _) => Caution::Destroys,
            (_, Some(true)) => Caution::Reads,
            _ => Caution::Acts,
        }
    }

    /// Whether one consent may stand for all calls of the session.
    pub fn may_be_remembered(self) -> bool {
        self == Caution::Reads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(annotations: Value, expected: Caution) {
        assert_eq!(Caution::of(Some(&annotations)), expected);
    }

    #[test]
    fn only_a_tool_that_surely_reads_is_trusted() {
        check(json!({"readOnlyHint": true}), Caution::Reads);
        check(json!({"readOnlyHint": true, "destructiveHint": false}), Caution::Reads);
        check(json!({"readOnlyHint": true, "destructiveHint": true}), Caution::Destroys);
        check(json!({"destructiveHint": true}), Caution::Destroys);
        check(json!({"destructiveHint": false}), Caution::Acts);
        check(json!({"readOnlyHint": "true"}), Caution::Acts);
        check(json!({}), Caution::Acts);
        check(json!(null), Caution::Acts);
        assert_eq!(Caution::of(None), Caution::Acts);
    }
}
