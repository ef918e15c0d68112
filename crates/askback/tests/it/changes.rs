//! What changes while the client looks on, and what is kept of lists from run to run.

use std::time::Duration;

use askback_testkit::http::listener::HttpServer;
use askback_testkit::process;
use askback_testkit::record::{Record, Recorder};
use askback_testkit::script::Script;
use askback_testkit::stdio_server::ROLE;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::{Ended, Session};
use libtest_mimic::Trial;
use nix::sys::signal::Signal;

use crate::askback::{WHOLE, binary};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("changes":
        lists_are_followed_and_a_burst_is_read_once,
        what_a_server_does_not_honour_is_said,
        a_server_that_tells_of_nothing_is_not_followed,
        a_resource_is_read_again_when_it_was_updated,
        a_stream_that_is_cut_is_opened_again,
        a_second_call_within_the_time_looks_no_tool_up,
        a_change_during_a_call_is_told_and_what_was_kept_is_forgotten,
    )
}

/// A server and the run that talks to it.
struct Meeting {
    surroundings: Surroundings,
    http: Option<HttpServer>,
    revision: &'static str,
}

impl Meeting {
    fn over_stdio(script: &str, revision: &'static str) -> Meeting {
        let surroundings = Surroundings::new().expect("folders can be made");
        std::fs::write(surroundings.path("script.toml"), script).expect("a script can be written");
        Meeting { surroundings, http: None, revision }
    }

    fn over_http(script: &str, revision: &'static str) -> Meeting {
        let mut meeting = Meeting::over_stdio(script, revision);
        let table: toml::Table = toml::from_str(script).expect("a script is TOML");
        let script: Script = table["server"].clone().try_into().expect("a script makes sense");
        let recorder = Recorder::without_process(meeting.surroundings.path("record.jsonl"));
        meeting.http = Some(HttpServer::start(script, revision, recorder).expect("a port is free"));
        meeting
    }

    /// Starts `askback VERB SERVER WORDS…`, wherever the server is.
    fn start(&self, verb: &str, words: &[&str]) -> Session {
        let mut command = self.surroundings.command(&binary());
        command.arg(verb).args(self.http.as_ref().map(|server| server.url.as_str())).args(words).args(["--as", "s"]);
        if self.http.is_none() {
            let itself = std::env::current_exe().expect("a program knows where it is");
            command.arg("--").arg(itself).arg(ROLE).arg(self.surroundings.path("script.toml"));
            command.args(["--revision", self.revision, "--record"]).arg(self.surroundings.path("record.jsonl"));
        }
        Session::start(&mut command).expect("the binary starts")
    }

    /// How often the server was sent this method.
    fn times(&self, method: &str) -> usize {
        let record = Record::read(&self.surroundings.path("record.jsonl"));
        record.methods().iter().filter(|sent| *sent == method).count()
    }

    /// Waits until the server was sent this method so often and has had time for more, and then presses Ctrl-C.
    #[track_caller]
    fn interrupted_after(&self, mut session: Session, method: &str, times: usize) -> Ended {
        let sent = session.wait_until(method, Duration::from_secs(15), |_| self.times(method) >= times);
        std::thread::sleep(Duration::from_millis(600));
        process::signal(session.process(), Signal::SIGINT);
        let ended = session.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(sent.is_ok(), "{sent:?}\n{}\n{}", ended.stdout, ended.stderr);
        ended
    }
}

const CHANGED: &str = r#"
[[server.started]]
wait = 900
[[server.started]]
notify = { method = "notifications/tools/list_changed", params = {} }
[[server.started]]
notify = { method = "notifications/tools/list_changed", params = {} }
[[server.started]]
notify = { method = "notifications/tools/list_changed", params = {} }
"#;

const TWO_LISTS: &str = r#"
[server]
capabilities = { tools = { listChanged = true } }
[server.in_turn]
"tools/list" = [
  { tools = [{ name = "book" }, { name = "pay" }], resultType = "complete", ttlMs = 0 },
  { tools = [{ name = "book", description = "Now with seats" }, { name = "cancel" }], resultType = "complete", ttlMs = 0 },
]
"#;

fn lists_are_followed_and_a_burst_is_read_once(_: &str) {
    let script = format!("{TWO_LISTS}{CHANGED}");
    for revision in ["2026-07-28", "2025-11-25"] {
        for meeting in [Meeting::over_stdio(&script, revision), Meeting::over_http(&script, revision)] {
            let ended = meeting.interrupted_after(meeting.start("list", &["--follow"]), "tools/list", 2);
            assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
            let told = ended.stdout.split_once("\n- ").map(|(_, told)| told).unwrap_or_default();
            assert_eq!(told, "tool pay\n~ tool book  Now with seats\n+ tool cancel\n", "{}", ended.stdout);
            assert_eq!((meeting.times("tools/list"), ended.stderr.as_str()), (2, ""), "{revision}");
            let asked = usize::from(revision == "2026-07-28");
            assert_eq!(meeting.times("subscriptions/listen"), asked);
        }
    }
}

