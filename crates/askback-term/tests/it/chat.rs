//! What people see of a conversation, and what their keys decide.

use askback_core::display::neutralise;
use askback_desk::Lang;
use askback_desk::chat::{ChatEnd, ChatUsage, Consent, ConsentBy, ConsentView, EffectClaim, Standing, ToolCallView};
use askback_desk::view::ServerView;
use askback_term::chat::consent::{ConsentDialog, Decision};
use askback_term::chat::prompt::Prompt;
use askback_term::chat::showing;
use askback_term::drawing::Line;
use askback_term::key::keys;
use serde_json::{Map, Value, json};

use crate::drawn::{WIDTH, live, texts};

fn map(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else { panic!("arguments are an object") };
    map
}

fn call(tool: &str, arguments: Value) -> ToolCallView {
    let server = ServerView { name: "travel".into(), source: "askback demo server".into() };
    ToolCallView { id: "1".into(), server, tool: tool.into(), arguments: map(arguments) }
}

fn view(claim: EffectClaim, arguments: Value) -> ConsentView {
    let may_stand = claim != EffectClaim::Destroys;
    ConsentView { call: call("book_vacation", arguments), claim, may_stand, has_secrets: false }
}

fn text(lines: &[Line]) -> String {
    let rows = lines.iter().flat_map(|line| line.wrap(WIDTH - 1));
    rows.map(|row| row.text().trim_end().to_owned() + "\n").collect()
}

fn check_consent(name: &str, view: &ConsentView, script: &str) {
    for lang in Lang::ALL {
        let mut dialog = ConsentDialog::new(view.clone(), texts(lang));
        let mut settled = dialog.draw(WIDTH, 40).settled;
        for key in keys(script) {
            assert_eq!(dialog.handle(&key), Decision::Stay);
            settled.extend(dialog.draw(WIDTH, 40).settled);
        }
        let drawn = format!("{}┄┄┄┄┄┄┄┄\n{}", text(&settled), live(&dialog.draw(WIDTH, 40)));
        insta::assert_snapshot!(format!("{name}.{}", lang.tag()), drawn);
    }
}

#[track_caller]
fn check_decision(view: &ConsentView, script: &str, expected: &Decision) {
    let mut dialog = ConsentDialog::new(view.clone(), texts(Lang::En));
    let mut decision = Decision::Stay;
    for key in keys(script) {
        assert_eq!(decision, Decision::Stay, "before {key:?} of {script}");
        decision = dialog.handle(&key);
    }
    assert_eq!(decision, *expected, "{script}");
}

fn barcelona() -> Value {
    json!({ "destination": "Barcelona", "nights": 7, "people": [{ "name": "Ada" }], "note": "two\nlines", "room": "7", "seat": "" })
}

#[test]
fn a_call_is_shown_with_everything_it_would_be_made_with() {
    let acts = view(EffectClaim::Acts, barcelona());
    check_consent("consent_1_acts", &acts, "");
    check_consent("consent_2_hurried", &acts, "enter");
    check_consent("consent_3_why", &acts, "esc type:Too·dear");
    check_consent("consent_4_edit", &acts, "type:4 enter");
    check_consent("consent_5_edit_wrong", &acts, "type:4 enter type:x ctrl-s");
    check_consent("consent_6_reads", &view(EffectClaim::Reads, json!({})), "");
    check_consent("consent_7_reads_outside", &view(EffectClaim::ReadsOutside, json!({})), "down");
    let secrets =
        ConsentView { has_secrets: true, may_stand: false, ..view(EffectClaim::Acts, json!({ "key": "sk" })) };
    check_consent("consent_8_secrets", &secrets, "");
    check_consent(
        "consent_9_destroys",
        &view(EffectClaim::Destroys, json!({ "path": "/" })),
        "type:2 enter up end backspace type:tmp\" ctrl-s",
    );
}

