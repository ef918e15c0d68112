//! What is kept of conversations in the user's state folder: their transcripts, and the consents that stand.

use std::path::PathBuf;

use askback_core::redaction::Redactor;
use askback_host::chat::{StandingConsents, Transcript};
use askback_term::drawing::Style;
use serde_json::json;

use crate::command_line::Options;
use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::run_call::print_out;
use crate::wording;

fn folder() -> Option<PathBuf> {
    console::state_folder().map(|folder| folder.join("chats"))
}

/// A new transcript, named by the time; where it cannot be had, that is said, and the conversation goes on without.
pub(super) fn transcript(console: &Console, now: &str, redactor: Redactor) -> Option<Transcript> {
    let name: String = now.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    match Transcript::create(&folder()?, &name, redactor) {
        Ok(transcript) => Some(transcript),
        Err(error) => {
            not_kept(console, &error);
            None
        }
    }
}

/// Says that something could not be written down.
pub(super) fn not_kept(console: &Console, detail: &impl ToString) {
    let variables = [("detail", detail.to_string().into())];
    console.styled_note(&console.texts.format("chat-not-kept", &variables), Style::Warning);
}

/// The consents that stand.
///
/// # Errors
/// A file that is there and cannot be read: it must not look as if nothing stood, and then be overwritten.
pub(super) fn consents(console: &Console) -> Result<StandingConsents, Failure> {
    let path = console::state_folder().map(|folder| folder.join("chat-consents.json"));
    StandingConsents::open(path).map_err(|error| {
        let variables = [("detail", error.to_string().into())];
        Failure::new(FailureKind::Config, console.texts.format("chat-consents-unreadable", &variables))
    })
}

/// Prints the paths of all transcripts, the newest last; gives the exit code.
pub(super) fn list(console: &Console, options: &Options) -> u8 {
    let mut paths: Vec<String> = folder()
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| path.display().to_string())
        .collect();
    paths.sort();
    if options.json {
        print_out(&serde_json::to_string_pretty(&json!({ "chats": paths })).unwrap_or_default());
    } else if paths.is_empty() {
        console.note(&console.texts.get("chat-none-kept"));
    } else {
        print_out(&paths.join("\n"));
    }
    0
}

/// Takes back the consents that stand for a server's tools; gives the exit code.
pub(super) fn revoke(console: &Console, server: &str) -> u8 {
    let texts = &console.texts;
    let outcome = consents(console).and_then(|mut consents| {
        consents.forget(server).map_err(|error| {
            let variables = [("detail", error.to_string().into())];
            Failure::new(FailureKind::Config, texts.format("models-not-written", &variables))
        })
    });
    match outcome {
        Ok(0) => {
            let failure =
                Failure::new(FailureKind::Usage, texts.format("chat-nothing-to-revoke", &[("server", server.into())]));
            wording::print_failure(texts, &failure, console.colour);
            failure.kind.exit_code()
        }
        Ok(count) => {
            let variables = [("server", server.into()), ("count", (count as u64).into())];
            print_out(&texts.format("chat-revoked", &variables));
            0
        }
        Err(failure) => {
            wording::print_failure(texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}
