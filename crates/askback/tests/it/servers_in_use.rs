//! Servers that people use, which were written with no thought of this client: what they do works, and what they ask is answered.

use askback_testkit::peers::{Over, reach};
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Outcome, Run};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("servers_in_use":
        filesystem_asks_for_the_roots_at_its_start,
        filesystem_refuses_what_lies_outside_of_them,
        playwright_asks_for_the_roots_at_its_first_call,
        azure_asks_before_it_reads_a_secret,
        azure_hears_a_no,
        mongodb_lists_its_connections,
        memory_keeps_a_graph,
        time_is_converted,
        git_shows_a_log,
        fastmcp_asks_in_each_era_in_its_own_way,
    )
}

fn run(test: &str, name: &str, surroundings: &Surroundings, words: &[&str], answers: &str) -> Option<Outcome> {
    let peer = reach(test, name, Over::Stdio)?;
    let run = Run::new(surroundings, words).peer(&peer);
    let run = if answers.is_empty() { run } else { run.answers(answers) };
    Some(run.go())
}

fn filesystem_asks_for_the_roots_at_its_start(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let (folder, file) = (surroundings.work(), surroundings.work().join("plan.txt"));
    std::fs::write(&file, "Beach first.").expect("a file can be written");
    let path = format!("path={}", file.display());
    let words = ["call", "read_text_file", &path, "--root", &folder.display().to_string()];
    let Some(outcome) = run(test, "filesystem", &surroundings, &words, "") else { return };
    let outcome = outcome.ended_with(0);
    assert_eq!(outcome.text(), "Beach first.");
    assert_eq!(outcome.document["asks"][0]["kind"], "roots");
}

fn filesystem_refuses_what_lies_outside_of_them(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let folder = surroundings.work().display().to_string();
    let words = ["call", "read_text_file", "path=/etc/hostname", "--root", &folder];
    let Some(outcome) = run(test, "filesystem", &surroundings, &words, "") else { return };
    let outcome = outcome.ended_with(1).failed_as("tool-error");
    assert!(outcome.text().contains("Access denied") && outcome.text().contains(&folder), "{}", outcome.text());
}

/// It may have no browser to start, so only what it asked counts.
fn playwright_asks_for_the_roots_at_its_first_call(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let words = ["call", "browser_tabs", "action=list", "--root", "file:///w"];
    let Some(outcome) = run(test, "playwright", &surroundings, &words, "") else { return };
    let ask = &outcome.document["asks"][0];
    assert_eq!((&ask["kind"], &ask["action"]), (&json!("roots"), &json!("accept")), "{}", outcome.stderr);
    assert_eq!(outcome.document["violations"], json!([]));
}

const SECRET: &str = r#"{"intent":"get","command":"keyvault_secret_get","parameters":{"vault":"v","secret":"s","subscription":"00000000-0000-0000-0000-000000000000"}}"#;

fn azure_asks_before_it_reads_a_secret(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let words = ["call", "keyvault", "--args", SECRET];
    let Some(outcome) = run(test, "azure", &surroundings, &words, "") else { return };
    let outcome = outcome.ended_with(1);
    let ask = &outcome.document["asks"];
    assert_eq!(ask, &json!([]), "nothing was declared, so nothing is asked: {}", outcome.stdout);
}

fn azure_hears_a_no(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let answers = "[[answer]]\nkind = \"form\"\naction = \"decline\"\n";
    let words = ["call", "keyvault", "--args", SECRET];
    let Some(outcome) = run(test, "azure", &surroundings, &words, answers) else { return };
    let outcome = outcome.ended_with(1).failed_as("tool-error");
    assert_eq!(outcome.document["asks"][0]["action"], "decline");
    assert!(outcome.text().contains("cancelled"), "{}", outcome.text());
}

fn mongodb_lists_its_connections(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let Some(outcome) = run(test, "mongodb", &surroundings, &["call", "list-connections"], "") else { return };
    let outcome = outcome.ended_with(0);
    assert_eq!(outcome.document["result"]["structuredContent"], json!({ "connections": [] }));
    assert_eq!(outcome.document["era"], "modern");
}

fn memory_keeps_a_graph(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let Some(outcome) = run(test, "memory", &surroundings, &["call", "read_graph"], "") else { return };
    let graph = &outcome.ended_with(0).document["result"]["structuredContent"];
    assert_eq!(graph, &json!({ "entities": [], "relations": [] }));
}

fn time_is_converted(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let words = ["call", "convert_time", "time=12:00", "source_timezone=Asia/Tokyo", "target_timezone=Asia/Shanghai"];
    let Some(outcome) = run(test, "time", &surroundings, &words, "") else { return };
    assert_eq!(outcome.ended_with(0).json_text()["time_difference"], "-1.0h");
}

fn git_shows_a_log(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let path = format!("repo_path={}", env!("CARGO_MANIFEST_DIR"));
    let words = ["call", "git_log", &path, "max_count:=1"];
    let Some(outcome) = run(test, "git", &surroundings, &words, "") else { return };
    // Where the sources are no repository, the server says so: that is a conversation as well.
    assert!(outcome.text().contains("Commit") || outcome.code == 1, "{}\n{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.document["era"], "modern");
}

fn fastmcp_asks_in_each_era_in_its_own_way(test: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ncontent = { name = \"Ada\", agree = true }\n";
    for over in [Over::Stdio, Over::Http] {
        let Some(peer) = reach(test, "fastmcp", over) else { continue };
        for (revision, tool) in [("2026-07-28", "ask_form_in_a_round"), ("2025-11-25", "ask_form")] {
            let surroundings = Surroundings::new().expect("folders can be made");
            let run = Run::new(&surroundings, &["call", tool, "--protocol", revision]).peer(&peer).answers(answers);
            let content = json!({ "action": "accept", "content": { "name": "Ada", "agree": true } });
            assert_eq!(run.go().ended_with(0).json_text(), content);
        }
    }
}
