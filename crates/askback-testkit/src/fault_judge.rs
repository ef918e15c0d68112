//! What must hold when the network does its worst.
//!
//! Whatever happens, nothing hangs or panics, no tool is run, no ask shown and no answer sent more often than over a network that is kind, and
//! the exit code is one that is documented. Beyond that, either the outcome is the same, or the error is clear, as the fault demands.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::conversation::Held;
use crate::fault_proxy::plan::Faults;
use crate::scenario::Expect;
use crate::verdict::methods;

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
const EXCUSED: [&str; 3] = [
    "the session was not ended with DELETE",
    "a second stream was opened while there was one",
    // In 2024-11-05 a session ends with its stream, and what is on its way then comes too late.
    "a message names a session that there is not",
];

/// The violations that tell of a message which did not arrive, and for which no call waits.
const LOST: [&str; 2] = ["notification-refused", LOST_ANSWER];
const LOST_ANSWER: &str = "answer-refused";
/// The messages by which the era is found out. Each may be sent again when its answer was lost.
const HANDSHAKE: [&str; 2] = ["server/discover", "initialize"];

/// How much of the usual outcome has to be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// All of it.
    SameOutcome,
    /// All of it, or an error that says what happened to which server.
    SameOrClearError,
}

/// Everything that came out otherwise than it must under these faults; `usual` is the same conversation over a network that is kind.
pub(crate) fn judge(held: &Held, usual: &Held, expect: &Expect, faults: &Faults, demand: Demand) -> Vec<String> {
    let expect = &as_the_fault_allows(held, expect, faults);
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

/// What is expected where the fault itself makes a difference: a cut stream is come back to once more, and what a server says twice, without an
/// id by which that could be known, it has said twice.
fn as_the_fault_allows(held: &Held, expect: &Expect, faults: &Faults) -> Expect {
    let mut expect = expect.clone();
    let came_again = held.record.came_again();
    if faults.cut.is_some() && expect.came_again.is_some_and(|usual| came_again == usual + 1) {
        expect.came_again = Some(came_again);
    }
    if faults.double {
        let mut rules = rules(held);
        let told = rules.clone();
        rules.dedup();
        if rules == expect.violations {
            expect.violations = told;
        }
    }
    expect
}

/// The rules that the user is told that the server broke.
fn rules(held: &Held) -> Vec<String> {
    let document = document(held);
    let violations = document["violations"].as_array().into_iter().flatten();
    violations.filter_map(|one| one["rule"].as_str()).map(str::to_owned).collect()
}

/// What came out otherwise, but for what the loss of a message that nobody waits for explains: the end of the session, which the server then
/// misses, a notification or an answer for no call, of which the user is told that it did not arrive, and questions about a task that were asked again.
fn but_for_what_was_lost(held: &Held, expect: &Expect) -> Vec<String> {
    let rules = rules(held);
    let mut expect = expect.clone();
    if rules.iter().filter(|rule| !LOST.contains(&rule.as_str())).eq(&expect.violations) {
        if rules.iter().any(|rule| rule == LOST_ANSWER) {
            expect.received.retain(|key, _| held.record.answers.iter().any(|(answered, _)| answered == key));
        }
        expect.violations = rules;
    }
    // How a task stands may be asked once more when the answer was lost, and so may which era the server speaks.
    let again = expect.sent.as_deref().map(|sent| (once(sent), methods(&held.record, sent)));
    if let Some((usual, found)) = again
        && usual == once(&found)
    {
        expect.sent = Some(found);
    }
    let is_excused =
        |problem: &String| EXCUSED.iter().any(|excused| problem.contains(&format!("broke a rule: {excused}")));
    held.differences(&expect).into_iter().filter(|problem| !is_excused(problem)).collect()
}

/// The methods with questions about a task in a row counted as one, and without the handshake.
fn once(methods: &[String]) -> Vec<&String> {
    let mut once: Vec<&String> = methods.iter().filter(|method| !HANDSHAKE.contains(&method.as_str())).collect();
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
    // An ask for no call that was lost on its way here is known to nobody here: what the user is told of is the answer left over.
    if error["kind"] == "answers" && document["asks"].as_array().is_some_and(Vec::is_empty) {
        return unclear;
    }
    if !error["kind"].as_str().is_some_and(|kind| OF_THE_NETWORK.contains(&kind)) {
        unclear.push(format!("the error is not one of the network's: {}", error["kind"]));
    }
    if !error["message"].as_str().is_some_and(|message| message.contains(SERVER)) {
        unclear.push(format!("the error does not name the server: {}", error["message"]));
    }
    let wrong = held.record.wrong.iter().filter(|wrong| !EXCUSED.iter().any(|excused| wrong.starts_with(excused)));
    unclear.extend(wrong.map(|wrong| format!("the client broke a rule: {wrong}")));
    unclear
}

/// The document of the call, or of the one server of a list; null when there is none.
fn document(held: &Held) -> Value {
    let Ok(ended) = &held.outcome else { return Value::Null };
    let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    document.pointer("/servers/0").cloned().unwrap_or(document)
}
