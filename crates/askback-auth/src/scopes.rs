//! Which scopes are asked for.
//!
//! Owns the two rules of the specification. Must not know where scopes come from.
//!
//! Serves "Scope Selection Strategy", "Refresh Tokens" and "Step-Up Authorization Flow" of the authorization pages.

/// Gives refresh tokens, where it is offered.
const OFFLINE_ACCESS: &str = "offline_access";

/// The scopes for a login: those of the challenge, else all that the server's metadata lists, and those that were asked for before, which a
/// new token would lose otherwise. `offline_access` is added where the issuer offers it.
pub(crate) fn select(challenged: &[String], listed: &[String], before: &[String], offered: &[String]) -> Vec<String> {
    let first = if challenged.is_empty() { listed } else { challenged };
    let mut scopes: Vec<String> = Vec::new();
    for scope in before.iter().chain(first) {
        if !scopes.contains(scope) {
            scopes.push(scope.clone());
        }
    }
    let offline = offered.iter().any(|scope| scope == OFFLINE_ACCESS);
    // With nothing else asked for, the issuer gives its default, which one scope alone would replace.
    if offline && !scopes.is_empty() && !scopes.iter().any(|scope| scope == OFFLINE_ACCESS) {
        scopes.push(OFFLINE_ACCESS.to_owned());
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(challenged: &str, listed: &str, before: &str, offered: &str, expected: &str) {
        assert_eq!(select(&words(challenged), &words(listed), &words(before), &words(offered)).join(" "), expected);
    }

    #[test]
    fn the_challenge_counts_before_the_list() {
        check("read", "read write", "", "", "read");
        check("", "read write", "", "", "read write");
        check("", "", "", "read", "");
    }

    #[test]
    fn what_was_asked_for_before_is_asked_for_again() {
        check("write", "read write admin", "read", "", "read write");
        check("read", "", "read", "", "read");
        check("", "read", "write", "", "write read");
    }

    #[test]
    fn offline_access_is_asked_for_where_it_is_offered() {
        check("read", "", "", "read offline_access", "read offline_access");
        check("offline_access read", "", "", "offline_access", "offline_access read");
        check("", "", "", "offline_access", "");
    }
}
