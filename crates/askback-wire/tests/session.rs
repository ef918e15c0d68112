//! Sessions, written as conversations.
//!
//! `call`, `again`, `cancel`, `reply`, `request` and `listen` are wishes of the host; `>` is what the client then writes (without `jsonrpc` and
//! `_meta`), `<` what the server writes, and `=` what the session makes of it.

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::{Ask, AskProblem};
use askback_core::call::{CallId, Operation};
use askback_core::engine::{Abandonment, Continuation, ReplyAddress, Returns};
use askback_core::roots::Root;
use askback_core::sampling::{ReplyContent, SamplingReply};
use askback_wire::framing::{Frame, Unusable};
use askback_wire::session::{Change, Interest, List, ListeningEnd, RequestFailure};
use askback_wire::{Channel, Declared, Event, Outgoing, RequestId, Revision, Session, incoming};
use serde_json::{Map, Value, json};

const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

fn session(revision: Revision) -> Session {
    Session::new(revision, ALL, json!({ "name": "askback", "version": "0" }), 2)
}

fn operation() -> Operation {
    Operation::Tool { name: "book".into(), arguments: json!({ "to": "BCN" }).as_object().cloned().unwrap_or_default() }
}

#[track_caller]
fn modern(conversation: &str) {
    check(&mut session(Revision::V2026_07_28), conversation);
}

#[track_caller]
fn legacy(conversation: &str) {
    check(&mut session(Revision::V2025_11_25), conversation);
}

#[track_caller]
fn check(session: &mut Session, conversation: &str) {
    let lines: Vec<&str> = conversation.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut played = Vec::new();
    for line in &lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let out = match words[..] {
            ["call", call] => vec![session.call(CallId(number(call)), &operation(), None).expect("it can be sent")],
            ["again", call, ref parts @ ..] => {
                let (mut state, mut work) = (None, None);
                let mut answers = Vec::new();
                for part in parts {
                    match (part.split_once('='), part.split_once(':')) {
                        (Some(("state", text)), _) => state = Some(text.to_owned()),
                        (Some(("work", text)), _) => work = Some(text.to_owned()),
                        (_, Some((key, word))) => answers.push((key.to_owned(), answer(word))),
                        _ => panic!("{part}"),
                    }
                }
                vec![
                    session
                        .call(CallId(number(call)), &operation(), Some(&Continuation { answers, state, work }))
                        .expect("it can be sent"),
                ]
            }
            ["cancel", call] => session.cancel(CallId(number(call)), None, "why"),
            ["cancel", call, work] => session.cancel(CallId(number(call)), Some(work), "why"),
            ["reply", address, word] => {
                session.reply(ReplyAddress(number(address)), &answer(word)).into_iter().collect()
            }
            ["listen", ref what @ ..] => session.listen(interest(what)),
            ["stop-listening"] => session.stop_listening(),
            ["request", request, method] => vec![session.request(RequestId(number(request)), method, Map::new())],
            ["<", ..] => {
                played.push((*line).to_owned());
                let received =
                    session.receive(incoming::read(Frame::Line(line[1..].trim().to_owned())), Channel::Shared);
                played.extend(received.replies.iter().map(|line| format!("> {}", written(line))));
                played.extend(received.events.iter().map(|event| format!("= {}", told(event))));
                continue;
            }
            [">" | "=", ..] => continue,
            _ => panic!("{line}"),
        };
        played.push((*line).to_owned());
        played.extend(out.iter().map(|line| format!("> {}", written(line))));
    }
    assert_eq!(played.join("\n"), lines.join("\n"), "\n\nplayed:\n{}\n", played.join("\n"));
}

fn interest(what: &[&str]) -> Interest {
    let mut interest = Interest::default();
    for word in what {
        match List::ALL.into_iter().find(|list| list.capability() == *word) {
            Some(list) => interest.lists.insert(list),
            None => interest.resources.insert((*word).to_owned()),
        };
    }
    interest
}

fn number(text: &str) -> u64 {
    text.trim_start_matches('@').parse().expect("a number")
}

fn answer(word: &str) -> Answer {
    match word {
        "accept" => Answer::Submitted { content: Map::from_iter([("ok".to_owned(), json!(true))]) },
        "empty" => Answer::Submitted { content: Map::new() },
        "consent" => Answer::Consented,
        "decline" => Answer::Declined { reason: None },
        "reason" => Answer::Declined { reason: Some("too dear".into()) },
        "cancel" => Answer::Cancelled,
        "roots" => Answer::Roots(vec![Root { uri: "file:///w".into(), name: Some("w".into()) }]),
        "none" => Answer::Roots(Vec::new()),
        "sample" => Answer::Sampled(Box::new(SamplingReply {
            content: vec![ReplyContent::Text("7".into())],
            model: "m".into(),
            stop_reason: Some("endTurn".into()),
        })),
        "refuse" => Answer::Refused(Refusal::ByPerson { reason: None }),
        "nobody" => Answer::Refused(Refusal::NobodyToAnswer),
        "undeclared" => Answer::Refused(Refusal::Problem(AskProblem::Undeclared { capability: "roots".into() })),
        "mode" => Answer::Refused(Refusal::Problem(AskProblem::Undeclared { capability: "elicitation.url".into() })),
        "unknown" => Answer::Refused(Refusal::Problem(AskProblem::UnknownMethod { method: "foo/bar".into() })),
        _ => panic!("{word}"),
    }
}

