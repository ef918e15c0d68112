//! `cargo xtask bench http`: reads and forms over Streamable HTTP beside other clients, and many servers at the same time.
//!
//! As in `bench call`, everything is measured several times in turn and medians are compared.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::call::median;
use super::write_section;
use crate::{Failure, Outcome, root, target};

/// How often each client is run.
const RUNS: usize = 3;
/// How many reads all sessions of a run make together.
const READS: u32 = 1600;
const REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];
const SESSIONS: [u32; 2] = [1, 32];
/// A resource of the travel server that asks nothing, and one that asks one form without fields.
const RESOURCES: [&str; 2] = ["travel://packages", "travel://bookings/latest"];
/// The clients, by the name of their program.
const CLIENTS: [(&str, &str); 3] =
    [("bare", "bench_http_bare"), ("askback", "bench_http_host"), ("`rmcp`", "bench_http_rmcp")];

/// How many servers there are of each kind, over HTTP and over stdio.
const EACH: u32 = 100;
/// What the slowest of them waits, in milliseconds.
const LONGEST: u32 = 3000;

/// Measures and writes the section.
pub(crate) fn run() -> Outcome {
    build()?;
    let mut report = String::from(
        "## Over Streamable HTTP\n\nBy `cargo xtask bench http`: medians, all clients in turn within one run. The server is the travel server in a process of \
         its own. `bare` sends the same requests with the same HTTP library and does nothing else; each client is one process with one thread, and keeps \
         all sessions in it.\n\n",
    );
    report.push_str("| era | sessions | client | reads a second | to bare | a read that asks | the form adds | to bare |\n|---|---|---|---|---|---|---|---|\n");
    for revision in REVISIONS {
        for sessions in SESSIONS {
            report.push_str(&side_by_side(revision, sessions)?);
        }
    }
    report.push_str(&many_servers()?);
    write_section("http", &report)
}

fn build() -> Outcome {
    let packages = ["-p", "askback", "-p", "askback-host", "-p", "askback-travel"];
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--bins", "--examples"])
        .args(packages)
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::new("the release build failed", "run `cargo build --release` and see")),
    }
}

/// The rows of all clients in one revision with so many sessions.
fn side_by_side(revision: &str, sessions: u32) -> Outcome<String> {
    let server = Server::start(&release("askback"), &["demo", "server", "--http", "0"])?;
    let mut measured = [(); CLIENTS.len()].map(|()| [Vec::new(), Vec::new()]);
    for _ in 0..RUNS {
        for ((_, program), columns) in CLIENTS.iter().zip(&mut measured) {
            for (uri, column) in RESOURCES.iter().zip(columns) {
                column.push(loop_of(program, revision, sessions, &server.addresses[0], uri)?);
            }
        }
    }
    let measured = measured.map(|columns| columns.map(median));
    let [bare_plain, bare_asking] = measured[0];
    let mut rows = String::new();
    for ((client, _), [plain, asking]) in CLIENTS.iter().zip(measured) {
        rows.push_str(&format!(
            "| {revision} | {sessions} | {client} | {:.0} | {:.2} | {asking:.0} µs | {:.0} µs | {:.2} |\n",
            1e6 / plain,
            bare_plain / plain,
            asking - plain,
            (asking - plain) / (bare_asking - bare_plain),
        ));
    }
    Ok(rows)
}

/// Microseconds for a read, over all sessions together.
fn loop_of(program: &str, revision: &str, sessions: u32, url: &str, uri: &str) -> Outcome<f64> {
    let failed = |what: String| Failure::new(format!("{program}: {what}"), "run `cargo xtask bench http` again");
    let output = Command::new(release(&format!("examples/{program}")))
        .args([&sessions.to_string(), &(READS / sessions).to_string(), revision, url, uri])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let out = String::from_utf8_lossy(&output.stdout);
    out.trim()
        .parse()
        .map_err(|_| failed(format!("no time in its output: {}", String::from_utf8_lossy(&output.stderr))))
}

/// How long it takes to list many servers at once, beside the slowest of them alone.
fn many_servers() -> Outcome<String> {
    let folder = target().join("bench-http");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()), "is the disk full?");
    fs::create_dir_all(&folder).map_err(failed)?;
    let doors = Server::start(&release("examples/bench_http_slow"), &[&EACH.to_string(), &LONGEST.to_string()])?;
    let askback = release("askback").display().to_string();
    let over_http = doors.addresses.iter().map(|address| format!("url = {address:?}"));
    let over_stdio = (1..=EACH).map(|number| {
        let seconds = f64::from(LONGEST * number / EACH) / 1000.0;
        let script = format!("sleep {seconds}; exec '{askback}' demo server");
        format!("command = \"sh\"\nargs = [\"-c\", {script:?}]")
    });
    let servers: Vec<String> = over_http.chain(over_stdio).collect();
    let slowest = [&servers[EACH as usize - 1], &servers[2 * EACH as usize - 1]];

    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..3 {
        let sets: [&[String]; 3] = [&servers, &[slowest[0].clone()], &[slowest[1].clone()]];
        for (set, times) in sets.iter().zip(&mut times) {
            times.push(list(&folder, set)?.as_secs_f64());
        }
    }
    let [all, http, stdio] = times.map(median);
    let slowest = http.max(stdio);
    Ok(format!(
        "\n### Many servers at the same time\n\n`askback list` with {} servers, half of them over HTTP and half of them processes, which take up to {} s to answer, beside \
         the slowest of them alone. The aim is a ratio of 1.2.\n\n| all of them | the slowest alone | ratio |\n|---|---|---|\n| {all:.2} s | {slowest:.2} s | {:.2} |\n",
        servers.len(),
        LONGEST / 1000,
        all / slowest,
    ))
}

/// Lists these servers with a configuration of their own; every one of them must answer.
fn list(folder: &Path, servers: &[String]) -> Outcome<Duration> {
    let config = folder.join("askback.toml");
    let failed = |what: String| Failure::new(format!("`askback list`: {what}"), "run `cargo xtask bench http` again");
    let text: String =
        servers.iter().enumerate().map(|(number, server)| format!("[servers.s{number}]\n{server}\n\n")).collect();
    fs::write(&config, text).map_err(|error| failed(error.to_string()))?;
    let began = Instant::now();
    let output = Command::new(release("askback"))
        .args(["list", "--json", "--no-input", "--config"])
        .arg(&config)
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let took = began.elapsed();
    let listed = String::from_utf8_lossy(&output.stdout).matches("\"name\": \"book_vacation\"").count();
    if !output.status.success() || listed != servers.len() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{listed} of {} answered: {}", servers.len(), said.lines().next().unwrap_or("?"))));
    }
    Ok(took)
}

/// A program that serves until this is dropped, and where.
struct Server {
    process: Child,
    addresses: Vec<String>,
}

impl Server {
    /// Starts a program that first prints its addresses: as many as its first argument says, or one.
    fn start(program: &Path, arguments: &[&str]) -> Outcome<Server> {
        let failed = |what: String| Failure::new(format!("{}: {what}", program.display()), "run it and see");
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let stdout = process.stdout.take().ok_or_else(|| failed("no standard output".into()))?;
        let count = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(1);
        let mut server = Server { process, addresses: Vec::new() };
        server.addresses = BufReader::new(stdout).lines().take(count).map_while(Result::ok).collect();
        if server.addresses.len() == count { Ok(server) } else { Err(failed("it does not say where it is".into())) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ended or not, nothing more is wanted of it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn release(program: &str) -> PathBuf {
    target().join("release").join(program)
}
