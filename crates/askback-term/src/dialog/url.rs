//! A web page that the person is asked to visit: where it leads, and consent.

use std::ops::Range;

use askback_core::ask::UrlAsk;
use askback_core::display::neutralise_line;
use askback_core::url_safety::{self, Address, HostName, Openable};
use askback_desk::view::Told;
use askback_desk::wording;

use super::header::quoted;
use super::menu::Menu;
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A URL ask being answered.
pub(super) struct UrlStage {
    ask: UrlAsk,
    address: Address,
    told: Told,
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
    pub(super) fn new(ask: UrlAsk, told: Told) -> UrlStage {
        let address = url_safety::inspect(&ask.url);
        let refuse = [(Act::Decline, "term-choice-decline"), (Act::Cancel, "term-choice-cancel")];
        let menu = if address.destination().is_some() {
            let [decline, cancel] = refuse;
            Menu::careful(&[(Act::Open, "term-choice-open"), (Act::Show, "term-choice-show"), decline, cancel])
        } else {
            Menu::ready(&refuse)
        };
        UrlStage { ask, address, told, menu }
    }
}

/// An address in full: the host stands out, and in it the domain that somebody answers for.
pub(super) fn address_line(address: &Address) -> Line {
    let line = Line { spans: Vec::new(), ..Line::quoted("", Style::Plain) };
    let parts = address.destination().and_then(|destination| destination.parts.as_ref());
    let Some(parts) = parts else { return line.with(neutralise_line(&address.text), Style::Plain) };
    let shown = |part: &Range<usize>| neutralise_line(&address.text[part.clone()]);
    line.with(shown(&parts.before_host), Style::Dim)
        .with(shown(&parts.subdomain), Style::Plain)
        .with(shown(&parts.registrable), Style::Bold)
        .with(shown(&parts.rest), Style::Dim)
}

/// A host behind a label, with the registrable domain in bold.
fn host_line(context: &Context<'_>, label: &str, host: &HostName) -> Line {
    let label = format!("{}{}", context.get(label), context.get("term-colon"));
    Line::own(label, Style::Dim)
        .with(neutralise_line(&host.before), Style::Plain)
        .with(neutralise_line(&host.registrable), Style::Bold)
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
        lines.push(address_line(&self.address));
        lines.push(Line::blank());
        match &self.address.openable {
            Openable::Yes(destination) => {
                lines.push(host_line(context, "term-leads-to", &destination.host));
                lines.extend(destination.unicode_host.as_ref().map(|host| host_line(context, "term-reads-as", host)));
            }
            Openable::No(why) => {
                let why = wording::not_openable(context.texts, why);
                lines.push(Line::marked("✗", Style::Error).with(why, Style::Error));
            }
        }
        for warning in &self.address.warnings {
            let warning = wording::address_warning(context.texts, warning);
            lines.push(Line::marked("!", Style::Warning).with(warning, Style::Warning));
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
        if self.address.destination().is_some() {
            let unheard = self.told == Told::Nothing;
            let id = if unheard { "term-url-consent-unheard" } else { "term-url-consent" };
            view.body.push(Line::own(context.of_server(id), Style::Dim));
        }
        view.body.gap();
        self.menu.draw(&mut view.body, context);
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]);
    }

    fn kept(&self, _: &Context<'_>, _: bool) -> Vec<Line> {
        Vec::new()
    }
}
