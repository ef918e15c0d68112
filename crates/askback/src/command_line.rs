//! The command line: what can be given, in the user's language, and what was given.

use std::path::PathBuf;

use askback_desk::{Lang, Texts};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::failure::{Failure, FailureKind};

/// What the user wants done.
#[derive(Debug)]
pub(crate) struct CommandLine {
    pub(crate) task: Task,
    pub(crate) options: Options,
}

/// The commands.
#[derive(Debug)]
pub(crate) enum Task {
    /// `call`, `prompt` and `read`
    Call(CallTask),
    /// `list`
    List(ListTask),
    /// `servers`
    Servers(ServersTask),
    /// `models`
    Models(ModelsTask),
    /// `chat`
    Chat(ChatTask),
    /// `log --disclosed`
    Disclosed {
        /// What the user calls the server.
        server: String,
    },
    /// `roots`
    Roots(RootsTask),
    /// `completions`
    Completions {
        /// The name of a shell, as typed.
        shell: Option<String>,
    },
    /// `complete-words`
    CompleteWords(WordsTask),
    /// `conformance-client`
    ConformanceClient {
        /// The server of the suite.
        url: String,
    },
    /// `demo`
    Demo,
    /// `demo server`
    DemoServer {
        /// The port of loopback to listen on; standard input and output without one.
        http: Option<u16>,
    },
}

/// What is to be done about servers.
#[derive(Debug)]
pub(crate) enum ServersTask {
    /// `servers`
    List,
    /// `servers login`
    Login {
        /// A configured name or an address.
        server: String,
    },
    /// `servers logout`
    Logout {
        /// A configured name or an address.
        server: String,
    },
}

/// What of the models.
#[derive(Debug)]
pub(crate) enum ModelsTask {
    /// `models`
    List,
    /// `models test`
    Test {
        /// The user's name for the model; all if not given.
        model: Option<String>,
    },
    /// `models explain`
    Explain {
        /// The server that would ask.
        server: String,
        /// Its hints, best first.
        hints: Vec<String>,
        /// How much cost, speed and intelligence matter to it.
        priorities: [Option<f64>; 3],
    },
    /// `models detect`
    Detect,
    /// `models stop`, or `models resume`
    Stop(bool),
    /// `models key`
    Key { model: String, forget: bool },
    /// `models revoke`
    Revoke {
        /// The name of the server.
        server: String,
    },
}

/// What of the folders.
#[derive(Debug)]
pub(crate) enum RootsTask {
    /// `roots`
    List,
    /// `roots add`
    Add {
        /// A folder.
        path: String,
        /// A name for people.
        name: Option<String>,
        /// The only server that it is for.
        server: Option<String>,
        /// What of it is never told.
        exclude: Vec<String>,
    },
    /// `roots remove`
    Remove {
        /// A folder that was added.
        path: String,
        /// Only what was added for this server.
        server: Option<String>,
    },
    /// `roots forget`
    Forget {
        /// The name of the server.
        server: String,
    },
}

/// What of the conversations with a model.
#[derive(Debug)]
pub(crate) enum ChatTask {
    /// `chat`
    Talk(TalkTask),
    /// `chat --list`
    List,
    /// `chat --revoke`
    Revoke {
        /// The name of the server.
        server: String,
    },
}

/// A conversation to be held.
#[derive(Debug, Default)]
pub(crate) struct TalkTask {
    /// `--model`
    pub(crate) model: Option<String>,
    /// `--server`; all that are configured if there is none, and no command.
    pub(crate) servers: Vec<String>,
    /// The command after `--`.
    pub(crate) command: Vec<String>,
    /// `--once`
    pub(crate) once: Option<String>,
    /// `--allow`
    pub(crate) allow: Vec<String>,
}

/// Which of the three requests a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Tool,
    Prompt,
    Resource,
}

/// What is to be listed.
#[derive(Debug)]
pub(crate) struct ListTask {
    /// A configured name, or nothing for all of them.
    pub(crate) server: Option<String>,
    /// The command after `--`.
    pub(crate) command: Vec<String>,
    /// `--follow`
    pub(crate) follow: bool,
}

