//! Windows paths: drives, shares, and both in their extended form.
//!
//! Text only, so that all of it can be tried on any system.

use super::uri::encode;
use super::{Obstacle, RootError};

/// The URI of a path: `C:\Work` becomes `file:///C:/Work`, `\\host\share` becomes `file://host/share`.
pub(super) fn to_uri(path: &str) -> Result<String, RootError> {
    if path.contains('\0') {
        return Err(RootError::NoUri { path: path.to_owned(), why: Obstacle::Nul });
    }
    let no = |why| RootError::NoUri { path: path.to_owned(), why };
    let slashes = path.replace('\\', "/");
    let rest = match slashes.strip_prefix("//?/") {
        Some(extended) => match extended.get(..4).filter(|prefix| prefix.eq_ignore_ascii_case("UNC/")) {
            Some(_) => return on_share(path, &extended[4..]),
            None if has_drive(extended) => extended,
            None => return Err(no(Obstacle::Device)),
        },
        None if slashes.starts_with("//./") || slashes == "//." => return Err(no(Obstacle::Device)),
        None => match slashes.strip_prefix("//") {
            Some(share) => return on_share(path, share),
            None => slashes.as_str(),
        },
    };
    if !has_drive(rest) {
        return Err(RootError::NotAbsolute { path: path.to_owned() });
    }
    let (drive, below) = rest.split_at(2);
    if !below.starts_with('/') {
        // `C:x` is relative to whatever the drive's own working directory is.
        return Err(RootError::NotAbsolute { path: path.to_owned() });
    }
    let mut uri = format!("file:///{}", drive.to_ascii_uppercase());
    let count = append(path, below, &mut uri)?;
    if count == 0 {
        uri.push('/');
    }
    Ok(uri)
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

fn on_share(path: &str, share: &str) -> Result<String, RootError> {
    let no = |why| RootError::NoUri { path: path.to_owned(), why };
    let (host, below) = share.split_once('/').unwrap_or((share, ""));
    let legal = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_');
    if host.is_empty() || !host.chars().all(legal) || host == "." {
        return Err(no(Obstacle::ComputerName));
    }
    if host.eq_ignore_ascii_case("localhost") {
        return Err(no(Obstacle::Localhost));
    }
    let mut uri = format!("file://{}", host.to_ascii_lowercase());
    if append(path, below, &mut uri)? == 0 {
        return Err(no(Obstacle::NoShare));
    }
    Ok(uri)
}

/// Appends the parts and says how many there were. What no name on Windows can have would not be the same path when read back.
fn append(path: &str, below: &str, uri: &mut String) -> Result<usize, RootError> {
    let mut count = 0;
    for part in below.split('/').filter(|part| !part.is_empty()) {
        if matches!(part, "." | "..") {
            return Err(RootError::HasDots { path: path.to_owned() });
        }
        push(path, part, uri)?;
        count += 1;
    }
    Ok(count)
}

fn push(path: &str, part: &str, uri: &mut String) -> Result<(), RootError> {
    if part.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
        return Err(RootError::NoUri { path: path.to_owned(), why: Obstacle::ForbiddenCharacter });
    }
    uri.push('/');
    encode(part, uri);
    Ok(())
}

/// The URI of a folder on a drive that somebody gave as a URI, by its decoded parts.
pub(super) fn drive_uri(given: &str, drive: &str, parts: &[String]) -> Result<String, RootError> {
    let mut uri = format!("file:///{}", drive.to_ascii_uppercase());
    for part in parts {
        push(given, part, &mut uri)?;
    }
    if parts.is_empty() {
        uri.push('/');
    }
    Ok(uri)
}

/// The path on a drive.
pub(super) fn on_drive(drive: &str, parts: &[String]) -> String {
    format!("{}\\{}", drive.to_ascii_uppercase(), parts.join("\\"))
}

/// The path on a share.
pub(super) fn share(host: &str, parts: &[String]) -> String {
    format!("\\\\{host}\\{}", parts.join("\\"))
}
