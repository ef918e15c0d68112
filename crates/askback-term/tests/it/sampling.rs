//! Sampling with models: both gates, key by key.

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::AskBody;
use askback_core::sampling::budget::{Limits, Spent};
use askback_core::sampling::{
    Content, ReplyContent, Role, SamplingMessage, SamplingReply, SamplingRequest, ToolChoice,
};
use askback_desk::Lang;
use askback_desk::lending::{Draft, DraftEvent, Permission, Wish};
use askback_desk::view::Closed;
use askback_term::dialog::Outcome;
use askback_term::drawing::Style;
use serde_json::{Value, json};

use crate::asks;
use crate::drawn::{Played, WIDTH, World};
use crate::lent::{self, Lender, NOW};

const NARROW: usize = 44;

fn play(lender: &Lender, request: &SamplingRequest, script: &str) -> Played {
    World::lending(Lang::En, lender).play(round(request), script)
}

fn round(request: &SamplingRequest) -> askback_desk::RoundView {
    asks::round(1, vec![AskBody::Sampling(Box::new(request.clone()))])
}

/// Draws the state after a script in both languages, in a wide and in a narrow terminal.
fn check_drawn(name: &str, lender: &Lender, request: &SamplingRequest, script: &str) {
    for lang in Lang::ALL {
        for (size, width) in [("wide", WIDTH), ("narrow", NARROW)] {
            let played = World { width, ..World::lending(lang, lender) }.play(round(request), script);
            assert!(played.last.live.iter().all(|line| line.width() < width), "{}", played.text());
            insta::assert_snapshot!(format!("{name}.{size}.{}", lang.tag()), played.text());
        }
    }
}

/// What a script makes of the reply.
#[track_caller]
fn sampled(lender: &Lender, request: &SamplingRequest, script: &str) -> SamplingReply {
    let played = play(lender, request, script);
    let [(0, Answer::Sampled(reply))] = &played.answers[..] else { panic!("{:?}\n{}", played.answers, played.text()) };
    reply.as_ref().clone()
}

/// What a script puts a model to work on.
#[track_caller]
fn wished(lender: &Lender, request: &SamplingRequest, script: &str) -> Wish {
    let played = play(lender, request, script);
    let [wish] = &played.wishes[..] else { panic!("{:?}\n{}", played.wishes, played.text()) };
    wish.clone()
}

/// A request with all that a request may have.
fn full_request() -> SamplingRequest {
    let AskBody::Sampling(request) = asks::with_tools(ToolChoice::Auto) else { unreachable!() };
    let mut request = *request;
    request.messages.push(SamplingMessage {
        role: Role::Assistant,
        content: vec![Content::Text("Which seat do you like?".into())],
    });
    request
        .messages
        .push(SamplingMessage { role: Role::User, content: vec![Content::Text("Window.\nIn front.".into())] });
    request.temperature = Some(0.7);
    request.stop_sequences = vec!["END".into()];
    request.include_context = Some("allServers".into());
    request.metadata = Some(json!({ "trip": 4711 }));
    request
}

const KEY: &str = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";

/// A request with a secret in it.
fn secret_request() -> SamplingRequest {
    let mut request = asks::flight_request();
    request.messages[0].content = vec![Content::Text(format!("Pay with {KEY}, please."))];
    request
}

/// A lender whose model mentions what was hidden from it.
fn secret_lender() -> Lender {
    let said = |key: &str| lent::reply(vec![ReplyContent::Text(format!("I would pay with {key}."))]);
    let (reply, restored) = (said("[[redacted-1]]"), Some(said(KEY)));
    let draft = Draft { reply, restored, tokens: None, left_out: Vec::new() };
    Lender::drafting(vec![vec![DraftEvent::Finished(Box::new(draft))]])
}

fn tool_call() -> ReplyContent {
    let Value::Object(input) = json!({ "flight": "VY 8301", "count": 2 }) else { unreachable!() };
    ReplyContent::ToolUse { id: "toolu_1".into(), name: "free_seats".into(), input }
}

