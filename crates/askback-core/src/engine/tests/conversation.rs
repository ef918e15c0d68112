//! Conversations with an engine, written and read as text.
//!
//! `0 > call 1` is an input at a time in milliseconds, `< send 1` the effect that must follow it, and nothing else may. `? …` looks
//! without changing anything; its answer follows as `= …`. The whole conversation is compared at once, so that a failure shows all of it.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, By, Refusal};
use crate::answer_file::AnswerBook;
use crate::ask::{Ask, AskBody, AskKind, AskProblem, FormAsk, UrlAsk};
use crate::call::{CallId, Operation, RoundId, ServerName, TimeLimits};
use crate::engine::{
    Abandonment, CallFailure, Continuation, Effect, Engine, Fault, FaultReason, Input, Leave, LeaveAnswer, OpenRound,
    PetitionId, Record, Rejection, ReplyAddress, Returns, Rules, ServerError, Undelivered, WaitFor,
};
use crate::form::Form;
use crate::roots::Root;
use crate::sampling::{ReplyContent, SamplingReply, SamplingRequest};
use crate::violation::Violation;

/// Rules with a person, or with the entries of an answer file and nobody.
pub(in crate::engine) fn rules(person: bool, answers: &str) -> Rules {
    let mut book = AnswerBook::default();
    book.add("a.toml", answers).expect("a valid answer file");
    let roots = [(ServerName::new("travel"), vec![Root { uri: "file:///w".into(), name: None }])].into();
    Rules { person, answers: book, roots, ..Rules::default() }
}

pub(in crate::engine) fn person() -> Rules {
    rules(true, "")
}

/// Plays the inputs of a conversation and compares all of it.
#[track_caller]
pub(in crate::engine) fn check(rules: Rules, conversation: &str) {
    let mut engine = Engine::new(rules);
    let mut played = Vec::new();
    for line in conversation.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(question) = line.strip_prefix('?') {
            played.push(line.to_owned());
            played.push(format!("= {}", look(&engine, question.trim())));
        } else if let Some((time, input)) = line.split_once('>').filter(|(time, _)| time.trim().parse::<u64>().is_ok())
        {
            played.push(line.to_owned());
            let now = time.trim().parse().expect("a time");
            // What is given away goes before each of the replies that give it; the exploration holds it to that.
            let effects = engine.handle(now, read(input.trim()));
            let told = effects.iter().filter(|effect| !matches!(effect, Effect::Record(Record::Given(_))));
            played.extend(told.map(|effect| format!("< {}", shown(effect))));
        }
    }
    let expected: Vec<&str> = conversation.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(played.join("\n"), expected.join("\n"), "\n\nplayed:\n{}\n", played.join("\n"));
}

fn look(engine: &Engine, question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    match words[..] {
        ["due"] => engine.next_deadline().map_or("nothing".into(), |due| due.to_string()),
        ["waits"] => engine.waits().map(|wait| shown(&Effect::Await(wait))).collect::<Vec<_>>().join(" | "),
        ["open"] => engine.open_rounds().map(|round| opened(&round)).collect::<Vec<_>>().join(" | "),
        ["answer", place, word] => {
            let (round, index) = place_of(place);
            match engine.check_answer(round, index, &answer(word)) {
                Ok(()) => "taken".into(),
                Err(Rejection::AlreadyAnswered { by }) => format!("already answered by {}", by.as_str()),
                Err(Rejection::NoLongerWanted) => "no longer wanted".into(),
                Err(Rejection::Invalid { errors }) => format!("invalid in {} places", errors.len()),
                Err(Rejection::WrongKind) => "wrong kind".into(),
            }
        }
        _ => panic!("no question: {question}"),
    }
}

