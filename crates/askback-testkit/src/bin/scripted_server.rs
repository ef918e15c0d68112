//! A server that does what a scenario file says: for trying a scenario by hand, as in
//! `askback call TOOL -- scripted-server scenarios/FILE.toml`, or `askback call URL TOOL` when it was started with `--http`.

use std::process::ExitCode;

fn main() -> ExitCode {
    askback_testkit::stdio_server::run(std::env::args().skip(1).collect())
}
