//! A person at both gates: what a model hears, and what a server gets, is what they have seen and let through.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use askback_testkit::real_model::RealModel;
use askback_testkit::run::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run, WHOLE, binary};
use crate::endpoint::Endpoint;
use crate::models::{configure, say};
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("gates":
        s10_a_model_replies_after_both_gates,
        s10_what_is_edited_at_gate_one_is_what_the_model_hears,
        s10_what_is_edited_at_gate_two_is_what_the_server_gets,
        s10_both_may_be_edited_in_the_editor_of_the_person,
        s10_a_request_that_is_declined_goes_to_no_model,
        s10_a_draft_that_is_declined_goes_to_no_server,
        s10_a_permission_for_the_session_ends_with_the_run,
        s10_a_standing_permission_lasts_until_it_is_taken_back,
        s12_what_goes_beyond_a_limit_comes_to_the_person_again,
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

/// How long something may take to show.
const SHOWS: Duration = Duration::from_secs(15);

/// Somebody at a terminal, in the middle of a call.
struct Person(Session);

impl Person {
    /// Calls a tool of the travel server.
    fn calls(surroundings: &Surroundings, revision: &str, words: &[&str]) -> Person {
        let editor = surroundings.path("editor");
        let mut command = surroundings.command(&binary());
        command.args(["call", "travel"]).args(words).args(["--json", "--protocol", revision]).env("EDITOR", editor);
        Person(Session::start_at_terminal(command, 60, 110).expect("the binary starts"))
    }

    #[track_caller]
    fn waits(&mut self, what: &str, limit: Duration, holds: impl FnMut(&Session) -> bool) {
        let waited = self.0.wait_until(what, limit, holds);
        waited.unwrap_or_else(|problem| panic!("{problem}\n{}", self.0.screen()));
    }

    #[track_caller]
    fn sees(&mut self, text: &str) {
        // What belongs together on a line is held together by spaces that do not break.
        self.waits(text, SHOWS, |session| session.screen().replace('\u{a0}', " ").contains(text));
    }

    fn presses(&mut self, keys: &str) {
        self.0.press(keys).expect("they are pressed");
    }

    /// Goes down a menu to this choice, and takes it.
    #[track_caller]
    fn chooses(&mut self, choice: &str) {
        self.sees(choice);
        for _ in 0..12 {
            let screen = self.0.screen();
            let here = |row: &str| row == choice || row.strip_prefix(choice).is_some_and(|more| more.starts_with(": "));
            let there = screen.lines().filter_map(|line| line.trim().strip_prefix("❯ ")).any(here);
            self.presses(if there { "enter" } else { "down" });
            self.waits("something else", SHOWS, |session| session.screen() != screen);
            if there {
                return;
            }
        }
        panic!("{choice} cannot be chosen\n{}", self.0.screen());
    }

    #[track_caller]
    fn ends(self) -> Outcome {
        Outcome::of(self.0.end(WHOLE))
    }
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

/// What the travel server made of the reply.
fn analysis(outcome: &Outcome) -> &Value {
    &outcome.document["result"]["structuredContent"]["analysis"]
}

const FLIGHT: &[&str] = &["find_best_flight"];

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

/// Makes an editor that does this to its file.
fn edit_with(surroundings: &Surroundings, commands: &str) {
    let editor = surroundings.path("editor");
    std::fs::write(&editor, format!("#!/bin/sh\nexec sed -i '{commands}' \"$1\"\n")).expect("it can be written");
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).expect("it can be run");
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

/// A model that calls a tool first, and then speaks.
fn researcher() -> Endpoint {
    let call = json!({
        "index": 0, "id": "call_7", "type": "function",
        "function": { "name": "weather", "arguments": "{\"city\":\"Lisbon\"}" }
    });
    Endpoint::saying(&[
        (json!({ "role": "assistant", "tool_calls": [call] }), "tool_calls"),
        (json!({ "role": "assistant", "content": "Go in June." }), "stop"),
    ])
}

const RESEARCH: &[&str] = &["research_trip", "city=Lisbon"];

fn s10_a_permission_for_the_session_ends_with_the_run(_: &str) {
    for revision in ERAS {
        let endpoint = researcher();
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let mut person = Person::calls(&surroundings, revision, RESEARCH);
        person.chooses("Let travel use models without asking me …");
        person.sees("Secrets that are found stay hidden from the model.");
        person.chooses("Until this run ends");
        person.sees("→ calls weather");
        person.chooses("Send");
        let outcome = person.ends().ended_with(0);
        assert_eq!(outcome.text(), "Go in June.");
        let by: Vec<&Value> =
            outcome.document["asks"].as_array().expect("a list").iter().map(|ask| &ask["by"]).collect();
        assert_eq!(by, ["person", "model"]);
        assert_eq!(endpoint.heard.join().expect("it was asked").len(), 2);

        let mut person = Person::calls(&surroundings, revision, RESEARCH);
        person.sees("Ask small");
        person.presses("esc");
        person.ends();
    }
}

fn s10_a_standing_permission_lasts_until_it_is_taken_back(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::writing(&["Take the cheapest.", "Take the fastest."]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "\n[sampling]\nrequests_per_minute = 9\n");
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.chooses("Let travel use models without asking me …");
        person.sees("Limits: 9 requests a minute,");
        person.chooses("Always, until I take it back");
        person.chooses("Send");
        assert_eq!(analysis(&person.ends().ended_with(0)), "Take the cheapest.");

        let run =
            Run::new(&surroundings, &["call", "travel", "find_best_flight", "--protocol", revision, "--no-input"]);
        let outcome = run.go().ended_with(0);
        assert_eq!(
            (analysis(&outcome), &outcome.document["asks"][0]["by"]),
            (&json!("Take the fastest."), &json!("model"))
        );

        say(&surroundings, &["models", "revoke", "travel"]).ended_with(0);
        let mut person = Person::calls(&surroundings, revision, FLIGHT);
        person.sees("Ask small");
        person.presses("esc");
        person.ends();
    }
}

fn s12_what_goes_beyond_a_limit_comes_to_the_person_again(_: &str) {
    for revision in ERAS {
        let endpoint = researcher();
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "\n[sampling]\nrequests_per_minute = 1\n");
        let mut person = Person::calls(&surroundings, revision, RESEARCH);
        person.chooses("Let travel use models without asking me …");
        person.chooses("Until this run ends");
        person.sees("→ calls weather");
        person.chooses("Send");
        person.sees("Your limit of 1 request a minute is used up.");
        person.chooses("Write the reply yourself");
        person.sees("Your reply to travel");
        person.presses("type:Stay·at·home. ctrl-s");
        person.chooses("Send");
        let outcome = person.ends().ended_with(0);
        assert_eq!((outcome.text(), &outcome.document["asks"][1]["model"]), ("Stay at home.", &json!("manual")));
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
