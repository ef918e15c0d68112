//! `[models.NAME]`, `[sampling]` and `[servers.NAME.sampling]`: the user's models, and what servers may have of them.
//!
//! Owns the shape of these tables. A key is named by the variable that it is in; in clear it is taken only from a user who insists.

use askback_core::redaction::{PatternError, Redactor};
use askback_core::sampling::MANUAL_MODEL;
use askback_core::sampling::budget::Limits;
use askback_core::sampling::choice::{self, ModelCard};
use askback_core::sampling::estimate::Price;
use askback_core::sampling::families::vendor_of;
use askback_models::{ModelSettings, Provider, Takes, catalogue};
use secrecy::SecretString;
use serde::Deserialize;
use url::Url;

use super::Reader;
use crate::failure::Failure;

/// What a server may have where the user sets no limits: enough for ordinary use, and little enough that a runaway server is noticed.
const USUAL: Limits = Limits {
    requests_per_minute: Some(20),
    tokens_per_day: Some(500_000),
    money_per_day: None,
    reply_tokens: None,
    tool_loop: Some(25),
};

/// One of the user's models.
#[derive(Clone, Debug)]
pub(crate) struct ModelConfig {
    pub(crate) card: ModelCard,
    pub(crate) settings: ModelSettings,
}

/// What servers may have.
#[derive(Clone, Debug, Default)]
pub(crate) struct SamplingConfig {
    /// The name of the model that is taken when nothing else decides.
    pub(crate) default: Option<String>,
    pub(crate) limits: Limits,
    /// What hides secrets from models, and what the user wants hidden besides.
    pub(crate) redactor: Redactor,
    redact: Vec<String>,
}

impl SamplingConfig {
    /// These settings, and where they say nothing, those of a file below.
    ///
    /// # Errors
    /// A pattern that is none, or patterns that are too many together.
    pub(super) fn over(self, below: SamplingConfig) -> Result<SamplingConfig, PatternError> {
        let mut redact = below.redact;
        redact.extend(self.redact);
        let redactor = Redactor::new(&redact)?;
        let (default, limits) = (self.default.or(below.default), self.limits.or(below.limits));
        Ok(SamplingConfig { default, limits, redactor, redact })
    }

    /// The limits of servers that have none of their own.
    pub(crate) fn usual_limits(&self) -> Limits {
        self.limits.or(USUAL)
    }
}

/// What one server may have.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerSampling {
    /// The models that it may have; all if not given.
    pub(crate) models: Option<Vec<String>>,
    pub(crate) limits: Limits,
    /// Whether it may have context of its own added to its requests.
    pub(crate) include_context: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelText {
    provider: String,
    base_url: Option<String>,
    model: Option<String>,
    key_env: Option<String>,
    key: Option<String>,
    #[serde(default)]
    key_in_clear: bool,
    vendor: Option<String>,
    cost: Option<f64>,
    speed: Option<f64>,
    intelligence: Option<f64>,
    input: Option<Vec<String>>,
    tools: Option<bool>,
    context: Option<u64>,
    price: Option<PriceText>,
}

