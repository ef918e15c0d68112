//! What happened, in the user's language: every error and notice of the host made into words.

use askback_core::answer::Refusal;
use askback_core::ask::AskProblem;
use askback_core::call::ServerName;
use askback_core::display::{neutralise, neutralise_line};
use askback_core::engine::{Abandonment, CallFailure, Fault, FaultReason};
use askback_core::violation::Violation;
use askback_core::{answer_file, engine};
use askback_desk::{Texts, wording};
use askback_host::{Connected, ListeningState, Notice, RequestError};
use askback_wire::Era;
use askback_wire::session::Change;

use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::roots;

/// `MissingRequiredClientCapabilityError`
const MISSING_CAPABILITY: i64 = -32021;

/// Prints a failure to standard error: what happened, details, and what to do next.
pub(crate) fn print_failure(texts: &Texts, failure: &Failure, colour: bool) {
    let (red, dim, off) = if colour { ("\u{1b}[1;31m", "\u{1b}[2m", "\u{1b}[0m") } else { ("", "", "") };
    let mark = |id: &str| texts.get(id);
    // A full-width colon brings its own space.
    let space = if mark("failure-mark").ends_with('：') { "" } else { " " };
    console::err(format_args!("{red}{}{off}{space}{}", mark("failure-mark"), neutralise(&failure.message)));
    for line in &failure.details {
        console::err(format_args!("  {dim}{}{off}", neutralise(line)));
    }
    if let Some(hint) = &failure.hint {
        console::err(format_args!("{}{space}{}", mark("hint-mark"), neutralise(hint)));
    }
}

/// Prints rules that a server broke and that the call survived.
pub(crate) fn print_violations(console: &Console, server: &str, violations: &[Violation]) {
    for violation in violations {
        let variables = [
            ("server", server.into()),
            ("rule", violation.rule.into()),
            ("message", neutralise_line(&violation.message).into()),
        ];
        console.note(&console.texts.format("violation", &variables));
    }
}

/// That something of a server's is not any more as it was.
fn change_line(texts: &Texts, server: &ServerName, change: &Change) -> String {
    texts.format("changed", &[("server", server.as_str().into()), ("what", changeable(texts, change).into())])
}

fn changeable(texts: &Texts, change: &Change) -> String {
    match change {
        Change::List(list) => texts.get(&format!("list-of-{}", list.capability())),
        Change::Resource(uri) => neutralise_line(uri),
    }
}

/// How it stands with what a server tells of changes; nothing where all is as it was asked for.
pub(crate) fn listening_lines(texts: &Texts, server: &ServerName, state: &ListeningState) -> Vec<String> {
    let line = |id: &str, detail: String| {
        texts.format(id, &[("server", server.as_str().into()), ("detail", neutralise_line(&detail).into())])
    };
    match state {
        ListeningState::Begun { left_out } => {
            left_out.iter().map(|change| line("listening-left-out", changeable(texts, change))).collect()
        }
        ListeningState::Refused { error } => {
            vec![line("listening-refused", format!("{} ({})", error.message, error.code))]
        }
        ListeningState::Interrupted { detail } => vec![line("listening-interrupted", detail.clone())],
        ListeningState::Over { detail } => vec![line("listening-over", detail.clone())],
    }
}

