//! The page that a login ends on, in the person's browser.
//!
//! Owns the answer to the redirect: static, without a script, with nothing of anybody else's in it. Must not know who logged in where.

use askback_desk::texts::{Lang, Texts};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest;

use crate::AUTH;

/// How the login went, as far as the redirect says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The answer came, and is yet to be checked.
    Answered,
    /// The authorization server says that the login was refused.
    Refused,
}

/// All endings.
pub const ENDINGS: [Ending; 2] = [Ending::Answered, Ending::Refused];

/// The headers that go with the page: nothing is loaded, framed, kept, or told to the next page, and the only style is the page's own.
pub(crate) fn headers() -> String {
    let style = STANDARD.encode(digest::digest(&digest::SHA256, format!("\n{STYLE}\n").as_bytes()));
    format!(
        "Content-Type: text/html; charset=utf-8\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Cache-Control: no-store\r\n"
    )
}

const STYLE: &str = "\
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; }
body { max-width: 32rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }";

/// The page in `lang`.
pub fn redirect_page(lang: Lang, ending: Ending) -> String {
    let texts = Texts::new(lang, &[AUTH]);
    let (title, text) = match ending {
        Ending::Answered => ("auth-page-answered", "auth-page-answered-text"),
        Ending::Refused => ("auth-page-refused", "auth-page-refused-text"),
    };
    let (tag, title, text) = (lang.tag(), texts.get(title), texts.get(text));
    format!(
        "<!doctype html>
<html lang=\"{tag}\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title} · Askback</title>
<style>
{STYLE}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{text}</p>
</main>
</body>
</html>
"
    )
}