fn place_of(place: &str) -> (RoundId, usize) {
    let (round, index) = place.split_once('.').expect("ROUND.INDEX");
    (RoundId(number(round)), number(index) as usize)
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

fn calls(text: &str) -> Vec<CallId> {
    text.split(',').filter(|part| *part != "-").map(|part| CallId(number(part))).collect()
}

/// One input in words.
pub(in crate::engine) fn read(input: &str) -> Input {
    let words: Vec<&str> = input.split_whitespace().collect();
    let server = ServerName::new("travel");
    match words[..] {
        ["call", call, ref options @ ..] => {
            let mut limits = TimeLimits::default();
            let mut tool = "book";
            let mut server = server;
            for option in options {
                match option.split_once('=') {
                    Some(("leg", value)) => limits.leg = std::time::Duration::from_millis(number(value)),
                    Some(("budget", value)) => limits.budget = Some(std::time::Duration::from_millis(number(value))),
                    Some(("tool", value)) => tool = value,
                    Some(("server", value)) => server = ServerName::new(value),
                    _ => panic!("no option: {option}"),
                }
            }
            Input::CallRequested { call: CallId(number(call)), server, operation: operation(tool), limits }
        }
        ["page", address, "of", of, id] => Input::Asked {
            server,
            calls: calls(of),
            returns: Returns::Reply { address: address_of(address) },
            asks: vec![("elicitation/create".into(), page(id, "url"))],
        },
        ["ask", address, "of", of, kind] => Input::Asked {
            server,
            calls: calls(of),
            returns: Returns::Reply { address: address_of(address) },
            asks: vec![("elicitation/create".into(), ask("elicitation/create", kind))],
        },
        ["round", "of", of, ref parts @ ..] => {
            let mut state = None;
            let mut asks = Vec::new();
            for part in parts {
                match (part.split_once('='), part.split_once(':')) {
                    (Some(("state", value)), _) => state = Some(value.to_owned()),
                    (_, Some((key, kind))) => asks.push((key.to_owned(), ask(key, kind))),
                    _ => panic!("no part of a round: {part}"),
                }
            }
            Input::Asked { server, calls: calls(of), returns: Returns::Resend { state }, asks }
        }
        ["work", "of", of, ref parts @ ..] => {
            let mut pause = None;
            let mut asks = Vec::new();
            for part in parts {
                match (part.split_once('='), part.split_once(':')) {
                    (Some(("pause", value)), _) => pause = Some(number(value)),
                    (_, Some((key, kind))) => asks.push((key.to_owned(), ask(key, kind))),
                    _ => panic!("no part of a report on work: {part}"),
                }
            }
            Input::Asked { server, calls: calls(of), returns: Returns::Follow { work: "w".into(), pause }, asks }
        }
        ["abandoned", call] => {
            Input::Abandoned { call: CallId(number(call)), why: Abandonment::Cancelled { words: None } }
        }
        ["pages", "of", of, ref parts @ ..] => {
            let asks = parts.iter().map(|part| part.split_once(':').unwrap_or_else(|| panic!("no page: {part}")));
            let asks = asks.map(|(key, kind)| (key.to_owned(), page(key, kind))).collect();
            Input::Asked { server, calls: calls(of), returns: Returns::Repeat, asks }
        }
        ["retry", wait] => Input::Retried { wait: RoundId(number(wait)) },
        ["give-up", wait] => Input::GaveUp { wait: RoundId(number(wait)) },
        ["held-up", call, petition] => {
            Input::LeaveWanted { petition: petition_of(petition), call: CallId(number(call)), leave: leave() }
        }
        ["settled", petition] => Input::LeaveSettled { petition: petition_of(petition) },
        ["completed", id] => Input::PageCompleted { server, elicitation_id: id.into() },
        ["completed", id, "by", name] => {
            Input::PageCompleted { server: ServerName::new(name), elicitation_id: id.into() }
        }
        ["answer", place, word] => {
            let (round, index) = place_of(place);
            Input::Answered { round, index, answer: answer(word), by: By::Person }
        }
        ["drafted", place, how] => {
            let (round, index) = place_of(place);
            let Answer::Sampled(reply) = answer("sample") else { panic!("no reply") };
            let outcome = if how == "well" { Ok(reply) } else { Err("busy".to_owned()) };
            Input::Drafted { round, index, outcome }
        }
        ["lend"] => Input::Lent { server, lent: true },
        ["lend", "no", "more"] => Input::Lent { server, lent: false },
        ["result", call] => Input::Returned { call: CallId(number(call)), result: json!({}) },
        ["error", call] => {
            let error = ServerError { code: -32000, message: "no".into(), data: None };
            Input::Errored { call: CallId(number(call)), error }
        }
        ["undelivered", call, ref perhaps @ ..] => {
            let undelivered = Undelivered { detail: "gone".into(), may_have_acted: !perhaps.is_empty() };
            Input::Undelivered { call: CallId(number(call)), undelivered }
        }
        ["broke", call] => Input::Broke { call: CallId(number(call)), violation: Violation::new("result", "bad") },
        ["progress", call] => Input::Progressed { call: CallId(number(call)) },
        ["withdraw", address] => Input::Withdrawn { server, address: address_of(address) },
        ["gone"] => Input::Disconnected { server, detail: "it ended".into() },
        ["gone", name] => Input::Disconnected { server: ServerName::new(name), detail: "it ended".into() },
        ["stop", call] => Input::Stopped { call: CallId(number(call)) },
        ["mute"] => Input::Muted { server },
        ["tick"] => Input::Ticked,
        _ => panic!("no input: {input}"),
    }
}

fn petition_of(text: &str) -> PetitionId {
    PetitionId(number(text.trim_start_matches('#')))
}

pub(in crate::engine) fn leave() -> Leave {
    Leave {
        giver: "https://auth.example".into(),
        page: "https://auth.example/login".into(),
        extent: vec!["book".into()],
    }
}

fn address_of(text: &str) -> ReplyAddress {
    ReplyAddress(number(text.trim_start_matches('@')))
}

pub(in crate::engine) fn operation(tool: &str) -> Operation {
    Operation::Tool { name: tool.into(), arguments: Map::new() }
}

/// An ask of some kind, or one that cannot be put to anyone.
pub(in crate::engine) fn ask(key: &str, kind: &str) -> Result<Ask, AskProblem> {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let body = match kind {
        "form" => {
            AskBody::Form(FormAsk { message: "Name?".into(), form: Form::read(&schema).expect("a readable schema") })
        }
        "url" => {
            AskBody::Url(UrlAsk { message: "Pay".into(), url: "https://pay.example/".into(), elicitation_id: None })
        }
        "hostile-url" => {
            AskBody::Url(UrlAsk { message: "Pay".into(), url: "javascript:alert(1)".into(), elicitation_id: None })
        }
        "sampling" => {
            let params = json!({
                "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi" } }], "maxTokens": 9
            });
            AskBody::Sampling(Box::new(SamplingRequest::read(&params).expect("a readable request").0))
        }
        "roots" => AskBody::Roots,
        "broken" => {
            return Err(AskProblem::Invalid { path: "params.message".into(), what: "is missing".into() });
        }
        "unknown" => return Err(AskProblem::UnknownMethod { method: "foo/bar".into() }),
        _ => panic!("no kind of ask: {kind}"),
    };
    Ok(Ask { key: key.into(), body, raw: Value::Null, notes: Vec::new() })
}

