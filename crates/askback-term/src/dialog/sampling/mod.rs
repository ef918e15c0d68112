//! Sampling: the person decides what a model gets to see, and what of its draft goes back; or writes the reply.
//!
//! Owns the way between the two gates. Each step of it is a module here; none of them puts a model to work itself, or knows what stands
//! behind an offer. Nothing of one request is kept for another: everything here ends with the stage.

mod changes;
mod edit;
mod gate_one;
mod gate_two;
mod manual;
mod models;
mod permit;
mod plan;
mod reply;
mod reply_edit;
mod request;
mod working;

use askback_core::answer::Answer;
use askback_core::sampling::{SamplingRequest, ToolChoice};
use askback_desk::lending::{DraftEvent, Offer, Permission, Wish};

use self::edit::Edit;
use self::gate_one::{Act, GateOne};
use self::gate_two::GateTwo;
use self::manual::Manual;
use self::models::Models;
use self::permit::Permit;
use self::plan::{Plan, Setback};
use self::working::Working;
use super::view::{Context, Errand, Stage, Step, View};
use crate::drawing::{Line, Style};
use crate::key::Key;

/// What is wished for a request before the person has said anything.
pub(super) fn first_wish(request: &SamplingRequest) -> Wish {
    Wish { request: request.clone(), model: None, redact: true }
}

/// A sampling ask being answered.
pub(super) struct SamplingStage {
    asked: SamplingRequest,
    /// What a model would do; absent where there is none.
    plan: Option<Plan>,
    manual: Manual,
    phase: Phase,
    /// The words above the request.
    opening: Option<&'static str>,
}

enum Phase {
    GateOne(GateOne),
    Models(Models),
    Edit(Box<Edit>),
    Permit(Permit),
    Working(Working),
    GateTwo(Box<GateTwo>),
    Manual,
}

impl SamplingStage {
    /// A request that a model could answer, if there is an offer; made at this time, in milliseconds since the epoch.
    pub(super) fn new(asked: SamplingRequest, offer: Option<Offer>, now: u64) -> SamplingStage {
        let opening = if offer.is_some() { "term-model-waits" } else { "term-no-model" };
        let plan = offer.map(|offer| Plan::new(first_wish(&asked), offer, now));
        let phase = Phase::GateOne(GateOne::new(&asked, plan.as_ref()));
        SamplingStage { manual: Manual::new(&asked), asked, plan, phase, opening: Some(opening) }
    }

    /// A request that is declined along with others.
    pub(super) fn passed_over(asked: SamplingRequest) -> SamplingStage {
        SamplingStage { opening: None, ..SamplingStage::new(asked, None, 0) }
    }

    fn gate_one(&mut self) {
        self.phase = Phase::GateOne(GateOne::new(&self.asked, self.plan.as_ref()));
    }

    /// Changes what is wished for, and finds out what would come of it.
    fn wish(&mut self, change: impl FnOnce(&mut Wish)) -> Step {
        match &mut self.plan {
            Some(plan) => Step::Offer(plan.change(change)),
            None => Step::Stay,
        }
    }

    fn put_to_work(&mut self, permission: Option<Permission>, context: &Context<'_>) -> Step {
        let Some(plan) = &mut self.plan else { return Step::Stay };
        plan.setback = None;
        self.phase = Phase::Working(Working::new(plan.model()));
        let said = gate_one::said(context, &self.asked, plan);
        Step::Draft(Box::new(Errand { wish: plan.wish.clone(), permission, said }))
    }

    /// Back at the request without a draft.
    fn set_back(&mut self, setback: Setback) -> Step {
        if let Some(plan) = &mut self.plan {
            plan.setback = Some(setback);
        }
        self.gate_one();
        self.offer_anew()
    }

    /// What is left of the limits is not what it was before a model was asked.
    fn offer_anew(&self) -> Step {
        self.plan.as_ref().map_or(Step::Stay, |plan| Step::Offer(Box::new(plan.wish.clone())))
    }

    /// The whole request for the person's editor.
    fn whole(&self, context: &Context<'_>) -> Step {
        match &self.plan {
            Some(plan) => Step::Edit(plan.to_edit(&[&context.get("term-edit-comment")])),
            None => Step::Stay,
        }
    }

    fn act(&mut self, act: Act, context: &Context<'_>) -> Step {
        match act {
            Act::Ask => return self.put_to_work(None, context),
            Act::LookAgain => return self.wish(|_| {}),
            Act::Show => return self.wish(|wish| wish.redact = false),
            Act::Hide => return self.wish(|wish| wish.redact = true),
            Act::Decline => return Step::Decline,
            Act::Write => {
                self.manual.write();
                self.phase = Phase::Manual;
            }
            Act::Call => {
                self.manual.call(context);
                self.phase = Phase::Manual;
            }
            Act::Permit => self.phase = Phase::Permit(Permit::new()),
            Act::Models | Act::Edit | Act::Draft => {
                if let Some(plan) = &mut self.plan {
                    let phase = match act {
                        Act::Models => Some(Phase::Models(Models::new(&plan.offer))),
                        Act::Edit => Some(Phase::Edit(Box::new(Edit::new(&self.asked, &plan.wish.request)))),
                        _ => plan.draft.take().map(|mut draft| {
                            draft.look_again();
                            Phase::GateTwo(draft)
                        }),
                    };
                    self.phase = phase.unwrap_or(Phase::GateOne(GateOne::new(&self.asked, self.plan.as_ref())));
                }
            }
        }
        Step::Stay
    }

