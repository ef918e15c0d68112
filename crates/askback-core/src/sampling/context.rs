//! `includeContext`: what a server gets added to its request where the user lets it.
//!
//! Owns what that is: the server's own instructions and the call that it is at work on. Nothing of another server is in it, whatever the request
//! asks for. It becomes a part of the system prompt, so that the person sees it where everything else is, and may edit it.

use super::SamplingRequest;
use crate::call::Operation;

/// How much of the instructions, and of the arguments of a call, is added at most, in bytes.
const MOST: usize = 8 * 1024;

impl SamplingRequest {
    /// Adds the context that the request asks for, if it asks for any and there is any.
    pub fn add_context(&mut self, instructions: Option<&str>, operation: Option<&Operation>) {
        if self.include_context.is_none() || self.has_context {
            return;
        }
        let mut parts = Vec::new();
        if let Some(instructions) = instructions.map(str::trim).filter(|instructions| !instructions.is_empty()) {
            parts.push(format!("The server says of itself:\n{}", beginning(instructions)));
        }
        match operation {
            Some(Operation::Tool { name, arguments } | Operation::Prompt { name, arguments }) => {
                let arguments = serde_json::Value::Object(arguments.clone()).to_string();
                parts.push(format!("It was called as {name} with {}", beginning(&arguments)));
            }
            Some(Operation::Resource { uri }) => parts.push(format!("It was asked for {uri}")),
            None => {}
        }
        if parts.is_empty() {
            return;
        }
        let context = format!("[Context of the server, added by Askback]\n{}", parts.join("\n\n"));
        self.system_prompt = Some(match self.system_prompt.take().filter(|prompt| !prompt.is_empty()) {
            Some(prompt) => format!("{prompt}\n\n{context}"),
            None => context,
        });
        self.has_context = true;
    }
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(include: Option<&str>, instructions: Option<&str>, operation: Option<&Operation>, expected: Option<&str>) {
        let params = json!({
            "maxTokens": 5, "systemPrompt": "Be brief.", "includeContext": include.unwrap_or("none"),
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Sun?" } }]
        });
        let (mut request, _) = SamplingRequest::read(&params).expect("it is right");
        request.add_context(instructions, operation);
        let added = expected.map(|added| format!("Be brief.\n\n[Context of the server, added by Askback]\n{added}"));
        assert_eq!(request.system_prompt, Some(added.unwrap_or_else(|| "Be brief.".to_owned())));
        assert_eq!(request.has_context, expected.is_some());
    }

    #[test]
    fn s14_only_context_of_the_server_itself_is_added() {
        let arguments = json!({ "city": "Lisbon" }).as_object().cloned().unwrap_or_default();
        let call = Operation::Tool { name: "sun".to_owned(), arguments };
        let called = "It was called as sun with {\"city\":\"Lisbon\"}";
        check(None, Some("I know the weather."), Some(&call), None);
        check(Some("thisServer"), None, None, None);
        check(Some("allServers"), None, Some(&call), Some(called));
        let both = format!("The server says of itself:\nI know the weather.\n\n{called}");
        check(Some("thisServer"), Some("I know the weather."), Some(&call), Some(&both));
    }

    #[test]
    fn it_is_bounded_and_added_once() {
        let long = "é".repeat(MOST);
        let expected = format!("The server says of itself:\n{}", "é".repeat(MOST / 2));
        check(Some("thisServer"), Some(&long), None, Some(&expected));
        let params = json!({
            "maxTokens": 5, "includeContext": "thisServer",
            "messages": [{ "role": "user", "content": { "type": "text", "text": "Sun?" } }]
        });
        let (mut request, _) = SamplingRequest::read(&params).expect("it is right");
        request.add_context(Some("Hello."), None);
        let once = request.clone();
        request.add_context(Some("Hello."), None);
        assert_eq!(request, once);
    }
}
