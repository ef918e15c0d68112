//! How the runs are shown: a row for each scenario, a column for each revision, and below it what was missed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use super::judge::Verdict;
use super::plan::Run;

/// The table, the misses and a summary, ready to print.
pub(super) fn render(results: &[(Run, Verdict)], took: Duration) -> String {
    // Revisions are dates, so their order is that of their names; the extensions come last.
    let versions: BTreeSet<&str> = results.iter().map(|(run, _)| run.version.as_str()).collect();
    let mut scenarios: Vec<&str> = Vec::new();
    for (run, _) in results {
        if !scenarios.contains(&run.scenario.as_str()) {
            scenarios.push(&run.scenario);
        }
    }
    let rows = scenarios.iter().map(|scenario| {
        let cells = versions.iter().map(|version| {
            let found = results.iter().find(|(run, _)| run.scenario == *scenario && run.version == *version);
            found.map_or_else(String::new, |(_, verdict)| cell(verdict))
        });
        std::iter::once((*scenario).to_owned()).chain(cells).collect()
    });
    let head = std::iter::once("scenario").chain(versions.iter().copied()).map(str::to_owned).collect();
    let mut text = aligned(&std::iter::once(head).chain(rows).collect::<Vec<Vec<String>>>());

    let missed: Vec<_> = results.iter().filter(|(_, verdict)| !verdict.misses.is_empty()).collect();
    for (run, verdict) in &missed {
        let _ = writeln!(text, "\nMISS {} at {}", run.scenario, run.version);
        for line in verdict.misses.iter().flat_map(|miss| miss.lines()) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let checks: usize = results.iter().map(|(_, verdict)| verdict.passed).sum();
    let passed = results.len() - missed.len();
    let seconds = took.as_secs_f32();
    let _ = writeln!(
        text,
        "\nconformance: {passed} of {} runs passed, {} missed; {checks} checks succeeded, {seconds:.0} s",
        results.len(),
        missed.len()
    );
    text
}

/// `12/13  0.9 s`: checks that succeeded, of those judged.
fn cell(verdict: &Verdict) -> String {
    let mark = if verdict.misses.is_empty() { "" } else { "MISS " };
    format!("{mark}{}/{} {:.1} s", verdict.passed, verdict.judged, verdict.took.as_secs_f32())
}

fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_scenario_and_what_was_missed() {
        let result = |scenario: &str, version: &str, passed, judged, misses: &[&str]| {
            let run = Run { scenario: scenario.to_owned(), version: version.to_owned() };
            let misses = misses.iter().map(|miss| (*miss).to_owned()).collect();
            (run, Verdict { passed, judged, misses, took: Duration::from_millis(940) })
        };
        let results = [
            result("tools_call", "2025-11-25", 2, 2, &[]),
            result("tools_call", "2026-07-28", 1, 2, &["FAILURE a: b", "the suite does not approve:\nno"]),
            result("auth/jwt", "extension", 3, 3, &[]),
            result("sse-retry", "2025-11-25", 3, 3, &[]),
        ];
        let expected = "\
scenario    2025-11-25  2026-07-28      extension
tools_call  2/2 0.9 s   MISS 1/2 0.9 s
auth/jwt                                3/3 0.9 s
sse-retry   3/3 0.9 s

MISS tools_call at 2026-07-28
  FAILURE a: b
  the suite does not approve:
  no

conformance: 3 of 4 runs passed, 1 missed; 9 checks succeeded, 5 s
";
        assert_eq!(render(&results, Duration::from_secs(5)), expected);
    }
}
