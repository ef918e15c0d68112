//! `cargo xtask fuzz`: every target under libFuzzer for a while, on stable Rust and without cargo-fuzz.
//!
//! The compiler counts coverage, which needs neither a sanitizer nor a nightly; libFuzzer itself is C++ and is built along. What is found out
//! on the way stays under `target/fuzz/corpus`, so that the next run begins there.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{cargo, line_of, openly, program, quietly, succeeds};
use crate::{Failure, Outcome, root, target};

struct Target {
    name: &'static str,
    /// The longest input, in bytes.
    max_len: u32,
    /// How many inputs are tried when it has to be the same ones each time: about a quarter of a minute.
    runs: u32,
}

/// How long the targets run.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    /// So many seconds each, with other inputs each time, going on from what was found before.
    Seconds(u64),
    /// The same inputs as long as the code is the same, so that a change fails because of itself.
    Repeatable,
}

const TARGETS: &[Target] = &[
    Target { name: "form_schema", max_len: 4096, runs: 5_000 },
    Target { name: "form_entries", max_len: 4096, runs: 8_000 },
    Target { name: "address", max_len: 1024, runs: 50_000 },
    Target { name: "wire", max_len: 4096, runs: 12_000 },
    Target { name: "answer_file", max_len: 2048, runs: 80_000 },
    Target { name: "root", max_len: 512, runs: 50_000 },
];

/// Coverage of edges, counted inline, and of comparisons, so that the fuzzer sees what a text is compared with.
const RUSTFLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// Seconds that one input may take before it counts as a hang; machines are busy, and this is a build without much optimisation.
const TIMEOUT: u32 = 10;
/// MiB of memory that a target may use.
const MEMORY: u32 = 1024;
/// How much of libFuzzer's output is shown when a target fails.
const LAST_LINES: usize = 60;

/// Runs the target of that name, or all of them.
pub(crate) fn run(name: Option<&str>, effort: Effort, require_all: bool) -> Outcome {
    let chosen: Vec<&Target> = TARGETS.iter().filter(|target| name.is_none_or(|name| name == target.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        let what = format!("there is no fuzz target {:?}", name.unwrap_or_default());
        return Err(Failure::new(what, format!("choose one of {}", names.join(", "))));
    }
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if !succeeds(program(&compiler).arg("--version")) {
        let what = format!("fuzzing needs a C++ compiler, and {} does not start", compiler.display());
        if require_all {
            return Err(Failure::new(what, "install g++ or clang, or say which one in CXX"));
        }
        println!("*** SKIPPED: {what} ***");
        return Ok(());
    }
    let folder = build(&chosen)?;
    for target in chosen {
        fuzz(target, &folder, effort)?;
    }
    Ok(())
}

/// Builds the targets and returns the folder of the programs.
fn build(targets: &[&Target]) -> Outcome<PathBuf> {
    let hint = "is the Rust compiler installed, and on PATH?";
    let version = quietly(program("rustc").arg("-vV")).map_err(|why| Failure::new(why, hint))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Failure::new("`rustc -vV` does not name its host", hint))?;

    let mut command = cargo();
    command.args(["build", "--locked", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
    // With a target named, build scripts and macros are left without the counters, which would find nothing to report to.
    command.args(["--target", host]);
    for target in targets {
        command.args(["--bin", target.name]);
    }
    let all = target().join("fuzz");
    command.env("CARGO_TARGET_DIR", &all).env("RUSTFLAGS", RUSTFLAGS.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    openly(&mut command, "the fuzz targets do not build; `cargo test -p askback-fuzz` builds what they do")?;
    Ok(all.join(host).join("release"))
}

/// Runs one target; what is shown of it is one line, unless it fails.
fn fuzz(target: &Target, folder: &Path, effort: Effort) -> Outcome {
    let name = target.name;
    let found = match effort {
        Effort::Seconds(_) => crate::target().join("fuzz/corpus").join(name),
        Effort::Repeatable => crate::target().join("fuzz/repeatable").join(name),
    };
    if matches!(effort, Effort::Repeatable) {
        // What an earlier run found would make this one another.
        let _ = fs::remove_dir_all(&found);
    }
    let artifacts = crate::target().join("fuzz/artifacts").join(name);
    for folder in [&found, &artifacts] {
        fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("{} cannot be made: {error}", folder.display()), "check the permissions there")
        })?;
    }
    let mut command = program(folder.join(name));
    match effort {
        Effort::Seconds(seconds) => command.arg(format!("-max_total_time={seconds}")),
        Effort::Repeatable => command.args(["-seed=1".to_owned(), format!("-runs={}", target.runs)]),
    };
    command.args([
        format!("-max_len={}", target.max_len),
        format!("-timeout={TIMEOUT}"),
        format!("-rss_limit_mb={MEMORY}"),
        format!("-artifact_prefix={}/", artifacts.display()),
        "-print_final_stats=1".to_owned(),
    ]);
    let fuzz = root().join("fuzz");
    let words = fuzz.join("dictionaries").join(format!("{name}.dict"));
    if words.is_file() {
        command.arg(format!("-dict={}", words.display()));
    }
    // New inputs go to the first folder; the others are only read.
    command.arg(&found).arg(fuzz.join("corpus").join(name));
    command.args(Some(fuzz.join("regressions").join(name)).filter(|folder| folder.is_dir()));

    let mut told = Told::default();
    let succeeded = told.listen(&mut command)?;
    if succeeded && told.inputs > 0 {
        println!("{name}: {} inputs, {} points of the code before, {} after", told.inputs, told.before, told.after);
        return Ok(());
    }
    for line in &told.last_lines {
        eprintln!("{line}");
    }
    Err(Failure::new(
        format!("the fuzz target {name} found something; its output above says what"),
        format!(
            "mend what fails, copy the input from {} to fuzz/regressions/{name} under a name that tells what it was, and \
             give it a test beside the code; `cargo test -p askback-fuzz` replays it",
            artifacts.display()
        ),
    ))
}