#[test]
fn s10_gate_one_shows_all_that_a_model_would_get() {
    check_drawn("gate_one", &Lender::new(), &full_request(), "");
    check_drawn("gate_one_hurried", &Lender::new(), &asks::flight_request(), "enter");
    assert!(play(&Lender::new(), &full_request(), "enter enter esc").wishes.is_empty());
}

#[test]
fn s06_results_of_tools_are_shown_with_their_attachments() {
    let mut request = full_request();
    let Value::Object(input) = json!({ "flight": "VY 8301" }) else { unreachable!() };
    let picture = json!({ "type": "image", "mimeType": "image/png", "data": "A".repeat(4_000) });
    let link = json!({ "type": "resource_link", "uri": "travel://seats", "name": "seats" });
    let content = json!([{ "type": "text", "text": "Nine seats.\nTwo in front." }, picture, link]);
    let result = |content, is_error| Content::ToolResult { tool_use_id: "c1".into(), content, is_error };
    let message = |role, content| SamplingMessage { role, content: vec![content] };
    request.messages.truncate(1);
    request.messages.extend([
        message(Role::Assistant, Content::ToolUse { id: "c1".into(), name: "free_seats".into(), input }),
        message(Role::User, result(content, false)),
        message(Role::User, result(json!("No such flight."), true)),
    ]);
    check_drawn("tool_results", &Lender::new(), &request, "");
}

#[test]
fn s10_gate_two_shows_all_that_would_go_back() {
    let parts = vec![ReplyContent::Text("Let me look.\nIt is the cheaper one.".into()), tool_call()];
    let draft =
        Draft { reply: lent::reply(parts), restored: None, tokens: Some((1712, 24)), left_out: vec!["temperature"] };
    let lender = Lender::drafting(vec![vec![DraftEvent::Finished(Box::new(draft.clone()))]]);
    check_drawn("gate_two", &lender, &full_request(), "down enter");
    check_drawn("gate_two_sent", &lender, &full_request(), "down enter down enter");
    assert_eq!(sampled(&lender, &full_request(), "down enter down enter"), draft.reply);
    // A key that was meant for something else sends nothing.
    assert!(play(&lender, &full_request(), "down enter enter enter").answers.is_empty());
}

#[test]
fn a_draft_that_the_server_does_not_expect_is_said_to_be_one() {
    let text = |text: &str| vec![ReplyContent::Text(text.into())];
    let seen = |choice: ToolChoice, content: Vec<ReplyContent>| {
        let AskBody::Sampling(request) = asks::with_tools(choice) else { unreachable!() };
        let lender = Lender::drafting(vec![vec![lent::finished(content)]]);
        play(&lender, &request, "down enter").text()
    };
    let (all, none) = ("! travel wants a tool call and takes no text.", "! travel takes no tool call here.");
    let empty = "! The model wrote nothing.";
    for (choice, content, said) in [
        (ToolChoice::Required, text("VY 8301."), Some(all)),
        (ToolChoice::Required, vec![tool_call()], None),
        (ToolChoice::None, vec![tool_call()], Some(none)),
        (ToolChoice::None, text("VY 8301."), None),
        (ToolChoice::Auto, text(" "), Some(empty)),
        (ToolChoice::Auto, vec![tool_call()], None),
    ] {
        let seen = seen(choice, content.clone());
        let warned: Vec<&str> = [all, none, empty].into_iter().filter(|warning| seen.contains(warning)).collect();
        assert_eq!(warned, Vec::from_iter(said), "{choice:?} {content:?}\n{seen}");
    }
}

