//! What a person should know about an address before going there.
//!
//! Owns the first and only look at a URL from a server: whether it may be opened, what exactly would be opened, which part of it names who is
//! behind it, and what is odd about it. Pure: nothing is resolved, fetched or opened here, and no words are chosen.

mod host;
#[cfg(test)]
mod tests;

use std::ops::Range;

use url::{ParseError, Url};

use crate::display::is_hidden;

/// The longest address that is opened, in bytes. Browsers and openers take more, but no honest page needs it.
pub const LONGEST: usize = 8 * 1024;
/// The length in bytes from which on an address is remarked upon: too long for anyone to read.
pub const LONG: usize = 2 * 1024;

/// An address as a server sent it, looked over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The whole text, exactly as sent. Whoever shows it neutralises it, and never shortens it.
    pub text: String,
    /// Whether it may be opened at all.
    pub openable: Openable,
    /// What is odd about it, the gravest first.
    pub warnings: Vec<AddressWarning>,
}

/// Whether an address may be opened, given consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openable {
    /// It may, and leads here.
    Yes(Destination),
    /// It may not, whoever agrees.
    No(NotOpenable),
}

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// What a browser is handed: the address in its normal form, which every program reads alike. Only ASCII.
    pub url: String,
    /// The host as it is contacted: ASCII, with `xn--` where it has other letters.
    pub host: HostName,
    /// The host in its own letters, where that differs. Not neutralised.
    pub unicode_host: Option<HostName>,
    /// Where the parts stand in the text as sent; nothing if the host cannot be told apart there.
    pub parts: Option<Parts>,
}

/// A host, cut where the part begins that somebody has registered and answers for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    /// What the owner of the registrable part has put before it, with the dot; often empty.
    pub before: String,
    /// The registrable domain. The whole host where there is none: an IP address, `localhost`, a public suffix itself.
    pub registrable: String,
}

/// Where the parts of an address stand in its text, as byte ranges that follow each other without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The scheme, and the user-info if there is one.
    pub before_host: Range<usize>,
    /// The host up to the registrable domain.
    pub subdomain: Range<usize>,
    /// The registrable domain, or the whole host where there is none.
    pub registrable: Range<usize>,
    /// Port, path, query and fragment.
    pub rest: Range<usize>,
}

/// Why an address is never opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOpenable {
    /// Longer than [`LONGEST`].
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// It has line breaks or other control characters, which programs drop or act upon.
    ControlCharacters,
    /// It has blanks, which programs drop or split at.
    Blanks,
    /// No address in full: it does not say by which scheme.
    NotAbsolute,
    /// Of another scheme than `http` or `https`.
    OtherScheme {
        /// The scheme, in lower case.
        scheme: String,
    },
    /// The host cannot exist.
    BadHost,
    /// Otherwise written in a way that programs would understand differently, or not at all.
    Malformed,
}

/// Something odd about an address that may be opened, or would be but for its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressWarning {
    /// There is text before the host that a hasty reader takes for the host.
    UserInfo,
    /// The host has letters of scripts that do not go together.
    MixedScripts,
    /// The host has letters that look like plain ones.
    LooksLike {
        /// What it can be taken for.
        plain: String,
    },
    /// Before the registrable domain stands what looks like somebody else's whole domain.
    DomainInSubdomain {
        /// What it can be taken for.
        domain: String,
    },
    /// Another address stands in the path.
    AddressInPath,
    /// The host is not written as it is contacted: percent-encoded, in other forms of letters, or an IP address in an unusual notation.
    DisguisedHost {
        /// How it is contacted.
        host: String,
    },
    /// The host has letters beyond ASCII; this is how it is contacted.
    Punycode {
        /// The form with `xn--`.
        ascii: String,
    },
    /// Bidirectional controls or characters that are not seen.
    HiddenCharacters,
    /// Backslashes where some programs read a slash and others do not.
    Backslashes,
    /// An IP address in the place of a name, other than this computer's own.
    IpAddress,
    /// It leads to a network that servers elsewhere have no business with.
    Inside(Network),
    /// Not encrypted, and not on this computer.
    PlainHttp,
    /// Another port than that of the scheme, and not on this computer.
    Port(u16),
    /// Longer than [`LONG`].
    Long {
        /// Its length in bytes.
        bytes: usize,
    },
}

/// A network that is not the public one, told from the address alone: a public name may still lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// This computer, by an unusual address such as `0.0.0.0`.
    ThisComputer,
    /// The own network: private addresses, names without a dot, `.local`, `.internal`.
    Private,
    /// Addresses that reach no further than one cable.
    LinkLocal,
    /// Where cloud machines keep their credentials.
    CloudMetadata,
}

/// Looks an address over.
///
/// Serves "Safe URL Handling" of the specification: only http and https, the full address, the host made out, both forms of its name.
pub fn inspect(raw: &str) -> Address {
    let mut warnings = Vec::new();
    let openable = match look(raw, &mut warnings) {
        Ok(destination) => Openable::Yes(destination),
        Err(why) => Openable::No(why),
    };
    Address { text: raw.to_owned(), openable, warnings }
}

