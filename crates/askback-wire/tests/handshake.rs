//! Handshakes over stdio, written as conversations.
//!
//! `>` is what the client writes, `<` what the server writes, `!` what else happens: the process exits, or nothing comes in time. `fresh`
//! is a new process, and the last line says what came of it.

use askback_wire::framing::Frame;
use askback_wire::handshake::{ConnectFailure, Step};
use askback_wire::{Declared, Handshake, Outgoing, ProtocolChoice, Revision, incoming};
use serde_json::{Value, json};

const AUTO: ProtocolChoice = ProtocolChoice::Auto;

const DECLARED: Declared =
    Declared { form: true, url: false, sampling: false, sampling_tools: false, sampling_context: false, roots: false };

#[track_caller]
fn check(choice: ProtocolChoice, conversation: &str) {
    play(Handshake::new(choice, DECLARED, json!({ "name": "askback", "version": "0" })), conversation);
}

#[track_caller]
fn check_http(choice: ProtocolChoice, conversation: &str) {
    play(Handshake::new(choice, DECLARED, json!({ "name": "askback", "version": "0" })).over_http(), conversation);
}

#[track_caller]
fn play(mut handshake: Handshake, conversation: &str) {
    let mut first = handshake.begin();
    let mut played = vec![format!("> {}", written(&first))];
    let lines: Vec<&str> = conversation.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in &lines {
        let step = if let Some(message) = line.strip_prefix("< ") {
            // Over HTTP each request has an id of its own; the conversation is written as if there were one.
            let message =
                message.replacen("\"id\":1,", &format!("\"id\":{},", first.request_id().expect("it is a request")), 1);
            handshake.received(incoming::read(Frame::Line(message)))
        } else if let Some(event) = line.strip_prefix("! ") {
            match event.split_whitespace().collect::<Vec<_>>()[..] {
                ["exit"] => handshake.ended(),
                ["http", status, ref body @ ..] => {
                    handshake.refused(status.parse().expect("a status"), &body.join(" "))
                }
                _ => handshake.silent(),
            }
        } else {
            continue;
        };
        played.push((*line).to_owned());
        match step {
            Step::Continue(lines) => played.extend(lines.iter().map(|line| format!("> {}", written(line)))),
            Step::StartFresh => {
                played.push("fresh".into());
                first = handshake.begin();
                played.push(format!("> {}", written(&first)));
            }
            Step::Done(done) => {
                played.extend(done.send.iter().map(|line| format!("> {}", written(line))));
                let mut text = format!("done: {}", done.session.revision());
                if !done.early.is_empty() {
                    text.push_str(&format!(", early {}", done.early.len()));
                }
                if !done.violations.is_empty() {
                    text.push_str(&format!(", violations {}", done.violations.len()));
                }
                played.push(text);
            }
            Step::OpenStream(failure) => {
                played.push(format!("open a stream, or failed: {}", failed(&failure)));
                first = handshake.begin();
                played.push(format!("> {}", written(&first)));
            }
            Step::Failed(failure) => played.push(format!("failed: {}", failed(&failure))),
        }
    }
    assert_eq!(played.join("\n"), lines.join("\n"), "\n\nplayed:\n{}\n", played.join("\n"));
}

fn written(message: &Outgoing) -> String {
    let line = &message.line;
    assert!(!line.contains('\n'), "a message is one line");
    let message: Value = serde_json::from_str(line).expect("the client writes JSON");
    match message["method"].as_str() {
        Some("initialize") => format!("initialize {}", message["params"]["protocolVersion"].as_str().unwrap_or("?")),
        Some("server/discover") => "discover".into(),
        Some("notifications/initialized") => "initialized".into(),
        _ => line.to_owned(),
    }
}

fn failed(failure: &ConnectFailure) -> String {
    match failure {
        ConnectFailure::NoSharedVersion { theirs } => format!("no shared version, theirs {}", theirs.join(" ")),
        ConnectFailure::NotThatVersion { wanted, theirs } => format!("not {wanted} but {theirs}"),
        ConnectFailure::Refused(error) => format!("refused {}", error.code),
        ConnectFailure::Ended => "ended".into(),
        ConnectFailure::Silent => "silent".into(),
        ConnectFailure::Http { status, .. } => format!("http {status}"),
        ConnectFailure::Invalid { .. } => "invalid".into(),
    }
}

