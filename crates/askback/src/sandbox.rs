//! What people are told of a server's sandbox, and the folder that is its own.
//!
//! Decides nothing about what is allowed: that is configuration's, and the host's to enforce.

use std::path::{Path, PathBuf};

use askback_core::display::neutralise_line;
use askback_desk::Texts;
use askback_host::ServerCommand;
use askback_host::sandbox::{Network, Sandbox, SandboxError, SandboxMode};
use serde_json::{Value, json};

use crate::console;

/// What programs say when the system does not let them.
const DENIALS: &[&str] = &["EACCES", "EPERM", "ermission denied", "peration not permitted", "PermissionError"];

/// The folder that is a sandboxed server's home from run to run: that of the same command under the same name.
pub(crate) fn home(name: &str, command: &ServerCommand) -> Option<PathBuf> {
    let place = command.cwd.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    let text = format!("{name}\0{}\0{}", command.line(), place.display());
    // FNV-1a: what it gives must be the same with every build.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(40).collect();
    console::state_folder().map(|folder| folder.join("sandboxes").join(format!("{plain}-{hash:016x}")))
}

/// What it may reach, in one line.
pub(crate) fn line(texts: &Texts, sandbox: &Sandbox) -> String {
    let roots = sandbox.roots.iter().map(|root| root.path.as_path());
    let mut writes: Vec<&Path> = sandbox.write.iter().map(PathBuf::as_path).collect();
    let mut reads: Vec<&Path> = sandbox.read.iter().map(PathBuf::as_path).collect();
    match sandbox.mode {
        SandboxMode::Roots => writes.splice(0..0, roots),
        SandboxMode::ReadOnly => reads.splice(0..0, roots),
    };
    let list = |paths: &[&Path]| {
        let paths: Vec<String> = paths.iter().map(|path| neutralise_line(&path.display().to_string())).collect();
        paths.join(&texts.get("sandbox-comma"))
    };
    let mut parts = Vec::new();
    if writes.is_empty() {
        parts.push(texts.get("sandbox-writes-nothing"));
    } else {
        parts.push(texts.format("sandbox-writes", &[("paths", list(&writes).into())]));
    }
    if !reads.is_empty() {
        parts.push(texts.format("sandbox-reads", &[("paths", list(&reads).into())]));
    }
    match &sandbox.network {
        Network::Any => {}
        Network::None => parts.push(texts.get("sandbox-no-network")),
        Network::Ports(ports) => {
            let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
            parts.push(texts.format("sandbox-ports", &[("ports", ports.join(&texts.get("sandbox-comma")).into())]));
        }
    }
    let name = sandbox.mode.name();
    texts
        .format("sandbox-line", &[("mode", name.into()), ("parts", parts.join(&texts.get("sandbox-semicolon")).into())])
}

/// The same for programs.
pub(crate) fn document(sandbox: Option<&Sandbox>) -> Value {
    let Some(sandbox) = sandbox else { return Value::Null };
    let roots: Vec<&PathBuf> = sandbox.roots.iter().map(|root| &root.path).collect();
    let network = match &sandbox.network {
        Network::Any => json!("any"),
        Network::None => json!("none"),
        Network::Ports(ports) => json!(ports),
    };
    json!({
        "mode": sandbox.mode.name(),
        "roots": roots,
        "read": sandbox.read,
        "write": sandbox.write,
        "network": network,
        "unixSockets": sandbox.unix_sockets,
    })
}

/// Whether a text looks as if the sandbox had something to do with it.
pub(crate) fn may_be_the_reason(text: &str) -> bool {
    DENIALS.iter().any(|word| text.contains(word))
}

/// What to do if the sandbox is the reason for a failure.
pub(crate) fn hint(texts: &Texts, server: &str) -> String {
    texts.format("sandbox-hint", &[("server", server.into())])
}

/// Why a server was not started, and what to do about it.
pub(crate) fn not_started(texts: &Texts, server: &str, error: &SandboxError) -> (String, Option<String>) {
    let name = ("server", server.into());
    match error {
        SandboxError::NotOffered { detail } => {
            let message = texts.format("sandbox-not-offered", &[name, ("detail", detail.into())]);
            (message, Some(texts.format("sandbox-not-offered-hint", &[("server", server.into())])))
        }
        SandboxError::TooOld { what, since } => {
            let message =
                texts.format("sandbox-too-old", &[name, ("what", (*what).into()), ("since", (*since).into())]);
            (message, Some(texts.format("sandbox-too-old-hint", &[("server", server.into())])))
        }
        SandboxError::Path { path, detail } => {
            let path = path.display().to_string();
            let variables = [name, ("path", path.into()), ("detail", detail.into())];
            (texts.format("sandbox-path", &variables), Some(texts.get("sandbox-path-hint")))
        }
        SandboxError::TooMany { path, most } => {
            let path = path.display().to_string();
            let most = u64::try_from(*most).unwrap_or(u64::MAX);
            let variables = [name, ("path", path.into()), ("most", most.into())];
            (texts.format("sandbox-too-many", &variables), Some(texts.get("sandbox-too-many-hint")))
        }
        SandboxError::Glob { glob } => (texts.format("sandbox-glob", &[name, ("glob", glob.into())]), None),
        SandboxError::Container { program } => {
            let message = texts.format("sandbox-container", &[name, ("program", program.into())]);
            (message, Some(texts.get("sandbox-container-hint")))
        }
        SandboxError::Refused { detail } => {
            let message = texts.format("sandbox-refused", &[name, ("detail", detail.into())]);
            (message, Some(texts.format("sandbox-not-offered-hint", &[("server", server.into())])))
        }
    }
}
