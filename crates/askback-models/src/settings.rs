//! What the user says of a model.
//!
//! Owns the settings as values. Must not read files or the environment.

use secrecy::SecretString;
use url::Url;

/// One model, as configured under `[models.NAME]`.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// The user's name for it.
    pub name: String,
    /// Which protocol its endpoint speaks.
    pub provider: Provider,
    /// Where its endpoint is; otherwise the provider's own.
    pub base_url: Option<Url>,
    /// The provider's name for it.
    pub model: String,
    /// The key, where one is needed. It is never shown.
    pub key: Option<SecretString>,
    /// The variable that the key comes from, for messages only.
    pub key_variable: Option<String>,
    /// What else than text it takes.
    pub takes: Takes,
}

/// A protocol for language models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI's chat completions, which many endpoints speak, local ones too.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's generative language API.
    Gemini,
    /// Ollama's own protocol.
    Ollama,
}

impl Provider {
    /// All of them.
    pub const ALL: [Provider; 4] = [Provider::OpenAi, Provider::Anthropic, Provider::Gemini, Provider::Ollama];

    /// Its name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Provider::OpenAi => "openai",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Ollama => "ollama",
        }
    }

    /// The provider of this name in the configuration.
    pub fn from_name(name: &str) -> Option<Provider> {
        Provider::ALL.into_iter().find(|provider| provider.as_str() == name)
    }

    /// Where it is when the user does not say.
    pub fn default_base_url(self) -> &'static str {
        match self {
            Provider::OpenAi => "https://api.openai.com/v1",
            Provider::Anthropic => "https://api.anthropic.com/v1",
            Provider::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Provider::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The variable in which people keep a key for the provider's own endpoint.
    pub fn usual_key_variable(self) -> Option<&'static str> {
        match self {
            Provider::OpenAi => Some("OPENAI_API_KEY"),
            Provider::Anthropic => Some("ANTHROPIC_API_KEY"),
            Provider::Gemini => Some("GEMINI_API_KEY"),
            Provider::Ollama => None,
        }
    }
}

/// What a model takes besides text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    /// Images.
    pub images: bool,
    /// Sound.
    pub audio: bool,
    /// Tools that it may call.
    pub tools: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_not_shown() {
        let settings = ModelSettings {
            name: "small".into(),
            provider: Provider::OpenAi,
            base_url: None,
            model: "m".into(),
            key: Some(SecretString::from("sk-secret")),
            key_variable: Some("SMALL_KEY".into()),
            takes: Takes::default(),
        };
        let shown = format!("{settings:?}");
        assert!(shown.contains("SMALL_KEY") && !shown.contains("sk-secret"), "{shown}");
    }

    #[test]
    fn providers_are_known_by_their_names() {
        for provider in Provider::ALL {
            assert_eq!(Provider::from_name(provider.as_str()), Some(provider));
            Url::parse(provider.default_base_url()).expect("an address");
        }
        assert_eq!(Provider::from_name("manual"), None, "the person is no provider");
    }
}
