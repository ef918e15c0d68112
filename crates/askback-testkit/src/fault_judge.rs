//! What must hold when the network does its worst.
//!
//! Whatever happens, nothing hangs or panics, no tool is run, no ask shown and no answer sent more often than over a network that is kind, and
//! the exit code is one that is documented. Beyond that, either the outcome is the same, or the error is clear, as the fault demands.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::conversation::Held;
use crate::scenario::Expect;

/// The name that the server is given on the command line.
const SERVER: &str = "scripted";
/// The exit codes of docs/reference/command-line.md.
const DOCUMENTED: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 130];
/// The kinds of error that say that a connection failed, or a limit ran out for want of it.
const OF_THE_NETWORK: [&str; 5] = ["connect", "disconnected", "undelivered", "protocol", "timed-out"];
/// What calls the server's own work, and may have effects.
const CALLS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];
/// What asks how a task stands, which changes nothing.
const QUESTION: &str = "tasks/get";
/// How much longer than over a kind network a run may take: a stream is gone on with five times, after a second each.
const LONGER: Duration = Duration::from_secs(8);
/// What a server holds against its client though it may be the network's doing: the request was lost on the way, or the end of a connection.
const EXCUSED: [&str; 2] = ["the session was not ended with DELETE", "a second stream was opened while there was one"];

/// The violation that tells of a notification which did not arrive.
const LOST_NOTIFICATION: &str = "notification-refused";

/// How much of the usual outcome has to be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// All of it.
    SameOutcome,
    /// All of it, or an error that says what happened to which server.
    SameOrClearError,
}

/// Everything that came out otherwise than it must; `usual` is the same conversation over a network that is kind.
pub(crate) fn judge(held: &Held, usual: &Held, expect: &Expect, demand: Demand) -> Vec<String> {
    let mut problems = Vec::new();
    if held.took > usual.took + LONGER {
        problems.push(format!("it took {:?}, and {:?} over a network that is kind", held.took, usual.took));
    }
    problems.extend(more_often(held, usual));
    if let Ok(ended) = &held.outcome {
        if ended.stderr.contains("panicked at") {
            problems.push("it panicked".to_owned());
        }
        if !ended.status.code().is_some_and(|code| DOCUMENTED.contains(&code)) {
            problems.push(format!("no documented exit code, but {}", ended.status));
        }
    }
    if demand == Demand::SameOutcome {
        problems.extend(held.differences(expect));
        return problems;
    }
    let otherwise = but_for_what_was_lost(held, expect);
    if !otherwise.is_empty() {
        let unclear = unclear(held);
        if !unclear.is_empty() {
            problems.extend(unclear);
            problems.extend(otherwise.iter().map(|one| format!("not the usual outcome either: {one}")));
        }
    }
    problems
}

/// What came out otherwise, but for what the loss of a message that nobody waits for explains: the end of the session, which the server then
/// misses, a notification, of which the user is told that it did not arrive, and questions about a task that were asked again.
fn but_for_what_was_lost(held: &Held, expect: &Expect) -> Vec<String> {
    let document = document(held);
    let violations = document["violations"].as_array().into_iter().flatten();
    let rules: Vec<String> = violations.filter_map(|one| one["rule"].as_str()).map(str::to_owned).collect();
    let mut expect = expect.clone();
    if rules.iter().filter(|rule| *rule != LOST_NOTIFICATION).eq(&expect.violations) {
        expect.violations = rules;
    }
    // How a task stands may be asked once more when the answer was lost.
    let methods = held.record.methods();
    if expect.sent.as_deref().is_some_and(|sent| questions_once(sent) == questions_once(&methods)) {
        expect.sent = Some(methods);
    }
    let is_excused =
        |problem: &String| EXCUSED.iter().any(|excused| problem.ends_with(&format!("broke a rule: {excused}")));
    held.differences(&expect).into_iter().filter(|problem| !is_excused(problem)).collect()
}

/// The methods with questions about a task in a row counted as one.
fn questions_once(methods: &[String]) -> Vec<&String> {
    let mut once: Vec<&String> = methods.iter().collect();
    once.dedup_by(|one, other| one == other && *one == QUESTION);
    once
}

/// What was done more often than over a network that is kind.
fn more_often(held: &Held, usual: &Held) -> Vec<String> {
    let (often, seldom) = (counts(held), counts(usual));
    let more = often.iter().filter(|(what, count)| seldom.get(*what).is_none_or(|usual| usual < count));
    more.map(|(what, count)| format!("{what}: {count} times, and {} usually", seldom.get(what).unwrap_or(&0))).collect()
}

/// How often that was done which must not be done once more than is wanted.
fn counts(held: &Held) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut count = |what: String, times| *counts.entry(what).or_default() += times;
    for method in held.record.methods().into_iter().filter(|method| CALLS.contains(&method.as_str())) {
        count(format!("{method} was sent"), 1);
    }
    for (key, _) in &held.record.answers {
        count(format!("{key:?} was answered"), 1);
    }
    for page in &held.opened {
        count(format!("{page} was opened"), 1);
    }
    count("somebody was asked".to_owned(), document(held)["asks"].as_array().map_or(0, Vec::len));
    counts
}

/// Why the error is not clear.
fn unclear(held: &Held) -> Vec<String> {
    let mut unclear = Vec::new();
    if let Err(problem) = &held.outcome {
        unclear.push(problem.clone());
        return unclear;
    }
    let document = document(held);
    let error = &document["error"];
    if !error["kind"].as_str().is_some_and(|kind| OF_THE_NETWORK.contains(&kind)) {
        unclear.push(format!("the error is not one of the network's: {}", error["kind"]));
    }
    if !error["message"].as_str().is_some_and(|message| message.contains(SERVER)) {
        unclear.push(format!("the error does not name the server: {}", error["message"]));
    }
    let wrong = held.record.wrong.iter().filter(|wrong| !EXCUSED.contains(&wrong.as_str()));
    unclear.extend(wrong.map(|wrong| format!("the client broke a rule: {wrong}")));
    unclear
}

/// The document of the call, or of the one server of a list; null when there is none.
fn document(held: &Held) -> Value {
    let Ok(ended) = &held.outcome else { return Value::Null };
    let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    document.pointer("/servers/0").cloned().unwrap_or(document)
}
