//! `file://` URIs, written in one way only, and read in every way that people and editors write them.

use super::{Obstacle, RootError, windows};

/// A path that a `file://` URI leads to, on whatever system it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// `/w/a b`
    Posix(String),
    /// `C:\w\a b` or `\\host\share\w`
    Windows(String),
}

impl Path {
    /// The path, as its system writes it.
    pub fn text(&self) -> &str {
        match self {
            Path::Posix(text) | Path::Windows(text) => text,
        }
    }
}

/// Whether a text is a URI and no path: it begins with a scheme of at least two letters, since one letter is a drive.
pub fn looks_like_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let legal = scheme.len() > 1
        && scheme.starts_with(|char: char| char.is_ascii_alphabetic())
        && scheme.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.'));
    legal && (rest.starts_with('/') || !text.contains('/'))
}

/// Encodes one part of a path. The rest of what a path may have in a URI is left readable; `;` separates parameters for some readers, and
/// brackets are addresses, so these are encoded as well.
pub(super) fn encode(part: &str, uri: &mut String) {
    for byte in part.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b':' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b','
            | b'=' => uri.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

pub(super) fn of_posix(path: &str) -> Result<String, RootError> {
    if !path.starts_with('/') {
        return Err(RootError::NotAbsolute { path: path.to_owned() });
    }
    if path.contains('\0') {
        return Err(RootError::NoUri { path: path.to_owned(), why: Obstacle::Nul });
    }
    let mut uri = String::from("file://");
    let mut first = true;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if matches!(part, "." | "..") {
            return Err(RootError::HasDots { path: path.to_owned() });
        }
        uri.push('/');
        if first && is_drive(part) {
            // `/c:` is a folder here; with a bare colon it would be read back as a drive.
            uri.push_str(&part.replace(':', "%3A"));
        } else {
            encode(part, &mut uri);
        }
        first = false;
    }
    if first {
        uri.push('/');
    }
    Ok(uri)
}

/// The parts of a path, each decoded.
fn parts(uri: &str, path: &str) -> Result<Vec<String>, RootError> {
    path.split('/').filter(|part| !part.is_empty()).map(|part| decode(uri, part)).collect()
}

fn decode(uri: &str, part: &str) -> Result<String, RootError> {
    let no = |why| RootError::NoUri { path: uri.to_owned(), why };
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [byte, after @ ..] = rest {
        if *byte != b'%' {
            bytes.push(*byte);
            rest = after;
            continue;
        }
        let [high, low, after @ ..] = after else { return Err(no(Obstacle::BadPercent)) };
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let (Some(high), Some(low)) = (digit(*high), digit(*low)) else {
            return Err(no(Obstacle::BadPercent));
        };
        bytes.push(high * 16 + low);
        rest = after;
    }
    let text = String::from_utf8(bytes).map_err(|_| no(Obstacle::NotUtf8))?;
    match text.as_str() {
        "." | ".." => Err(RootError::HasDots { path: uri.to_owned() }),
        text if text.contains('\0') => Err(no(Obstacle::Nul)),
        text if text.contains('/') => Err(no(Obstacle::EncodedSlash)),
        _ => Ok(text),
    }
}

/// The host and the path of a `file:` URI.
fn split(uri: &str) -> Result<(&str, &str), RootError> {
    let is_file = uri.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file://"));
    if !is_file {
        return Err(RootError::NotFile { uri: uri.to_owned() });
    }
    let rest = &uri[7..];
    let part = |part| RootError::HasPart { uri: uri.to_owned(), part };
    if rest.contains('#') {
        return Err(part("fragment"));
    }
    if rest.contains('?') {
        return Err(part("query"));
    }
    if rest.chars().any(|char| char.is_control()) {
        return Err(RootError::NoUri { path: uri.to_owned(), why: Obstacle::ControlCharacter });
    }
    let (host, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    if path.is_empty() && host.is_empty() {
        return Err(RootError::NotAbsolute { path: uri.to_owned() });
    }
    Ok((if host.eq_ignore_ascii_case("localhost") { "" } else { host }, path))
}

/// Reads a URI of ours: a host means a share.
pub(super) fn to_path(uri: &str) -> Result<Path, RootError> {
    let (host, path) = split(uri)?;
    let parts = parts(uri, path)?;
    if !host.is_empty() {
        return Ok(Path::Windows(windows::share(host, &parts)));
    }
    // Only a bare colon makes a drive; an encoded one is part of a name.
    let bare = path.trim_start_matches('/').split('/').next().is_some_and(is_drive);
    match parts.split_first() {
        Some((drive, rest)) if bare => Ok(Path::Windows(windows::on_drive(drive, rest))),
        _ => Ok(Path::Posix(format!("/{}", parts.join("/")))),
    }
}

/// A URI that somebody else wrote, in our way. Editors encode the colon of a drive; a user who means a share writes its path.
pub(super) fn normalised(uri: &str) -> Result<String, RootError> {
    let (host, path) = split(uri)?;
    if !host.is_empty() {
        return Err(RootError::HasPart { uri: uri.to_owned(), part: "host" });
    }
    if path.starts_with("//") {
        return Err(RootError::NoUri { path: uri.to_owned(), why: Obstacle::EmptyHost });
    }
    let parts = parts(uri, path)?;
    if let Some((drive, below)) = parts.split_first().filter(|(first, _)| is_drive(first)) {
        return windows::drive_uri(uri, drive, below);
    }
    let mut written = String::from("file://");
    for part in &parts {
        written.push('/');
        encode(part, &mut written);
    }
    if parts.is_empty() {
        written.push('/');
    }
    Ok(written)
}
