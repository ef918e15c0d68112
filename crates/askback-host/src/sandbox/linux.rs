//! Enforcement on Linux: Landlock and seccomp, on a thread that restricts itself and then starts the server.
//!
//! Both hold for a thread and for every process that it starts. So the thread lives no longer than it takes to start one, and no other thread
//! of ours is restricted, nothing runs between fork and exec, and the server needs no program of ours before it.

use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, NetPort, PathBeneath, PathFd,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetStatus, Scope, make_bitflags,
};

use super::plan::{Access, Grant, SandboxPlan};
use super::syscalls;
use super::{Network, SandboxError};

/// The version of Landlock whose rules on files are all needed: without the last of them, files outside could be cut to nothing.
const FILES: ABI = ABI::V3;
/// The version that this was written against. What it adds is taken where the kernel has it.
const KNOWN: ABI = ABI::V7;

/// Runs this on a thread that is held to the plan, as is every process that it starts.
///
/// # Errors
/// When the kernel cannot hold it to the whole plan. Nothing was run then.
pub(crate) fn within<T: Send + 'static>(
    plan: &SandboxPlan,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SandboxError> {
    let refused = |detail: String| SandboxError::Refused { detail };
    let rules = rules(plan)?;
    let filter = syscalls::filter(&plan.network, plan.unix_sockets)?;
    let restricted = move || {
        let status = rules.restrict_self().map_err(|error| refused(chain(&error)))?;
        if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
            return Err(refused(format!("{status:?}")));
        }
        seccompiler::apply_filter(&filter).map_err(|error| refused(error.to_string()))?;
        Ok(run())
    };
    let thread = std::thread::Builder::new().name("sandbox".into()).spawn(restricted);
    let thread = thread.map_err(|error| SandboxError::Refused { detail: error.to_string() })?;
    thread.join().map_err(|_| SandboxError::Refused { detail: "the thread that starts the server failed".into() })?
}

fn rules(plan: &SandboxPlan) -> Result<RulesetCreated, SandboxError> {
    let strictly = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let there = strictly().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
    there.map_err(|error| SandboxError::NotOffered { detail: chain(&error) })?;
    let too_old = |what, since| move |_| SandboxError::TooOld { what, since };
    let mut rules =
        strictly().handle_access(AccessFs::from_all(FILES)).map_err(too_old("the rules on files", "6.2"))?;
    if let Network::Ports(_) | Network::None = plan.network {
        let ports = rules.handle_access(AccessNet::from_all(ABI::V4));
        rules = match (ports, &plan.network) {
            (Ok(rules), _) => rules,
            (Err(_), Network::Ports(_)) => {
                return Err(SandboxError::TooOld { what: "network = [ports]", since: "6.7" });
            }
            // No socket can be made at all, which seccomp sees to.
            (Err(_), _) => {
                strictly().handle_access(AccessFs::from_all(FILES)).map_err(too_old("the rules on files", "6.2"))?
            }
        };
    }
    let refused = |error: landlock::RulesetError| SandboxError::Refused { detail: chain(&error) };
    let mut rules = rules
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)
        .map_err(refused)?
        .scope(Scope::from_all(KNOWN))
        .map_err(refused)?
        .create()
        .map_err(refused)?;
    for grant in plan.grants() {
        if let Some(path) = opened(grant)? {
            let access = bits(grant.access, grant.path.is_dir());
            rules = rules.add_rule(PathBeneath::new(path, access)).map_err(refused)?;
        }
    }
    if let Network::Ports(ports) = &plan.network {
        for port in ports {
            rules = rules.add_rule(NetPort::new(*port, AccessNet::ConnectTcp)).map_err(refused)?;
        }
    }
    Ok(rules)
}

/// The file or folder of a grant; nothing if it may be missing and is.
fn opened(grant: &Grant) -> Result<Option<PathFd>, SandboxError> {
    match PathFd::new(&grant.path) {
        Ok(path) => Ok(Some(path)),
        Err(_) if !grant.required => Ok(None),
        Err(error) => Err(SandboxError::Path { path: grant.path.clone(), detail: reason(&grant.path, &error) }),
    }
}

fn reason(path: &Path, error: &dyn std::error::Error) -> String {
    std::fs::metadata(path).map_or_else(|error| error.to_string(), |_| chain(error))
}

