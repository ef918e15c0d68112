//! The asks that tests and the example put to the person.

use askback_core::ask::{AskBody, FormAsk, UrlAsk};
use askback_core::form::Form;
use askback_core::sampling::{Content, Media, Role, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice};
use askback_desk::view::{AskView, CallKind, CallView, RoundId, RoundView, ServerView, Told, WaitFor, WaitView};
use serde_json::{Value, json};

pub(crate) fn round(number: u64, asks: Vec<AskBody>) -> RoundView {
    let asks = asks.into_iter().enumerate();
    RoundView {
        id: RoundId(number),
        server: ServerView { name: "travel".into(), source: "askback demo server".into() },
        calls: vec![CallView { kind: CallKind::Tool, subject: "book_vacation".into() }],
        number: 1,
        most: 50,
        told: Told::Everything,
        asks: asks
            .map(|(index, body)| AskView { index, key: format!("ask{index}"), body, notes: Vec::new() })
            .collect(),
    }
}

/// A round of a call that was refused until these pages have been visited.
pub(crate) fn needed_pages(asks: Vec<AskBody>) -> RoundView {
    RoundView { told: Told::Nothing, ..round(1, asks) }
}

/// A call that waits for something.
pub(crate) fn wait(wait_for: WaitFor) -> WaitView {
    let RoundView { id, server, mut calls, .. } = round(1, Vec::new());
    WaitView { id, server, call: calls.pop(), wait_for }
}

/// The pages that a call waits for, once they are agreed to.
pub(crate) fn pages(pages: &[&str]) -> WaitFor {
    WaitFor::Pages { pages: pages.iter().map(|page| (*page).to_owned()).collect() }
}

/// Answers that got no reply.
pub(crate) fn resend(detail: &str, may_have_acted: bool) -> WaitFor {
    WaitFor::Resend { detail: detail.to_owned(), may_have_acted }
}

/// A login in the middle of the call.
pub(crate) fn login(issuer: &str, page: &str, scopes: &[&str]) -> WaitFor {
    let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
    WaitFor::Login { issuer: issuer.to_owned(), page: page.to_owned(), scopes }
}

pub(crate) fn form(message: &str, schema: &Value) -> AskBody {
    AskBody::Form(FormAsk { message: message.into(), form: Form::read(schema).expect("the schema is a form") })
}

pub(crate) fn properties(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

pub(crate) fn barcelona() -> AskBody {
    let message = "Please confirm your Barcelona vacation booking details:\n\n\
         Flights to Barcelona, June 15–22, 2026\nBeachfront hotel\n$3,000 in all";
    let fields = json!({
        "confirmBooking": { "type": "boolean", "description": "Confirm the booking (Flights + Hotel = $3,000)" },
        "seatPreference": {
            "type": "string",
            "enum": ["window", "aisle", "no preference"],
            "description": "Preferred seat type for flights"
        },
        "roomType": {
            "type": "string",
            "title": "Room",
            "oneOf": [
                { "const": "sea", "title": "Sea view" },
                { "const": "city", "title": "City view" },
                { "const": "garden", "title": "Garden view" }
            ],
            "description": "Preferred room type at hotel"
        },
        "travelInsurance": { "type": "boolean", "default": false, "description": "Add travel insurance ($150)" }
    });
    form(message, &properties(fields, &["confirmBooking"]))
}

pub(crate) fn traveller() -> AskBody {
    let fields = json!({
        "name": { "type": "string", "title": "Full name", "description": "As in the passport", "minLength": 2, "maxLength": 40 },
        "email": { "type": "string", "format": "email" },
        "birthday": { "type": "string", "format": "date", "title": "Date of birth" },
        "bags": { "type": "integer", "minimum": 0, "maximum": 3, "default": 1, "title": "Checked bags" },
        "meals": {
            "type": "array",
            "title": "Meals",
            "items": { "type": "string", "enum": ["vegetarian", "vegan", "halal", "no nuts"] },
            "maxItems": 2
        },
        "note": { "type": "string", "title": "A word to the crew" }
    });
    form("Who travels to Barcelona?", &properties(fields, &["name", "email"]))
}

pub(crate) fn payment() -> AskBody {
    AskBody::Url(UrlAsk {
        message: "Pay the deposit on our payment page.".into(),
        url: "https://pay.example.com/checkout/4711?booking=BAR-7F3A".into(),
        elicitation_id: None,
    })
}

pub(crate) fn url(address: &str) -> AskBody {
    AskBody::Url(UrlAsk { message: "Please sign in.".into(), url: address.into(), elicitation_id: None })
}

pub(crate) fn best_flight() -> AskBody {
    AskBody::Sampling(Box::new(flight_request()))
}

/// A picture of 48,213 bytes, all of them zero.
fn picture() -> Media {
    Media { mime_type: "image/png".into(), data: "A".repeat(48_213 / 3 * 4) }
}

pub(crate) fn flight_request() -> SamplingRequest {
    let text = "Analyze these flights and recommend the best one:\n\
         VY 8301  LHR–BCN  07:10–10:25  $182\nBA  478  LHR–BCN  09:45–12:55  $241\n\
         User preferences: departs in the morning, at most 1 stop";
    SamplingRequest {
        system_prompt: Some("You are a travel expert helping users find the best flights.".into()),
        messages: vec![SamplingMessage {
            role: Role::User,
            content: vec![Content::Text(text.into()), Content::Image(picture())],
        }],
        max_tokens: 1500,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        model_hints: vec!["claude-sonnet".into(), "gpt".into()],
        cost_priority: Some(0.3),
        speed_priority: Some(0.2),
        intelligence_priority: Some(0.9),
        temperature: None,
        stop_sequences: Vec::new(),
        include_context: None,
        has_context: false,
        metadata: None,
    }
}

pub(crate) fn with_tools(choice: ToolChoice) -> AskBody {
    let seats = properties(
        json!({ "flight": { "type": "string" }, "count": { "type": "integer", "minimum": 1 } }),
        &["flight"],
    );
    let mut request = flight_request();
    request.tools = vec![
        SamplingTool {
            name: "free_seats".into(),
            description: Some("How many seats are left".into()),
            input_schema: seats,
        },
        SamplingTool { name: "weather".into(), description: None, input_schema: json!({ "type": "object" }) },
    ];
    request.tool_choice = choice;
    AskBody::Sampling(Box::new(request))
}
