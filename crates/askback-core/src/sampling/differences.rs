//! What a person has changed of a request or a draft, as data for a display.
//!
//! Owns the comparison. Must not know how an edit was made, and has no words.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Content, SamplingRequest};

/// Texts with more lines than this, beyond what they begin and end with alike, are not compared line by line.
const MOST_LINES: usize = 2_000;

/// A change of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// Of the system prompt; none is the same as an empty one here.
    SystemPrompt(Vec<Line>),
    /// Of the text of a message.
    Text {
        /// Which message of the request as it was, from zero.
        message: usize,
        /// Which part of it, from zero.
        part: usize,
        /// Its lines.
        lines: Vec<Line>,
    },
    /// A part of a message was left out.
    LeftOut {
        /// Which message of the request as it was, from zero.
        message: usize,
        /// Which part of it, from zero.
        part: usize,
    },
    /// Of the most tokens of the reply.
    MaxTokens {
        /// As it was.
        before: u64,
        /// As it is.
        after: u64,
    },
    /// Of the temperature.
    Temperature {
        /// As it was.
        before: Option<f64>,
        /// As it is.
        after: Option<f64>,
    },
    /// Of the stop sequences.
    StopSequences {
        /// As they were.
        before: Vec<String>,
        /// As they are.
        after: Vec<String>,
    },
    /// A tool was left out.
    Tool {
        /// Its name.
        name: String,
    },
}

/// A line of one text or of both, without the line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// In both.
    Same(String),
    /// Only in the text as it was.
    Removed(String),
    /// Only in the text as it is.
    Added(String),
}

/// What differs between a request and what a person has made of it. Parts of messages may have been left out, but none added or moved.
pub fn differences(before: &SamplingRequest, after: &SamplingRequest) -> Vec<Difference> {
    let mut differences = Vec::new();
    let prompt = |request: &SamplingRequest| request.system_prompt.clone().unwrap_or_default();
    if prompt(before) != prompt(after) {
        differences.push(Difference::SystemPrompt(line_changes(&prompt(before), &prompt(after))));
    }
    compare_parts(before, after, &mut differences);
    if before.max_tokens != after.max_tokens {
        differences.push(Difference::MaxTokens { before: before.max_tokens, after: after.max_tokens });
    }
    if before.temperature != after.temperature {
        differences.push(Difference::Temperature { before: before.temperature, after: after.temperature });
    }
    if before.stop_sequences != after.stop_sequences {
        let (before, after) = (before.stop_sequences.clone(), after.stop_sequences.clone());
        differences.push(Difference::StopSequences { before, after });
    }
    let left_out = before.tools.iter().filter(|tool| after.tools.iter().all(|kept| kept.name != tool.name));
    differences.extend(left_out.map(|tool| Difference::Tool { name: tool.name.clone() }));
    differences
}

/// The lines of two texts, side by side in order. Texts that are both very long and very different are all removed and all added.
pub fn line_changes(before: &str, after: &str) -> Vec<Line> {
    let (before, after): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
    let start = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let (old, new) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    let mut changes: Vec<Line> = before[..start].iter().map(|line| Line::Same((*line).to_owned())).collect();
    let removed = |lines: &[&str]| lines.iter().map(|line| Line::Removed((*line).to_owned())).collect::<Vec<_>>();
    let added = |lines: &[&str]| lines.iter().map(|line| Line::Added((*line).to_owned())).collect::<Vec<_>>();
    if old.len().max(new.len()) > MOST_LINES {
        changes.extend(removed(old));
        changes.extend(added(new));
    } else {
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            if let DiffOp::Equal { old_index, len, .. } = op {
                changes.extend(old[old_index..old_index + len].iter().map(|line| Line::Same((*line).to_owned())));
            } else {
                changes.extend(removed(&old[op.old_range()]));
                changes.extend(added(&new[op.new_range()]));
            }
        }
    }
    changes.extend(before[before.len() - end..].iter().map(|line| Line::Same((*line).to_owned())));
    changes
}

fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

