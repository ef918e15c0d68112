//! A configured model, at work over HTTP.
//!
//! Owns the course of a request: attempts, the reading of the stream, the bounds. `genai` speaks the providers' protocols; what goes
//! in and what is taken from it is decided in the modules beside this one.

use std::sync::Arc;
use std::time::Duration;

use askback_core::sampling::{SamplingReply, SamplingRequest};
use futures_util::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatStream, ChatStreamEvent, StreamEnd};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ServiceTarget};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{MissedTickBehavior, interval};
use url::Url;

use crate::attempt::Attempt;
use crate::conversation::conversation;
use crate::endpoint;
use crate::error::ModelError;
use crate::failure::{BEGINNING, Failure, Reading, SILENCE};
use crate::frames::Frames;
use crate::model::{Completing, Completion, Model, Piece, Usage};
use crate::reply::Draft;
use crate::settings::{ModelSettings, Provider};
use crate::tools;

/// How many bytes the frames of one answer may have.
const LARGEST: usize = 16 << 20;
/// How often the size is looked at when nothing is told.
const LOOK: Duration = Duration::from_millis(250);

/// Makes a model of its settings. Nothing is sent yet.
///
/// # Errors
/// [`ModelError::Settings`] for an address or key that cannot be used, [`ModelError::NoKey`] when the provider's own endpoint needs one.
pub fn connect(settings: ModelSettings) -> Result<Box<dyn Model>, ModelError> {
    let url = endpoint::address(&settings)?;
    endpoint::headers(&settings)?;
    let client = Client::builder().with_reqwest(endpoint::client(&url)?).build();
    let client = client.map_err(|error| ModelError::Settings { what: error.to_string() })?;
    Ok(Box::new(Connected { settings, url, client }))
}

struct Connected {
    settings: ModelSettings,
    url: Url,
    client: Client,
}

impl Model for Connected {
    fn complete<'a>(&'a self, request: &'a SamplingRequest, pieces: UnboundedSender<Piece>) -> Completing<'a> {
        Box::pin(self.run(request, pieces))
    }
}

impl Connected {
    async fn run(&self, request: &SamplingRequest, pieces: UnboundedSender<Piece>) -> Result<Completion, ModelError> {
        let mut chat = conversation(request, &self.settings)?;
        let offered = tools::offered(request, &self.settings)?;
        chat.tools = tools::through_genai(offered, self.settings.provider);
        let tools = tools::parameter(offered, self.settings.provider);
        let origin = self.url.origin().ascii_serialization();
        let reading = Reading { settings: &self.settings, origin: &origin };
        let mut attempt = Attempt::first(request, &self.settings);
        loop {
            let options = attempt.options(request, &self.settings, tools.as_ref());
            match self.attempt(request, &chat, options, &reading, &pieces).await {
                Ok((reply, usage)) => return Ok(Completion { reply, usage, left_out: attempt.left_out().to_vec() }),
                Err(Failure::Other(error)) => return Err(error),
                Err(Failure::Status(refusal)) => {
                    // Each attempt sends less than the one before, so this comes to an end.
                    let next = matches!(refusal.status, 400 | 422)
                        .then(|| attempt.after_refusal(&refusal.body, request))
                        .flatten();
                    attempt = next.ok_or_else(|| reading.refusal(&refusal))?;
                }
            }
        }
    }

    async fn attempt(
        &self,
        request: &SamplingRequest,
        chat: &ChatRequest,
        options: ChatOptions,
        reading: &Reading<'_>,
        pieces: &UnboundedSender<Piece>,
    ) -> Result<(SamplingReply, Option<Usage>), Failure> {
        let frames = Arc::new(Frames::new(self.settings.provider));
        let options = options
            .with_raw_frame_sink_arc(frames.clone())
            .with_stream_header_timeout(BEGINNING)
            .with_stream_read_timeout(SILENCE);
        let target = self.target().map_err(Failure::Other)?;
        let answer = self.client.exec_chat_stream(target, chat.clone(), Some(&options)).await;
        let stream = answer.map_err(|error| reading.failure(error))?.stream;
        let (draft, end) = Listening { stream, frames: &frames, reading, pieces }.listen().await?;
        let seen = frames.seen().clone();
        if let Some(error) = &seen.error {
            return Err(Failure::Other(reading.told(error)));
        }
        if let Some(said) = seen.blocked.clone().filter(|_| seen.stop.is_none()) {
            return Err(Failure::Other(ModelError::Filtered { said }));
        }
        if !seen.is_whole {
            return Err(Failure::Other(broken_off(seen.frames, seen.model.is_some())));
        }
        let reply = draft.finish(&seen, request, &self.settings.model).map_err(Failure::Other)?;
        Ok((reply, end.captured_usage.as_ref().and_then(usage)))
    }

