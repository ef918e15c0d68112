//! What people see and what goes out, key by key.

use askback_core::answer::{Answer, By, Refusal};
use askback_core::ask::AskBody;
use askback_core::form::{ContentError, EntryError};
use askback_core::sampling::{MANUAL_MODEL, ReplyContent, ToolChoice};
use askback_desk::view::{CallKind, CallView, Closed, WaitFor};
use askback_desk::{AnswerRejected, Lang};
use askback_term::dialog::{Outcome, Wait};
use askback_term::drawing::Style;
use askback_term::key::keys;
use serde_json::{Value, json};

use crate::asks;
use crate::drawn::{WIDTH, World, live, play, texts};

/// Draws the state after a script in both languages.
fn check_drawn(name: &str, asks: &[AskBody], script: &str) {
    for lang in Lang::ALL {
        let played = play(lang, asks::round(1, asks.to_vec()), script);
        insta::assert_snapshot!(format!("{name}.{}", lang.tag()), played.text());
    }
}

/// The answers that a script gives.
fn check_answers(asks: &[AskBody], script: &str, answers: &[Answer]) {
    let played = play(Lang::En, asks::round(1, asks.to_vec()), script);
    let expected: Vec<(usize, Answer)> = answers.iter().cloned().enumerate().collect();
    assert_eq!(played.answers, expected, "after {script}:\n{}", played.text());
}

fn submitted(content: Value) -> Answer {
    let Value::Object(content) = content else { panic!("content is an object") };
    Answer::Submitted { content }
}

fn fields(properties: Value, required: &[&str]) -> [AskBody; 1] {
    [asks::form("m", &asks::properties(properties, required))]
}

#[test]
fn the_barcelona_form_field_by_field() {
    let form = [asks::barcelona()];
    check_drawn("barcelona_1_boolean", &form, "");
    check_drawn("barcelona_2_choose_first", &form, "enter");
    check_drawn("barcelona_3_choice", &form, "down enter");
    check_drawn("barcelona_4_titled_choice", &form, "down enter down enter");
    check_drawn("barcelona_5_default", &form, "down enter down enter down enter");
    check_drawn("barcelona_6_review", &form, "down enter down enter down enter enter");
    check_drawn("barcelona_7_sent", &form, "down enter down enter down enter enter enter");
    let content =
        json!({ "confirmBooking": true, "seatPreference": "window", "roomType": "sea", "travelInsurance": false });
    check_answers(&form, "down enter down enter down enter enter enter", &[submitted(content)]);
}

#[test]
fn the_traveller_form_field_by_field() {
    let form = [asks::traveller()];
    check_drawn("traveller_1_error_while_typing", &form, "type:A");
    check_drawn("traveller_2_optional_text", &form, "type:Ada enter type:ada@example.com enter");
    check_drawn("traveller_3_many", &form, "type:Ada enter type:ada@example.com enter enter enter down space");
    check_drawn("traveller_4_empty_text", &form, "type:Ada enter type:ada@example.com enter enter enter enter ctrl-o");
    check_drawn(
        "traveller_5_pick_to_edit",
        &form,
        "type:Ada enter type:a@b.cd enter enter enter enter enter down enter",
    );
    let script = "type:Ada enter type:ada@example.com enter enter enter down space enter ctrl-o enter enter";
    let content = json!({ "name": "Ada", "email": "ada@example.com", "bags": 1, "meals": ["vegan"], "note": "" });
    check_answers(&form, script, &[submitted(content)]);
}

#[test]
fn e22_a_time_without_its_offset_gets_the_persons_visibly() {
    let form = fields(json!({ "at": { "type": "string", "format": "date-time", "title": "Pick-up" } }), &["at"]);
    check_drawn("date_time_1_offset_missing", &form, "type:2026-05-01·10:00");
    check_drawn("date_time_2_offset_added", &form, "type:2026-05-01·10:00 enter");
    check_drawn("date_time_3_review", &form, "type:2026-05-01·10:00 enter enter");
    let answers = |script: &str, at: &str| check_answers(&form, script, &[submitted(json!({ "at": at }))]);
    answers("type:2026-05-01T10:00 enter enter enter", "2026-05-01T10:00:00+02:00");
    answers("type:2026-12-01T10:00:00 enter enter enter", "2026-12-01T10:00:00+01:00");
    answers("type:2026-05-01T10:00:00+05:30 enter enter", "2026-05-01T10:00:00+05:30");
    // The clocks skip this time, and a leap second there never was.
    for text in ["2026-03-29T02:30", "2026-05-01T10:00:60Z"] {
        check_answers(&form, &format!("type:{text} enter enter enter"), &[]);
    }
}

