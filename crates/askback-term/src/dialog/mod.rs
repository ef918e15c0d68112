//! One round as a dialog: its asks one after the other, each answered at most once.
//!
//! Owns the state machine: keys come in, outcomes go out, and at any time the dialog can be drawn. Must not do I/O, know a terminal, or
//! read a clock; the runner in [`crate::prompts`] does what the outcomes say and reports back.

mod decline;
mod fields;
mod form;
pub(crate) mod header;
mod lending;
pub(crate) mod menu;
mod outcome;
mod review;
mod roots;
mod sampling;
mod tool_call;
mod url;
pub(crate) mod view;
mod wait;

mod control;

use std::sync::Arc;

use askback_core::answer::{Answer, Refusal};
use askback_core::ask::AskBody;
use askback_core::display::neutralise_line;
use askback_core::form::ContentError;
use askback_desk::view::{AskView, Closed, Root, RoundView, Told};
use askback_desk::{AnswerRejected, Texts, wording};

use self::decline::Decline;
pub use self::outcome::Outcome;
use self::view::{Context, Stage, Step, View, usable_width};
pub use self::wait::Wait;
use crate::drawing::{Drawing, Line, Style};
use crate::key::Key;
use crate::zone::Zone;

/// An answer on its way to the desk.
struct Sent {
    answer: Answer,
    open: Option<String>,
    /// Roots that are to be remembered as not shared, where the answer is to be remembered as a whole.
    remember: Option<Vec<Root>>,
}

/// A round being answered.
pub struct Dialog {
    round: RoundView,
    texts: Arc<Texts>,
    server: String,
    zone: Zone,
    current: usize,
    stage: Option<Box<dyn Stage>>,
    decline: Option<Decline>,
    /// Set once everything from the server is declined: the reason for the rest of the round.
    decline_rest: Option<Option<String>>,
    sent: Option<Sent>,
    /// Set while a page is being opened; the next ask comes after that.
    opening: bool,
    /// Set until it is known what models could do with the ask that comes next.
    offering: bool,
    complaint: Option<String>,
    settled: Vec<Line>,
    spilled: Vec<Line>,
    waiting: usize,
    done: bool,
}

impl Dialog {
    /// A dialog for this round, which [`Dialog::start`] begins. A round without asks is done at once.
    pub fn new(round: RoundView, texts: Arc<Texts>) -> Dialog {
        let server = neutralise_line(&round.server.name);
        let done = round.asks.is_empty();
        Dialog {
            round,
            texts,
            server,
            zone: Zone::default(),
            current: 0,
            stage: None,
            decline: None,
            decline_rest: None,
            sent: None,
            opening: false,
            offering: false,
            complaint: None,
            settled: Vec::new(),
            spilled: Vec::new(),
            waiting: 0,
            done,
        }
    }

    /// The same for a person whose clock shows the time of this zone.
    pub fn in_zone(self, zone: Zone) -> Dialog {
        Dialog { zone, ..self }
    }

    /// Puts the first ask.
    pub fn start(&mut self) -> Vec<Outcome> {
        self.begin()
    }

    /// The round that this dialog is about.
    pub fn round(&self) -> &RoundView {
        &self.round
    }

    /// Whether nothing is left to ask.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Says how many further questions wait for their turn.
    pub fn set_waiting(&mut self, questions: usize) {
        self.waiting = questions;
    }

    /// Takes one key.
    pub fn handle(&mut self, key: &Key) -> Vec<Outcome> {
        if self.done || self.sent.is_some() || self.opening || self.offering {
            return Vec::new();
        }
        self.complaint = None;
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        // A model at work is stopped first.
        let stops = *key == Key::Ctrl('c') && self.decline.is_none() && self.is_working();
        if !stops && matches!(key, Key::Ctrl('c' | 'd') | Key::EndOfInput) {
            return self.step(Step::Cancel);
        }
        if let Some(decline) = &mut self.decline {
            return match decline.handle(key) {
                decline::Event::Stay => Vec::new(),
                decline::Event::Back => {
                    self.decline = None;
                    Vec::new()
                }
                decline::Event::Decline { reason, everything } => self.declined(reason, everything),
            };
        }
        let Some(stage) = &mut self.stage else { return Vec::new() };
        let step = match key {
            Key::Ctrl('x') => Step::Decline,
            key => stage.handle(key, &context),
        };
        self.step(step)
    }

