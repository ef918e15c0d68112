//! Tells an issuer that its tokens are not needed any more.
//!
//! Owns the requests of RFC 7009. Must not know why the tokens are given up.

use serde_json::Value;

use crate::credentials::Credentials;
use crate::discovery::Found;
use crate::failure::Failure;
use crate::registration::secret_of;
use crate::settings::ClientIdentity;
use crate::token_endpoint;

/// Whether the issuer was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// It was, and will take the tokens no more.
    Revoked,
    /// There was nothing to revoke, or it has no endpoint for it.
    NotOffered,
    /// It could not be told; the tokens count until they run out.
    Failed,
}

/// Revokes the tokens of `credentials` at `found`, which is their issuer.
///
/// # Errors
/// When the issuer refuses or does not answer.
pub(crate) async fn revoke(
    found: &Found,
    credentials: &Credentials,
    identity: &ClientIdentity,
) -> Result<Revocation, Failure> {
    let (Some(endpoint), Some(token)) =
        (found.extra("revocation_endpoint").and_then(Value::as_str), &credentials.token)
    else {
        return Ok(Revocation::NotOffered);
    };
    let secret = secret_of(&credentials.client, identity);
    let id = credentials.client.id();
    // The refresh token first: with it goes everything that was issued for it, where the issuer does that.
    let refresh = token.refresh.as_ref().map(|refresh| ("refresh_token", refresh));
    for (hint, token) in refresh.into_iter().chain([("access_token", &token.access)]) {
        let form = [("token", token.reveal()), ("token_type_hint", hint)];
        token_endpoint::post(found, endpoint, id, secret, &form).await?;
    }
    Ok(Revocation::Revoked)
}