/// An ask whose elicitation has its key as the server's id.
pub(in crate::engine) fn page(key: &str, kind: &str) -> Result<Ask, AskProblem> {
    let mut ask = ask(key, kind)?;
    if let AskBody::Url(page) = &mut ask.body {
        page.elicitation_id = Some(key.to_owned());
    }
    Ok(ask)
}

/// An answer in one word.
pub(in crate::engine) fn answer(word: &str) -> Answer {
    let content = |value: Value| value.as_object().cloned().unwrap_or_default();
    match word {
        "accept" => Answer::Submitted { content: content(json!({ "name": "Ada" })) },
        "bad" => Answer::Submitted { content: content(json!({ "name": 7 })) },
        "decline" => Answer::Declined { reason: None },
        "cancel" => Answer::Cancelled,
        "consent" => Answer::Consented,
        "refuse" => Answer::Refused(Refusal::ByPerson { reason: None }),
        "sample" => Answer::Sampled(Box::new(SamplingReply {
            content: vec![ReplyContent::Text("Hello".into())],
            model: "manual".into(),
            stop_reason: None,
        })),
        _ => panic!("no answer: {word}"),
    }
}

fn told(answer: &Answer) -> String {
    match answer {
        Answer::Submitted { content } => format!("accept {}", Value::Object(content.clone())),
        Answer::Consented => "consent".into(),
        Answer::Declined { .. } => "decline".into(),
        Answer::Cancelled => "cancel".into(),
        Answer::Sampled(_) => "sample".into(),
        Answer::Roots(roots) => format!("roots {}", roots.len()),
        Answer::Refused(Refusal::ByPerson { .. }) => "refuse".into(),
        Answer::Refused(Refusal::Problem(_)) => "refuse: problem".into(),
        Answer::Refused(Refusal::NobodyToAnswer) => "refuse: nobody".into(),
        Answer::Refused(Refusal::ModelFailed { .. }) => "refuse: model failed".into(),
    }
}

fn list(calls: &[CallId]) -> String {
    if calls.is_empty() {
        "-".into()
    } else {
        calls.iter().map(|call| call.0.to_string()).collect::<Vec<_>>().join(",")
    }
}

fn opened(round: &OpenRound) -> String {
    let asks: Vec<String> = round.asks.iter().map(|(index, ask)| format!("{index} {}", ask.kind().as_str())).collect();
    format!("round {} (no. {} of {}): {}", round.id.0, round.number, list(&round.calls), asks.join(", "))
}