#[test]
fn the_weekday_of_a_date_is_shown() {
    let form = fields(json!({ "day": { "type": "string", "format": "date", "title": "Arrival" } }), &[]);
    check_drawn("date_1_weekday", &form, "type:2026-06-15");
    check_drawn("date_2_no_such_day", &form, "type:2026-02-30");
}

#[test]
fn a_field_edited_from_the_review_leads_back_there() {
    let script =
        "type:Ada enter type:a@b.cd enter enter enter enter enter down enter enter ctrl-u type:Grace enter enter";
    check_answers(&[asks::traveller()], script, &[submitted(json!({ "name": "Grace", "email": "a@b.cd", "bags": 1 }))]);
}

#[test]
fn nothing_is_sent_while_there_is_an_error() {
    let form = fields(json!({ "n": { "type": "integer" } }), &["n"]);
    check_answers(&form, "type:1e enter enter enter", &[]);
    check_answers(&form, "enter enter enter", &[]);
    check_answers(&form, "type:1.0 enter enter", &[submitted(json!({ "n": 1 }))]);
}

#[test]
fn untouched_fields_send_their_defaults_and_nothing_else() {
    let form = fields(
        json!({
            "n": { "type": "integer", "default": 0 },
            "f": { "type": "boolean", "default": false },
            "s": { "type": "string", "default": "" },
            "e": { "type": "string", "enum": ["x", "y"], "default": "y" },
            "m": { "type": "array", "items": { "type": "string", "enum": ["x", "y"] }, "default": [] },
            "bad": { "type": "integer", "default": "seven" }
        }),
        &[],
    );
    let content = json!({ "n": 0, "f": false, "s": "", "e": "y", "m": [] });
    check_answers(&form, "enter enter enter enter enter enter enter", &[submitted(content)]);
}

#[test]
fn optional_fields_are_left_out_untouched() {
    let form = fields(
        json!({ "q": { "type": "string" }, "b": { "type": "boolean" }, "c": { "enum": ["x", "y"] }, "n": { "type": "number" } }),
        &[],
    );
    check_answers(&form, "enter enter enter enter enter", &[submitted(json!({}))]);
    check_answers(&form, "ctrl-o enter enter enter enter enter", &[submitted(json!({ "q": "" }))]);
}

#[test]
fn a_default_can_be_taken_away() {
    let form = fields(json!({ "c": { "type": "string", "enum": ["x", "y"], "default": "y" } }), &[]);
    check_answers(&form, "end enter enter", &[submitted(json!({}))]);
}

#[test]
fn long_lists_are_narrowed_by_typing() {
    let cities: Vec<String> = (0..60).map(|at| format!("City {at}")).collect();
    let form = fields(json!({ "city": { "type": "string", "enum": cities } }), &["city"]);
    check_drawn("long_list", &form, "down down down down down down down down");
    check_drawn("long_list_narrowed", &form, "type:4");
    check_answers(&form, "type:y·42 enter enter", &[submitted(json!({ "city": "City 42" }))]);
}

#[test]
fn json_fields_are_written_over_several_lines() {
    let form = fields(json!({ "o": { "type": "object", "properties": { "a": { "type": "integer" } } } }), &["o"]);
    check_drawn("json_field", &form, "type:{ enter type:\"a\":·1");
    check_answers(
        &form,
        "type:{ enter type:\"a\":·1 enter type:} ctrl-s enter",
        &[submitted(json!({ "o": { "a": 1 } }))],
    );
}

