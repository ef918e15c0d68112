//! The `askback` binary: arguments, configuration, wiring, exit codes. What it does lives in the other crates.

mod arguments;
mod authorization;
mod command_line;
mod completion;
mod config;
mod conformance_client;
mod connect_failure;
mod console;
mod demo;
mod document;
mod duration;
mod failure;
mod interrupts;
mod lending;
mod list;
mod list_follow;
mod listing;
mod log;
mod model_keys;
mod models;
mod page_opener;
mod progress_bar;
mod resource_follow;
mod run_call;
mod sandbox;
mod server_log;
mod server_name;
mod servers;
mod show_result;
mod target;
mod transcript;
mod watch;
mod wording;

use std::process::ExitCode;

use askback_desk::texts::Resource;
use askback_desk::{Lang, Texts};

use clap::error::ErrorKind;
use command_line::Task;
use console::Console;
use document::Document;
use failure::{Failure, FailureKind};

/// The messages of this crate.
pub(crate) const ASKBACK: Resource =
    Resource { en: include_str!("../locales/en/askback.ftl"), zh_cn: include_str!("../locales/zh-CN/askback.ftl") };

fn main() -> ExitCode {
    let args: Vec<String> = match std::env::args_os().skip(1).map(|arg| arg.into_string()).collect() {
        Ok(args) => args,
        Err(arg) => {
            let texts = Texts::new(Lang::En, &[ASKBACK]);
            let message = texts.format("usage-not-utf8", &[("word", arg.to_string_lossy().into_owned().into())]);
            return report(&texts, &Failure::new(FailureKind::Usage, message));
        }
    };
    let (lang, unknown) = match command_line::language(&args, |name| std::env::var(name).ok()) {
        Ok(lang) => (lang, None),
        Err(tag) => (Lang::En, Some(tag)),
    };
    let texts = Texts::new(lang, &[askback_term::TERM, ASKBACK]);
    if let Some(tag) = unknown {
        let message = texts.format("usage-lang", &[("value", tag.into())]);
        return report(&texts, &Failure::new(FailureKind::Usage, message));
    }
    let wants_json = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let words = std::iter::once("askback".to_owned()).chain(args);
    let matches = match command_line::definition(&texts).try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
        Err(error) => {
            let failure = command_line::mistake(&texts, &error);
            if wants_json {
                let document = Document { failure: Some(failure.clone()), ..Document::default() };
                run_call::print_out(&serde_json::to_string_pretty(&document.to_value()).unwrap_or_default());
            }
            return report(&texts, &failure);
        }
    };
    let Some(command_line) = command_line::read(&matches) else { return ExitCode::from(2) };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            console::err(format_args!("askback: {error}"));
            return ExitCode::FAILURE;
        }
    };
    if let Task::DemoServer { http } = command_line.task {
        return match runtime.block_on(demo::serve(http)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                console::err(format_args!("askback demo server: {error}"));
                ExitCode::FAILURE
            }
        };
    }
    let console = Console::new(texts, &command_line.options);
    let code = runtime.block_on(async {
        tokio::spawn(interrupts::outlive_the_terminal());
        match command_line.task {
            Task::Call(task) if task.follow => resource_follow::run(&console, &task, &command_line.options).await,
            Task::Call(task) => run_call::run(&console, &task, &command_line.options).await,
            Task::Models(task) => models::run(&console, &task, &command_line.options).await,
            Task::Disclosed { server } => log::run(&console, &server, &command_line.options),
            Task::List(task) => list::run(&console, &task, &command_line.options).await,
            Task::Servers(task) => servers::run(&console, &task, &command_line.options).await,
            Task::Completions { shell } => completion::print_script(&console, shell.as_deref()),
            Task::CompleteWords(task) => completion::complete_words(&console, &task).await,
            Task::ConformanceClient { url } => conformance_client::run(&console, &url).await,
            Task::Demo => demo::run(&console, &command_line.options).await,
            Task::DemoServer { .. } => 0,
        }
    });
    // A thread that waits for a key, or a browser that is being started, must not keep the process alive.
    runtime.shutdown_background();
    ExitCode::from(code)
}

fn report(texts: &Texts, failure: &Failure) -> ExitCode {
    wording::print_failure(texts, failure, false);
    ExitCode::from(failure.kind.exit_code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_message() {
        assert_eq!(askback_desk::texts::differences(&ASKBACK), Vec::<String>::new());
        for lang in Lang::ALL {
            Texts::new(lang, &[askback_term::TERM, ASKBACK]);
        }
    }
}
