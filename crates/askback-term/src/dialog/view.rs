//! What the stages of a dialog have in common: what they may do, and the parts of which they are drawn.

use askback_core::answer::Answer;
use askback_core::form::ContentError;
use askback_desk::Texts;
use askback_desk::lending::{DraftEvent, Offer, Permission, Wish};
use askback_desk::view::Root;

use crate::drawing::{Drawing, Line, Rows, Span, Style};
use crate::key::Key;
use crate::zone::Zone;

/// What a stage needs to find its words.
pub(crate) struct Context<'a> {
    pub(crate) texts: &'a Texts,
    /// The server's name, safe to draw.
    pub(crate) server: &'a str,
    /// Where the person is in time.
    pub(crate) zone: &'a Zone,
}

impl Context<'_> {
    pub(crate) fn get(&self, id: &str) -> String {
        self.texts.get(id)
    }

    /// A message about the server.
    pub(crate) fn of_server(&self, id: &str) -> String {
        self.texts.format(id, &[("server", self.server.into())])
    }
}

/// What a key led to.
pub(super) enum Step {
    Stay,
    Answer(Answer),
    /// Consent to a page, to be opened where there is a URL here.
    Consent {
        open: Option<String>,
    },
    /// Roots: these are shared from now on, those are not.
    ShareAlways {
        shared: Vec<Root>,
        withheld: Vec<Root>,
    },
    Decline,
    Cancel,
    Edit(String),
    /// Find out what would happen with a sampling request.
    Offer(Box<Wish>),
    /// Put a model to work.
    Draft(Box<Errand>),
}

/// A model is to be put to work.
pub(super) struct Errand {
    pub(super) wish: Wish,
    /// What else the person allows.
    pub(super) permission: Option<Permission>,
    /// What stays in the scrollback of that.
    pub(super) said: Vec<Line>,
}

