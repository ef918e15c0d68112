//! Numbers as written, in decimal and exactly.
//!
//! Owns the reading of typed numbers and their comparison with bounds, so that nothing is rounded on the way from a person's keys to the
//! wire. Must not know fields or faces.

use std::cmp::Ordering;

use serde_json::Number;

/// `digits × 10^exponent`, without leading or trailing zeros in `digits`; zero has no digits and no sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

/// Longer texts are no numbers that anyone types.
const MAX_TEXT: usize = 4096;

/// Exponents beyond this are far outside everything that JSON numbers can hold here, and are not told apart.
const MAX_EXPONENT: i64 = 1_000_000;

impl Decimal {
    /// Reads a number as people type it: white space around it, a sign, ASCII digits, one point, an exponent.
    pub(super) fn parse(text: &str) -> Option<Decimal> {
        let text = text.trim();
        if text.len() > MAX_TEXT {
            return None;
        }
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent - i64::try_from(fraction.len()).ok()?;
        Some(Decimal::normal(negative, format!("{whole}{fraction}"), exponent))
    }

    /// The number that a JSON number's text names.
    pub(super) fn of(number: &Number) -> Option<Decimal> {
        Decimal::parse(&number.to_string())
    }

    fn normal(negative: bool, digits: String, exponent: i64) -> Decimal {
        let significant = digits.trim_end_matches('0');
        let dropped = digits.len() - significant.len();
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Decimal { negative: false, digits: String::new(), exponent: 0 };
        }
        Decimal {
            negative,
            digits: significant.to_owned(),
            exponent: exponent + i64::try_from(dropped).unwrap_or(i64::MAX / 2),
        }
    }

    /// Whether this is a whole number.
    pub(super) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// The JSON number for exactly this value, if there is one: an integer where it is whole and fits, else the double whose shortest
    /// text is this very value.
    pub(super) fn to_number(&self) -> Option<Number> {
        if self.is_whole()
            && let Some(number) = self.to_integer()
        {
            return Some(number);
        }
        let float: f64 = self.to_text().parse().ok()?;
        let number = Number::from_f64(float)?;
        (Decimal::of(&number)? == *self).then_some(number)
    }

    /// The JSON integer for exactly this value, if it is whole and within `i64` or `u64`.
    pub(super) fn to_integer(&self) -> Option<Number> {
        // 20 digits are enough for u64; more would only cost memory.
        if !(0..=20).contains(&self.exponent) {
            return None;
        }
        let sign = if self.negative { "-" } else { "" };
        let zeros = "0".repeat(usize::try_from(self.exponent).ok()?);
        let digits = if self.digits.is_empty() { "0" } else { &self.digits };
        let text = format!("{sign}{digits}{zeros}");
        text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()
    }

    /// JSON text of this value: plain digits while that stays short, an exponent otherwise.
    pub(super) fn to_text(&self) -> String {
        if let Some(integer) = self.to_integer() {
            return integer.to_string();
        }
        let sign = if self.negative { "-" } else { "" };
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if self.exponent < 0 && -self.exponent <= 20 {
            let point = length + self.exponent;
            if point > 0 {
                let (whole, fraction) = self.digits.split_at(usize::try_from(point).unwrap_or(0));
                return format!("{sign}{whole}.{fraction}");
            }
            return format!("{sign}0.{}{}", "0".repeat(usize::try_from(-point).unwrap_or(0)), self.digits);
        }
        format!("{sign}{}e{}", self.digits, self.exponent)
    }

    /// Whether this is a whole number of times `of`; `None` when `of` is not positive or too long to tell.
    pub(super) fn is_multiple_of(&self, of: &Decimal) -> Option<bool> {
        if of.negative || of.digits.is_empty() {
            return None;
        }
        if self.digits.is_empty() {
            return Some(true);
        }
        let divisor: u128 = of.digits.parse::<u64>().ok()?.into();
        let value: u128 = self.digits.parse::<u64>().ok()?.into();
        let shift = self.exponent - of.exponent;
        if shift >= 0 {
            let scale = power_of_ten_modulo(shift.unsigned_abs(), divisor);
            return Some(((value % divisor) * scale).is_multiple_of(divisor));
        }
        // A value is never a multiple of something greater than itself, and an overflow means just that.
        let divisor = u32::try_from(-shift).ok().and_then(|shift| 10_u128.checked_pow(shift)?.checked_mul(divisor));
        Some(divisor.is_some_and(|divisor| value.is_multiple_of(divisor)))
    }

    fn magnitude(&self, other: &Decimal) -> Ordering {
        let size = |it: &Decimal| it.exponent.saturating_add(i64::try_from(it.digits.len()).unwrap_or(i64::MAX));
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        // Digits hold no leading zeros, so the texts compare like fractions once the sizes agree.
        size(self).cmp(&size(other)).then_with(|| self.digits.cmp(&other.digits))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
    Some(if negative { -size } else { size })
}

fn power_of_ten_modulo(mut power: u64, modulus: u128) -> u128 {
    let (mut result, mut base) = (1 % modulus, 10 % modulus);
    while power > 0 {
        if power & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        power >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[track_caller]
    fn check(typed: &str, sent: Option<&str>) {
        let number = Decimal::parse(typed).and_then(|decimal| decimal.to_number());
        assert_eq!(number.map(|number| number.to_string()).as_deref(), sent, "{typed:?}");
    }

    #[test]
    fn e20_typed_numbers_are_sent_exactly_or_not_at_all() {
        check("1.0", Some("1"));
        check("1e3", Some("1000"));
        check(" 7 ", Some("7"));
        check("+7", Some("7"));
        check("9007199254740993", Some("9007199254740993"));
        check("9007199254740993.0", Some("9007199254740993"));
        check("18446744073709551615", Some("18446744073709551615"));
        check("-9223372036854775808", Some("-9223372036854775808"));
        check("18446744073709551617", None);
        check(".5", Some("0.5"));
        check("5.", Some("5"));
        check("-0", Some("0"));
        check("-0.0", Some("0"));
        check("0.1", Some("0.1"));
        check("1e400", None);
        check("1e-400", None);
        check("1e300", Some("1e+300"));
        check("1e99999999999999999999", None);
        check("0e99999999999999999999", Some("0"));
        check("0.12345678901234567890123", None);
        for nonsense in ["", "-", ".", "e5", "1e", "1,5", "٣", "0x10", "NaN", "inf", "1_000", "1 000", "--1", "1.2.3"]
        {
            check(nonsense, None);
            assert_eq!(Decimal::parse(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn order_and_multiples_are_exact() {
        let decimal = |text: &str| Decimal::parse(text).expect("a number");
        let ascending = ["-1e400", "-10", "-9.5", "-0.1", "0", "1e-9", "0.1", "0.11", "9", "10", "10.5", "1e400"];
        for pair in ascending.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
        assert_eq!(decimal("1.50").cmp(&decimal("15e-1")), std::cmp::Ordering::Equal);
        assert_eq!(decimal("0.3").is_multiple_of(&decimal("0.1")), Some(true));
        assert_eq!(decimal("0.35").is_multiple_of(&decimal("0.1")), Some(false));
        assert_eq!(decimal("1e300").is_multiple_of(&decimal("7")), Some(false));
        assert_eq!(decimal("21").is_multiple_of(&decimal("7")), Some(true));
        assert_eq!(decimal("1e-300").is_multiple_of(&decimal("7")), Some(false));
        assert_eq!(decimal("5").is_multiple_of(&decimal("0")), None);
        assert_eq!(decimal("0.05").to_text(), "0.05");
        assert_eq!(decimal("12.5").to_text(), "12.5");
    }
}