/// Tells the person something on the way, but for what a server logs and how far it is.
pub(crate) fn tell(console: &Console, notice: &Notice) {
    let texts = &console.texts;
    match notice {
        Notice::Working { status, message, .. } if console.stderr_is_terminal || console.verbose > 0 => {
            let status = match status.as_str() {
                "working" => texts.get("task-working"),
                "input_required" => texts.get("task-asks"),
                other => neutralise_line(other),
            };
            let message = neutralise_line(message.as_deref().unwrap_or_default());
            let line = texts.format("progress", &[("count", status.into()), ("message", message.into())]);
            if console.verbose > 0 {
                console.note(line.trim_end());
            } else {
                console.status(line.trim_end());
            }
        }
        Notice::Reconnecting { server } => {
            console.note(&texts.format("reconnecting", &[("server", server.as_str().into())]));
        }
        Notice::NotWrittenDown { server, detail } => {
            let variables = [("server", server.as_str().into()), ("detail", detail.into())];
            console.styled_note(&texts.format("log-not-written", &variables), askback_term::drawing::Style::Warning);
        }
        Notice::RootLeftOut { left_out, .. } => console.note(&roots::left_out_line(texts, left_out)),
        Notice::PageNotOpened { url, detail } => {
            let variables = [("url", neutralise_line(url).into()), ("detail", neutralise_line(detail).into())];
            console.note(&texts.format("page-not-opened", &variables));
        }
        Notice::PageCompleted { server } if console.stderr_is_terminal || console.verbose > 0 => {
            console.note(&texts.format("page-completed", &[("server", server.as_str().into())]));
        }
        Notice::Changed { server, change } if console.verbose > 0 => {
            console.note(&change_line(texts, server, change));
        }
        Notice::Listening { server, state } if console.verbose > 0 => {
            listening_lines(texts, server, state).iter().for_each(|line| console.note(line));
        }
        Notice::PageCompleted { .. }
        | Notice::Changed { .. }
        | Notice::Listening { .. }
        | Notice::Decided(_)
        | Notice::Violated { .. }
        | Notice::Logged { .. }
        | Notice::Progressed { .. }
        | Notice::Working { .. } => {}
    }
}

/// Why a call has no result.
pub(crate) fn call_failure(texts: &Texts, connected: &Connected, failure: &CallFailure) -> Failure {
    let server = connected.name.as_str();
    let name = ("server", server.into());
    match failure {
        CallFailure::Server(error) => server_error(texts, connected, error),
        CallFailure::Protocol(violation) => {
            let variables = [name, ("message", (&violation.message).into())];
            Failure::new(FailureKind::Protocol, texts.format("failed-protocol", &variables))
        }
        CallFailure::Unmeetable { key, problem } => {
            let variables = [name, ("key", key.into()), ("problem", wording::ask_problem(texts, problem).into())];
            let failure = Failure::new(FailureKind::Protocol, texts.format("failed-unmeetable", &variables));
            match problem {
                AskProblem::Undeclared { .. } => failure.hint(texts.get("failed-undeclared-hint")),
                AskProblem::UnknownMethod { .. } | AskProblem::Invalid { .. } => failure,
            }
        }
        CallFailure::Refused { kind, refusal, .. } => {
            let variables = [name, ("kind", kind.as_str().into())];
            match refusal {
                Refusal::ByPerson { .. } => {
                    Failure::new(FailureKind::Refused, texts.format("failed-refused", &variables))
                }
                Refusal::NobodyToAnswer | Refusal::Problem(_) => {
                    Failure::new(FailureKind::Unanswered, texts.format("failed-nobody", &variables))
                        .hint(texts.get("failed-unanswered-hint"))
                }
                Refusal::ModelFailed { message } => Failure::new(
                    FailureKind::Unanswered,
                    texts.format("failed-model", &[("server", server.into()), ("message", message.into())]),
                ),
            }
        }
        CallFailure::TooManyRounds { rounds } => {
            let variables = [name, ("rounds", u64::from(*rounds).into())];
            Failure::new(FailureKind::Rounds, texts.format("failed-rounds", &variables))
                .hint(texts.get("failed-rounds-hint"))
        }
        CallFailure::TimedOut { limit, whole_call } => {
            let seconds = format!("{:.1}", *limit as f64 / 1000.0);
            let id = if *whole_call { "failed-budget" } else { "failed-timeout" };
            let seconds = seconds.trim_end_matches(".0").to_owned();
            Failure::new(FailureKind::TimedOut, texts.format(id, &[name, ("seconds", seconds.into())]))
                .hint(texts.get(if *whole_call { "failed-budget-hint" } else { "failed-timeout-hint" }))
        }
        CallFailure::Abandoned(Abandonment::Cancelled { words }) => {
            let mut failure = Failure::new(FailureKind::ServerError, texts.format("failed-task-cancelled", &[name]));
            failure.details = words.iter().flat_map(|words| words.lines()).map(|line| format!("│ {line}")).collect();
            failure
        }
        CallFailure::Abandoned(Abandonment::Forgotten { error }) => {
            let variables = [name, ("message", (&error.message).into())];
            let mut failure = Failure::new(FailureKind::ServerError, texts.format("failed-task-forgotten", &variables));
            failure.code = Some(error.code);
            failure.hint(texts.get("failed-task-forgotten-hint"))
        }
        CallFailure::Stopped => Failure::new(FailureKind::Interrupted, texts.get("failed-stopped")),
        CallFailure::Disconnected { detail } => {
            let mut lines = detail.lines();
            let variables = [name, ("detail", lines.next().unwrap_or_default().into())];
            let mut failure = Failure::new(FailureKind::Disconnected, texts.format("failed-disconnected", &variables));
            failure.details = lines.map(|line| format!("│ {}", line.trim_start())).collect();
            failure.hint(texts.get("failed-disconnected-hint"))
        }
        CallFailure::Undelivered(undelivered) => {
            let variables = [name, ("detail", (&undelivered.detail).into())];
            let failure = Failure::new(FailureKind::Undelivered, texts.format("failed-undelivered", &variables));
            let hint = if undelivered.may_have_acted { "failed-disconnected-hint" } else { "failed-undelivered-hint" };
            failure.hint(texts.get(hint))
        }
    }
}

