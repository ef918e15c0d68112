//! How much sampling the user lets a server have.
//!
//! Owns the limits, the check of a request against them, and the cap on its reply. What has been spent is counted in [`ledger`]. Must not
//! know a clock: the time is told, in milliseconds since the epoch.
//!
//! A check reserves nothing. Requests of one server that are checked at the same time may together go beyond a limit by as much as is under
//! way; whoever must not let that happen asks the model for one at a time.

mod ledger;

pub use ledger::{Ledger, Spent};

use super::estimate::{Estimate, Price};
use super::{Content, SamplingRequest};

/// What one server may have. What is absent is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Requests in any 60 seconds.
    pub requests_per_minute: Option<u64>,
    /// Tokens, to and from the model, in any 24 hours.
    pub tokens_per_day: Option<u64>,
    /// Money in any 24 hours, in the user's currency. Models without a price count as free.
    pub money_per_day: Option<f64>,
    /// The most tokens of one reply.
    pub reply_tokens: Option<u64>,
    /// How often the results of tools may come back in one conversation.
    pub tool_loop: Option<u64>,
}

impl Limits {
    /// These limits, and where they say nothing, the others: those of a server over those for all servers.
    pub fn or(self, others: Limits) -> Limits {
        Limits {
            requests_per_minute: self.requests_per_minute.or(others.requests_per_minute),
            tokens_per_day: self.tokens_per_day.or(others.tokens_per_day),
            money_per_day: self.money_per_day.or(others.money_per_day),
            reply_tokens: self.reply_tokens.or(others.reply_tokens),
            tool_loop: self.tool_loop.or(others.tool_loop),
        }
    }
}

/// What a request would take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Its size; the output is what the server asks for.
    pub estimate: Estimate,
    /// What the chosen model costs, if known.
    pub price: Option<Price>,
    /// What the chosen model takes and gives in one request, in tokens, if known.
    pub context: Option<u64>,
    /// How often the results of tools have come back in the conversation.
    pub tool_rounds: u64,
}

impl Wanted {
    /// What this request would take of a model.
    pub fn of(request: &SamplingRequest, price: Option<Price>, context: Option<u64>) -> Wanted {
        Wanted { estimate: Estimate::of(request), price, context, tool_rounds: tool_rounds(request) }
    }
}

/// A request is within its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// The most tokens that the model is to reply with: never above what the server asks for, and at least 1.
    pub max_tokens: u64,
    /// Why that is less than what the server asks for, if it is.
    pub capped: Option<Cap>,
    /// What was left before this request.
    pub left: Left,
}

/// What made the reply shorter than the server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// What the server asks for, in tokens.
    pub asked: u64,
    /// Which limit.
    pub by: CapBy,
}

/// A limit on a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapBy {
    /// `Limits::reply_tokens`
    ReplyTokens,
    /// The rest of `Limits::tokens_per_day`.
    TokensPerDay,
    /// The rest of `Limits::money_per_day`.
    MoneyPerDay,
    /// What the model takes and gives in one request.
    Context,
}

/// What is left of each limit; absent where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Left {
    /// Requests in this minute.
    pub requests: Option<u64>,
    /// Tokens in this day.
    pub tokens: Option<u64>,
    /// Money in this day.
    pub money: Option<f64>,
}

/// Why a request may not be sent to a model.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Exceeded {
    /// The user has stopped all sampling.
    #[error("all sampling is stopped")]
    Stopped,
    /// Too many requests in a minute.
    #[error("{limit} requests a minute are used up")]
    Requests {
        /// The limit.
        limit: u64,
        /// When there is room again, in milliseconds since the epoch; absent where there never is.
        again_at: Option<u64>,
    },
    /// Too many tokens in a day.
    #[error("the request needs {needed} of {left} tokens that are left of {limit} a day")]
    Tokens {
        /// The limit.
        limit: u64,
        /// What is left of it.
        left: u64,
        /// What the request needs for the shortest reply.
        needed: u64,
        /// When some of it is free again, in milliseconds since the epoch; absent where nothing is spent.
        again_at: Option<u64>,
    },
    /// Too much money in a day.
    #[error("the request costs at least {needed} of {left} that is left of {limit} a day")]
    Money {
        /// The limit.
        limit: f64,
        /// What is left of it.
        left: f64,
        /// What the request costs with the shortest reply.
        needed: f64,
        /// When some of it is free again, in milliseconds since the epoch; absent where nothing is spent.
        again_at: Option<u64>,
    },
    /// The results of tools came back too often in one conversation.
    #[error("the results of tools came back {rounds} times, and {limit} are allowed")]
    ToolLoop {
        /// The limit.
        limit: u64,
        /// How often.
        rounds: u64,
    },
}

