//! Finds out who could let us in: the authorization server of an MCP server.
//!
//! Owns where is looked, and what has to be true before a login may begin. The reading and checking of the documents is `rmcp`'s. Must not
//! know as whom we come, or what we have already.
//!
//! Serves "Authorization Server Discovery" of 2026-07-28, "Server Metadata Discovery" of 2025-03-26, and the rule that nothing is guessed at
//! another origin than the server's own.

use std::sync::Arc;

use rmcp::transport::AuthorizationManager;
use rmcp::transport::auth::{AuthorizationMetadata, AuthorizationMetadataSource};
use serde_json::{Value, json};
use url::Url;

use crate::address::ServerAddress;
use crate::challenge::Challenge;
use crate::courier::Courier;
use crate::failure::Failure;

/// An authorization server that the MCP server's own origin vouches for.
pub(crate) struct Found {
    /// What speaks with it; its metadata is set.
    pub(crate) manager: AuthorizationManager,
    /// What it says of itself.
    pub(crate) metadata: AuthorizationMetadata,
    /// The issuer that everything from it is bound to.
    pub(crate) issuer: String,
    /// What the token will be for (RFC 8707).
    pub(crate) resource: String,
    /// The scopes that the server's metadata lists.
    pub(crate) listed_scopes: Vec<String>,
    /// How it was found.
    pub(crate) source: Source,
    /// What carries its requests, with notes of what was looked at on the way.
    pub(crate) courier: Courier,
}

/// How an authorization server was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The server's protected-resource metadata names it.
    ResourceMetadata,
    /// The server's own origin is one (2025-03-26).
    OwnOrigin,
    /// The server's own origin may be one without saying so: the default endpoints of 2025-03-26. Only its answer shows whether it is.
    DefaultEndpoints,
}

impl Found {
    /// A member of the metadata that `rmcp` has no name for.
    pub(crate) fn extra(&self, name: &str) -> Option<&Value> {
        self.metadata.additional_fields.get(name)
    }

    /// Whether the metadata has the member `name`, and it is true.
    pub(crate) fn says(&self, name: &str) -> bool {
        self.extra(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// That PKCE is offered, by an authorization server that has to say so.
    ///
    /// # Errors
    /// [`Failure::NoPkce`], and then no login may begin ("Authorization Code Protection").
    pub(crate) fn check_pkce(&self) -> Result<(), Failure> {
        let methods = self.metadata.code_challenge_methods_supported.as_ref();
        let offered = methods.is_some_and(|methods| methods.iter().any(|method| method == "S256"));
        // The revision that knows no protected-resource metadata does not ask servers to say that they support it.
        let unsaid = methods.is_none() && self.source != Source::ResourceMetadata;
        if offered || unsaid { Ok(()) } else { Err(Failure::NoPkce { issuer: self.issuer.clone() }) }
    }

    /// The members of a list in the metadata; nothing when there is no such list.
    pub(crate) fn listed(&self, name: &str) -> Option<Vec<&str>> {
        let list = self.extra(name)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).collect())
    }
}

/// Finds the authorization server of `server`, which refused with `challenge`.
///
/// # Errors
/// [`Failure::NotOffered`] when the server's origin names none, with what was looked at; others when what it names cannot be used.
pub(crate) async fn discover(
    server: &ServerAddress,
    courier: &Courier,
    status: Option<u16>,
    challenge: Option<&Challenge>,
) -> Result<Found, Failure> {
    let courier = courier.with_clean_notes();
    let mut found = if let Some(document) = resource_metadata(server, &courier, challenge).await {
        from_resource_metadata(server, &courier, document).await?
    } else if let Some(metadata) = own_origin(server, &courier).await {
        bare(server, &courier, metadata, Source::OwnOrigin).await?
    } else if challenge.is_some() {
        bare(server, &courier, default_endpoints(server), Source::DefaultEndpoints).await?
    } else {
        return Err(Failure::NotOffered { status, notes: courier.notes() });
    };
    check(server, &found)?;
    found.manager.set_metadata(found.metadata.clone());
    Ok(found)
}

/// The protected-resource metadata that the server's challenge names, or that is at a well-known place of its origin.
struct ResourceMetadata {
    address: Url,
    resource: String,
    scopes: Vec<String>,
}

