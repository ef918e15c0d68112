//! The user's models: a real one behind the travel server's requests, and what the command line says of them.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread::JoinHandle;

use askback_testkit::real_model::RealModel;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run, WHOLE, binary};
use crate::endpoint::Endpoint;
use crate::processes::scripted;
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("models":
        a_real_model_helps_the_travel_server,
        a_model_may_be_named_and_its_request_edited,
        s06_a_model_uses_the_tools_of_the_request,
        s08_a_provider_that_refuses_the_key_is_named,
        a_stored_key_goes_to_its_endpoint_alone,
        s10_a_stop_holds_for_every_run,
        s14_context_of_its_own_is_added_where_the_user_lets_a_server_have_it,
        a_model_that_is_not_there_is_a_mistake_of_the_file,
        what_is_said_of_models,
    )
}

const APPROVE: &str = "[[answer]]\nkind = \"sampling\"\napprove = true\ntimes = 0\n";

/// Configures the travel server, and one model at this address.
pub(crate) fn configure(surroundings: &Surroundings, url: &str, more: &str) {
    let text = format!(
        "[servers.travel]\ncommand = {:?}\nargs = [\"demo\", \"server\"]\n\n[models.small]\nprovider = \"openai\"\nbase_url = \"{url}/v1\"\n\
         model = \"smollm2\"\ncost = 0.1\nspeed = 0.9\nintelligence = 0.2\ntools = true\n{more}",
        binary().display().to_string()
    );
    std::fs::write(surroundings.work().join("askback.toml"), text).expect("the configuration can be written");
}

/// `askback WORDS…`, with nobody there.
pub(crate) fn say(surroundings: &Surroundings, words: &[&str]) -> Outcome {
    let mut command = surroundings.command(&binary());
    command.args(words);
    Outcome::of(Session::start(&mut command).expect("the binary starts").end(WHOLE))
}

fn a_real_model_helps_the_travel_server(test: &str) {
    let Some(model) = RealModel::start(test) else { return };
    let tools = [&["find_best_flight"][..], &["research_trip", "city=Lisbon"]];
    for (revision, tool) in ERAS.into_iter().flat_map(|revision| tools.map(|tool| (revision, tool))) {
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &model.url, "");
        let run = Run::new(&surroundings, &[&["call", "travel"], tool].concat());
        let run = run.option(&["--protocol", revision]).answers(&format!("{APPROVE}edit = {{ max_tokens = 40 }}\n"));
        let outcome = Outcome::of(run.start().end(std::time::Duration::from_secs(120))).ended_with(0);
        let ask = &outcome.document["asks"][0];
        assert_eq!((&ask["by"], &ask["model"]), (&json!("model"), &json!(RealModel::NAME)));
        assert!(!outcome.text().is_empty());
        assert_eq!(outcome.document["violations"], json!([]));
    }
}

fn a_model_may_be_named_and_its_request_edited(_: &str) {
    let endpoint = Endpoint::saying(&[(json!({ "role": "assistant", "content": "SK490" }), "stop")]);
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let entry = "[[answer]]\nkind = \"sampling\"\nmodel = \"small\"\n\
                 edit = { max_tokens = 12, replace = [{ text = \"morning departure\", with = \"evening departure\" }] }\n";
    let run = Run::new(&surroundings, &["call", "travel", "find_best_flight"]).answers(entry);
    let outcome = run.go().ended_with(0);
    assert_eq!(outcome.document["asks"][0]["model"], "tiny-7");
    let heard = endpoint.heard.join().expect("it was asked").swap_remove(0);
    assert!(heard.contains("evening departure") && !heard.contains("morning departure"));
    assert!(heard.contains("\"max_tokens\":12"));
}

