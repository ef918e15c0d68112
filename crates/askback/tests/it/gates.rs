//! A person at both gates: what a model hears, and what a server gets, is what they have seen and let through.

use std::net::TcpListener;
use std::time::Duration;

use askback_testkit::real_model::RealModel;
use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::Outcome;
use crate::endpoint::Endpoint;
use crate::models::configure;
use crate::person::{FLIGHT, Person, RESEARCH, analysis, edit_with, researcher};
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("gates":
        s10_a_model_replies_after_both_gates,
        s10_what_is_edited_at_gate_one_is_what_the_model_hears,
        s10_what_is_edited_at_gate_two_is_what_the_server_gets,
        s10_both_may_be_edited_in_the_editor_of_the_person,
        s10_a_request_that_is_declined_goes_to_no_model,
        s10_a_draft_that_is_declined_goes_to_no_server,
        s06_a_tool_call_of_the_model_is_edited_before_it_goes_back,
        s07_the_person_takes_another_model,
        s08_where_the_model_fails_the_person_may_write,
        a_draft_may_be_written_again,
        a_model_at_work_may_be_stopped,
        secrets_are_hidden_and_put_back_by_the_person,
        secrets_are_shown_if_the_person_says_so,
        a_real_model_goes_through_both_gates,
    )
}

/// A configured server with one model, in each era.
fn in_both(
    replies: &[&str],
    more: &str,
    words: &[&str],
    person: impl Fn(&mut Person),
    check: impl Fn(Outcome, &[String]),
) {
    for revision in ERAS {
        let endpoint = Endpoint::writing(replies);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, more);
        let mut sitting = Person::calls(&surroundings, revision, words);
        person(&mut sitting);
        let outcome = sitting.ends().ended_with(0);
        assert_eq!(outcome.document["protocolVersion"], revision);
        check(outcome, &endpoint.heard.join().expect("it was asked"));
    }
}

fn s10_a_model_replies_after_both_gates(_: &str) {
    let person = |person: &mut Person| {
        person.sees("Model: small (smollm2)");
        person.chooses("Ask small");
        person.sees("This goes to travel as the model’s reply:");
        person.sees("Take the cheapest.");
        person.chooses("Send");
    };
    in_both(&["Take the cheapest."], "", FLIGHT, person, |outcome, heard| {
        assert_eq!(analysis(&outcome), "Take the cheapest.");
        let ask = &outcome.document["asks"][0];
        assert_eq!((&ask["by"], &ask["model"], &ask["action"]), (&json!("person"), &json!("tiny-7"), &json!("accept")));
        assert!(heard[0].contains("morning departure") && heard[0].contains("You are a travel expert"), "{}", heard[0]);
    });
}

fn s10_what_is_edited_at_gate_one_is_what_the_model_hears(_: &str) {
    let person = |person: &mut Person| {
        person.chooses("Edit the request …");
        person.chooses("message 1, user");
        person.sees("Ctrl-S done");
        person.presses("type:,·no·red-eyes ctrl-s");
        person.sees("+ User preferences: morning departure, max 1 layover, no red-eyes");
        person.chooses("Ask small");
        person.chooses("Send");
    };
    in_both(&["Take the cheapest."], "", FLIGHT, person, |outcome, heard| {
        assert_eq!(analysis(&outcome), "Take the cheapest.");
        assert!(heard[0].contains("max 1 layover, no red-eyes"), "{}", heard[0]);
    });
}

fn s10_what_is_edited_at_gate_two_is_what_the_server_gets(_: &str) {
    let person = |person: &mut Person| {
        person.chooses("Ask small");
        person.chooses("Edit");
        person.sees("Ctrl-S review");
        person.presses("type:·It·is·late. ctrl-s");
        person.sees("− Take the cheapest.");
        person.sees("+ Take the cheapest. It is late.");
        person.chooses("Send");
    };
    in_both(&["Take the cheapest."], "", FLIGHT, person, |outcome, _| {
        assert_eq!(analysis(&outcome), "Take the cheapest. It is late.");
        assert_eq!(outcome.document["asks"][0]["model"], "tiny-7");
    });
}

