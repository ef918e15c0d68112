//! Long tokens that look random.
//!
//! Owns what looks random: at least 24 characters, with capitals, small letters and digits mixed as dice would mix them. Words in camel case, paths
//! and version strings change their kind of character too seldom. What has only hexadecimal digits is no secret by itself, so UUIDs and the
//! digests of git and of checksums stay (a model is often asked about just these); neither are the digests of lock files (`sha512-…`), nor runs of
//! more than 512 characters, which are data. A name beside them, or a pattern of the user's, still gives them away.

use super::SecretKind;
use super::spans::Span;

const SHORTEST: usize = 24;
const LONGEST: usize = 512;
/// Bits for each character. 24 random characters have 4.2 on average.
const LEAST_ENTROPY: f64 = 3.5;
/// How many of the neighbours differ in kind, of a hundred. Random ones: 62.
const LEAST_CHANGES: usize = 35;

/// Adds the tokens that look random.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        if !is_part(bytes[start]) {
            start += 1;
            continue;
        }
        let length = bytes[start..].iter().take_while(|byte| is_part(**byte)).count();
        let end = start + length;
        if length >= SHORTEST && !is_digest(&bytes[start..end]) {
            find_in_token(bytes, start, end, spans);
        }
        start = end;
    }
}

/// Base64 may have slashes within; where the whole does not look random, what stands between slashes may.
fn find_in_token(bytes: &[u8], start: usize, end: usize, spans: &mut Vec<Span>) {
    if looks_random(&bytes[start..end]) {
        spans.push(Span { start, end, kind: SecretKind::Random });
        return;
    }
    let mut from = start;
    for piece in bytes[start..end].split(|byte| matches!(byte, b'/' | b'=')) {
        let to = from + piece.len();
        if looks_random(piece) && !is_digest(piece) {
            spans.push(Span { start: from, end: to, kind: SecretKind::Random });
        }
        from = to + 1;
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

fn is_digest(token: &[u8]) -> bool {
    [&b"sha1-"[..], b"sha256-", b"sha384-", b"sha512-"].iter().any(|prefix| token.starts_with(prefix))
}

fn looks_random(token: &[u8]) -> bool {
    if !(SHORTEST..=LONGEST).contains(&token.len()) || token.iter().all(|byte| byte.is_ascii_hexdigit()) {
        return false;
    }
    let kinds: Vec<u8> = token.iter().map(|byte| kind(*byte)).collect();
    let has_all = (1..=3).all(|kind| kinds.contains(&kind));
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1] && pair[0] != 0 && pair[1] != 0).count();
    has_all && changes * 100 >= LEAST_CHANGES * (token.len() - 1) && entropy(token) >= LEAST_ENTROPY
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        b'0'..=b'9' => 3,
        _ => 0,
    }
}

/// Shannon's, in bits for each character.
fn entropy(token: &[u8]) -> f64 {
    let mut counts = [0_u32; 128];
    for byte in token {
        counts[usize::from(*byte & 127)] += 1;
    }
    let length = token.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / length);
    shares.map(|share| -share * share.log2()).sum()
}
