//! Every message that the client writes, judged by the official JSON schema of its revision.

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::AskProblem;
use askback_core::call::{CallId, Operation};
use askback_core::engine::Continuation;
use askback_core::roots::Root;
use askback_core::sampling::{ReplyContent, SamplingReply};
use askback_wire::framing::Frame;
use askback_wire::{
    Channel, Declared, Event, Handshake, Outgoing, ProtocolChoice, RequestId, Revision, Session, incoming, to_message,
};
use serde_json::{Map, Value, json};

const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

fn client() -> Value {
    json!({ "name": "askback", "title": "Askback", "version": "0.1.0" })
}

fn schema(revision: Revision) -> Value {
    let text = match revision {
        Revision::V2024_11_05 => include_str!("schemas/schema-2024-11-05.json"),
        Revision::V2025_03_26 => include_str!("schemas/schema-2025-03-26.json"),
        Revision::V2025_06_18 => include_str!("schemas/schema-2025-06-18.json"),
        Revision::V2025_11_25 => include_str!("schemas/schema-2025-11-25.json"),
        Revision::V2026_07_28 => include_str!("schemas/schema-2026-07-28.json"),
    };
    serde_json::from_str(text).expect("the schema is JSON")
}

/// Judges a message by one definition of the revision's schema.
#[track_caller]
fn check(revision: Revision, definition: &str, message: &Value) {
    let mut schema = schema(revision);
    let place = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[place].get(definition).is_some(), "{revision} has no {definition}");
    schema["$ref"] = json!(format!("#/{place}/{definition}"));
    let validator = jsonschema::validator_for(&schema).expect("the schema compiles");
    let errors: Vec<String> = validator.iter_errors(message).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{revision} {definition}: {errors:?}\n{message:#}");
}

#[track_caller]
fn check_line(revision: Revision, definition: &str, message: &Outgoing) {
    let line = &message.line;
    check(revision, definition, &serde_json::from_str(line).expect("the client writes JSON"));
}

fn error_definition(revision: Revision) -> &'static str {
    if revision >= Revision::V2025_11_25 { "JSONRPCErrorResponse" } else { "JSONRPCError" }
}

fn result_definition(revision: Revision) -> &'static str {
    if revision >= Revision::V2025_11_25 { "JSONRPCResultResponse" } else { "JSONRPCResponse" }
}

fn operations() -> [(Operation, &'static str); 3] {
    let arguments = json!({ "to": "BCN", "": [1, 2.5, null] }).as_object().cloned().unwrap_or_default();
    let words = json!({ "to": "BCN" }).as_object().cloned().unwrap_or_default();
    [
        (Operation::Tool { name: "book".into(), arguments }, "CallToolRequest"),
        (Operation::Prompt { name: "plan".into(), arguments: words }, "GetPromptRequest"),
        (Operation::Resource { uri: "travel://flights".into() }, "ReadResourceRequest"),
    ]
}

fn reply(content: Vec<ReplyContent>) -> Answer {
    Answer::Sampled(Box::new(SamplingReply { content, model: "manual".into(), stop_reason: None }))
}

fn elicitation_answers(revision: Revision) -> Vec<Answer> {
    // No fraction here: the JSON schema is made from a TypeScript file that says `number`, and says "integer" where that does.
    let mut content = json!({ "name": "Ada", "age": 36, "ok": true });
    if revision >= Revision::V2025_11_25 {
        content["many"] = json!(["a", "b"]);
    }
    vec![
        Answer::Submitted { content: content.as_object().cloned().unwrap_or_default() },
        Answer::Submitted { content: Map::new() },
        Answer::Consented,
        Answer::Declined { reason: None },
        Answer::Declined { reason: Some("too dear".into()) },
        Answer::Cancelled,
    ]
}

fn roots_answers() -> Vec<Answer> {
    let root = |name: Option<&str>| Root::from_posix_path("/w/a b", name.map(str::to_owned)).expect("a root");
    vec![Answer::Roots(Vec::new()), Answer::Roots(vec![root(None), root(Some("Work"))])]
}

fn sampling_answers(revision: Revision) -> Vec<Answer> {
    let image = json!({ "type": "image", "mimeType": "image/png", "data": "AAAA" });
    let mut answers = vec![
        reply(vec![ReplyContent::Text("Take flight 7.".into())]),
        reply(vec![ReplyContent::Text(String::new())]),
        reply(vec![ReplyContent::Raw(image)]),
    ];
    if revision >= Revision::V2025_11_25 {
        let input = json!({ "q": 1 }).as_object().cloned().unwrap_or_default();
        let call = ReplyContent::ToolUse { id: "t1".into(), name: "search".into(), input };
        answers.push(reply(vec![call.clone()]));
        answers.push(reply(vec![ReplyContent::Text("Let me see.".into()), call.clone(), call]));
    }
    answers
}

#[test]
fn initialize_and_initialized() {
    for revision in Revision::ALL.into_iter().filter(|revision| *revision < Revision::V2026_07_28) {
        for declared in [ALL, Declared::default(), Declared { form: true, ..Declared::default() }] {
            let mut handshake = Handshake::new(ProtocolChoice::Only(revision), declared, client());
            let line = handshake.begin();
            check_line(revision, "InitializeRequest", &line);
            check_line(revision, "ClientRequest", &line);
        }
        let mut handshake = Handshake::new(ProtocolChoice::Only(revision), ALL, client());
        let _ = handshake.begin();
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "protocolVersion": revision.as_str() } });
        let step = handshake.received(incoming::read(Frame::Line(answer.to_string())));
        let askback_wire::Step::Done(established) = step else { panic!("{step:?}") };
        check_line(revision, "InitializedNotification", &established.send[0]);
    }
}

