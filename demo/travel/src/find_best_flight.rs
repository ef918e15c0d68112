//! Finding the best flight: forty-seven of them go to the user's language model, and three come back.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::flights::{self, Flight};
use crate::input_schema::schema;
use crate::server::Travel;
use crate::talk::{Talk, Told, told};

const BEST: usize = 3;

pub(crate) fn tool() -> Tool {
    let properties = json!({
        "destination": { "type": "string", "description": "City to fly to", "default": "Barcelona" },
        "month": { "type": "string", "description": "Month to fly in", "default": "June" },
        "preferences": {
            "type": "string",
            "description": "What matters, in plain words",
            "default": "morning departure, max 1 layover",
        },
    });
    Tool::new(
        "find_best_flight",
        "Finds the three best of 47 flights. Asks the user's language model to weigh them.",
        schema(properties),
    )
    .with_title("Find the best flight")
    .with_annotations(ToolAnnotations::new().read_only(true).open_world(true))
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let destination = talk.text("destination")?.unwrap_or("Barcelona").to_owned();
    let month = talk.text("month")?.unwrap_or("June").to_owned();
    let preferences = talk.text("preferences")?.unwrap_or("morning departure, max 1 layover").to_owned();
    let flights = flights::search(&destination, &month);

    let reply = talk.sample("choice", question(&flights, &preferences))?;
    let analysis = reply.text();
    let mut chosen = flights::mentioned(&flights, &analysis);
    chosen.truncate(BEST);
    let by_model = chosen.len();
    for index in flights::rank(&flights, &preferences) {
        if chosen.len() < BEST && !chosen.contains(&index) {
            chosen.push(index);
        }
    }

    let mut text = format!("The best flights to {destination} in {month}, for “{preferences}”:\n");
    let mut recommended = Vec::new();
    for (rank, &index) in chosen.iter().enumerate() {
        let (flight, chosen_by) = (&flights[index], if rank < by_model { "model" } else { "ranking" });
        let who = if rank < by_model { reply.model.as_str() } else { "our own ranking" };
        text.push_str(&format!("{}. {} (chosen by {who})\n", rank + 1, flight.line()));
        recommended.push(recommendation(rank + 1, flight, chosen_by));
    }
    if by_model == 0 {
        text.push_str("The model named no flight of the list.\n");
    }
    text.push_str(&format!("\nWhat {} says:\n{analysis}", reply.model));
    Ok(told(
        text,
        json!({
            "destination": destination,
            "month": month,
            "preferences": preferences,
            "considered": flights.len(),
            "recommendations": recommended,
            "model": reply.model,
            "analysis": analysis,
        }),
    ))
}

/// The request of the protocol's own example.
fn question(flights: &[Flight], preferences: &str) -> Value {
    let list: Vec<_> =
        flights.iter().enumerate().map(|(index, flight)| format!("{}. {}", index + 1, flight.line())).collect();
    json!({
        "messages": [{
            "role": "user",
            "content": {
                "type": "text",
                "text": format!(
                    "Analyze these flight options and recommend the best choice:\n{}\nUser preferences: {preferences}",
                    list.join("\n")
                )
            }
        }],
        "modelPreferences": {
            "hints": [{ "name": "claude-sonnet" }],
            "costPriority": 0.3,
            "speedPriority": 0.2,
            "intelligencePriority": 0.9
        },
        "systemPrompt": "You are a travel expert helping users find the best flights based on their preferences",
        "maxTokens": 1500
    })
}

fn recommendation(rank: usize, flight: &Flight, chosen_by: &str) -> Value {
    json!({
        "rank": rank,
        "flight": flight.number,
        "airline": flight.airline,
        "priceUsd": flight.price_usd,
        "departs": flight.departure(),
        "arrives": flight.arrival(),
        "duration": flight.duration(),
        "layovers": flight.via.len(),
        "chosenBy": chosen_by,
    })
}
