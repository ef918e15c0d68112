//! Logins by a person, from the first refusal to the token.

use std::sync::Mutex;

use askback_auth::secret::Secret;
use askback_auth::settings::{ClientIdentity, RegisteredClient};
use askback_auth::{OAuthAuthorizer, Revocation};
use askback_core::engine::{Leave, LeaveAnswer};
use askback_host::authorization::{AuthorizationError, Authorizer, Pending, Person};
use serde_json::json;
use url::Url;

use crate::world::{REDIRECT, Rules, World};

#[track_caller]
fn failed(outcome: Result<(), AuthorizationError>) -> String {
    match outcome {
        Err(AuthorizationError::Failed { detail }) => detail,
        other => panic!("{other:?}"),
    }
}

fn without_browser(world: &World) -> OAuthAuthorizer {
    OAuthAuthorizer::new(world.settings(), world.store.clone(), None)
}

#[tokio::test]
async fn a_stranger_registers_and_logs_in() {
    let world =
        World::new(Rules { metadata: json!({ "scopes_supported": ["offline_access"] }), ..Rules::default() }).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();

    let registration = world.hit("/one/register").json;
    assert_eq!(registration["redirect_uris"], json!([REDIRECT]));
    assert_eq!(registration["application_type"], "native");
    assert_eq!(registration["grant_types"], json!(["authorization_code", "refresh_token"]));
    let page = world.hit("/one/authorize");
    assert_eq!(page.parameter("client_id"), "/one-client-1");
    assert_eq!(page.parameter("code_challenge_method"), "S256");
    assert_eq!(page.parameter("resource"), world.mcp.as_str());
    assert_eq!(page.parameter("scope"), "read write offline_access");
    assert_eq!(world.hit("/one/token").parameter("resource"), world.mcp.as_str());

    world.request(&authorizer).await.unwrap();
    world.request(&without_browser(&world)).await.unwrap();
    assert_eq!(world.hits("/one/authorize").len(), 1, "the token is kept, and another run finds it");
}

#[tokio::test]
async fn the_scopes_of_the_challenge_are_asked_for() {
    let challenge = Some(r#"Bearer scope="read", resource_metadata="META""#);
    let world = World::new(Rules { challenge, ..Rules::default() }).await;
    world.request(&world.authorizer()).await.unwrap();
    assert_eq!(world.hit("/one/authorize").parameter("scope"), "read");
}

#[tokio::test]
async fn a_client_registered_by_hand_comes_first() {
    let world = World::new(Rules::default()).await;
    let mut settings = world.settings();
    let registered = RegisteredClient { id: "by-hand".to_owned(), secret: Some(Secret::new("shared")), issuer: None };
    let document = Url::parse("https://client.example/askback.json").unwrap();
    settings.client = ClientIdentity { registered: Some(registered), metadata_document: Some(document) };
    world.request(&world.authorizer_for(settings)).await.unwrap();
    assert_eq!(world.hit("/one/authorize").parameter("client_id"), "by-hand");
    assert_eq!(world.hit("/one/token").authorization.as_deref(), Some("Basic YnktaGFuZDpzaGFyZWQ="));
    assert!(world.hits("/one/register").is_empty());
}

#[tokio::test]
async fn a_metadata_document_is_used_where_it_is_taken() {
    for (taken, expected) in [(true, "https://client.example/askback.json"), (false, "/one-client-1")] {
        let metadata = json!({ "client_id_metadata_document_supported": taken });
        let world = World::new(Rules { metadata, ..Rules::default() }).await;
        let mut settings = world.settings();
        settings.client.metadata_document = Some(Url::parse("https://client.example/askback.json").unwrap());
        world.request(&world.authorizer_for(settings)).await.unwrap();
        assert_eq!(world.hit("/one/authorize").parameter("client_id"), expected);
    }
}

#[tokio::test]
async fn a_secret_that_came_with_registration_is_kept_and_shown_where_it_is_wanted() {
    let metadata = json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] });
    let world = World::new(Rules { metadata, secret: Some("given"), ..Rules::default() }).await;
    world.request(&world.authorizer()).await.unwrap();
    world.expire_tokens();
    world.request(&without_browser(&world)).await.unwrap();
    let secrets: Vec<_> =
        world.hits("/one/token").iter().map(|hit| hit.parameter("client_secret").to_owned()).collect();
    assert_eq!(secrets, ["given", "given"], "for the code, and for the refresh of a later run");
}

