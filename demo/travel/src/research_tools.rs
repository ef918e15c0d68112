//! The tools that a language model may use while it researches a city. They are offered in a sampling request only, and
//! are not tools of the server.

use serde_json::{Value, json};

/// The tools as a sampling request lists them.
pub(crate) fn definitions() -> Value {
    let city = json!({
        "type": "object",
        "properties": { "city": { "type": "string", "description": "Name of the city" } },
        "required": ["city"]
    });
    let dated = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "description": "Name of the city" },
            "month": { "type": "string", "description": "Name of the month; June if left out" }
        },
        "required": ["city"]
    });
    json!([
        { "name": "weather", "description": "The usual weather of a city in a month", "inputSchema": dated },
        { "name": "sights", "description": "The sights of a city that are worth a visit", "inputSchema": city },
        { "name": "events", "description": "Festivals and concerts in a city in a month", "inputSchema": dated },
    ])
}

/// Runs a tool; `Err` is what the model is told went wrong.
pub(crate) fn run(name: &str, input: &Value) -> Result<String, String> {
    let city = input["city"].as_str().map(str::trim).filter(|city| !city.is_empty());
    let city = city.ok_or_else(|| format!("The tool {name} needs the name of a city."))?;
    let month = input["month"].as_str().unwrap_or("June");
    let barcelona = city.eq_ignore_ascii_case("Barcelona");
    match name {
        "weather" if barcelona => {
            Ok(format!("{city} in {month}: 24 °C by day, 17 °C by night, sea 21 °C, 4 days of rain."))
        }
        "weather" => Ok(format!("{city} in {month}: 21 °C by day, 13 °C by night, 8 days of rain.")),
        "sights" if barcelona => {
            Ok("Sagrada Família (book ahead); Park Güell (early in the day); Gothic Quarter; Montjuïc by cable car; \
             Barceloneta beach."
                .to_owned())
        }
        "sights" => Ok(format!("{city}: the old town, the market hall, the museum of the city, the river by boat.")),
        "events" if barcelona => Ok(format!(
            "{city} in {month}: Sant Joan bonfires (night of 23 June); Grec theatre festival; Sónar (music)."
        )),
        "events" => Ok(format!("{city} in {month}: open-air cinema on Fridays; a street food weekend.")),
        other => Err(format!("There is no tool {other}. There are: weather, sights, events.")),
    }
}
