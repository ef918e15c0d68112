//! Gate one: what would go to which model, why, and at what cost. Nothing has gone anywhere yet.

use askback_core::sampling::{SamplingRequest, ToolChoice};
use askback_desk::wording::lending as words;

use super::changes;
use super::plan::{Plan, Setback};
use crate::dialog::menu::Menu;
use crate::dialog::view::{Context, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// What may be done with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Put the model to work.
    Ask,
    /// See whether the limit has room again.
    LookAgain,
    /// Go back to the draft that is there.
    Draft,
    Models,
    Edit,
    /// Show the model the secrets.
    Show,
    /// Hide them again.
    Hide,
    Write,
    Call,
    Permit,
    Decline,
}

/// The gate.
pub(super) struct GateOne {
    menu: Menu<Act>,
}

impl GateOne {
    /// The gate of a request; without a plan, there are no models.
    pub(super) fn new(asked: &SamplingRequest, plan: Option<&Plan>) -> GateOne {
        let mut items = Vec::new();
        if let Some(plan) = plan {
            let offer = &plan.offer;
            items.extend(plan.can_ask().then_some((Act::Ask, "term-choice-ask")));
            items.extend(offer.exceeded.map(|_| (Act::LookAgain, "term-choice-look-again")));
            items.extend(plan.draft.is_some().then_some((Act::Draft, "term-choice-draft")));
            let several = offer.models.len() + offer.unusable.len() > 1;
            items.extend(several.then_some((Act::Models, "term-choice-models")));
            items.push((Act::Edit, "term-choice-edit-request"));
            if !offer.found.is_empty() {
                let hidden = plan.wish.redact;
                items.push(if hidden {
                    (Act::Show, "term-choice-show-secrets")
                } else {
                    (Act::Hide, "term-choice-hide")
                });
            }
        }
        let own = plan.is_some();
        if asked.tool_choice != ToolChoice::Required || asked.tools.is_empty() {
            items.push((Act::Write, if own { "term-choice-write-yourself" } else { "term-choice-write" }));
        }
        if asked.tool_choice != ToolChoice::None && !asked.tools.is_empty() {
            items.push((Act::Call, if own { "term-choice-call-yourself" } else { "term-choice-call" }));
        }
        items.extend(plan.filter(|plan| plan.can_ask()).map(|_| (Act::Permit, "term-choice-permit")));
        items.push((Act::Decline, "term-choice-decline"));
        // What a model has read cannot be taken back.
        GateOne { menu: if own { Menu::careful(&items) } else { Menu::ready(&items) } }
    }

    pub(super) fn handle(&mut self, key: &Key) -> Option<Act> {
        self.menu.handle(key)
    }

    pub(super) fn draw(&self, view: &mut View, context: &Context<'_>, asked: &SamplingRequest, plan: Option<&Plan>) {
        let wants = match asked.tool_choice {
            ToolChoice::Required => Some("term-must-call"),
            ToolChoice::None => Some("term-must-not-call"),
            ToolChoice::Auto => None,
        };
        if let Some(id) = wants.filter(|_| !asked.tools.is_empty()) {
            let line = Line::own(context.of_server(id), Style::Dim);
            if plan.is_some() { view.text.push(line) } else { view.body.push(line) }
        }
        let Some(plan) = plan else {
            view.body.gap();
            self.menu.draw(&mut view.body, context);
            view.keys(context, &[("↑↓", "term-do-move"), ("Enter", "term-do-choose"), ("Esc", "term-do-refuse")]);
            return;
        };
        view.text.extend(changed(context, asked, plan));
        view.text.extend(decision(context, plan));
        view.brief.extend(model_line(context, plan).into_iter().chain(exceeded(context, plan)));
        view.body.extend(setback(context, plan));
        view.body.gap();
        self.menu.draw_worded(&mut view.body, context, |id| {
            let variables = [("model", plan.model().into()), ("server", context.server.into())];
            context.texts.format(id, &variables)
        });
        view.keys(
            context,
            &[
                ("↑↓", "term-do-move"),
                ("Enter", "term-do-choose"),
                ("Ctrl-E", "term-do-editor"),
                ("Esc", "term-do-refuse"),
            ],
        );
    }
}

/// What stays in the scrollback when the model is put to work.
pub(super) fn said(context: &Context<'_>, asked: &SamplingRequest, plan: &Plan) -> Vec<Line> {
    let text = context.texts.format("term-model-asked", &[("model", plan.model().into())]);
    let mut lines = vec![Line::marked("→", Style::Accent).with(text, Style::Plain)];
    lines.extend(changed(context, asked, plan));
    if !plan.offer.found.is_empty() {
        let id = if plan.wish.redact { "term-said-hidden" } else { "term-said-shown" };
        let count = plan.offer.found.len() as u64;
        let style = if plan.wish.redact { Style::Dim } else { Style::Warning };
        lines.push(Line::own(context.texts.format(id, &[("count", count.into())]), style));
    }
    lines
}

