//! Requests that carried a person's answers and got no answer: kept, asked about, and sent once more or not.

use super::conversation::{check, person, rules};

#[test]
fn m10_what_a_person_answered_is_kept_and_sent_again_only_when_they_say_so() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > round of 1 state=s a:form b:url
        < publish round 1 (no. 1 of 1): 0 form, 1 url
        20 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        30 > answer 1.1 consent
        < record url consent by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"} b:consent
        40 > undelivered 1
        < await a word for 1 (wait 2)
        ? waits
        = await a word for 1 (wait 2)
        ? due
        = nothing
        50 > retry 2
        < retract 2 Answered
        < send 1 again state=s a:accept {"name":"Ada"} b:consent
        60 > undelivered 1 perhaps
        < await a word, perhaps twice for 1 (wait 3)
        70 > retry 3
        < retract 3 Answered
        < send 1 again state=s a:accept {"name":"Ada"} b:consent
        80 > result 1
        < finish 1: ok {}; rounds 1, human 40
        "#,
    );
}

/// Somebody who says yes twice, or to what another face has dealt with, says nothing of what comes after.
#[test]
fn m10_a_word_counts_for_the_failure_that_it_was_given_to() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        10 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        20 > answer 1.0 decline
        < record form decline by person
        < retract 1 Answered
        < send 1 again state=s a:decline
        30 > undelivered 1
        < await a word for 1 (wait 2)
        40 > retry 2
        < retract 2 Answered
        < send 1 again state=s a:decline
        41 > retry 2
        50 > undelivered 1
        < await a word for 1 (wait 3)
        51 > retry 2
        52 > give-up 2
        ? waits
        = await a word for 1 (wait 3)
        "#,
    );
}

#[test]
fn m10_the_person_may_end_it_and_hears_why_it_failed() {
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
        30 > undelivered 1 perhaps
        < await a word, perhaps twice for 1 (wait 2)
        90 > give-up 2
        < retract 2 Stopped
        < finish 1: undelivered, perhaps; rounds 1, human 70
        100 > retry 2
        "#,
    );
}

#[test]
fn m10_a_server_that_dies_with_the_answers_may_have_acted_on_them() {
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
        30 > gone
        < await a word, perhaps twice for 1 (wait 2)
        35 > gone
        40 > mute
        50 > retry 2
        < retract 2 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        60 > result 1
        < finish 1: ok {}; rounds 1, human 30
        "#,
    );
}

#[test]
fn m10_a_call_that_waits_for_a_word_can_be_stopped_and_never_times_out() {
    check(
        person(),
        r#"
        0 > call 1 leg=1000 budget=2000
        < send 1
        10 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        20 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        520 > undelivered 1
        < await a word for 1 (wait 2)
        90000 > tick
        ? due
        = nothing
        90520 > retry 2
        < retract 2 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        ? due
        = 91520
        90600 > undelivered 1
        < await a word for 1 (wait 3)
        90700 > stop 1
        < retract 3 Stopped
        < finish 1: stopped; rounds 1, human 90110
        "#,
    );
}

#[test]
fn m10_what_no_person_answered_ends_with_its_call() {
    let scripted = "[[answer]]\nkind = \"form\"\naction = \"decline\"\n";
    for person_is_there in [true, false] {
        check(
            rules(person_is_there, scripted),
            r#"
            0 > call 1
            < send 1
            10 > round of 1 state=s a:form
            < record form decline by answers
            < send 1 again state=s a:decline
            20 > undelivered 1 perhaps
            < finish 1: undelivered, perhaps; rounds 1, human 0
            "#,
        );
    }
}

/// The server has answered the request that brought the answers, so they are with it.
#[test]
fn m10_a_later_request_without_answers_ends_with_its_call() {
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
        30 > round of 1 state=t
        330 > tick
        < send 1 again state=t
        340 > undelivered 1
        < finish 1: undelivered; rounds 1, human 10
        "#,
    );
}

/// What was asked during the request that failed is of no use to anybody once it has failed.
#[test]
fn m10_asks_of_the_request_that_failed_are_taken_away() {
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
        30 > ask @1 of 1 form
        < publish round 2 (no. 2 of 1): 0 form
        40 > undelivered 1
        < retract 2 CallEnded
        < await a word for 1 (wait 3)
        50 > give-up 3
        < retract 3 Stopped
        < finish 1: undelivered; rounds 2, human 30
        "#,
    );
}
