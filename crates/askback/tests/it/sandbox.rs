//! Servers in a sandbox: a hostile one gets nowhere, and ordinary ones work.
//!
//! On a kernel that cannot enforce a sandbox the same tests assert that the server is not started.

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};

use askback_testkit::hostile_server::{ROLE, SECRET};
use askback_testkit::peers::{Over, Reach, reach};
use askback_testkit::surroundings::Surroundings;
use landlock::{ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};
use libtest_mimic::Trial;
use serde_json::json;

use crate::askback::{Outcome, Run};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("sandbox":
        a_hostile_server_gets_everywhere_without_one,
        a_hostile_server_gets_nowhere_outside_the_roots,
        a_hostile_server_writes_nothing_where_it_may_only_read,
        a_hostile_server_gets_nowhere_that_is_excluded,
        no_network_means_none,
        ports_mean_these_ports,
        what_is_granted_besides_can_be_had,
        sockets_that_are_files_can_be_granted,
        without_landlock_the_server_is_not_started,
        a_grant_of_nothing_is_a_mistake,
        a_container_engine_is_not_started,
        the_list_says_what_a_server_may_reach,
        the_reason_for_a_failure_may_be_the_sandbox,
        filesystem_writes_in_the_root_and_not_beside_it,
        filesystem_writes_nothing_in_a_root_to_be_read,
        servers_of_node_and_python_start,
        npx_starts_a_package,
    )
}

/// What is attacked, and those who would notice.
struct Targets {
    surroundings: Surroundings,
    tcp: TcpListener,
    _udp: UdpSocket,
    _socket: UnixListener,
    _nameless: UnixListener,
    arguments: String,
}

impl Targets {
    fn new() -> Targets {
        use std::os::linux::net::SocketAddrExt as _;
        let surroundings = Surroundings::new().unwrap();
        let (inside, outside) = (surroundings.work().join("root"), surroundings.work().join("beside"));
        for folder in [&inside, &outside, &surroundings.path("home").join(".ssh")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for file in ["plan.txt", "old.txt"] {
            std::fs::write(inside.join(file), "x").unwrap();
        }
        for file in ["secret.txt", "over.txt", "long.txt", "remove.txt", "carry.txt"] {
            std::fs::write(outside.join(file), SECRET).unwrap();
        }
        std::fs::write(surroundings.path("home").join(".ssh/id"), SECRET).unwrap();
        let tcp = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
        let path = surroundings.work().join("desktop.sock");
        let name = format!("askback-test-{}-{port}", std::process::id());
        let nameless = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let arguments = json!({
            "inside": inside, "outside": outside, "home": surroundings.path("home"),
            "port": port, "socket": path, "name": name,
        });
        let socket = UnixListener::bind(&path).unwrap();
        Targets { arguments: arguments.to_string(), surroundings, tcp, _udp: udp, _socket: socket, _nameless: nameless }
    }

    fn port(&self) -> u16 {
        self.tcp.local_addr().unwrap().port()
    }

    fn outside(&self) -> PathBuf {
        self.surroundings.work().join("beside")
    }

    fn attack(&self, sandbox: &str) -> Outcome {
        let root = self.surroundings.work().join("root").display().to_string();
        configure(&self.surroundings, &itself(), &[ROLE], sandbox);
        Run::new(&self.surroundings, &["call", "server", "attempt", "--args", &self.arguments, "--root", &root]).go()
    }
}

fn itself() -> String {
    std::env::current_exe().unwrap().display().to_string()
}

/// Writes a configuration with one server of the name `server`.
fn configure(surroundings: &Surroundings, program: &str, args: &[&str], sandbox: &str) {
    let text = format!("[servers.server]\ncommand = {program:?}\nargs = {args:?}\nsandbox = {sandbox}\n");
    std::fs::write(surroundings.work().join("askback.toml"), text).unwrap();
}

/// Whether this kernel can hold a server in a sandbox.
fn kernel_can() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules.handle_access(AccessFs::from_all(ABI::V3)).is_ok()
}