    fn step(&mut self, step: Step) -> Vec<Outcome> {
        match step {
            Step::Stay => Vec::new(),
            Step::Answer(answer) => self.send(answer, None),
            Step::ShareAlways { shared, withheld } => {
                let outcomes = self.send(Answer::Roots(shared), None);
                if let Some(sent) = &mut self.sent {
                    sent.remember = Some(withheld);
                }
                outcomes
            }
            Step::Consent { open } => self.send(Answer::Consented, open),
            Step::Cancel => {
                let answer = match self.ask().body {
                    AskBody::Form(_) | AskBody::Url(_) => Answer::Cancelled,
                    AskBody::Sampling(_) | AskBody::Roots => Answer::Refused(Refusal::ByPerson { reason: None }),
                };
                self.send(answer, None)
            }
            Step::Decline => {
                self.decline = Some(Decline::new());
                Vec::new()
            }
            Step::Edit(text) => vec![Outcome::EditInEditor { text }],
            Step::Offer(wish) => vec![Outcome::Offer { wish }],
            Step::Draft(errand) => self.put_to_work(*errand),
        }
    }

    fn declined(&mut self, reason: Option<String>, everything: bool) -> Vec<Outcome> {
        if everything {
            self.decline_rest = Some(reason.clone());
        }
        self.send(self.refusal(reason), None)
    }

    fn refusal(&self, reason: Option<String>) -> Answer {
        match self.ask().body {
            AskBody::Form(_) | AskBody::Url(_) => Answer::Declined { reason },
            AskBody::Sampling(_) | AskBody::Roots => Answer::Refused(Refusal::ByPerson { reason }),
        }
    }

    fn send(&mut self, answer: Answer, open: Option<String>) -> Vec<Outcome> {
        let index = self.ask().index;
        self.sent = Some(Sent { answer: answer.clone(), open, remember: None });
        vec![Outcome::Answer { index, answer }]
    }

    /// Whether the server is told when the person refuses what is asked now.
    fn hears_refusal(&self) -> bool {
        match (self.round.told, &self.ask().body) {
            (Told::Everything, _) => true,
            (Told::Answers, body) => matches!(body, AskBody::Form(_) | AskBody::Url(_)),
            (Told::Nothing, _) => false,
        }
    }

    fn ask(&self) -> &AskView {
        &self.round.asks[self.current]
    }

    /// The desk has taken the answer: the dialog goes on.
    pub fn taken(&mut self) -> Vec<Outcome> {
        let Some(sent) = self.sent.take() else { return Vec::new() };
        let server = self.server.clone();
        let more = self.current + 1 < self.round.asks.len();
        let unheard = !self.hears_refusal();
        let (mark, style, id) = match &sent.answer {
            // The answers of a round travel together, so nothing has been sent while one is missing.
            Answer::Submitted { .. } | Answer::Sampled(_) | Answer::Roots(_) if more => ("✓", Style::Good, "term-kept"),
            Answer::Submitted { .. } | Answer::Sampled(_) | Answer::Roots(_) => ("✓", Style::Good, "term-sent"),
            Answer::Consented => match (sent.open.is_some(), unheard) {
                (true, false) => ("✓", Style::Good, "term-consented-opening"),
                (false, false) => ("✓", Style::Good, "term-consented"),
                (true, true) => ("✓", Style::Good, "term-agreed-opening"),
                (false, true) => ("✓", Style::Good, "term-agreed"),
            },
            Answer::Declined { .. } | Answer::Refused(_) if unheard => ("–", Style::Warning, "term-declined-unheard"),
            Answer::Declined { .. } | Answer::Refused(_) => ("–", Style::Warning, "term-declined"),
            Answer::Cancelled if unheard => ("–", Style::Warning, "term-cancelled-unheard"),
            Answer::Cancelled => ("–", Style::Warning, "term-cancelled"),
        };
        if matches!(sent.answer, Answer::Submitted { .. } | Answer::Sampled(_) | Answer::Roots(_) | Answer::Cancelled) {
            self.keep_what_was_entered(!matches!(sent.answer, Answer::Cancelled));
        } else {
            self.settled.push(Line::blank());
        }
        self.settled.push(
            Line::marked(mark, style).with(self.texts.format(id, &[("server", server.as_str().into())]), Style::Plain),
        );
        if let Answer::Declined { reason: Some(reason) } | Answer::Refused(Refusal::ByPerson { reason: Some(reason) }) =
            &sent.answer
        {
            let reason = neutralise_line(reason);
            self.settled.push(
                Line::marked(" ", Style::Plain)
                    .with(self.texts.format("term-reason-given", &[("reason", reason.into())]), Style::Dim),
            );
        }
        if let (Answer::Consented, AskBody::Url(ask)) = (&sent.answer, &self.ask().body) {
            match sent.open {
                Some(url) => {
                    self.opening = true;
                    self.stage = None;
                    return vec![Outcome::OpenPage { url }];
                }
                None => self.settled.push(Line::marked(" ", Style::Plain).with(neutralise_line(&ask.url), Style::Bold)),
            }
        }
        let mut outcomes = Vec::new();
        if let (Some(withheld), Answer::Roots(shared)) = (sent.remember, sent.answer) {
            let id = "term-roots-remembered";
            let text = self.texts.format(id, &[("server", server.as_str().into())]);
            self.settled.push(Line::marked(" ", Style::Plain).with(text, Style::Dim));
            outcomes.push(Outcome::RememberRoots { shared, withheld });
        }
        outcomes.extend(self.advance());
        outcomes
    }

