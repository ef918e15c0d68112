//! The scenarios of the folder `scenarios/`, each in every revision and over every transport that it may run in.

use std::path::{Path, PathBuf};

use askback_testkit::run::{self, Programs};
use askback_testkit::scenario::Transport;
use libtest_mimic::Trial;

/// The transports that are tested.
const TRANSPORTS: [Transport; 4] =
    [Transport::Stdio, Transport::Http, Transport::HttpInPieces, Transport::HttpUnderFaults];

/// The programs that take part.
pub(crate) fn programs() -> Programs {
    Programs {
        askback: PathBuf::from(env!("CARGO_BIN_EXE_askback")),
        server: std::env::current_exe().expect("a program knows where it is"),
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    match run::trials(&folder, &TRANSPORTS) {
        Ok(found) => found.into_iter().map(trial).collect(),
        Err(problem) => vec![Trial::test("scenarios::all_can_be_read", move || Err(problem.into()))],
    }
}

fn trial(found: run::Trial) -> Trial {
    Trial::test(format!("scenarios::{}", found.name), move || found.run(&programs()).map_err(Into::into))
}
