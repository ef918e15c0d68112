//! Everything that is known of the user's roots, put together for one server.

use std::path::{Path, PathBuf};

use askback_core::roots::{Exclusions, Root, RootError, RootOffer, RootOrigin, without_doubles};

use super::book::{AddedRoot, Book, Consent};
use super::folder::{self, Absence};

/// A root that the user named, or that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSource {
    /// As it was written.
    pub text: String,
    /// The root, or why it is none.
    pub root: Result<Root, RootError>,
    /// The folder to look at; none where a URI was given, which is taken as it is: it may be the server's own view of a folder.
    pub folder: Option<PathBuf>,
    /// Where it comes from.
    pub origin: RootOrigin,
    /// The only server that it is for; all if not given.
    pub server: Option<String>,
}

impl RootSource {
    /// A folder by its absolute path.
    pub fn folder(path: &Path, name: Option<String>, origin: RootOrigin) -> RootSource {
        let (text, root) = (path.display().to_string(), Root::from_path(path, name));
        RootSource { text, root, folder: Some(path.to_path_buf()), origin, server: None }
    }

    /// A URI, whatever its scheme.
    pub fn uri(uri: &str, name: Option<String>, origin: RootOrigin) -> RootSource {
        RootSource { text: uri.to_owned(), root: Root::from_uri(uri, name), folder: None, origin, server: None }
    }

    /// The same for one server only.
    #[must_use]
    pub fn only_for(self, server: &str) -> RootSource {
        RootSource { server: Some(server.to_owned()), ..self }
    }
}

/// What a keeper is made with.
#[derive(Debug, Default)]
pub struct RootKeeperOptions {
    /// Roots in the order in which servers see them.
    pub sources: Vec<RootSource>,
    /// Globs for what is never told, each with the folder that it counts from.
    pub exclude: Vec<(String, String)>,
    /// Whether a person is there who can be asked before a server is told for the first time. Without one, configuration is consent, and a
    /// workspace that was only found is told to nobody.
    pub person: bool,
    /// The file of what is kept for good; nothing outlives the run without one.
    pub book: Option<PathBuf>,
}

/// What one look has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// What the server may be told, in order.
    pub offers: Vec<RootOffer>,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
}

/// A root that is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// As it was written.
    pub text: String,
    /// Where it comes from.
    pub origin: RootOrigin,
    /// Why.
    pub why: WhyLeftOut,
}

/// Why a root is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// It is no root.
    NoRoot(RootError),
    /// The folder is of no use now.
    Absent(Absence),
    /// It, or a folder that it lies in, is excluded.
    Excluded,
    /// What is kept of the user's roots cannot be read.
    Unreadable {
        /// Why.
        detail: String,
    },
}

/// Keeps the user's roots.
pub struct RootKeeper {
    options: RootKeeperOptions,
    exclusions: Exclusions,
    book: Book,
}

impl RootKeeper {
    /// A keeper of these roots.
    ///
    /// # Errors
    /// An exclusion that is none, as words.
    pub fn new(options: RootKeeperOptions) -> Result<RootKeeper, String> {
        let exclusions = exclusions(&options.exclude).map_err(|error| error.to_string())?;
        Ok(RootKeeper { exclusions, book: Book::new(options.book.clone()), options })
    }

    /// The file of what is kept for good.
    pub fn book(&self) -> Option<&Path> {
        self.book.path()
    }

    /// The globs of what is never told, as written.
    pub fn excluded(&self) -> Vec<String> {
        let added = self.book.read().roots.into_iter().flat_map(|root| root.exclude);
        self.exclusions.patterns().iter().cloned().chain(added).collect()
    }

    /// The roots that the user named for a server, whether they are there or not, without what is excluded: what a server that is kept within its
    /// roots may work in.
    pub fn named(&self, server: &str) -> Vec<Root> {
        let kept = self.book.read();
        let sources = self.sources(&kept.roots, server);
        let named = sources.filter(|source| source.origin != RootOrigin::Workspace);
        let mut seen = std::collections::BTreeSet::new();
        let exclusions = legible(&self.exclude());
        let excluded = |root: &Root| root.path().is_ok_and(|path| exclusions.excludes_path(&path));
        let roots = named.filter_map(|source| source.root.ok());
        roots.filter(|root| !excluded(root) && seen.insert(root.uri.clone())).collect()
    }