    /// The desk has not taken the answer. What was entered stays where asking again makes sense.
    pub fn rejected(&mut self, why: &AnswerRejected) -> Vec<Outcome> {
        self.sent = None;
        let text = wording::rejected(&self.texts, why);
        match why {
            AnswerRejected::Invalid { errors } => {
                self.complaint = Some(text);
                if let Some(stage) = &mut self.stage {
                    stage.refused(errors);
                }
                Vec::new()
            }
            AnswerRejected::WrongKind => {
                self.complaint = Some(text);
                Vec::new()
            }
            AnswerRejected::AlreadyAnswered { .. } | AnswerRejected::NoLongerWanted => {
                self.keep_what_was_entered(false);
                self.settled.push(Line::marked("!", Style::Warning).with(text, Style::Plain));
                self.advance()
            }
            AnswerRejected::DeskClosed => {
                self.keep_what_was_entered(false);
                self.settled.push(Line::marked("!", Style::Warning).with(text, Style::Plain));
                self.finish()
            }
        }
    }

    /// The text came back from the person's editor.
    pub fn edited(&mut self, text: String) -> Vec<Outcome> {
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        let step = self.stage.as_mut().map_or(Step::Stay, |stage| stage.edited(text, &context));
        self.step(step)
    }

    /// Something went wrong outside the dialog: it is said, and nothing else changes.
    pub fn complain(&mut self, text: String) {
        self.complaint = Some(text);
    }

    /// The page was opened, or could not be; then the address is shown to be copied.
    pub fn page_opened(&mut self, url: &str, opened: Result<(), String>) -> Vec<Outcome> {
        if !std::mem::take(&mut self.opening) {
            return Vec::new();
        }
        if opened.is_ok() {
            // Starting a browser is all that can be seen from here, not whether a page appears.
            let mut hint = Line::marked(" ", Style::Plain).with(self.texts.get("term-page-hint"), Style::Dim);
            // Where nothing is told to the server, the dialog that follows says how to go on or not to.
            if self.round.told != Told::Nothing {
                hint = hint.with(self.texts.get("term-page-hint-stop"), Style::Dim);
            }
            self.settled.push(hint);
        }
        if let Err(why) = opened {
            let text = self.texts.format("term-page-failed", &[("why", neutralise_line(&why).into())]);
            self.settled.push(Line::marked("!", Style::Warning).with(text, Style::Plain));
            self.settled.push(Line::marked(" ", Style::Plain).with(neutralise_line(url), Style::Bold));
        }
        self.advance()
    }