/// A call, as typed.
#[derive(Debug)]
pub(crate) struct CallTask {
    pub(crate) verb: Verb,
    /// The words before `--`: the server unless there is a command, then the subject, then the arguments.
    pub(crate) words: Vec<String>,
    /// The command after `--`.
    pub(crate) command: Vec<String>,
    /// `--args`
    pub(crate) args: Option<String>,
    /// `--follow`
    pub(crate) follow: bool,
}

/// A command line that a shell's script wants completed.
#[derive(Debug)]
pub(crate) struct WordsTask {
    /// The name of the shell.
    pub(crate) shell: String,
    /// Which word has the cursor; not from bash.
    pub(crate) index: Option<usize>,
    /// The words; from bash the line before the cursor, the line after it, and what breaks words.
    pub(crate) words: Vec<String>,
}

/// Options that most commands take.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) answers: Vec<String>,
    pub(crate) allow_unused: bool,
    pub(crate) json: bool,
    pub(crate) no_input: bool,
    pub(crate) roots: Vec<String>,
    pub(crate) protocol: Option<String>,
    pub(crate) timeout: Option<String>,
    pub(crate) budget: Option<String>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) name: Option<String>,
    pub(crate) strict: bool,
    pub(crate) verbose: u8,
}

/// The language: `--lang`, else `ASKBACK_LANG`, else the locale. Read before anything else, as help needs it.
pub(crate) fn language(args: &[String], variable: impl Fn(&str) -> Option<String>) -> Result<Lang, String> {
    let own: Vec<&String> = args.iter().take_while(|arg| *arg != "--").collect();
    let given = own.iter().enumerate().find_map(|(index, arg)| match arg.strip_prefix("--lang") {
        Some("") => own.get(index + 1).map(|next| (*next).clone()),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    });
    if let Some(tag) = given {
        return Lang::from_tag(&tag).ok_or(tag);
    }
    let from_environment = ["ASKBACK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()))
        .and_then(|value| Lang::from_tag(&value));
    Ok(from_environment.unwrap_or_default())
}

/// The definition of the command line.
pub(crate) fn definition(texts: &Texts) -> Command {
    let t = |id: &str| texts.get(id);
    let follow = |about: &str| Arg::new("follow").long("follow").action(ArgAction::SetTrue).help(t(about));
    let call = |name: &'static str, about: &str, usage: &str| {
        common(Command::new(name).about(t(about)).override_usage(t(usage)), texts)
            .arg(Arg::new("words").value_name("WORD").num_args(1..).hide(true))
            .arg(Arg::new("command").value_name("COMMAND").num_args(1..).last(true).help(t("help-command")))
    };
    Command::new("askback")
        .version(env!("CARGO_PKG_VERSION"))
        .about(t("help-about"))
        .help_template(template(texts))
        .override_usage(t("usage-askback"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .next_help_heading(t("help-heading-options"))
        .arg(help_flag(texts))
        .arg(Arg::new("version").short('V').long("version").action(ArgAction::Version).help(t("help-version")))
        .arg(Arg::new("lang").long("lang").value_name("LANG").help(t("help-lang")))
        .subcommand_help_heading(t("help-heading-commands"))
        .subcommand_value_name(t("help-value-command"))
        .subcommand(
            call("call", "help-call", "usage-call")
                .arg(Arg::new("args").long("args").value_name("JSON").help(t("help-args"))),
        )
        .subcommand(call("prompt", "help-prompt", "usage-prompt"))
        .subcommand(call("read", "help-read", "usage-read").arg(follow("help-read-follow")))
        .subcommand(
            common(Command::new("list").about(t("help-list")).override_usage(t("usage-list")), texts)
                .arg(Arg::new("server").value_name("SERVER").help(t("help-list-server")))
                .arg(follow("help-list-follow"))
                .arg(Arg::new("command").value_name("COMMAND").num_args(1..).last(true).help(t("help-command"))),
        )
        .subcommand({
            let server = || Arg::new("server").value_name("SERVER").required(true).help(t("help-servers-server"));
            let sub = |name: &'static str| task("servers", name, texts).arg(server());
            everywhere(common(
                Command::new("servers").about(t("help-servers")).override_usage(t("usage-servers")),
                texts,
            ))
            .subcommand(sub("login"))
            .subcommand(sub("logout"))
        })
        .subcommand(chat_definition(texts))
        .subcommand(models_definition(texts))
        .subcommand(roots_definition(texts))
        .subcommand(common(Command::new("log").about(t("help-log")).override_usage(t("usage-log")), texts).arg(
            Arg::new("disclosed").long("disclosed").value_name("SERVER").required(true).help(t("help-log-disclosed")),
        ))
        .subcommand(
            Command::new("completions")
                .about(t("help-completions"))
                .override_usage(t("usage-completions"))
                .help_template(template(texts))
                .disable_help_flag(true)
                .next_help_heading(t("help-heading-options"))
                .arg(Arg::new("shell").value_name("SHELL").help(t("help-completions-shell")))
                .arg(Arg::new("lang").long("lang").value_name("LANG").help(t("help-lang")))
                .arg(help_flag(texts)),
        )
        .subcommand(
            Command::new("complete-words")
                .hide(true)
                .disable_help_flag(true)
                .arg(Arg::new("shell").required(true))
                .arg(Arg::new("index").value_parser(clap::value_parser!(usize)))
                .arg(Arg::new("words").num_args(0..).last(true)),
        )
        .subcommand(
            common(Command::new("conformance-client").hide(true), texts)
                .arg(Arg::new("url").value_name("URL").required(true)),
        )
        .subcommand(
            common(Command::new("demo").about(t("help-demo")), texts).subcommand(
                Command::new("server").about(t("help-demo-server")).disable_help_flag(true).arg(
                    Arg::new("http")
                        .long("http")
                        .value_name("PORT")
                        .value_parser(clap::value_parser!(u16))
                        .help(t("help-demo-server-http")),
                ),
            ),
        )
}

fn roots_definition(texts: &Texts) -> Command {
    let t = |id: &str| texts.get(id);
    let sub = |name: &'static str| task("roots", name, texts);
    let path = || Arg::new("path").value_name("DIR").required(true).help(t("help-roots-path"));
    let server = || Arg::new("server").long("server").value_name("SERVER").help(t("help-roots-only"));
    everywhere(common(Command::new("roots").about(t("help-roots")).override_usage(t("usage-roots")), texts))
        .subcommand(
            sub("add")
                .override_usage(t("usage-roots-add"))
                .arg(path())
                .arg(Arg::new("name").long("name").value_name("NAME").help(t("help-roots-name")))
                .arg(server())
                .arg(
                    Arg::new("exclude")
                        .long("exclude")
                        .value_name("GLOB")
                        .action(ArgAction::Append)
                        .help(t("help-roots-exclude")),
                ),
        )
        .subcommand(sub("remove").override_usage(t("usage-roots-remove")).arg(path()).arg(server()))
        .subcommand(
            sub("forget")
                .override_usage(t("usage-roots-forget"))
                .arg(Arg::new("server").value_name("SERVER").required(true).help(t("help-roots-server"))),
        )
}

fn roots_task(matches: &ArgMatches) -> Option<RootsTask> {
    let Some((name, matches)) = matches.subcommand() else { return Some(RootsTask::List) };
    let one = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let exclude = || matches.get_many::<String>("exclude").into_iter().flatten().cloned().collect();
    Some(match name {
        "add" => RootsTask::Add { path: one("path")?, name: one("name"), server: one("server"), exclude: exclude() },
        "remove" => RootsTask::Remove { path: one("path")?, server: one("server") },
        "forget" => RootsTask::Forget { server: one("server")? },
        _ => return None,
    })
}

fn chat_definition(texts: &Texts) -> Command {
    let t = |id: &str| texts.get(id);
    let value = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).help(t(&format!("help-chat-{name}")))
    };
    common(Command::new("chat").about(t("help-chat")).override_usage(t("usage-chat")), texts)
        .arg(value("model", "MODEL"))
        .arg(value("server", "SERVER").action(ArgAction::Append))
        .arg(value("once", "TEXT"))
        .arg(value("allow", "TOOL").action(ArgAction::Append))
        .arg(Arg::new("list").long("list").action(ArgAction::SetTrue).help(t("help-chat-list")))
        .arg(value("revoke", "SERVER").conflicts_with("list"))
        .arg(Arg::new("command").value_name("COMMAND").num_args(1..).last(true).help(t("help-chat-command")))
}

