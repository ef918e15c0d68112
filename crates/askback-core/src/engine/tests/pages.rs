//! Calls that are refused until pages have been visited.

use super::{check, person, rules};

#[test]
fn e38_the_call_is_tried_again_when_the_person_says_so_and_no_notice_is_needed() {
    check(
        person(),
        r#"
        0 > call 1 leg=5000
        < send 1
        10 > pages of 1 p:url
        < publish round 1 (no. 1 of 1): 0 url
        1010 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < await 1 pages for 1 (wait 1)
        ? due
        = nothing
        181010 > retry 1
        < retract 1 Answered
        < send 1
        181020 > retry 1
        181030 > result 1
        < finish 1: ok {}; rounds 1, human 181000
        "#,
    );
}

#[test]
fn e38_a_notice_is_no_consent_and_spares_the_person_a_word_after_it() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url q:url
        < publish round 1 (no. 1 of 1): 0 url, 1 url
        20 > completed p
        30 > answer 1.0 consent
        < record url consent by person
        40 > completed p
        50 > answer 1.1 consent
        < record url consent by person
        < retract 1 Answered
        < await 2 pages for 1 (wait 1)
        60 > completed unknown
        70 > completed p by another
        80 > completed q
        90 > completed q
        100 > completed p
        < retract 1 PagesDone
        < send 1
        110 > completed p
        120 > result 1
        < finish 1: ok {}; rounds 1, human 90
        "#,
    );
}

#[test]
fn e38_the_person_may_give_up_before_and_after_consent() {
    for decision in ["cancel", "decline"] {
        check(
            person(),
            &format!(
                r#"
                0 > call 1
                < send 1
                10 > pages of 1 p:url q:url
                < publish round 1 (no. 1 of 1): 0 url, 1 url
                20 > answer 1.0 {decision}
                < record url {decision} by person
                < retract 1 Answered
                < finish 1: refused p url; rounds 1, human 10
                "#
            ),
        );
    }
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url
        < publish round 1 (no. 1 of 1): 0 url
        20 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < await 1 pages for 1 (wait 1)
        30 > give-up 1
        < retract 1 Stopped
        < finish 1: refused p url; rounds 1, human 20
        40 > retry 1
        "#,
    );
}

#[test]
fn e39_again_and_again_is_bounded_and_asks_every_time() {
    check(
        crate::engine::Rules { rounds: 2, ..person() },
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url
        < publish round 1 (no. 1 of 1): 0 url
        20 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < await 1 pages for 1 (wait 1)
        30 > retry 1
        < retract 1 Answered
        < send 1
        40 > pages of 1 p:url
        < publish round 2 (no. 2 of 1): 0 url
        50 > answer 2.0 consent
        < record url consent by person
        < retract 2 Answered
        < await 1 pages for 1 (wait 2)
        60 > retry 2
        < retract 2 Answered
        < send 1
        70 > pages of 1 p:url
        < finish 1: too many rounds (3); rounds 3, human 40
        "#,
    );
}

#[test]
fn e39_what_cannot_be_asked_ends_the_call() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:broken q:url
        < record unread refuse: problem by nobody
        < finish 1: unmeetable p; rounds 1, human 0
        "#,
    );
}

#[test]
fn without_a_person_the_call_is_tried_again_after_a_pause_as_long_as_an_entry_consents() {
    check(
        rules(false, "[[answer]]\nkind = \"url\"\naction = \"accept\"\ntimes = 2"),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url
        < record url consent by answers
        ? due
        = 310
        310 > tick
        < send 1
        320 > pages of 1 p:url
        < record url consent by answers
        ? due
        = 770
        770 > tick
        < send 1
        780 > pages of 1 p:url
        < record url cancel by nobody
        < finish 1: refused p url; rounds 3, human 0, fault: url nothing matches
        "#,
    );
}

#[test]
fn a_person_says_when_even_if_a_file_has_consented_for_them() {
    check(
        rules(true, "[[answer]]\nkind = \"url\"\naction = \"accept\""),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url
        < record url consent by answers
        < await 1 pages for 1 (wait 1)
        500 > stop 1
        < retract 1 Stopped
        < finish 1: stopped; rounds 1, human 490
        "#,
    );
}

#[test]
fn a_server_that_went_away_meanwhile_is_no_reason_to_stop_waiting() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > pages of 1 p:url
        < publish round 1 (no. 1 of 1): 0 url
        20 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < await 1 pages for 1 (wait 1)
        30 > gone
        40 > retry 1
        < retract 1 Answered
        < send 1
        "#,
    );
}

#[test]
fn e37_a_notice_for_a_page_of_a_request_is_told_once_and_only_after_consent() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > page @1 of 1 p
        < publish round 1 (no. 1 of 1): 0 url
        20 > completed p
        1010 > answer 1.0 consent
        < record url consent by person
        < retract 1 Answered
        < reply @1 consent
        1020 > completed other
        1030 > completed p by another
        2000 > completed p
        < page of 1 completed
        2010 > completed p
        2020 > result 1
        < finish 1: ok {}; rounds 1, human 1000
        "#,
    );
}
