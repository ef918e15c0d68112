//! The servers on the official SDKs for Python and TypeScript: two servers with the same tools, so one check runs over both, over both of
//! their transports.

use askback_testkit::peers::{Over, reach};
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run};

const PEERS: [&str; 2] = ["python-modern", "typescript-modern"];
const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("sdk_servers":
        ask_form,
        ask_form_declined,
        ask_url,
        ask_sampling,
        ask_roots,
        ask_all,
        wizard,
        state_only,
        ask_prompt,
        ask_resource,
        fail,
        crash,
        slow,
        without_answers_nothing_is_asked,
        the_era_is_found_out,
    )
}

/// Runs with both peers in these revisions, over stdio and over Streamable HTTP.
fn with_both(test: &str, revisions: &[&str], words: &[&str], answers: &str, check: impl Fn(&str, Outcome)) {
    with_both_over(&[Over::Stdio, Over::Http], test, revisions, words, answers, check);
}

fn with_both_over(
    transports: &[Over],
    test: &str,
    revisions: &[&str],
    words: &[&str],
    answers: &str,
    check: impl Fn(&str, Outcome),
) {
    for (name, over) in PEERS.iter().flat_map(|name| transports.iter().map(move |over| (name, *over))) {
        let Some(peer) = reach(test, name, over) else { continue };
        for revision in revisions {
            let surroundings = Surroundings::new().expect("folders can be made");
            let run = Run::new(&surroundings, words).option(&["--protocol", revision]).peer(&peer);
            let run = if answers.is_empty() { run } else { run.answers(answers) };
            let outcome = run.go();
            eprintln!("{name} over {} in {revision}: exit code {}", over.title(), outcome.code);
            check(revision, outcome);
        }
    }
}

const PROFILE: &str = "[[answer]]\nkind = \"form\"\naction = \"accept\"\n\
    content = { name = \"Ada\", agree = true, colour = \"blue\", tags = [\"sea\", \"snow\"] }\n";

fn profile() -> Value {
    json!({ "action": "accept", "content": { "name": "Ada", "agree": true, "colour": "blue", "tags": ["sea", "snow"] } })
}

const STEP: &str = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ncontent = { value = \"x\" }\ntimes = 0\n";

fn ask_form(test: &str) {
    with_both(test, &[MODERN, LEGACY], &["call", "ask_form"], PROFILE, |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text(), profile());
    });
}

fn ask_form_declined(test: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"decline\"\n";
    with_both(test, &[MODERN], &["call", "ask_form"], answers, |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text(), json!({ "action": "decline" }));
    });
}

fn ask_url(test: &str) {
    let answers = "[[answer]]\nkind = \"url\"\naction = \"accept\"\n";
    with_both(test, &[MODERN, LEGACY], &["call", "ask_url"], answers, |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text(), json!({ "action": "accept" }));
    });
}

const REPLY: &str = "[[answer]]\nkind = \"sampling\"\nreply = \"Flight 7.\"\n";

fn ask_sampling(test: &str) {
    with_both(test, &[MODERN, LEGACY], &["call", "ask_sampling"], REPLY, |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text(), json!({ "text": "Flight 7.", "model": "manual" }));
    });
}

fn ask_roots(test: &str) {
    let words = ["call", "ask_roots", "--root", "file:///w/a%20b"];
    with_both(test, &[MODERN, LEGACY], &words, "", |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text()["roots"][0]["uri"], "file:///w/a%20b");
    });
}

fn ask_all(test: &str) {
    let words = ["call", "ask_all", "--root", "file:///w"];
    with_both(test, &[MODERN, LEGACY], &words, &format!("{PROFILE}{REPLY}"), |revision, outcome| {
        let outcome = outcome.ended_with(0);
        let all = outcome.json_text();
        assert_eq!(all["profile"], profile());
        assert_eq!(all["roots"], json!({ "roots": [{ "uri": "file:///w" }] }));
        assert_eq!(all["reply"]["content"], json!({ "type": "text", "text": "Flight 7." }));
        assert_eq!(outcome.document["rounds"], if revision == MODERN { 1 } else { 3 });
    });
}

fn wizard(test: &str) {
    with_both(test, &[MODERN, LEGACY], &["call", "wizard", "steps:=5"], STEP, |_, outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!(outcome.json_text(), json!({ "values": ["x", "x", "x", "x", "x"] }));
        assert_eq!(outcome.document["rounds"], 5);
    });
}

fn state_only(test: &str) {
    with_both(test, &[MODERN], &["call", "state_only", "polls:=2"], "", |_, outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!((&outcome.json_text(), &outcome.document["rounds"]), (&json!({ "polls": 2 }), &json!(0)));
        assert!(outcome.document["durationMs"].as_u64().is_some_and(|took| took >= 700));
    });
}

fn ask_prompt(test: &str) {
    with_both(test, &[MODERN, LEGACY], &["prompt", "ask_prompt"], STEP, |_, outcome| {
        let outcome = outcome.ended_with(0);
        let text = outcome.document["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_default();
        assert!(text.contains("\"accept\"") && text.contains('x'), "{text}");
    });
}

fn ask_resource(test: &str) {
    with_both(test, &[MODERN, LEGACY], &["read", "ask://resource"], STEP, |_, outcome| {
        let outcome = outcome.ended_with(0);
        let text = outcome.document["result"]["contents"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("\"accept\""), "{text}");
    });
}

fn fail(test: &str) {
    with_both(test, &[MODERN], &["call", "fail"], "", |_, outcome| {
        let outcome = outcome.ended_with(1).failed_as("tool-error");
        assert_eq!(outcome.text(), "this tool always fails");
    });
}

fn crash(test: &str) {
    // A process that is gone is not the client's to tell of over HTTP.
    with_both_over(&[Over::Stdio], test, &[MODERN, LEGACY], &["call", "crash"], "", |_, outcome| {
        let outcome = outcome.ended_with(5).failed_as("disconnected");
        assert!(
            outcome.stderr.contains("reason: asked to") && outcome.stderr.contains("exit status: 7"),
            "{}",
            outcome.stderr
        );
    });
}

fn slow(test: &str) {
    // Its progress starts the time anew every 100 ms, so only the limit for the whole call ends it.
    with_both(test, &[MODERN], &["call", "slow", "seconds:=1", "--timeout", "700ms"], "", |_, outcome| {
        assert_eq!(outcome.ended_with(0).json_text()["slept"].as_f64(), Some(1.0));
    });
    with_both(test, &[MODERN], &["call", "slow", "seconds:=20", "--budget", "700ms"], "", |_, outcome| {
        outcome.ended_with(6).failed_as("timed-out");
    });
}

fn without_answers_nothing_is_asked(test: &str) {
    with_both(test, &[MODERN], &["call", "ask_form"], "", |_, outcome| {
        // One of the two minds what was declared and says what it lacks; the other asks all the same and breaks the protocol.
        if outcome.document["error"]["code"] == json!(-32021) {
            outcome.ended_with(4).failed_as("unanswered");
            return;
        }
        let outcome = outcome.ended_with(5).failed_as("protocol");
        let ask = &outcome.document["asks"][0];
        assert_eq!((&ask["action"], &ask["by"]), (&json!("refuse"), &json!("nobody")));
    });
}

fn the_era_is_found_out(test: &str) {
    with_both(test, &["auto"], &["call", "ask_form"], PROFILE, |_, outcome| {
        assert_eq!(outcome.ended_with(0).document["protocolVersion"], MODERN);
    });
}
