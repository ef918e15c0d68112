//! A root with something excluded from it. Landlock grants and cannot take back, so what is not excluded is granted piece by piece.
//!
//! A folder is granted whole where nothing below it is excluded when the server starts. Where something is, its files and the folders below
//! it are granted each for itself; nothing can be made in such a folder, and its names are shown only if no folder is excluded below it,
//! since the right to list goes down as well. Links are not followed and not granted.

use std::path::{Path, PathBuf};

use super::SandboxError;
use super::globs::excluding;
use super::plan::{Access, Grant};

/// How many files and folders of a root are looked at.
const MOST: usize = 200_000;
/// How many pieces it may come to.
const MOST_PIECES: usize = 20_000;

/// A folder that a server is there for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxRoot {
    /// Its path.
    pub path: PathBuf,
    /// Globs of what is not part of it: `*`, `?`, and `**` for any number of folders. One that begins with `/` counts from the top, any other
    /// from this root.
    pub exclude: Vec<String>,
}

impl SandboxRoot {
    /// A root with nothing excluded.
    pub fn new(path: impl Into<PathBuf>) -> SandboxRoot {
        SandboxRoot { path: path.into(), exclude: Vec::new() }
    }
}

/// What of a folder is left.
enum Left {
    /// Everything.
    Whole,
    /// Nothing.
    Nothing,
    /// These pieces; `folders` if a folder is among what is excluded.
    Pieces { grants: Vec<Grant>, folders: bool },
}

/// The grants that a root comes to.
pub(crate) fn grants(root: &SandboxRoot, access: Access) -> Result<Vec<Grant>, SandboxError> {
    without_excluded(Grant::new(&root.path, access), std::slice::from_ref(root))
}

/// A grant without what any of these roots leaves out: code that lies in a root is no way to what is excluded there.
pub(crate) fn without_excluded(grant: Grant, roots: &[SandboxRoot]) -> Result<Vec<Grant>, SandboxError> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real(&grant.path);
    let touches = |root: &Path| root.starts_with(&folder) || folder.starts_with(root);
    let roots: Vec<_> = roots.iter().filter(|root| !root.exclude.is_empty() && touches(&real(&root.path))).collect();
    if roots.is_empty() {
        return Ok(vec![grant]);
    }
    let excluding: Vec<_> = roots.into_iter().map(excluding).collect::<Result<_, _>>()?;
    let excludes = |path: &Path| excluding.iter().any(|excludes| excludes(path));
    if !folder.is_dir() {
        return Ok(if excludes(&folder) { Vec::new() } else { vec![grant] });
    }
    let mut walk = Walk { root: &folder, excludes: &excludes, access: grant.access, seen: 0, pieces: 0 };
    match walk.folder(&folder, 0)? {
        Left::Whole => Ok(vec![grant]),
        Left::Nothing => Ok(Vec::new()),
        Left::Pieces { grants, .. } => Ok(grants),
    }
}

