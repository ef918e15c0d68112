use serde_json::json;

use super::*;
use askback_desk::chat::{ConsentBy, EffectClaim};

use crate::chat::ChatTool;

/// A chat, and what has been written down.
struct Talk {
    chat: Chat,
    entries: Vec<Entry>,
    requests: Vec<SamplingRequest>,
}

fn listed(server: &str, name: &str, annotations: Value) -> ChatTool {
    let listed = json!({"name": name, "annotations": annotations, "description": "Does a thing"});
    ChatTool::read(&ServerName::new(server), &listed).expect("a tool")
}

fn talk(change: impl FnOnce(&mut ChatSettings)) -> Talk {
    let mut settings = ChatSettings::new("2026-01-05", None, true);
    change(&mut settings);
    let tools = [
        listed("travel", "find", json!({"readOnlyHint": true})),
        listed("travel", "book", json!({})),
        listed("files", "wipe", json!({"destructiveHint": true})),
    ];
    let chat = Chat::new(settings, Toolbox::new(tools), &[]);
    Talk { chat, entries: Vec::new(), requests: Vec::new() }
}

impl Talk {
    /// Tells one input; gives what is to be done, one word each.
    fn tell(&mut self, input: Input) -> Vec<String> {
        let mut done = Vec::new();
        for effect in self.chat.handle(input) {
            match effect {
                Effect::Record(entry) => self.entries.push(entry),
                Effect::Complete(request) => {
                    self.requests.push(*request);
                    done.push("complete".to_owned());
                }
                Effect::AskConsent(call) => {
                    let again = if call.remembered { " again" } else { "" };
                    done.push(format!("ask {} {}{again}", call.id, call.tool));
                }
                Effect::Call(call) => {
                    done.push(format!("call {} {} {}", call.id, call.tool, Value::Object(call.arguments)));
                }
                Effect::End(end) => done.push(format!("{end:?}")),
            }
        }
        done
    }

    #[track_caller]
    fn check(&mut self, input: Input, expected: &[&str]) {
        assert_eq!(self.tell(input), expected);
        self.check_balance();
    }

    /// What a model is asked with is always balanced: each tool use has its result in the very next message.
    #[track_caller]
    fn check_balance(&self) {
        let Some(request) = self.requests.last() else { return };
        for (at, message) in request.messages.iter().enumerate() {
            assert!(!message.content.is_empty());
            let used: Vec<&String> = message
                .content
                .iter()
                .filter_map(|content| match content {
                    Content::ToolUse { id, .. } => Some(id),
                    _ => None,
                })
                .collect();
            let next = request.messages.get(at + 1).map_or(&[][..], |next| &next.content);
            let results: Vec<&String> = next
                .iter()
                .filter_map(|content| match content {
                    Content::ToolResult { tool_use_id, .. } => Some(tool_use_id),
                    _ => None,
                })
                .collect();
            assert_eq!(used, results);
        }
    }

    /// The tools of which the model was told last.
    fn offered(&self) -> Vec<&str> {
        self.requests.last().map_or(&[][..], |request| &request.tools).iter().map(|tool| tool.name.as_str()).collect()
    }

    /// What the model was told as the result of a tool use.
    #[track_caller]
    fn told(&self, wanted: &str) -> (&str, bool) {
        let found = self.entries.iter().find_map(|entry| match entry {
            Entry::Answered { id, text, is_error, .. } if id == wanted => Some((text.as_str(), *is_error)),
            _ => None,
        });
        found.expect("it has a result")
    }
}

fn said(text: &str) -> Input {
    Input::Said(text.to_owned())
}

fn reply(content: Vec<ReplyContent>) -> Input {
    Input::Replied(SamplingReply { content, model: "m".to_owned(), stop_reason: None })
}

fn words(text: &str) -> Input {
    reply(vec![ReplyContent::Text(text.to_owned())])
}

fn uses(calls: &[(&str, &str, Value)]) -> Input {
    let one = |(id, name, input): &(&str, &str, Value)| ReplyContent::ToolUse {
        id: (*id).to_owned(),
        name: (*name).to_owned(),
        input: input.as_object().cloned().unwrap_or_default(),
    };
    reply(calls.iter().map(one).collect())
}

fn allowed(id: &str, arguments: Value, remember: bool) -> Input {
    Input::Allowed {
        id: id.to_owned(),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        by: ConsentBy::Person,
        remember,
    }
}

fn returned(id: &str, text: &str) -> Input {
    Input::Returned { id: id.to_owned(), result: json!({"content": [{"type": "text", "text": text}]}) }
}

const FINISHED: &str = r#"Finished { text: "Done.", cut: false }"#;

#[test]
fn a_turn_without_tools() {
    let mut talk = talk(|_| {});
    talk.check(said("Hello"), &["complete"]);
    talk.check(words("Done."), &[FINISHED]);
    let request = &talk.requests[0];
    let names: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["travel__find", "travel__book", "files__wipe"]);
    assert!(request.system_prompt.as_deref().is_some_and(|prompt| prompt.contains("Today is 2026-01-05.")));
}

