//! The stream on which a legacy server speaks by itself, kept open as long as the session lasts.
//!
//! Serves "Listening for Messages from the Server" of the transports pages of 2025-03-26 to 2025-11-25.

use std::sync::Arc;
use std::time::Duration;

use askback_wire::Channel;
use askback_wire::http::Heard;
use tokio::sync::oneshot;

use super::carrier::Carrier;
use super::reply::{Ended, Reply};
use super::session::get;
use crate::connection::FromConnection;

/// How often in a row it is tried in vain.
const TRIES: u32 = 5;
/// How long to wait before trying again, if the server does not say.
const RETRY: Duration = Duration::from_secs(1);
/// How long a server may take to begin.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// Listens until the server does not let us. `opened` hears of the first answer, whatever it is.
pub(super) async fn listen(carrier: Arc<Carrier>, session: Option<String>, opened: oneshot::Sender<()>) {
    let mut opened = Some(opened);
    let mut place = Ended::default();
    let mut heard = Heard::default();
    let mut in_vain = 0;
    while in_vain < TRIES {
        let request = get(&carrier.route, session.as_deref(), place.last_id.as_deref());
        let response = carrier.route.endpoint.send(&request, PATIENCE).await;
        drop(opened.take());
        let reply = match response {
            Ok(response) => Reply::read(response, carrier.route.limit).await,
            Err(_) => Err(String::new()),
        };
        match reply {
            Ok(Reply::Events(mut events)) => {
                events.heard = heard;
                let ended = loop {
                    match events.next_message().await {
                        Ok(incoming) => {
                            in_vain = 0;
                            let name = carrier.name.clone();
                            carrier.tell(FromConnection::Received(name, incoming, Channel::Shared)).await;
                        }
                        Err(ended) => break ended,
                    }
                };
                place = Ended { last_id: ended.last_id.or(place.last_id), retry: ended.retry, error: None };
                heard = events.heard;
            }
            // Not every server has such a stream, and none has to.
            Ok(Reply::Message(_) | Reply::Other(_)) => return,
            Err(_) => {}
        }
        in_vain += 1;
        tokio::time::sleep(place.retry.map_or(RETRY * in_vain, Duration::from_millis)).await;
    }
}
