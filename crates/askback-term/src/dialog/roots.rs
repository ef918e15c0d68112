//! A request for the workspace's folders: the person sees each of them before a server is told, and chooses.
//!
//! Owns the choice. Nothing is shared by a stray Enter: that only ticks a folder, or takes the tick away.

use askback_core::answer::Answer;
use askback_core::display::neutralise_line;
use askback_desk::view::{Root, RootOffer, RootOrigin, RootsView};

use super::menu::row;
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A roots ask being answered.
pub(super) struct RootsStage {
    /// The folders, and whether each is ticked.
    folders: Vec<(RootOffer, bool)>,
    excluded: Vec<String>,
    acts: Vec<(Act, &'static str)>,
    at: usize,
    nothing_ticked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    ShareOnce,
    ShareAlways,
    ShareNone,
    Decline,
}

impl RootsStage {
    pub(super) fn new(roots: RootsView) -> RootsStage {
        let tick = |offer: RootOffer| {
            let ticked = offer.agreed != Some(false);
            (offer, ticked)
        };
        let folders: Vec<_> = roots.offers.into_iter().map(tick).collect();
        let mut acts = Vec::new();
        if !folders.is_empty() {
            acts.extend([(Act::ShareOnce, "term-choice-share-once"), (Act::ShareAlways, "term-choice-share-always")]);
        }
        acts.extend([(Act::ShareNone, "term-choice-no-folders"), (Act::Decline, "term-choice-decline")]);
        RootsStage { folders, excluded: roots.excluded, acts, at: 0, nothing_ticked: false }
    }

    fn chosen(&self, ticked: bool) -> Vec<Root> {
        self.folders.iter().filter(|(_, is)| *is == ticked).map(|(offer, _)| offer.root.clone()).collect()
    }

    fn act(&mut self, act: Act) -> Step {
        let shared = self.chosen(true);
        match act {
            Act::ShareOnce | Act::ShareAlways if shared.is_empty() => {
                self.nothing_ticked = true;
                Step::Stay
            }
            Act::ShareOnce => Step::Answer(Answer::Roots(shared)),
            Act::ShareAlways => Step::ShareAlways { shared, withheld: self.chosen(false) },
            Act::ShareNone => {
                self.folders.iter_mut().for_each(|(_, ticked)| *ticked = false);
                Step::Answer(Answer::Roots(Vec::new()))
            }
            Act::Decline => Step::Decline,
        }
    }

    fn toggle(&mut self) {
        if let Some((_, ticked)) = self.folders.get_mut(self.at) {
            *ticked = !*ticked;
        }
    }
}

/// A folder in words: its name, its path, and where it comes from.
fn words(context: &Context<'_>, offer: &RootOffer) -> (String, String) {
    let path = neutralise_line(&offer.root.shown());
    let folder = match &offer.root.name {
        Some(name) => format!("{}{}{path}", neutralise_line(name), context.get("term-colon")),
        None => path,
    };
    let from = context.of_server(match offer.origin {
        RootOrigin::CommandLine => "term-root-given",
        RootOrigin::Config => "term-root-config",
        RootOrigin::ServerConfig => "term-root-server-config",
        RootOrigin::Added => "term-root-added",
        RootOrigin::Workspace => "term-root-workspace",
    });
    (folder, from)
}

impl Stage for RootsStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        let id = if self.folders.is_empty() { "term-roots-nothing" } else { "term-roots-here" };
        let mut lines = vec![Line::blank(), Line::own(context.of_server(id), Style::Plain)];
        if !self.excluded.is_empty() && !self.folders.is_empty() {
            let globs: Vec<String> = self.excluded.iter().map(|glob| neutralise_line(glob)).collect();
            let globs = globs.join(&context.get("term-list-separator"));
            let variables = [("globs", globs.into()), ("server", context.server.into())];
            lines.push(Line::own(context.texts.format("term-roots-excluded", &variables), Style::Dim));
        }
        lines
    }

    fn handle(&mut self, key: &Key, _: &Context<'_>) -> Step {
        let last = self.folders.len() + self.acts.len() - 1;
        self.nothing_ticked = false;
        match key {
            Key::Escape => return Step::Cancel,
            Key::Down | Key::Tab => self.at = (self.at + 1).min(last),
            Key::Up | Key::BackTab => self.at = self.at.saturating_sub(1),
            Key::Home | Key::PageUp => self.at = 0,
            Key::End | Key::PageDown => self.at = last,
            Key::Char(' ') => self.toggle(),
            Key::Enter => match self.at.checked_sub(self.folders.len()) {
                None => self.toggle(),
                Some(at) => return self.act(self.acts[at].0),
            },
            _ => {}
        }
        Step::Stay
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        for (at, (offer, ticked)) in self.folders.iter().enumerate() {
            if self.at == at {
                view.body.focus_here();
            }
            let (folder, from) = words(context, offer);
            let line = row(self.at == at, Some(if *ticked { "◼" } else { "◻" }), &folder);
            view.body.push(line.with("  ", Style::Plain).with(from, Style::Dim));
        }
        if !self.folders.is_empty() {
            view.body.push(Line::blank());
        }
        for (at, (_, id)) in self.acts.iter().enumerate() {
            let here = self.at == self.folders.len() + at;
            if here {
                view.body.focus_here();
            }
            view.body.push(row(here, None, &context.of_server(id)));
        }
        if self.nothing_ticked {
            view.body.push(Line::marked("✗", Style::Error).with(context.get("term-roots-tick-first"), Style::Error));
        }
        let keys: &[(&str, &str)] = if self.at < self.folders.len() {
            &[("↑↓", "term-do-move"), ("Space", "term-do-tick"), ("Esc", "term-do-cancel")]
        } else {
            &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]
        };
        view.keys(context, keys);
    }

    fn kept(&self, context: &Context<'_>, sent: bool) -> Vec<Line> {
        let shared = self.folders.iter().filter(|(_, ticked)| *ticked && sent);
        shared.map(|(offer, _)| Line::marked("✓", Style::Good).with(words(context, offer).0, Style::Plain)).collect()
    }
}