fn what_a_server_does_not_honour_is_said(_: &str) {
    let script = "[server]\ncapabilities = { tools = { listChanged = true }, prompts = { listChanged = true } }\n\
        honours = { toolsListChanged = true }\nresults = { \"prompts/list\" = { prompts = [], resultType = \"complete\" } }\n";
    let meeting = Meeting::over_stdio(script, "2026-07-28");
    let ended = meeting.interrupted_after(meeting.start("list", &["--follow"]), "tools/list", 1);
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(ended.stderr, "s does not tell when this changes: its prompts\n");
}

fn a_server_that_tells_of_nothing_is_not_followed(_: &str) {
    let meeting = Meeting::over_stdio("[server]\n", "2026-07-28");
    let ended = meeting.start("list", &["--follow"]).end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
    assert_ne!(ended.status.code(), Some(0));
    assert!(ended.stderr.contains("s does not tell when what it offers changes"), "{}", ended.stderr);
    assert_eq!(meeting.times("subscriptions/listen"), 0);
}

fn a_resource_is_read_again_when_it_was_updated(_: &str) {
    let reading =
        |text: &str| format!("[[server.step]]\nreturn = {{ contents = [{{ uri = \"x://a\", text = \"{text}\" }}] }}\n");
    let script = format!(
        "[server]\ncapabilities = {{ resources = {{ subscribe = true }} }}\n\
         results = {{ \"resources/subscribe\" = {{}}, \"resources/unsubscribe\" = {{}} }}\n{}{}",
        reading("first") + &reading("second"),
        CHANGED.replace("tools/list_changed\", params = {}", "resources/updated\", params = { uri = \"x://a\" }"),
    );
    for revision in ["2026-07-28", "2025-11-25"] {
        for meeting in [Meeting::over_stdio(&script, revision), Meeting::over_http(&script, revision)] {
            let ended = meeting.interrupted_after(meeting.start("read", &["x://a", "--follow"]), "resources/read", 2);
            assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), "first\nsecond\n"), "{}", ended.stderr);
            assert_eq!(meeting.times("resources/read"), 2);
            let legacy = usize::from(revision == "2025-11-25");
            assert_eq!(
                (meeting.times("resources/subscribe"), meeting.times("resources/unsubscribe")),
                (legacy, legacy)
            );
            assert_eq!(meeting.times("subscriptions/listen"), 1 - legacy);
        }
    }
}

fn a_stream_that_is_cut_is_opened_again(_: &str) {
    let cut = "[[server.http.cut]]\nof = \"subscriptions/listen\"\nafter = 1\n";
    let meeting = Meeting::over_http(&format!("{TWO_LISTS}{cut}"), "2026-07-28");
    let ended = meeting.interrupted_after(meeting.start("list", &["--follow"]), "subscriptions/listen", 2);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("it is tried again"), "{}", ended.stderr);
    // What happened while nobody listened is found out.
    assert!(ended.stdout.contains("+ tool cancel"), "{}", ended.stdout);
}

const KEPT: &str = r#"
[server]
capabilities = { tools = { listChanged = true } }
[[server.tools]]
name = "work"
inputSchema = { type = "object", properties = { city = { type = "string", x-mcp-header = "City" } } }
[server.results]
"tools/list" = { tools = [{ name = "work", inputSchema = { type = "object", properties = { city = { type = "string", x-mcp-header = "City" } } } }], resultType = "complete", ttlMs = 600000, cacheScope = "private" }
"#;

#[track_caller]
fn done(session: Session) -> Ended {
    let ended = session.end(WHOLE).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), "done\n"), "{}", ended.stderr);
    ended
}

fn a_second_call_within_the_time_looks_no_tool_up(_: &str) {
    let step = "[[server.step]]\ntext = \"done\"\n";
    for (ttl, times) in [("600000", 1), ("0", 2)] {
        let meeting = Meeting::over_http(&format!("{}{step}", KEPT.replace("600000", ttl)), "2026-07-28");
        for _ in 0..2 {
            done(meeting.start("call", &["work", "city=Rome"]));
        }
        assert_eq!((meeting.times("tools/list"), meeting.times("tools/call")), (times, 2), "{ttl}");
    }
}

fn a_change_during_a_call_is_told_and_what_was_kept_is_forgotten(_: &str) {
    let steps = "[[server.step]]\nwait = 2500\n[[server.step]]\ntext = \"done\"\n";
    let meeting = Meeting::over_http(&format!("{KEPT}{steps}{CHANGED}"), "2026-07-28");
    let ended = done(meeting.start("call", &["work", "city=Rome", "-v"]));
    assert!(ended.stderr.contains("s says that something has changed: its tools"), "{}", ended.stderr);
    assert_eq!((meeting.times("subscriptions/listen"), meeting.times("tools/list")), (1, 1));
    done(meeting.start("call", &["work", "city=Rome"]));
    assert_eq!(meeting.times("tools/list"), 2);
}
