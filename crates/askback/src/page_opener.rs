//! Opening a page in the person's browser, after they consented.

use std::sync::Arc;

use askback_core::url_safety;
use askback_host::host::Opener;

/// Opens http(s) addresses in the user's browser, without a shell. Anything else is refused, whatever a face may have let through. The
/// browser is handed the normal form of the address, so that it goes where the person was shown.
pub(crate) fn opener() -> Opener {
    Arc::new(|url: &str| {
        let address = url_safety::inspect(url);
        let Some(destination) = address.destination() else {
            return Err(format!("this address is never opened: {url:?}"));
        };
        webbrowser::open(&destination.url).map_err(|error| error.to_string())
    })
}
