use std::fs;
use std::path::Path;

use askback_core::roots::RootOrigin;

use super::*;

const SOURCE: &str = "travel --serve";

fn keeper(book: &Path, person: bool, sources: Vec<RootSource>, exclude: &[(&Path, &str)]) -> RootKeeper {
    let exclude = exclude.iter().map(|(folder, glob)| (folder.display().to_string(), (*glob).to_owned())).collect();
    let book = Some(book.join("roots.json"));
    RootKeeper::new(RootKeeperOptions { sources, exclude, person, book }).expect("globs")
}

/// The offers in words: `+` for what is agreed to, `-` for what is not to be told, `?` for what has to be asked about.
fn offers(keeper: &RootKeeper, top: &Path) -> Vec<String> {
    let top = format!("file://{}/", top.display());
    let word = |agreed: Option<bool>| match agreed {
        Some(true) => '+',
        Some(false) => '-',
        None => '?',
    };
    let looked = keeper.look("travel", SOURCE).offers;
    looked.iter().map(|offer| format!("{}{}", word(offer.agreed), offer.root.uri.replace(&top, ""))).collect()
}

fn folders(top: &Path, names: &[&str]) {
    names.iter().for_each(|name| fs::create_dir_all(top.join(name)).expect("a folder can be made"));
}

fn config(path: &Path) -> RootSource {
    RootSource::folder(path, None, RootOrigin::Config)
}

#[test]
fn r07_all_folders_are_offered_in_a_stable_order_without_doubles() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path();
    folders(at, &["a", "b", "w", "x"]);
    let sources = vec![
        RootSource::folder(&at.join("w"), None, RootOrigin::Workspace),
        config(&at.join("b")),
        config(&at.join("a")),
        config(&at.join("b")),
    ];
    let keeper = keeper(at, false, sources, &[]);
    assert_eq!(offers(&keeper, at), ["+b", "+a", "-w"]);
    keeper
        .add(AddedRoot { path: at.join("x").display().to_string(), name: None, server: None, exclude: vec![] })
        .unwrap();
    assert_eq!(offers(&keeper, at), ["+b", "+a", "+x", "-w"]);
    assert_eq!(keeper.remove(&at.join("x").display().to_string(), None).unwrap(), 1);
    assert_eq!(offers(&keeper, at), ["+b", "+a", "-w"]);
}

#[test]
fn a_person_is_asked_for_each_server_and_each_new_folder() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path();
    folders(at, &["a", "b", "c", "w"]);
    let sources = |names: &[&str]| {
        let named = names.iter().map(|name| config(&at.join(name)));
        named.chain([RootSource::folder(&at.join("w"), None, RootOrigin::Workspace)]).collect::<Vec<_>>()
    };
    let first = keeper(at, true, sources(&["a", "b"]), &[]);
    assert_eq!(offers(&first, at), ["?a", "?b", "?w"]);
    let root = |name: &str| askback_core::roots::Root::from_path(&at.join(name), None).unwrap();
    first.remember("travel", SOURCE, &[root("a"), root("w")], &[root("b")]).unwrap();
    assert_eq!(offers(&first, at), ["+a", "-b", "+w"]);
    // Another run, and a folder more.
    assert_eq!(offers(&keeper(at, true, sources(&["a", "b", "c"]), &[]), at), ["+a", "-b", "?c", "+w"]);
    // Without a person what was refused stays refused, and the workspace was agreed to.
    assert_eq!(offers(&keeper(at, false, sources(&["a", "b", "c"]), &[]), at), ["+a", "-b", "+c", "+w"]);
    // The same name with something else behind it is another server.
    assert!(first.look("travel", "evil --serve").offers.iter().all(|offer| offer.agreed.is_none()));
    assert_eq!(first.forget("travel").unwrap(), 1);
    assert_eq!(offers(&first, at), ["?a", "?b", "?w"]);
}

#[test]
fn r11_a_link_is_offered_as_given_and_what_is_gone_is_left_out() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path();
    folders(at, &["real", "gone"]);
    fs::write(at.join("file"), "").unwrap();
    std::os::unix::fs::symlink(at.join("real"), at.join("link")).unwrap();
    let sources = ["link", "gone", "file"].map(|name| config(&at.join(name))).to_vec();
    let keeper = keeper(at, false, sources, &[]);
    fs::remove_dir(at.join("gone")).unwrap();
    assert_eq!(offers(&keeper, at), ["+link"]);
    let left_out: Vec<WhyLeftOut> = keeper.look("travel", SOURCE).left_out.into_iter().map(|left| left.why).collect();
    let expected = [Absence::Vanished, Absence::NotAFolder].map(WhyLeftOut::Absent);
    assert_eq!(left_out, expected);
    fs::remove_dir(at.join("real")).unwrap();
    assert_eq!(offers(&keeper, at), Vec::<String>::new());
}

