//! Calls, rounds and time on a clock that only the test moves: the conductor with scripted servers, and no processes.

use std::time::Duration;

use askback_core::answer::Answer;
use askback_core::call::TimeLimits;
use askback_core::engine::{CallFailure, LeaveAnswer, PetitionId, Rejection, Retraction, Rules};
use askback_host::conductor::Todo;
use askback_testkit::world::{ALL, World};
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

/// A tool that asks for a name and returns the answers that it has been given.
const ASKS_ONCE: &str = r#"
[[step]]
ask.who = '''{"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":
  {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}'''
[[step]]
return_received = true
"#;

fn a_person() -> Rules {
    Rules { person: true, ..Rules::default() }
}

fn seconds(leg: u64, budget: Option<u64>) -> TimeLimits {
    TimeLimits { leg: Duration::from_secs(leg), budget: budget.map(Duration::from_secs) }
}

fn named(name: &str) -> Answer {
    let Value::Object(content) = json!({ "name": name }) else { unreachable!("it is an object") };
    Answer::Submitted { content }
}

/// What a tool that returns what it received was told.
fn received(result: &Value) -> &Value {
    &result["structuredContent"]["who"]["content"]["name"]
}

fn retractions(world: &World) -> Vec<Retraction> {
    let why = |todo: &Todo| match todo {
        Todo::Retract { why, .. } => Some(*why),
        _ => None,
    };
    world.told().iter().filter_map(why).collect()
}

#[test]
fn e25_a_persons_time_counts_for_neither_limit() {
    for revision in [MODERN, LEGACY] {
        let script = format!("[[step]]\nwait = 1000\n{ASKS_ONCE}")
            .replace("[[step]]\nreturn", "[[step]]\nwait = 1000\n[[step]]\nreturn");
        let mut world = World::new(a_person());
        world.connect("s", &script, revision, ALL);
        let call = world.call("s", "greet", seconds(5, Some(6)));
        world.advance(1000);
        let round = world.open()[0].id;
        world.advance(19_000);
        assert!(world.ending(call).is_none());
        world.answer(round, named("Ada")).unwrap();
        world.advance(1000);
        let ending = world.ending(call).unwrap();
        assert_eq!(received(ending.outcome.as_ref().unwrap()), "Ada", "{revision}");
        assert_eq!(ending.human, 19_000);
        assert_eq!(world.wrong("s"), [""; 0]);
    }
}

#[test]
fn e25_t16_without_a_person_the_limit_holds_and_the_server_is_told() {
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect(
            "s",
            "[[step]]\nwait = 20000\n[[step]]\nprogress = { progress = 1 }\n[[step]]\ntext = \"late\"",
            revision,
            ALL,
        );
        let call = world.call("s", "dawdle", seconds(5, None));
        world.advance(4999);
        assert!(world.ending(call).is_none());
        world.advance(1);
        let ending = world.ending(call).unwrap();
        assert_eq!(ending.outcome, Err(CallFailure::TimedOut { limit: 5000, whole_call: false }));
        let sent = world.sent("s");
        let id = sent.iter().find(|message| message["method"] == "tools/call").unwrap()["id"].clone();
        let cancelled = sent.last().unwrap();
        assert_eq!((&cancelled["method"], &cancelled["params"]["requestId"]), (&json!("notifications/cancelled"), &id));
        // What comes after that is nobody's: no news, no violation.
        let told = world.told().len();
        world.advance(60_000);
        assert_eq!(world.told().len(), told, "{:?}", &world.told()[told..]);
    }
}

