//! The user's models, made ready to be lent as the configuration says.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use askback_core::sampling::{MANUAL_MODEL, SamplingRequest};
use askback_desk::Texts;
use askback_desk::wording::lending as words;
use askback_host::lending::{Lender, LenderOptions, LendingError, OwnModel, Terms};
use askback_host::wall_clock;
use askback_models::{Completing, Model, ModelError, ModelSettings, Piece, Provider, Unsupported};
use tokio::sync::mpsc::UnboundedSender;

use crate::config::{Config, ModelConfig};
use crate::console;
use crate::model_keys::ModelKeys;

/// The lender of this run.
pub(crate) fn lender(config: &Config, texts: &Arc<Texts>) -> Arc<Lender> {
    let ready = config.models.iter().filter(|model| missing_key(&model.settings).is_none());
    let models = ready.map(|model| OwnModel { card: model.card.clone(), model: Arc::new(Late::new(model, texts)) });
    let usual = Terms { allowed: None, limits: config.sampling.usual_limits() };
    let terms: BTreeMap<String, Terms> = (config.servers.iter())
        .map(|(name, server)| {
            let limits = server.sampling.limits.or(usual.limits);
            (name.clone(), Terms { allowed: server.sampling.models.clone(), limits })
        })
        .collect();
    let texts = Arc::clone(texts);
    Arc::new(Lender::new(LenderOptions {
        models: models.collect(),
        default: config.sampling.default.clone().filter(|name| name != MANUAL_MODEL),
        usual,
        terms,
        redactor: config.sampling.redactor.clone(),
        book: console::state_folder().map(|folder| folder.join("lending.json")),
        explain: Arc::new(move |error| explain(&texts, error)),
    }))
}

/// The variable that lacks a key without which nothing would be answered.
pub(crate) fn missing_key(settings: &ModelSettings) -> Option<&str> {
    let needs_one = settings.base_url.is_none() && settings.provider != Provider::Ollama;
    let missing = needs_one && settings.key.is_none() && !has_kept_key(settings);
    missing.then(|| settings.key_variable.as_deref().unwrap_or_default())
}

/// Whether a model is asked with a key that is kept for the user: one that the configuration or a variable gives goes before it.
pub(crate) fn has_kept_key(settings: &ModelSettings) -> bool {
    settings.key.is_none() && ModelKeys::of_system().is_some_and(|keys| keys.has(settings))
}

/// The model behind these settings, with the key that is kept for it if it has no other. Blocks while a keyring is asked.
///
/// # Errors
/// As [`askback_models::connect`], and when the key that is kept cannot be had.
pub(crate) fn connect(mut settings: ModelSettings, texts: &Texts) -> Result<Box<dyn Model>, ModelError> {
    if settings.key.is_none()
        && let Some(keys) = ModelKeys::of_system()
    {
        settings.key = keys.read(&settings).map_err(|error| {
            let what = texts.format("model-key-unreadable", &[("detail", error.detail().into())]);
            ModelError::Settings { what }
        })?;
    }
    askback_models::connect(settings)
}

/// A model whose connection is prepared when it is first used: most calls use none.
struct Late {
    settings: ModelSettings,
    texts: Arc<Texts>,
    model: OnceLock<Result<Box<dyn Model>, ModelError>>,
}

impl Late {
    fn new(model: &ModelConfig, texts: &Arc<Texts>) -> Late {
        Late { settings: model.settings.clone(), texts: Arc::clone(texts), model: OnceLock::new() }
    }
}

impl Model for Late {
    fn complete<'a>(&'a self, request: &'a SamplingRequest, pieces: UnboundedSender<Piece>) -> Completing<'a> {
        match self.model.get_or_init(|| connect(self.settings.clone(), &self.texts)) {
            Ok(model) => model.complete(request, pieces),
            Err(error) => Box::pin(std::future::ready(Err(error.clone()))),
        }
    }
}

