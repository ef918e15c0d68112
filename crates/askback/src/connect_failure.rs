//! Why there is no connection, in the user's language.

use askback_desk::Texts;
use askback_host::ConnectError;
use askback_host::authorization::AuthorizationError;
use askback_host::error::ConnectErrorKind;
use askback_wire::handshake::ConnectFailure;

use crate::failure::{Failure, FailureKind};
use crate::sandbox;

/// Why there is no connection.
pub(crate) fn connect_failure(texts: &Texts, error: &ConnectError) -> Failure {
    let server = error.server.as_str();
    let (message, hint, code) = match &error.kind {
        ConnectErrorKind::Start { program, detail, not_found } => {
            let id = if *not_found { "connect-not-found" } else { "connect-not-started" };
            let variables = [("server", server.into()), ("program", program.into()), ("detail", detail.into())];
            (texts.format(id, &variables), not_found.then(|| texts.get("connect-not-found-hint")), None)
        }
        ConnectErrorKind::Sandbox(error) => {
            let (message, hint) = sandbox::not_started(texts, server, error);
            (message, hint, None)
        }
        ConnectErrorKind::TimedOut { seconds } => {
            let variables = [("server", server.into()), ("seconds", (*seconds).into())];
            (texts.format("connect-timed-out", &variables), Some(texts.get("connect-silent-hint")), None)
        }
        ConnectErrorKind::Unreachable { detail } => {
            let variables = [("server", server.into()), ("detail", detail.into())];
            (texts.format("connect-unreachable", &variables), Some(texts.get("connect-unreachable-hint")), None)
        }
        ConnectErrorKind::Unauthorized(error) => unauthorized(texts, server, error),
        ConnectErrorKind::NotReady { detail } => {
            let variables = [("server", server.into()), ("detail", detail.into())];
            (texts.format("connect-not-ready", &variables), None, None)
        }
        ConnectErrorKind::ShuttingDown => (texts.get("failed-interrupted"), None, None),
        ConnectErrorKind::Handshake(failure) => handshake_failure(texts, server, failure, error.exit.as_deref()),
    };
    let mut failure = Failure::new(FailureKind::Connect, message);
    failure.hint = hint;
    failure.code = code;
    let place = if error.is_address { "connect-address" } else { "connect-command" };
    failure.details.push(texts.format(place, &[("command", (&error.source_line).into())]));
    failure.details.extend(error.stderr.iter().map(|line| format!("│ {line}")));
    if let Some(sandbox) = error.sandbox.as_deref().filter(|_| !matches!(error.kind, ConnectErrorKind::Sandbox(_))) {
        let mut said = std::iter::once(&failure.message).chain(&failure.details);
        let ended = matches!(error.kind, ConnectErrorKind::Handshake(ConnectFailure::Ended));
        let suspected = ended || said.any(|line| sandbox::may_be_the_reason(line));
        failure.details.push(sandbox::line(texts, sandbox));
        if suspected {
            failure.hint = Some(sandbox::hint(texts, server));
        }
    }
    failure
}

fn handshake_failure(
    texts: &Texts,
    server: &str,
    failure: &ConnectFailure,
    exit: Option<&str>,
) -> (String, Option<String>, Option<i64>) {
    let name = ("server", server.into());
    match failure {
        ConnectFailure::NoSharedVersion { theirs } => {
            let theirs = if theirs.is_empty() { "?".to_owned() } else { theirs.join(", ") };
            (texts.format("connect-no-version", &[name, ("theirs", theirs.into())]), None, None)
        }
        ConnectFailure::NotThatVersion { wanted, theirs } => {
            let variables = [name, ("wanted", wanted.as_str().into()), ("theirs", theirs.into())];
            let hint = texts.get("connect-not-that-version-hint");
            (texts.format("connect-not-that-version", &variables), Some(hint), None)
        }
        ConnectFailure::Refused(error) => {
            let variables = [name, ("code", error.code.to_string().into()), ("message", (&error.message).into())];
            (texts.format("connect-refused", &variables), None, Some(error.code))
        }
        ConnectFailure::Ended => {
            let exit = exit.unwrap_or("?");
            (texts.format("connect-ended", &[name, ("exit", exit.into())]), None, None)
        }
        ConnectFailure::Silent => {
            (texts.format("connect-silent", &[name]), Some(texts.get("connect-silent-hint")), None)
        }
        ConnectFailure::Http { status, body } => {
            let variables = [name, ("status", u64::from(*status).into()), ("body", body.into())];
            let id = if (300..400).contains(status) { "connect-redirected" } else { "connect-http" };
            let hint = matches!(status, 404 | 405).then(|| texts.get("connect-http-hint"));
            (texts.format(id, &variables), hint, None)
        }
        ConnectFailure::Invalid { what } => {
            (texts.format("connect-invalid", &[name, ("what", what.into())]), None, None)
        }
    }
}

fn unauthorized(texts: &Texts, server: &str, error: &AuthorizationError) -> (String, Option<String>, Option<i64>) {
    let detail = error.to_string();
    let variables = [("server", server.into()), ("detail", detail.into())];
    let (id, hint) = match error {
        AuthorizationError::NotOffered { .. } => ("connect-no-login", "connect-no-login-hint"),
        AuthorizationError::NobodyToAsk => ("connect-not-logged-in", "connect-not-logged-in-hint"),
        AuthorizationError::Failed { .. } => ("connect-login-failed", "connect-login-failed-hint"),
        AuthorizationError::StillRefused { .. } => ("connect-still-refused", "connect-still-refused-hint"),
    };
    (texts.format(id, &variables), Some(texts.format(hint, &variables)), None)
}