#[test]
fn m08_the_last_leg_has_what_is_left_of_the_budget() {
    let script = r#"
[[step]]
wait = 3000
[[step]]
ask.who = '''{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}'''
[[step]]
wait = 600000
"#;
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", script, revision, ALL);
        let call = world.call("s", "silent", seconds(60, Some(10)));
        world.advance(3000);
        world.advance(100_000);
        let round = world.open()[0].id;
        world.answer(round, named("Ada")).unwrap();
        world.advance(6_999);
        assert!(world.ending(call).is_none(), "{revision}");
        world.advance(1);
        let ending = world.ending(call).unwrap();
        assert_eq!(ending.outcome, Err(CallFailure::TimedOut { limit: 10_000, whole_call: true }), "{revision}");
        assert_eq!(world.methods("s").last().unwrap(), "notifications/cancelled");
        assert_eq!(world.wrong("s"), [""; 0]);
    }
}

#[test]
fn m08_a_leg_ends_by_its_own_limit_when_that_is_shorter() {
    let mut world = World::new(a_person());
    world.connect("s", "[[step]]\nwait = 600000", MODERN, ALL);
    let call = world.call("s", "silent", seconds(4, Some(10)));
    world.advance(4000);
    let ending = world.ending(call).unwrap();
    assert_eq!(ending.outcome, Err(CallFailure::TimedOut { limit: 4000, whole_call: false }));
}

#[test]
fn e30_two_calls_that_ask_the_same_get_their_own_answers() {
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", ASKS_ONCE, revision, ALL);
        let one = world.call("s", "greet", seconds(60, None));
        let two = world.call("s", "greet", seconds(60, None));
        let open = world.open();
        assert_eq!(open.len(), 2);
        // In the order in which they came; answered the other way round.
        world.answer(open[1].id, named("Grace")).unwrap();
        assert!(world.ending(two).is_some() && world.ending(one).is_none(), "{revision}");
        world.answer(open[0].id, named("Ada")).unwrap();
        let name = |call| received(world.ending(call).unwrap().outcome.as_ref().unwrap()).clone();
        assert_eq!((name(one), name(two)), (json!("Ada"), json!("Grace")), "{revision}");
        assert_eq!(world.wrong("s"), [""; 0]);
    }
}

#[test]
fn e30_a_modern_question_is_labelled_with_its_call() {
    let mut world = World::new(a_person());
    world.connect("s", ASKS_ONCE, MODERN, ALL);
    let one = world.call("s", "greet", seconds(60, None));
    let two = world.call("s", "greet", seconds(60, None));
    let calls: Vec<_> = world.open().into_iter().map(|round| round.calls).collect();
    assert_eq!(calls, [vec![one], vec![two]]);
}

#[test]
fn e30_stopping_one_call_leaves_the_other() {
    let mut world = World::new(a_person());
    world.connect("s", ASKS_ONCE, MODERN, ALL);
    let one = world.call("s", "greet", seconds(60, None));
    let two = world.call("s", "greet", seconds(60, None));
    world.stop(one);
    assert_eq!(world.ending(one).unwrap().outcome, Err(CallFailure::Stopped));
    let open = world.open();
    assert_eq!(open.len(), 1);
    world.answer(open[0].id, named("Grace")).unwrap();
    assert_eq!(received(world.ending(two).unwrap().outcome.as_ref().unwrap()), "Grace");
}

#[test]
fn m09_stopping_between_two_legs_writes_nothing() {
    let mut world = World::new(a_person());
    world.connect("s", ASKS_ONCE, MODERN, ALL);
    let call = world.call("s", "greet", seconds(60, None));
    let round = world.open()[0].id;
    world.stop(call);
    assert_eq!(world.ending(call).unwrap().outcome, Err(CallFailure::Stopped));
    assert_eq!(retractions(&world), [Retraction::Stopped]);
    assert_eq!(world.methods("s"), ["tools/call"]);
    assert_eq!(world.answer(round, named("Ada")), Err(Rejection::NoLongerWanted));
    assert_eq!(world.methods("s"), ["tools/call"]);
}