fn written(message: &Outgoing) -> String {
    let line = &message.line;
    assert!(!line.contains('\n'), "a message is one line");
    let mut message: Value = serde_json::from_str(line).expect("the client writes JSON");
    let object = message.as_object_mut().expect("a message is an object");
    assert_eq!(object.shift_remove("jsonrpc"), Some(json!("2.0")));
    if let Some(params) = object.get_mut("params").and_then(Value::as_object_mut) {
        params.shift_remove("_meta");
    }
    message.to_string()
}

fn asked(ask: &Result<Ask, AskProblem>) -> String {
    match ask {
        Ok(ask) => ask.kind().as_str().to_owned(),
        Err(AskProblem::UnknownMethod { .. }) => "unknown".into(),
        Err(AskProblem::Undeclared { capability }) => format!("undeclared {capability}"),
        Err(AskProblem::Invalid { path, .. }) => format!("invalid {path}"),
    }
}

fn told(event: &Event) -> String {
    match event {
        Event::Undelivered { call, undelivered } if undelivered.may_have_acted => {
            format!("undelivered, perhaps {}", call.0)
        }
        Event::Undelivered { call, .. } => format!("undelivered {}", call.0),
        Event::Asked { calls, returns, asks } => {
            let calls: Vec<String> = calls.iter().map(|call| call.0.to_string()).collect();
            let returns = match returns {
                Returns::Reply { address } => format!("@{}", address.0),
                Returns::Resend { state } => format!("state {}", state.as_deref().unwrap_or("-")),
                Returns::Repeat => "repeat".into(),
                Returns::Follow { work, pause } => format!("follow {work} {}", pause.unwrap_or_default()),
            };
            let asks: Vec<String> = asks.iter().map(|(key, ask)| format!("{key:?} {}", asked(ask))).collect();
            format!("asked of [{}] {returns}: {}", calls.join(","), asks.join(", ")).trim_end().to_owned()
        }
        Event::Returned { call, result } => format!("returned {} {result}", call.0),
        Event::Errored { call, error } => format!("errored {} {} {}", call.0, error.code, error.message),
        Event::Broke { call, violation } => format!("broke {} {}", call.0, violation.rule),
        Event::Abandoned { call, why: Abandonment::Cancelled { words } } => {
            format!("cancelled {} {}", call.0, words.as_deref().unwrap_or("-"))
        }
        Event::Abandoned { call, why: Abandonment::Forgotten { error } } => {
            format!("forgotten {} {}", call.0, error.code)
        }
        Event::Working { call, status, message } => {
            format!("working {} {status} {}", call.0, message.as_deref().unwrap_or("-"))
        }
        Event::Progressed { call, progress, .. } => format!("progressed {} {progress}", call.0),
        Event::Withdrawn { address } => format!("withdrawn @{}", address.0),
        Event::Responded { request, outcome } => match outcome {
            Ok(result) => format!("responded {} {result}", request.0),
            Err(RequestFailure::Server(error)) => format!("responded {} error {}", request.0, error.code),
            Err(RequestFailure::Protocol(violation)) => format!("responded {} broken {}", request.0, violation.rule),
        },
        Event::Logged { level, text, .. } => format!("logged {level} {text}"),
        Event::ElicitationCompleted { elicitation_id } => format!("completed {elicitation_id}"),
        Event::Listed(page) => format!("listed {} for {}", page.key.method, page.fresh_ms),
        Event::Changed(change) => format!("changed {}", changed(change)),
        Event::Listening { left_out } => {
            format!("listening but for [{}]", left_out.iter().map(changed).collect::<Vec<_>>().join(","))
        }
        Event::ListeningEnded(ListeningEnd::Finished) => "listening finished".into(),
        Event::ListeningEnded(ListeningEnd::Refused(error)) => format!("listening refused {}", error.code),
        Event::ListeningEnded(ListeningEnd::Cut(_)) => "listening cut".into(),
        Event::Violated(violation) => format!("violated {}", violation.rule),
    }
}

fn changed(change: &Change) -> String {
    match change {
        Change::List(list) => list.capability().to_owned(),
        Change::Resource(uri) => uri.clone(),
    }
}

const CALL_2: &str = r#"call 1
    > {"id":2,"method":"tools/call","params":{"name":"book","arguments":{"to":"BCN"}}}"#;

