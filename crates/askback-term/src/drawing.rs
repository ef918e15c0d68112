//! What a dialog looks like, as data: styled spans, lines, and the rows that a terminal of a given width shows.
//!
//! Owns styles (chosen by meaning, turned into colours in one place, [`Style::code`]) and wrapping. Must not know dialogs or terminals.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What a piece of text means; the colour follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Ordinary text.
    #[default]
    Plain,
    /// Of less weight: labels, keys, rules.
    Dim,
    /// Names and titles.
    Bold,
    /// Where the person is: the cursor's row, the mark of a question.
    Accent,
    /// What is wrong.
    Error,
    /// What to be careful about.
    Warning,
    /// What is done.
    Good,
}

impl Style {
    /// The parameters of the terminal's SGR sequence, empty for plain text. All colours are from the terminal's own sixteen.
    pub fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Dim => "2",
            Style::Bold => "1",
            Style::Accent => "36",
            Style::Error => "31",
            Style::Warning => "33",
            Style::Good => "32",
        }
    }
}

/// Text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text; never a control character.
    pub text: String,
    /// Its meaning.
    pub style: Style,
}

impl Span {
    /// Text in a style.
    pub fn new(text: impl Into<String>, style: Style) -> Span {
        Span { text: text.into(), style }
    }
}

/// A line of spans. Longer than the terminal is wide, it is wrapped: the first row starts with `lead`, each further one with `hang`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What the first row starts with.
    pub lead: Vec<Span>,
    /// What each further row starts with.
    pub hang: Vec<Span>,
    /// The text.
    pub spans: Vec<Span>,
}

/// The margin of everything that a dialog draws.
const MARGIN: &str = "  ";

impl Line {
    /// An empty line.
    pub fn blank() -> Line {
        Line::default()
    }

    /// A line without a margin.
    pub fn flush(text: impl Into<String>, style: Style) -> Line {
        Line { spans: vec![Span::new(text, style)], ..Line::default() }
    }

    /// A line of our own words, at the margin.
    pub fn own(text: impl Into<String>, style: Style) -> Line {
        Line::lead(MARGIN, Style::Plain).with(text, style)
    }

    /// A line behind a mark of ours, e.g. `✓ `; further rows are indented as far.
    pub fn marked(mark: &str, mark_style: Style) -> Line {
        let lead = vec![Span::new(MARGIN, Style::Plain), Span::new(mark, mark_style), Span::new(" ", Style::Plain)];
        let hang = vec![Span::new(" ".repeat(MARGIN.len() + mark.width() + 1), Style::Plain)];
        Line { lead, hang, spans: Vec::new() }
    }

    /// A line of a server's words: behind a bar on every row, so that nothing of it can pass for ours.
    pub fn quoted(text: impl Into<String>, style: Style) -> Line {
        let bar = vec![Span::new(MARGIN, Style::Plain), Span::new("│ ", Style::Dim)];
        Line { lead: bar.clone(), hang: bar, spans: vec![Span::new(text, style)] }
    }

    /// A line whose every row starts with `lead`.
    pub fn lead(lead: &str, style: Style) -> Line {
        let lead = vec![Span::new(lead, style)];
        Line { hang: lead.clone(), lead, spans: Vec::new() }
    }

    /// The line with more text.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, style: Style) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, style });
        }
        self
    }

    /// The columns that the line takes when it is not wrapped.
    pub fn width(&self) -> usize {
        self.lead.iter().chain(&self.spans).map(|span| span.text.width()).sum()
    }

    /// The text without styles.
    pub fn text(&self) -> String {
        self.lead.iter().chain(&self.spans).map(|span| span.text.as_str()).collect()
    }

    /// The rows that this line takes at `width` columns: broken at spaces where possible, and between wide characters.
    pub fn wrap(&self, width: usize) -> Vec<Line> {
        if self.width() <= width {
            return vec![self.row(&self.lead, self.spans.clone())];
        }
        let mut rows = Vec::new();
        let mut row: Vec<(&str, Style)> = Vec::new();
        let mut room = self.room(width, true);
        let mut used = 0;
        for span in &self.spans {
            for grapheme in span.text.graphemes(true) {
                let columns = grapheme.width();
                if used + columns > room && !row.is_empty() {
                    let rest = if grapheme == " " { Vec::new() } else { split_off_last_word(&mut row, grapheme) };
                    let lead = if rows.is_empty() { &self.lead } else { &self.hang };
                    rows.push(self.row(lead, join(&row)));
                    room = self.room(width, false);
                    used = rest.iter().map(|(text, _)| text.width()).sum();
                    row = rest;
                    if grapheme == " " {
                        continue;
                    }
                }
                if grapheme == " " && row.is_empty() && !rows.is_empty() {
                    continue;
                }
                row.push((grapheme, span.style));
                used += columns;
            }
        }
        let lead = if rows.is_empty() { &self.lead } else { &self.hang };
        rows.push(self.row(lead, join(&row)));
        rows
    }

    fn row(&self, lead: &[Span], spans: Vec<Span>) -> Line {
        let spans = lead.iter().cloned().chain(spans).filter(|span| !span.text.is_empty()).collect();
        Line { lead: Vec::new(), hang: Vec::new(), spans }
    }

    fn room(&self, width: usize, first: bool) -> usize {
        let lead = if first { &self.lead } else { &self.hang };
        width.saturating_sub(lead.iter().map(|span| span.text.width()).sum()).max(2)
    }
}

