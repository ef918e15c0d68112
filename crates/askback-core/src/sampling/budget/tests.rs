//! Tables of limits, what was spent, and what is still allowed.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A moment in the middle of things; nothing depends on which.
const NOW: u64 = 1_800_000_000_000;
const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const PRICE: Price = Price { input: 10.0, output: 100.0 };

fn wanted(input: u64, output_at_most: u64) -> Wanted {
    Wanted { estimate: Estimate { input, output_at_most }, price: Some(PRICE), context: None, tool_rounds: 0 }
}

fn spent(tokens: u64, money: f64) -> Ledger {
    let mut ledger = Ledger::default();
    ledger.spend("s", NOW, Spent { tokens, money });
    ledger
}

/// How long a reply a request of 100 tokens may have that asks for 1,000, after 500 tokens for 2.00 were spent.
#[track_caller]
fn check_reply(limits: Limits, context: Option<u64>, max_tokens: u64, by: Option<CapBy>) {
    let within = check(&limits, &spent(500, 2.0), "s", NOW, &Wanted { context, ..wanted(100, 1_000) });
    let within = within.expect("within its limits");
    assert_eq!((within.max_tokens, within.capped), (max_tokens, by.map(|by| Cap { asked: 1_000, by })));
}

#[test]
fn s12_a_reply_is_capped_to_what_is_left() {
    let none = Limits::default();
    check_reply(none, None, 1_000, None);
    check_reply(Limits { reply_tokens: Some(1_000), ..none }, None, 1_000, None);
    check_reply(Limits { reply_tokens: Some(400), ..none }, None, 400, Some(CapBy::ReplyTokens));
    check_reply(Limits { tokens_per_day: Some(2_000), ..none }, None, 1_000, None);
    check_reply(Limits { tokens_per_day: Some(700), ..none }, None, 100, Some(CapBy::TokensPerDay));
    check_reply(Limits { tokens_per_day: Some(601), ..none }, None, 1, Some(CapBy::TokensPerDay));
    check_reply(Limits { money_per_day: Some(2.051), ..none }, None, 500, Some(CapBy::MoneyPerDay));
    check_reply(none, Some(150), 50, Some(CapBy::Context));
    check_reply(none, Some(100), 1, Some(CapBy::Context));
    let both = Limits { tokens_per_day: Some(700), reply_tokens: Some(90), ..none };
    check_reply(both, Some(1_000), 90, Some(CapBy::ReplyTokens));
}

#[test]
fn s12_a_huge_wish_does_no_harm() {
    let limits = Limits { tokens_per_day: Some(700), money_per_day: Some(1e300), ..Limits::default() };
    let within = check(&limits, &Ledger::default(), "s", NOW, &wanted(100, u64::MAX)).unwrap();
    assert_eq!(within.max_tokens, 600);
    let limits = Limits { tokens_per_day: Some(5), ..limits };
    let refused = check(&limits, &Ledger::default(), "s", NOW, &wanted(u64::MAX, u64::MAX));
    assert_eq!(refused, Err(Exceeded::Tokens { limit: 5, left: 5, needed: u64::MAX, again_at: None }));
}

#[test]
fn each_limit_refuses() {
    let ledger = spent(500, 2.0);
    let refuse = |limits: Limits, wanted: Wanted| check(&limits, &ledger, "s", NOW, &wanted).expect_err("a refusal");
    let none = Limits::default();
    let again_at = Some(NOW / HOUR * HOUR + 25 * HOUR);
    assert_eq!(
        refuse(Limits { tokens_per_day: Some(600), ..none }, wanted(100, 10)),
        Exceeded::Tokens { limit: 600, left: 100, needed: 101, again_at }
    );
    let money = refuse(Limits { money_per_day: Some(2.0), ..none }, wanted(100, 10));
    assert!(matches!(money, Exceeded::Money { left: 0.0, again_at: at, .. } if at == again_at), "{money:?}");
    assert_eq!(
        refuse(Limits { tool_loop: Some(3), ..none }, Wanted { tool_rounds: 4, ..wanted(1, 1) }),
        Exceeded::ToolLoop { limit: 3, rounds: 4 }
    );
    let free = Wanted { price: None, ..wanted(100, 10) };
    assert!(check(&Limits { money_per_day: Some(2.0), ..none }, &ledger, "s", NOW, &free).is_ok());
    let mut stopped = ledger.clone();
    stopped.stopped = true;
    assert_eq!(check(&none, &stopped, "s", NOW, &wanted(1, 1)), Err(Exceeded::Stopped));
}

