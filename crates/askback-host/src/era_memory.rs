//! Which servers were met, and in which revision: so that legacy ones are not probed at every start, and that nothing is started by the way
//! which nobody ever started on purpose.
//!
//! As for eras a hint and nothing more: whatever is remembered wrongly is found out by the handshake. One small file in the user's state
//! folder.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askback_wire::{Era, Revision};
use serde::{Deserialize, Serialize};

use crate::server::{ServerCommand, ServerSource};

/// How long a memory is trusted; a server that has been brought up to date is noticed after that.
const TRUSTED: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How often it is written down that a server was met again.
const REFRESHED: Duration = Duration::from_secs(24 * 60 * 60);
/// The most servers that are remembered.
const MOST: usize = 500;

/// The memory.
#[derive(Clone, Debug)]
pub struct EraMemory {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Remembered {
    revision: String,
    /// Seconds since 1970.
    seen: u64,
}

impl EraMemory {
    /// The memory in this file, which need not exist.
    pub fn new(path: PathBuf) -> EraMemory {
        EraMemory { path }
    }

    /// Whether this was a legacy server when it was last met.
    pub fn is_legacy(&self, source: &ServerSource) -> bool {
        let entries = self.load();
        let Some(remembered) = entries.get(&key(source)) else { return false };
        let fresh = now().saturating_sub(remembered.seen) < TRUSTED.as_secs();
        fresh && Revision::parse(&remembered.revision).is_some_and(|revision| revision.era() == Era::Legacy)
    }

    /// Whether this server was met before, in whatever era.
    pub fn knows(&self, source: &ServerSource) -> bool {
        self.load().contains_key(&key(source))
    }

    /// Remembers what this turned out to be. A memory that cannot be written costs a probe next time and is no error.
    pub fn remember(&self, source: &ServerSource, revision: Revision) {
        let mut entries = self.load();
        let is_fresh = |known: &Remembered| {
            known.revision == revision.as_str() && now().saturating_sub(known.seen) < REFRESHED.as_secs()
        };
        if entries.get(&key(source)).is_some_and(is_fresh) {
            return;
        }
        entries.insert(key(source), Remembered { revision: revision.as_str().into(), seen: now() });
        while entries.len() > MOST {
            let oldest = entries.iter().min_by_key(|(_, remembered)| remembered.seen).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| entries.remove(&oldest));
        }
        let Ok(text) = serde_json::to_string_pretty(&entries) else { return };
        if let Some(folder) = self.path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        // Written aside and moved into place, so that two runs at once cannot leave half a file.
        let aside = self.path.with_extension(format!("{}.tmp", std::process::id()));
        if std::fs::write(&aside, text).is_ok() {
            let _ = std::fs::rename(&aside, &self.path);
        }
    }

    fn load(&self) -> BTreeMap<String, Remembered> {
        std::fs::read_to_string(&self.path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
}

fn key(source: &ServerSource) -> String {
    match source {
        ServerSource::Command(ServerCommand { cwd: Some(cwd), .. }) => {
            format!("{} (in {})", source.line(), cwd.display())
        }
        ServerSource::Command(_) | ServerSource::Address(_) => source.line(),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