/// Whether a server may have this now, and with how long a reply.
///
/// # Errors
/// The first limit that the request goes beyond. Nothing is spent by asking.
pub fn check(limits: &Limits, ledger: &Ledger, server: &str, now: u64, wanted: &Wanted) -> Result<Within, Exceeded> {
    if ledger.stopped {
        return Err(Exceeded::Stopped);
    }
    if let Some(limit) = limits.tool_loop.filter(|limit| wanted.tool_rounds > *limit) {
        return Err(Exceeded::ToolLoop { limit, rounds: wanted.tool_rounds });
    }
    let left = left(limits, ledger, server, now);
    if let (Some(limit), Some(0)) = (limits.requests_per_minute, left.requests) {
        return Err(Exceeded::Requests { limit, again_at: ledger.minute_frees_at(server, now) });
    }
    let mut cap = Capped { max_tokens: wanted.estimate.output_at_most, by: None };
    if let Some(most) = limits.reply_tokens {
        cap.lower(most.max(1), CapBy::ReplyTokens);
    }
    let input = wanted.estimate.input;
    if let Some(context) = wanted.context {
        cap.lower(context.saturating_sub(input).max(1), CapBy::Context);
    }
    if let (Some(limit), Some(left)) = (limits.tokens_per_day, left.tokens) {
        let needed = input.saturating_add(1);
        if needed > left {
            return Err(Exceeded::Tokens { limit, left, needed, again_at: ledger.day_frees_at(server, now) });
        }
        cap.lower(left - input, CapBy::TokensPerDay);
    }
    if let (Some(limit), Some(left), Some(price)) = (limits.money_per_day, left.money, &wanted.price) {
        let needed = price.of_input(input) + price.of_output(1);
        if needed > left {
            return Err(Exceeded::Money { limit, left, needed, again_at: ledger.day_frees_at(server, now) });
        }
        if price.output > 0.0 {
            // The cast rounds down and stops at the greatest count. One token is affordable, as was just seen.
            let affordable = (left - price.of_input(input)) * 1e6 / price.output;
            cap.lower((affordable as u64).max(1), CapBy::MoneyPerDay);
        }
    }
    let capped = cap.by.map(|by| Cap { asked: wanted.estimate.output_at_most, by });
    Ok(Within { max_tokens: cap.max_tokens, capped, left })
}

/// What is left of a server's limits.
pub fn left(limits: &Limits, ledger: &Ledger, server: &str, now: u64) -> Left {
    let requests = ledger.requests_in_minute(server, now);
    let day = ledger.spent_in_day(server, now);
    Left {
        requests: limits.requests_per_minute.map(|limit| limit.saturating_sub(requests)),
        tokens: limits.tokens_per_day.map(|limit| limit.saturating_sub(day.tokens)),
        money: limits.money_per_day.map(|limit| (limit - day.money).max(0.0)),
    }
}

/// How many messages of the conversation bring results of tools.
fn tool_rounds(request: &SamplingRequest) -> u64 {
    let brings = |content: &Content| matches!(content, Content::ToolResult { .. });
    request.messages.iter().filter(|message| message.content.iter().any(brings)).count() as u64
}

struct Capped {
    max_tokens: u64,
    by: Option<CapBy>,
}

impl Capped {
    fn lower(&mut self, most: u64, by: CapBy) {
        if most < self.max_tokens {
            *self = Capped { max_tokens: most, by: Some(by) };
        }
    }
}

#[cfg(test)]
mod tests;