const INITIALIZED: &str = r#"
    < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
    > initialized
    done: 2025-11-25"#;

/// The probe is answered like this, and then the server turns out to be legacy in a fresh process.
#[track_caller]
fn check_legacy_after(answer: &str) {
    check(AUTO, &format!("> discover\n{answer}\nfresh\n> initialize 2025-11-25\n{INITIALIZED}"));
}

#[test]
fn a_discover_result_means_modern() {
    check(
        AUTO,
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}
        done: 2026-07-28
        "#,
    );
    check(
        AUTO,
        r#"
        > discover
        < {"jsonrpc":"2.0","id":"1","result":{"supportedVersions":["2025-11-25","2026-07-28","2031-01-01",7]}}
        done: 2026-07-28
        "#,
    );
}

#[test]
fn t13_any_other_error_and_t12_silence_or_an_exit_mean_legacy() {
    for error in [
        r#""id":1,"error":{"code":-32601,"message":"Method not found"}"#,
        r#""id":1,"error":{"code":-32602,"message":"Invalid params"}"#,
        r#""id":null,"error":{"code":-32000,"message":"not initialized"}"#,
        r#""error":{"code":-32000,"message":"not initialized"}"#,
        r#""id":1,"error":{"code":-32600,"message":"Invalid Request"}"#,
        r#""id":1,"error":"no""#,
        r#""id":1,"error":{"code":"E1","message":7}"#,
        r#""id":1,"result":{}"#,
        r#""id":1,"result":[]"#,
        r#""id":1,"result":{"supportedVersions":"2026-07-28"}"#,
    ] {
        check_legacy_after(&format!("< {{\"jsonrpc\":\"2.0\",{error}}}"));
    }
    check_legacy_after("! exit");
    check_legacy_after("! silent");
}

#[test]
fn t13_recognised_modern_errors_stay_modern() {
    check(
        AUTO,
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}}}
        done: 2026-07-28
        "#,
    );
    for code in [-32021, -32020] {
        check(
            AUTO,
            &format!(
                "> discover\n< {{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}\ndone: 2026-07-28"
            ),
        );
    }
}

#[test]
fn t13_no_shared_version_is_an_error_without_a_way_back() {
    check(
        AUTO,
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}}}
        failed: no shared version, theirs 2031-01-01
        "#,
    );
    check(
        AUTO,
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2031-01-01"]}}
        failed: no shared version, theirs 2031-01-01
        "#,
    );
}

#[test]
fn a_server_that_lists_legacy_revisions_only_is_initialized_in_a_fresh_process() {
    check_legacy_after(
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18","2025-11-25"]}}}"#,
    );
}

#[test]
fn a_late_answer_to_the_probe_died_with_its_process() {
    // The stale process's answer never reaches the handshake; an answer in the fresh one is that of `initialize`.
    check(
        AUTO,
        &format!(
            "> discover\n! silent\nfresh\n> initialize 2025-11-25\n\
             < {{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{{\"supportedVersions\":[\"2026-07-28\"]}}}}\n{INITIALIZED}"
        ),
    );
}

#[test]
fn a_probe_that_was_misjudged_is_made_good() {
    check(
        AUTO,
        r#"
        > discover
        ! silent
        fresh
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
        fresh
        > discover
        < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}
        done: 2026-07-28
        "#,
    );
}

#[test]
fn a_forced_revision_is_that_one_or_none() {
    let only = |revision| ProtocolChoice::Only(revision);
    check(
        only(Revision::V2025_06_18),
        r#"
        > initialize 2025-06-18
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}
        > initialized
        done: 2025-06-18
        "#,
    );
    check(
        only(Revision::V2025_06_18),
        r#"
        > initialize 2025-06-18
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}
        failed: not 2025-06-18 but 2025-11-25
        "#,
    );
    check(
        only(Revision::V2025_11_25),
        r#"
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
        failed: not 2025-11-25 but 2026-07-28
        "#,
    );
    check(only(Revision::V2025_11_25), "> initialize 2025-11-25\n! exit\nfailed: ended");
    check(only(Revision::V2026_07_28), "> discover\n! exit\nfailed: ended");
    check(only(Revision::V2026_07_28), "> discover\n! silent\nfailed: silent");
    check(
        only(Revision::V2026_07_28),
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
        failed: refused -32601
        "#,
    );
    check(
        only(Revision::V2026_07_28),
        r#"
        > discover
        < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25"]}}
        failed: not 2026-07-28 but 2025-11-25
        "#,
    );
}

