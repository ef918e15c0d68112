//! Work that a server goes on with by itself: how it is asked after, what it asks, and how it ends.

use super::{check, person, rules};

#[test]
fn work_is_asked_after_at_the_pace_that_the_server_suggests_within_bounds() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > work of 1 pause=1000
        ? due
        = 1010
        1010 > tick
        < send 1 again to w
        1020 > work of 1
        ? due
        = 2020
        2020 > tick
        < send 1 again to w
        2030 > work of 1 pause=1
        ? due
        = 2230
        2230 > tick
        < send 1 again to w
        2240 > work of 1 pause=3600000
        ? due
        = 32240
        32240 > tick
        < send 1 again to w
        32250 > result 1
        < finish 1: ok {}; rounds 0, human 0
        "#,
    );
}

#[test]
fn where_nothing_is_suggested_the_pauses_grow() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1
        ? due
        = 300
        300 > tick
        < send 1 again to w
        300 > work of 1
        ? due
        = 750
        "#,
    );
}

#[test]
fn what_it_asks_is_a_round_and_a_key_that_was_answered_is_not_asked_again() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 pause=500 a:form
        < publish round 1 (no. 1 of 1): 0 form
        900 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again to w a:accept {"name":"Ada"}
        910 > work of 1
        ? due
        = 1410
        1410 > tick
        < send 1 again to w
        1420 > work of 1 a:form
        1920 > tick
        < send 1 again to w
        1930 > work of 1 a:form b:url
        < publish round 2 (no. 2 of 1): 0 url
        2930 > answer 2.0 decline
        < record url decline by person
        < retract 2 Answered
        < send 1 again to w b:decline
        2940 > work of 1
        3440 > tick
        < send 1 again to w
        3450 > result 1
        < finish 1: ok {}; rounds 2, human 1900
        "#,
    );
}

#[test]
fn stopping_between_two_questions_tells_the_server_all_the_same() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1
        10 > stop 1
        < cancel 1 and w (stopped by the user)
        < finish 1: stopped; rounds 0, human 0, may go on
        20 > call 2
        < send 2
        20 > work of 2 a:form
        < publish round 1 (no. 1 of 2): 0 form
        30 > stop 2
        < cancel 2 and w (stopped by the user)
        < retract 1 Stopped
        < finish 2: stopped; rounds 1, human 10, may go on
        "#,
    );
}

#[test]
fn each_answered_question_begins_the_leg_anew_and_only_the_budget_ends_the_waiting() {
    check(
        person(),
        r#"
        0 > call 1 leg=400 budget=1200
        < send 1
        390 > work of 1 pause=200
        590 > tick
        < send 1 again to w
        980 > work of 1
        1180 > tick
        < send 1 again to w
        ? due
        = 1200
        1200 > tick
        < cancel 1 and w (timed out)
        < finish 1: budget of 1200 used up; rounds 0, human 0, may go on
        "#,
    );
}

#[test]
fn a_question_without_an_answer_times_out() {
    check(
        person(),
        r#"
        0 > call 1 leg=400
        < send 1
        0 > work of 1 pause=200
        200 > tick
        < send 1 again to w
        600 > tick
        < cancel 1 and w (timed out)
        < finish 1: timed out after 400; rounds 0, human 0, may go on
        "#,
    );
}

#[test]
fn work_that_ends_without_a_result_is_not_cancelled_by_us() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 pause=200
        1 > abandoned 1
        200 > tick
        < send 1 again to w
        210 > abandoned 1
        < finish 1: cancelled by the server; rounds 0, human 0
        300 > call 2
        < send 2
        300 > work of 2 pause=200
        500 > tick
        < send 2 again to w
        510 > error 2
        < finish 2: server error -32000; rounds 0, human 0
        "#,
    );
}

#[test]
fn a_round_that_cannot_go_back_ends_the_work() {
    check(
        rules(false, ""),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 m:sampling
        < record sampling refuse: nobody by nobody
        < cancel 1 and w (an ask was refused)
        < finish 1: refused m sampling; rounds 1, human 0, fault: sampling nothing matches, may go on
        10 > call 2
        < send 2
        10 > work of 2 x:broken
        < record unread refuse: problem by nobody
        < cancel 2 and w (an ask cannot be met)
        < finish 2: unmeetable x; rounds 1, human 0, may go on
        "#,
    );
}

#[test]
fn what_is_said_of_it_has_to_be_understood() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 pause=200
        200 > tick
        < send 1 again to w
        210 > broke 1
        < cancel 1 and w (the protocol was broken)
        < finish 1: protocol result; rounds 0, human 0, may go on
        "#,
    );
}

#[test]
fn work_outlives_the_process_that_began_it_between_two_questions_only() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 pause=200
        10 > gone
        200 > tick
        < send 1 again to w
        210 > gone
        < finish 1: disconnected; rounds 0, human 0, may go on
        "#,
    );
}

#[test]
fn a_question_without_an_answer_is_asked_again_with_longer_pauses_and_not_for_ever() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > work of 1 pause=1000
        1000 > tick
        < send 1 again to w
        1000 > undelivered 1 perhaps
        ? due
        = 3000
        3000 > tick
        < send 1 again to w
        3000 > work of 1
        4000 > tick
        < send 1 again to w
        4000 > undelivered 1
        6000 > tick
        < send 1 again to w
        6000 > undelivered 1
        10000 > tick
        < send 1 again to w
        10000 > undelivered 1
        18000 > tick
        < send 1 again to w
        18000 > undelivered 1
        ? due
        = 34000
        34000 > tick
        < send 1 again to w
        34000 > undelivered 1
        < finish 1: undelivered; rounds 0, human 0, may go on
        "#,
    );
}