#[test]
fn s10_both_gates_can_be_refused() {
    let refused = |reason: Option<&str>| Answer::Refused(Refusal::ByPerson { reason: reason.map(str::to_owned) });
    let lender = Lender::drafting(vec![lent::text("VY 8301.")]);
    for (script, reason) in [
        ("esc", None),
        ("ctrl-c", None),
        ("eof", None),
        ("end enter type:no enter", Some("no")),
        ("down enter esc", None),
        ("down enter ctrl-c", None),
        ("down enter end enter type:wrong enter", Some("wrong")),
    ] {
        let played = play(&lender, &asks::flight_request(), script);
        assert_eq!(played.answers, [(0, refused(reason))], "{script}");
    }
}

#[test]
fn s10_what_the_person_edits_is_what_goes_out_and_comes_back() {
    let request = asks::flight_request();
    let lender = Lender::drafting(vec![lent::text("VY 8301.\nIt is cheaper.\nGood bye.")]);
    let edited = "down down down enter enter type:·Be·brief. ctrl-s";
    check_drawn("edited_request", &lender, &request, edited);
    let script = format!("{edited} down enter");
    let wish = wished(&lender, &request, &script);
    let prompt = "You are a travel expert helping users find the best flights. Be brief.";
    assert_eq!(wish.request, SamplingRequest { system_prompt: Some(prompt.into()), ..request.clone() });
    let script = format!("{script} down down enter backspace type:! ctrl-s");
    check_drawn("edited_draft", &lender, &request, &script);
    let reply = sampled(&lender, &request, &format!("{script} down enter"));
    let expected = lent::reply(vec![ReplyContent::Text("VY 8301.\nIt is cheaper.\nGood bye!".into())]);
    assert_eq!(reply, expected);
}

#[test]
fn each_part_of_a_request_can_be_edited_and_put_back() {
    let request = full_request();
    let edit = "down down down enter ";
    check_drawn("edit_parts", &Lender::new(), &request, edit);
    let tokens = format!("{edit} end up enter");
    check_drawn("edit_tokens_wrong", &Lender::new(), &request, &format!("{tokens} ctrl-u type:1501 enter"));
    let changed = |script: &str| wished(&Lender::new(), &request, &format!("{edit}{script} down enter")).request;
    assert_eq!(changed("end up enter ctrl-u type:200 enter").max_tokens, 200);
    assert_eq!(changed("enter ctrl-u ctrl-s").system_prompt, None);
    let without = changed("end up up enter ctrl-u backspace ctrl-u ctrl-s");
    assert_eq!(without.messages, request.messages[..2]);
    // Opened and closed, nothing is changed; and what is changed can be undone.
    assert_eq!(changed("enter ctrl-s"), request);
    assert_eq!(changed(&format!("enter type:x ctrl-s {edit} end enter")), request);
    let only = SamplingRequest { messages: request.messages[1..2].to_vec(), ..request.clone() };
    let script = format!("{edit} down enter ctrl-u ctrl-s");
    assert!(play(&Lender::new(), &only, &script).text().contains("No message would be left."));
}

#[test]
fn a_request_can_be_edited_as_a_whole() {
    let request = full_request();
    let world = |editor: fn(String) -> String| World {
        editor: Some(editor),
        ..World::lending(Lang::En, &Lender::drafting(vec![Vec::new()]))
    };
    let shorter = |text: String| text.replace("max-tokens: 1500", "max-tokens: 100").replace("tool: \"weather\"\n", "");
    let played = world(shorter).play(round(&request), "ctrl-e down enter");
    insta::assert_snapshot!("edited_whole", played.text());
    assert_eq!((played.wishes[0].request.max_tokens, played.wishes[0].request.tools.len()), (100, 1));
    let played = world(|text| text.replace("max-tokens: 1500", "max-tokens: 9000")).play(round(&request), "ctrl-e");
    insta::assert_snapshot!("edited_whole_wrong", played.text());
    // What is wrong is there to be put right.
    let twice = |text: String| text.replace("9000", "900").replace("max-tokens: 1500", "max-tokens: 9000");
    let played = world(twice).play(round(&request), "ctrl-e ctrl-e down enter");
    assert_eq!(played.wishes[0].request.max_tokens, 900);
}

