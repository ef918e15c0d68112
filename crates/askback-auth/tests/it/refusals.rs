//! What happens when a token is not enough: renewals, bounds, and requests that share what is done.

use std::sync::Arc;
use std::time::Duration;

use askback_host::authorization::{AuthorizationError, Authorizer};

use crate::world::{Rules, World};

fn grants(world: &World) -> Vec<String> {
    world.hits("/one/token").iter().map(|hit| hit.parameter("grant_type").to_owned()).collect()
}

/// Case A01: a server that refuses whatever it gets.
#[tokio::test]
async fn an_endless_401_ends() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.change(|rules| rules.always_401 = true);
    let still = AuthorizationError::StillRefused { detail: "it answered 401, invalid_token: try harder".to_owned() };
    assert_eq!(world.request(&authorizer).await, Err(still.clone()));
    assert_eq!(grants(&world), ["authorization_code", "refresh_token", "authorization_code"]);
    assert_eq!(world.hits("/one/authorize").len(), 2);
    assert_eq!(
        world.hits("/mcp").len(),
        2 + 3,
        "refused and let in at first; then the old, the renewed and the new token"
    );
    let before = world.paths().len();
    assert_eq!(world.request(&authorizer).await, Err(still));
    assert_eq!(world.paths().len(), before + 1, "the next request is one request");
    world.change(|rules| rules.always_401 = false);
    world.request(&authorizer).await.unwrap();
}

#[tokio::test]
async fn a_new_token_that_is_refused_is_not_renewed() {
    let world = World::new(Rules { always_401: true, ..Rules::default() }).await;
    let outcome = world.request(&world.authorizer()).await;
    assert!(matches!(outcome, Err(AuthorizationError::StillRefused { .. })), "{outcome:?}");
    assert_eq!(grants(&world), ["authorization_code"]);
}

/// Case A04: the token runs out while a person thinks.
#[tokio::test]
async fn a_token_that_is_refused_is_renewed_silently() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    for _ in 0..2 {
        world.expire_tokens();
        world.request(&authorizer).await.unwrap();
    }
    assert_eq!(grants(&world), ["authorization_code", "refresh_token", "refresh_token"]);
    assert_eq!(world.hits("/one/token")[1].parameter("resource"), world.mcp.as_str());
}

#[tokio::test]
async fn a_token_is_renewed_before_it_runs_out() {
    let world = World::new(Rules { lives: Some(2), ..Rules::default() }).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    let first = authorizer.token().await.unwrap();
    let refused = world.hits("/mcp").len();
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let both = tokio::join!(authorizer.token(), authorizer.token());
    assert_eq!(both.0, both.1);
    assert_ne!(both.0.as_ref(), Some(&first));
    world.request(&authorizer).await.unwrap();
    assert_eq!(world.hits("/mcp").len(), refused + 1, "no request was refused");
    assert_eq!(grants(&world), ["authorization_code", "refresh_token"]);
}

#[tokio::test]
async fn a_withdrawn_refresh_token_is_dropped() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.expire_tokens();
    world.change(|rules| rules.refresh_error = Some((400, "invalid_grant")));
    world.request(&authorizer).await.unwrap();
    assert_eq!(grants(&world), ["authorization_code", "refresh_token", "authorization_code"]);
    let clients: Vec<_> =
        world.hits("/one/authorize").iter().map(|hit| hit.parameter("client_id").to_owned()).collect();
    assert_eq!(clients[0], clients[1], "the client is known still");
}

#[tokio::test]
async fn a_forgotten_client_registers_anew() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.expire_tokens();
    world.change(|rules| rules.refresh_error = Some((401, "invalid_client")));
    world.request(&authorizer).await.unwrap();
    assert_eq!(world.hits("/one/register").len(), 2);
}

#[tokio::test]
async fn an_issuer_in_trouble_is_no_reason_to_bother_anybody() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.expire_tokens();
    world.change(|rules| rules.refresh_error = Some((503, "temporarily_unavailable")));
    let outcome = world.request(&authorizer).await;
    assert!(matches!(outcome, Err(AuthorizationError::Failed { .. })), "{outcome:?}");
    assert_eq!(world.hits("/one/authorize").len(), 1);
    world.change(|rules| rules.refresh_error = None);
    world.request(&authorizer).await.unwrap();
    assert_eq!(world.hits("/one/authorize").len(), 1, "the refresh token was kept");
}

