//! Sessions over HTTP: header fields that repeat the body, replies that belong to one request, and answers that never come.

use askback_core::call::{CallId, Operation};
use askback_core::engine::Undelivered;
use askback_wire::framing::Frame;
use askback_wire::{Channel, Declared, Event, Outgoing, RequestId, Revision, Role, Session, incoming};
use serde_json::{Map, Value, json};

const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

fn session(revision: Revision) -> Session {
    Session::new(revision, ALL, json!({ "name": "askback", "version": "0" }), 2).over_http()
}

fn booking(arguments: Value) -> Operation {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    Operation::Tool { name: "book".into(), arguments }
}

fn method(message: &Outgoing) -> String {
    let message: Value = serde_json::from_str(&message.line).expect("the client writes JSON");
    message["method"].as_str().unwrap_or("a response").to_owned()
}

fn fields(message: &Outgoing) -> Vec<String> {
    let Role::Request { headers, .. } = &message.role else { return Vec::new() };
    headers.iter().map(|(name, value)| format!("{name}: {value}")).collect()
}

/// The server answers the request of this id, and only that: what is sent then, and what is told but for pages of lists.
fn answer(session: &mut Session, to: u64, outcome: Value) -> (Vec<Outgoing>, Vec<Event>) {
    let mut message = json!({ "jsonrpc": "2.0", "id": to });
    let members = outcome.as_object().expect("an outcome is an object").clone();
    message.as_object_mut().expect("it is one as well").extend(members);
    let received = session.receive(incoming::read_http(Frame::Line(message.to_string())), Channel::ReplyTo(to));
    let told = received.events.into_iter().filter(|event| !matches!(event, Event::Listed(_))).collect();
    (received.replies, told)
}

fn tools(header: &str) -> Value {
    json!({ "result": { "resultType": "complete", "tools": [{ "name": "book", "inputSchema": { "type": "object",
        "properties": { "city": { "type": "string", "x-mcp-header": header } } } }] } })
}

#[test]
fn a_tool_is_looked_up_before_it_is_called_for_the_first_time() {
    let mut session = session(Revision::V2026_07_28);
    let first = session.call(CallId(1), &booking(json!({ "city": "Rome" })), None).unwrap();
    assert_eq!((method(&first), fields(&first)), ("tools/list".into(), vec!["Mcp-Method: tools/list".to_owned()]));
    let (sent, told) = answer(&mut session, 2, tools("City"));
    assert!(told.is_empty(), "{told:?}");
    assert_eq!(method(&sent[0]), "tools/call");
    assert_eq!(fields(&sent[0]), ["Mcp-Method: tools/call", "Mcp-Name: book", "Mcp-Param-City: Rome"]);
    let second = session.call(CallId(2), &booking(json!({ "city": "東京" })), None).unwrap();
    assert_eq!(fields(&second)[2], "Mcp-Param-City: =?base64?5p2x5Lqs?=");
}

#[test]
fn the_list_is_read_to_the_page_with_the_tool() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let page = json!({ "result": { "resultType": "complete", "tools": [], "nextCursor": "c2" } });
    let (sent, _) = answer(&mut session, 2, page);
    assert!(sent[0].line.contains(r#""cursor":"c2""#), "{}", sent[0].line);
    let (sent, _) = answer(&mut session, 3, tools("City"));
    assert_eq!(method(&sent[0]), "tools/call");
}

#[test]
fn a_server_without_a_list_is_called_all_the_same() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let (sent, _) = answer(&mut session, 2, json!({ "error": { "code": -32601, "message": "no" } }));
    assert_eq!(method(&sent[0]), "tools/call");
    let again = session.call(CallId(2), &booking(json!({})), None).unwrap();
    assert_eq!(method(&again), "tools/call", "it is not looked for again and again");
}

#[test]
fn wrong_header_fields_are_put_right_once() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({ "city": "Rome" })), None).unwrap();
    let _ = answer(&mut session, 2, tools("City"));
    let mismatch = json!({ "error": { "code": -32020, "message": "Header mismatch" } });
    let (sent, told) = answer(&mut session, 3, mismatch.clone());
    assert_eq!((method(&sent[0]), told.len()), ("tools/list".into(), 0));
    let (sent, _) = answer(&mut session, 4, tools("Town"));
    assert_eq!(fields(&sent[0])[2], "Mcp-Param-Town: Rome");
    let (sent, told) = answer(&mut session, 5, mismatch);
    assert!(sent.is_empty(), "a second time it is an error like any other");
    assert!(matches!(&told[..], [Event::Errored { call: CallId(1), error }] if error.code == -32020), "{told:?}");
}

