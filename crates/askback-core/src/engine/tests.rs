//! The engine's rules, one conversation each.

pub(super) mod conversation;
mod endings;
mod leave;
mod models;
mod pages;
mod rounds;
mod time;
mod undelivered;
mod work;

use super::Rules;
use conversation::{check, person, rules};
