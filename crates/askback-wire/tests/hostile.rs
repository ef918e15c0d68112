//! Whatever a server writes, nothing panics, and a modern server never gets a response.

use askback_core::call::{CallId, Operation};
use askback_wire::framing::Framer;
use askback_wire::handshake::Step;
use askback_wire::{Channel, Declared, Handshake, ProtocolChoice, Revision, Session, incoming};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0u64..5).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "2.0",
            "input_required",
            "complete",
            "roots/list",
            "elicitation/create",
            "sampling/createMessage",
            "ping",
            "notifications/cancelled",
            "notifications/progress",
            "2026-07-28",
            "2025-11-25",
            "form",
            "url",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let names = prop_oneof![
            prop::sample::select(vec![
                "jsonrpc",
                "id",
                "method",
                "params",
                "result",
                "error",
                "code",
                "message",
                "data",
                "supported",
                "supportedVersions",
                "protocolVersion",
                "resultType",
                "inputRequests",
                "requestState",
                "mode",
                "requestedSchema",
                "type",
                "properties",
                "messages",
                "maxTokens",
                "requestId",
                "progressToken",
                "_meta",
            ])
            .prop_map(str::to_owned),
            ".{0,4}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A message that looks right at the top, so that what is inside gets read.
fn any_message() -> impl Strategy<Value = Value> {
    (any_value(), any_value(), any_value(), 0usize..4).prop_map(|(id, method, inner, shape)| match shape {
        0 => json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": inner }),
        1 => json!({ "jsonrpc": "2.0", "id": 2, "result": inner }),
        2 => json!({ "jsonrpc": "2.0", "id": 1, "error": inner }),
        _ => inner,
    })
}

fn sessions() -> Vec<Session> {
    let operation = Operation::Resource { uri: "x:/".into() };
    let all = Revision::ALL.into_iter().map(|revision| Session::new(revision, ALL, json!({}), 2));
    let mut all: Vec<Session> = all.collect();
    for session in &mut all {
        let _ = session.call(CallId(1), &operation, None).expect("it can be sent");
    }
    all
}

proptest! {
    #[test]
    fn any_messages_are_survived(messages in prop::collection::vec(any_message(), 1..6)) {
        for mut session in sessions() {
            for message in &messages {
                for frame in Framer::new(10_000).push(format!("{message}\n").as_bytes()) {
                    let received = session.receive(incoming::read(frame), Channel::Shared);
                    let modern = session.revision() == Revision::V2026_07_28;
                    prop_assert!(!modern || received.replies.is_empty());
                    for reply in received.replies {
                        prop_assert!(!reply.line.contains('\n') && serde_json::from_str::<Value>(&reply.line).is_ok());
                    }
                }
            }
        }
        for choice in [ProtocolChoice::Auto, ProtocolChoice::RememberedLegacy, ProtocolChoice::Only(Revision::V2025_11_25)] {
            let mut handshake = Handshake::new(choice, ALL, json!({}));
            let _ = handshake.begin();
            for message in &messages {
                for frame in Framer::new(10_000).push(format!("{message}\n").as_bytes()) {
                    if matches!(handshake.received(incoming::read(frame)), Step::StartFresh) {
                        let _ = handshake.begin();
                    }
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_survived_in_bounded_memory(bytes in prop::collection::vec(any::<u8>(), 0..400), limit in 1usize..100) {
        let mut session = sessions().remove(0);
        let mut framer = Framer::new(limit);
        let mut frames = framer.push(&bytes);
        frames.extend(framer.push(b"\n"));
        frames.extend(framer.finish());
        for frame in frames {
            let _ = session.receive(incoming::read(frame), Channel::Shared);
        }
    }

    #[test]
    fn broken_messages_are_survived(message in any_message(), cut in 0usize..200, junk in ".{0,3}") {
        let text = message.to_string();
        let at = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
        for mut session in sessions() {
            for frame in Framer::new(64).push(format!("{}{junk}{}\n", &text[..at], &text[at..]).as_bytes()) {
                let _ = session.receive(incoming::read(frame), Channel::Shared);
            }
        }
    }
}
