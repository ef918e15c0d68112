//! Tables of models and requests, and what is chosen.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn card(name: &str, cost: f64, speed: f64, intelligence: f64) -> ModelCard {
    ModelCard {
        name: name.into(),
        model: name.into(),
        vendor: None,
        cost,
        speed,
        intelligence,
        takes: Takes { tools: true, images: true, audio: true },
        context: None,
        price: None,
    }
}

fn named(names: &[&str]) -> Vec<ModelCard> {
    names.iter().map(|name| card(name, 0.5, 0.5, 0.5)).collect()
}

fn request(changes: Value) -> SamplingRequest {
    let mut params = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "A"}}], "maxTokens": 50});
    params.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    SamplingRequest::read(&params).unwrap().0
}

/// What these models give for these preferences, and why.
#[track_caller]
fn check(cards: &[ModelCard], preferences: Value, default: Option<&str>, chosen: &str, why: Why) {
    let choice = choose(cards, &request(json!({"modelPreferences": preferences})), None, default);
    assert_eq!(choice.chosen(), Some(chosen), "{choice:?}");
    assert_eq!(choice.why, Some(why));
    assert_eq!(choice.ranked.len(), cards.len());
}

fn hints(names: &[&str]) -> Value {
    json!({"hints": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()})
}

fn hint(hint: &str, among: Among) -> Why {
    Why::Hint { hint: hint.into(), among }
}

#[test]
fn s07_hints_are_substrings_in_order_whatever_the_case() {
    let cards = named(&["gpt-x", "claude-haiku-9", "big-1"]);
    let mut preferences = hints(&["nope", "HAIKU", "gpt"]);
    preferences["costPriority"] = json!(0.9);
    check(&cards, preferences, Some("big-1"), "claude-haiku-9", hint("HAIKU", Among::One));
    check(&cards, hints(&["gpt", "HAIKU"]), Some("big-1"), "gpt-x", hint("gpt", Among::One));
}

#[test]
fn s07_hints_that_match_nothing_lead_to_the_default() {
    let cards = [card("gpt-x", 0.9, 0.1, 0.9), card("big-1", 0.9, 0.1, 0.9), card("cheap", 0.0, 1.0, 0.1)];
    let mut preferences = hints(&["nope"]);
    preferences["costPriority"] = json!(0.9);
    check(&cards, preferences.clone(), Some("big-1"), "big-1", Why::Default { hints_missed: true });
    let why = Why::Priorities { cost: 0.9, speed: 0.0, intelligence: 0.0 };
    check(&cards, preferences, None, "cheap", why);
    check(&cards, hints(&["nope"]), None, "gpt-x", Why::FirstListed { hints_missed: true });
}

#[test]
fn s07_senseless_preferences_do_no_harm() {
    let cards = named(&["a", "b"]);
    for preferences in
        [json!({"hints": [{}]}), json!({"hints": [{"name": ""}]}), json!([]), json!({"costPriority": -4})]
    {
        check(&cards, preferences, Some("b"), "b", Why::Default { hints_missed: false });
    }
    let why = Why::Priorities { cost: 1.0, speed: 0.0, intelligence: 0.0 };
    let odd = [card("nan", f64::NAN, f64::NAN, f64::NAN), card("b", -7.0, 9.0, f64::INFINITY)];
    check(&odd, json!({"costPriority": 70}), None, "b", why);
}

#[test]
fn s07_the_example_of_the_specification() {
    let preferences = json!({
        "hints": [{"name": "claude-3-sonnet"}, {"name": "claude"}],
        "costPriority": 0.3, "speedPriority": 0.8, "intelligencePriority": 0.5
    });
    let cards = named(&["claude-3-5-haiku", "claude-3-sonnet-2024", "gemini-1.5-pro"]);
    check(&cards, preferences.clone(), None, "claude-3-sonnet-2024", hint("claude-3-sonnet", Among::One));
    let cards = named(&["gemini-1.5-flash", "claude-3-5-haiku", "gemini-1.5-pro"]);
    check(&cards, preferences.clone(), None, "claude-3-5-haiku", hint("claude", Among::One));
    let why =
        Why::MappedHint { hint: "claude-3-sonnet".into(), by: MatchBy::Class(ModelClass::Middle), among: Among::One };
    check(&named(&["gemini-1.5-flash", "gemini-1.5-pro"]), preferences, None, "gemini-1.5-pro", why);
}

