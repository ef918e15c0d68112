//! A protected server with its authorization servers, on loopback, and the client that makes requests of it.

mod pages;
mod serve;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use askback_auth::OAuthAuthorizer;
use askback_auth::browser::{Browser, HeadlessBrowser};
use askback_auth::settings::Settings;
use askback_auth::store::{MemoryStore, TokenStore};
use askback_desk::texts::Lang;
use askback_host::authorization::{AuthorizationError, Authorizer, Person, Refusal};
use serde_json::{Value, json};
use url::Url;

/// Where the headless browser says that it can be sent back to.
pub(crate) const REDIRECT: &str = "http://127.0.0.1:9/callback";

/// Everything of one test.
pub(crate) struct World {
    pub(crate) mcp: Url,
    pub(crate) store: Arc<MemoryStore>,
    state: Arc<Mutex<State>>,
    client: reqwest::Client,
}

/// How the servers behave. The default is a good world of 2026-07-28.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The path of the issuer that the server's metadata names; none: no metadata.
    pub(crate) issuer: Option<&'static str>,
    /// What a refusal says, if anything; `META` stands for the metadata's address.
    pub(crate) challenge: Option<&'static str>,
    /// Changes to the metadata of the authorization servers; `null` takes a member out.
    pub(crate) metadata: Value,
    /// Whether no token is ever good enough.
    pub(crate) always_401: bool,
    /// The scopes that every request needs beyond being known.
    pub(crate) needs: &'static str,
    /// Whether tokens are issued with fewer scopes than asked for.
    pub(crate) stingy: bool,
    /// How long tokens live, in seconds.
    pub(crate) lives: Option<u64>,
    /// What is answered to a refresh instead of tokens.
    pub(crate) refresh_error: Option<(u16, &'static str)>,
    /// The parameters with which the authorization page sends back instead of its own.
    pub(crate) sent_back: &'static [(&'static str, &'static str)],
    /// Whether the origin of the server is itself an authorization server without metadata (2025-03-26).
    pub(crate) bare_endpoints: bool,
    /// The metadata that the origin serves for itself (2025-03-26), by its issuer.
    pub(crate) origin_issuer: Option<String>,
    /// Where the metadata of the authorization server is: its well-known name, and whether its path comes after.
    pub(crate) place: (&'static str, bool),
    /// The secret that is given to those who register.
    pub(crate) secret: Option<&'static str>,
    /// The `resource` of the metadata, where it is not the server.
    pub(crate) resource: Option<&'static str>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            issuer: Some("/one"),
            challenge: Some(
                r#"Bearer error="invalid_token", error_description="try harder", resource_metadata="META""#,
            ),
            metadata: json!({}),
            always_401: false,
            needs: "",
            stingy: false,
            lives: Some(3600),
            refresh_error: None,
            sent_back: &[],
            bare_endpoints: false,
            origin_issuer: None,
            place: ("oauth-authorization-server", true),
            secret: None,
            resource: None,
        }
    }
}

/// One request that came in.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) json: Value,
    pub(crate) authorization: Option<String>,
}

#[derive(Debug)]
struct State {
    rules: Rules,
    hits: Vec<Hit>,
    /// What was issued so far, which makes names unique.
    issued: usize,
    /// Codes, with the query of the page that they came from.
    codes: BTreeMap<String, BTreeMap<String, String>>,
    /// Good tokens with their scopes.
    tokens: BTreeMap<String, BTreeSet<String>>,
    refresh_tokens: BTreeMap<String, BTreeSet<String>>,
}

impl World {
    /// A world with these rules.
    pub(crate) async fn new(rules: Rules) -> World {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let state = State {
            rules,
            hits: Vec::new(),
            issued: 0,
            codes: BTreeMap::new(),
            tokens: BTreeMap::new(),
            refresh_tokens: BTreeMap::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let mcp = serve::start(state.clone()).await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        World { mcp, store: Arc::default(), state, client }
    }

    /// Changes the rules while everything runs.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Rules)) {
        change(&mut self.state().rules);
    }

    /// All tokens are good no more; refresh tokens are.
    pub(crate) fn expire_tokens(&self) {
        self.state().tokens.clear();
    }

    /// The settings of a person who has configured nothing.
    pub(crate) fn settings(&self) -> Settings {
        Settings::new("travel", &self.mcp, Lang::En)
    }

    /// An authorizer with these settings and a headless browser.
    pub(crate) fn authorizer_for(&self, settings: Settings) -> OAuthAuthorizer {
        let browser: Arc<dyn Browser> = Arc::new(HeadlessBrowser::new(&settings.server, REDIRECT));
        let store: Arc<dyn TokenStore> = self.store.clone();
        OAuthAuthorizer::new(settings, store, Some(browser))
    }

    /// An authorizer of a person who has configured nothing.
    pub(crate) fn authorizer(&self) -> OAuthAuthorizer {
        self.authorizer_for(self.settings())
    }

    /// Makes one request, again whenever the authorizer says that it is worth it.
    pub(crate) async fn request(&self, authorizer: &OAuthAuthorizer) -> Result<(), AuthorizationError> {
        self.request_for(authorizer, None).await
    }

    /// Makes one request in the middle of a call of somebody's, who may be asked.
    pub(crate) async fn request_for(
        &self,
        authorizer: &OAuthAuthorizer,
        person: Option<&dyn Person>,
    ) -> Result<(), AuthorizationError> {
        for _ in 0..20 {
            let token = authorizer.token().await;
            let mut request = self.client.post(self.mcp.clone());
            if let Some(token) = &token {
                request = request.bearer_auth(token.reveal());
            }
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            if status == 200 {
                authorizer.accepted(&token.expect("nobody is let in without a token"));
                return Ok(());
            }
            let headers = response.headers().get_all("www-authenticate").iter();
            let challenges = headers.map(|value| value.to_str().unwrap().to_owned()).collect();
            authorizer.refused(Refusal { status, challenges, token }, person).await?;
        }
        panic!("a request that is sent without end");
    }

    /// The requests to `path`.
    pub(crate) fn hits(&self, path: &str) -> Vec<Hit> {
        self.state().hits.iter().filter(|hit| hit.path == path).cloned().collect()
    }

    /// The paths of all requests, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.state().hits.iter().map(|hit| hit.path.clone()).collect()
    }

    /// The only request to `path`.
    #[track_caller]
    pub(crate) fn hit(&self, path: &str) -> Hit {
        let hits = self.hits(path);
        assert_eq!(hits.len(), 1, "requests to {path}: {hits:?}");
        hits.into_iter().next().unwrap()
    }

    /// An address at the origin of everything.
    pub(crate) fn at(&self, path: &str) -> String {
        self.mcp.join(path).unwrap().to_string()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl Hit {
    /// A parameter of the query or the form; empty when it is not there.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map(String::as_str).unwrap_or_default()
    }
}
