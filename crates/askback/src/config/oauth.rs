//! `[servers.NAME.oauth]`: as whom we come to a server that wants a login.
//!
//! Owns the shape of that table. Most servers need none: they register clients by themselves.

use askback_auth::secret::Secret;
use askback_auth::settings::Algorithm;
use serde::Deserialize;
use url::Url;

use super::{Reader, ServerText};
use crate::failure::Failure;

/// As whom we come.
#[derive(Clone, Debug, Default)]
pub(crate) struct OAuthConfig {
    /// A client that somebody registered by hand.
    pub(crate) client_id: Option<String>,
    pub(crate) client_secret: Option<Secret>,
    /// The issuer that registered it.
    pub(crate) issuer: Option<String>,
    /// The address of a Client ID Metadata Document.
    pub(crate) metadata_document: Option<Url>,
    pub(crate) grant: OAuthGrant,
}

/// On whose behalf we come.
#[derive(Clone, Debug, Default)]
pub(crate) enum OAuthGrant {
    /// The person's, who logs in.
    #[default]
    Person,
    /// The client's own, with its secret.
    ClientSecret,
    /// The client's own, with its key.
    ClientKey { key: Secret, algorithm: Algorithm },
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OAuthText {
    client_id: Option<String>,
    client_secret: Option<String>,
    issuer: Option<String>,
    client_metadata_url: Option<String>,
    grant: Option<String>,
    key_file: Option<String>,
    algorithm: Option<String>,
}

pub(super) fn read(reader: &Reader<'_>, name: &str, server: &ServerText) -> Result<OAuthConfig, Failure> {
    let key = |field: &str| format!("servers.{name}.oauth.{field}");
    let Some(text) = server.oauth.clone() else { return Ok(OAuthConfig::default()) };
    if server.url.is_none() {
        return Err(reader.failure("config-of-an-address", &format!("servers.{name}.oauth"), ""));
    }
    let expanded =
        |field: &str, value: Option<String>| value.map(|value| reader.expanded(&key(field), &value)).transpose();
    let client_id = expanded("client_id", text.client_id)?;
    let client_secret = expanded("client_secret", text.client_secret)?.map(Secret::new);
    let metadata_document = match expanded("client_metadata_url", text.client_metadata_url)? {
        None => None,
        Some(url) => match Url::parse(&url).ok().filter(|url| url.scheme() == "https") {
            Some(url) => Some(url),
            None => return Err(reader.failure("config-value", &key("client_metadata_url"), &url)),
        },
    };
    let grant = match (text.grant.as_deref(), text.key_file) {
        (None | Some("person"), None) => OAuthGrant::Person,
        (Some("client_credentials"), None) => OAuthGrant::ClientSecret,
        (Some("client_credentials"), Some(file)) => {
            let path = reader.path(&file);
            let text_of_key = std::fs::read_to_string(&path).map_err(|error| {
                let value = format!("{} ({error})", path.display());
                reader.failure("config-value", &key("key_file"), &value)
            })?;
            let algorithm = text.algorithm.as_deref().unwrap_or("ES256");
            let known = Algorithm::from_name(algorithm);
            let algorithm = known.ok_or_else(|| reader.failure("config-value", &key("algorithm"), algorithm))?;
            OAuthGrant::ClientKey { key: Secret::new(text_of_key), algorithm }
        }
        (None | Some("person"), Some(file)) => return Err(reader.failure("config-value", &key("key_file"), &file)),
        (Some(other), _) => return Err(reader.failure("config-value", &key("grant"), other)),
    };
    if client_id.is_none() && !matches!(grant, OAuthGrant::Person) {
        return Err(reader.failure("config-no-client", &key("client_id"), ""));
    }
    Ok(OAuthConfig { client_id, client_secret, issuer: text.issuer, metadata_document, grant })
}