struct Walk<'a> {
    root: &'a Path,
    excludes: &'a dyn Fn(&Path) -> bool,
    access: Access,
    seen: usize,
    pieces: usize,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<Left, SandboxError> {
        let too_many = || SandboxError::TooMany { path: self.root.to_owned(), most: MOST };
        if depth > 200 {
            return Err(too_many());
        }
        // A folder in which every name is excluded is excluded, whatever is in it now.
        if (self.excludes)(folder) || (self.excludes)(&folder.join("\u{1}any name")) {
            return Ok(Left::Nothing);
        }
        // What cannot be read is not granted: what is in it cannot be known.
        let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Left::Nothing) };
        let (mut whole, mut folders) = (true, false);
        let mut grants = Vec::new();
        for entry in entries.flatten() {
            self.seen += 1;
            if self.seen > MOST {
                return Err(SandboxError::TooMany { path: self.root.to_owned(), most: MOST });
            }
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                match self.folder(&path, depth + 1)? {
                    Left::Whole => grants.push(Grant::new(path, self.access)),
                    Left::Nothing => (whole, folders) = (false, true),
                    Left::Pieces { grants: below, folders: some } => {
                        whole = false;
                        folders |= some;
                        grants.extend(below);
                    }
                }
            } else if (self.excludes)(&path) {
                whole = false;
            } else if !kind.is_symlink() {
                grants.push(Grant::new(path, self.access));
            }
        }
        if whole {
            return Ok(Left::Whole);
        }
        if !folders {
            grants.push(Grant::new(folder, Access::List));
        }
        self.pieces += grants.len();
        if self.pieces > MOST_PIECES {
            return Err(SandboxError::TooMany { path: self.root.to_owned(), most: MOST_PIECES });
        }
        Ok(Left::Pieces { grants, folders })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Network, SandboxPlan};

    fn check(files: &[&str], exclude: &[&str], left: &[(&str, Access)]) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            if file.ends_with('/') {
                std::fs::create_dir_all(path).unwrap();
            } else {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "x").unwrap();
            }
        }
        let exclude = exclude.iter().map(|glob| (*glob).to_owned()).collect();
        let root = SandboxRoot { path: folder.path().to_owned(), exclude };
        let mut found: Vec<(String, Access)> = grants(&root, Access::Write)
            .unwrap()
            .into_iter()
            .map(|grant| {
                (
                    grant.path.strip_prefix(folder.path().canonicalize().unwrap()).unwrap().display().to_string(),
                    grant.access,
                )
            })
            .collect();
        found.sort();
        let left: Vec<(String, Access)> = left.iter().map(|(path, access)| ((*path).to_owned(), *access)).collect();
        assert_eq!(found, left, "{exclude:?}", exclude = root.exclude);
    }

    #[test]
    fn a_root_with_nothing_excluded_is_granted_whole() {
        check(&["a", "b/c"], &[], &[("", Access::Write)]);
        check(&["a", "b/c"], &["**/finance/**"], &[("", Access::Write)]);
    }

    #[test]
    fn an_excluded_folder_is_neither_granted_nor_listed() {
        for glob in ["**/finance/**", "**/finance", "finance", "finance/**", "./finance/"] {
            check(
                &["plan", "finance/pay", "trips/rome"],
                &[glob],
                &[("plan", Access::Write), ("trips", Access::Write)],
            );
        }
        check(&["finance/", "plan"], &["finance/**"], &[("plan", Access::Write)]);
        check(
            &["a/b/finance/pay", "a/b/plan", "a/c/plan"],
            &["**/finance/**"],
            &[("a/b/plan", Access::Write), ("a/c", Access::Write)],
        );
    }

    #[test]
    fn an_excluded_file_is_not_granted_but_its_name_is_seen() {
        check(
            &[".env", "plan", "src/main"],
            &["**/.env"],
            &[("", Access::List), ("plan", Access::Write), ("src", Access::Write)],
        );
    }

    #[test]
    fn code_in_a_root_is_no_way_to_what_is_excluded() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        std::fs::create_dir(&tool).unwrap();
        for file in ["index.js", ".env"] {
            std::fs::write(tool.join(file), "x").unwrap();
        }
        let way = folder.path().join("way");
        std::os::unix::fs::symlink(&tool, &way).unwrap();
        let root = SandboxRoot { path: folder.path().to_owned(), exclude: vec!["**/.env".into()] };
        for path in [folder.path(), &tool, &way] {
            let found = without_excluded(Grant::new(path, Access::Run), std::slice::from_ref(&root)).unwrap();
            assert!(found.contains(&Grant::new(tool.join("index.js"), Access::Run)), "{found:?}");
            let plan = SandboxPlan::new(found, Network::Any, false);
            assert!(!plan.allows(&tool.join(".env"), Access::Read), "{plan:?}");
        }
        let file = Grant::new(tool.join(".env"), Access::Run);
        assert_eq!(without_excluded(file, std::slice::from_ref(&root)), Ok(Vec::new()));
        let elsewhere = Grant::new("/usr", Access::Run);
        assert_eq!(without_excluded(elsewhere.clone(), &[root]), Ok(vec![elsewhere]));
    }

    #[test]
    fn links_are_no_way_around() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("finance")).unwrap();
        std::fs::write(folder.path().join("finance/pay"), "x").unwrap();
        std::os::unix::fs::symlink("finance", folder.path().join("link")).unwrap();
        let root = SandboxRoot { path: folder.path().to_owned(), exclude: vec!["finance".into()] };
        assert_eq!(grants(&root, Access::Write), Ok(Vec::new()));
    }
}