#[test]
fn a_server_remembered_as_legacy_is_probed_again_when_that_fails() {
    check(ProtocolChoice::RememberedLegacy, &format!("> initialize 2025-11-25\n{INITIALIZED}"));
    for failure in [
        "! exit",
        "! silent",
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}"#,
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
    ] {
        check(
            ProtocolChoice::RememberedLegacy,
            &format!(
                "> initialize 2025-11-25\n{failure}\nfresh\n> discover\n\
                 < {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"supportedVersions\":[\"2026-07-28\"]}}}}\ndone: 2026-07-28"
            ),
        );
    }
    check(
        ProtocolChoice::RememberedLegacy,
        "> initialize 2025-11-25\n! exit\nfresh\n> discover\n! exit\nfresh\n> initialize 2025-11-25\n! exit\nfailed: ended",
    );
}

#[test]
fn t02_e31_what_comes_before_the_answer_is_kept_and_pings_are_answered() {
    check(
        ProtocolChoice::Only(Revision::V2025_11_25),
        r#"
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"up"}}
        < {"jsonrpc":"2.0","id":"p","method":"ping"}
        > {"jsonrpc":"2.0","id":"p","result":{}}
        < {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}
        > initialized
        done: 2025-11-25, early 3
        "#,
    );
}

#[test]
fn t01_noise_does_not_disturb_and_is_told() {
    check(
        AUTO,
        r#"
        > discover
        < npm warn exec
        < {"level":"info"}
        < [1,2]
        < null
        < {"jsonrpc":"2.0"}
        < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}
        done: 2026-07-28, violations 5
        "#,
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_not_waited_for() {
    check_legacy_after(r#"< {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["\ud800"]}}"#);
    check(
        ProtocolChoice::Only(Revision::V2025_11_25),
        r#"
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"\ud800"}}
        failed: invalid
        "#,
    );
}

#[test]
fn initialize_answered_with_an_unknown_version_or_none() {
    let answer = |result: &str, ending: &str| {
        check(
            ProtocolChoice::Only(Revision::V2025_11_25),
            &format!("> initialize 2025-11-25\n< {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}\n{ending}"),
        );
    };
    answer(r#"{"protocolVersion":"2023-01-01"}"#, "failed: no shared version, theirs 2023-01-01");
    answer("{}", "failed: invalid");
    answer(r#"{"protocolVersion":7}"#, "failed: invalid");
    answer("null", "failed: invalid");
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        check(
            AUTO,
            &format!(
                "> discover\n! exit\nfresh\n> initialize 2025-11-25\n\
                 < {{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{{\"protocolVersion\":\"{revision}\"}}}}\n> initialized\ndone: {revision}"
            ),
        );
    }
}

#[test]
fn a_server_that_names_older_revisions_in_its_refusal_is_asked_for_one() {
    check(
        AUTO,
        r#"
        > discover
        ! exit
        fresh
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2024-11-05","2025-03-26"]}}}
        fresh
        > initialize 2025-03-26
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26"}}
        > initialized
        done: 2025-03-26
        "#,
    );
    check(
        AUTO,
        r#"
        > discover
        ! exit
        fresh
        > initialize 2025-11-25
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2023-01-01"]}}}
        failed: refused -32602
        "#,
    );
}

#[test]
fn t14_a_batch_in_the_handshake_is_taken_whole() {
    check(
        ProtocolChoice::Only(Revision::V2025_03_26),
        r#"
        > initialize 2025-03-26
        < [{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26"}},{"jsonrpc":"2.0","method":"notifications/x"}]
        > {"jsonrpc":"2.0","id":7,"result":{}}
        > initialized
        done: 2025-03-26, early 1
        "#,
    );
}

#[test]
fn m15_m16_a_modern_server_gets_no_response_and_its_question_is_no_answer() {
    check(
        ProtocolChoice::Only(Revision::V2026_07_28),
        r#"
        > discover
        < {"jsonrpc":"2.0","id":"p","method":"ping"}
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"x","supportedVersions":["2026-07-28"]}}
        failed: invalid
        "#,
    );
}

#[test]
fn every_handshake_ends_whatever_the_server_does() {
    // Fresh processes are asked for a bounded number of times, or the host would start them for ever.
    let answers = [
        "! exit",
        "! silent",
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2025-06-18"]}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25"]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ];
    for choice in [AUTO, ProtocolChoice::RememberedLegacy, ProtocolChoice::Only(Revision::V2026_07_28)] {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(way) = ways.pop() {
            assert!(way.len() <= 4, "{choice:?}: {way:?}");
            let mut handshake = Handshake::new(choice, Declared::default(), json!({}));
            let mut goes_on = true;
            let _ = handshake.begin();
            for answer in &way {
                let step = match answers[*answer] {
                    "! exit" => handshake.ended(),
                    "! silent" => handshake.silent(),
                    line => handshake.received(incoming::read(Frame::Line(line.to_owned()))),
                };
                goes_on = matches!(step, Step::StartFresh);
                if goes_on {
                    let _ = handshake.begin();
                }
            }
            if goes_on {
                ways.extend((0..answers.len()).map(|next| [&way[..], &[next]].concat()));
            }
        }
    }
}