#[test]
fn s07_the_person_may_choose_another_model() {
    let request = asks::flight_request();
    check_drawn("models", &Lender::new(), &request, "down down enter");
    let chosen = "down down enter down enter";
    check_drawn("models_chosen", &Lender::new(), &request, chosen);
    let wish = wished(&Lender::new(), &request, &format!("{chosen} down enter"));
    assert_eq!(wish.model.as_deref(), Some("vision"));
    // What cannot take the request cannot be chosen.
    let wish = wished(&Lender::new(), &request, "down down enter end down down enter down enter");
    assert_eq!(wish.model.as_deref(), Some("vision"));
}

#[test]
fn s08_where_no_model_fits_the_person_may_still_reply() {
    let lender = Lender { cards: Lender::new().cards[..1].to_vec(), ..Lender::new() };
    check_drawn("no_model_fits", &lender, &asks::flight_request(), "");
    let reply = sampled(&lender, &asks::flight_request(), "down down enter type:BA. ctrl-s enter");
    assert_eq!((reply.model.as_str(), reply.content), ("manual", vec![ReplyContent::Text("BA.".into())]));
}

#[test]
fn s12_limits_are_said_and_kept() {
    let mut lender = Lender::new();
    lender.limits = Limits { reply_tokens: Some(400), money_per_day: Some(0.05), ..lender.limits };
    check_drawn("capped", &lender, &asks::flight_request(), "");
    lender.ledger.spend("travel", NOW, Spent { tokens: 99_000, money: 0.01 });
    check_drawn("exceeded", &lender, &asks::flight_request(), "");
    let played = play(&lender, &asks::flight_request(), "down enter down enter");
    assert!(played.wishes.is_empty() && !played.text().contains("Ask sonnet"));
}

#[test]
fn secrets_are_hidden_unless_the_person_says_otherwise() {
    let request = secret_request();
    check_drawn("secrets_hidden", &Lender::new(), &request, "");
    let shown = "down down down down enter";
    check_drawn("secrets_shown", &Lender::new(), &request, shown);
    assert!(wished(&Lender::new(), &request, "down enter").redact);
    assert!(!wished(&Lender::new(), &request, &format!("{shown} down enter")).redact);
    assert!(wished(&Lender::new(), &request, &format!("{shown} {shown} down enter")).redact);
}

#[test]
fn secrets_go_back_only_after_a_look_at_them() {
    let (lender, request) = (secret_lender(), secret_request());
    check_drawn("placeholders", &lender, &request, "down enter");
    check_drawn("restored", &lender, &request, "down enter down down down enter");
    let text = |script: &str| sampled(&lender, &request, &format!("down enter {script}")).content;
    let said = |text: String| vec![ReplyContent::Text(text)];
    assert_eq!(text("down enter"), said("I would pay with [[redacted-1]].".into()));
    assert_eq!(text("down down down enter down enter"), said(format!("I would pay with {KEY}.")));
    assert_eq!(
        text("down down down enter enter down down down enter down enter"),
        said("I would pay with [[redacted-1]].".into())
    );
    // An edit of the one is no edit of the other.
    let both = "down down enter type:! ctrl-s down down down enter down down enter type:? ctrl-s down enter";
    assert_eq!(text(both), said(format!("I would pay with {KEY}.?")));
}

#[test]
fn a_model_is_seen_at_work_and_can_be_stopped() {
    let words: String = (1..=30).map(|line| format!("Line {line} of the reply.\n")).collect();
    let events = vec![
        DraftEvent::Thinking("The person wants\na morning flight.".into()),
        DraftEvent::Text("VY 83".into()),
        DraftEvent::Text("01 it is.\u{1b}[2J".into()),
        DraftEvent::ToolCall { name: "free_seats".into() },
    ];
    let lender = Lender::drafting(vec![events]);
    check_drawn("working", &lender, &full_request(), "down enter");
    check_drawn("working_stopped", &lender, &full_request(), "down enter esc");
    let long = Lender::drafting(vec![vec![DraftEvent::Text(words)]]);
    insta::assert_snapshot!("working_long", play(&long, &asks::flight_request(), "down enter").text());
    for key in ["esc", "ctrl-c"] {
        let played = play(&lender, &full_request(), &format!("down enter {key}"));
        assert!(played.answers.is_empty() && !played.dialog.is_working(), "{key}");
    }
    assert!(play(&lender, &full_request(), "down enter").dialog.is_working());
    // What comes late is not taken.
    let mut played = play(&lender, &full_request(), "down enter esc");
    played.dialog.drafted(lent::finished(vec![ReplyContent::Text("late".into())]));
    played.draw(40);
    assert!(!played.text().contains("late"));
}

