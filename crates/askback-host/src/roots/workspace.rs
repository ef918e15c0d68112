//! The workspace of a folder: the repository or the project that it lies in.

use std::path::{Path, PathBuf};

/// What marks the top of a repository, as a folder or, in worktrees and submodules, as a file.
const REPOSITORIES: [&str; 4] = [".git", ".jj", ".hg", ".svn"];
/// What marks a project.
const PROJECTS: [&str; 13] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Gemfile",
    "mix.exs",
    "CMakeLists.txt",
    "askback.toml",
];

/// The repository that `here` lies in, or else the nearest project. Never the home folder or the root of the file system, whatever lies
/// there: that would be everything.
pub fn workspace(here: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let small = |folder: &&Path| folder.parent().is_some() && Some(*folder) != home;
    let mut above = here.ancestors().take_while(small);
    let marked = |markers: &'static [&'static str]| {
        move |folder: &&Path| markers.iter().any(|marker| folder.join(marker).symlink_metadata().is_ok())
    };
    let found = above.clone().find(marked(&REPOSITORIES)).or_else(|| above.find(marked(&PROJECTS)));
    found.map(Path::to_path_buf)
}
