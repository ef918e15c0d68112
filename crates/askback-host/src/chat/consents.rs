//! Which calls go out without the person being asked, and which never do.
//!
//! Owns the order in which rules, standing consents and a server's own word count, and the file of the consents that stand for always. A
//! server's word counts last, and only where the user's configuration takes it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use askback_core::call::ServerName;
use askback_desk::chat::{ConsentBy, EffectClaim};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wildmatch::WildMatch;

use super::event::ToolCall;
use super::toolbox::ChatTool;

/// What the user's configuration says of the tools of one server. `*` and `?` stand for letters.
#[derive(Clone, Debug, Default)]
pub struct ServerRules {
    /// Tools that are called without a question.
    pub allow: Vec<String>,
    /// Tools that are never called.
    pub deny: Vec<String>,
    /// Whether a tool that this server says only reads is called without a question.
    pub trust_hints: bool,
}

/// All that decides about calls before the person does.
#[derive(Clone, Debug, Default)]
pub struct ConsentRules {
    /// By server.
    pub servers: BTreeMap<ServerName, ServerRules>,
    /// Tools of any server that this run may call without a question: `TOOL`, or `SERVER/TOOL`.
    pub given: Vec<String>,
    /// Whether somebody is there to be asked.
    pub person: bool,
}

/// What is to be done about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The person decides.
    Ask,
    /// It goes out.
    Allow(ConsentBy),
    /// It does not.
    Decline(ConsentBy),
}

impl ConsentRules {
    /// Judges a call. With secrets in its arguments that the model was not shown, nothing but the person lets it out.
    pub fn judge(&self, call: &ToolCall, always: bool, has_secrets: bool) -> Verdict {
        let rules = self.servers.get(&call.server);
        let one_of = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, &call.tool));
        let given = |pattern: &String| match pattern.split_once('/') {
            Some((server, tool)) if matches(server, call.server.as_str()) => matches(tool, &call.tool),
            _ => matches(pattern, &call.tool),
        };
        if rules.is_some_and(|rules| one_of(&rules.deny)) {
            return Verdict::Decline(ConsentBy::Rule);
        }
        if !has_secrets {
            if rules.is_some_and(|rules| one_of(&rules.allow)) || self.given.iter().any(given) {
                return Verdict::Allow(ConsentBy::Rule);
            }
            if call.remembered {
                return Verdict::Allow(ConsentBy::Conversation);
            }
            if always && call.claim != EffectClaim::Destroys {
                return Verdict::Allow(ConsentBy::Always);
            }
            if call.claim == EffectClaim::Reads && rules.is_some_and(|rules| rules.trust_hints) {
                return Verdict::Allow(ConsentBy::Hint);
            }
        }
        if self.person { Verdict::Ask } else { Verdict::Decline(ConsentBy::Nobody) }
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    WildMatch::new(pattern).matches(name)
}

/// The consents that stand until the user takes them back.
#[derive(Debug, Default)]
pub struct StandingConsents {
    path: Option<PathBuf>,
    kept: Kept,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Kept {
    always: Vec<Standing>,
}

/// A consent is for a tool as the person saw it: of this server, behind this command or address, described like this.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
struct Standing {
    server: String,
    source: String,
    tool: Value,
}

impl Standing {
    fn of(tool: &ChatTool, source: &str) -> Standing {
        Standing { server: tool.server.to_string(), source: source.to_owned(), tool: tool.listed.clone() }
    }
}

impl StandingConsents {
    /// Those in this file; without one they last as long as this value.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn open(path: Option<PathBuf>) -> io::Result<StandingConsents> {
        let kept = path.as_deref().map_or_else(|| Ok(Kept::default()), load)?;
        Ok(StandingConsents { path, kept })
    }

    /// Whether the tool may always be called.
    pub fn holds(&self, tool: &ChatTool, source: &str) -> bool {
        self.kept.always.contains(&Standing::of(tool, source))
    }

    /// Lets the tool always be called, as it is described now.
    ///
    /// # Errors
    /// Why that could not be written down; it holds for this run all the same.
    pub fn add(&mut self, tool: &ChatTool, source: &str) -> io::Result<()> {
        let standing = Standing::of(tool, source);
        self.change(|kept| {
            if !kept.always.contains(&standing) {
                kept.always.push(standing);
            }
        })
    }

    /// Takes back all consents for a server's tools; says how many that were.
    ///
    /// # Errors
    /// Why that could not be written down.
    pub fn forget(&mut self, server: &str) -> io::Result<usize> {
        let mut count = 0;
        self.change(|kept| {
            let before = kept.always.len();
            kept.always.retain(|standing| standing.server != server);
            count = before - kept.always.len();
        })?;
        Ok(count)
    }

