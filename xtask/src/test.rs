//! `cargo xtask test`: sets up the peers, runs every test and the conformance suite, and ends with the line `N passed, N failed, N skipped`.
//!
//! What tests may rely on, as environment variables:
//!
//! - `ASKBACK_PEERS`: the folder with the installed peers (absolute).
//! - `ASKBACK_SKIP_LOG`: a file; a test that cannot run appends `SKIPPED: NAME: REASON` to it, prints the same line to
//!   standard error, and passes. Here it is counted as skipped.
//! - `ASKBACK_REQUIRE_ALL=1`: such a test must fail instead.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::ops::AddAssign;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use crate::conformance::{self, Score};
use crate::program::{cargo, line_of, succeeds};
use crate::{Failure, Outcome, setup, target};

/// What became of the tests.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Why the run is a failure even if no test failed; printed before the closing line.
    problems: Vec<String>,
}

impl Tally {
    /// Prints the closing line, the last of standard output, and says whether all is well.
    pub(crate) fn close(self) -> Outcome {
        for problem in &self.problems {
            eprintln!("error: {problem}");
        }
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped);
        if self.failed == 0 && self.problems.is_empty() { Ok(()) } else { Err(Failure::already_reported()) }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.problems.extend(other.problems);
    }
}

/// Runs the tests; `args` go to the runner. An error means that there is no tally: the tests were not run.
pub(crate) fn run(require_all: bool, args: &[String]) -> Outcome<Tally> {
    setup::run(false, require_all)?;

    let skip_log = target().join("skipped-tests.log");
    let _ = fs::remove_file(&skip_log);
    let prepare = |command: &mut Command| {
        command.env("ASKBACK_PEERS", setup::peers()).env("ASKBACK_SKIP_LOG", &skip_log);
        if require_all {
            command.env("ASKBACK_REQUIRE_ALL", "1");
        }
        if std::env::var_os("CARGO_TERM_COLOR").is_none() && std::io::stderr().is_terminal() {
            command.env("CARGO_TERM_COLOR", "always");
        }
    };

    let names_packages = args.iter().any(|arg| arg.starts_with("-p") || arg.starts_with("--package"));
    let scope: &[&str] = if names_packages { &[] } else { &["--workspace"] };
    let mut tally = if succeeds(cargo().args(["nextest", "--version"])) {
        let mut command = cargo();
        command.args(["nextest", "run", "--no-fail-fast", "--no-tests=pass"]).args(scope).args(args);
        prepare(&mut command);
        let mut tally = tally_of(&mut command, nextest_summary)?;
        // Nextest does not run the examples of the documentation, and its filters would mean nothing to them.
        if args.is_empty() {
            let mut command = cargo();
            command.args(["test", "--doc", "--workspace", "--no-fail-fast"]);
            prepare(&mut command);
            tally += tally_of(&mut command, test_results)?;
        }
        tally
    } else {
        println!("cargo-nextest is not installed: `cargo test` runs the tests instead");
        let mut command = cargo();
        command.args(["test", "--no-fail-fast"]).args(scope).args(args);
        prepare(&mut command);
        tally_of(&mut command, test_results)?
    };

    let skip_log = fs::read_to_string(&skip_log).unwrap_or_default();
    let skips = skips_in(&skip_log);
    if !skips.is_empty() {
        println!("\n*** SKIPPED, for want of something that this machine could not offer: ***");
        for (test, reason) in &skips {
            println!("  {test}: {reason}");
        }
        if require_all {
            tally.problems.push(format!("{} tests were skipped, and none may be", skips.len()));
        }
    }
    // Such a test has passed as far as the runner knows, unless it was told to fail instead.
    let counted_as_passed = if require_all { 0 } else { skips.len().min(tally.passed) };
    tally.passed -= counted_as_passed;
    tally.skipped += counted_as_passed;

    // What was chosen for the runner means nothing to the suite.
    if args.is_empty() {
        println!();
        tally += conformance_tally(conformance::run_everything(), require_all);
    }
    Ok(tally)
}

/// Each scenario at each revision counts as a test; a suite that cannot run here, as one that was skipped.
fn conformance_tally(outcome: Outcome<Result<Score, String>>, require_all: bool) -> Tally {
    match outcome {
        Ok(Ok(Score { passed, missed })) => Tally { passed, failed: missed, ..Tally::default() },
        // The other tests have run, and their tally is worth keeping.
        Err(failure) => {
            failure.report();
            Tally { problems: vec!["the conformance suite was not run".to_owned()], ..Tally::default() }
        }
        Ok(Err(why)) => {
            println!("*** SKIPPED: the conformance suite: {why} ***");
            let problem = require_all.then(|| "the conformance suite was skipped, and may not be".to_owned());
            Tally { skipped: 1, problems: problem.into_iter().collect(), ..Tally::default() }
        }
    }
}

/// Runs a test command with its output shown, and reads the tally from that output.
fn tally_of(command: &mut Command, read: fn(&str) -> Option<Tally>) -> Outcome<Tally> {
    let line = line_of(command);
    let (status, output) = run_and_listen(command)
        .map_err(|error| Failure::new(format!("`{line}` did not run: {error}"), "is cargo installed, and on PATH?"))?;
    let mut tally = read(&output).ok_or_else(|| {
        Failure::new(
            format!("`{line}` ended with {status} before any test ran"),
            "its output above says why; most often the code does not compile",
        )
    })?;
    if !status.success() && tally.failed == 0 {
        tally.problems.push(format!("`{line}` ended with {status} though no test failed"));
    }
    Ok(tally)
}

