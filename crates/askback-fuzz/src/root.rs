//! A folder that somebody names as a path of either system, or as a URI: what is taken can be read back, and is written in one way.

use askback_core::roots::{Exclusions, Path, Root, RootError, looks_like_uri};

/// The input is a path or a URI; what stands after a line break is a glob.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (place, glob) = text.split_once('\n').unwrap_or((&text, ""));
    looks_like_uri(place);
    check(place, Root::from_posix_path(place, None));
    check(place, Root::from_windows_path(place, None));
    if let Ok(root) = Root::from_uri(place, None) {
        let again = Root::from_uri(&root.uri, None);
        assert_eq!(again.as_ref(), Ok(&root), "{place:?} is written in two ways");
        check(place, Ok(root));
    }
    if let Ok(exclusions) = Exclusions::new([(place, glob)]) {
        let excluded = exclusions.excludes(place);
        // What lies in an excluded folder is excluded as well.
        assert!(!excluded || exclusions.excludes(&format!("{place}/below")), "{place:?} {glob:?}");
    }
}

fn check(place: &str, root: Result<Root, RootError>) {
    let Ok(root) = root else { return };
    assert!(root.uri.starts_with("file://") && root.uri.chars().all(|c| c.is_ascii_graphic()), "{place:?}: {root:?}");
    assert!(!root.uri.contains(['?', '#']), "{place:?}: {root:?}");
    let path = root.path().unwrap_or_else(|error| panic!("{place:?} becomes {:?}: {error}", root.uri));
    let back = match &path {
        Path::Posix(path) => Root::from_posix_path(path, None),
        Path::Windows(path) => Root::from_windows_path(path, None),
    };
    assert_eq!(back.as_ref(), Ok(&root), "{place:?} becomes {path:?}");
}
