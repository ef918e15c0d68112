//! A web page that the person is asked to visit: where it leads, and consent.

use askback_core::ask::UrlAsk;
use askback_core::display::{neutralise, neutralise_line};

use super::address::{Address, Oddity};
use super::header::quoted;
use super::menu::Menu;
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A URL ask being answered.
pub(super) struct UrlStage {
    ask: UrlAsk,
    address: Address,
    menu: Menu<Act>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Open,
    Show,
    Decline,
    Cancel,
}

impl UrlStage {
    pub(super) fn new(ask: UrlAsk) -> UrlStage {
        let address = Address::read(&ask.url);
        let refuse = [(Act::Decline, "term-choice-decline"), (Act::Cancel, "term-choice-cancel")];
        let menu = if address.host.is_some() {
            let [decline, cancel] = refuse;
            Menu::careful(&[(Act::Open, "term-choice-open"), (Act::Show, "term-choice-show"), decline, cancel])
        } else {
            Menu::ready(&refuse)
        };
        UrlStage { ask, address, menu }
    }

    /// The address in full, with its host in bold where it can be found.
    fn address_line(&self) -> Line {
        let shown = neutralise(&self.ask.url).replace('\n', "␊");
        let quoted = Line::quoted("", Style::Plain);
        let quoted = Line { spans: Vec::new(), ..quoted };
        let found = self.address.host.as_deref().and_then(|host| {
            let authority = shown.find("//").map(|at| at + 2)?;
            let end = shown[authority..].find(['/', '?', '#']).map_or(shown.len(), |at| authority + at);
            let at = shown[authority..end].to_ascii_lowercase().rfind(host)?;
            Some((authority + at, authority + at + host.len()))
        });
        match found {
            Some((start, end)) => quoted
                .with(&shown[..start], Style::Plain)
                .with(&shown[start..end], Style::Bold)
                .with(&shown[end..], Style::Plain),
            None => quoted.with(shown, Style::Plain),
        }
    }
}

impl Stage for UrlStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        let mut lines = vec![Line::blank()];
        if self.ask.message.trim().is_empty() {
            lines.push(Line::own(context.of_server("term-no-message"), Style::Dim));
        } else {
            lines.extend(quoted(&self.ask.message));
        }
        lines.push(Line::quoted("", Style::Plain));
        lines.push(self.address_line());
        lines.push(Line::blank());
        if let Some(host) = &self.address.host {
            let label = format!("{}{}", context.get("term-leads-to"), context.get("term-colon"));
            lines.push(Line::own(label, Style::Dim).with(neutralise_line(host), Style::Bold));
        }
        for oddity in &self.address.warnings {
            lines.push(Line::marked("!", Style::Warning).with(oddity_text(context, oddity), Style::Warning));
        }
        lines
    }

    fn handle(&mut self, key: &Key, _: &Context<'_>) -> Step {
        if *key == Key::Escape {
            return Step::Cancel;
        }
        match self.menu.handle(key) {
            None => Step::Stay,
            Some(Act::Open) => Step::Consent { open: Some(self.ask.url.clone()) },
            Some(Act::Show) => Step::Consent { open: None },
            Some(Act::Decline) => Step::Decline,
            Some(Act::Cancel) => Step::Cancel,
        }
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        if self.address.host.is_some() {
            view.body.push(Line::own(context.of_server("term-url-consent"), Style::Dim));
        }
        view.body.gap();
        self.menu.draw(&mut view.body, context);
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]);
    }

    fn kept(&self, _: &Context<'_>, _: bool) -> Vec<Line> {
        Vec::new()
    }
}

fn oddity_text(context: &Context<'_>, oddity: &Oddity) -> String {
    match oddity {
        Oddity::NotOpenable => context.get("term-url-not-openable"),
        Oddity::PlainHttp => context.get("term-url-plain-http"),
        Oddity::IpAddress => context.get("term-url-ip"),
        Oddity::Port(port) => context.texts.format("term-url-port", &[("port", port.to_string().into())]),
        Oddity::UserInfo => context.get("term-url-user-info"),
        Oddity::NonAscii { ascii } => context.texts.format("term-url-non-ascii", &[("ascii", ascii.into())]),
        Oddity::StrangeCharacters => context.get("term-url-strange"),
    }
}
