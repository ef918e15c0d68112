//! Telling a story in the modern era: a call is answered with the asks that are open and a sealed `requestState`, and
//! comes again with the answers. The server keeps nothing in between. Knows nothing about the stories.

use std::borrow::Cow;
use std::time::Duration;

use rmcp::model::{
    CustomResult, ErrorCode, ErrorData, InputRequiredResult, InputResponses, JsonObject, MetaObject, ProtocolVersion,
    RequestStateCodec, RequestStateError, SealOptions, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service, ServiceRole};
use serde_json::{Value, json};

use crate::ask::{self, Ask};
use crate::server::{Heard, Travel};
use crate::talk::{Interruption, Memory, Talk, Told, unguessable};

/// How long a `requestState` is good for: long enough for someone to have lunch before they answer.
const GOOD_FOR: Duration = Duration::from_secs(60 * 60);

/// Where the asks ride, inside this process only, from the handler to [`RestoreAsks`].
const ASKS: &str = "travel/asks";

/// What the client sends with a call that comes again.
pub(crate) struct Retry {
    pub(crate) answers: Option<InputResponses>,
    pub(crate) state: Option<String>,
}

impl Travel {
    /// Tells `story` as far as it goes with the answers that have come. `bound_to` names the request: its method, and
    /// the parameters that say what it is about.
    pub(crate) async fn tell_modern<T>(
        &self,
        arguments: JsonObject,
        retry: Retry,
        context: &RequestContext<RoleServer>,
        bound_to: &Value,
        story: impl Fn(&Self, &mut Talk) -> Told<T>,
    ) -> Result<Heard<T>, ErrorData> {
        let bound_to = bound_to.to_string();
        let memory = match retry.state {
            Some(state) => open(&self.codec, &state, &bound_to)?,
            None => Memory::new(unguessable().map_err(|error| ErrorData::internal_error(error.to_string(), None))?),
        };
        let mut talk = Talk { arguments, memory };
        let mut answers = retry.answers.unwrap_or_default();
        talk.hear(|key| answers.remove(key));

        let mut interruption = match story(self, &mut talk) {
            Ok(end) => return Ok(Heard::Done(end)),
            Err(interruption) => interruption,
        };
        if let Interruption::Waiting(waiting) = &interruption {
            if !self.wait(waiting, Some(waiting.pace), context).await {
                return Ok(Heard::Abandoned);
            }
            interruption = match story(self, &mut talk) {
                Ok(end) => return Ok(Heard::Done(end)),
                Err(interruption) => interruption,
            };
        }
        let asks = match interruption {
            Interruption::Failed(why) => return Ok(Heard::Failed(why)),
            Interruption::Waiting(_) => Vec::new(),
            Interruption::Asking(asks) => asks,
        };
        let client = context.client_capabilities().unwrap_or_default();
        if let Some((names, required)) = ask::missing(asks.iter().map(|(_, ask)| ask), &client) {
            return Err(ErrorData::new(
                ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
                format!("Missing required client capability: {names}"),
                Some(json!({ "requiredCapabilities": required })),
            ));
        }
        talk.expect(&asks);
        let state = seal(&self.codec, &talk.memory, &bound_to)?;
        Ok(Heard::InputRequired(input_required(&asks, state)))
    }
}

fn seal(codec: &RequestStateCodec, memory: &Memory, bound_to: &str) -> Result<String, ErrorData> {
    let options = SealOptions::new().associated_data(bound_to.as_bytes()).ttl(GOOD_FOR);
    codec.seal_json_with(memory, &options).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn open(codec: &RequestStateCodec, state: &str, bound_to: &str) -> Result<Memory, ErrorData> {
    codec.open_json_with(state, bound_to.as_bytes()).map_err(|error| {
        let what = match error {
            RequestStateError::Expired => "The requestState has expired; make the call anew.".to_owned(),
            RequestStateError::IntegrityCheckFailed => {
                "The requestState was not made by this server for this call; make the call anew.".to_owned()
            }
            error => format!("The requestState cannot be read ({error}); make the call anew."),
        };
        ErrorData::invalid_params(what, None)
    })
}

fn input_required(asks: &[(String, Ask)], state: String) -> InputRequiredResult {
    let result = InputRequiredResult::from_request_state(state);
    if asks.is_empty() {
        return result;
    }
    let mut requests = JsonObject::new();
    for (key, ask) in asks {
        let mut request = json!({ "method": ask.method() });
        if let Some(params) = ask.params(&ProtocolVersion::V_2026_07_28) {
            request["params"] = params;
        }
        requests.insert(key.clone(), request);
    }
    let mut meta = MetaObject::new();
    meta.insert(ASKS.to_owned(), Value::Object(requests));
    result.with_meta(meta)
}

/// A result that asks, as it goes out.
fn with_asks(asks: Value, state: &Value) -> Value {
    json!({ "resultType": "input_required", "inputRequests": asks, "requestState": state })
}

/// Does in a part of an HTTP body what [`RestoreAsks`] does before there is one: over HTTP `rmcp` takes no service but its own kind of
/// handler. The part is one JSON message or whole events, as `rmcp` writes them. None if there is nothing to be done.
pub(crate) fn restore_in_body(part: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(part).ok().filter(|text| text.contains(ASKS))?;
    let lines = text.split_inclusive('\n').map(|line| match line.strip_prefix("data:") {
        Some(data) => restore(data).map(|restored| format!("data: {restored}\n")),
        None => restore(line),
    });
    Some(lines.zip(text.split_inclusive('\n')).map(|(new, old)| new.unwrap_or_else(|| old.to_owned())).collect())
}

/// A message with its asks in their place, if they were not.
fn restore(message: &str) -> Option<String> {
    let mut message: Value = serde_json::from_str(message).ok()?;
    let result = message.get_mut("result")?;
    let asks = result.get_mut("_meta")?.as_object_mut()?.remove(ASKS)?;
    *result = with_asks(asks, &result["requestState"]);
    Some(message.to_string())
}

/// The travel server, with the asks of its results written as they are meant.
///
/// `rmcp` types the asks of an `InputRequiredResult`, and those types drop the `pattern` of a form. So the handler
/// leaves the asks in the result's metadata, and here, where the result leaves `rmcp`'s hands, they take their place.
pub(crate) struct RestoreAsks(pub(crate) Travel);

impl Service<RoleServer> for RestoreAsks {
    async fn handle_request(
        &self,
        request: <RoleServer as ServiceRole>::PeerReq,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let result = self.0.handle_request(request, context).await?;
        let ServerResult::InputRequiredResult(mut result) = result else { return Ok(result) };
        let Some(asks) = result.meta.as_mut().and_then(|meta| meta.remove(ASKS)) else {
            return Ok(ServerResult::InputRequiredResult(result));
        };
        Ok(ServerResult::CustomResult(CustomResult(with_asks(asks, &json!(result.request_state)))))
    }

    async fn handle_notification(
        &self,
        notification: <RoleServer as ServiceRole>::PeerNot,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}
