//! The servers that nobody here wrote, and what to do where they are not installed.
//!
//! `cargo xtask test` installs them and says where, in `ASKBACK_PEERS`. A test that cannot run is skipped aloud: it says so on standard
//! error and in the file `ASKBACK_SKIP_LOG`, and fails under `ASKBACK_REQUIRE_ALL=1`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A server that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The program and its arguments.
    pub command: Vec<String>,
}

/// The peer of this name, or nothing when it is not here: then the test is skipped, and has said so.
///
/// # Panics
/// When there is no peer of that name at all, or when none may be skipped.
pub fn peer(test: &str, name: &str) -> Option<Peer> {
    let Some(folder) = std::env::var_os("ASKBACK_PEERS").map(PathBuf::from) else {
        skip(test, "ASKBACK_PEERS is not set; `cargo xtask test` sets up the peers");
        return None;
    };
    let (program, script, rest): (PathBuf, PathBuf, &[&str]) = match name {
        "python-modern" => (folder.join("python-venv/bin/python"), folder.join("python-modern/server.py"), &[]),
        "model" => (folder.join("model-venv/bin/python"), folder.join("model/serve.py"), &[]),
        "typescript-modern" => ("node".into(), folder.join("typescript-modern/server.mjs"), &[]),
        "everything" => {
            let package = "everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js";
            ("node".into(), folder.join(package), &["stdio"])
        }
        _ => panic!("there is no peer {name:?}"),
    };
    let missing = [&program, &script].into_iter().find(|path| !is_there(path));
    if let Some(missing) = missing {
        skip(test, &format!("{} is not there", missing.display()));
        return None;
    }
    let mut command = vec![program.display().to_string(), script.display().to_string()];
    command.extend(rest.iter().map(|word| (*word).to_owned()));
    Some(Peer { command })
}

/// Says that a test cannot run.
///
/// # Panics
/// Under `ASKBACK_REQUIRE_ALL=1`.
pub fn skip(test: &str, reason: &str) {
    let line = format!("SKIPPED: {test}: {reason}\n");
    eprint!("{line}");
    if let Some(log) = std::env::var_os("ASKBACK_SKIP_LOG") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&log);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        if let Err(error) = written {
            eprintln!("cannot write {}: {error}", Path::new(&log).display());
        }
    }
    let none_may = std::env::var("ASKBACK_REQUIRE_ALL").is_ok_and(|value| value == "1");
    assert!(!none_may, "{test} cannot run, and none may be skipped: {reason}");
}

/// Whether a program or file is there; a bare name is looked for where programs are.
fn is_there(path: &Path) -> bool {
    if path.components().count() > 1 {
        return path.exists();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(path).exists())
}
