//! `cargo xtask bench call`: what a call costs, beside a bare program and beside other clients, in one run.
//!
//! Everything is measured several times in turn, so that whatever else the machine does hits all alike; medians are compared, and ratios
//! written to `docs/benchmarks.md`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::write_section;
use crate::{Failure, root, target};

/// How often each whole program is run.
const RUNS: usize = 25;
/// How often a slow client is run.
const SLOW_RUNS: usize = 7;
/// How many calls a loop makes.
const CALLS: &str = "2000";
/// How often each loop is run.
const LOOPS: usize = 7;

/// A resource of the travel server that asks nothing, and one that asks one form without fields.
const PLAIN: &str = "travel://packages";
const ASKING: &str = "travel://bookings/latest";

/// One way to make a call.
struct Way {
    name: &'static str,
    command: Vec<String>,
    runs: usize,
}

/// How long a program took: until the answer was there, and until it had ended.
#[derive(Clone, Copy)]
struct Times {
    answer: Duration,
    end: Duration,
}

/// Measures and writes the section.
pub(crate) fn run() -> Result<(), Failure> {
    build()?;
    let release = target().join("release");
    let askback = text(&release.join("askback"));
    let bare = text(&release.join("examples/bench_bare"));
    let host = text(&release.join("examples/bench_host"));
    let server = [askback.clone(), "demo".into(), "server".into()];
    let mut report = String::from(HEAD);

    report.push_str(
        "\nThe server is the travel server; `bare` is a program that writes the same lines and does nothing else.\n\n",
    );
    report.push_str("| era | bare, answer | askback, answer | own overhead | ratio | askback, answer before end |\n|---|---|---|---|---|---|\n");
    for version in ["2026-07-28", "2025-11-25"] {
        let plain = |program: &str| -> Vec<String> {
            let head = [program, "0", version, PLAIN, "{}", "--"].map(str::to_owned);
            head.into_iter().chain(server.clone()).collect()
        };
        let read = ["read", PLAIN, "--json", "--no-input", "--protocol", version, "--"].map(str::to_owned);
        let ours = std::iter::once(askback.clone()).chain(read).chain(server.clone()).collect();
        let ways = [
            Way { name: "bare", command: plain(&bare), runs: RUNS },
            Way { name: "askback", command: ours, runs: RUNS },
        ];
        let times = race(&ways)?;
        let (bare, ours) = (times[0], times[1]);
        report.push_str(&format!(
            "| {version} | {} | {} | {} | {:.2} | {} |\n",
            ms(bare.answer),
            ms(ours.answer),
            ms(ours.answer.saturating_sub(bare.answer)),
            ratio(ours.answer, bare.answer),
            ms(ours.end.saturating_sub(ours.answer)),
        ));
    }

    report.push_str("\n## One form, answered from an answer file\n\n");
    report.push_str(&format!(
        "What one form adds to a call, in a loop of {CALLS} calls over one connection: the time of a call that asks, less that of one that does not.\n\n"
    ));
    report.push_str(
        "| era | bare: plain, asking, added | askback: plain, asking, added | added, ratio |\n|---|---|---|---|\n",
    );
    for version in ["2026-07-28", "2025-11-25"] {
        let mut measured = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
        for _ in 0..LOOPS {
            for (row, program) in [&bare, &host].into_iter().enumerate() {
                for (column, uri) in [PLAIN, ASKING].into_iter().enumerate() {
                    measured[row][column].push(in_a_loop(program, version, uri, &server)?);
                }
            }
        }
        let [[bare_plain, bare_asking], [our_plain, our_asking]] = measured.map(|row| row.map(median));
        let (bare_added, our_added) = (bare_asking - bare_plain, our_asking - our_plain);
        report.push_str(&format!(
            "| {version} | {bare_plain:.0}, {bare_asking:.0}, {bare_added:.0} µs | {our_plain:.0}, {our_asking:.0}, {our_added:.0} µs | {:.2} |\n",
            our_added / bare_added
        ));
    }

    report.push_str(
        "\nThe aim is 1.3. What lies above it are steps between tasks, reading the form and checking the answer: some 20 µs for each line that comes, beside\n\
         a server that needs less than 100 µs itself; from run to run the ratio moves by a third. Beside slower servers the difference drowns.\n",
    );
    report.push_str("\n## Beside other clients\n\n");
    report.push_str(&beside(&askback)?);
    write_section("call", &report)
}

const HEAD: &str = "## One call, from start to answer

By `cargo xtask bench call`: medians, all programs in turn within one run.
";

fn build() -> Result<(), Failure> {
    let args = ["build", "--release", "--locked", "-p", "askback", "-p", "askback-host", "--bins", "--examples"];
    let status = Command::new("cargo").args(args).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::new("the release build failed", "run `cargo build --release` and see")),
    }
}

