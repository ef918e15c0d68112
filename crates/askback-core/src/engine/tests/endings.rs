//! What ends calls and rounds: results, stops, deaths, muting and limits.

use super::{Rules, check, person, rules};

#[test]
fn m15_an_ask_outside_of_any_call_is_open_until_answered_withdrawn_or_disconnected() {
    check(
        person(),
        r#"
        0 > ask @1 of - form
        < publish round 1 (no. 1 of -): 0 form
        1 > call 1
        < send 1
        2 > result 1
        < finish 1: ok {}; rounds 0, human 0
        ? open
        = round 1 (no. 1 of -): 0 form
        3 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @1 accept {"name":"Ada"}
        4 > ask @2 of 1 form
        < publish round 2 (no. 1 of -): 0 form
        5 > gone
        < retract 2 Disconnected
        "#,
    );
}

#[test]
fn a_call_that_ends_takes_its_open_ask_away_and_nothing_is_sent_for_it() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        4 > result 1
        < retract 1 CallEnded
        < finish 1: ok {}; rounds 1, human 3
        5 > answer 1.0 accept
        "#,
    );
}

#[test]
fn e29_stopping_in_flight_cancels_that_request_and_closes_its_prompt() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > ask @1 of 1 url
        < publish round 1 (no. 1 of 1): 0 url
        2 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < reply @1 consent
        3 > ask @2 of 1 form
        < publish round 2 (no. 2 of 1): 0 form
        4 > stop 1
        < cancel 1 (stopped by the user)
        < retract 2 Stopped
        < finish 1: stopped; rounds 2, human 2
        5 > result 1
        6 > stop 1
        "#,
    );
}

#[test]
fn m09_stopping_between_two_legs_writes_nothing() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        2 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        3 > round of 1 state=t a:form
        < publish round 2 (no. 2 of 1): 0 form
        4 > stop 1
        < retract 2 Stopped
        < finish 1: stopped; rounds 2, human 2
        5 > answer 2.0 accept
        "#,
    );
}

#[test]
fn t07_a_server_that_dies_ends_what_is_in_flight_and_no_answer_is_lost() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        0 > call 3 server=other
        < send 3
        1 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        2 > ask @1 of 2 form
        < publish round 2 (no. 1 of 2): 0 form
        3 > gone
        < retract 2 Disconnected
        < finish 2: disconnected; rounds 1, human 1
        4 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        5 > gone
        < await a word, perhaps twice for 1 (wait 3)
        6 > give-up 3
        < retract 3 Stopped
        < finish 1: undelivered, perhaps; rounds 1, human 4
        6 > result 3
        < finish 3: ok {}; rounds 0, human 0
        "#,
    );
}

#[test]
fn muting_a_server_declines_what_is_open_and_what_is_still_to_come() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        1 > round of 1 a:form b:url
        < publish round 1 (no. 1 of 1): 0 form, 1 url
        2 > round of 2 m:sampling n:sampling
        < publish round 2 (no. 1 of 2): 0 sampling, 1 sampling
        3 > mute
        < record form decline by person
        < record url decline by person
        < retract 1 Answered
        < send 1 again a:decline b:decline
        < record sampling refuse by person
        < retract 2 Answered
        < finish 2: refused m sampling; rounds 1, human 1
        4 > round of 1 a:form r:roots
        < record form decline by person
        < record roots roots [w] by config
        < send 1 again a:decline r:roots [w]
        "#,
    );
}

#[test]
fn m03_a_wizard_of_twelve_rounds_ends_well_and_a_server_that_never_ends_is_stopped() {
    let wizard = |cap: u32, last: &str| {
        let mut text = String::from("0 > call 1\n< send 1\n");
        for round in 1..=12 {
            text.push_str(&format!(
                "0 > round of 1 state=s a:form\n< publish round {round} (no. {round} of 1): 0 form\n\
                 0 > answer {round}.0 decline\n< record form decline by person\n< retract {round} Answered\n\
                 < send 1 again state=s a:decline\n"
            ));
        }
        check(Rules { rounds: cap, ..person() }, &format!("{text}{last}"));
    };
    wizard(50, "1 > result 1\n< finish 1: ok {}; rounds 12, human 0");
    wizard(12, "1 > result 1\n< finish 1: ok {}; rounds 12, human 0");
    wizard(12, "1 > round of 1 state=s a:form\n< finish 1: too many rounds (13); rounds 13, human 0");
}

#[test]
fn m03_a_server_request_too_many_is_refused_recorded_and_the_call_cancelled() {
    check(
        Rules { rounds: 1, ..person() },
        r#"
        0 > call 1
        < send 1
        0 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        1 > ask @2 of 1 form
        < record form refuse: nobody by nobody
        < reply @2 refuse: nobody
        < cancel 1 (too many rounds)
        < retract 1 CallEnded
        < finish 1: too many rounds (2); rounds 2, human 1
        "#,
    );
}

#[test]
fn m03_an_ask_of_uncertain_origin_counts_for_the_call_with_the_fewest() {
    check(
        Rules { rounds: 1, ..rules(false, "[[answer]]\naction = \"decline\"\ntimes = 0") },
        r#"
        0 > call 1
        < send 1
        0 > call 2
        < send 2
        1 > ask @1 of 1,2 form
        < record form decline by answers
        < reply @1 decline
        2 > ask @2 of 1,2 form
        < record form decline by answers
        < reply @2 decline
        3 > ask @3 of 1,2 form
        < record form refuse: nobody by nobody
        < reply @3 refuse: nobody
        < cancel 1 (too many rounds)
        < finish 1: too many rounds (2); rounds 2, human 0
        < cancel 2 (too many rounds)
        < finish 2: too many rounds (1); rounds 1, human 0
        "#,
    );
}

#[test]
fn what_comes_for_a_call_without_a_request_in_flight_is_without_effect() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        1 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        2 > round of 1 state=s a:form
        3 > result 1
        4 > error 1
        5 > broke 1
        6 > progress 1
        7 > answer 1.0 decline
        < record form decline by person
        < retract 1 Answered
        < send 1 again state=s a:decline
        8 > error 1
        < finish 1: server error -32000; rounds 1, human 6
        9 > round of 1 state=s a:form
        10 > broke 1
        "#,
    );
}
