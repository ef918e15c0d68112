//! `list`: what servers offer.

use std::time::{Duration, Instant};

use askback_core::ServerName;
use askback_core::display::{neutralise_line, shorten};
use askback_host::sandbox::Sandbox;
use askback_host::{Connected, Host, Persistence};
use askback_wire::session::Interest;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use crate::authorization::Person;
use crate::command_line::{ListTask, Options};
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::interrupts::Interrupts;
use crate::run_call::{Prompts, interrupted, print_out, shut_down};
use crate::target::{Setup, Target};
use crate::{connect_failure, list_follow, listing, sandbox, wording};

/// The error of JSON-RPC for a method that the server does not know.
const METHOD_NOT_FOUND: i64 = -32601;
/// How wide a description may be in the table.
const DESCRIPTION: usize = 72;

/// The lists: capability, method, the key of the items, and the key that names one.
pub(crate) const LISTS: [(&str, &str, &str, &str); 4] = [
    ("tools", "tools/list", "tools", "name"),
    ("prompts", "prompts/list", "prompts", "name"),
    ("resources", "resources/list", "resources", "uri"),
    ("resources", "resources/templates/list", "resourceTemplates", "uriTemplate"),
];

/// The lists of one server, by the key of their items.
pub(crate) type Lists = Vec<(&'static str, Vec<Value>)>;

/// What one server offers.
pub(crate) struct Offer {
    pub(crate) server: String,
    source: String,
    sandbox: Option<Sandbox>,
    /// For one request.
    pub(crate) limit: Duration,
    pub(crate) outcome: Result<(Connected, Lists), Failure>,
}

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &ListTask, options: &Options) -> u8 {
    let targets = Setup::read(console, options).and_then(|setup| {
        let targets = targets(console, &setup, task.server.as_deref(), &task.command, options)?;
        Ok((setup, targets))
    });
    let (setup, targets) = match targets {
        Ok(found) => found,
        Err(failure) => {
            if options.json {
                print_out(&pretty(&json!({ "servers": [], "error": failure.to_value() })));
            }
            wording::print_failure(&console.texts, &failure, console.colour);
            return failure.kind.exit_code();
        }
    };
    let (host, notices) = Host::start(setup.host_options(targets.iter().map(|target| &target.spec), None));
    // A server may ask something as soon as it is connected.
    let prompts = console.interactive.then(|| Prompts::start(console, &host));
    let mut interrupts = Interrupts::listen();
    let began = Instant::now();
    let offers = tokio::select! {
        offers = all(console, &host, targets, task.follow) => offers,
        () = interrupts.next() => {
            wording::print_failure(&console.texts, &interrupted(console), console.colour);
            shut_down(&host, &mut interrupts).await;
            return FailureKind::Interrupted.exit_code();
        }
    };
    // While changes are followed a server may still ask something.
    let (prompts, waiting) = if task.follow { (None, prompts) } else { (prompts, None) };
    if let Some(prompts) = prompts {
        prompts.finish(&host).await;
    }
    let mut code = show(console, &offers, task.follow, options, began.elapsed());
    if task.follow && code == 0 {
        code = list_follow::run(console, &host, offers, notices, &mut interrupts, options.json).await;
    }
    if let Some(prompts) = waiting {
        prompts.finish(&host).await;
    }
    shut_down(&host, &mut interrupts).await;
    code
}

fn targets(
    console: &Console,
    setup: &Setup,
    server: Option<&str>,
    command: &[String],
    options: &Options,
) -> Result<Vec<Target>, Failure> {
    let texts = &console.texts;
    match (server, command.is_empty()) {
        (Some(_), false) => {
            Err(Failure::new(FailureKind::Usage, texts.get("usage-two-servers")).hint(texts.get("usage-list")))
        }
        (None, false) => Ok(vec![setup.command(command, options.name.as_deref())]),
        (Some(name), true) => Ok(vec![setup.named(name, options.name.as_deref(), texts)?]),
        (None, true) => {
            let names = setup.names();
            if names.is_empty() {
                return Err(Failure::new(FailureKind::Usage, texts.get("list-nothing"))
                    .hint(texts.get("target-none-configured")));
            }
            names.iter().map(|name| setup.named(name, None, texts)).collect()
        }
    }
}

/// All servers at the same time; one that fails does not hold up the others.
async fn all(console: &Console, host: &Host, targets: Vec<Target>, follow: bool) -> Vec<Offer> {
    let tasks: Vec<_> = targets
        .into_iter()
        .map(|mut target| {
            target.let_in(console, Person::Absent);
            let (host, texts) = (host.clone(), console.texts.clone());
            tokio::spawn(async move {
                let Target { spec, limits, .. } = target;
                let (name, source) = (spec.name.clone(), spec.source.line());
                let sandbox = spec.source.sandbox().cloned();
                let outcome = match host.connect(spec).await {
                    Ok(connected) => {
                        if follow {
                            // Before the lists are read, so that no change falls in between.
                            let interest = Interest::in_lists(&connected.capabilities);
                            host.listen(name.clone(), interest, Persistence::Restart);
                        }
                        match lists(&host, &name, &connected, limits.leg).await {
                            Ok(lists) => Ok((connected, lists)),
                            Err(error) => Err(wording::request_failure(&texts, &name, &error)),
                        }
                    }
                    Err(error) => Err(connect_failure::connect_failure(&texts, &error)),
                };
                Offer { server: name.to_string(), source, sandbox, limit: limits.leg, outcome }
            })
        })
        .collect();
    let mut offers = Vec::new();
    for task in tasks {
        if let Ok(offer) = task.await {
            offers.push(offer);
        }
    }
    offers
}

