//! Folders: who is told of which, and when; what the command line says of them; changes while a call runs.

use std::path::Path;
use std::time::Duration;

use askback_testkit::peers::{Over, reach};
use askback_testkit::record::Record;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run, WHOLE, binary};
use crate::processes::scripted;
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("roots":
        r06_consent_is_asked_for_once_and_kept,
        a_refusal_is_heard_and_nothing_is_told,
        without_a_person_a_workspace_is_told_to_nobody,
        r04_r11_what_is_no_use_is_left_out_with_a_note,
        r08_a_change_in_the_middle_of_a_call_is_seen,
        r09_the_next_round_has_the_folder_that_was_added_meanwhile,
        r02_odd_names_reach_real_servers,
        what_is_said_of_folders,
    )
}

/// The last part of a path that is hard to tell: a space, other letters, an accent in two parts, and what URIs use themselves.
const ODD: &str = "Reise Pläne 旅行 e\u{301} 100% #1";

fn configure(surroundings: &Surroundings, text: &str) {
    std::fs::write(surroundings.work().join("askback.toml"), text).expect("the configuration can be written");
}

fn folder(path: &Path) -> String {
    std::fs::create_dir_all(path).expect("a folder can be made");
    path.display().to_string()
}

fn travel() -> [String; 3] {
    [binary().display().to_string(), "demo".into(), "server".into()]
}

fn say(surroundings: &Surroundings, words: &[&str]) -> Outcome {
    let mut command = surroundings.command(&binary());
    command.args(words);
    Outcome::of(Session::start(&mut command).expect("the binary starts").end(WHOLE))
}

fn roots_asks(document: &Value) -> Vec<&Value> {
    document["asks"].as_array().into_iter().flatten().filter(|ask| ask["kind"] == "roots").collect()
}

fn wait_for(session: &mut Session, text: &str) {
    session
        .wait_until(text, Duration::from_secs(20), |session| session.screen().contains(text))
        .unwrap_or_else(|problem| panic!("{problem}\n{}", session.screen()));
}

const SAVE: [&str; 4] = ["call", "save_itinerary", "title=Barcelona", "text=Beach."];

fn r06_consent_is_asked_for_once_and_kept(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        let plans = folder(&surroundings.path(ODD));
        configure(&surroundings, &format!("[[roots]]\npath = {}\nname = \"Plans\"\n", json!(plans)));
        let run = || Run::new(&surroundings, &SAVE).option(&["--protocol", revision]).server(&travel());
        let mut session = run().start_at_terminal(40, 160);
        wait_for(&mut session, "asks for your folders");
        assert!(session.screen().contains("Plans: "), "{}", session.screen());
        // Past the folders, and up to what is for good.
        session.press("end up up enter").unwrap();
        let outcome = Outcome::of(session.end(WHOLE)).ended_with(0);
        assert_eq!(roots_asks(&outcome.document)[0]["by"], "person");
        assert!(surroundings.path(ODD).join("itineraries/barcelona.md").is_file());
        // The next run is told without a question, by what was said.
        let outcome = Outcome::of(run().start_at_terminal(40, 160).end(WHOLE)).ended_with(0);
        assert_eq!(roots_asks(&outcome.document)[0]["by"], "config");
        assert_eq!(outcome.document["humanMs"], 0);
        // Until it is taken back.
        say(&surroundings, &["roots", "forget", "askback"]).ended_with(0);
        let mut session = run().start_at_terminal(40, 160);
        wait_for(&mut session, "asks for your folders");
        session.press("end up enter").unwrap();
        let outcome = Outcome::of(session.end(WHOLE));
        assert_eq!(roots_asks(&outcome.document)[0]["content"], json!([]));
    }
}