#[test]
fn the_minute_slides() {
    let limits = Limits { requests_per_minute: Some(2), ..Limits::default() };
    let mut ledger = Ledger::default();
    ledger.count_request("s", NOW);
    ledger.count_request("s", NOW + 30_000);
    let refused = check(&limits, &ledger, "s", NOW + 59_999, &wanted(1, 1));
    assert_eq!(refused, Err(Exceeded::Requests { limit: 2, again_at: Some(NOW + 61_000) }));
    assert!(check(&limits, &ledger, "s", NOW + 61_000, &wanted(1, 1)).is_ok());
    assert!(check(&limits, &ledger, "other", NOW + 59_999, &wanted(1, 1)).is_ok());
    let never = Limits { requests_per_minute: Some(0), ..Limits::default() };
    let refused = check(&never, &Ledger::default(), "s", NOW, &wanted(1, 1));
    assert_eq!(refused, Err(Exceeded::Requests { limit: 0, again_at: None }));
}

#[test]
fn the_day_slides() {
    let ledger = spent(500, 2.0);
    let limits = Limits { tokens_per_day: Some(600), money_per_day: Some(1.5), ..Limits::default() };
    let at = |now| left(&limits, &ledger, "s", now);
    assert_eq!(at(NOW), Left { requests: None, tokens: Some(100), money: Some(0.0) });
    assert_eq!(at(NOW + 24 * HOUR - 1), at(NOW));
    assert_eq!(at(NOW + 25 * HOUR), Left { requests: None, tokens: Some(600), money: Some(1.5) });
}

#[test]
fn a_clock_that_is_set_back_neither_frees_nor_blocks() {
    let mut ledger = spent(500, 2.0);
    ledger.count_request("s", NOW);
    assert_eq!(ledger.spent_in_day("s", NOW - 2 * HOUR).tokens, 500);
    assert_eq!(ledger.requests_in_minute("s", NOW - 5_000), 1);
    assert_eq!(ledger.spent_in_day("s", NOW - 1_000 * HOUR).tokens, 0);
    assert_eq!(ledger.requests_in_minute("s", 0), 0);
    ledger.count_request("s", 0);
    assert_eq!(ledger.requests_in_minute("s", 0), 1);
}

#[test]
fn the_limits_of_a_server_come_before_those_of_all() {
    let all = Limits { requests_per_minute: Some(20), tokens_per_day: Some(1), ..Limits::default() };
    let own = Limits { tokens_per_day: Some(2), tool_loop: Some(3), ..Limits::default() };
    let both = Limits { requests_per_minute: Some(20), tokens_per_day: Some(2), tool_loop: Some(3), ..all };
    assert_eq!(own.or(all), both);
}

#[test]
fn rounds_of_tools_are_counted_by_message() {
    let used = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "1", "name": "t", "input": {}}, {"type": "tool_use", "id": "2", "name": "t", "input": {}}
    ]});
    let results = json!({"role": "user", "content": [
        {"type": "tool_result", "toolUseId": "1", "content": []}, {"type": "tool_result", "toolUseId": "2", "content": []}
    ]});
    let params = json!({"messages": [used, results, used, results], "maxTokens": 5});
    let request = SamplingRequest::read(&params).unwrap().0;
    assert_eq!(Wanted::of(&request, None, None).tool_rounds, 2);
}

#[test]
fn a_ledger_from_a_file_is_the_same() {
    let mut ledger = spent(500, 0.1 + 0.2);
    ledger.count_request("旅行", NOW);
    ledger.stopped = true;
    let text = serde_json::to_string(&ledger).unwrap();
    assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), ledger);
    assert_eq!(serde_json::from_str::<Ledger>("{}").unwrap(), Ledger::default());
}

proptest! {
    /// However often and in whatever order of time a server asks, what is kept of it stays small, and what is let through fits.
    #[test]
    fn bounded_and_within_limits(steps in proptest::collection::vec((0_u64..200 * HOUR, 0_u64..3_000, any::<f64>()), 1..300)) {
        let limits = Limits { tokens_per_day: Some(10_000), requests_per_minute: Some(5), ..Limits::default() };
        let mut ledger = Ledger::default();
        for (at, tokens, money) in steps {
            if let Ok(within) = check(&limits, &ledger, "s", at, &wanted(tokens, 2_000)) {
                prop_assert!(within.max_tokens >= 1 && within.max_tokens <= 2_000);
                ledger.count_request("s", at);
                ledger.spend("s", at, Spent { tokens: tokens + within.max_tokens, money });
            }
            prop_assert!(ledger.spent_in_day("s", at).tokens <= 10_000);
            prop_assert!(ledger.requests_in_minute("s", at) <= 5);
        }
        prop_assert!(serde_json::to_string(&ledger).unwrap().len() < 16 * 1024);
    }
}
