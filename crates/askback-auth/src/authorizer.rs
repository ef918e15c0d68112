//! The authorizer of one server: answers refusals, and hands out the token.
//!
//! Owns that requests share what is done: one takes a step, and the others wait for what comes of it. Must not know what the steps are; those
//! are in [`crate::steps`].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use askback_host::authorization::{AccessToken, AuthorizationError, Authorizer, Pending, Person, Refusal};

use crate::attempts::Attempts;
use crate::browser::Browser;
use crate::credentials::{Credentials, Freshness, now};
use crate::discovery::Found;
use crate::revocation::Revocation;
use crate::settings::Settings;
use crate::steps::Steps;
use crate::store::TokenStore;

/// Gets the tokens for one server by OAuth.
pub struct OAuthAuthorizer {
    steps: Steps,
    /// Whoever holds it renews or logs in, and the others wait for what comes of it. It guards what was found the last time.
    turn: tokio::sync::Mutex<Option<Found>>,
    /// How the last turn ended.
    ended: Mutex<Ended>,
}

/// How a turn ended.
#[derive(Clone, Debug)]
struct Ended {
    /// How many there were.
    turns: u64,
    outcome: Result<(), AuthorizationError>,
    /// Whether somebody could be asked then.
    had_person: bool,
}

impl OAuthAuthorizer {
    /// An authorizer that keeps tokens in `store`. Without a `browser` nobody is ever asked to log in.
    ///
    /// Nothing is read or asked before the first request.
    pub fn new(settings: Settings, store: Arc<dyn TokenStore>, browser: Option<Arc<dyn Browser>>) -> OAuthAuthorizer {
        OAuthAuthorizer {
            steps: Steps::new(settings, store, browser),
            turn: tokio::sync::Mutex::default(),
            ended: Mutex::new(Ended { turns: 0, outcome: Ok(()), had_person: false }),
        }
    }

    /// Logs in although no request was refused, and gives the issuer that let us in. What was had before is replaced.
    ///
    /// # Errors
    /// Why there was no login, or why its outcome cannot be kept.
    pub async fn log_in(&self) -> Result<String, AuthorizationError> {
        let mut turn = self.turn.lock().await;
        *self.steps.attempts() = Attempts::default();
        self.steps.log_in_unasked(&mut turn).await.map_err(|failure| self.steps.in_words(&failure))
    }

    /// Forgets everything about the server, and tells the issuer where it wants to be told.
    ///
    /// # Errors
    /// When something may still be kept. That the issuer could not be told is no error.
    pub async fn log_out(&self) -> Result<Revocation, AuthorizationError> {
        let mut turn = self.turn.lock().await;
        // What cannot be read cannot be revoked, but can be removed.
        let known = self.steps.holdings().reload().await.ok().and_then(|()| self.steps.holdings().current());
        let told = match known {
            Some(credentials) if credentials.token.is_some() => self.steps.tell(&mut turn, &credentials).await,
            _ => Revocation::NotOffered,
        };
        *turn = None;
        *self.steps.attempts() = Attempts::default();
        self.steps.holdings().clear().await.map_err(|error| self.steps.in_words(&error.into()))?;
        Ok(told)
    }

    async fn current_token(&self) -> Option<AccessToken> {
        self.steps.holdings().load().await.ok()?;
        let freshness = |kept: &Credentials| kept.token.as_ref().map(|token| token.freshness(now()));
        let kept = self.steps.holdings().current()?;
        let waiting = match freshness(&kept)? {
            Freshness::Good => return self.steps.holdings().token(),
            Freshness::Ending => false,
            Freshness::Expired => !self.steps.is_asking(),
        };
        // An old token is still better than to wait for a person: the server says what it thinks of it.
        let turn = if waiting { Some(self.turn.lock().await) } else { self.turn.try_lock().ok() };
        if let Some(mut turn) = turn {
            self.steps.holdings().reload().await.ok()?;
            let kept = self.steps.holdings().current()?;
            let due = freshness(&kept).is_some_and(|freshness| freshness != Freshness::Good);
            if due && self.steps.can_renew(&kept) {
                // What goes wrong now is said when the server refuses the old token.
                let _ = self.steps.renew_early(&mut turn, &kept).await;
            }
        }
        self.steps.holdings().token()
    }

    async fn answer_in_turn(&self, refusal: Refusal, person: Option<&dyn Person>) -> Result<(), AuthorizationError> {
        let before = self.ended().turns;
        let mut turn = self.turn.lock().await;
        self.steps.holdings().reload().await.map_err(|error| self.steps.in_words(&error.into()))?;
        // Somebody else was refused as well, and has a new token already.
        if self.steps.holdings().token().is_some_and(|token| Some(token) != refusal.token) {
            return Ok(());
        }
        let ended = self.ended();
        // What came to nothing for want of a person may come to something with one.
        let is_shared = ended.turns != before && (ended.had_person || person.is_none());
        if is_shared && ended.outcome.is_err() {
            return ended.outcome;
        }
        if person.is_some() {
            self.steps.attempts().may_try_again();
        }
        let failed_before = self.steps.attempts().failure().filter(|_| refusal.status == 401);
        let outcome = match failed_before {
            Some(failure) => Err(failure),
            None => {
                let answered = self.steps.answer(&mut turn, &refusal, person).await;
                answered.map_err(|failure| self.steps.in_words(&failure))
            }
        };
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) =
            Ended { turns: ended.turns + 1, outcome: outcome.clone(), had_person: person.is_some() };
        outcome
    }

    fn ended(&self) -> Ended {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Authorizer for OAuthAuthorizer {
    fn token(&self) -> Pending<'_, Option<AccessToken>> {
        Box::pin(self.current_token())
    }

    fn refused<'a>(
        &'a self,
        refusal: Refusal,
        person: Option<&'a dyn Person>,
    ) -> Pending<'a, Result<(), AuthorizationError>> {
        Box::pin(self.answer_in_turn(refusal, person))
    }

    fn accepted(&self, token: &AccessToken) {
        if self.steps.holdings().token().as_ref() == Some(token) {
            self.steps.attempts().accepted();
        }
    }
}

impl fmt::Debug for OAuthAuthorizer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OAuthAuthorizer").field("server", &self.steps.settings().server).finish_non_exhaustive()
    }
}
