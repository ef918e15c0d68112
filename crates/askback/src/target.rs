//! Which servers a command is about, and how they are to be spoken to.

use std::sync::Arc;
use std::time::Duration;

use askback_auth::OAuthAuthorizer;
use askback_core::ServerName;
use askback_core::answer_file::AnswerBook;
use askback_core::call::TimeLimits;
use askback_core::engine::Rules;
use askback_core::roots::Root;
use askback_desk::Texts;
use askback_host::disclosure::Disclosing;
use askback_host::era_memory::EraMemory;
use askback_host::lending::Lender;
use askback_host::{HostOptions, ServerAddress, ServerCommand, ServerSource, ServerSpec};
use askback_wire::{Declared, ProtocolChoice, Revision};

use crate::authorization::{self, Person};
use crate::command_line::Options;
use crate::config::{self, Config, ModelConfig, OAuthConfig, Places, SamplingConfig};
use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::{duration, lending, log, page_opener, sandbox, server_name};

/// Everything that was set up for a run, read and checked before any server is started.
pub(crate) struct Setup {
    config: Config,
    answers: AnswerBook,
    roots: Vec<Root>,
    protocol: Option<ProtocolChoice>,
    timeout: Option<Duration>,
    budget: Option<Duration>,
    person: bool,
    lender: Arc<Lender>,
}

/// A server, and how long calls to it may take.
pub(crate) struct Target {
    pub(crate) spec: ServerSpec,
    pub(crate) limits: TimeLimits,
    /// As whom we come to it, if it is an address.
    oauth: OAuthConfig,
}

impl Target {
    /// Lets the connection get tokens, where the server is an address.
    pub(crate) fn let_in(&mut self, console: &Console, person: Person) {
        if let Some(authorizer) = self.authorizer(console, person) {
            self.spec.authorizer = Some(Arc::new(authorizer));
        }
    }

    /// What gets the tokens for this server; nothing where it is a program.
    pub(crate) fn authorizer(&self, console: &Console, person: Person) -> Option<OAuthAuthorizer> {
        let ServerSource::Address(address) = &self.spec.source else { return None };
        Some(authorization::authorizer(console, self.spec.name.as_str(), &address.url, &self.oauth, person))
    }
}

impl Setup {
    pub(crate) fn read(console: &Console, options: &Options) -> Result<Setup, Failure> {
        let texts = &console.texts;
        let here = std::env::current_dir().map_err(|error| Failure::new(FailureKind::Usage, error.to_string()))?;
        let places = Places {
            given: options.config.as_ref().map(|path| config::absolute(&here, path)),
            here: here.clone(),
            user: console::config_folder(),
            home: console::home(),
            variable: |name| std::env::var(name).ok(),
            sandboxes: cfg!(target_os = "linux"),
        };
        let config = config::load(&places, texts)?;
        let protocol = match options.protocol.as_deref() {
            None => None,
            Some("auto") => Some(ProtocolChoice::Auto),
            Some(version) => match Revision::parse(version) {
                Some(revision) => Some(ProtocolChoice::Only(revision)),
                None => return Err(unknown_version(texts, version)),
            },
        };
        let roots = options.roots.iter().map(|root| given_root(texts, &here, root)).collect::<Result<_, _>>()?;
        Ok(Setup {
            lender: lending::lender(&config, texts),
            config,
            answers: answer_book(texts, &options.answers)?,
            roots,
            protocol,
            timeout: time(texts, "--timeout", options.timeout.as_deref())?,
            budget: time(texts, "--budget", options.budget.as_deref())?,
            person: console.interactive,
        })
    }

    /// Adds scripted answers that come with the program.
    pub(crate) fn add_answers(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.answers.add(name, text).map_err(|error| Failure::new(FailureKind::Answers, error.to_string()))
    }

    /// The names of all configured servers.
    pub(crate) fn names(&self) -> Vec<String> {
        self.config.servers.keys().cloned().collect()
    }

