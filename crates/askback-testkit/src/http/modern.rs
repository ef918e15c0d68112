//! Streamable HTTP as 2026-07-28 has it: each request is a POST of its own, and there are no sessions.

use serde_json::{Map, Value, json};

use crate::http::Shape;
use crate::http::exchange::{Head, Line, Piece, Received};
use crate::http::front::{Front, error, message};
use crate::http::session::LISTEN;
use crate::http::{mirrored, rules};

impl Front {
    /// Answers a request.
    pub(super) fn handle_modern(&mut self, request: &Received, line: Line) {
        if request.method != "POST" {
            rules::get(Shape::Modern, request).into_iter().for_each(|wrong| self.wrong(wrong));
            return line.send(Piece::Head(Head::empty(405).with("allow", "POST")));
        }
        let Some(message) = message(request) else {
            self.wrong(format!("the body of a POST is not one message: {}", request.body));
            return line.send(Piece::Head(error(400, None, json!({ "code": -32600, "message": "Invalid Request" }))));
        };
        rules::post(Shape::Modern, request, &message).into_iter().for_each(|wrong| self.wrong(wrong));
        let is_request = message.contains_key("method") && message.contains_key("id");
        if !is_request {
            self.tell_script("", &request.body);
            return line.send(Piece::Head(Head::empty(202)));
        }
        if let Some(refusal) = self.refusal(request, &message) {
            return line.send(Piece::Head(refusal));
        }
        let method = rules::name(&message);
        self.has_listed |= method == "tools/list";
        let listens = method == LISTEN;
        self.ask_script("", request, &message, line, &[]);
        if listens {
            self.catch_up("");
        }
    }

    /// What is answered when the headers do not agree with the body. The method decides about `initialize`, which is no request of this
    /// revision.
    fn refusal(&mut self, request: &Received, message: &Map<String, Value>) -> Option<Head> {
        if rules::name(message) == "initialize" {
            return None;
        }
        let id = message.get("id");
        let tools = self.script.tools.clone();
        let mismatches = mirrored::mismatches(request, message, &tools);
        // Without the list of tools a client cannot know of the headers of parameters: it learns of them by being refused.
        let excused = !self.has_listed;
        let held_against = mismatches.iter().filter(|mismatch| !(mismatch.needs_the_list && excused));
        held_against.for_each(|mismatch| self.wrong(mismatch.what.clone()));
        mirrored::superfluous(request, message, &tools).into_iter().for_each(|wrong| self.wrong(wrong));
        if let Some(mismatch) = mismatches.first() {
            let message = format!("Header mismatch: {}", mismatch.what);
            return Some(error(400, id, json!({ "code": -32020, "message": message })));
        }
        let version = request.header("mcp-protocol-version");
        if version != Some(self.revision.as_str()) {
            let data = json!({ "supported": [self.revision], "requested": version });
            let refused = json!({ "code": -32022, "message": "Unsupported protocol version", "data": data });
            return Some(error(400, id, refused));
        }
        None
    }
}