#[tokio::test]
async fn without_a_way_to_register_it_says_so() {
    let world = World::new(Rules { metadata: json!({ "registration_endpoint": null }), ..Rules::default() }).await;
    let detail = failed(world.request(&world.authorizer()).await);
    assert!(detail.contains("does not register clients by itself"), "{detail}");
}

#[tokio::test]
async fn without_pkce_nobody_is_sent_anywhere() {
    for methods in [json!(null), json!(["plain"])] {
        let metadata = json!({ "code_challenge_methods_supported": methods });
        let world = World::new(Rules { metadata, ..Rules::default() }).await;
        let detail = failed(world.request(&world.authorizer()).await);
        assert!(detail.contains("PKCE"), "{detail}");
        assert!(world.hits("/one/authorize").is_empty());
    }
}

/// An answer that is not one to our login: the code in it is not used, and the error in it is not repeated.
async fn check_rejected(sent_back: &'static [(&'static str, &'static str)], expected: &str) {
    let world = World::new(Rules { sent_back, ..Rules::default() }).await;
    let detail = failed(world.request(&world.authorizer()).await);
    assert!(detail.contains(expected), "{detail}");
    assert!(!detail.contains("access_denied"), "{detail}");
    assert!(world.hits("/one/token").is_empty(), "the code went to the token endpoint");
}

#[tokio::test]
async fn answers_from_elsewhere_are_rejected() {
    check_rejected(&[("iss", "https://other.example")], "came from https://other.example").await;
    check_rejected(&[("iss", "https://other.example"), ("error", "access_denied")], "came from").await;
    check_rejected(&[("iss", "")], "does not say that it is from").await;
    check_rejected(&[("state", "guessed")], "does not belong to this login").await;
    check_rejected(&[("state", ""), ("error", "access_denied")], "does not belong to this login").await;
}

#[tokio::test]
async fn a_refused_login_is_told_in_the_words_of_the_page_and_not_repeated() {
    let sent_back = &[("code", ""), ("error", "access_denied"), ("error_description", "not you")];
    let world = World::new(Rules { sent_back, ..Rules::default() }).await;
    let authorizer = world.authorizer();
    assert_eq!(failed(world.request(&authorizer).await), "the login was refused: access_denied (not you)");
    assert_eq!(failed(world.request(&authorizer).await), "the login was refused: access_denied (not you)");
    assert_eq!(world.hits("/one/authorize").len(), 1, "nobody is asked a second time by itself");
    world.change(|rules| rules.sent_back = &[]);
    assert_eq!(authorizer.log_in().await, Ok(world.at("/one")));
    world.request(&authorizer).await.unwrap();
}

#[tokio::test]
async fn without_anybody_to_ask_it_says_so() {
    let world = World::new(Rules::default()).await;
    assert_eq!(world.request(&without_browser(&world)).await, Err(AuthorizationError::NobodyToAsk));
}

#[tokio::test]
async fn somebody_can_log_in_before_and_out_after() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    assert_eq!(authorizer.log_in().await, Ok(world.at("/one")));
    let token = authorizer.token().await.unwrap();
    assert_eq!(authorizer.log_out().await, Ok(Revocation::Revoked));
    let revoked: Vec<_> = world.hits("/one/revoke").iter().map(|hit| hit.parameter("token").to_owned()).collect();
    assert_eq!(revoked.len(), 2);
    assert!(revoked[0].starts_with("refresh-") && revoked[1] == token.reveal(), "{revoked:?}");
    assert_eq!(authorizer.token().await, None);
    assert_eq!(world.request(&without_browser(&world)).await, Err(AuthorizationError::NobodyToAsk));
}

#[tokio::test]
async fn a_server_that_changes_its_issuer_gets_a_new_login_and_nothing_of_the_old() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.expire_tokens();
    world.change(|rules| rules.issuer = Some("/two"));
    world.request(&authorizer).await.unwrap();
    assert!(world.hit("/two/authorize").parameter("client_id").starts_with("/two-client"));
    let exchanged = world.hit("/two/token");
    assert_eq!(exchanged.parameter("grant_type"), "authorization_code", "no refresh token of the other issuer");
    assert_eq!(world.hits("/one/token").len(), 1, "and no refresh at the old one");
}