#[test]
fn lists_are_written_one_to_a_line_and_numbers_or_text_on_one() {
    let days = json!({ "type": "array", "items": { "type": "string", "format": "date" }, "maxItems": 3 });
    let price = json!({ "anyOf": [{ "type": "number" }, { "type": "string" }], "default": "9.90" });
    let form = fields(json!({ "days": days, "price": price }), &["days"]);
    check_drawn("list_1_error_while_typing", &form, "type:2026-07-28 enter type:tomorrow");
    check_drawn("list_2_number_or_text", &form, "type:2026-07-28 ctrl-s");
    let content = json!({ "days": ["2026-07-28", "2026-07-29"], "price": "9.90" });
    check_answers(&form, "type:2026-07-28 enter type:2026-07-29 ctrl-s enter enter", &[submitted(content)]);
    let content = json!({ "days": ["2026-07-28"], "price": 12.5 });
    check_answers(&form, "type:2026-07-28 ctrl-s ctrl-u type:12.50 enter enter", &[submitted(content)]);
}

#[test]
fn a_form_without_fields_is_a_plain_question() {
    let form = [asks::form("Delete all 47 flights?", &json!({ "type": "object", "properties": {} }))];
    check_drawn("empty_form", &form, "");
    check_drawn("empty_form_hurried", &form, "enter");
    check_answers(&form, "enter enter", &[]);
    check_answers(&form, "down enter", &[submitted(json!({}))]);
    check_answers(&form, "down down enter enter", &[Answer::Declined { reason: None }]);
}

#[test]
fn a_form_that_cannot_be_answered_says_so() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "string", "enum": [] } }, "required": ["a"] });
    let form = [asks::form("Choose.", &schema)];
    check_drawn("unanswerable", &form, "");
    check_answers(&form, "enter type:no·choice enter", &[Answer::Declined { reason: Some("no choice".into()) }]);
}

#[test]
fn secrets_need_an_override_and_stay_masked() {
    let form = fields(
        json!({ "password": { "type": "string", "title": "API token" }, "user": { "type": "string" } }),
        &["password"],
    );
    check_drawn("secret_1_locked", &form, "");
    check_drawn("secret_2_refused", &form, "type:hunter2 enter");
    check_drawn("secret_3_masked", &form, "type:yes enter type:hunter2");
    check_drawn("secret_4_review", &form, "type:yes enter type:hunter2 enter type:ada enter");
    check_answers(&form, "type:hunter2 enter enter enter", &[]);
    check_answers(
        &form,
        "type:yes enter type:hunter2 enter type:ada enter enter",
        &[submitted(json!({ "password": "hunter2", "user": "ada" }))],
    );
}

#[test]
fn escape_control_c_and_the_end_of_input_cancel_once() {
    for key in ["esc", "ctrl-c", "ctrl-d", "eof"] {
        check_answers(&[asks::barcelona()], &format!("{key} {key}"), &[Answer::Cancelled]);
        check_answers(&[asks::barcelona()], &format!("down enter {key} enter"), &[Answer::Cancelled]);
        check_answers(&[asks::payment()], &format!("{key} {key}"), &[Answer::Cancelled]);
        let refused = Answer::Refused(Refusal::ByPerson { reason: None });
        check_answers(&[asks::best_flight()], &format!("{key} {key}"), &[refused]);
    }
}

#[test]
fn a_decline_may_carry_a_reason() {
    let form = [asks::barcelona()];
    check_drawn("decline", &form, "down enter ctrl-x type:Too·dear");
    check_answers(&form, "ctrl-x type:Too·dear enter", &[Answer::Declined { reason: Some("Too dear".into()) }]);
    check_answers(&form, "ctrl-x enter", &[Answer::Declined { reason: None }]);
    check_answers(&form, "ctrl-x esc", &[]);
}

#[test]
fn everything_from_a_server_can_be_declined() {
    let asks = [asks::barcelona(), asks::payment(), asks::best_flight()];
    let played = play(Lang::En, asks::round(1, asks.to_vec()), "ctrl-x tab enter");
    let refused = Answer::Refused(Refusal::ByPerson { reason: None });
    let declined = Answer::Declined { reason: None };
    assert_eq!(played.answers, [(0, declined.clone()), (1, declined), (2, refused)]);
    assert_eq!(played.outcomes, [Outcome::DeclineAllFromServer, Outcome::Done]);
}

