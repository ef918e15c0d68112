//! Where requests of a model go, and with which header fields.
//!
//! Owns the addresses, the key's way into a header field, and the HTTP client. A request goes to the origin of the settings and nowhere else:
//! redirects are not followed.

use std::sync::Once;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use secrecy::ExposeSecret as _;
use url::{Host, Url};

use crate::error::ModelError;
use crate::settings::{ModelSettings, Provider};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(30);
/// The version of Anthropic's protocol that is spoken.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// The address for requests to a model, streaming.
///
/// # Errors
/// [`ModelError::Settings`] when the base address cannot be used.
pub(crate) fn address(settings: &ModelSettings) -> Result<Url, ModelError> {
    let base = match &settings.base_url {
        Some(url) => url.clone(),
        None => Url::parse(settings.provider.default_base_url()).map_err(|error| unusable(error.to_string()))?,
    };
    if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
        return Err(unusable(format!("base_url is {base}, which is no address of the web")));
    }
    if !base.username().is_empty() || base.password().is_some() {
        return Err(unusable("base_url holds a name or a password; a key belongs into key_env".to_owned()));
    }
    if settings.model.trim().is_empty() {
        return Err(unusable("model is empty".to_owned()));
    }
    let mut path: Vec<String> = segments(&base);
    let last = path.last().cloned().unwrap_or_default();
    let mut stream = None;
    let rest: &[&str] = match settings.provider {
        Provider::OpenAi => &["chat", "completions"],
        Provider::Anthropic if last == "v1" => &["messages"],
        Provider::Anthropic => &["v1", "messages"],
        Provider::Gemini => {
            if path.is_empty() {
                path.push("v1beta".to_owned());
            }
            let model = settings.model.strip_prefix("models/").unwrap_or(&settings.model);
            path.extend(["models".to_owned(), format!("{model}:streamGenerateContent")]);
            stream = Some(("alt", "sse"));
            &[]
        }
        Provider::Ollama => {
            // People copy the address of the other protocol that Ollama speaks, or of its own with the last word of the path.
            if matches!(last.as_str(), "v1" | "api") {
                path.pop();
            }
            &["api", "chat"]
        }
    };
    path.extend(rest.iter().map(|word| (*word).to_owned()));
    let mut url = base;
    url.path_segments_mut().map_err(|()| unusable("base_url has no path".to_owned()))?.clear().extend(path);
    url.set_fragment(None);
    if let Some((name, value)) = stream {
        url.query_pairs_mut().append_pair(name, value);
    }
    Ok(url)
}

/// The header fields that a request needs; one of them holds the key.
///
/// # Errors
/// [`ModelError::NoKey`] when the provider's own endpoint would be asked without one, [`ModelError::Settings`] when the key cannot be sent.
pub(crate) fn headers(settings: &ModelSettings) -> Result<Vec<(String, String)>, ModelError> {
    let key = settings.key.as_ref().map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
    if key.is_none() && settings.base_url.is_none() && settings.provider.usual_key_variable().is_some() {
        let usual = settings.provider.usual_key_variable().map(str::to_owned);
        return Err(ModelError::NoKey { variable: settings.key_variable.clone().or(usual) });
    }
    if key.is_some_and(|key| key.chars().any(|character| character.is_control() || !character.is_ascii())) {
        return Err(unusable("the key has characters that cannot be sent".to_owned()));
    }
    let field = |name: &str, value: String| (name.to_owned(), value);
    let mut fields: Vec<(String, String)> = key
        .map(|key| match settings.provider {
            Provider::OpenAi | Provider::Ollama => field("authorization", format!("Bearer {key}")),
            Provider::Anthropic => field("x-api-key", key.to_owned()),
            Provider::Gemini => field("x-goog-api-key", key.to_owned()),
        })
        .into_iter()
        .collect();
    if settings.provider == Provider::Anthropic {
        fields.push(field("anthropic-version", ANTHROPIC_VERSION.to_owned()));
    }
    Ok(fields)
}