/// What came of a run in a sandbox; nothing where the kernel cannot enforce one, and then the run has to have been refused.
fn held(outcome: Outcome) -> Option<Outcome> {
    if kernel_can() {
        return Some(outcome);
    }
    let outcome = outcome.ended_with(3).failed_as("connect");
    assert!(outcome.stderr.contains("is not started"), "{}", outcome.stderr);
    eprintln!("this kernel has no Landlock that would do: the server was refused");
    None
}

/// What was attempted with success, but for what is always allowed.
fn done(outcome: &Outcome) -> Vec<String> {
    let outcomes = outcome.json_text();
    let outcomes = outcomes.as_object().unwrap_or_else(|| panic!("{}\n{}", outcome.stdout, outcome.stderr));
    assert!(outcomes.len() > 40, "{outcomes:#?}");
    for (name, outcome) in outcomes.iter().filter(|(name, _)| name.starts_with("own: ")) {
        assert_eq!(outcome, "done", "{name}");
    }
    let done = outcomes.iter().filter(|(name, outcome)| !name.starts_with("own: ") && *outcome == "done");
    done.map(|(name, _)| name.clone()).collect()
}

const IN_THE_ROOT: [&str; 3] = ["root: write", "root: rename", "root: remove"];
const NETWORK: [&str; 3] = ["tcp: connect", "tcp: listen", "udp"];

fn a_hostile_server_gets_everywhere_without_one(_: &str) {
    let targets = Targets::new();
    let outcome = targets.attack("\"off\"").ended_with(0);
    let outcomes = outcome.json_text();
    // What only root may do anywhere is no success of this server's.
    let of_root = ["device", "passwords", "signal to everybody's ancestor"];
    let failed: Vec<_> = outcomes.as_object().unwrap().iter().filter(|(_, outcome)| *outcome != "done").collect();
    let failed: Vec<_> = match nix::unistd::Uid::effective().is_root() {
        true => failed,
        false => failed.into_iter().filter(|(name, _)| !of_root.contains(&name.as_str())).collect(),
    };
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(targets.outside().join("created.txt").exists());
}

fn a_hostile_server_gets_nowhere_outside_the_roots(_: &str) {
    let targets = Targets::new();
    let before = snapshot(&targets.outside());
    let Some(outcome) = held(targets.attack("\"roots\"")) else { return };
    assert_eq!(done(&outcome.ended_with(0)), [&IN_THE_ROOT[..], &NETWORK].concat());
    assert_eq!(snapshot(&targets.outside()), before);
}

fn a_hostile_server_writes_nothing_where_it_may_only_read(_: &str) {
    let targets = Targets::new();
    let root = targets.surroundings.work().join("root");
    let before = snapshot(&root);
    let Some(outcome) = held(targets.attack("\"read-only\"")) else { return };
    assert_eq!(done(&outcome.ended_with(0)), NETWORK);
    assert_eq!(snapshot(&root), before);
}

/// What is attacked lies in the root this time, and is excluded from it.
fn a_hostile_server_gets_nowhere_that_is_excluded(_: &str) {
    let targets = Targets::new();
    let before = snapshot(&targets.outside());
    let work = targets.surroundings.work();
    let text = format!(
        "[servers.server]\ncommand = {:?}\nargs = [{ROLE:?}]\nsandbox = \"roots\"\n\n[[roots]]\npath = {work:?}\nexclude = [\"beside\"]\n",
        itself()
    );
    std::fs::write(work.join("askback.toml"), text).unwrap();
    let words = ["call", "server", "attempt", "--args", &targets.arguments];
    let Some(outcome) = held(Run::new(&targets.surroundings, &words).go()) else { return };
    assert_eq!(done(&outcome.ended_with(0)), [&IN_THE_ROOT[..], &NETWORK].concat());
    assert_eq!(snapshot(&targets.outside()), before);
}

/// The files of a folder, with what is in them.
fn snapshot(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap_or_default())).collect()
}

fn no_network_means_none(_: &str) {
    let targets = Targets::new();
    let Some(outcome) = held(targets.attack("{ mode = \"roots\", network = \"none\" }")) else { return };
    assert_eq!(done(&outcome.ended_with(0)), IN_THE_ROOT);
}