#[test]
fn a_hint_matches_the_users_name_as_well() {
    let mut cards = named(&["fast", "slow"]);
    cards[0].model = "deployment-7".into();
    let choice = choose(&cards, &request(json!({"modelPreferences": hints(&["Fast"])})), None, Some("slow"));
    let matched = Match { hint: "Fast".into(), by: MatchBy::Name };
    assert_eq!(choice.ranked[0], Ranked { name: "fast".into(), matched: Some(matched), score: None });
}

#[test]
fn a_hint_for_a_vendor_finds_a_model_whose_name_tells_nothing() {
    let mut cards = named(&["one", "two", "small"]);
    cards[1].vendor = Some("Anthropic".into());
    let why = |among| Why::MappedHint { hint: "claude".into(), by: MatchBy::Vendor, among };
    check(&cards, hints(&["claude"]), Some("one"), "two", why(Among::One));
    cards[2].vendor = Some("anthropic".into());
    check(&cards, hints(&["claude"]), Some("small"), "small", why(Among::Default));
    let sonnet = Why::MappedHint { hint: "sonnet".into(), by: MatchBy::Vendor, among: Among::One };
    check(&cards, hints(&["sonnet"]), Some("small"), "two", sonnet);
}

#[test]
fn priorities_decide_among_models_that_a_hint_matches_alike() {
    let cards = [card("claude-a", 0.9, 0.2, 0.9), card("claude-b", 0.1, 0.9, 0.2), card("claude-c", 0.1, 0.9, 0.2)];
    let mut preferences = hints(&["claude"]);
    check(&cards, preferences.clone(), Some("claude-b"), "claude-b", hint("claude", Among::Default));
    check(&cards, preferences.clone(), None, "claude-a", hint("claude", Among::Order));
    preferences["costPriority"] = json!(1);
    check(&cards, preferences.clone(), Some("claude-a"), "claude-b", hint("claude", Among::Order));
    check(&cards[..2], preferences.clone(), Some("claude-a"), "claude-b", hint("claude", Among::Priorities));
    check(&cards, preferences, Some("claude-c"), "claude-c", hint("claude", Among::Default));
}

#[test]
fn priorities_decide_among_all_without_hints() {
    let cards = [card("dear", 1.0, 0.2, 1.0), card("small", 0.1, 0.9, 0.2)];
    let why = |cost, speed, intelligence| Why::Priorities { cost, speed, intelligence };
    check(&cards, json!({"costPriority": 0.8}), Some("dear"), "small", why(0.8, 0.0, 0.0));
    check(&cards, json!({"speedPriority": 0.8}), Some("dear"), "small", why(0.0, 0.8, 0.0));
    check(&cards, json!({"intelligencePriority": 0.8}), Some("small"), "dear", why(0.0, 0.0, 0.8));
    check(&cards, json!({}), Some("small"), "small", Why::Default { hints_missed: false });
    check(&cards, json!({}), None, "dear", Why::FirstListed { hints_missed: false });
    check(&named(&["a"]), json!({"costPriority": 0.8}), Some("b"), "a", Why::OnlyOne);
}

