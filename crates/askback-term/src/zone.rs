//! Where the person is in time: what their clock is off UTC, and which weekday a date falls on.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};

/// The person's time zone, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Zone(Option<TimeZone>);

impl Zone {
    /// The one that the system is set to.
    pub fn of_system() -> Zone {
        Zone(TimeZone::try_system().ok())
    }

    /// One by its rules, in the form that POSIX gives the variable `TZ`, e.g. `CET-1CEST,M3.5.0,M10.5.0/3`; unknown if these are none.
    pub fn of_rules(rules: &str) -> Zone {
        Zone(TimeZone::posix(rules).ok())
    }

    /// A time, given in milliseconds since 1970, on the person's own clock; in UTC where that is not known, and then it says so.
    pub fn shown(&self, at: u64) -> String {
        let Some(at) = i64::try_from(at).ok().and_then(|at| Timestamp::from_millisecond(at).ok()) else {
            return String::new();
        };
        match &self.0 {
            Some(zone) => at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
            None => at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        }
    }

    /// The offset from UTC at a local date and time such as `2026-06-15T09:30:00`, written like `+02:00`. Nothing when the zone is not known or
    /// the clocks skip that time.
    pub fn offset_at(&self, local: &str) -> Option<String> {
        let at: DateTime = local.parse().ok()?;
        let offset = match self.0.as_ref()?.to_ambiguous_timestamp(at).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset,
            // Once of the two; the person sees it before it goes anywhere.
            AmbiguousOffset::Fold { before, .. } => before,
            AmbiguousOffset::Gap { .. } => return None,
        };
        let (sign, seconds) = if offset.seconds() < 0 { ('-', -offset.seconds()) } else { ('+', offset.seconds()) };
        (seconds % 60 == 0).then(|| format!("{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60))
    }
}

/// The weekday of a text that begins with a date, from 1 for Monday to 7 for Sunday.
pub(crate) fn weekday(text: &str) -> Option<u8> {
    let date: Date = text.get(..10)?.parse().ok()?;
    u8::try_from(date.weekday().to_monday_one_offset()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &str, local: &str, expected: Option<&str>) {
        assert_eq!(Zone::of_rules(rules).offset_at(local).as_deref(), expected, "{rules} at {local}");
    }

    #[test]
    fn offsets_are_those_of_the_day_in_question() {
        let madrid = "CET-1CEST,M3.5.0,M10.5.0/3";
        check(madrid, "2026-06-15T09:30:00", Some("+02:00"));
        check(madrid, "2026-12-15T09:30:00", Some("+01:00"));
        check(madrid, "2026-03-29T02:30:00", None);
        check(madrid, "2026-10-25T02:30:00", Some("+02:00"));
        check("IST-5:30", "2026-06-15T09:30:00.25", Some("+05:30"));
        check("NST3:30NDT,M3.2.0,M11.1.0", "2026-01-15T09:30:00", Some("-03:30"));
        check("UTC0", "2026-01-15T09:30:00", Some("+00:00"));
        check("nowhere at all", "2026-01-15T09:30:00", None);
        check(madrid, "soon", None);
        assert_eq!(Zone::default().offset_at("2026-01-15T09:30:00"), None);
    }

    #[test]
    fn weekdays() {
        let days = ["2026-06-15", "2026-06-21T10:00:00Z", "2026-02-30", "", "2026-06-1", "２０２６-06-15"];
        assert_eq!(days.map(weekday), [Some(1), Some(7), None, None, None, None]);
    }
}
