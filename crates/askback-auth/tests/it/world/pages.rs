//! What each address of the world answers.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use serde_json::{Value, json};
use url::Url;

use super::{Hit, State};

pub(super) struct Page {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

fn page(status: u16, body: Value) -> Page {
    Page { status, headers: vec![("content-type", "application/json".to_owned())], body: body.to_string() }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl State {
    pub(super) fn page(&mut self, origin: &Url, hit: &Hit) -> Page {
        let nothing = || page(404, json!({}));
        let resource_metadata = "/.well-known/oauth-protected-resource/mcp";
        let path = hit.path.as_str();
        if path == "/mcp" {
            return self.protected(origin, resource_metadata, hit);
        }
        if path == resource_metadata {
            let issuers = self.rules.issuer.map(|issuer| at(origin, issuer));
            let resource = self.rules.resource.map_or_else(|| at(origin, "/mcp"), str::to_owned);
            return issuers.map_or_else(nothing, |issuer| {
                page(
                    200,
                    json!({
                        "resource": resource,
                        "authorization_servers": [issuer],
                        "scopes_supported": ["read", "write"],
                    }),
                )
            });
        }
        for issuer in ["/one", "/two"] {
            let (name, after) = self.rules.place;
            let place =
                if after { format!("/.well-known/{name}{issuer}") } else { format!("{issuer}/.well-known/{name}") };
            if path == place {
                return page(200, self.metadata(origin, &at(origin, issuer), issuer));
            }
            if let Some(endpoint) = path.strip_prefix(issuer) {
                return self.authorization_server(origin, issuer, endpoint, hit);
            }
        }
        if path == "/provider/token" {
            return self.vouch(origin, hit);
        }
        if path == "/.well-known/oauth-authorization-server"
            && let Some(issuer) = self.rules.origin_issuer.clone()
        {
            return page(200, self.metadata(origin, &issuer, "/one"));
        }
        if self.rules.bare_endpoints { self.authorization_server(origin, "", path, hit) } else { nothing() }
    }

    fn protected(&self, origin: &Url, metadata: &str, hit: &Hit) -> Page {
        let token = hit.authorization.as_deref().and_then(|header| header.strip_prefix("Bearer "));
        let scopes = token.and_then(|token| self.tokens.get(token)).filter(|_| !self.rules.always_401);
        let mut refusal = page(401, json!({}));
        match scopes {
            Some(scopes) if words(self.rules.needs).is_subset(scopes) => return page(200, json!({})),
            Some(_) => {
                refusal.status = 403;
                let challenge = format!(r#"Bearer error="insufficient_scope", scope="{}""#, self.rules.needs);
                refusal.headers.push(("www-authenticate", challenge));
            }
            None => {
                let challenge = self.rules.challenge.map(|challenge| challenge.replace("META", &at(origin, metadata)));
                refusal.headers.extend(challenge.map(|challenge| ("www-authenticate", challenge)));
            }
        }
        refusal
    }

    fn metadata(&self, origin: &Url, issuer: &str, prefix: &str) -> Value {
        let endpoint = |path: &str| at(origin, &format!("{prefix}{path}"));
        let mut metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": endpoint("/authorize"),
            "token_endpoint": endpoint("/token"),
            "registration_endpoint": endpoint("/register"),
            "revocation_endpoint": endpoint("/revoke"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        });
        let changes = self.rules.metadata.as_object().cloned().unwrap_or_default();
        for (name, value) in changes {
            if value.is_null() {
                metadata.as_object_mut().unwrap().remove(&name);
            } else {
                metadata[name] = value;
            }
        }
        metadata
    }

    fn authorization_server(&mut self, origin: &Url, issuer: &str, endpoint: &str, hit: &Hit) -> Page {
        self.issued += 1;
        match endpoint {
            "/register" => {
                let mut client = json!({
                    "client_id": format!("{issuer}-client-{}", self.issued),
                    "redirect_uris": hit.json["redirect_uris"],
                });
                if let Some(secret) = self.rules.secret {
                    client["client_secret"] = secret.into();
                }
                page(201, client)
            }
            "/authorize" => self.send_back(&at(origin, issuer), hit),
            "/token" => self.token(hit),
            "/revoke" => {
                self.tokens.remove(hit.parameter("token"));
                self.refresh_tokens.remove(hit.parameter("token"));
                page(200, json!({}))
            }
            _ => page(404, json!({})),
        }
    }

    /// An identity provider that vouches for whoever shows the right token.
    fn vouch(&self, origin: &Url, hit: &Hit) -> Page {
        if hit.parameter("subject_token") != "id-token" {
            return page(400, json!({ "error": "invalid_grant" }));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let header = json!({ "alg": "ES256", "typ": "oauth-id-jag+jwt" });
        let claims = json!({
            "iss": at(origin, "/provider"),
            "sub": "anne",
            "aud": hit.parameter("audience"),
            "client_id": "at-issuer",
            "jti": "1",
            "iat": now,
            "exp": now + 60,
            "resource": hit.parameter("resource"),
            "scope": hit.parameter("scope"),
        });
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        page(
            200,
            json!({
                "access_token": format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode("signed")),
                "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
                "token_type": "N_A",
                "scope": hit.parameter("scope"),
            }),
        )
    }

    fn send_back(&mut self, issuer: &str, hit: &Hit) -> Page {
        let code = format!("code-{}", self.issued);
        self.codes.insert(code.clone(), hit.parameters.clone());
        let mut address = Url::parse(hit.parameter("redirect_uri")).unwrap();
        let own = [("code", code.as_str()), ("state", hit.parameter("state")), ("iss", issuer)];
        let changed = self.rules.sent_back;
        let kept = own.iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
        for (name, value) in kept.chain(changed).filter(|(_, value)| !value.is_empty()) {
            address.query_pairs_mut().append_pair(name, value);
        }
        Page { status: 302, headers: vec![("location", address.to_string())], body: String::new() }
    }

    fn token(&mut self, hit: &Hit) -> Page {
        let refused = |error: &str| page(400, json!({ "error": error, "error_description": "as the test wants it" }));
        let scopes = match hit.parameter("grant_type") {
            "authorization_code" => {
                let Some(asked) = self.codes.remove(hit.parameter("code")) else { return refused("invalid_grant") };
                let verifier = digest::digest(&digest::SHA256, hit.parameter("code_verifier").as_bytes());
                let same = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default() == hit.parameter(name);
                if asked["code_challenge"] != URL_SAFE_NO_PAD.encode(verifier) || !same("redirect_uri") {
                    return refused("invalid_grant");
                }
                if !same("resource") {
                    return refused("invalid_target");
                }
                words(asked.get("scope").map(String::as_str).unwrap_or_default())
            }
            "refresh_token" => {
                if let Some((status, error)) = self.rules.refresh_error {
                    return page(status, json!({ "error": error }));
                }
                // Each counts once, as it has to for public clients.
                match self.refresh_tokens.remove(hit.parameter("refresh_token")) {
                    Some(scopes) => scopes,
                    None => return refused("invalid_grant"),
                }
            }
            "urn:ietf:params:oauth:grant-type:jwt-bearer" if hit.parameter("assertion").ends_with(".c2lnbmVk") => {
                words("read write")
            }
            "client_credentials" => words(hit.parameter("scope")),
            _ => return refused("unsupported_grant_type"),
        };
        let (access, refresh) = (format!("access-{}", self.issued), format!("refresh-{}", self.issued));
        let given = if self.rules.stingy { BTreeSet::new() } else { scopes };
        self.tokens.insert(access.clone(), given.clone());
        self.refresh_tokens.insert(refresh.clone(), given);
        let mut answer = json!({ "access_token": access, "token_type": "Bearer", "refresh_token": refresh });
        if let Some(lives) = self.rules.lives {
            answer["expires_in"] = lives.into();
        }
        if !["authorization_code", "refresh_token"].contains(&hit.parameter("grant_type")) {
            answer.as_object_mut().unwrap().remove("refresh_token");
        }
        page(200, answer)
    }
}

fn at(origin: &Url, path: &str) -> String {
    let address = origin.join(path).unwrap().to_string();
    if path.is_empty() { address.trim_end_matches('/').to_owned() } else { address }
}
