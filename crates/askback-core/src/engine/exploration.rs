//! Small worlds, explored in every order.
//!
//! From each state every input that can come is tried: calls, asks, answers right, late and doubled, withdrawals, results, requests
//! without an answer, stops, a death of the server, muting, and time. A model beside the engine keeps its own books, and says after each input what must be true.

mod model;
mod world;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Engine, Input, Millis};
use model::Model;
use world::World;

/// A state with the way to it, so that a failure can be read as a conversation.
struct Node {
    engine: Engine,
    model: Model,
    way: Option<(usize, Millis, Input)>,
}

fn key(engine: &Engine, model: &Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Engine { calls, rounds, waits, held, settled, muted, .. } = engine;
    for (id, call) in calls {
        format!("{id:?}{}", call.fingerprint(model.now)).hash(&mut hasher);
    }
    for (id, round) in rounds {
        let answers: Vec<_> = round.slots.iter().map(|slot| &slot.answer).collect();
        format!("{id:?}{:?}{}{answers:?}", round.calls, round.number).hash(&mut hasher);
    }
    format!("{waits:?}{held:?}{settled:?}{muted:?}").hash(&mut hasher);
    model.hash(&mut hasher);
    hasher.finish()
}

/// Explores a world and says how many states and steps there were.
fn explore(world: &World) -> (usize, usize) {
    let start = Node { engine: Engine::new(world.rules()), model: Model::default(), way: None };
    let mut seen = HashSet::from([key(&start.engine, &start.model)]);
    let mut nodes = vec![start];
    let mut next = 0;
    let mut steps = 0;
    while next < nodes.len() {
        let inputs = world.inputs(&nodes[next].engine, &nodes[next].model);
        for (now, input) in inputs {
            steps += 1;
            let mut engine = nodes[next].engine.clone();
            let mut model = nodes[next].model.clone();
            let effects = engine.handle(now, input.clone());
            if let Err(broken) = model.took(world, now, &input, &effects, &engine) {
                panic!("{broken}\n{}\n{now} > {input:?}\n    {effects:?}\n{model:#?}", way_to(world, &nodes, next));
            }
            if model == nodes[next].model && engine == nodes[next].engine {
                continue;
            }
            if seen.insert(key(&engine, &model)) {
                nodes.push(Node { engine, model, way: Some((next, now, input)) });
                assert!(nodes.len() < 40_000, "the world is not small");
            }
        }
        next += 1;
    }
    (nodes.len(), steps)
}

fn way_to(world: &World, nodes: &[Node], mut at: usize) -> String {
    let mut inputs = Vec::new();
    while let Some((before, now, input)) = &nodes[at].way {
        inputs.push((*now, input.clone()));
        at = *before;
    }
    let mut engine = Engine::new(world.rules());
    let steps = inputs.into_iter().rev().map(|(now, input)| {
        let effects = engine.handle(now, input.clone());
        format!("{now} > {input:?}\n    {effects:?}")
    });
    steps.collect::<Vec<_>>().join("\n")
}

#[test]
fn two_calls_of_one_server_with_three_asks_of_uncertain_origin() {
    let (states, steps) = explore(&World::uncertain());
    println!("two calls, three server requests: {states} states, {steps} steps");
    assert!(states > 5_000);
}

#[test]
fn one_call_over_replies_and_one_over_retries() {
    let (states, steps) = explore(&World::mixed());
    println!("one call over replies, one over retries, three asks: {states} states, {steps} steps");
    assert!(states > 5_000);
}

#[test]
fn time_in_every_order_with_pauses_budgets_and_jumps() {
    for (name, world) in [("replies", World::timed_replies()), ("retries", World::timed_retries())] {
        let (states, steps) = explore(&world);
        println!("one call over {name}, with time: {states} states, {steps} steps");
        assert!(states > 500);
    }
}

#[test]
fn a_call_that_is_refused_until_pages_were_visited() {
    for (name, world) in [("alone", World::pages()), ("beside another", World::pages_beside())] {
        let (states, steps) = explore(&world);
        println!("one call over pages and a reply, {name}: {states} states, {steps} steps");
        assert!(states > 200);
    }
}

#[test]
fn requests_that_get_no_answer_with_what_people_answered() {
    for (name, world) in [("alone", World::losses()), ("beside another", World::losses_beside())] {
        let (states, steps) = explore(&world);
        println!("one call over retries that get lost, {name}: {states} states, {steps} steps");
        assert!(states > 500);
    }
}

#[test]
fn a_call_that_becomes_work_of_the_servers_own() {
    let (states, steps) = explore(&World::work());
    println!("one call that becomes work: {states} states, {steps} steps");
    assert!(states > 500);
}

#[test]
fn sampling_that_models_answer_and_people_when_they_fail() {
    for (name, world) in [("beside another", World::lent()), ("with time", World::timed_lent())] {
        let (states, steps) = explore(&world);
        println!("calls whose sampling is lent a model, {name}: {states} states, {steps} steps");
        assert!(states > 500);
    }
}

#[test]
fn requests_that_are_held_up_until_a_person_has_got_leave() {
    for (name, world) in [("alone", World::leaves()), ("beside another", World::leaves_beside())] {
        let (states, steps) = explore(&world);
        println!("one call over retries that is held up, {name}: {states} states, {steps} steps");
        assert!(states > 500);
    }
}

/// Inputs about things that never were must not disturb anything.
#[test]
fn nothing_comes_of_what_never_was() {
    let world = World::mixed();
    let mut engine = Engine::new(world.rules());
    let before = engine.clone();
    for input in [
        "answer 9.0 consent",
        "result 9",
        "error 9",
        "broke 9",
        "undelivered 9",
        "abandoned 9",
        "progress 9",
        "withdraw @9",
        "stop 9",
        "gone",
        "retry 9",
        "give-up 9",
        "settled #9",
        "completed 9",
        "drafted 9.0 well",
        "drafted 9.0 badly",
        "tick",
    ] {
        assert_eq!(engine.handle(5, super::tests::conversation::read(input)), Vec::new(), "{input}");
    }
    assert!(matches!(super::tests::conversation::read("tick"), Input::Ticked));
    assert_eq!(engine, before);
}
