//! Sampling that models answer under a rule of the user's.

use super::conversation::{check, person, rules};
use crate::call::ServerName;
use crate::engine::Rules;

fn lent(rules: Rules) -> Rules {
    Rules { models: true, lent: [ServerName::new("travel")].into(), ..rules }
}

#[test]
fn s10_a_server_that_may_use_a_model_is_answered_by_it() {
    check(
        lent(person()),
        "
        0 > call 1
        < send 1
        1 > ask @1 of 1 sampling
        < draft 1.0 with the chosen
        9 > drafted 1.0 well
        < record sampling sample by model
        < retract 1 Answered
        < reply @1 sample
        ",
    );
}

#[test]
fn s10_a_permission_is_taken_back() {
    check(
        Rules { models: true, ..person() },
        "
        0 > lend
        0 > call 1
        < send 1
        1 > ask @1 of 1 sampling
        < draft 1.0 with the chosen
        2 > lend no more
        2 > ask @2 of 1 sampling
        < publish round 2 (no. 2 of 1): 0 sampling
        ",
    );
}

#[test]
fn a_model_that_fails_leaves_the_ask_to_a_person() {
    check(
        lent(person()),
        "
        0 > call 1
        < send 1
        1 > ask @1 of 1 sampling
        < draft 1.0 with the chosen
        9 > drafted 1.0 badly
        < publish round 1 (no. 1 of 1): 0 sampling
        12 > drafted 1.0 well
        19 > answer 1.0 sample
        < record sampling sample by person
        < retract 1 Answered
        < reply @1 sample
        20 > result 1
        < finish 1: ok {}; rounds 1, human 10
        ",
    );
}

#[test]
fn without_a_person_a_model_that_fails_is_a_refusal_and_a_fault() {
    check(
        Rules { models: true, ..rules(false, "[[answer]]\nkind = \"sampling\"\nmodel = \"small\"") },
        "
        0 > call 1
        < send 1
        1 > round of 1 state=s a:sampling
        < draft 1.0 with small
        9 > drafted 1.0 badly
        < record sampling refuse: model failed by nobody
        < retract 1 Answered
        < finish 1: refused a sampling; rounds 1, human 0, fault: sampling the model is busy
        ",
    );
}

#[test]
fn people_see_a_round_when_no_model_is_at_work_on_it_any_more() {
    check(
        lent(person()),
        "
        0 > call 1
        < send 1
        1 > round of 1 state=s a:sampling b:form c:sampling
        < draft 1.0 with the chosen
        < draft 1.2 with the chosen
        2 > drafted 1.2 well
        < record sampling sample by model
        3 > drafted 1.0 badly
        < publish round 1 (no. 1 of 1): 0 sampling, 1 form
        4 > answer 1.1 accept
        < record form accept {\"name\":\"Ada\"} by person
        5 > answer 1.0 sample
        < record sampling sample by person
        < retract 1 Answered
        < send 1 again state=s a:sample b:accept {\"name\":\"Ada\"} c:sample
        ",
    );
}

#[test]
fn a_model_takes_the_time_of_the_call_and_not_of_the_server() {
    check(
        lent(person()),
        "
        0 > call 1 leg=100 budget=1000
        < send 1
        50 > ask @1 of 1 sampling
        < draft 1.0 with the chosen
        ? due
        = 1000
        500 > drafted 1.0 well
        < record sampling sample by model
        < retract 1 Answered
        < reply @1 sample
        ? due
        = 550
        ",
    );
}

#[test]
fn a_call_that_ends_takes_the_work_from_its_models() {
    check(
        lent(person()),
        "
        0 > call 1
        < send 1
        1 > ask @1 of 1 sampling
        < draft 1.0 with the chosen
        5 > stop 1
        < cancel 1 (stopped by the user)
        < retract 1 Stopped
        < finish 1: stopped; rounds 1, human 0
        9 > drafted 1.0 well
        ",
    );
}
