//! Who answers, what goes out, and what closes an ask.

use super::{check, person, rules};

#[test]
fn a_server_request_is_a_round_of_one_and_is_answered_while_the_call_is_in_flight() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        5 > ask @7 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        905 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @7 accept {"name":"Ada"}
        950 > result 1
        < finish 1: ok {}; rounds 1, human 900
        "#,
    );
}

#[test]
fn m13_a_round_of_several_asks_goes_back_when_all_are_answered_in_the_order_of_the_asks() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > round of 1 state=s1 f:form r:roots u:url s:sampling
        < record roots roots [w] by config
        < publish round 1 (no. 1 of 1): 0 form, 2 url, 3 sampling
        ? due
        = nothing
        20 > answer 1.3 sample
        < record sampling sample by person
        30 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        ? answer 1.0 decline
        = already answered by person
        ? open
        = round 1 (no. 1 of 1): 2 url
        40 > answer 1.2 consent
        < record url consent by person
        < retract 1 Answered
        < send 1 again state=s1 f:accept {"name":"Ada"} r:roots [w] u:consent s:sample
        50 > result 1
        < finish 1: ok {}; rounds 1, human 30
        "#,
    );
}

#[test]
fn decline_and_cancel_are_answers_and_the_call_goes_on() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > round of 1 state=s a:form b:url
        < publish round 1 (no. 1 of 1): 0 form, 1 url
        1 > answer 1.0 decline
        < record form decline by person
        2 > answer 1.1 cancel
        < record url cancel by person
        < retract 1 Answered
        < send 1 again state=s a:decline b:cancel
        "#,
    );
}

#[test]
fn an_answer_that_does_not_fit_changes_nothing() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        ? answer 1.0 bad
        = invalid in 1 places
        ? answer 1.0 consent
        = wrong kind
        ? answer 1.0 sample
        = wrong kind
        ? answer 1.1 accept
        = no longer wanted
        1 > answer 1.0 bad
        2 > answer 1.0 consent
        3 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @1 accept {"name":"Ada"}
        "#,
    );
}

#[test]
fn scripted_answers_need_nobody() {
    let file = r#"
        [[answer]]
        key = "a"
        action = "accept"
        content = { name = "Ada" }
        [[answer]]
        kind = "sampling"
        reply = "Take flight 7."
    "#;
    check(
        rules(false, file),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 a:form m:sampling
        < record form accept {"name":"Ada"} by answers
        < record sampling sample by answers
        < send 1 again a:accept {"name":"Ada"} m:sample
        2 > result 1
        < finish 1: ok {}; rounds 1, human 0
        "#,
    );
}

#[test]
fn what_the_script_answers_is_settled_and_the_person_is_asked_for_the_rest() {
    let file = "[[answer]]\nkey = \"a\"\naction = \"decline\"";
    check(
        rules(true, file),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 a:form b:form
        < record form decline by answers
        < publish round 1 (no. 1 of 1): 1 form
        ? answer 1.0 accept
        = already answered by answers
        2 > answer 1.1 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again a:decline b:accept {"name":"Ada"}
        "#,
    );
}

#[test]
fn e04_without_a_person_and_an_entry_a_form_is_cancelled_and_the_run_is_at_fault() {
    check(
        rules(false, ""),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 form
        < record form cancel by nobody
        < reply @1 cancel
        2 > ask @2 of 1 sampling
        < record sampling refuse: nobody by nobody
        < reply @2 refuse: nobody
        3 > result 1
        < finish 1: ok {}; rounds 2, human 0, fault: form nothing matches, fault: sampling nothing matches
        "#,
    );
}

#[test]
fn an_entry_that_does_not_satisfy_the_form_is_a_fault_or_the_persons_task() {
    let file = "[[answer]]\naction = \"accept\"\ncontent = { name = 7 }";
    check(
        rules(false, file),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 form
        < record form cancel by nobody
        < reply @1 cancel
        2 > result 1
        < finish 1: ok {}; rounds 1, human 0, fault: form a.toml, answer 1 is invalid
        "#,
    );
    check(
        rules(true, file),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        "#,
    );
}

#[test]
fn e35_nobody_consents_to_an_address_that_is_never_opened() {
    let file = "[[answer]]\nkind = \"url\"\naction = \"accept\"\nopen = true";
    check(
        rules(false, file),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 hostile-url
        < record url cancel by nobody
        < reply @1 cancel
        2 > result 1
        < finish 1: ok {}; rounds 1, human 0, fault: url a.toml, answer 1 accepts what is never opened
        "#,
    );
    check(
        rules(true, file),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 hostile-url
        < publish round 1 (no. 1 of 1): 0 url
        ? answer 1.0 consent
        = wrong kind
        2 > answer 1.0 consent
        3 > answer 1.0 decline
        < record url decline by person
        < retract 1 Answered
        < reply @1 decline
        "#,
    );
}

