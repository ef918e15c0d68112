//! A login in front of a scripted server: messages that are let through only with a token, and the authorization server that issues it.
//!
//! Owns guards, codes and tokens. Must not know what the messages say. That a client keeps to OAuth is tested in `askback-auth`; here somebody
//! is simply to be sent to a page and back.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;

use crate::http::exchange::{Head, Received};

/// Messages that need a token.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Guard {
    /// Which: the method of a message, `response`, `GET`, or `DELETE`.
    pub of: String,
    /// From the one with this number on, counted from 1 among those that are let through; from the first if not given.
    pub from: Option<usize>,
    /// The scopes that the token needs, with spaces between them.
    pub scopes: String,
    /// Whether no token is ever good enough.
    pub never: bool,
}

/// What has been issued.
#[derive(Debug, Default)]
pub(super) struct Gate {
    guards: Vec<(Guard, usize)>,
    issued: usize,
    codes: BTreeMap<String, BTreeSet<String>>,
    tokens: BTreeMap<String, BTreeSet<String>>,
}

const METADATA: &str = "/.well-known/oauth-protected-resource";
const ISSUER: &str = "/.well-known/oauth-authorization-server";

impl Gate {
    pub(super) fn new(guards: &[Guard]) -> Gate {
        Gate { guards: guards.iter().map(|guard| (guard.clone(), 0)).collect(), ..Gate::default() }
    }

    /// What is answered at an address of the authorization server's own; nothing elsewhere, or where nothing is guarded.
    pub(super) fn page(&mut self, origin: &str, request: &Received) -> Option<Head> {
        if self.guards.is_empty() {
            return None;
        }
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let json = |status, value: serde_json::Value| Head::whole(status, "application/json", value.to_string());
        match (request.method.as_str(), path) {
            ("GET", METADATA) => {
                Some(json(200, json!({ "resource": format!("{origin}/mcp"), "authorization_servers": [origin] })))
            }
            ("GET", ISSUER) => Some(json(
                200,
                json!({
                    "issuer": origin,
                    "authorization_endpoint": format!("{origin}/authorize"),
                    "token_endpoint": format!("{origin}/token"),
                    "registration_endpoint": format!("{origin}/register"),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["none"],
                }),
            )),
            ("POST", "/register") => {
                let asked: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
                Some(json(201, json!({ "client_id": "guest", "redirect_uris": asked["redirect_uris"] })))
            }
            ("GET", "/authorize") => Some(self.send_back(query)),
            ("POST", "/token") => Some(self.exchange(&request.body)),
            _ => None,
        }
    }

    /// Whoever comes to the page is let in at once.
    fn send_back(&mut self, query: &str) -> Head {
        let (redirect, state) = (parameter(query, "redirect_uri"), parameter(query, "state"));
        self.issued += 1;
        let code = format!("code-{}", self.issued);
        self.codes.insert(code.clone(), words(&parameter(query, "scope")));
        Head::empty(302).with("location", format!("{redirect}?code={code}&state={state}"))
    }

    fn exchange(&mut self, body: &str) -> Head {
        let Some(scopes) = self.codes.remove(&parameter(body, "code")) else {
            return Head::whole(400, "application/json", json!({ "error": "invalid_grant" }).to_string());
        };
        let token = format!("token-{}", self.issued);
        let scope = scopes.iter().cloned().collect::<Vec<_>>().join(" ");
        self.tokens.insert(token.clone(), scopes);
        let answer = json!({ "access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": scope });
        Head::whole(200, "application/json", answer.to_string())
    }

    /// The refusal of a message, if it is one.
    pub(super) fn refusal(&mut self, origin: &str, what: &str, request: &Received) -> Option<Head> {
        let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        let granted = token.and_then(|token| self.tokens.get(token));
        for (guard, passed) in self.guards.iter().filter(|(guard, _)| guard.of == what) {
            let needed = words(&guard.scopes);
            let guarded = guard.from.is_none_or(|from| *passed + 1 >= from);
            if !guarded || (!guard.never && granted.is_some_and(|granted| needed.is_subset(granted))) {
                continue;
            }
            let (status, error) = match granted {
                Some(_) if !guard.never => (403, "insufficient_scope"),
                _ => (401, "invalid_token"),
            };
            let challenge =
                format!(r#"Bearer error="{error}", scope="{}", resource_metadata="{origin}{METADATA}""#, guard.scopes);
            return Some(Head::empty(status).with("www-authenticate", challenge));
        }
        self.guards.iter_mut().filter(|(guard, _)| guard.of == what).for_each(|(_, passed)| *passed += 1);
        None
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A parameter of a query or a form; empty when it is not there. What is compared or sent back here needs few of its escapes.
fn parameter(text: &str, name: &str) -> String {
    let value = text.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
    let value = value.map(|(_, value)| value.replace('+', " ")).unwrap_or_default();
    let mut plain = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match code.filter(|_| byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(escaped) => {
                plain.push(escaped);
                rest = &after[2..];
            }
            None => {
                plain.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        let query = "a=1&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&scope=read+write&b=%zz";
        assert_eq!(parameter(query, "redirect_uri"), "http://127.0.0.1:9/callback");
        assert_eq!(parameter(query, "scope"), "read write");
        assert_eq!(parameter(query, "b"), "%zz");
        assert_eq!(parameter(query, "c"), "");
    }

    #[test]
    fn a_guard_lets_through_what_comes_before_it_and_what_has_its_scopes() {
        let guard = |from, scopes: &str| Guard { of: "tools/call".into(), from, scopes: scopes.into(), never: false };
        let mut gate = Gate::new(&[guard(Some(2), "write")]);
        let with = |token: &str| Received {
            headers: vec![("authorization".into(), format!("Bearer {token}"))],
            ..Received::default()
        };
        let status = |head: Option<Head>| head.map_or(200, |head| head.status);
        gate.tokens.insert("reader".into(), words("read"));
        gate.tokens.insert("writer".into(), words("read write"));
        assert_eq!(status(gate.refusal("", "tools/call", &Received::default())), 200);
        assert_eq!(status(gate.refusal("", "tools/list", &Received::default())), 200);
        assert_eq!(status(gate.refusal("", "tools/call", &Received::default())), 401);
        assert_eq!(status(gate.refusal("", "tools/call", &with("reader"))), 403);
        assert_eq!(status(gate.refusal("", "tools/call", &with("writer"))), 200);
    }
}
