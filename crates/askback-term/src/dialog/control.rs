//! The control of one field: what has been typed or chosen, and how it is drawn.
//!
//! Owns the rule that what is drawn as chosen is what is sent. Must not know which field comes next.

use askback_core::display::neutralise_line;
use askback_core::form::{Choice, Entry, Field, FieldKind};

use super::menu::row;
use super::view::Context;
use crate::drawing::{Line, Rows, Style};
use crate::editor::Editor;
use crate::key::Key;

/// A list longer than this can be narrowed by typing, and is drawn in part.
const SHORT_LIST: usize = 9;

/// The control of one field.
#[derive(Clone, Debug)]
pub(super) enum Control {
    /// Text and numbers: one line as a rule.
    Line { editor: Editor, takes_empty: bool, empty: bool },
    /// JSON.
    Lines { editor: Editor },
    /// One of several.
    Pick(Pick),
    /// Any of several.
    Ticks(Ticks),
}

/// What a key did to a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// The control took the key.
    Took,
    /// The person is done with the field.
    Next,
    /// The person wants the field before.
    Back,
    /// Not a key of this control.
    Nothing,
}

/// What a row of a pick stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Value(usize),
    LeaveOut,
}

/// One of several.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    labels: Vec<String>,
    boolean: bool,
    optional: bool,
    leave_out_first: bool,
    chosen: Option<Row>,
    cursor: Option<usize>,
    filter: String,
}

/// Any of several.
#[derive(Clone, Debug)]
pub(super) struct Ticks {
    labels: Vec<String>,
    ticked: Vec<bool>,
    /// Whether no tick at all means an empty list rather than no answer.
    empty: bool,
    takes_empty: bool,
    cursor: usize,
    filter: String,
}

impl Control {
    /// The control for a field that holds `entry`.
    pub(super) fn new(field: &Field, entry: &Entry, context_yes_no: [String; 2]) -> Control {
        let text = match entry {
            Entry::Text(text) => text.clone(),
            _ => String::new(),
        };
        match &field.kind {
            FieldKind::Text { min_length, format, .. } => Control::Line {
                empty: matches!(entry, Entry::Text(text) if text.is_empty()),
                editor: Editor::new(text),
                takes_empty: min_length.is_none_or(|least| least == 0) && format.is_none(),
            },
            FieldKind::Number { .. } | FieldKind::Scalar { .. } => {
                Control::Line { editor: Editor::new(text), takes_empty: false, empty: false }
            }
            FieldKind::List { .. } | FieldKind::Json { .. } => Control::Lines { editor: Editor::new(text) },
            FieldKind::Boolean => {
                let chosen = match entry {
                    Entry::Boolean(yes) => Some(usize::from(!*yes)),
                    _ => None,
                };
                Control::Pick(Pick::new(context_yes_no.to_vec(), true, field, chosen))
            }
            FieldKind::Choice { choices } => {
                let chosen = match entry {
                    Entry::Choice(at) => Some(*at),
                    _ => None,
                };
                Control::Pick(Pick::new(labels(choices), false, field, chosen))
            }
            FieldKind::Choices { choices, min_items, .. } => {
                let takes_empty = min_items.is_none_or(|least| least == 0);
                let mut ticked = vec![false; choices.len()];
                if let Entry::Choices(chosen) = entry {
                    for (at, tick) in ticked.iter_mut().enumerate() {
                        *tick = chosen.contains(&at);
                    }
                }
                let empty = matches!(entry, Entry::Choices(chosen) if chosen.is_empty());
                Control::Ticks(Ticks {
                    labels: labels(choices),
                    ticked,
                    empty,
                    takes_empty,
                    cursor: 0,
                    filter: String::new(),
                })
            }
        }
    }

