//! The bookings that were made while this process runs, and the resource that shows the latest after asking.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::{Value, json};

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
#[derive(Debug, Default)]
pub(crate) struct Bookings(Mutex<Vec<Booking>>);

impl Bookings {
    /// Books once per talk: a call that is sent again with the same answers gets the booking that it has made already.
    pub(crate) fn book(&self, booking: Booking) -> Booking {
        let mut all = self.lock();
        if let Some(made) = all.iter().find(|made| made.talk == booking.talk) {
            return made.clone();
        }
        all.push(booking.clone());
        booking
    }

    fn latest(&self) -> Option<Booking> {
        self.lock().last().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Booking>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const URI: &str = "travel://bookings/latest";

pub(crate) fn resource() -> Resource {
    Resource::new(URI, "latest-booking")
        .with_title("Latest booking")
        .with_description("The booking made last, with the traveller's data. Asks before it shows anything.")
        .with_mime_type("text/plain")
}

pub(crate) fn read(travel: &Travel, talk: &mut Talk) -> Told<ReadResourceResult> {
    // No fields at all: accepting is the answer.
    let nothing_to_fill_in = json!({ "type": "object", "properties": {} });
    let message = "The latest booking holds personal data. Show it to the application that asks for it?";
    let text = match talk.form("show", message, nothing_to_fill_in)? {
        FormAnswer::Accepted(_) => {
            travel.bookings.latest().map_or_else(|| "Nothing has been booked yet.".to_owned(), |booking| booking.text)
        }
        FormAnswer::Declined | FormAnswer::Cancelled => "The booking was not shown, as you wished.".to_owned(),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, URI).with_mime_type("text/plain")]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_talk_books_once() {
        let bookings = Bookings::default();
        let booking = |talk: &str, text: &str| Booking { talk: talk.into(), text: text.into(), details: Value::Null };
        bookings.book(booking("a", "first"));
        assert_eq!(bookings.book(booking("a", "again")).text, "first");
        bookings.book(booking("b", "second"));
        assert_eq!(bookings.latest().map(|booking| booking.text).as_deref(), Some("second"));
    }
}
