//! An address from a server: what may be opened leads to a web host, and what is shown of it acts on nothing.

use askback_core::url_safety::{Destination, HostName, inspect};
use url::Url;

use crate::shown;

/// The input is an address.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let address = inspect(&text);
    assert_eq!(address.text, text, "the text is kept as it was sent");
    shown::check(&text);
    for warning in &address.warnings {
        shown::check(&format!("{warning:?}"));
    }
    let Some(destination) = address.destination() else { return };
    check_destination(&text, destination);

    // What a browser is handed is understood as what was consented to.
    let again = inspect(&destination.url);
    let again =
        again.destination().unwrap_or_else(|| panic!("{text:?} becomes {:?}, which is refused", destination.url));
    assert_eq!((&again.url, &again.host), (&destination.url, &destination.host), "{text:?}");
}

fn check_destination(text: &str, destination: &Destination) {
    let Destination { url, host, unicode_host, parts } = destination;
    assert!(url.starts_with("http://") || url.starts_with("https://"), "{text:?} becomes {url:?}");
    assert!(url.chars().all(|c| c.is_ascii_graphic()), "{text:?} becomes {url:?}");
    let parsed = Url::parse(url).unwrap_or_else(|error| panic!("{text:?} becomes {url:?}: {error}"));
    assert_eq!(parsed.host_str(), Some(host.to_string().as_str()), "{text:?} becomes {url:?}");
    for name in [Some(host), unicode_host.as_ref()].into_iter().flatten() {
        let HostName { before, registrable } = name;
        assert!(!registrable.is_empty(), "{text:?} has the host {name:?}");
        assert!(before.is_empty() || before.ends_with('.'), "{text:?} has the host {name:?}");
        shown::check(&name.to_string());
    }
    if let Some(parts) = parts {
        let ranges = [&parts.before_host, &parts.subdomain, &parts.registrable, &parts.rest];
        let whole: String = ranges.iter().map(|range| &text[(*range).clone()]).collect();
        assert_eq!(whole, text);
        assert!(!parts.registrable.is_empty(), "{text:?}: {parts:?}");
    }
}