#[test]
fn a_web_page_is_opened_only_after_consent() {
    let page = [asks::payment()];
    check_drawn("url", &page, "");
    check_drawn("url_shown", &page, "down down enter");
    check_drawn("url_opened", &page, "down enter");
    check_answers(&page, "enter enter", &[]);
    let played = play(Lang::En, asks::round(1, page.to_vec()), "down enter");
    assert_eq!(played.answers, [(0, Answer::Consented)]);
    let url = "https://pay.example.com/checkout/4711?booking=BAR-7F3A".to_owned();
    assert_eq!(played.outcomes, [Outcome::OpenPage { url }, Outcome::Done]);
}

/// Draws the dialog of a call that waits for something, after a script.
fn waiting(lang: Lang, wait_for: WaitFor, script: &str, closed: Option<&Closed>) -> (String, Vec<Outcome>) {
    let mut dialog = Wait::new(asks::wait(wait_for), texts(lang));
    let mut settled = dialog.draw(WIDTH, 40).settled;
    let mut outcomes = Vec::new();
    for key in keys(script) {
        outcomes.extend(dialog.handle(&key));
    }
    outcomes.extend(closed.into_iter().flat_map(|why| dialog.close(why)));
    let drawing = dialog.draw(WIDTH, 40);
    settled.extend(drawing.settled.iter().cloned());
    let mut text: String = settled.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect();
    if !drawing.live.is_empty() {
        text.push_str("┄┄┄┄┄┄┄┄\n");
        text.push_str(&live(&drawing));
    }
    (text, outcomes)
}

#[test]
fn e38_a_call_that_waits_for_pages_can_be_tried_again_or_ended_at_any_time() {
    let page = "https://id.example.com/authorize?state=a1";
    for lang in Lang::ALL {
        let draw = |script: &str, closed: Option<&Closed>| waiting(lang, asks::pages(&[page]), script, closed).0;
        insta::assert_snapshot!(format!("wait_1.{}", lang.tag()), draw("", None));
        insta::assert_snapshot!(format!("wait_2_tried_again.{}", lang.tag()), draw("enter", None));
        insta::assert_snapshot!(format!("wait_3_given_up.{}", lang.tag()), draw("esc", None));
        insta::assert_snapshot!(format!("wait_4_done.{}", lang.tag()), draw("", Some(&Closed::PagesDone)));
    }
    let outcomes = |script: &str| waiting(Lang::En, asks::pages(&[page, "https://b.example/"]), script, None).1;
    assert_eq!(outcomes("type:x space"), []);
    assert_eq!(outcomes("enter enter"), [Outcome::TryAgain, Outcome::Done]);
    for script in ["esc", "ctrl-c", "ctrl-d", "eof", "down enter"] {
        assert_eq!(outcomes(script), [Outcome::GiveUp, Outcome::Done], "{script}");
    }
}

#[test]
fn m10_answers_that_got_no_reply_are_kept_and_sent_again_only_on_purpose() {
    let refused = "the server answered 503 Service Unavailable <p>Back\u{1b}[2J soon.</p>";
    let lost = "the connection was closed before the answer had come";
    for lang in Lang::ALL {
        let draw = |wait_for: WaitFor, script: &str, closed: Option<&Closed>| waiting(lang, wait_for, script, closed).0;
        let snapshot = |name: &str, drawn: String| insta::assert_snapshot!(format!("{name}.{}", lang.tag()), drawn);
        snapshot("resend_1_not_acted", draw(asks::resend("connection refused", false), "", None));
        snapshot("resend_2_perhaps", draw(asks::resend(refused, true), "", None));
        snapshot("resend_3_hurried", draw(asks::resend(lost, true), "enter", None));
        snapshot("resend_4_sent_again", draw(asks::resend(lost, true), "down enter", None));
        snapshot("resend_5_ended", draw(asks::resend(lost, true), "esc", None));
        snapshot("resend_6_stopped", draw(asks::resend(lost, true), "", Some(&Closed::Stopped)));
    }
    let outcomes = |script: &str| waiting(Lang::En, asks::resend(lost, true), script, None).1;
    assert_eq!(outcomes("enter enter type:y"), []);
    assert_eq!(outcomes("down enter enter"), [Outcome::TryAgain, Outcome::Done]);
    for script in ["esc", "ctrl-c", "ctrl-d", "eof", "down down enter"] {
        assert_eq!(outcomes(script), [Outcome::GiveUp, Outcome::Done], "{script}");
    }
}