#[test]
fn r04_only_a_file_uri_is_offered() {
    let top = tempfile::tempdir().unwrap();
    folders(top.path(), &["a"]);
    let uri = |uri: &str| RootSource::uri(uri, None, RootOrigin::Config);
    let sources = vec![
        uri("vscode-remote://wsl%2Bu/home/u/p"),
        uri("untitled:x"),
        uri("https://x/"),
        config(&top.path().join("a")),
    ];
    let keeper = keeper(top.path(), false, sources, &[]);
    assert_eq!(offers(&keeper, top.path()), ["+a"]);
    let left_out = keeper.look("travel", SOURCE).left_out;
    assert!(left_out.iter().all(|left| matches!(left.why, WhyLeftOut::NoRoot(_))) && left_out.len() == 3);
}

#[test]
fn an_excluded_folder_is_not_offered_by_whatever_way() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path().canonicalize().unwrap();
    folders(&at, &["w/finance/2026", "w/travel"]);
    std::os::unix::fs::symlink(at.join("w/finance"), at.join("innocent")).unwrap();
    let sources =
        ["w", "w/finance", "w/finance/2026", "innocent", "w/travel"].map(|name| config(&at.join(name))).to_vec();
    let keeper = keeper(&at, false, sources, &[(&at.join("w"), "**/finance/**")]);
    assert_eq!(offers(&keeper, &at), ["+w", "+w/travel"]);
}

#[test]
fn a_book_that_cannot_be_read_consents_to_nothing() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path();
    folders(at, &["a", "b"]);
    fs::write(at.join("roots.json"), "{").unwrap();
    let sources = vec![config(&at.join("a")), RootSource::folder(&at.join("b"), None, RootOrigin::CommandLine)];
    let keeper = keeper(at, false, sources, &[]);
    assert_eq!(offers(&keeper, at), ["+b"]);
    assert!(matches!(keeper.look("travel", SOURCE).left_out[0].why, WhyLeftOut::Unreadable { .. }));
    assert!(keeper.remember("travel", SOURCE, &[], &[]).is_err());
}

#[test]
fn a_root_for_one_server_is_told_to_no_other() {
    let top = tempfile::tempdir().unwrap();
    folders(top.path(), &["a"]);
    let keeper = keeper(top.path(), false, vec![config(&top.path().join("a")).only_for("notes")], &[]);
    assert_eq!(offers(&keeper, top.path()), Vec::<String>::new());
    assert_eq!(keeper.look("notes", "x").offers.len(), 1);
}

#[test]
fn a_workspace_is_a_repository_or_a_project_and_never_everything() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path();
    folders(at, &["home/repo/.git", "home/repo/part/deep", "home/loose/inner", "home/.git"]);
    fs::write(at.join("home/repo/part/Cargo.toml"), "").unwrap();
    fs::write(at.join("home/loose/package.json"), "").unwrap();
    let home = at.join("home");
    let found =
        |here: &str| workspace(&at.join(here), Some(&home)).map(|found| found.strip_prefix(at).unwrap().to_path_buf());
    assert_eq!(found("home/repo/part/deep").as_deref(), Some(Path::new("home/repo")));
    assert_eq!(found("home/loose/inner").as_deref(), Some(Path::new("home/loose")));
    assert_eq!(found("home"), None);
    assert_eq!(workspace(Path::new("/"), None), None);
}

#[tokio::test]
async fn r07_a_change_is_seen_within_some_seconds() {
    let top = tempfile::tempdir().unwrap();
    let at = top.path().to_path_buf();
    folders(&at, &["a", "b"]);
    let keeper = std::sync::Arc::new(keeper(&at, false, vec![config(&at.join("a"))], &[]));
    let (seen, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let tell = move |looked: Looked| seen.send(looked.offers.len()).is_ok();
    let first = keeper.look("travel", SOURCE);
    let watching = tokio::spawn(watch(std::sync::Arc::clone(&keeper), "travel".into(), SOURCE.into(), first, tell));
    let limit = std::time::Duration::from_secs(10);
    keeper
        .add(AddedRoot { path: at.join("b").display().to_string(), name: None, server: None, exclude: vec![] })
        .unwrap();
    assert_eq!(tokio::time::timeout(limit, changes.recv()).await.unwrap(), Some(2));
    fs::remove_dir(at.join("a")).unwrap();
    assert_eq!(tokio::time::timeout(limit, changes.recv()).await.unwrap(), Some(1));
    watching.abort();
}
