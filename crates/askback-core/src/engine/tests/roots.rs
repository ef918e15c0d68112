//! Folders: who is asked before a server is told, and what follows when they change.

use super::conversation::{check, offers, rules};
use crate::call::ServerName;
use crate::engine::Rules;

fn with(person: bool, folders: &[&str]) -> Rules {
    Rules { roots: [(ServerName::new("travel"), offers(folders))].into(), ..rules(person, "") }
}

#[test]
fn what_is_agreed_to_goes_out_at_once_and_what_is_not_is_asked_about() {
    check(
        with(true, &["w", "x!"]),
        "
        0 > call 1
        < send 1
        1 > ask @1 of 1 roots
        < record roots roots [w] by config
        < reply @1 roots [w]
        ",
    );
    check(
        with(true, &["w", "x?", "y!"]),
        "
        0 > call 1
        < send 1
        1 > ask @1 of 1 roots
        < publish round 1 (no. 1 of 1): 0 roots
        2 > answer 1.0 roots:w+x
        < record roots roots [w x] by person
        < retract 1 Answered
        < reply @1 roots [w x]
        ",
    );
}

#[test]
fn a_person_is_asked_once_in_a_run_whatever_they_say() {
    check(
        with(true, &["w", "x?"]),
        "
        0 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        1 > answer 1.0 roots:
        < record roots roots [] by person
        < retract 1 Answered
        < reply @1 roots []
        2 > ask @2 of - roots
        < record roots roots [] by person
        < reply @2 roots []
        ",
    );
}

#[test]
fn a_refusal_is_for_the_one_ask() {
    check(
        with(true, &["x?"]),
        "
        0 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        1 > answer 1.0 refuse
        < record roots refuse by person
        < retract 1 Answered
        < reply @1 refuse
        2 > ask @2 of - roots
        < publish round 2 (no. 1 of -): 0 roots
        ",
    );
}

#[test]
fn r10_without_a_person_only_what_is_agreed_to_goes_out() {
    check(
        with(false, &["w", "x?"]),
        "
        0 > ask @1 of - roots
        < record roots roots [w] by config
        < reply @1 roots [w]
        ",
    );
    check(
        with(false, &[]),
        "
        0 > ask @1 of - roots
        < record roots roots [] by config
        < reply @1 roots []
        ",
    );
}

#[test]
fn a_person_agrees_to_nothing_that_they_were_not_shown() {
    check(
        with(true, &["x?"]),
        "
        0 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        ? answer 1.0 roots:y
        = wrong kind
        1 > answer 1.0 roots:y
        2 > roots x? y?
        < tell of changed roots
        ? answer 1.0 roots:y
        = wrong kind
        3 > answer 1.0 roots:x
        < record roots roots [x] by person
        < retract 1 Answered
        < reply @1 roots [x]
        4 > ask @2 of - roots
        < publish round 2 (no. 1 of -): 0 roots
        ",
    );
}

#[test]
fn two_asks_of_one_server_are_one_question() {
    check(
        with(true, &["x?"]),
        "
        0 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        1 > ask @2 of - roots
        < publish round 2 (no. 1 of -): 0 roots
        2 > answer 2.0 roots:x
        < record roots roots [x] by person
        < retract 2 Answered
        < reply @2 roots [x]
        < record roots roots [x] by person
        < retract 1 Answered
        < reply @1 roots [x]
        ",
    );
}

#[test]
fn r08_the_state_changes_before_the_server_is_told() {
    check(
        with(false, &["w"]),
        "
        0 > call 1
        < send 1
        1 > roots w x
        < tell of changed roots
        2 > ask @1 of 1 roots
        < record roots roots [w x] by config
        < reply @1 roots [w x]
        3 > roots x
        < tell of changed roots
        4 > ask @2 of 1 roots
        < record roots roots [x] by config
        < reply @2 roots [x]
        ",
    );
}

#[test]
fn r07_a_change_that_the_server_would_not_notice_is_not_told() {
    check(
        with(true, &["w", "x?"]),
        "
        0 > roots w x?
        1 > roots w x? y!
        2 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        3 > answer 1.0 roots:w+x
        < record roots roots [w x] by person
        < retract 1 Answered
        < reply @1 roots [w x]
        4 > roots w x y!
        5 > roots w y!
        < tell of changed roots
        ",
    );
}

#[test]
fn a_folder_that_goes_while_others_are_asked_is_not_told_after_all() {
    check(
        with(true, &["w", "x"]),
        "
        0 > call 1
        < send 1
        1 > round of 1 state=s r:roots f:form
        < record roots roots [w x] by config
        < publish round 1 (no. 1 of 1): 1 form
        2 > roots w
        < record roots roots [w] by config
        < tell of changed roots
        3 > answer 1.1 accept
        < record form accept {\"name\":\"Ada\"} by person
        < retract 1 Answered
        < send 1 again state=s r:roots [w] f:accept {\"name\":\"Ada\"}
        ",
    );
}

#[test]
fn a_question_that_needs_no_answer_any_more_goes_away() {
    check(
        with(true, &["w", "x?"]),
        "
        0 > ask @1 of - roots
        < publish round 1 (no. 1 of -): 0 roots
        1 > roots w
        < tell of changed roots
        < record roots roots [w] by config
        < retract 1 Answered
        < reply @1 roots [w]
        ",
    );
}
