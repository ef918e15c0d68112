//! `askback.toml`: the project's over the user's.
//!
//! Owns the shape of the file and the merge of the two. What this version does not do yet is refused, never passed over in silence: a rule
//! that denies must not look as if it were in force.

mod models;
mod oauth;
mod sandbox;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askback_core::ServerName;
use askback_core::roots::Root;
use askback_core::sampling::MANUAL_MODEL;
use askback_desk::Texts;
use askback_host::{ServerAddress, ServerCommand, ServerSource};
use askback_wire::{ProtocolChoice, Revision};
use serde::Deserialize;
use url::Url;

pub(crate) use self::models::{ModelConfig, SamplingConfig, ServerSampling};
use self::models::{SamplingText, ServerSamplingText};
use self::oauth::OAuthText;
pub(crate) use self::oauth::{OAuthConfig, OAuthGrant};
pub(crate) use self::sandbox::SandboxConfig;
use crate::duration;
use crate::failure::{Failure, FailureKind};

/// What is configured.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) servers: BTreeMap<String, ServerConfig>,
    pub(crate) roots: Vec<Root>,
    pub(crate) message_limit: Option<usize>,
    pub(crate) rounds: Option<u32>,
    /// The user's models, in their order.
    pub(crate) models: Vec<ModelConfig>,
    pub(crate) sampling: SamplingConfig,
}

/// One server.
#[derive(Clone, Debug)]
pub(crate) struct ServerConfig {
    pub(crate) source: ServerSource,
    pub(crate) protocol: ProtocolChoice,
    pub(crate) timeout: Option<Duration>,
    pub(crate) budget: Option<Duration>,
    pub(crate) roots: Vec<Root>,
    pub(crate) oauth: OAuthConfig,
    pub(crate) sampling: ServerSampling,
    pub(crate) sandbox: Option<SandboxConfig>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    #[serde(default)]
    servers: BTreeMap<String, ServerText>,
    #[serde(default)]
    roots: Vec<RootText>,
    #[serde(default)]
    limits: LimitsText,
    #[serde(default)]
    models: toml::Table,
    #[serde(default)]
    sampling: SamplingText,
    policy: Option<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerText {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    headers: Option<BTreeMap<String, String>>,
    protocol: Option<String>,
    timeout: Option<String>,
    budget: Option<String>,
    sandbox: Option<toml::Value>,
    #[serde(default)]
    roots: Vec<RootText>,
    #[serde(default)]
    sampling: ServerSamplingText,
    oauth: Option<OAuthText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RootText {
    path: String,
    name: Option<String>,
    #[serde(default)]
    exclude: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsText {
    message: Option<String>,
    rounds: Option<u32>,
}

/// Where configuration is looked for.
pub(crate) struct Places {
    /// `--config`
    pub(crate) given: Option<PathBuf>,
    /// The working directory.
    pub(crate) here: PathBuf,
    /// The user's configuration folder for this program.
    pub(crate) user: Option<PathBuf>,
    /// The home folder, for `~`.
    pub(crate) home: Option<PathBuf>,
    /// Looks up a variable of the environment.
    pub(crate) variable: fn(&str) -> Option<String>,
    /// Whether this system can have sandboxes at all.
    pub(crate) sandboxes: bool,
}

/// An address that a server can be behind.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{}://", url.scheme()));
    }
    if url.fragment().is_some() {
        return Err("#".to_owned());
    }
    Ok(url)
}

/// Reads the user's file and over it the project's: the nearest `askback.toml` from the working directory upwards. `--config` replaces the
/// project's.
pub(crate) fn load(places: &Places, texts: &Texts) -> Result<Config, Failure> {
    let mut config = Config::default();
    if let Some(user) = places.user.as_ref().map(|folder| folder.join("askback.toml")).filter(|path| path.is_file()) {
        merge(&mut config, read(&user, places, texts)?, &user, texts)?;
    }
    let project = match &places.given {
        Some(path) => Some(path.clone()),
        None => places.here.ancestors().map(|folder| folder.join("askback.toml")).find(|path| path.is_file()),
    };
    if let Some(path) = project {
        merge(&mut config, read(&path, places, texts)?, &path, texts)?;
    }
    check_model_names(&config, texts)?;
    Ok(config)
}

/// Models are named in one file and may be configured in another, so the names are checked when all is read.
fn check_model_names(config: &Config, texts: &Texts) -> Result<(), Failure> {
    let known = |name: &str| name == MANUAL_MODEL || config.models.iter().any(|model| model.card.name == name);
    let default = config.sampling.default.iter().map(|name| ("sampling.default".to_owned(), name));
    let allowed = config.servers.iter().flat_map(|(server, settings)| {
        let names = settings.sampling.models.iter().flatten();
        names.map(move |name| (format!("servers.{server}.sampling.models"), name))
    });
    match default.chain(allowed).find(|(_, name)| !known(name)) {
        None => Ok(()),
        Some((key, name)) => {
            let variables = [("key", key.into()), ("value", name.into())];
            Err(Failure::new(FailureKind::Config, texts.format("config-no-model", &variables)))
        }
    }
}

/// Puts what `file` says over what was said before.
fn merge(config: &mut Config, over: Config, file: &Path, texts: &Texts) -> Result<(), Failure> {
    config.servers.extend(over.servers);
    if !over.roots.is_empty() {
        config.roots = over.roots;
    }
    config.message_limit = over.message_limit.or(config.message_limit);
    config.rounds = over.rounds.or(config.rounds);
    config.models.retain(|model| over.models.iter().all(|other| other.card.name != model.card.name));
    config.models.extend(over.models);
    config.sampling = over.sampling.over(std::mem::take(&mut config.sampling)).map_err(|error| {
        let variables = [
            ("file", file.display().to_string().into()),
            ("key", "sampling.redact".into()),
            ("value", error.to_string().into()),
        ];
        Failure::new(FailureKind::Config, texts.format("config-value", &variables))
    })?;
    Ok(())
}

fn read(path: &Path, places: &Places, texts: &Texts) -> Result<Config, Failure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        let variables = [("file", (&file).into()), ("detail", error.to_string().into())];
        Failure::new(FailureKind::Config, texts.format("config-unreadable", &variables))
    })?;
    let reader = Reader { file: &file, folder: path.parent().unwrap_or(Path::new(".")), places, texts };
    reader.config(&text)
}

