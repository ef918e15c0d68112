//! The authorizer of one server: answers refusals, and hands out the token.
//!
//! Owns the order of what is tried, and that requests share it. Must not know how each thing is done; every one has its module.
//!
//! Serves "Authorization Flow Steps", "Refresh Tokens" and "Step-Up Authorization Flow" of the authorization pages.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use askback_host::authorization::{AccessToken, AuthorizationError, Authorizer, Pending, Refusal};

use crate::attempts::Attempts;
use crate::browser::Browser;
use crate::challenge::Challenge;
use crate::courier::Courier;
use crate::credentials::{Credentials, Freshness, now};
use crate::discovery::{Found, discover};
use crate::failure::Failure;
use crate::holdings::Holdings;
use crate::login::{Before, log_in};
use crate::machine::obtain;
use crate::renewal::{Renewal, renew};
use crate::revocation::{Revocation, revoke};
use crate::settings::{Grant, Settings};
use crate::store::{StoreError, TokenStore};
use crate::wording::in_words;

/// Gets the tokens for one server by OAuth.
pub struct OAuthAuthorizer {
    settings: Settings,
    browser: Option<Arc<dyn Browser>>,
    courier: Courier,
    holdings: Holdings,
    attempts: Mutex<Attempts>,
    /// Whoever holds it renews or logs in, and the others wait for what comes of it. It guards what was found the last time.
    turn: tokio::sync::Mutex<Option<Found>>,
    /// How the last turn ended, and how many there were.
    ended: Mutex<(u64, Result<(), AuthorizationError>)>,
    asking: AtomicBool,
}

/// Counts as asking somebody until it is dropped, also when whoever waited gives up.
struct Asking<'a>(&'a AtomicBool);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl OAuthAuthorizer {
    /// An authorizer that keeps tokens in `store`. Without a `browser` nobody is ever asked to log in.
    ///
    /// Nothing is read or asked before the first request.
    pub fn new(settings: Settings, store: Arc<dyn TokenStore>, browser: Option<Arc<dyn Browser>>) -> OAuthAuthorizer {
        OAuthAuthorizer {
            courier: Courier::new(settings.server.clone()),
            holdings: Holdings::new(settings.server.clone(), store),
            settings,
            browser,
            attempts: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            ended: Mutex::new((0, Ok(()))),
            asking: AtomicBool::new(false),
        }
    }

    /// Logs in although no request was refused, and gives the issuer that let us in. What was had before is replaced.
    ///
    /// # Errors
    /// Why there was no login, or why its outcome cannot be kept.
    pub async fn log_in(&self) -> Result<String, AuthorizationError> {
        let mut turn = self.turn.lock().await;
        *self.attempts() = Attempts::default();
        self.log_in_unasked(&mut turn).await.map_err(|failure| self.in_words(&failure))
    }

    /// Forgets everything about the server, and tells the issuer where it wants to be told.
    ///
    /// # Errors
    /// When something may still be kept. That the issuer could not be told is no error.
    pub async fn log_out(&self) -> Result<Revocation, AuthorizationError> {
        let mut turn = self.turn.lock().await;
        // What cannot be read cannot be revoked, but can be removed.
        let known = self.holdings.reload().await.ok().and_then(|()| self.holdings.current());
        let told = match known {
            Some(credentials) if credentials.token.is_some() => self.tell(&mut turn, &credentials).await,
            _ => Revocation::NotOffered,
        };
        *turn = None;
        *self.attempts() = Attempts::default();
        self.holdings.clear().await.map_err(|error| self.in_words(&error.into()))?;
        Ok(told)
    }

    async fn tell(&self, turn: &mut Option<Found>, credentials: &Credentials) -> Revocation {
        let Ok(found) = self.find(turn, None, None).await else { return Revocation::Failed };
        if found.issuer != credentials.issuer {
            return Revocation::Failed;
        }
        revoke(found, credentials, &self.settings.identity()).await.unwrap_or(Revocation::Failed)
    }

    async fn log_in_unasked(&self, turn: &mut Option<Found>) -> Result<String, Failure> {
        self.holdings.reload().await?;
        let answer = self.courier.knock().await?;
        let headers = answer.headers().get_all(http::header::WWW_AUTHENTICATE);
        let headers: Vec<String> = headers.iter().filter_map(|value| value.to_str().ok()).map(str::to_owned).collect();
        let challenge = Challenge::bearer(&headers).unwrap_or_default();
        let found = self.find(turn, Some(answer.status().as_u16()), Some(&challenge)).await?;
        let credentials = self.new_credentials(found, &challenge.scopes).await?;
        self.holdings.put(credentials).await?;
        Ok(found.issuer.clone())
    }

