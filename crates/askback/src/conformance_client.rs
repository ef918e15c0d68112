//! The client that the official conformance suite runs: `askback conformance-client URL`, told by its environment what to do.
//!
//! Hidden, since it is of use to nobody else. Everything that matters is what `askback call` does; only the answers are scripted, and so is
//! the browser of a login.

use std::sync::Arc;

use askback_auth::browser::HeadlessBrowser;
use askback_auth::secret::Secret;
use askback_auth::settings::{
    Algorithm, EnterpriseClient, Grant, IdentityProvider, MachineClient, Proof, RegisteredClient,
};
use askback_auth::store::MemoryStore;
use askback_auth::{OAuthAuthorizer, Settings};
use askback_core::call::{Operation, TimeLimits};
use askback_core::engine::Ending;
use askback_host::authorization::Authorizer;
use askback_host::{Connected, Host, ServerSource};
use serde_json::{Map, Value, json};
use url::Url;

use crate::command_line::Options;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::list::{self, Lists};
use crate::target::{Setup, Target};
use crate::{connect_failure, wording};

/// What the person of the suite answers.
const ANSWERS: &str = r#"
[[answer]]
tool = "test_client_elicitation_defaults"
kind = "form"
action = "accept"
content = { name = "John Doe", age = 30, score = 95.5, status = "active", verified = true }

[[answer]]
tool = "test_mrtr_*"
kind = "form"
action = "accept"
content = { confirmed = true }
times = 0
"#;

/// Where the suite expects what it is told of us to lie; nobody looks.
const METADATA_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
/// Where its authorization servers send nobody.
const REDIRECT: &str = "http://127.0.0.1:3000/callback";

/// What the suite wants done.
#[derive(Debug)]
struct Task {
    scenario: String,
    context: Map<String, Value>,
}

