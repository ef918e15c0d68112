//! Each place of the command line, with a server in memory.

use askback_desk::{Lang, Texts};
use serde_json::{Map, Value, json};

use super::place::Place;
use super::{List, Offers, complete};
use crate::command_line::definition;

/// A server that offers one of each kind, and notes down what it was asked.
#[derive(Default)]
struct Travel {
    asked: Vec<String>,
}

impl Offers for Travel {
    fn servers(&self) -> Vec<String> {
        vec!["travel".into(), "trains".into(), "bad\u{1b}name".into()]
    }

    async fn list(&mut self, list: List) -> Vec<Value> {
        self.asked.push(format!("{list:?}"));
        let items = match list {
            List::Tools => json!([
                { "name": "book", "description": "Book a\ntrip", "inputSchema": {
                    "type": "object",
                    "properties": {
                        "city": { "type": "string", "description": "Where to" },
                        "seat": { "enum": ["aisle", "window seat"] },
                        "nights": { "type": "integer" },
                        "insured": { "type": "boolean" },
                    },
                    "required": ["nights"],
                } },
                { "name": "bored" },
                { "name": "bo\u{202e}k" },
                { "name": "--answers=/etc/passwd" },
                { "nameless": true },
            ]),
            List::Prompts => json!([{ "name": "plan", "arguments": [{ "name": "city" }, { "name": "month" }] }]),
            List::Resources => json!([{ "uri": "travel://packages", "name": "Packages" }]),
            List::Templates => json!([{ "uriTemplate": "travel://bookings/{id}/{part}" }]),
        };
        items.as_array().cloned().unwrap_or_default()
    }

    async fn values(&mut self, reference: Value, argument: (&str, &str), given: &Map<String, Value>) -> Vec<String> {
        self.asked.push(format!("{reference} {argument:?} {}", Value::Object(given.clone())));
        vec!["Rome".into(), "Rio de Janeiro".into(), "Lisbon".into(), "R\u{7}".into()]
    }
}

/// The candidates at `|`, `…` after those that are only begun; and what the server was asked.
#[track_caller]
fn check(line: &str, expected: &[&str]) -> Vec<String> {
    let index = line.split(' ').position(|word| word.contains('|')).unwrap();
    let words: Vec<String> = line.split(' ').map(|word| word.replace('|', "")).collect();
    let definition = definition(&Texts::new(Lang::En, &[crate::ASKBACK]));
    let place = Place::read(&definition, &words, index);
    let mut travel = Travel::default();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let candidates = runtime.block_on(complete(&place, &definition, &mut travel));
    let shown = candidates.iter().map(|one| format!("{}{}", one.value, if one.is_begun { "…" } else { "" }));
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{line}");
    travel.asked
}

#[test]
fn what_is_ours_needs_no_server() {
    let asked = [
        check("askback c|", &["call", "chat", "completions"]),
        check("askback demo |", &["server"]),
        check("askback completions |", &["bash", "zsh", "fish", "powershell", "elvish"]),
        check("askback call --st|", &["--strict"]),
        check("askback --l|", &["--lang"]),
        check("askback call --lang |", &["en", "zh-CN"]),
        check("askback call --protocol=2025-0|", &["--protocol=2025-03-26", "--protocol=2025-06-18"]),
        check("askback call --answers |", &[]),
        check("askback call t|", &["travel", "trains"]),
        check("askback list tra|", &["travel", "trains"]),
        check("askback conf|", &[]),
        check("askback call book -- tra|", &[]),
    ];
    assert!(asked.iter().all(Vec::is_empty), "{asked:?}");
}

#[test]
fn tools_their_arguments_and_values() {
    assert_eq!(check("askback call travel bo|", &["book", "bored"]), ["Tools"]);
    check("askback call bo| -- npx travel", &["book", "bored"]);
    check("askback call travel |", &["book", "bored"]);
    check("askback call travel book |", &["nights:=…", "city=…", "seat=…", "insured:=…"]);
    check("askback call travel book city=Rome |", &["nights:=…", "seat=…", "insured:=…"]);
    check("askback call travel book ni| nights:=3", &[]);
    check("askback call travel book seat=|", &["seat=aisle", "seat=window seat"]);
    check("askback call travel book insured:=t|", &["insured:=true"]);
    check("askback call travel book insured=t|", &[]);
    check("askback call travel nothing |", &[]);
}

#[test]
fn prompts_their_arguments_and_values() {
    assert_eq!(check("askback prompt travel |", &["plan"]), ["Prompts"]);
    check("askback prompt travel plan |", &["city=…", "month=…"]);
    let asked = check("askback prompt travel plan month=May city=R|", &["city=Rome", "city=Rio de Janeiro"]);
    assert_eq!(asked, [r#"{"type":"ref/prompt","name":"plan"} ("city", "R") {"month":"May"}"#]);
}

#[test]
fn resources_and_their_templates() {
    check("askback read travel |", &["travel://packages", "travel://bookings/…"]);
    check("askback read travel travel://p|", &["travel://packages"]);
    let asked = check(
        "askback read travel travel://bookings/7/R|",
        &["travel://bookings/7/Rome", "travel://bookings/7/Rio%20de%20Janeiro"],
    );
    assert_eq!(asked[2], r#"{"type":"ref/resource","uri":"travel://bookings/{id}/{part}"} ("part", "R") {"id":"7"}"#);
}