    /// The server that a command line names: a configured one, or an address. `given_name` is what an address is called, if not by its host.
    pub(crate) fn named(&self, name: &str, given_name: Option<&str>, texts: &Texts) -> Result<Target, Failure> {
        if name.contains("://") {
            return self.address(name, given_name, texts);
        }
        let Some(server) = self.config.servers.get(name) else {
            let known = self.names().join(", ");
            let hint = if known.is_empty() {
                texts.get("target-none-configured")
            } else {
                texts.format("target-configured", &[("names", known.into())])
            };
            let message = texts.format("target-unknown", &[("name", name.into())]);
            return Err(Failure::new(FailureKind::Usage, message).hint(hint));
        };
        let name = ServerName::new(name);
        let mut target = self.target(name, server.source.clone(), server.protocol);
        target.limits.leg = self.timeout.or(server.timeout).unwrap_or(target.limits.leg);
        target.limits.budget = self.budget.or(server.budget);
        target.oauth = server.oauth.clone();
        if let (Some(sandbox), ServerSource::Command(command)) = (&server.sandbox, &mut target.spec.source) {
            let roots = self.config.roots_for(&target.spec.name, &self.roots);
            let home = sandbox::home(target.spec.name.as_str(), command);
            command.sandbox = Some(sandbox.sandbox(&roots, home));
        }
        Ok(target)
    }

    /// The user's models, in their order.
    pub(crate) fn models(&self) -> &[ModelConfig] {
        &self.config.models
    }

    /// What servers may have of them.
    pub(crate) fn sampling(&self) -> &SamplingConfig {
        &self.config.sampling
    }

    /// Who lends them.
    pub(crate) fn lender(&self) -> &Arc<Lender> {
        &self.lender
    }

    /// The server that a command after `--` is.
    pub(crate) fn command(&self, command: &[String], name: Option<&str>) -> Target {
        let name = name.map_or_else(|| server_name::name_of(command), str::to_owned);
        let (program, args) = command.split_first().map_or(("", &[][..]), |(program, args)| (program.as_str(), args));
        self.target(ServerName::new(name), ServerCommand::new(program, args.to_vec()), ProtocolChoice::Auto)
    }

    fn address(&self, address: &str, name: Option<&str>, texts: &Texts) -> Result<Target, Failure> {
        let url = config::address(address).map_err(|detail| {
            let variables = [("name", address.into()), ("detail", detail.into())];
            Failure::new(FailureKind::Usage, texts.format("target-url", &variables)).hint(texts.get("target-url-hint"))
        })?;
        let name = name.or(url.host_str()).unwrap_or(address).to_owned();
        Ok(self.target(ServerName::new(name), ServerAddress::new(url), ProtocolChoice::Auto))
    }

    fn target(&self, name: ServerName, source: impl Into<ServerSource>, protocol: ProtocolChoice) -> Target {
        let mut spec = ServerSpec::new(name, source);
        spec.protocol = self.protocol.unwrap_or(protocol);
        spec.declared = self.declared(&spec.name, &spec.source.line());
        if let Some(limit) = self.config.message_limit {
            spec.message_limit = limit;
        }
        let mut limits = TimeLimits::default();
        limits.leg = self.timeout.unwrap_or(limits.leg);
        limits.budget = self.budget;
        Target { spec, limits, oauth: OAuthConfig::default() }
    }

    /// What can be answered right now, and nothing else.
    fn declared(&self, server: &ServerName, source: &str) -> Declared {
        let scripted = self.answers.abilities();
        let lent = self.lender.has_models() && self.lender.permits(server.as_str(), source);
        Declared {
            form: self.person || scripted.form,
            url: self.person || scripted.url,
            sampling: self.person || scripted.sampling || lent,
            sampling_tools: self.person || scripted.sampling || (lent && self.lender.takes_tools(server.as_str())),
            sampling_context: self
                .config
                .servers
                .get(server.as_str())
                .is_some_and(|server| server.sampling.include_context),
            roots: scripted.roots || !self.config.roots_for(server, &self.roots).is_empty(),
        }
    }