#[test]
fn e31_a_fault_before_any_call_is_told_with_the_call_that_follows() {
    check(
        rules(false, ""),
        r#"
        0 > ask @1 of - form
        < record form cancel by nobody
        < reply @1 cancel
        1 > call 1 server=other
        < send 1
        2 > result 1
        < finish 1: ok {}; rounds 0, human 0
        3 > call 2
        < send 2
        4 > result 2
        < finish 2: ok {}; rounds 0, human 0, fault: form nothing matches
        5 > call 3
        < send 3
        6 > result 3
        < finish 3: ok {}; rounds 0, human 0
        "#,
    );
}

#[test]
fn an_unmeetable_ask_ends_the_call_before_anyone_is_asked() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 state=s a:form b:broken c:unknown
        < record unread refuse: problem by nobody
        < record unread refuse: problem by nobody
        < finish 1: unmeetable b; rounds 1, human 0
        "#,
    );
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > ask @3 of 1 broken
        < record unread refuse: problem by nobody
        < warn unanswerable-ask
        < reply @3 refuse: problem
        2 > result 1
        < finish 1: ok {}; rounds 1, human 0
        "#,
    );
}

#[test]
fn s10_a_refusal_is_told_where_it_can_be_and_ends_the_call_where_not() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > ask @3 of 1 sampling
        < publish round 1 (no. 1 of 1): 0 sampling
        2 > answer 1.0 refuse
        < record sampling refuse by person
        < retract 1 Answered
        < reply @3 refuse
        "#,
    );
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 a:form m:sampling
        < publish round 1 (no. 1 of 1): 0 form, 1 sampling
        2 > answer 1.1 refuse
        < record sampling refuse by person
        < retract 1 Answered
        < finish 1: refused m sampling; rounds 1, human 1
        ? answer 1.0 accept
        = no longer wanted
        ? answer 1.1 sample
        = already answered by person
        "#,
    );
    let file = "[[answer]]\nkind = \"sampling\"\naction = \"decline\"\ntimes = 0";
    check(
        rules(true, file),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 a:form m:sampling
        < record sampling refuse by answers
        < finish 1: refused m sampling; rounds 1, human 0
        2 > call 2
        < send 2
        3 > ask @1 of 2 sampling
        < record sampling refuse by answers
        < reply @1 refuse
        "#,
    );
}

#[test]
fn a_late_answer_hears_who_was_faster_or_that_it_is_no_longer_wanted() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        1 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @1 accept {"name":"Ada"}
        ? answer 1.0 accept
        = already answered by person
        2 > answer 1.0 decline
        3 > ask @2 of 1 form
        < publish round 2 (no. 2 of 1): 0 form
        4 > withdraw @2
        < retract 2 Withdrawn
        ? answer 2.0 accept
        = no longer wanted
        5 > answer 2.0 accept
        6 > withdraw @2
        7 > result 1
        < finish 1: ok {}; rounds 2, human 2
        8 > answer 2.0 accept
        ? answer 9.0 accept
        = no longer wanted
        "#,
    );
}

#[test]
fn e30_asks_of_two_calls_in_flight_are_answered_each_by_its_own_address() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        1 > ask @1 of 1,2 form
        < publish round 1 (no. 1 of 1,2): 0 form
        2 > ask @2 of 1,2 form
        < publish round 2 (no. 1 of 1,2): 0 form
        3 > answer 2.0 decline
        < record form decline by person
        < retract 2 Answered
        < reply @2 decline
        ? due
        = nothing
        4 > result 2
        < finish 2: ok {}; rounds 1, human 3
        ? open
        = round 1 (no. 1 of 1): 0 form
        5 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @1 accept {"name":"Ada"}
        6 > result 1
        < finish 1: ok {}; rounds 1, human 4
        "#,
    );
}

#[test]
fn e30_stopping_one_of_two_calls_leaves_the_ask_of_the_other() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        1 > ask @1 of 1,2 form
        < publish round 1 (no. 1 of 1,2): 0 form
        2 > stop 1
        < cancel 1 (stopped by the user)
        < finish 1: stopped; rounds 1, human 1
        ? open
        = round 1 (no. 1 of 2): 0 form
        3 > withdraw @1
        < retract 1 Withdrawn
        ? due
        = 60002
        4 > result 2
        < finish 2: ok {}; rounds 0, human 2
        "#,
    );
}

#[test]
fn e30_an_entry_for_a_tool_is_for_an_ask_of_either_call_of_that_tool_only() {
    let file = "[[answer]]\ntool = \"book\"\naction = \"decline\"\ntimes = 0";
    check(
        rules(true, file),
        r#"
        0 > call 1 tool=book
        < send 1
        0 > call 2 tool=book
        < send 2
        1 > ask @1 of 1,2 form
        < record form decline by answers
        < reply @1 decline
        2 > call 3 tool=pay
        < send 3
        3 > ask @2 of 1,2,3 form
        < publish round 2 (no. 1 of 1,2,3): 0 form
        "#,
    );
}
