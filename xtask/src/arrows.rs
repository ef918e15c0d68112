//! `cargo xtask arrows`: dependencies between the crates of the workspace point one way.
//!
//! The table below is the architecture. A crate that is not in it fails the check, so that each new crate gets its
//! place on purpose.

use serde_json::Value;

use crate::program::{cargo, quietly};
use crate::{Failure, Outcome};

struct Place {
    name: &'static str,
    /// The crates of the workspace that it may depend on.
    may_use: &'static [&'static str],
    /// Other crates that must not be among its dependencies.
    never: &'static [&'static str],
}

const fn place(name: &'static str, may_use: &'static [&'static str]) -> Place {
    Place { name, may_use, never: &[] }
}

#[rustfmt::skip]
const PLACES: &[Place] = &[
    // The rules: pure, with no clock, no runtime and no way to the outside.
    Place { name: "askback-core", may_use: &[], never: OUTSIDE },
    // What speaks to the outside, each in one language.
    place("askback-wire",    &["askback-core"]),
    place("askback-models",  &["askback-core"]),
    place("askback-store",   &["askback-core"]),
    place("askback-desk",    &["askback-core"]),
    // The runtime that joins them.
    place("askback-host",    &["askback-core", "askback-wire", "askback-models", "askback-store", "askback-desk"]),
    // Logging in to servers, behind a trait of the host.
    place("askback-auth",    &["askback-core", "askback-desk", "askback-host"]),
    // The faces: they see the desk, and nothing behind it.
    place("askback-web",     &["askback-core", "askback-desk"]),
    place("askback-term",    &["askback-core", "askback-desk"]),
    // The binary, which wires everything together.
    place("askback",         &["askback-core", "askback-wire", "askback-models", "askback-store", "askback-desk",
                               "askback-host", "askback-auth", "askback-web", "askback-term", "askback-travel"]),
    // A server like those of strangers: it shares no code with the client.
    place("askback-travel",  &[]),
    // For tests only; see TESTKIT.
    place(TESTKIT,           &["askback-core", "askback-wire", "askback-desk", "askback-host"]),
    // What is fuzzed: used by no other crate, and by the workspace in the folder fuzz.
    place("askback-fuzz",    &["askback-core", "askback-wire"]),
    place("xtask",           &[]),
];

/// Any crate of the workspace may use it, but only for its tests.
const TESTKIT: &str = "askback-testkit";

/// Crates that bring I/O, a runtime or chance.
const OUTSIDE: &[&str] = &[
    "tokio",
    "smol",
    "reqwest",
    "hyper",
    "axum",
    "rmcp",
    "crossterm",
    "ratatui",
    "nix",
    "libc",
    "sqlx",
    "rusqlite",
    "rand",
];

/// Crates that belong to one place alone, whoever else may need them.
const ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("sqlx", &["askback-store"], "only the store knows SQL"),
    ("miette", &["askback"], "libraries have their own errors, the binary draws them"),
];

/// One dependency of a crate of the workspace, as `cargo metadata` tells it.
struct Arrow<'a> {
    from: &'a str,
    to: &'a str,
    for_tests: bool,
}

pub(crate) fn run() -> Outcome {
    let hint = "run `cargo metadata --no-deps` and mend what it complains of";
    let metadata = quietly(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))
        .map_err(|why| Failure::new(why, hint))?;
    let metadata = serde_json::from_str(&metadata)
        .map_err(|error| Failure::new(format!("the output of `cargo metadata` is no JSON: {error}"), hint))?;
    let wrong = wrong_arrows(&metadata);
    if wrong.is_empty() {
        println!("arrows ok");
        return Ok(());
    }
    Err(Failure::new(
        format!("{} dependencies point the wrong way:\n  {}", wrong.len(), wrong.join("\n  ")),
        "move the code to where it may know what it needs; the table in xtask/src/arrows.rs is the architecture",
    ))
}

/// What is wrong in the workspace that `metadata` describes, a sentence each.
fn wrong_arrows(metadata: &Value) -> Vec<String> {
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let members: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let unplaced = members
        .iter()
        .filter(|name| PLACES.iter().all(|place| place.name != **name))
        .map(|name| format!("{name} has no place in the table of arrows"));
    let wrong = packages.iter().flat_map(|package| arrows_of(package)).filter_map(|arrow| judge(&arrow, &members));
    unplaced.chain(wrong).collect()
}