    fn at_gate_two(&mut self, event: gate_two::Event, context: &Context<'_>) -> Step {
        match event {
            gate_two::Event::Stay => return Step::Stay,
            gate_two::Event::Editor(text) => return Step::Edit(text),
            gate_two::Event::Send(reply) => return Step::Answer(Answer::Sampled(reply)),
            gate_two::Event::Decline => return Step::Decline,
            gate_two::Event::Cancel => return Step::Cancel,
            gate_two::Event::Regenerate | gate_two::Event::Request => {}
        }
        let regenerate = matches!(event, gate_two::Event::Regenerate);
        // The draft is kept: the next one may be worse, or never come.
        if let (Phase::GateTwo(gate), Some(plan)) = (std::mem::replace(&mut self.phase, Phase::Manual), &mut self.plan)
        {
            plan.draft = Some(gate);
        }
        if regenerate {
            return self.put_to_work(None, context);
        }
        self.offer_anew()
    }
}

impl Stage for SamplingStage {
    fn intro(&self, context: &Context<'_>) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(opening) = self.opening {
            lines.extend([Line::blank(), Line::own(context.get(opening), Style::Plain)]);
        }
        lines.extend(request::lines(context, &self.asked));
        lines
    }

    fn handle(&mut self, key: &Key, context: &Context<'_>) -> Step {
        match &mut self.phase {
            Phase::GateOne(_) if *key == Key::Escape => return Step::Cancel,
            Phase::GateOne(_) if *key == Key::Ctrl('e') => return self.whole(context),
            Phase::GateOne(gate) => {
                if let Some(act) = gate.handle(key) {
                    return self.act(act, context);
                }
            }
            Phase::Models(models) => {
                let Some(plan) = &self.plan else { return Step::Stay };
                match models.handle(key, &plan.offer) {
                    models::Event::Stay => {}
                    models::Event::Back => self.gate_one(),
                    models::Event::Chosen(name) => return self.wish(|wish| wish.model = Some(name)),
                }
            }
            Phase::Edit(edit) => match edit.handle(key) {
                edit::Event::Stay => {}
                edit::Event::Back => self.gate_one(),
                edit::Event::Editor(text) => return Step::Edit(text),
                edit::Event::Whole => return self.whole(context),
                edit::Event::Changed(request) => return self.wish(|wish| wish.request = *request),
            },
            Phase::Permit(permit) => match permit.handle(key) {
                permit::Event::Stay => {}
                permit::Event::Back => self.gate_one(),
                permit::Event::Permit(permission) => return self.put_to_work(Some(permission), context),
            },
            Phase::Working(_) => {
                if matches!(key, Key::Escape | Key::Ctrl('c')) {
                    return self.set_back(Setback::Stopped);
                }
            }
            Phase::GateTwo(gate) => {
                let event = gate.handle(key);
                return self.at_gate_two(event, context);
            }
            Phase::Manual => match self.manual.handle(key, context) {
                manual::Event::Stay => {}
                manual::Event::Back => self.gate_one(),
                manual::Event::Editor(text) => return Step::Edit(text),
                manual::Event::Send(reply) => return Step::Answer(Answer::Sampled(reply)),
                manual::Event::Decline => return Step::Decline,
                manual::Event::Cancel => return Step::Cancel,
            },
        }
        Step::Stay
    }

    fn draw(&self, view: &mut View, context: &Context<'_>) {
        match (&self.phase, &self.plan) {
            (Phase::GateOne(gate), plan) => gate.draw(view, context, &self.asked, plan.as_ref()),
            (Phase::Models(models), Some(plan)) => models.draw(view, context, &plan.offer),
            (Phase::Permit(permit), Some(plan)) => permit.draw(view, context, plan),
            (Phase::Edit(edit), _) => edit.draw(view, context),
            (Phase::Working(working), _) => working.draw(view, context),
            (Phase::GateTwo(gate), _) => gate.draw(view, context),
            (Phase::Manual | Phase::Models(_) | Phase::Permit(_), _) => self.manual.draw(view, context),
        }
    }

    fn kept(&self, context: &Context<'_>, _: bool) -> Vec<Line> {
        match &self.phase {
            Phase::GateTwo(gate) => gate.kept(context),
            _ => self.manual.kept(context),
        }
    }

    fn edited(&mut self, text: String, _: &Context<'_>) -> Step {
        match &mut self.phase {
            Phase::Manual => self.manual.edited(text),
            Phase::GateTwo(gate) => gate.edited(&text),
            Phase::Edit(edit) if edit.is_open() => edit.edited(&text),
            _ => {
                let request = self.plan.as_mut().and_then(|plan| plan.read(text));
                match request {
                    Some(request) => return self.wish(|wish| wish.request = request),
                    None => self.gate_one(),
                }
            }
        }
        Step::Stay
    }

    fn offered(&mut self, offer: Option<Offer>, now: u64) {
        match (offer, &mut self.plan) {
            (Some(offer), Some(plan)) => plan.offered(&self.asked, offer, now),
            (Some(offer), None) => self.plan = Some(Plan::new(first_wish(&self.asked), offer, now)),
            (None, _) => self.plan = None,
        }
        self.gate_one();
    }

    fn drafted(&mut self, event: DraftEvent) -> Step {
        match (event, &mut self.phase) {
            (DraftEvent::Finished(draft), _) => {
                // Where there are no tools, nothing is said about calling them.
                let choice = if self.asked.tools.is_empty() { ToolChoice::Auto } else { self.asked.tool_choice };
                if let Some(plan) = &mut self.plan {
                    plan.draft = None;
                }
                self.phase = Phase::GateTwo(Box::new(GateTwo::new(*draft, choice)));
            }
            (DraftEvent::Failed { why }, _) => return self.set_back(Setback::Failed(why)),
            (event, Phase::Working(working)) => working.note(event),
            _ => {}
        }
        Step::Stay
    }

    fn is_working(&self) -> bool {
        matches!(self.phase, Phase::Working(_))
    }
}