fn s06_a_model_uses_the_tools_of_the_request(_: &str) {
    for revision in ERAS {
        let call = json!({
            "index": 0, "id": "call_7", "type": "function",
            "function": { "name": "weather", "arguments": "{\"city\":\"Lisbon\"}" }
        });
        let endpoint = Endpoint::saying(&[
            (json!({ "role": "assistant", "tool_calls": [call] }), "tool_calls"),
            (json!({ "role": "assistant", "content": "Go to Lisbon in June." }), "stop"),
        ]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let run = Run::new(&surroundings, &["call", "travel", "research_trip", "city=Lisbon"]);
        let outcome = run.option(&["--protocol", revision]).answers(APPROVE).go().ended_with(0);
        assert_eq!((outcome.text(), &outcome.document["rounds"]), ("Go to Lisbon in June.", &json!(2)));
        let heard = endpoint.heard.join().expect("it was asked twice");
        let heard: Vec<Value> = heard.iter().map(|body| serde_json::from_str(body).expect("JSON")).collect();
        assert!(heard[0]["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "{}", heard[0]);
        let messages = heard[1]["messages"].as_array().expect("messages");
        let result = messages.last().expect("a message");
        assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &json!("call_7")));
    }
}

fn s08_a_provider_that_refuses_the_key_is_named(_: &str) {
    for (revision, code) in [(ERAS[0], 4), (ERAS[1], 4)] {
        let said = r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#;
        let endpoint = Endpoint::answering("401 Unauthorized", "application/json", vec![said.to_owned()]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "key_env = \"TINY_KEY\"\n");
        let run = Run::new(&surroundings, &["call", "travel", "find_best_flight"]);
        let outcome = run.option(&["--protocol", revision]).answers(APPROVE).go().ended_with(code);
        assert!(
            outcome.stderr.contains("TINY_KEY") && outcome.stderr.contains("Incorrect API key"),
            "{}",
            outcome.stderr
        );
    }
}

/// Takes one request, refuses it, and gives back its head.
fn refusing() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody comes");
        let (mut text, mut byte) = (Vec::new(), [0]);
        while !text.ends_with(b"\r\n\r\n") && stream.read(&mut byte).expect("it can be read") == 1 {
            text.push(byte[0]);
        }
        let answer = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        stream.write_all(answer.as_bytes()).expect("it is taken");
        String::from_utf8_lossy(&text).to_lowercase()
    });
    (url, heard)
}

fn a_stored_key_goes_to_its_endpoint_alone(_: &str) {
    use std::os::unix::fs::PermissionsExt as _;

    let surroundings = Surroundings::new().expect("folders can be made");
    let store = |words: &[&str], given: &str| {
        let mut command = surroundings.command(&binary());
        command.args(["models", "key"]).args(words);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        child.stdin.take().expect("it is piped").write_all(given.as_bytes()).expect("it is read");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (mine, heard_by_mine) = refusing();
    configure(&surroundings, &mine, "");
    let (code, said) = store(&["small"], "two words\n");
    assert_eq!((code, said.contains("no key was given")), (Some(2), true), "{said}");

    let mut typed = surroundings.command(&binary());
    typed.args(["models", "key", "small"]);
    let mut session = Session::start_at_terminal(typed, 24, 80).expect("the binary starts");
    session.wait_until("the question", WHOLE, |session| session.screen().contains("The key for")).expect("it asks");
    session.press("type:sk-mine enter").expect("it is typed");
    session.wait_until("the end", WHOLE, |session| session.screen().contains("Stored.")).expect("it is stored");
    assert!(!session.screen().contains("sk-mine"), "{}", session.screen());
    Outcome::of(session.end(WHOLE)).ended_with(0);

    let keys = std::fs::read_dir(surroundings.path("state/askback/keys")).expect("it is kept in a file");
    for key in keys {
        let key = key.expect("it can be looked at").metadata().expect("it can be looked at");
        assert_eq!(key.permissions().mode() & 0o777, 0o600);
    }
    assert!(say(&surroundings, &["models"]).ended_with(0).stdout.contains("the key you stored"));
    say(&surroundings, &["models", "test"]).ended_with(3);
    assert!(heard_by_mine.join().expect("it was asked").contains("authorization: bearer sk-mine"));

    let (other, heard_by_other) = refusing();
    configure(&surroundings, &other, "");
    say(&surroundings, &["models", "test"]).ended_with(3);
    assert!(!heard_by_other.join().expect("it was asked").contains("sk-mine"), "the same name, another address");

    let (again, heard_again) = refusing();
    configure(&surroundings, &again, "");
    assert_eq!(store(&["small"], "sk-again\n").0, Some(0));
    assert_eq!(store(&["small", "--forget"], "").0, Some(0));
    say(&surroundings, &["models", "test"]).ended_with(3);
    assert!(!heard_again.join().expect("it was asked").contains("sk-again"));
}

fn s10_a_stop_holds_for_every_run(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, "http://127.0.0.1:9", "");
    say(&surroundings, &["models", "stop"]).ended_with(0);
    let run = Run::new(&surroundings, &["call", "travel", "find_best_flight"]).answers(APPROVE);
    let outcome = run.go().ended_with(4);
    assert!(outcome.stderr.contains("You have stopped all sampling."), "{}", outcome.stderr);
    say(&surroundings, &["models", "resume"]).ended_with(0);
    let run = Run::new(&surroundings, &["call", "travel", "find_best_flight"]).answers(APPROVE);
    // Nobody listens there, which is another error.
    let outcome = run.go().ended_with(4);
    assert!(outcome.stderr.contains("nobody listens at"), "{}", outcome.stderr);
}