    fn target(&self) -> Result<ServiceTarget, ModelError> {
        let kind = match self.settings.provider {
            Provider::OpenAi => AdapterKind::OpenAI,
            Provider::Anthropic => AdapterKind::Anthropic,
            Provider::Gemini => AdapterKind::Gemini,
            Provider::Ollama => AdapterKind::Ollama,
        };
        let headers = Headers::from(endpoint::headers(&self.settings)?);
        Ok(ServiceTarget {
            endpoint: Endpoint::from_owned(self.url.as_str()),
            auth: AuthData::RequestOverride { url: self.url.to_string(), headers },
            model: ModelIden::new(kind, self.settings.model.as_str()),
        })
    }
}

struct Listening<'a> {
    stream: ChatStream,
    frames: &'a Frames,
    reading: &'a Reading<'a>,
    pieces: &'a UnboundedSender<Piece>,
}

impl Listening<'_> {
    /// Listens until the stream ends, well or not.
    async fn listen(mut self) -> Result<(Draft, StreamEnd), Failure> {
        let mut draft = Draft::default();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // The clock as well: frames that tell nothing do not wake anybody.
            let event = tokio::select! {
                event = self.stream.next() => event,
                _ = look.tick() => Some(Ok(ChatStreamEvent::Heartbeat)),
            };
            self.check_bounds().map_err(Failure::Other)?;
            match event {
                None => return Ok((draft, StreamEnd::default())),
                Some(Ok(ChatStreamEvent::End(end))) => return Ok((draft, end)),
                Some(Ok(event)) => self.take(&mut draft, event),
                // Gemini's chunks without candidates, which say how a prompt was judged or how many tokens it had, are errors to `genai`.
                Some(Err(genai::Error::ChatResponse { body, .. })) if is_empty_chunk(&body) => {}
                Some(Err(error)) => return Err(self.reading.failure(error)),
            }
        }
    }

    fn check_bounds(&self) -> Result<(), ModelError> {
        let seen = self.frames.seen();
        if seen.bytes > LARGEST {
            return Err(ModelError::TooLarge { limit: LARGEST });
        }
        if seen.has_too_many_calls {
            return Err(ModelError::Unreadable { detail: "it has too many tool calls".to_owned() });
        }
        Ok(())
    }

    fn take(&self, draft: &mut Draft, event: ChatStreamEvent) {
        // Whoever does not listen to pieces gets the reply all the same.
        let tell = |piece| drop(self.pieces.send(piece));
        match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                draft.text(&chunk.content);
                tell(Piece::Text(chunk.content));
            }
            ChatStreamEvent::ReasoningChunk(chunk) if !chunk.content.is_empty() => tell(Piece::Thinking(chunk.content)),
            ChatStreamEvent::ToolCallChunk(chunk) => {
                let call = chunk.tool_call;
                let is_new = match self.reading.settings.provider {
                    // These calls are put together from the frames, where they have their numbers.
                    Provider::OpenAi => !call.fn_name.is_empty(),
                    provider => {
                        draft.call(&call.call_id, &call.fn_name, call.fn_arguments, provider == Provider::Anthropic)
                    }
                };
                if is_new {
                    tell(Piece::ToolCall { name: call.fn_name });
                }
            }
            _ => {}
        }
    }
}

fn is_empty_chunk(body: &serde_json::Value) -> bool {
    body.get("finishReason").is_some_and(serde_json::Value::is_null) && body.get("usageMetadata").is_some()
}

fn broken_off(frames: usize, has_begun: bool) -> ModelError {
    if frames > 0 && !has_begun {
        return ModelError::Unreadable { detail: "it is no answer of a model".to_owned() };
    }
    ModelError::CutShort { detail: "the end of the answer did not come".to_owned() }
}

fn usage(usage: &genai::chat::Usage) -> Option<Usage> {
    let tokens = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok());
    let read = Usage { input_tokens: tokens(usage.prompt_tokens), output_tokens: tokens(usage.completion_tokens) };
    (read != Usage::default()).then_some(read)
}