/// A client for one origin.
///
/// # Errors
/// [`ModelError::Settings`] when TLS cannot be set up.
pub(crate) fn client(url: &Url) -> Result<Client, ModelError> {
    static PROVIDER: Once = Once::new();
    // Another part of the program may have installed one already, which will do as well.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let mut builder = Client::builder()
        .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(Policy::none())
        // A small answer must not become a large one on this side.
        .no_gzip();
    if is_loopback(url) {
        // A proxy has no business with what is on this machine.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| unusable(error.to_string()))
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

fn segments(url: &Url) -> Vec<String> {
    let decoded = |segment: &str| segment.to_owned();
    url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).map(decoded).collect()
}

fn unusable(what: String) -> ModelError {
    ModelError::Settings { what }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;
    use crate::settings::Takes;

    fn settings(provider: Provider, base_url: Option<&str>, model: &str, key: Option<&str>) -> ModelSettings {
        ModelSettings {
            name: "m".into(),
            provider,
            base_url: base_url.map(|url| Url::parse(url).expect("an address")),
            model: model.into(),
            key: key.map(SecretString::from),
            key_variable: None,
            takes: Takes::default(),
        }
    }

    #[track_caller]
    fn check(provider: Provider, base_url: Option<&str>, expected: &str) {
        let url = address(&settings(provider, base_url, "some/model", None)).expect("an address");
        assert_eq!(url.as_str(), expected);
    }

    #[test]
    fn addresses_are_below_the_base_address() {
        check(Provider::OpenAi, None, "https://api.openai.com/v1/chat/completions");
        check(Provider::OpenAi, Some("http://127.0.0.1:1/v1/"), "http://127.0.0.1:1/v1/chat/completions");
        check(Provider::OpenAi, Some("http://[::1]:1/a/v1?x=1"), "http://[::1]:1/a/v1/chat/completions?x=1");
        check(Provider::Anthropic, None, "https://api.anthropic.com/v1/messages");
        check(Provider::Anthropic, Some("http://127.0.0.1:1"), "http://127.0.0.1:1/v1/messages");
        check(Provider::Anthropic, Some("http://127.0.0.1:1/v1/"), "http://127.0.0.1:1/v1/messages");
        let gemini =
            "https://generativelanguage.googleapis.com/v1beta/models/some%2Fmodel:streamGenerateContent?alt=sse";
        check(Provider::Gemini, None, gemini);
        check(Provider::Ollama, None, "http://127.0.0.1:11434/api/chat");
        check(Provider::Ollama, Some("http://127.0.0.1:1/v1"), "http://127.0.0.1:1/api/chat");
        check(Provider::Ollama, Some("http://127.0.0.1:1/x"), "http://127.0.0.1:1/x/api/chat");
    }

    #[test]
    fn a_base_address_that_cannot_be_used_is_refused() {
        for wrong in ["file:///etc/passwd", "http://user:secret@127.0.0.1/", "mailto:a@b"] {
            let refused = address(&settings(Provider::OpenAi, Some(wrong), "m", None));
            let Err(ModelError::Settings { what }) = refused else { panic!("{wrong} was taken: {refused:?}") };
            assert!(!what.contains("secret"), "{what}");
        }
    }

    #[test]
    fn the_provider_s_own_endpoint_needs_a_key_and_any_other_may_do_without() {
        let without = headers(&settings(Provider::Anthropic, None, "m", None));
        assert_eq!(without, Err(ModelError::NoKey { variable: Some("ANTHROPIC_API_KEY".into()) }));
        assert_eq!(headers(&settings(Provider::OpenAi, Some("http://127.0.0.1:1"), "m", None)), Ok(Vec::new()));
        assert_eq!(headers(&settings(Provider::Ollama, None, "m", None)), Ok(Vec::new()));
    }

    #[test]
    fn each_provider_has_its_own_field_for_the_key() {
        for (provider, field, value) in [
            (Provider::OpenAi, "authorization", "Bearer k1"),
            (Provider::Ollama, "authorization", "Bearer k1"),
            (Provider::Anthropic, "x-api-key", "k1"),
            (Provider::Gemini, "x-goog-api-key", "k1"),
        ] {
            let fields = headers(&settings(provider, None, "m", Some(" k1\n"))).expect("header fields");
            assert_eq!(fields[0], (field.to_owned(), value.to_owned()));
        }
        let broken = headers(&settings(Provider::OpenAi, None, "m", Some("secret\nkey")));
        let Err(ModelError::Settings { what }) = broken else { panic!("it was taken") };
        assert!(!what.contains("secret"));
    }
}
