//! Requests that are held up until a person has got leave, such as by a login in the middle of a call.

use super::conversation::{check, person, rules};

#[test]
fn a_person_is_asked_before_they_are_sent_anywhere_and_their_time_counts_for_nothing() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 1)
        ? waits
        = await leave of https://auth.example for 1 (wait 1)
        ? due
        = nothing
        200010 > retry 1
        < retract 1 Answered
        < tell #7 goes
        ? due
        = nothing
        400010 > settled #7
        ? due
        = 460000
        400020 > result 1
        < finish 1: ok {}; rounds 0, human 400000
        "#,
    );
}

#[test]
fn a_request_between_two_rounds_keeps_the_answers_that_it_carries() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        20 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        30 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 2)
        40 > retry 2
        < retract 2 Answered
        < tell #7 goes
        50 > settled #7
        60 > undelivered 1
        < await a word for 1 (wait 3)
        70 > retry 3
        < retract 3 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        80 > result 1
        < finish 1: ok {}; rounds 1, human 40
        "#,
    );
}

#[test]
fn whoever_does_not_go_is_not_asked_whether_to_try_again() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        20 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        30 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 2)
        40 > give-up 2
        < retract 2 Stopped
        < tell #7 stays
        41 > settled #7
        42 > undelivered 1
        < finish 1: undelivered; rounds 1, human 21
        "#,
    );
}

#[test]
fn without_a_person_nobody_is_sent_anywhere() {
    check(
        rules(false, ""),
        r#"
        0 > call 1
        < send 1
        10 > held-up 1 #7
        < tell #7 nobody
        20 > undelivered 1
        < finish 1: undelivered; rounds 0, human 0
        "#,
    );
}

#[test]
fn a_call_that_is_stopped_meanwhile_sends_nobody_anywhere() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 1)
        20 > stop 1
        < cancel 1 (stopped by the user)
        < tell #7 nobody
        < retract 1 Stopped
        < finish 1: stopped; rounds 0, human 10
        30 > retry 1
        40 > settled #7
        "#,
    );
}

/// One login lets the others through as well, and they wait for it.
#[test]
fn the_time_of_all_requests_to_that_server_stands_still() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        10 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 1)
        ? due
        = nothing
        100 > stop 1
        < cancel 1 (stopped by the user)
        < tell #7 nobody
        < retract 1 Stopped
        < finish 1: stopped; rounds 0, human 90
        110 > settled #7
        120 > held-up 2 #8
        < await leave of https://auth.example for 2 (wait 2)
        130 > retry 2
        < retract 2 Answered
        < tell #8 goes
        140 > settled #8
        ? due
        = 60120
        150 > result 2
        < finish 2: ok {}; rounds 0, human 120
        "#,
    );
}

/// Over the legacy wire the answer to an ask is held up while the call's own stream goes on.
#[test]
fn a_result_that_comes_all_the_same_ends_the_question() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > held-up 1 #7
        < await leave of https://auth.example for 1 (wait 1)
        20 > result 1
        < tell #7 nobody
        < retract 1 CallEnded
        < finish 1: ok {}; rounds 0, human 10
        "#,
    );
}