struct Reader<'a> {
    file: &'a str,
    folder: &'a Path,
    places: &'a Places,
    texts: &'a Texts,
}

impl Reader<'_> {
    fn config(&self, text: &str) -> Result<Config, Failure> {
        let parsed: FileText = toml::from_str(text).map_err(|error| {
            let message = self.texts.format("config-syntax", &[("file", self.file.into())]);
            let mut failure = Failure::new(FailureKind::Config, message);
            failure.details = error.to_string().lines().map(str::to_owned).collect();
            failure
        })?;
        if parsed.policy.is_some() {
            return Err(self.not_yet("[[policy]]"));
        }
        let mut servers = BTreeMap::new();
        for (name, server) in parsed.servers {
            let read = self.server(&name, server)?;
            servers.insert(name, read);
        }
        let message_limit = parsed.limits.message.as_deref().map(|size| self.size(size)).transpose()?;
        Ok(Config {
            servers,
            roots: self.roots(parsed.roots)?,
            message_limit,
            rounds: parsed.limits.rounds,
            models: models::models(self, parsed.models)?,
            sampling: models::sampling(parsed.sampling),
        })
    }

    fn failure(&self, id: &str, key: &str, value: &str) -> Failure {
        let variables = [("file", self.file.into()), ("key", key.into()), ("value", value.into())];
        Failure::new(FailureKind::Config, self.texts.format(id, &variables))
    }

    fn not_yet(&self, section: &str) -> Failure {
        self.failure("config-not-yet", section, "").hint(self.texts.get("config-not-yet-hint"))
    }

    fn server(&self, name: &str, mut server: ServerText) -> Result<ServerConfig, Failure> {
        let key = |field: &str| format!("servers.{name}.{field}");
        let protocol = match server.protocol.as_deref() {
            None | Some("auto") => ProtocolChoice::Auto,
            Some(version) => match Revision::parse(version) {
                Some(revision) => ProtocolChoice::Only(revision),
                None => return Err(self.failure("config-value", &key("protocol"), version)),
            },
        };
        let time = |field: &str, text: Option<String>| match text {
            None => Ok(None),
            Some(text) => match duration::parse(&text) {
                Some(duration) => Ok(Some(duration)),
                None => Err(self.failure("config-value", &key(field), &text)),
            },
        };
        Ok(ServerConfig {
            protocol,
            timeout: time("timeout", server.timeout.clone())?,
            budget: time("budget", server.budget.clone())?,
            roots: self.roots(std::mem::take(&mut server.roots))?,
            oauth: oauth::read(self, name, &server)?,
            sandbox: sandbox::read(self, name, &server)?,
            sampling: models::of_server(std::mem::take(&mut server.sampling)),
            source: self.source(name, server)?,
        })
    }

    /// Where a server is: a command or an address, and not both.
    fn source(&self, name: &str, server: ServerText) -> Result<ServerSource, Failure> {
        let key = |field: &str| format!("servers.{name}.{field}");
        let of_a_command = [
            ("args", !server.args.is_empty()),
            ("env", !server.env.is_empty()),
            ("cwd", server.cwd.is_some()),
            ("command", server.command.is_some()),
        ];
        match (server.command, server.url) {
            (Some(program), None) => {
                if server.headers.is_some() {
                    return Err(self.failure("config-of-an-address", &key("headers"), ""));
                }
                let is_path = program.starts_with("./") || program.starts_with("../") || program.starts_with('~');
                let program = if is_path { self.path(&program).display().to_string() } else { program };
                let cwd = server.cwd.map(|folder| self.path(&folder));
                Ok(ServerCommand { program, args: server.args, env: server.env, cwd, sandbox: None }.into())
            }
            (None, Some(url)) => {
                if let Some((field, _)) = of_a_command.iter().find(|(_, given)| *given) {
                    return Err(self.failure("config-of-a-command", &key(field), ""));
                }
                let url = self.expanded(&key("url"), &url)?;
                let url = address(&url).map_err(|_| self.failure("config-value", &key("url"), &url))?;
                let mut headers = BTreeMap::new();
                for (field, value) in server.headers.unwrap_or_default() {
                    let value = self.expanded(&key(&format!("headers.{field}")), &value)?;
                    headers.insert(field, value);
                }
                Ok(ServerAddress { url, headers }.into())
            }
            (Some(_), Some(_)) => Err(self.failure("config-of-a-command", &key("command"), "")),
            (None, None) => Err(self.failure("config-no-command", name, "")),
        }
    }

    /// Puts variables of the environment in the place of `${NAME}` and `${NAME:-otherwise}`.
    fn expanded(&self, key: &str, text: &str) -> Result<String, Failure> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            expanded.push_str(before);
            let Some((inside, after)) = after.split_once('}') else {
                return Err(self.failure("config-value", key, "${"));
            };
            let (name, otherwise) = match inside.split_once(":-") {
                Some((name, otherwise)) => (name, Some(otherwise.to_owned())),
                None => (inside, None),
            };
            match (self.places.variable)(name).or(otherwise) {
                Some(value) => expanded.push_str(&value),
                None => return Err(self.failure("config-no-variable", key, name)),
            }
            rest = after;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn roots(&self, roots: Vec<RootText>) -> Result<Vec<Root>, Failure> {
        roots
            .into_iter()
            .map(|root| {
                if !root.exclude.is_empty() {
                    return Err(self.not_yet("roots.exclude"));
                }
                let path = self.path(&root.path).display().to_string();
                Root::from_posix_path(&path, root.name)
                    .map_err(|_| self.failure("config-value", "roots.path", &root.path))
            })
            .collect()
    }

    /// A path as written: `~` is the home folder, and what is relative counts from the file's folder.
    fn path(&self, text: &str) -> PathBuf {
        let path = match (text.strip_prefix('~'), &self.places.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => PathBuf::from(text),
        };
        absolute(&self.places.here.join(self.folder), &path)
    }

    fn size(&self, text: &str) -> Result<usize, Failure> {
        let units = [("KiB", 1usize << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)];
        units
            .into_iter()
            .find_map(|(unit, factor)| text.strip_suffix(unit).map(|number| (number.trim(), factor)))
            .and_then(|(number, factor)| number.parse::<usize>().ok()?.checked_mul(factor))
            .filter(|size| *size > 0)
            .ok_or_else(|| self.failure("config-value", "limits.message", text))
    }
}

