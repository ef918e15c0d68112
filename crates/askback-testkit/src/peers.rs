//! The servers that nobody here wrote, and what to do where they are not installed.
//!
//! `cargo xtask test` installs them and says where, in `ASKBACK_PEERS`. A test that cannot run is skipped aloud: it says so on standard
//! error and in the file `ASKBACK_SKIP_LOG`, and fails under `ASKBACK_REQUIRE_ALL=1`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::served::Served;

/// How a peer is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Over {
    /// Its standard input and output.
    #[serde(rename = "stdio")]
    Stdio,
    /// Streamable HTTP.
    #[serde(rename = "http")]
    Http,
    /// The transport of 2024-11-05, HTTP+SSE.
    #[serde(rename = "sse")]
    Sse,
}

impl Over {
    /// Its name, as the specification writes it.
    pub fn title(self) -> &'static str {
        match self {
            Over::Stdio => "stdio",
            Over::Http => "Streamable HTTP",
            Over::Sse => "HTTP+SSE",
        }
    }
}

/// A server that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The program and its arguments.
    pub command: Vec<String>,
}

/// A server that can be talked to.
pub enum Reach {
    /// Over stdio: whoever talks to it starts it.
    Command(Vec<String>),
    /// Over HTTP: it runs until this is dropped.
    Served(Served),
}

/// The peer of this name, or nothing when it is not here: then the test is skipped, and has said so.
///
/// # Panics
/// When there is no peer of that name at all, or when none may be skipped.
pub fn peer(test: &str, name: &str) -> Option<Peer> {
    command(test, name, Over::Stdio).map(|command| Peer { command })
}

/// The peer of this name over that transport, started where it has to be; nothing when it is not here: then the test is skipped.
///
/// # Panics
/// When there is no such peer, when it does not start, or when none may be skipped.
pub fn reach(test: &str, name: &str, over: Over) -> Option<Reach> {
    let command = command(test, name, over)?;
    if over == Over::Stdio {
        return Some(Reach::Command(command));
    }
    let path = match (name, over) {
        // What it listens with does not know its own paths.
        ("everything", Over::Http) => "/mcp",
        ("everything", _) => "/sse",
        _ => "",
    };
    let served = Served::start(&command, path);
    Some(Reach::Served(served.unwrap_or_else(|problem| panic!("{name} does not serve: {problem}"))))
}

fn command(test: &str, name: &str, over: Over) -> Option<Vec<String>> {
    let Some(folder) = std::env::var_os("ASKBACK_PEERS").map(PathBuf::from) else {
        skip(test, "ASKBACK_PEERS is not set; `cargo xtask test` sets up the peers");
        return None;
    };
    let words = words(&folder, name, over);
    let missing = words.iter().map(Path::new).find(|path| path.is_absolute() && !path.exists());
    let missing = missing.map(Path::to_owned).or_else(|| (!on_path(&words[0])).then(|| words[0].clone().into()));
    if let Some(missing) = missing {
        skip(test, &format!("{} is not there", missing.display()));
        return None;
    }
    Some(words)
}

/// The command that starts a peer; files in it are absolute.
fn words(folder: &Path, name: &str, over: Over) -> Vec<String> {
    let file = |path: &str| folder.join(path).display().to_string();
    let npm = |package: &str| file(&format!("npm-servers/node_modules/{package}"));
    let node = |script: String| vec!["node".to_owned(), script];
    let python = |peer: &str, script: &str| vec![file(&format!("{peer}/python-venv/bin/python")), file(script)];
    let module = |module: &str| vec![file("python-servers/python-venv/bin/python"), "-m".into(), module.into()];
    let mut words = match name {
        "python-modern" => python("python-modern", "python-modern/server.py"),
        "typescript-modern" => node(file("typescript-modern/server.mjs")),
        "model" => python("model", "model/serve.py"),
        "fastmcp" => python("python-servers", "python-servers/fastmcp_server.py"),
        "everything" => return everything(&file, over),
        "filesystem" => node(npm("@modelcontextprotocol/server-filesystem/dist/index.js")),
        "memory" => node(npm("@modelcontextprotocol/server-memory/dist/index.js")),
        "playwright" => node(npm("@playwright/mcp/cli.js")),
        "azure" => {
            // Nothing is told to anybody about how it is used.
            let quiet = ["env", "AZURE_MCP_COLLECT_TELEMETRY=false"].map(str::to_owned);
            let server = [node(npm("@azure/mcp/index.js")), vec!["server".into(), "start".into()]].concat();
            quiet.into_iter().chain(server).collect()
        }
        "mongodb" => {
            let server = node(file("mongodb/node_modules/mongodb-mcp-server/dist/esm/index.js"));
            server.into_iter().chain(["--telemetry".to_owned(), "disabled".to_owned()]).collect()
        }
        "time" => module("mcp_server_time"),
        "git" => module("mcp_server_git"),
        _ => panic!("there is no peer {name:?}"),
    };
    if over == Over::Http {
        words.push("--http".into());
    }
    words
}

/// The reference server; over HTTP it is kept on loopback, and made to say where.
fn everything(file: &impl Fn(&str) -> String, over: Over) -> Vec<String> {
    let script = file("everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let (preload, transport): (&[&str], &str) = match over {
        Over::Stdio => (&[], "stdio"),
        Over::Http => (&["conformance/loopback.cjs", "everything/announce.cjs"], "streamableHttp"),
        Over::Sse => (&["conformance/loopback.cjs", "everything/announce.cjs"], "sse"),
    };
    let preload = preload.iter().flat_map(|path| ["--require".to_owned(), file(path)]);
    std::iter::once("node".to_owned()).chain(preload).chain([script, transport.to_owned()]).collect()
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

/// Whether a program is there; a bare name is looked for where programs are.
fn on_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    Path::new(program).is_absolute() || std::env::split_paths(&folders).any(|folder| folder.join(program).exists())
}
