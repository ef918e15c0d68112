//! What a server writes: bytes become lines and events however they arrive, and lines are survived by every session.

use askback_core::call::{CallId, Operation};
use askback_wire::framing::{Frame, Framer};
use askback_wire::handshake::Step;
use askback_wire::http::{EventStream, ServerEvent};
use askback_wire::{Channel, Declared, Handshake, ProtocolChoice, Revision, Session, incoming};
use serde_json::{Value, json};

const ALL: Declared =
    Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };
/// Limits on a message, chosen by the first byte.
const LIMITS: [usize; 4] = [10_000, 300, 64, 0];

/// The input is a byte that says how the rest arrives (`0` for all at once), and what a server writes.
pub fn run(data: &[u8]) {
    let Some((how, bytes)) = data.split_first() else { return };
    let limit = LIMITS[usize::from(how & 3)];
    let frames = frames(limit, bytes, bytes.len().max(1));
    let piece = usize::from(how >> 2 & 7) + 1;
    assert_eq!(frames, self::frames(limit, bytes, piece), "in pieces of {piece}");
    for frame in &frames {
        if let Frame::Line(line) = frame {
            assert!(line.len() <= limit && !line.trim().is_empty() && !line.contains('\n'));
        }
        if let incoming::Incoming::Noise(noise) = incoming::read(frame.clone()) {
            assert!(noise.message.chars().count() < 400, "{}", noise.message);
        }
    }
    sessions(&frames);
    handshakes(&frames);
    assert_eq!(events(limit, bytes, bytes.len().max(1)), events(limit, bytes, piece), "events in pieces of {piece}");
}

/// The events of a stream, with the place where it stands.
fn events(limit: usize, bytes: &[u8], piece: usize) -> (Vec<ServerEvent>, Option<String>, Option<u64>) {
    let mut stream = EventStream::new(limit);
    let events: Vec<ServerEvent> = bytes.chunks(piece).flat_map(|piece| stream.push(piece)).collect();
    for event in &events {
        if let Frame::Line(data) = &event.data {
            assert!(data.len() <= limit && !data.trim().is_empty());
        }
    }
    (events, stream.last_id().map(str::to_owned), stream.retry())
}

fn frames(limit: usize, bytes: &[u8], piece: usize) -> Vec<Frame> {
    let mut framer = Framer::new(limit);
    let mut frames: Vec<Frame> = bytes.chunks(piece).flat_map(|piece| framer.push(piece)).collect();
    frames.extend(framer.finish());
    frames
}

fn sessions(frames: &[Frame]) {
    let operation = Operation::Resource { uri: "x:/".into() };
    for revision in Revision::ALL {
        let mut session = Session::new(revision, ALL, json!({}), 2);
        let _ = session.call(CallId(1), &operation, None).expect("it can be sent");
        for frame in frames {
            let received = session.receive(incoming::read(frame.clone()), Channel::Shared);
            let modern = revision == Revision::V2026_07_28;
            assert!(!modern || received.replies.is_empty(), "a modern server gets no responses");
            for reply in received.replies.into_iter().map(|reply| reply.line) {
                assert!(!reply.contains('\n') && serde_json::from_str::<Value>(&reply).is_ok(), "{reply}");
            }
        }
    }
}

fn handshakes(frames: &[Frame]) {
    let only = ProtocolChoice::Only(Revision::V2025_11_25);
    for choice in [ProtocolChoice::Auto, ProtocolChoice::RememberedLegacy, only] {
        let mut handshake = Handshake::new(choice, ALL, json!({}));
        let _ = handshake.begin();
        for frame in frames {
            if matches!(handshake.received(incoming::read(frame.clone())), Step::StartFresh) {
                let _ = handshake.begin();
            }
        }
    }
}
