//! Opening a page in the person's browser, after they consented.

use std::sync::Arc;

use askback_host::host::Opener;

/// Opens http(s) addresses in the user's browser, without a shell. Anything else is refused, whatever a face may have let through.
pub(crate) fn opener() -> Opener {
    Arc::new(|url: &str| {
        let lower = url.to_ascii_lowercase();
        if !lower.starts_with("https://") && !lower.starts_with("http://") {
            return Err(format!("only http and https pages are opened, not {url:?}"));
        }
        webbrowser::open(url).map_err(|error| error.to_string())
    })
}
