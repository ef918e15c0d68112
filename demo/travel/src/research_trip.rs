//! Researching a trip: a language model that uses tools, over several rounds. Each round is one ask, with everything
//! that was said before.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::input_schema::schema_requiring;
use crate::research_tools;
use crate::server::Travel;
use crate::talk::{Interruption, Talk, Told, told};

const MOST_ROUNDS: usize = 6;

pub(crate) fn tool() -> Tool {
    let properties = json!({ "city": { "type": "string", "description": "City to research, as in Barcelona" } });
    Tool::new(
        "research_trip",
        "Researches a city. Asks the user's language model, which may use tools for weather, sights and events; so it \
         may ask several times.",
        schema_requiring(properties, &["city"]),
    )
    .with_title("Research a trip")
    .with_annotations(ToolAnnotations::new().read_only(true).open_world(true))
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let city = talk.required_text("city")?.to_owned();
    let mut messages = vec![json!({
        "role": "user",
        "content": {
            "type": "text",
            "text": format!(
                "Research a trip to {city}. Look up the weather, the sights and the events with your tools, then write \
                 a short plan for three days."
            )
        }
    })];
    let mut used = Vec::new();
    for round in 1..=MOST_ROUNDS {
        let reply = talk.sample(&format!("research-{round}"), request(&messages, round))?;
        let uses: Vec<&Value> = reply.tool_uses().collect();
        if uses.is_empty() {
            let findings = reply.text();
            return Ok(told(
                findings.clone(),
                json!({ "city": city, "findings": findings, "model": reply.model, "rounds": round, "toolsUsed": used }),
            ));
        }
        let results: Vec<Value> = uses.iter().map(|tool_use| run(tool_use)).collect();
        used.extend(uses.iter().map(|tool_use| tool_use["name"].clone()));
        messages.push(json!({ "role": "assistant", "content": reply.blocks }));
        messages.push(json!({ "role": "user", "content": results }));
    }
    Err(Interruption::Failed(format!(
        "The research of {city} was given up: after {MOST_ROUNDS} rounds the language model still wanted more tools."
    )))
}

fn request(messages: &[Value], round: usize) -> Value {
    // The last round is for the answer.
    let mode = if round == MOST_ROUNDS { "none" } else { "auto" };
    json!({
        "messages": messages,
        "systemPrompt": "You are a travel researcher. Use the tools for facts, and say only what they say.",
        "tools": research_tools::definitions(),
        "toolChoice": { "mode": mode },
        "maxTokens": 1000
    })
}

fn run(tool_use: &Value) -> Value {
    let outcome = research_tools::run(tool_use["name"].as_str().unwrap_or_default(), &tool_use["input"]);
    let failed = outcome.is_err();
    let text = outcome.unwrap_or_else(|error| error);
    let mut result = json!({
        "type": "tool_result",
        "toolUseId": tool_use["id"],
        "content": [{ "type": "text", "text": text }]
    });
    if failed {
        result["isError"] = json!(true);
    }
    result
}
