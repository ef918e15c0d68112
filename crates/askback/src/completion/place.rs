//! Where the cursor is on the command line, and what else stands there.
//!
//! Reads tolerantly: a line that is being typed is full of mistakes. Must not know shells or servers.

use std::collections::BTreeMap;

use clap::Command;

use crate::command_line::{Options, Verb};

/// What is wanted where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A command, or a command of a command.
    Command,
    /// An option.
    Option,
    /// The value of this option.
    OptionValue(String),
    /// A configured server.
    Server,
    /// What is called: a tool, a prompt, a resource.
    Subject(Verb),
    /// An argument of it.
    Argument {
        /// Which of the three it is.
        verb: Verb,
        /// The name of what is called.
        subject: String,
    },
    /// The name of a shell.
    Shell,
    /// Something that is the user's own business.
    Nothing,
}

/// The cursor with what is around it.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) position: Position,
    /// The word so far, without [`Place::prefix`].
    pub(crate) typed: String,
    /// What stands before it in the same word: `--OPTION=`.
    pub(crate) prefix: String,
    /// The commands so far: `demo`, `server`.
    pub(crate) commands: Vec<String>,
    /// The server, if it is named.
    pub(crate) server: Option<String>,
    /// The command after `--`.
    pub(crate) server_command: Vec<String>,
    /// The arguments that are given elsewhere on the line, by key.
    pub(crate) given: BTreeMap<String, String>,
    /// Those options that say which server is meant and how it is spoken to.
    pub(crate) options: Options,
}

impl Place {
    /// The place of the word at this index; the first word is the program.
    pub(crate) fn read(definition: &Command, words: &[String], index: usize) -> Place {
        let (end, server_command) = match words.iter().enumerate().position(|(at, word)| at != index && word == "--") {
            Some(end) => (end, words[end + 1..].to_vec()),
            None => (words.len(), Vec::new()),
        };
        let mut reading =
            Reading { definition, commands: Vec::new(), pending: None, free: Vec::new(), options: Vec::new() };
        for word in words.iter().take(end.min(index)).skip(1) {
            reading.take(word);
        }
        let typed = words.get(index).cloned().unwrap_or_default();
        let (position, prefix) = if index > end {
            (Position::Nothing, String::new())
        } else {
            reading.position(&typed, !server_command.is_empty())
        };
        let before = reading.free.len();
        let pending = reading.pending.take();
        // What stands after the cursor is of interest too: an option may say which configuration is meant.
        for word in words.iter().take(end).skip(index + 1).skip(usize::from(pending.is_some() && typed.is_empty())) {
            reading.take(word);
        }
        let server =
            if server_command.is_empty() { reading.free.first().filter(|_| before > 0).cloned() } else { None };
        let key_and_value = |word: &String| {
            let (key, value) = word.split_once('=')?;
            Some((key.strip_suffix(':').unwrap_or(key).to_owned(), value.to_owned()))
        };
        Place {
            position,
            typed: typed[prefix.len()..].to_owned(),
            prefix,
            given: reading.free.iter().filter_map(key_and_value).collect(),
            commands: reading.commands,
            server,
            server_command,
            options: options(reading.options),
        }
    }

    /// The definition of the command that the cursor is in.
    pub(crate) fn command_of<'a>(&self, definition: &'a Command) -> &'a Command {
        descend(definition, &self.commands)
    }

    /// Whether an argument is given elsewhere on the line.
    pub(crate) fn is_given(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }
}

fn descend<'a>(definition: &'a Command, commands: &[String]) -> &'a Command {
    commands.iter().fold(definition, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// The words taken in so far.
struct Reading<'a> {
    definition: &'a Command,
    commands: Vec<String>,
    /// An option whose value is to come.
    pending: Option<String>,
    /// The words that are neither commands nor options.
    free: Vec<String>,
    options: Vec<(String, String)>,
}