#[test]
fn a_login_in_the_middle_of_a_call_is_gone_to_only_on_purpose() {
    let page = "https://login.travel.example/authorize?response_type=code&client_id=askback&state=a1";
    let login = || asks::login("https://login.travel.example", page, &["bookings:read", "bookings:write"]);
    let hostile = asks::login("https://auth\u{1b}[2J.example", "http://10.0.0.7:8080/in", &["a\u{202e}b"]);
    for lang in Lang::ALL {
        let draw = |wait_for: WaitFor, script: &str, closed: Option<&Closed>| waiting(lang, wait_for, script, closed).0;
        let snapshot = |name: &str, drawn: String| insta::assert_snapshot!(format!("{name}.{}", lang.tag()), drawn);
        snapshot("login_1", draw(login(), "", None));
        snapshot("login_2_hurried", draw(login(), "enter", None));
        snapshot("login_3_goes", draw(login(), "down enter", None));
        snapshot("login_4_stays", draw(login(), "down down enter", None));
        snapshot("login_5_stopped", draw(login(), "", Some(&Closed::Stopped)));
        snapshot("login_6_any_scope", draw(asks::login("https://login.travel.example", page, &[]), "", None));
        snapshot("login_7_hostile", draw(hostile.clone(), "", None));
    }
    let outcomes = |script: &str| waiting(Lang::En, login(), script, None).1;
    assert_eq!(outcomes("enter enter type:y"), []);
    assert_eq!(outcomes("down enter enter"), [Outcome::TryAgain, Outcome::Done]);
    for script in ["esc", "ctrl-c", "ctrl-d", "eof", "down down enter"] {
        assert_eq!(outcomes(script), [Outcome::GiveUp, Outcome::Done], "{script}");
    }
    let no_page = || asks::login("https://login.travel.example", "javascript:alert(1)", &[]);
    let (drawn, outcomes) = waiting(Lang::En, no_page(), "enter", None);
    assert_eq!(outcomes, [Outcome::GiveUp, Outcome::Done]);
    assert!(!drawn.contains("Log in"), "{drawn}");
}

#[test]
fn e38_what_is_told_to_nobody_is_said_to_be_so() {
    for lang in Lang::ALL {
        for (name, script) in
            [("asked", ""), ("agreed", "down enter"), ("declined", "ctrl-x enter"), ("cancelled", "esc")]
        {
            let played = play(lang, asks::needed_pages(vec![asks::payment()]), script);
            insta::assert_snapshot!(format!("needed_page_{name}.{}", lang.tag()), played.text());
        }
    }
}

#[test]
fn odd_addresses_are_shown_as_such() {
    check_drawn("url_odd", &[asks::url("http://user:pw@bank.example@xn--pple-43d.example:8080/a?b")], "");
    check_drawn("url_two_forms", &[asks::url("https://www.аpple.example/")], "");
    check_drawn("url_disguised", &[asks::url("https://github.com%2eevil.example/https://github.com?\u{202e}moc")], "");
}

#[test]
fn e35_nobody_can_agree_to_open_what_is_no_web_address() {
    check_drawn("url_not_openable", &[asks::url("javascript:alert(1)")], "");
    check_drawn("url_broken", &[asks::url("https://x.example/\nSet:1\u{202e}")], "");
    for address in ["file:///etc/passwd", "data:text/html,x", "vscode://x", "\\\\host\\share", "-h", "not a url"] {
        check_answers(&[asks::url(address)], "enter enter", &[Answer::Declined { reason: None }]);
        check_answers(&[asks::url(address)], "down enter", &[Answer::Cancelled]);
    }
}

