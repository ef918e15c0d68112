//! Letting a server have the user's models from now on: what exactly that allows, within which limits, and how it is taken back.

use askback_core::display::neutralise_line;
use askback_core::sampling::choice::Unfit;
use askback_desk::lending::Permission;
use askback_desk::wording::lending as words;

use super::plan::Plan;
use crate::dialog::menu::Menu;
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// The question how long.
pub(super) struct Permit {
    menu: Menu<Act>,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    For(Permission),
    Back,
}

/// What a key led to.
pub(super) enum Event {
    Stay,
    Back,
    Permit(Permission),
}

impl Permit {
    pub(super) fn new() -> Permit {
        Permit {
            menu: Menu::careful(&[
                (Act::For(Permission::Session), "term-choice-session"),
                (Act::For(Permission::Always), "term-choice-always"),
                (Act::Back, "term-choice-back"),
            ]),
        }
    }

    pub(super) fn handle(&mut self, key: &Key) -> Event {
        if *key == Key::Escape {
            return Event::Back;
        }
        match self.menu.handle(key) {
            None => Event::Stay,
            Some(Act::For(permission)) => Event::Permit(permission),
            Some(Act::Back) => Event::Back,
        }
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>, plan: &Plan) {
        let title = Line::own(context.of_server("term-permit-title"), Style::Bold);
        view.brief.push(title.clone());
        view.text.push(title);
        view.text.extend(terms(context, plan));
        self.menu.draw(&mut view.body, context);
        view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-back")]);
    }
}

/// What the permission says, point by point.
fn terms(context: &Context<'_>, plan: &Plan) -> Vec<Line> {
    let point = |text: String| Line::marked("·", Style::Dim).with(text, Style::Plain);
    let mut lines = vec![point(context.of_server("term-permit-what"))];
    let models = [("models", allowed(plan).join(&context.get("term-list-separator")).into())];
    lines.push(point(context.texts.format("term-permit-models", &models)));
    lines.push(match words::limits(context.texts, &plan.offer.limits) {
        Some(limits) => point(context.texts.format("term-permit-limits", &[("limits", limits.into())])),
        None => Line::marked("!", Style::Warning).with(context.get("term-permit-no-limits"), Style::Warning),
    });
    lines.push(point(context.get("term-permit-secrets")));
    lines.push(point(context.texts.format("term-permit-now", &[("model", plan.model().into())])));
    lines.push(point(context.of_server("term-permit-revoke")));
    lines
}

/// The models that the server may have, whether this request could go to them or not.
fn allowed(plan: &Plan) -> Vec<String> {
    let usable = plan.offer.models.iter().map(|model| &model.name);
    let other = plan.offer.unusable.iter();
    let other = other.filter(|model| !model.reasons.contains(&Unfit::NotAllowed)).map(|model| &model.name);
    usable.chain(other).map(|name| neutralise_line(name)).collect()
}
