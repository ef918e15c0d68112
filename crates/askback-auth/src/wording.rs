//! The words for what went wrong.
//!
//! Owns the choice of message and the neutralising of what strangers wrote. Must not know what is done about a failure.

use std::borrow::Cow;
use std::error::Error;

use askback_core::display::neutralise_line;
use askback_desk::texts::{Lang, Texts, Variable};
use askback_host::authorization::AuthorizationError;

use crate::AUTH;
use crate::browser::BrowserError;
use crate::courier::{Answer, Note};
use crate::failure::Failure;
use crate::store::StoreError;

/// How much of a stranger's text is shown.
const LONGEST_DETAIL: usize = 300;

/// `failure` in the language of the person.
pub(crate) fn in_words(lang: Lang, failure: &Failure) -> AuthorizationError {
    let texts = Texts::new(lang, &[AUTH]);
    match failure {
        Failure::NotOffered { status, notes } => {
            AuthorizationError::NotOffered { detail: not_offered(&texts, *status, notes) }
        }
        Failure::NobodyToAsk => AuthorizationError::NobodyToAsk,
        Failure::StillRefused { status, error, description } => AuthorizationError::StillRefused {
            detail: still_refused(&texts, *status, error.as_deref(), description.as_deref()),
        },
        failure => AuthorizationError::Failed { detail: failed(&texts, failure) },
    }
}

fn not_offered(texts: &Texts, status: Option<u16>, notes: &[Note]) -> String {
    let looked: Vec<String> = notes.iter().map(|note| looked(texts, note)).collect();
    let looked = looked.join(&texts.get("auth-list-separator"));
    match status {
        Some(status) => {
            texts.format("auth-not-offered", &[("status", status.to_string().into()), ("looked", looked.into())])
        }
        None => texts.format("auth-not-offered-login", &[("looked", looked.into())]),
    }
}

fn looked(texts: &Texts, note: &Note) -> String {
    let address = ("address", safe(&note.address));
    match &note.answer {
        Answer::Status(status) => texts.format("auth-looked-status", &[address, ("status", status.to_string().into())]),
        Answer::Nothing { .. } => texts.format("auth-looked-nothing", &[address]),
        Answer::NotAsked => texts.format("auth-looked-not-asked", &[address]),
    }
}

fn still_refused(texts: &Texts, status: u16, error: Option<&str>, description: Option<&str>) -> String {
    let status = ("status", status.to_string().into());
    match (error, description) {
        (None, None) => texts.format("auth-still-refused", &[status]),
        (Some(one), None) | (None, Some(one)) => {
            texts.format("auth-still-refused-error", &[status, ("error", safe(one))])
        }
        (Some(error), Some(description)) => texts
            .format("auth-still-refused-words", &[status, ("error", safe(error)), ("description", safe(description))]),
    }
}

fn failed(texts: &Texts, failure: &Failure) -> String {
    let with = |id: &str, variables: &[(&str, &str)]| {
        let variables: Vec<_> = variables.iter().map(|&(name, text)| (name, safe(text))).collect();
        texts.format(id, &variables)
    };
    match failure {
        Failure::Discovery(source) => with("auth-discovery", &[("detail", &in_full(source))]),
        Failure::Address { address } => with("auth-address", &[("address", address)]),
        Failure::NoPkce { issuer } => with("auth-no-pkce", &[("issuer", issuer)]),
        Failure::OtherIssuer { before, now } => with("auth-other-issuer", &[("before", before), ("now", now)]),
        Failure::NoRegistration { issuer } => with("auth-no-registration", &[("issuer", issuer)]),
        Failure::Registration { issuer, source } => {
            with("auth-registration", &[("issuer", issuer), ("detail", &in_full(source))])
        }
        Failure::Browser(error) => browser(texts, error),
        Failure::LoginRefused { error, description: None } => with("auth-login-refused", &[("error", error)]),
        Failure::LoginRefused { error, description: Some(description) } => {
            with("auth-login-refused-why", &[("error", error), ("description", description)])
        }
        Failure::OtherState => with("auth-other-state", &[]),
        Failure::WrongIssuer { expected, received: None } => with("auth-missing-issuer", &[("expected", expected)]),
        Failure::WrongIssuer { expected, received: Some(received) } => {
            with("auth-wrong-issuer", &[("expected", expected), ("received", received)])
        }
        Failure::NoCode => with("auth-no-code", &[]),
        Failure::Token(source) => with("auth-token", &[("detail", &in_full(source))]),
        Failure::NoToken => with("auth-no-token", &[]),
        Failure::TokenEndpoint { address, detail } => {
            with("auth-token-endpoint", &[("address", address), ("detail", detail)])
        }
        Failure::Courier(error) => with("auth-courier", &[("detail", &error.to_string())]),
        Failure::Enterprise(error) => with("auth-token", &[("detail", &in_full(error))]),
        Failure::Key { algorithm } => with("auth-key", &[("algorithm", algorithm)]),
        Failure::Store(error) => store(texts, error),
        Failure::NotOffered { .. } | Failure::NobodyToAsk | Failure::StillRefused { .. } => failure.to_string(),
    }
}

