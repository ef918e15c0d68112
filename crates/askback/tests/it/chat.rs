//! Conversations with a model: a scripted one that plays the whole travel example, what it hears and what it does not, and a real one.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use askback_testkit::real_model::RealModel;
use askback_testkit::surroundings::Surroundings;
use askback_testkit::terminal::Session;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::askback::{Outcome, Run, WHOLE, binary};
use crate::endpoint::Endpoint;
use crate::models::{configure, say};
use crate::person::Person;
use crate::processes::scripted;
use crate::travel::ERAS;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("chat":
        the_travel_example_from_end_to_end,
        a_person_books_with_a_model_at_a_terminal,
        a_call_that_is_declined_is_not_made_and_the_model_hears_why,
        arguments_that_the_person_changes_go_out_as_changed,
        what_nobody_allows_is_not_called,
        what_is_denied_is_not_called_whatever_else_is_allowed,
        a_consent_for_always_lasts_until_it_is_taken_back,
        a_servers_word_counts_only_where_the_user_trusts_it,
        an_ask_that_nobody_answers_fails_the_run,
        a_server_that_dies_in_a_call_does_not_end_the_conversation,
        a_server_that_does_not_start_is_told_of,
        a_model_that_fails_is_told_of,
        a_model_that_never_ends_is_stopped,
        a_call_that_is_stopped_is_cancelled_and_the_conversation_goes_on,
        a_terminal_that_goes_away_ends_the_conversation,
        a_question_that_comes_while_the_person_types_spoils_nothing,
        tools_that_are_too_many_are_looked_for,
        a_turn_has_so_many_rounds,
        s10_a_stop_of_all_models_holds_here_as_well,
        secrets_are_hidden_from_the_model_and_never_go_out_unseen,
        mistakes_are_told_before_anything_is_started,
        a_real_model_says_something,
    )
}

const BOOK: &str = "Book me the best flight to Barcelona next month";
const CONFIRMED: &str = include_str!("../../demo/answers.toml");
const APPROVED: &str = "[[answer]]\nkind = \"sampling\"\napprove = true\n";

/// A reply in which the model wants this tool called.
fn wants(tool: &str, arguments: &Value) -> (Value, &'static str) {
    let function = json!({ "name": tool, "arguments": arguments.to_string() });
    let call = json!({ "index": 0, "id": format!("call_{tool}"), "type": "function", "function": function });
    (json!({ "role": "assistant", "tool_calls": [call] }), "tool_calls")
}

/// A reply in words.
fn says(text: &str) -> (Value, &'static str) {
    (json!({ "role": "assistant", "content": text }), "stop")
}

fn heard(endpoint: Endpoint) -> Vec<Value> {
    let heard = endpoint.heard.join().expect("it was asked as often as it was to be");
    heard.iter().map(|body| serde_json::from_str(body).expect("JSON")).collect()
}

/// The names of the tools that a request offers.
fn offered(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

/// The text of the last message, which has the result of a tool.
fn last_result(request: &Value) -> String {
    let last = request["messages"].as_array().and_then(|messages| messages.last()).expect("there are messages");
    assert_eq!(last["role"], "tool", "{request}");
    last["content"].to_string()
}

/// The one transcript, line by line.
fn transcript(surroundings: &Surroundings) -> Vec<Value> {
    let files = std::fs::read_dir(surroundings.path("state/askback/chats")).expect("there is a folder");
    let files: Vec<_> = files.map(|file| file.expect("it can be looked at").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let mode = std::fs::metadata(&files[0]).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&files[0]).expect("it can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn kinds(transcript: &[Value]) -> Vec<&str> {
    transcript.iter().filter_map(|line| line["type"].as_str()).collect()
}

fn once<'a>(surroundings: &'a Surroundings, text: &str) -> Run<'a> {
    Run::new(surroundings, &["chat", "--once", text])
}

/// What the forms were filled with and no result of a tool has.
const PRIVATE: [&str; 4] = ["7946", "1990", "vegetarian", "United Kingdom"];