    /// The authorization server, as the server's origin names it now. What is bound to another one is given up.
    async fn find<'a>(
        &self,
        turn: &'a mut Option<Found>,
        status: Option<u16>,
        challenge: Option<&Challenge>,
    ) -> Result<&'a mut Found, Failure> {
        let found = discover(&self.settings.server, &self.courier, status, challenge).await?;
        let kept = self.holdings.current().filter(|kept| kept.issuer != found.issuer);
        if let Some((id, configured)) = self.settings.by_hand() {
            let pinned = kept.filter(|kept| kept.client.is_by_hand() && kept.client.id() == id).map(|kept| kept.issuer);
            let before = configured.map(str::to_owned).or(pinned).filter(|before| *before != found.issuer);
            if let Some(before) = before {
                return Err(Failure::OtherIssuer { before, now: found.issuer });
            }
        } else if let Some(kept) = kept {
            keep_going(self.holdings.drop_issuer(&kept.issuer).await);
        }
        Ok(turn.insert(found))
    }

    async fn new_credentials(&self, found: &mut Found, challenged: &[String]) -> Result<Credentials, Failure> {
        if let Grant::Machine(client) = &self.settings.grant {
            return obtain(&self.settings, client, found, challenged).await;
        }
        let browser = self.browser.as_deref().ok_or(Failure::NobodyToAsk)?;
        let earlier = self.holdings.of_issuer(&found.issuer);
        let scopes = earlier.as_ref().and_then(|earlier| earlier.token.as_ref()).map(|token| token.scopes.clone());
        let before = Before {
            client: earlier.as_ref().map(|earlier| &earlier.client),
            scopes: &scopes.unwrap_or_default(),
            challenged,
        };
        self.asking.store(true, Ordering::Relaxed);
        let _asking = Asking(&self.asking);
        log_in(&self.settings, found, browser, before).await
    }

    /// Answers a refusal in its turn.
    async fn answer(&self, turn: &mut Option<Found>, refusal: &Refusal) -> Result<(), Failure> {
        let challenge = Challenge::bearer(&refusal.challenges);
        match (refusal.status, &challenge) {
            (401, challenge) => self.let_in(turn, refusal, challenge.as_ref()).await,
            (_, Some(challenge)) if challenge.wants_more_scopes() => self.step_up(turn, refusal, challenge).await,
            (_, challenge) => Err(still_refused(refusal, challenge.as_ref())),
        }
    }

    async fn let_in(
        &self,
        turn: &mut Option<Found>,
        refusal: &Refusal,
        challenge: Option<&Challenge>,
    ) -> Result<(), Failure> {
        if !self.attempts().may_log_in() {
            return Err(still_refused(refusal, challenge));
        }
        let found = self.find(turn, Some(refusal.status), challenge).await?;
        let kept = self.holdings.of_issuer(&found.issuer);
        if let Some(kept) = &kept
            && self.attempts().may_renew()
            && self.renewed(found, kept).await?
        {
            return Ok(());
        }
        let challenged = challenge.map(|challenge| challenge.scopes.as_slice()).unwrap_or_default();
        let outcome = self.new_credentials(found, challenged).await;
        match outcome {
            Ok(credentials) => {
                self.attempts().logged_in(None);
                keep_going(self.holdings.put(credentials).await);
                Ok(())
            }
            Err(failure) => {
                // Nobody is bothered by a machine that asks again.
                if self.asks_people() && failure.came_after_asking() {
                    self.attempts().logged_in(Some(self.in_words(&failure)));
                    self.give_up_registration(kept.as_ref()).await;
                }
                Err(failure)
            }
        }
    }

    /// A page that shows an error instead of sending back may do so because it knows the client no more; the next login registers anew.
    async fn give_up_registration(&self, kept: Option<&Credentials>) {
        if let Some(kept) = kept.filter(|kept| !kept.client.is_by_hand()) {
            keep_going(self.holdings.drop_issuer(&kept.issuer).await);
        }
    }

    async fn step_up(&self, turn: &mut Option<Found>, refusal: &Refusal, challenge: &Challenge) -> Result<(), Failure> {
        if !self.asks_people() || !self.attempts().may_step_up(&challenge.scopes) {
            return Err(still_refused(refusal, Some(challenge)));
        }
        let found = self.find(turn, Some(refusal.status), Some(challenge)).await?;
        let outcome = self.new_credentials(found, &challenge.scopes).await;
        if outcome.as_ref().err().is_none_or(Failure::came_after_asking) {
            self.attempts().stepped_up(&challenge.scopes);
        }
        keep_going(self.holdings.put(outcome?).await);
        Ok(())
    }

    /// Whether `kept` could be renewed.
    async fn renewed(&self, found: &mut Found, kept: &Credentials) -> Result<bool, Failure> {
        let renewal = renew(found, kept, &self.settings.client).await?;
        self.attempts().renewed();
        if let Renewal::Renewed(token) = renewal {
            keep_going(self.holdings.put(kept.with_token(Some(token))).await);
            return Ok(true);
        }
        // Another process may have used up the refresh token, and have stored what it got for it.
        self.holdings.reload().await?;
        let other = self.holdings.of_issuer(&found.issuer).filter(|other| other.token.is_some());
        if other.is_some_and(|other| other.token != kept.token) {
            return Ok(true);
        }
        let outcome = match renewal {
            // Without the client the pin of one that was registered by hand would be lost, too.
            Renewal::Disowned if !kept.client.is_by_hand() => self.holdings.drop_issuer(&kept.issuer).await,
            _ => self.holdings.put(kept.with_token(None)).await,
        };
        keep_going(outcome);
        Ok(false)
    }

    /// Renews a token that is about to run out, without asking anybody.
    async fn renew_early(&self, turn: &mut Option<Found>, kept: &Credentials) -> Result<(), Failure> {
        let found = match turn {
            Some(found) => found,
            None => self.find(turn, None, None).await?,
        };
        if found.issuer != kept.issuer {
            return Ok(());
        }
        match &self.settings.grant {
            Grant::Machine(client) => {
                let scopes = kept.token.as_ref().map(|token| token.scopes.clone()).unwrap_or_default();
                let credentials = obtain(&self.settings, client, found, &scopes).await?;
                keep_going(self.holdings.put(credentials).await);
            }
            Grant::Person => {
                self.renewed(found, kept).await?;
            }
        }
        Ok(())
    }

    async fn current_token(&self) -> Option<AccessToken> {
        self.holdings.load().await.ok()?;
        let freshness = |kept: &Credentials| kept.token.as_ref().map(|token| token.freshness(now()));
        let kept = self.holdings.current()?;
        let waiting = match freshness(&kept)? {
            Freshness::Good => return self.holdings.token(),
            Freshness::Ending => false,
            Freshness::Expired => !self.asking.load(Ordering::Relaxed),
        };
        // An old token is still better than to wait for a person: the server says what it thinks of it.
        let turn = if waiting { Some(self.turn.lock().await) } else { self.turn.try_lock().ok() };
        if let Some(mut turn) = turn {
            self.holdings.reload().await.ok()?;
            let kept = self.holdings.current()?;
            let due = freshness(&kept).is_some_and(|freshness| freshness != Freshness::Good);
            let can = !self.asks_people() || kept.token.as_ref().is_some_and(|token| token.refresh.is_some());
            if due && can {
                // What goes wrong now is said when the server refuses the old token.
                let _ = self.renew_early(&mut turn, &kept).await;
            }
        }
        self.holdings.token()
    }

    async fn answer_in_turn(&self, refusal: Refusal) -> Result<(), AuthorizationError> {
        let before = self.ended().0;
        let mut turn = self.turn.lock().await;
        self.holdings.reload().await.map_err(|error| self.in_words(&error.into()))?;
        // Somebody else was refused as well, and has a new token already.
        if self.holdings.token().is_some_and(|token| Some(token) != refusal.token) {
            return Ok(());
        }
        let ended = self.ended();
        if ended.0 != before && ended.1.is_err() {
            return ended.1;
        }
        let failed_before = self.attempts().failure().filter(|_| refusal.status == 401);
        let outcome = match failed_before {
            Some(failure) => Err(failure),
            None => self.answer(&mut turn, &refusal).await.map_err(|failure| self.in_words(&failure)),
        };
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = (ended.0 + 1, outcome.clone());
        outcome
    }

    fn asks_people(&self) -> bool {
        matches!(self.settings.grant, Grant::Person)
    }

    fn in_words(&self, failure: &Failure) -> AuthorizationError {
        in_words(self.settings.lang, failure)
    }

    fn attempts(&self) -> std::sync::MutexGuard<'_, Attempts> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> (u64, Result<(), AuthorizationError>) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A token that cannot be stored serves this process all the same.
fn keep_going(_stored: Result<(), StoreError>) {}

fn still_refused(refusal: &Refusal, challenge: Option<&Challenge>) -> Failure {
    Failure::StillRefused {
        status: refusal.status,
        error: challenge.and_then(|challenge| challenge.error.clone()),
        description: challenge.and_then(|challenge| challenge.description.clone()),
    }
}

impl Authorizer for OAuthAuthorizer {
    fn token(&self) -> Pending<'_, Option<AccessToken>> {
        Box::pin(self.current_token())
    }

    fn refused(&self, refusal: Refusal) -> Pending<'_, Result<(), AuthorizationError>> {
        Box::pin(self.answer_in_turn(refusal))
    }

    fn accepted(&self, token: &AccessToken) {
        if self.holdings.token().as_ref() == Some(token) {
            self.attempts().accepted();
        }
    }
}

impl fmt::Debug for OAuthAuthorizer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OAuthAuthorizer").field("server", &self.settings.server).finish_non_exhaustive()
    }
}