fn browser(texts: &Texts, error: &BrowserError) -> String {
    match error {
        BrowserError::Listen(source) => texts.format("auth-listen", &[("detail", safe(&source.to_string()))]),
        BrowserError::NotOpened { detail } => texts.format("auth-not-opened", &[("detail", safe(detail))]),
        BrowserError::Declined => texts.get("auth-declined"),
        BrowserError::NotNow { detail } => safe_text(detail),
        BrowserError::TimedOut { waited } => texts.format("auth-timed-out", &[("seconds", waited.as_secs().into())]),
        BrowserError::NoRedirect { status } => {
            texts.format("auth-no-redirect", &[("status", status.to_string().into())])
        }
    }
}

fn store(texts: &Texts, error: &StoreError) -> String {
    match error {
        StoreError::File { path, source } => texts.format(
            "auth-store-file",
            &[("path", safe(&path.display().to_string())), ("detail", safe(&source.to_string()))],
        ),
        StoreError::OpenToOthers { path } => {
            texts.format("auth-store-open", &[("path", safe(&path.display().to_string()))])
        }
        StoreError::Keyring { detail } => texts.format("auth-store-keyring", &[("detail", safe(detail))]),
        StoreError::Damaged => texts.get("auth-store-damaged"),
    }
}

/// An error with its causes: those of `rmcp` keep theirs to themselves.
fn in_full(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// What may hold a stranger's text, made safe to show and not too long.
fn safe(text: &str) -> Variable<'static> {
    Variable::Text(Cow::Owned(safe_text(text)))
}

fn safe_text(text: &str) -> String {
    let mut shown = neutralise_line(text);
    if let Some((end, _)) = shown.char_indices().nth(LONGEST_DETAIL) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failure: Failure, english: &str, chinese: &str) {
        for (lang, expected) in [(Lang::En, english), (Lang::ZhCn, chinese)] {
            assert_eq!(in_words(lang, &failure).to_string(), expected);
        }
    }

    #[test]
    fn what_was_looked_at_is_named() {
        let note = |address: &str, answer: Answer| Note { address: address.to_owned(), answer };
        let notes = vec![
            note("https://mcp.example/a", Answer::Status(404)),
            note("https://mcp.example/b", Answer::Nothing { detail: "refused".to_owned() }),
            note("http://mcp.example/c", Answer::NotAsked),
        ];
        check(
            Failure::NotOffered { status: Some(401), notes },
            "the server answered 401 and does not say where to log in: https://mcp.example/a answered 404; \
             https://mcp.example/b gave no answer; http://mcp.example/c was not asked, because it is not https",
            "服务器返回了 401，但没有说明在哪里登录：https://mcp.example/a 返回了 404；https://mcp.example/b 没有应答；\
             没有询问 http://mcp.example/c，因为它不是 https",
        );
    }

    #[test]
    fn text_of_strangers_is_neutralised_and_cut() {
        let error = format!("\u{1b}[2J{}", "x".repeat(1000));
        let shown = in_words(Lang::En, &Failure::LoginRefused { error, description: None }).to_string();
        assert!(!shown.contains('\u{1b}'), "{shown}");
        assert!(shown.ends_with("xx…") && shown.chars().count() < 400, "{shown}");
    }
}
