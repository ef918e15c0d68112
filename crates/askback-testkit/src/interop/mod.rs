//! Which real servers the client can hold which conversations with: tried out, and written on a page.
//!
//! [`plan`] reads what is to be tried, from `peers/interop.toml`; [`row`] tries it with the real binary; [`page`] writes what came of it,
//! and finds out where the page says something else.

pub mod page;
pub mod plan;
pub mod row;
