//! A login that becomes due in the middle of a call, with a person at a terminal, and without.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use askback_testkit::http::listener::HttpServer;
use askback_testkit::record::{Record, Recorder};
use askback_testkit::script::Script;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;

use crate::askback::{Outcome, WHOLE, binary};

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("login":
        a_call_goes_on_by_itself_after_a_login,
        a_list_that_a_call_has_to_wait_for_is_let_through_too,
        who_does_not_log_in_is_sent_nowhere,
        more_is_asked_for_between_two_rounds_and_the_answers_are_kept,
        more_that_is_not_granted_ends_the_call,
        a_server_that_is_never_content_is_not_gone_to_again,
        a_call_is_stopped_while_the_person_is_on_the_page,
        without_a_person_it_fails_and_says_what_to_do,
    )
}

/// The revisions of both eras.
const ERAS: [&str; 2] = ["2026-07-28", "2025-11-25"];
const SOON: Duration = Duration::from_secs(15);
const OFFERED: &str = "wants you to log in before the call goes on";

const BOOKED: &str = "[[step]]\ntext = \"booked\"\n";
const NAMED: &str = r#"
[[step]]
ask.who = '''{"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":
  {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}'''
[[step]]
text = "booked"
"#;

/// A server that wants a login, and a run that talks to it.
struct Meeting {
    surroundings: Surroundings,
    http: HttpServer,
}

impl Meeting {
    fn new(revision: &str, script: &str, guards: &[&str]) -> Meeting {
        let surroundings = Surroundings::new().expect("folders can be made");
        let guards: String = guards.iter().map(|guard| format!("[[http.guard]]\n{guard}\n")).collect();
        let script: Script = toml::from_str(&format!("{script}{guards}")).expect("a script makes sense");
        let recorder = Recorder::without_process(surroundings.path("record.jsonl"));
        let http = HttpServer::start(script, revision, recorder).expect("a port is free");
        Meeting { surroundings, http }
    }

    /// `askback call SERVER book --json` with a browser that notes down where it is sent.
    fn start(&self, at_terminal: bool, words: &[&str]) -> Session {
        let mut command = self.surroundings.command(&binary());
        command.arg("call").arg(&self.http.url).args(["book", "--as", "travel", "--json"]).args(words);
        command.env("BROWSER", self.surroundings.browser(0).expect("a browser can be written"));
        let session =
            if at_terminal { Session::start_at_terminal(command, 40, 100) } else { Session::start(&mut command) };
        session.expect("the binary starts")
    }

    fn exchanges(&self, what: &str) -> usize {
        let record = Record::read(&self.surroundings.path("record.jsonl"));
        record.exchanges.iter().filter(|exchange| exchange.contains(what)).count()
    }

    /// Waits for the page that the browser was sent to as the one with this number, and logs in there.
    #[track_caller]
    fn log_in(&self, session: &mut Session, number: usize) {
        let opened = |_: &Session| self.surroundings.opened().len() >= number;
        self.wait(session, "the browser is sent to a page", opened);
        let redirect = get(&self.surroundings.opened()[number - 1]);
        let back = redirect.lines().find_map(|line| line.strip_prefix("location: ")).expect("the page sends back");
        assert!(get(back.trim()).starts_with("HTTP/1.1 200"), "nobody waits at {back}");
    }

    #[track_caller]
    fn wait(&self, session: &mut Session, what: &str, holds: impl FnMut(&Session) -> bool) {
        let outcome = session.wait_until(what, SOON, holds);
        assert!(outcome.is_ok(), "{outcome:?}\n{}", session.screen());
    }

    #[track_caller]
    fn sees(&self, session: &mut Session, text: &str) {
        self.wait(session, text, |session| session.screen().contains(text));
    }

    #[track_caller]
    fn press(&self, session: &mut Session, keys: &str) {
        session.press(keys).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

/// What is answered at an address; a person's browser would go on from there.
fn get(address: &str) -> String {
    let rest = address.strip_prefix("http://").expect("the page is on this machine");
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(authority).expect("somebody listens");
    stream.set_read_timeout(Some(SOON)).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer comes");
    answer
}

fn a_call_goes_on_by_itself_after_a_login(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, BOOKED, &["of = \"tools/call\"\nscopes = \"book\""]);
        let mut session = meeting.start(true, &["--timeout", "2s"]);
        meeting.sees(&mut session, OFFERED);
        // Longer than the call may take: the time is the person's.
        std::thread::sleep(Duration::from_millis(2_300));
        assert_eq!(meeting.surroundings.opened(), Vec::<String>::new(), "a page was opened unasked");
        let screen = session.screen();
        let issuer = meeting.http.url.trim_end_matches("/mcp");
        assert!(
            screen.contains(issuer) && screen.contains("Allows: book") && screen.contains("/authorize?"),
            "{screen}"
        );
        meeting.press(&mut session, "down enter");
        meeting.log_in(&mut session, 1);
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(0);
        assert_eq!(outcome.text(), "booked", "{revision}");
        let human = outcome.document["humanMs"].as_u64().unwrap_or_default();
        assert!(human >= 2_300, "{human}");
        assert_eq!((meeting.exchanges("/token"), meeting.exchanges("tools/call 401")), (1, 1), "{revision}");
    }
}