fn s10_both_may_be_edited_in_the_editor_of_the_person(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::writing(&["Take the cheapest."]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        edit_with(&surroundings, "s/morning departure/evening departure/; s/cheapest/fastest/");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.sees("Ask small");
        person.presses("ctrl-e");
        person.sees("+ User preferences: evening departure");
        person.chooses("Ask small");
        person.chooses("Edit");
        person.sees("Ctrl-E your editor");
        person.presses("ctrl-e");
        person.sees("Take the fastest.");
        person.presses("ctrl-s");
        person.sees("+ Take the fastest.");
        person.chooses("Send");
        let outcome = person.ends().ended_with(0);
        assert_eq!(analysis(&outcome), "Take the fastest.");
        let heard = endpoint.heard.join().expect("it was asked");
        assert!(heard[0].contains("evening departure") && !heard[0].contains("morning departure"), "{}", heard[0]);
    }
}

/// What comes of a refusal: words where the protocol has them, and the end of the call where not.
#[track_caller]
fn check_refused(outcome: Outcome, revision: &str) {
    let ask = &outcome.document["asks"][0];
    assert_eq!((&ask["action"], &ask["by"]), (&json!("refuse"), &json!("person")), "{}", outcome.stdout);
    if revision == ERAS[0] {
        outcome.ended_with(4).failed_as("refused");
    } else {
        outcome.ended_with(1).failed_as("tool-error");
    }
}

fn s10_a_request_that_is_declined_goes_to_no_model(_: &str) {
    for revision in ERAS {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let surroundings = Surroundings::new().expect("folders can be made");
        let address = listener.local_addr().expect("it has an address");
        configure(&surroundings, &format!("http://{address}"), "");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Decline");
        person.sees("A reason is optional");
        person.presses("type:Not·today enter");
        check_refused(person.ends(), revision);
        listener.set_nonblocking(true).expect("it can be looked at");
        assert!(listener.accept().is_err(), "the model was asked");
    }
}

fn s10_a_draft_that_is_declined_goes_to_no_server(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::writing(&["Take the cheapest."]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Ask small");
        person.sees("Take the cheapest.");
        person.chooses("Decline");
        person.sees("A reason is optional");
        person.presses("enter");
        let outcome = person.ends();
        assert!(!outcome.document["result"].to_string().contains("Take the cheapest."), "{}", outcome.stdout);
        check_refused(outcome, revision);
        assert_eq!(endpoint.heard.join().expect("it was asked").len(), 1);
    }
}

fn s06_a_tool_call_of_the_model_is_edited_before_it_goes_back(_: &str) {
    for revision in ERAS {
        let endpoint = researcher();
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let mut person = Person::calls(&surroundings, revision, RESEARCH);
        person.chooses("Ask small");
        person.sees("→ calls weather");
        person.chooses("Edit");
        person.chooses("→ calls weather");
        person.sees("Input of weather");
        // `{⏎  "city": "Lisbon"⏎}`: to the end of the name.
        person.presses("up end left backspace backspace type:b·and·Porto ctrl-s");
        person.sees("+   \"city\": \"Lisbb and Porto\"");
        person.chooses("Send");
        person.chooses("Ask small");
        person.sees("Go in June.");
        person.chooses("Send");
        assert_eq!(person.ends().ended_with(0).text(), "Go in June.");
        let heard = endpoint.heard.join().expect("it was asked twice");
        assert!(heard[1].contains("Lisbb and Porto"), "{}", heard[1]);
    }
}

fn s07_the_person_takes_another_model(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::writing(&["Take the cheapest."]);
        let surroundings = Surroundings::new().expect("folders can be made");
        let other = format!(
            "\n[models.large]\nprovider = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"large-2\"\ncost = 0.9\n\n[sampling]\ndefault = \"small\"\n",
            endpoint.url
        );
        // Nobody listens at the address of the first one.
        configure(&surroundings, "http://127.0.0.1:9", &other);
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Choose another model …");
        person.sees("Which model?");
        person.chooses("○ large (large-2)");
        person.sees("Why: You chose it.");
        person.chooses("Ask large");
        person.chooses("Send");
        assert_eq!(analysis(&person.ends().ended_with(0)), "Take the cheapest.");
        assert!(endpoint.heard.join().expect("it was asked")[0].contains("large-2"));
    }
}

fn s08_where_the_model_fails_the_person_may_write(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, "http://127.0.0.1:9", "");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Ask small");
        person.sees("nobody listens at");
        person.chooses("Write the reply yourself");
        person.sees("Your reply to travel");
        person.presses("type:Take·the·train. ctrl-s");
        person.chooses("Send");
        let outcome = person.ends().ended_with(0);
        assert_eq!(
            (analysis(&outcome), &outcome.document["asks"][0]["model"]),
            (&json!("Take the train."), &json!("manual"))
        );
    }
}