/// The echo tool of the TypeScript server through the clients that are installed.
fn beside(askback: &str) -> Result<String, Failure> {
    let peers = target().join("peers");
    let server = peers.join("typescript-modern/server.mjs");
    if !server.is_file() {
        return Ok("Not measured: `cargo xtask setup --bench` installs the server and the clients.\n".into());
    }
    let node = ["node".to_owned(), text(&server)];
    let words = |head: &[&str]| -> Vec<String> { head.iter().map(|word| (*word).to_owned()).collect() };
    let ours = words(&[askback, "call", "echo", "text=hi", "--json", "--no-input", "--"]);
    let mut ways =
        vec![Way { name: "askback call", command: ours.into_iter().chain(node.clone()).collect(), runs: SLOW_RUNS }];
    let client = peers.join("typescript-client/call.mjs");
    if client.is_file() {
        let head = words(&["node", &text(&client), "--args", r#"{"text":"hi"}"#, "echo", "--"]);
        ways.push(Way {
            name: "TypeScript SDK client",
            command: head.into_iter().chain(node.clone()).collect(),
            runs: SLOW_RUNS,
        });
    }
    let inspector =
        peers.join("inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    if inspector.is_file() {
        let head = words(&["node", &text(&inspector), "--cli"]);
        let tail = words(&[
            "--method",
            "tools/call",
            "--tool-name",
            "echo",
            "--tool-arg",
            "text=hi",
            "--protocol-era",
            "modern",
            "--format",
            "json",
            "-q",
        ]);
        let command = head.into_iter().chain(node.clone()).chain(tail).collect();
        ways.push(Way { name: "Inspector's command line", command, runs: SLOW_RUNS });
    }
    let times = race(&ways)?;
    let mut table = String::from(
        "The tool `echo` of a small server on the TypeScript SDK, revision 2026-07-28.\n\n| client | answer | ratio |\n|---|---|---|\n",
    );
    for (way, measured) in ways.iter().zip(&times) {
        let ratio = ratio(measured.answer, times[0].answer);
        table.push_str(&format!("| {} | {} | {ratio:.2} |\n", way.name, ms(measured.answer)));
    }
    if ways.len() < 3 {
        table.push_str("\nClients that are missing here: `cargo xtask setup --bench` installs them.\n");
    }
    Ok(table)
}

/// Runs all ways in turn and gives the median of each.
fn race(ways: &[Way]) -> Result<Vec<Times>, Failure> {
    let most = ways.iter().map(|way| way.runs).max().unwrap_or(0);
    let mut measured: Vec<Vec<Times>> = ways.iter().map(|_| Vec::new()).collect();
    for turn in 0..most {
        for (way, times) in ways.iter().zip(&mut measured) {
            if turn < way.runs {
                times.push(once(way)?);
            }
        }
    }
    let middle = |times: &[Times], part: fn(&Times) -> Duration| {
        let mut sorted: Vec<Duration> = times.iter().map(part).collect();
        sorted.sort();
        sorted[sorted.len() / 2]
    };
    Ok(measured
        .iter()
        .map(|times| Times { answer: middle(times, |t| t.answer), end: middle(times, |t| t.end) })
        .collect())
}

/// One run: the answer is there with the first bytes of standard output.
fn once(way: &Way) -> Result<Times, Failure> {
    let failed =
        |what: String| Failure::new(format!("{}: {what}", way.name), format!("run it: {}", way.command.join(" ")));
    let began = Instant::now();
    let mut child = Command::new(&way.command[0])
        .args(&way.command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut out = child.stdout.take().ok_or_else(|| failed("no standard output".into()))?;
    let mut buffer = [0; 65536];
    let first = out.read(&mut buffer).map_err(|error| failed(error.to_string()))?;
    let answer = began.elapsed();
    while out.read(&mut buffer).is_ok_and(|count| count > 0) {}
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    if first == 0 || !status.success() {
        return Err(failed(format!("ended with {status} and {first} bytes of output")));
    }
    Ok(Times { answer, end: began.elapsed() })
}

/// Microseconds per call of a loop.
fn in_a_loop(program: &str, version: &str, uri: &str, server: &[String]) -> Result<f64, Failure> {
    let failed = |what: String| Failure::new(format!("{program}: {what}"), "run `cargo xtask bench call` again");
    let output = Command::new(program)
        .args([CALLS, version, uri, "{}", "--"])
        .args(server)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let out = String::from_utf8_lossy(&output.stdout);
    out.lines()
        .last()
        .and_then(|line| line.parse().ok())
        .ok_or_else(|| failed(format!("no time at the end of its output: {}", String::from_utf8_lossy(&output.stderr))))
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn ms(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1000.0)
}

fn text(path: &Path) -> String {
    PathBuf::from(path).display().to_string()
}