fn a_refusal_is_heard_and_nothing_is_told(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    folder(&surroundings.work().join(".git"));
    let run = Run::new(&surroundings, &SAVE).option(&["--protocol", ERAS[1]]).server(&travel());
    let mut session = run.start_at_terminal(40, 160);
    wait_for(&mut session, "the project that you are in");
    session.press("esc").unwrap();
    let outcome = Outcome::of(session.end(WHOLE));
    assert_eq!(roots_asks(&outcome.document)[0]["action"], "refuse", "{}", outcome.stdout);
    assert!(!surroundings.work().join("itineraries").exists());
}

fn without_a_person_a_workspace_is_told_to_nobody(_: &str) {
    for revision in ERAS {
        let surroundings = Surroundings::new().expect("folders can be made");
        folder(&surroundings.work().join(".git"));
        let outcome = Run::new(&surroundings, &SAVE).option(&["--protocol", revision]).server(&travel()).go();
        assert!(roots_asks(&outcome.document).is_empty(), "{}", outcome.stdout);
        assert!(!surroundings.work().join("itineraries").exists());
    }
}

fn r04_r11_what_is_no_use_is_left_out_with_a_note(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let (real, gone) = (folder(&surroundings.path("real")), surroundings.path("gone").display().to_string());
    let (link, secret) = (surroundings.path("link"), folder(&surroundings.path("w/finance/2026")));
    std::os::unix::fs::symlink(&real, &link).expect("a link can be made");
    let paths = [&link.display().to_string(), &gone, "vscode-remote://wsl%2Bu/home/u/p", &secret];
    let tables = paths.map(|path| format!("[[roots]]\npath = {path:?}\nexclude = [\"**/finance/**\"]\n"));
    configure(&surroundings, &tables.concat());
    for revision in ERAS {
        let outcome = Run::new(&surroundings, &SAVE).option(&["--protocol", revision]).server(&travel()).go();
        let outcome = outcome.ended_with(0);
        let told = &roots_asks(&outcome.document)[0]["content"];
        assert_eq!(*told, json!([{ "uri": format!("file://{}", link.display()), "name": null }]));
        assert!(outcome.stderr.contains("gone is left out of your folders: it is not there"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("only file:// URIs"), "{}", outcome.stderr);
    }
}

/// The server asks again when it is told of a change; it takes two seconds and more for one to be made and seen.
fn r08_a_change_in_the_middle_of_a_call_is_seen(test: &str) {
    for over in [Over::Stdio, Over::Http, Over::Sse] {
        let Some(peer) = reach(test, "everything", over) else { continue };
        let surroundings = Surroundings::new().expect("folders can be made");
        let (first, second) = (folder(&surroundings.path("first")), folder(&surroundings.path(ODD)));
        say(&surroundings, &["roots", "add", &first]).ended_with(0);
        let words = ["call", "trigger-long-running-operation", "duration:=8", "steps:=4"];
        let session = Run::new(&surroundings, &words).peer(&peer).start();
        std::thread::sleep(Duration::from_secs(3));
        say(&surroundings, &["roots", "add", &second, "--name", "Plans"]).ended_with(0);
        say(&surroundings, &["roots", "remove", &first]).ended_with(0);
        let outcome = Outcome::of(session.end(Duration::from_secs(60))).ended_with(0);
        let asks = roots_asks(&outcome.document);
        let last = asks.last().map(|ask| &ask["content"]).unwrap_or(&Value::Null);
        let name = |root: &Value| root["name"].as_str().unwrap_or_default().to_owned();
        let names: Vec<String> = last.as_array().into_iter().flatten().map(name).collect();
        assert!(asks.len() >= 2 && names == ["Plans"], "over {}: {asks:?}\n{}", over.title(), outcome.stderr);
        assert_eq!(outcome.document["violations"], json!([]));
    }
}

const ASKS_TWICE: &str = r#"
[server]
revision = "2026-07-28"

[[server.step]]
ask.first = '{"method":"roots/list"}'

[[server.step]]
wait = 4000

[[server.step]]
ask.second = '{"method":"roots/list"}'

[[server.step]]
text = "done"
"#;

fn r09_the_next_round_has_the_folder_that_was_added_meanwhile(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let (first, second) = (folder(&surroundings.path("first")), folder(&surroundings.path(ODD)));
    say(&surroundings, &["roots", "add", &first]).ended_with(0);
    let (server, record) = scripted(&surroundings, ASKS_TWICE);
    let session = Run::new(&surroundings, &["call", "look"]).server(&server).start();
    std::thread::sleep(Duration::from_millis(1500));
    say(&surroundings, &["roots", "add", &second, "--name", "Plans"]).ended_with(0);
    let outcome = Outcome::of(session.end(WHOLE)).ended_with(0);
    let counts: Vec<_> =
        roots_asks(&outcome.document).iter().map(|ask| ask["content"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(counts, [1, 2], "{}", outcome.document);
    let sent = Record::read(&record).methods();
    assert!(!sent.iter().any(|method| method.starts_with("notifications/")), "{sent:?}");
}

fn r02_odd_names_reach_real_servers(test: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let odd = folder(&surroundings.path(ODD));
    let file = Path::new(&odd).join("plan.txt");
    std::fs::write(&file, "Beach first.").expect("a file can be written");
    if let Some(peer) = reach(test, "filesystem", Over::Stdio) {
        let path = format!("path={}", file.display());
        let outcome = Run::new(&surroundings, &["call", "read_text_file", &path, "--root", &odd]).peer(&peer).go();
        assert_eq!(outcome.ended_with(0).text(), "Beach first.");
    }
    if let Some(peer) = reach(test, "everything", Over::Stdio) {
        let outcome = Run::new(&surroundings, &["call", "get-roots-list", "--root", &odd]).peer(&peer).go();
        let outcome = outcome.ended_with(0);
        assert!(
            outcome.stdout.contains("Reise%20Pl%C3%A4ne%20%E6%97%85%E8%A1%8C%20e%CC%81%20100%25%20%231"),
            "{}",
            outcome.stdout
        );
    }
    if let Some(peer) = reach(test, "playwright", Over::Stdio) {
        let outcome =
            Run::new(&surroundings, &["call", "browser_tabs", "action=list", "--root", &odd]).peer(&peer).go();
        assert_eq!(roots_asks(&outcome.document)[0]["action"], "accept", "{}", outcome.stderr);
    }
}

/// The text with columns of no more than two spaces between them: how wide they are depends on where the folders of the test lie.
fn steady(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        while !line.starts_with(' ') && line.contains("   ") {
            line = line.replace("   ", "  ");
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn what_is_said_of_folders(_: &str) {
    for lang in ["en", "zh-CN"] {
        let surroundings = Surroundings::new().expect("folders can be made");
        let top = surroundings.path("").display().to_string();
        let (plans, notes) = (folder(&surroundings.path("travel plans")), folder(&surroundings.path("notes")));
        let config = "[[roots]]\npath = \"gone\"\nname = \"Old\"\nexclude = [\"**/finance/**\"]\n\
                      [servers.travel]\ncommand = \"travel\"\nroots = [{ path = \"https://x.example/\" }]\n";
        configure(&surroundings, config);
        folder(&surroundings.work().join(".git"));
        let runs: [&[&str]; 9] = [
            &["roots", "add", &plans, "--name", "Travel"],
            &["roots", "add", &notes, "--server", "notes", "--exclude", "private"],
            &["roots", "add", "nowhere"],
            &["roots", "add", &plans, "--exclude", "a["],
            &["roots"],
            &["roots", "remove", &plans],
            &["roots", "remove", "gone"],
            &["roots", "forget", "travel"],
            &["roots", "--json"],
        ];
        let mut seen = String::new();
        for words in runs {
            let outcome = say(&surroundings, &[&["--lang", lang], words].concat());
            seen.push_str(&format!(
                "$ askback {}\n{}{}[{}]\n\n",
                words.join(" "),
                outcome.stdout,
                outcome.stderr,
                outcome.code
            ));
        }
        let seen = steady(&seen.replace(top.trim_end_matches('/'), "TOP"));
        insta::assert_snapshot!(format!("roots.{lang}"), seen);
    }
}