fn the_travel_example_from_end_to_end(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::saying(&[
            wants("travel__find_best_flight", &json!({ "destination": "Barcelona", "month": "July" })),
            says("Take SK490."),
            wants("travel__book_vacation", &json!({ "destination": "Barcelona" })),
            says("You fly with SK490, and all is booked."),
        ]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let run = once(&surroundings, BOOK).option(&["--protocol", revision]);
        let run = run.option(&["--allow", "find_*", "--allow", "travel/book_vacation"]);
        let outcome = run.answers(&format!("{APPROVED}\n{CONFIRMED}")).go().ended_with(0);
        let document = &outcome.document;
        assert_eq!(document["text"], "You fly with SK490, and all is booked.");
        assert_eq!(document["servers"][0]["protocolVersion"], revision);
        let calls = document["calls"].as_array().expect("calls");
        let made: Vec<_> = calls.iter().map(|call| (&call["tool"], &call["by"], &call["isError"])).collect();
        let (find, book) = (json!("find_best_flight"), json!("book_vacation"));
        assert_eq!(made, [(&find, &json!("rule"), &json!(false)), (&book, &json!("rule"), &json!(false))]);
        assert_eq!(document["asks"].as_array().map(Vec::len), Some(3), "{document}");

        let heard = heard(endpoint);
        assert!(offered(&heard[0]).contains(&"travel__book_vacation"), "{}", heard[0]);
        assert!(heard[0]["messages"][0]["content"].to_string().contains("Today is 20"), "{}", heard[0]);
        assert!(last_result(&heard[2]).contains("SK490"), "{}", heard[2]);
        assert!(last_result(&heard[3]).contains("Booked: Barcelona"), "{}", heard[3]);
        for (request, private) in heard.iter().flat_map(|request| PRIVATE.map(|private| (request, private))) {
            assert!(!request.to_string().contains(private), "{private}: {request}");
        }
        let lines = transcript(&surroundings);
        let expected = [
            "began", "said", "replied", "decided", "ask", "answered", "replied", "decided", "ask", "ask", "answered",
            "replied", "ended",
        ];
        assert_eq!(kinds(&lines), expected);
        assert_eq!(
            (&lines[1]["text"], &lines[3]["by"], &lines[4]["kind"]),
            (&json!(BOOK), &json!("rule"), &json!("sampling"))
        );
    }
}

impl Person {
    /// Talks with a model.
    fn talks(surroundings: &Surroundings, words: &[&str]) -> Person {
        let mut command = surroundings.command(&binary());
        command.arg("chat").args(words);
        Person(Session::start_at_terminal(command, 60, 110).expect("the binary starts"))
    }

    #[track_caller]
    fn says(&mut self, text: &str) {
        self.sees("say it");
        self.presses(&format!("type:{} enter", text.replace(' ', "·")));
    }

    /// Ends the conversation.
    #[track_caller]
    fn leaves(mut self) -> Outcome {
        self.sees("say it");
        self.presses("ctrl-d");
        self.ends().ended_with(0)
    }
}

fn a_person_books_with_a_model_at_a_terminal(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::saying(&[
            wants("travel__book_vacation", &json!({ "destination": "Barcelona" })),
            says("Nothing was booked, as you wished."),
            says("You are welcome."),
        ]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let mut person = Person::talks(&surroundings, &["--protocol", revision]);
        person.sees("You talk with small.");
        person.says(BOOK);
        person.sees("The model wants to call book_vacation of travel. May it?");
        person.sees("destination: Barcelona");
        // A stray Enter is no consent.
        person.presses("enter");
        person.sees("Choose one first.");
        person.presses("type:1 enter");
        person.sees("travel · book_vacation · you allowed it");
        person.sees("Confirm the booking");
        person.presses("down enter");
        person.sees("Preferred seat type");
        person.presses("down enter");
        person.sees("Preferred room type");
        person.presses("down enter");
        person.sees("Add travel insurance");
        person.presses("enter");
        person.sees("\"window\"");
        person.presses("enter");
        person.sees("Who travels to Barcelona?");
        person.presses("ctrl-x");
        person.sees("Enter decline");
        person.presses("enter");
        person.sees("Nothing was booked, as you wished.");
        person.sees("tokens read");
        person.says("Thanks");
        person.sees("You are welcome.");
        let outcome = person.leaves();
        assert!(outcome.stderr.contains("The conversation is kept in"), "{}", outcome.stderr);

        let heard = heard(endpoint);
        assert!(last_result(&heard[1]).contains("because you declined to name the traveller"), "{}", heard[1]);
        assert!(heard.iter().all(|request| !request.to_string().contains("window")), "{heard:?}");
        assert!(heard[2]["messages"].to_string().contains("Thanks"));
        let lines = transcript(&surroundings);
        let decided = lines.iter().find(|line| line["type"] == "decided").expect("it was decided");
        assert_eq!((&decided["allowed"], &decided["by"]), (&json!(true), &json!("person")));
        let asks: Vec<_> = lines.iter().filter(|line| line["type"] == "ask").collect();
        let actions: Vec<_> = asks.iter().map(|ask| (&ask["action"], &ask["by"])).collect();
        let person = json!("person");
        assert_eq!(actions, [(&json!("accept"), &person), (&json!("decline"), &person)]);
        assert_eq!(asks[0]["content"]["seatPreference"], "window");
    }
}

