//! Everything that is tested with the real binary, in one program.
//!
//! The program has no harness of the compiler's, for two reasons: each scenario is a test of its own, named after its file; and the program
//! is a scripted server as well when it is started as one, so that nothing else has to be built or found.

#![expect(clippy::unwrap_used, reason = "a test without the compiler's harness is a test all the same")]

mod askback;
mod changes;
mod command_line;
mod disclosed;
mod endpoint;
mod everything;
mod gates;
mod interop;
mod login;
mod looks;
mod models;
mod permissions;
mod person;
mod processes;
mod progress;
#[cfg(target_os = "linux")]
mod sandbox;
mod scenarios;
mod sdk_servers;
mod servers_in_use;
mod shell;
mod travel;
mod travel_http;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// Makes trials of functions, under the name of their module. A function that is left out is never used, which the compiler reports.
macro_rules! tests {
    ($module:literal: $($name:ident),+ $(,)?) => {
        vec![$(libtest_mimic::Trial::test(concat!($module, "::", stringify!($name)), || {
            $name(concat!($module, "::", stringify!($name)));
            Ok(())
        })),+]
    };
}
pub(crate) use tests;

fn main() -> ExitCode {
    if let Some(code) = askback_testkit::stdio_server::run_if_asked() {
        return code;
    }
    if let Some(code) = askback_testkit::hostile_server::run_if_asked() {
        return code;
    }
    let arguments = Arguments::from_args();
    let groups: Vec<Vec<Trial>> = vec![
        scenarios::trials(),
        changes::trials(),
        disclosed::trials(),
        processes::trials(),
        command_line::trials(),
        login::trials(),
        looks::trials(),
        models::trials(),
        gates::trials(),
        permissions::trials(),
        progress::trials(),
        #[cfg(target_os = "linux")]
        sandbox::trials(),
        shell::trials(),
        travel::trials(),
        travel_http::trials(),
        sdk_servers::trials(),
        everything::trials(),
        servers_in_use::trials(),
        interop::trials(),
    ];
    libtest_mimic::run(&arguments, groups.into_iter().flatten().collect()).exit_code()
}