impl Reading<'_> {
    fn take(&mut self, word: &str) {
        if let Some(option) = self.pending.take() {
            self.options.push((option, word.to_owned()));
            return;
        }
        if let Some(option) = word.strip_prefix("--") {
            match option.split_once('=') {
                Some((name, value)) => self.options.push((name.to_owned(), value.to_owned())),
                None if self.takes_value(option) => self.pending = Some(option.to_owned()),
                None => {}
            }
        } else if word.starts_with('-') && word.len() > 1 {
            // The short ones take no values.
        } else if self.free.is_empty() && descend(self.definition, &self.commands).find_subcommand(word).is_some() {
            self.commands.push(word.to_owned());
        } else {
            self.free.push(word.to_owned());
        }
    }

    fn takes_value(&self, option: &str) -> bool {
        let mut arguments = descend(self.definition, &self.commands).get_arguments();
        arguments.any(|argument| argument.get_long() == Some(option) && argument.get_action().takes_values())
    }

    /// What is wanted next, and what of the word is not part of it.
    fn position(&self, typed: &str, has_command: bool) -> (Position, String) {
        if let Some(option) = &self.pending {
            return (Position::OptionValue(option.clone()), String::new());
        }
        if let Some((name, _)) = typed.strip_prefix("--").and_then(|option| option.split_once('='))
            && self.takes_value(name)
        {
            return (Position::OptionValue(name.to_owned()), format!("--{name}="));
        }
        if typed.starts_with('-') {
            return (Position::Option, String::new());
        }
        (self.free_position(has_command), String::new())
    }

    fn free_position(&self, has_command: bool) -> Position {
        let verb = match self.commands.first().map(String::as_str) {
            Some("call") => Verb::Tool,
            Some("prompt") => Verb::Prompt,
            Some("read") => Verb::Resource,
            Some("roots") if self.free.is_empty() && self.commands.get(1).is_some_and(|sub| sub == "forget") => {
                return Position::Server;
            }
            Some("list") if self.free.is_empty() && !has_command => return Position::Server,
            Some("completions") if self.free.is_empty() => return Position::Shell,
            _ if self.free.is_empty() && descend(self.definition, &self.commands).has_subcommands() => {
                return Position::Command;
            }
            _ => return Position::Nothing,
        };
        // With a command after `--` there is no server among the words.
        let after_server = if has_command { Some(self.free.as_slice()) } else { self.free.get(1..) };
        match after_server {
            None => Position::Server,
            Some([]) => Position::Subject(verb),
            Some(_) if verb == Verb::Resource => Position::Nothing,
            Some([subject, ..]) => Position::Argument { verb, subject: subject.clone() },
        }
    }
}

/// Of the options those that say which server is meant and how it is spoken to. What would answer or disclose something is not for
/// completion.
fn options(given: Vec<(String, String)>) -> Options {
    let mut options = Options { no_input: true, ..Options::default() };
    for (name, value) in given {
        match name.as_str() {
            "config" => options.config = Some(value.into()),
            "protocol" => options.protocol = Some(value),
            "as" => options.name = Some(value),
            _ => {}
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_desk::{Lang, Texts};

    /// The place of `|` in the line.
    fn check(line: &str) -> Place {
        let index = line.split(' ').position(|word| word.contains('|')).unwrap();
        let words: Vec<String> = line.split(' ').map(|word| word.replace('|', "")).collect();
        Place::read(&crate::command_line::definition(&Texts::new(Lang::En, &[crate::ASKBACK])), &words, index)
    }

    fn position(line: &str) -> Position {
        check(line).position
    }

    #[test]
    fn each_word_has_its_place() {
        let tool = |subject: &str| Position::Argument { verb: Verb::Tool, subject: subject.into() };
        assert_eq!(position("askback |"), Position::Command);
        assert_eq!(position("askback --lang zh-CN ca|"), Position::Command);
        assert_eq!(position("askback demo |"), Position::Command);
        assert_eq!(position("askback call |"), Position::Server);
        assert_eq!(position("askback call --json travel |"), Position::Subject(Verb::Tool));
        assert_eq!(position("askback call travel book k=v |"), tool("book"));
        assert_eq!(position("askback prompt travel |"), Position::Subject(Verb::Prompt));
        assert_eq!(position("askback read travel |"), Position::Subject(Verb::Resource));
        assert_eq!(position("askback read travel a://b |"), Position::Nothing);
        assert_eq!(position("askback list |"), Position::Server);
        assert_eq!(position("askback list travel |"), Position::Nothing);
        assert_eq!(position("askback completions |"), Position::Shell);
        assert_eq!(position("askback roots forget |"), Position::Server);
        assert_eq!(position("askback roots add |"), Position::Nothing);
        assert_eq!(position("askback nonsense |"), Position::Nothing);
    }

    #[test]
    fn a_command_after_the_cursor_is_the_server() {
        assert_eq!(position("askback call | -- npx x"), Position::Subject(Verb::Tool));
        let place = check("askback call book k:=1 | --config a.toml -- npx x");
        assert_eq!(place.position, Position::Argument { verb: Verb::Tool, subject: "book".into() });
        assert_eq!(place.server_command, ["npx", "x"]);
        assert_eq!(place.server, None);
        assert!(place.is_given("k"));
        assert_eq!(place.options.config.as_deref(), Some(std::path::Path::new("a.toml")));
        assert_eq!(position("askback call book -- npx |"), Position::Nothing);
    }

    #[test]
    fn options_and_their_values() {
        assert_eq!(position("askback call -|"), Position::Option);
        assert_eq!(position("askback call --|"), Position::Option);
        assert_eq!(position("askback call --protocol |"), Position::OptionValue("protocol".into()));
        let place = check("askback call --protocol=20|");
        assert_eq!(place.position, Position::OptionValue("protocol".into()));
        assert_eq!((place.prefix.as_str(), place.typed.as_str()), ("--protocol=", "20"));
        assert_eq!(position("askback call --json=|"), Position::Option);
    }
}
