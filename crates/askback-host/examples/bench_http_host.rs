//! Askback's side of `cargo xtask bench http`: sessions that read a resource again and again, all in one host, with an answer file.
//!
//! `bench_http_host SESSIONS COUNT VERSION URL URI` prints how many microseconds a read took, over all sessions together.

use std::sync::Arc;
use std::time::Instant;

use askback_core::answer_file::AnswerBook;
use askback_core::call::TimeLimits;
use askback_core::engine::Rules;
use askback_core::redaction::Redactor;
use askback_core::{Operation, ServerName};
use askback_host::disclosure::{Disclosing, JsonLines};
use askback_host::{Host, HostOptions, ServerAddress, ServerCommand, ServerSpec};
use askback_wire::{Declared, ProtocolChoice, Revision};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [sessions, count, version, url, uri] = &args[..] else {
        eprintln!("bench_http_host SESSIONS COUNT VERSION URL URI");
        std::process::exit(2);
    };
    let (sessions, count): (u32, u32) =
        (sessions.parse().expect("SESSIONS is a number"), count.parse().expect("COUNT is a number"));
    let mut answers = AnswerBook::default();
    let file = "[[answer]]\nkind = \"form\"\naction = \"accept\"\ntimes = 0\ncontent = {}\n";
    answers.add("bench", file).expect("it is an answer file");
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
        let names: Vec<ServerName> = (0..sessions).map(|number| ServerName::new(format!("bench{number}"))).collect();
        for name in &names {
            let mut spec = ServerSpec::new(name.clone(), ServerCommand::new("", [""; 0]));
            spec.source = ServerAddress::new(url.parse().expect("URL is an address")).into();
            spec.declared = Declared { form: true, ..Declared::default() };
            spec.protocol = ProtocolChoice::Only(Revision::parse(version).expect("VERSION is a revision"));
            host.connect(spec).await.expect("the server connects");
        }
        read_all(&host, &names, uri, 20).await;
        let began = Instant::now();
        read_all(&host, &names, uri, count).await;
        println!("{}", began.elapsed().as_micros() as f64 / f64::from(count * sessions));
        host.shut_down().await;
        let _ = std::fs::remove_file(log);
    });
}

async fn read_all(host: &Host, names: &[ServerName], uri: &str, count: u32) {
    let sessions: Vec<_> = names
        .iter()
        .map(|name| {
            let (host, name, uri) = (host.clone(), name.clone(), uri.to_owned());
            tokio::spawn(async move {
                for _ in 0..count {
                    let operation = Operation::Resource { uri: uri.clone() };
                    let ending = host.call(name.clone(), operation, TimeLimits::default()).ending().await;
                    ending.expect("the host runs").outcome.expect("the read succeeds");
                }
            })
        })
        .collect();
    for session in sessions {
        session.await.expect("the reads succeed");
    }
}
