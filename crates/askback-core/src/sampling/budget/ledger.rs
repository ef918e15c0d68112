//! What each server has had of the user's models, and when.
//!
//! Owns the counting. Must not know limits, files or a clock.
//!
//! The minute and the day slide: they are the last 60 seconds and the last 24 hours, so no time zone is needed and no midnight doubles a
//! budget. Requests are kept by the second and amounts by the hour, so a server takes no more room however much it asks; what is counted
//! together is forgotten together, so an amount may count for up to an hour longer, and a request for up to a second.
//!
//! A clock that is set back leaves entries from the future. They count as long as they are less than a window ahead and are then
//! forgotten, so that a wrong clock neither frees a budget at once nor blocks a server for good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const SECONDS: u64 = 60;
const HOURS: u64 = 24;

/// What has been spent, by server. Plain data, to be kept in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Ledger {
    /// Whether the user has stopped all sampling.
    pub stopped: bool,
    servers: BTreeMap<String, Account>,
}

/// An amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// Tokens to and from the model.
    pub tokens: u64,
    /// Money, in the user's currency.
    pub money: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Account {
    /// Requests by the second in which they were made.
    seconds: BTreeMap<u64, u64>,
    /// Amounts by the hour in which they were spent.
    hours: BTreeMap<u64, Spent>,
}

impl Ledger {
    /// Counts a request that is about to be sent to a model, and forgets what no longer counts, of all servers.
    pub fn count_request(&mut self, server: &str, now: u64) {
        self.tidy(now);
        let requests = self.servers.entry(server.to_owned()).or_default().seconds.entry(now / SECOND).or_default();
        *requests = requests.saturating_add(1);
    }

    /// Adds what a request has taken, and forgets what no longer counts, of all servers.
    ///
    /// Amounts that are no numbers, or negative, are added as zero.
    pub fn spend(&mut self, server: &str, now: u64, spent: Spent) {
        self.tidy(now);
        let hour = self.servers.entry(server.to_owned()).or_default().hours.entry(now / HOUR).or_default();
        hour.add(spent);
    }

    /// Forgets what a server has had.
    pub fn forgive(&mut self, server: &str) {
        self.servers.remove(server);
    }

    /// Requests of a server in the last minute.
    pub fn requests_in_minute(&self, server: &str, now: u64) -> u64 {
        let seconds = self.servers.get(server).into_iter().flat_map(|account| &account.seconds);
        seconds
            .filter(|(second, _)| second.abs_diff(now / SECOND) <= SECONDS)
            .fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// What a server has had in the last day.
    pub fn spent_in_day(&self, server: &str, now: u64) -> Spent {
        let mut sum = Spent::default();
        for (hour, spent) in self.servers.get(server).into_iter().flat_map(|account| &account.hours) {
            if hour.abs_diff(now / HOUR) <= HOURS {
                sum.add(*spent);
            }
        }
        sum
    }

    /// The servers that have had something that still counts, by name.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// When the oldest request of the last minute no longer counts, in milliseconds since the epoch.
    pub(super) fn minute_frees_at(&self, server: &str, now: u64) -> Option<u64> {
        oldest(&self.servers.get(server)?.seconds, now / SECOND, SECONDS, SECOND)
    }

    /// When the oldest amount of the last day no longer counts, in milliseconds since the epoch.
    pub(super) fn day_frees_at(&self, server: &str, now: u64) -> Option<u64> {
        oldest(&self.servers.get(server)?.hours, now / HOUR, HOURS, HOUR)
    }

    fn tidy(&mut self, now: u64) {
        self.servers.retain(|_, account| {
            account.seconds.retain(|second, _| second.abs_diff(now / SECOND) <= SECONDS);
            account.hours.retain(|hour, _| hour.abs_diff(now / HOUR) <= HOURS);
            !account.seconds.is_empty() || !account.hours.is_empty()
        });
    }
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        if other.money > 0.0 {
            self.money += other.money;
        }
    }
}

fn oldest<T>(entries: &BTreeMap<u64, T>, now: u64, window: u64, unit: u64) -> Option<u64> {
    let (at, _) = entries.range(now.saturating_sub(window)..=now.saturating_add(window)).next()?;
    Some(at.saturating_add(window).saturating_add(1).saturating_mul(unit))
}
