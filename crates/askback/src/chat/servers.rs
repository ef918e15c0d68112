//! The servers of a conversation: connected all at once, with the tools that they list.

use std::time::Duration;

use askback_core::ServerName;
use askback_core::call::TimeLimits;
use askback_host::chat::{ChatServer, ChatTool, ServerNotes};
use askback_host::{Connected, Host};
use serde_json::{Map, Value, json};

use crate::authorization::Person;
use crate::console::Console;
use crate::failure::Failure;
use crate::target::Target;
use crate::{connect_failure, listing, wording};

/// A server that was to be connected.
pub(super) struct Ready {
    name: ServerName,
    source: String,
    limits: TimeLimits,
    pub(super) outcome: Result<Connected, Failure>,
    pub(super) tools: Vec<ChatTool>,
}

impl Ready {
    /// What it says of itself, if it does.
    pub(super) fn notes(&self) -> Option<ServerNotes> {
        let instructions = self.outcome.as_ref().ok()?.instructions.clone().filter(|text| !text.trim().is_empty())?;
        Some(ServerNotes { server: self.name.clone(), instructions })
    }

    pub(super) fn into_server(self) -> (ServerName, ChatServer) {
        (self.name, ChatServer { source: self.source, limits: self.limits })
    }
}

/// Connects all of them at the same time; one that fails does not hold up the others.
pub(super) async fn connect(console: &Console, host: &Host, targets: Vec<Target>) -> Vec<Ready> {
    if !targets.is_empty() {
        let names: Vec<&str> = targets.iter().map(|target| target.spec.name.as_str()).collect();
        console.status(&console.texts.format("chat-connecting", &[("servers", names.join(", ").into())]));
    }
    let tasks: Vec<_> = targets
        .into_iter()
        .map(|mut target| {
            target.let_in(console, Person::Absent);
            let (host, texts) = (host.clone(), console.texts.clone());
            tokio::spawn(async move {
                let Target { spec, limits, .. } = target;
                let (name, source) = (spec.name.clone(), spec.source.line());
                if spec.declared.form {
                    // While the server starts there is time for it.
                    std::thread::spawn(askback_core::form::warm_up);
                }
                let connected = match host.connect(spec).await {
                    Ok(connected) => connected,
                    Err(error) => {
                        let outcome = Err(connect_failure::connect_failure(&texts, &error));
                        return Ready { name, source, limits, outcome, tools: Vec::new() };
                    }
                };
                match tools(&host, &connected, limits.leg).await {
                    Ok(tools) => Ready { name, source, limits, outcome: Ok(connected), tools },
                    Err(error) => {
                        let outcome = Err(wording::request_failure(&texts, &name, &error));
                        Ready { name, source, limits, outcome, tools: Vec::new() }
                    }
                }
            })
        })
        .collect();
    let mut ready = Vec::new();
    for task in tasks {
        ready.extend(task.await);
    }
    ready
}

async fn tools(
    host: &Host,
    connected: &Connected,
    limit: Duration,
) -> Result<Vec<ChatTool>, askback_host::RequestError> {
    if connected.capabilities.get("tools").is_none() {
        return Ok(Vec::new());
    }
    let listed = listing::all(host, &connected.name, "tools/list", "tools", limit).await?;
    Ok(listed.iter().filter_map(|listed| ChatTool::read(&connected.name, listed)).collect())
}

/// A server in the document.
pub(super) fn document(ready: &Ready) -> Value {
    match &ready.outcome {
        Ok(connected) => json!({
            "server": ready.name.as_str(),
            "era": connected.revision.era().as_str(),
            "protocolVersion": connected.revision.as_str(),
            "tools": ready.tools.len(),
            "error": null,
        }),
        Err(failure) => json!({ "server": ready.name.as_str(), "error": failure.to_value() }),
    }
}

/// The first line of a transcript.
pub(super) fn began(model: &str, id: &str, ready: &[Ready]) -> Map<String, Value> {
    let servers: Vec<Value> = ready
        .iter()
        .map(|server| {
            let mut value = document(server);
            value["source"] = server.source.as_str().into();
            value
        })
        .collect();
    let line = [
        ("type", json!("began")),
        ("askback", json!(env!("CARGO_PKG_VERSION"))),
        ("model", json!(model)),
        ("modelId", json!(id)),
        ("servers", json!(servers)),
    ];
    line.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
