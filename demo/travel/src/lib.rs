//! The travel server of Askback's examples: a real MCP server that asks back in every way the protocol knows.
//!
//! It books a holiday (forms), takes a deposit (a web page), picks a flight and researches a city (a language model,
//! with and without tools) and saves an itinerary (roots). One process serves both eras of the protocol: the legacy
//! one, in which a server sends its own requests while a call is in flight, and the modern one, in which the call is
//! answered with what is still needed and sent again.
//!
//! It is written on `rmcp`, and shares no code with Askback's own client: what the two agree on is what they both read
//! in the specification.
//!
//! Each tool, prompt and resource is a *story*, told once in a file of its own without a word about eras. The files
//! `legacy.rs` and `modern.rs` tell the stories to the client in its era.

mod ask;
mod book_vacation;
mod bookings;
mod contact_form;
mod find_best_flight;
mod flights;
mod hold_seat;
mod input_schema;
mod legacy;
mod modern;
mod news;
mod packages;
mod pay_deposit;
mod payment_page;
mod payments;
mod plan_everything;
mod plan_trip;
mod research_tools;
mod research_trip;
mod root_folders;
mod save_itinerary;
mod serve;
mod serve_http;
mod server;
mod talk;

pub use serve::{Error, serve, serve_stdio};
pub use serve_http::{PATH, serve_http};