#[test]
fn discover() {
    for declared in [ALL, Declared::default(), Declared { url: true, ..Declared::default() }] {
        let line = Handshake::new(ProtocolChoice::Auto, declared, client()).begin();
        check_line(Revision::V2026_07_28, "DiscoverRequest", &line);
        check_line(Revision::V2026_07_28, "ClientRequest", &line);
    }
}

#[test]
fn calls_requests_and_cancelled() {
    for revision in Revision::ALL {
        let mut session = Session::new(revision, ALL, client(), 2);
        for (operation, definition) in operations() {
            let line = session.call(CallId(1), &operation, None).expect("it can be sent");
            check_line(revision, definition, &line);
            check_line(revision, "ClientRequest", &line);
            let line = session.cancel(CallId(1), None, "stopped by the user").remove(0);
            check_line(revision, "CancelledNotification", &line);
            check_line(revision, "ClientNotification", &line);
        }
        for (method, definition) in [("tools/list", "ListToolsRequest"), ("prompts/list", "ListPromptsRequest")] {
            check_line(revision, definition, &session.request(RequestId(1), method, Map::new()));
        }
    }
}

#[test]
fn retries_with_answers_and_state() {
    let revision = Revision::V2026_07_28;
    let mut session = Session::new(revision, ALL, client(), 2);
    session.set_log_level("debug");
    let all = [elicitation_answers(revision), roots_answers(), sampling_answers(revision)].concat();
    let answers: Vec<(String, Answer)> =
        all.into_iter().enumerate().map(|(index, answer)| (format!("k{index}"), answer)).collect();
    for (answers, state) in
        [(answers.clone(), Some("s".to_owned())), (answers, None), (Vec::new(), Some(String::new()))]
    {
        for (operation, definition) in operations() {
            let line = session
                .call(
                    CallId(1),
                    &operation,
                    Some(&Continuation { answers: answers.clone(), state: state.clone(), work: None }),
                )
                .expect("it can be sent");
            check_line(revision, definition, &line);
        }
    }
}

#[test]
fn every_answer_is_a_result_of_its_kind() {
    for revision in Revision::ALL {
        let result = |answer: &Answer| to_message::result(answer).expect("an answer that is no refusal");
        for answer in sampling_answers(revision) {
            check(revision, "CreateMessageResult", &result(&answer));
        }
        for answer in roots_answers() {
            check(revision, "ListRootsResult", &result(&answer));
        }
        if revision >= Revision::V2025_06_18 {
            for answer in elicitation_answers(revision) {
                check(revision, "ElicitResult", &result(&answer));
            }
        }
    }
}

#[test]
fn replies_are_responses_and_refusals_are_errors() {
    for revision in Revision::ALL.into_iter().filter(|revision| *revision < Revision::V2026_07_28) {
        let mut session = Session::new(revision, ALL, client(), 2);
        let mut asked = 0;
        let mut reply = |answer: &Answer| {
            asked += 1;
            let request = json!({ "jsonrpc": "2.0", "id": format!("r{asked}"), "method": "roots/list" });
            let received = session.receive(incoming::read(Frame::Line(request.to_string())), Channel::Shared);
            let [Event::Asked { returns: askback_core::engine::Returns::Reply { address }, .. }] = received.events[..]
            else {
                panic!("{received:?}")
            };
            session.reply(address, answer).expect("the server waits")
        };
        let all = [elicitation_answers(revision), roots_answers(), sampling_answers(revision)].concat();
        for answer in all {
            let line = reply(&answer);
            check_line(revision, result_definition(revision), &line);
            check_line(revision, "JSONRPCMessage", &line);
        }
        for refusal in [
            Refusal::ByPerson { reason: None },
            Refusal::ByPerson { reason: Some("no".into()) },
            Refusal::NobodyToAnswer,
            Refusal::ModelFailed { message: "401".into() },
            Refusal::Problem(AskProblem::UnknownMethod { method: "x".into() }),
            Refusal::Problem(AskProblem::Undeclared { capability: "elicitation.url".into() }),
            Refusal::Problem(AskProblem::Invalid { path: "params.message".into(), what: "is missing".into() }),
        ] {
            check_line(revision, error_definition(revision), &reply(&Answer::Refused(refusal)));
        }
        let ping = session.receive(
            incoming::read(Frame::Line(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.into())),
            Channel::Shared,
        );
        check_line(revision, result_definition(revision), &ping.replies[0]);
    }
}
