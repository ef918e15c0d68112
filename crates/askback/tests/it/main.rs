//! Everything that is tested with the real binary, in one program.
//!
//! The program has no harness of the compiler's, for two reasons: each scenario is a test of its own, named after its file; and the program
//! is a scripted server as well when it is started as one, so that nothing else has to be built or found.

mod scenarios;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if let Some(code) = askback_testkit::stdio_server::run_if_asked() {
        return code;
    }
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = scenarios::trials();
    libtest_mimic::run(&arguments, trials).exit_code()
}