    /// What the field holds, as it is drawn.
    pub(super) fn entry(&self) -> Entry {
        match self {
            Control::Line { editor, empty, .. } if editor.is_empty() => {
                if *empty {
                    Entry::Text(String::new())
                } else {
                    Entry::Blank
                }
            }
            Control::Lines { editor } if editor.text().trim().is_empty() => Entry::Blank,
            Control::Line { editor, .. } | Control::Lines { editor } => Entry::Text(editor.text().to_owned()),
            Control::Pick(pick) => match pick.chosen {
                Some(Row::Value(at)) if pick.boolean => Entry::Boolean(at == 0),
                Some(Row::Value(at)) => Entry::Choice(at),
                Some(Row::LeaveOut) | None => Entry::Blank,
            },
            Control::Ticks(ticks) => {
                let chosen: Vec<usize> = (0..ticks.ticked.len()).filter(|at| ticks.ticked[*at]).collect();
                if chosen.is_empty() && !ticks.empty { Entry::Blank } else { Entry::Choices(chosen) }
            }
        }
    }

    /// Whether a message about what is missing would come too early: nothing has been entered yet.
    pub(super) fn is_untouched(&self) -> bool {
        match self {
            Control::Line { editor, empty, .. } => editor.is_empty() && !*empty,
            Control::Lines { editor } => editor.is_empty(),
            Control::Pick(_) => true,
            Control::Ticks(ticks) => !ticks.ticked.contains(&true) && !ticks.empty,
        }
    }

    /// The text of a control that is one line.
    pub(super) fn line(&self) -> Option<&str> {
        match self {
            Control::Line { editor, .. } => Some(editor.text()),
            Control::Lines { .. } | Control::Pick(_) | Control::Ticks(_) => None,
        }
    }

    /// Puts a text into a control that is one line.
    pub(super) fn set_line(&mut self, text: String) {
        if let Control::Line { editor, .. } = self {
            *editor = Editor::new(text);
        }
    }

    /// The text for the person's own editor.
    pub(super) fn text_for_editor(&self) -> Option<&str> {
        match self {
            Control::Lines { editor } => Some(editor.text()),
            _ => None,
        }
    }

    /// Takes text from the person's own editor.
    pub(super) fn set_text(&mut self, text: String) {
        if let Control::Lines { editor } = self {
            *editor = Editor::new(text.trim_end_matches('\n'));
        }
    }

    pub(super) fn handle(&mut self, key: &Key) -> Did {
        if let (Key::Ctrl('o'), Control::Line { takes_empty: true, editor, empty }) = (key, &mut *self)
            && editor.is_empty()
        {
            *empty = !*empty;
            return Did::Took;
        }
        match self {
            Control::Line { editor, empty, takes_empty } => match key {
                Key::Enter | Key::Tab | Key::Down => Did::Next,
                Key::Up | Key::BackTab => Did::Back,
                Key::NewLine if !*takes_empty => Did::Nothing,
                key => {
                    let took = editor.handle(key);
                    if !editor.is_empty() {
                        *empty = false;
                    }
                    if took { Did::Took } else { Did::Nothing }
                }
            },
            Control::Lines { editor } => match key {
                Key::Ctrl('s') | Key::Tab => Did::Next,
                Key::BackTab => Did::Back,
                key => {
                    if editor.handle_lines(key) {
                        Did::Took
                    } else {
                        Did::Nothing
                    }
                }
            },
            Control::Pick(pick) => pick.handle(key),
            Control::Ticks(ticks) => ticks.handle(key),
        }
    }

    pub(super) fn draw(&self, rows: &mut Rows, context: &Context<'_>, optional: bool, masked: bool) {
        match self {
            Control::Line { editor, empty, .. } => {
                editor.draw(rows, "›", Style::Accent, masked);
                let hint = if *empty { Some("term-empty-text") } else { optional.then_some("term-left-out") };
                if let (true, Some(hint), Some(row)) = (editor.is_empty(), hint, rows.rows.last_mut()) {
                    *row = row.clone().with(context.get(hint), if *empty { Style::Plain } else { Style::Dim });
                }
            }
            Control::Lines { editor } => editor.draw(rows, "›", Style::Accent, masked),
            Control::Pick(pick) => pick.draw(rows, context),
            Control::Ticks(ticks) => ticks.draw(rows, context),
        }
    }

