//! What is written for the editor, and what is read back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::sampling::Role;

fn read(params: Value) -> SamplingRequest {
    SamplingRequest::read(&params).unwrap().0
}

fn asked() -> SamplingRequest {
    read(json!({
        "systemPrompt": "Be brief.",
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Which flight?\nA or B"},
                {"type": "image", "mimeType": "image/png", "data": "AA=="}
            ]},
            {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "search", "input": {"a": 1}}},
            {"role": "user", "content": {"type": "tool_result", "toolUseId": "1", "content": []}}
        ],
        "tools": [{"name": "search", "inputSchema": {}}, {"name": "book", "inputSchema": {}}],
        "toolChoice": {"mode": "required"}, "maxTokens": 500, "temperature": 0.7, "stopSequences": ["END", "a\nb"]
    }))
}

const WRITTEN: &str = r#"# Look.
max-tokens: 500
temperature: 0.7
stop: "END"
stop: "a\nb"
tool: "search"
tool: "book"

=== system
Be brief.

=== 1.1 user text
Which flight?
A or B

=== 1.2 user image image/png


=== 2.1 assistant tool call "search"
{"a":1}

=== 3.1 user tool result
[]

"#;

#[test]
fn the_request_as_people_see_it() {
    assert_eq!(asked().to_edit(&["Look."]), WRITTEN);
    assert_eq!(asked().from_edit(WRITTEN), Ok(asked()));
    assert_eq!(asked().from_edit(WRITTEN.trim_end()), Ok(asked()));
}

/// The request after this piece of the text was replaced.
fn edit(from: &str, to: &str) -> Result<SamplingRequest, EditError> {
    assert!(WRITTEN.contains(from), "{from:?}");
    asked().from_edit(&WRITTEN.replace(from, to))
}

#[test]
fn what_is_a_persons_to_change() {
    let check = |from: &str, to: &str, change: fn(&mut SamplingRequest)| {
        let mut expected = asked();
        change(&mut expected);
        assert_eq!(edit(from, to), Ok(expected), "{to:?}");
    };
    check("Be brief.", "Be long.\n\nVery.", |request| request.system_prompt = Some("Be long.\n\nVery.".into()));
    check("=== system\nBe brief.\n\n", "", |request| request.system_prompt = None);
    check("Be brief.", "", |request| request.system_prompt = None);
    check("A or B", "C", |request| request.messages[0].content[0] = Content::Text("Which flight?\nC".into()));
    check("=== 1.2 user image image/png\n\n\n", "", |request| drop(request.messages[0].content.pop()));
    check("max-tokens: 500", "max-tokens: 40", |request| request.max_tokens = 40);
    check("temperature: 0.7", "temperature:", |request| request.temperature = None);
    check("temperature: 0.7", "temperature: 0", |request| request.temperature = Some(0.0));
    check("stop: \"END\"\n", "", |request| drop(request.stop_sequences.remove(0)));
    check("stop: \"END\"", "stop: \"完\"", |request| request.stop_sequences[0] = "完".into());
    check("tool: \"book\"\n", "", |request| drop(request.tools.pop()));
    check("tool: \"search\"\ntool: \"book\"\n", "", |request| {
        request.tools.clear();
        request.tool_choice = ToolChoice::Auto;
    });
}

#[test]
fn errors_name_the_line() {
    let check = |from: &str, to: &str, line: usize, problem: EditProblem| {
        assert_eq!(edit(from, to), Err(EditError { line, problem }), "{to:?}");
    };
    let most = EditProblem::MaxTokens { most: 500 };
    check("max-tokens: 500", "max-tokens: 501", 2, most.clone());
    check("max-tokens: 500", "max-tokens: many", 2, most);
    check("max-tokens: 500", "max-tokens: 5\nmax-tokens: 5", 3, EditProblem::SetTwice("max-tokens"));
    check("temperature: 0.7", "temperature: -1", 3, EditProblem::Temperature);
    check("temperature: 0.7", "colour: red", 3, EditProblem::UnknownSetting("colour".into()));
    check("stop: \"END\"", "stop: END", 4, EditProblem::Quotes("END".into()));
    check("tool: \"search\"", "tool: \"rm\"", 6, EditProblem::UnknownTool("rm".into()));
    check("=== 1.1 user text", "=== 1.1 user txt", 12, EditProblem::UnknownSection("1.1 user txt".into()));
    check("=== 1.2 user image image/png", "=== system", 16, EditProblem::SectionTwice("system".into()));
    let call = "2.1 assistant tool call \"search\"".to_owned();
    check("{\"a\":1}", "{\"a\":2}", 19, EditProblem::Fixed(call));
    check("=== 3.1 user tool result\n[]\n\n", "", 21, EditProblem::Fixed("3.1 user tool result".into()));
    let plain = read(json!({"messages": [{"role": "user", "content": "A"}], "maxTokens": 5}));
    assert_eq!(plain.from_edit("max-tokens: 5\n"), Err(EditError { line: 1, problem: EditProblem::Empty }));
}

#[test]
fn a_text_that_looks_like_a_heading_is_a_text() {
    let plain = read(json!({"messages": [{"role": "user", "content": "=== system\n==== 1.1\nx"}], "maxTokens": 5}));
    let text = plain.to_edit(&[]);
    assert!(text.contains("\n===== 1.1 user text\n=== system\n"), "{text}");
    assert_eq!(plain.from_edit(&text), Ok(plain));
}

fn any_text() -> impl Strategy<Value = String> {
    let pieces = [
        "\n",
        "\n\n",
        "=",
        "===",
        "=== system",
        "=== 1.1 user text",
        "#",
        "a",
        "\r",
        " ",
        "é",
        "stop: x",
        "\"",
        "\u{1b}[2J",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unedited_text_reads_back_as_the_same_request(
        system in proptest::option::of(any_text()),
        texts in proptest::collection::vec(proptest::collection::vec(any_text(), 1..4), 1..4),
        stops in proptest::collection::vec(any_text(), 0..3),
        mime in any_text(), tool in any_text(), comment in any_text(),
        temperature in proptest::option::of(-1e9_f64..1e9), max_tokens in 1_u64..,
    ) {
        let mut request = asked();
        request.system_prompt = system;
        for texts in texts {
            let content = texts.into_iter().map(Content::Text).collect();
            request.messages.push(SamplingMessage { role: Role::User, content });
        }
        request.messages[0].content[1] = Content::Audio(crate::sampling::Media { mime_type: mime, data: String::new() });
        request.tools[1].name = tool;
        request.stop_sequences = stops;
        request.temperature = temperature;
        request.max_tokens = max_tokens;
        prop_assert_eq!(request.from_edit(&request.to_edit(&[&comment])), Ok(request));
    }

    #[test]
    fn any_text_is_read_or_refused(text in any_text(), more in any::<String>()) {
        let _ = asked().from_edit(&format!("{text}{more}{WRITTEN}"));
        let _ = asked().from_edit(&format!("{WRITTEN}{text}{more}"));
    }
}
