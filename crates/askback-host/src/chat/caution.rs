//! How careful one has to be with a tool, by what its server says of it.
//!
//! Serves the annotations of tools: they are hints of the server, so all they can do is to make a question more urgent, or, where the user's
//! configuration takes this server's word, to spare it.

use askback_desk::chat::EffectClaim;
use serde_json::Value;

/// What the `annotations` of a tool mean. What is not said is taken as the specification takes it: a tool acts, and deals with the world.
pub fn claim(annotations: Option<&Value>) -> EffectClaim {
    let hint = |name: &str| annotations.and_then(|hints| hints.get(name)).and_then(Value::as_bool);
    match (hint("destructiveHint"), hint("readOnlyHint"), hint("openWorldHint")) {
        (Some(true), ..) => EffectClaim::Destroys,
        (_, Some(true), Some(false)) => EffectClaim::Reads,
        (_, Some(true), _) => EffectClaim::ReadsOutside,
        _ => EffectClaim::Acts,
    }
}

/// Whether one consent may stand for later calls. What may destroy is asked about each time.
pub fn may_stand(claim: EffectClaim) -> bool {
    claim != EffectClaim::Destroys
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(annotations: Value, expected: EffectClaim) {
        assert_eq!(claim(Some(&annotations)), expected);
    }

    #[test]
    fn only_a_tool_that_surely_reads_is_said_to_read() {
        check(json!({"readOnlyHint": true, "openWorldHint": false}), EffectClaim::Reads);
        check(json!({"readOnlyHint": true}), EffectClaim::ReadsOutside);
        check(json!({"readOnlyHint": true, "openWorldHint": true}), EffectClaim::ReadsOutside);
        check(json!({"readOnlyHint": true, "openWorldHint": false, "destructiveHint": true}), EffectClaim::Destroys);
        check(json!({"destructiveHint": true}), EffectClaim::Destroys);
        check(json!({"destructiveHint": false}), EffectClaim::Acts);
        check(json!({"readOnlyHint": "true", "openWorldHint": false}), EffectClaim::Acts);
        check(json!({}), EffectClaim::Acts);
        check(json!(null), EffectClaim::Acts);
        assert_eq!(claim(None), EffectClaim::Acts);
    }
}