#[tokio::test]
async fn another_process_that_renewed_is_noticed() {
    let world = World::new(Rules::default()).await;
    let (first, second) = (world.authorizer(), world.authorizer());
    world.request(&first).await.unwrap();
    world.request(&second).await.unwrap();
    world.expire_tokens();
    world.request(&first).await.unwrap();
    world.request(&second).await.unwrap();
    assert_eq!(grants(&world), ["authorization_code", "refresh_token"], "one refresh token is used once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_refused_together_share_one_login() {
    let world = Arc::new(World::new(Rules::default()).await);
    let authorizer = Arc::new(world.authorizer());
    let requests: Vec<_> = (0..8)
        .map(|_| {
            let (world, authorizer) = (world.clone(), authorizer.clone());
            tokio::spawn(async move { world.request(&authorizer).await })
        })
        .collect();
    for request in requests {
        request.await.unwrap().unwrap();
    }
    assert_eq!(world.hits("/one/authorize").len(), 1);
    assert_eq!(world.hits("/one/register").len(), 1);
    assert_eq!(grants(&world), ["authorization_code"], "nor does anybody renew what is new");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_refused_together_share_one_failure() {
    let world = Arc::new(World::new(Rules { sent_back: &[("error", "access_denied")], ..Rules::default() }).await);
    let authorizer = Arc::new(world.authorizer());
    let requests: Vec<_> = (0..8)
        .map(|_| {
            let (world, authorizer) = (world.clone(), authorizer.clone());
            tokio::spawn(async move { world.request(&authorizer).await })
        })
        .collect();
    for request in requests {
        let outcome = request.await.unwrap();
        assert!(matches!(outcome, Err(AuthorizationError::Failed { .. })), "{outcome:?}");
    }
    assert_eq!(world.hits("/one/authorize").len(), 1, "a storm of browsers");
}

#[tokio::test]
async fn more_scopes_are_asked_for_with_those_of_before() {
    let challenge = Some(r#"Bearer scope="read", resource_metadata="META""#);
    let world = World::new(Rules { challenge, ..Rules::default() }).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.change(|rules| rules.needs = "admin");
    world.request(&authorizer).await.unwrap();
    let scopes: Vec<_> = world.hits("/one/authorize").iter().map(|hit| hit.parameter("scope").to_owned()).collect();
    assert_eq!(scopes, ["read", "read admin"]);
    assert_eq!(world.hits("/one/register").len(), 1);
}

#[tokio::test]
async fn requests_that_need_more_scopes_together_share_one_answer() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    world.change(|rules| {
        rules.needs = "admin";
        rules.sent_back = &[("error", "access_denied")];
    });
    let (one, two) = tokio::join!(world.request(&authorizer), world.request(&authorizer));
    assert!(matches!(one, Err(AuthorizationError::Failed { .. })), "{one:?}");
    assert_eq!(one, two);
    assert_eq!(world.hits("/one/authorize").len(), 2, "the first login, and one for more");
}

#[tokio::test]
async fn scopes_that_are_never_given_are_asked_for_once() {
    let world = World::new(Rules { stingy: true, needs: "admin", ..Rules::default() }).await;
    let authorizer = world.authorizer();
    for _ in 0..3 {
        let outcome = world.request(&authorizer).await;
        let detail = "it answered 403, insufficient_scope".to_owned();
        assert_eq!(outcome, Err(AuthorizationError::StillRefused { detail }));
    }
    assert_eq!(world.hits("/one/authorize").len(), 2, "the first login, and one for more");
}

#[test]
fn authorizers_do_not_show_what_they_hold() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let world = World::new(Rules { secret: Some("given"), ..Rules::default() }).await;
        let authorizer = world.authorizer();
        world.request(&authorizer).await.unwrap();
        let token = authorizer.token().await.unwrap();
        let shown = format!("{authorizer:?} {token:?} {:?}", world.store);
        assert!(!["access-", "refresh-", "given"].iter().any(|secret| shown.contains(secret)), "{shown}");
    });
}
