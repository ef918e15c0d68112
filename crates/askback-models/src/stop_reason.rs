//! Why a model stopped: the providers' words and the protocol's.
//!
//! Serves `stopReason` of `CreateMessageResult`: an open list of words, where four are known.

/// The model finished.
pub(crate) const END_TURN: &str = "endTurn";
/// The limit of tokens was reached.
pub(crate) const MAX_TOKENS: &str = "maxTokens";
/// The model waits for the results of tools.
pub(crate) const TOOL_USE: &str = "toolUse";
/// A stop sequence was reached.
const STOP_SEQUENCE: &str = "stopSequence";

/// The protocol's word for a provider's; a word without one passes as it is, and none stays none.
///
/// Some providers call it a normal end when the model calls a tool (`calls_tools`).
pub(crate) fn stop_reason(said: Option<&str>, calls_tools: bool) -> Option<String> {
    let said = said?;
    let word = match said {
        "stop" | "end_turn" | "STOP" | "COMPLETE" | "completed" | "eos" if calls_tools => TOOL_USE,
        "stop" | "end_turn" | "STOP" | "COMPLETE" | "completed" | "eos" => END_TURN,
        "length" | "max_tokens" | "MAX_TOKENS" | "model_length" => MAX_TOKENS,
        "tool_calls" | "tool_use" | "function_call" => TOOL_USE,
        "stop_sequence" => STOP_SEQUENCE,
        other => other,
    };
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s03_known_words_are_the_protocol_s_and_others_pass() {
        let table: &[(Option<&str>, bool, Option<&str>)] = &[
            (Some("stop"), false, Some("endTurn")),
            (Some("end_turn"), false, Some("endTurn")),
            (Some("STOP"), false, Some("endTurn")),
            (Some("length"), false, Some("maxTokens")),
            (Some("max_tokens"), false, Some("maxTokens")),
            (Some("MAX_TOKENS"), true, Some("maxTokens")),
            (Some("tool_calls"), true, Some("toolUse")),
            (Some("tool_use"), true, Some("toolUse")),
            (Some("STOP"), true, Some("toolUse")),
            (Some("stop"), true, Some("toolUse")),
            (Some("stop_sequence"), false, Some("stopSequence")),
            (Some("content_filter"), false, Some("content_filter")),
            (Some("refusal"), false, Some("refusal")),
            (Some("SAFETY"), false, Some("SAFETY")),
            (Some("pause_turn"), false, Some("pause_turn")),
            (None, false, None),
            (None, true, None),
        ];
        for (said, calls_tools, expected) in table {
            assert_eq!(stop_reason(*said, *calls_tools).as_deref(), *expected, "{said:?}");
        }
    }
}
