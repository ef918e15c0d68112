//! Tables of sampling parameters, and what is read from them.

use serde_json::{Value, json};

use crate::ask::{AskProblem, AuthorNote};
use crate::sampling::{Content, Media, Role, SamplingRequest, ToolChoice};

fn with(changes: Value) -> Value {
    let mut params = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "A"}}], "maxTokens": 50});
    for (key, value) in changes.as_object().expect("an object") {
        params[key] = value.clone();
    }
    params
}

fn read(params: &Value) -> SamplingRequest {
    SamplingRequest::read(params).expect("a request").0
}

/// Parameters that are refused, and where and with what words.
#[track_caller]
fn check_refused(params: &Value, at: &str, word: &str) {
    match SamplingRequest::read(params) {
        Err(AskProblem::Invalid { path, what }) => {
            assert_eq!(path, at, "{what}");
            assert!(what.contains(word), "{what:?} has not {word:?}");
        }
        other => panic!("{params} was read as {other:?}"),
    }
}

fn text(text: &str) -> Content {
    Content::Text(text.into())
}

#[test]
fn s01_content_is_a_block_or_a_list_of_blocks() {
    let request = read(&json!({
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]},
            {"role": "assistant", "content": {"type": "text", "text": "C"}},
            {"role": "user", "content": {"type": "text", "text": "D"}}
        ],
        "maxTokens": 50
    }));
    let said: Vec<_> = request.messages.iter().map(|message| (message.role, message.content.clone())).collect();
    assert_eq!(
        said,
        [(Role::User, vec![text("A"), text("B")]), (Role::Assistant, vec![text("C")]), (Role::User, vec![text("D")])]
    );
    assert_eq!(request.max_tokens, 50);
}

#[test]
fn s01_images_and_sound_are_kept_with_their_size() {
    for (data, size) in [("", 0), ("AA==", 1), ("AAA=", 2), ("AAAA", 3), ("AAA", 2), ("AAAA\nAAAA\n", 6)] {
        for kind in ["image", "audio"] {
            let block = json!({"type": kind, "data": data, "mimeType": "x/y"});
            let request = read(&with(json!({"messages": [{"role": "user", "content": block}]})));
            let media = Media { mime_type: "x/y".into(), data: data.into() };
            assert_eq!(media.size(), size);
            let expected = if kind == "image" { Content::Image(media) } else { Content::Audio(media) };
            assert_eq!(request.messages[0].content, [expected]);
        }
    }
}

#[test]
fn bare_strings_are_an_old_dialect() {
    let messages = json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]);
    let (request, notes) = SamplingRequest::read(&with(json!({"messages": messages}))).expect("a request");
    assert_eq!(request.messages[0].content, [text("Hi")]);
    assert!(matches!(&notes[..], [AuthorNote::OldDialect { .. }]), "{notes:?}");
}

#[test]
fn s06_tool_choice_modes() {
    for (choice, mode) in [
        (json!(null), ToolChoice::Auto),
        (json!({}), ToolChoice::Auto),
        (json!({"mode": "auto"}), ToolChoice::Auto),
        (json!({"mode": "required"}), ToolChoice::Required),
        (json!({"mode": "none"}), ToolChoice::None),
    ] {
        assert_eq!(read(&with(json!({"toolChoice": choice}))).tool_choice, mode);
    }
    check_refused(&with(json!({"toolChoice": {"mode": "any"}})), "params.toolChoice.mode", "\"any\"");
    check_refused(&with(json!({"toolChoice": {"mode": 1}})), "params.toolChoice.mode", "string");
    check_refused(&with(json!({"toolChoice": "auto"})), "params.toolChoice", "object");
}

#[test]
fn s07_hints_and_priorities_are_only_advice() {
    let preferences = json!({
        "hints": [{}, {"name": "nope"}, {"name": ""}, {"name": 7}, {"name": "HAIKU"}],
        "costPriority": 7, "speedPriority": -1, "intelligencePriority": "high"
    });
    let request = read(&with(json!({"modelPreferences": preferences})));
    assert_eq!(request.model_hints, ["nope", "HAIKU"]);
    assert_eq!(request.cost_priority, Some(1.0));
    assert_eq!(request.speed_priority, Some(0.0));
    assert_eq!(request.intelligence_priority, None);
    assert_eq!(read(&with(json!({"modelPreferences": {"hints": [{}]}}))).model_hints, [""; 0]);
    assert_eq!(read(&with(json!({"modelPreferences": []}))).model_hints, [""; 0]);
}

#[test]
fn s11_roles_may_repeat_and_begin_anyhow() {
    let message = |role: &str| json!({"role": role, "content": {"type": "text", "text": role}});
    let roles = ["assistant", "user", "user", "assistant", "assistant", "user"];
    let messages: Vec<Value> = roles.iter().map(|role| message(role)).collect();
    let request = read(&with(json!({"messages": messages})));
    assert_eq!(request.messages.iter().map(|message| message.role.as_str()).collect::<Vec<_>>(), roles);
    check_refused(&with(json!({"messages": [message("system")]})), "params.messages[0].role", "\"system\"");
    check_refused(&with(json!({"messages": [{"content": "x"}]})), "params.messages[0].role", "missing");
}

