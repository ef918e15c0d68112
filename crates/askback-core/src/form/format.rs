//! The four text formats that the protocol names, checked.
//!
//! Owns what counts as an e-mail address, a URI, a date and a date with time. Must not know fields or faces.

use super::{EntryError, TextFormat};

/// Whether `text` is in `format`, and if not, why.
pub(super) fn check(format: TextFormat, text: &str) -> Result<(), EntryError> {
    match format {
        TextFormat::Email if !is_email(text) => Err(EntryError::NotEmail),
        TextFormat::Uri if !is_uri(text) => Err(EntryError::NotUri),
        TextFormat::Date if !is_date(text) => Err(EntryError::NotDate),
        TextFormat::DateTime => check_date_time(text),
        _ => Ok(()),
    }
}

/// An RFC 5321 mailbox in ASCII: `local@domain`. A domain of one label is allowed, as it is there.
pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    !local.is_empty() && local.len() <= 64 && domain.len() <= 255 && is_local_part(local) && is_mail_domain(domain)
}

fn is_local_part(local: &str) -> bool {
    if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let mut escaped = false;
        for byte in quoted.bytes() {
            match byte {
                _ if !(b' '..=b'~').contains(&byte) => return false,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return false,
                _ => {}
            }
        }
        return !escaped && local.len() >= 2;
    }
    local.split('.').all(|atom| {
        !atom.is_empty()
            && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    })
}

fn is_mail_domain(domain: &str) -> bool {
    if let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match literal.strip_prefix("IPv6:") {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => literal.parse::<std::net::Ipv4Addr>().is_ok(),
        };
    }
    domain.split('.').all(|label| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// An absolute RFC 3986 URI. Spaces, letters outside ASCII and stray percent signs have to be encoded, as servers' validators demand.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !scheme_fits || rest.is_empty() {
        return false;
    }
    let bytes = rest.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let fits = match byte {
            b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(byte),
        };
        if !fits {
            return false;
        }
    }
    let (before_fragment, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let after_authority = match before_fragment.strip_prefix("//") {
        Some(hierarchical) => &hierarchical[hierarchical.find(['/', '?']).unwrap_or(hierarchical.len())..],
        None => before_fragment,
    };
    // Brackets belong to IP literals, and a fragment starts once.
    !after_authority.contains(['[', ']']) && !fragment.contains(['[', ']', '#']) && url::Url::parse(text).is_ok()
}

/// A day that exists, as `2026-07-28`.
pub(super) fn is_date(text: &str) -> bool {
    parse_date(text).is_some()
}

fn parse_date(text: &str) -> Option<(u32, u32, u32)> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&bytes[..4])?, number(&bytes[5..7])?, number(&bytes[8..])?);
    ((1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)).then_some((year, month, day))
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value: u32, digit| digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0')))
}

/// An RFC 3339 date-time.
pub(super) fn is_date_time(text: &str) -> bool {
    check_date_time(text).is_ok()
}

fn check_date_time(text: &str) -> Result<(), EntryError> {
    let wrong = || EntryError::NotDateTime;
    let (date, rest) = text.split_at_checked(10).ok_or_else(wrong)?;
    let date = parse_date(date).ok_or_else(wrong)?;
    let time = rest.strip_prefix(['T', 't']).ok_or_else(wrong)?;
    let (clock, offset) = match time.find(['Z', 'z', '+', '-']) {
        Some(at) => (&time[..at], Some(parse_offset(&time[at..]).ok_or_else(wrong)?)),
        None => (time, None),
    };
    let (hour, minute, second) = parse_clock(clock, offset.is_none()).ok_or_else(wrong)?;
    let offset = offset.ok_or(EntryError::OffsetMissing)?;
    if second == 60 && !is_leap_second(date, hour, minute, offset) {
        return Err(EntryError::NotDateTime);
    }
    Ok(())
}

/// A date and time written in full, such as `2026-06-15T09:30:00`, from one to which nothing is missing but its offset from UTC; its seconds
/// and the `T` may be missing as well.
pub fn local_date_time(text: &str) -> Option<String> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let clock = rest.strip_prefix(['T', 't', ' '])?.trim_start();
    let full = match clock.len() {
        5 => format!("{date}T{clock}:00"),
        _ => format!("{date}T{clock}"),
    };
    (check_date_time(&full) == Err(EntryError::OffsetMissing)).then_some(full)
}