#[test]
fn e29_stopping_a_legacy_call_cancels_its_request() {
    let mut world = World::new(a_person());
    world.connect("s", ASKS_ONCE, LEGACY, ALL);
    let call = world.call("s", "greet", seconds(60, None));
    world.stop(call);
    assert_eq!(world.methods("s"), ["tools/call", "notifications/cancelled"]);
    assert_eq!(retractions(&world), [Retraction::Stopped]);
    assert_eq!(world.wrong("s"), [""; 0]);
}

#[test]
fn e27_an_answer_after_the_withdrawal_is_not_taken_and_not_sent() {
    let script = ASKS_ONCE.replace(
        "[[step]]\nreturn",
        "open = true\n[[step]]\nwait = 1000\n[[step]]\nwithdraw = \"who\"\n[[step]]\nwait = 5000\n[[step]]\nreturn",
    );
    let mut world = World::new(a_person());
    world.connect("s", &script, LEGACY, ALL);
    let call = world.call("s", "greet", seconds(60, None));
    let round = world.open()[0].id;
    world.advance(1000);
    assert_eq!(retractions(&world), [Retraction::Withdrawn]);
    world.advance(1000);
    assert_eq!(world.answer(round, named("Ada")), Err(Rejection::NoLongerWanted));
    world.advance(4000);
    assert!(world.ending(call).unwrap().outcome.is_ok());
    assert_eq!(world.wrong("s"), [""; 0]);
}

#[test]
fn m02_rounds_that_ask_nothing_are_paced_and_the_pauses_grow() {
    let script: String = (1..=4).map(|n| format!("[[step]]\nask = {{}}\nstate = \"poll-{n}\"\n")).collect();
    let mut world = World::new(a_person());
    world.connect("s", &(script + "[[step]]\ntext = \"ready\""), MODERN, ALL);
    let call = world.call("s", "poll", seconds(60, None));
    let mut at = Vec::new();
    let mut sent = world.methods("s").len();
    while world.ending(call).is_none() && world.now() < 60_000 {
        world.advance(1);
        let now_sent = world.methods("s").len();
        if now_sent > sent {
            at.push(world.now());
            sent = now_sent;
        }
    }
    let pauses: Vec<u64> = std::iter::once(at[0]).chain(at.windows(2).map(|pair| pair[1] - pair[0])).collect();
    assert_eq!(pauses.len(), 4);
    assert!(pauses[0] >= 200 && pauses.windows(2).all(|pair| pair[1] > pair[0]), "{pauses:?}");
    assert!(world.ending(call).unwrap().outcome.is_ok());
    for retry in world.sent("s").iter().filter(|message| message["params"].get("requestState").is_some()) {
        assert!(retry["params"].get("inputResponses").is_none());
    }
    assert_eq!(world.wrong("s"), [""; 0]);
}

#[test]
fn m02_a_pause_can_be_stopped() {
    let mut world = World::new(a_person());
    world.connect("s", "[[step]]\nask = {}\nstate = \"poll\"\n[[step]]\ntext = \"never\"", MODERN, ALL);
    let call = world.call("s", "poll", seconds(60, None));
    world.stop(call);
    world.advance(10_000);
    assert_eq!(world.ending(call).unwrap().outcome, Err(CallFailure::Stopped));
    assert_eq!(world.methods("s"), ["tools/call"]);
}

#[test]
fn t07_a_call_between_two_legs_goes_on_with_a_fresh_process() {
    let script = ASKS_ONCE.replace("[[step]]\nreturn", "then_exit = 1\n[[step]]\nreturn");
    let mut world = World::new(a_person());
    world.connect("s", &script, MODERN, ALL);
    let call = world.call("s", "greet", seconds(60, None));
    let round = world.open()[0].id;
    world.answer(round, named("Ada")).unwrap();
    assert_eq!(received(world.ending(call).unwrap().outcome.as_ref().unwrap()), "Ada");
}

#[test]
fn t07_a_call_in_flight_is_not_run_again() {
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", "[[step]]\nexit = 1", revision, ALL);
        let call = world.call("s", "fragile", seconds(60, None));
        assert!(matches!(world.ending(call).unwrap().outcome, Err(CallFailure::Disconnected { .. })));
        world.advance(60_000);
        assert_eq!(world.methods("s"), ["tools/call"]);
    }
}

