//! What a conversation came to, as `--json` has it, and how its last turn is judged.

use askback_core::violation::Violation;
use askback_desk::Texts;
use askback_desk::chat::{ChatEnd, ChatEvent, ChatUsage, ConsentBy, ToolCallView};
use serde_json::{Value, json};

use crate::document::violation;
use crate::failure::{Failure, FailureKind};

/// What is known of a conversation.
#[derive(Debug, Default)]
pub(crate) struct ChatDocument {
    /// The user's name for the model.
    pub(super) model: String,
    pub(super) servers: Vec<Value>,
    /// What the model said last.
    pub(super) text: String,
    calls: Vec<Value>,
    pub(super) asks: Vec<Value>,
    pub(super) violations: Vec<Violation>,
    usage: ChatUsage,
    end: Option<ChatEnd>,
    /// Calls that were not made because nobody was there, as `--allow` takes them.
    unallowed: Vec<String>,
    /// What nobody could answer, and entries for it.
    pub(super) faults: Vec<String>,
    pub(super) failure: Option<Failure>,
    pub(super) transcript: Option<String>,
    pub(super) duration_ms: u64,
}

impl ChatDocument {
    /// Takes in what happened.
    pub(super) fn take(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::Said { text } => self.text = text,
            ChatEvent::Decided { call, allowed, by } => {
                if by == ConsentBy::Nobody {
                    let tool = format!("{}/{}", call.server.name, call.tool);
                    if !self.unallowed.contains(&tool) {
                        self.unallowed.push(tool);
                    }
                }
                self.calls.push(decided(&call, allowed, by));
            }
            ChatEvent::Returned { call, text, is_error, left_out } => {
                let made = self.calls.iter_mut().rev().find(|made| made["id"] == call.id.as_str());
                if let Some(made) = made {
                    made["text"] = text.into();
                    made["isError"] = is_error.into();
                    made["leftOut"] = left_out.into();
                }
            }
            ChatEvent::Ended { end, usage } => {
                self.usage.input += usage.input;
                self.usage.output += usage.output;
                if let Some(money) = usage.money {
                    self.usage.money = Some(self.usage.money.unwrap_or_default() + money);
                }
                self.end = Some(end);
            }
            ChatEvent::Thinking { .. } | ChatEvent::Text(_) | ChatEvent::Consent(_) | ChatEvent::NotKept { .. } => {}
        }
    }

    /// Why the last turn came to less than what was asked for.
    pub(super) fn turn_failure(&self, texts: &Texts) -> Option<Failure> {
        match &self.end {
            Some(ChatEnd::Failed { why }) => {
                let failure =
                    Failure::new(FailureKind::Model, texts.format("chat-model-failed", &[("why", why.into())]));
                return Some(failure.hint(texts.get("chat-model-failed-hint")));
            }
            Some(ChatEnd::Capped { rounds }) => {
                let variables = [("rounds", u64::from(*rounds).into())];
                let failure = Failure::new(FailureKind::Rounds, texts.format("chat-capped", &variables));
                return Some(failure.hint(texts.get("chat-capped-hint")));
            }
            Some(ChatEnd::Stopped) | None => {
                return Some(Failure::new(FailureKind::Interrupted, texts.get("failed-interrupted")));
            }
            Some(ChatEnd::Finished { .. }) => {}
        }
        if !self.faults.is_empty() {
            let mut failure = Failure::new(FailureKind::Unanswered, texts.get("failed-unanswered"));
            failure.details.clone_from(&self.faults);
            return Some(failure.hint(texts.get("failed-unanswered-hint")));
        }
        let first = self.unallowed.first()?;
        let mut failure = Failure::new(FailureKind::Unanswered, texts.get("chat-unallowed"));
        failure.details.clone_from(&self.unallowed);
        Some(failure.hint(texts.format("chat-unallowed-hint", &[("tool", first.into())])))
    }

    pub(super) fn to_value(&self) -> Value {
        let end = self.end.as_ref().map(|end| match end {
            ChatEnd::Finished { cut: false } => "finished",
            ChatEnd::Finished { cut: true } => "cut",
            ChatEnd::Capped { .. } => "capped",
            ChatEnd::Failed { .. } => "model-failed",
            ChatEnd::Stopped => "stopped",
        });
        let usage = &self.usage;
        json!({
            "model": self.model,
            "servers": self.servers,
            "text": self.text,
            "end": end,
            "calls": self.calls,
            "asks": self.asks,
            "usage": { "inputTokens": usage.input, "outputTokens": usage.output, "money": usage.money },
            "error": self.failure.as_ref().map(Failure::to_value),
            "violations": self.violations.iter().map(violation).collect::<Vec<_>>(),
            "transcript": self.transcript,
            "durationMs": self.duration_ms,
        })
    }
}

fn decided(call: &ToolCallView, allowed: bool, by: ConsentBy) -> Value {
    json!({
        "id": call.id,
        "server": call.server.name,
        "tool": call.tool,
        "arguments": call.arguments,
        "allowed": allowed,
        "by": by.as_str(),
    })
}