    /// The keys that belong to this control.
    pub(super) fn hints(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            Control::Line { editor, takes_empty, empty } => {
                let mut hints = vec![("Enter", "term-do-next")];
                if *takes_empty && editor.is_empty() {
                    hints.push(("Ctrl-O", if *empty { "term-do-no-text" } else { "term-do-empty-text" }));
                }
                hints
            }
            Control::Lines { .. } => {
                vec![("Ctrl-S", "term-do-next"), ("Enter", "term-do-new-line"), ("Ctrl-E", "term-do-editor")]
            }
            Control::Pick(pick) => {
                let mut hints = vec![("↑↓", "term-do-move"), ("Enter", "term-do-choose")];
                if pick.labels.len() > SHORT_LIST {
                    hints.push(("A–Z", "term-do-filter"));
                }
                hints
            }
            Control::Ticks(ticks) => {
                let mut hints = vec![("↑↓", "term-do-move"), ("Space", "term-do-tick"), ("Enter", "term-do-next")];
                if ticks.takes_empty && !ticks.ticked.contains(&true) {
                    hints.push(("Ctrl-O", if ticks.empty { "term-do-no-list" } else { "term-do-empty-list" }));
                }
                if ticks.labels.len() > SHORT_LIST {
                    hints.push(("A–Z", "term-do-filter"));
                }
                hints
            }
        }
    }
}

impl Pick {
    fn new(labels: Vec<String>, boolean: bool, field: &Field, chosen: Option<usize>) -> Pick {
        let optional = !field.required;
        let leave_out_first = optional && chosen.is_none();
        let mut pick = Pick {
            labels,
            boolean,
            optional,
            leave_out_first,
            chosen: chosen.map(Row::Value).or(optional.then_some(Row::LeaveOut)),
            cursor: None,
            filter: String::new(),
        };
        // A yes or no that has to be given is not even suggested; any other list starts at what is chosen, or at its first row.
        pick.cursor = match pick.chosen {
            Some(chosen) => pick.shown().iter().position(|option| *option == chosen),
            None if boolean => None,
            None => Some(0),
        };
        pick
    }

    /// The rows that the filter leaves, in order.
    fn shown(&self) -> Vec<Row> {
        let mut shown = matching(&self.labels, &self.filter).into_iter().map(Row::Value).collect::<Vec<_>>();
        if self.optional && self.filter.is_empty() {
            let at = if self.leave_out_first { 0 } else { shown.len() };
            shown.insert(at, Row::LeaveOut);
        }
        shown
    }

    fn handle(&mut self, key: &Key) -> Did {
        let shown = self.shown();
        match key {
            Key::Enter => {
                if let Some(option) = self.cursor.and_then(|at| shown.get(at)) {
                    self.chosen = Some(*option);
                    self.filter.clear();
                    self.cursor = self.shown().iter().position(|other| other == option);
                }
                return Did::Next;
            }
            Key::Tab => return Did::Next,
            Key::BackTab => return Did::Back,
            Key::Char(' ') if self.filter.is_empty() => {
                if let Some(option) = self.cursor.and_then(|at| shown.get(at)) {
                    self.chosen = Some(*option);
                }
            }
            Key::Char(digit @ '1'..='9') if self.labels.len() <= SHORT_LIST => {
                let wanted = *digit as usize - '1' as usize;
                if let Some(at) = shown.iter().position(|option| *option == Row::Value(wanted)) {
                    self.cursor = Some(at);
                }
            }
            Key::Char(c @ ('y' | 'n')) if self.boolean => {
                self.cursor = shown.iter().position(|option| *option == Row::Value(usize::from(*c == 'n')));
            }
            key => {
                let cursor = move_cursor(key, self.cursor, shown.len());
                if cursor.is_some() {
                    self.cursor = cursor;
                } else if self.labels.len() > SHORT_LIST && narrow(&mut self.filter, key) {
                    self.cursor = (!self.shown().is_empty()).then_some(0);
                } else {
                    return Did::Nothing;
                }
            }
        }
        Did::Took
    }

    fn draw(&self, rows: &mut Rows, context: &Context<'_>) {
        let shown = self.shown();
        draw_filter(rows, context, &self.filter, shown.len());
        draw_list(rows, context, shown.len(), self.cursor, |at, here| {
            let mark = if self.chosen == Some(shown[at]) { "●" } else { "○" };
            match shown[at] {
                Row::Value(value) => row(here, Some(mark), &self.labels[value]),
                Row::LeaveOut => row(here, Some(mark), &context.get("term-leave-out")),
            }
        });
    }
}

