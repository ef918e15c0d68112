//! How a server is started and spoken to: the host's own description, made from configuration or the command line.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use askback_core::call::ServerName;
use askback_wire::framing::DEFAULT_MESSAGE_LIMIT;
use askback_wire::{Declared, ProtocolChoice};
use url::Url;

use crate::authorization::Authorizer;
use crate::sandbox::Sandbox;

/// A server to connect to.
#[derive(Clone, Debug)]
pub struct ServerSpec {
    /// What we call it.
    pub name: ServerName,
    /// Where it is.
    pub source: ServerSource,
    /// Which revision to speak.
    pub protocol: ProtocolChoice,
    /// What it is told that can be answered.
    pub declared: Declared,
    /// The cap on one message, in bytes.
    pub message_limit: usize,
    /// The longest that starting and agreeing on a revision may take, over all tries; a person who logs in meanwhile takes their time.
    pub connect_timeout: Duration,
    /// Where tokens come from, for an address.
    pub authorizer: Option<Arc<dyn Authorizer>>,
}

/// Where a server is, and so how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerSource {
    /// A program that is started for us alone.
    Command(ServerCommand),
    /// An address that is spoken to over HTTP.
    Address(ServerAddress),
}

impl ServerSource {
    /// What a person would type or see to know which server this is: the command line, or the address.
    pub fn line(&self) -> String {
        match self {
            ServerSource::Command(command) => command.line(),
            ServerSource::Address(address) => address.url.to_string(),
        }
    }

    /// What a program may reach; nothing where it may reach everything, or is no program of ours.
    pub fn sandbox(&self) -> Option<&Sandbox> {
        match self {
            ServerSource::Command(command) => command.sandbox.as_ref(),
            ServerSource::Address(_) => None,
        }
    }

    /// Whether it is spoken to over HTTP.
    pub fn is_address(&self) -> bool {
        matches!(self, ServerSource::Address(_))
    }
}

impl From<ServerAddress> for ServerSource {
    fn from(address: ServerAddress) -> ServerSource {
        ServerSource::Address(address)
    }
}

impl From<ServerCommand> for ServerSource {
    fn from(command: ServerCommand) -> ServerSource {
        ServerSource::Command(command)
    }
}

/// An address over HTTP, and what is sent along with everything.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerAddress {
    /// The MCP endpoint.
    pub url: Url,
    /// Header fields of the user's own, by name. Their values may be secrets.
    pub headers: BTreeMap<String, String>,
}

impl ServerAddress {
    /// An address without fields of the user's own.
    pub fn new(url: Url) -> ServerAddress {
        ServerAddress { url, headers: BTreeMap::new() }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.headers.keys().collect();
        formatter.debug_struct("ServerAddress").field("url", &self.url.as_str()).field("headers", &names).finish()
    }
}

/// A program that speaks over its standard streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerCommand {
    /// The program: a name to look up or a path.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables added to the few that every server gets.
    pub env: BTreeMap<String, String>,
    /// Where it runs; here if not given.
    pub cwd: Option<PathBuf>,
    /// What it may reach; everything that the user may if not given.
    pub sandbox: Option<Sandbox>,
}

impl ServerCommand {
    /// A program with arguments, nothing else.
    pub fn new(program: impl Into<String>, args: impl IntoIterator<Item = impl Into<String>>) -> ServerCommand {
        ServerCommand {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            env: BTreeMap::new(),
            cwd: None,
            sandbox: None,
        }
    }

    /// The command as a person would type it.
    pub fn line(&self) -> String {
        std::iter::once(&self.program)
            .chain(&self.args)
            .map(|word| {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
                if !word.is_empty() && word.chars().all(plain) {
                    word.clone()
                } else {
                    format!("'{}'", word.replace('\'', "'\\''"))
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl ServerSpec {
    /// A server with everything but its name and place left at the defaults.
    pub fn new(name: ServerName, source: impl Into<ServerSource>) -> ServerSpec {
        ServerSpec {
            name,
            source: source.into(),
            protocol: ProtocolChoice::Auto,
            declared: Declared::default(),
            message_limit: DEFAULT_MESSAGE_LIMIT,
            connect_timeout: Duration::from_secs(120),
            authorizer: None,
        }
    }
}