fn models_definition(texts: &Texts) -> Command {
    let t = |id: &str| texts.get(id);
    let sub = |name: &'static str| task("models", name, texts);
    let server = || Arg::new("server").value_name("SERVER").required(true).help(t("help-models-server"));
    let priority = |name: &'static str| {
        let parser = clap::value_parser!(f64);
        Arg::new(name).long(name).value_name("0-1").value_parser(parser).help(t("help-models-priority"))
    };
    everywhere(common(Command::new("models").about(t("help-models")).override_usage(t("usage-models")), texts))
        .subcommand(sub("test").arg(Arg::new("model").value_name("MODEL").help(t("help-models-model"))))
        .subcommand(
            sub("explain")
                .arg(server())
                .arg(
                    Arg::new("hint")
                        .long("hint")
                        .value_name("NAME")
                        .action(ArgAction::Append)
                        .help(t("help-models-hint")),
                )
                .arg(priority("cost"))
                .arg(priority("speed"))
                .arg(priority("intelligence")),
        )
        .subcommand(sub("detect"))
        .subcommand(sub("stop"))
        .subcommand(sub("resume"))
        .subcommand(sub("revoke").arg(server()))
        .subcommand(
            sub("key")
                .arg(Arg::new("model").value_name("MODEL").required(true).help(t("help-models-model")))
                .arg(Arg::new("forget").long("forget").action(ArgAction::SetTrue).help(t("help-models-forget"))),
        )
}