/// What the person has changed of the request, below a title of it.
fn changed(context: &Context<'_>, asked: &SamplingRequest, plan: &Plan) -> Vec<Line> {
    let mut lines = changes::of_request(context, asked, &plan.changes);
    if !lines.is_empty() {
        lines.insert(0, Line::own(context.get("term-changed"), Style::Bold));
        lines.push(Line::blank());
    }
    lines
}

fn labelled(context: &Context<'_>, id: &str, value: String, style: Style) -> Line {
    let label = format!("{}{}", context.get(id), context.get("term-colon"));
    Line::own(label, Style::Dim).with(value, style)
}

/// Which model it is; nothing where there is none.
fn model_line(context: &Context<'_>, plan: &Plan) -> Option<Line> {
    let model = plan.offer.model()?;
    let id = askback_core::display::neutralise_line(&model.model);
    let variables = [("name", plan.model().into()), ("id", id.into())];
    Some(labelled(context, "term-model", context.texts.format("term-model-of", &variables), Style::Bold))
}

/// All that there is to know before the model is asked.
fn decision(context: &Context<'_>, plan: &Plan) -> Vec<Line> {
    let (texts, offer) = (context.texts, &plan.offer);
    let mut lines = Vec::new();
    match (model_line(context, plan), offer.model()) {
        (Some(line), Some(model)) => {
            lines.push(line);
            let why = match (&plan.wish.model, &offer.why) {
                (Some(_), _) => Some(context.get("term-you-chose")),
                (None, why) => why.as_ref().map(|why| words::why(texts, why)),
            };
            lines.extend(why.map(|why| labelled(context, "term-why", why, Style::Plain)));
            let sizes = [("input", model.estimate.input.into()), ("output", offer.sent.max_tokens.into())];
            lines.push(labelled(context, "term-size", texts.format("term-size-of", &sizes), Style::Plain));
            let cost = match &model.cost {
                Some(cost) => words::cost(texts, cost),
                None => context.get("term-cost-unknown"),
            };
            lines.push(labelled(context, "term-cost-of", cost, Style::Plain));
        }
        _ => {
            let text = context.get("term-no-model-fits");
            lines.push(Line::marked("!", Style::Warning).with(text, Style::Warning));
            lines.extend(offer.unusable.iter().map(|unusable| super::models::unusable(context, unusable)));
        }
    }
    if let Some(cap) = &offer.capped {
        let text = words::capped(texts, cap, offer.sent.max_tokens);
        lines.push(labelled(context, "term-shorter", text, Style::Plain));
    }
    if let Some(left) = words::left(texts, &offer.left) {
        lines.push(labelled(context, "term-limits-left", left, Style::Plain));
    }
    lines.extend(secrets(context, plan));
    if let Some(exceeded) = exceeded(context, plan) {
        lines.extend([Line::blank(), exceeded]);
    }
    lines
}

/// The limit that forbids it now.
fn exceeded(context: &Context<'_>, plan: &Plan) -> Option<Line> {
    let text = words::exceeded(context.texts, plan.offer.exceeded.as_ref()?, plan.offered_at);
    Some(Line::marked("!", Style::Warning).with(text, Style::Warning))
}

/// What is hidden, or would be.
fn secrets(context: &Context<'_>, plan: &Plan) -> Vec<Line> {
    if plan.offer.found.is_empty() {
        return Vec::new();
    }
    let (title, style) = if plan.wish.redact {
        (Line::own(context.get("term-hidden"), Style::Dim), Style::Plain)
    } else {
        (Line::marked("!", Style::Warning).with(context.get("term-not-hidden"), Style::Warning), Style::Warning)
    };
    let found = plan.offer.found.iter();
    let found = found
        .map(|found| Line::marked("·", Style::Dim).with(words::found(context.texts, found, plan.wish.redact), style));
    std::iter::once(title).chain(found).collect()
}

/// Why the person is here again.
fn setback(context: &Context<'_>, plan: &Plan) -> Vec<Line> {
    let error = |text: String| Line::marked("✗", Style::Error).with(text, Style::Error);
    match &plan.setback {
        None => Vec::new(),
        Some(Setback::Stopped) => {
            vec![Line::marked("–", Style::Warning).with(context.get("term-model-stopped"), Style::Plain)]
        }
        Some(Setback::Failed(why)) => vec![error(askback_core::display::neutralise_line(why))],
        Some(Setback::Unreadable { error: problem, .. }) => {
            let hint = Line::own(context.get("term-edit-again"), Style::Dim);
            vec![error(words::edit_error(context.texts, problem)), hint]
        }
    }
}
