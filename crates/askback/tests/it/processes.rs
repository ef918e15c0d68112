//! Processes over more than one run, and what is left of them.

use std::path::PathBuf;
use std::time::Duration;

use askback_testkit::process;
use askback_testkit::record::Record;
use askback_testkit::stdio_server::ROLE;
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use nix::sys::signal::Signal;

use crate::askback::{Outcome, Run, WHOLE};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("processes":
        a_legacy_server_is_probed_once,
        a_server_that_was_brought_up_to_date_is_found_out,
        killing_the_client_ends_the_server,
        a_second_interruption_ends_everything_at_once,
    )
}

/// A server with this script, in these surroundings; and the file that it notes things down in.
pub(crate) fn scripted(surroundings: &Surroundings, script: &str) -> (Vec<String>, PathBuf) {
    let (file, record) = (surroundings.path("script.toml"), surroundings.path("record.jsonl"));
    std::fs::write(&file, script).expect("a script can be written");
    let itself = std::env::current_exe().expect("a program knows where it is");
    let words = [itself.display().to_string(), ROLE.into(), file.display().to_string(), "--record".into()];
    (words.into_iter().chain([record.display().to_string()]).collect(), record)
}

fn greet(surroundings: &Surroundings, script: &str) -> Outcome {
    let (server, _) = scripted(surroundings, script);
    Run::new(surroundings, &["call", "greet"]).server(&server).go()
}

const LEGACY: &str = "[server]\nrevision = \"2025-11-25\"\n[[server.step]]\ntext = \"hello\"\n";
const MODERN: &str = "[server]\nrevision = \"2026-07-28\"\n[[server.step]]\ntext = \"hello\"\n";

fn a_legacy_server_is_probed_once(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let record = surroundings.path("record.jsonl");
    greet(&surroundings, LEGACY).ended_with(0);
    let first = Record::read(&record).methods();
    assert_eq!(first, ["server/discover", "initialize", "notifications/initialized", "tools/call"]);
    greet(&surroundings, LEGACY).ended_with(0);
    assert_eq!(
        Record::read(&record).methods()[first.len()..],
        ["initialize", "notifications/initialized", "tools/call"]
    );
}

fn a_server_that_was_brought_up_to_date_is_found_out(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    greet(&surroundings, LEGACY).ended_with(0);
    for _ in 0..2 {
        let outcome = greet(&surroundings, MODERN).ended_with(0);
        assert_eq!((outcome.text(), outcome.document["era"].as_str()), ("hello", Some("modern")));
    }
    let methods = Record::read(&surroundings.path("record.jsonl")).methods();
    assert_eq!(methods[4..], ["initialize", "server/discover", "tools/call", "server/discover", "tools/call"]);
}

fn killing_the_client_ends_the_server(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let (server, record) = scripted(&surroundings, "[[server.step]]\nwait = 60000\n");
    let mut session = Run::new(&surroundings, &["call", "dawdle"]).server(&server).start();
    let called = |_: &_| Record::read(&record).methods().contains(&"tools/call".to_owned());
    session.wait_until("the call", Duration::from_secs(10), called).unwrap();
    session.signal(Signal::SIGKILL);
    let _ = session.end(WHOLE);
    let left = process::wait_until_ended(&Record::read(&record).process_ids(), Duration::from_secs(5));
    assert!(left.is_empty(), "{left:?} are left");
}

fn a_second_interruption_ends_everything_at_once(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let script = "[server.process]\nignore_eof = true\nignore_sigterm = true\ngrandchild = true\n[[server.step]]\nwait = 60000\n";
    let (server, record) = scripted(&surroundings, script);
    let mut session = Run::new(&surroundings, &["call", "dawdle"]).server(&server).start();
    let called = |_: &_| Record::read(&record).methods().contains(&"tools/call".to_owned());
    session.wait_until("the call", Duration::from_secs(10), called).unwrap();
    session.signal(Signal::SIGINT);
    let told = |_: &_| Record::read(&record).methods().contains(&"notifications/cancelled".to_owned());
    session.wait_until("the cancelling", Duration::from_secs(10), told).unwrap();
    session.signal(Signal::SIGINT);
    let outcome = Outcome::of(session.end(Duration::from_secs(3)));
    assert_eq!(outcome.code, 130);
    let left = process::wait_until_ended(&Record::read(&record).process_ids(), Duration::from_secs(2));
    left.iter().for_each(|process| process::signal(*process, Signal::SIGKILL));
    assert!(left.is_empty(), "{left:?} are left");
}