#[test]
fn m13_one_form_one_roots_and_one_sampling_go_back_bare_with_a_new_id_and_the_same_arguments() {
    modern(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":2,"result":{{"resultType":"input_required","requestState":"s","inputRequests":{{"f":{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object"}}}}}},"r":{{"method":"roots/list"}},"s":{{"method":"sampling/createMessage","params":{{"messages":[{{"role":"user","content":{{"type":"text","text":"x"}}}}],"maxTokens":5}}}}}}}}}}
        = asked of [1] state s: "f" form, "r" roots, "s" sampling
        again 1 state=s f:accept r:roots s:sample
        > {{"id":3,"method":"tools/call","params":{{"name":"book","arguments":{{"to":"BCN"}},"inputResponses":{{"f":{{"action":"accept","content":{{"ok":true}}}},"r":{{"roots":[{{"uri":"file:///w","name":"w"}}]}},"s":{{"role":"assistant","content":{{"type":"text","text":"7"}},"model":"m","stopReason":"endTurn"}}}},"requestState":"s"}}}}
        < {{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete","content":[]}}}}
        < {{"jsonrpc":"2.0","id":3,"result":{{"resultType":"complete","content":[]}}}}
        = returned 1 {{"resultType":"complete","content":[]}}
        "#
    ));
}

#[test]
fn m13_every_leg_carries_the_meta_of_the_revision() {
    let mut session = session(Revision::V2026_07_28);
    session.set_log_level("info");
    for id in 2..5 {
        let line = session.call(CallId(1), &operation(), None).expect("it can be sent");
        let message: Value = serde_json::from_str(&line.line).expect("JSON");
        let meta = &message["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "askback");
        assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"]["roots"], json!({}));
        assert_eq!(meta["io.modelcontextprotocol/logLevel"], "info");
        assert_eq!((&meta["progressToken"], &message["id"]), (&json!(id), &json!(id)));
    }
}

#[test]
fn e02_content_goes_with_accept_of_a_form_only() {
    modern(
        r#"
        again 1 a:empty b:consent c:decline d:cancel e:none f:reason
        > {"id":2,"method":"tools/call","params":{"name":"book","arguments":{"to":"BCN"},"inputResponses":{"a":{"action":"accept","content":{}},"b":{"action":"accept"},"c":{"action":"decline"},"d":{"action":"cancel"},"e":{"roots":[]},"f":{"action":"decline","_meta":{"askback/reason":"too dear"}}}}}
        "#,
    );
}

#[test]
fn m02_a_state_without_asks_is_sent_back_alone() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
    let line = r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"poll-1","inputRequests":null}}"#;
    let received = session.receive(incoming::read(Frame::Line(line.into())), Channel::Shared);
    let returns = Returns::Resend { state: Some("poll-1".into()) };
    assert_eq!(received.events, [Event::Asked { calls: vec![CallId(1)], returns, asks: Vec::new() }]);
    let continuation = Continuation { answers: Vec::new(), state: Some("poll-1".into()), work: None };
    assert_eq!(
        written(&session.call(CallId(1), &operation(), Some(&continuation)).expect("it can be sent")),
        r#"{"id":3,"method":"tools/call","params":{"name":"book","arguments":{"to":"BCN"},"requestState":"poll-1"}}"#
    );
}

