//! The other side of `cargo xtask bench call`: the same reads as `bench_bare`, through the whole of the host with an answer file.
//!
//! `bench_host COUNT VERSION URI CONTENT -- COMMAND ARGS…`, with CONTENT as an inline table of TOML.

use std::sync::Arc;
use std::time::Instant;

use askback_core::answer_file::AnswerBook;
use askback_core::call::TimeLimits;
use askback_core::engine::Rules;
use askback_core::redaction::Redactor;
use askback_core::{Operation, ServerName};
use askback_host::disclosure::{Disclosing, JsonLines};
use askback_host::{Host, HostOptions, ServerCommand, ServerSpec};
use askback_wire::{Declared, ProtocolChoice, Revision};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [count, version, uri, content, dashes, program, rest @ ..] = &args[..] else {
        eprintln!("bench_host COUNT VERSION URI CONTENT -- COMMAND ARGS…");
        std::process::exit(2);
    };
    assert_eq!(dashes, "--");
    let count: u32 = count.parse().expect("COUNT is a number");
    let mut answers = AnswerBook::default();
    let file = format!("[[answer]]\nkind = \"form\"\naction = \"accept\"\ntimes = 0\ncontent = {content}\n");
    answers.add("bench", &file).expect("CONTENT is an inline table of TOML");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is a runtime");
    runtime.block_on(async {
        let rules = Rules { answers, ..Rules::default() };
        // As in the command line: what the server is given is written down first.
        let log = std::env::temp_dir().join(format!("askback-bench-{}.jsonl", std::process::id()));
        let disclosing = Disclosing { log: Arc::new(JsonLines::new(log.clone())), redactor: Redactor::default() };
        let options = HostOptions { rules, disclosing: Some(disclosing), ..HostOptions::default() };
        let (host, mut notices) = Host::start(options);
        // As in the command line: what was decided is taken note of, not heaped up.
        tokio::spawn(async move { while notices.recv().await.is_some() {} });
        let name = ServerName::new("bench");
        let mut spec = ServerSpec::new(name.clone(), ServerCommand::new(program, rest.to_vec()));
        spec.declared = Declared { form: true, ..Declared::default() };
        spec.protocol = ProtocolChoice::Only(Revision::parse(version).expect("VERSION is a revision"));
        host.connect(spec).await.expect("the server connects");
        let mut began = Instant::now();
        for turn in 0..=count {
            let operation = Operation::Resource { uri: uri.clone() };
            let ending = host.call(name.clone(), operation, TimeLimits::default()).ending().await;
            let result = ending.expect("the host runs").outcome.expect("the read succeeds");
            if turn == 0 {
                println!("{result}");
                began = Instant::now();
            }
        }
        println!("{}", began.elapsed().as_micros() as f64 / f64::from(count.max(1)));
        host.shut_down().await;
        let _ = std::fs::remove_file(log);
    });
}
