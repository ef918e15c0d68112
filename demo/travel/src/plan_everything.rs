//! Planning a whole trip at once: a form, the open folders and a language model, asked in one round where the era has
//! rounds.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::input_schema::schema;
use crate::save_itinerary::first_open_folder;
use crate::server::Travel;
use crate::talk::{FormAnswer, Talk, Told, told};

pub(crate) fn tool() -> Tool {
    let properties = json!({ "city": { "type": "string", "description": "City to visit", "default": "Barcelona" } });
    Tool::new(
        "plan_everything",
        "Plans a trip in one go. Asks the user for days and pace, the client for the open folders, and the user's \
         language model for an idea, all at once. Writes nothing.",
        schema(properties),
    )
    .with_title("Plan everything")
    .with_annotations(ToolAnnotations::new().read_only(true).open_world(true))
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let city = talk.text("city")?.unwrap_or("Barcelona").to_owned();
    let message = format!("How would you like to see {city}?");
    talk.together([
        ("wishes", Ask::Form { message: message.clone(), schema: wishes_form() }),
        ("folders", Ask::Roots),
        ("idea", Ask::Sampling(question(&city))),
    ])?;

    let wishes = match talk.form("wishes", &message, wishes_form())? {
        FormAnswer::Accepted(wishes) => wishes,
        FormAnswer::Declined | FormAnswer::Cancelled => {
            return Ok(told(
                format!("No trip to {city} was planned, as you wished."),
                json!({ "planned": false, "city": city }),
            ));
        }
    };
    let roots = talk.roots("folders")?;
    let idea = talk.sample("idea", question(&city))?;

    let days = wishes.get("days").and_then(Value::as_u64).unwrap_or(3);
    let pace = wishes.get("pace").and_then(Value::as_str).unwrap_or("steady");
    let folder = first_open_folder(&roots).map(|folder| folder.to_string_lossy().into_owned());
    let place = match &folder {
        Some(folder) => format!("It could be saved in {folder}."),
        None => "No folder is open to save it in.".to_owned(),
    };
    Ok(told(
        format!("{days} days in {city} at a {pace} pace.\n\n{} suggests:\n{}\n\n{place}", idea.model, idea.text()),
        json!({
            "planned": true,
            "city": city,
            "days": days,
            "pace": pace,
            "idea": idea.text(),
            "model": idea.model,
            "folder": folder,
        }),
    ))
}

fn wishes_form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "days": { "type": "integer", "title": "Days", "minimum": 1, "maximum": 14, "default": 3 },
            "pace": {
                "type": "string",
                "title": "Pace",
                "oneOf": [
                    { "const": "easy", "title": "Easy: long breakfasts" },
                    { "const": "steady", "title": "Steady: something each half day" },
                    { "const": "full", "title": "Full: sleep is for home" }
                ],
                "default": "steady"
            }
        },
        "required": ["days"]
    })
}

fn question(city: &str) -> Value {
    json!({
        "messages": [{
            "role": "user",
            "content": {
                "type": "text",
                "text": format!("Suggest one thing to do in {city} that most visitors miss. Two sentences.")
            }
        }],
        "maxTokens": 200
    })
}
