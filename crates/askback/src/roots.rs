//! `roots`: which folders there are, where they come from, and which server may be told of which.

use std::path::Path;

use askback_core::display::neutralise_line;
use askback_core::roots::{Exclusions, Obstacle, Root, RootError, RootOrigin};
use askback_desk::Texts;
use askback_host::roots::{Absence, AddedRoot, Consent, LeftOut, RootSource, WhyLeftOut};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use crate::command_line::{Options, RootsTask};
use crate::config;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::run_call::print_out;
use crate::target::Setup;
use crate::wording;

/// Runs the command and gives its exit code.
pub(crate) fn run(console: &Console, task: &RootsTask, options: &Options) -> u8 {
    let outcome = Setup::read(console, options).and_then(|setup| match task {
        RootsTask::List => list(console, &setup, options),
        RootsTask::Add { path, name, server, exclude } => {
            let root = AddedRoot {
                path: absolute(path)?,
                name: name.clone(),
                server: server.clone(),
                exclude: exclude.clone(),
            };
            add(console, &setup, root)
        }
        RootsTask::Remove { path, server } => remove(console, &setup, path, server.as_deref()),
        RootsTask::Forget { server } => forget(console, &setup, server),
    });
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

/// The path from the working directory; links are not followed.
fn absolute(path: &str) -> Result<String, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::new(FailureKind::Usage, error.to_string()))?;
    Ok(config::absolute(&here, Path::new(path)).display().to_string())
}

fn not_kept(texts: &Texts, error: &std::io::Error) -> Failure {
    Failure::new(FailureKind::Config, texts.format("roots-not-kept", &[("detail", error.to_string().into())]))
}

fn add(console: &Console, setup: &Setup, root: AddedRoot) -> Result<(), Failure> {
    let texts = &console.texts;
    let wrong = |detail: String| {
        let variables = [("path", (&root.path).into()), ("detail", detail.into())];
        Failure::new(FailureKind::Usage, texts.format("roots-no-root", &variables))
    };
    let path = Path::new(&root.path);
    if !path.is_dir() {
        return Err(wrong(texts.get("usage-root-no-folder")));
    }
    Root::from_path(path, None).map_err(|error| wrong(error_words(texts, &error)))?;
    Exclusions::new(root.exclude.iter().map(|glob| (root.path.as_str(), glob.as_str()))).map_err(|error| {
        let variables = [("glob", error.pattern.into()), ("detail", error.why.into())];
        Failure::new(FailureKind::Usage, texts.format("roots-no-glob", &variables))
    })?;
    let known = setup.roots().add(root.clone()).map_err(|error| not_kept(texts, &error))?;
    let id = match (known, &root.server) {
        (true, _) => "roots-changed",
        (false, None) => "roots-added",
        (false, Some(_)) => "roots-added-for",
    };
    let server = root.server.as_deref().unwrap_or_default();
    print_out(&texts.format(id, &[("path", neutralise_line(&root.path).into()), ("server", server.into())]));
    if !root.exclude.is_empty() {
        console.note(&texts.get("roots-exclusion-limits"));
    }
    Ok(())
}

fn remove(console: &Console, setup: &Setup, path: &str, server: Option<&str>) -> Result<(), Failure> {
    let texts = &console.texts;
    let path = absolute(path)?;
    let count = setup.roots().remove(&path, server).map_err(|error| not_kept(texts, &error))?;
    let shown = || [("path", neutralise_line(&path).into())];
    if count > 0 {
        print_out(&texts.format("roots-removed", &shown()));
        return Ok(());
    }
    let failure = Failure::new(FailureKind::Usage, texts.format("roots-not-added", &shown()));
    let all = setup.roots().all().map_err(|error| not_kept(texts, &error))?;
    let configured = all.iter().any(|(source, _)| source.origin != RootOrigin::Workspace && source.text == path);
    Err(if configured { failure.hint(texts.get("roots-configured")) } else { failure })
}

fn forget(console: &Console, setup: &Setup, server: &str) -> Result<(), Failure> {
    let texts = &console.texts;
    let count = setup.roots().forget(server).map_err(|error| not_kept(texts, &error))?;
    let id = if count > 0 { "roots-forgotten" } else { "roots-nothing-to-forget" };
    let text = texts.format(id, &[("server", neutralise_line(server).into())]);
    if count == 0 {
        return Err(Failure::new(FailureKind::Usage, text));
    }
    print_out(&text);
    Ok(())
}

fn list(console: &Console, setup: &Setup, options: &Options) -> Result<(), Failure> {
    let texts = &console.texts;
    let keeper = setup.roots();
    let all = keeper.all().map_err(|error| not_kept(texts, &error))?;
    let consents = keeper.consents().map_err(|error| not_kept(texts, &error))?;
    let excluded = keeper.excluded();
    if options.json {
        let value = json!({
            "roots": all.iter().map(|(source, why)| value_of(source, why.as_ref())).collect::<Vec<_>>(),
            "excluded": excluded,
            "consents": consents,
            "file": keeper.book().map(|path| path.display().to_string()),
        });
        print_out(&serde_json::to_string_pretty(&value).unwrap_or_default());
        return Ok(());
    }
    if all.is_empty() {
        print_out(&texts.get("roots-none"));
    } else {
        print_out(&table(console, &all));
    }
    if all.iter().any(|(source, _)| source.origin == RootOrigin::Workspace) {
        print_out(&format!("\n{}", texts.get("roots-workspace-asked")));
    }
    if !excluded.is_empty() {
        let globs = excluded.iter().map(|glob| neutralise_line(glob)).collect::<Vec<_>>();
        let globs = globs.join(&texts.get("limits-separator"));
        print_out(&format!("\n{}", texts.format("roots-excluded", &[("globs", globs.into())])));
    }
    if !consents.is_empty() {
        let lines = consents.iter().flat_map(|consent| consent_lines(texts, consent)).collect::<Vec<_>>();
        print_out(&format!("\n{}\n{}", texts.get("roots-consents"), lines.join("\n")));
    }
    if let Some(path) = keeper.book().filter(|path| path.exists()) {
        console.note(&texts.format("roots-file", &[("path", path.display().to_string().into())]));
    }
    Ok(())
}

