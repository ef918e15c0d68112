//! What a person should know about an address before going there.
//!
//! Owns a first look at URLs: whether one may be opened, which part is the host, and what is odd about it.

use url::{Host, Url};

/// An address as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The host as it will be contacted; nothing when the address cannot be opened.
    pub(super) host: Option<String>,
    /// What is odd.
    pub(super) warnings: Vec<Oddity>,
}

/// Something odd about an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// No address at all, or of a kind that is never opened.
    NotOpenable,
    /// Not encrypted.
    PlainHttp,
    /// A number in the place of a name.
    IpAddress,
    /// A port other than the usual one.
    Port(u16),
    /// A name or password before the host.
    UserInfo,
    /// Characters beyond ASCII in the host; `ascii` is how it is really contacted.
    NonAscii { ascii: String },
    /// Blanks or control characters.
    StrangeCharacters,
}

impl Address {
    pub(super) fn read(text: &str) -> Address {
        let strange = text.chars().any(|c| c.is_control() || c.is_whitespace());
        let parsed = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && !strange);
        let Some(url) = parsed else {
            let mut warnings = vec![Oddity::NotOpenable];
            if strange {
                warnings.push(Oddity::StrangeCharacters);
            }
            return Address { host: None, warnings };
        };
        let Some(host) = url.host_str() else { return Address { host: None, warnings: vec![Oddity::NotOpenable] } };
        let loopback = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        let mut warnings = Vec::new();
        if url.scheme() == "http" && !loopback {
            warnings.push(Oddity::PlainHttp);
        }
        if matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_))) && !loopback {
            warnings.push(Oddity::IpAddress);
        }
        if let Some(port) = url.port().filter(|_| !loopback) {
            warnings.push(Oddity::Port(port));
        }
        if !url.username().is_empty() || url.password().is_some() {
            warnings.push(Oddity::UserInfo);
        }
        if host.split('.').any(|label| label.starts_with("xn--")) {
            warnings.push(Oddity::NonAscii { ascii: host.to_owned() });
        }
        Address { host: Some(host.to_owned()), warnings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, host: Option<&str>, warnings: &[Oddity]) {
        assert_eq!(Address::read(text), Address { host: host.map(str::to_owned), warnings: warnings.to_vec() });
    }

    #[test]
    fn ordinary_addresses_are_quiet() {
        check("https://pay.example.com/checkout?id=7", Some("pay.example.com"), &[]);
        check("http://localhost:8080/", Some("localhost"), &[]);
    }

    #[test]
    fn oddities_are_found() {
        check("http://169.254.169.254/", Some("169.254.169.254"), &[Oddity::PlainHttp, Oddity::IpAddress]);
        check("https://user:pw@bank.example@evil.example/", Some("evil.example"), &[Oddity::UserInfo]);
        check("https://x.example:8443/", Some("x.example"), &[Oddity::Port(8443)]);
        let ascii = "xn--exmple-cua.com".to_owned();
        check("https://exämple.com/", Some(&ascii), &[Oddity::NonAscii { ascii: ascii.clone() }]);
    }

    #[test]
    fn what_is_no_web_address_cannot_be_opened() {
        for text in
            ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vscode://x", "-h", "not-a-url", ""]
        {
            check(text, None, &[Oddity::NotOpenable]);
        }
        check("https://x.example/\nSet:1", None, &[Oddity::NotOpenable, Oddity::StrangeCharacters]);
    }
}