fn bits(access: Access, folder: bool) -> BitFlags<AccessFs> {
    let all = match access {
        Access::List => make_bitflags!(AccessFs::{ReadDir}),
        Access::Read => make_bitflags!(AccessFs::{ReadFile | ReadDir}),
        Access::Run => AccessFs::from_read(KNOWN),
        Access::Device => make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | IoctlDev}),
        // A device that could be made could be opened, and a disk has every file.
        Access::Write => AccessFs::from_all(KNOWN) & !make_bitflags!(AccessFs::{MakeChar | MakeBlock | IoctlDev}),
    };
    if folder { all } else { all & AccessFs::from_file(KNOWN) }
}

/// An error with what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sandbox::exclusions;
    use crate::sandbox::{SandboxRoot, system};

    /// What is run within these grants gives this; where the kernel has no Landlock it is not run.
    fn check<T: Send + 'static + PartialEq + std::fmt::Debug>(
        grants: Vec<Grant>,
        run: impl FnOnce() -> T + Send + 'static,
        expected: T,
    ) {
        let plan = SandboxPlan::new(grants, Network::None, false);
        match within(&plan, run) {
            Ok(outcome) => assert_eq!(outcome, expected),
            Err(error) => {
                assert!(matches!(error, SandboxError::NotOffered { .. } | SandboxError::TooOld { .. }), "{error}")
            }
        }
    }

    #[test]
    fn what_is_excluded_from_a_root_is_out_of_reach() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        for (name, file) in [("finance", "pay"), ("trips", "rome")] {
            fs::create_dir(path.join(name)).unwrap();
            fs::write(path.join(name).join(file), "x").unwrap();
        }
        fs::write(path.join("plan"), "x").unwrap();
        let root = SandboxRoot { path: path.clone(), exclude: vec!["**/finance/**".into()] };
        let grants = exclusions::grants(&root, Access::Write).unwrap();
        let can = move || {
            [
                fs::write(path.join("plan"), "y").is_ok(),
                fs::write(path.join("trips/paris"), "y").is_ok(),
                fs::read_dir(path.join("trips")).is_ok(),
                fs::read(path.join("finance/pay")).is_ok(),
                fs::read_dir(path.join("finance")).is_ok(),
                fs::rename(path.join("finance/pay"), path.join("trips/pay")).is_ok(),
                fs::rename(path.join("finance"), path.join("trips/finance")).is_ok(),
                fs::hard_link(path.join("finance/pay"), path.join("trips/pay")).is_ok(),
                fs::write(path.join("new"), "y").is_ok(),
                fs::read_dir(&path).is_ok(),
            ]
        };
        check(grants, can, [true, true, true, false, false, false, false, false, false, false]);
    }

    #[test]
    fn only_the_thread_that_starts_the_server_is_restricted() {
        check(system::grants().collect(), || fs::read_dir(std::env::temp_dir()).is_ok(), false);
        assert!(fs::read_dir(std::env::temp_dir()).is_ok());
        assert!(std::os::unix::net::UnixDatagram::unbound().is_ok());
    }

    #[test]
    fn sockets_are_those_that_the_network_allows() {
        use std::net::{TcpListener, UdpSocket};
        use std::os::unix::net::{UnixDatagram, UnixStream};
        let loopback = ("127.0.0.1", 0);
        for (network, unix_sockets, expected) in [
            (Network::Any, false, [true, true, false]),
            (Network::Ports(vec![443]), false, [false, true, false]),
            (Network::None, false, [false, false, false]),
            (Network::None, true, [false, false, true]),
        ] {
            let plan = SandboxPlan::new(system::grants(), network.clone(), unix_sockets);
            let can = move || {
                // A pair leads nowhere but to whoever has it.
                assert!(UnixStream::pair().is_ok());
                [
                    TcpListener::bind(loopback).is_ok(),
                    UdpSocket::bind(loopback).is_ok(),
                    UnixDatagram::unbound().is_ok(),
                ]
            };
            match within(&plan, can) {
                Ok(outcome) => assert_eq!(outcome, expected, "{network:?}"),
                Err(error) => assert!(!matches!(error, SandboxError::Refused { .. }), "{error}"),
            }
        }
    }

    #[test]
    fn a_required_grant_has_to_be_there() {
        let plan = SandboxPlan::new([Grant::required("/no/such/file", Access::Read)], Network::Any, false);
        let error = within(&plan, || ()).unwrap_err();
        assert!(!matches!(error, SandboxError::Refused { .. }), "{error}");
        check(vec![Grant::new("/no/such/file", Access::Read)], || (), ());
    }
}