async fn resource_metadata(
    server: &ServerAddress,
    courier: &Courier,
    challenge: Option<&Challenge>,
) -> Option<ResourceMetadata> {
    let named = challenge.and_then(|challenge| challenge.resource_metadata.as_deref());
    let named = named.and_then(|named| server.url().join(named).ok());
    let path = server.url().path().trim_end_matches('/');
    let well_known = "/.well-known/oauth-protected-resource";
    let mut places: Vec<Url> = named.into_iter().collect();
    for place in [server.at_origin(&format!("{well_known}{path}")), server.at_origin(well_known)] {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    for address in places {
        let Some(document) = document_at(courier, &address).await else { continue };
        let resource = document["resource"].as_str();
        // A document that names no authorization server offers no login, whatever else it says.
        if let (Some(resource), Some(_)) = (resource, document["authorization_servers"].get(0)) {
            let scopes = document["scopes_supported"].as_array().into_iter().flatten();
            let scopes = scopes.filter_map(Value::as_str).map(str::to_owned).collect();
            return Some(ResourceMetadata { address, resource: resource.to_owned(), scopes });
        }
    }
    None
}

/// The metadata of an authorization server at the server's own origin, as in 2025-03-26. It counts only if it speaks for that origin.
async fn own_origin(server: &ServerAddress, courier: &Courier) -> Option<AuthorizationMetadata> {
    let address = server.at_origin("/.well-known/oauth-authorization-server");
    let document = document_at(courier, &address).await?;
    let origin = server.url().origin().ascii_serialization();
    let issuer = document["issuer"].as_str()?;
    (issuer.strip_suffix('/').unwrap_or(issuer) == origin).then(|| serde_json::from_value(document).ok())?
}

/// A JSON object at `address`; nothing when there is none. Whatever was there instead is in the notes.
async fn document_at(courier: &Courier, address: &Url) -> Option<Value> {
    let response = courier.get_within_origin(address).await.ok()?;
    let document = (response.status() == http::StatusCode::OK).then(|| serde_json::from_slice(response.body()).ok())?;
    document.filter(Value::is_object)
}

async fn from_resource_metadata(
    server: &ServerAddress,
    courier: &Courier,
    document: ResourceMetadata,
) -> Result<Found, Failure> {
    let manager = manager(server, courier).await?;
    // The address is written by `Url`, which leaves no quote in it.
    let pointer = format!("Bearer resource_metadata=\"{}\"", document.address);
    let resolved = manager.resolve_metadata_from_challenge(Some(&pointer)).await.map_err(Failure::discovery)?;
    if resolved.source != AuthorizationMetadataSource::ProtectedResourceMetadata {
        return Err(Failure::NotOffered { status: None, notes: courier.notes() });
    }
    let metadata = resolved.metadata;
    Ok(Found {
        manager,
        issuer: issuer_of(&metadata, server),
        metadata,
        resource: document.resource,
        listed_scopes: document.scopes,
        source: Source::ResourceMetadata,
        courier: courier.clone(),
    })
}

/// What is found without protected-resource metadata: the server itself is the resource, and lists no scopes.
async fn bare(
    server: &ServerAddress,
    courier: &Courier,
    metadata: AuthorizationMetadata,
    source: Source,
) -> Result<Found, Failure> {
    Ok(Found {
        manager: manager(server, courier).await?,
        issuer: issuer_of(&metadata, server),
        metadata,
        resource: server.as_str().to_owned(),
        listed_scopes: Vec::new(),
        source,
        courier: courier.clone(),
    })
}

fn default_endpoints(server: &ServerAddress) -> AuthorizationMetadata {
    let endpoints = json!({
        "authorization_endpoint": server.at_origin("/authorize"),
        "token_endpoint": server.at_origin("/token"),
        "registration_endpoint": server.at_origin("/register"),
    });
    serde_json::from_value(endpoints).unwrap_or_default()
}

/// The issuer that the metadata names; the origin itself for default endpoints, which name none.
fn issuer_of(metadata: &AuthorizationMetadata, server: &ServerAddress) -> String {
    metadata.issuer.clone().unwrap_or_else(|| server.url().origin().ascii_serialization())
}

async fn manager(server: &ServerAddress, courier: &Courier) -> Result<AuthorizationManager, Failure> {
    AuthorizationManager::new_with_oauth_http_client(server.as_str(), Arc::new(courier.clone()))
        .await
        .map_err(Failure::discovery)
}

/// What `rmcp` does not insist on: every endpoint is one that may be asked.
fn check(server: &ServerAddress, found: &Found) -> Result<(), Failure> {
    let metadata = &found.metadata;
    let revocation = found.extra("revocation_endpoint").and_then(Value::as_str);
    let endpoints = [
        Some(metadata.authorization_endpoint.as_str()),
        Some(metadata.token_endpoint.as_str()),
        metadata.registration_endpoint.as_deref(),
        revocation,
    ];
    for address in endpoints.into_iter().flatten() {
        let url = Url::parse(address).ok();
        if !url.is_some_and(|url| server.may_ask(&url)) {
            return Err(Failure::Address { address: address.to_owned() });
        }
    }
    Ok(())
}