fn a_draft_may_be_written_again(_: &str) {
    let person = |person: &mut Person| {
        person.chooses("Ask small");
        person.sees("Take the cheapest.");
        person.chooses("Ask the model again");
        person.sees("Take the fastest.");
        person.chooses("Send");
    };
    in_both(&["Take the cheapest.", "Take the fastest."], "", FLIGHT, person, |outcome, heard| {
        assert_eq!(analysis(&outcome), "Take the fastest.");
        assert_eq!(heard[0], heard[1]);
    });
}

fn a_model_at_work_may_be_stopped(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::unending("Take the chea");
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Ask small");
        person.sees("│ Take the chea");
        person.presses("esc");
        person.sees("Stopped. What was written so far is discarded.");
        person.sees("Left: 19 requests this minute");
        // It ends when its client has gone.
        endpoint.heard.join().expect("it was asked, and left");
        person.chooses("Write the reply yourself");
        person.sees("Your reply to travel");
        person.presses("type:Take·the·train. ctrl-s");
        person.chooses("Send");
        assert_eq!(analysis(&person.ends().ended_with(0)), "Take the train.");
    }
}

const KEY: &str = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
const WITH_A_KEY: &[&str] = &["find_best_flight", "preferences=paid with sk_live_4eC39HqLyjWDarjtT1zdp7dc"];

fn secrets_are_hidden_and_put_back_by_the_person(_: &str) {
    let person = |person: &mut Person| {
        person.sees("Hidden from the model:");
        person.sees("→ [[redacted-1]]");
        person.chooses("Ask small");
        person.sees("Pay with [[redacted-1]].");
        person.chooses("Put the secrets back, and look again");
        person.sees(&format!("Pay with {KEY}."));
        person.chooses("Send with the secrets");
    };
    in_both(&["Pay with [[redacted-1]]."], "", WITH_A_KEY, person, |outcome, heard| {
        assert!(heard[0].contains("[[redacted-1]]") && !heard[0].contains(KEY), "{}", heard[0]);
        assert_eq!(analysis(&outcome), &format!("Pay with {KEY}."));
    });
    let person = |person: &mut Person| {
        person.chooses("Ask small");
        person.sees("Pay with [[redacted-1]].");
        person.chooses("Send");
    };
    in_both(&["Pay with [[redacted-1]]."], "", WITH_A_KEY, person, |outcome, _| {
        assert_eq!(analysis(&outcome), "Pay with [[redacted-1]].");
    });
}

fn secrets_are_shown_if_the_person_says_so(_: &str) {
    let person = |person: &mut Person| {
        person.chooses("Show the model the secrets as they are");
        person.sees("Not hidden; the model gets to see these:");
        person.chooses("Ask small");
        person.sees("Fine.");
        person.chooses("Send");
    };
    in_both(&["Fine."], "", WITH_A_KEY, person, |_, heard| assert!(heard[0].contains(KEY), "{}", heard[0]));
}

fn a_real_model_goes_through_both_gates(test: &str) {
    let Some(model) = RealModel::start(test) else { return };
    let long = Duration::from_secs(120);
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &model.url, "");
        // It reads slowly: it gets none of the flights.
        edit_with(&surroundings, "/, departs /d; s/^max-tokens: .*/max-tokens: 300/");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.sees("Ask small");
        person.presses("ctrl-e");
        person.sees("+ at most 300 tokens");
        person.chooses("Ask small");
        person.waits("its first words", long, |session| {
            let screen = session.screen();
            screen.split_once("small is at work …").is_some_and(|(_, words)| words.contains('│'))
        });
        person.presses("esc");
        person.sees("Stopped. What was written so far is discarded.");
        person.chooses("Edit the request …");
        person.chooses("length of the reply, in tokens");
        person.sees("Enter done");
        person.presses("backspace enter");
        person.sees("+ at most 30 tokens");
        person.chooses("Ask small");
        person.waits("the draft", long, |session| session.screen().contains("Ask the model again"));
        person.chooses("Ask the model again");
        person.waits("the draft", long, |session| session.screen().contains("Ask the model again"));
        person.chooses("Send");
        let outcome = person.ends().ended_with(0);
        assert_eq!(outcome.document["asks"][0]["model"], RealModel::NAME);
        assert!(analysis(&outcome).as_str().is_some_and(|text| !text.is_empty()), "{}", outcome.stdout);
        assert_eq!(outcome.document["violations"], json!([]));
    }
}