/// One call of `list_packages` that the model wants, and its last word.
fn listing() -> Endpoint {
    Endpoint::saying(&[wants("travel__list_packages", &json!({})), says("That is all.")])
}

fn a_call_that_is_declined_is_not_made_and_the_model_hears_why(_: &str) {
    let endpoint = listing();
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let mut person = Person::talks(&surroundings, &[]);
    person.says("What is on sale?");
    person.sees("travel says that it only reads. That is its word and no more.");
    person.presses("esc");
    person.sees("Why not?");
    person.presses("type:Not·now enter");
    person.sees("That is all.");
    person.leaves();
    let heard = heard(endpoint);
    assert_eq!(last_result(&heard[1]), "\"Error: The person declined this call, and says: Not now\"");
    let lines = transcript(&surroundings);
    let decided = lines.iter().find(|line| line["type"] == "decided").expect("it was decided");
    assert_eq!((&decided["allowed"], &decided["reason"]), (&json!(false), &json!("Not now")));
}

fn arguments_that_the_person_changes_go_out_as_changed(_: &str) {
    let endpoint = Endpoint::saying(&[wants("greeter__greet", &json!({ "who": "Bob" })), says("Done.")]);
    let surroundings = Surroundings::new().expect("folders can be made");
    let (server, record) = scripted(&surroundings, GREETER);
    configure(&surroundings, &endpoint.url, &greeter(&server));
    let mut person = Person::talks(&surroundings, &["--server", "greeter"]);
    person.says("Greet Bob");
    person.sees("who: Bob");
    person.presses("type:4 enter");
    person.sees("The arguments, as JSON");
    person.presses("up end backspace backspace backspace backspace type:Ann\" ctrl-s");
    person.sees("changed by you");
    person.presses("type:1 enter");
    person.sees("Done.");
    person.leaves();
    let heard = heard(endpoint);
    assert!(last_result(&heard[1]).contains("The person changed the arguments of this call"), "{}", heard[1]);
    let record = std::fs::read_to_string(record).expect("there is a record");
    assert!(record.contains("Ann") && !record.contains("Bob"), "{record}");
}

const GREETER: &str = r#"
[server]
revision = "2026-07-28"
tools = [{ name = "greet", inputSchema = { type = "object" } }]

[[server.step]]
text = "hello"
"#;

fn greeter(server: &[String]) -> String {
    format!("[servers.greeter]\ncommand = {:?}\nargs = {:?}\n", server[0], &server[1..])
}

fn what_nobody_allows_is_not_called(_: &str) {
    let endpoint = listing();
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let outcome = once(&surroundings, "What is on sale?").go().ended_with(4).failed_as("unanswered");
    assert!(outcome.stderr.contains("--allow travel/list_packages"), "{}", outcome.stderr);
    assert_eq!(
        (&outcome.document["calls"][0]["by"], &outcome.document["text"]),
        (&json!("nobody"), &json!("That is all."))
    );
    assert!(last_result(&heard(endpoint)[1]).contains("Nobody is there to allow this call"));
}

fn what_is_denied_is_not_called_whatever_else_is_allowed(_: &str) {
    let endpoint = listing();
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "[servers.travel.chat]\nallow = [\"*\"]\ndeny = [\"list_*\"]\n");
    let outcome = once(&surroundings, "What is on sale?").option(&["--allow", "*"]).go().ended_with(0);
    assert_eq!(outcome.document["calls"][0]["by"], "rule");
    assert!(last_result(&heard(endpoint)[1]).contains("does not let this tool be called"));
}