/// Why there is no reply, in the user's language, and what to do about it.
pub(crate) fn explain(texts: &Texts, error: &LendingError) -> String {
    match error {
        LendingError::UnknownModel { name } => texts.format("lending-unknown", &[("name", name.into())]),
        LendingError::NoneUsable { unusable } if unusable.is_empty() => texts.get("lending-none"),
        LendingError::NoneUsable { unusable } => {
            let models: Vec<String> = unusable
                .iter()
                .map(|unusable| {
                    let reasons: Vec<String> =
                        unusable.reasons.iter().map(|reason| words::unfit(texts, reason)).collect();
                    let reasons = reasons.join(&texts.get("limits-separator"));
                    texts.format("lending-unusable", &[("name", (&unusable.name).into()), ("why", reasons.into())])
                })
                .collect();
            models.join(&texts.get("lending-separator"))
        }
        LendingError::Exceeded(exceeded) => words::exceeded(texts, exceeded, wall_clock::now()),
        LendingError::NotCounted { detail } => texts.format("lending-not-counted", &[("detail", detail.into())]),
        LendingError::Model { name, error } => {
            let why = model_error(texts, error);
            texts.format("lending-model", &[("name", name.into()), ("why", why.into())])
        }
    }
}

/// What went wrong with a model.
pub(crate) fn model_error(texts: &Texts, error: &ModelError) -> String {
    let of_key = |id: &str, variable: &Option<String>, said: &str| match variable {
        Some(variable) => texts.format(&format!("{id}-in"), &[("variable", variable.into()), ("said", said.into())]),
        None => texts.format(id, &[("said", said.into())]),
    };
    let said = |id: &str, said: &str| texts.format(id, &[("said", said.into())]);
    match error {
        ModelError::Settings { what } => said("model-settings", what),
        ModelError::NoKey { variable } => of_key("model-no-key", variable, ""),
        ModelError::Unauthorized { variable, said } => of_key("model-unauthorized", variable, said),
        ModelError::Forbidden { said: text } => said("model-forbidden", text),
        ModelError::UnknownModel { model, said } => {
            texts.format("model-unknown", &[("model", model.into()), ("said", said.into())])
        }
        ModelError::TooManyRequests { retry_after, said } => {
            let wait = retry_after.map_or(0, |wait| wait.as_secs());
            texts.format("model-too-many", &[("wait", wait.into()), ("said", said.into())])
        }
        ModelError::TooLong { said: text } => said("model-too-long", text),
        ModelError::Filtered { said: text } => said("model-filtered", text),
        ModelError::Rejected { status, said } => {
            texts.format("model-rejected", &[("status", u64::from(*status).into()), ("said", said.into())])
        }
        ModelError::Unavailable { said: text, .. } => said("model-unavailable", text),
        ModelError::Unreachable { origin, refused, detail } => {
            let id = if *refused { "model-refused" } else { "model-unreachable" };
            texts.format(id, &[("origin", origin.into()), ("detail", detail.into())])
        }
        ModelError::Redirected { to } => said("model-redirected", to.as_deref().unwrap_or_default()),
        ModelError::CutShort { detail } => said("model-cut-short", detail),
        ModelError::Silent { after } => texts.format("model-silent", &[("seconds", after.as_secs().into())]),
        ModelError::Unreadable { detail } => said("model-unreadable", detail),
        ModelError::TooLarge { limit } => texts.format("model-too-large", &[("limit", (*limit as u64).into())]),
        ModelError::Unsupported(what) => said("model-unsupported", &unsupported(texts, what)),
        ModelError::NoToolCalled => texts.get("model-no-tool-called"),
        ModelError::ToolNotAllowed { name } => said("model-tool-not-allowed", name),
    }
}

fn unsupported(texts: &Texts, what: &Unsupported) -> String {
    match what {
        Unsupported::Images => texts.get("unsupported-images"),
        Unsupported::Audio => texts.get("unsupported-audio"),
        Unsupported::Tools => texts.get("unsupported-tools"),
        Unsupported::MediaType(name) => texts.format("unsupported-media-type", &[("name", name.into())]),
        Unsupported::MediaOfAssistant => texts.get("unsupported-media-of-assistant"),
        Unsupported::MediaInToolResult => texts.get("unsupported-media-in-tool-result"),
        Unsupported::MisplacedTool => texts.get("unsupported-misplaced-tool"),
    }
}
