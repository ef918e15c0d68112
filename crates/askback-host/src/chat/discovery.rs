//! Two tools of ours in the place of many: find tools, and describe one, which adds it to what the model is told of.
//!
//! Owns when that is done, the definitions, and the search. The model's context is the person's money, and definitions that nobody needs
//! stand in it with every request.

use askback_core::sampling::estimate::Estimate;
use askback_core::sampling::{SamplingRequest, SamplingTool, ToolChoice};
use serde_json::{Map, Value, json};

use super::toolbox::{ChatTool, Toolbox};

/// The tokens that all definitions may have where the model's context is not known.
const FEW_TOKENS: u64 = 8_000;
/// How many tools a search tells of.
const MOST_FOUND: usize = 10;
/// How many characters of a description a search shows.
const SHOWN: usize = 160;

pub(super) const SEARCH: &str = "find_tools";
pub(super) const DESCRIBE: &str = "describe_tool";

/// Whether there are too many tools to tell the model of each: more than the share (0 to 1) of its context, in tokens.
pub(super) fn is_needed(toolbox: &Toolbox, context: Option<u64>, share: f64) -> bool {
    let definitions = SamplingRequest {
        system_prompt: None,
        messages: Vec::new(),
        max_tokens: 0,
        tools: toolbox.definitions(),
        tool_choice: ToolChoice::Auto,
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        temperature: None,
        stop_sequences: Vec::new(),
        include_context: None,
        metadata: None,
        has_context: false,
    };
    let most = context.map_or(FEW_TOKENS as f64, |context| context as f64 * share);
    Estimate::of(&definitions).input as f64 > most
}

/// The definitions of our two tools.
pub(super) fn definitions() -> Vec<SamplingTool> {
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| SamplingTool {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        input_schema: json!({"type": "object", "properties": properties, "required": required}),
    };
    let name = json!({"type": "string", "description": "The name of the tool, as find_tools gives it"});
    vec![
        tool(
            SEARCH,
            "Finds tools by words in their names and descriptions. Without words it tells of the first tools there are.",
            json!({"query": {"type": "string", "description": "Words, in the language of the tools"}}),
            &[],
        ),
        tool(
            DESCRIBE,
            "Gives the definition of a tool, with the schema of its arguments. After that it can be called.",
            json!({"name": name}),
            &["name"],
        ),
    ]
}

/// What a search finds, best first.
pub(super) fn search(toolbox: &Toolbox, input: &Map<String, Value>) -> String {
    let query = input.get("query").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let words = words(&query);
    let mut found: Vec<(u32, &str, &ChatTool)> =
        toolbox.iter().map(|(name, tool)| (score(name, tool, &words), name, tool)).collect();
    if !words.is_empty() {
        found.retain(|(score, ..)| *score > 0);
    }
    // Stable: equals stay in the order of the servers.
    found.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
    let shown: Vec<Value> = found
        .iter()
        .take(MOST_FOUND)
        .map(|(_, name, tool)| {
            let description = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
            let first: String = description.chars().take(SHOWN).collect();
            json!({"name": name, "description": first})
        })
        .collect();
    let more = found.len() - shown.len();
    json!({"tools": shown, "more": more, "of": toolbox.len()}).to_string()
}

/// The definition of a tool, and the same as text, if there is one of this name.
pub(super) fn describe(toolbox: &Toolbox, input: &Map<String, Value>) -> Option<(SamplingTool, String)> {
    let name = input.get("name").and_then(Value::as_str)?;
    let tool = toolbox.get(name)?;
    let text = json!({
        "name": name,
        "server": tool.server.as_str(),
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    });
    Some((tool.definition(name), text.to_string()))
}

/// The words of a query. In scripts without spaces each pair of characters is one.
fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let characters: Vec<char> = word.chars().collect();
        if word.is_ascii() || characters.len() < 3 {
            words.push(word.to_owned());
        } else {
            words.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
    words
}

fn score(name: &str, tool: &ChatTool, words: &[String]) -> u32 {
    let name = name.to_lowercase();
    let title = tool.title.as_deref().unwrap_or_default().to_lowercase();
    let description = tool.description.as_deref().unwrap_or_default().to_lowercase();
    words
        .iter()
        .map(|word| {
            let places = [(&name, 4), (&title, 2), (&description, 1)];
            places.iter().filter(|(text, _)| text.contains(word.as_str())).map(|(_, weight)| weight).sum::<u32>()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::call::ServerName;

    fn toolbox(count: usize) -> Toolbox {
        let tool = |server: &str, listed: Value| ChatTool::read(&ServerName::new(server), &listed);
        let filler =
            (0..count).filter_map(|at| tool("bulk", json!({"name": format!("tool_{at}"), "description": "x"})));
        Toolbox::new(
            filler.chain(tool("travel", json!({"name": "book_vacation", "description": "Books a holiday"}))).chain(
                tool("travel", json!({"name": "find_best_flight", "description": "Finds flights. 预订最好的航班"})),
            ),
        )
    }

    #[track_caller]
    fn check(query: &str, first: &str) {
        let input = json!({"query": query}).as_object().cloned().unwrap_or_default();
        let found: Value = serde_json::from_str(&search(&toolbox(50), &input)).expect("it is JSON");
        assert_eq!(found["tools"][0]["name"], first, "{found}");
    }

    #[test]
    fn the_best_match_comes_first() {
        check("book a vacation", "travel__book_vacation");
        check("FLIGHTS", "travel__find_best_flight");
        check("holiday", "travel__book_vacation");
        check("帮我找航班", "travel__find_best_flight");
        check("", "bulk__tool_0");
    }

    #[test]
    fn what_is_not_shown_is_counted() {
        let found: Value = serde_json::from_str(&search(&toolbox(50), &Map::new())).expect("it is JSON");
        assert_eq!(found["tools"].as_array().map(Vec::len), Some(MOST_FOUND));
        assert_eq!((&found["more"], &found["of"]), (&json!(42), &json!(52)));
    }

    #[test]
    fn a_share_of_the_context_decides_or_a_fixed_number_of_tokens() {
        assert!(!is_needed(&toolbox(5), None, 0.1));
        assert!(is_needed(&toolbox(5), Some(500), 0.1));
        assert!(!is_needed(&toolbox(5), Some(500), 1.0));
        assert!(is_needed(&toolbox(1_000), None, 0.1));
        assert!(!is_needed(&toolbox(1_000), Some(1_000_000), 0.1));
    }
}