#[test]
fn m16_a_list_cannot_ask() {
    let script = r#"
results."tools/list" = '{"resultType":"input_required","requestState":"s","inputRequests":{"x":{"method":"roots/list"}}}'
results."completion/complete" = '{"resultType":"input_required","requestState":"s"}'
"#;
    for method in ["tools/list", "completion/complete"] {
        let mut world = World::new(a_person());
        world.connect("s", script, MODERN, ALL);
        let request = world.request("s", method);
        let outcome = world.told().iter().find_map(|todo| match todo {
            Todo::Responded { request: of, outcome } if *of == request => Some(outcome),
            _ => None,
        });
        assert!(matches!(outcome, Some(Err(_))), "{outcome:?}");
        assert!(world.open().is_empty());
    }
}

fn petitions(world: &World) -> Vec<(u64, LeaveAnswer)> {
    let answered = |todo: &Todo| match todo {
        Todo::AnswerPetition { petition, answer } => Some((petition.0, *answer)),
        _ => None,
    };
    world.told().iter().filter_map(answered).collect()
}

/// The server is sent nothing while somebody is on their way, and what it was sent before is not sent again by the conductor.
#[test]
fn a_request_that_is_held_up_waits_for_the_person_in_either_era() {
    let slow = ASKS_ONCE.replace("[[step]]\nreturn", "[[step]]\nwait = 1000\n[[step]]\nreturn");
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", &slow, revision, ALL);
        let call = world.call("s", "greet", seconds(5, Some(6)));
        let round = world.open()[0].id;
        world.answer(round, named("Ada")).unwrap();
        let sent = world.sent("s").len();
        world.hold_up("s", PetitionId(7));
        assert!(world.told().iter().any(|todo| matches!(todo, Todo::Await(wait) if wait.call == call)), "{revision}");
        assert_eq!(petitions(&world), []);
        world.goes(true);
        assert_eq!(petitions(&world), [(7, LeaveAnswer::Goes)]);
        world.settle_leave(PetitionId(7));
        assert_eq!(world.sent("s").len(), sent, "{revision}");
        world.advance(1000);
        assert_eq!(received(world.ending(call).unwrap().outcome.as_ref().unwrap()), "Ada", "{revision}");
    }
}

#[test]
fn the_way_to_a_page_takes_no_time_of_the_call() {
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", "[[step]]\nwait = 20000\n[[step]]\ntext = \"done\"", revision, ALL);
        let call = world.call("s", "greet", seconds(5, Some(6)));
        world.hold_up("s", PetitionId(7));
        world.advance(10_000);
        world.goes(true);
        world.advance(9_000);
        assert!(world.ending(call).is_none(), "{revision}");
        world.settle_leave(PetitionId(7));
        world.advance(1_000);
        let ending = world.ending(call).unwrap();
        assert!(ending.outcome.is_ok(), "{revision}: {ending:?}");
        assert_eq!(ending.human, 19_000);
    }
}

#[test]
fn nobody_goes_for_a_call_that_has_ended_or_for_what_is_no_call() {
    for revision in [MODERN, LEGACY] {
        let mut world = World::new(a_person());
        world.connect("s", "[[step]]\nwait = 20000", revision, ALL);
        world.request("s", "tools/list");
        world.hold_up("s", PetitionId(6));
        assert_eq!(petitions(&world), [(6, LeaveAnswer::Nobody)], "{revision}");
        let call = world.call("s", "greet", seconds(5, None));
        world.hold_up("s", PetitionId(7));
        world.stop(call);
        world.goes(true);
        assert_eq!(petitions(&world)[1..], [(7, LeaveAnswer::Nobody)], "{revision}");
        assert!(matches!(world.ending(call).unwrap().outcome, Err(CallFailure::Stopped)), "{revision}");
    }
}
