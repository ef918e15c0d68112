//! Completion of the command line: by the binary with real servers, and by a real bash.

use std::time::Duration;

use askback_host::ServerCommand;
use askback_host::era_memory::EraMemory;
use askback_testkit::record::Record;
use askback_testkit::stdio_server::ROLE;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use askback_wire::Revision;
use libtest_mimic::Trial;

use crate::askback::{WHOLE, binary};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("shell":
        every_place_in_both_eras,
        a_list_is_kept_as_long_as_the_server_says,
        a_server_that_says_nothing_is_not_waited_for,
        nobody_is_asked,
        a_key_starts_nothing_that_was_never_started,
        bash_completes,
        scripts,
    )
}

const SERVER: &str = r#"
[server]
capabilities = { tools = {}, prompts = {}, resources = {}, completions = {} }

[[server.tools]]
name = "book"
description = "Book a trip"

[server.tools.inputSchema]
type = "object"
properties = { city = { type = "string" }, seat = { enum = ["aisle", "window seat"] }, insured = { type = "boolean" } }

[[server.tools]]
name = "bo\u001Bred"

[server.results]
"prompts/list" = { prompts = [{ name = "plan", arguments = [{ name = "city" }] }] }
"resources/list" = { resources = [{ uri = "travel://packages", name = "packages" }] }
"resources/templates/list" = { resourceTemplates = [{ uriTemplate = "travel://bookings/{id}", name = "booking" }] }
"completion/complete" = { completion = { values = ["Rome", "Rio de Janeiro"] } }
"#;

/// A folder in which the server `travel` is configured to be this script, and whose user has called it before.
fn configured(script: &str, revision: &str) -> Surroundings {
    let surroundings = configured_by_others(script, revision);
    let command = ServerCommand::new(itself(), arguments(&surroundings, revision));
    let memory = EraMemory::new(surroundings.path("state").join("askback/eras.json"));
    memory.remember(&command.into(), Revision::NEWEST_MODERN);
    surroundings
}

/// The same, where the user has never called it.
fn configured_by_others(script: &str, revision: &str) -> Surroundings {
    let surroundings = Surroundings::new().expect("folders can be made");
    std::fs::write(surroundings.path("script.toml"), script).expect("a script can be written");
    let arguments = arguments(&surroundings, revision);
    let config = format!("[servers.travel]\ncommand = {:?}\nargs = {arguments:?}\n", itself());
    std::fs::write(surroundings.work().join("askback.toml"), config).expect("a configuration can be written");
    surroundings
}

fn itself() -> String {
    std::env::current_exe().expect("a program knows where it is").display().to_string()
}

fn arguments(surroundings: &Surroundings, revision: &str) -> Vec<String> {
    let path = |name: &str| surroundings.path(name).display().to_string();
    let (file, record) = (path("script.toml"), path("record.jsonl"));
    [ROLE, &file, "--revision", revision, "--record", &record].map(str::to_owned).to_vec()
}