    /// Changes what is kept, alone among all runs.
    fn change(&mut self, change: impl FnOnce(&mut Kept)) -> io::Result<()> {
        let Some(path) = self.path.clone() else {
            change(&mut self.kept);
            return Ok(());
        };
        let locked = lock(&path);
        if locked.is_ok() {
            // Another run may have changed it meanwhile.
            self.kept = load(&path)?;
        }
        change(&mut self.kept);
        let _lock = locked?;
        let fresh = path.with_extension("new");
        private(&fresh)?.write_all(serde_json::to_string_pretty(&self.kept)?.as_bytes())?;
        fs::rename(&fresh, &path)
    }
}

fn lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let lock = File::options().create(true).append(true).open(path.with_extension("lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// A new file that only its owner can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn load(path: &Path) -> io::Result<Kept> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let unreadable = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()));
            serde_json::from_str(&text).map_err(unreadable)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn call(tool: &str, claim: EffectClaim, remembered: bool) -> ToolCall {
        let (id, server, tool) = ("1".to_owned(), ServerName::new("travel"), tool.to_owned());
        ToolCall { id, server, tool, arguments: Map::new(), claim, remembered }
    }

    fn rules(allow: &[&str], deny: &[&str], trust_hints: bool, given: &[&str]) -> ConsentRules {
        let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let rules = ServerRules { allow: own(allow), deny: own(deny), trust_hints };
        ConsentRules { servers: [(ServerName::new("travel"), rules)].into(), given: own(given), person: true }
    }

    #[test]
    fn rules_of_the_user_come_first_and_a_servers_word_last() {
        let book = |claim| call("book", claim, false);
        let check = |rules: &ConsentRules, call: &ToolCall, always, expected| {
            assert_eq!(rules.judge(call, always, false), expected, "{rules:?} {call:?}");
        };
        let none = rules(&[], &[], false, &[]);
        check(&none, &book(EffectClaim::Reads), false, Verdict::Ask);
        check(&none, &book(EffectClaim::Acts), true, Verdict::Allow(ConsentBy::Always));
        check(&none, &book(EffectClaim::Destroys), true, Verdict::Ask);
        check(&none, &call("book", EffectClaim::Acts, true), false, Verdict::Allow(ConsentBy::Conversation));
        let trusting = rules(&[], &[], true, &[]);
        check(&trusting, &book(EffectClaim::Reads), false, Verdict::Allow(ConsentBy::Hint));
        for claim in [EffectClaim::ReadsOutside, EffectClaim::Acts, EffectClaim::Destroys] {
            check(&trusting, &book(claim), false, Verdict::Ask);
        }
        let allowing = rules(&["bo*"], &["book_all"], false, &[]);
        check(&allowing, &book(EffectClaim::Destroys), false, Verdict::Allow(ConsentBy::Rule));
        let denied = call("book_all", EffectClaim::Reads, true);
        check(&allowing, &denied, true, Verdict::Decline(ConsentBy::Rule));
        for (given, allowed) in
            [("book", true), ("travel/b?ok", true), ("other/book", false), ("boo", false), ("*/*", true)]
        {
            let verdict = rules(&[], &[], false, &[given]).judge(&book(EffectClaim::Acts), false, false);
            assert_eq!(verdict == Verdict::Allow(ConsentBy::Rule), allowed, "{given}");
        }
    }

    #[test]
    fn nobody_there_is_no_consent() {
        let rules = ConsentRules { person: false, ..rules(&[], &[], false, &[]) };
        let verdict = rules.judge(&call("book", EffectClaim::Reads, false), false, false);
        assert_eq!(verdict, Verdict::Decline(ConsentBy::Nobody));
    }

    #[test]
    fn arguments_with_secrets_always_come_to_the_person() {
        let rules = rules(&["*"], &[], true, &["*"]);
        assert_eq!(rules.judge(&call("book", EffectClaim::Reads, true), true, true), Verdict::Ask);
    }

    #[test]
    fn a_standing_consent_ends_with_the_description_it_was_given_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("consents.json");
        let tool = |description: &str| {
            let listed = json!({"name": "book", "description": description});
            ChatTool::read(&ServerName::new("travel"), &listed).expect("a tool")
        };
        let open = || StandingConsents::open(Some(path.clone())).expect("it can be read");
        open().add(&tool("Books"), "travel server").expect("it can be written");
        assert!(open().holds(&tool("Books"), "travel server"));
        assert!(!open().holds(&tool("Books and pays"), "travel server"));
        assert!(!open().holds(&tool("Books"), "another command"));
        assert_eq!(open().forget("files").expect("it can be written"), 0);
        assert_eq!(open().forget("travel").expect("it can be written"), 1);
        assert!(!open().holds(&tool("Books"), "travel server"));
    }
}