    /// The globs of what is never told, each with the folder that it counts from.
    pub fn exclude(&self) -> Vec<(String, String)> {
        excluded_with(&self.options.exclude, &self.book.read().roots)
    }

    /// Looks at everything, for one server as the person knows it.
    pub fn look(&self, server: &str, source: &str) -> Looked {
        let mut looked = Looked::default();
        let kept = match self.book.load() {
            Ok(kept) => kept,
            // Who may be told cannot be known then, so nobody is told of anything but what this run was given.
            Err(error) => {
                let why = WhyLeftOut::Unreadable { detail: error.to_string() };
                looked.left_out.push(LeftOut { text: self.shown_book(), origin: RootOrigin::Added, why });
                let given = self.sources(&[], server).filter(|source| source.origin == RootOrigin::CommandLine);
                for source in given {
                    self.judge(source, &self.exclusions, |_| None, &mut looked);
                }
                looked.offers = without_doubles(looked.offers);
                return looked;
            }
        };
        let exclude = excluded_with(&self.options.exclude, &kept.roots);
        let exclusions = legible(&exclude);
        for root in self.sources(&kept.roots, server) {
            self.judge(root, &exclusions, |uri| kept.word(server, source, uri), &mut looked);
        }
        looked.offers = without_doubles(looked.offers);
        looked
    }

    fn shown_book(&self) -> String {
        self.book.path().map(|path| path.display().to_string()).unwrap_or_default()
    }

    /// All roots for a server, in their order: what was found comes last.
    fn sources(&self, added: &[AddedRoot], server: &str) -> impl Iterator<Item = RootSource> {
        let (found, named): (Vec<_>, Vec<_>) =
            self.options.sources.iter().cloned().partition(|source| source.origin == RootOrigin::Workspace);
        let added: Vec<RootSource> = added.iter().map(source_of).collect();
        let server = server.to_owned();
        let all = named.into_iter().chain(added).chain(found);
        all.filter(move |source| source.server.as_ref().is_none_or(|only| *only == server))
    }

    fn judge(
        &self,
        source: RootSource,
        exclusions: &Exclusions,
        word: impl Fn(&str) -> Option<bool>,
        looked: &mut Looked,
    ) {
        let RootSource { text, root, folder, origin, .. } = source;
        match self.usable(root, folder.as_deref(), exclusions) {
            Ok(root) => {
                let by_itself = match origin {
                    RootOrigin::CommandLine => Some(true),
                    RootOrigin::Config | RootOrigin::ServerConfig | RootOrigin::Added => {
                        (!self.options.person).then_some(true)
                    }
                    RootOrigin::Workspace => (!self.options.person).then_some(false),
                };
                let agreed = if origin == RootOrigin::CommandLine { by_itself } else { word(&root.uri).or(by_itself) };
                looked.offers.push(RootOffer { root, origin, agreed });
            }
            Err(why) => looked.left_out.push(LeftOut { text, origin, why }),
        }
    }

    fn usable(
        &self,
        root: Result<Root, RootError>,
        folder: Option<&Path>,
        exclusions: &Exclusions,
    ) -> Result<Root, WhyLeftOut> {
        let root = root.map_err(WhyLeftOut::NoRoot)?;
        let path = root.path().map_err(WhyLeftOut::NoRoot)?;
        if exclusions.excludes_path(&path) {
            return Err(WhyLeftOut::Excluded);
        }
        if let Some(folder) = folder {
            folder::look(folder).map_err(WhyLeftOut::Absent)?;
            // The server is told the path as it was given. That it leads somewhere else must not be a way around an exclusion.
            let real = folder.canonicalize().ok();
            if real.as_deref().and_then(Path::to_str).is_some_and(|real| exclusions.excludes(real)) {
                return Err(WhyLeftOut::Excluded);
            }
        }
        Ok(root)
    }

