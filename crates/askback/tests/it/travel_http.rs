//! The travel server over HTTP, on `rmcp`'s own server side: an independent peer in both eras.

use askback_testkit::served::Served;
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Run, binary};
use crate::travel::{CONFIRM, CONTACT, ERAS};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("travel_http":
        a_vacation_is_booked_over_http,
        everything_is_listed_over_http,
    )
}

fn start() -> Served {
    let words = ["demo", "server", "--http", "0"].map(str::to_owned);
    let command: Vec<String> = std::iter::once(binary().display().to_string()).chain(words).collect();
    Served::start(&command, "").unwrap_or_else(|problem| panic!("{problem}"))
}

fn a_vacation_is_booked_over_http(_: &str) {
    let server = start();
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, &["call", &server.address, "book_vacation"]);
        let outcome = run.option(&["--protocol", revision]).answers(&format!("{CONFIRM}{CONTACT}")).go().ended_with(0);
        assert_eq!((&outcome.document["protocolVersion"], &outcome.document["rounds"]), (&json!(revision), &json!(2)));
        assert_eq!(outcome.document["result"]["structuredContent"]["traveller"], "Ada Lovelace");
        assert_eq!(outcome.document["violations"], json!([]));
    }
}

fn everything_is_listed_over_http(_: &str) {
    let server = start();
    let surroundings = Surroundings::new().expect("folders can be made");
    let outcome = Run::new(&surroundings, &["list", &server.address]).go().ended_with(0);
    let listed = &outcome.document["servers"][0];
    assert_eq!(listed["era"], "modern", "the newer of the two eras that it speaks is found");
    let has =
        |name: &str| listed["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name));
    assert!(has("book_vacation") && has("save_itinerary"), "{listed}");
}
