//! Tokens for a client that comes on its own behalf.
//!
//! Owns the client-credentials grant, by secret and by key. Must not know when a token is due.
//!
//! Serves the extension `io.modelcontextprotocol/oauth-client-credentials`.

use crate::assertion;
use crate::credentials::{Client, Credentials, Token, now};
use crate::discovery::Found;
use crate::failure::Failure;
use crate::scopes;
use crate::settings::{MachineClient, Proof, Settings};
use crate::token_endpoint;

/// Gets a token for `client` from `found`.
///
/// # Errors
/// When the token endpoint refuses, or the key cannot sign.
pub(crate) async fn obtain(
    settings: &Settings,
    client: &MachineClient,
    found: &Found,
    challenged: &[String],
) -> Result<Credentials, Failure> {
    // Nobody comes back to ask for more time, so offline access is of no use.
    let scopes = scopes::select(challenged, &found.listed_scopes, &[], &[]);
    let scope = scopes.join(" ");
    let mut form = vec![("grant_type", "client_credentials"), ("resource", &found.resource)];
    if !scope.is_empty() {
        form.push(("scope", &scope));
    }
    let endpoint = &found.metadata.token_endpoint;
    let answer = match &client.proof {
        Proof::Secret(secret) => token_endpoint::post(found, endpoint, &client.id, Some(secret), &form).await?,
        Proof::Key { key, algorithm } => {
            let assertion = assertion::sign(&client.id, &found.issuer, key, *algorithm, now())?;
            form.push(("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
            form.push(("client_assertion", assertion.reveal()));
            token_endpoint::send(found, endpoint, None, &form).await?
        }
    };
    let token = Token::from_json(answer, &scopes).ok_or(Failure::NoToken)?;
    Ok(Credentials {
        server: settings.server.as_str().to_owned(),
        issuer: found.issuer.clone(),
        client: Client::Registered { id: client.id.clone() },
        token: Some(token),
    })
}
