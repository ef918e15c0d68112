//! Exclusions: globs for folders that are never told to a server as roots.
//!
//! What this cannot promise: a server that was told a folder can read below it whatever it likes. Only a sandbox takes that away.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::uri::Path;

/// A set of globs over absolute paths.
#[derive(Clone, Debug)]
pub struct Exclusions {
    globs: GlobSet,
    /// As written, for people.
    patterns: Vec<String>,
}

/// A pattern that is no glob.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is no glob: {why}")]
pub struct ExclusionError {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

impl Default for Exclusions {
    fn default() -> Self {
        Exclusions { globs: GlobSet::empty(), patterns: Vec::new() }
    }
}

impl Exclusions {
    /// Exclusions from patterns, each with the folder that it was written for. A pattern that begins with `/`, a drive or `**/` counts
    /// everywhere; any other counts from its folder.
    ///
    /// # Errors
    /// The first pattern that is none.
    pub fn new<'a>(patterns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Exclusions, ExclusionError> {
        let mut globs = GlobSetBuilder::new();
        let mut kept = Vec::new();
        for (folder, pattern) in patterns {
            let wrong = |why: String| ExclusionError { pattern: pattern.to_owned(), why };
            if pattern.trim().is_empty() {
                return Err(wrong("it is empty".to_owned()));
            }
            for text in globs_of(folder, pattern) {
                let glob = GlobBuilder::new(&text)
                    .literal_separator(true)
                    .backslash_escape(true)
                    .case_insensitive(is_windows(folder))
                    .build()
                    .map_err(|error| wrong(error.kind().to_string()))?;
                globs.add(glob);
            }
            kept.push(pattern.to_owned());
        }
        let globs = globs.build().map_err(|error| ExclusionError {
            pattern: error.glob().unwrap_or_default().to_owned(),
            why: error.kind().to_string(),
        })?;
        Ok(Exclusions { globs, patterns: kept })
    }

    /// The patterns as they were written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether this absolute path, or a folder that it lies in, is excluded.
    pub fn excludes(&self, path: &str) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let path = if is_windows(path) { path.replace('\\', "/") } else { path.to_owned() };
        let mut rest = path.trim_end_matches('/');
        while !rest.is_empty() {
            if self.globs.is_match(rest) {
                return true;
            }
            rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
        }
        false
    }

    /// The same for a path that a URI leads to.
    pub fn excludes_path(&self, path: &Path) -> bool {
        self.excludes(path.text())
    }
}

/// Whether an absolute path is excluded: it, or a folder that it lies in, matches one of the globs.
pub fn is_excluded(path: &str, exclusions: &Exclusions) -> bool {
    exclusions.excludes(path)
}

fn is_windows(path: &str) -> bool {
    path.starts_with("\\\\") || matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The globs over absolute paths that a pattern means. What excludes everything in a folder excludes the folder as well.
fn globs_of(folder: &str, pattern: &str) -> Vec<String> {
    let pattern = if is_windows(folder) { pattern.replace('\\', "/") } else { pattern.to_owned() };
    let everywhere = pattern.starts_with('/') || pattern.starts_with("**/") || is_windows(&pattern);
    let whole = if everywhere {
        pattern
    } else {
        let folder = if is_windows(folder) { folder.replace('\\', "/") } else { folder.to_owned() };
        let below = pattern.trim_start_matches("./");
        format!("{}/{below}", globset::escape(folder.trim_end_matches('/')))
    };
    let whole = if whole.len() > 1 { whole.trim_end_matches('/').to_owned() } else { whole };
    let mut globs = Vec::new();
    let mut shorter = whole.as_str();
    while let Some(above) = shorter.strip_suffix("/**").or_else(|| shorter.strip_suffix("/*")) {
        // `**/**` and the like mean everything, and are meant so.
        if !above.is_empty() && above != "**" {
            globs.push(above.to_owned());
        }
        shorter = above;
    }
    globs.push(whole);
    globs
}
