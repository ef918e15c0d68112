//! The shells: the script that each is given, and how it wants its candidates.
//!
//! Owns quoting. A candidate goes out on one line; that there is no control character in it is the caller's word.

use super::Candidate;
use super::shell_words::Line;

/// A shell that there is a script for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "its makers call it so")]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    PowerShell,
    Elvish,
}

impl Shell {
    /// All of them.
    pub(crate) const ALL: [Shell; 5] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish];

    /// The shell of this name.
    pub(crate) fn named(name: &str) -> Option<Shell> {
        Shell::ALL.into_iter().find(|shell| shell.name() == name)
    }

    /// As it is written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
            Shell::PowerShell => "powershell",
            Shell::Elvish => "elvish",
        }
    }

    /// What makes the shell ask for candidates.
    pub(crate) fn script(self) -> &'static str {
        match self {
            Shell::Bash => include_str!("../../shell/askback.bash"),
            Shell::Zsh => include_str!("../../shell/askback.zsh"),
            Shell::Fish => include_str!("../../shell/askback.fish"),
            Shell::PowerShell => include_str!("../../shell/askback.ps1"),
            Shell::Elvish => include_str!("../../shell/askback.elv"),
        }
    }

    /// A candidate as its script reads it; nothing if it cannot be put in where the cursor is. `line` is of use to bash alone.
    pub(crate) fn render(self, candidate: &Candidate, line: &Line) -> Option<String> {
        let Candidate { value, is_begun, about } = candidate;
        let state = if *is_begun { "begun" } else { "whole" };
        Some(match self {
            Shell::Bash => {
                let quoted = quoted_for_bash(value.get(line.kept..)?, line.quote)?;
                // Within quotes it is bash that closes them.
                let space = if *is_begun || line.quote.is_some() { "" } else { " " };
                format!("{quoted}{space}")
            }
            Shell::Zsh | Shell::Elvish => format!("{value}\t{state}\t{about}"),
            Shell::Fish => format!("{value}\t{about}"),
            Shell::PowerShell => format!("{}\t{value}\t{about}", quoted_for_powershell(value)),
        })
    }
}

/// Characters that mean nothing to any shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_./:=@%+,".contains(c)
}

fn quoted_for_bash(text: &str, quote: Option<char>) -> Option<String> {
    match quote {
        None => Some(text.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()),
        Some('"') => {
            let is_special = |c: char| matches!(c, '"' | '\\' | '$' | '`');
            // An exclamation mark calls the history up, and keeps its backslash.
            let escaped = text.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c])).collect();
            (!text.contains('!')).then_some(escaped)
        }
        Some(_) => (!text.contains('\'')).then(|| text.to_owned()),
    }
}

fn quoted_for_powershell(text: &str) -> String {
    // A comma makes a list, and an at sign or a percent sign at the beginning something else again.
    let is_plain = text.chars().all(|c| is_plain(c) && !",@%".contains(c));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace(['\'', '‘', '’'], "''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shell: Shell, value: &str, kept: usize, quote: Option<char>) -> Option<String> {
        let candidate = Candidate { value: value.into(), is_begun: false, about: "about".into() };
        shell.render(&candidate, &Line { kept, quote, ..Line::default() })
    }

    #[test]
    fn nothing_is_left_for_the_shell_to_do() {
        let bash = |quote| check(Shell::Bash, "k=a b$(rm)`x`;'\"~", 2, quote);
        assert_eq!(bash(None).as_deref(), Some("a\\ b\\$\\(rm\\)\\`x\\`\\;\\'\\\"\\~ "));
        assert_eq!(bash(Some('"')).as_deref(), Some("a b\\$(rm)\\`x\\`;'\\\"~"));
        assert_eq!(bash(Some('\'')), None);
        assert_eq!(check(Shell::Bash, "a!", 0, Some('"')), None);
        assert_eq!(check(Shell::PowerShell, "a b'$x", 0, None).as_deref(), Some("'a b''$x'\ta b'$x\tabout"));
        assert_eq!(check(Shell::PowerShell, "city=Rome", 0, None).as_deref(), Some("city=Rome\tcity=Rome\tabout"));
        assert_eq!(check(Shell::Zsh, "a b", 0, None).as_deref(), Some("a b\twhole\tabout"));
    }

    #[test]
    fn every_shell_has_its_script() {
        for shell in Shell::ALL {
            assert_eq!(Shell::named(shell.name()), Some(shell));
            assert!(shell.script().contains(&format!("complete-words {}", shell.name())), "{}", shell.name());
        }
    }
}
