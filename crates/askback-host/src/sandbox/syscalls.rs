//! The system calls that lead around the rules on files, or out of the network that is allowed: a seccomp filter.
//!
//! Landlock (as of Linux 6.18) does not look at sockets that are files, at UDP, nor at what is done through io_uring, and says nothing of
//! kernel keyrings. A socket of a desktop bus or of a container engine would do anything for whoever reaches it.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
    SeccompFilter, SeccompRule,
};

use super::{Network, SandboxError};

/// Calls that no server has a use for within its sandbox. Most of them are open to root alone, who may well be the user.
const NEVER: &[i64] = &[
    libc::SYS_open_by_handle_at,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_fanotify_init,
    libc::SYS_fsopen,
    libc::SYS_open_tree,
    libc::SYS_reboot,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// The flag of `sendto` and its like that makes a connection without `connect`.
const FAST_OPEN: u64 = 0x2000_0000;
/// The part of a socket's type that is no flag.
const TYPE: u64 = 0xf;

/// The filter for a sandbox.
pub(super) fn filter(network: &Network, unix_sockets: bool) -> Result<BpfProgram, SandboxError> {
    let refused = |error: seccompiler::BackendError| SandboxError::Refused { detail: error.to_string() };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = NEVER.iter().map(|call| (*call, Vec::new())).collect();
    let sockets = sockets(network, unix_sockets).map_err(refused)?;
    rules.insert(libc::SYS_socket, sockets);
    if let Network::Ports(_) = network {
        for (call, argument) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
            let fast = Condition::new(argument, Len::Dword, Op::MaskedEq(FAST_OPEN), FAST_OPEN).map_err(refused)?;
            rules.insert(call, vec![SeccompRule::new(vec![fast]).map_err(refused)?]);
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        // The same calls by the numbers of x32, which count as the same architecture.
        let by_other_numbers: Vec<_> = rules.iter().map(|(call, rules)| (call | 0x4000_0000, rules.clone())).collect();
        rules.extend(by_other_numbers);
    }
    let architecture = std::env::consts::ARCH.try_into().map_err(refused)?;
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, architecture).map_err(refused)?;
    filter.try_into().map_err(refused)
}

/// Which sockets cannot be made. No rule at all means: none can.
fn sockets(network: &Network, unix_sockets: bool) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let (unix, netlink) = (libc::AF_UNIX, libc::AF_NETLINK);
    let mut families = match network {
        Network::Any | Network::Ports(_) => vec![libc::AF_INET, libc::AF_INET6, netlink],
        Network::None => Vec::new(),
    };
    families.extend(unix_sockets.then_some(unix));
    let number = |value: i32| u64::from(value.unsigned_abs());
    let is_not = |argument: u8, value: i32| Condition::new(argument, Len::Dword, Op::Ne, number(value));
    let other: Result<Vec<Condition>, _> = families.iter().map(|family| is_not(0, *family)).collect();
    let other = other?;
    if other.is_empty() {
        return Ok(Vec::new());
    }
    let mut rules = vec![SeccompRule::new(other)?];
    if let Network::Ports(_) = network {
        // Landlock's ports are those of TCP. What is left besides is UDP, for the names of hosts.
        for family in [libc::AF_INET, libc::AF_INET6] {
            let family = Condition::new(0, Len::Dword, Op::Eq, number(family))?;
            for kind in (0..=TYPE).filter(|kind| ![number(libc::SOCK_STREAM), number(libc::SOCK_DGRAM)].contains(kind))
            {
                let kind = Condition::new(1, Len::Dword, Op::MaskedEq(TYPE), kind)?;
                rules.push(SeccompRule::new(vec![family.clone(), kind])?);
            }
            let protocols = [0, libc::IPPROTO_TCP, libc::IPPROTO_UDP];
            let others: Result<Vec<Condition>, _> = protocols.iter().map(|protocol| is_not(2, *protocol)).collect();
            rules.push(SeccompRule::new(std::iter::once(family).chain(others?).collect())?);
        }
    }
    Ok(rules)
}