/// Passes both streams on as they come, and returns all that was said on them.
fn run_and_listen(command: &mut Command) -> std::io::Result<(ExitStatus, String)> {
    fn pass_on(from: impl Read, mut to: impl Write) -> std::io::Result<String> {
        let mut said = String::new();
        let mut lines = BufReader::new(from);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            to.write_all(&line)?;
            said += &String::from_utf8_lossy(&line);
            line.clear();
        }
        Ok(said)
    }

    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().expect("standard output is piped");
    let stderr = child.stderr.take().expect("standard error is piped");
    let output = thread::scope(|scope| {
        let stderr = scope.spawn(|| pass_on(stderr, std::io::stderr()));
        let stdout = pass_on(stdout, std::io::stdout())?;
        Ok::<_, std::io::Error>(stdout + &stderr.join().expect("passing on lines does not panic")?)
    })?;
    Ok((child.wait()?, output))
}

/// Reads nextest's line `Summary [0.1s] 30 tests run: 29 passed (1 slow), 1 timed out, 0 skipped`.
fn nextest_summary(output: &str) -> Option<Tally> {
    let output = without_colours(output);
    let counts = output.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?.split_once(" run:")?.1;
    let mut tally = Tally::default();
    for count in without_parentheses(counts).split(',') {
        let (number, what) = count.trim().split_once(' ')?;
        let number: usize = number.parse().ok()?;
        match what.trim() {
            "passed" => tally.passed += number,
            "skipped" => tally.skipped += number,
            // "failed", "exec failed", "timed out", and whatever else it comes to say.
            _ => tally.failed += number,
        }
    }
    Some(tally)
}

/// Reads and adds up cargo's lines `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`.
fn test_results(output: &str) -> Option<Tally> {
    let mut total = None;
    for line in without_colours(output).lines() {
        let Some(counts) = line.trim_start().strip_prefix("test result: ") else { continue };
        let (_, counts) = counts.split_once(". ")?;
        let tally: &mut Tally = total.get_or_insert_default();
        for count in counts.split(';') {
            let Some((number, what)) = count.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            match what {
                "passed" => tally.passed += number,
                "failed" => tally.failed += number,
                "ignored" => tally.skipped += number,
                _ => {}
            }
        }
    }
    total
}

/// The skipped tests with their reasons; a test that was tried more than once is named once.
fn skips_in(log: &str) -> BTreeMap<&str, &str> {
    log.lines()
        .filter_map(|line| line.strip_prefix("SKIPPED: "))
        .map(|skip| skip.split_once(": ").unwrap_or((skip, "no reason given")))
        .collect()
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('m').map_or(part, |(_, rest)| rest);
    }
    plain
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|character| {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(read: fn(&str) -> Option<Tally>, output: &str, expected: Option<(usize, usize, usize)>) {
        let found = read(output).map(|tally| (tally.passed, tally.failed, tally.skipped));
        assert_eq!(found, expected, "{output}");
    }

    #[test]
    fn nextest_summaries_are_read() {
        let check = |output, expected| check(nextest_summary, output, expected);
        check("     Summary [   0.010s] 1 test run: 1 passed, 0 skipped\n", Some((1, 0, 0)));
        check(
            "x\n     Summary [  62.010s] 33 tests run: 30 passed (2 slow, 1 flaky), 1 failed, 1 exec failed, 1 timed out, 4 \
             skipped\n        FAIL [   0.1s] a b\n",
            Some((30, 3, 4)),
        );
        check(
            "     Summary [   0.010s] 3/9 tests run: 2 passed, 1 failed (1 due to being leaky), 0 skipped",
            Some((2, 1, 0)),
        );
        check(
            "\u{1b}[32;1m     Summary\u{1b}[0m [   0.1s] \u{1b}[1m2\u{1b}[0m tests run: 2 passed, 0 skipped",
            Some((2, 0, 0)),
        );
        check("error: could not compile `askback`\n", None);
    }

    #[test]
    fn cargo_test_results_are_added_up() {
        let one = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let two = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.00s\n";
        check(test_results, one, Some((3, 0, 1)));
        check(test_results, &format!("{one}\nDoc-tests askback\n{two}"), Some((4, 2, 1)));
        check(test_results, "error: could not compile\n", None);
    }

    #[test]
    fn the_conformance_suite_counts_with_the_tests() {
        let tally = conformance_tally(Ok(Ok(Score { passed: 60, missed: 2 })), false);
        assert_eq!(tally, Tally { passed: 60, failed: 2, ..Tally::default() });
        let tally = conformance_tally(Ok(Err("no npm".to_owned())), false);
        assert_eq!(tally, Tally { skipped: 1, ..Tally::default() });
        assert!(conformance_tally(Ok(Err("no npm".to_owned())), true).close().is_err(), "none may be skipped");
        let tally = conformance_tally(Err(Failure::already_reported()), false);
        assert!(tally.close().is_err(), "it was to run");
    }

    #[test]
    fn a_skip_is_counted_once_per_test() {
        let log = "SKIPPED: peers::python: no python3\nnoise\nSKIPPED: peers::python: no python3\nSKIPPED: other\n";
        let skips = skips_in(log);
        assert_eq!(
            skips.into_iter().collect::<Vec<_>>(),
            [("other", "no reason given"), ("peers::python", "no python3")]
        );
    }
}
