//! What passed through the proxy, connection by connection: a later run is cut where this one had bytes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::plan::Way;

/// How much of what a client got is kept.
const KEPT: usize = 256 * 1024;

/// What passed through. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Traffic(Arc<Mutex<Vec<Passed>>>);

/// What passed on one connection.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// The bytes that the client sent.
    pub to_server: usize,
    /// The bytes that the client got.
    pub to_client: usize,
    /// The last of what the client got.
    pub heard: Vec<u8>,
    /// Whether the plan broke it off.
    pub was_cut: bool,
}

impl Traffic {
    /// All connections so far, in the order in which they were made.
    pub fn connections(&self) -> Vec<Passed> {
        self.lock().clone()
    }

    /// The connection that was broken off, if one was.
    pub fn cut(&self) -> Option<Passed> {
        self.lock().iter().find(|passed| passed.was_cut).cloned()
    }

    /// Opens an account for a further connection, and says its number, counted from 1.
    pub(super) fn connected(&self) -> u32 {
        let mut connections = self.lock();
        connections.push(Passed::default());
        u32::try_from(connections.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn passed(&self, connection: u32, way: Way, bytes: &[u8]) {
        self.with(connection, |passed| match way {
            Way::ToServer => passed.to_server += bytes.len(),
            Way::ToClient => {
                passed.to_client += bytes.len();
                passed.heard.extend_from_slice(bytes);
                let too_much = passed.heard.len().saturating_sub(KEPT);
                passed.heard.drain(..too_much);
            }
        });
    }

    pub(super) fn was_cut(&self, connection: u32) {
        self.with(connection, |passed| passed.was_cut = true);
    }

    fn with(&self, connection: u32, change: impl FnOnce(&mut Passed)) {
        let at = usize::try_from(connection).unwrap_or_default().wrapping_sub(1);
        if let Some(passed) = self.lock().get_mut(at) {
            change(passed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Passed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passed {
    /// Whether the client can go on where the connection broke off: the last answer on it is a stream of events, and at least one whole event
    /// with an id has come. What this does not recognise counts as no.
    pub fn can_be_gone_on_with(&self) -> bool {
        let heard = String::from_utf8_lossy(&self.heard);
        let Some((_, answer)) = heard.rsplit_once("HTTP/1.1 ") else { return false };
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
        let is_stream = head.starts_with("200") && head.to_ascii_lowercase().contains("text/event-stream");
        let has_id = body.find("id: ").is_some_and(|at| body[at..].contains("\n\n"));
        is_stream && has_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heard: &str, can: bool) {
        let passed = Passed { heard: heard.into(), ..Passed::default() };
        assert_eq!(passed.can_be_gone_on_with(), can, "{heard:?}");
    }

    #[test]
    fn only_a_whole_event_with_an_id_is_a_place_to_go_on_from() {
        const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        check(&format!("{STREAM}10\r\nid: 1-0\ndata:\n\n\r\n"), true);
        check(&format!("{STREAM}10\r\nid: 1-0\ndata:\n"), false);
        check(&format!("{STREAM}10\r\ndata: 1\n\n\r\n"), false);
        check("HTTP/1.1 200 OK\r\nContent-Type: text/event-str", false);
        // A stream that was over before the next answer on the connection cannot be gone on with.
        check(&format!("{STREAM}10\r\nid: 1-0\ndata:\n\n\r\nHTTP/1.1 202 Accepted\r\n"), false);
        check("", false);
    }
}
