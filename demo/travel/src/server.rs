//! The server as the protocol sees it: what it offers, and which story answers which request. The stories are in files
//! of their own, and how they are told in each era in `legacy.rs` and `modern.rs`.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, InputRequiredResult, JsonObject, ListPromptsResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, RequestStateCodec, Resource, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::bookings::{self, Bookings};
use crate::modern::Retry;
use crate::news::Subscriptions;
use crate::payments::Payments;
use crate::talk::{Memory, Talk, Told, Waiting, now_ms, unguessable};
use crate::{
    book_vacation, find_best_flight, hold_seat, packages, pay_deposit, plan_everything, plan_trip, research_trip,
    save_itinerary,
};

type Story<T> = fn(&Travel, &mut Talk) -> Told<T>;

/// What is on offer, as a list shows it, and the story behind it.
type Offer<Listed, T> = (fn() -> Listed, Story<T>);

const TOOLS: &[Offer<Tool, CallToolResult>] = &[
    (packages::tool, packages::list),
    (hold_seat::tool, hold_seat::tell),
    (book_vacation::tool, book_vacation::tell),
    (pay_deposit::tool, pay_deposit::tell),
    (find_best_flight::tool, find_best_flight::tell),
    (research_trip::tool, research_trip::tell),
    (save_itinerary::tool, save_itinerary::tell),
    (plan_everything::tool, plan_everything::tell),
];

const PROMPTS: &[Offer<Prompt, GetPromptResult>] = &[(plan_trip::prompt, plan_trip::tell)];

const RESOURCES: &[Offer<Resource, ReadResourceResult>] =
    &[(packages::resource, packages::read), (bookings::resource, bookings::read)];

/// The travel server. What it remembers is what a travel agency would: bookings and payments. It remembers no calls.
pub(crate) struct Travel {
    pub(crate) bookings: Bookings,
    pub(crate) payments: Arc<Payments>,
    pub(crate) subscriptions: Subscriptions,
    /// Seals and opens `requestState`. The key is this process's own, so no other caller's state is good here.
    pub(crate) codec: RequestStateCodec,
    /// The client has gone: nothing more will be answered.
    pub(crate) hangup: CancellationToken,
}

/// How far a story came in one message.
pub(crate) enum Heard<T> {
    Done(T),
    /// It cannot go on; the text is for the user.
    Failed(String),
    /// The client is to answer this, and call again.
    InputRequired(InputRequiredResult),
    /// The client took the call back, or left. Nobody reads the answer.
    Abandoned,
}

impl Travel {
    pub(crate) fn new(hangup: CancellationToken) -> Result<Self, getrandom::Error> {
        let mut key = [0_u8; 32];
        getrandom::fill(&mut key)?;
        Ok(Self {
            bookings: Bookings::default(),
            subscriptions: Subscriptions::default(),
            payments: Arc::new(Payments::new(hangup.clone())),
            codec: RequestStateCodec::new_unchecked(key),
            hangup,
        })
    }

    /// Waits for a payment, until the story's own time or `at_most` is up. False if nobody is there any more.
    pub(crate) async fn wait(
        &self,
        waiting: &Waiting,
        at_most: Option<Duration>,
        context: &RequestContext<RoleServer>,
    ) -> bool {
        let left = Duration::from_millis(waiting.until_ms.saturating_sub(now_ms()));
        let time = at_most.map_or(left, |most| most.min(left));
        tokio::select! {
            () = self.payments.paid(&waiting.payment) => true,
            () = tokio::time::sleep(time) => true,
            () = context.ct.cancelled() => false,
            () = self.hangup.cancelled() => false,
        }
    }

    async fn tell<T>(
        &self,
        arguments: JsonObject,
        retry: Retry,
        context: &RequestContext<RoleServer>,
        bound_to: Value,
        story: Story<T>,
    ) -> Result<Heard<T>, ErrorData> {
        let version = context.protocol_version().unwrap_or(ProtocolVersion::V_2025_03_26);
        if version >= ProtocolVersion::V_2026_07_28 {
            return self.tell_modern(arguments, retry, context, &bound_to, story).await;
        }
        let id = unguessable().map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let talk = Talk { arguments, memory: Memory::new(id) };
        Ok(self.tell_legacy(talk, context, &version, story).await)
    }
}

fn abandoned() -> ErrorData {
    ErrorData::internal_error("The client took this request back.", None)
}

impl ServerHandler for Travel {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("askback-travel", env!("CARGO_PKG_VERSION"))
                    .with_title("Travel")
                    .with_description("A travel agency that asks back: it books, charges, picks and plans"),
            )
            .with_instructions(
                "Books holidays, finds flights, researches cities and saves itineraries. Most tools ask back: for a \
                 form, a page, a language model or the open folders. Nothing is booked or written before the user \
                 agrees.",
            )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(|(tool, _)| tool()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some((_, story)) = TOOLS.iter().find(|(tool, _)| tool().name == request.name) else {
            return Err(ErrorData::invalid_params(format!("There is no tool `{}` here.", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let bound_to = json!(["tools/call", request.name, arguments]);
        let retry = Retry { answers: request.input_responses, state: request.request_state };
        match self.tell(arguments, retry, &context, bound_to, *story).await? {
            Heard::Done(result) => Ok(result.into()),
            Heard::Failed(why) => Ok(CallToolResult::error(vec![ContentBlock::text(why)]).into()),
            Heard::InputRequired(result) => Ok(result.into()),
            Heard::Abandoned => Err(abandoned()),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(PROMPTS.iter().map(|(prompt, _)| prompt()).collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some((_, story)) = PROMPTS.iter().find(|(prompt, _)| prompt().name == request.name) else {
            return Err(ErrorData::invalid_params(format!("There is no prompt `{}` here.", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let bound_to = json!(["prompts/get", request.name, arguments]);
        let retry = Retry { answers: request.input_responses, state: request.request_state };
        match self.tell(arguments, retry, &context, bound_to, *story).await? {
            Heard::Done(result) => Ok(result.into()),
            Heard::Failed(why) => Err(ErrorData::invalid_params(why, None)),
            Heard::InputRequired(result) => Ok(result.into()),
            Heard::Abandoned => Err(abandoned()),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources: Vec<Resource> = RESOURCES.iter().map(|(resource, _)| resource()).collect();
        resources.extend(self.bookings.resources());
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut arguments = JsonObject::new();
        let offered = RESOURCES.iter().find(|(resource, _)| resource().uri == request.uri);
        let story: Story<ReadResourceResult> = if let Some((_, story)) = offered {
            *story
        } else if let Some(reference) = self.bookings.reference_in(&request.uri) {
            arguments.insert(bookings::REFERENCE.to_owned(), reference.into());
            bookings::read
        } else {
            let data = json!({ "uri": request.uri });
            return Err(ErrorData::resource_not_found(
                format!("There is no resource {} here.", request.uri),
                Some(data),
            ));
        };
        let bound_to = json!(["resources/read", request.uri]);
        let retry = Retry { answers: request.input_responses, state: request.request_state };
        match self.tell(arguments, retry, &context, bound_to, story).await? {
            Heard::Done(result) => Ok(result.into()),
            Heard::Failed(why) => Err(ErrorData::invalid_params(why, None)),
            Heard::InputRequired(result) => Ok(result.into()),
            Heard::Abandoned => Err(abandoned()),
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(Travel::tells_of(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.tell_on(&context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.tell_of_lists(context.peer);
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribe_to(context.peer, request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.unsubscribe_from(&context.peer, &request.uri);
        Ok(())
    }
}