/// Per million tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceText {
    input: f64,
    output: f64,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SamplingText {
    default: Option<String>,
    #[serde(default)]
    redact: Vec<String>,
    requests_per_minute: Option<u64>,
    tokens_per_day: Option<u64>,
    money_per_day: Option<f64>,
    reply_tokens: Option<u64>,
    tool_loop: Option<u64>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerSamplingText {
    models: Option<Vec<String>>,
    #[serde(default)]
    include_context: bool,
    requests_per_minute: Option<u64>,
    tokens_per_day: Option<u64>,
    money_per_day: Option<f64>,
    reply_tokens: Option<u64>,
    tool_loop: Option<u64>,
}

/// The models, in the order of the file. A `manual` one is nothing more than a name for the person's own replies.
pub(super) fn models(reader: &Reader<'_>, tables: toml::Table) -> Result<Vec<ModelConfig>, Failure> {
    let mut models = Vec::new();
    for (name, table) in tables {
        let text: ModelText = table.try_into().map_err(|error: toml::de::Error| {
            let mut failure = reader.failure("config-section", &format!("[models.{name}]"), "");
            failure.details = error.to_string().lines().map(str::to_owned).collect();
            failure
        })?;
        if text.provider != MANUAL_MODEL {
            models.push(model(reader, name, text)?);
        }
    }
    Ok(models)
}

fn model(reader: &Reader<'_>, name: String, text: ModelText) -> Result<ModelConfig, Failure> {
    let key = |field: &str| format!("models.{name}.{field}");
    let wrong = |field: &str, value: &str| reader.failure("config-value", &key(field), value);
    let provider = Provider::from_name(&text.provider).ok_or_else(|| wrong("provider", &text.provider))?;
    let Some(model) = text.model else { return Err(reader.failure("config-missing", &key("model"), "")) };
    let base_url = match text.base_url {
        None => None,
        Some(url) => {
            let url = reader.expanded(&key("base_url"), &url)?;
            let parsed = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            Some(parsed.ok_or_else(|| wrong("base_url", &url))?)
        }
    };
    let known = catalogue::known(&model);
    let known_takes = choice::Takes { images: known.takes.images, audio: known.takes.audio, tools: known.takes.tools };
    let score = |field: &str, given: Option<f64>, known: f64| match given {
        Some(value) if !(0.0..=1.0).contains(&value) => Err(wrong(field, &value.to_string())),
        given => Ok(given.unwrap_or(known)),
    };
    let takes = takes(text.input.as_deref(), text.tools, known_takes).map_err(|word| wrong("input", &word))?;
    let price = match text.price {
        Some(price) if price.input < 0.0 || price.output < 0.0 => return Err(wrong("price", "-")),
        Some(price) => Some(Price { input: price.input, output: price.output }),
        // A local model costs nothing, whatever the same one costs elsewhere.
        None => known.price.filter(|_| base_url.is_none()).map(|p| Price { input: p.input, output: p.output }),
    };
    let card = ModelCard {
        name: name.clone(),
        model: model.clone(),
        vendor: text.vendor.or_else(|| vendor_of(&model).map(str::to_owned)),
        cost: score("cost", text.cost, known.cost)?,
        speed: score("speed", text.speed, known.speed)?,
        intelligence: score("intelligence", text.intelligence, known.intelligence)?,
        takes,
        context: text.context.or(known.context),
        price,
    };
    // The provider's usual variable holds a key for the provider's own endpoint, and goes nowhere else.
    let usual = provider.usual_key_variable().filter(|_| base_url.is_none()).map(str::to_owned);
    let variable = text.key_env.or(usual);
    let from_variable = variable.as_deref().and_then(reader.places.variable).filter(|value| !value.is_empty());
    let given = match text.key {
        Some(_) if !text.key_in_clear => return Err(reader.failure("config-key-in-clear", &key("key"), "")),
        Some(text) => Some(reader.expanded(&key("key"), &text)?),
        None => None,
    };
    let settings = ModelSettings {
        name,
        provider,
        base_url,
        model,
        key: given.or(from_variable).map(SecretString::from),
        key_variable: variable,
        takes: Takes { images: takes.images, audio: takes.audio, tools: takes.tools },
    };
    Ok(ModelConfig { card, settings })
}

/// What a model takes besides text; the word that is none as an error.
fn takes(input: Option<&[String]>, tools: Option<bool>, known: choice::Takes) -> Result<choice::Takes, String> {
    let mut takes = known;
    if let Some(words) = input {
        (takes.images, takes.audio) = (false, false);
        for word in words {
            match word.as_str() {
                "text" => {}
                "image" => takes.images = true,
                "audio" => takes.audio = true,
                other => return Err(other.to_owned()),
            }
        }
    }
    takes.tools = tools.unwrap_or(takes.tools);
    Ok(takes)
}

/// `[sampling]`
pub(super) fn sampling(text: SamplingText) -> SamplingConfig {
    let limits = Limits {
        requests_per_minute: text.requests_per_minute,
        tokens_per_day: text.tokens_per_day,
        money_per_day: text.money_per_day,
        reply_tokens: text.reply_tokens,
        tool_loop: text.tool_loop,
    };
    SamplingConfig { default: text.default, limits, redactor: Redactor::default(), redact: text.redact }
}

/// `[servers.NAME.sampling]`
pub(super) fn of_server(text: ServerSamplingText) -> ServerSampling {
    let limits = Limits {
        requests_per_minute: text.requests_per_minute,
        tokens_per_day: text.tokens_per_day,
        money_per_day: text.money_per_day,
        reply_tokens: text.reply_tokens,
        tool_loop: text.tool_loop,
    };
    ServerSampling { models: text.models, limits, include_context: text.include_context }
}
