//! How far a call is, on one line that is drawn anew: a bar where the whole is known, a turning mark where it is not.
//!
//! Serves "Progress" (`notifications/progress`). Owns how often it is drawn, whatever the server sends, and what the line says. Time is told to
//! it. Must not know terminals: it is the caller who draws, below everything else and never while something is asked.

use std::time::{Duration, Instant};

use askback_core::display::{neutralise_line, shorten};
use askback_desk::Texts;

/// The shortest time between two drawings.
const PACE: Duration = Duration::from_millis(100);
/// How many characters of the server's words are shown.
const MOST_MESSAGE: usize = 80;
/// Below so many columns there is no room for a bar.
const NARROW: usize = 40;
/// The mark that turns, one picture for each drawing.
const MARKS: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// What a server says about how far it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    /// How far, in the server's own unit.
    pub(crate) progress: f64,
    /// The whole, if known.
    pub(crate) total: Option<f64>,
    /// The server's words, as sent.
    pub(crate) message: Option<String>,
}

impl Report {
    /// The part that is done, from 0 to 1; nothing where that cannot be told.
    fn part(&self) -> Option<f64> {
        let total = self.total.filter(|total| total.is_finite() && *total > 0.0)?;
        let part = self.progress / total;
        part.is_finite().then(|| part.clamp(0.0, 1.0))
    }

    /// How far and of how much, as numbers.
    pub(crate) fn count(&self) -> String {
        match self.total {
            Some(total) => format!("{}/{}", number(self.progress), number(total)),
            None => number(self.progress),
        }
    }

    /// The server's words, safe and short.
    pub(crate) fn words(&self) -> String {
        shorten(&neutralise_line(self.message.as_deref().unwrap_or_default()), MOST_MESSAGE)
    }
}

/// The progress of one call.
#[derive(Debug)]
pub(crate) struct ProgressBar {
    began: Instant,
    latest: Option<Report>,
    /// When it was drawn last, and how often.
    drawn: Option<Instant>,
    turns: usize,
    /// Whether the latest report was drawn.
    is_shown: bool,
}

impl ProgressBar {
    /// Nothing was said yet; time is counted from now.
    pub(crate) fn new(now: Instant) -> ProgressBar {
        ProgressBar { began: now, latest: None, drawn: None, turns: 0, is_shown: true }
    }

    /// Takes a report in; whether it is time to draw.
    pub(crate) fn report(&mut self, now: Instant, report: Report) -> bool {
        self.latest = Some(report);
        self.is_shown = false;
        self.next_drawing().is_some_and(|at| at <= now)
    }

    /// When it is to be drawn next, as time passes while nothing is said too; never before the first report.
    pub(crate) fn next_drawing(&self) -> Option<Instant> {
        self.latest.as_ref()?;
        Some(self.drawn.map_or(self.began, |drawn| drawn + PACE))
    }

    /// The latest report, which is now being told.
    pub(crate) fn draw(&mut self, now: Instant) -> Option<&Report> {
        self.drawn = Some(now);
        self.turns = self.turns.wrapping_add(1);
        self.is_shown = true;
        self.latest.as_ref()
    }

    /// The latest report, if it has not been told.
    pub(crate) fn untold(&self) -> Option<&Report> {
        self.latest.as_ref().filter(|_| !self.is_shown)
    }

    /// The line, for a terminal of so many columns.
    pub(crate) fn line(&mut self, texts: &Texts, now: Instant, columns: usize) -> String {
        let turns = self.turns;
        let elapsed = elapsed(texts, now.saturating_duration_since(self.began));
        let Some(report) = self.draw(now) else { return String::new() };
        let mut variables = vec![("count", report.count().into()), ("elapsed", elapsed.into())];
        let id = match report.part() {
            Some(part) => {
                // Rounded down: what is not done is not shown as done.
                variables.push(("percent", format!("{:.0}", (part * 100.0).floor()).into()));
                variables.push(("bar", bar(part, columns).into()));
                "progress-bar"
            }
            None => {
                variables.push(("mark", MARKS[turns % MARKS.len()].to_string().into()));
                "progress-spinner"
            }
        };
        let line = texts.format(id, &variables);
        match report.words() {
            words if words.is_empty() => line.trim().to_owned(),
            words => format!("{} · {words}", line.trim()),
        }
    }
}

