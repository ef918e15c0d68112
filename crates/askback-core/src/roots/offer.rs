//! What a server may be told, and what somebody has to say first.

use std::collections::BTreeSet;

use super::Root;

/// Where a root comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootOrigin {
    /// `--root`
    CommandLine,
    /// `[[roots]]` of `askback.toml`.
    Config,
    /// `servers.NAME.roots` of `askback.toml`.
    ServerConfig,
    /// `askback roots add`
    Added,
    /// The workspace of the current directory.
    Workspace,
}

impl RootOrigin {
    /// The word in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            RootOrigin::CommandLine => "command-line",
            RootOrigin::Config => "config",
            RootOrigin::ServerConfig => "server-config",
            RootOrigin::Added => "added",
            RootOrigin::Workspace => "workspace",
        }
    }
}

/// A root for one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootOffer {
    /// The root.
    pub root: Root,
    /// Where it comes from.
    pub origin: RootOrigin,
    /// What is said of it already: that the server may be told, or that it may not. Nothing means that a person has to say so.
    pub agreed: Option<bool>,
}

impl RootOffer {
    /// A root that the server may be told without anybody being asked.
    pub fn agreed(root: Root, origin: RootOrigin) -> RootOffer {
        RootOffer { root, origin, agreed: Some(true) }
    }
}

/// The offers without those that lead to the same folder as one before; the order stays. What one of them is agreed to holds for the folder.
pub fn without_doubles(offers: Vec<RootOffer>) -> Vec<RootOffer> {
    let agreed: BTreeSet<String> =
        offers.iter().filter(|offer| offer.agreed == Some(true)).map(|offer| offer.root.uri.clone()).collect();
    let mut seen = BTreeSet::new();
    let first = offers.into_iter().filter(|offer| seen.insert(offer.root.uri.clone()));
    first
        .map(|offer| match agreed.contains(&offer.root.uri) {
            true => RootOffer { agreed: Some(true), ..offer },
            false => offer,
        })
        .collect()
}
