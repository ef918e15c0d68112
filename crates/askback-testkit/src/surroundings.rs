//! Where a program under test runs: folders of its own, a browser of its own, and nothing of the user's.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A run's own folders, away from the user's.
pub struct Surroundings {
    folder: tempfile::TempDir,
}

impl Surroundings {
    /// Makes new ones.
    ///
    /// # Errors
    /// When folders cannot be made.
    pub fn new() -> std::io::Result<Surroundings> {
        let folder = tempfile::Builder::new().prefix("askback-test-").tempdir()?;
        for name in ["home", "state", "config", "work"] {
            std::fs::create_dir(folder.path().join(name))?;
        }
        Ok(Surroundings { folder })
    }

    /// A file or folder in them.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The working directory.
    pub fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// A browser that writes down where it is sent and ends with this exit code.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn browser(&self, code: u8) -> std::io::Result<PathBuf> {
        use std::os::unix::fs::OpenOptionsExt;
        let path = self.path("browser");
        let script = format!("#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\nexit {code}\n", self.path("opened").display());
        let mut file = std::fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o755).open(&path)?;
        std::io::Write::write_all(&mut file, script.as_bytes())?;
        Ok(path)
    }

    /// Where the browser was sent.
    pub fn opened(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("opened")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A command that runs here and sees nothing of the user's own configuration and state.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.work());
        for name in ["PATH", "LD_LIBRARY_PATH", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.path("home"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8");
        command
    }
}
