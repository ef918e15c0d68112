//! What is known of a server's authorization before anything is asked: the part that comes from configuration.
//!
//! Owns plain data. Must not know how any of it is used.

use askback_desk::texts::Lang;
use url::Url;

use crate::address::ServerAddress;
use crate::secret::Secret;

/// How to get tokens for one server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name that we know the server by; shown to the person.
    pub server_name: String,
    /// The server's address, which all tokens are bound to.
    pub server: ServerAddress,
    /// As whom we come.
    pub client: ClientIdentity,
    /// On whose behalf we come.
    pub grant: Grant,
    /// The language of errors and of the page that ends a login.
    pub lang: Lang,
}

impl Settings {
    /// Settings for the server `server_name` at `url`, on behalf of the person, with nothing configured.
    pub fn new(server_name: impl Into<String>, url: &Url, lang: Lang) -> Settings {
        Settings {
            server_name: server_name.into(),
            server: ServerAddress::new(url),
            client: ClientIdentity::default(),
            grant: Grant::Person,
            lang,
        }
    }

    /// The client that somebody registered by hand, and the issuer that is configured for it.
    pub(crate) fn by_hand(&self) -> Option<(&str, Option<&str>)> {
        match &self.grant {
            Grant::Machine(client) => Some((&client.id, client.issuer.as_deref())),
            Grant::Enterprise(EnterpriseClient { client, .. }) => Some((&client.id, client.issuer.as_deref())),
            Grant::Person => {
                self.client.registered.as_ref().map(|client| (client.id.as_str(), client.issuer.as_deref()))
            }
        }
    }

    /// As whom we come, also where we come on our own behalf.
    pub(crate) fn identity(&self) -> ClientIdentity {
        match &self.grant {
            Grant::Machine(MachineClient { id, proof: Proof::Secret(secret), issuer }) => ClientIdentity {
                registered: Some(RegisteredClient {
                    id: id.clone(),
                    secret: Some(secret.clone()),
                    issuer: issuer.clone(),
                }),
                metadata_document: None,
            },
            Grant::Enterprise(EnterpriseClient { client, .. }) => {
                ClientIdentity { registered: Some(client.clone()), metadata_document: None }
            }
            _ => self.client.clone(),
        }
    }
}

/// What we can be known by at an authorization server, in the order of "Client Registration".
#[derive(Clone, Debug, Default)]
pub struct ClientIdentity {
    /// A client that somebody registered there by hand.
    pub registered: Option<RegisteredClient>,
    /// The address of our Client ID Metadata Document: https, with a path.
    pub metadata_document: Option<Url>,
}

/// A client that was registered by hand.
///
/// Where its `issuer` is not configured, the first authorization server that it is used with becomes its only one.
#[derive(Clone, Debug)]
pub struct RegisteredClient {
    /// `client_id`.
    pub id: String,
    /// `client_secret`, for clients that have one.
    pub secret: Option<Secret>,
    /// The issuer that registered it.
    pub issuer: Option<String>,
}

/// On whose behalf tokens are asked for.
#[derive(Clone, Debug)]
pub enum Grant {
    /// The person's, who logs in with a browser.
    Person,
    /// The client's own (`io.modelcontextprotocol/oauth-client-credentials`): nobody is asked.
    Machine(MachineClient),
    /// The person's, as the identity provider of their organisation vouches (`io.modelcontextprotocol/enterprise-managed-authorization`):
    /// nobody is asked.
    Enterprise(EnterpriseClient),
}

/// A client that an organisation has let in for its people.
#[derive(Clone, Debug)]
pub struct EnterpriseClient {
    /// As whom we come to the server's issuer.
    pub client: RegisteredClient,
    /// Who vouches for the person.
    pub provider: IdentityProvider,
}

/// The identity provider of an organisation.
#[derive(Clone, Debug)]
pub struct IdentityProvider {
    /// Its issuer.
    pub issuer: String,
    /// Where it exchanges tokens.
    pub token_endpoint: String,
    /// As whom we come to it.
    pub client: RegisteredClient,
    /// What it gave when the person logged in there.
    pub id_token: Secret,
}

/// A client that comes on its own behalf.
#[derive(Clone, Debug)]
pub struct MachineClient {
    /// `client_id`.
    pub id: String,
    /// What it proves itself with.
    pub proof: Proof,
    /// The issuer that registered it; as with [`RegisteredClient::issuer`].
    pub issuer: Option<String>,
}

/// What a client that comes on its own behalf proves itself with.
#[derive(Clone, Debug)]
pub enum Proof {
    /// A secret that the token endpoint knows too.
    Secret(Secret),
    /// An assertion signed with a key (`private_key_jwt`, RFC 7523).
    Key {
        /// The private key: PKCS#8 in PEM.
        key: Secret,
        /// What it signs with.
        algorithm: Algorithm,
    },
}

/// How an assertion is signed (RFC 7518, section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA on P-256.
    Es256,
    /// ECDSA on P-384.
    Es384,
    /// RSA with SHA-256.
    Rs256,
}

impl Algorithm {
    /// The name, as in the header of an assertion.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Es256 => "ES256",
            Algorithm::Es384 => "ES384",
            Algorithm::Rs256 => "RS256",
        }
    }

    /// The algorithm with this name.
    pub fn from_name(name: &str) -> Option<Algorithm> {
        [Algorithm::Es256, Algorithm::Es384, Algorithm::Rs256].into_iter().find(|algorithm| algorithm.name() == name)
    }
}
