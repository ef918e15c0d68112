//! The bookings that were made while this process runs, and the resources that show them after asking: the latest, and each by its reference.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::server::Travel;
use crate::talk::{FormAnswer, Talk, Told};

/// A booking as it is shown to people and programs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Booking {
    /// The talk in which it was made.
    pub(crate) talk: String,
    pub(crate) text: String,
    pub(crate) details: Value,
}

/// All bookings, oldest first.
#[derive(Debug)]
pub(crate) struct Bookings {
    all: Mutex<Vec<Booking>>,
    news: broadcast::Sender<()>,
}

/// How many bookings somebody who hears of them may be behind.
const MOST_BEHIND: usize = 16;

impl Default for Bookings {
    fn default() -> Bookings {
        Bookings { all: Mutex::default(), news: broadcast::Sender::new(MOST_BEHIND) }
    }
}

impl Booking {
    fn reference(&self) -> &str {
        self.details["reference"].as_str().unwrap_or_default()
    }
}

impl Bookings {
    /// Books once per talk: a call that is sent again with the same answers gets the booking that it has made already.
    pub(crate) fn book(&self, booking: Booking) -> Booking {
        let mut all = self.lock();
        if let Some(made) = all.iter().find(|made| made.talk == booking.talk) {
            return made.clone();
        }
        all.push(booking.clone());
        // Nobody has to listen.
        let _ = self.news.send(());
        booking
    }

    /// Hears of every booking from now on.
    pub(crate) fn made(&self) -> broadcast::Receiver<()> {
        self.news.subscribe()
    }

    /// Whether there is a booking at this address.
    pub(crate) fn reference_in(&self, uri: &str) -> Option<String> {
        let reference = uri.strip_prefix(EACH)?;
        self.lock().iter().any(|booking| booking.reference() == reference).then(|| reference.to_owned())
    }

    fn by_reference(&self, reference: &str) -> Option<Booking> {
        self.lock().iter().find(|booking| booking.reference() == reference).cloned()
    }

    /// The resource of each booking.
    pub(crate) fn resources(&self) -> Vec<Resource> {
        let listed = self.lock();
        let resource = |booking: &Booking| {
            let reference = booking.reference();
            Resource::new(format!("{EACH}{reference}"), format!("booking-{reference}"))
                .with_title(format!("Booking {reference}"))
                .with_description("This booking, with the traveller's data. Asks before it shows anything.")
                .with_mime_type("text/plain")
        };
        listed.iter().map(resource).collect()
    }

    fn latest(&self) -> Option<Booking> {
        self.lock().last().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Booking>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest booking.
pub(crate) const URI: &str = "travel://bookings/latest";
/// Before the reference of a booking.
const EACH: &str = "travel://bookings/";
/// The argument that names the booking to be shown, if not the latest.
pub(crate) const REFERENCE: &str = "reference";

pub(crate) fn resource() -> Resource {
    Resource::new(URI, "latest-booking")
        .with_title("Latest booking")
        .with_description("The booking made last, with the traveller's data. Asks before it shows anything.")
        .with_mime_type("text/plain")
}

pub(crate) fn read(travel: &Travel, talk: &mut Talk) -> Told<ReadResourceResult> {
    // No fields at all: accepting is the answer.
    let nothing_to_fill_in = json!({ "type": "object", "properties": {} });
    let reference = talk.text(REFERENCE)?.map(str::to_owned);
    let which = reference.as_deref().map_or_else(|| "The latest booking".to_owned(), |name| format!("Booking {name}"));
    let message = format!("{which} holds personal data. Show it to the application that asks for it?");
    let text = match talk.form("show", &message, nothing_to_fill_in)? {
        FormAnswer::Accepted(_) => {
            let booking = match &reference {
                Some(reference) => travel.bookings.by_reference(reference),
                None => travel.bookings.latest(),
            };
            booking.map_or_else(|| "Nothing has been booked yet.".to_owned(), |booking| booking.text)
        }
        FormAnswer::Declined | FormAnswer::Cancelled => "The booking was not shown, as you wished.".to_owned(),
    };
    let uri = reference.map_or_else(|| URI.to_owned(), |reference| format!("{EACH}{reference}"));
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type("text/plain")]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_talk_books_once() {
        let bookings = Bookings::default();
        let booking = |talk: &str, text: &str| Booking { talk: talk.into(), text: text.into(), details: Value::Null };
        let mut news = bookings.made();
        bookings.book(booking("a", "first"));
        assert_eq!(bookings.book(booking("a", "again")).text, "first");
        bookings.book(booking("b", "second"));
        assert_eq!(bookings.latest().map(|booking| booking.text).as_deref(), Some("second"));
        assert_eq!([news.try_recv().is_ok(), news.try_recv().is_ok(), news.try_recv().is_ok()], [true, true, false]);
    }
}