#[test]
fn e35_everything_odd_is_said_in_both_languages() {
    let long = format!("https://x.example/{}", "a".repeat(3000));
    let too_long = format!("https://x.example/{}", "a".repeat(9000));
    let addresses = [
        ("http://2852039166:81/", 5),
        ("https://0.0.0.0/", 2),
        ("https://10.0.0.1/", 2),
        ("https://169.254.7.7/", 2),
        ("https://good.example\\@evil.example/", 1),
        (&long, 1),
        (&too_long, 1),
        ("https://x.example/a b", 1),
        ("not a url", 1),
        ("https://1.2.3.400/", 1),
        ("https:///x.example", 1),
    ];
    for ((address, marks), lang) in addresses.iter().flat_map(|pair| Lang::ALL.map(|lang| (*pair, lang))) {
        let text = play(lang, asks::round(1, vec![asks::url(address)]), "").text();
        let said: Vec<&str> =
            text.lines().filter(|line| line.starts_with("  ! ") || line.starts_with("  ✗ ")).collect();
        assert_eq!(said.len(), marks, "{address}: {said:?}");
        assert!(said.iter().all(|line| !line.contains("address-")), "{said:?}");
    }
}

#[test]
fn e36_the_domain_that_somebody_answers_for_stands_out() {
    let played = play(Lang::En, asks::round(1, vec![asks::url("https://github.com.login.evil.example/x")]), "");
    let bold: Vec<&str> = (played.settled.iter().flat_map(|line| &line.spans))
        .filter(|span| span.style == Style::Bold && span.text.contains("example"))
        .map(|span| span.text.as_str())
        .collect();
    assert_eq!(bold, ["evil.example", "evil.example"]);
}

#[test]
fn a_page_that_does_not_open_leaves_its_address() {
    let round = asks::round(1, vec![asks::payment(), asks::barcelona()]);
    let world = World { browser: Err("no browser".into()), ..World::new(Lang::En) };
    insta::assert_snapshot!(world.play(round, "down enter").text());
}

#[test]
fn a_reply_is_written_by_the_person() {
    let sampling = [asks::best_flight()];
    check_drawn("sampling_1_request", &sampling, "");
    check_drawn("sampling_2_writing", &sampling, "enter type:VY·8301, enter type:it·is·cheaper.");
    check_drawn("sampling_3_review", &sampling, "enter type:VY·8301. ctrl-s");
    let played = play(Lang::En, asks::round(1, sampling.to_vec()), "enter type:VY·8301. ctrl-s enter");
    let [(0, Answer::Sampled(reply))] = &played.answers[..] else { panic!("{:?}", played.answers) };
    assert_eq!(reply.content, [ReplyContent::Text("VY 8301.".into())]);
    assert_eq!((reply.model.as_str(), reply.stop_reason.as_deref()), (MANUAL_MODEL, Some("endTurn")));
}

#[test]
fn a_tool_is_called_by_the_person() {
    let sampling = [asks::with_tools(ToolChoice::Required)];
    check_drawn("tools_1_request", &sampling, "");
    check_drawn("tools_2_input", &sampling, "enter enter type:VY·8301 enter");
    check_drawn("tools_3_review", &sampling, "enter enter type:VY·8301 enter type:2 enter");
    let played = play(Lang::En, asks::round(1, sampling.to_vec()), "enter enter type:VY·8301 enter type:2 enter enter");
    let [(0, Answer::Sampled(reply))] = &played.answers[..] else { panic!("{:?}", played.answers) };
    let Value::Object(input) = json!({ "flight": "VY 8301", "count": 2 }) else { unreachable!() };
    assert_eq!(reply.content, [ReplyContent::ToolUse { id: "call_1".into(), name: "free_seats".into(), input }]);
    assert_eq!(reply.stop_reason.as_deref(), Some("toolUse"));
    check_drawn("tools_none", &[asks::with_tools(ToolChoice::None)], "");
}

#[test]
fn the_asks_of_a_round_come_one_after_the_other() {
    let asks = [asks::payment(), asks::form("Anything else?", &json!({ "type": "object", "properties": {} }))];
    check_drawn("several_1", &asks, "");
    check_drawn("several_2", &asks, "esc");
    check_answers(&asks, "esc down enter", &[Answer::Cancelled, submitted(json!({}))]);
}

#[test]
fn folders_are_not_shared_from_here() {
    check_drawn("roots", &[AskBody::Roots], "");
    check_answers(&[AskBody::Roots], "enter", &[Answer::Roots(Vec::new())]);
}