fn ports_mean_these_ports(_: &str) {
    let targets = Targets::new();
    let (port, other) = (targets.port(), if targets.port() == 9 { 10 } else { 9 });
    let outcome = targets.attack(&format!("{{ mode = \"roots\", network = [{port}] }}"));
    if outcome.stderr.contains("6.7") && outcome.code == 3 {
        assert!(
            Ruleset::default()
                .set_compatibility(CompatLevel::HardRequirement)
                .handle_access(landlock::AccessNet::from_all(ABI::V4))
                .is_err()
        );
        return;
    }
    let Some(outcome) = held(outcome) else { return };
    assert_eq!(done(&outcome.ended_with(0)), [&IN_THE_ROOT[..], &["tcp: connect", "udp"]].concat());
    let targets = Targets::new();
    let outcome = targets.attack(&format!("{{ mode = \"roots\", network = [{other}] }}"));
    assert_eq!(done(&outcome.ended_with(0)), [&IN_THE_ROOT[..], &["udp"]].concat());
}

fn what_is_granted_besides_can_be_had(_: &str) {
    let targets = Targets::new();
    let outside = targets.outside().display().to_string();
    let Some(outcome) = held(targets.attack(&format!("{{ mode = \"roots\", read = [{outside:?}] }}"))) else { return };
    let done = done(&outcome.ended_with(0));
    assert!(
        ["read", "list", "dots", "symbolic link"].iter().all(|name| done.iter().any(|done| done == name)),
        "{done:?}"
    );
    assert!(
        !done
            .iter()
            .any(|name| ["write over", "create", "remove", "truncate", "rename outwards"].contains(&name.as_str())),
        "{done:?}"
    );
}

fn sockets_that_are_files_can_be_granted(_: &str) {
    let targets = Targets::new();
    let Some(outcome) = held(targets.attack("{ mode = \"roots\", unix_sockets = true }")) else { return };
    let done = done(&outcome.ended_with(0));
    assert!(done.contains(&"socket that is a file".to_owned()), "{done:?}");
}

/// Runs this as if the kernel had no Landlock.
fn without_landlock<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    use nix::libc;
    use seccompiler::{SeccompAction, SeccompFilter};
    let restricted = move || {
        let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())].into_iter().collect();
        let missing = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let filter =
            SeccompFilter::new(rules, SeccompAction::Allow, missing, std::env::consts::ARCH.try_into().unwrap());
        let program: seccompiler::BpfProgram = filter.unwrap().try_into().unwrap();
        seccompiler::apply_filter(&program).unwrap();
        run()
    };
    std::thread::spawn(restricted).join().unwrap()
}

fn without_landlock_the_server_is_not_started(_: &str) {
    let targets = Targets::new();
    let (outcome, targets) = without_landlock(move || (targets.attack("\"roots\""), targets));
    let outcome = outcome.ended_with(3).failed_as("connect");
    assert!(
        outcome.stderr.contains("server is not started, because its sandbox cannot be enforced here"),
        "{}",
        outcome.stderr
    );
    assert!(targets.surroundings.work().join("root/old.txt").exists(), "the server ran");
    let (outcome, _) = without_landlock(move || (targets.attack("\"off\""), targets));
    outcome.ended_with(0);
}

fn a_grant_of_nothing_is_a_mistake(_: &str) {
    let targets = Targets::new();
    let Some(outcome) = held(targets.attack("{ mode = \"roots\", read = [\"/no/such/folder\"] }")) else { return };
    let outcome = outcome.ended_with(3).failed_as("connect");
    assert!(outcome.stderr.contains("/no/such/folder, which cannot be opened"), "{}", outcome.stderr);
}

fn a_container_engine_is_not_started(_: &str) {
    let surroundings = Surroundings::new().unwrap();
    let engine = surroundings.work().join("docker");
    std::fs::write(&engine, "#!/bin/sh\n").unwrap();
    std::os::unix::fs::symlink("/bin/true", surroundings.work().join("podman")).unwrap();
    for name in ["./docker", "./podman"] {
        configure(&surroundings, name, &[], "\"roots\"");
        let outcome = Run::new(&surroundings, &["call", "server", "x"]).go().ended_with(3);
        assert!(outcome.stderr.contains("no sandbox of ours holds"), "{}", outcome.stderr);
    }
}

