//! Runs the simulator over many seeds: `simulate FIRST COUNT`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (first, count) = match numbers[..] {
        [first, count, ..] => (first, count),
        [count] => (0, count),
        [] => (0, 1_000),
    };
    match askback_testkit::simulation::run(first..first.saturating_add(count)) {
        Ok(report) => {
            println!("{count} runs from seed {first}: {report:?}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
