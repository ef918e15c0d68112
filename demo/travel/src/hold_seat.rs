//! Holding a seat: a tool that acts at once and asks nothing.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::json;

use crate::input_schema::schema_requiring;
use crate::server::Travel;
use crate::talk::{Interruption, Talk, Told, told};

pub(crate) fn tool() -> Tool {
    let properties = json!({
        "flight": { "type": "string", "description": "Flight number, as in ME412" },
        "seat": { "type": "string", "description": "Row and letter, as in 12A", "pattern": "^[0-9]{1,2}[A-Fa-f]$" },
    });
    Tool::new(
        "hold_seat",
        "Holds a seat on a flight for 24 hours, free of charge. Asks nothing.",
        schema_requiring(properties, &["flight", "seat"]),
    )
    .with_title("Hold a seat")
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(true).open_world(false))
}

pub(crate) fn tell(_: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let flight = talk.required_text("flight")?.to_uppercase();
    let seat = talk.required_text("seat")?.to_uppercase();
    let row = seat.strip_suffix(|letter: char| ('A'..='F').contains(&letter)).and_then(|row| row.parse::<u8>().ok());
    if !row.is_some_and(|row| (1..=42).contains(&row)) {
        return Err(Interruption::Failed(format!(
            "There is no seat {seat}: rows go from 1 to 42 and letters from A to F."
        )));
    }
    Ok(told(
        format!("Seat {seat} on flight {flight} is held for 24 hours."),
        json!({ "flight": flight, "seat": seat, "heldForHours": 24 }),
    ))
}
