//! The one JSON document of `--json`.

use askback_core::answer::Answer;
use askback_core::ask::AskBody;
use askback_core::engine::Decided;
use askback_core::violation::Violation;
use askback_host::sandbox::Sandbox;
use askback_wire::Revision;
use serde_json::{Value, json};

use crate::failure::Failure;

/// What is known of a call, from beginning to end.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) server: String,
    pub(crate) subject: String,
    pub(crate) revision: Option<Revision>,
    pub(crate) result: Option<Value>,
    pub(crate) failure: Option<Failure>,
    pub(crate) rounds: u32,
    pub(crate) asks: Vec<Decided>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) duration_ms: u64,
    pub(crate) human_ms: u64,
    /// What the server may reach, if it has a sandbox.
    pub(crate) sandbox: Option<Sandbox>,
}

impl Document {
    pub(crate) fn to_value(&self) -> Value {
        json!({
            "server": self.server,
            "tool": self.subject,
            "era": self.revision.map(|revision| revision.era().as_str()),
            "protocolVersion": self.revision.map(Revision::as_str),
            "result": self.result,
            "error": self.failure.as_ref().map(Failure::to_value),
            "rounds": self.rounds,
            "asks": self.asks.iter().map(ask).collect::<Vec<_>>(),
            "violations": self.violations.iter().map(violation).collect::<Vec<_>>(),
            "durationMs": self.duration_ms,
            "humanMs": self.human_ms,
        })
    }
}

pub(crate) fn violation(violation: &Violation) -> Value {
    json!({ "rule": violation.rule, "message": violation.message })
}

pub(crate) fn ask(decided: &Decided) -> Value {
    let model = match &decided.answer {
        Answer::Sampled(reply) => Some(reply.model.as_str()),
        _ => None,
    };
    json!({
        "round": decided.round,
        "key": decided.key,
        "kind": decided.ask.as_ref().map(|ask| ask.kind().as_str()),
        "message": decided.ask.as_ref().and_then(|ask| ask.message()),
        "action": decided.answer.action_str(),
        "content": content(decided),
        "by": decided.by.as_str(),
        "model": model,
    })
}

/// What went out, with secrets masked.
pub(crate) fn content(decided: &Decided) -> Value {
    match &decided.answer {
        Answer::Submitted { content } => match decided.ask.as_ref().map(|ask| &ask.body) {
            Some(AskBody::Form(form)) => Value::Object(form.form.mask_secrets(content)),
            _ => Value::Object(content.clone()),
        },
        Answer::Sampled(reply) => reply.to_value().get("content").cloned().unwrap_or(Value::Null),
        Answer::Roots(roots) => roots.iter().map(|root| json!({ "uri": root.uri, "name": root.name })).collect(),
        Answer::Consented | Answer::Declined { .. } | Answer::Cancelled | Answer::Refused(_) => Value::Null,
    }
}