fn bar(part: f64, columns: usize) -> String {
    if columns < NARROW {
        return String::new();
    }
    let cells = (columns / 4).min(30);
    let full = ((part * cells as f64) as usize).min(cells);
    "█".repeat(full) + &"░".repeat(cells - full)
}

fn elapsed(texts: &Texts, time: Duration) -> String {
    let seconds = time.as_secs();
    let number = |value: u64| value.to_string().into();
    if seconds < 60 {
        texts.format("elapsed-seconds", &[("seconds", number(seconds))])
    } else {
        texts.format("elapsed-minutes", &[("minutes", number(seconds / 60)), ("seconds", number(seconds % 60))])
    }
}

/// A number of the server's, in few characters whatever it is.
fn number(value: f64) -> String {
    if !value.is_finite() {
        "?".to_owned()
    } else if value.abs() >= 1e15 {
        format!("{value:.2e}")
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_desk::Lang;

    fn check(lang: Lang, progress: f64, total: Option<f64>, columns: usize) -> String {
        let texts = Texts::new(lang, &[crate::ASKBACK]);
        let began = Instant::now();
        let mut bar = ProgressBar::new(began);
        let now = began + Duration::from_secs(83);
        assert!(bar.report(now, Report { progress, total, message: Some("cities\u{1b}[2J".into()) }));
        bar.line(&texts, now, columns)
    }

    #[test]
    fn a_bar_where_the_whole_is_known() {
        let full = "█████████████████████████████░";
        assert_eq!(check(Lang::En, 59.0, Some(60.0), 200), format!("{full} 98 % 59/60 · 1 min 23 s · cities␛[2J"));
        assert_eq!(check(Lang::ZhCn, 1.0, Some(2.0), 40), "█████░░░░░ 50 % 1/2 · 1 分 23 秒 · cities␛[2J");
        assert_eq!(check(Lang::En, 1.0, Some(2.0), 39), "50 % 1/2 · 1 min 23 s · cities␛[2J");
    }

    #[test]
    fn a_mark_where_it_is_not() {
        assert_eq!(check(Lang::En, 12.5, None, 80), "⠋ 12.5 · 1 min 23 s · cities␛[2J");
        for total in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(check(Lang::En, 1.0, Some(total), 80).starts_with("⠋ 1/"), "{total}");
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_drawn_all_the_same() {
        assert!(check(Lang::En, 30.0, Some(20.0), 80).contains(" 100 % 30/20 "));
        assert!(check(Lang::En, -5.0, Some(20.0), 80).contains("░ 0 % -5/20 "));
        assert!(check(Lang::En, f64::NAN, Some(20.0), 80).contains("⠋ ?/20 "));
        assert!(check(Lang::En, f64::MAX, Some(f64::MIN_POSITIVE), 80).contains("⠋ 1.80e308/0 "));
    }

    #[test]
    fn a_flood_is_drawn_ten_times_a_second() {
        let texts = Texts::new(Lang::En, &[crate::ASKBACK]);
        let began = Instant::now();
        let mut bar = ProgressBar::new(began);
        let mut drawn = 0;
        for step in 0..10_000_u64 {
            let now = began + Duration::from_micros(step * 100);
            // Every other report goes backwards.
            let progress = if step % 2 == 0 { step as f64 } else { 0.0 };
            if bar.report(now, Report { progress, total: None, message: None }) {
                drawn += 1;
                bar.line(&texts, now, 80);
            }
        }
        assert_eq!(drawn, 10);
        assert_eq!(bar.untold().map(|report| report.progress), Some(0.0));
    }

    #[test]
    fn before_the_first_report_nothing_is_drawn() {
        assert_eq!(ProgressBar::new(Instant::now()).next_drawing(), None);
    }
}
