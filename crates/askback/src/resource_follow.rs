//! `read --follow`: a resource, and again whenever the server says that it was updated.
//!
//! Serves "Subscriptions" of 2026-07-28 and of the resources page of the earlier revisions. Each reading is a call like any other, in which the
//! server may ask back.

use std::sync::Arc;
use std::time::Duration;

use askback_core::call::Operation;
use askback_host::{Host, ListeningState, Notice, Persistence};
use askback_wire::session::{Change, Interest};
use serde_json::Value;
use tokio::time::Instant;

use crate::authorization::{LoginQuestion, Person};
use crate::command_line::{CallTask, Options};
use crate::console::Console;
use crate::document::Document;
use crate::failure::{Failure, FailureKind};
use crate::run_call::{self, Prompts, conclude_failure, failure_of, interrupted, print_out, shut_down};
use crate::server_log::Level;
use crate::show_result;
use crate::target::Target;
use crate::watch::Watch;
use crate::wording;

/// How long after a notice the resource is read: others often come with it.
const SETTLING: Duration = Duration::from_millis(200);

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &CallTask, options: &Options) -> u8 {
    let mut document = Document::default();
    let (setup, target, operation) = match run_call::prepare(console, task, options, &mut document) {
        Ok(prepared) => prepared,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            return failure.kind.exit_code();
        }
    };
    let log_level = Level::shown_with(console.verbose).as_str();
    let (host, notices) = Host::start(setup.host_options([&target.spec], Some(log_level)));
    let mut watch = Watch::new(console, notices, false);
    let prompts = console.interactive.then(|| Prompts::start(console, &host));
    let outcome = follow(console, &host, target, operation, &mut watch, task, options, &mut document).await;
    if let Some(prompts) = prompts {
        prompts.finish(&host).await;
    }
    watch.drain(console, &mut document);
    document.failure = outcome.err();
    let code = conclude_failure(console, &document);
    shut_down(&host, &mut watch.interrupts).await;
    code
}

#[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
async fn follow(
    console: &Console,
    host: &Host,
    mut target: Target,
    operation: Operation,
    watch: &mut Watch,
    task: &CallTask,
    options: &Options,
    document: &mut Document,
) -> Result<(), Failure> {
    let question = Arc::new(LoginQuestion::default());
    let person = if console.interactive { Person::Willing(question.clone()) } else { Person::Absent };
    target.let_in(console, person);
    let Target { spec, limits, .. } = target;
    let server = spec.name.clone();
    let connected = run_call::connect(console, host, spec, &question, &mut watch.interrupts).await?;
    question.too_late();
    let uri = operation.subject().to_owned();
    if connected.capabilities.pointer("/resources/subscribe") != Some(&Value::Bool(true)) {
        let message = console.texts.format("follow-no-updates", &[("server", server.as_str().into())]);
        return Err(Failure::new(FailureKind::ServerError, message));
    }
    // Before it is read, so that no update falls in between.
    host.listen(server.clone(), Interest::in_resource(&uri), Persistence::Restart);
    let mut ear = Ear { uri, missed: false };
    loop {
        let mut call = host.call(server.clone(), operation.clone(), limits);
        let mut due: Option<Instant> = None;
        let mut ended = false;
        loop {
            tokio::select! {
                ending = call.ending(), if !ended => {
                    let Some(ending) = ending else { return Err(interrupted(console)) };
                    if let Some(failure) = failure_of(console, &connected, &ending) {
                        return Err(failure);
                    }
                    ended = true;
                    show(console, task, options, &ending.outcome.unwrap_or_default());
                }
                () = watch.interrupts.next() => {
                    if !ended {
                        call.stop();
                    }
                    host.stop_listening(server);
                    return Ok(());
                }
                Some(notice) = watch.notices.recv() => match notice {
                    Notice::Changed { .. } | Notice::Listening { .. } => {
                        if ear.hears(console, &notice)? {
                            due = due.or_else(|| Some(Instant::now() + SETTLING));
                        }
                    }
                    notice => watch.take(console, notice, document),
                },
                () = watch.progress.drawing_is_due() => watch.progress.draw(console),
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() && ended => break,
            }
        }
    }
}

fn show(console: &Console, task: &CallTask, options: &Options, reading: &Value) {
    console.no_status();
    if options.json {
        print_out(&reading.to_string());
    } else {
        print_out(&show_result::text(console, task.verb, reading));
    }
}

/// What is heard of one resource.
struct Ear {
    uri: String,
    /// Whether something may have happened that was not told.
    missed: bool,
}

impl Ear {
    /// Whether the resource has to be read again.
    ///
    /// # Errors
    /// That nothing more will be heard of it.
    fn hears(&mut self, console: &Console, notice: &Notice) -> Result<bool, Failure> {
        match notice {
            // A server may name a part of what is listened to.
            Notice::Changed { change: Change::Resource(updated), .. } => Ok(updated.starts_with(&self.uri)),
            Notice::Listening { server, state } => {
                let lines = wording::listening_lines(&console.texts, server, state);
                let failed = |kind| Err(Failure::new(kind, lines.join("\n")));
                match state {
                    ListeningState::Begun { left_out } if left_out.is_empty() => Ok(std::mem::take(&mut self.missed)),
                    ListeningState::Interrupted { .. } => {
                        self.missed = true;
                        lines.iter().for_each(|line| console.note(line));
                        Ok(false)
                    }
                    ListeningState::Begun { .. } | ListeningState::Refused { .. } => failed(FailureKind::ServerError),
                    ListeningState::Over { .. } => failed(FailureKind::Disconnected),
                }
            }
            _ => Ok(false),
        }
    }
}
