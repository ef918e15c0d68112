//! Where an authorization server is looked for, and when there is none.

use std::time::Duration;

use askback_auth::OAuthAuthorizer;
use askback_auth::settings::Settings;
use askback_auth::store::MemoryStore;
use askback_desk::texts::Lang;
use askback_host::authorization::{AuthorizationError, Authorizer, Refusal};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

use crate::world::{Rules, World};

/// Case A05: a refusal that has nothing to do with logging in.
#[tokio::test]
async fn a_401_without_metadata_is_not_about_logging_in_and_passes() {
    let world = World::new(Rules::default()).await;
    let authorizer = world.authorizer();
    world.request(&authorizer).await.unwrap();
    let good = authorizer.token().await;
    world.change(|rules| {
        rules.issuer = None;
        rules.challenge = None;
        rules.always_401 = true;
    });
    let Err(AuthorizationError::NotOffered { detail }) = world.request(&authorizer).await else {
        panic!("it should say that no login is offered");
    };
    let looked = |path: &str| format!("{} answered 404", world.at(path));
    let expected = [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-authorization-server",
    ];
    assert_eq!(
        detail,
        format!("the server answered 401 and does not say where to log in: {}", expected.map(looked).join("; "))
    );
    assert_eq!(world.hits("/one/authorize").len(), 1, "and nobody was asked");
    world.change(|rules| rules.always_401 = false);
    world.request(&authorizer).await.unwrap();
    assert_eq!(authorizer.token().await, good, "the token was kept");
}

#[tokio::test]
async fn metadata_is_found_without_a_pointer_to_it() {
    for challenge in [None, Some("Bearer"), Some("Basic realm=\"x\"")] {
        let world = World::new(Rules { challenge, ..Rules::default() }).await;
        world.request(&world.authorizer()).await.unwrap();
    }
}

#[tokio::test]
async fn metadata_of_an_issuer_is_found_at_each_of_its_places() {
    let places =
        [("oauth-authorization-server", true), ("openid-configuration", true), ("openid-configuration", false)];
    for place in places {
        let world = World::new(Rules { place, ..Rules::default() }).await;
        world.request(&world.authorizer()).await.unwrap();
    }
}

#[tokio::test]
async fn an_origin_that_is_its_own_authorization_server_is_used() {
    let world = World::new(Rules { issuer: None, challenge: None, ..Rules::default() }).await;
    // The page says that it is from its path, where the metadata speaks for the whole origin.
    let metadata =
        json!({ "authorization_response_iss_parameter_supported": false, "code_challenge_methods_supported": null });
    let origin = world.mcp.origin().ascii_serialization();
    world.change(|rules| {
        rules.origin_issuer = Some(origin);
        rules.metadata = metadata;
        rules.sent_back = &[("iss", "")];
    });
    world.request(&world.authorizer()).await.unwrap();
    assert_eq!(world.hit("/one/authorize").parameter("resource"), world.mcp.as_str());
}

#[tokio::test]
async fn metadata_that_speaks_for_another_origin_is_not_used() {
    let origin_issuer = Some("https://other.example".to_owned());
    let world = World::new(Rules { issuer: None, challenge: None, origin_issuer, ..Rules::default() }).await;
    let outcome = world.request(&world.authorizer()).await;
    assert!(matches!(outcome, Err(AuthorizationError::NotOffered { .. })), "{outcome:?}");
}

#[tokio::test]
async fn default_endpoints_are_used_if_they_answer() {
    let challenge = Some("Bearer");
    let sent_back = &[("iss", "")];
    let world =
        World::new(Rules { issuer: None, challenge, bare_endpoints: true, sent_back, ..Rules::default() }).await;
    world.request(&world.authorizer()).await.unwrap();
    assert_eq!(world.hits("/token").len(), 1);

    let world = World::new(Rules { issuer: None, challenge, ..Rules::default() }).await;
    let Err(AuthorizationError::NotOffered { detail }) = world.request(&world.authorizer()).await else {
        panic!("nothing answered there");
    };
    assert!(detail.ends_with(&format!("{} answered 404", world.at("/register"))), "{detail}");
    assert!(world.hits("/authorize").is_empty());
}

