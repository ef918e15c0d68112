//! `demo`: a vacation is booked with a server that asks back.
//!
//! With a person at the terminal the server's questions are theirs to answer; without one the answer file that comes with the program plays
//! their part and the conversation is printed.

use std::time::Instant;

use askback_core::Operation;
use askback_core::display::neutralise;
use askback_host::Host;
use askback_wire::{Era, Revision};
use serde_json::{Map, Value};

use crate::command_line::{Options, Verb};
use crate::console::Console;
use crate::document::Document;
use crate::failure::{Failure, FailureKind};
use crate::run_call::{self, print_out};
use crate::show_result;
use crate::target::Setup;
use crate::watch::Watch;
use crate::wording;

/// The part of the person, when there is none.
const ANSWERS: &str = include_str!("../demo/answers.toml");
/// What the server is called.
const SERVER: &str = "travel";
/// What is called.
const TOOL: &str = "book_vacation";

/// Serves the travel server: over standard input and output, or over HTTP on a port of loopback, whose address it prints.
///
/// # Errors
/// Why it cannot serve.
pub(crate) async fn serve(http: Option<u16>) -> Result<(), Box<dyn std::error::Error>> {
    let Some(port) = http else { return Ok(askback_travel::serve_stdio().await?) };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    print_out(&format!("http://{}{}", listener.local_addr()?, askback_travel::PATH));
    match askback_travel::serve_http(listener).await? {}
}

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, options: &Options) -> u8 {
    let texts = &console.texts;
    let scripted = !console.interactive && options.answers.is_empty();
    let setup = Setup::read(console, options).and_then(|mut setup| {
        if scripted {
            setup.add_answers(&texts.get("demo-answers"), ANSWERS)?;
        }
        let program = std::env::current_exe()
            .map_err(|error| Failure::new(FailureKind::Connect, error.to_string()))?
            .display()
            .to_string();
        let target = setup.command(&[program, "demo".into(), "server".into()], Some(SERVER));
        Ok((setup, target))
    });
    let (setup, target) = match setup {
        Ok(ready) => ready,
        Err(failure) => {
            wording::print_failure(texts, &failure, console.colour);
            return failure.kind.exit_code();
        }
    };
    print_out(&texts.get(if scripted { "demo-intro-scripted" } else { "demo-intro" }));
    print_out("");
    let (host, notices) = Host::start(setup.host_options([&target.spec], None));
    let mut watch = Watch::new(console, notices, !console.interactive);
    let mut document = Document { server: SERVER.into(), subject: TOOL.into(), ..Document::default() };
    let mut arguments = Map::new();
    arguments.insert("destination".into(), Value::from("Barcelona"));
    let operation = Operation::Tool { name: TOOL.into(), arguments };
    let began = Instant::now();
    let outcome = run_call::converse(console, &host, target, operation, &mut watch, &mut document).await;
    document.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    run_call::finish(console, &host, outcome, options, &mut watch, &mut document).await;
    if console.interactive {
        print_out("");
    }
    if options.json {
        print_out(&serde_json::to_string_pretty(&document.to_value()).unwrap_or_default());
    } else if let Some(result) = &document.result {
        print_out(&format!("◆ {}", texts.format("demo-result", &[("server", SERVER.into())])));
        for line in neutralise(&show_result::text(console, Verb::Tool, result)).lines() {
            print_out(&format!("  │ {line}"));
        }
        print_out("");
        let other = match document.revision.map(Revision::era) {
            Some(Era::Legacy) => Revision::NEWEST_MODERN,
            Some(Era::Modern) | None => Revision::NEWEST_LEGACY,
        };
        let variables = [("version", version(&document).into()), ("other", other.as_str().into())];
        print_out(&texts.format("demo-outro", &variables));
    }
    let code = run_call::conclude_failure(console, &document);
    run_call::shut_down(&host, &mut watch.interrupts).await;
    code
}

fn version(document: &Document) -> &'static str {
    document.revision.map_or("?", |revision| revision.as_str())
}
