//! The sandbox of a server's process: what it may reach, and how that is enforced.
//!
//! [`plan`] says what may be reached and touches nothing; [`programs`] and [`system`] know what programs need to run at all; [`enforcement`]
//! has the kernel enforce the plan. Nothing here knows configuration, or what a server is asked to do.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod enforcement;
mod environment;
mod exclusions;
mod files;
mod globs;
mod plan;
mod programs;
#[cfg(target_os = "linux")]
mod syscalls;
mod system;

use std::path::PathBuf;

pub(crate) use self::enforcement::within;
pub(crate) use self::environment::{NotReady, Prepared};
pub use self::exclusions::SandboxRoot;
pub use self::plan::{Access, Grant, SandboxPlan};

/// What a server's process may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// What it may do with the roots.
    pub mode: SandboxMode,
    /// The folders that it is there for.
    pub roots: Vec<SandboxRoot>,
    /// Other files and folders that it may read and run.
    pub read: Vec<PathBuf>,
    /// Other files and folders that it may write as well.
    pub write: Vec<PathBuf>,
    /// What it may do with the network.
    pub network: Network,
    /// Whether it may use sockets that are files, which lead to other programs of the user: a desktop, a key agent, a container engine.
    pub unix_sockets: bool,
    /// The folder that is its home, kept from run to run; one that is thrown away with the process if not given.
    pub home: Option<PathBuf>,
}

/// What a sandboxed server may do with the roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxMode {
    /// Read and write them.
    Roots,
    /// Read them.
    ReadOnly,
}

impl SandboxMode {
    /// Its name in configuration.
    pub fn name(self) -> &'static str {
        match self {
            SandboxMode::Roots => "roots",
            SandboxMode::ReadOnly => "read-only",
        }
    }
}

/// What a sandboxed server may do with the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    /// Anything.
    Any,
    /// Connect to these TCP ports, and ask for names over UDP.
    Ports(Vec<u16>),
    /// Nothing.
    None,
}

/// Why a server is not started in its sandbox. It is not started without it either.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// The system has no Landlock, or it is not switched on.
    #[error("the system does not offer Landlock: {detail}")]
    NotOffered {
        /// What the system says.
        detail: String,
    },
    /// The kernel knows Landlock, but not yet everything that this sandbox takes.
    #[error("the kernel is too old for this sandbox: {what} takes Linux {since}")]
    TooOld {
        /// What is asked for.
        what: &'static str,
        /// The first kernel that has it.
        since: &'static str,
    },
    /// Something is granted that cannot be opened.
    #[error("{path:?} is granted and cannot be opened: {detail}")]
    Path {
        /// Which.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// Finding what is not excluded would take too long.
    #[error("{path:?} has too many files for its exclusions to be enforced; at most {most} are looked at")]
    TooMany {
        /// The root.
        path: PathBuf,
        /// The limit.
        most: usize,
    },
    /// A glob of an exclusion that is none.
    #[error("{glob:?} is no glob")]
    Glob {
        /// Which.
        glob: String,
    },
    /// A container engine does its work in another process, which no sandbox of ours holds.
    #[error("{program} has its work done outside of any sandbox")]
    Container {
        /// The program.
        program: String,
    },
    /// The kernel did not take the rules.
    #[error("the kernel did not take the rules: {detail}")]
    Refused {
        /// What it says.
        detail: String,
    },
}
