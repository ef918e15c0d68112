//! How often a refusal is answered before it counts.
//!
//! Owns the counts. Pure: must not know how anything is tried.
//!
//! Serves the retry limits of "Step-Up Authorization Flow", and the bound that the trait `Authorizer` promises.

use std::collections::BTreeSet;

use askback_host::authorization::AuthorizationError;

/// How many step-ups may follow each other without a request being let through.
const MOST_STEP_UPS: u8 = 3;

/// What was tried since a request was last let through.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    renewed: bool,
    logged_in: bool,
    /// Why the login came to nothing, if it did.
    failed: Option<AuthorizationError>,
    step_ups: u8,
    /// All scopes that a step-up asked for. These are not forgotten when a request is let through: a request that needs them is refused
    /// again and again between others that do not, and each time somebody would be asked.
    stepped_up_to: BTreeSet<String>,
}

impl Attempts {
    /// A request was let through.
    pub(crate) fn accepted(&mut self) {
        *self = Attempts { stepped_up_to: std::mem::take(&mut self.stepped_up_to), ..Attempts::default() };
    }

    /// Whether a refresh may be tried: once, and not after a login, whose token is as fresh as can be.
    pub(crate) fn may_renew(&self) -> bool {
        !self.renewed && !self.logged_in
    }

    /// A refresh was answered.
    pub(crate) fn renewed(&mut self) {
        self.renewed = true;
    }

    /// Whether a login may be tried: once.
    pub(crate) fn may_log_in(&self) -> bool {
        !self.logged_in
    }

    /// Somebody was asked to log in, and it came to this.
    pub(crate) fn logged_in(&mut self, failed: Option<AuthorizationError>) {
        self.logged_in = true;
        self.failed = failed;
    }

    /// A login that came to nothing is forgotten: a person who can be asked says for themselves whether they try it once more.
    pub(crate) fn may_try_again(&mut self) {
        if self.failed.take().is_some() {
            self.logged_in = false;
        }
    }

    /// Why the login came to nothing, if it did.
    pub(crate) fn failure(&self) -> Option<AuthorizationError> {
        self.failed.clone()
    }

    /// Whether somebody may be asked for these scopes: each only once, and not for one after the other without end.
    pub(crate) fn may_step_up(&self, scopes: &[String]) -> bool {
        let known = scopes.iter().all(|scope| self.stepped_up_to.contains(scope));
        self.step_ups < MOST_STEP_UPS && !(known && (self.step_ups > 0 || !scopes.is_empty()))
    }

    /// Somebody was asked for these scopes.
    pub(crate) fn stepped_up(&mut self, scopes: &[String]) {
        self.step_ups += 1;
        self.stepped_up_to.extend(scopes.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn one_refresh_then_one_login() {
        let mut attempts = Attempts::default();
        assert!(attempts.may_renew() && attempts.may_log_in());
        attempts.renewed();
        assert!(!attempts.may_renew() && attempts.may_log_in());
        attempts.logged_in(None);
        assert!(!attempts.may_renew() && !attempts.may_log_in());
        attempts.accepted();
        assert!(attempts.may_renew() && attempts.may_log_in());
    }

    #[test]
    fn a_new_token_is_not_refreshed() {
        let mut attempts = Attempts::default();
        attempts.logged_in(Some(AuthorizationError::NobodyToAsk));
        assert!(!attempts.may_renew());
        assert_eq!(attempts.failure(), Some(AuthorizationError::NobodyToAsk));
    }

    #[test]
    fn only_a_login_that_failed_may_be_tried_again() {
        let mut attempts = Attempts::default();
        attempts.logged_in(None);
        attempts.may_try_again();
        assert!(!attempts.may_log_in());
        attempts.accepted();
        attempts.logged_in(Some(AuthorizationError::NobodyToAsk));
        assert!(!attempts.may_log_in());
        attempts.may_try_again();
        assert!(attempts.may_log_in() && attempts.failure().is_none());
    }

    #[test]
    fn nobody_is_asked_twice_for_the_same_scopes() {
        let mut attempts = Attempts::default();
        assert!(attempts.may_step_up(&scopes("write")));
        attempts.stepped_up(&scopes("write"));
        assert!(!attempts.may_step_up(&scopes("write")));
        assert!(attempts.may_step_up(&scopes("write admin")));
        attempts.accepted();
        assert!(!attempts.may_step_up(&scopes("write")));
    }

    #[test]
    fn ever_new_scopes_come_to_an_end() {
        let mut attempts = Attempts::default();
        let asked = (0..10).take_while(|number| {
            let scope = scopes(&format!("s{number}"));
            let may = attempts.may_step_up(&scope);
            attempts.stepped_up(&scope);
            may
        });
        assert_eq!(asked.count(), 3);
    }

    #[test]
    fn a_challenge_without_scopes_is_answered_once() {
        let mut attempts = Attempts::default();
        assert!(attempts.may_step_up(&[]));
        attempts.stepped_up(&[]);
        assert!(!attempts.may_step_up(&[]));
    }
}