    /// Notes for good what the person said of folders, for a server as they saw it.
    ///
    /// # Errors
    /// Why it could not be written down.
    pub fn remember(&self, server: &str, source: &str, shared: &[Root], withheld: &[Root]) -> std::io::Result<()> {
        let uris = |roots: &[Root]| roots.iter().map(|root| root.uri.clone()).collect();
        self.book.change(|kept| kept.note(server, source, uris(shared), uris(withheld)))
    }

    /// Forgets what servers of this name may be told; says how many consents that were.
    ///
    /// # Errors
    /// Why it could not be written down; nothing has changed then.
    pub fn forget(&self, server: &str) -> std::io::Result<usize> {
        let mut count = 0;
        self.book.change(|kept| {
            let before = kept.consents.len();
            kept.consents.retain(|consent| consent.server != server);
            count = before - kept.consents.len();
        })?;
        Ok(count)
    }

    /// Adds a folder, in the place of the same for the same server; whether it was there before.
    ///
    /// # Errors
    /// Why it could not be written down; nothing has changed then.
    pub fn add(&self, root: AddedRoot) -> std::io::Result<bool> {
        let mut known = false;
        self.book.change(|kept| {
            let same = |other: &AddedRoot| other.path == root.path && other.server == root.server;
            match kept.roots.iter_mut().find(|other| same(other)) {
                Some(other) => (*other, known) = (root, true),
                None => kept.roots.push(root),
            }
        })?;
        Ok(known)
    }

    /// Removes a folder that was added, or, with a server, what was added for that one; says how many that were.
    ///
    /// # Errors
    /// Why it could not be written down; nothing has changed then.
    pub fn remove(&self, path: &str, server: Option<&str>) -> std::io::Result<usize> {
        let mut count = 0;
        self.book.change(|kept| {
            let before = kept.roots.len();
            let meant = |root: &AddedRoot| root.path == path && (server.is_none() || root.server.as_deref() == server);
            kept.roots.retain(|root| !meant(root));
            count = before - kept.roots.len();
        })?;
        Ok(count)
    }

    /// All roots with what is found of each, for all servers, in order.
    ///
    /// # Errors
    /// Why what is kept cannot be read.
    pub fn all(&self) -> std::io::Result<Vec<(RootSource, Option<WhyLeftOut>)>> {
        let kept = self.book.load()?;
        let (found, named): (Vec<_>, Vec<_>) =
            self.options.sources.iter().cloned().partition(|source| source.origin == RootOrigin::Workspace);
        let exclude = excluded_with(&self.options.exclude, &kept.roots);
        let exclusions = legible(&exclude);
        let all = named.into_iter().chain(kept.roots.iter().map(source_of)).chain(found);
        let judged = all.map(|source| {
            let why = self.usable(source.root.clone(), source.folder.as_deref(), &exclusions).err();
            (source, why)
        });
        Ok(judged.collect())
    }

    /// What servers may be told of from now on.
    ///
    /// # Errors
    /// Why what is kept cannot be read.
    pub fn consents(&self) -> std::io::Result<Vec<Consent>> {
        Ok(self.book.load()?.consents)
    }
}

/// The exclusions without patterns that are none: such a one was written into the file by hand, for `askback roots add` takes only globs.
fn legible(exclude: &[(String, String)]) -> Exclusions {
    let legible = exclude.iter().filter(|pair| exclusions(std::slice::from_ref(pair)).is_ok());
    exclusions(&legible.cloned().collect::<Vec<_>>()).unwrap_or_default()
}

/// What configuration excludes, and what was excluded when folders were added.
fn excluded_with(configured: &[(String, String)], added: &[AddedRoot]) -> Vec<(String, String)> {
    let added = added.iter().flat_map(|root| root.exclude.iter().map(|glob| (root.path.clone(), glob.clone())));
    configured.iter().cloned().chain(added).collect()
}

fn source_of(added: &AddedRoot) -> RootSource {
    let source = RootSource::folder(Path::new(&added.path), added.name.clone(), RootOrigin::Added);
    RootSource { server: added.server.clone(), ..source }
}

fn exclusions(exclude: &[(String, String)]) -> Result<Exclusions, askback_core::roots::ExclusionError> {
    Exclusions::new(exclude.iter().map(|(folder, glob)| (folder.as_str(), glob.as_str())))
}