/// Finds for each part that was left in the one that it was: the same if it is still there, and else the next of texts.
fn compare_parts(before: &SamplingRequest, after: &SamplingRequest, differences: &mut Vec<Difference>) {
    let parts = |request: &SamplingRequest| -> Vec<(usize, usize)> {
        let messages = request.messages.iter().enumerate();
        messages.flat_map(|(message, said)| (0..said.content.len()).map(move |part| (message, part))).collect()
    };
    let (old, new) = (parts(before), parts(after));
    let old_content: Vec<Compared<'_>> = old.iter().map(|at| Compared::of(before, *at)).collect();
    let new_content: Vec<Compared<'_>> = new.iter().map(|at| Compared::of(after, *at)).collect();
    let mut next = 0;
    for (index, (message, part)) in old.iter().copied().enumerate() {
        let left_before = old.len() - index;
        let left_after = new.len() - next;
        let here = new_content.get(next);
        let is_same = here == Some(&old_content[index]);
        let may_be_edited =
            matches!((&old_content[index], here), (Compared(_, Content::Text(_)), Some(Compared(_, Content::Text(_)))));
        // As long as there are as many parts as before, none was left out. Otherwise a text that comes again unchanged was not edited.
        let comes_later = left_before > left_after
            && here.is_some_and(|here| old_content[index + 1..].iter().any(|later| later == here));
        if is_same {
            next += 1;
        } else if may_be_edited && !comes_later {
            let text = |content: &Content| if let Content::Text(text) = content { text.clone() } else { String::new() };
            let lines = line_changes(&text(old_content[index].1), &text(new_content[next].1));
            differences.push(Difference::Text { message, part, lines });
            next += 1;
        } else {
            differences.push(Difference::LeftOut { message, part });
        }
    }
}

#[derive(PartialEq)]
struct Compared<'r>(super::Role, &'r Content);

impl<'r> Compared<'r> {
    fn of(request: &'r SamplingRequest, (message, part): (usize, usize)) -> Compared<'r> {
        let message = &request.messages[message];
        Compared(message.role, &message.content[part])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn asked() -> SamplingRequest {
        let text = |text: &str| json!({"type": "text", "text": text});
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AA"});
        let params = json!({
            "systemPrompt": "S",
            "messages": [{"role": "user", "content": [text("one\ntwo\nthree"), image, text("four")]}],
            "tools": [{"name": "t", "inputSchema": {}}], "maxTokens": 9, "temperature": 1, "stopSequences": ["x"]
        });
        SamplingRequest::read(&params).unwrap().0
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut SamplingRequest), expected: &[Difference]) {
        let mut after = asked();
        change(&mut after);
        assert_eq!(differences(&asked(), &after), expected);
    }

    fn same(text: &str) -> Line {
        Line::Same(text.into())
    }

    fn edited(lines: Vec<Line>) -> Difference {
        Difference::Text { message: 0, part: 0, lines }
    }

    #[test]
    fn each_change_is_told() {
        check(|_| {}, &[]);
        let prompt = vec![Line::Removed("S".into()), Line::Added("T".into())];
        check(|request| request.system_prompt = Some("T".into()), &[Difference::SystemPrompt(prompt)]);
        check(|request| request.max_tokens = 3, &[Difference::MaxTokens { before: 9, after: 3 }]);
        check(|request| request.temperature = None, &[Difference::Temperature { before: Some(1.0), after: None }]);
        let stop = Difference::StopSequences { before: vec!["x".into()], after: vec![] };
        check(|request| request.stop_sequences.clear(), &[stop]);
        check(|request| request.tools.clear(), &[Difference::Tool { name: "t".into() }]);
    }

    #[test]
    fn texts_are_told_by_line_and_parts_that_were_left_out() {
        let text = Content::Text("one\n2\nthree".into());
        let lines = vec![same("one"), Line::Removed("two".into()), Line::Added("2".into()), same("three")];
        check(|request| request.messages[0].content[0] = text.clone(), &[edited(lines.clone())]);
        let left_out = |part| Difference::LeftOut { message: 0, part };
        check(|request| drop(request.messages[0].content.remove(0)), &[left_out(0)]);
        check(|request| drop(request.messages[0].content.remove(1)), &[left_out(1)]);
        check(|request| drop(request.messages[0].content.remove(2)), &[left_out(2)]);
        let both = |request: &mut SamplingRequest| {
            request.messages[0].content[0] = text.clone();
            request.messages[0].content.remove(1);
        };
        check(both, &[edited(lines), left_out(1)]);
    }

    #[test]
    fn long_texts_are_compared_in_bounded_time() {
        let text = |word: &str| (0..50_000).map(|line| format!("{word}{line}\n")).collect::<String>();
        assert_eq!(line_changes(&text("a"), &text("b")).len(), 100_001);
        assert_eq!(line_changes(&text("a"), &(text("a") + "b")).len(), 50_002);
    }

    proptest! {
        #[test]
        fn both_texts_can_be_made_from_their_lines(before in "[ab\n]{0,40}", after in "[ab\n]{0,40}") {
            let lines = line_changes(&before, &after);
            let of = |wanted: fn(&Line) -> Option<&String>| lines.iter().filter_map(wanted).cloned().collect::<Vec<_>>().join("\n");
            prop_assert_eq!(of(|line| match line { Line::Same(text) | Line::Removed(text) => Some(text), Line::Added(_) => None }), before);
            prop_assert_eq!(of(|line| match line { Line::Same(text) | Line::Added(text) => Some(text), Line::Removed(_) => None }), after);
        }
    }
}