fn server_error(texts: &Texts, connected: &Connected, error: &engine::ServerError) -> Failure {
    let variables = [
        ("server", connected.name.as_str().into()),
        ("code", error.code.to_string().into()),
        ("message", (&error.message).into()),
    ];
    let modern = connected.revision.era() == Era::Modern;
    let mut failure = if error.code == MISSING_CAPABILITY && modern {
        Failure::new(FailureKind::Unanswered, texts.format("failed-capability", &variables))
            .hint(texts.get("failed-unanswered-hint"))
    } else {
        Failure::new(FailureKind::ServerError, texts.format("failed-server-error", &variables))
    };
    failure.code = Some(error.code);
    failure
}

/// Why a request has no result.
pub(crate) fn request_failure(texts: &Texts, server: &ServerName, error: &RequestError) -> Failure {
    let name = ("server", server.as_str().into());
    match error {
        RequestError::Server(error) => {
            let variables = [name, ("code", error.code.to_string().into()), ("message", (&error.message).into())];
            let mut failure = Failure::new(FailureKind::ServerError, texts.format("failed-server-error", &variables));
            failure.code = Some(error.code);
            failure
        }
        RequestError::Protocol(violation) => {
            let variables = [name, ("message", (&violation.message).into())];
            Failure::new(FailureKind::Protocol, texts.format("failed-protocol", &variables))
        }
        RequestError::TimedOut { seconds } => {
            let variables = [name, ("seconds", seconds.to_string().into())];
            Failure::new(FailureKind::TimedOut, texts.format("failed-timeout", &variables))
        }
        RequestError::ShuttingDown => Failure::new(FailureKind::Interrupted, texts.get("failed-interrupted")),
    }
}

/// What could not be answered, and an entry ready to paste for each.
pub(crate) fn fault_lines(texts: &Texts, faults: &[Fault]) -> Vec<String> {
    let mut lines = Vec::new();
    for fault in faults {
        let variables = [
            ("kind", fault.ask.kind().as_str().into()),
            ("message", neutralise_line(fault.ask.message().unwrap_or_default()).into()),
        ];
        match &fault.reason {
            FaultReason::NothingMatches => lines.push(texts.format("fault-no-entry", &variables)),
            FaultReason::EntryInvalid { place, errors } => {
                lines.push(texts.format("fault-invalid", &[("place", place.into())]));
                for error in errors {
                    let key = error.key.as_deref().unwrap_or("content");
                    lines.push(format!("  {key}: {}", wording::entry_error(texts, &error.error)));
                }
            }
            FaultReason::NotOpenable { place, why } => {
                lines.push(texts.format("fault-not-openable", &[("place", place.into())]));
                lines.push(format!("  {}", wording::not_openable(texts, why)));
            }
            FaultReason::ModelFailed { message } => {
                lines.push(texts.format("fault-model-failed", &[("detail", message.into())]));
            }
            FaultReason::NoModel { place } => {
                lines.push(texts.format("fault-no-model", &[("place", place.into())]));
            }
        }
        if matches!(fault.reason, FaultReason::ModelFailed { .. }) {
            // The entry was there, and another one would not mend the model.
            continue;
        }
        lines.push(String::new());
        lines.extend(answer_file::suggest(&fault.server, fault.tool.as_deref(), &fault.ask).lines().map(str::to_owned));
        lines.push(String::new());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