/// The candidates for the last of the words.
fn candidates(surroundings: &Surroundings, words: &[&str]) -> Vec<String> {
    let mut command = surroundings.command(&binary());
    command.args(["complete-words", "fish", &words.len().to_string(), "--", "askback"]).args(words);
    let ended = Session::start(&mut command).expect("the binary starts").end(WHOLE);
    let ended = ended.unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    ended.stdout.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

fn every_place_in_both_eras(_: &str) {
    for revision in ["2026-07-28", "2025-11-25"] {
        let surroundings = configured(SERVER, revision);
        let check = |words: &[&str], expected: &[&str]| {
            assert_eq!(candidates(&surroundings, words), expected, "{revision}: {words:?}");
        };
        check(&["ca"], &["call"]);
        check(&["call", ""], &["travel"]);
        check(&["call", "travel", ""], &["book"]);
        check(&["call", "travel", "book", ""], &["city=", "seat=", "insured:="]);
        check(&["call", "travel", "book", "seat=w"], &["seat=window seat"]);
        check(&["call", "travel", "book", "insured:="], &["insured:=true", "insured:=false"]);
        check(&["prompt", "travel", "p"], &["plan"]);
        check(&["prompt", "travel", "plan", ""], &["city="]);
        check(&["prompt", "travel", "plan", "city=R"], &["city=Rome", "city=Rio de Janeiro"]);
        check(&["read", "travel", ""], &["travel://packages", "travel://bookings/"]);
        check(&["read", "travel", "travel://bookings/Ri"], &["travel://bookings/Rio%20de%20Janeiro"]);
        check(&["call", "nobody", ""], &[]);
    }
}

fn a_list_is_kept_as_long_as_the_server_says(_: &str) {
    let list = "{ tools = [{ name = \"book\" }]";
    for (hint, times) in [(", ttlMs = 600000", 1), (", ttlMs = 0", 2), ("", 2)] {
        let script = format!("[server.results]\n\"tools/list\" = {list}{hint} }}\n");
        let surroundings = configured(&script, "2026-07-28");
        for _ in 0..2 {
            assert_eq!(candidates(&surroundings, &["call", "travel", ""]), ["book"]);
        }
        let methods = Record::read(&surroundings.path("record.jsonl")).methods();
        assert_eq!(methods.iter().filter(|method| *method == "tools/list").count(), times, "{hint}");
    }
}

fn a_server_that_says_nothing_is_not_waited_for(_: &str) {
    let surroundings = configured("[server]\nprobe = { silent = true }\nrevision = \"2026-07-28\"\n", "2026-07-28");
    let began = std::time::Instant::now();
    assert_eq!(candidates(&surroundings, &["call", "travel", ""]), Vec::<String>::new());
    // Three seconds are allowed; the machine that tests may be busy.
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
}

fn nobody_is_asked(_: &str) {
    let script = r#"
[server]
tools = [{ name = "book" }]
[[server.started]]
request = { method = "elicitation/create", params = { message = "Who are you?", requestedSchema = { type = "object", properties = {} } } }
"#;
    let surroundings = configured(script, "2025-11-25");
    assert_eq!(candidates(&surroundings, &["call", "travel", ""]), ["book"]);
    let record = Record::read(&surroundings.path("record.jsonl"));
    let declared = record.processes.iter().flat_map(|process| &process.lines).find(|line| line.contains("initialize"));
    assert!(declared.is_some_and(|line| line.contains(r#""capabilities":{}"#)), "{declared:?}");
}

fn a_key_starts_nothing_that_was_never_started(_: &str) {
    let surroundings = configured_by_others(SERVER, "2026-07-28");
    assert_eq!(candidates(&surroundings, &["call", "travel", ""]), Vec::<String>::new());
    assert!(!surroundings.path("record.jsonl").exists(), "the program of a strange file was started");
    let mut command = surroundings.command(&binary());
    let ended = Session::start(command.args(["list", "travel"])).expect("the binary starts").end(WHOLE);
    assert!(ended.is_ok_and(|ended| ended.status.success()));
    assert_eq!(candidates(&surroundings, &["call", "travel", ""]), ["book"]);
}

/// A real bash at a terminal, in which the script of ours is read.
fn bash_completes(_: &str) {
    let surroundings = configured(SERVER, "2026-07-28");
    let mut command = surroundings.command(std::path::Path::new("bash"));
    let folder = binary().parent().expect("the binary is in a folder").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    command.args(["--norc", "--noprofile", "-i"]).env("PATH", path).env("PS1", "> ");
    let mut bash = Session::start_at_terminal(command, 40, 100).expect("bash starts");
    let mut type_and_see = |keys: &str, text: &str| {
        bash.press(keys).unwrap_or_else(|problem| panic!("{problem}"));
        let what = format!("{text:?} after {keys:?}");
        let seen = bash.wait_until(&what, Duration::from_secs(10), |bash| bash.screen().contains(text));
        seen.unwrap_or_else(|problem| panic!("{problem}\n{}", bash.screen()));
    };
    type_and_see("", "> ");
    type_and_see("type:source·<(askback·completions·bash);·echo·re\"\"ady·>&2 enter", "ready");
    type_and_see("type:askback·comp tab", "> askback completions ");
    type_and_see("ctrl-u type:askback·call·tr tab", "> askback call travel ");
    type_and_see("type:b tab", "> askback call travel book ");
    type_and_see("type:se tab", "> askback call travel book seat=");
    type_and_see("type:w tab", "> askback call travel book seat=window\\ seat ");
    type_and_see("type:i tab type:f tab", "seat=window\\ seat insured:=false ");
    type_and_see("ctrl-u type:askback·read·travel·travel://b tab", "> askback read travel travel://bookings/");
    type_and_see("type:Ro tab", "> askback read travel travel://bookings/Rome ");
    type_and_see("ctrl-u type:askback·prompt·travel·plan·city=\"Ri tab", "plan city=\"Rio de Janeiro");
    bash.press("ctrl-u type:exit enter").unwrap_or_else(|problem| panic!("{problem}"));
    bash.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
}

fn scripts(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let print = |words: &[&str]| {
        let mut command = surroundings.command(&binary());
        command.arg("completions").args(words);
        let ended = Session::start(&mut command).expect("the binary starts").end(WHOLE);
        ended.unwrap_or_else(|problem| panic!("{problem}"))
    };
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = print(&[shell]);
        assert!(ended.status.success() && ended.stdout.contains("complete-words"), "{shell}: {}", ended.stderr);
    }
    let ended = print(&["tcsh", "--lang", "zh-CN"]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.stderr.contains("没有用于 tcsh 的脚本"), "{}", ended.stderr);
    assert_eq!(print(&[]).status.code(), Some(2));
}
