//! `cargo xtask conformance`: the official conformance suite against this client, one scenario at a time.
//!
//! Which scenarios there are, and at which revisions, is asked of the suite, so that none can be forgotten. Run by itself,
//! a scenario counts warnings and the client's exit code; run as one of many, the suite overlooks both. Must not know
//! what a scenario is about: that is the business of the suite and of the client.

mod judge;
mod plan;
mod suite;
mod table;
mod trial;

use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use crate::program::{cargo, openly};
use crate::{Failure, Outcome, target};
use judge::Verdict;
use plan::Run;
use suite::Suite;

/// How many scenarios run at once: each is a Node process, mock servers and a client.
const AT_ONCE: usize = 2;

/// What to run.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Only this scenario.
    pub(crate) scenario: Option<String>,
    /// Only this revision of the specification, or `extension`.
    pub(crate) version: Option<String>,
    /// This client instead of Askback: a command of the shell, to which the address is appended.
    pub(crate) client: Option<String>,
}

/// How many runs went well and how many did not; the output tells of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Score {
    pub(crate) passed: usize,
    pub(crate) missed: usize,
}

/// Runs what is wanted; a miss is a failure.
pub(crate) fn run(wanted: &Wanted) -> Outcome {
    let suite = Suite::find().map_err(|why| {
        Failure::new(format!("the conformance suite cannot run: {why}"), "`cargo xtask setup` installs it")
    })?;
    let score = score(&suite, wanted)?;
    if score.missed == 0 { Ok(()) } else { Err(Failure::already_reported()) }
}

/// Runs all there is. The inner error says why the suite cannot run on this machine.
pub(crate) fn run_everything() -> Outcome<Result<Score, String>> {
    match Suite::find() {
        Ok(suite) => score(&suite, &Wanted::default()).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

fn score(suite: &Suite, wanted: &Wanted) -> Outcome<Score> {
    let plan = plan::plan(&suite.scenarios()?, wanted)?;
    let client = match &wanted.client {
        Some(client) => client.clone(),
        None => askback()?,
    };
    println!("conformance: {} runs, {AT_ONCE} at once", plan.runs.len());
    let started = Instant::now();
    let results = run_all(suite, &client, &plan.runs);
    print!("{}", table::render(&results, started.elapsed()));
    for (name, why) in &plan.not_claimed {
        println!("not claimed: {name}: {why}");
    }
    let passed = results.iter().filter(|(_, verdict)| verdict.misses.is_empty()).count();
    Ok(Score { passed, missed: results.len() - passed })
}

/// Builds Askback and returns the command that is its client for this suite.
fn askback() -> Outcome<String> {
    openly(cargo().args(["build", "--quiet", "--package", "askback"]), "the output above says what does not compile")?;
    let binary = target().join("debug").join("askback");
    // The suite ends a client that takes too long by ending its shell, which has to be the client by then.
    Ok(format!("exec {} conformance-client", quoted(&binary.to_string_lossy())))
}

/// One word of the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The verdicts, in the order of the runs.
fn run_all(suite: &Suite, client: &str, runs: &[Run]) -> Vec<(Run, Verdict)> {
    let next = Mutex::new(runs.iter().enumerate());
    let verdicts = Mutex::new(Vec::with_capacity(runs.len()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((index, run)) = next.lock().expect("no run panics").next() else { break };
                    let verdict = judge::judge(&trial::try_client(suite, client, run));
                    verdicts.lock().expect("no run panics").push((index, run.clone(), verdict));
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().expect("no run panics");
    verdicts.sort_by_key(|(index, ..)| *index);
    verdicts.into_iter().map(|(_, run, verdict)| (run, verdict)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_have_spaces_and_quotes() {
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
    }
}