fn a_consent_for_always_lasts_until_it_is_taken_back(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let endpoint = listing();
    configure(&surroundings, &endpoint.url, "");
    let mut person = Person::talks(&surroundings, &["--once", "What is on sale?"]);
    person.sees("May it?");
    person.presses("type:3 enter");
    Outcome::of(person.0.end(WHOLE)).ended_with(0);
    heard(endpoint);
    let kept = std::fs::metadata(surroundings.path("state/askback/chat-consents.json")).expect("it is kept");
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);

    let endpoint = listing();
    configure(&surroundings, &endpoint.url, "");
    let outcome = once(&surroundings, "And now?").go().ended_with(0);
    assert_eq!(outcome.document["calls"][0]["by"], "always");
    heard(endpoint);

    say(&surroundings, &["chat", "--revoke", "travel"]).ended_with(0);
    say(&surroundings, &["chat", "--revoke", "travel"]).ended_with(2);
    let endpoint = listing();
    configure(&surroundings, &endpoint.url, "");
    once(&surroundings, "And now?").go().ended_with(4);
    heard(endpoint);
    let listed = say(&surroundings, &["chat", "--list"]).ended_with(0).stdout;
    assert_eq!(listed.lines().filter(|line| line.ends_with(".jsonl")).count(), 3, "{listed}");
}

fn a_servers_word_counts_only_where_the_user_trusts_it(_: &str) {
    // The one says that it only reads what it has; the other that it reads, and deals with the world.
    for (tool, code) in [("list_packages", 0), ("find_best_flight", 4)] {
        let endpoint = Endpoint::saying(&[wants(&format!("travel__{tool}"), &json!({})), says("So be it.")]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "[servers.travel.chat]\ntrust_hints = true\n");
        let outcome = once(&surroundings, "Look").go().ended_with(code);
        let by = if code == 0 { "hint" } else { "nobody" };
        assert_eq!(outcome.document["calls"][0]["by"], by);
        heard(endpoint);
    }
}

fn an_ask_that_nobody_answers_fails_the_run(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::saying(&[wants("travel__book_vacation", &json!({})), says("I could not book it.")]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, "");
        let unfit = "[[answer]]\nkind = \"form\"\nfield = \"nothing\"\naction = \"accept\"\n";
        let run = once(&surroundings, BOOK).option(&["--allow", "book_vacation", "--protocol", revision]);
        let outcome = run.answers(unfit).go().ended_with(4).failed_as("unanswered");
        assert!(outcome.stderr.contains("[[answer]]"), "an entry to paste: {}", outcome.stderr);
        heard(endpoint);
    }
}

fn a_server_that_dies_in_a_call_does_not_end_the_conversation(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::saying(&[
            wants("greeter__greet", &json!({})),
            wants("travel__list_packages", &json!({})),
            says("The greeter is gone, but here are the packages."),
        ]);
        let surroundings = Surroundings::new().expect("folders can be made");
        let tools = "tools = [{ name = \"greet\", inputSchema = { type = \"object\" } }]";
        let script = format!("[server]\nrevision = \"{revision}\"\n{tools}\n[[server.step]]\nexit = 3\n");
        let (server, _) = scripted(&surroundings, &script);
        configure(&surroundings, &endpoint.url, &greeter(&server));
        let outcome = once(&surroundings, "Greet").option(&["--allow", "*"]).go().ended_with(0);
        let calls = &outcome.document["calls"];
        assert_eq!((&calls[0]["isError"], &calls[1]["isError"]), (&json!(true), &json!(false)), "{calls}");
        let heard = heard(endpoint);
        assert!(last_result(&heard[1]).contains("The call failed"), "{}", heard[1]);
        assert!(last_result(&heard[2]).contains("Barcelona"), "{}", heard[2]);
    }
}

fn a_server_that_does_not_start_is_told_of(_: &str) {
    let broken = "[servers.broken]\ncommand = \"/nonexistent/program\"\n";
    let endpoint = Endpoint::writing(&["Hello."]);
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, broken);
    let outcome = once(&surroundings, "Hello").go().ended_with(0);
    assert!(outcome.stderr.contains("The conversation goes on without a server"), "{}", outcome.stderr);
    assert!(offered(&heard(endpoint)[0]).contains(&"travel__book_vacation"));
    once(&surroundings, "Hello").option(&["--server", "broken"]).go().ended_with(3).failed_as("connect");
}