#[test]
fn s12_max_tokens() {
    for (sent, read_as) in
        [(json!(1000.0), 1000), (json!(1), 1), (json!(1e12), 1_000_000_000_000), (json!(1e30), u64::MAX)]
    {
        assert_eq!(read(&with(json!({"maxTokens": sent}))).max_tokens, read_as);
    }
    for (sent, word) in [
        (json!(null), "missing"),
        (json!(0), "greater"),
        (json!(-5), "greater"),
        (json!(-0.5), "greater"),
        (json!(10.5), "whole"),
        (json!("100"), "number"),
        (json!([1]), "number"),
    ] {
        check_refused(&with(json!({"maxTokens": sent})), "params.maxTokens", word);
    }
    let mut absent = with(json!({}));
    absent.as_object_mut().expect("an object").remove("maxTokens");
    check_refused(&absent, "params.maxTokens", "missing");
}

#[test]
fn s13_empty_content() {
    check_refused(&with(json!({"messages": []})), "params.messages", "empty");
    check_refused(&with(json!({"messages": null})), "params.messages", "list");
    check_refused(&with(json!({"messages": [{"role": "user", "content": []}]})), "params.messages[0].content", "empty");
    check_refused(&with(json!({"messages": [{"role": "user"}]})), "params.messages[0].content", "missing");
    check_refused(&json!({"maxTokens": 1}), "params.messages", "missing");
    check_refused(&json!([]), "params", "object");
}

#[test]
fn s14_parameters_for_the_model() {
    let request = read(&with(json!({
        "temperature": 0.7, "stopSequences": ["END"], "metadata": {"x": 1}, "includeContext": "allServers", "systemPrompt": "Be brief."
    })));
    assert_eq!(request.temperature, Some(0.7));
    assert_eq!(request.stop_sequences, ["END"]);
    assert_eq!(request.metadata, Some(json!({"x": 1})));
    assert_eq!(request.include_context.as_deref(), Some("allServers"));
    assert_eq!(request.system_prompt.as_deref(), Some("Be brief."));
    assert_eq!(read(&with(json!({"includeContext": "none", "systemPrompt": null}))).include_context, None);
    check_refused(&with(json!({"systemPrompt": 1})), "params.systemPrompt", "string");
    check_refused(&with(json!({"stopSequences": [1]})), "params.stopSequences", "strings");
    check_refused(&with(json!({"temperature": "hot"})), "params.temperature", "number");
}

#[test]
fn unknown_content_is_named() {
    let content = |block: Value| with(json!({"messages": [{"role": "user", "content": [block]}]}));
    let path = "params.messages[0].content[0]";
    check_refused(&content(json!({"type": "video"})), &format!("{path}.type"), "\"video\"");
    check_refused(&content(json!({"text": "x"})), &format!("{path}.type"), "missing");
    check_refused(&content(json!({"type": "text"})), &format!("{path}.text"), "missing");
    check_refused(&content(json!({"type": "image", "data": "AA=="})), &format!("{path}.mimeType"), "missing");
    check_refused(&content(json!("x")), path, "block");
}

#[test]
fn tools_are_read() {
    let request = read(&with(json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}, "title": "T"}]})));
    assert_eq!(request.tools[0].name, "t");
    check_refused(&with(json!({"tools": [{"name": "t"}]})), "params.tools[0].inputSchema", "missing");
    check_refused(&with(json!({"tools": [{"inputSchema": {}}]})), "params.tools[0].name", "missing");
    let twice = json!([{"name": "t", "inputSchema": {}}, {"name": "t", "inputSchema": {}}]);
    check_refused(&with(json!({"tools": twice})), "params.tools[1].name", "before");
}

#[test]
fn tool_uses_and_results_balance() {
    let used = |ids: &[&str]| {
        let blocks: Vec<Value> =
            ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "t", "input": {}})).collect();
        json!({"role": "assistant", "content": blocks})
    };
    let result = |id: &str| json!({"type": "tool_result", "toolUseId": id, "content": [{"type": "text", "text": "r"}]});
    let user = |blocks: Vec<Value>| json!({"role": "user", "content": blocks});
    let words = || json!({"type": "text", "text": "w"});
    let messages = |messages: Vec<Value>| with(json!({"messages": messages}));
    let balanced = [
        vec![used(&["a", "b"]), user(vec![result("b"), result("a")]), user(vec![words()])],
        vec![used(&["a"]), user(vec![result("a")]), used(&["a"]), user(vec![result("a")])],
        vec![user(vec![words()]), used(&["a"]), json!({"role": "user", "content": result("a")})],
    ];
    for case in balanced {
        read(&messages(case));
    }
    let at = |index: usize| format!("params.messages[{index}]");
    check_refused(&messages(vec![used(&["a", "b"]), user(vec![result("a")])]), &at(1), "\"b\"");
    check_refused(&messages(vec![used(&["a"]), user(vec![words(), result("a")])]), &at(1), "mixes");
    check_refused(&messages(vec![used(&["a"]), user(vec![words()])]), &at(1), "\"a\"");
    check_refused(&messages(vec![used(&["a"]), used(&["b"])]), &at(1), "\"a\"");
    check_refused(&messages(vec![used(&["a"])]), "params.messages", "\"a\"");
    check_refused(&messages(vec![user(vec![result("a")])]), &at(0), "\"a\"");
    check_refused(&messages(vec![used(&["a"]), user(vec![result("a"), result("a")])]), &at(1), "\"a\"");
    check_refused(&messages(vec![used(&["a", "a"])]), &at(0), "twice");
    check_refused(&messages(vec![json!({"role": "assistant", "content": result("a")})]), &at(0), "user messages");
    let by_user = json!({"role": "user", "content": {"type": "tool_use", "id": "a", "name": "t", "input": {}}});
    check_refused(&messages(vec![by_user]), &at(0), "assistant messages");
}