fn models_task(matches: &ArgMatches) -> Option<ModelsTask> {
    let Some((name, matches)) = matches.subcommand() else { return Some(ModelsTask::List) };
    let one = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    Some(match name {
        "test" => ModelsTask::Test { model: one("model") },
        "explain" => ModelsTask::Explain {
            server: one("server")?,
            hints: matches.get_many::<String>("hint").into_iter().flatten().cloned().collect(),
            priorities: ["cost", "speed", "intelligence"].map(|id| matches.get_one::<f64>(id).copied()),
        },
        "detect" => ModelsTask::Detect,
        "stop" => ModelsTask::Stop(true),
        "resume" => ModelsTask::Stop(false),
        "key" => ModelsTask::Key { model: one("model")?, forget: matches.get_flag("forget") },
        "revoke" => ModelsTask::Revoke { server: one("server")? },
        _ => return None,
    })
}

fn template(texts: &Texts) -> String {
    format!("{{about-with-newline}}\n{}{{usage}}\n\n{{all-args}}{{after-help}}", texts.get("help-heading-usage"))
}

fn help_flag(texts: &Texts) -> Arg {
    Arg::new("help").short('h').long("help").action(ArgAction::Help).help(texts.get("help-help"))
}

/// A command of a command, such as `models test`.
fn task(of: &str, name: &'static str, texts: &Texts) -> Command {
    Command::new(name)
        .about(texts.get(&format!("help-{of}-{name}")))
        .help_template(template(texts))
        .disable_help_flag(true)
        .next_help_heading(texts.get("help-heading-options"))
        .arg(help_flag(texts))
}

/// The options of a command that has commands of its own, taken after their names as well.
fn everywhere(command: Command) -> Command {
    // There they stand after what is that command's own.
    let mut order = 100..;
    command.mut_args(|arg| {
        if arg.get_id() == "help" { arg } else { arg.global(true).display_order(order.next().unwrap_or_default()) }
    })
}

