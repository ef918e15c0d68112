//! Completion of the command line in a shell: what can stand where the cursor is.
//!
//! Owns the candidates for each place. The servers are asked only where what they offer is wanted, through [`Offers`]; how a shell says where
//! the cursor is and wants its candidates is [`shell`]'s business. What comes from a server is offered only if it can be typed and shown as it
//! is.

mod argument_schema;
mod live;
mod place;
mod run;
pub(crate) mod shell;
mod shell_words;
#[cfg(test)]
mod tests;
mod uri_template;

use askback_core::display::{neutralise_line, shorten};
use askback_wire::Revision;
use clap::Command;
use serde_json::{Map, Value, json};

use crate::command_line::Verb;
use argument_schema::ArgumentSchema;
use place::{Place, Position};
pub(crate) use run::{complete_words, print_script};
use shell::Shell;

/// How many characters a candidate from a server may have.
const MOST_VALUE: usize = 512;
/// How many characters are told about a candidate.
const MOST_ABOUT: usize = 60;

/// What can stand where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The whole word.
    pub(crate) value: String,
    /// Whether the word is not complete with it, as with `KEY=`.
    pub(crate) is_begun: bool,
    /// What it is, on one line; may be empty.
    pub(crate) about: String,
}

/// What a server can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

/// What the servers offer. Nothing is offered where a server cannot be asked.
pub(crate) trait Offers {
    /// The names of the configured servers.
    fn servers(&self) -> Vec<String>;

    /// A list of the server on the command line.
    async fn list(&mut self, list: List) -> Vec<Value>;

    /// Values for an argument of a prompt or a template of that server, by `completion/complete`.
    async fn values(&mut self, reference: Value, argument: (&str, &str), given: &Map<String, Value>) -> Vec<String>;
}

impl Candidate {
    /// One of ours.
    fn own(value: impl Into<String>, about: impl Into<String>) -> Candidate {
        Candidate { value: value.into(), is_begun: false, about: about.into() }
    }

    /// One of a server's; nothing if it would act on a terminal, mislead a reader, or be taken for an option.
    fn of_server(value: String, is_begun: bool, about: &str) -> Option<Candidate> {
        let about = shorten(&neutralise_line(about.lines().next().unwrap_or_default()), MOST_ABOUT);
        (is_plain(&value) && !value.is_empty() && !value.starts_with('-')).then_some(Candidate {
            value,
            is_begun,
            about,
        })
    }
}

/// Whether it is shown as it is, and typed without more ado.
fn is_plain(value: &str) -> bool {
    neutralise_line(value) == value && value.chars().count() <= MOST_VALUE
}

/// What can stand at the place; in the order in which it was offered, and each only once.
pub(crate) async fn complete(place: &Place, definition: &Command, offers: &mut impl Offers) -> Vec<Candidate> {
    let mut candidates = match &place.position {
        Position::Nothing => Vec::new(),
        Position::Command => commands(place.command_of(definition)),
        Position::Option => options(place.command_of(definition)),
        Position::OptionValue(option) => values_of_option(option),
        Position::Shell => Shell::ALL.map(|shell| Candidate::own(shell.name(), "")).into(),
        Position::Server => {
            offers.servers().into_iter().filter_map(|name| Candidate::of_server(name, false, "")).collect()
        }
        Position::Subject(Verb::Tool) => named(offers.list(List::Tools).await, "name"),
        Position::Subject(Verb::Prompt) => named(offers.list(List::Prompts).await, "name"),
        Position::Subject(Verb::Resource) => resources(&place.typed, offers).await,
        Position::Argument { verb: Verb::Tool, subject } => of_tool(place, subject, offers).await,
        Position::Argument { verb: _, subject } => of_prompt(place, subject, offers).await,
    };
    for candidate in &mut candidates {
        candidate.value.insert_str(0, &place.prefix);
    }
    let typed = format!("{}{}", place.prefix, place.typed);
    let mut seen = std::collections::BTreeSet::new();
    candidates.retain(|candidate| candidate.value.starts_with(&typed) && seen.insert(candidate.value.clone()));
    candidates
}

fn commands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    shown.map(|command| Candidate::own(command.get_name(), shorten(&about(command), MOST_ABOUT))).collect()
}

