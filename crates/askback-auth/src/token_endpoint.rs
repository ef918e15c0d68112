//! Requests to a token endpoint that `rmcp` does not make, or not without cryptography that we do not want.
//!
//! Owns how a client proves itself there, and the reading of the answer. Must not know what a token is for.
//!
//! Serves RFC 6749, sections 2.3 and 5, and RFC 7009.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use url::Url;
use url::form_urlencoded::byte_serialize;

use crate::discovery::Found;
use crate::failure::Failure;
use crate::secret::Secret;

/// How a client with a secret shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecretPlace {
    Header,
    Body,
}

/// Posts `form` as the client `id`, with its secret where that is to be.
///
/// # Errors
/// [`Failure::TokenEndpoint`] when the answer is an error, in the endpoint's words.
pub(crate) async fn post(
    found: &Found,
    address: &str,
    id: &str,
    secret: Option<&Secret>,
    form: &[(&str, &str)],
) -> Result<Value, Failure> {
    let mut form = form.to_vec();
    let mut authorization = None;
    match (secret, place(found)) {
        (Some(secret), SecretPlace::Header) => authorization = Some(basic(id, secret)),
        (Some(secret), SecretPlace::Body) => form.extend([("client_id", id), ("client_secret", secret.reveal())]),
        (None, _) => form.push(("client_id", id)),
    }
    send(found, address, authorization, &form).await
}

/// Posts `form` as it is: the client proves itself in it.
///
/// # Errors
/// Like [`post`].
pub(crate) async fn send(
    found: &Found,
    address: &str,
    authorization: Option<String>,
    form: &[(&str, &str)],
) -> Result<Value, Failure> {
    let failed = |detail: String| Failure::TokenEndpoint { address: address.to_owned(), detail };
    let url = Url::parse(address).map_err(|_| Failure::Address { address: address.to_owned() })?;
    let response = found.courier.post_form(&url, authorization, form).await?;
    let answer: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    if response.status().is_success() {
        return Ok(answer);
    }
    let status = response.status().as_u16();
    let words = ["error", "error_description"].map(|member| answer[member].as_str());
    Err(failed(match words {
        [Some(error), Some(description)] => format!("{error}: {description}"),
        [Some(error), None] => error.to_owned(),
        _ => status.to_string(),
    }))
}

/// Where a secret is shown. RFC 8414 says that a server which lists no methods takes the header.
pub(crate) fn place(found: &Found) -> SecretPlace {
    let methods = found.listed("token_endpoint_auth_methods_supported");
    let takes = |method: &str| methods.as_ref().is_some_and(|methods| methods.contains(&method));
    if takes("client_secret_post") && !takes("client_secret_basic") { SecretPlace::Body } else { SecretPlace::Header }
}

/// RFC 6749, section 2.3.1: both are form-encoded before they are joined.
fn basic(id: &str, secret: &Secret) -> String {
    let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encode(id), encode(secret.reveal()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_the_name_is_encoded() {
        assert_eq!(basic("a:b", &Secret::new("c d%")), format!("Basic {}", STANDARD.encode("a%3Ab:c+d%25")));
    }
}