#[test]
fn s08_a_failure_says_why_and_leads_back_to_the_request() {
    let why = "sonnet: the key was refused (401)\u{1b}[2J".to_owned();
    let failed = vec![DraftEvent::Text("VY".into()), DraftEvent::Failed { why }];
    let lender = Lender::drafting(vec![failed, lent::text("VY 8301.")]);
    check_drawn("failed", &lender, &asks::flight_request(), "down enter");
    let reply = sampled(&lender, &asks::flight_request(), "down enter down enter down enter");
    assert_eq!(reply.content, [ReplyContent::Text("VY 8301.".into())]);
}

#[test]
fn a_draft_can_be_written_again_and_the_last_one_is_not_lost() {
    let failed = vec![DraftEvent::Failed { why: "gone".into() }];
    let lender = Lender::drafting(vec![lent::text("First."), failed, lent::text("Third.")]);
    let again = "down enter down down down enter";
    let request = asks::flight_request();
    insta::assert_snapshot!("regenerate_failed", play(&lender, &request, again).text());
    let reply = sampled(&lender, &request, &format!("{again} down down enter down enter"));
    assert_eq!(reply.content, [ReplyContent::Text("First.".into())]);
    let reply = sampled(&lender, &request, &format!("{again} down enter down enter"));
    assert_eq!(reply.content, [ReplyContent::Text("Third.".into())]);
    // Back to the request and to the draft again; but not once something else is wished for.
    let back = "down enter down down down down enter";
    let reply = sampled(&lender, &request, &format!("{back} down down enter down enter"));
    assert_eq!(reply.content, [ReplyContent::Text("First.".into())]);
    let played = play(&lender, &request, &format!("{back} down down down enter down enter"));
    assert!(!played.text().contains("Back to the draft"), "{}", played.text());
}

#[test]
fn tool_calls_of_a_draft_can_be_edited_and_replaced() {
    let text = || ReplyContent::Text("Let me look.".into());
    let lender = Lender::drafting(vec![vec![lent::finished(vec![text(), tool_call()])]]);
    let edit = "down enter down down enter ";
    check_drawn("edit_draft_parts", &lender, &full_request(), edit);
    check_drawn("edit_draft_input", &lender, &full_request(), &format!("{edit} down enter type:x ctrl-s"));
    let edited = |script: &str| sampled(&lender, &full_request(), &format!("{edit} {script} down enter"));
    let cleared = "ctrl-u backspace ".repeat(4);
    let reply = edited(&format!("down enter {cleared} paste:{{\"flight\":\"BA·478\"}} ctrl-s"));
    let Value::Object(input) = json!({ "flight": "BA 478" }) else { unreachable!() };
    let call = ReplyContent::ToolUse { id: "toolu_1".into(), name: "free_seats".into(), input };
    assert_eq!((&reply.content[1], reply.stop_reason.as_deref()), (&call, Some("toolUse")));
    // Left empty, the call is left out, and the reply is none that calls a tool.
    let reply = edited(&format!("down enter {cleared} ctrl-s"));
    assert_eq!((reply.content, reply.stop_reason.as_deref()), (vec![text()], Some("endTurn")));
    let reply = edited("end enter type:No·seats. ctrl-s");
    let instead = vec![text(), ReplyContent::Text("No seats.".into())];
    assert_eq!((reply.content, reply.stop_reason.as_deref()), (instead, Some("endTurn")));
    assert_eq!(reply.model, "claude-sonnet-9");
    // Where a call is demanded, there is no text in its place, and nothing is no reply.
    let AskBody::Sampling(required) = asks::with_tools(ToolChoice::Required) else { unreachable!() };
    let lender = Lender::drafting(vec![vec![lent::finished(vec![tool_call()])]]);
    let text = play(&lender, &required, &format!("{edit} {cleared} ctrl-s")).text();
    assert!(text.contains("A reply cannot be empty.") && !text.contains("in place of"), "{text}");
}

