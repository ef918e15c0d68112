//! What is tried when a server refuses, and in which order.
//!
//! Owns the order: find the issuer, renew, log in, step up. Must not know that several requests may be refused at once; that is
//! [`crate::authorizer`]'s.
//!
//! Serves "Authorization Flow Steps", "Refresh Tokens", "Authorization Server Binding" and "Step-Up Authorization Flow" of the authorization
//! pages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_host::authorization::{AuthorizationError, Person, Refusal};

use crate::attempts::Attempts;
use crate::browser::Browser;
use crate::challenge::Challenge;
use crate::courier::Courier;
use crate::credentials::Credentials;
use crate::discovery::{Found, discover};
use crate::failure::Failure;
use crate::holdings::Holdings;
use crate::login::{Before, log_in};
use crate::renewal::{Renewal, renew};
use crate::revocation::{Revocation, revoke};
use crate::settings::{Grant, Settings};
use crate::store::{StoreError, TokenStore};
use crate::wording::in_words;
use crate::{enterprise, machine};

/// Everything that is known and had of one server. One step is taken at a time: whoever takes one brings what was found the last time.
pub(crate) struct Steps {
    settings: Settings,
    browser: Option<Arc<dyn Browser>>,
    courier: Courier,
    holdings: Holdings,
    attempts: Mutex<Attempts>,
    asking: AtomicBool,
}

/// Counts as asking somebody until it is dropped, also when whoever waited gives up.
struct Asking<'a>(&'a AtomicBool);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Steps {
    /// Nothing is read or asked yet.
    pub(crate) fn new(settings: Settings, store: Arc<dyn TokenStore>, browser: Option<Arc<dyn Browser>>) -> Steps {
        Steps {
            courier: Courier::new(settings.server.clone()),
            holdings: Holdings::new(settings.server.clone(), store),
            settings,
            browser,
            attempts: Mutex::default(),
            asking: AtomicBool::new(false),
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn holdings(&self) -> &Holdings {
        &self.holdings
    }

    pub(crate) fn attempts(&self) -> MutexGuard<'_, Attempts> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody is being asked right now.
    pub(crate) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed)
    }

    /// Whether a token that runs out can be renewed without asking anybody.
    pub(crate) fn can_renew(&self, kept: &Credentials) -> bool {
        !self.asks_people() || kept.token.as_ref().is_some_and(|token| token.refresh.is_some())
    }

    /// `failure` in the language of the person.
    pub(crate) fn in_words(&self, failure: &Failure) -> AuthorizationError {
        in_words(self.settings.lang, failure)
    }

    /// Answers a refusal: after `Ok` there is another token. A person in the middle of a call is asked before they are sent anywhere.
    pub(crate) async fn answer(
        &self,
        turn: &mut Option<Found>,
        refusal: &Refusal,
        person: Option<&dyn Person>,
    ) -> Result<(), Failure> {
        let challenge = Challenge::bearer(&refusal.challenges);
        match (refusal.status, &challenge) {
            (401, challenge) => self.let_in(turn, refusal, challenge.as_ref(), person).await,
            (_, Some(challenge)) if challenge.wants_more_scopes() => {
                self.step_up(turn, refusal, challenge, person).await
            }
            (_, challenge) => Err(still_refused(refusal, challenge.as_ref())),
        }
    }

    /// Logs in although nothing was refused, and gives the issuer.
    pub(crate) async fn log_in_unasked(&self, turn: &mut Option<Found>) -> Result<String, Failure> {
        self.holdings.reload().await?;
        let answer = self.courier.knock().await?;
        let headers = answer.headers().get_all(http::header::WWW_AUTHENTICATE);
        let headers: Vec<String> = headers.iter().filter_map(|value| value.to_str().ok()).map(str::to_owned).collect();
        let challenge = Challenge::bearer(&headers).unwrap_or_default();
        let found = self.find(turn, Some(answer.status().as_u16()), Some(&challenge)).await?;
        let credentials = self.new_credentials(found, &challenge.scopes, None).await?;
        self.holdings.put(credentials).await?;
        Ok(found.issuer.clone())
    }

    /// Tells the issuer of `credentials` that they are given up.
    pub(crate) async fn tell(&self, turn: &mut Option<Found>, credentials: &Credentials) -> Revocation {
        let Ok(found) = self.find(turn, None, None).await else { return Revocation::Failed };
        if found.issuer != credentials.issuer {
            return Revocation::Failed;
        }
        revoke(found, credentials, &self.settings.identity()).await.unwrap_or(Revocation::Failed)
    }

    async fn let_in(
        &self,
        turn: &mut Option<Found>,
        refusal: &Refusal,
        challenge: Option<&Challenge>,
        person: Option<&dyn Person>,
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
        let outcome = self.new_credentials(found, challenged, person).await;
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

    async fn step_up(
        &self,
        turn: &mut Option<Found>,
        refusal: &Refusal,
        challenge: &Challenge,
        person: Option<&dyn Person>,
    ) -> Result<(), Failure> {
        if !self.asks_people() || !self.attempts().may_step_up(&challenge.scopes) {
            return Err(still_refused(refusal, Some(challenge)));
        }
        let found = self.find(turn, Some(refusal.status), Some(challenge)).await?;
        let outcome = self.new_credentials(found, &challenge.scopes, person).await;
        // One who can be asked says for themselves whether what came to nothing is tried once more.
        let counts = outcome.as_ref().err().is_none_or(|failure| failure.came_after_asking() && person.is_none());
        if counts {
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
    pub(crate) async fn renew_early(&self, turn: &mut Option<Found>, kept: &Credentials) -> Result<(), Failure> {
        let found = match turn {
            Some(found) => found,
            None => self.find(turn, None, None).await?,
        };
        if found.issuer != kept.issuer {
            return Ok(());
        }
        if self.asks_people() {
            self.renewed(found, kept).await?;
        } else {
            let scopes = kept.token.as_ref().map(|token| token.scopes.clone()).unwrap_or_default();
            let credentials = self.new_credentials(found, &scopes, None).await?;
            keep_going(self.holdings.put(credentials).await);
        }
        Ok(())
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

    async fn new_credentials(
        &self,
        found: &mut Found,
        challenged: &[String],
        person: Option<&dyn Person>,
    ) -> Result<Credentials, Failure> {
        match &self.settings.grant {
            Grant::Machine(client) => return machine::obtain(&self.settings, client, found, challenged).await,
            Grant::Enterprise(client) => return enterprise::obtain(&self.settings, client, found, challenged).await,
            Grant::Person => {}
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
        log_in(&self.settings, found, browser, before, person).await
    }

    fn asks_people(&self) -> bool {
        matches!(self.settings.grant, Grant::Person)
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