/// Over HTTP the modern era looks a tool up before it is called.
fn a_list_that_a_call_has_to_wait_for_is_let_through_too(_: &str) {
    let meeting = Meeting::new("2026-07-28", BOOKED, &["of = \"tools/list\""]);
    let mut session = meeting.start(true, &[]);
    meeting.sees(&mut session, OFFERED);
    meeting.press(&mut session, "down enter");
    meeting.log_in(&mut session, 1);
    assert_eq!(Outcome::of(session.end(WHOLE)).ended_with(0).text(), "booked");
}

fn who_does_not_log_in_is_sent_nowhere(_: &str) {
    for (revision, keys) in [(ERAS[0], "down down enter"), (ERAS[1], "esc"), (ERAS[1], "ctrl-c")] {
        let meeting = Meeting::new(revision, BOOKED, &["of = \"tools/call\""]);
        let mut session = meeting.start(true, &[]);
        meeting.sees(&mut session, OFFERED);
        meeting.press(&mut session, keys);
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(5).failed_as("undelivered");
        assert!(outcome.stderr.contains("you did not want to log in"), "{}", outcome.stderr);
        assert_eq!(meeting.surroundings.opened(), Vec::<String>::new());
        assert_eq!((meeting.exchanges("/authorize"), meeting.exchanges("tools/call")), (0, 1), "{revision}");
    }
}

/// What the person answers is refused with 403: in the modern era the call that carries it, in the legacy one the answer itself.
fn step_up(revision: &str) -> [&'static str; 2] {
    let more = match revision {
        "2026-07-28" => "of = \"tools/call\"\nfrom = 2\nscopes = \"book pay\"",
        _ => "of = \"response\"\nscopes = \"book pay\"",
    };
    [more, "of = \"tools/call\"\nscopes = \"book\""]
}

fn reach_the_step_up(meeting: &Meeting) -> Session {
    let mut session = meeting.start(true, &[]);
    meeting.sees(&mut session, OFFERED);
    meeting.press(&mut session, "down enter");
    meeting.log_in(&mut session, 1);
    meeting.sees(&mut session, "Who are you?");
    meeting.press(&mut session, "type:Ada enter");
    meeting.sees(&mut session, "This goes to travel:");
    meeting.press(&mut session, "enter");
    meeting.wait(&mut session, "a second offer", |session| session.screen().matches(OFFERED).count() == 2);
    session
}

fn more_is_asked_for_between_two_rounds_and_the_answers_are_kept(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, NAMED, &step_up(revision));
        let mut session = reach_the_step_up(&meeting);
        assert!(session.screen().contains("pay"), "{}", session.screen());
        meeting.press(&mut session, "down enter");
        meeting.log_in(&mut session, 2);
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(0);
        assert_eq!(outcome.text(), "booked", "{revision}");
        let record = Record::read(&meeting.surroundings.path("record.jsonl"));
        let told: Vec<_> =
            record.answers.iter().map(|(key, answer)| (key.as_str(), &answer["content"]["name"])).collect();
        assert_eq!(told, [("who", &serde_json::json!("Ada"))], "{revision}");
        assert_eq!(meeting.exchanges(" 403"), 1, "{revision}");
    }
}

fn more_that_is_not_granted_ends_the_call(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, NAMED, &step_up(revision));
        let mut session = reach_the_step_up(&meeting);
        meeting.press(&mut session, "esc");
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(5).failed_as("undelivered");
        assert!(outcome.stderr.contains("you did not want to log in"), "{}", outcome.stderr);
        assert_eq!(meeting.surroundings.opened().len(), 1, "{revision}");
    }
}

fn a_server_that_is_never_content_is_not_gone_to_again(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, BOOKED, &["of = \"tools/call\"\nnever = true"]);
        let mut session = meeting.start(true, &[]);
        meeting.sees(&mut session, OFFERED);
        meeting.press(&mut session, "down enter");
        meeting.log_in(&mut session, 1);
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(5).failed_as("undelivered");
        assert!(outcome.stderr.contains("401"), "{}", outcome.stderr);
        assert_eq!((meeting.surroundings.opened().len(), meeting.exchanges("tools/call 401")), (1, 2), "{revision}");
    }
}

fn a_call_is_stopped_while_the_person_is_on_the_page(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, BOOKED, &["of = \"tools/call\""]);
        let mut session = meeting.start(true, &[]);
        meeting.sees(&mut session, OFFERED);
        meeting.press(&mut session, "down enter");
        meeting.wait(&mut session, "the browser is sent to a page", |_| meeting.surroundings.opened().len() == 1);
        meeting.press(&mut session, "ctrl-c");
        Outcome::of(session.end(WHOLE)).ended_with(130).failed_as("interrupted");
        assert_eq!((meeting.exchanges("/token"), meeting.exchanges("tools/call")), (0, 1), "{revision}");
    }
}

fn without_a_person_it_fails_and_says_what_to_do(_: &str) {
    for revision in ERAS {
        let meeting = Meeting::new(revision, BOOKED, &["of = \"tools/call\""]);
        let outcome = Outcome::of(meeting.start(false, &[]).end(WHOLE)).ended_with(5).failed_as("undelivered");
        assert!(outcome.stderr.contains("nobody is logged in to this server"), "{}", outcome.stderr);
        assert_eq!((meeting.surroundings.opened().len(), meeting.exchanges("/authorize")), (0, 0));
    }
}