fn a_model_that_fails_is_told_of(_: &str) {
    let said =
        r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    let endpoint = Endpoint::answering("401 Unauthorized", "application/json", vec![said.to_owned()]);
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let outcome = once(&surroundings, "Hello").go().ended_with(3).failed_as("model");
    assert!(outcome.stderr.contains("Incorrect API key"), "{}", outcome.stderr);
    assert_eq!(outcome.document["end"], "model-failed");
    // Nobody listens there any more.
    heard(endpoint);
    once(&surroundings, "Hello").go().ended_with(3).failed_as("model");
}

fn a_model_that_never_ends_is_stopped(_: &str) {
    let endpoint = Endpoint::unending("Once upon a time");
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let mut person = Person::talks(&surroundings, &[]);
    person.says("Tell me a story");
    person.sees("Once upon a time");
    person.presses("ctrl-c");
    person.sees("You stopped this turn.");
    person.leaves();
    endpoint.heard.join().expect("its client has gone");
    assert_eq!(kinds(&transcript(&surroundings)), ["began", "said", "ended"]);
}

/// A server with one tool, in this era, that does this.
fn greeting(surroundings: &Surroundings, url: &str, revision: &str, steps: &str) -> std::path::PathBuf {
    let tools = "tools = [{ name = \"greet\", inputSchema = { type = \"object\" } }]";
    let (server, record) = scripted(surroundings, &format!("[server]\nrevision = \"{revision}\"\n{tools}\n{steps}"));
    configure(surroundings, url, &greeter(&server));
    record
}

fn a_call_that_is_stopped_is_cancelled_and_the_conversation_goes_on(_: &str) {
    for revision in ERAS {
        let endpoint = Endpoint::saying(&[wants("greeter__greet", &json!({})), says("As you like.")]);
        let surroundings = Surroundings::new().expect("folders can be made");
        let steps = "[[server.step]]\nwait = 20000\n[[server.step]]\ntext = \"hello\"\n";
        let record = greeting(&surroundings, &endpoint.url, revision, steps);
        let mut person = Person::talks(&surroundings, &["--server", "greeter"]);
        person.says("Greet");
        person.sees("May it?");
        person.presses("type:1 enter");
        person.sees("greeter is at work");
        let called = |_: &Session| std::fs::read_to_string(&record).is_ok_and(|text| text.contains("tools/call"));
        person.waits("the call", Duration::from_secs(15), called);
        person.presses("ctrl-c");
        person.sees("You stopped this turn.");
        let text = std::fs::read_to_string(&record).expect("there is a record");
        assert!(text.contains("notifications/cancelled"), "{text}");
        person.says("Never mind");
        person.sees("As you like.");
        person.leaves();
        let messages = heard(endpoint)[1]["messages"].to_string();
        assert!(messages.contains("The person stopped the call. The tool may have acted all the same."), "{messages}");
    }
}

fn a_terminal_that_goes_away_ends_the_conversation(_: &str) {
    let endpoint = Endpoint::unending("Once upon a time");
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "");
    let mut person = Person::talks(&surroundings, &[]);
    person.says("Tell me a story");
    person.sees("Once upon a time");
    person.0.hang_up();
    person.ends();
    endpoint.heard.join().expect("its client has gone");
    assert_eq!(kinds(&transcript(&surroundings)), ["began", "said", "ended"]);
}

fn a_question_that_comes_while_the_person_types_spoils_nothing(_: &str) {
    let endpoint = Endpoint::writing(&["Hello, Ada."]);
    let surroundings = Surroundings::new().expect("folders can be made");
    let started = r#"
[[server.started]]
wait = 3000

[[server.started]]
key = "who"
request = '''{"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":
  {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}'''
"#;
    greeting(&surroundings, &endpoint.url, "2025-11-25", started);
    let mut person = Person::talks(&surroundings, &["--server", "greeter", "--protocol", "2025-11-25"]);
    person.sees("say it");
    person.presses("type:Hello,·I·am");
    person.sees("Who are you?");
    person.presses("type:Ada enter");
    person.sees("\"Ada\"");
    person.presses("enter");
    person.sees("say it");
    person.sees("› Hello, I am");
    person.presses("type:·Ada enter");
    person.sees("Hello, Ada.");
    person.leaves();
    assert!(heard(endpoint)[0]["messages"].to_string().contains("Hello, I am Ada"));
}

