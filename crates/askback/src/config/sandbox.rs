//! `sandbox` under `[servers.NAME]`: what the server's process may reach.
//!
//! Owns the shape of that setting. What the roots are is known only when a run begins, so they are put in then.

use std::path::PathBuf;

use askback_core::roots::Root;
use askback_host::sandbox::{Network, Sandbox, SandboxMode, SandboxRoot};
use serde::Deserialize;
use url::Url;

use super::{Reader, ServerText};
use crate::failure::Failure;

/// What a server may reach, without the roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SandboxConfig {
    pub(crate) mode: SandboxMode,
    pub(crate) read: Vec<PathBuf>,
    pub(crate) write: Vec<PathBuf>,
    pub(crate) network: Network,
    pub(crate) unix_sockets: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SandboxText {
    mode: String,
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
    network: Option<toml::Value>,
    #[serde(default)]
    unix_sockets: bool,
}

impl SandboxConfig {
    /// The sandbox for these roots. `home` is the folder that is the server's own from run to run.
    pub(crate) fn sandbox(&self, roots: &[Root], home: Option<PathBuf>) -> Sandbox {
        Sandbox {
            mode: self.mode,
            roots: roots.iter().filter_map(of_root).collect(),
            read: self.read.clone(),
            write: self.write.clone(),
            network: self.network.clone(),
            unix_sockets: self.unix_sockets,
            home,
        }
    }
}

/// A root as a folder of this machine.
fn of_root(root: &Root) -> Option<SandboxRoot> {
    Url::parse(&root.uri).ok()?.to_file_path().ok().map(SandboxRoot::new)
}

pub(super) fn read(reader: &Reader<'_>, name: &str, server: &ServerText) -> Result<Option<SandboxConfig>, Failure> {
    let key = |field: &str| format!("servers.{name}.sandbox{field}");
    let text = match server.sandbox.clone() {
        None => return Ok(None),
        Some(toml::Value::String(mode)) => {
            SandboxText { mode, read: Vec::new(), write: Vec::new(), network: None, unix_sockets: false }
        }
        Some(value) => value.try_into().map_err(|error: toml::de::Error| {
            let mut failure = reader.failure("config-section", &key(""), "");
            failure.details = error.to_string().lines().map(str::to_owned).collect();
            failure
        })?,
    };
    let mode = match text.mode.as_str() {
        "off" if text.read.is_empty() && text.write.is_empty() && text.network.is_none() => return Ok(None),
        "roots" => SandboxMode::Roots,
        "read-only" => SandboxMode::ReadOnly,
        other => return Err(reader.failure("config-value", &key(""), other)),
    };
    if server.url.is_some() {
        return Err(reader.failure("config-of-a-command", &key(""), ""));
    }
    if !reader.places.sandboxes {
        let failure = reader.failure("config-no-sandboxes", &key(""), std::env::consts::OS);
        return Err(failure.hint(reader.texts.get("config-no-sandboxes-hint")));
    }
    if let (SandboxMode::ReadOnly, Some(path)) = (mode, text.write.first()) {
        let failure = reader.failure("config-value", &key(".write"), path);
        return Err(failure.hint(reader.texts.get("config-read-only-hint")));
    }
    let paths = |texts: &[String]| texts.iter().map(|text| reader.path(text)).collect();
    Ok(Some(SandboxConfig {
        mode,
        read: paths(&text.read),
        write: paths(&text.write),
        network: network(text.network).map_err(|value| reader.failure("config-value", &key(".network"), &value))?,
        unix_sockets: text.unix_sockets,
    }))
}

/// What may be done with the network; the value that says nothing of the kind as an error.
fn network(value: Option<toml::Value>) -> Result<Network, String> {
    let Some(value) = value else { return Ok(Network::Any) };
    let port = |value: &toml::Value| u16::try_from(value.as_integer()?).ok().filter(|port| *port > 0);
    match &value {
        toml::Value::String(word) if word == "any" => Ok(Network::Any),
        toml::Value::String(word) if word == "none" => Ok(Network::None),
        toml::Value::Array(ports) if !ports.is_empty() => {
            let read: Option<Vec<u16>> = ports.iter().map(port).collect();
            read.map(Network::Ports).ok_or_else(|| shown(&value))
        }
        other => Err(shown(other)),
    }
}

fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.type_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Places;
    use askback_desk::{Lang, Texts};
    use std::path::Path;

    fn check_where(sandboxes: bool, server: &str) -> Result<Option<SandboxConfig>, Failure> {
        let texts = Texts::new(Lang::En, &[crate::ASKBACK]);
        let places = Places {
            given: None,
            here: "/w/project".into(),
            user: None,
            home: Some("/home/ada".into()),
            variable: |_| None,
            sandboxes,
        };
        let reader = Reader { file: "askback.toml", folder: Path::new("/w/project"), places: &places, texts: &texts };
        let mut config = reader.config(&format!("[servers.a]\n{server}"))?;
        Ok(config.servers.remove("a").and_then(|server| server.sandbox))
    }

    fn check(server: &str) -> Result<Option<SandboxConfig>, Failure> {
        check_where(true, server)
    }

    #[test]
    fn a_word_or_a_table() {
        assert_eq!(check("command = \"x\""), Ok(None));
        assert_eq!(check("command = \"x\"\nsandbox = \"off\""), Ok(None));
        let roots = check("command = \"x\"\nsandbox = \"roots\"").unwrap().unwrap();
        assert_eq!((roots.mode, roots.network), (SandboxMode::Roots, Network::Any));
        let table = "sandbox = { mode = \"roots\", read = [\"~/notes\", \"data\"], write = [\"/w/out\"], network = [443], unix_sockets = true }";
        let table = check(&format!("command = \"x\"\n{table}")).unwrap().unwrap();
        assert_eq!(table.read, [PathBuf::from("/home/ada/notes"), "/w/project/data".into()]);
        assert_eq!(
            (table.write, table.network, table.unix_sockets),
            (vec!["/w/out".into()], Network::Ports(vec![443]), true)
        );
        let read_only =
            check("command = \"x\"\nsandbox = { mode = \"read-only\", network = \"none\" }").unwrap().unwrap();
        assert_eq!((read_only.mode, read_only.network), (SandboxMode::ReadOnly, Network::None));
    }

    #[test]
    fn the_roots_of_the_run_are_put_in() {
        let config = check("command = \"x\"\nsandbox = \"roots\"").unwrap().unwrap();
        let roots = [Root::from_posix_path("/w/a b#c", None).unwrap()];
        assert_eq!(config.sandbox(&roots, None).roots, [SandboxRoot::new("/w/a b#c")]);
    }

    #[test]
    fn what_cannot_be_enforced_is_no_configuration() {
        for (server, part) in [
            ("command = \"x\"\nsandbox = \"strict\"", "strict is no value for servers.a.sandbox"),
            ("command = \"x\"\nsandbox = true", "servers.a.sandbox"),
            ("command = \"x\"\nsandbox = { mode = \"roots\", reed = [] }", "servers.a.sandbox"),
            ("command = \"x\"\nsandbox = { read = [] }", "servers.a.sandbox"),
            ("command = \"x\"\nsandbox = { mode = \"off\", read = [\"/w\"] }", "servers.a.sandbox"),
            ("command = \"x\"\nsandbox = { mode = \"roots\", network = \"some\" }", "servers.a.sandbox.network"),
            ("command = \"x\"\nsandbox = { mode = \"roots\", network = [0] }", "servers.a.sandbox.network"),
            ("command = \"x\"\nsandbox = { mode = \"read-only\", write = [\"/w\"] }", "servers.a.sandbox.write"),
            ("url = \"https://x.example/\"\nsandbox = \"roots\"", "belongs to a command"),
        ] {
            let failure = check(server).unwrap_err();
            assert!(failure.message.contains(part), "{server}: {}", failure.message);
        }
        let failure = check_where(false, "command = \"x\"\nsandbox = \"roots\"").unwrap_err();
        assert!(failure.message.contains("Linux"), "{}", failure.message);
        assert_eq!(check_where(false, "command = \"x\"\nsandbox = \"off\""), Ok(None));
    }
}