fn arrows_of(package: &Value) -> impl Iterator<Item = Arrow<'_>> {
    let from = package["name"].as_str().unwrap_or_default();
    package["dependencies"].as_array().into_iter().flatten().map(move |dependency| Arrow {
        from,
        to: dependency["name"].as_str().unwrap_or_default(),
        for_tests: dependency["kind"] == "dev",
    })
}

/// Why this arrow is wrong, if it is.
fn judge(arrow: &Arrow<'_>, members: &[&str]) -> Option<String> {
    let Arrow { from, to, for_tests } = *arrow;
    let place = PLACES.iter().find(|place| place.name == from)?;
    if members.contains(&to) {
        let allowed = place.may_use.contains(&to) || (to == TESTKIT && for_tests);
        return match (allowed, to == TESTKIT) {
            (true, _) => None,
            (false, true) => Some(format!("{from} → {to}: the testkit is for dev-dependencies only")),
            (false, false) => Some(format!("{from} → {to}: {from} may use {}", list(place.may_use))),
        };
    }
    if for_tests {
        return None;
    }
    if place.never.contains(&to) {
        return Some(format!("{from} → {to}: {from} has no I/O, no runtime and no chance"));
    }
    let (_, owners, why) = ONLY_IN.iter().find(|(name, owners, _)| *name == to && !owners.contains(&from))?;
    Some(format!("{from} → {to}: {why}, so only {} may use it", list(owners)))
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "no crate of the workspace".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Judges a workspace of all crates in the table where `from` has one dependency, of `kind` (null: a normal one).
    #[track_caller]
    fn check(from: &str, to: &str, kind: Value, expected: Option<&str>) {
        let packages: Vec<Value> = PLACES
            .iter()
            .map(|place| {
                let arrows = if place.name == from { json!([{ "name": to, "kind": kind }]) } else { json!([]) };
                json!({ "name": place.name, "dependencies": arrows })
            })
            .collect();
        assert_eq!(wrong_arrows(&json!({ "packages": packages })), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn arrows_along_the_table_are_right() {
        check("askback-host", "askback-wire", json!(null), None);
        check("askback-term", "askback-desk", json!(null), None);
        check("askback", "askback-travel", json!(null), None);
        check("askback-wire", "askback-testkit", json!("dev"), None);
        check("askback-wire", "tokio", json!(null), None);
        check("askback-core", "tokio", json!("dev"), None);
        check("askback-store", "sqlx", json!(null), None);
    }

    #[test]
    fn arrows_against_the_table_are_wrong() {
        check(
            "askback-core",
            "askback-wire",
            json!(null),
            Some("askback-core → askback-wire: askback-core may use no crate of the workspace"),
        );
        check(
            "askback-term",
            "askback-host",
            json!(null),
            Some("askback-term → askback-host: askback-term may use askback-core, askback-desk"),
        );
        check(
            "askback-travel",
            "askback-core",
            json!("dev"),
            Some("askback-travel → askback-core: askback-travel may use no crate of the workspace"),
        );
        check(
            "askback",
            "askback-testkit",
            json!(null),
            Some("askback → askback-testkit: the testkit is for dev-dependencies only"),
        );
        check(
            "xtask",
            "askback-core",
            json!("build"),
            Some("xtask → askback-core: xtask may use no crate of the workspace"),
        );
    }

    #[test]
    fn crates_from_outside_keep_to_their_place() {
        check(
            "askback-core",
            "tokio",
            json!(null),
            Some("askback-core → tokio: askback-core has no I/O, no runtime and no chance"),
        );
        check(
            "askback-host",
            "sqlx",
            json!(null),
            Some("askback-host → sqlx: only the store knows SQL, so only askback-store may use it"),
        );
    }

    #[test]
    fn a_crate_without_a_place_is_reported() {
        let metadata = json!({ "packages": [{ "name": "askback-new", "dependencies": [] }] });
        assert_eq!(wrong_arrows(&metadata), ["askback-new has no place in the table of arrows"]);
    }
}
