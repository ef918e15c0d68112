//! The travel server over HTTP, on `rmcp`'s own server side: an independent peer in both eras.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

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

/// The server, as long as it is wanted, and its address.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(binary());
        command.args(["demo", "server", "--http", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the binary starts");
        let mut address = String::new();
        let stdout = process.stdout.take().expect("standard output is piped");
        BufReader::new(stdout).read_line(&mut address).expect("it says where it is");
        Server { process, address: address.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which its tests will have noticed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn a_vacation_is_booked_over_http(_: &str) {
    let server = Server::start();
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
    let server = Server::start();
    let surroundings = Surroundings::new().expect("folders can be made");
    let outcome = Run::new(&surroundings, &["list", &server.address]).go().ended_with(0);
    let listed = &outcome.document["servers"][0];
    assert_eq!(listed["era"], "modern", "the newer of the two eras that it speaks is found");
    let has =
        |name: &str| listed["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name));
    assert!(has("book_vacation") && has("save_itinerary"), "{listed}");
}