#[test]
fn hostile_text_cannot_pass_for_ours() {
    let message =
        "Approve?\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{1b}[1;1H[trusted-server] OK\n? bank asks you for information";
    let schema = json!({
        "type": "object",
        "properties": { "x": { "type": "string", "title": "a\rb", "oneOf": [{ "const": "1", "title": "to \u{202e}knab" }], "description": "✓ Sent" } },
        "required": ["x"]
    });
    let mut round = asks::round(1, vec![asks::form(message, &schema)]);
    round.calls = vec![
        CallView { kind: CallKind::Tool, subject: "x\u{1b}[31m".into() },
        CallView { kind: CallKind::Prompt, subject: "plan".into() },
    ];
    let played = play(Lang::En, round, "");
    let text = played.text();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    insta::assert_snapshot!(text);
}

#[test]
fn a_round_without_a_call_says_so() {
    let mut round = asks::round(1, vec![asks::form("", &json!({ "type": "object" }))]);
    round.calls.clear();
    insta::assert_snapshot!(play(Lang::En, round, "").text());
}

#[test]
fn a_closed_dialog_keeps_what_was_typed() {
    for lang in Lang::ALL {
        let mut played = play(lang, asks::round(1, vec![asks::traveller()]), "type:Ada·Lovelace enter type:ada@exam");
        let outcomes = played.dialog.close(&Closed::TimedOut);
        played.carry_out(outcomes);
        played.draw(40);
        insta::assert_snapshot!(format!("closed.{}", lang.tag()), played.text());
        assert_eq!((played.answers.len(), played.outcomes), (0, vec![Outcome::Done]));
    }
}

#[test]
fn a_rejected_answer_is_said_and_the_input_stays() {
    let mut played = play(
        Lang::En,
        asks::round(1, vec![asks::traveller()]),
        "type:Ada enter type:a@b.cd enter enter enter enter enter",
    );
    played.dialog.handle(&askback_term::key::Key::Enter);
    let errors = vec![ContentError { key: Some("name".into()), error: EntryError::Schema { detail: "no".into() } }];
    played.dialog.rejected(&AnswerRejected::Invalid { errors });
    played.draw(40);
    insta::assert_snapshot!("rejected_invalid", live(&played.last));
    let mut played = play(Lang::En, asks::round(1, vec![asks::payment()]), "down");
    played.dialog.handle(&askback_term::key::Key::Enter);
    let outcomes = played.dialog.rejected(&AnswerRejected::AlreadyAnswered { by: By::Policy });
    played.carry_out(outcomes);
    played.draw(40);
    insta::assert_snapshot!("rejected_already", played.text());
}

#[test]
fn long_messages_settle_and_low_terminals_keep_the_field_in_view() {
    let message: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    let choices: Vec<String> = (0..8).map(|at| format!("choice {at}")).collect();
    let fields = json!({
        "a": { "type": "string", "title": "First" },
        "b": { "type": "string", "enum": choices, "description": "One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven." }
    });
    let mut played =
        play(Lang::En, asks::round(1, vec![asks::form(&message, &asks::properties(fields, &["b"]))]), "enter down");
    assert!(played.settled.len() > 300);
    for height in [30, 16, 10, 5] {
        played.draw(height);
        assert!(played.last.live.len() < height);
        insta::assert_snapshot!(format!("height_{height}"), live(&played.last));
    }
}

#[test]
fn a_form_of_many_fields_stays_quick_and_low() {
    let many: serde_json::Map<String, Value> =
        (0..500).map(|at| (format!("f{at}"), json!({ "type": "string" }))).collect();
    let form = [asks::form("m", &asks::properties(Value::Object(many), &[]))];
    let script = "enter ".repeat(500) + "down enter down";
    let played = play(Lang::En, asks::round(1, form.to_vec()), &script);
    insta::assert_snapshot!(live(&played.last));
    let played = play(Lang::En, asks::round(1, form.to_vec()), &"enter ".repeat(499));
    insta::assert_snapshot!("many_fields_last", live(&played.last));
}

#[test]
fn what_the_form_as_a_whole_refuses_leads_back_to_the_field_to_blame() {
    let schema = json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "country": { "type": "string" } },
        "dependentRequired": { "city": ["country"] }
    });
    let form = [asks::form("Where?", &schema)];
    check_drawn("refused_as_a_whole", &form, "type:Barcelona enter enter");
    check_answers(&form, "type:Barcelona enter enter enter enter enter", &[]);
}
