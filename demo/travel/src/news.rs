//! What is told to those who listen: that the latest booking is another one, and that there is one resource more.
//!
//! Each era has its own way: a stream that a client asks for once, or subscriptions to single resources, where changes of lists come to
//! everyone. Knows nothing about how bookings are made.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ErrorData, InitializeRequestParams, ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::bookings;
use crate::server::Travel;

/// The subscriptions of the legacy era.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions(Mutex<Vec<Subscription>>);

#[derive(Debug)]
struct Subscription {
    /// What the client said of itself at the beginning of its session, which stands for the session.
    client: Option<Arc<InitializeRequestParams>>,
    uri: String,
    over: CancellationToken,
}

impl Subscription {
    fn is(&self, client: Option<&Arc<InitializeRequestParams>>, uri: &str) -> bool {
        let same = match (&self.client, client) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        same && self.uri == uri
    }
}

impl Subscriptions {
    /// A subscription anew; what was there of it ends.
    fn begin(&self, client: Option<Arc<InitializeRequestParams>>, uri: &str, over: CancellationToken) {
        self.end(client.as_ref(), uri);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|subscription| !subscription.over.is_cancelled());
        all.push(Subscription { client, uri: uri.to_owned(), over });
    }

    fn end(&self, client: Option<&Arc<InitializeRequestParams>>, uri: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extract_if(.., |subscription| subscription.is(client, uri)).for_each(|ended| ended.over.cancel());
    }
}

/// Waits for the next booking; false when there will be none, or nobody waits any more. One who was too slow to hear of each hears of it once.
async fn booked(bookings: &mut broadcast::Receiver<()>, over: &CancellationToken) -> bool {
    tokio::select! {
        heard = bookings.recv() => !matches!(heard, Err(RecvError::Closed)),
        () = over.cancelled() => false,
    }
}

impl Travel {
    /// What of this can be told: that there are more resources, and that the latest booking is another one. The others never change.
    pub(crate) fn tells_of(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let mut accepted = SubscriptionFilter::new();
        accepted.resources_list_changed = requested.resources_list_changed;
        let uris = requested.resource_subscriptions.iter().flatten().filter(|uri| *uri == bookings::URI);
        accepted.resource_subscriptions = Some(uris.cloned().collect::<Vec<_>>()).filter(|uris| !uris.is_empty());
        accepted
    }

    /// Tells on a stream of the modern era, until the client does not listen any more.
    pub(crate) async fn tell_on(&self, stream: &SubscriptionContext) -> Result<(), ErrorData> {
        let over = stream.request_context().ct.clone();
        let hangup = self.hangup.clone();
        let mut bookings = self.bookings.made();
        loop {
            let goes_on = tokio::select! {
                goes_on = booked(&mut bookings, &over) => goes_on,
                () = hangup.cancelled() => false,
            };
            if !goes_on {
                return Ok(());
            }
            // What was not asked for is left out there.
            let _ = stream.sink().notify_resource_updated(bookings::URI).await;
            let _ = stream.sink().notify_resource_list_changed().await;
        }
    }

    /// Tells a client of the legacy era, from the beginning of its session on, that there are more resources.
    pub(crate) fn tell_of_lists(&self, client: Peer<RoleServer>) {
        let (mut bookings, hangup) = (self.bookings.made(), self.hangup.clone());
        tokio::spawn(async move {
            while booked(&mut bookings, &hangup).await && client.notify_resource_list_changed().await.is_ok() {}
        });
    }

    /// Tells a client of the legacy era when a resource is not what it was.
    pub(crate) fn subscribe_to(&self, client: Peer<RoleServer>, uri: String) {
        let over = self.hangup.child_token();
        self.subscriptions.begin(client.peer_info(), &uri, over.clone());
        if uri != bookings::URI {
            return;
        }
        let mut bookings = self.bookings.made();
        tokio::spawn(async move {
            while booked(&mut bookings, &over).await {
                let update = ResourceUpdatedNotificationParam::new(uri.clone());
                if client.notify_resource_updated(update).await.is_err() {
                    break;
                }
            }
            over.cancel();
        });
    }

    pub(crate) fn unsubscribe_from(&self, client: &Peer<RoleServer>, uri: &str) {
        self.subscriptions.end(client.peer_info().as_ref(), uri);
    }
}
