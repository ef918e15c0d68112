//! `call`, `prompt` and `read`: one call from beginning to end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use askback_core::call::{Operation, TimeLimits};
use askback_core::engine::Ending;
use askback_host::{Connected, Host, Persistence};
use askback_term::screen::Screen;
use askback_term::tty::Tty;
use askback_term::zone::Zone;
use askback_wire::session::Interest;
use serde_json::Value;

use crate::authorization::{LoginQuestion, Person};
use crate::command_line::{CallTask, Options, Verb};
use crate::console::{self, Console};
use crate::document::Document;
use crate::failure::{Failure, FailureKind};
use crate::interrupts::Interrupts;
use crate::server_log::Level;
use crate::target::{Setup, Target};
use crate::watch::Watch;
use crate::{arguments, connect_failure, sandbox, show_result, wording};

/// How long a connection may take before the person is told what is waited for.
const QUIET: Duration = Duration::from_secs(1);

/// How long a call has to last for it to be worth hearing of changes meanwhile. One that is over at once is not held up by it.
const LASTING: Duration = Duration::from_secs(1);

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &CallTask, options: &Options) -> u8 {
    let mut document = Document::default();
    let (setup, target, operation) = match prepare(console, task, options, &mut document) {
        Ok(prepared) => prepared,
        Err(failure) => {
            document.failure = Some(failure);
            return conclude(console, &document, options, task.verb);
        }
    };
    let log_level = Level::shown_with(console.verbose).as_str();
    let (host, notices) = Host::start(setup.host_options([&target.spec], Some(log_level)));
    let mut watch = Watch::new(console, notices, false);
    let began = Instant::now();
    let outcome = converse(console, &host, target, operation, &mut watch, &mut document).await;
    document.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    finish(console, &host, outcome, options, &mut watch, &mut document).await;
    let code = conclude(console, &document, options, task.verb);
    shut_down(&host, &mut watch.interrupts).await;
    code
}

pub(crate) fn prepare(
    console: &Console,
    task: &CallTask,
    options: &Options,
    document: &mut Document,
) -> Result<(Setup, Target, Operation), Failure> {
    let texts = &console.texts;
    let mut words = task.words.iter();
    let server = if task.command.is_empty() { words.next().cloned() } else { None };
    let usage = match task.verb {
        Verb::Tool => "usage-call",
        Verb::Prompt => "usage-prompt",
        Verb::Resource => "usage-read",
    };
    let Some(subject) = words.next().cloned() else {
        let failure = Failure::new(FailureKind::Usage, texts.get("usage-nothing-to-call"));
        return Err(failure.hint(texts.get(usage)));
    };
    document.subject.clone_from(&subject);
    if let Some(server) = &server {
        document.server.clone_from(server);
    }
    let rest: Vec<String> = words.cloned().collect();
    let arguments = arguments::read(task.verb, &rest, task.args.as_deref(), texts)?;
    let operation = match task.verb {
        Verb::Tool => Operation::Tool { name: subject, arguments },
        Verb::Prompt => Operation::Prompt { name: subject, arguments },
        Verb::Resource if arguments.is_empty() => Operation::Resource { uri: subject },
        Verb::Resource => {
            return Err(Failure::new(FailureKind::Usage, texts.get("usage-read-arguments")).hint(texts.get(usage)));
        }
    };
    let setup = Setup::read(console, options)?;
    let target = match &server {
        Some(name) => setup.named(name, options.name.as_deref(), texts)?,
        None => setup.command(&task.command, options.name.as_deref()),
    };
    document.server = target.spec.name.to_string();
    Ok((setup, target, operation))
}

