//! The lists of servers, page by page, kept from run to run for as long as the servers say.
//!
//! Serves "Caching" of 2026-07-28 (`ttlMs`, `cacheScope`). One file per server in a folder which only the user can read. It is named after where the
//! server is and all that is sent along, by a hash, so that neither addresses nor secrets are written down. What a server does not call public
//! is kept with a hash of the token that it was listed for, and found with that token only. Time is told to it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use askback_wire::ProtocolChoice;
use askback_wire::session::Page;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::authorization::AccessToken;
use crate::server::{ServerCommand, ServerSource, ServerSpec};

/// The longest that anything is kept, whatever the server says, in milliseconds.
const LONGEST: u64 = 24 * 60 * 60 * 1000;
/// The largest file, in bytes; more is not kept.
const LARGEST: usize = 4 * 1024 * 1024;
/// The most pages of one list that are put together.
const MOST_PAGES: usize = 200;

/// What is kept of one server, for one person.
#[derive(Clone, Debug)]
pub struct ListCache {
    file: PathBuf,
    /// For whom lists are read and kept that are not the same for everybody.
    reader: String,
}

/// As much of a list as is still fresh, from its beginning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshList {
    /// The items, as sent.
    pub items: Vec<Value>,
    /// Whether that is the whole list.
    pub is_whole: bool,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Milliseconds since 1970.
    until: u64,
    /// For whom; nothing where it is the same for everybody.
    reader: Option<String>,
    next: Option<String>,
    items: Vec<Value>,
}

/// The pages of one list, by where they begin; the first one begins at "".
type Pages = BTreeMap<String, Kept>;

impl ListCache {
    /// The part of this folder for a server. `token` is what it is sent with every request, if anything is.
    pub fn new(folder: &Path, spec: &ServerSpec, token: Option<&AccessToken>) -> ListCache {
        // Whether it is remembered as legacy makes it no other server.
        let way = match spec.protocol {
            ProtocolChoice::RememberedLegacy => ProtocolChoice::Auto,
            choice => choice,
        };
        let reader = token.map_or_else(String::new, |token| hash(&token.reveal()));
        ListCache { file: folder.join(format!("{}.json", name(&spec.source, &format!("{way:?}")))), reader }
    }

    /// A list as far as it is still fresh at `now`, in milliseconds since 1970; nothing where not even its beginning is.
    pub fn list(&self, method: &str, now: u64) -> Option<FreshList> {
        let mut pages = self.load().remove(method)?;
        let mut list = FreshList::default();
        let mut next = Some(String::new());
        for read in 0..MOST_PAGES {
            let Some(cursor) = next.take() else { break };
            // Further ahead than anything is kept it was written by another clock.
            let is_fresh = |kept: &Kept| now < kept.until && kept.until <= now + LONGEST;
            let is_ours = |kept: &Kept| kept.reader.as_ref().is_none_or(|reader| *reader == self.reader);
            match pages.remove(&cursor).filter(|kept| is_fresh(kept) && is_ours(kept)) {
                Some(kept) => {
                    list.items.extend(kept.items);
                    list.is_whole = kept.next.is_none();
                    next = kept.next;
                }
                None if read == 0 => return None,
                None => break,
            }
        }
        Some(list)
    }

    /// Keeps a page that came at `now`, or forgets the one before where this one is stale at once. What cannot be written is asked for again
    /// next time.
    pub fn keep(&self, page: Page, now: u64) {
        let mut lists = self.load();
        let cursor = page.key.cursor.unwrap_or_default();
        for pages in lists.values_mut() {
            pages.retain(|_, kept| now < kept.until);
        }
        if page.fresh_ms == 0 {
            if lists.get_mut(&page.key.method).and_then(|pages| pages.remove(&cursor)).is_some() {
                self.store(&lists);
            }
            return;
        }
        let kept = Kept {
            until: now + page.fresh_ms.min(LONGEST),
            reader: (!page.is_public).then(|| self.reader.clone()),
            next: page.next,
            items: page.items,
        };
        lists.entry(page.key.method).or_default().insert(cursor, kept);
        self.store(&lists);
    }

    /// A list is not any more as it was.
    pub fn forget(&self, method: &str) {
        let mut lists = self.load();
        if lists.remove(method).is_some() {
            self.store(&lists);
        }
    }

