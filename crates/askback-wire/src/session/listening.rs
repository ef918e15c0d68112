//! What a server tells without being asked: that a list has changed, that a resource was updated.
//!
//! Serves "Subscriptions" of 2026-07-28, and "Subscriptions" of the resources page of the earlier revisions, where changes of lists need no
//! subscription. When to listen, and when to try again, is not decided here.

use std::collections::BTreeSet;

use askback_core::engine::ServerError;
use askback_core::violation::Violation;
use serde_json::{Map, Value, json};

use super::{Pending, Received, Session, server_error};
use crate::event::Event;
use crate::jsonrpc::{self, ErrorObject, Id};
use crate::outgoing::{Outgoing, Role};
use crate::revision::Era;

/// Where messages say which subscription they belong to.
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A list that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    /// The tools.
    Tools,
    /// The prompts.
    Prompts,
    /// The resources and their templates.
    Resources,
}

impl List {
    /// All of them.
    pub const ALL: [List; 3] = [List::Tools, List::Prompts, List::Resources];

    /// The capability that it belongs to.
    pub fn capability(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources => "resources",
        }
    }

    /// The methods that read it.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            List::Tools => &["tools/list"],
            List::Prompts => &["prompts/list"],
            List::Resources => &["resources/list", "resources/templates/list"],
        }
    }

    fn filter(self) -> &'static str {
        match self {
            List::Tools => "toolsListChanged",
            List::Prompts => "promptsListChanged",
            List::Resources => "resourcesListChanged",
        }
    }
}

/// Something that is not any more as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A list.
    List(List),
    /// The resource with this URI.
    Resource(String),
}

/// What is to be heard of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// Changes of these lists.
    pub lists: BTreeSet<List>,
    /// Updates of the resources with these URIs.
    pub resources: BTreeSet<String>,
}

impl Interest {
    /// The lists of whose changes a server with these capabilities tells.
    pub fn in_lists(capabilities: &Value) -> Interest {
        let tells = |list: &List| {
            let told = capabilities.get(list.capability()).and_then(|capability| capability.get("listChanged"));
            told == Some(&Value::Bool(true))
        };
        Interest { lists: List::ALL.into_iter().filter(tells).collect(), resources: BTreeSet::new() }
    }

    /// Updates of one resource.
    pub fn in_resource(uri: &str) -> Interest {
        Interest { lists: BTreeSet::new(), resources: BTreeSet::from([uri.to_owned()]) }
    }

    /// Whether there is nothing to hear of.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty() && self.resources.is_empty()
    }

    fn to_filter(&self) -> Value {
        let mut filter: Map<String, Value> =
            self.lists.iter().map(|list| (list.filter().to_owned(), json!(true))).collect();
        if !self.resources.is_empty() {
            filter.insert("resourceSubscriptions".into(), json!(self.resources));
        }
        Value::Object(filter)
    }

    /// What of it is not in the filter that a server has acknowledged.
    fn left_out_of(&self, filter: &Value) -> Vec<Change> {
        let granted = filter.get("resourceSubscriptions").and_then(Value::as_array);
        let is_granted = |uri: &&String| granted.is_some_and(|granted| granted.iter().any(|one| one == uri.as_str()));
        let lists = self.lists.iter().filter(|list| filter.get(list.filter()) != Some(&Value::Bool(true)));
        let resources = self.resources.iter().filter(|uri| !is_granted(uri));
        lists.map(|list| Change::List(*list)).chain(resources.map(|uri| Change::Resource(uri.clone()))).collect()
    }
}

/// Why nothing is heard any more.
#[derive(Clone, Debug, PartialEq)]
pub enum ListeningEnd {
    /// The server ended it, in good order.
    Finished,
    /// The server does not do this.
    Refused(ServerError),
    /// The stream broke off.
    Cut(String),
}

/// What a session listens to.
#[derive(Debug, Default)]
pub(super) struct Listening {
    interest: Interest,
    /// The request whose answers are the notices, with whether the server has acknowledged it (2026-07-28 and later).
    stream: Option<(u64, bool)>,
}

impl Session {
    /// The messages that make the server tell of changes, in place of what was listened to before. Nothing has to be said for changes of
    /// lists in the legacy era.
    pub fn listen(&mut self, interest: Interest) -> Vec<Outgoing> {
        let mut messages = self.stop_listening();
        if interest.is_empty() {
            return messages;
        }
        let mut stream = None;
        if self.revision.era() == Era::Modern {
            let params = Map::from_iter([("notifications".to_owned(), interest.to_filter())]);
            let message = self.send(Pending::Listening, "subscriptions/listen", params, false);
            stream = message.request_id().map(|id| (id, false));
            messages.push(message);
        } else {
            for uri in &interest.resources {
                let params = Map::from_iter([("uri".to_owned(), json!(uri))]);
                messages.push(self.send(Pending::Subscribing(uri.clone()), "resources/subscribe", params, false));
            }
        }
        self.listening = Listening { interest, stream };
        messages
    }

