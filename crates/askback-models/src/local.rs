//! Endpoints for models on this machine.
//!
//! Owns the looking: on loopback only, at the ports where such programs usually listen, all at once and for a short time. What is found is
//! offered to the user; nothing here makes a model of it, and only `askback models` looks.

use std::net::Ipv4Addr;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use reqwest::{Client, Response};
use serde_json::Value;
use url::Url;

use crate::endpoint;
use crate::said::bounded;
use crate::settings::Provider;

/// How long one endpoint may take to tell its models.
const PATIENCE: Duration = Duration::from_millis(800);
/// How many bytes its list may have.
const LARGEST: usize = 1 << 20;
/// How many models of one endpoint are told.
const MODELS: usize = 200;

/// A program that serves models on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// Ollama.
    Ollama,
    /// llama.cpp's server.
    LlamaCpp,
    /// LM Studio.
    LmStudio,
    /// vLLM.
    Vllm,
}

impl LocalKind {
    /// All of them.
    pub const ALL: [LocalKind; 4] = [LocalKind::Ollama, LocalKind::LlamaCpp, LocalKind::LmStudio, LocalKind::Vllm];

    /// Its name, as people know it.
    pub fn as_str(self) -> &'static str {
        match self {
            LocalKind::Ollama => "Ollama",
            LocalKind::LlamaCpp => "llama.cpp",
            LocalKind::LmStudio => "LM Studio",
            LocalKind::Vllm => "vLLM",
        }
    }

    /// The port on which it listens unless told otherwise.
    pub fn usual_port(self) -> u16 {
        match self {
            LocalKind::Ollama => 11434,
            LocalKind::LlamaCpp => 8080,
            LocalKind::LmStudio => 1234,
            LocalKind::Vllm => 8000,
        }
    }

    /// The protocol by which it is best spoken to.
    pub fn provider(self) -> Provider {
        if self == LocalKind::Ollama { Provider::Ollama } else { Provider::OpenAi }
    }
}

/// A place to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What is expected there. Another program may listen: what counts is that it lists models in this one's way.
    pub kind: LocalKind,
    /// The port on loopback.
    pub port: u16,
}

/// The places where such programs usually are.
pub fn usual_places() -> Vec<Place> {
    LocalKind::ALL.into_iter().map(|kind| Place { kind, port: kind.usual_port() }).collect()
}

/// An endpoint that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is expected at this port.
    pub kind: LocalKind,
    /// What to write as `base_url`.
    pub base_url: Url,
    /// The models that it lists, in its order.
    pub models: Vec<String>,
}

/// Looks at these places at once, and gives those that list models, in the order of the places.
pub async fn find(places: &[Place]) -> Vec<Found> {
    join_all(places.iter().map(|place| look(*place))).await.into_iter().flatten().collect()
}

async fn look(place: Place) -> Option<Found> {
    let root = format!("http://{}:{}", Ipv4Addr::LOCALHOST, place.port);
    let (base_url, list) = match place.kind.provider() {
        Provider::Ollama => (root.clone(), format!("{root}/api/tags")),
        _ => (format!("{root}/v1"), format!("{root}/v1/models")),
    };
    let (base_url, list) = (Url::parse(&base_url).ok()?, Url::parse(&list).ok()?);
    let client = endpoint::client(&list).ok()?;
    let body = tokio::time::timeout(PATIENCE, body(&client, list)).await.ok()??;
    Some(Found { kind: place.kind, base_url, models: models(place.kind, &body)? })
}

async fn body(client: &Client, list: Url) -> Option<Value> {
    let response: Response = client.get(list).send().await.ok().filter(|response| response.status().is_success())?;
    let mut bytes = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(piece) = stream.next().await {
        bytes.extend_from_slice(&piece.ok()?);
        if bytes.len() > LARGEST {
            return None;
        }
    }
    serde_json::from_slice(&bytes).ok()
}

/// The names in a list, if it is one.
fn models(kind: LocalKind, body: &Value) -> Option<Vec<String>> {
    let (list, name) = if kind == LocalKind::Ollama { ("models", "name") } else { ("data", "id") };
    let names = body.get(list)?.as_array()?.iter().filter_map(|model| model[name].as_str());
    Some(names.take(MODELS).map(|name| bounded(name, None)).collect())
}
