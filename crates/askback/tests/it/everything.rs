//! The reference server of the legacy era, over all three of its transports.

use askback_testkit::peers::{Over, reach};
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Outcome, Run};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("everything":
        it_is_found_to_be_legacy,
        trigger_sampling_request,
        trigger_elicitation_request,
        trigger_elicitation_request_declined,
        trigger_url_elicitation,
        e38_a_page_that_the_call_needs_first,
        get_roots_list,
    )
}

/// Calls over each transport.
fn call(test: &str, words: &[&str], answers: &str, check: impl Fn(Outcome)) {
    for over in [Over::Stdio, Over::Http, Over::Sse] {
        let Some(peer) = reach(test, "everything", over) else { continue };
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, &[&["call"], words].concat()).peer(&peer);
        let run = if answers.is_empty() { run } else { run.answers(answers) };
        let outcome = run.go();
        eprintln!("over {}: exit code {}", over.title(), outcome.code);
        check(outcome);
    }
}

fn all_text(outcome: &Outcome) -> String {
    let blocks = outcome.document["result"]["content"].as_array();
    blocks.into_iter().flatten().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn it_is_found_to_be_legacy(test: &str) {
    call(test, &["echo", "message=hi"], "", |outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!(outcome.document["protocolVersion"], "2025-11-25");
        assert!(all_text(&outcome).contains("hi"));
    });
}

fn trigger_sampling_request(test: &str) {
    let answers = "[[answer]]\nkind = \"sampling\"\nreply = \"A poem, by hand.\"\n";
    call(test, &["trigger-sampling-request", "prompt=Write", "maxTokens:=50"], answers, |outcome| {
        let outcome = outcome.ended_with(0);
        assert!(all_text(&outcome).contains("A poem, by hand."), "{}", all_text(&outcome));
    });
}

fn trigger_elicitation_request(test: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ncontent = { name = \"Ada\" }\n";
    call(test, &["trigger-elicitation-request"], answers, |outcome| {
        let outcome = outcome.ended_with(0);
        assert!(all_text(&outcome).contains("Ada"), "{}", all_text(&outcome));
        assert_eq!(outcome.document["asks"][0]["content"], json!({ "name": "Ada" }));
    });
}

fn trigger_elicitation_request_declined(test: &str) {
    let answers = "[[answer]]\nkind = \"form\"\naction = \"decline\"\n";
    call(test, &["trigger-elicitation-request"], answers, |outcome| {
        let outcome = outcome.ended_with(0);
        assert!(all_text(&outcome).to_lowercase().contains("declined"), "{}", all_text(&outcome));
    });
}

fn trigger_url_elicitation(test: &str) {
    let answers = "[[answer]]\nkind = \"url\"\naction = \"accept\"\n";
    let words =
        ["trigger-url-elicitation", "url=http://127.0.0.1:9/consent", "message=Please consent.", "elicitationId=e-1"];
    call(test, &words, answers, |outcome| {
        let outcome = outcome.ended_with(0);
        assert_eq!(
            (&outcome.document["asks"][0]["kind"], &outcome.document["asks"][0]["action"]),
            (&json!("url"), &json!("accept"))
        );
    });
}

/// The first try is refused with -32042 and a page; the second, the same again, asks for a page in a request.
fn e38_a_page_that_the_call_needs_first(test: &str) {
    let answers = "[[answer]]\nkind = \"url\"\naction = \"accept\"\nkey = \"elicitations[0]\"\n\
                   [[answer]]\nkind = \"url\"\naction = \"accept\"\nkey = \"elicitation/create\"\n";
    let words = ["trigger-url-elicitation", "url=http://127.0.0.1:9/consent", "message=Please.", "errorPath:=true"];
    call(test, &words, answers, |outcome| {
        let outcome = outcome.ended_with(0);
        let rounds: Vec<&serde_json::Value> =
            outcome.document["asks"].as_array().into_iter().flatten().map(|ask| &ask["key"]).collect();
        assert_eq!(rounds, [&json!("elicitations[0]"), &json!("elicitation/create")]);
    });
}

fn get_roots_list(test: &str) {
    call(test, &["get-roots-list", "--root", "file:///w/a%20b"], "", |outcome| {
        let outcome = outcome.ended_with(0);
        assert!(all_text(&outcome).contains("file:///w/a%20b"), "{}", all_text(&outcome));
    });
}
