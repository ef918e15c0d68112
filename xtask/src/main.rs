//! Project automation, run as `cargo xtask COMMAND`. One file per command; this one only knows their arguments.

mod arrows;
mod bench;
mod ci;
mod conformance;
mod deny;
mod fixtures;
mod fuzz;
mod interop;
mod program;
mod setup;
mod simulate;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Project automation for Askback")]
enum Command {
    /// Install the servers and clients that tests and benchmarks run against, under target/peers
    Setup {
        /// Also install what only benchmarks need: the official client and Inspector (300 MB)
        #[arg(long)]
        bench: bool,
        /// Fail when something cannot be set up
        #[arg(long)]
        require_all: bool,
    },
    /// Write anew what schema libraries make of types, for the tests of forms (crates/askback-core/tests/fixtures/forms)
    Fixtures,
    /// Set up the peers, run every test, and end with "N passed, N failed, N skipped"
    Test {
        /// Fail on a skipped test, and on a peer that cannot be set up
        #[arg(long)]
        require_all: bool,
        /// Passed on to the test runner
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Run the official conformance suite against the client; a failure, a warning or nothing checked is a miss
    Conformance {
        /// Only this scenario, even one that Askback does not claim
        #[arg(long)]
        scenario: Option<String>,
        /// Only this revision of the specification, or "extension"
        #[arg(long, value_name = "VERSION")]
        spec_version: Option<String>,
        /// Another client than Askback: a shell command to which the server's address is appended; begin it with `exec`
        #[arg(long, value_name = "COMMAND")]
        client: Option<String>,
    },
    /// Talk to the real servers among the peers, and write what works with which (docs/reference/interop.md)
    Interop {
        /// Only compare the page with what is seen
        #[arg(long)]
        check: bool,
    },
    /// Check that crates depend on each other in the allowed directions only
    Arrows,
    /// Check licences, banned crates and sources of the dependencies
    Deny,
    /// Run the simulator over many seeds; a failing one is printed with its whole conversation
    Simulate {
        /// How many seeds
        #[arg(long, default_value_t = 1000)]
        seeds: u64,
        /// The first seed
        #[arg(long, default_value_t = 0)]
        first: u64,
    },
    /// Run the fuzz targets for a while; what fails is kept as an input
    Fuzz {
        /// How long each target runs
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Fail when this machine cannot build them
        #[arg(long)]
        require_all: bool,
        /// Only this target
        target: Option<String>,
    },
    /// Measure, and write a section of docs/benchmarks.md
    Bench {
        /// What to measure
        what: Bench,
    },
    /// Everything that a change must pass: formatting, lints, arrows, deny, tests, fuzzing
    Ci,
}

/// What can be measured.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Bench {
    /// One call, and one form, over stdio, beside other programs
    Call,
    /// Reading and checking forms, large and hostile ones
    Form,
    /// Calls and forms over Streamable HTTP, beside other clients, and many servers at once
    Http,
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Setup { bench, require_all } => setup::run(bench, require_all),
        Command::Fixtures => fixtures::run(),
        Command::Test { require_all, args } => test::run(require_all, &args).and_then(test::Tally::close),
        Command::Conformance { scenario, spec_version, client } => {
            conformance::run(&conformance::Wanted { scenario, version: spec_version, client })
        }
        Command::Interop { check } => interop::run(check),
        Command::Arrows => arrows::run(),
        Command::Deny => deny::run(),
        Command::Simulate { seeds, first } => simulate::run(first, seeds),
        Command::Fuzz { seconds, require_all, target } => {
            fuzz::run(target.as_deref(), fuzz::Effort::Seconds(seconds), require_all)
        }
        Command::Bench { what: Bench::Call } => bench::call::run(),
        Command::Bench { what: Bench::Form } => bench::form::run(),
        Command::Bench { what: Bench::Http } => bench::http::run(),
        Command::Ci => ci::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::FAILURE
        }
    }
}

/// What went wrong, told to the person who ran the command.
#[derive(Debug)]
struct Failure {
    what: String,
    next: String,
    reported: bool,
}

impl Failure {
    /// `what` happened, and what to do `next`.
    fn new(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { what: what.into(), next: next.into(), reported: false }
    }

    /// A failure that the output tells of already.
    fn already_reported() -> Self {
        Self { what: String::new(), next: String::new(), reported: true }
    }

    fn report(&self) {
        if !self.reported {
            eprintln!("error: {}", self.what);
            eprintln!("  hint: {}", self.next);
        }
    }
}

type Outcome<T = ()> = Result<T, Failure>;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root of the repository")
}

/// Cargo's target directory, where everything that is installed or written here goes.
fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
