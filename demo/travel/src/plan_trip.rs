//! The prompt that plans a trip. It asks how many travel and what it may cost before it is written.

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Value, json};

use crate::server::Travel;
use crate::talk::{FormAnswer, Talk, Told};

pub(crate) fn prompt() -> Prompt {
    let destination = PromptArgument::new("destination")
        .with_title("Destination")
        .with_description("Where to; Barcelona if left out")
        .with_required(false);
    Prompt::new(
        "plan_trip",
        Some("Plans a trip with the user. Asks for travellers and budget first."),
        Some(vec![destination]),
    )
    .with_title("Plan a trip")
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<GetPromptResult> {
    let destination = talk.text("destination")?.unwrap_or("Barcelona").to_owned();
    let form = json!({
        "type": "object",
        "properties": {
            "travellers": { "type": "integer", "title": "Travellers", "minimum": 1, "maximum": 12, "default": 2 },
            "budget": { "type": "number", "title": "Budget in dollars", "description": "For all together", "minimum": 0 }
        },
        "required": ["travellers"]
    });
    let details = match talk.form("party", &format!("Who travels to {destination}, and for how much?"), form)? {
        FormAnswer::Accepted(content) => {
            let travellers = content.get("travellers").and_then(Value::as_u64).unwrap_or(2);
            let budget = content.get("budget").filter(|budget| budget.is_number());
            let budget = budget.map_or_else(|| "no fixed budget".to_owned(), |budget| format!("a budget of ${budget}"));
            format!("We are {travellers} and have {budget}.")
        }
        FormAnswer::Declined | FormAnswer::Cancelled => {
            "I would rather not say how many travel and what it may cost; offer choices.".to_owned()
        }
    };
    let text = format!("Plan a trip to {destination} with me. {details} Ask me before anything is booked.");
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
        .with_description(format!("Planning a trip to {destination}")))
}
