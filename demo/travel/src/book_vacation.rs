//! Booking a package: the confirmation form of the protocol's own example, then the form for the traveller.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::bookings::Booking;
use crate::contact_form;
use crate::input_schema::schema;
use crate::packages::{self, Package, dollars};
use crate::server::Travel;
use crate::talk::{FormAnswer, Talk, Told, told};

const INSURANCE_USD: u32 = 150;

pub(crate) fn tool() -> Tool {
    let properties = json!({
        "destination": {
            "type": "string",
            "description": "Where to: Barcelona, Lisbon or Kyoto",
            "default": "Barcelona",
        },
    });
    Tool::new(
        "book_vacation",
        "Books a holiday package. Asks the user to confirm it and choose seat, room and insurance, then for the \
         traveller's and an emergency contact's data.",
        schema(properties),
    )
    .with_title("Book a vacation")
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(true))
}

pub(crate) fn tell(travel: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let package = packages::find(talk.text("destination")?.unwrap_or("Barcelona"))?;
    let city = package.destination;

    let wishes = match talk.form("confirm", &confirmation(&package), confirmation_form(&package))? {
        FormAnswer::Accepted(wishes) => wishes,
        FormAnswer::Declined => return Ok(not_booked(&package, "you declined the booking")),
        FormAnswer::Cancelled => return Ok(not_booked(&package, "the booking was cancelled")),
    };
    if wishes.get("confirmBooking") != Some(&Value::Bool(true)) {
        return Ok(not_booked(&package, "you did not confirm it"));
    }

    let message = format!(
        "Who travels to {city}? The airline needs the traveller's data, and we need somebody to call in an emergency."
    );
    let contact = match talk.form("contact", &message, contact_form::schema())? {
        FormAnswer::Accepted(content) => contact_form::read(&content)?,
        FormAnswer::Declined => return Ok(not_booked(&package, "you declined to name the traveller")),
        FormAnswer::Cancelled => return Ok(not_booked(&package, "the booking was cancelled")),
    };

    let wish = |name: &str| wishes.get(name).and_then(Value::as_str).unwrap_or("no preference").to_owned();
    let (seat, room) = (wish("seatPreference"), wish("roomType"));
    let insured = wishes.get("travelInsurance") == Some(&Value::Bool(true));
    let total = package.price_usd + if insured { INSURANCE_USD } else { 0 };
    let prefix: String = city.chars().take(3).collect::<String>().to_uppercase();
    let number: String = talk.memory.id.chars().take(6).collect::<String>().to_uppercase();
    let reference = format!("{prefix}-{number}");

    let text = format!(
        "Booked: {city}, {dates}, for {name}.\n\
         Reference: {reference}\n\
         Flights with {bags} bag(s) each way; seat: {seat}\n\
         {hotel}, 7 nights; room: {room}\n\
         Travel insurance: {insurance}\n\
         Total: {total}\n\
         The tickets go to {email}. In an emergency we call {emergency}.",
        dates = package.dates,
        name = contact.full_name,
        bags = contact.bags,
        hotel = capitalised(package.hotel),
        insurance = if insured { "yes" } else { "no" },
        total = dollars(total),
        email = contact.email,
        emergency = contact.emergency_name,
    );
    let details = json!({
        "booked": true,
        "reference": reference,
        "destination": city,
        "dates": package.dates,
        "traveller": contact.full_name,
        "seatPreference": seat,
        "roomType": room,
        "travelInsurance": insured,
        "bags": contact.bags,
        "totalUsd": total,
    });
    let booking = travel.bookings.book(Booking { talk: talk.memory.id.clone(), text, details });
    Ok(told(booking.text, booking.details))
}

fn confirmation(package: &Package) -> String {
    format!(
        "Please confirm your {city} vacation booking details:\n\n\
         Flights to {city}, {dates}\n\
         {hotel}\n\
         {price} in all",
        city = package.destination,
        dates = package.dates,
        hotel = capitalised(package.hotel),
        price = dollars(package.price_usd),
    )
}

fn confirmation_form(package: &Package) -> Value {
    json!({
        "type": "object",
        "properties": {
            "confirmBooking": {
                "type": "boolean",
                "description": format!("Confirm the booking (Flights + Hotel = {})", dollars(package.price_usd))
            },
            "seatPreference": {
                "type": "string",
                "enum": ["window", "aisle", "no preference"],
                "description": "Preferred seat type for flights"
            },
            "roomType": {
                "type": "string",
                "enum": package.room_types,
                "description": "Preferred room type at hotel"
            },
            "travelInsurance": {
                "type": "boolean",
                "default": false,
                "description": format!("Add travel insurance ({})", dollars(INSURANCE_USD))
            }
        },
        "required": ["confirmBooking"]
    })
}

fn not_booked(package: &Package, why: &str) -> CallToolResult {
    let text = format!("Nothing was booked, because {why}. The {} package stays on sale.", package.destination);
    told(text, json!({ "booked": false, "reason": why }))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
