//! What counts as time, and what happens when it runs out.

use super::{Rules, check, person};

#[test]
fn e25_the_leg_runs_on_while_nobody_is_asked_and_stands_still_while_somebody_is() {
    check(
        person(),
        r#"
        0 > call 1 leg=5000
        < send 1
        ? due
        = 5000
        1000 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        ? due
        = nothing
        9000 > tick
        20000 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < reply @1 accept {"name":"Ada"}
        ? due
        = 24000
        21000 > result 1
        < finish 1: ok {}; rounds 1, human 19000
        "#,
    );
    check(
        person(),
        r#"
        0 > call 1 leg=5000
        < send 1
        4999 > tick
        5000 > tick
        < cancel 1 (timed out)
        < finish 1: timed out after 5000; rounds 0, human 0
        20000 > result 1
        "#,
    );
}

#[test]
fn t16_progress_begins_the_leg_anew_but_not_the_budget() {
    check(
        person(),
        r#"
        0 > call 1 leg=5000 budget=8000
        < send 1
        4000 > progress 1
        ? due
        = 8000
        5000 > tick
        7000 > progress 1
        8000 > tick
        < cancel 1 (timed out)
        < finish 1: budget of 8000 used up; rounds 0, human 0
        9000 > progress 1
        "#,
    );
}

#[test]
fn progress_while_a_person_is_asked_does_not_start_the_clock() {
    check(
        person(),
        r#"
        0 > call 1 leg=5000
        < send 1
        3000 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        4000 > progress 1
        ? due
        = nothing
        10000 > withdraw @1
        < retract 1 Withdrawn
        ? due
        = 15000
        "#,
    );
}

#[test]
fn m08_the_budget_bounds_the_retry_and_leaves_peoples_time_out() {
    check(
        person(),
        r#"
        0 > call 1 leg=60000 budget=10000
        < send 1
        2000 > round of 1 state=s a:form
        < publish round 1 (no. 1 of 1): 0 form
        ? due
        = nothing
        50000 > answer 1.0 accept
        < record form accept {"name":"Ada"} by person
        < retract 1 Answered
        < send 1 again state=s a:accept {"name":"Ada"}
        ? due
        = 58000
        58000 > tick
        < cancel 1 (timed out)
        < finish 1: budget of 10000 used up; rounds 1, human 48000
        "#,
    );
}

#[test]
fn two_open_asks_of_one_call_count_once_and_until_the_second_is_closed() {
    check(
        person(),
        r#"
        0 > call 1 leg=5000
        < send 1
        1000 > ask @1 of 1 form
        < publish round 1 (no. 1 of 1): 0 form
        2000 > ask @2 of 1 sampling
        < publish round 2 (no. 2 of 1): 0 sampling
        3000 > answer 1.0 decline
        < record form decline by person
        < retract 1 Answered
        < reply @1 decline
        ? due
        = nothing
        9000 > answer 2.0 sample
        < record sampling sample by person
        < retract 2 Answered
        < reply @2 sample
        ? due
        = 13000
        9500 > result 1
        < finish 1: ok {}; rounds 2, human 8000
        "#,
    );
}

#[test]
fn m02_a_round_that_asks_nothing_is_sent_again_after_a_pause_that_grows() {
    let mut text = String::from("0 > call 1\n< send 1\n");
    let mut now = 0;
    for pause in [300, 450, 675, 1012, 1518, 2277, 3415, 5000, 5000] {
        let due = now + pause;
        text.push_str(&format!(
            "{now} > round of 1 state=poll\n? due\n= {due}\n{} > tick\n{due} > tick\n< send 1 again state=poll\n",
            due - 1
        ));
        now = due + 10;
    }
    text.push_str(&format!(
        "{now} > round of 1 state=x a:form\n< publish round 1 (no. 1 of 1): 0 form\n\
         {now} > answer 1.0 decline\n< record form decline by person\n< retract 1 Answered\n\
         < send 1 again state=x a:decline\n{now} > round of 1 state=poll\n? due\n= {}\n",
        now + 300
    ));
    text.push_str(&format!("{now} > stop 1\n< finish 1: stopped; rounds 1, human 0\n{} > tick", now + 300));
    check(person(), &text);
}

#[test]
fn m02_rounds_that_ask_nothing_are_bounded() {
    let mut text = String::from("0 > call 1\n< send 1\n");
    let mut now = 0;
    for _ in 0..20 {
        text.push_str(&format!("{now} > round of 1 state=p\n{} > tick\n< send 1 again state=p\n", now + 5000));
        now += 5000;
    }
    text.push_str(&format!("{now} > round of 1 state=p\n< finish 1: too many rounds (20); rounds 0, human 0"));
    check(Rules { rounds: 2, ..person() }, &text);
}

#[test]
fn the_pause_counts_for_the_budget_and_nothing_is_cancelled_in_it() {
    check(
        person(),
        r#"
        0 > call 1 budget=1000
        < send 1
        900 > round of 1 state=poll
        ? due
        = 1000
        1000 > tick
        < finish 1: budget of 1000 used up; rounds 0, human 0
        1200 > tick
        "#,
    );
}

#[test]
fn t07_a_pause_outlives_its_server() {
    check(
        person(),
        r#"
        0 > call 1
        < send 1
        0 > round of 1 state=poll
        100 > gone
        300 > tick
        < send 1 again state=poll
        "#,
    );
}

#[test]
fn limits_beyond_the_end_of_time_are_no_limits() {
    check(
        person(),
        &format!("5 > call 1 leg={max} budget={max}\n< send 1\n? due\n= nothing\n9 > tick", max = u64::MAX),
    );
}

#[test]
fn a_clock_that_jumps_ends_each_call_once() {
    check(
        person(),
        r#"
        5000 > call 1 leg=1000
        < send 1
        4000 > tick
        900000 > tick
        < cancel 1 (timed out)
        < finish 1: timed out after 1000; rounds 0, human 0
        900001 > tick
        "#,
    );
}
