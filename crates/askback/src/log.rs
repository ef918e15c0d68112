//! `log --disclosed SERVER`: what a server was given, when, and by whose decision.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use askback_core::display::{neutralise, neutralise_line};
use askback_core::sampling::MANUAL_MODEL;
use askback_desk::Texts;
use askback_host::disclosure::{Disclosure, DisclosureLog, Disclosures, Given, JsonLines, Said};
use askback_term::zone::Zone;

use crate::command_line::Options;
use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::run_call::print_out;
use crate::wording;

/// How many lines of one text are shown; the rest is counted.
const SHOWN: usize = 12;

/// Where it is written down what servers are given; nothing without a home.
pub(crate) fn disclosures() -> Option<Arc<dyn DisclosureLog>> {
    Some(Arc::new(JsonLines::new(file()?)))
}

fn file() -> Option<PathBuf> {
    console::state_folder().map(|folder| folder.join("disclosures.jsonl"))
}

/// Runs the command and gives its exit code.
pub(crate) fn run(console: &Console, server: &str, options: &Options) -> u8 {
    match disclosed(console, server, options) {
        Ok(()) => 0,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

fn disclosed(console: &Console, server: &str, options: &Options) -> Result<(), Failure> {
    let texts = &console.texts;
    let path = file().map(|path| path.display().to_string()).unwrap_or_default();
    let found = disclosures().map_or_else(|| Ok(Disclosures::default()), |log| log.of_server(server));
    let found = found.map_err(|error| {
        let variables = [("file", (&path).into()), ("detail", error.to_string().into())];
        Failure::new(FailureKind::Config, texts.format("log-unreadable", &variables))
    })?;
    if found.damaged > 0 {
        let variables = [("file", (&path).into()), ("count", u64::try_from(found.damaged).unwrap_or(u64::MAX).into())];
        console::err(format_args!("{}", texts.format("log-damaged", &variables)));
    }
    if options.json {
        print_out(&serde_json::to_string_pretty(&found.entries).unwrap_or_default());
        return Ok(());
    }
    let name = neutralise_line(server);
    if found.entries.is_empty() {
        print_out(&texts.format("log-nothing", &[("server", name.into())]));
        return Ok(());
    }
    let count = u64::try_from(found.entries.len()).unwrap_or(u64::MAX);
    print_out(&texts.format("log-disclosed", &[("server", name.into()), ("count", count.into())]));
    let zone = Zone::of_system();
    let mut source = "";
    for entry in &found.entries {
        if entry.source != source {
            source = &entry.source;
            print_out(&format!("\n{}", texts.format("log-source", &[("source", neutralise_line(source).into())])));
        }
        print_out(&format!("\n{}", shown(texts, &zone, entry).trim_end()));
    }
    Ok(())
}

fn shown(texts: &Texts, zone: &Zone, entry: &Disclosure) -> String {
    let (id, call) = match &entry.call {
        Some(call) => ("log-entry", neutralise_line(call)),
        None => ("log-entry-alone", String::new()),
    };
    let by = texts.get(&format!("by-{}", entry.by));
    let variables = [("call", call.into()), ("round", u64::from(entry.round).into()), ("by", by.into())];
    let mut text = format!("{}  {}\n", zone.shown(entry.at), texts.format(id, &variables));
    for line in entry.asked.iter().flat_map(|asked| lines(asked)) {
        let _ = writeln!(text, "  │ {line}");
    }
    match &entry.given {
        Given::Values(values) if values.is_empty() => {
            let _ = writeln!(text, "  {}", texts.get("log-empty-form"));
        }
        Given::Values(values) => {
            for (key, value) in values {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let _ = writeln!(text, "  {}: {}", neutralise_line(key), lines(&value).join("\n    "));
            }
        }
        Given::Consent { url } => {
            let _ = writeln!(text, "  {}", texts.format("log-consent", &[("url", neutralise_line(url).into())]));
        }
        Given::Reply { prompt, model, reply } => {
            said(&mut text, "│ ", prompt);
            said(&mut text, "↳ ", reply);
            let by = match model.as_str() {
                MANUAL_MODEL => texts.get("log-by-hand"),
                model => texts.format("log-model", &[("model", neutralise_line(model).into())]),
            };
            let _ = writeln!(text, "  {by}");
        }
        Given::Roots(roots) if roots.is_empty() => {
            let _ = writeln!(text, "  {}", texts.get("log-no-folders"));
        }
        Given::Roots(roots) => {
            for root in roots {
                let name = root.name.as_deref().map(|name| format!(" ({})", neutralise_line(name))).unwrap_or_default();
                let _ = writeln!(text, "  {}{name}", neutralise_line(&root.uri));
            }
        }
        Given::Reason(reason) => {
            let _ = writeln!(text, "  {}", texts.format("log-reason", &[("reason", neutralise_line(reason).into())]));
        }
    }
    text
}

fn said(text: &mut String, mark: &str, parts: &[Said]) {
    for part in parts {
        let _ = writeln!(
            text,
            "  {mark}{}: {}",
            neutralise_line(&part.role),
            lines(&part.text).join(&format!("\n  {mark}  "))
        );
    }
}

/// The first lines of a text, made safe to show.
fn lines(text: &str) -> Vec<String> {
    let text = neutralise(text);
    let count = text.lines().count();
    let mut lines: Vec<String> = text.lines().take(SHOWN).map(str::to_owned).collect();
    if count > SHOWN {
        lines.push(format!("… (+{})", count - SHOWN));
    }
    lines
}