/// One effect in words.
pub(in crate::engine) fn shown(effect: &Effect) -> String {
    match effect {
        Effect::Record(Record::Decided(decided)) => {
            let kind = decided.ask.as_ref().map_or("unread", |ask| ask.kind().as_str());
            format!("record {kind} {} by {}", told(&decided.answer), decided.by.as_str())
        }
        Effect::Record(Record::Given(given)) => format!("give {} {}", given.key, told(&given.answer)),
        Effect::Send { call, continuation: None, .. } => format!("send {}", call.0),
        Effect::Send { call, continuation: Some(Continuation { answers, state, work }), .. } => {
            let mut text = format!("send {} again", call.0);
            text.extend(work.iter().map(|work| format!(" to {work}")));
            text.extend(state.iter().map(|state| format!(" state={state}")));
            text.extend(answers.iter().map(|(key, answer)| format!(" {key}:{}", told(answer))));
            text
        }
        Effect::Reply { address, answer, .. } => format!("reply @{} {}", address.0, told(answer)),
        Effect::Draft { round, index, order, .. } => {
            format!("draft {}.{index} with {}", round.0, order.model.as_deref().unwrap_or("the chosen"))
        }
        Effect::Publish(round) => format!("publish {}", opened(round)),
        Effect::Retract { round, why } => format!("retract {} {why:?}", round.0),
        Effect::Cancel { call, work: None, reason, .. } => format!("cancel {} ({reason})", call.0),
        Effect::Cancel { call, work: Some(work), reason, .. } => format!("cancel {} and {work} ({reason})", call.0),
        Effect::Finish { call, ending } => {
            let outcome = match &ending.outcome {
                Ok(result) => format!("ok {result}"),
                Err(failure) => ended(failure),
            };
            let faults: String = ending.faults.iter().map(|fault| format!(", fault: {}", at_fault(fault))).collect();
            let goes_on = if ending.may_go_on { ", may go on" } else { "" };
            format!("finish {}: {outcome}; rounds {}, human {}{faults}{goes_on}", call.0, ending.rounds, ending.human)
        }
        Effect::Await(wait) => {
            let what = match &wait.wait_for {
                WaitFor::Pages(pages) => format!("{} pages", pages.len()),
                WaitFor::Resend(Undelivered { may_have_acted: true, .. }) => "a word, perhaps twice".to_owned(),
                WaitFor::Resend(_) => "a word".to_owned(),
                WaitFor::Leave(leave) => format!("leave of {}", leave.giver),
            };
            format!("await {what} for {} (wait {})", wait.call.0, wait.id.0)
        }
        Effect::AnswerPetition { petition, answer } => {
            let answer = match answer {
                LeaveAnswer::Goes => "goes",
                LeaveAnswer::Stays => "stays",
                LeaveAnswer::Nobody => "nobody",
            };
            format!("tell #{} {answer}", petition.0)
        }
        Effect::PageCompleted { call, .. } => format!("page of {} completed", call.0),
        Effect::Warn { violation, .. } => format!("warn {}", violation.rule),
    }
}

fn at_fault(fault: &Fault) -> String {
    let reason = match &fault.reason {
        FaultReason::NothingMatches => "nothing matches".to_owned(),
        FaultReason::EntryInvalid { place, .. } => format!("{place} is invalid"),
        FaultReason::NotOpenable { place, .. } => format!("{place} accepts what is never opened"),
        FaultReason::NoModel { place } => format!("{place} needs a model"),
        FaultReason::ModelFailed { message } => format!("the model is {message}"),
    };
    format!("{} {reason}", fault.ask.kind().as_str())
}

fn ended(failure: &CallFailure) -> String {
    match failure {
        CallFailure::Server(error) => format!("server error {}", error.code),
        CallFailure::Protocol(violation) => format!("protocol {}", violation.rule),
        CallFailure::Abandoned(Abandonment::Cancelled { .. }) => "cancelled by the server".into(),
        CallFailure::Abandoned(Abandonment::Forgotten { .. }) => "forgotten".into(),
        CallFailure::Unmeetable { key, .. } => format!("unmeetable {key}"),
        CallFailure::Refused { key, kind, .. } => format!("refused {key} {}", AskKind::as_str(*kind)),
        CallFailure::TooManyRounds { rounds } => format!("too many rounds ({rounds})"),
        CallFailure::TimedOut { limit, whole_call: true } => format!("budget of {limit} used up"),
        CallFailure::TimedOut { limit, whole_call: false } => format!("timed out after {limit}"),
        CallFailure::Stopped => "stopped".into(),
        CallFailure::Disconnected { .. } => "disconnected".into(),
        CallFailure::Undelivered(undelivered) if undelivered.may_have_acted => "undelivered, perhaps".into(),
        CallFailure::Undelivered(_) => "undelivered".into(),
    }
}
