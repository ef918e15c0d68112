//! Judges what a run of the suite said: it must have checked something, with no failure and no warning.

use std::time::Duration;

use serde_json::Value;

use super::trial::Trial;

/// How many lines of standard error are shown when nothing else explains a miss.
const LAST_LINES: usize = 12;

/// What became of one run.
#[derive(Debug, PartialEq)]
pub(super) struct Verdict {
    /// Checks that succeeded.
    pub(super) passed: usize,
    /// Checks with an outcome: the suite also lists what it merely saw and what it skipped.
    pub(super) judged: usize,
    /// Why this is a miss, a line or more each; empty if it is none.
    pub(super) misses: Vec<String>,
    pub(super) took: Duration,
}

/// Judges one run.
pub(super) fn judge(trial: &Trial) -> Verdict {
    let mut verdict = Verdict { passed: 0, judged: 0, misses: Vec::new(), took: trial.took };
    match serde_json::from_str::<Vec<Value>>(&trial.stdout) {
        Ok(checks) => {
            for check in &checks {
                verdict.take(check);
            }
            if verdict.passed == 0 {
                verdict.misses.push("no check succeeded".to_owned());
            }
        }
        Err(error) => verdict.misses.push(match trial.stdout.trim() {
            "" => "the suite listed no checks".to_owned(),
            said => format!("the suite listed no checks ({error}) but said: {}", first_line(said)),
        }),
    }
    let ended = match trial.approved {
        Some(true) => None,
        // The checks explain it already, and the client's words may say why.
        Some(false) if !verdict.misses.is_empty() => client_words(&trial.stderr),
        Some(false) => Some(format!("the suite does not approve:\n{}", explanation(&trial.stderr))),
        None => Some(format!("the suite did not come to an end:\n{}", explanation(&trial.stderr))),
    };
    verdict.misses.extend(ended);
    verdict
}

impl Verdict {
    fn take(&mut self, check: &Value) {
        let text = |key: &str| check.get(key).and_then(Value::as_str).unwrap_or_default();
        let status = text("status");
        match status {
            "INFO" | "SKIPPED" => return,
            "SUCCESS" => self.passed += 1,
            // Also a status that is yet unknown here.
            _ => {
                let mut why = match text("errorMessage") {
                    "" => text("description").to_owned(),
                    message => message.to_owned(),
                };
                if let Some(more) = check.pointer("/details/message").and_then(Value::as_str) {
                    why = format!("{why} ({more})");
                }
                self.misses.push(format!("{status} {}: {why}", text("id")));
            }
        }
        self.judged += 1;
    }
}

/// What the suite repeats of a failed client, or else the end of what it said itself.
fn explanation(stderr: &str) -> String {
    client_words(stderr).unwrap_or_else(|| {
        let lines = telling_lines(stderr);
        lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
    })
}

/// How the client ended, and the end of what it said, if the suite was not content with either.
fn client_words(stderr: &str) -> Option<String> {
    let lines = telling_lines(stderr);
    let begin = lines
        .iter()
        .position(|line| line.starts_with("Client exited with code") || line.starts_with("Client timed out"))?;
    let words = &lines[begin + 1..];
    let kept = &words[words.len().saturating_sub(LAST_LINES - 1)..];
    Some([&lines[begin..=begin], kept].concat().join("\n"))
}

/// Without empty lines, and without the summary at the end, which says what the checks say too.
fn telling_lines(stderr: &str) -> Vec<&str> {
    let lines = stderr.lines().take_while(|line| !line.starts_with("Test Results:"));
    lines.filter(|line| !line.trim().is_empty()).collect()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(stdout: &str, approved: Option<bool>, stderr: &str) -> Trial {
        Trial { stdout: stdout.to_owned(), stderr: stderr.to_owned(), approved, took: Duration::ZERO }
    }

    #[track_caller]
    fn check(trial: &Trial, counts: (usize, usize), misses: &[&str]) {
        let verdict = judge(trial);
        assert_eq!((verdict.passed, verdict.judged), counts, "{trial:?}");
        assert_eq!(verdict.misses, misses, "{trial:?}");
    }

    const GOOD: &str = r#"[
        {"id": "a", "status": "SUCCESS", "description": "A"},
        {"id": "b", "status": "INFO", "description": "B"},
        {"id": "c", "status": "SKIPPED", "description": "C", "errorMessage": "not exercised"}
    ]"#;

    #[test]
    fn only_outcomes_count() {
        check(&trial(GOOD, Some(true), "Client exited with code 1\nTest Results:\n"), (1, 1), &[]);
    }

    #[test]
    fn a_failure_and_a_warning_are_misses() {
        let checks = r#"[
            {"id": "a", "status": "SUCCESS", "description": "A"},
            {"id": "b", "status": "FAILURE", "description": "B", "errorMessage": "no B"},
            {"id": "c", "status": "WARNING", "description": "C", "details": {"message": "not called"}},
            {"id": "d", "status": "DOUBT", "description": "D"}
        ]"#;
        check(
            &trial(checks, Some(false), "Executing client: x\n\nTest Results:\nPassed: 1/2\n"),
            (1, 4),
            &["FAILURE b: no B", "WARNING c: C (not called)", "DOUBT d: D"],
        );
    }

    #[test]
    fn the_words_of_a_failed_client_stand_below_the_failing_checks() {
        let checks = r#"[{"id": "a", "status": "FAILURE", "description": "A"}]"#;
        check(
            &trial(
                checks,
                Some(false),
                "Executing client: x\nClient exited with code 1\nStderr:\nerror: no\nTest Results:\n",
            ),
            (0, 1),
            &["FAILURE a: A", "no check succeeded", "Client exited with code 1\nStderr:\nerror: no"],
        );
    }

    #[test]
    fn nothing_checked_is_a_miss() {
        check(&trial("[]", Some(true), ""), (0, 0), &["no check succeeded"]);
        let skipped = r#"[{"id": "a", "status": "SKIPPED", "description": "A"}]"#;
        check(&trial(skipped, Some(true), ""), (0, 0), &["no check succeeded"]);
        check(&trial("", Some(true), ""), (0, 0), &["the suite listed no checks"]);
    }

    #[test]
    fn a_scenario_that_the_suite_skips_is_a_miss() {
        let verdict = judge(&trial("SKIPPED: scenario 'x' is not applicable\n", Some(true), ""));
        assert!(verdict.misses[0].ends_with("but said: SKIPPED: scenario 'x' is not applicable"), "{verdict:?}");
    }

    #[test]
    fn a_failed_client_is_a_miss_though_all_checks_succeeded() {
        let stderr =
            "Starting scenario: x\n\nClient exited with code 3\n\nStderr:\nerror: no\n\n\nTest Results:\nPassed: 1/1\n";
        check(
            &trial(GOOD, Some(false), stderr),
            (1, 1),
            &["the suite does not approve:\nClient exited with code 3\nStderr:\nerror: no"],
        );
    }

    #[test]
    fn a_suite_that_had_to_be_ended_is_a_miss() {
        check(
            &trial("", None, "Starting scenario: x\n"),
            (0, 0),
            &["the suite listed no checks", "the suite did not come to an end:\nStarting scenario: x"],
        );
    }

    #[test]
    fn of_a_long_explanation_the_beginning_and_the_end_are_kept() {
        let noise: String = (0..50).map(|line| format!("noise {line}\n")).collect();
        let said = explanation(&format!("Client exited with code 1\nStderr:\n{noise}Test Results:\n"));
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), LAST_LINES);
        assert_eq!((lines[0], lines[1], lines[11]), ("Client exited with code 1", "noise 39", "noise 49"));
    }
}