#[test]
fn several_calls_go_one_after_the_other() {
    let mut talk = talk(|_| {});
    talk.check(said("Book"), &["complete"]);
    talk.check(uses(&[("1", "travel__find", json!({"to": "BCN"})), ("2", "travel__book", json!({}))]), &["ask 1 find"]);
    talk.check(allowed("1", json!({"to": "BCN"}), false), &[r#"call 1 find {"to":"BCN"}"#]);
    talk.check(returned("1", "IB123"), &["ask 2 book"]);
    talk.check(allowed("2", json!({}), false), &["call 2 book {}"]);
    talk.check(Input::Failed { id: "2".into(), message: "gone".into() }, &["complete"]);
    assert_eq!(talk.told("1"), ("IB123", false));
    assert_eq!(talk.told("2"), ("The call failed: gone", true));
    talk.check(words("Done."), &[FINISHED]);
}

#[test]
fn a_consent_is_not_remembered_for_a_tool_that_may_destroy() {
    for (tool, name, then) in [
        ("travel__find", "find", "ask 2 find again"),
        ("travel__book", "book", "ask 2 book again"),
        ("files__wipe", "wipe", "ask 2 wipe"),
    ] {
        let mut talk = talk(|_| {});
        talk.check(said("x"), &["complete"]);
        talk.check(uses(&[("1", tool, json!({}))]), &[&format!("ask 1 {name}")]);
        talk.check(allowed("1", json!({}), true), &[&format!("call 1 {name} {{}}")]);
        talk.check(returned("1", "ok"), &["complete"]);
        talk.check(uses(&[("2", tool, json!({}))]), &[then]);
    }
}

#[test]
fn a_declined_call_is_told_with_its_reason() {
    for (reason, expected) in [
        (Some("Too dear."), "The person declined this call, and says: Too dear."),
        (None, "The person declined this call."),
    ] {
        let mut talk = talk(|_| {});
        talk.check(said("x"), &["complete"]);
        talk.check(uses(&[("1", "travel__book", json!({}))]), &["ask 1 book"]);
        talk.check(
            Input::Declined { id: "1".into(), reason: reason.map(str::to_owned), by: ConsentBy::Person },
            &["complete"],
        );
        assert_eq!(talk.told("1"), (expected, true));
    }
}

#[test]
fn edited_arguments_go_out_and_the_model_knows() {
    let mut talk = talk(|_| {});
    talk.check(said("x"), &["complete"]);
    talk.check(uses(&[("1", "travel__book", json!({"seats": 9}))]), &["ask 1 book"]);
    talk.check(allowed("1", json!({"seats": 1}), false), &[r#"call 1 book {"seats":1}"#]);
    talk.check(returned("1", "ok"), &["complete"]);
    let expected = "[The person changed the arguments of this call to {\"seats\":1}]\n\nok";
    assert_eq!(talk.told("1"), (expected, false));
}

#[test]
fn rounds_of_tools_are_capped_and_the_next_turn_may_go_on() {
    let mut talk = talk(|settings| settings.rounds = 2);
    talk.check(said("x"), &["complete"]);
    for round in ["1", "2"] {
        talk.check(uses(&[(round, "travel__book", json!({}))]), &[&format!("ask {round} book")]);
        talk.check(allowed(round, json!({}), false), &[&format!("call {round} book {{}}")]);
        talk.check(returned(round, "ok"), &["complete"]);
    }
    talk.check(uses(&[("3", "travel__book", json!({}))]), &["Capped { rounds: 2 }"]);
    assert!(talk.told("3").0.starts_with("Not called"));
    talk.check(said("Go on"), &["complete"]);
    talk.check(uses(&[("4", "travel__book", json!({}))]), &["ask 4 book"]);
}

#[test]
fn a_turn_can_be_stopped_anywhere_and_the_chat_goes_on() {
    let both = || uses(&[("1", "travel__book", json!({})), ("2", "travel__find", json!({}))]);
    let cases: [(&str, Vec<Input>, Option<&str>); 3] = [
        ("the model", vec![], None),
        ("a question", vec![both()], Some("The person stopped here. It was not called.")),
        (
            "a call",
            vec![both(), allowed("1", json!({}), false)],
            Some("The person stopped the call. The tool may have acted all the same."),
        ),
    ];
    for (what, before, told) in cases {
        let mut talk = talk(|_| {});
        talk.tell(said("x"));
        for input in before {
            talk.tell(input);
        }
        assert_eq!(talk.tell(Input::Stopped), ["Stopped"], "{what}");
        if let Some(told) = told {
            assert_eq!(talk.told("1"), (told, true), "{what}");
            assert_eq!(talk.told("2"), ("The person stopped before this was called.", true), "{what}");
        }
        // What comes late is of no effect.
        assert!(talk.tell(words("late")).is_empty(), "{what}");
        assert!(talk.tell(returned("1", "late")).is_empty(), "{what}");
        talk.check(said("Again"), &["complete"]);
        talk.check(words("Done."), &[FINISHED]);
    }
}

#[test]
fn what_does_not_belong_here_changes_nothing() {
    let mut talk = talk(|_| {});
    assert!(talk.tell(Input::Stopped).is_empty());
    assert!(talk.tell(words("x")).is_empty());
    talk.check(said("x"), &["complete"]);
    assert!(talk.tell(said("y")).is_empty());
    talk.check(uses(&[("1", "travel__book", json!({}))]), &["ask 1 book"]);
    for input in [allowed("2", json!({}), false), returned("1", "x"), said("y"), words("y")] {
        assert!(talk.tell(input).is_empty());
    }
    talk.check(allowed("1", json!({}), false), &["call 1 book {}"]);
}

#[test]
fn an_unknown_tool_is_no_reason_to_stop() {
    let mut talk = talk(|_| {});
    talk.check(said("x"), &["complete"]);
    talk.check(
        uses(&[("1", "travel__fly", json!({})), ("2", "call_tool", json!({"name": "travel__book"}))]),
        &["complete"],
    );
    assert_eq!(talk.told("1"), ("There is no tool \"travel__fly\".", true));
    assert_eq!(talk.told("2"), ("There is no tool \"call_tool\".", true));
}

#[test]
fn a_result_that_is_too_large_is_cut() {
    let mut talk = talk(|settings| settings.result_bytes = 10);
    talk.check(said("x"), &["complete"]);
    talk.check(uses(&[("1", "travel__book", json!({}))]), &["ask 1 book"]);
    talk.check(allowed("1", json!({}), false), &["call 1 book {}"]);
    talk.check(returned("1", &"x".repeat(1_000)), &["complete"]);
    assert!(talk.told("1").0.starts_with("xxxxxxxxxx\n[Askback cut the result here: 990 of its 1000 bytes"));
    assert!(matches!(talk.entries.last(), Some(Entry::Answered { left_out: 990, .. })));
}

#[test]
fn a_model_that_fails_or_says_nothing_ends_the_turn() {
    let mut talk = talk(|_| {});
    talk.check(said("x"), &["complete"]);
    talk.check(Input::ModelFailed, &["ModelFailed"]);
    talk.check(said("x"), &["complete"]);
    talk.check(words(""), &[r#"Finished { text: "", cut: false }"#]);
    talk.check(said("x"), &["complete"]);
    let content = vec![ReplyContent::Text("Half".to_owned())];
    let cut = SamplingReply { content, model: "m".to_owned(), stop_reason: Some("maxTokens".to_owned()) };
    talk.check(Input::Replied(cut), &[r#"Finished { text: "Half", cut: true }"#]);
}

#[test]
fn a_model_that_takes_no_tools_is_told_of_none() {
    let mut talk = talk(|settings| settings.takes_tools = false);
    talk.check(said("x"), &["complete"]);
    assert!(talk.requests[0].tools.is_empty());
}

#[test]
fn many_tools_are_found_described_and_called() {
    let mut talk = talk(|settings| settings.context = Some(100));
    assert!(talk.chat.discovers());
    talk.check(said("x"), &["complete"]);
    assert_eq!(talk.offered(), ["find_tools", "describe_tool"]);
    assert!(talk.requests[0].system_prompt.as_deref().is_some_and(|prompt| prompt.contains("\ntravel__book\n")));
    talk.check(
        uses(&[
            ("1", "find_tools", json!({"query": "book"})),
            ("2", "describe_tool", json!({"name": "travel__book"})),
            ("3", "describe_tool", json!({"name": "nothing"})),
        ]),
        &["complete"],
    );
    assert!(talk.told("1").0.contains("travel__book"));
    assert!(talk.told("2").0.contains("inputSchema"));
    assert!(talk.told("3").1);
    assert_eq!(talk.offered(), ["find_tools", "describe_tool", "travel__book"]);
    talk.check(uses(&[("5", "travel__book", json!({"a": 1}))]), &["ask 5 book"]);
    talk.check(allowed("5", json!({"a": 1}), false), &[r#"call 5 book {"a":1}"#]);
    // A call of one whose definition was not read is as good.
    talk.check(returned("5", "ok"), &["complete"]);
    talk.check(uses(&[("6", "travel__find", json!({}))]), &["ask 6 find"]);
}

#[test]
fn the_question_says_how_careful_to_be() {
    let mut talk = talk(|_| {});
    talk.tell(said("x"));
    let effects = talk.chat.handle(uses(&[("1", "files__wipe", json!({}))]));
    let asked = effects.into_iter().find_map(|effect| match effect {
        Effect::AskConsent(call) => Some(call.claim),
        _ => None,
    });
    assert_eq!(asked, Some(EffectClaim::Destroys));
}