/// Hour, minute, second. Times that lack their offset anyway may lack their seconds too: the missing offset is what to talk about.
fn parse_clock(clock: &str, seconds_optional: bool) -> Option<(u32, u32, u32)> {
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    if fraction.is_some_and(|digits| digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let bytes = clock.as_bytes();
    if bytes.get(2) != Some(&b':') {
        return None;
    }
    let second = match bytes.len() {
        8 if bytes[5] == b':' => number(&bytes[6..])?,
        5 if seconds_optional && fraction.is_none() => 0,
        _ => return None,
    };
    let (hour, minute) = (number(&bytes[..2])?, number(&bytes[3..5])?);
    (hour < 24 && minute < 60 && second <= 60).then_some((hour, minute, second))
}

/// Minutes east of UTC.
fn parse_offset(offset: &str) -> Option<i64> {
    if offset.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let bytes = offset.as_bytes();
    if bytes.len() != 6 || bytes[3] != b':' {
        return None;
    }
    let (hours, minutes) = (number(&bytes[1..3])?, number(&bytes[4..])?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let size = i64::from(hours * 60 + minutes);
    Some(if bytes[0] == b'-' { -size } else { size })
}

/// Leap seconds are put in at the end of June or December, UTC.
fn is_leap_second((_, month, day): (u32, u32, u32), hour: u32, minute: u32, offset: i64) -> bool {
    const MINUTES_IN_DAY: i64 = 24 * 60;
    let utc = i64::from(hour * 60 + minute) - offset;
    let (before, same, after) = ([(6, 29), (12, 30)], [(6, 30), (12, 31)], [(7, 1), (1, 1)]);
    let days = match utc.div_euclid(MINUTES_IN_DAY) {
        -1 => after,
        0 => same,
        _ => before,
    };
    utc.rem_euclid(MINUTES_IN_DAY) == MINUTES_IN_DAY - 1 && days.contains(&(month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_all(format: TextFormat, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert_eq!(check(format, text), Ok(()), "{text:?}");
        }
        for text in wrong {
            assert!(check(format, text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn e18_email() {
        check_all(
            TextFormat::Email,
            &["a@b", "a.b+c@example.com", "\"a b\"@example.com", "x@[127.0.0.1]", "x@[IPv6:::1]", "o'neil@a-b.example"],
            &[
                "not mail", "", "@", "a@", "@b", "a@@b", ".a@b", "a.@b", "a..b@c", "a@-b", "a@b..c", "a b@c", "ü@b",
                "a@b\n",
            ],
        );
    }

    #[test]
    fn e18_uri() {
        check_all(
            TextFormat::Uri,
            &["https://x.example/a?b=c#d", "mailto:a@b", "urn:isbn:1", "http://[::1]:8080/", "file:///a%20b"],
            &[
                "x.example",
                "/a",
                "",
                "http://",
                "https://a b/",
                "https://x/%zz",
                "https://例え.jp/",
                "1a:b",
                "C:\\x",
                "http://x/[a]",
                "http://x/#a#b",
            ],
        );
    }

    #[test]
    fn e18_date_is_a_real_day() {
        check_all(
            TextFormat::Date,
            &["2026-02-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"],
            &[
                "2026-02-30",
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-1-1",
                "26-01-01",
                "2026/01/01",
                "２026-01-01",
                "2026-01-01T",
            ],
        );
    }

    #[test]
    fn e22_date_time_needs_its_offset() {
        check_all(
            TextFormat::DateTime,
            &[
                "2026-05-01T10:00:00+05:30",
                "2026-05-01T10:00:00Z",
                "2026-05-01t10:00:00.123456789z",
                "2026-12-31T23:59:60Z",
                "2026-06-30T23:59:60.5Z",
                "1998-12-31T15:59:60-08:00",
                "1999-01-01T08:59:60+09:00",
            ],
            &[
                "2026-05-01 10:00:00Z",
                "2026-05-01T10:00:60Z",
                "2026-12-31T22:59:60Z",
                "2026-05-31T23:59:60Z",
                "2026-05-01T10:00Z",
                "2026-05-01T24:00:00Z",
                "2026-05-01T10:00:00+5:30",
                "2026-05-01T10:00:00+24:00",
                "2026-05-01T10:00:00.Z",
                "2026-05-01T10:00:00+",
                "2026-02-30T10:00:00Z",
                "2026-05-01",
                "tomorrow",
                "日本語日本語",
            ],
        );
        for text in ["2026-05-01T10:00", "2026-05-01T10:00:00", "2026-05-01T10:00:00.5"] {
            assert_eq!(check(TextFormat::DateTime, text), Err(EntryError::OffsetMissing), "{text:?}");
        }
    }

    #[test]
    fn e22_what_lacks_only_its_offset_is_written_in_full() {
        let whole = |text: &str| local_date_time(text);
        for text in ["2026-05-01T10:00", "2026-05-01 10:00", " 2026-05-01t10:00:00 ", "2026-05-01  10:00:00"] {
            assert_eq!(whole(text).as_deref(), Some("2026-05-01T10:00:00"), "{text:?}");
        }
        assert_eq!(whole("2026-05-01T10:00:00.5").as_deref(), Some("2026-05-01T10:00:00.5"));
        for text in [
            "2026-05-01T10:00:00Z",
            "2026-02-30T10:00",
            "2026-05-01",
            "2026-05-01T25:00",
            "10:00",
            "",
            "2026-05-01T",
            "é026-05-01T10:00",
        ] {
            assert_eq!(whole(text), None, "{text:?}");
        }
    }
}