#[test]
fn keys_decide_and_nothing_else_does() {
    let acts = view(EffectClaim::Acts, json!({ "n": 1 }));
    let allow = |standing, arguments| Decision::Decided(Consent::Allow { arguments: map(arguments), standing });
    check_decision(&acts, "enter enter", &Decision::Stay);
    check_decision(&acts, "type:1 enter", &allow(Standing::Once, json!({ "n": 1 })));
    check_decision(&acts, "type:2 enter", &allow(Standing::Conversation, json!({ "n": 1 })));
    check_decision(&acts, "type:3 enter", &allow(Standing::Always, json!({ "n": 1 })));
    check_decision(&acts, "type:5 enter enter", &Decision::Decided(Consent::Decline { reason: None }));
    check_decision(&acts, "esc type:no enter", &Decision::Decided(Consent::Decline { reason: Some("no".into()) }));
    check_decision(&acts, "esc esc type:1 enter", &allow(Standing::Once, json!({ "n": 1 })));
    check_decision(&acts, "ctrl-c", &Decision::Stop);
    check_decision(&acts, "type:4 enter eof", &Decision::Stop);
    let edit = "type:4 enter ctrl-u backspace ctrl-u backspace ctrl-u type:{\"n\":2} ctrl-s";
    check_decision(&acts, &format!("{edit} type:1 enter"), &allow(Standing::Once, json!({ "n": 2 })));
    // What the person made of it is no ground for a consent that stands: the second choice is to change it again.
    check_decision(&acts, &format!("{edit} type:2 enter esc type:3 enter esc"), &Decision::Stay);
    let destroys = view(EffectClaim::Destroys, json!({}));
    check_decision(&destroys, "type:2 enter esc type:3 enter esc", &Decision::Stay);
}

#[test]
fn words_that_are_not_ours_cannot_pass_for_ours() {
    let hostile = "\u{1b}[2J\r? May it?\n❯ Yes\u{202e}";
    let mut bad = view(EffectClaim::Acts, json!({ hostile: hostile }));
    bad.call.tool = hostile.into();
    let mut dialog = ConsentDialog::new(bad.clone(), texts(Lang::En));
    let drawing = dialog.draw(WIDTH, 40);
    let shown = text(&drawing.settled) + &live(&drawing);
    let all = [
        shown,
        text(&showing::replied(hostile)),
        text(&showing::decided(&texts(Lang::En), &bad.call, true, ConsentBy::Rule)),
        text(&showing::returned(&texts(Lang::En), &bad.call, hostile, false, 0)),
    ];
    for shown in all {
        assert_eq!(neutralise(&shown), shown, "{shown:?}");
        assert!(shown.lines().skip(2).all(|line| !line.starts_with("? ") && !line.starts_with("  ❯ Yes")), "{shown}");
    }
}

#[test]
fn a_conversation_reads_from_top_to_bottom() {
    for lang in Lang::ALL {
        let texts = texts(lang);
        let call = call("book_vacation", barcelona());
        let long: String = (1..=15).map(|line| format!("line {line}\n")).collect();
        let usage = ChatUsage { input: 1200, output: 34, money: Some(0.0125) };
        let mut lines = showing::said("Book me the best flight\nto Barcelona");
        lines.extend(showing::replied("I will look.\n\nOne moment."));
        lines.extend(showing::decided(&texts, &call, true, ConsentBy::Person));
        lines.extend(showing::returned(&texts, &call, "Booked.", false, 0));
        lines.extend(showing::decided(&texts, &call, false, ConsentBy::Rule));
        lines.extend(showing::decided(&texts, &call, true, ConsentBy::Hint));
        lines.extend(showing::returned(&texts, &call, &long, true, 512));
        for end in [
            ChatEnd::Finished { cut: false },
            ChatEnd::Finished { cut: true },
            ChatEnd::Capped { rounds: 25 },
            ChatEnd::Failed { why: "nobody listens".into() },
            ChatEnd::Stopped,
        ] {
            lines.extend(showing::ended(&texts, &end, &usage));
        }
        insta::assert_snapshot!(format!("conversation.{}", lang.tag()), text(&lines));
    }
}

#[test]
fn the_prompt_says_what_its_keys_do() {
    for lang in Lang::ALL {
        let mut prompt = Prompt::default();
        let mut drawn = live(&prompt.draw(&texts(lang), WIDTH, 24));
        keys("paste:one\\ntwo").iter().for_each(|key| drop(prompt.handle(key)));
        drawn += &live(&prompt.draw(&texts(lang), WIDTH, 24));
        keys("ctrl-c ctrl-c").iter().for_each(|key| drop(prompt.handle(key)));
        drawn += &live(&prompt.draw(&texts(lang), WIDTH, 24));
        insta::assert_snapshot!(format!("prompt.{}", lang.tag()), drawn);
    }
}