fn consent_lines(texts: &Texts, consent: &Consent) -> Vec<String> {
    let shown = |uris: &[String]| {
        let path = |uri: &String| neutralise_line(&Root { uri: uri.clone(), name: None }.shown());
        uris.iter().map(path).collect::<Vec<_>>().join(&texts.get("limits-separator"))
    };
    let server = format!("  {} ({})", neutralise_line(&consent.server), neutralise_line(&consent.source));
    let told = (!consent.shared.is_empty()).then(|| {
        format!("    {}", texts.format("roots-consent-shared", &[("folders", shown(&consent.shared).into())]))
    });
    let not = (!consent.withheld.is_empty()).then(|| {
        format!("    {}", texts.format("roots-consent-withheld", &[("folders", shown(&consent.withheld).into())]))
    });
    [Some(server), told, not].into_iter().flatten().collect()
}

fn value_of(source: &RootSource, why: Option<&WhyLeftOut>) -> Value {
    let root = source.root.as_ref().ok();
    json!({
        "path": source.text,
        "uri": root.map(|root| &root.uri),
        "name": root.and_then(|root| root.name.as_ref()),
        "from": source.origin.as_str(),
        "server": source.server,
        "state": why.map_or("there", state_word),
    })
}

fn state_word(why: &WhyLeftOut) -> &'static str {
    match why {
        WhyLeftOut::NoRoot(_) => "no-root",
        WhyLeftOut::Absent(Absence::Vanished) => "vanished",
        WhyLeftOut::Absent(Absence::NotAFolder) => "not-a-folder",
        WhyLeftOut::Absent(Absence::Unreadable { .. }) | WhyLeftOut::Unreadable { .. } => "unreadable",
        WhyLeftOut::Excluded => "excluded",
    }
}

fn table(console: &Console, all: &[(RootSource, Option<WhyLeftOut>)]) -> String {
    let texts = &console.texts;
    let head =
        ["folder", "name", "from", "server", "state"].map(|id| texts.get(&format!("roots-column-{id}"))).to_vec();
    let row = |(source, why): &(RootSource, Option<WhyLeftOut>)| {
        let name = source.root.as_ref().ok().and_then(|root| root.name.as_deref()).unwrap_or_default();
        vec![
            neutralise_line(&source.text),
            neutralise_line(name),
            texts.get(&format!("roots-from-{}", source.origin.as_str())),
            source.server.as_deref().map_or_else(|| texts.get("roots-for-all"), neutralise_line),
            why.as_ref().map_or_else(|| texts.get("roots-there"), |why| why_words(texts, why)),
        ]
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(all.iter().map(row)).collect();
    let widths: Vec<usize> = (0..5).map(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Why a root is left out of what a server is told.
pub(crate) fn left_out_line(texts: &Texts, left_out: &LeftOut) -> String {
    let variables = [("path", neutralise_line(&left_out.text).into()), ("why", why_words(texts, &left_out.why).into())];
    texts.format("root-left-out", &variables)
}

fn why_words(texts: &Texts, why: &WhyLeftOut) -> String {
    let detailed = |id: &str, detail: &str| texts.format(id, &[("detail", neutralise_line(detail).into())]);
    match why {
        WhyLeftOut::NoRoot(error) => neutralise_line(&error_words(texts, error)),
        WhyLeftOut::Absent(Absence::Vanished) => texts.get("root-vanished"),
        WhyLeftOut::Absent(Absence::NotAFolder) => texts.get("root-not-a-folder"),
        WhyLeftOut::Absent(Absence::Unreadable { detail }) | WhyLeftOut::Unreadable { detail } => {
            detailed("root-unreadable", detail)
        }
        WhyLeftOut::Excluded => texts.get("root-excluded"),
    }
}

/// The text that says what is in the way of a URI.
fn obstacle(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::NotUtf8 => "root-obstacle-not-utf8",
        Obstacle::Nul => "root-obstacle-nul",
        Obstacle::ControlCharacter => "root-obstacle-control-character",
        Obstacle::EmptyHost => "root-obstacle-empty-host",
        Obstacle::ForbiddenCharacter => "root-obstacle-forbidden-character",
        Obstacle::BadPercent => "root-obstacle-bad-percent",
        Obstacle::EncodedSlash => "root-obstacle-encoded-slash",
        Obstacle::Device => "root-obstacle-device",
        Obstacle::ComputerName => "root-obstacle-computer-name",
        Obstacle::Localhost => "root-obstacle-localhost",
        Obstacle::NoShare => "root-obstacle-no-share",
    }
}

/// Why something is no root.
pub(crate) fn error_words(texts: &Texts, error: &RootError) -> String {
    match error {
        RootError::NotAbsolute { .. } => texts.get("root-not-absolute"),
        RootError::HasDots { .. } => texts.get("root-has-dots"),
        RootError::NoUri { why, .. } => texts.format("root-no-uri", &[("why", texts.get(obstacle(*why)).into())]),
        RootError::NotFile { .. } => texts.get("root-not-file"),
        RootError::HasPart { part, .. } => texts.format("root-has-part", &[("part", (*part).into())]),
    }
}
