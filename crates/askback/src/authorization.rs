//! Tokens for servers behind an address: what is configured, the store of this system, and the person who logs in.
//!
//! Owns how the person is asked before the first call; in the middle of one the host asks them. How tokens are come by is `askback-auth`'s.

use std::io::BufRead as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use askback_auth::browser::{Browser, BrowserError, LoginPage, LoopbackBrowser};
use askback_auth::settings::{Grant, MachineClient, Proof, RegisteredClient};
use askback_auth::store::{self, TokenStore};
use askback_auth::{OAuthAuthorizer, Settings};
use askback_core::display::neutralise_line;
use askback_core::url_safety;
use askback_desk::{Texts, wording};
use askback_host::host::Opener;
use askback_term::drawing::Style;
use askback_term::screen::Printer;
use url::Url;

use crate::config::{OAuthConfig, OAuthGrant};
use crate::console::{self, Console};
use crate::page_opener;

/// How the person comes into it.
pub(crate) enum Person {
    /// They asked for this login themselves: the page is opened at once.
    Asked,
    /// They called something, and are asked first whether they want to log in.
    Willing(Arc<LoginQuestion>),
    /// Nobody is there.
    Absent,
}

/// The question whether a person wants to log in.
#[derive(Debug, Default)]
pub(crate) struct LoginQuestion {
    /// Whether it can be asked no more, because prompts may have the terminal.
    too_late: AtomicBool,
    /// Whether it was asked.
    asked: AtomicBool,
}

impl LoginQuestion {
    /// From now on it cannot be asked.
    pub(crate) fn too_late(&self) {
        self.too_late.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked, so that what is waited for is the person.
    pub(crate) fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

/// What gets the tokens for one server.
pub(crate) fn authorizer(
    console: &Console,
    name: &str,
    url: &Url,
    config: &OAuthConfig,
    person: Person,
) -> OAuthAuthorizer {
    let store: Arc<dyn TokenStore> = match console::state_folder() {
        Some(folder) => store::system_store(&folder.join("oauth")),
        None => Arc::new(store::MemoryStore::default()),
    };
    let lang = console.texts.lang();
    let browser: Option<Arc<dyn Browser>> = match person {
        Person::Absent => None,
        Person::Asked => Some(Arc::new(LoopbackBrowser::new(opener(console, None), lang))),
        Person::Willing(question) => Some(Arc::new(LoopbackBrowser::new(opener(console, Some(question)), lang))),
    };
    OAuthAuthorizer::new(settings(console, name, url, config), store, browser)
}

fn settings(console: &Console, name: &str, url: &Url, config: &OAuthConfig) -> Settings {
    let mut settings = Settings::new(name, url, console.texts.lang());
    settings.client.metadata_document.clone_from(&config.metadata_document);
    let Some(id) = config.client_id.clone() else { return settings };
    let (secret, issuer) = (config.client_secret.clone(), config.issuer.clone());
    match (&config.grant, secret) {
        (OAuthGrant::Person, secret) => settings.client.registered = Some(RegisteredClient { id, secret, issuer }),
        (OAuthGrant::ClientKey { key, algorithm }, _) => {
            let proof = Proof::Key { key: key.clone(), algorithm: *algorithm };
            settings.grant = Grant::Machine(MachineClient { id, proof, issuer });
        }
        (OAuthGrant::ClientSecret, Some(secret)) => {
            settings.grant = Grant::Machine(MachineClient { id, proof: Proof::Secret(secret), issuer });
        }
        (OAuthGrant::ClientSecret, None) => {}
    }
    settings
}

/// Shows where the login is, and opens it: at once, or after the person has said so.
fn opener(console: &Console, question: Option<Arc<LoginQuestion>>) -> askback_auth::browser::Opener {
    let (texts, printer) = (console.texts.clone(), console.printer());
    let open = page_opener::opener();
    Arc::new(move |page: &LoginPage| {
        if page.is_agreed {
            open_beside_prompts(&texts, &printer, page, &open);
            return Ok(());
        }
        if question.as_ref().is_some_and(|question| question.too_late.load(Ordering::Relaxed)) {
            let detail = texts.format("login-not-now", &[("server", page.server_name.as_str().into())]);
            return Err(BrowserError::NotNow { detail });
        }
        let address = url_safety::inspect(page.address.as_str());
        let variables = [
            ("server", page.server_name.as_str().into()),
            ("issuer", neutralise_line(&page.issuer).into()),
            ("address", neutralise_line(page.address.as_str()).into()),
        ];
        console::err(format_args!("{}", texts.format("login-wanted", &variables)));
        console::err(format_args!("  {}", texts.format("login-address", &variables)));
        for warning in &address.warnings {
            console::err(format_args!("  ! {}", wording::address_warning(&texts, warning)));
        }
        if let Some(question) = &question {
            question.asked.store(true, Ordering::Relaxed);
            console::err(format_args!("{}", texts.get("login-consent")));
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
            if read == 0 || !line.trim().is_empty() {
                return Err(BrowserError::Declined);
            }
        }
        // Where no browser can be started, the address is on the screen.
        if let Err(detail) = open(page.address.as_str()) {
            let variables = [("url", page.address.as_str().into()), ("detail", detail.into())];
            console::err(format_args!("{}", texts.format("page-not-opened", &variables)));
        }
        console::err(format_args!("{}", texts.get("login-waiting")));
        Ok(())
    })
}

/// Opens a page that the person has seen at the prompts. Where no browser can be started, the address is on the screen.
fn open_beside_prompts(texts: &Texts, printer: &OnceLock<Printer>, page: &LoginPage, open: &Opener) {
    if let Err(detail) = open(page.address.as_str()) {
        let url = neutralise_line(page.address.as_str());
        let line = texts.format("page-not-opened", &[("url", url.into()), ("detail", detail.into())]);
        match printer.get() {
            Some(printer) => printer.print_styled(&line, Style::Warning),
            None => console::err(format_args!("{line}")),
        }
    }
}