fn options(command: &Command) -> Vec<Candidate> {
    let option = |argument: &clap::Arg| {
        let about = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Candidate::own(format!("--{}", argument.get_long()?), shorten(&about, MOST_ABOUT)))
    };
    command.get_arguments().filter_map(option).collect()
}

fn values_of_option(option: &str) -> Vec<Candidate> {
    match option {
        "lang" => ["en", "zh-CN"].map(|tag| Candidate::own(tag, "")).into(),
        "protocol" => {
            let revisions = Revision::ALL.iter().map(|revision| revision.as_str());
            revisions.chain(["auto"]).map(|version| Candidate::own(version, "")).collect()
        }
        // Files and folders are the shell's, anything else is the user's.
        _ => Vec::new(),
    }
}

/// The items by the name under this key.
fn named(items: Vec<Value>, key: &str) -> Vec<Candidate> {
    items.iter().filter_map(|item| Candidate::of_server(text(item, key).to_owned(), false, about(item))).collect()
}

fn text<'a>(item: &'a Value, key: &str) -> &'a str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn about(item: &Value) -> &str {
    [text(item, "title"), text(item, "description")].into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

async fn of_tool(place: &Place, subject: &str, offers: &mut impl Offers) -> Vec<Candidate> {
    let tools = offers.list(List::Tools).await;
    let Some(tool) = tools.iter().find(|tool| text(tool, "name") == subject) else { return Vec::new() };
    let schema = tool.get("inputSchema").unwrap_or(&Value::Null);
    let arguments = argument_schema::read(schema);
    let written = |argument: &ArgumentSchema| format!("{}{}", argument.name, if argument.is_text { "=" } else { ":=" });
    let begun = arguments.iter().find(|argument| place.typed.starts_with(&written(argument)));
    if let Some(argument) = begun {
        let values = argument.values.iter();
        return values
            .filter_map(|value| Candidate::of_server(format!("{}{value}", written(argument)), false, ""))
            .collect();
    }
    let free = arguments.iter().filter(|argument| !place.is_given(&argument.name));
    free.filter_map(|argument| Candidate::of_server(written(argument), true, &argument.about)).collect()
}

async fn of_prompt(place: &Place, subject: &str, offers: &mut impl Offers) -> Vec<Candidate> {
    if let Some((key, value)) = place.typed.split_once('=') {
        let given = place.given.iter().filter(|(name, _)| name.as_str() != key);
        let given = given.map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
        let reference = json!({ "type": "ref/prompt", "name": subject });
        let values = offers.values(reference, (key, value), &given).await;
        return values
            .into_iter()
            .filter_map(|value| Candidate::of_server(format!("{key}={value}"), false, ""))
            .collect();
    }
    let prompts = offers.list(List::Prompts).await;
    let prompt = prompts.iter().find(|prompt| text(prompt, "name") == subject);
    let arguments = prompt.and_then(|prompt| prompt.get("arguments")).and_then(Value::as_array);
    let free = arguments.into_iter().flatten().filter(|argument| !place.is_given(text(argument, "name")));
    free.filter_map(|argument| Candidate::of_server(format!("{}=", text(argument, "name")), true, about(argument)))
        .collect()
}

async fn resources(typed: &str, offers: &mut impl Offers) -> Vec<Candidate> {
    let mut candidates = named(offers.list(List::Resources).await, "uri");
    for template in offers.list(List::Templates).await {
        let uri = text(&template, "uriTemplate");
        match uri_template::fit(uri, typed) {
            Some(uri_template::Fit::Beginning(beginning)) => {
                candidates.extend(Candidate::of_server(beginning, true, about(&template)));
            }
            Some(uri_template::Fit::Variable(variable)) => {
                let reference = json!({ "type": "ref/resource", "uri": uri });
                let argument = (variable.name.as_str(), variable.value.as_str());
                let values = offers.values(reference, argument, &variable.given).await;
                let filled = values.into_iter().filter(|value| is_plain(value)).map(|value| variable.filled(&value));
                candidates.extend(filled.filter_map(|uri| Candidate::of_server(uri, variable.has_more(), "")));
            }
            None => {}
        }
    }
    candidates
}
