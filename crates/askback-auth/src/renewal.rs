//! Renews a token without asking anybody.
//!
//! Owns one refresh, and what its failure means. Must not know when it is due.
//!
//! Serves "Refresh Tokens" of the authorization pages.

use rmcp::transport::auth::{AuthError, CredentialStore, InMemoryCredentialStore};

use crate::credentials::{Credentials, Token};
use crate::discovery::Found;
use crate::failure::Failure;
use crate::registration::configure;
use crate::settings::ClientIdentity;

/// What came of a refresh.
pub(crate) enum Renewal {
    /// New tokens.
    Renewed(Token),
    /// The issuer takes the refresh token no more (`invalid_grant`), or there is none.
    Withdrawn,
    /// The issuer refuses for another reason, such as not knowing the client.
    Disowned,
}

/// Refreshes the token of `credentials`, which are those of the issuer of `found`.
///
/// # Errors
/// When the issuer does not answer, or answers what says nothing about the refresh token.
pub(crate) async fn renew(
    found: &mut Found,
    credentials: &Credentials,
    identity: &ClientIdentity,
) -> Result<Renewal, Failure> {
    let (Some(stored), Some(token)) = (credentials.to_rmcp(), &credentials.token) else {
        return Ok(Renewal::Withdrawn);
    };
    let store = InMemoryCredentialStore::new();
    store.save(stored).await.map_err(Failure::token)?;
    found.manager.set_credential_store(store);
    // No redirect is part of a refresh, but a client has to have one.
    let redirect_uri = found.resource.clone();
    configure(found, &credentials.client, identity, &redirect_uri)?;
    match found.manager.refresh_token().await {
        // Where the answer has no refresh token, `rmcp` has put the one that goes on counting.
        Ok(response) => Token::from_response(&response, &token.scopes).map(Renewal::Renewed).ok_or(Failure::NoToken),
        Err(AuthError::TokenRefreshRejected(_) | AuthError::AuthorizationRequired) => Ok(Renewal::Withdrawn),
        Err(_) if found.courier.was_refused() => Ok(Renewal::Disowned),
        Err(error) => Err(Failure::token(error)),
    }
}
