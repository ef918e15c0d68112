//! `cargo xtask ci`: everything that a change must pass, in the order in which a mistake is found soonest.

use std::time::Instant;

use crate::program::{cargo, openly};
use crate::{Outcome, arrows, deny, fuzz, test};

/// Runs the steps, stops at the first that fails, and ends with the closing line of the tests.
pub(crate) fn run() -> Outcome {
    step("fmt", || {
        openly(cargo().args(["fmt", "--all", "--check"]), "run `cargo fmt --all`")?;
        for workspace in ["benches/Cargo.toml", "fuzz/Cargo.toml"] {
            let hint = format!("run `cargo fmt --manifest-path {workspace}`");
            openly(cargo().args(["fmt", "--manifest-path", workspace, "--check"]), &hint)?;
        }
        Ok(())
    })?;
    step("arrows", arrows::run)?;
    step("clippy", || {
        let arguments = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
        openly(cargo().args(arguments), "run `cargo clippy --workspace --all-targets` and mend what it names")
    })?;
    step("deny", deny::run)?;
    let tally = step("test", || test::run(true, &[]))?;
    // Enough to notice what a change has broken, not to find what nobody has found before.
    let fuzzed = step("fuzz", || fuzz::run(None, fuzz::Effort::Repeatable, true));
    tally.close().and(fuzzed)
}

fn step<T>(name: &str, run: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("==> {name}");
    let started = Instant::now();
    let outcome = run();
    let seconds = started.elapsed().as_secs_f32();
    match &outcome {
        Ok(_) => println!("<== {name}: {seconds:.1} s\n"),
        Err(failure) => {
            failure.report();
            println!("<== {name}: FAILED after {seconds:.1} s");
        }
    }
    outcome.map_err(|_| crate::Failure::already_reported())
}
