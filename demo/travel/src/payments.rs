//! The payments that wait for their page, and which of them have come in. The page itself is in `payment_page.rs`.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::payment_page;

/// Payments by the name the protocol knows them by, and the page where they are made.
#[derive(Debug)]
pub(crate) struct Payments {
    all: Mutex<HashMap<String, Payment>>,
    /// `http://127.0.0.1:PORT`, once the page is served.
    origin: Mutex<Option<String>>,
    hangup: CancellationToken,
}

#[derive(Debug)]
struct Payment {
    /// The part of the page's address that only the person who was asked knows.
    token: String,
    paid: watch::Sender<bool>,
}

impl Payments {
    pub(crate) fn new(hangup: CancellationToken) -> Self {
        Self { all: Mutex::default(), origin: Mutex::new(None), hangup }
    }

    /// Opens a payment and returns the address of its page, which is served from now on.
    pub(crate) fn open(self: &std::sync::Arc<Self>, id: &str, token: &str) -> io::Result<String> {
        let mut origin = self.origin.lock().unwrap_or_else(PoisonError::into_inner);
        let origin = match origin.as_ref() {
            Some(origin) => origin,
            None => origin.insert(payment_page::serve(self.clone(), self.hangup.clone())?),
        };
        self.lock()
            .entry(id.to_owned())
            .or_insert_with(|| Payment { token: token.to_owned(), paid: watch::Sender::new(false) });
        Ok(format!("{origin}/pay/{token}"))
    }

    /// Whether the payment `id` has come in.
    pub(crate) fn is_paid(&self, id: &str) -> bool {
        self.lock().get(id).is_some_and(|payment| *payment.paid.borrow())
    }

    /// Waits for the payment `id`. Never returns if there is no such payment.
    pub(crate) async fn paid(&self, id: &str) {
        let receiver = self.lock().get(id).map(|payment| payment.paid.subscribe());
        if let Some(mut receiver) = receiver
            && receiver.wait_for(|paid| *paid).await.is_ok()
        {
            return;
        }
        std::future::pending().await
    }

    /// Whether the page of `token` has been paid already; `None` if there is no such page.
    pub(crate) fn state_of_page(&self, token: &str) -> Option<bool> {
        self.lock().values().find(|payment| payment.token == token).map(|payment| *payment.paid.borrow())
    }

    /// The button of the page of `token` was pressed. False if there is no such page.
    pub(crate) fn pay(&self, token: &str) -> bool {
        match self.lock().values().find(|payment| payment.token == token) {
            Some(payment) => {
                payment.paid.send_replace(true);
                true
            }
            None => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Payment>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