#[test]
fn t13_over_http_whatever_is_no_modern_answer_leads_to_initialize() {
    for answer in [
        "! http 404 <html>",
        "! http 405",
        "! http 400 Bad Request",
        "! http 500",
        "! http 202",
        "! silence",
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}"#,
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}"#,
        r#"< {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}"#,
        r#"< {"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        check_http(
            ProtocolChoice::Auto,
            &format!("> discover\n{answer}\nfresh\n> initialize 2025-11-25\n{INITIALIZED}"),
        );
    }
}

#[test]
fn t13_over_http_a_modern_error_stays_modern() {
    for data in
        [r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#, r#"{"supported":["2025-11-25","2026-07-28"]}"#]
    {
        let answer = format!(r#"< {{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"x","data":{data}}}}}"#);
        let once = format!("> discover\n{answer}\nfresh\n> discover\n");
        let found =
            r#"< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}}"#;
        check_http(ProtocolChoice::Auto, &format!("{once}{found}\ndone: 2026-07-28"));
        check_http(ProtocolChoice::Auto, &format!("{once}{answer}\ndone: 2026-07-28"));
    }
    let lacking = r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"x","data":{}}}"#;
    check_http(ProtocolChoice::Auto, &format!("> discover\n{lacking}\ndone: 2026-07-28"));
    let mismatch = r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"x"}}"#;
    check_http(ProtocolChoice::Auto, &format!("> discover\n{mismatch}\nfailed: refused -32020"));
    let none =
        r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2030-01-01"]}}}"#;
    check_http(ProtocolChoice::Auto, &format!("> discover\n{none}\nfailed: no shared version, theirs 2030-01-01"));
}

#[test]
fn over_http_the_oldest_transport_is_tried_last() {
    for status in [400, 404, 405] {
        check_http(
            ProtocolChoice::Auto,
            &format!(
                "> discover\n! http 404\nfresh\n> initialize 2025-11-25\n! http {status}\n\
                 open a stream, or failed: http {status}\n> initialize 2025-11-25\n\
                 {INITIALIZED}"
            ),
        );
    }
    check_http(
        ProtocolChoice::Auto,
        "> discover\n! http 503\nfresh\n> initialize 2025-11-25\n! http 503\nfailed: http 503",
    );
}

#[test]
fn over_http_a_named_revision_may_be_spoken_over_the_oldest_transport() {
    check_http(
        ProtocolChoice::Only(Revision::V2025_11_25),
        &format!(
            "> initialize 2025-11-25\n! http 404\nopen a stream, or failed: http 404\n> initialize 2025-11-25\n{INITIALIZED}"
        ),
    );
    check_http(ProtocolChoice::Only(Revision::NEWEST_MODERN), "> discover\n! http 404\nfailed: http 404");
}

#[test]
fn over_http_nothing_is_sent_to_whom_a_server_points() {
    check_http(ProtocolChoice::Auto, "> discover\n! http 302 elsewhere\nfailed: http 302");
}