    /// The messages after which the server need not tell of changes any more.
    pub fn stop_listening(&mut self) -> Vec<Outgoing> {
        let Listening { interest, stream } = std::mem::take(&mut self.listening);
        if let Some((id, _)) = stream {
            self.settle(id);
            self.unanswerable_sent += 1;
            let line = jsonrpc::notification_line("notifications/cancelled", json!({ "requestId": id }));
            return vec![Outgoing { line, role: Role::Cancellation { id } }];
        }
        if self.revision.era() == Era::Modern {
            return Vec::new();
        }
        let end = |uri: &String| {
            let params = Map::from_iter([("uri".to_owned(), json!(uri))]);
            self.send(Pending::LastWord, "resources/unsubscribe", params, false).parting()
        };
        interest.resources.iter().map(end).collect()
    }

    /// Whether this is the request of an acknowledged stream of notices: nothing else is to be expected of it.
    pub(super) fn is_listening(&self, id: u64) -> bool {
        self.listening.stream == Some((id, true))
    }

    /// A notification that is about changes; `false` if this is none.
    pub(super) fn change_notice(&mut self, method: &str, params: &Value, received: &mut Received) -> bool {
        let change = match method {
            "notifications/tools/list_changed" => Change::List(List::Tools),
            "notifications/prompts/list_changed" => Change::List(List::Prompts),
            "notifications/resources/list_changed" => Change::List(List::Resources),
            "notifications/resources/updated" => match params.get("uri").and_then(Value::as_str) {
                Some(uri) => Change::Resource(uri.to_owned()),
                None => return true,
            },
            "notifications/subscriptions/acknowledged" => {
                self.acknowledged(params, received);
                return true;
            }
            _ => return false,
        };
        if let Some(text) = self.stray(params) {
            let text = format!("sent {method} {text}");
            received.events.push(Event::Violated(Violation::new("subscription", text)));
        }
        if change == Change::List(List::Tools) {
            self.forget_tools();
        }
        received.events.push(Event::Changed(change));
        true
    }

    fn acknowledged(&mut self, params: &Value, received: &mut Received) {
        let Some((id, _)) = self.listening.stream.filter(|(id, _)| subscription_of(params) == Some(*id)) else {
            let text = "acknowledged a subscription that was not asked for";
            return received.events.push(Event::Violated(Violation::new("subscription", text)));
        };
        self.listening.stream = Some((id, true));
        let filter = params.get("notifications").unwrap_or(&Value::Null);
        received.events.push(Event::Listening { left_out: self.listening.interest.left_out_of(filter) });
    }

    /// What is wrong with where a notice came, if something is. It is believed all the same: to ask once too often does no harm.
    fn stray(&self, params: &Value) -> Option<&'static str> {
        if self.revision.era() == Era::Legacy {
            return None;
        }
        match (self.listening.stream, subscription_of(params)) {
            // It may have been on its way while the subscription ended.
            (None, _) => None,
            (Some(_), None) => Some("without the id of its subscription"),
            (Some((id, _)), Some(named)) if id != named => Some("for a subscription that was not asked for"),
            (Some((_, false)), _) => Some("before it had acknowledged the subscription"),
            (Some((_, true)), _) => None,
        }
    }

    /// The answer to the request that stays open: it is over.
    pub(super) fn listening_response(&mut self, outcome: Result<Value, ErrorObject>, received: &mut Received) {
        self.listening_ended(
            match outcome {
                Ok(_) => ListeningEnd::Finished,
                Err(error) => ListeningEnd::Refused(server_error(error)),
            },
            received,
        );
    }

    pub(super) fn listening_ended(&mut self, end: ListeningEnd, received: &mut Received) {
        self.listening.stream = None;
        received.events.push(Event::ListeningEnded(end));
    }

    /// The answer to `resources/subscribe`.
    pub(super) fn subscribed(&mut self, uri: &str, outcome: Result<Value, ErrorObject>, received: &mut Received) {
        match outcome {
            Ok(_) => received.events.push(Event::Listening { left_out: Vec::new() }),
            Err(error) => self.not_subscribed(uri, ListeningEnd::Refused(server_error(error)), received),
        }
    }

    /// A resource is not watched, so that there is nothing to be taken back later.
    pub(super) fn not_subscribed(&mut self, uri: &str, end: ListeningEnd, received: &mut Received) {
        self.listening.interest.resources.remove(uri);
        received.events.push(Event::ListeningEnded(end));
    }
}

fn subscription_of(params: &Value) -> Option<u64> {
    let id = params.get("_meta")?.get(SUBSCRIPTION_ID).and_then(Id::parse)?;
    super::number_of(&id)
}