    fn load(&self) -> BTreeMap<String, Pages> {
        std::fs::read_to_string(&self.file).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    fn store(&self, lists: &BTreeMap<String, Pages>) {
        let Ok(text) = serde_json::to_string(lists) else { return };
        let written = if text.len() <= LARGEST { self.write(&text) } else { Ok(()) };
        if text.len() > LARGEST || written.is_err() {
            // Better nothing than what is not true any more.
            let _ = std::fs::remove_file(&self.file);
        }
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
    match source {
        ServerSource::Command(ServerCommand { env, cwd, .. }) => hash(&(way, source.line(), env, cwd)),
        ServerSource::Address(address) => hash(&(way, source.line(), &address.headers)),
    }
}

fn hash(value: &impl std::hash::Hash) -> String {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        value.hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

#[cfg(test)]
mod tests {
    use askback_core::ServerName;
    use askback_wire::session::PageKey;
    use serde_json::json;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::server::ServerAddress;

    fn address(key: &str) -> ServerSpec {
        let mut address = ServerAddress::new(url::Url::parse("https://mcp.example.com/mcp").unwrap());
        address.headers.insert("X-Key".into(), key.into());
        ServerSpec::new(ServerName::new("s"), address)
    }

    fn page(cursor: Option<&str>, item: u32, next: Option<&str>, fresh_ms: u64) -> Page {
        Page {
            key: PageKey { method: "tools/list".into(), cursor: cursor.map(str::to_owned) },
            items: vec![json!(item)],
            next: next.map(str::to_owned),
            fresh_ms,
            is_public: true,
        }
    }

    fn items(cache: &ListCache, now: u64) -> Option<(Vec<Value>, bool)> {
        cache.list("tools/list", now).map(|list| (list.items, list.is_whole))
    }

    /// Runs in a folder of its own.
    fn check(test: impl FnOnce(&Path)) {
        let folder = std::env::temp_dir().join(format!(
            "askback-lists-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        test(&folder);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_list_is_kept_as_long_as_the_server_says() {
        check(|folder| {
            let cache = ListCache::new(folder, &address("a"), None);
            cache.keep(page(None, 1, None, 500), 1000);
            assert_eq!(items(&cache, 1499), Some((vec![json!(1)], true)));
            assert_eq!(items(&cache, 1500), None);
            assert_eq!(cache.list("prompts/list", 1000), None);
            cache.keep(page(None, 1, None, u64::MAX), 1000);
            assert_eq!(items(&cache, 1000 + LONGEST), None);
        });
    }

    #[test]
    fn each_page_has_its_own_time() {
        check(|folder| {
            let cache = ListCache::new(folder, &address("a"), None);
            cache.keep(page(None, 1, Some("b"), 500), 1000);
            assert_eq!(items(&cache, 1100), Some((vec![json!(1)], false)));
            cache.keep(page(Some("b"), 2, None, 100), 1000);
            assert_eq!(items(&cache, 1099), Some((vec![json!(1), json!(2)], true)));
            assert_eq!(items(&cache, 1100), Some((vec![json!(1)], false)));
            cache.keep(page(None, 1, Some(""), 500), 1000);
            assert_eq!(items(&cache, 1001), Some((vec![json!(1)], false)));
        });
    }

    #[test]
    fn what_is_stale_or_has_changed_is_not_found() {
        check(|folder| {
            let cache = ListCache::new(folder, &address("a"), None);
            cache.keep(page(None, 1, None, 0), 1000);
            assert!(!folder.exists());
            cache.keep(page(None, 1, None, 500), 1000);
            cache.keep(page(None, 1, None, 0), 1100);
            assert_eq!(items(&cache, 1100), None);
            cache.keep(page(None, 1, None, 500), 1000);
            cache.forget("tools/list");
            assert_eq!(items(&cache, 1100), None);
        });
    }

    #[test]
    fn nobody_else_gets_it() {
        check(|folder| {
            let (mine, yours) = (AccessToken::new("mine"), AccessToken::new("yours"));
            let cache = ListCache::new(folder, &address("a"), Some(&mine));
            cache.keep(Page { is_public: false, ..page(None, 1, None, 500) }, 1000);
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(folder), mode(&cache.file)), (0o700, 0o600));
            let found = |spec: &ServerSpec, token| items(&ListCache::new(folder, spec, token), 1000).is_some();
            assert!(found(&address("a"), Some(&mine)));
            assert!(!found(&address("a"), Some(&yours)));
            assert!(!found(&address("a"), None));
            assert!(!found(&address("b"), Some(&mine)));
            let other =
                ServerSpec { protocol: ProtocolChoice::Only(askback_wire::Revision::V2025_11_25), ..address("a") };
            assert!(!found(&other, Some(&mine)));
            cache.keep(page(None, 1, None, 500), 1000);
            assert!(found(&address("a"), Some(&yours)));
        });
    }
}
