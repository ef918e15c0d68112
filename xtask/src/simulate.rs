//! `cargo xtask simulate`: more seeds of the simulator than the tests run.

use crate::Outcome;
use crate::program::{cargo, openly};

/// Runs the simulator over `seeds` seeds from `first` on.
pub(crate) fn run(first: u64, seeds: u64) -> Outcome {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "-p", "askback-testkit", "--example", "simulate", "--"]);
    command.args([first.to_string(), seeds.to_string()]);
    openly(&mut command, "keep the seed as a named test, then mend what it shows")
}
