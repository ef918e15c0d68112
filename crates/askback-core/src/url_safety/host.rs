//! A host looked over: its two forms, its registrable domain, and what it pretends to be.
//!
//! Owns what can be told from the name or number alone. Nothing is resolved.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use idna::uts46::verify_dns_length;
use psl::Psl as _;
use unicode_security::{MixedScript as _, skeleton};
use url::{Host as Parsed, Url};

use super::{AddressWarning, HostName, Network};

/// Places in the written host that are tried as the start of the registrable domain. Such domains have two to five labels.
const STARTS_TRIED: usize = 16;

/// Where the machines of large clouds keep their credentials.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(169, 254, 169, 254), Ipv4Addr::new(100, 100, 100, 200)];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);
const METADATA_NAME: &str = "metadata.google.internal";

/// Ends of names that mean the own network.
const PRIVATE_SUFFIXES: [&str; 5] = [".local", ".internal", ".home.arpa", ".lan", ".localdomain"];

/// Ends that make a reader think of a whole domain. Others of one label stay out: `eu`, `app` or `dev` before a registrable domain are regions
/// and stages far more often than somebody else's domain.
const TELLING_SUFFIXES: [&str; 6] = ["com", "net", "org", "edu", "gov", "mil"];

/// The host of an address, parsed and as written.
pub(super) struct Host<'a> {
    written: &'a str,
    ascii: String,
    unicode: String,
    ip: Option<IpAddr>,
    /// Where the registrable domain starts in `ascii`.
    registrable: usize,
}

