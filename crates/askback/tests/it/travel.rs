//! The travel server of the examples, in both eras: every tool, the prompt and the resources.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Outcome, Run, WHOLE, binary};

pub(crate) const ERAS: [&str; 2] = ["2026-07-28", "2025-11-25"];

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("travel":
        a_vacation_is_booked_with_two_forms,
        a_declined_vacation_is_not_booked,
        the_best_flight_is_picked_by_the_scripted_model,
        a_trip_is_researched_with_tools,
        an_itinerary_is_saved_in_the_open_folder,
        an_itinerary_is_not_saved_elsewhere,
        a_deposit_is_paid_on_the_page,
        a_deposit_that_nobody_pays_stays_pending,
        everything_is_planned_in_one_round,
        the_prompt_asks_too,
        resources_are_read,
    )
}

fn server() -> [String; 3] {
    [binary().display().to_string(), "demo".into(), "server".into()]
}

/// Runs in both eras; the check is told which.
fn in_both(words: &[&str], answers: &str, check: impl Fn(&str, &Surroundings, Outcome)) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, words).option(&["--protocol", revision]).server(&server());
        let run = if answers.is_empty() { run } else { run.answers(answers) };
        let outcome = run.go();
        assert_eq!(outcome.document["protocolVersion"], revision, "{}", outcome.stderr);
        check(revision, &surroundings, outcome);
    }
}

pub(crate) const CONFIRM: &str = r#"
[[answer]]
tool = "book_vacation"
kind = "form"
field = "confirmBooking"
action = "accept"
content = { confirmBooking = true, seatPreference = "window", travelInsurance = true }
"#;

pub(crate) const CONTACT: &str = r#"
[[answer]]
kind = "form"
field = "fullName"
action = "accept"
content = { fullName = "Ada Lovelace", email = "ada@example.com", dateOfBirth = 1985-12-10, emergencyName = "Grace", emergencyPhone = "+34 600 000 000" }
"#;

fn a_vacation_is_booked_with_two_forms(_: &str) {
    in_both(&["call", "book_vacation"], &format!("{CONFIRM}{CONTACT}"), |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        let booked = &outcome.document["result"]["structuredContent"];
        assert_eq!((&booked["traveller"], &booked["seatPreference"]), (&json!("Ada Lovelace"), &json!("window")));
        assert_eq!((&booked["travelInsurance"], &booked["totalUsd"]), (&json!(true), &json!(3150)));
        assert_eq!(outcome.document["rounds"], 2);
    });
}

fn a_declined_vacation_is_not_booked(_: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"decline\"\n";
    in_both(&["call", "book_vacation"], answers, |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!(outcome.document["result"]["structuredContent"]["booked"], false);
        assert!(outcome.text().contains("declined"), "{}", outcome.text());
    });
}

fn the_best_flight_is_picked_by_the_scripted_model(_: &str) {
    let answers = "[[answer]]\nkind = \"sampling\"\nreply = \"Take the cheapest one in the morning.\"\n";
    in_both(&["call", "find_best_flight"], answers, |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        let found = &outcome.document["result"]["structuredContent"];
        assert_eq!((&found["model"], &found["considered"]), (&json!("manual"), &json!(47)));
        assert_eq!(found["analysis"], "Take the cheapest one in the morning.");
        assert_eq!(outcome.document["asks"][0]["by"], "answers");
    });
}

fn a_trip_is_researched_with_tools(_: &str) {
    let answers = r#"
[[answer]]
kind = "sampling"
round = 1
reply = [{ type = "tool_use", id = "w", name = "weather", input = { city = "Barcelona" } }]
stop_reason = "toolUse"
[[answer]]
kind = "sampling"
round = 2
reply = "Three days of sun."
"#;
    in_both(&["call", "research_trip", "city=Barcelona"], answers, |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        let found = &outcome.document["result"]["structuredContent"];
        assert_eq!((&found["findings"], &found["rounds"]), (&json!("Three days of sun."), &json!(2)));
        assert_eq!(found["toolsUsed"], json!(["weather"]));
    });
}

