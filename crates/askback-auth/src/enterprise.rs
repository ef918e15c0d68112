//! Tokens for a person whose organisation vouches for them.
//!
//! Owns what is asked for, and of whom; both exchanges and the checks of what comes back are `rmcp`'s. Must not know how the person logged
//! in to their organisation, or when a token is due.
//!
//! Serves the extension `io.modelcontextprotocol/enterprise-managed-authorization`.

use oauth2::ClientSecret;
use rmcp::transport::auth::enterprise::{EmaAuthorizationServer, EmaClientAuthentication, EmaExchangeRequest};
use serde_json::json;

use crate::credentials::{Client, Credentials, Token};
use crate::discovery::Found;
use crate::failure::Failure;
use crate::scopes;
use crate::settings::{EnterpriseClient, RegisteredClient, Settings};
use crate::token_endpoint::{SecretPlace, place};

/// Gets a token for the person whom the identity provider of `enterprise` vouches for.
///
/// # Errors
/// When either side refuses, or what it gives is not for this client and this server.
pub(crate) async fn obtain(
    settings: &Settings,
    enterprise: &EnterpriseClient,
    found: &Found,
    challenged: &[String],
) -> Result<Credentials, Failure> {
    let EnterpriseClient { client, provider } = enterprise;
    let scopes = scopes::select(challenged, &found.listed_scopes, &[], &[]);
    let vouching = EmaAuthorizationServer::new(&provider.issuer, &provider.token_endpoint, &provider.client.id)
        .with_client_authentication(proof(&provider.client, SecretPlace::Header));
    let letting_in = EmaAuthorizationServer::new(&found.issuer, &found.metadata.token_endpoint, &client.id)
        .with_client_authentication(proof(client, place(found)));
    let id_token = provider.id_token.reveal();
    let request = EmaExchangeRequest::new_with_id_token(vouching, letting_in, &found.resource, id_token);
    let issued = request.with_scopes(&scopes).exchange(&found.courier, &found.courier).await?;
    let answer = json!({
        "access_token": issued.access_token.secret(),
        "expires_in": issued.expires_in.map(|lives| lives.as_secs()),
    });
    Ok(Credentials {
        server: settings.server.as_str().to_owned(),
        issuer: found.issuer.clone(),
        client: Client::Registered { id: client.id.clone() },
        token: Some(Token::from_json(answer, &scopes).ok_or(Failure::NoToken)?),
    })
}

fn proof(client: &RegisteredClient, place: SecretPlace) -> EmaClientAuthentication {
    let secret = client.secret.as_ref().map(|secret| ClientSecret::new(secret.reveal().to_owned()));
    match (secret, place) {
        (None, _) => EmaClientAuthentication::None,
        (Some(secret), SecretPlace::Header) => EmaClientAuthentication::ClientSecretBasic(secret),
        (Some(secret), SecretPlace::Body) => EmaClientAuthentication::ClientSecretPost(secret),
    }
}
