//! Models that a server may have without a person being asked: for how long, and within which limits.

use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::Run;
use crate::endpoint::Endpoint;
use crate::models::{configure, say};
use crate::person::{FLIGHT, Person, RESEARCH, analysis, researcher};
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("permissions":
        s10_a_permission_for_the_session_ends_with_the_run,
        s10_a_standing_permission_lasts_until_it_is_taken_back,
        s12_what_goes_beyond_a_limit_comes_to_the_person_again,
    )
}

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