fn common(command: Command, texts: &Texts) -> Command {
    let t = |id: &str| texts.get(id);
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let value = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    command
        .disable_help_flag(true)
        .help_template(template(texts))
        .subcommand_help_heading(t("help-heading-commands"))
        .next_help_heading(t("help-heading-options"))
        .arg(value("answers", "FILE").action(ArgAction::Append).help(t("help-answers")))
        .arg(flag("allow-unused").help(t("help-allow-unused")))
        .arg(flag("json").help(t("help-json")))
        .arg(flag("no-input").help(t("help-no-input")))
        .arg(value("root", "DIR").action(ArgAction::Append).help(t("help-root")))
        .arg(value("protocol", "VERSION").help(t("help-protocol")))
        .arg(value("timeout", "DURATION").help(t("help-timeout")))
        .arg(value("budget", "DURATION").help(t("help-budget")))
        .arg(value("config", "FILE").help(t("help-config")))
        .arg(value("as", "NAME").help(t("help-as")))
        .arg(flag("strict").help(t("help-strict")))
        .arg(value("lang", "LANG").help(t("help-lang")))
        .arg(Arg::new("verbose").short('v').long("verbose").action(ArgAction::Count).help(t("help-verbose")))
        .arg(help_flag(texts))
}

/// What is wrong with the words that were given.
pub(crate) fn mistake(texts: &Texts, error: &clap::Error) -> Failure {
    let word = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(list)) => list.join(" "),
        _ => String::new(),
    };
    let (id, word) = match error.kind() {
        ErrorKind::UnknownArgument => ("usage-unknown-option", word(ContextKind::InvalidArg)),
        ErrorKind::InvalidSubcommand => ("usage-unknown-command", word(ContextKind::InvalidSubcommand)),
        ErrorKind::InvalidValue | ErrorKind::WrongNumberOfValues | ErrorKind::TooFewValues => {
            ("usage-no-value", word(ContextKind::InvalidArg))
        }
        ErrorKind::MissingRequiredArgument => ("usage-missing", word(ContextKind::InvalidArg)),
        ErrorKind::MissingSubcommand => ("usage-no-command", String::new()),
        ErrorKind::ArgumentConflict => ("usage-twice", word(ContextKind::InvalidArg)),
        _ => {
            let text = error.render().to_string();
            let first = text.lines().next().unwrap_or_default();
            return Failure::new(FailureKind::Usage, first.trim_start_matches("error: "));
        }
    };
    let failure = Failure::new(FailureKind::Usage, texts.format(id, &[("word", word.into())]));
    let suggested = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand].into_iter().find_map(|kind| {
        match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.clone()),
            Some(ContextValue::Strings(list)) => list.first().cloned(),
            _ => None,
        }
    });
    match suggested {
        Some(suggested) => failure.hint(texts.format("usage-did-you-mean", &[("word", suggested.into())])),
        None => failure.hint(texts.get("usage-see-help")),
    }
}