/// Connects, calls, and waits for the end.
pub(crate) async fn converse(
    console: &Console,
    host: &Host,
    target: Target,
    operation: Operation,
    watch: &mut Watch,
    document: &mut Document,
) -> Result<Ending, Failure> {
    let mut target = target;
    let question = Arc::new(LoginQuestion::default());
    let person = if console.interactive { Person::Willing(question.clone()) } else { Person::Absent };
    target.let_in(console, person);
    let Target { spec, limits, .. } = target;
    let server = spec.name.clone();
    document.sandbox = spec.source.sandbox().cloned();
    if spec.declared.form {
        // While the server starts there is time for it.
        std::thread::spawn(askback_core::form::warm_up);
    }
    // The face is there before the first word is exchanged, so that an early ask finds it.
    let prompts = console.interactive.then(|| Prompts::start(console, host));
    let drawing = (prompts.is_none() && console.draws()).then(|| {
        let screen = Screen::new(Tty::new(None), console.colour);
        console.print_through(screen.printer());
        screen
    });
    let outcome = match connect(console, host, spec, &question, &mut watch.interrupts).await {
        Ok(connected) => {
            // From now on prompts may have the terminal.
            question.too_late();
            document.revision = Some(connected.revision);
            call(console, host, &connected, server, operation, limits, watch, document).await
        }
        Err(failure) => Err(failure),
    };
    if let Some(prompts) = prompts {
        prompts.finish(host).await;
    }
    if let Some(screen) = drawing {
        screen.restore();
    }
    outcome
}

