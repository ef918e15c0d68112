//! Tokens at rest.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use askback_auth::OAuthAuthorizer;
use askback_auth::address::ServerAddress;
use askback_auth::secret::Secret;
#[cfg(all(target_os = "linux", feature = "keyring"))]
use askback_auth::store::KeyringStore;
use askback_auth::store::{FileStore, StoreError, TokenStore, system_store};
use askback_host::authorization::{AuthorizationError, Authorizer, Refusal};
use url::Url;

use crate::world::{Rules, World};

fn address(url: &str) -> ServerAddress {
    ServerAddress::new(&Url::parse(url).unwrap())
}

#[test]
fn a_file_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::new(&folder.path().join("state/oauth"));
    let server = address("https://mcp.example/mcp");
    assert_eq!(store.read(&server).unwrap(), None);
    store.write(&server, &Secret::new("one")).unwrap();
    store.write(&server, &Secret::new("two")).unwrap();
    assert_eq!(store.read(&server).unwrap().unwrap().reveal(), "two");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = store.path(&server);
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left aside");
    store.remove(&server).unwrap();
    store.remove(&server).unwrap();
    assert_eq!(store.read(&server).unwrap(), None);
}

#[test]
fn a_file_that_others_can_read_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::new(folder.path());
    let server = address("https://mcp.example/mcp");
    store.write(&server, &Secret::new("one")).unwrap();
    for mode in [0o640, 0o604, 0o620] {
        fs::set_permissions(store.path(&server), fs::Permissions::from_mode(mode)).unwrap();
        assert!(matches!(store.read(&server), Err(StoreError::OpenToOthers { .. })), "{mode:o}");
    }
}

#[tokio::test]
async fn a_file_that_is_not_trusted_is_named() {
    let world = World::new(Rules::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStore::new(folder.path()));
    let settings = world.settings();
    store.write(&settings.server, &Secret::new("{}")).unwrap();
    let path = store.path(&settings.server);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let authorizer = OAuthAuthorizer::new(settings, store, None);
    let outcome = world.request(&authorizer).await;
    let Err(AuthorizationError::Failed { detail }) = outcome else { panic!("{outcome:?}") };
    assert!(detail.contains(&path.display().to_string()) && detail.contains("chmod 600"), "{detail}");
}

#[tokio::test]
async fn a_token_for_one_server_is_not_found_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStore::new(folder.path()));
    let (one, two) = (World::new(Rules::default()).await, World::new(Rules::default()).await);
    let first = one.authorizer_for(one.settings());
    one.request(&first).await.unwrap();
    let document = one.store.read(&one.settings().server).unwrap().unwrap();
    // Put where the other server's would be, as somebody would who wants it to be sent there.
    store.write(&two.settings().server, &document).unwrap();
    let second = OAuthAuthorizer::new(two.settings(), store, None);
    assert_eq!(second.token().await, None);
    let refusal = Refusal { status: 401, challenges: Vec::new(), token: None };
    assert_eq!(second.refused(refusal, None).await, Err(AuthorizationError::NobodyToAsk));
    assert!(two.hits("/one/token").is_empty(), "nor is its refresh token sent");
}

#[test]
fn without_a_keyring_there_are_files_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let begun = std::time::Instant::now();
    let store = system_store(folder.path());
    let server = address("https://mcp.example/mcp");
    if std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() {
        println!("skipped: there is a session bus, and the keyring behind it is somebody's own");
        return;
    }
    store.write(&server, &Secret::new("one")).unwrap();
    assert_eq!(store.read(&server).unwrap().unwrap().reveal(), "one");
    assert!(FileStore::new(folder.path()).path(&server).exists());
    assert!(begun.elapsed().as_millis() < 1000, "{:?}", begun.elapsed());
}

/// Needs a keyring that may be written to: `ASKBACK_TEST_KEYRING=1`, as in `dbus-run-session` with an unlocked `gnome-keyring-daemon`.
#[cfg(all(target_os = "linux", feature = "keyring"))]
#[test]
fn a_keyring_keeps_and_forgets() {
    if std::env::var_os("ASKBACK_TEST_KEYRING").is_none() {
        println!("skipped: ASKBACK_TEST_KEYRING is not set, so the keyring may be somebody's own");
        return;
    }
    assert!(KeyringStore::may_be_there());
    let store = KeyringStore::new();
    let (server, other) = (address("https://mcp.example/mcp"), address("https://other.example/mcp"));
    store.write(&server, &Secret::new("one")).unwrap();
    store.write(&server, &Secret::new("two")).unwrap();
    assert_eq!(KeyringStore::new().read(&server).unwrap().unwrap().reveal(), "two");
    assert_eq!(store.read(&other).unwrap(), None);
    store.remove(&server).unwrap();
    store.remove(&server).unwrap();
    assert_eq!(store.read(&server).unwrap(), None);
}