/// What was given.
pub(crate) fn read(matches: &ArgMatches) -> Option<CommandLine> {
    let (name, matches) = matches.subcommand()?;
    let words = |id: &str| -> Vec<String> {
        matches.try_get_many::<String>(id).ok().flatten().map(|words| words.cloned().collect()).unwrap_or_default()
    };
    let one = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let follow = || matches.try_get_one::<bool>("follow").ok().flatten().copied().unwrap_or(false);
    let call = |verb| {
        let (words, command) = (words("words"), words("command"));
        Task::Call(CallTask { verb, words, command, args: one("args"), follow: follow() })
    };
    let task = match name {
        "completions" => {
            return Some(CommandLine { task: Task::Completions { shell: one("shell") }, options: Options::default() });
        }
        "complete-words" => {
            let index = matches.get_one::<usize>("index").copied();
            let task = Task::CompleteWords(WordsTask { shell: one("shell")?, index, words: words("words") });
            return Some(CommandLine { task, options: Options { no_input: true, ..Options::default() } });
        }
        "call" => call(Verb::Tool),
        "prompt" => call(Verb::Prompt),
        "read" => call(Verb::Resource),
        "list" => Task::List(ListTask { server: one("server"), command: words("command"), follow: follow() }),
        "servers" => Task::Servers(match matches.subcommand() {
            Some(("login", matches)) => ServersTask::Login { server: matches.get_one::<String>("server")?.clone() },
            Some(("logout", matches)) => ServersTask::Logout { server: matches.get_one::<String>("server")?.clone() },
            _ => ServersTask::List,
        }),
        "models" => Task::Models(models_task(matches)?),
        "roots" => Task::Roots(roots_task(matches)?),
        "chat" if matches.get_flag("list") => Task::Chat(ChatTask::List),
        "chat" => Task::Chat(match one("revoke") {
            Some(server) => ChatTask::Revoke { server },
            None => ChatTask::Talk(TalkTask {
                model: one("model"),
                servers: words("server"),
                command: words("command"),
                once: one("once"),
                allow: words("allow"),
            }),
        }),
        "log" => Task::Disclosed { server: one("disclosed")? },
        "conformance-client" => Task::ConformanceClient { url: one("url")? },
        "demo" if matches.subcommand_name() == Some("server") => {
            let http = matches.subcommand().and_then(|(_, matches)| matches.get_one::<u16>("http").copied());
            Task::DemoServer { http }
        }
        "demo" => Task::Demo,
        _ => return None,
    };
    let options = Options {
        answers: words("answers"),
        allow_unused: matches.get_flag("allow-unused"),
        json: matches.get_flag("json"),
        no_input: matches.get_flag("no-input"),
        roots: words("root"),
        protocol: one("protocol"),
        timeout: one("timeout"),
        budget: one("budget"),
        config: one("config").map(PathBuf::from),
        name: one("as"),
        strict: matches.get_flag("strict"),
        verbose: matches.get_count("verbose"),
    };
    Some(CommandLine { task, options })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Result<CommandLine, String> {
        let texts = Texts::new(Lang::En, &[crate::ASKBACK]);
        let words = std::iter::once("askback").chain(line.split_whitespace());
        let matches = definition(&texts).try_get_matches_from(words).map_err(|error| error.to_string())?;
        read(&matches).ok_or_else(|| "no command".into())
    }

    #[test]
    fn a_call_takes_words_options_and_a_command() {
        let read = check("call ask city=Rome n:=1 --json --answers a.toml --answers - -- npx -y x --flag").unwrap();
        let Task::Call(call) = read.task else { panic!() };
        assert_eq!(call.words, ["ask", "city=Rome", "n:=1"]);
        assert_eq!(call.command, ["npx", "-y", "x", "--flag"]);
        assert_eq!(read.options.answers, ["a.toml", "-"]);
        assert!(read.options.json);
    }

    #[test]
    fn a_mistake_is_told_in_the_language_of_the_run() {
        let texts = Texts::new(Lang::ZhCn, &[crate::ASKBACK]);
        let message = |line: &str| {
            let words = std::iter::once("askback").chain(line.split_whitespace());
            mistake(&texts, &definition(&texts).try_get_matches_from(words).unwrap_err()).message
        };
        assert_eq!(message("call --nonsense"), "没有选项 --nonsense");
        assert_eq!(message("cal"), "没有命令 cal");
        assert_eq!(message("call --args"), "选项 --args <JSON> 缺少值");
    }

    #[test]
    fn the_demo_has_a_server() {
        assert!(matches!(check("demo server").unwrap().task, Task::DemoServer { http: None }));
        assert!(matches!(check("demo --protocol 2025-11-25").unwrap().task, Task::Demo));
    }

    #[test]
    fn the_language_is_found_before_anything_else() {
        let args = |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let none = |_: &str| None;
        assert_eq!(language(&args("call --lang zh-CN x"), none), Ok(Lang::ZhCn));
        assert_eq!(language(&args("call --lang=en x"), none), Ok(Lang::En));
        assert_eq!(language(&args("call -- x --lang zh-CN"), none), Ok(Lang::En));
        assert_eq!(language(&args("call --lang tlh"), none), Err("tlh".into()));
        assert_eq!(language(&[], |name| (name == "LANG").then(|| "zh_CN.UTF-8".into())), Ok(Lang::ZhCn));
        assert_eq!(language(&[], |name| (name == "LANG").then(|| "de_DE.UTF-8".into())), Ok(Lang::En));
    }
}