impl Ticks {
    fn handle(&mut self, key: &Key) -> Did {
        let shown = matching(&self.labels, &self.filter);
        match key {
            Key::Enter | Key::Tab => {
                self.filter.clear();
                return Did::Next;
            }
            Key::BackTab => return Did::Back,
            Key::Char(' ') => {
                if let Some(at) = shown.get(self.cursor) {
                    self.ticked[*at] = !self.ticked[*at];
                    self.empty = false;
                }
            }
            Key::Ctrl('o') if self.takes_empty && !self.ticked.contains(&true) => self.empty = !self.empty,
            Key::Char(digit @ '1'..='9') if self.labels.len() <= SHORT_LIST => {
                self.cursor = (*digit as usize - '1' as usize).min(shown.len().saturating_sub(1));
            }
            key => match move_cursor(key, Some(self.cursor), shown.len()) {
                Some(cursor) => self.cursor = cursor,
                None if self.labels.len() > SHORT_LIST && narrow(&mut self.filter, key) => self.cursor = 0,
                None => return Did::Nothing,
            },
        }
        Did::Took
    }

    fn draw(&self, rows: &mut Rows, context: &Context<'_>) {
        let shown = matching(&self.labels, &self.filter);
        draw_filter(rows, context, &self.filter, shown.len());
        draw_list(rows, context, shown.len(), Some(self.cursor), |at, here| {
            row(here, Some(if self.ticked[shown[at]] { "[x]" } else { "[ ]" }), &self.labels[shown[at]])
        });
        if self.empty {
            rows.push(Line::marked(" ", Style::Plain).with(context.get("term-empty-list"), Style::Plain));
        }
    }
}

fn labels(choices: &[Choice]) -> Vec<String> {
    choices.iter().map(|choice| neutralise_line(&choice.label)).collect()
}

fn matching(labels: &[String], filter: &str) -> Vec<usize> {
    let filter = filter.to_lowercase();
    (0..labels.len()).filter(|at| labels[*at].to_lowercase().contains(&filter)).collect()
}

fn move_cursor(key: &Key, cursor: Option<usize>, rows: usize) -> Option<usize> {
    let last = rows.checked_sub(1)?;
    let moved = match key {
        Key::Up => cursor.map_or(last, |at| at.saturating_sub(1)),
        Key::Down => cursor.map_or(0, |at| at + 1),
        Key::PageUp => cursor.map_or(0, |at| at.saturating_sub(SHORT_LIST)),
        Key::PageDown => cursor.map_or(0, |at| at + SHORT_LIST),
        Key::Home => 0,
        Key::End => last,
        _ => return None,
    };
    Some(moved.min(last))
}

fn narrow(filter: &mut String, key: &Key) -> bool {
    match key {
        Key::Char(c) => filter.push(*c),
        Key::Paste(text) => filter.extend(text.chars().filter(|c| !c.is_control())),
        Key::Backspace => return filter.pop().is_some(),
        Key::Ctrl('u' | 'w') => filter.clear(),
        _ => return false,
    }
    true
}

fn draw_filter(rows: &mut Rows, context: &Context<'_>, filter: &str, matches: usize) {
    if !filter.is_empty() {
        let filter = neutralise_line(filter);
        let text =
            context.texts.format("term-filter", &[("filter", filter.into()), ("count", (matches as u64).into())]);
        rows.push(Line::own(text, Style::Dim));
    }
}

fn draw_list(
    rows: &mut Rows,
    context: &Context<'_>,
    count: usize,
    cursor: Option<usize>,
    line: impl Fn(usize, bool) -> Line,
) {
    let (start, end) = if count <= SHORT_LIST + 2 {
        (0, count)
    } else {
        let start = cursor.unwrap_or(0).saturating_sub(SHORT_LIST / 2).min(count - SHORT_LIST);
        (start, start + SHORT_LIST)
    };
    let more = |hidden: usize| {
        let text = context.texts.format("term-more", &[("count", (hidden as u64).into())]);
        Line::marked(" ", Style::Plain).with(text, Style::Dim)
    };
    if start > 0 {
        rows.push(more(start));
    }
    for at in start..end {
        if cursor == Some(at) {
            rows.focus_here();
        }
        rows.push(line(at, cursor == Some(at)));
    }
    if end < count {
        rows.push(more(count - end));
    }
}