/// Why the model `m` cannot be used for this request.
#[track_caller]
fn check_unusable(card: ModelCard, changes: Value, reasons: &[Unfit]) {
    let allowed = ["other".to_owned(), "m".to_owned()];
    let choice = choose(&[ModelCard { name: "m".into(), ..card }], &request(changes), Some(&allowed), Some("m"));
    let unusable: Vec<Unfit> = choice.unusable.into_iter().flat_map(|unusable| unusable.reasons).collect();
    assert_eq!(unusable, reasons);
    assert_eq!(choice.ranked.is_empty(), !reasons.is_empty());
    assert_eq!(choice.why.is_none(), !reasons.is_empty());
}

#[test]
fn a_model_that_does_not_take_what_is_sent_is_unusable() {
    let plain = ModelCard { takes: Takes::default(), ..card("m", 0.5, 0.5, 0.5) };
    let tools = json!([{"name": "t", "inputSchema": {"type": "object"}}]);
    let say = |block: Value| json!({"messages": [{"role": "user", "content": block}]});
    let image = json!({"type": "image", "mimeType": "image/png", "data": "AA"});
    let called = json!({"messages": [
        {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "t", "input": {}}},
        {"role": "user", "content": {"type": "tool_result", "toolUseId": "1", "content": [image]}}
    ]});
    check_unusable(plain.clone(), json!({}), &[]);
    check_unusable(plain.clone(), json!({"tools": tools}), &[Unfit::NoTools]);
    check_unusable(plain.clone(), json!({"tools": tools, "toolChoice": {"mode": "none"}}), &[]);
    check_unusable(plain.clone(), say(image), &[Unfit::NoImages]);
    check_unusable(plain.clone(), say(json!({"type": "audio", "mimeType": "a/b", "data": ""})), &[Unfit::NoAudio]);
    check_unusable(plain.clone(), called, &[Unfit::NoTools, Unfit::NoImages]);
    let narrow = ModelCard { context: Some(100), ..plain };
    check_unusable(narrow.clone(), json!({"maxTokens": 1_000_000}), &[]);
    let too_small = Unfit::ContextTooSmall { context: 100, input: 1_005 };
    check_unusable(narrow, json!({"systemPrompt": "x".repeat(4_000)}), &[too_small]);
}

#[test]
fn a_model_that_the_server_may_not_have_is_unusable() {
    let cards = named(&["a", "b"]);
    let choice = choose(&cards, &request(json!({})), Some(&["b".to_owned()]), Some("a"));
    assert_eq!((choice.chosen(), choice.why.as_ref()), (Some("b"), Some(&Why::OnlyOne)));
    assert_eq!(choice.unusable, [Unusable { name: "a".into(), reasons: vec![Unfit::NotAllowed] }]);
    assert_eq!(choose(&[], &request(json!({})), None, Some("a")), Choice::default());
}

proptest! {
    /// Every model is either ranked or unusable, the order has no cycles, and the same choice is made whenever it is asked for.
    #[test]
    fn every_model_is_ranked_once(
        scores in proptest::collection::vec((any::<f64>(), 0.0_f64..1.0, "(haiku|gpt|opus|mini|x){1,2}"), 0..8),
        hints in proptest::collection::vec("(HAIKU|sonnet|x|)", 0..4),
        cost in proptest::option::of(any::<f64>()), default in 0_usize..8,
    ) {
        let cards: Vec<ModelCard> = scores.iter().enumerate().map(|(index, (cost, speed, model))| {
            ModelCard { model: model.clone(), ..card(&index.to_string(), *cost, *speed, 0.5) }
        }).collect();
        let request = SamplingRequest { model_hints: hints, cost_priority: cost, ..request(json!({})) };
        let choice = choose(&cards, &request, None, Some(&default.to_string()));
        let mut names: Vec<&str> = choice.ranked.iter().map(|ranked| ranked.name.as_str()).collect();
        names.sort_unstable();
        let all: Vec<String> = (0..cards.len()).map(|index| index.to_string()).collect();
        prop_assert_eq!(names, all.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(choice.why.is_none(), cards.is_empty());
        prop_assert_eq!(&choice, &choose(&cards, &request, None, Some(&default.to_string())));
    }
}
