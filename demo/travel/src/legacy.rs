//! Telling a story in the legacy era: each ask is a request to the client, sent while its call is in flight, and the
//! story runs again with the answer. Knows nothing about the stories.

use rmcp::model::{
    CustomNotification, CustomRequest, ProgressNotificationParam, ProtocolVersion, ServerNotification, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use serde_json::{Value, json};

use crate::ask::{self, Ask};
use crate::server::{Heard, Travel};
use crate::talk::{Interruption, Talk, Told};

impl Travel {
    /// Tells `story` until it ends.
    pub(crate) async fn tell_legacy<T>(
        &self,
        mut talk: Talk,
        context: &RequestContext<RoleServer>,
        version: &ProtocolVersion,
        story: impl Fn(&Self, &mut Talk) -> Told<T>,
    ) -> Heard<T> {
        let client = context.client_capabilities().unwrap_or_default();
        let mut rounds = 0;
        loop {
            match story(self, &mut talk) {
                Ok(end) => return Heard::Done(end),
                Err(Interruption::Failed(why)) => return Heard::Failed(why),
                Err(Interruption::Waiting(waiting)) => {
                    if !self.wait(&waiting, None, context).await {
                        return Heard::Abandoned;
                    }
                }
                Err(Interruption::Asking(asks)) => {
                    if let Some((names, _)) = ask::missing(asks.iter().map(|(_, ask)| ask), &client) {
                        return Heard::Failed(format!(
                            "This needs a client with the capability {names}, and yours has not declared it."
                        ));
                    }
                    talk.expect(&asks);
                    let mut answers = serde_json::Map::new();
                    for (key, ask) in asks {
                        match self.send(&ask, context, version).await {
                            Sent::Answered(answer) => {
                                self.announce_payment(&ask, &answer, &context.peer, version);
                                answers.insert(key, answer);
                            }
                            Sent::Refused(why) => return Heard::Failed(why),
                            Sent::Abandoned => return Heard::Abandoned,
                        }
                    }
                    talk.hear(|key| answers.remove(key));
                    rounds += 1;
                    tell_progress(context, rounds).await;
                }
            }
        }
    }

    /// Sends one ask and waits for its answer. If the call is taken back meanwhile, so is the ask.
    async fn send(&self, ask: &Ask, context: &RequestContext<RoleServer>, version: &ProtocolVersion) -> Sent {
        let method = ask.method();
        let request = ServerRequest::CustomRequest(CustomRequest::new(method, ask.params(version)));
        let mut sent = match context.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await {
            Ok(sent) => sent,
            Err(error) => return Sent::Refused(format!("{method} could not be sent: {error}.")),
        };
        let answer = tokio::select! {
            answer = &mut sent.rx => answer,
            () = self.hangup.cancelled() => return Sent::Abandoned,
            () = context.ct.cancelled() => {
                let reason = "The call that asked this was cancelled.".to_owned();
                // A client that has gone needs no notice.
                let _gone = sent.cancel(Some(reason)).await;
                return Sent::Abandoned;
            }
        };
        match answer {
            Ok(Ok(result)) => match serde_json::to_value(result) {
                Ok(answer) => Sent::Answered(answer),
                Err(error) => Sent::Refused(format!("The answer to {method} cannot be read: {error}.")),
            },
            Ok(Err(ServiceError::McpError(error))) => Sent::Refused(format!(
                "The client answered {method} with the error {}: {}",
                error.code.0, error.message
            )),
            Ok(Err(error)) => Sent::Refused(format!("{method} got no answer: {error}.")),
            Err(_) => Sent::Abandoned,
        }
    }

    /// Once a person has agreed to open the payment page, tells the client when the payment has come in, even if that
    /// is after the end of the call.
    fn announce_payment(&self, ask: &Ask, answer: &Value, peer: &Peer<RoleServer>, version: &ProtocolVersion) {
        let Ask::Url { elicitation_id, .. } = ask else { return };
        if answer["action"] != "accept" || *version < ProtocolVersion::V_2025_11_25 {
            return;
        }
        let (payments, hangup) = (self.payments.clone(), self.hangup.clone());
        let (elicitation_id, peer) = (elicitation_id.clone(), peer.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = payments.paid(&elicitation_id) => {}
                () = hangup.cancelled() => return,
            }
            let notice = CustomNotification::new(
                "notifications/elicitation/complete",
                Some(json!({ "elicitationId": elicitation_id })),
            );
            // A client that has gone by now needs no notice.
            let _gone = peer.send_notification(ServerNotification::CustomNotification(notice)).await;
        });
    }
}

/// Tells a client that wants to know that the call goes on, so that it does not give up on a long conversation.
async fn tell_progress(context: &RequestContext<RoleServer>, rounds: u32) {
    if let Some(token) = context.meta.get_progress_token() {
        let progress = ProgressNotificationParam::new(token, f64::from(rounds))
            .with_message(format!("Asked and answered: {rounds}"));
        // A client that has gone needs no notice.
        let _gone = context.peer.notify_progress(progress).await;
    }
}

/// What became of one ask.
enum Sent {
    /// The client's result.
    Answered(Value),
    /// What the client said instead, as a sentence.
    Refused(String),
    /// The call that it belongs to is over.
    Abandoned,
}
