//! `cargo xtask setup`: installs the servers and clients that nobody here wrote, under `target/peers`.
//!
//! Each folder of `peers/` is copied to `target/peers/NAME`, and its packages are installed there: npm packages beside
//! the copied scripts, Python packages in the environment `python-venv` beside them. A stamp says what was installed
//! last, so a second run does nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::program::{program, quietly, succeeds};
use crate::{Failure, Outcome, root, target};

struct Peer {
    /// Its folder under `peers/`.
    name: &'static str,
    packages: Packages,
    /// Installed only for benchmarks.
    bench_only: bool,
    what: &'static str,
}

/// Where a peer's packages come from.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Packages {
    Npm,
    Python,
    /// The pinned packages without what they say they need, where it is not needed and takes long to build.
    PythonAlone,
}

const PEERS: &[Peer] = &[
    Peer { name: "python-modern", packages: Packages::Python, bench_only: false, what: "server on the Python SDK" },
    Peer {
        name: "typescript-modern",
        packages: Packages::Npm,
        bench_only: false,
        what: "server on the TypeScript SDK",
    },
    Peer { name: "everything", packages: Packages::Npm, bench_only: false, what: "the legacy reference server" },
    Peer { name: "model", packages: Packages::PythonAlone, bench_only: false, what: "a small language model" },
    Peer { name: "npm-servers", packages: Packages::Npm, bench_only: false, what: "servers in use, from npm" },
    Peer { name: "mongodb", packages: Packages::Npm, bench_only: false, what: "MongoDB's server" },
    Peer { name: "python-servers", packages: Packages::Python, bench_only: false, what: "servers in use, from PyPI" },
    Peer { name: "conformance", packages: Packages::Npm, bench_only: false, what: "the official conformance suite" },
    Peer { name: "typescript-client", packages: Packages::Npm, bench_only: true, what: "the TypeScript client" },
    Peer { name: "inspector", packages: Packages::Npm, bench_only: true, what: "Inspector's command line" },
];

/// A package of Debian that the peers need.
struct DebianPackage {
    name: &'static str,
    is_missing: fn() -> bool,
}

const DEBIAN: &[DebianPackage] = &[DebianPackage { name: "python3-venv", is_missing: python_cannot_make_environments }];

fn python_cannot_make_environments() -> bool {
    let can_import = |modules| succeeds(program("python3").args(["-c", modules]));
    can_import("") && !can_import("import venv, pip") && !can_import("import venv, ensurepip")
}

/// Where the peers are installed; tests learn it from `ASKBACK_PEERS`.
pub(crate) fn peers() -> PathBuf {
    target().join("peers")
}

/// The lock file of npm packages; a peer may be without.
const LOCK: &str = "package-lock.json";

enum State {
    Ready,
    Installed { seconds: f32 },
    Missing { why: String },
}

/// Installs what is not there yet and prints what is ready. With `require_all`, a missing peer is a failure.
pub(crate) fn run(bench: bool, require_all: bool) -> Outcome {
    let debian = install_debian_packages();
    let wanted: Vec<&Peer> = PEERS.iter().filter(|peer| bench || !peer.bench_only).collect();
    let states: Vec<State> = thread::scope(|scope| {
        let running: Vec<_> = wanted.iter().map(|peer| scope.spawn(|| set_up(peer))).collect();
        running.into_iter().map(|peer| peer.join().expect("setting up a peer does not panic")).collect()
    });

    println!("{:<19} {:<30} state", "peer", "what");
    for (peer, state) in wanted.iter().zip(&states) {
        let state = match state {
            State::Ready => "ready".to_owned(),
            State::Installed { seconds } => format!("ready, installed in {seconds:.1} s"),
            State::Missing { why } => format!("MISSING: {why}"),
        };
        println!("{:<19} {:<30} {state}", peer.name, peer.what);
    }
    for peer in PEERS.iter().filter(|peer| peer.bench_only && !bench) {
        println!("{:<19} {:<30} not wanted; `cargo xtask setup --bench` installs it", peer.name, peer.what);
    }
    for problem in &debian {
        println!("{problem}");
    }

    let missing = states.iter().filter(|state| matches!(state, State::Missing { .. })).count();
    if require_all && missing > 0 {
        return Err(Failure::new(
            format!("{missing} of {} peers could not be set up", wanted.len()),
            "the table above says why; the tests that need them cannot run without",
        ));
    }
    Ok(())
}

