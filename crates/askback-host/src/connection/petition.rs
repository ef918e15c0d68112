//! A request that its server does not let through before a person has got leave, and the way to that person.
//!
//! Owns how the question goes to the host and its answer comes back. Must not know what the leave is, or who the person is.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use askback_core::call::ServerName;
use askback_core::engine::{Leave, LeaveAnswer};
use tokio::sync::oneshot;

use super::{FromConnection, News};
use crate::authorization::{Pending, Person};

/// The wish that a person gets a leave.
#[derive(Debug)]
pub(crate) struct Petition {
    /// Which.
    pub(crate) leave: Leave,
    /// Where the person's word goes.
    pub(crate) answer: oneshot::Sender<LeaveAnswer>,
    /// Closed once nothing is done about the leave any more, however it ended.
    pub(crate) over: oneshot::Receiver<Infallible>,
}

/// The request of a connection on whose behalf something is sent.
#[derive(Clone, Debug)]
pub(super) struct OnBehalf {
    pub(super) news: News,
    pub(super) server: ServerName,
    pub(super) id: u64,
}

/// Asks the person whom the host knows. Whatever is done about their leave is over when this is dropped.
#[derive(Debug)]
pub(super) struct Petitioner {
    on_behalf: OnBehalf,
    under_way: Mutex<Vec<oneshot::Sender<Infallible>>>,
}

impl OnBehalf {
    pub(super) fn petitioner(&self) -> Petitioner {
        Petitioner { on_behalf: self.clone(), under_way: Mutex::default() }
    }
}

impl Person for Petitioner {
    fn goes(&self, leave: Leave) -> Pending<'_, LeaveAnswer> {
        Box::pin(async move {
            let (answer, said) = oneshot::channel();
            let (under_way, over) = oneshot::channel();
            self.under_way.lock().unwrap_or_else(PoisonError::into_inner).push(under_way);
            let OnBehalf { news, server, id } = &self.on_behalf;
            let petition = Petition { leave, answer, over };
            news.tell(FromConnection::HeldUp(server.clone(), *id, Box::new(petition))).await;
            // A host that has gone away has nobody to ask.
            said.await.unwrap_or(LeaveAnswer::Nobody)
        })
    }
}