/// One ask while it is being answered.
pub(super) trait Stage: Send {
    /// What is printed once, at the beginning.
    fn intro(&self, context: &Context<'_>) -> Vec<Line>;
    /// Takes a key.
    fn handle(&mut self, key: &Key, context: &Context<'_>) -> Step;
    /// Draws the present state.
    fn draw(&self, view: &mut View, context: &Context<'_>);
    /// What was entered so far, to stay in the scrollback; ticked off only if it was sent.
    fn kept(&self, context: &Context<'_>, sent: bool) -> Vec<Line>;
    /// Takes text back from the person's editor.
    fn edited(&mut self, text: String, context: &Context<'_>) -> Step {
        let _ = (text, context);
        Step::Stay
    }
    /// Learns what would happen with what was wished for, at this time in milliseconds since the epoch.
    fn offered(&mut self, offer: Option<Offer>, now: u64) {
        let _ = (offer, now);
    }
    /// News of the model at work.
    fn drafted(&mut self, event: DraftEvent) -> Step {
        let _ = event;
        Step::Stay
    }
    /// Whether a model is at work, for as long as this says so.
    fn is_working(&self) -> bool {
        false
    }
    /// The content was refused by the desk.
    fn refused(&mut self, errors: &[ContentError]) {
        let _ = errors;
    }
}

/// The live part of a dialog in its four parts, by what may happen to each when the terminal is low.
pub(crate) struct View {
    /// What can be dropped: what was answered before.
    pub(crate) head: Rows,
    /// How many lines of `head` were left out from the beginning.
    pub(crate) hidden: usize,
    /// What has to be seen in full: printed into the scrollback if it does not fit.
    pub(crate) text: Rows,
    /// What stands for `text` once that has been printed.
    pub(crate) brief: Rows,
    /// Whether `text` and `body` belong together, without a blank row between.
    pub(crate) joined: bool,
    /// What is being worked on: a window around the cursor remains.
    pub(crate) body: Rows,
    /// The keys.
    pub(crate) foot: Rows,
}

/// A title in our own words, marked as a question to the person.
pub(crate) fn title(text: String) -> Line {
    let line = Line {
        lead: vec![Span::new("? ", Style::Accent)],
        hang: vec![Span::new("  ", Style::Plain)],
        spans: Vec::new(),
    };
    line.with(text, Style::Bold)
}

/// The columns that are drawn in: the last one stays free, where terminals break lines in their own ways.
pub(crate) fn usable_width(columns: usize) -> usize {
    columns.saturating_sub(1).max(8)
}

/// A view cut to the terminal's height.
pub(super) struct Fitted {
    pub(super) spilled: Vec<Line>,
    pub(super) live: Vec<Line>,
    pub(super) cursor: Option<(usize, usize)>,
}

impl View {
    pub(crate) fn new(width: usize) -> View {
        let rows = || Rows::new(width);
        View { head: rows(), hidden: 0, text: rows(), brief: rows(), joined: false, body: rows(), foot: rows() }
    }

    /// Adds the row of keys: pairs of a key and what it does.
    pub(crate) fn keys(&mut self, context: &Context<'_>, hints: &[(&str, &str)]) {
        let mut line = Line::own("", Style::Dim);
        for (at, (key, does)) in hints.iter().enumerate() {
            if at > 0 {
                line = line.with("  ", Style::Dim);
            }
            // A key and its meaning stay on one row.
            line = line.with(key.replace(' ', "\u{a0}"), Style::Plain).with("\u{a0}", Style::Dim);
            line = line.with(context.get(does).replace(' ', "\u{a0}"), Style::Dim);
        }
        self.foot.push(line);
    }

    /// The drawing in a terminal of so many rows; what is settled, or did not fit and had to be printed, is handed out once.
    pub(crate) fn finish(
        self,
        height: usize,
        context: &Context<'_>,
        settled: &mut Vec<Line>,
        spilled: &mut Vec<Line>,
    ) -> Drawing {
        let width = self.body.width;
        let fitted = self.fit(height.saturating_sub(1), context, spilled);
        let settled = std::mem::take(settled).into_iter().flat_map(|line| line.wrap(width)).chain(fitted.spilled);
        Drawing { settled: settled.collect(), live: fitted.live, cursor: fitted.cursor, gives_way: false }
    }

    fn fit(self, height: usize, context: &Context<'_>, spilled: &mut Vec<Line>) -> Fitted {
        let View { mut head, hidden, mut text, brief, joined, body, foot } = self;
        let height = height.max(4);
        let gaps = 2 + usize::from(!head.rows.is_empty()) + usize::from(!text.rows.is_empty());
        let fixed = body.rows.len() + foot.rows.len() + gaps;
        let mut newly = Vec::new();
        if text.rows.len() + fixed > height {
            let rows = std::mem::take(&mut text.rows);
            if *spilled != rows {
                newly.push(Line::blank());
                newly.extend(rows.iter().cloned());
                *spilled = rows;
            }
            if !spilled.is_empty() {
                text = brief;
                text.push(Line::own(context.get("term-in-full-above"), Style::Dim));
            }
        } else {
            spilled.clear();
        }
        let room = height.saturating_sub(fixed + text.rows.len());
        if head.rows.len() > room || hidden > 0 {
            let dropped = (head.rows.len() + 1).saturating_sub(room).min(head.rows.len());
            head.rows.drain(..dropped);
            if room > 1 {
                let count = (hidden + dropped) as u64;
                let more = context.texts.format("term-more-above", &[("count", count.into())]);
                head.rows.insert(0, Line::own(more, Style::Dim).wrap(head.width).swap_remove(0));
            }
        }
        let mut live = Rows::new(body.width);
        for part in [head, text] {
            if !part.rows.is_empty() {
                live.rows.push(Line::blank());
                live.append(part);
            }
        }
        if !joined || live.rows.is_empty() {
            live.rows.push(Line::blank());
        }
        let foot_rows = foot.rows.len() + 1;
        let room = height.saturating_sub(live.rows.len() + foot_rows).max(1);
        live.append(window(body, room));
        let (cursor, keep) = (live.cursor, height.saturating_sub(live.rows.len()));
        if keep > 1 && !foot.rows.is_empty() {
            live.rows.push(Line::blank());
            live.rows.extend(foot.rows.into_iter().take(keep - 1));
        }
        live.rows.truncate(height);
        Fitted { spilled: newly, live: live.rows, cursor: cursor.filter(|(row, _)| *row < height) }
    }
}

/// The part of `rows` that fits around the row that must stay in view.
fn window(mut rows: Rows, height: usize) -> Rows {
    if rows.rows.len() <= height {
        return rows;
    }
    let total = rows.rows.len();
    let start = (rows.focus + 1 + height / 4).saturating_sub(height).min(rows.rows.len() - height);
    let start = start.min(rows.focus);
    rows.rows = rows.rows.split_off(start);
    rows.rows.truncate(height);
    rows.cursor = rows.cursor.and_then(|(row, column)| row.checked_sub(start).map(|row| (row, column)));
    rows.focus -= start;
    // What is cut off leaves a sign, as long as there is room for one.
    let more = Line::own("…", Style::Dim);
    if start > 0 && rows.focus > 0 && height > 3 {
        rows.rows[0] = more.wrap(rows.width).swap_remove(0);
    }
    if start + height < total && rows.focus + 1 < height && height > 3 {
        rows.rows[height - 1] = more.wrap(rows.width).swap_remove(0);
    }
    rows
}