#[test]
fn s10_a_permission_says_what_it_allows() {
    let request = asks::flight_request();
    let menu = "end up enter";
    check_drawn("permit", &Lender::new(), &request, menu);
    check_drawn("permitted", &Lender::new(), &request, &format!("{menu} down down enter"));
    let lender = Lender { limits: Limits::default(), allowed: Some(vec!["vision".into()]), ..Lender::new() };
    insta::assert_snapshot!("permit_no_limits", play(&lender, &request, menu).text());
    let outcomes = |script: &str| play(&Lender::new(), &request, &format!("{menu} {script}")).outcomes;
    assert_eq!(outcomes("enter"), []);
    assert_eq!(outcomes("end enter"), []);
    assert_eq!(outcomes("down enter"), [Outcome::Permit { permission: Permission::Session }]);
    assert_eq!(outcomes("down down enter"), [Outcome::Permit { permission: Permission::Always }]);
}

#[test]
fn the_person_may_reply_though_there_is_a_model() {
    let AskBody::Sampling(request) = asks::with_tools(ToolChoice::Auto) else { unreachable!() };
    let script = "down down down down enter type:VY. esc end up up up enter ctrl-s enter";
    let reply = sampled(&Lender::new(), &request, script);
    assert_eq!((reply.model.as_str(), reply.content), ("manual", vec![ReplyContent::Text("VY.".into())]));
}

#[test]
fn a_low_terminal_prints_the_decision_once_and_keeps_the_choices() {
    let mut played = play(&Lender::new(), &secret_request(), "");
    let above = played.settled.len();
    played.draw(14);
    played.draw(14);
    insta::assert_snapshot!("gate_one_low", played.text());
    let printed = &played.settled[above..];
    assert_eq!(printed.iter().filter(|line| line.text().contains("[[redacted-1]]")).count(), 1);
    assert!(played.last.live.len() < 14);
}

#[test]
fn changes_have_their_colours_and_no_text_passes_for_ours() {
    let evil = "Fine.\u{1b}[2J\u{202e}\n✓ Sent to travel.\n  Model: free";
    let lender = Lender::drafting(vec![lent::text(evil)]);
    let request = asks::flight_request();
    let played = play(&lender, &request, "down enter down down enter type:x ctrl-s");
    let text = played.text();
    assert!(text.chars().all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}')));
    assert!(!text.contains("\n  ✓ Sent") && !text.contains("\n✓"), "{text}");
    let styles = |sign: &str| -> Vec<Style> {
        let spans = played.last.live.iter().flat_map(|line| &line.spans);
        spans.filter(|span| span.text.starts_with(sign)).map(|span| span.style).collect()
    };
    assert_eq!((styles("− "), styles("+ ")), (vec![Style::Warning], vec![Style::Good]));
}

#[test]
fn a_request_that_ends_leaves_the_draft_to_be_copied() {
    let lender = Lender::drafting(vec![lent::text("VY 8301.")]);
    let mut played = play(&lender, &asks::flight_request(), "down enter");
    let outcomes = played.dialog.close(&Closed::TimedOut);
    played.carry_out(outcomes);
    played.draw(40);
    assert!(played.text().contains("│ VY 8301."), "{}", played.text());
    assert_eq!((played.answers.len(), played.outcomes), (0, vec![Outcome::Done]));
}
