//! How far a call is and what the server logs meanwhile, with and without a terminal.

use std::time::Duration;

use askback_testkit::record::Record;
use askback_testkit::stdio_server::ROLE;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::{Ended, Session};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::askback::{WHOLE, binary};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("progress":
        a_bar_is_drawn_and_gone_in_the_end,
        without_a_total_a_mark_turns,
        no_bar_beside_a_question,
        without_a_terminal_nothing_is_told,
        numbers_that_make_no_sense,
        a_flood_of_reports,
        what_is_logged_by_level,
        what_is_asked_of_the_server,
        a_flood_of_messages,
    )
}

/// The command that calls a tool of a server with this script.
fn call(surroundings: &Surroundings, script: &str, options: &[&str]) -> std::process::Command {
    let (file, record) = (surroundings.path("script.toml"), surroundings.path("record.jsonl"));
    std::fs::write(&file, script).expect("a script can be written");
    let mut command = surroundings.command(&binary());
    command.args(["call", "work", "--as", "s"]).args(options).arg("--");
    command.arg(std::env::current_exe().expect("a program knows where it is")).arg(ROLE).arg(file);
    command.arg("--record").arg(record);
    command
}

#[track_caller]
fn ended(session: Session) -> Ended {
    let ended = session.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    ended
}

#[track_caller]
fn see(session: &mut Session, text: &str) {
    let seen = session.wait_until(text, Duration::from_secs(10), |session| session.screen().contains(text));
    seen.unwrap_or_else(|problem| panic!("{problem}\n{}", session.screen()));
}

const HALF: &str = r#"
[[server.step]]
progress = { progress = 2, total = 4, message = "cities\u001B[2J" }
[[server.step]]
wait = 1300
[[server.step]]
text = "done"
"#;

fn a_bar_is_drawn_and_gone_in_the_end(_: &str) {
    for (lang, second) in [("en", "1 s"), ("zh-CN", "1 秒")] {
        for options in [&["--lang", lang][..], &["--lang", lang, "--no-input"]] {
            let surroundings = Surroundings::new().expect("folders can be made");
            let mut command = call(&surroundings, HALF, options);
            command.env("NO_COLOR", "1");
            let mut session = Session::start_at_terminal(command, 20, 80).expect("the binary starts");
            // Time goes on though the server says nothing more.
            see(&mut session, &format!("██████████░░░░░░░░░░ 50 % 2/4 · {second} · cities␛[2J"));
            let ended = ended(session);
            assert_eq!((ended.stdout.as_str(), ended.stderr.trim()), ("done\n", ""), "{options:?}");
        }
    }
}

fn without_a_total_a_mark_turns(_: &str) {
    let script = HALF.replace("total = 4, ", "");
    let surroundings = Surroundings::new().expect("folders can be made");
    let mut session = Session::start_at_terminal(call(&surroundings, &script, &[]), 20, 80).expect("the binary starts");
    see(&mut session, " 2 · 0 s · cities");
    let mark = session.screen().chars().next();
    let turned = session.wait_until("another mark", WHOLE, |session| session.screen().chars().next() != mark);
    turned.unwrap_or_else(|problem| panic!("{problem}"));
    ended(session);
}

fn no_bar_beside_a_question(_: &str) {
    let script = r#"
[server]
revision = "2025-11-25"
[[server.step]]
progress = { progress = 1, total = 4 }
[[server.step]]
ask.sure = { method = "elicitation/create", params = { message = "Go on?", requestedSchema = { type = "object", properties = {} } } }
open = true
[[server.step]]
wait = 300
[[server.step]]
progress = { progress = 3, total = 4 }
[[server.step]]
await = "sure"
[[server.step]]
progress = { progress = 4, total = 4 }
[[server.step]]
wait = 700
[[server.step]]
text = "done"
"#;
    let surroundings = Surroundings::new().expect("folders can be made");
    let mut session = Session::start_at_terminal(call(&surroundings, script, &[]), 30, 80).expect("the binary starts");
    see(&mut session, "Go on?");
    let drawn_beside =
        session.wait_until("a bar", Duration::from_millis(900), |session| session.screen().contains('█'));
    assert!(drawn_beside.is_err(), "{}", session.screen());
    session.press("esc").unwrap_or_else(|problem| panic!("{problem}"));
    see(&mut session, "100 % 4/4");
    let ended = ended(session);
    assert!(!ended.stderr.contains('%'), "{}", ended.stderr);
}

fn without_a_terminal_nothing_is_told(_: &str) {
    let run = |options: &[&str]| {
        let surroundings = Surroundings::new().expect("folders can be made");
        ended(Session::start(&mut call(&surroundings, HALF, options)).expect("the binary starts")).stderr
    };
    assert_eq!(run(&[]), "");
    assert_eq!(run(&["-v"]), "… 2/4 cities␛[2J\n");
}