    /// Options for a host that talks to these servers.
    pub(crate) fn host_options<'a>(
        &self,
        servers: impl IntoIterator<Item = &'a ServerSpec>,
        log_level: Option<&str>,
    ) -> HostOptions {
        let servers: Vec<&ServerSpec> = servers.into_iter().collect();
        let roots = servers.iter().map(|spec| (spec.name.clone(), self.config.roots_for(&spec.name, &self.roots)));
        let lent = servers.iter().filter(|spec| self.lender.permits(spec.name.as_str(), &spec.source.line()));
        let mut rules = Rules {
            person: self.person,
            roots: roots.collect(),
            answers: self.answers.clone(),
            models: self.lender.has_models(),
            lent: lent.map(|spec| spec.name.clone()).collect(),
            ..Rules::default()
        };
        rules.rounds = self.config.rounds.unwrap_or(rules.rounds);
        HostOptions {
            rules,
            memory: console::state_folder().map(|folder| EraMemory::new(folder.join("eras.json"))),
            opener: Some(page_opener::opener()),
            lender: Some(Arc::clone(&self.lender)),
            log_level: log_level.map(str::to_owned),
            lists: console::list_folder(),
            disclosing: log::disclosures()
                .map(|log| Disclosing { log, redactor: self.config.sampling.redactor.clone() }),
        }
    }
}

fn unknown_version(texts: &Texts, version: &str) -> Failure {
    let known: Vec<&str> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
    let message = texts.format("usage-protocol", &[("value", version.into())]);
    Failure::new(FailureKind::Usage, message)
        .hint(texts.format("usage-protocol-hint", &[("known", known.join(", ").into())]))
}

fn time(texts: &Texts, option: &str, text: Option<&str>) -> Result<Option<Duration>, Failure> {
    let Some(text) = text else { return Ok(None) };
    duration::parse(text).map(Some).ok_or_else(|| {
        let message = texts.format("usage-duration", &[("option", option.into()), ("value", text.into())]);
        Failure::new(FailureKind::Usage, message).hint(texts.get("usage-duration-hint"))
    })
}

/// A root as given with `--root`: a folder, or a `file://` URI.
fn given_root(texts: &Texts, here: &std::path::Path, text: &str) -> Result<Root, Failure> {
    let fail = |detail: String| {
        let message = texts.format("usage-root", &[("value", text.into()), ("detail", detail.into())]);
        Failure::new(FailureKind::Usage, message)
    };
    if text.contains("://") {
        return Root::from_uri(text, None).map_err(|error| fail(error.to_string()));
    }
    let path = config::absolute(here, std::path::Path::new(text));
    if !path.is_dir() {
        return Err(fail(texts.get("usage-root-no-folder")));
    }
    let Some(path) = path.to_str() else { return Err(fail(texts.get("usage-root-not-utf8"))) };
    Root::from_posix_path(path, None).map_err(|error| fail(error.to_string()))
}

fn answer_book(texts: &Texts, files: &[String]) -> Result<AnswerBook, Failure> {
    let mut book = AnswerBook::default();
    for file in files {
        let (name, text) = if file == "-" {
            (texts.get("answers-stdin"), std::io::read_to_string(std::io::stdin()))
        } else {
            (file.clone(), std::fs::read_to_string(file))
        };
        let text = text.map_err(|error| {
            let variables = [("file", (&name).into()), ("detail", error.to_string().into())];
            Failure::new(FailureKind::Answers, texts.format("answers-unreadable", &variables))
        })?;
        book.add(&name, &text).map_err(|error| {
            let mut failure =
                Failure::new(FailureKind::Answers, texts.format("answers-invalid", &[("file", (&name).into())]));
            failure.details = error.to_string().lines().map(str::to_owned).collect();
            failure
        })?;
    }
    Ok(book)
}
