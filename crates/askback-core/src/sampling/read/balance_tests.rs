//! Conversations built in balance are accepted, and any step out of balance is refused.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::sampling::SamplingRequest;

/// One turn: words alone, or tools that are called (so many) with their results.
fn turns() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0_usize..4, 1..6)
}

/// The messages of such a conversation. Ids begin anew with every turn, as some servers number them.
fn conversation(turns: &[usize]) -> Vec<Value> {
    let words = json!({"type": "text", "text": "A"});
    let mut messages = Vec::new();
    for count in turns {
        if *count == 0 {
            messages.push(json!({"role": "user", "content": [words]}));
            continue;
        }
        let uses = (0..*count).map(|id| json!({"type": "tool_use", "id": id.to_string(), "name": "t", "input": {}}));
        let uses: Vec<Value> = std::iter::once(words.clone()).chain(uses).collect();
        messages.push(json!({"role": "assistant", "content": uses}));
        // In another order than they were asked for.
        let results = (0..*count).rev();
        let results = results.map(|id| json!({"type": "tool_result", "toolUseId": id.to_string(), "content": []}));
        messages.push(json!({"role": "user", "content": results.collect::<Vec<_>>()}));
    }
    messages
}

fn is_read(messages: &[Value]) -> bool {
    SamplingRequest::read(&json!({"messages": messages, "maxTokens": 5})).is_ok()
}

/// The messages that call tools, or bring their results.
fn about_tools(messages: &[Value]) -> Vec<usize> {
    let mentions = |message: &Value| message.to_string().contains("\"tool_");
    (0..messages.len()).filter(|index| mentions(&messages[*index])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn s06_whatever_is_balanced_is_read(turns in turns()) {
        prop_assert!(is_read(&conversation(&turns)));
    }

    #[test]
    fn s06_whatever_is_out_of_balance_is_refused(turns in turns(), any in any::<prop::sample::Index>(), step in 0_usize..6) {
        let mut messages = conversation(&turns);
        let tools = about_tools(&messages);
        prop_assume!(!tools.is_empty());
        let at = *any.get(&tools);
        match step {
            0 => drop(messages.remove(at)),
            1 => messages.insert(at, messages[at].clone()),
            2 => {
                let with = if messages[at]["role"] == "assistant" { at + 1 } else { at - 1 };
                messages.swap(at, with);
            }
            3 => {
                let content = messages[at]["content"].as_array_mut().unwrap();
                content.pop();
                if content.is_empty() {
                    content.push(json!({"type": "text", "text": "A"}));
                }
            }
            4 => {
                let last = messages[at]["content"].as_array_mut().unwrap().last_mut().unwrap();
                let name = if last["type"] == "tool_use" { "id" } else { "toolUseId" };
                last[name] = json!("other");
            }
            _ => {
                let other = if messages[at]["role"] == "user" { "assistant" } else { "user" };
                messages[at]["role"] = json!(other);
            }
        }
        prop_assert!(!is_read(&messages), "{:?}", messages);
    }
}
