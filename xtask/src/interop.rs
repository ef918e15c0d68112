//! `cargo xtask interop`: tries out the real servers, and writes or checks `docs/reference/interop.md`.

use crate::program::{cargo, openly};
use crate::{Outcome, root, setup, target};

/// Runs the conversations of `peers/interop.toml` through a fresh build of the binary. With `check`, nothing is written.
pub(crate) fn run(check: bool) -> Outcome {
    // A row that is missing would be a lie as well.
    setup::run(false, true)?;
    openly(cargo().args(["build", "--quiet", "--locked", "-p", "askback"]), "its output above says why")?;
    let mut command = cargo();
    command.args(["run", "--quiet", "--locked", "-p", "askback-testkit", "--example", "interop", "--"]);
    command.arg(target().join("debug/askback"));
    command.args([root().join("peers/interop.toml"), root().join("docs/reference/interop.md")]);
    command.args(check.then_some("--check"));
    command.env("ASKBACK_PEERS", setup::peers()).env("ASKBACK_REQUIRE_ALL", "1");
    openly(&mut command, "if the page lies, run `cargo xtask interop`, and find out why it has come to that")
}