fn numbers_that_make_no_sense(_: &str) {
    let reports =
        ["progress = 30, total = 20", "progress = -7, total = 0", "progress = 1e300, total = 1e-300", "progress = 5"];
    let steps: String = reports
        .iter()
        .map(|report| format!("[[server.step]]\nprogress = {{ {report} }}\n[[server.step]]\nwait = 150\n"))
        .collect();
    let script = format!("{steps}[[server.step]]\ntext = \"done\"\n");
    let surroundings = Surroundings::new().expect("folders can be made");
    let session = Session::start_at_terminal(call(&surroundings, &script, &[]), 20, 80).expect("the binary starts");
    let ended = ended(session);
    assert_eq!((ended.stdout.as_str(), ended.stderr.trim()), ("done\n", ""));
}

fn a_flood_of_reports(_: &str) {
    // Our token for the progress of a request is its id.
    let report = r#"
[[server.step]]
say = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{id},"progress":1,"message":"flood"}}'
"#;
    let flood = format!("{}[[server.step]]\ntext = \"done\"\n", report.repeat(2_000));
    let surroundings = Surroundings::new().expect("folders can be made");
    let began = std::time::Instant::now();
    let outcome = ended(Session::start(&mut call(&surroundings, &flood, &["-v"])).expect("the binary starts"));
    let most = began.elapsed().as_millis() / 100 + 2;
    let lines = outcome.stderr.lines().count();
    assert!((1..=most).contains(&(lines as u128)), "{lines} lines in {:?}", began.elapsed());
}

/// A step that logs.
fn log(level: &str) -> String {
    format!(
        "[[server.step]]\nnotify = '{{\"method\":\"notifications/message\",\"params\":{{\"level\":\"{level}\",\"logger\":\"db\",\"data\":\"a word\"}}}}'\n"
    )
}

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

fn what_is_logged_by_level(_: &str) {
    let steps: String = LEVELS.map(log).concat();
    for revision in ["2026-07-28", "2025-11-25"] {
        let script = format!(
            "[server]\nrevision = \"{revision}\"\ncapabilities = {{ tools = {{}}, logging = {{}} }}\n{steps}[[server.step]]\ntext = \"done\"\n"
        );
        for (options, least) in [(&[][..], 3), (&["-v"], 1), (&["-vv"], 0)] {
            let surroundings = Surroundings::new().expect("folders can be made");
            let options = [options, &["--json"]].concat();
            let outcome =
                ended(Session::start(&mut call(&surroundings, &script, &options)).expect("the binary starts"));
            let expected: String = LEVELS[least..].iter().map(|level| format!("[s {level} db] a word\n")).collect();
            assert_eq!(outcome.stderr, expected, "{revision} {options:?}");
            let document: Value = serde_json::from_str(&outcome.stdout).expect("one document");
            assert_eq!(document["error"], Value::Null);
        }
    }
}

fn what_is_asked_of_the_server(_: &str) {
    let run = |revision: &str, capabilities: &str, options: &[&str]| {
        let script = format!(
            "[server]\nrevision = \"{revision}\"\ncapabilities = {{ tools = {{}}{capabilities} }}\n[[server.step]]\ntext = \"done\"\n"
        );
        let surroundings = Surroundings::new().expect("folders can be made");
        ended(Session::start(&mut call(&surroundings, &script, options)).expect("the binary starts"));
        let record = Record::read(&surroundings.path("record.jsonl"));
        let lines: Vec<&String> = record.processes.iter().flat_map(|process| &process.lines).collect();
        let asked = |line: &&String| {
            let message: Value = serde_json::from_str(line).ok()?;
            match message["method"].as_str()? {
                "logging/setLevel" => Some(format!("once {}", message["params"]["level"].as_str()?)),
                "tools/call" => {
                    let level = &message["params"]["_meta"]["io.modelcontextprotocol/logLevel"];
                    Some(format!("with the call {}", level.as_str()?))
                }
                _ => None,
            }
        };
        lines.iter().filter_map(asked).collect::<Vec<_>>()
    };
    let logging = ", logging = {}";
    // The scripted server refuses `logging/setLevel`, which is no error.
    for (options, level) in [(&[][..], "warning"), (&["-v"], "info"), (&["-vv"], "debug")] {
        assert_eq!(run("2026-07-28", logging, options), [format!("with the call {level}")]);
        assert_eq!(run("2025-11-25", logging, options), [format!("once {level}")]);
    }
    assert_eq!(run("2026-07-28", "", &["-v"]), Vec::<String>::new());
    assert_eq!(run("2025-11-25", "", &["-v"]), Vec::<String>::new());
}

fn a_flood_of_messages(_: &str) {
    let script = r#"
[[server.step]]
say = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"flood"}}'
repeat = 5000
[[server.step]]
text = "done"
"#;
    let surroundings = Surroundings::new().expect("folders can be made");
    let outcome = ended(Session::start(&mut call(&surroundings, script, &[])).expect("the binary starts"));
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(
        (lines.len(), lines[0], lines[200]),
        (201, "[s error] flood", "[s] and more; it is not shown any further")
    );
}
