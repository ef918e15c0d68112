//! The travel server over HTTP, on `rmcp`'s own server side: an independent peer in both eras.

use std::time::Duration;

use askback_testkit::run::Surroundings;
use askback_testkit::served::Served;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Run, WHOLE, binary};
use crate::travel::{CONFIRM, CONTACT, ERAS};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("travel_http":
        a_vacation_is_booked_over_http,
        everything_is_listed_over_http,
        a_booking_is_heard_of_by_whoever_follows,
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

/// Follows something at a terminal until it is seen there.
struct Follower<'a> {
    _surroundings: &'a Surroundings,
    session: Session,
}

impl<'a> Follower<'a> {
    fn start(surroundings: &'a Surroundings, words: &[&str], revision: &str) -> Follower<'a> {
        let mut command = surroundings.command(&binary());
        command.args(words).args(["--follow", "--as", "travel", "--protocol", revision]);
        let session = Session::start_at_terminal(command, 40, 120).expect("the binary starts");
        Follower { _surroundings: surroundings, session }
    }

    #[track_caller]
    fn sees(&mut self, text: &str) {
        let seen = self.session.wait_until(text, Duration::from_secs(15), |session| session.screen().contains(text));
        assert!(seen.is_ok(), "{seen:?}\n{}", self.session.screen());
    }

    #[track_caller]
    fn ends(mut self) {
        self.session.press("ctrl-c").unwrap_or_else(|problem| panic!("{problem}"));
        let ended = self.session.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    }
}

fn a_booking_is_heard_of_by_whoever_follows(_: &str) {
    const SHOW: &str = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ntimes = 0\n";
    for revision in ERAS {
        let server = start();
        let surroundings = [(); 3].map(|()| Surroundings::new().expect("folders can be made"));
        let show = surroundings[0].path("show.toml");
        std::fs::write(&show, SHOW).expect("an answer file can be written");
        let show = show.display().to_string();
        let words = ["read", &server.address, "travel://bookings/latest", "--answers", &show];
        let mut reader = Follower::start(&surroundings[0], &words, revision);
        let mut lister = Follower::start(&surroundings[1], &["list", &server.address], revision);
        reader.sees("Nothing has been booked yet.");
        lister.sees("travel://bookings/latest");
        // What comes before the server has heard that somebody listens is not told.
        std::thread::sleep(Duration::from_millis(500));
        let run = Run::new(&surroundings[2], &["call", &server.address, "book_vacation"]);
        let booked = run.option(&["--protocol", revision]).answers(&format!("{CONFIRM}{CONTACT}")).go().ended_with(0);
        let reference = booked.document["result"]["structuredContent"]["reference"].as_str().unwrap_or_default();
        assert!(!reference.is_empty(), "{}", booked.stdout);
        reader.sees(&format!("Reference: {reference}"));
        lister.sees(&format!("+ resource travel://bookings/{reference}"));
        reader.ends();
        lister.ends();
    }
}
