//! Whatever is pressed: no panic, at most one answer for each ask, and only content that satisfies its form.

use askback_core::answer::Answer;
use askback_core::ask::AskBody;
use askback_core::sampling::ToolChoice;
use askback_desk::Lang;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::asks;
use crate::drawn::play;

fn word() -> impl Strategy<Value = String> {
    let names = [
        "enter",
        "enter",
        "enter",
        "enter",
        "tab",
        "back",
        "up",
        "down",
        "down",
        "left",
        "right",
        "home",
        "end",
        "space",
        "backspace",
        "delete",
        "ctrl-w",
        "ctrl-u",
        "ctrl-o",
        "ctrl-s",
        "ctrl-s",
        "ctrl-x",
        "newline",
        "page-down",
        "word-left",
        "type:yes",
        "type:Ada",
        "type:ada@example.com",
        "type:2026-06-15",
        "type:1",
        "type:{}",
        "type:巴塞罗那",
        "type:e\u{301}",
        "esc",
        "ctrl-c",
        "paste:a\\nb",
        "paste:\\e[31m",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_keys(words in prop::collection::vec(word(), 0..60), height in 3_usize..40) {
        let bodies = vec![
            asks::traveller(), asks::barcelona(), asks::payment(), asks::with_tools(ToolChoice::Auto),
            asks::form("m", &asks::properties(serde_json::json!({ "token": { "type": "string" }, "o": { "type": "object" } }), &[])),
        ];
        let mut played = play(Lang::ZhCn, asks::round(1, bodies.clone()), &words.join(" "));
        played.draw(height);
        prop_assert!(played.last.live.len() < height.max(5));
        prop_assert!(played.last.live.iter().all(|line| line.text().width() < crate::drawn::WIDTH));
        let answered: Vec<usize> = played.answers.iter().map(|(index, _)| *index).collect();
        prop_assert_eq!(&answered, &(0..answered.len()).collect::<Vec<_>>());
        for (index, answer) in &played.answers {
            if let (Answer::Submitted { content }, AskBody::Form(ask)) = (answer, &bodies[*index]) {
                prop_assert_eq!(ask.form.check(content), Ok(()));
            }
        }
    }
}
