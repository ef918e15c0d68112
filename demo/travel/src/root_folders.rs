//! Folders from root URIs, and places inside them that cannot be left. Knows the file system, and nothing about MCP.

use std::io;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

/// The folder that a `file:` URI names, if it is one of this machine.
pub(crate) fn folder(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let (host, path) = rest.split_at(rest.find('/')?);
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) {
        return None;
    }
    // A query or a fragment is no part of a path; in a name, both marks are written with a percent sign.
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    if bytes.contains(&0) {
        return None;
    }
    native(bytes)
}

#[cfg(unix)]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    // `/C:/Users` is the path `C:/Users`.
    let text = String::from_utf8(bytes).ok()?;
    Some(PathBuf::from(text.strip_prefix('/').unwrap_or(&text)))
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the path must be relative, name a file, and not go up with `..`")]
    NotInside,
    #[error("the path leads out of the folder that you have opened")]
    LeadsOut,
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Writes `text` to `relative` inside `root`, making folders on the way.
///
/// The folder that the file goes to is resolved to its real place and has to be inside the real root, and the file must
/// not be a link: so no link leads out.
pub(crate) fn write_inside(root: &Path, relative: &Path, text: &str) -> Result<PathBuf, Refusal> {
    let plain = relative.components().all(|component| matches!(component, Component::Normal(_)));
    let (Some(name), true) = (relative.file_name(), plain) else { return Err(Refusal::NotInside) };
    let root = root.canonicalize()?;
    let mut folder = root.clone();
    for component in relative.parent().into_iter().flat_map(Path::components) {
        // Folder by folder, so that none is made behind a link that leads out.
        let next = folder.join(component);
        if !next.try_exists()? {
            std::fs::create_dir(&next)?;
        }
        folder = next.canonicalize()?;
        if !folder.starts_with(&root) {
            return Err(Refusal::LeadsOut);
        }
    }
    let file = folder.join(name);
    if file.is_symlink() {
        return Err(Refusal::LeadsOut);
    }
    std::fs::write(&file, text)?;
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_of_this_machine_name_folders() {
        let check = |uri: &str, expected: Option<&str>| assert_eq!(folder(uri), expected.map(PathBuf::from), "{uri}");
        check("file:///Users/agent/travel-planning", Some("/Users/agent/travel-planning"));
        check("file:///a%20b/100%25/%E6%97%85/c%23d%3Fe", Some("/a b/100%/旅/c#d?e"));
        check("FILE://localhost/tmp", Some("/tmp"));
        check("file://elsewhere/tmp", None);
        check("https://example.com/tmp", None);
        check("file:///tmp/%00", None);
        check("/tmp", None);
    }
}