#[test]
fn a_tool_with_a_bad_annotation_is_left_out_and_not_called() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.request(RequestId(1), "tools/list", Map::new());
    let (_, told) = answer(&mut session, 2, tools("My City"));
    let [Event::Violated(violation), Event::Responded { outcome: Ok(result), .. }] = &told[..] else {
        panic!("{told:?}")
    };
    assert!(violation.rule == "x-mcp-header" && violation.message.contains("\"book\""), "{violation:?}");
    assert_eq!(result["tools"], json!([]));
    let refused = session.call(CallId(1), &booking(json!({})), None).unwrap_err();
    assert_eq!(refused.rule, "x-mcp-header");
}

#[test]
fn a_call_that_waits_for_the_list_can_be_cancelled() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let cancel = session.cancel(CallId(1), None, "why").remove(0);
    assert_eq!(cancel.role, Role::Cancellation { id: 2 });
    let (sent, told) = answer(&mut session, 2, tools("City"));
    assert!(sent.is_empty() && told.is_empty(), "{told:?}");
}

#[test]
fn in_older_revisions_and_elsewhere_nothing_is_looked_up() {
    let mut old = session(Revision::V2025_11_25);
    let message = old.call(CallId(1), &booking(json!({})), None).unwrap();
    assert_eq!((method(&message), fields(&message).len()), ("tools/call".into(), 0));
    let mut stdio = Session::new(Revision::V2026_07_28, ALL, json!({}), 2);
    assert_eq!(method(&stdio.call(CallId(1), &booking(json!({})), None).unwrap()), "tools/call");
}

#[test]
fn what_is_asked_in_reply_to_one_call_belongs_to_that_call() {
    let mut session = session(Revision::V2025_11_25);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let _ = session.call(CallId(2), &booking(json!({})), None).unwrap();
    let ask = r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#;
    let received = session.receive(incoming::read_http(Frame::Line(ask.into())), Channel::ReplyTo(3));
    assert!(matches!(&received.events[..], [Event::Asked { calls, .. }] if *calls == [CallId(2)]), "{received:?}");
}

#[test]
fn t06_an_error_without_an_id_belongs_to_the_request_that_it_answers() {
    let mut session = session(Revision::V2025_11_25);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let _ = session.call(CallId(2), &booking(json!({})), None).unwrap();
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#;
    let received = session.receive(incoming::read_http(Frame::Line(error.into())), Channel::ReplyTo(3));
    assert!(matches!(&received.events[..], [Event::Errored { call: CallId(2), .. }]), "{received:?}");
}

#[test]
fn a_request_without_an_answer_fails_alone() {
    let mut session = session(Revision::V2025_11_25);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let _ = session.request(RequestId(1), "prompts/list", Map::new());
    let lost = |may_have_acted| Undelivered { detail: "connection reset".into(), may_have_acted };
    let told = session.undelivered(2, lost(true)).events;
    assert_eq!(told, [Event::Undelivered { call: CallId(1), undelivered: lost(true) }]);
    assert!(matches!(&session.undelivered(3, lost(false)).events[..], [Event::Responded { outcome: Err(_), .. }]));
    assert!(session.undelivered(3, lost(true)).events.is_empty(), "nothing waits any more");
}

#[test]
fn a_call_whose_list_is_lost_has_done_nothing() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({})), None).unwrap();
    let told = session.undelivered(2, Undelivered { detail: "x".into(), may_have_acted: true }).events;
    assert!(matches!(&told[..], [Event::Undelivered { undelivered, .. }] if !undelivered.may_have_acted), "{told:?}");
}

#[test]
fn tools_that_changed_are_looked_up_again_before_the_next_call_and_once() {
    let mut session = session(Revision::V2026_07_28);
    let _ = session.call(CallId(1), &booking(json!({ "city": "Rome" })), None).unwrap();
    let (sent, _) = answer(&mut session, 2, tools("City"));
    let _ = answer(&mut session, 3, json!({ "result": { "resultType": "complete", "content": [] } }));
    assert_eq!(method(&sent[0]), "tools/call");
    for _ in 0..3 {
        let notice = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
        let received = session.receive(incoming::read_http(Frame::Line(notice.into())), Channel::Shared);
        assert_eq!((received.replies.len(), received.events.len()), (0, 1));
    }
    let second = session.call(CallId(2), &booking(json!({ "city": "Rome" })), None).unwrap();
    assert_eq!(method(&second), "tools/list");
    let (sent, _) = answer(&mut session, 4, tools("Town"));
    assert_eq!(fields(&sent[0])[2], "Mcp-Param-Town: Rome");
}

#[test]
fn a_tool_that_was_listed_in_an_earlier_run_is_called_at_once() {
    let mut session = session(Revision::V2026_07_28);
    let Value::Array(listed) = tools("City")["result"]["tools"].clone() else { panic!("tools are a list") };
    session.know_tools(listed);
    let call = session.call(CallId(1), &booking(json!({ "city": "Rome" })), None).unwrap();
    assert_eq!((method(&call), fields(&call)[2].as_str()), ("tools/call".into(), "Mcp-Param-City: Rome"));
}