/// What libFuzzer has told so far.
#[derive(Default)]
struct Told {
    /// Points of the code reached by the corpus, and by everything that was tried.
    before: u64,
    after: u64,
    inputs: u64,
    last_lines: VecDeque<String>,
}

impl Told {
    /// Runs the program to its end, and says whether it succeeded.
    fn listen(&mut self, command: &mut Command) -> Outcome<bool> {
        let line = line_of(command);
        let failed = |error| Failure::new(format!("`{line}` did not run: {error}"), "run `cargo xtask fuzz` again");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        let errors = child.stderr.take().expect("standard error is piped");
        for line in BufReader::new(errors).split(b'\n') {
            self.hear(&String::from_utf8_lossy(&line.map_err(failed)?));
        }
        child.wait().map(|status| status.success()).map_err(failed)
    }

    fn hear(&mut self, line: &str) {
        if let Some((_, rest)) = line.split_once(" cov: ")
            && let Some(covered) = rest.split(' ').next().and_then(|number| number.parse().ok())
        {
            if line.contains("INITED") {
                self.before = covered;
            }
            self.after = covered;
        }
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            self.inputs = number.trim().parse().unwrap_or(0);
        }
        if self.last_lines.len() == LAST_LINES {
            self.last_lines.pop_front();
        }
        self.last_lines.push_back(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, Told};
    use crate::root;

    #[test]
    fn what_libfuzzer_tells_is_understood() {
        let mut told = Told::default();
        for line in [
            "#132\tINITED cov: 3070 ft: 9121 corp: 110/20Kb exec/s: 0 rss: 60Mb",
            "#4096\tpulse  cov: 3081 ft: 9200 corp: 112/20Kb lim: 4096 exec/s: 2048 rss: 70Mb",
            "stat::number_of_executed_units: 8192",
        ] {
            told.hear(line);
        }
        assert_eq!((told.before, told.after, told.inputs), (3070, 3081, 8192));
    }

    #[test]
    fn every_target_has_its_program_and_its_seeds() {
        for target in TARGETS {
            let fuzz = root().join("fuzz");
            assert!(fuzz.join(format!("fuzz_targets/{}.rs", target.name)).is_file(), "{}", target.name);
            assert!(fuzz.join("corpus").join(target.name).is_dir(), "{}", target.name);
        }
    }
}