    /// The round waits no longer: what was entered stays above, to be copied, and the reason is said.
    pub fn close(&mut self, why: &Closed) -> Vec<Outcome> {
        if self.done {
            return Vec::new();
        }
        if *why != Closed::Answered {
            self.keep_what_was_entered(false);
            let why = wording::closed(&self.texts, why, &self.server);
            self.settled.push(Line::marked("!", Style::Warning).with(why, Style::Plain));
        }
        self.finish()
    }

    fn keep_what_was_entered(&mut self, sent: bool) {
        self.settled.push(Line::blank());
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        if let Some(stage) = &self.stage {
            self.settled.extend(stage.kept(&context, sent));
        }
    }

    fn advance(&mut self) -> Vec<Outcome> {
        self.current += 1;
        self.stage = None;
        self.decline = None;
        let outcomes = self.begin();
        if self.done {
            return self.finish();
        }
        match self.decline_rest.clone() {
            Some(reason) => self.send(self.refusal(reason), None),
            None => outcomes,
        }
    }

    fn finish(&mut self) -> Vec<Outcome> {
        self.stage = None;
        self.decline = None;
        self.sent = None;
        self.opening = false;
        self.offering = false;
        self.done = true;
        // The server is muted last, so that this round's own answers go out with the reason that was given.
        let mute = self.decline_rest.take().map(|_| Outcome::DeclineAllFromServer);
        mute.into_iter().chain([Outcome::Done]).collect()
    }

    fn begin(&mut self) -> Vec<Outcome> {
        let Some(ask) = self.round.asks.get(self.current) else {
            self.done = true;
            return Vec::new();
        };
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        self.settled.extend(header::lines(&context, &self.round, self.current));
        let stage: Box<dyn Stage> = match &ask.body {
            AskBody::Form(ask) => Box::new(form::FormStage::new(ask.clone(), &context)),
            AskBody::Url(ask) => Box::new(url::UrlStage::new(ask.clone(), self.round.told)),
            AskBody::Sampling(request) if self.decline_rest.is_some() => {
                Box::new(sampling::SamplingStage::passed_over(request.as_ref().clone()))
            }
            AskBody::Sampling(request) => {
                self.offering = true;
                return vec![Outcome::Offer { wish: Box::new(sampling::first_wish(request)) }];
            }
            AskBody::Roots => Box::new(roots::RootsStage::new(self.round.roots.clone())),
        };
        self.put(stage);
        Vec::new()
    }

    /// Shows the ask at hand, with this stage to answer it.
    fn put(&mut self, stage: Box<dyn Stage>) {
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        self.settled.extend(stage.intro(&context));
        let notes = &self.round.asks[self.current].notes;
        if !notes.is_empty() {
            self.settled.push(Line::blank());
        }
        for note in notes {
            self.settled.push(Line::own(wording::author_note(&self.texts, note), Style::Dim));
        }
        self.stage = Some(stage);
    }

    /// The dialog as it is now. Settled rows are handed out once.
    pub fn draw(&mut self, width: usize, height: usize) -> Drawing {
        let context = Context { texts: &self.texts, server: &self.server, zone: &self.zone };
        let mut view = View::new(usable_width(width));
        if let Some(decline) = &self.decline {
            let more = self.round.asks.len() > self.current + 1;
            decline.draw(&mut view, &context, more, self.hears_refusal());
        } else if let Some(stage) = &self.stage {
            stage.draw(&mut view, &context);
        }
        if self.sent.is_some() {
            view.body.cursor = None;
        }
        if let Some(complaint) = &self.complaint {
            view.body.push(Line::marked("✗", Style::Error).with(complaint, Style::Error));
        }
        if self.waiting > 0 && !self.done {
            let text = self.texts.format("term-waiting", &[("count", (self.waiting as u64).into())]);
            view.foot.push(Line::own(text, Style::Dim));
        }
        let mut drawing = view.finish(height, &context, &mut self.settled, &mut self.spilled);
        if self.done || self.stage.is_none() {
            drawing.live.clear();
        }
        drawing
    }
}

/// The errors of a rejected answer that belong to a key of the form.
fn errors_by_key<'a>(errors: &'a [ContentError], key: &str) -> impl Iterator<Item = &'a ContentError> {
    errors.iter().filter(move |error| error.key.as_deref() == Some(key))
}
