//! A call that the model wants: who would be called, with what, and the person's word on it.
//!
//! Owns the way from the question to the decision. A stray Enter consents to nothing.

use std::sync::Arc;

use askback_core::display::neutralise_line;
use askback_desk::Texts;
use askback_desk::chat::{Consent, ConsentView, EffectClaim, Standing};
use serde_json::{Map, Value};

use super::showing;
use crate::dialog::menu::Menu;
use crate::dialog::view::{Context, View, title, usable_width};
use crate::drawing::{Drawing, Line, Style};
use crate::editor::Editor;
use crate::key::Key;
use crate::zone::Zone;

/// The question whether a call may go out.
pub struct ConsentDialog {
    view: ConsentView,
    texts: Arc<Texts>,
    server: String,
    arguments: Map<String, Value>,
    step: Step,
    menu: Menu<Act>,
    settled: Vec<Line>,
    spilled: Vec<Line>,
}

enum Step {
    Choose,
    Edit { editor: Editor, wrong: Option<String> },
    Why(Editor),
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Allow(Standing),
    Edit,
    Decline,
}

/// What a key led to.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing yet.
    Stay,
    /// The person decided.
    Decided(Consent),
    /// The person stops the turn.
    Stop,
}

impl ConsentDialog {
    /// The question about this call.
    pub fn new(view: ConsentView, texts: Arc<Texts>) -> ConsentDialog {
        let server = neutralise_line(&view.call.server.name);
        let arguments = view.call.arguments.clone();
        let menu = menu(&view, true);
        let step = Step::Choose;
        let mut dialog =
            ConsentDialog { view, texts, server, arguments, step, menu, settled: Vec::new(), spilled: Vec::new() };
        dialog.settled = dialog.intro();
        dialog
    }

    fn intro(&self) -> Vec<Line> {
        let zone = Zone::default();
        let context = Context { texts: &self.texts, server: &self.server, zone: &zone };
        let variables =
            [("server", self.server.as_str().into()), ("tool", neutralise_line(&self.view.call.tool).into())];
        let claim = context.of_server(match self.view.claim {
            EffectClaim::Reads => "term-claim-reads",
            EffectClaim::ReadsOutside => "term-claim-reads-outside",
            EffectClaim::Acts => "term-claim-acts",
            EffectClaim::Destroys => "term-claim-destroys",
        });
        let claim = match self.view.claim {
            EffectClaim::Destroys => Line::marked("!", Style::Warning).with(claim, Style::Warning),
            _ => Line::own(claim, Style::Dim),
        };
        vec![
            Line::blank(),
            title(self.texts.format("term-consent-title", &variables)),
            Line::own(neutralise_line(&self.view.call.server.source), Style::Dim),
            claim,
        ]
    }

    /// Takes a key.
    pub fn handle(&mut self, key: &Key) -> Decision {
        if matches!(key, Key::Ctrl('c' | 'd') | Key::EndOfInput) {
            return Decision::Stop;
        }
        match &mut self.step {
            Step::Choose => match key {
                Key::Escape | Key::Ctrl('x') => self.step = Step::Why(Editor::default()),
                key => match self.menu.handle(key) {
                    Some(Act::Allow(standing)) => {
                        return Decision::Decided(Consent::Allow { arguments: self.arguments.clone(), standing });
                    }
                    Some(Act::Edit) => {
                        let text = serde_json::to_string_pretty(&self.arguments).unwrap_or_default();
                        self.step = Step::Edit { editor: Editor::new(text), wrong: None };
                    }
                    Some(Act::Decline) => self.step = Step::Why(Editor::default()),
                    None => {}
                },
            },
            Step::Edit { editor, wrong } => match key {
                Key::Escape => self.step = Step::Choose,
                Key::Ctrl('s') => match serde_json::from_str::<Map<String, Value>>(editor.text()) {
                    Ok(arguments) => {
                        let changed = arguments != self.view.call.arguments;
                        self.arguments = arguments;
                        self.menu = menu(&self.view, !changed);
                        self.step = Step::Choose;
                    }
                    Err(error) => {
                        let detail = neutralise_line(&error.to_string());
                        *wrong = Some(self.texts.format("term-not-an-object", &[("detail", detail.into())]));
                    }
                },
                key => {
                    *wrong = None;
                    editor.handle_lines(key);
                }
            },
            Step::Why(reason) => match key {
                Key::Escape => self.step = Step::Choose,
                Key::Enter => {
                    let reason = reason.text().trim();
                    let reason = (!reason.is_empty()).then(|| reason.to_owned());
                    return Decision::Decided(Consent::Decline { reason });
                }
                key => {
                    reason.handle(key);
                }
            },
        }
        Decision::Stay
    }

    /// The dialog as it is now. Settled rows are handed out once.
    pub fn draw(&mut self, width: usize, height: usize) -> Drawing {
        let zone = Zone::default();
        let context = Context { texts: &self.texts, server: &self.server, zone: &zone };
        let mut view = View::new(usable_width(width));
        if !matches!(self.step, Step::Edit { .. }) {
            view.text.extend(showing::arguments(&self.texts, &self.arguments));
            view.brief.push(Line::own(context.get("term-consent-arguments"), Style::Dim));
            if self.arguments != self.view.call.arguments {
                view.text.push(Line::own(context.get("term-consent-changed"), Style::Warning));
            }
            if self.view.has_secrets {
                let text = context.of_server("term-consent-secrets");
                view.text.push(Line::marked("!", Style::Warning).with(text, Style::Warning));
            }
        }
        match &self.step {
            Step::Choose => {
                self.menu.draw(&mut view.body, &context);
                view.keys(
                    &context,
                    &[
                        ("↑↓", "term-do-move"),
                        ("Enter", "term-do-choose"),
                        ("Esc", "term-do-decline"),
                        ("Ctrl-C", "term-do-stop"),
                    ],
                );
            }
            Step::Edit { editor, wrong } => {
                view.body.push(Line::own(context.get("term-consent-edit"), Style::Dim));
                editor.draw(&mut view.body, "›", Style::Accent, false);
                if let Some(wrong) = wrong {
                    let cursor = view.body.cursor;
                    view.body.push(Line::marked("✗", Style::Error).with(wrong, Style::Error));
                    view.body.cursor = cursor;
                }
                view.keys(
                    &context,
                    &[("Ctrl-S", "term-do-take"), ("Enter", "term-do-new-line"), ("Esc", "term-do-back")],
                );
            }
            Step::Why(reason) => {
                view.body.push(Line::own(context.get("term-consent-why"), Style::Dim));
                reason.draw(&mut view.body, "›", Style::Accent, false);
                view.keys(
                    &context,
                    &[("Enter", "term-do-decline"), ("Esc", "term-do-back"), ("Ctrl-C", "term-do-stop")],
                );
            }
        }
        view.finish(height, &context, &mut self.settled, &mut self.spilled)
    }
}

/// What can be decided. A consent that stands is given to what the model wants, not to what the person made of it.
fn menu(view: &ConsentView, as_wanted: bool) -> Menu<Act> {
    let mut items = vec![(Act::Allow(Standing::Once), "term-choice-allow-once")];
    if view.may_stand && as_wanted {
        items.push((Act::Allow(Standing::Conversation), "term-choice-allow-conversation"));
        items.push((Act::Allow(Standing::Always), "term-choice-allow-always"));
    }
    items.push((Act::Edit, "term-choice-change-arguments"));
    items.push((Act::Decline, "term-choice-decline-call"));
    Menu::careful(&items)
}
