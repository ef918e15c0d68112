//! Mistakes on the command line and in files, found before any server is started.

use askback_testkit::surroundings::Surroundings;
use libtest_mimic::Trial;

use crate::askback::Run;
use crate::models::say;

pub(crate) fn trials() -> Vec<Trial> {
    crate::tests!("command_line":
        a_program_that_does_not_exist,
        a_server_that_is_not_configured,
        an_answer_file_that_is_none,
        an_answer_that_was_never_used,
        an_argument_that_is_none,
        what_is_missing_is_named,
        options_are_taken_after_the_name_of_a_task,
    )
}

fn demo() -> [String; 3] {
    [crate::askback::binary().display().to_string(), "demo".into(), "server".into()]
}

fn a_program_that_does_not_exist(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let run = Run::new(&surroundings, &["call", "x"]).server(&["no-such-program-here".into()]);
    let outcome = run.go().ended_with(3).failed_as("connect");
    assert!(outcome.stderr.contains("no-such-program-here"), "{}", outcome.stderr);
}

fn a_server_that_is_not_configured(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let outcome = Run::new(&surroundings, &["call", "nobody", "x"]).go().ended_with(2);
    assert!(outcome.stderr.contains("nobody"), "{}", outcome.stderr);
}

fn an_answer_file_that_is_none(_: &str) {
    for (text, part) in [
        ("[[answer]]\nkind = \"form\"\n", "answer 1"),
        ("[[answer]]\nkind = \"form\"\naction = \"decline\"\ncontent = { a = 1 }\n", "content"),
        ("[[answer]]\nkidn = \"form\"\naction = \"accept\"\n", "kidn"),
    ] {
        let surroundings = Surroundings::new().expect("folders can be made");
        let run = Run::new(&surroundings, &["call", "book_vacation"]).answers(text).server(&demo());
        let outcome = run.go().ended_with(2).failed_as("answers");
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
}

fn an_answer_that_was_never_used(_: &str) {
    let unused = "[[answer]]\nkind = \"form\"\nmessage = \"nobody asks this\"\naction = \"decline\"\n";
    let surroundings = Surroundings::new().expect("folders can be made");
    let run = |options: &[&str]| {
        let words = [&["read", "travel://packages"], options].concat();
        Run::new(&surroundings, &words).answers(unused).server(&demo()).go()
    };
    run(&[]).ended_with(2).failed_as("answers");
    run(&["--allow-unused"]).ended_with(0);
}

fn an_argument_that_is_none(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    let outcome =
        Run::new(&surroundings, &["call", "x", "n:=1e"]).server(&demo()).go().ended_with(2).failed_as("usage");
    assert!(outcome.stderr.contains("n:=1e"), "{}", outcome.stderr);
}

fn what_is_missing_is_named(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    for (words, lang, said) in
        [(&["log"][..], "en", "this is missing: --disclosed <SERVER>"), (&["models", "key"], "zh-CN", "缺少 <MODEL>")]
    {
        let outcome = say(&surroundings, &[words, &["--lang", lang]].concat()).ended_with(2);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    }
}

fn options_are_taken_after_the_name_of_a_task(_: &str) {
    let surroundings = Surroundings::new().expect("folders can be made");
    for words in [&["models", "test"][..], &["servers", "login", "x"], &["roots", "remove", "x"]] {
        let outcome = say(&surroundings, &[words, &["--config", "no-such-file.toml"]].concat()).ended_with(2);
        assert!(outcome.stderr.contains("no-such-file.toml"), "{}", outcome.stderr);
    }
}
