//! Secrets that are known by their form alone.
//!
//! Owns the forms. Each pattern begins with something fixed and ends where its characters end, so that a text is searched in linear time.

use std::sync::LazyLock;

use regex::Regex;

use super::SecretKind;
use super::spans::Span;

/// The forms. Where a pattern has a group, the group is the secret.
const FORMS: [(SecretKind, &str); 12] = [
    (SecretKind::Aws, r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    (SecretKind::GitHub, r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
    (SecretKind::GitLab, r"\bgl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-[A-Za-z0-9_.-]{20,}"),
    (
        SecretKind::Slack,
        r"\b(?:xox[abeoprs]-|xapp-)[A-Za-z0-9-]{10,}|https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    ),
    (SecretKind::Google, r"\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})"),
    (SecretKind::Stripe, r"\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}"),
    (SecretKind::ModelProvider, r"\b(?:sk-[A-Za-z0-9_-]{20,}|(?:hf|gsk|r8)_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{40,})"),
    (
        SecretKind::Service,
        r"\b(?:npm_[A-Za-z0-9]{36}|pypi-AgEI[A-Za-z0-9_-]{50,}|do[opr]_v1_[a-f0-9]{64}|SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}|AGE-SECRET-KEY-1[A-Z0-9]{58})",
    ),
    (SecretKind::Jwt, r"\beyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*"),
    (SecretKind::UrlPassword, r"://[^\s/?#@:\[\]]*:([^\s/?#@\[\]]+)@"),
    (SecretKind::Authorization, r"(?i)\bbearer\s{1,8}([a-z0-9._~+/-]{16,}=*)"),
    (
        SecretKind::Authorization,
        r#"(?i)\bauthorization["']?\s{0,8}[:=]\s{0,8}["']?(?:basic|token)\s{1,8}([a-z0-9._~+/-]{6,}=*)"#,
    ),
];

static PATTERNS: LazyLock<Vec<(SecretKind, Regex)>> = LazyLock::new(|| {
    FORMS.iter().map(|(kind, form)| (*kind, Regex::new(form).expect("the patterns are right"))).collect()
});

/// Adds the secrets of known form.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for (kind, pattern) in PATTERNS.iter() {
        if pattern.captures_len() == 1 {
            spans.extend(pattern.find_iter(text).map(|found| Span::new(found.range(), *kind)));
        } else {
            let groups = pattern.captures_iter(text).filter_map(|found| found.get(1));
            spans.extend(groups.map(|group| Span::new(group.range(), *kind)));
        }
    }
    find_key_blocks(text, spans);
}

/// Private keys in PEM, from the first line to the last. A block that never ends goes on to the end of the text: better too much than half a
/// key.
fn find_key_blocks(text: &str, spans: &mut Vec<Span>) {
    const BEGIN: &str = "-----BEGIN ";
    let mut from = 0;
    while let Some(at) = text[from..].find(BEGIN).map(|at| from + at) {
        from = at + BEGIN.len();
        let line = &text[from..text.floor_char_boundary(from + 60)];
        let Some(title) = line.split("-----").next().filter(|title| title.len() < line.len()) else { continue };
        if !title.ends_with("PRIVATE KEY") && !title.ends_with("PRIVATE KEY BLOCK") {
            continue;
        }
        let end = text[from..].find("-----END ").map(|end| from + end + "-----END ".len());
        let end = end.and_then(|end| text[end..].find("-----").map(|rest| end + rest + "-----".len()));
        let end = end.unwrap_or(text.len());
        spans.push(Span { start: at, end, kind: SecretKind::PrivateKey });
        from = end;
    }
}