/// Installs the missing ones if this is root, and returns what could not be installed and why.
fn install_debian_packages() -> Vec<String> {
    let missing: Vec<&str> =
        DEBIAN.iter().filter(|package| (package.is_missing)()).map(|package| package.name).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let names = missing.join(" ");
    if !quietly(program("id").arg("-u")).is_ok_and(|user| user.trim() == "0") {
        return vec![format!("Debian packages are missing: run `apt-get install {names}` as root")];
    }
    println!("installing Debian packages: {names}");
    let apt = |arguments: &[&str]| quietly(program("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(arguments));
    let install = [&["install", "--yes", "--no-install-recommends"], missing.as_slice()].concat();
    match apt(&["update"]).and_then(|_| apt(&install)) {
        Ok(_) => Vec::new(),
        Err(why) => vec![format!("Debian packages could not be installed: {why}")],
    }
}

fn set_up(peer: &Peer) -> State {
    let started = Instant::now();
    match prepare(peer.name, peer.what, &[peer.packages]) {
        Ok(false) => State::Ready,
        Ok(true) => State::Installed { seconds: started.elapsed().as_secs_f32() },
        Err(why) => State::Missing { why },
    }
}

/// Copies a folder of `peers/` and installs its packages unless they are there already; says whether it installed any.
pub(crate) fn prepare(name: &str, what: &str, packages: &[Packages]) -> Result<bool, String> {
    let from = root().join("peers").join(name);
    let to = peers().join(name);
    copy_files(&from, &to).map_err(|error| format!("cannot copy {name}: {error}"))?;
    // One for each peer: what one needs may not agree with what another does.
    let environment = to.join("python-venv");
    let mut installed = Vec::new();
    let mut manifests = Vec::new();
    if packages.contains(&Packages::Npm) {
        installed.push(to.join("node_modules"));
        manifests.extend(["package.json", LOCK]);
    }
    if packages.iter().any(|packages| *packages != Packages::Npm) {
        installed.push(environment.join("bin/python"));
        manifests.push("requirements.txt");
    }
    let stamp = to.join("installed.stamp");
    let wanted = hash_of(&to, &manifests).map_err(|error| format!("cannot read the manifests: {error}"))?;
    if installed.iter().all(|path| path.exists()) && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(false);
    }
    println!("installing {name} ({what})");
    let _ = fs::remove_file(&stamp);
    for packages in packages {
        match packages {
            Packages::Npm => install_npm(&to)?,
            Packages::Python => install_python(&to, &environment, &[])?,
            Packages::PythonAlone => install_python(&to, &environment, &["--no-deps"])?,
        }
    }
    fs::write(&stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(true)
}

/// Into a fresh environment, by the pip that belongs to `python3`, or else by one in the environment itself: that costs
/// seconds, and Debian has it in a package of its own.
fn install_python(peer: &Path, environment: &Path, how: &[&str]) -> Result<(), String> {
    let inside = environment.join("bin/python");
    let make = |with: &[&str]| quietly(program("python3").args(["-m", "venv", "--clear"]).args(with).arg(environment));
    let install = |pip: &mut Command| {
        let arguments = ["install", "--quiet", "--no-input", "--disable-pip-version-check", "--requirement"];
        quietly(pip.args(arguments).arg(peer.join("requirements.txt")).args(how))
    };
    make(&["--without-pip"])
        .and_then(|_| install(program("python3").args(["-m", "pip", "--python"]).arg(&inside)))
        .or_else(|_| make(&[]).and_then(|_| install(program(&inside).args(["-m", "pip"]))))
        .map(drop)
}

/// No package of the peers needs its install script, and none gets to run one.
fn install_npm(peer: &Path) -> Result<(), String> {
    // Inspector has no lock file: one of its optional packages cannot be had, and `npm ci` does not forgive that.
    let how: &[&str] = if peer.join(LOCK).exists() { &["ci"] } else { &["install", "--no-package-lock"] };
    let arguments = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
    quietly(program("npm").current_dir(peer).args(how).args(arguments)).map(drop)
}

/// Copies the files of a folder, not its subfolders; a file that is the same already is left alone.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            continue;
        }
        let content = fs::read(entry.path())?;
        let copy = to.join(entry.file_name());
        if fs::read(&copy).ok().as_ref() != Some(&content) {
            fs::write(copy, content)?;
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits, over the manifests: it must stay the same from one compiler to the next.
fn hash_of(folder: &Path, manifests: &[&str]) -> io::Result<String> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for manifest in manifests {
        let content = match fs::read(folder.join(manifest)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && *manifest == LOCK => Vec::new(),
            content => content?,
        };
        for byte in content {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(format!("{hash:016x}"))
}