pub(crate) async fn lists(
    host: &Host,
    server: &ServerName,
    connected: &Connected,
    limit: Duration,
) -> Result<Lists, askback_host::RequestError> {
    let mut found = Vec::new();
    for (capability, method, key, _) in LISTS {
        if connected.capabilities.get(capability).is_none() {
            continue;
        }
        let items = match listing::all(host, server, method, key, limit).await {
            Ok(items) => items,
            // A server may offer resources and know nothing of templates.
            Err(askback_host::RequestError::Server(error)) if error.code == METHOD_NOT_FOUND => Vec::new(),
            Err(error) => return Err(error),
        };
        found.push((key, items));
    }
    Ok(found)
}

fn show(console: &Console, offers: &[Offer], follow: bool, options: &Options, took: Duration) -> u8 {
    let failed = offers.iter().find_map(|offer| offer.outcome.as_ref().err());
    if options.json {
        let servers: Vec<Value> = offers.iter().map(document).collect();
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let document = json!({ "servers": servers, "durationMs": took });
        // What follows is one line for each change, so this is one as well.
        print_out(&if follow { document.to_string() } else { pretty(&document) });
    } else {
        let text: Vec<String> =
            offers.iter().filter(|offer| offer.outcome.is_ok()).map(|offer| table(console, offer)).collect();
        if !text.is_empty() {
            print_out(&text.join("\n\n"));
        }
    }
    for offer in offers {
        if let Err(failure) = &offer.outcome {
            wording::print_failure(&console.texts, failure, console.colour);
        }
    }
    failed.map_or(0, |failure| failure.kind.exit_code())
}

fn document(offer: &Offer) -> Value {
    match &offer.outcome {
        Ok((connected, lists)) => {
            let mut object = Map::new();
            object.insert("server".into(), json!(offer.server));
            object.insert("era".into(), json!(connected.revision.era().as_str()));
            object.insert("protocolVersion".into(), json!(connected.revision.as_str()));
            object.insert("serverInfo".into(), connected.server_info.clone());
            object.insert("instructions".into(), json!(connected.instructions));
            object.insert("sandbox".into(), sandbox::document(offer.sandbox.as_ref()));
            for (key, items) in lists {
                object.insert((*key).into(), json!(items));
            }
            object.insert("error".into(), Value::Null);
            Value::Object(object)
        }
        Err(failure) => json!({ "server": offer.server, "error": failure.to_value() }),
    }
}

fn table(console: &Console, offer: &Offer) -> String {
    let Ok((connected, lists)) = &offer.outcome else { return String::new() };
    let texts = &console.texts;
    let variables = [
        ("server", (&offer.server).into()),
        ("version", connected.revision.as_str().into()),
        ("era", texts.get(&format!("era-{}", connected.revision.era().as_str())).into()),
    ];
    let mut lines = vec![texts.format("list-server", &variables), format!("  {}", offer.source)];
    lines.extend(offer.sandbox.iter().map(|sandbox| format!("  {}", sandbox::line(texts, sandbox))));
    let rows: Vec<(&str, Vec<(String, String)>)> = LISTS
        .iter()
        .filter_map(|(_, _, key, name)| {
            let items = lists.iter().find(|(found, _)| found == key).map(|(_, items)| items)?;
            (!items.is_empty()).then(|| (*key, items.iter().map(|item| row(item, name)).collect()))
        })
        .collect();
    let widest = rows.iter().flat_map(|(_, rows)| rows).map(|(name, _)| name.width()).max().unwrap_or(0).min(40);
    for (key, rows) in rows {
        lines.push(String::new());
        lines.push(texts.get(&format!("list-{key}")));
        for (name, description) in rows {
            let space = " ".repeat(widest.saturating_sub(name.width()));
            lines.push(format!("  {name}{space}  {description}").trim_end().to_owned());
        }
    }
    lines.join("\n")
}

pub(crate) fn row(item: &Value, name: &str) -> (String, String) {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    let title = item.pointer("/annotations/title").and_then(Value::as_str).unwrap_or_default();
    let description = [text("description"), text("title"), title].into_iter().find(|text| !text.is_empty());
    let first_line = description.unwrap_or_default().lines().next().unwrap_or_default();
    (neutralise_line(text(name)), shorten(&neutralise_line(first_line), DESCRIPTION))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