#[tokio::test]
async fn metadata_for_another_resource_is_not_used() {
    let world = World::new(Rules { resource: Some("https://other.example/mcp"), ..Rules::default() }).await;
    let outcome = world.request(&world.authorizer()).await;
    assert!(
        matches!(&outcome, Err(AuthorizationError::Failed { detail }) if detail.contains("mismatch")),
        "{outcome:?}"
    );
    assert!(world.hits("/one/authorize").is_empty());
}

#[tokio::test]
async fn metadata_of_another_issuer_is_not_used() {
    let world = World::new(Rules { metadata: json!({ "issuer": "https://other.example" }), ..Rules::default() }).await;
    let outcome = world.request(&world.authorizer()).await;
    assert!(
        matches!(&outcome, Err(AuthorizationError::Failed { detail }) if detail.contains("mismatch")),
        "{outcome:?}"
    );
    assert!(world.hits("/one/authorize").is_empty());
}

#[tokio::test]
async fn endpoints_that_are_not_https_are_not_spoken_with() {
    for endpoint in ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] {
        let metadata = json!({ endpoint: "http://auth.example/x" });
        let world = World::new(Rules { metadata, ..Rules::default() }).await;
        let outcome = world.request(&world.authorizer()).await;
        let Err(AuthorizationError::Failed { detail }) = outcome else { panic!("{endpoint}: {outcome:?}") };
        assert!(detail.contains("names http://auth.example/x, which is neither https"), "{detail}");
        assert!(!world.paths().iter().any(|path| path.starts_with("/one/")), "{:?}", world.paths());
    }
}

/// Refuses a request of `server` as a 401 without a challenge, and gives what comes of it.
async fn refuse(server: &str) -> Result<(), AuthorizationError> {
    let settings = Settings::new("travel", &Url::parse(server).unwrap(), Lang::En);
    let authorizer = OAuthAuthorizer::new(settings, std::sync::Arc::new(MemoryStore::default()), None);
    authorizer.refused(Refusal { status: 401, challenges: Vec::new(), token: None }, None).await
}

#[tokio::test]
async fn a_server_without_tls_beyond_this_machine_is_not_asked() {
    let Err(AuthorizationError::NotOffered { detail }) = refuse("http://mcp.example/mcp").await else {
        panic!("it should not be asked");
    };
    assert_eq!(detail.matches("was not asked, because it is not https").count(), 3, "{detail}");
}

/// Answers every connection with `head` and then with `x` without end.
async fn endless(head: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(head.as_bytes()).await;
                while stream.write_all(&[b'x'; 65536]).await.is_ok() {}
            });
        }
    });
    address
}

#[tokio::test]
async fn documents_without_an_end_are_not_read_to_it() {
    let server = endless("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").await;
    let outcome = tokio::time::timeout(Duration::from_secs(8), refuse(&server)).await.expect("it read on");
    assert!(matches!(outcome, Err(AuthorizationError::NotOffered { .. })), "{outcome:?}");
}

#[tokio::test]
async fn redirects_lead_to_no_other_origin() {
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let head: &'static str = Box::leak(
        format!("HTTP/1.1 302 Found\r\nlocation: http://{}/meta\r\n\r\n", other.local_addr().unwrap()).into_boxed_str(),
    );
    let outcome = refuse(&endless(head).await).await;
    assert!(matches!(outcome, Err(AuthorizationError::NotOffered { .. })), "{outcome:?}");
    let asked = tokio::time::timeout(Duration::from_millis(200), other.accept()).await;
    assert!(asked.is_err(), "the other origin was asked");
}
