//! People whose organisation vouches for them.

use askback_auth::secret::Secret;
use askback_auth::settings::{EnterpriseClient, Grant, IdentityProvider, RegisteredClient, Settings};
use askback_host::authorization::AuthorizationError;

use crate::world::{Rules, World};

fn settings(world: &World, id_token: &str) -> Settings {
    let client = |id: &str| RegisteredClient { id: id.to_owned(), secret: Some(Secret::new("shared")), issuer: None };
    let provider = IdentityProvider {
        issuer: world.at("/provider"),
        token_endpoint: world.at("/provider/token"),
        client: client("at-provider"),
        id_token: Secret::new(id_token),
    };
    let enterprise = EnterpriseClient { client: client("at-issuer"), provider };
    Settings { grant: Grant::Enterprise(enterprise), ..world.settings() }
}

#[tokio::test]
async fn whom_the_organisation_vouches_for_is_let_in() {
    let world = World::new(Rules::default()).await;
    world.request(&world.authorizer_for(settings(&world, "id-token"))).await.unwrap();
    let asked = world.hit("/provider/token");
    assert_eq!(asked.parameter("audience"), world.at("/one"));
    assert_eq!(asked.parameter("resource"), world.mcp.as_str());
    assert_eq!(asked.parameter("scope"), "read write");
    assert!(world.hit("/one/token").authorization.is_some_and(|header| header.starts_with("Basic ")));
    assert!(world.hits("/one/authorize").is_empty() && world.hits("/one/register").is_empty());
}

#[tokio::test]
async fn whom_it_does_not_vouch_for_is_not() {
    let world = World::new(Rules::default()).await;
    let outcome = world.request(&world.authorizer_for(settings(&world, "old-id-token"))).await;
    let Err(AuthorizationError::Failed { detail }) = outcome else { panic!("{outcome:?}") };
    assert!(detail.contains("invalid_grant") && !detail.contains("old-id-token"), "{detail}");
    assert!(world.hits("/one/token").is_empty());
}