/// Runs one scenario and gives the exit code: 0 when everything had its answer.
pub(crate) async fn run(console: &Console, url: &str) -> u8 {
    match play(console, url).await {
        Ok(()) => 0,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

async fn play(console: &Console, url: &str) -> Result<(), Failure> {
    let variable = |name: &str| std::env::var(format!("MCP_CONFORMANCE_{name}")).ok();
    let context = variable("CONTEXT").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let task = Task { scenario: variable("SCENARIO").unwrap_or_default(), context };
    let options = Options { protocol: variable("PROTOCOL_VERSION"), no_input: true, ..Options::default() };
    let mut setup = Setup::read(console, &options)?;
    setup.add_answers("conformance", ANSWERS)?;
    let target = setup.named(url, Some("conformance"), &console.texts)?;
    let (host, notices) = Host::start(setup.host_options([&target.spec], None));
    drop(notices);
    let outcome = converse(console, &host, target, &task).await;
    host.shut_down().await;
    outcome
}

async fn converse(console: &Console, host: &Host, target: Target, task: &Task) -> Result<(), Failure> {
    let Target { mut spec, limits, .. } = target;
    spec.authorizer = task.authorizer(console, &spec.source);
    let connected = host.connect(spec).await;
    let connected = connected.map_err(|error| connect_failure::connect_failure(&console.texts, &error))?;
    let lists = list::lists(host, &connected.name, &connected, limits.leg).await;
    let lists = lists.map_err(|error| wording::request_failure(&console.texts, &connected.name, &error))?;
    for operation in task.operations(&lists) {
        call(console, host, &connected, operation, limits).await?;
    }
    Ok(())
}

async fn call(
    console: &Console,
    host: &Host,
    connected: &Connected,
    operation: Operation,
    limits: TimeLimits,
) -> Result<(), Failure> {
    let ending = host.call(connected.name.clone(), operation, limits).ending().await;
    match ending {
        Some(Ending { outcome: Ok(_), .. }) => Ok(()),
        Some(Ending { outcome: Err(failure), .. }) => Err(wording::call_failure(&console.texts, connected, &failure)),
        None => Err(Failure::new(FailureKind::Interrupted, console.texts.get("failed-interrupted"))),
    }
}

impl Task {
    /// What gets the tokens: as `askback call` has it, with a browser that nobody looks at and nothing kept.
    fn authorizer(&self, console: &Console, source: &ServerSource) -> Option<Arc<dyn Authorizer>> {
        let ServerSource::Address(address) = source else { return None };
        let mut settings = Settings::new("conformance", &address.url, console.texts.lang());
        settings.client.metadata_document = Url::parse(METADATA_DOCUMENT).ok();
        let text = |key: &str| self.context.get(key).and_then(Value::as_str).map(str::to_owned);
        let client = |id: &str, secret: &str| RegisteredClient {
            id: text(id).unwrap_or_default(),
            secret: text(secret).map(Secret::new),
            issuer: None,
        };
        if let Some(id_token) = text("idp_id_token") {
            settings.grant = Grant::Enterprise(EnterpriseClient {
                client: client("client_id", "client_secret"),
                provider: IdentityProvider {
                    issuer: text("idp_issuer")?,
                    token_endpoint: text("idp_token_endpoint")?,
                    client: client("idp_client_id", ""),
                    id_token: Secret::new(id_token),
                },
            });
        } else if self.scenario.starts_with("auth/client-credentials") {
            let proof = match (text("private_key_pem"), text("client_secret")) {
                (Some(key), _) => {
                    Proof::Key { key: Secret::new(key), algorithm: Algorithm::from_name(&text("signing_algorithm")?)? }
                }
                (None, secret) => Proof::Secret(Secret::new(secret?)),
            };
            settings.grant = Grant::Machine(MachineClient { id: text("client_id")?, proof, issuer: None });
        } else if text("client_id").is_some() {
            settings.client.registered = Some(client("client_id", "client_secret"));
        }
        let browser = Arc::new(HeadlessBrowser::new(&settings.server, REDIRECT));
        Some(Arc::new(OAuthAuthorizer::new(settings, Arc::new(MemoryStore::default()), Some(browser))))
    }

    /// Everything that is called, in this order.
    fn operations(&self, lists: &Lists) -> Vec<Operation> {
        let of = |key: &str| {
            let found = lists.iter().find(|(name, _)| *name == key);
            found.map(|(_, items)| items.as_slice()).unwrap_or_default()
        };
        let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let tools = of("tools");
        let mut operations = match self.context.get("toolCalls").and_then(Value::as_array) {
            Some(calls) => calls.iter().filter_map(wanted_call).collect(),
            None => tools.iter().filter_map(|tool| self.tool_call(tool, tools)).collect::<Vec<_>>(),
        };
        if self.scenario == "http-standard-headers" {
            let uris = of("resources").iter().filter_map(|item| text(item, "uri"));
            operations.extend(uris.map(|uri| Operation::Resource { uri }));
            let names = of("prompts").iter().filter_map(|item| text(item, "name"));
            operations.extend(names.map(|name| Operation::Prompt { name, arguments: Map::new() }));
        }
        operations
    }

    fn tool_call(&self, tool: &Value, tools: &[Value]) -> Option<Operation> {
        let name = tool.get("name")?.as_str()?;
        let arguments = match (self.scenario.as_str(), name) {
            // These are there to be looked at.
            ("json-schema-ref-no-deref", _) | (_, "json_schema_2020_12_tool") => return None,
            (_, "add_numbers") => json!({ "a": 2, "b": 3 }),
            (_, "valid_tool") => json!({ "region": "x" }),
            (_, "json_schema_echo") => {
                let shown = tools.iter().find(|tool| tool["name"] == "json_schema_2020_12_tool")?;
                json!({ "schema": shown["inputSchema"] })
            }
            _ => json!({}),
        };
        let Value::Object(arguments) = arguments else { return None };
        Some(Operation::Tool { name: name.to_owned(), arguments })
    }
}

fn wanted_call(call: &Value) -> Option<Operation> {
    let name = call.get("name")?.as_str()?.to_owned();
    let arguments = call.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    Some(Operation::Tool { name, arguments })
}
