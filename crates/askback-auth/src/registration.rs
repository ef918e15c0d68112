//! As whom we come to an authorization server.
//!
//! Owns the order of the ways to be known there, and when an earlier registration is used again. Must not know how a login goes on.
//!
//! Serves "Client Registration" of the authorization pages, with "Authorization Server Binding".

use rmcp::transport::auth::OAuthClientConfig;

use crate::credentials::Client;
use crate::discovery::{Found, Source};
use crate::failure::Failure;
use crate::secret::Secret;
use crate::settings::{ClientIdentity, RegisteredClient};

/// The name that the person sees at the authorization server.
const CLIENT_NAME: &str = "Askback";

/// Chooses as whom to come, registers if that is what is left, and tells it to `found`.
///
/// `earlier` is the client of an earlier login at the same issuer.
///
/// # Errors
/// When there is no way to be known there, or the authorization server refuses.
pub(crate) async fn introduce(
    found: &mut Found,
    identity: &ClientIdentity,
    earlier: Option<&Client>,
    redirect_uri: &str,
    scopes: &[String],
) -> Result<Client, Failure> {
    let client = match choose(found, identity, earlier, redirect_uri) {
        Some(client) => client,
        None => register(found, redirect_uri, scopes).await?,
    };
    configure(found, &client, identity, redirect_uri)?;
    Ok(client)
}

/// Tells `found` as whom we come, for a login or a refresh.
///
/// # Errors
/// When the metadata has no endpoints that `rmcp` can use.
pub(crate) fn configure(
    found: &mut Found,
    client: &Client,
    identity: &ClientIdentity,
    redirect_uri: &str,
) -> Result<(), Failure> {
    let mut config = OAuthClientConfig::new(client.id(), redirect_uri);
    let secret = secret_of(client, identity);
    // An issuer that takes no secret would refuse one, even its own.
    let no_secrets = found.listed("token_endpoint_auth_methods_supported").is_some_and(|methods| methods == ["none"]);
    if let Some(secret) = secret.filter(|_| !no_secrets) {
        config = config.with_client_secret(secret.reveal());
    }
    found.manager.configure_client(config).map_err(Failure::token)
}

/// The secret that goes with `client`.
pub(crate) fn secret_of<'a>(client: &'a Client, identity: &'a ClientIdentity) -> Option<&'a Secret> {
    match client {
        Client::Registered { id } => {
            let registered = identity.registered.as_ref().filter(|registered| registered.id == *id)?;
            registered.secret.as_ref()
        }
        Client::MetadataDocument { .. } => None,
        Client::Dynamic { secret, .. } => secret.as_ref(),
    }
}

/// A client that needs no registering now.
fn choose(found: &Found, identity: &ClientIdentity, earlier: Option<&Client>, redirect_uri: &str) -> Option<Client> {
    if let Some(RegisteredClient { id, .. }) = &identity.registered {
        return Some(Client::Registered { id: id.clone() });
    }
    if let Some(document) = &identity.metadata_document
        && document.scheme() == "https"
        && document.path() != "/"
        && found.says("client_id_metadata_document_supported")
    {
        return Some(Client::MetadataDocument { id: document.to_string() });
    }
    match earlier {
        Some(client @ Client::Dynamic { redirect_uri: registered, .. }) if registered == redirect_uri => {
            Some(client.clone())
        }
        _ => None,
    }
}

async fn register(found: &mut Found, redirect_uri: &str, scopes: &[String]) -> Result<Client, Failure> {
    if found.metadata.registration_endpoint.is_none() {
        return Err(Failure::NoRegistration { issuer: found.issuer.clone() });
    }
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let registered = found.manager.register_client(CLIENT_NAME, redirect_uri, &scopes).await;
    match registered {
        Ok(config) => Ok(Client::Dynamic {
            id: config.client_id,
            secret: config.client_secret.map(Secret::new),
            redirect_uri: redirect_uri.to_owned(),
        }),
        // Where nothing said that there is an authorization server, the failure says that there is none.
        Err(_) if found.source == Source::DefaultEndpoints => {
            Err(Failure::NotOffered { status: Some(401), notes: found.courier.notes() })
        }
        Err(error) => Err(Failure::Registration { issuer: found.issuer.clone(), source: Box::new(error) }),
    }
}