/// The path from `folder`, with `.` and `..` taken out as text; links are not followed.
pub(crate) fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

impl Config {
    /// What a server may be told of the workspace: what the command line gives, else what is configured.
    pub(crate) fn roots_for(&self, server: &ServerName, given: &[Root]) -> Vec<Root> {
        let mut roots = given.to_vec();
        roots.extend(self.roots.iter().cloned());
        if let Some(server) = self.servers.get(server.as_str()) {
            roots.extend(server.roots.iter().cloned());
        }
        let mut seen = std::collections::BTreeSet::new();
        roots.retain(|root| seen.insert(root.uri.clone()));
        roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_desk::Lang;

    fn check(text: &str) -> Result<Config, Failure> {
        let texts = Texts::new(Lang::En, &[crate::ASKBACK]);
        let places = Places {
            given: None,
            here: "/w/project".into(),
            user: None,
            home: Some("/home/ada".into()),
            variable: |name| (name == "TOKEN").then(|| "t0".into()),
            sandboxes: true,
        };
        Reader { file: "askback.toml", folder: Path::new("/w/project"), places: &places, texts: &texts }.config(text)
    }

    #[test]
    fn servers_roots_and_limits() {
        let config = check(
            r#"
            [servers.travel]
            command = "./travel"
            args = ["server"]
            protocol = "2025-11-25"
            timeout = "30s"
            roots = [{ path = "sub/../other", name = "Other" }]
            [[roots]]
            path = "~/work"
            [limits]
            message = "1 MiB"
            rounds = 7
            "#,
        )
        .unwrap();
        let travel = &config.servers["travel"];
        assert!(matches!(&travel.source, ServerSource::Command(command) if command.program == "/w/project/travel"));
        assert_eq!(travel.protocol, ProtocolChoice::Only(Revision::V2025_11_25));
        assert_eq!(travel.timeout, Some(Duration::from_secs(30)));
        let roots = config.roots_for(&ServerName::new("travel"), &[]);
        let uris: Vec<&str> = roots.iter().map(|root| root.uri.as_str()).collect();
        assert_eq!(uris, ["file:///home/ada/work", "file:///w/project/other"]);
        assert_eq!((config.message_limit, config.rounds), (Some(1 << 20), Some(7)));
    }

    #[test]
    fn what_is_not_in_force_is_refused() {
        for text in ["[[policy]]\naction = \"deny\"", "[[roots]]\npath = \"/w\"\nexclude = [\"**/x\"]"] {
            let failure = check(text).unwrap_err();
            assert!(failure.message.contains("not supported"), "{text}: {}", failure.message);
        }
    }

    #[test]
    fn an_address_with_header_fields() {
        let config = check(
            r#"
            [servers.remote]
            url = "https://mcp.example.com/${TENANT:-mcp}"
            headers = { Authorization = "Bearer ${TOKEN}" }
            "#,
        );
        let config = config.unwrap();
        let ServerSource::Address(address) = &config.servers["remote"].source else { panic!("an address") };
        assert_eq!(address.url.as_str(), "https://mcp.example.com/mcp");
        assert_eq!(address.headers["Authorization"], "Bearer t0");
        assert!(!format!("{address:?}").contains("t0"), "a secret is shown");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("[servers.a]\ncommand = \"x\"\ntimeout = \"3\"", "servers.a.timeout"),
            ("[servers.a]\ncommand = \"x\"\nprotocol = \"2023-01-01\"", "servers.a.protocol"),
            ("[servers.a]\nargs = []", "a"),
            ("[servers.a]\nurl = \"ftp://x.example/\"", "servers.a.url"),
            ("[servers.a]\nurl = \"https://x.example/\"\nargs = [\"x\"]", "servers.a.args"),
            ("[servers.a]\nurl = \"https://x.example/\"\ncommand = \"x\"", "servers.a.command"),
            ("[servers.a]\ncommand = \"x\"\nheaders = { A = \"b\" }", "servers.a.headers"),
            ("[servers.a]\nurl = \"https://x.example/${NOWHERE}\"", "NOWHERE"),
            ("[limits]\nmessage = \"much\"", "limits.message"),
        ] {
            let failure = check(text).unwrap_err();
            assert!(failure.message.contains(part), "{text}: {}", failure.message);
        }
        let failure = check("[server.a]\ncommand = \"x\"").unwrap_err();
        assert!(failure.details.join("\n").contains("server"), "{failure:?}");
    }
}
