//! What planning may ask the file system. It changes nothing and opens nothing but scripts and `pyvenv.cfg`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How much of a file is read.
const MOST: u64 = 4096;

/// What is there.
pub(crate) trait Files {
    /// Whether it is a file, after links.
    fn is_file(&self, path: &Path) -> bool;
    /// Whether it is a folder, after links.
    fn is_folder(&self, path: &Path) -> bool;
    /// The path without links in it.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
    /// The beginning of a file, as far as it is text.
    fn beginning(&self, path: &Path) -> Option<String>;
}

/// The real ones.
pub(crate) struct RealFiles;

impl Files for RealFiles {
    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn beginning(&self, path: &Path) -> Option<String> {
        let mut bytes = Vec::new();
        std::fs::File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Files that exist only for a test: each with its text, or the target of a link. What has files below it is a folder.
    pub(crate) struct Imagined(BTreeMap<PathBuf, String>);

    impl Imagined {
        /// `-> TARGET` as text makes a link.
        pub(crate) fn new(files: &[(&str, &str)]) -> Imagined {
            Imagined(files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect())
        }
    }

    impl Files for Imagined {
        fn is_file(&self, path: &Path) -> bool {
            self.resolve(path).is_some_and(|path| self.0.contains_key(&path))
        }

        fn is_folder(&self, path: &Path) -> bool {
            self.resolve(path).is_some_and(|path| !self.0.contains_key(&path))
        }

        fn resolve(&self, path: &Path) -> Option<PathBuf> {
            for ancestor in path.ancestors() {
                if let Some(target) = self.0.get(ancestor).and_then(|text| text.strip_prefix("-> ")) {
                    let rest = path.strip_prefix(ancestor).ok()?;
                    let target = Path::new(target);
                    return self.resolve(&if rest.as_os_str().is_empty() { target.into() } else { target.join(rest) });
                }
            }
            self.0.keys().any(|known| known.starts_with(path)).then(|| path.to_owned())
        }

        fn beginning(&self, path: &Path) -> Option<String> {
            self.0.get(&self.resolve(path)?).cloned()
        }
    }
}
