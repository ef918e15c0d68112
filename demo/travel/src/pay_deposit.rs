//! Paying the deposit: the user agrees to open a page, presses its button there, and the payment never passes through
//! the client.

use std::time::Duration;

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::input_schema::schema;
use crate::server::Travel;
use crate::talk::{FormAnswer, Interruption, Talk, Told, Waiting, now_ms, told, unguessable};

const LONGEST_WAIT_SECONDS: u64 = 120;

pub(crate) fn tool() -> Tool {
    let properties = json!({
        "wait_seconds": {
            "type": "integer",
            "description": "How long to wait for the payment after the user has agreed to open the page",
            "minimum": 0,
            "maximum": LONGEST_WAIT_SECONDS,
            "default": 20,
        },
    });
    Tool::new(
        "pay_deposit",
        "Takes a deposit of $300 for a trip, on a page that the user opens in a browser.",
        schema(properties),
    )
    .with_title("Pay the deposit")
    .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true))
}

pub(crate) fn tell(travel: &Travel, talk: &mut Talk) -> Told<CallToolResult> {
    let seconds = match talk.arguments.get("wait_seconds") {
        None | Some(Value::Null) => 20,
        Some(seconds) => seconds.as_u64().filter(|seconds| *seconds <= LONGEST_WAIT_SECONDS).ok_or_else(|| {
            Interruption::Failed(format!("`wait_seconds` must be a number from 0 to {LONGEST_WAIT_SECONDS}."))
        })?,
    };
    let payment = named(talk, "payment")?;
    let token = named(talk, "token")?;
    let url = travel
        .payments
        .open(&payment, &token)
        .map_err(|error| Interruption::Failed(format!("The payment page could not be opened: {error}.")))?;

    let ask = Ask::Url {
        message: "Please pay the deposit of $300 on our payment page. It opens in your browser.".to_owned(),
        url: url.clone(),
        elicitation_id: payment.clone(),
    };
    match talk.elicited("pay", ask)? {
        FormAnswer::Accepted(_) => {}
        FormAnswer::Declined => return Ok(unpaid("declined", "No deposit was paid, because you declined.")),
        FormAnswer::Cancelled => return Ok(unpaid("cancelled", "No deposit was paid: the payment was cancelled.")),
    }
    if travel.payments.is_paid(&payment) {
        return Ok(told(
            "The deposit of $300 is paid. Thank you.",
            json!({ "status": "paid", "amountUsd": 300, "payment": payment }),
        ));
    }
    let until_ms = talk.note("until", || json!(now_ms() + seconds * 1000)).as_u64().unwrap_or(0);
    if now_ms() < until_ms {
        // Twenty polls, whatever the wait; a client need not pace itself.
        let pace = Duration::from_millis(seconds * 1000 / 20).clamp(Duration::from_millis(250), Duration::from_secs(6));
        return Err(Interruption::Waiting(Waiting { payment, until_ms, pace }));
    }
    Ok(unpaid("pending", &format!("The deposit is still pending. It can be paid any time at {url}")))
}

fn named(talk: &mut Talk, key: &str) -> Told<String> {
    let fresh = unguessable().map_err(|error| Interruption::Failed(format!("No payment could be opened: {error}.")))?;
    Ok(talk.note(key, || json!(fresh)).as_str().unwrap_or_default().to_owned())
}

fn unpaid(status: &str, text: &str) -> CallToolResult {
    told(text, json!({ "status": status, "amountUsd": 300 }))
}
