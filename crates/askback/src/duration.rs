//! Durations as people write them: `500ms`, `3s`, `2m`, `1h`.

use std::time::Duration;

/// The duration, or nothing when the text is none.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let number: f64 = text[..digits].parse().ok()?;
    let seconds = match &text[digits..] {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_needed() {
        let check = |text, milliseconds: Option<u64>| {
            assert_eq!(parse(text), milliseconds.map(Duration::from_millis), "{text}");
        };
        check("3s", Some(3000));
        check("2m", Some(120_000));
        check("500ms", Some(500));
        check("1.5s", Some(1500));
        for wrong in ["3", "s", "", "0s", "-1s", "3 s", "1e3s", "3d", "99999999999999999999h"] {
            check(wrong, None);
        }
    }
}