#[tokio::test]
async fn a_client_registered_by_hand_is_not_taken_to_another_issuer() {
    for configured in [true, false] {
        let world = World::new(Rules::default()).await;
        let issuer = configured.then(|| world.at("/one"));
        let mut settings = world.settings();
        settings.client.registered =
            Some(RegisteredClient { id: "by-hand".to_owned(), secret: Some(Secret::new("shared")), issuer });
        world.request(&world.authorizer_for(settings.clone())).await.unwrap();
        world.expire_tokens();
        world.change(|rules| rules.issuer = Some("/two"));
        let detail = failed(world.request(&world.authorizer_for(settings.clone())).await);
        assert!(detail.contains(&format!("{}, but", world.at("/two"))), "{detail}");
        assert!(!world.paths().iter().any(|path| path.starts_with("/two/")), "{:?}", world.paths());
    }
}

/// Somebody in the middle of a call, who always says the same.
#[derive(Debug)]
struct Caller {
    says: LeaveAnswer,
    asked: Mutex<Vec<Leave>>,
}

impl Caller {
    fn who_says(says: LeaveAnswer) -> Caller {
        Caller { says, asked: Mutex::default() }
    }

    fn asked(&self) -> Vec<Leave> {
        self.asked.lock().unwrap().clone()
    }
}

impl Person for Caller {
    fn goes(&self, leave: Leave) -> Pending<'_, LeaveAnswer> {
        self.asked.lock().unwrap().push(leave);
        Box::pin(async { self.says })
    }
}

#[tokio::test]
async fn in_the_middle_of_a_call_a_person_is_asked_before_a_page_is_opened() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    let caller = Caller::who_says(LeaveAnswer::Goes);
    world.request_for(&authorizer, Some(&caller)).await.unwrap();
    let asked = caller.asked();
    assert_eq!((asked.len(), world.hits("/one/authorize").len()), (1, 1));
    assert_eq!(asked[0].giver, world.at("/one"));
    assert!(asked[0].page.starts_with(&world.at("/one/authorize?")), "{asked:?}");
    assert_eq!(asked[0].extent, ["read", "write"]);

    world.change(|rules| rules.needs = "admin");
    world.request_for(&authorizer, Some(&caller)).await.unwrap();
    let asked = caller.asked();
    assert_eq!((asked.len(), world.hits("/one/authorize").len()), (2, 2));
    assert!(asked[1].extent.contains(&"admin".to_owned()), "{asked:?}");
    // Within what was got nobody is asked again.
    world.request_for(&authorizer, Some(&caller)).await.unwrap();
    assert_eq!(caller.asked().len(), 2);
}

#[tokio::test]
async fn who_does_not_go_is_sent_nowhere_and_may_be_asked_for_the_next_request() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    let caller = Caller::who_says(LeaveAnswer::Stays);
    for times in 1..=2 {
        let outcome = world.request_for(&authorizer, Some(&caller)).await;
        let detail = "you did not want to log in".to_owned();
        assert_eq!(outcome, Err(AuthorizationError::Failed { detail }));
        assert_eq!((caller.asked().len(), world.hits("/one/authorize").len()), (times, 0));
    }
    world.request_for(&authorizer, Some(&Caller::who_says(LeaveAnswer::Goes))).await.unwrap();
    world.change(|rules| rules.needs = "admin");
    for times in 3..=4 {
        assert!(world.request_for(&authorizer, Some(&caller)).await.is_err());
        assert_eq!((caller.asked().len(), world.hits("/one/authorize").len()), (times, 1));
    }
}

#[tokio::test]
async fn a_person_who_is_not_there_leaves_it_to_whoever_opens_pages() {
    let world = World::new(Rules::default()).await;
    let caller = Caller::who_says(LeaveAnswer::Nobody);
    world.request_for(&world.authorizer(), Some(&caller)).await.unwrap();
    assert_eq!((caller.asked().len(), world.hits("/one/authorize").len()), (1, 1));
    assert_eq!(world.request_for(&without_browser(&world), Some(&caller)).await, Ok(()), "what is kept is enough");
    world.expire_tokens();
    world.change(|rules| rules.refresh_error = Some((400, "invalid_grant")));
    let outcome = world.request_for(&without_browser(&world), Some(&caller)).await;
    assert_eq!(outcome, Err(AuthorizationError::NobodyToAsk));
    assert_eq!(caller.asked().len(), 1);
}
