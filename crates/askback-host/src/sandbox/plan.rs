//! The plan: which files and folders, and what may be done with each. Plain data; nothing is looked up here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Network;

/// What may be done with a file, or with a folder and everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// The names in it can be listed, there and below.
    List,
    /// Reading.
    Read,
    /// Reading, and running what can be run.
    Run,
    /// Reading and writing what is no more than a device.
    Device,
    /// Everything that is done with files: reading, running, writing, making, moving, removing. Devices cannot be made.
    Write,
}

impl Access {
    /// Whether this includes the other.
    fn includes(self, other: Access) -> bool {
        use Access::{Device, List, Read, Run, Write};
        match self {
            Write => other != Device,
            Run => matches!(other, Run | Read | List),
            Read => matches!(other, Read | List),
            List | Device => self == other,
        }
    }
}

/// One thing that is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The file or folder.
    pub path: PathBuf,
    /// What may be done with it.
    pub access: Access,
    /// Whether the server is not started when it is not there.
    pub required: bool,
}

impl Grant {
    /// A grant of what may be missing.
    pub fn new(path: impl Into<PathBuf>, access: Access) -> Grant {
        Grant { path: path.into(), access, required: false }
    }

    /// A grant of what somebody asked for by name.
    pub fn required(path: impl Into<PathBuf>, access: Access) -> Grant {
        Grant { path: path.into(), access, required: true }
    }
}

/// Everything that is allowed; the rest is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxPlan {
    grants: Vec<Grant>,
    /// What may be done with the network.
    pub network: Network,
    /// Whether sockets that are files may be used.
    pub unix_sockets: bool,
}

impl SandboxPlan {
    /// A plan with these grants. What another one includes is left out.
    pub fn new(grants: impl IntoIterator<Item = Grant>, network: Network, unix_sockets: bool) -> SandboxPlan {
        let mut by_path: BTreeMap<PathBuf, Vec<Grant>> = BTreeMap::new();
        for grant in grants {
            let same = by_path.entry(grant.path.clone()).or_default();
            match same.iter_mut().find(|other| other.access == grant.access) {
                Some(other) => other.required |= grant.required,
                None => same.push(grant),
            }
        }
        let included = |grant: &Grant| {
            let wider = |path: &Path, same: bool| {
                by_path
                    .get(path)
                    .into_iter()
                    .flatten()
                    .any(|other| other.access.includes(grant.access) && (!same || other.access != grant.access))
            };
            grant.path.ancestors().any(|path| wider(path, path == grant.path))
        };
        let grants = by_path.values().flatten().filter(|grant| grant.required || !included(grant)).cloned().collect();
        SandboxPlan { grants, network, unix_sockets }
    }

    /// What is allowed, by path.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    /// Whether this may be done with a path that has no links in it.
    pub fn allows(&self, path: &Path, access: Access) -> bool {
        self.grants.iter().any(|grant| path.starts_with(&grant.path) && grant.access.includes(access))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(grants: &[(&str, Access)], left: &[(&str, Access)]) {
        let plan =
            SandboxPlan::new(grants.iter().map(|(path, access)| Grant::new(*path, *access)), Network::Any, false);
        let found: Vec<(&str, Access)> =
            plan.grants().iter().map(|grant| (grant.path.to_str().unwrap(), grant.access)).collect();
        assert_eq!(found, left);
    }

    #[test]
    fn what_is_included_is_left_out() {
        check(&[("/w", Access::Write), ("/w/a", Access::Read)], &[("/w", Access::Write)]);
        check(&[("/w", Access::Read), ("/w", Access::Run)], &[("/w", Access::Run)]);
        check(&[("/w", Access::Read), ("/w/a", Access::Write)], &[("/w", Access::Read), ("/w/a", Access::Write)]);
        check(&[("/w", Access::List), ("/w/a", Access::Read)], &[("/w", Access::List), ("/w/a", Access::Read)]);
        check(&[("/wa", Access::Read), ("/w", Access::Run)], &[("/w", Access::Run), ("/wa", Access::Read)]);
        check(
            &[("/w", Access::Write), ("/w/null", Access::Device)],
            &[("/w", Access::Write), ("/w/null", Access::Device)],
        );
    }

    #[test]
    fn nothing_is_allowed_but_what_is_granted() {
        let grants = [Grant::new("/w", Access::Write), Grant::new("/usr", Access::Run)];
        let plan = SandboxPlan::new(grants, Network::None, false);
        assert!(plan.allows(Path::new("/w/a/b"), Access::Write) && plan.allows(Path::new("/usr/bin/x"), Access::Run));
        for (path, access) in [("/usr/bin/x", Access::Write), ("/wide", Access::Read), ("/", Access::List)] {
            assert!(!plan.allows(Path::new(path), access), "{path}");
        }
    }
}
