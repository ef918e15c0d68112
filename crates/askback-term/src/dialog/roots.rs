//! A request for the workspace's folders, should one ever reach a person here: it is shown, and nothing is disclosed.

use askback_core::answer::Answer;

use super::menu::Menu;
use super::view::{Context, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// A roots ask being answered.
pub(super) struct RootsStage {
    menu: Menu<Act>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    ShareNone,
    Decline,
}

impl RootsStage {
    pub(super) fn new() -> RootsStage {
        RootsStage {
            menu: Menu::ready(&[(Act::ShareNone, "term-choice-no-folders"), (Act::Decline, "term-choice-decline")]),
        }
    }
}

impl Stage for RootsStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        vec![Line::blank(), Line::own(context.of_server("term-roots-here"), Style::Plain)]
    }

    fn handle(&mut self, key: &Key, _: &Context<'_>) -> Step {
        if *key == Key::Escape {
            return Step::Cancel;
        }
        match self.menu.handle(key) {
            None => Step::Stay,
            Some(Act::ShareNone) => Step::Answer(Answer::Roots(Vec::new())),
            Some(Act::Decline) => Step::Decline,
        }
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        self.menu.draw(&mut view.body, context);
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-cancel")]);
    }

    fn kept(&self, _: &Context<'_>, _: bool) -> Vec<Line> {
        Vec::new()
    }
}