/// Takes from the end of a full row what should start the next one, ahead of `next`: the word that did not fit, unless it fills the row.
fn split_off_last_word<'a>(row: &mut Vec<(&'a str, Style)>, next: &str) -> Vec<(&'a str, Style)> {
    let may_break_after = |at: usize| {
        let (text, _) = row[at];
        let next = row.get(at + 1).map_or(next, |(text, _)| *text);
        text == " " || ((text.width() == 2 || next.width() == 2) && !closes(next) && !opens(text))
    };
    let Some(at) = (0..row.len()).rev().find(|at| may_break_after(*at)) else { return Vec::new() };
    let rest = row.split_off(at + 1);
    while row.last().is_some_and(|(text, _)| *text == " ") && row.len() > 1 {
        row.pop();
    }
    rest
}

/// Punctuation that no row may start with.
fn closes(text: &str) -> bool {
    text.starts_with(['，', '。', '、', '；', '：', '？', '！', '）', '》', '」', '』', '】', '”', '’', '…', '%'])
}

/// Punctuation that no row may end with.
fn opens(text: &str) -> bool {
    text.starts_with(['（', '《', '「', '『', '【', '“', '‘'])
}

fn join(row: &[(&str, Style)]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (text, style) in row {
        match spans.last_mut() {
            Some(last) if last.style == *style => last.text.push_str(text),
            _ => spans.push(Span::new(*text, *style)),
        }
    }
    spans
}

/// Cuts text to `columns`, with a sign that something is missing.
pub fn clip(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += grapheme.width();
        if used + 1 > columns {
            break;
        }
        kept.push_str(grapheme);
    }
    kept.push('…');
    kept
}

/// One state of a dialog, ready for a screen: every line fits the width it was drawn for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Rows that are printed once and stay in the scrollback.
    pub settled: Vec<Line>,
    /// Rows that are drawn anew each time.
    pub live: Vec<Line>,
    /// Row within `live`, and column, of the cursor; none hides it.
    pub cursor: Option<(usize, usize)>,
    /// Whether the status line, where there is one, stands in the place of the live rows: for what only says that something is under way.
    pub gives_way: bool,
}

/// Rows in the making, at a known width.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) width: usize,
    pub(crate) rows: Vec<Line>,
    /// Where typing goes, or the row that must stay in view.
    pub(crate) cursor: Option<(usize, usize)>,
    pub(crate) focus: usize,
}

impl Rows {
    pub(crate) fn new(width: usize) -> Rows {
        Rows { width: width.max(8), rows: Vec::new(), cursor: None, focus: 0 }
    }

    pub(crate) fn push(&mut self, line: Line) {
        self.rows.extend(line.wrap(self.width));
    }

    pub(crate) fn extend(&mut self, lines: impl IntoIterator<Item = Line>) {
        for line in lines {
            self.push(line);
        }
    }

    /// A blank row, unless there is one already.
    pub(crate) fn gap(&mut self) {
        if self.rows.last().is_some_and(|row| !row.spans.is_empty()) {
            self.rows.push(Line::blank());
        }
    }

    /// Marks the row pushed next as the one that must stay in view.
    pub(crate) fn focus_here(&mut self) {
        self.focus = self.rows.len();
    }

    pub(crate) fn append(&mut self, other: Rows) {
        let at = self.rows.len();
        if let Some((row, column)) = other.cursor {
            self.cursor = Some((row + at, column));
            self.focus = row + at;
        }
        self.rows.extend(other.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: Line, width: usize, rows: &[&str]) {
        let wrapped = line.wrap(width);
        assert_eq!(wrapped.iter().map(Line::text).collect::<Vec<_>>(), rows);
        assert!(wrapped.iter().all(|row| row.width() <= width));
    }

    #[test]
    fn lines_break_at_spaces() {
        check(Line::quoted("a bird in the hand", Style::Plain), 12, &["  │ a bird", "  │ in the", "  │ hand"]);
    }

    #[test]
    fn words_wider_than_the_row_are_cut() {
        check(Line::flush("abcdefghij", Style::Plain), 4, &["abcd", "efgh", "ij"]);
    }

    #[test]
    fn chinese_breaks_between_characters_but_not_before_a_full_stop() {
        check(Line::flush("请确认您的预订。", Style::Plain), 14, &["请确认您的预", "订。"]);
    }

    #[test]
    fn further_rows_hang_under_the_text() {
        check(
            Line::marked("✓", Style::Good).with("Seat: by the window", Style::Plain),
            14,
            &["  ✓ Seat: by", "    the window"],
        );
    }

    #[test]
    fn clipping_leaves_a_sign() {
        assert_eq!(clip("巴塞罗那 booking", 6), "巴塞…");
        assert_eq!(clip("short", 5), "short");
    }
}