impl Address {
    /// Where it leads, if it may be opened.
    pub fn destination(&self) -> Option<&Destination> {
        match &self.openable {
            Openable::Yes(destination) => Some(destination),
            Openable::No(_) => None,
        }
    }
}

impl std::fmt::Display for HostName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.before, self.registrable)
    }
}

fn look(raw: &str, warnings: &mut Vec<AddressWarning>) -> Result<Destination, NotOpenable> {
    if raw.len() > LONGEST {
        return Err(NotOpenable::TooLong { bytes: raw.len() });
    }
    let hidden = raw.chars().any(is_hidden);
    let url = match parse(raw) {
        Ok(url) => url,
        Err(why) => {
            warnings.extend(hidden.then_some(AddressWarning::HiddenCharacters));
            return Err(why);
        }
    };
    let written = Written::find(raw).ok_or(NotOpenable::Malformed)?;
    let host = host::Host::read(&url, &raw[written.host.clone()]).ok_or(NotOpenable::BadHost)?;
    let elsewhere = !host.is_loopback();

    // The gravest first: what hides where it leads, then what awaits there.
    warnings.extend(written.user_info.then_some(AddressWarning::UserInfo));
    host.disguises(warnings);
    warnings.extend(names_another_address(url.path()).then_some(AddressWarning::AddressInPath));
    warnings.extend(hidden.then_some(AddressWarning::HiddenCharacters));
    let structure = raw.find(['?', '#']).map_or(raw, |end| &raw[..end]);
    warnings.extend(structure.contains('\\').then_some(AddressWarning::Backslashes));
    host.whereabouts(warnings);
    warnings.extend((url.scheme() == "http" && elsewhere).then_some(AddressWarning::PlainHttp));
    warnings.extend(url.port().filter(|_| elsewhere).map(AddressWarning::Port));
    warnings.extend((raw.len() > LONG).then_some(AddressWarning::Long { bytes: raw.len() }));

    let parts = host.registrable_as_written().map(|at| {
        let registrable = written.host.start + at;
        Parts {
            before_host: 0..written.host.start,
            subdomain: written.host.start..registrable,
            registrable: registrable..written.host.end,
            rest: written.host.end..raw.len(),
        }
    });
    Ok(Destination { host: host.name(), unicode_host: host.unicode_name(), parts, url: url.into() })
}

fn parse(raw: &str) -> Result<Url, NotOpenable> {
    if raw.chars().any(char::is_control) {
        return Err(NotOpenable::ControlCharacters);
    }
    let scheme = raw.trim().split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let scheme = scheme.filter(|scheme| is_scheme(scheme)).ok_or(NotOpenable::NotAbsolute)?;
    if scheme != "http" && scheme != "https" {
        return Err(NotOpenable::OtherScheme { scheme });
    }
    if raw.chars().any(char::is_whitespace) {
        return Err(NotOpenable::Blanks);
    }
    Url::parse(raw).map_err(|error| match error {
        ParseError::EmptyHost
        | ParseError::IdnaError
        | ParseError::InvalidIpv4Address
        | ParseError::InvalidIpv6Address
        | ParseError::InvalidDomainCharacter => NotOpenable::BadHost,
        _ => NotOpenable::Malformed,
    })
}

/// RFC 3986, section 3.1.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char))
}

/// Whether a path has an address of its own in it. Queries are left alone: return addresses are their daily bread.
fn names_another_address(path: &str) -> bool {
    let path = path.to_ascii_lowercase().replace("%3a", ":").replace("%2f", "/");
    ["http:/", "https:/"].iter().any(|scheme| path.contains(scheme))
}

/// Where the host stands in the text of an http(s) address.
struct Written {
    host: Range<usize>,
    user_info: bool,
}

impl Written {
    /// Nothing unless two slashes, no fewer and no more, come before the authority: with others, programs disagree about the host.
    fn find(raw: &str) -> Option<Written> {
        let slash = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'/' | b'\\'));
        let bytes = raw.as_bytes();
        let start = raw.find(':')? + 3;
        if !slash(bytes.get(start - 2)) || !slash(bytes.get(start - 1)) || slash(bytes.get(start)) {
            return None;
        }
        let end = raw[start..].find(['/', '\\', '?', '#']).map_or(raw.len(), |at| start + at);
        let at_sign = raw[start..end].rfind('@');
        let host = at_sign.map_or(start, |at| start + at + 1);
        // A port follows the last colon, unless that is one inside an IPv6 address.
        let port = raw[host..end].rfind(':').filter(|at| !raw[host + at..end].contains(']'));
        Some(Written { host: host..port.map_or(end, |at| host + at), user_info: at_sign.is_some() })
    }
}
