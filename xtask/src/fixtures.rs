//! `cargo xtask fixtures`: writes anew what schema libraries really make of the types that server authors write.
//!
//! The scripts of `peers/form-schemas` are run on the libraries pinned there, and what they print is kept in the repository, so that tests
//! need neither. Must not know what a schema means.

use crate::program::{openly, program};
use crate::setup::{Packages, peers, prepare};
use crate::{Failure, Outcome, root};

const PEER: &str = "form-schemas";
const FIXTURES: &str = "crates/askback-core/tests/fixtures/forms";

/// Installs the libraries, runs the scripts, and says what to do next.
pub(crate) fn run() -> Outcome {
    let folder = peers().join(PEER);
    prepare(PEER, "schema libraries", &[Packages::Python, Packages::Npm]).map_err(|why| {
        Failure::new(format!("the schema libraries could not be installed: {why}"), "is there a network?")
    })?;
    let fixtures = root().join(FIXTURES);
    std::fs::create_dir_all(&fixtures)
        .map_err(|error| Failure::new(format!("cannot make {FIXTURES}: {error}"), "is the repository writable?"))?;
    let hint = "the scripts are in peers/form-schemas";
    openly(program(folder.join("python-venv/bin/python")).arg(folder.join("schemas.py")).arg(&fixtures), hint)?;
    openly(program("node").arg(folder.join("schemas.mjs")).arg(&fixtures), hint)?;
    println!("Now write docs/reference/forms.md anew: UPDATE_DOCS=1 cargo nextest run -p askback-core reference");
    Ok(())
}
