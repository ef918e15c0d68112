use proptest::prelude::*;

use super::*;

#[track_caller]
fn posix(path: &str, uri: &str) {
    assert_eq!(Root::from_posix_path(path, None).map(|root| root.uri).as_deref(), Ok(uri));
}

#[track_caller]
fn windows(path: &str, uri: &str, back: &str) {
    let root = Root::from_windows_path(path, None).unwrap();
    assert_eq!((root.uri.as_str(), root.path()), (uri, Ok(Path::Windows(back.to_owned()))));
}

#[track_caller]
fn normalised(given: &str, uri: &str) {
    assert_eq!(Root::from_uri(given, None).map(|root| root.uri).as_deref(), Ok(uri));
}

#[test]
fn r01_a_windows_path_has_a_bare_colon_and_three_slashes() {
    windows(r"C:\Work\My Repo", "file:///C:/Work/My%20Repo", r"C:\Work\My Repo");
    windows(r"c:\", "file:///C:/", r"C:\");
    windows("C:/Work/", "file:///C:/Work", r"C:\Work");
    windows(r"\\fs01\share\p", "file://fs01/share/p", r"\\fs01\share\p");
    windows(r"\\?\C:\x", "file:///C:/x", r"C:\x");
    windows(r"\\?\UNC\FS01\share\p", "file://fs01/share/p", r"\\fs01\share\p");
    windows(r"D:\a#b\100%\c;d\[e]\プ", "file:///D:/a%23b/100%25/c%3Bd/%5Be%5D/%E3%83%97", r"D:\a#b\100%\c;d\[e]\プ");
}

#[test]
fn r01_an_encoded_colon_that_an_editor_sent_is_a_drive() {
    normalised("file:///c%3A/temp", "file:///C:/temp");
    normalised("file:///C%3a/Temp/", "file:///C:/Temp");
    normalised("FILE://LOCALHOST/c:/x", "file:///C:/x");
    normalised("file:///d%3A", "file:///D:/");
}

#[test]
fn what_windows_has_no_folder_for_is_refused() {
    for path in ["C:x", "C:", r"\x", "x", r"\\.\COM1", r"\\.", r"\\?\Volume{1}\x", r"\\fs01", r"\\fs01\", r"\\a b\c"] {
        assert!(Root::from_windows_path(path, None).is_err(), "{path}");
    }
    for path in [r"C:\a\..\b", r"C:\a:stream", r"C:\a*", "C:\\a\0", r"\\localhost\c$"] {
        assert!(Root::from_windows_path(path, None).is_err(), "{path}");
    }
}

#[test]
fn a_uri_with_a_drive_has_only_what_windows_has_names_for() {
    for uri in ["file:///e:///%2A/temp", "file:///C:/a%3Ab", "file:///C:/a%5Cb", "file:///c:/%7C"] {
        assert!(matches!(Root::from_uri(uri, None), Err(RootError::NoUri { .. })), "{uri}");
    }
}

#[test]
fn r02_each_path_is_encoded_once() {
    posix("/w/a b", "file:///w/a%20b");
    posix("/w/100%", "file:///w/100%25");
    posix("/w/%20", "file:///w/%2520");
    posix("/w/プロ", "file:///w/%E3%83%97%E3%83%AD");
    posix("/w/new\nline", "file:///w/new%0Aline");
    posix("/w/a#b?c;d[e]", "file:///w/a%23b%3Fc%3Bd%5Be%5D");
    posix("/w/a\\b", "file:///w/a%5Cb");
    posix("/", "file:///");
    posix("/w/", "file:///w");
    posix("//w//x", "file:///w/x");
}

#[test]
fn r02_unicode_is_not_normalised() {
    posix("/w/e\u{301}", "file:///w/e%CC%81");
    posix("/w/é", "file:///w/%C3%A9");
}

#[test]
fn a_folder_that_looks_like_a_drive_stays_a_folder() {
    posix("/c:/x", "file:///c%3A/x");
    let root = Root::from_posix_path("/c:/x", None).unwrap();
    assert_eq!(root.path(), Ok(Path::Posix("/c:/x".into())));
}

#[test]
fn what_cannot_be_read_back_is_refused() {
    for path in ["w", "", "/w/../x", "/w/.", "/w\0x"] {
        assert!(Root::from_posix_path(path, None).is_err(), "{path:?}");
    }
    for uri in ["file:///w/%FF", "file:///w/%", "file:///w/%4", "file:///w/%00", "file:///w/a%2Fb", "file:///%2e%2E/w"]
    {
        assert!(Root::from_uri(uri, None).is_err(), "{uri}");
    }
    for uri in ["file://", "file:w", "file:////host/share", "file:///a\nb", ""] {
        assert!(Root::from_uri(uri, None).is_err(), "{uri:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(b"/w/\xff"));
        assert!(matches!(Root::from_path(path, None), Err(RootError::NoUri { .. })));
    }
}

#[test]
fn r04_a_root_uri_is_a_file_without_fragment_query_or_host() {
    for (uri, part) in [("file:///w#x", "fragment"), ("file:///w?x", "query"), ("file://host/w", "host")] {
        assert_eq!(Root::from_uri(uri, None), Err(RootError::HasPart { uri: uri.into(), part }));
    }
    for uri in ["vscode-remote://wsl%2Bu/home/u/p", "untitled:x", "https://x/"] {
        assert!(looks_like_uri(uri), "{uri}");
        assert!(matches!(Root::from_uri(uri, None), Err(RootError::NotFile { .. })), "{uri}");
    }
    for path in ["/w/a:b", "w/a:b", "C:/w", "c:x", "~/w", "w"] {
        assert!(!looks_like_uri(path), "{path}");
    }
}

#[test]
fn a_uri_is_written_in_one_way() {
    normalised("file:///w/a%20b", "file:///w/a%20b");
    normalised("file:///w/a b", "file:///w/a%20b");
    normalised("file:///w/%e3%83%97/", "file:///w/%E3%83%97");
    normalised("file:///%77/x", "file:///w/x");
    normalised("file://localhost/w", "file:///w");
    normalised("file:///", "file:///");
}

#[test]
fn r07_doubles_are_left_out_and_the_order_stays() {
    let offer = |uri: &str, origin, agreed| RootOffer { root: Root { uri: uri.into(), name: None }, origin, agreed };
    let offers = without_doubles(vec![
        offer("file:///b", RootOrigin::Config, None),
        offer("file:///a", RootOrigin::Config, None),
        offer("file:///b", RootOrigin::CommandLine, Some(true)),
        offer("file:///a", RootOrigin::Workspace, None),
    ]);
    assert_eq!(
        offers,
        [offer("file:///b", RootOrigin::Config, Some(true)), offer("file:///a", RootOrigin::Config, None)]
    );
}

#[track_caller]
fn excluded(folder: &str, pattern: &str, path: &str) -> bool {
    is_excluded(path, &Exclusions::new([(folder, pattern)]).unwrap())
}

#[test]
fn an_exclusion_takes_the_folder_and_all_below() {
    for path in ["/w/finance", "/w/finance/", "/w/a/finance/2026", "/finance"] {
        assert!(excluded("/w", "**/finance/**", path), "{path}");
    }
    for path in ["/w", "/w/finances", "/w/a/refinance/2026", "/"] {
        assert!(!excluded("/w", "**/finance/**", path), "{path}");
    }
    assert!(excluded("/w", "private", "/w/private/a") && !excluded("/w", "private", "/x/private"));
    assert!(excluded("/w [1]", "private", "/w [1]/private") && !excluded("/w [1]", "private", "/w 1/private"));
    assert!(excluded("/w", "/etc", "/etc/ssl") && !excluded("/w", "/etc", "/w/etc"));
    assert!(excluded("/w", "*.secret", "/w/a.secret/b") && !excluded("/w", "*.secret", "/w/a/b.secret"));
    assert!(excluded(r"C:\Work", "Private", r"c:\work\private\x") && !excluded(r"C:\Work", "Private", r"C:\Private"));
}

#[test]
fn a_pattern_that_is_no_glob_is_named() {
    let error = Exclusions::new([("/w", "ok"), ("/w", "a[")]).unwrap_err();
    assert_eq!(error.pattern, "a[");
    assert!(Exclusions::new([("/w", " ")]).is_err());
    assert!(!Exclusions::default().excludes("/w"));
}

fn part() -> impl Strategy<Value = String> {
    let ordinary = "[^/\0]{1,12}".prop_filter("dots are no names", |part| part != "." && part != "..");
    let odd = prop::sample::select(vec!["c:", "%2F", "a b", "#?;[]", "e\u{301}", "\\", "...", " ", "%", "\n", "~"]);
    prop_oneof![ordinary, odd.prop_map(str::to_owned)]
}

proptest! {
    #[test]
    fn r02_every_posix_path_comes_back(parts in prop::collection::vec(part(), 0..5)) {
        let path = format!("/{}", parts.join("/"));
        let root = Root::from_posix_path(&path, None).unwrap();
        prop_assert!(root.uri.is_ascii());
        prop_assert_eq!(root.path(), Ok(Path::Posix(path.clone())));
        let url = url::Url::parse(&root.uri).unwrap();
        prop_assert!(url.query().is_none() && url.fragment().is_none());
        #[cfg(unix)]
        prop_assert_eq!(url.to_file_path().ok(), Some(std::path::PathBuf::from(path)));
    }

    #[test]
    fn r01_every_windows_path_comes_back(
        drive in "[a-zA-Z]",
        parts in prop::collection::vec("[^/\\\\\0:*?\"<>|]{1,8}".prop_filter("dots", |p| p != "." && p != ".."), 0..4),
        extended in any::<bool>(),
    ) {
        let path = format!("{drive}:\\{}", parts.join("\\"));
        let given = if extended { format!("\\\\?\\{path}") } else { path.clone() };
        let root = Root::from_windows_path(&given, None).unwrap();
        let back = format!("{}:\\{}", drive.to_uppercase(), parts.join("\\"));
        prop_assert_eq!(root.path(), Ok(Path::Windows(back)));
        prop_assert_eq!(Root::from_uri(&root.uri, None).map(|again| again.uri), Ok(root.uri.clone()));
    }

    #[test]
    fn a_uri_that_is_taken_leads_to_a_path_and_stays_as_it_is(uri in "(file://)?[/a-c%0-9#?:. é]{0,16}") {
        let Ok(root) = Root::from_uri(&uri, None) else { return Ok(()) };
        prop_assert!(root.uri.starts_with("file:///"));
        prop_assert!(root.path().is_ok());
        prop_assert_eq!(Root::from_uri(&root.uri, None).map(|again| again.uri), Ok(root.uri.clone()));
    }
}