impl<'a> Host<'a> {
    /// Nothing if what is written is not the host that was parsed, or cannot be the name of any.
    pub(super) fn read(url: &Url, written: &'a str) -> Option<Host<'a>> {
        let parsed = url.host()?.to_owned();
        if Parsed::parse(written).ok()? != parsed {
            return None;
        }
        let ascii = parsed.to_string();
        let (ip, unicode) = match parsed {
            Parsed::Ipv4(address) => (Some(IpAddr::V4(address)), ascii.clone()),
            Parsed::Ipv6(address) => (Some(IpAddr::V6(address)), ascii.clone()),
            Parsed::Domain(name) => {
                let plain = name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_'));
                if !plain || !verify_dns_length(&name, true) {
                    return None;
                }
                (None, idna::domain_to_unicode(&name).0)
            }
        };
        let registrable = if ip.is_some() { 0 } else { registrable_start(&ascii) };
        Some(Host { written, ascii, unicode, ip, registrable })
    }

    pub(super) fn name(&self) -> HostName {
        let (before, registrable) = self.ascii.split_at(self.registrable);
        HostName { before: before.to_owned(), registrable: registrable.to_owned() }
    }

    /// The name in its own letters, where that differs.
    pub(super) fn unicode_name(&self) -> Option<HostName> {
        if self.unicode == self.ascii {
            return None;
        }
        // Both forms have the same labels.
        let labels = self.ascii[..self.registrable].matches('.').count();
        let at = match labels {
            0 => 0,
            _ => self.unicode.match_indices('.').nth(labels - 1).map_or(0, |(at, _)| at + 1),
        };
        let (before, registrable) = self.unicode.split_at(at);
        Some(HostName { before: before.to_owned(), registrable: registrable.to_owned() })
    }

    /// Where the registrable domain starts in the host as written; nothing if that cannot be told.
    pub(super) fn registrable_as_written(&self) -> Option<usize> {
        if self.registrable == 0 {
            return Some(0);
        }
        let wanted = Parsed::Domain(self.ascii[self.registrable..].to_owned());
        let starts = self.written.char_indices().rev().map(|(at, char)| at + char.len_utf8());
        let starts = starts.filter(|at| {
            let before = &self.written[..*at];
            [".", "%2e", "%2E", "。", "．", "｡"].iter().any(|dot| before.ends_with(dot))
        });
        starts.take(STARTS_TRIED).find(|at| Parsed::parse(&self.written[*at..]).is_ok_and(|host| host == wanted))
    }

    /// Whether this is the computer that the person sits at, in the way everyone writes it.
    pub(super) fn is_loopback(&self) -> bool {
        match self.ip {
            Some(ip) => embedded_v4(ip).map_or(ip.is_loopback(), |v4| v4.is_loopback()),
            None => {
                let name = self.ascii.trim_end_matches('.');
                name == "localhost" || name.ends_with(".localhost")
            }
        }
    }

    /// What makes the host look like another one.
    pub(super) fn disguises(&self, warnings: &mut Vec<AddressWarning>) {
        if self.unicode.split('.').any(|label| !label.is_ascii() && !label.is_single_script()) {
            warnings.push(AddressWarning::MixedScripts);
        }
        if let Some(plain) = plain_look(&self.unicode) {
            warnings.push(AddressWarning::LooksLike { plain });
        }
        if let Some(domain) = self.domain_in_subdomain() {
            warnings.push(AddressWarning::DomainInSubdomain { domain });
        }
        if self.is_disguised() {
            warnings.push(AddressWarning::DisguisedHost { host: self.ascii.clone() });
        }
        if self.ascii.split('.').any(|label| label.starts_with("xn--")) {
            warnings.push(AddressWarning::Punycode { ascii: self.ascii.clone() });
        }
    }

    /// What kind of place it leads to.
    pub(super) fn whereabouts(&self, warnings: &mut Vec<AddressWarning>) {
        if self.is_loopback() {
            return;
        }
        if self.ip.is_some() {
            warnings.push(AddressWarning::IpAddress);
        }
        let inside = match self.ip {
            Some(ip) => network_of(ip),
            None => network_by_name(self.ascii.trim_end_matches('.')),
        };
        warnings.extend(inside.map(AddressWarning::Inside));
    }

    /// Whether the host is written neither as it is contacted nor as it is read.
    fn is_disguised(&self) -> bool {
        let written = self.written.to_lowercase().replace(['。', '．', '｡'], ".");
        match self.ip {
            // There are many honest ways to write the same IPv6 address, all of the same characters.
            Some(IpAddr::V6(_)) => !written.chars().all(|char| char.is_ascii_hexdigit() || "[]:.".contains(char)),
            _ => written != self.ascii && written != self.unicode,
        }
    }

    /// The first run of labels before the registrable domain that is itself a domain somebody could have registered.
    fn domain_in_subdomain(&self) -> Option<String> {
        let before = self.ascii[..self.registrable].strip_suffix('.')?;
        let labels: Vec<&str> = before.split('.').collect();
        for end in 1..labels.len() {
            // In `github.com-login.…`, what is read is `github.com`.
            let last = labels[end].split('-').next().unwrap_or_default();
            if TELLING_SUFFIXES.contains(&last) {
                return Some(format!("{}.{last}", labels[end - 1]));
            }
            let run = labels[end.saturating_sub(2)..=end].join(".");
            let suffix = psl::List.suffix(run.as_bytes()).filter(|suffix| suffix.typ() == Some(psl::Type::Icann));
            if suffix.is_some_and(|suffix| suffix.as_bytes().contains(&b'.') && suffix.as_bytes().len() < run.len()) {
                return Some(run);
            }
        }
        None
    }
}

/// Where the registrable domain starts, by the Public Suffix List; under a top-level domain that the list does not know, at the label before
/// it. 0 if the name has none.
fn registrable_start(ascii: &str) -> usize {
    let name = ascii.trim_end_matches('.');
    psl::List.domain(name.as_bytes()).map_or(0, |domain| name.len() - domain.as_bytes().len())
}

/// What a name with other letters can be taken for, if every one of them looks like a plain one.
fn plain_look(unicode: &str) -> Option<String> {
    let mut plain = String::with_capacity(unicode.len());
    for label in unicode.split_inclusive('.') {
        let look: String = label
            .chars()
            .flat_map(|char| match char.is_ascii() {
                true => vec![char],
                false => skeleton(char.encode_utf8(&mut [0; 4])).collect(),
            })
            .collect();
        // A label with a letter that looks like no plain one is taken for nothing else.
        plain.push_str(if look.is_ascii() { &look } else { label });
    }
    (plain != unicode).then(|| plain.to_lowercase())
}

/// The IPv4 address within an IPv6 address that leads to the same machine.
fn embedded_v4(ip: IpAddr) -> Option<Ipv4Addr> {
    match ip {
        IpAddr::V4(v4) => Some(v4),
        IpAddr::V6(v6) => v6.to_ipv4_mapped().or_else(|| match v6.segments() {
            // NAT64, RFC 6052.
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))),
            _ => None,
        }),
    }
}

fn network_of(ip: IpAddr) -> Option<Network> {
    if let Some(v4) = embedded_v4(ip) {
        // RFC 6598: between a provider and its customers.
        let shared = v4.octets()[0] == 100 && v4.octets()[1] & 0xC0 == 64;
        return if METADATA_V4.contains(&v4) {
            Some(Network::CloudMetadata)
        } else if v4.octets()[0] == 0 {
            Some(Network::ThisComputer)
        } else if v4.is_link_local() {
            Some(Network::LinkLocal)
        } else {
            (v4.is_private() || shared).then_some(Network::Private)
        };
    }
    match ip {
        IpAddr::V6(v6) if v6 == METADATA_V6 => Some(Network::CloudMetadata),
        IpAddr::V6(v6) if v6.is_unspecified() => Some(Network::ThisComputer),
        IpAddr::V6(v6) if v6.is_unicast_link_local() => Some(Network::LinkLocal),
        IpAddr::V6(v6) if v6.is_unique_local() => Some(Network::Private),
        _ => None,
    }
}

fn network_by_name(name: &str) -> Option<Network> {
    if name == METADATA_NAME {
        return Some(Network::CloudMetadata);
    }
    let inside = !name.contains('.') || PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix));
    inside.then_some(Network::Private)
}
