//! The lists of servers, kept for as long as the servers say.
//!
//! Serves "Caching" (`ttlMs`). One file per server in the user's state folder, which only the user can read. It is named after where the server is
//! and all that is sent along, by a hash, so that neither addresses nor secrets are written down. Time is told to it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use askback_host::{ServerCommand, ServerSource};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest that anything is kept, whatever the server says, in milliseconds.
const LONGEST: u64 = 24 * 60 * 60 * 1000;
/// The largest file, in bytes; more is not kept.
const LARGEST: usize = 4 * 1024 * 1024;

/// What is kept of one server.
#[derive(Debug)]
pub(crate) struct Cache {
    file: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Milliseconds since 1970.
    until: u64,
    items: Vec<Value>,
}

impl Cache {
    /// The part of this folder for a server that is spoken to in a way.
    pub(crate) fn new(folder: &Path, source: &ServerSource, way: &str) -> Cache {
        Cache { file: folder.join(format!("{}.json", name(source, way))) }
    }

    /// A list that is still fresh at `now`, in milliseconds since 1970.
    pub(crate) fn list(&self, method: &str, now: u64) -> Option<Vec<Value>> {
        // Further ahead than anything is kept it was written by another clock.
        let kept = self.load().remove(method).filter(|kept| now < kept.until && kept.until <= now + LONGEST)?;
        Some(kept.items)
    }

    /// Keeps a list for so many milliseconds from `now`. What cannot be written is asked for again next time.
    pub(crate) fn keep(&self, method: &str, items: &[Value], now: u64, fresh_ms: u64) {
        if fresh_ms == 0 {
            return;
        }
        let mut lists = self.load();
        lists.retain(|_, kept| now < kept.until);
        lists.insert(method.to_owned(), Kept { until: now + fresh_ms.min(LONGEST), items: items.to_vec() });
        let Ok(text) = serde_json::to_string(&lists) else { return };
        if text.len() <= LARGEST {
            let _ = self.write(&text);
        }
    }

    fn load(&self) -> BTreeMap<String, Kept> {
        std::fs::read_to_string(&self.file).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Written aside and moved into place, so that two runs at once cannot leave half a file.
    fn write(&self, text: &str) -> std::io::Result<()> {
        if let Some(folder) = self.file.parent() {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            forget_old(folder);
        }
        let aside = self.file.with_extension(format!("{}.tmp", std::process::id()));
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
        file.write_all(text.as_bytes())?;
        std::fs::rename(&aside, &self.file)
    }
}

/// Removes what nothing is fresh of any more.
fn forget_old(folder: &Path) {
    let is_old = |entry: &std::fs::DirEntry| {
        let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = written.and_then(|written| SystemTime::now().duration_since(written).ok());
        age.is_some_and(|age| age > Duration::from_millis(LONGEST))
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().filter(is_old) {
        let _ = std::fs::remove_file(entry.path());
    }
}

fn name(source: &ServerSource, way: &str) -> String {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, way, source.line()).hash(&mut hasher);
        match source {
            ServerSource::Command(ServerCommand { env, cwd, .. }) => (env, cwd).hash(&mut hasher),
            ServerSource::Address(address) => address.headers.hash(&mut hasher),
        }
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_host::ServerAddress;
    use serde_json::json;
    use std::os::unix::fs::PermissionsExt as _;

    fn address(token: &str) -> ServerSource {
        let mut address = ServerAddress::new(url::Url::parse("https://mcp.example.com/mcp").unwrap());
        address.headers.insert("Authorization".into(), token.into());
        address.into()
    }

    /// Runs in a folder of its own.
    fn check(test: impl FnOnce(&Path)) {
        let folder = std::env::temp_dir().join(format!(
            "askback-cache-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        test(&folder);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_list_is_kept_as_long_as_the_server_says() {
        check(|folder| {
            let cache = Cache::new(folder, &address("a"), "auto");
            let list = [json!({ "name": "x" })];
            cache.keep("tools/list", &list, 1000, 500);
            assert_eq!(cache.list("tools/list", 1499).as_deref(), Some(&list[..]));
            assert_eq!(cache.list("tools/list", 1500), None);
            assert_eq!(cache.list("prompts/list", 1000), None);
            cache.keep("tools/list", &list, 1000, u64::MAX);
            assert_eq!(cache.list("tools/list", 1000 + LONGEST), None);
        });
    }

    #[test]
    fn nothing_is_kept_that_is_stale_at_once() {
        check(|folder| {
            Cache::new(folder, &address("a"), "auto").keep("tools/list", &[json!(1)], 1000, 0);
            assert!(!folder.exists());
        });
    }

    #[test]
    fn nobody_else_gets_it() {
        check(|folder| {
            let cache = Cache::new(folder, &address("a"), "auto");
            cache.keep("tools/list", &[json!(1)], 1000, 500);
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(folder), mode(&cache.file)), (0o700, 0o600));
            assert_eq!(Cache::new(folder, &address("b"), "auto").list("tools/list", 1000), None);
            assert_eq!(Cache::new(folder, &address("a"), "other").list("tools/list", 1000), None);
        });
    }
}