pub(crate) async fn connect(
    console: &Console,
    host: &Host,
    spec: askback_host::ServerSpec,
    question: &LoginQuestion,
    interrupts: &mut Interrupts,
) -> Result<Connected, Failure> {
    let (name, source) = (spec.name.to_string(), spec.source.line());
    let waiting = if spec.source.is_address() { "connecting-to-address" } else { "connecting" };
    let connecting = host.connect(spec);
    tokio::pin!(connecting);
    let mut told = false;
    loop {
        tokio::select! {
            outcome = &mut connecting => {
                return outcome.map_err(|error| connect_failure::connect_failure(&console.texts, &error));
            }
            () = tokio::time::sleep(QUIET), if console.stderr_is_terminal && !told && !question.was_asked() => {
                told = true;
                let variables = [("server", (&name).into()), ("command", (&source).into())];
                let line = console.texts.format(waiting, &variables);
                if console.interactive {
                    console.status(&line);
                } else {
                    console.note(&line);
                }
            }
            () = interrupts.next() => return Err(interrupted(console)),
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
async fn call(
    console: &Console,
    host: &Host,
    connected: &Connected,
    server: askback_core::ServerName,
    operation: Operation,
    limits: TimeLimits,
    watch: &mut Watch,
    document: &mut Document,
) -> Result<Ending, Failure> {
    let interest = Interest::in_lists(&connected.capabilities);
    let lasts = tokio::time::sleep(LASTING);
    tokio::pin!(lasts);
    let mut listens = interest.is_empty();
    let mut call = host.call(server.clone(), operation, limits);
    let mut stopped = false;
    loop {
        tokio::select! {
            biased;
            Some(notice) = watch.notices.recv() => watch.take(console, notice, document),
            () = &mut lasts, if !listens => {
                listens = true;
                host.listen(server.clone(), interest.clone(), Persistence::WhileConnected);
            }
            () = watch.progress.drawing_is_due() => watch.progress.draw(console),
            ending = call.ending() => {
                let Some(ending) = ending else { return Err(interrupted(console)) };
                host.stop_listening(server);
                document.rounds = ending.rounds;
                document.human_ms = ending.human;
                return match failure_of(console, connected, &ending) {
                    None => Ok(ending),
                    Some(failure) => Err(failure),
                };
            }
            () = watch.interrupts.next() => {
                if stopped {
                    return Err(interrupted(console));
                }
                stopped = true;
                call.stop();
            }
        }
    }
}

/// Why a call came to nothing, if it did.
pub(crate) fn failure_of(console: &Console, connected: &Connected, ending: &Ending) -> Option<Failure> {
    let failure = ending.outcome.as_ref().err()?;
    let mut failure = wording::call_failure(&console.texts, connected, failure);
    failure.details.extend(wording::fault_lines(&console.texts, &ending.faults));
    if ending.may_go_on {
        failure.details.push(console.texts.get("task-may-go-on"));
    }
    Some(failure)
}

/// Judges how it went, now that everything is known.
pub(crate) async fn finish(
    console: &Console,
    host: &Host,
    outcome: Result<Ending, Failure>,
    options: &Options,
    watch: &mut Watch,
    document: &mut Document,
) {
    watch.drain(console, document);
    let texts = &console.texts;
    let failure = match outcome {
        Err(failure) => Some(failure),
        Ok(ending) => {
            let is_error =
                ending.outcome.as_ref().is_ok_and(|result| result.get("isError") == Some(&Value::Bool(true)));
            document.result = ending.outcome.ok();
            if !ending.faults.is_empty() {
                let mut failure = Failure::new(FailureKind::Unanswered, texts.get("failed-unanswered"));
                failure.details = wording::fault_lines(texts, &ending.faults);
                Some(failure.hint(texts.get("failed-unanswered-hint")))
            } else if is_error {
                Some(Failure::new(FailureKind::ToolError, texts.get("failed-tool-error")))
            } else {
                None
            }
        }
    };
    document.failure = match failure {
        Some(mut failure) => {
            add_sandbox(console, document, &mut failure);
            Some(failure)
        }
        None => {
            let answers = host.answers().await;
            let unused: Vec<&str> = answers.unused().map(|entry| entry.place.as_str()).collect();
            if !unused.is_empty() && !options.allow_unused {
                let mut failure = Failure::new(FailureKind::Answers, texts.get("failed-unused"));
                failure.details = unused.into_iter().map(str::to_owned).collect();
                Some(failure.hint(texts.get("failed-unused-hint")))
            } else if options.strict && !document.violations.is_empty() {
                Some(Failure::new(FailureKind::Protocol, texts.get("failed-strict")))
            } else {
                None
            }
        }
    };
}

/// Says that the server has a sandbox, where that may be why it failed.
fn add_sandbox(console: &Console, document: &Document, failure: &mut Failure) {
    let Some(sandbox) = &document.sandbox else { return };
    let result = document.result.as_ref().map(Value::to_string);
    let denied =
        result.iter().chain([&failure.message]).chain(&failure.details).any(|text| sandbox::may_be_the_reason(text));
    if denied && failure.kind != FailureKind::Connect {
        failure.details.push(sandbox::line(&console.texts, sandbox));
        failure.hint.get_or_insert_with(|| sandbox::hint(&console.texts, &document.server));
    }
}

/// Prints the result or the document, and what went wrong; gives the exit code.
fn conclude(console: &Console, document: &Document, options: &Options, verb: Verb) -> u8 {
    if console.stdout_is_terminal && console.interactive && !document.asks.is_empty() {
        // The result stands apart from the questions above it.
        console::err(format_args!(""));
    }
    if options.json {
        print_out(&serde_json::to_string_pretty(&document.to_value()).unwrap_or_default());
    } else if let Some(result) = &document.result {
        print_out(&show_result::text(console, verb, result));
    }
    conclude_failure(console, document)
}

/// Prints to standard error what went wrong; gives the exit code.
pub(crate) fn conclude_failure(console: &Console, document: &Document) -> u8 {
    wording::print_violations(console, &document.server, &document.violations);
    match &document.failure {
        None => 0,
        Some(failure) => {
            wording::print_failure(&console.texts, failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

/// One write, so that a reader sees all of it before the servers are shut down. A reader that has gone away is no error of ours.
pub(crate) fn print_out(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

/// Ends the servers with time to end by themselves; a Ctrl-C meanwhile ends them at once.
pub(crate) async fn shut_down(host: &Host, interrupts: &mut Interrupts) {
    tokio::select! {
        () = host.shut_down() => {}
        // What is still running is killed when the runtime goes.
        () = interrupts.next() => {}
    }
}

pub(crate) fn interrupted(console: &Console) -> Failure {
    Failure::new(FailureKind::Interrupted, console.texts.get("failed-interrupted"))
}

/// How long the face may take to put the terminal back in order.
const FACE_GRACE: Duration = Duration::from_millis(500);

/// The face of this run: line prompts.
pub(crate) struct Prompts {
    screen: Screen,
    task: tokio::task::JoinHandle<()>,
}

impl Prompts {
    pub(crate) fn start(console: &Console, host: &Host) -> Prompts {
        let editor =
            ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
        let screen = Screen::new(Tty::new(editor), console.colour);
        console.print_through(screen.printer());
        let task = tokio::spawn(askback_term::prompts::run(
            host.desk(),
            console.texts.clone(),
            Zone::of_system(),
            screen.clone(),
        ));
        Prompts { screen, task }
    }

    /// Lets the face say what there is still to say, and puts the terminal back in order.
    pub(crate) async fn finish(self, host: &Host) {
        host.close_desk();
        let mut task = self.task;
        if tokio::time::timeout(FACE_GRACE, &mut task).await.is_err() {
            task.abort();
        }
        self.screen.restore();
    }
}
