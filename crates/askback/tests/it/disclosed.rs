//! What servers were given, and what `askback log --disclosed` says of it.

use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run, WHOLE, binary};
use crate::travel::{CONFIRM, CONTACT, ERAS};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("disclosed":
        what_a_server_was_given_can_be_looked_up,
        a_log_that_cannot_be_written_is_told_and_stops_nothing,
    )
}

const ANSWERS: &str = r#"
[[answer]]
kind = "sampling"
reply = "SK490, and the key is sk-proj-Zk3vQ9xL2mN8pR4tW7yB1cD5fG6hJ0aS"

[[answer]]
kind = "url"
tool = "pay_deposit"
action = "decline"
reason = "too dear"
"#;

fn given(surroundings: &Surroundings, lang: &str) -> Outcome {
    let mut command = surroundings.command(&binary());
    command.args(["--lang", lang, "log", "--disclosed", "travel"]).env("TZ", "UTC0");
    Outcome::of(Session::start(&mut command).expect("the binary starts").end(WHOLE)).ended_with(0)
}

fn what_a_server_was_given_can_be_looked_up(_: &str) {
    let booked = [CONFIRM, CONTACT].concat();
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let folder = surroundings.work().join("my trips");
        std::fs::create_dir(&folder).expect("it can be made");
        let configuration = format!("[servers.travel]\ncommand = {:?}\nargs = [\"demo\", \"server\"]\n", binary());
        std::fs::write(surroundings.work().join("askback.toml"), configuration).expect("it can be written");
        assert!(given(&surroundings, "en").stdout.contains("Nothing is on record"));
        for (words, answers, code) in [
            (&["call", "travel", "book_vacation"][..], booked.as_str(), 0),
            (&["call", "travel", "find_best_flight"], ANSWERS, 0),
            (&["call", "travel", "save_itinerary", "title=Lisbon", "text=Beach.", "--root", "my trips"], "", 0),
        ] {
            let run = Run::new(&surroundings, words).option(&["--protocol", revision, "--allow-unused"]);
            run.answers(answers).go().ended_with(code);
        }
        let mut command = surroundings.command(&binary());
        command.args(["log", "--disclosed", "travel", "--json"]);
        let listed = Outcome::of(Session::start(&mut command).expect("the binary starts").end(WHOLE)).ended_with(0);
        let entries: Vec<Value> = serde_json::from_str(&listed.stdout).expect("a list");
        let calls: Vec<&Value> = entries.iter().map(|entry| &entry["call"]).collect();
        assert_eq!(calls, ["book_vacation", "book_vacation", "find_best_flight", "save_itinerary"]);
        assert_eq!((&entries[0]["by"], &entries[3]["by"]), (&json!("answers"), &json!("config")));
        assert!(!listed.stdout.contains("sk-proj"), "{}", listed.stdout);
        if revision == ERAS[0] {
            for lang in ["en", "zh-CN"] {
                let seen = given(&surroundings, lang).stdout;
                let seen = seen.replace(&surroundings.path("").display().to_string(), "/HOME/");
                let seen = seen.replace(&binary().display().to_string(), "askback");
                let lines: Vec<String> = seen.lines().map(without_time).collect();
                insta::assert_snapshot!(format!("disclosed.{lang}"), lines.join("\n"));
            }
        }
    }
}

/// The line with a fixed time in the place of one that it begins with.
fn without_time(line: &str) -> String {
    let is_time = line.len() > 19 && line.as_bytes()[4] == b'-' && line.as_bytes()[13] == b':';
    if is_time { format!("2026-06-15 09:30:00{}", &line[19..]) } else { line.to_owned() }
}

fn a_log_that_cannot_be_written_is_told_and_stops_nothing(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    std::fs::create_dir_all(surroundings.path("state/askback/disclosures.jsonl")).expect("a folder stands in the way");
    let run = Run::new(&surroundings, &["call", "book_vacation"]).answers(&[CONFIRM, CONTACT].concat());
    let outcome = run.server(&[binary().display().to_string(), "demo".to_owned(), "server".to_owned()]).go();
    let outcome = outcome.ended_with(0);
    assert!(outcome.stderr.contains("could not be written to the log"), "{}", outcome.stderr);
}