/// What a call comes to when its result is this.
#[track_caller]
fn check_result(revision: Revision, result: &str, expected: &str) {
    let mut session = session(revision);
    let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
    let line = format!(r#"{{"jsonrpc":"2.0","id":2,"result":{result}}}"#);
    let received = session.receive(incoming::read(Frame::Line(line)), Channel::Shared);
    assert_eq!(received.events.iter().map(told).collect::<Vec<_>>().join("; "), expected, "{result}");
    assert_eq!(received.replies, []);
}

#[test]
fn m04_a_question_without_a_question_is_invalid() {
    let check = |result: &str| check_result(Revision::V2026_07_28, result, "broke 1 input-required");
    check(r#"{"resultType":"input_required"}"#);
    check(r#"{"resultType":"input_required","inputRequests":{}}"#);
    check(r#"{"resultType":"input_required","inputRequests":null,"requestState":null}"#);
    check(r#"{"resultType":"input_required","inputRequests":[]}"#);
    check(r#"{"resultType":"input_required","inputRequests":{},"requestState":{"a":1}}"#);
    check(r#"{"resultType":"input_required","inputRequests":"x","requestState":"s"}"#);
}

#[test]
fn m05_absent_and_unknown_result_types() {
    let modern = |result: &str, expected: &str| check_result(Revision::V2026_07_28, result, expected);
    modern(r#"{"content":[]}"#, r#"violated result-type; returned 1 {"content":[]}"#);
    for kind in [r#""surprise""#, "7", r#""Complete""#, "null", "{}"] {
        modern(&format!(r#"{{"resultType":{kind},"content":[]}}"#), "broke 1 result-type");
    }
    modern("null", "broke 1 result");
    modern("[]", "broke 1 result");
    let legacy = |result: &str, expected: &str| check_result(Revision::V2025_11_25, result, expected);
    legacy(r#"{"content":[]}"#, r#"returned 1 {"content":[]}"#);
    legacy(r#"{"resultType":"surprise"}"#, r#"returned 1 {"resultType":"surprise"}"#);
    legacy(r#"{"resultType":"input_required","requestState":"s"}"#, "broke 1 result-type");
}

#[test]
fn entries_that_are_no_asks_are_told_as_such() {
    check_result(
        Revision::V2026_07_28,
        r#"{"resultType":"input_required","inputRequests":{"a":{},"b":7,"c":{"method":"tools/list"},"d":{"method":"elicitation/create"},"e":{"method":7},"f":{"method":"roots/list","params":null},"g":null}}"#,
        r#"asked of [1] state -: "a" invalid method, "b" invalid method, "c" unknown, "d" invalid params.message, "e" invalid method, "f" roots, "g" invalid method"#,
    );
}

#[test]
fn m12_odd_keys_and_the_state_come_back_as_they_were() {
    let mut keys: Vec<String> =
        ["", "__proto__", "a.b/c d", "键", "A", "a", "\u{0}", "\u{202e}x", "constructor", "\"", "\\"]
            .map(String::from)
            .to_vec();
    keys.extend((0..200).map(|index| format!("k{index}")));
    let state = "s\u{0}\u{1f}\u{202e}\"\\/键\u{10ffff} \n".to_owned();
    let requests: Map<String, Value> =
        keys.iter().map(|key| (key.clone(), json!({ "method": "roots/list" }))).collect();
    let result = json!({ "resultType": "input_required", "requestState": state, "inputRequests": requests });
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
    let line = json!({ "jsonrpc": "2.0", "id": 2, "result": result }).to_string();
    let received = session.receive(incoming::read(Frame::Line(line)), Channel::Shared);
    let [Event::Asked { returns: Returns::Resend { state: echoed }, asks, .. }] = &received.events[..] else {
        panic!("{received:?}")
    };
    assert_eq!(asks.iter().map(|(key, _)| key).collect::<Vec<_>>(), keys.iter().collect::<Vec<_>>());
    let answers = asks.iter().map(|(key, _)| (key.clone(), answer("none"))).collect();
    let continuation = Continuation { answers, state: echoed.clone(), work: None };
    let message: Value =
        serde_json::from_str(&session.call(CallId(1), &operation(), Some(&continuation)).expect("it can be sent").line)
            .expect("JSON");
    let responses = message["params"]["inputResponses"].as_object().expect("an object");
    assert_eq!(responses.keys().collect::<Vec<_>>(), keys.iter().collect::<Vec<_>>());
    assert!(responses.values().all(|response| *response == json!({ "roots": [] })));
    assert_eq!(message["params"]["requestState"], json!(state));
}

/// What a call comes to when the server refuses it like this.
#[track_caller]
fn check_refusal(revision: Revision, data: &str, expected: &str) {
    let mut session = session(revision);
    let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
    let line = format!(r#"{{"jsonrpc":"2.0","id":2,"error":{{"code":-32042,"message":"first the page"{data}}}}}"#);
    let received = session.receive(incoming::read(Frame::Line(line)), Channel::Shared);
    assert_eq!(received.events.iter().map(told).collect::<Vec<_>>().join("; "), expected, "{data}");
    assert_eq!(received.replies, []);
}

#[test]
fn e38_pages_that_a_call_needs_are_asks_and_the_call_is_sent_again_as_it_was() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":2,"error":{{"code":-32042,"message":"m","data":{{"elicitations":[{{"mode":"url","message":"Log in","url":"https://a.example/","elicitationId":"id-1"}},{{"mode":"url","message":"Pay","url":"https://b.example/","elicitationId":"id-2"}}]}}}}}}
        = asked of [1] repeat: "elicitations[0]" url, "elicitations[1]" url
        < {{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{{"elicitationId":"id-1"}}}}
        = completed id-1
        < {{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{{"elicitationId":7}}}}
        call 1
        > {{"id":3,"method":"tools/call","params":{{"name":"book","arguments":{{"to":"BCN"}}}}}}
        "#
    ));
}

#[test]
fn e39_pages_that_are_none_are_a_broken_rule() {
    let broken = |data: &str| check_refusal(Revision::V2025_11_25, data, "broke 1 url-elicitation-required");
    broken("");
    broken(r#","data":{}"#);
    broken(r#","data":{"elicitations":[]}"#);
    broken(r#","data":{"elicitations":{"0":{}}}"#);
    broken(r#","data":{"elicitations":[7]}"#);
    broken(r#","data":{"elicitations":[{"message":"m","requestedSchema":{"type":"object"}}]}"#);
    broken(r#","data":{"elicitations":[{"mode":"form","message":"m","requestedSchema":{"type":"object"}}]}"#);
    broken(r#","data":{"elicitations":[{"mode":"url","message":"m","url":"https://a.example/"},{"mode":"voice"}]}"#);
    check_refusal(
        Revision::V2025_11_25,
        r#","data":{"elicitations":[{"mode":"url","message":"m"}]}"#,
        r#"asked of [1] repeat: "elicitations[0]" invalid params.url"#,
    );
}

#[test]
fn e39_in_other_revisions_it_is_an_error_like_any_other() {
    let data =
        r#","data":{"elicitations":[{"mode":"url","message":"m","url":"https://a.example/","elicitationId":"1"}]}"#;
    for revision in [Revision::V2026_07_28, Revision::V2025_06_18, Revision::V2025_03_26, Revision::V2024_11_05] {
        check_refusal(revision, data, "errored 1 -32042 first the page");
    }
}

#[test]
fn m15_a_server_request_on_a_modern_connection_is_never_answered() {
    modern(
        r#"
        < {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}
        = violated server-request
        < {"jsonrpc":"2.0","id":10,"method":"ping"}
        = violated server-request
        reply @1 accept
        "#,
    );
}

#[test]
fn m15_a_legacy_request_outside_of_any_call_is_an_ask_of_none() {
    legacy(
        r#"
        < {"jsonrpc":"2.0","id":"r-1","method":"roots/list"}
        = asked of [] @1: "roots/list" roots
        reply @1 roots
        > {"id":"r-1","result":{"roots":[{"uri":"file:///w","name":"w"}]}}
        reply @1 roots
        < {"jsonrpc":"2.0","id":0,"method":"ping"}
        > {"id":0,"result":{}}
        "#,
    );
}

#[test]
fn m16_what_no_server_may_interrupt() {
    modern(
        r#"
        request 7 tools/list
        > {"id":2,"method":"tools/list","params":{}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}
        = responded 7 broken result-type
        request 8 completion/complete
        > {"id":3,"method":"completion/complete","params":{}}
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}
        = responded 8 error -32601
        "#,
    );
}

#[test]
fn refusals_have_the_codes_of_the_specification() {
    legacy(
        r#"
        < {"jsonrpc":"2.0","id":"a","method":"sampling/createMessage","params":{}}
        = asked of [] @1: "sampling/createMessage" invalid params.messages
        < {"jsonrpc":"2.0","id":"b","method":"roots/list"}
        = asked of [] @2: "roots/list" roots
        < {"jsonrpc":"2.0","id":"c","method":"roots/list"}
        = asked of [] @3: "roots/list" roots
        < {"jsonrpc":"2.0","id":"d","method":"foo/bar","params":[1]}
        = asked of [] @4: "foo/bar" unknown
        reply @1 refuse
        > {"id":"a","error":{"code":-1,"message":"The user declined the request"}}
        reply @2 undeclared
        > {"id":"b","error":{"code":-32601,"message":"The client has not declared the capability roots"}}
        reply @3 mode
        > {"id":"c","error":{"code":-32602,"message":"The client has not declared the capability elicitation.url"}}
        reply @4 unknown
        > {"id":"d","error":{"code":-32601,"message":"Method not found: foo/bar"}}
        "#,
    );
}

#[test]
fn t06_ids_go_back_as_they_came() {
    for id in [r#""1""#, "1", r#""01""#, "0", "-1", "9007199254740993", r#""8f0e""#, r#""""#] {
        legacy(&format!(
            r#"
            call 1
            > {{"id":2,"method":"tools/call","params":{{"name":"book","arguments":{{"to":"BCN"}}}}}}
            < {{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}
            = asked of [1] @1: "roots/list" roots
            reply @1 none
            > {{"id":{id},"result":{{"roots":[]}}}}
            "#
        ));
    }
}

#[test]
fn t06_r06_a_request_with_the_id_of_our_own_is_a_request() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":2,"method":"roots/list"}}
        = asked of [1] @1: "roots/list" roots
        < {{"jsonrpc":"2.0","id":2,"result":{{}}}}
        = returned 1 {{}}
        "#
    ));
}

#[test]
fn t06_responses_of_the_other_type_are_taken_once_and_unknown_ones_are_noise() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":"2","result":{{}}}}
        = violated response-id
        = returned 1 {{}}
        < {{"jsonrpc":"2.0","id":2,"result":{{}}}}
        < {{"jsonrpc":"2.0","id":"2","result":{{}}}}
        < {{"jsonrpc":"2.0","id":77,"result":{{}}}}
        = violated response-id
        < {{"jsonrpc":"2.0","id":"02","result":{{}}}}
        = violated response-id
        < {{"jsonrpc":"2.0","id":-2,"result":{{}}}}
        = violated response-id
        < {{"jsonrpc":"2.0","id":2.5,"error":{{"code":1,"message":"x"}}}}
        = violated response-id
        "#
    ));
}

#[test]
fn t06_an_error_without_id_belongs_to_the_only_request_in_flight() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":null,"error":{{"code":-32600,"message":"no"}}}}
        = violated response-id
        = errored 1 -32600 no
        < {{"jsonrpc":"2.0","id":null,"error":{{"code":-32600,"message":"no"}}}}
        = violated response-id
        "#
    ));
    legacy(&format!(
        r#"
        {CALL_2}
        call 2
        > {{"id":3,"method":"tools/call","params":{{"name":"book","arguments":{{"to":"BCN"}}}}}}
        < {{"jsonrpc":"2.0","id":null,"error":{{"code":-32600,"message":"no"}}}}
        = violated response-id
        "#
    ));
}

#[test]
fn an_error_for_a_notification_does_not_fail_the_call() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":null,"error":{{"code":-32601,"message":"notifications/initialized not found"}}}}
        = violated response-id
        < {{"jsonrpc":"2.0","id":2,"result":{{}}}}
        = returned 1 {{}}
        "#
    ));
}

#[test]
fn t16_a_cancelled_call_is_named_by_its_id_and_what_comes_late_is_dropped() {
    for check in [modern, legacy] {
        check(&format!(
            r#"
            {CALL_2}
            < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":1}}}}
            = progressed 1 1
            < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"2","progress":2.5}}}}
            = progressed 1 2.5
            < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":3,"progress":1}}}}
            < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":[],"progress":1}}}}
            cancel 1
            > {{"method":"notifications/cancelled","params":{{"requestId":2,"reason":"why"}}}}
            cancel 1
            < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":2}}}}
            < {{"jsonrpc":"2.0","id":2,"result":{{}}}}
            "#
        ));
    }
}

#[test]
fn a_withdrawn_ask_is_not_answered_and_a_doubled_one_not_asked_twice() {
    legacy(&format!(
        r#"
        {CALL_2}
        < {{"jsonrpc":"2.0","id":"a","method":"roots/list"}}
        = asked of [1] @1: "roots/list" roots
        < {{"jsonrpc":"2.0","id":"a","method":"roots/list"}}
        = violated request-id
        < {{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":"b"}}}}
        < {{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":"a"}}}}
        = withdrawn @1
        < {{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":"a"}}}}
        reply @1 roots
        "#
    ));
}

#[test]
fn an_ask_is_forgotten_with_the_last_call_that_it_may_belong_to() {
    legacy(&format!(
        r#"
        {CALL_2}
        call 2
        > {{"id":3,"method":"tools/call","params":{{"name":"book","arguments":{{"to":"BCN"}}}}}}
        < {{"jsonrpc":"2.0","id":1,"method":"roots/list"}}
        = asked of [1,2] @1: "roots/list" roots
        < {{"jsonrpc":"2.0","id":3,"result":{{}}}}
        = returned 2 {{}}
        < {{"jsonrpc":"2.0","id":1,"method":"roots/list"}}
        = violated request-id
        cancel 1
        > {{"method":"notifications/cancelled","params":{{"requestId":2,"reason":"why"}}}}
        < {{"jsonrpc":"2.0","id":1,"method":"roots/list"}}
        = asked of [] @2: "roots/list" roots
        reply @1 none
        reply @2 none
        > {{"id":1,"result":{{"roots":[]}}}}
        "#
    ));
}

#[test]
fn t01_t04_noise_is_told_a_few_times_and_the_next_line_is_fine() {
    let mut session = session(Revision::V2025_11_25);
    let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
    let mut events = Vec::new();
    for index in 0..10_000 {
        events.extend(session.receive(incoming::read(Frame::Line(format!("noise {index}"))), Channel::Shared).events);
    }
    let bad = Frame::Unusable { why: Unusable::NotUtf8, head: "\u{fffd}".into(), tail: String::new() };
    events.extend(session.receive(incoming::read(bad), Channel::Shared).events);
    assert_eq!(events.len(), 6);
    assert!(events.iter().all(|event| told(event) == "violated noise-on-stdout"));
    let result =
        session.receive(incoming::read(Frame::Line(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#.into())), Channel::Shared);
    assert_eq!(result.events.iter().map(told).collect::<Vec<_>>(), ["returned 1 {}"]);
}

#[test]
fn a_message_that_is_too_large_fails_the_right_call_and_no_other() {
    let too_long = |head: &str, tail: &str| Frame::Unusable {
        why: Unusable::TooLong { bytes: 70_000_000 },
        head: head.into(),
        tail: tail.into(),
    };
    let check = |calls: u64, frame: Frame, expected: &str| {
        let mut session = session(Revision::V2025_11_25);
        for call in 1..=calls {
            let _ = session.call(CallId(call), &operation(), None).expect("it can be sent");
        }
        let events = session.receive(incoming::read(frame), Channel::Shared).events;
        assert_eq!(events.iter().map(told).collect::<Vec<_>>(), [expected]);
    };
    check(2, too_long(r#"{"jsonrpc":"2.0","id":3,"result":{"#, "}}"), "broke 2 message-too-large");
    check(2, too_long(r#"{"result":{"content":["#, r#"]},"id":2,"jsonrpc":"2.0"}"#), "broke 1 message-too-large");
    check(2, too_long(r#"{"result":{"content":["#, "]}}"), "violated message-too-large");
    check(1, too_long(r#"{"result":{"content":["#, "]}}"), "broke 1 message-too-large");
    check(1, too_long(r#"{"jsonrpc":"2.0","method":"notifications/message","#, "}}"), "violated message-too-large");
    check(1, too_long(r#"{"jsonrpc":"2.0","id":99,"result":{"#, "}}"), "violated message-too-large");
}

#[test]
fn t14_batches_are_taken_in_the_one_revision_that_has_them() {
    let batch = r#"[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}},7]"#;
    let events = |revision: Revision| {
        let mut session = session(revision);
        let _ = session.call(CallId(1), &operation(), None).expect("it can be sent");
        let received = session.receive(incoming::read(Frame::Line(batch.into())), Channel::Shared);
        received.events.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(events(Revision::V2025_03_26), ["returned 1 {}", "logged info x", "violated not-a-message"]);
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        assert_eq!(events(revision), ["violated batch", "broke 1 batch"]);
    }
    legacy("< []\n= violated not-a-message");
}

#[test]
fn e38_completion_notices_and_logs_are_passed_on() {
    legacy(
        r#"
        < {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"id-1"}}
        = completed id-1
        < {"jsonrpc":"2.0","method":"notifications/elicitation/complete"}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":7,"data":{"a":1}}}
        = logged info {"a":1}
        < {"jsonrpc":"2.0","method":"notifications/whatever","params":[]}
        "#,
    );
}

/// The call 1 has become the task `t`; its next leg has the id 3.
const TASK: &str = r#"call 1
    > {"id":2,"method":"tools/call","params":{"name":"book","arguments":{"to":"BCN"}}}
    < {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"t","status":"working","statusMessage":"begun","pollIntervalMs":500,"ttlMs":null}}
    = working 1 working begun
    = asked of [1] follow t 500:
    again 1 work=t
    > {"id":3,"method":"tasks/get","params":{"taskId":"t"}}"#;

/// What a task comes to when it is asked after and this is the answer.
#[track_caller]
fn check_task(answer: &str, expected: &str) {
    modern(&format!("{TASK}\n< {{\"jsonrpc\":\"2.0\",\"id\":3,{answer}}}\n{expected}"));
}

#[test]
fn a_task_asks_and_is_told_the_answers() {
    modern(&format!(
        r#"
        {TASK}
        < {{"jsonrpc":"2.0","id":3,"result":{{"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{{"f":{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object"}}}}}}}}}}}}
        = working 1 input_required -
        = asked of [1] follow t 0: "f" form
        again 1 work=t f:accept
        > {{"id":4,"method":"tasks/update","params":{{"taskId":"t","inputResponses":{{"f":{{"action":"accept","content":{{"ok":true}}}}}}}}}}
        < {{"jsonrpc":"2.0","id":4,"result":{{"resultType":"complete"}}}}
        = asked of [1] follow t 0:
        again 1 work=t
        > {{"id":5,"method":"tasks/get","params":{{"taskId":"t"}}}}
        < {{"jsonrpc":"2.0","id":5,"result":{{"resultType":"complete","taskId":"t","status":"completed","result":{{"content":[]}}}}}}
        = returned 1 {{"content":[]}}
        "#
    ));
}

#[test]
fn a_task_ends_in_every_way() {
    check_task(
        r#""result":{"resultType":"complete","status":"failed","error":{"code":-32050,"message":"no"}}"#,
        "= errored 1 -32050 no",
    );
    check_task(
        r#""result":{"resultType":"complete","status":"cancelled","statusMessage":"enough"}"#,
        "= cancelled 1 enough",
    );
    check_task(r#""error":{"code":-32602,"message":"Task not found"}"#, "= forgotten 1 -32602");
    check_task(r#""error":{"code":-32603,"message":"oh"}"#, "= errored 1 -32603 oh");
    check_task(
        r#""result":{"resultType":"task","status":"completed","result":{"content":[]}}"#,
        "= violated result-type\n= returned 1 {\"content\":[]}",
    );
}

#[test]
fn what_is_said_of_a_task_has_to_make_sense() {
    for bad in [
        r#""status":"asleep""#,
        r#""status":7"#,
        r#""taskId":"u","status":"working""#,
        r#""status":"completed""#,
        r#""status":"failed""#,
        r#""status":"input_required""#,
    ] {
        check_task(&format!(r#""result":{{"resultType":"complete",{bad}}}"#), "= broke 1 task");
    }
    check_result(Revision::V2026_07_28, r#"{"resultType":"task","status":"working"}"#, "broke 1 task");
    check_result(Revision::V2026_07_28, r#"{"resultType":"task","taskId":"t"}"#, "broke 1 task");
}

#[test]
fn a_task_is_cancelled_by_its_name_and_what_comes_of_that_is_nothing() {
    modern(&format!(
        r#"
        {TASK}
        cancel 1 t
        > {{"id":4,"method":"tasks/cancel","params":{{"taskId":"t"}}}}
        > {{"method":"notifications/cancelled","params":{{"requestId":3,"reason":"why"}}}}
        < {{"jsonrpc":"2.0","id":4,"error":{{"code":-32602,"message":"Task not found"}}}}
        "#
    ));
}

#[test]
fn tasks_are_declared_where_they_are_honoured_only() {
    let declared = |revision: Revision, message: &dyn Fn(&mut Session) -> Outgoing| {
        let message: Value = serde_json::from_str(&message(&mut session(revision)).line).expect("JSON");
        let capabilities = &message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        capabilities["extensions"].get("io.modelcontextprotocol/tasks").is_some()
    };
    let call = |of: Operation| move |session: &mut Session| session.call(CallId(1), &of, None).expect("it can be sent");
    let (modern, legacy) = (Revision::V2026_07_28, Revision::V2025_11_25);
    assert!(declared(modern, &call(operation())));
    assert!(!declared(legacy, &call(operation())));
    assert!(!declared(modern, &call(Operation::Resource { uri: "x:y".into() })));
    assert!(!declared(modern, &|session| session.request(RequestId(1), "tools/list", Map::new())));
    let question = Continuation { answers: Vec::new(), state: None, work: Some("t".into()) };
    assert!(declared(modern, &|session| session
        .call(CallId(1), &operation(), Some(&question))
        .expect("it can be sent")));
}

#[test]
fn a_modern_server_is_asked_for_what_is_to_be_heard_of() {
    modern(
        r#"
        listen tools resources file:///a
        > {"id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///a"]}}}
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}
        = listening but for [resources,file:///a]
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = changed tools
        < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a","_meta":{"io.modelcontextprotocol/subscriptionId":9}}}
        = violated subscription
        = changed file:///a
        stop-listening
        > {"method":"notifications/cancelled","params":{"requestId":2}}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = changed tools
        "#,
    );
}

#[test]
fn what_ends_a_subscription_is_told_apart() {
    modern(
        r#"
        listen prompts
        > {"id":2,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true}}}
        < {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = violated subscription
        = changed prompts
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = listening finished
        listen prompts
        > {"id":3,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true}}}
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}
        = listening refused -32601
        "#,
    );
}

#[test]
fn a_subscription_in_flight_does_not_hide_whose_an_error_without_an_id_is() {
    modern(&format!(
        r#"
        listen tools
        > {{"id":2,"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}}}}}}
        < {{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":2}},"notifications":{{"toolsListChanged":true}}}}}}
        = listening but for []
        {}
        < {{"jsonrpc":"2.0","id":null,"error":{{"code":-32602,"message":"no"}}}}
        = violated response-id
        = errored 1 -32602 no
        "#,
        CALL_2.replace("\"id\":2", "\"id\":3")
    ));
}

#[test]
fn a_legacy_server_tells_of_lists_unasked_and_of_resources_when_asked() {
    legacy(
        r#"
        listen tools
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        = changed tools
        listen file:///a
        > {"id":2,"method":"resources/subscribe","params":{"uri":"file:///a"}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
        = listening but for []
        < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}
        = changed file:///a
        stop-listening
        > {"id":3,"method":"resources/unsubscribe","params":{"uri":"file:///a"}}
        < {"jsonrpc":"2.0","id":3,"result":{}}
        "#,
    );
}

#[test]
fn r09_the_notice_of_changed_roots_is_for_legacy_servers_that_were_told_to_expect_it() {
    let none = Declared { roots: false, ..ALL };
    for (revision, declared, sent) in [
        (Revision::V2026_07_28, ALL, false),
        (Revision::V2025_11_25, ALL, true),
        (Revision::V2024_11_05, ALL, true),
        (Revision::V2025_11_25, none, false),
    ] {
        let mut session = Session::new(revision, declared, json!({ "name": "t", "version": "1" }), 1);
        let line = session.roots_changed().map(|message| message.line);
        let notice = r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{}}"#;
        assert_eq!(line.as_deref(), sent.then_some(notice), "{revision:?} {declared:?}");
    }
}
