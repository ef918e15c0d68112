//! Clients that come on their own behalf.

use askback_auth::Revocation;
use askback_auth::secret::Secret;
use askback_auth::settings::{Algorithm, Grant, MachineClient, Proof, Settings};
use askback_host::authorization::AuthorizationError;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use serde_json::{Value, json};

use crate::world::{Rules, World};

fn settings(world: &World, proof: Proof) -> Settings {
    let client = MachineClient { id: "machine".to_owned(), proof, issuer: None };
    Settings { grant: Grant::Machine(client), ..world.settings() }
}

#[tokio::test]
async fn a_secret_is_enough() {
    let world = World::new(Rules { lives: Some(1), ..Rules::default() }).await;
    let authorizer = world.authorizer_for(settings(&world, Proof::Secret(Secret::new("shared"))));
    world.request(&authorizer).await.unwrap();
    let hit = world.hit("/one/token");
    assert_eq!(hit.parameter("grant_type"), "client_credentials");
    assert_eq!(hit.parameter("resource"), world.mcp.as_str());
    assert_eq!(hit.parameter("scope"), "read write");
    assert_eq!(hit.authorization, Some(format!("Basic {}", STANDARD.encode("machine:shared"))));
    assert!(world.hits("/one/authorize").is_empty() && world.hits("/one/register").is_empty());

    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let refused = world.hits("/mcp").len();
    world.request(&authorizer).await.unwrap();
    assert_eq!(world.hits("/mcp").len(), refused + 1, "a new token is there before the old one is refused");
    assert_eq!(authorizer.log_out().await, Ok(Revocation::Revoked));
    assert_eq!(world.hit("/one/revoke").authorization, hit.authorization);
}

#[tokio::test]
async fn a_key_signs_what_is_sent_instead_of_a_secret() {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
    let pem =
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(document.as_ref()));

    let world = World::new(Rules::default()).await;
    let proof = Proof::Key { key: Secret::new(pem), algorithm: Algorithm::Es256 };
    world.request(&world.authorizer_for(settings(&world, proof))).await.unwrap();
    let hit = world.hit("/one/token");
    assert_eq!(hit.parameter("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    assert_eq!(hit.parameter("client_id"), "", "the assertion says who it is");
    let (signed, signature) = hit.parameter("client_assertion").rsplit_once('.').unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())
        .verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap())
        .unwrap();
    let (_, claims) = signed.split_once('.').unwrap();
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    assert_eq!(
        [&claims["iss"], &claims["sub"], &claims["aud"]],
        [&json!("machine"), &json!("machine"), &json!(world.at("/one"))]
    );
    assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 120);
}

#[tokio::test]
async fn a_key_that_is_none_is_told_without_showing_it() {
    let world = World::new(Rules::default()).await;
    let proof = Proof::Key { key: Secret::new("no-key-at-all"), algorithm: Algorithm::Rs256 };
    let settings = settings(&world, proof);
    assert!(!format!("{settings:?}").contains("no-key-at-all"));
    let outcome = world.request(&world.authorizer_for(settings)).await;
    let Err(AuthorizationError::Failed { detail }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(detail, "the configured key is no PKCS#8 private key in PEM that can sign with RS256");
}

#[tokio::test]
async fn a_machine_is_bounded_too() {
    let world = World::new(Rules { always_401: true, ..Rules::default() }).await;
    let authorizer = world.authorizer_for(settings(&world, Proof::Secret(Secret::new("shared"))));
    let outcome = world.request(&authorizer).await;
    assert!(matches!(outcome, Err(AuthorizationError::StillRefused { .. })), "{outcome:?}");
    assert_eq!(world.hits("/one/token").len(), 1);
}

#[tokio::test]
async fn a_secret_is_not_taken_to_another_issuer() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer_for(settings(&world, Proof::Secret(Secret::new("shared"))));
    world.request(&authorizer).await.unwrap();
    world.expire_tokens();
    world.change(|rules| rules.issuer = Some("/two"));
    let outcome = world.request(&authorizer).await;
    assert!(matches!(outcome, Err(AuthorizationError::Failed { .. })), "{outcome:?}");
    assert!(world.hits("/two/token").is_empty());
}
