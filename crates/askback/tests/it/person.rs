//! Somebody at a terminal who lends the travel server a model, or does not.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use serde_json::{Value, json};

use crate::askback::{Outcome, WHOLE, binary};
use crate::endpoint::Endpoint;

/// How long something may take to show.
const SHOWS: Duration = Duration::from_secs(15);

/// Somebody at a terminal, in the middle of a call.
pub(crate) struct Person(pub(crate) Session);

impl Person {
    /// Calls a tool of the travel server.
    pub(crate) fn calls(surroundings: &Surroundings, revision: &str, words: &[&str]) -> Person {
        let editor = surroundings.path("editor");
        let mut command = surroundings.command(&binary());
        command.args(["call", "travel"]).args(words).args(["--json", "--protocol", revision]).env("EDITOR", editor);
        Person(Session::start_at_terminal(command, 60, 110).expect("the binary starts"))
    }

    #[track_caller]
    pub(crate) fn waits(&mut self, what: &str, limit: Duration, holds: impl FnMut(&Session) -> bool) {
        let waited = self.0.wait_until(what, limit, holds);
        waited.unwrap_or_else(|problem| panic!("{problem}\n{}", self.0.screen()));
    }

    #[track_caller]
    pub(crate) fn sees(&mut self, text: &str) {
        // What belongs together on a line is held together by spaces that do not break.
        self.waits(text, SHOWS, |session| session.screen().replace('\u{a0}', " ").contains(text));
    }

    pub(crate) fn presses(&mut self, keys: &str) {
        self.0.press(keys).expect("they are pressed");
    }

    /// Goes down a menu to this choice, and takes it.
    #[track_caller]
    pub(crate) fn chooses(&mut self, choice: &str) {
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
    pub(crate) fn ends(self) -> Outcome {
        Outcome::of(self.0.end(WHOLE))
    }
}

/// Makes an editor that does this to its file.
pub(crate) fn edit_with(surroundings: &Surroundings, commands: &str) {
    let editor = surroundings.path("editor");
    std::fs::write(&editor, format!("#!/bin/sh\nexec sed -i '{commands}' \"$1\"\n")).expect("it can be written");
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).expect("it can be run");
}

pub(crate) const FLIGHT: &[&str] = &["find_best_flight"];

/// What the travel server made of the reply.
pub(crate) fn analysis(outcome: &Outcome) -> &Value {
    &outcome.document["result"]["structuredContent"]["analysis"]
}

/// A model that calls a tool first, and then speaks.
pub(crate) fn researcher() -> Endpoint {
    let call = json!({
        "index": 0, "id": "call_7", "type": "function",
        "function": { "name": "weather", "arguments": "{\"city\":\"Lisbon\"}" }
    });
    Endpoint::saying(&[
        (json!({ "role": "assistant", "tool_calls": [call] }), "tool_calls"),
        (json!({ "role": "assistant", "content": "Go in June." }), "stop"),
    ])
}

pub(crate) const RESEARCH: &[&str] = &["research_trip", "city=Lisbon"];
