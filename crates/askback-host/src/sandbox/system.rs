//! What every program needs of the system: its libraries, the names of hosts and users, time zones, certificates, harmless devices.
//!
//! Nothing here tells anything about the user: no home, no temporary folder that is shared, no other process, no terminal, no password.

use super::plan::{Access, Grant};

/// Programs and libraries.
const RUN: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
];

/// What is looked up. Of `/etc` only what holds no secrets.
const READ: &[&str] = &[
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/java",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/networks",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki/tls",
    "/etc/pki/ca-trust",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/static",
    "/etc/terminfo",
    "/etc/timezone",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/fs",
    "/proc/sys/kernel",
    "/proc/sys/net/core",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/proc/version_signature",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Devices that keep nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The grants.
pub(crate) fn grants() -> impl Iterator<Item = Grant> {
    let of = |paths: &'static [&'static str], access| paths.iter().map(move |path| Grant::new(*path, access));
    of(RUN, Access::Run).chain(of(READ, Access::Read)).chain(of(DEVICES, Access::Device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Network, SandboxPlan};
    use std::path::Path;

    #[test]
    fn the_system_keeps_the_users_things_to_itself() {
        let plan = SandboxPlan::new(grants(), Network::Any, false);
        for path in [
            "/etc/shadow",
            "/etc/ssl/private/key.pem",
            "/etc/ssh/ssh_host_ed25519_key",
            "/root/.ssh/id_ed25519",
            "/home/ada/.aws/credentials",
            "/tmp/x",
            "/var/log/auth.log",
            "/run/user/1000/bus",
            "/proc/1/cmdline",
            "/dev/tty",
            "/dev/sda",
            "/dev/shm/x",
        ] {
            assert!(!plan.allows(Path::new(path), Access::Read), "{path}");
            assert!(!plan.allows(Path::new(path), Access::Device), "{path}");
        }
        assert!(plan.allows(Path::new("/usr/bin/node"), Access::Run));
        assert!(!plan.allows(Path::new("/usr/bin/node"), Access::Write));
    }
}