fn the_list_says_what_a_server_may_reach(_: &str) {
    let surroundings = Surroundings::new().unwrap();
    let work = surroundings.work().display().to_string();
    configure(&surroundings, &itself(), &[ROLE], "{ mode = \"roots\", read = [\"/usr/share\"], network = [443] }");
    let Some(outcome) = held(Run::new(&surroundings, &["list", "server", "--root", &work]).go()) else { return };
    let outcome = outcome.ended_with(0);
    let sandbox = &outcome.document["servers"][0]["sandbox"];
    let expected = json!({
        "mode": "roots", "roots": [work], "read": ["/usr/share"], "write": [], "network": [443], "unixSockets": false,
    });
    assert_eq!(*sandbox, expected);
    for (lang, line) in [
        ("en", format!("sandbox (roots): reads and writes {work}; reads /usr/share; network: TCP to 443")),
        ("zh-CN", format!("沙盒（roots）：可读写 {work}；可读取 /usr/share；网络：仅限 TCP 端口 443")),
    ] {
        let mut command = surroundings.command(&crate::askback::binary());
        let output = command.args(["list", "server", "--root", &work, "--lang", lang]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.lines().any(|found| found.trim() == line), "{text}");
    }
}

fn the_reason_for_a_failure_may_be_the_sandbox(_: &str) {
    let surroundings = Surroundings::new().unwrap();
    configure(&surroundings, "/usr/bin/env", &["sh", "-c", "cat /etc/shadow"], "\"roots\"");
    let Some(outcome) = held(Run::new(&surroundings, &["call", "server", "x"]).go()) else { return };
    let outcome = outcome.ended_with(3);
    for part in ["Permission denied", "sandbox (roots): writes nothing of yours", "under servers.server.sandbox"] {
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
}

/// Calls a tool of a peer in a sandbox.
fn peer(test: &str, name: &str, surroundings: &Surroundings, sandbox: &str, words: &[&str]) -> Option<Outcome> {
    let Reach::Command(mut command) = reach(test, name, Over::Stdio)? else { return None };
    if name == "filesystem" {
        command.push(surroundings.work().display().to_string());
    }
    let (program, args) = command.split_first()?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    configure(surroundings, program, &args, sandbox);
    held(Run::new(surroundings, words).go())
}

/// `server-filesystem` writes to this path. The root is `root`, and the server is told that `beside` is one as well, on its command line and
/// when it asks, so that nothing but the sandbox holds it.
fn write(test: &str, surroundings: &Surroundings, sandbox: &str, path: &Path) -> Option<Outcome> {
    let Reach::Command(mut command) = reach(test, "filesystem", Over::Stdio)? else { return None };
    let [root, beside] = ["root", "beside"].map(|name| surroundings.work().join(name).display().to_string());
    command.extend([root.clone(), beside.clone()]);
    let (program, args) = command.split_first()?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    configure(surroundings, program, &args, sandbox);
    let told = format!("[[answer]]\nkind = \"roots\"\nroots = [{root:?}, {beside:?}]\n");
    let path = format!("path={}", path.display());
    let words = ["call", "server", "write_file", &path, "content=Beach first.", "--root", &root, "--allow-unused"];
    let outcome = Run::new(surroundings, &words).answers(&told).go();
    if sandbox == "\"off\"" { Some(outcome) } else { held(outcome) }
}

fn filesystem_writes_in_the_root_and_not_beside_it(test: &str) {
    let surroundings = Surroundings::new().unwrap();
    let (root, beside) = (surroundings.work().join("root"), surroundings.work().join("beside"));
    for folder in [&root, &beside] {
        std::fs::create_dir(folder).unwrap();
    }
    let Some(outcome) = write(test, &surroundings, "\"roots\"", &root.join("plan.txt")) else { return };
    outcome.ended_with(0);
    assert_eq!(std::fs::read_to_string(root.join("plan.txt")).unwrap(), "Beach first.");
    let Some(outcome) = write(test, &surroundings, "\"roots\"", &beside.join("plan.txt")) else { return };
    let outcome = outcome.ended_with(1).failed_as("tool-error");
    assert!(outcome.text().contains("EACCES") && outcome.stderr.contains("sandbox (roots)"), "{}", outcome.stderr);
    assert!(!beside.join("plan.txt").exists());
    // Nothing but the sandbox held it.
    let Some(outcome) = write(test, &surroundings, "\"off\"", &beside.join("plan.txt")) else { return };
    outcome.ended_with(0);
    assert!(beside.join("plan.txt").exists());
}

fn filesystem_writes_nothing_in_a_root_to_be_read(test: &str) {
    let surroundings = Surroundings::new().unwrap();
    let work = surroundings.work();
    let (root, file) = (work.display().to_string(), work.join("plan.txt").display().to_string());
    std::fs::write(&file, "Beach first.").unwrap();
    let path = format!("path={file}");
    let read = ["call", "server", "read_text_file", &path, "--root", &root];
    let Some(outcome) = peer(test, "filesystem", &surroundings, "\"read-only\"", &read) else { return };
    assert_eq!(outcome.ended_with(0).text(), "Beach first.");
    let write = ["call", "server", "write_file", &path, "content=Mine.", "--root", &root];
    let Some(outcome) = peer(test, "filesystem", &surroundings, "\"read-only\"", &write) else { return };
    assert!(outcome.ended_with(1).text().contains("EACCES"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Beach first.");
}

fn servers_of_node_and_python_start(test: &str) {
    for (name, words, part) in [
        ("memory", &["call", "server", "read_graph"][..], "entities"),
        ("everything", &["call", "server", "echo", "message=hello"], "hello"),
        ("mongodb", &["list", "server"], "find"),
        (
            "time",
            &[
                "call",
                "server",
                "convert_time",
                "source_timezone=Asia/Tokyo",
                "time=12:00",
                "target_timezone=Europe/Rome",
            ],
            "Europe/Rome",
        ),
        ("fastmcp", &["list", "server"], "tools"),
        ("python-modern", &["list", "server"], "tools"),
        ("typescript-modern", &["list", "server"], "tools"),
    ] {
        let surroundings = Surroundings::new().unwrap();
        let Some(outcome) = peer(test, name, &surroundings, "{ mode = \"roots\", network = \"none\" }", words) else {
            return;
        };
        // `server-memory` keeps its graph beside its own code unless it is told otherwise, and nothing is written there.
        if name == "memory" && outcome.code == 1 {
            assert!(outcome.text().contains("EACCES"), "{}", outcome.stdout);
            continue;
        }
        let outcome = outcome.ended_with(0);
        assert!(outcome.stdout.contains(part), "{name}: {}", outcome.stdout);
    }
}

fn npx_starts_a_package(test: &str) {
    let npx =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join("npx").exists());
    if !npx {
        return askback_testkit::peers::skip(test, "npx is not there");
    }
    let surroundings = Surroundings::new().unwrap();
    let package = surroundings.work().join("tool");
    std::fs::create_dir(&package).unwrap();
    std::fs::write(package.join("package.json"), r#"{"name":"tool","version":"1.0.0","bin":{"tool":"./tool.js"}}"#)
        .unwrap();
    std::fs::write(package.join("tool.js"), NPX_TOOL).unwrap();
    configure(&surroundings, "npx", &["--yes", "./tool"], "{ mode = \"roots\", network = \"none\" }");
    let Some(outcome) = held(Run::new(&surroundings, &["call", "server", "peek"]).go()) else { return };
    let outcome = outcome.ended_with(0);
    assert!(outcome.text().contains("EACCES"), "{}", outcome.text());
}

/// A server in one file whose only tool looks where it may not.
const NPX_TOOL: &str = r#"#!/usr/bin/env node
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (method === 'initialize') {
    say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tool', version: '1' } } });
  } else if (method === 'tools/call') {
    let text = 'read';
    try { require('fs').readFileSync('/etc/shadow'); } catch (error) { text = error.code; }
    say({ result: { content: [{ type: 'text', text }] } });
  } else {
    say({ error: { code: -32601, message: 'no' } });
  }
});
"#;
