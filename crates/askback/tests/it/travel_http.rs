//! The travel server over HTTP, on `rmcp`'s own server side: an independent peer in both eras.

use std::path::Path;
use std::time::Duration;

use askback_testkit::served::Served;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use nix::sys::signal::Signal;
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

/// Follows something, with its standard output in a file that can be looked at meanwhile.
struct Follower {
    surroundings: Surroundings,
    session: Session,
}

impl Follower {
    fn start(words: &[&str], revision: &str) -> Follower {
        let surroundings = Surroundings::new().expect("folders can be made");
        std::fs::write(surroundings.path("work").join("show.toml"), SHOW).expect("an answer file can be written");
        let mut command = surroundings.command(Path::new("/bin/sh"));
        command.args(["-c", "exec \"$@\" > ../told", "sh"]).arg(binary());
        command.args(words).args(["--follow", "--as", "travel", "--protocol", revision]);
        let session = Session::start(&mut command).expect("the binary starts");
        Follower { surroundings, session }
    }

    #[track_caller]
    fn tells(&mut self, text: &str) {
        let told = self.surroundings.path("told");
        let read = || std::fs::read_to_string(&told).unwrap_or_default();
        let outcome = self.session.wait_until(text, Duration::from_secs(15), |_| read().contains(text));
        assert!(outcome.is_ok(), "{outcome:?}\n{}", read());
    }

    #[track_caller]
    fn ends(self) {
        self.session.signal(Signal::SIGINT);
        let ended = self.session.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    }
}

/// An answer file that shows bookings, as often as they are read.
const SHOW: &str = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ntimes = 0\n";

fn a_booking_is_heard_of_by_whoever_follows(_: &str) {
    for revision in ERAS {
        let server = start();
        let words = ["read", &server.address, "travel://bookings/latest", "--answers", "show.toml"];
        let mut reader = Follower::start(&words, revision);
        let mut lister = Follower::start(&["list", &server.address], revision);
        reader.tells("Nothing has been booked yet.");
        lister.tells("travel://bookings/latest");
        // What comes before the server has heard that somebody listens is not told.
        std::thread::sleep(Duration::from_millis(500));
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, &["call", &server.address, "book_vacation"]);
        let booked = run.option(&["--protocol", revision]).answers(&format!("{CONFIRM}{CONTACT}")).go().ended_with(0);
        let reference = booked.document["result"]["structuredContent"]["reference"].as_str().unwrap_or_default();
        assert!(!reference.is_empty(), "{}", booked.stdout);
        reader.tells(&format!("Reference: {reference}"));
        lister.tells(&format!("+ resource travel://bookings/{reference}"));
        reader.ends();
        lister.ends();
    }
}