const ASKS_FOR_CONTEXT: &str = r#"
[[server.step]]
ask.sun = '''{"method":"sampling/createMessage","params":{"maxTokens":20,"includeContext":"allServers",
  "messages":[{"role":"user","content":{"type":"text","text":"Sun?"}}]}}'''

[[server.step]]
text = "done"
"#;

fn s14_context_of_its_own_is_added_where_the_user_lets_a_server_have_it(_: &str) {
    for (revision, lets) in ERAS.into_iter().flat_map(|revision| [(revision, false), (revision, true)]) {
        let surroundings = Surroundings::new().expect("folders can be made");
        let script = format!("[server]\nrevision = \"{revision}\"\n{ASKS_FOR_CONTEXT}");
        let (server, record) = scripted(&surroundings, &script);
        let endpoint = Endpoint::writing(&["Yes."]);
        let more = format!(
            "[servers.weather]\ncommand = {:?}\nargs = {:?}\n[servers.weather.sampling]\ninclude_context = {lets}\n",
            server[0],
            &server[1..]
        );
        configure(&surroundings, &endpoint.url, &more);
        let run = Run::new(&surroundings, &["call", "weather", "sun", "city=Lisbon"]).answers(APPROVE);
        run.go().ended_with(0);
        let heard = endpoint.heard.join().expect("it was asked").swap_remove(0);
        assert_eq!(heard.contains("It was called as sun with"), lets, "{heard}");
        assert!(!heard.contains("travel"), "the other server is configured, and nobody's business: {heard}");
        let record = std::fs::read_to_string(record).expect("there is a record");
        let declared = record.contains(r#"\"context\":{}"#) || record.contains(r#"\\\"context\\\":{}"#);
        assert_eq!(declared, lets, "{record}");
    }
}

fn a_model_that_is_not_there_is_a_mistake_of_the_file(_: &str) {
    for (more, found) in [
        ("[sampling]\ndefault = \"large\"\n", "sampling.default"),
        ("[servers.travel.sampling]\nmodels = [\"large\"]\n", "servers.travel.sampling.models"),
        ("key = \"sk-1\"\n", "key_in_clear"),
        ("input = [\"smell\"]\n", "models.small.input"),
        ("[sampling]\nredact = [\"(\"]\n", "sampling.redact"),
        ("[models.other]\nprovider = \"openai\"\n", "models.other.model"),
    ] {
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, "http://127.0.0.1:9", more);
        let outcome = say(&surroundings, &["models"]).ended_with(2);
        assert!(outcome.stderr.contains(found), "{more}: {}", outcome.stderr);
    }
}

fn what_is_said_of_models(_: &str) {
    let more = "\n[models.claude]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\nkey_env = \"NO_SUCH_KEY\"\n\n\
                [sampling]\ndefault = \"small\"\nrequests_per_minute = 5\n";
    for lang in ["en", "zh-CN"] {
        let surroundings = Surroundings::new().expect("folders can be made");
        let mut seen = String::new();
        for words in [&["models"][..], &["models", "--help"]] {
            let outcome = say(&surroundings, &[&["--lang", lang][..], words].concat());
            seen.push_str(&format!("$ askback {}\n{}{}\n", words.join(" "), outcome.stdout, outcome.stderr));
        }
        configure(&surroundings, "http://127.0.0.1:9", more);
        for words in [
            &["models"][..],
            &["models", "explain", "travel"],
            &["models", "explain", "travel", "--hint", "nope", "--hint", "HAIKU"],
            &["models", "test"],
            &["models", "stop"],
            &["models"],
            &["models", "revoke", "travel"],
        ] {
            let outcome = say(&surroundings, &[&["--lang", lang][..], words].concat());
            seen.push_str(&format!(
                "$ askback {}\n{}{}[{}]\n\n",
                words.join(" "),
                outcome.stdout,
                outcome.stderr,
                outcome.code
            ));
        }
        insta::assert_snapshot!(format!("models.{lang}"), seen);
    }
}
