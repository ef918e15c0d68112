//! What a person sees without a terminal: help, the demo's conversation, lists and errors, in both languages, as snapshots.

use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;

use crate::askback::{WHOLE, binary};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("looks": help, help_for_a_call, help_for_a_chat, the_demo, a_list, errors)
}

/// Runs the words in each language and compares all that is to be seen; what differs from run to run is left out.
fn check(name: &str, runs: &[&[&str]]) {
    for lang in ["en", "zh-CN"] {
        let mut seen = String::new();
        for words in runs {
            let surroundings = Surroundings::new().expect("folders can be made");
            let mut command = surroundings.command(&binary());
            command.args(["--lang", lang]);
            // The language may stand anywhere before the server's own words.
            let askback = binary().display().to_string();
            command.args(words.iter().map(|word| word.replace("ASKBACK", &askback)));
            let ended = Session::start(&mut command).expect("the binary starts").end(WHOLE);
            let ended = ended.unwrap_or_else(|problem| panic!("{problem}"));
            let code = ended.status.code().unwrap_or(-1);
            seen.push_str(&format!("$ askback {}\n{}{}[{code}]\n\n", words.join(" "), ended.stdout, ended.stderr));
        }
        let seen = steady(&seen.replace(&binary().display().to_string(), "ASKBACK"));
        insta::assert_snapshot!(format!("{name}.{lang}"), seen);
    }
}

/// The text without booking references, which are made anew each time.
fn steady(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.split_once("Reference: ") {
            Some((before, _)) => lines.push(format!("{before}Reference: …")),
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

fn help(_: &str) {
    check("help", &[&["--help"], &[]]);
}

fn help_for_a_chat(_: &str) {
    check("help_for_a_chat", &[&["chat", "--help"]]);
}

fn help_for_a_call(_: &str) {
    check("help_for_a_call", &[&["call", "--help"]]);
}

fn the_demo(_: &str) {
    check("the_demo", &[&["demo"]]);
}

fn a_list(_: &str) {
    check("a_list", &[&["list", "--as", "travel", "--", "ASKBACK", "demo", "server"]]);
}

fn errors(_: &str) {
    check(
        "errors",
        &[
            &["call"],
            &["call", "x", "--answrs", "y"],
            &["call", "nobody", "tool"],
            &["call", "x", "broken", "--", "ASKBACK", "demo", "server"],
            &["call", "x", "--timeout", "soon", "--", "ASKBACK", "demo", "server"],
            &["call", "x", "--protocol", "2023-01-01", "--", "ASKBACK", "demo", "server"],
            &["call", "x", "--answers", "missing.toml", "--", "ASKBACK", "demo", "server"],
            &["call", "x", "--", "no-such-program"],
            &["call", "x", "--", "sh", "-c", "echo the database is away >&2; exit 3"],
            &["call", "book_vacation", "--as", "travel", "--", "ASKBACK", "demo", "server"],
            &["call", "no_such_tool", "--as", "travel", "--", "ASKBACK", "demo", "server"],
        ],
    );
}