fn an_itinerary_is_saved_in_the_open_folder(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let folder = surroundings.path("travel plans");
        std::fs::create_dir(&folder).expect("a folder can be made");
        let words = ["call", "save_itinerary", "title=Barcelona: 3 days", "text=Beach.", "--root"];
        let run = Run::new(&surroundings, &[&words[..], &[&folder.display().to_string()]].concat());
        let outcome = run.option(&["--protocol", revision]).server(&server()).go().ended_with(0);
        let file = std::fs::read_to_string(folder.join("itineraries/barcelona-3-days.md"));
        assert_eq!(file.expect("the itinerary is saved"), "# Barcelona: 3 days\n\nBeach.\n");
        assert_eq!(
            (&outcome.document["asks"][0]["kind"], &outcome.document["asks"][0]["by"]),
            (&json!("roots"), &json!("config"))
        );
    }
}

fn an_itinerary_is_not_saved_elsewhere(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let folder = surroundings.path("plans");
        std::fs::create_dir(&folder).expect("a folder can be made");
        let words = ["call", "save_itinerary", "title=x", "text=y", "path=../stolen.md", "--root"];
        let run = Run::new(&surroundings, &[&words[..], &[&folder.display().to_string()]].concat());
        run.option(&["--protocol", revision]).server(&server()).go().ended_with(1).failed_as("tool-error");
        assert!(!surroundings.path("stolen.md").exists());
    }
}

fn a_deposit_is_paid_on_the_page(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, &["call", "pay_deposit", "--protocol", revision]).server(&server());
        let mut session = run.start_at_terminal(50, 220);
        let wait = Duration::from_secs(10);
        session.wait_until("the page's address", wait, |session| session.screen().contains("/pay/")).unwrap();
        let screen = session.screen();
        let at = screen.find("http://127.0.0.1:").expect("the address is shown in full");
        let url: String = screen[at..].chars().take_while(|c| !c.is_whitespace()).collect();
        session
            .wait_until("the choices", wait, |session| session.screen().contains("Agree, but only show the address"))
            .unwrap_or_else(|problem| panic!("{problem}\n{}", session.screen()));
        session.press("down down enter").unwrap();
        session
            .wait_until("the consent to be sent", wait, |session| session.screen().contains("knows that you agreed"))
            .unwrap();
        press_the_button(&url);
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(0);
        assert_eq!(outcome.document["result"]["structuredContent"]["status"], "paid", "{}", outcome.stdout);
        assert_eq!(
            (&outcome.document["asks"][0]["action"], &outcome.document["asks"][0]["by"]),
            (&json!("accept"), &json!("person"))
        );
    }
}

/// What a browser sends when the page's only button is pressed.
fn press_the_button(url: &str) {
    let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("it is an address");
    let mut stream = TcpStream::connect(host).expect("the page is served");
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a limit can be set");
    let request = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the page can be written to");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the page answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn a_deposit_that_nobody_pays_stays_pending(_: &str) {
    let answers = "[[answer]]\nkind = \"url\"\naction = \"accept\"\n";
    in_both(&["call", "pay_deposit", "wait_seconds:=0"], answers, |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!(outcome.document["result"]["structuredContent"]["status"], "pending");
    });
}

fn everything_is_planned_in_one_round(_: &str) {
    let answers = r#"
[[answer]]
kind = "form"
action = "accept"
content = { days = 3, pace = "easy" }
[[answer]]
kind = "sampling"
reply = "Start at the beach."
[[answer]]
kind = "roots"
roots = ["/w/travel"]
"#;
    in_both(&["call", "plan_everything"], answers, |revision, _, outcome| {
        let outcome = outcome.ended_with(0);
        let kinds: Vec<&str> =
            outcome.document["asks"].as_array().unwrap().iter().map(|ask| ask["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds.len(), 3, "{kinds:?}");
        assert_eq!(outcome.document["rounds"], if revision == ERAS[0] { 1 } else { 3 });
    });
}

fn the_prompt_asks_too(_: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"decline\"\ntimes = 0\n";
    in_both(&["prompt", "plan_trip"], answers, |_, _, outcome| {
        assert_eq!(outcome.document["asks"][0]["action"], "decline", "{}\n{}", outcome.stdout, outcome.stderr);
    });
}

fn resources_are_read(_: &str) {
    in_both(&["read", "travel://packages"], "", |_, _, outcome| {
        let outcome = outcome.ended_with(0);
        let text = outcome.document["result"]["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("Barcelona"), "{text}");
    });
}