fn tools_that_are_too_many_are_looked_for(_: &str) {
    let endpoint = Endpoint::saying(&[
        wants("find_tools", &json!({ "query": "packages on sale" })),
        wants("describe_tool", &json!({ "name": "travel__list_packages" })),
        wants("travel__list_packages", &json!({})),
        says("Barcelona is on sale."),
    ]);
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "context = 4096\n");
    let outcome = once(&surroundings, "What is on sale?").option(&["--allow", "list_packages"]).go().ended_with(0);
    assert_eq!(outcome.document["calls"].as_array().map(Vec::len), Some(1), "our own two tools are no calls");
    let heard = heard(endpoint);
    assert_eq!(offered(&heard[0]), ["find_tools", "describe_tool"]);
    assert!(heard[0]["messages"][0].to_string().contains("travel__book_vacation"), "the names are told");
    assert!(last_result(&heard[1]).contains("travel__list_packages"), "{}", heard[1]);
    assert_eq!(offered(&heard[2]), ["find_tools", "describe_tool", "travel__list_packages"]);
    assert!(last_result(&heard[3]).contains("Barcelona"), "{}", heard[3]);
}

fn a_turn_has_so_many_rounds(_: &str) {
    let again = || wants("travel__list_packages", &json!({}));
    let endpoint = Endpoint::saying(&[again(), again()]);
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &endpoint.url, "[chat]\nrounds = 1\n");
    let run = once(&surroundings, "Go on").option(&["--allow", "*"]);
    let outcome = run.go().ended_with(5).failed_as("rounds");
    assert_eq!(outcome.document["calls"].as_array().map(Vec::len), Some(1));
    heard(endpoint);
}

fn s10_a_stop_of_all_models_holds_here_as_well(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, "http://127.0.0.1:9", "");
    say(&surroundings, &["models", "stop"]).ended_with(0);
    let outcome = once(&surroundings, "Hello").go().ended_with(3);
    assert!(outcome.stderr.contains("You have stopped all sampling."), "{}", outcome.stderr);
}

fn secrets_are_hidden_from_the_model_and_never_go_out_unseen(_: &str) {
    let hidden = "[sampling]\nredact = [\"project-[a-z]+\"]\n";
    for (more, sees) in [("", false), ("[chat]\nredact = false\n", true)] {
        let endpoint = Endpoint::writing(&["Fine."]);
        let surroundings = Surroundings::new().expect("folders can be made");
        configure(&surroundings, &endpoint.url, &format!("{hidden}{more}"));
        once(&surroundings, "About project-falcon").go().ended_with(0);
        assert_eq!(heard(endpoint)[0].to_string().contains("project-falcon"), sees);
        let kept = transcript(&surroundings);
        assert!(!kept[1].to_string().contains("project-falcon"), "{}", kept[1]);
    }
}

fn mistakes_are_told_before_anything_is_started(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, "http://127.0.0.1:9", "");
    let fails = |words: &[&str], found: &str| {
        let outcome = say(&surroundings, &[&["chat"], words].concat()).ended_with(2);
        assert!(outcome.stderr.contains(found), "{}", outcome.stderr);
    };
    fails(&[], "--once");
    fails(&["--once", " "], "nothing in --once");
    fails(&["--once", "Hello", "--model", "large"], "large");
    fails(&["--once", "Hello", "--server", "nowhere"], "nowhere");
    for (more, found) in [
        ("[chat]\nmodel = \"large\"\n", "chat.model"),
        ("[chat]\ndefinitions = 2.0\n", "chat.definitions"),
        ("[chat]\nrounds = 0\n", "chat.rounds"),
        ("[servers.travel.chat]\nallowed = []\n", "allowed"),
    ] {
        configure(&surroundings, "http://127.0.0.1:9", more);
        let outcome = say(&surroundings, &["chat", "--once", "Hello"]).ended_with(2);
        assert!(outcome.stderr.contains(found), "{more}: {}", outcome.stderr);
    }
}

fn a_real_model_says_something(test: &str) {
    let Some(model) = RealModel::start(test) else { return };
    let surroundings = Surroundings::new().expect("folders can be made");
    configure(&surroundings, &model.url, "[servers.travel.chat]\noffered = false\n[chat]\nreply_tokens = 40\n");
    let run = once(&surroundings, "Say hello.").start();
    let outcome = Outcome::of(run.end(Duration::from_secs(120))).ended_with(0);
    assert!(outcome.document["text"].as_str().is_some_and(|text| !text.is_empty()), "{}", outcome.document);
    assert!(outcome.document["usage"]["outputTokens"].as_u64().is_some_and(|tokens| tokens > 0));
}
