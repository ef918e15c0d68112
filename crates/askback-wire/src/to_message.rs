//! From the engine's wishes to messages. Answer strictly.

use askback_core::answer::{Action, Answer, Refusal};
use askback_core::ask::AskProblem;
use askback_core::call::Operation;
use askback_core::engine::Continuation;
use serde_json::{Map, Value, json};

/// Where the person's reason for declining travels, in `_meta`.
pub const REASON_KEY: &str = "askback/reason";

/// The result that an answer is on the wire.
///
/// # Errors
/// The code and message of the error that a refusal is, where an error can be sent.
pub fn result(answer: &Answer) -> Result<Value, (i64, String)> {
    Ok(match answer {
        Answer::Submitted { content } => json!({ "action": Action::Accept.as_str(), "content": content }),
        Answer::Consented => json!({ "action": Action::Accept.as_str() }),
        Answer::Declined { reason: None } => json!({ "action": Action::Decline.as_str() }),
        Answer::Declined { reason: Some(reason) } => {
            json!({ "action": Action::Decline.as_str(), "_meta": { REASON_KEY: reason } })
        }
        Answer::Cancelled => json!({ "action": Action::Cancel.as_str() }),
        Answer::Sampled(reply) => reply.to_value(),
        Answer::Roots(roots) => {
            let roots: Vec<Value> = roots
                .iter()
                .map(|root| match &root.name {
                    Some(name) => json!({ "uri": root.uri, "name": name }),
                    None => json!({ "uri": root.uri }),
                })
                .collect();
            json!({ "roots": roots })
        }
        Answer::Refused(refusal) => return Err(error(refusal)),
    })
}

fn error(refusal: &Refusal) -> (i64, String) {
    match refusal {
        Refusal::ByPerson { reason: None } => (-1, "The user declined the request".into()),
        Refusal::ByPerson { reason: Some(reason) } => (-1, format!("The user declined the request: {reason}")),
        Refusal::Problem(AskProblem::UnknownMethod { method }) => (-32601, format!("Method not found: {method}")),
        Refusal::Problem(AskProblem::Undeclared { capability }) => {
            // A capability that is missing altogether is a method that does not exist; a mode or option of one is a wrong parameter.
            let code = if capability.contains('.') { -32602 } else { -32601 };
            (code, format!("The client has not declared the capability {capability}"))
        }
        Refusal::Problem(AskProblem::Invalid { path, what }) => (-32602, format!("Invalid params: {path}: {what}")),
        Refusal::NobodyToAnswer => (-32603, "Nobody is there to answer".into()),
        Refusal::ModelFailed { message } => (-32603, format!("The model failed: {message}")),
    }
}

/// The method and parameters of a call, without `_meta`.
pub fn call(operation: &Operation, continuation: Option<&Continuation>) -> (&'static str, Map<String, Value>) {
    let mut params = Map::new();
    let method = match operation {
        Operation::Tool { name, arguments } => {
            params.insert("name".into(), json!(name));
            params.insert("arguments".into(), Value::Object(arguments.clone()));
            "tools/call"
        }
        Operation::Prompt { name, arguments } => {
            params.insert("name".into(), json!(name));
            params.insert("arguments".into(), Value::Object(arguments.clone()));
            "prompts/get"
        }
        Operation::Resource { uri } => {
            params.insert("uri".into(), json!(uri));
            "resources/read"
        }
    };
    if let Some(continuation) = continuation {
        if !continuation.answers.is_empty() {
            params.insert("inputResponses".into(), responses(&continuation.answers));
        }
        if let Some(state) = &continuation.state {
            params.insert("requestState".into(), json!(state));
        }
    }
    (method, params)
}

/// The method and parameters of what is said to a task, without `_meta`: how it stands is asked, unless there are answers.
pub fn task(work: &str, answers: &[(String, Answer)]) -> (&'static str, Map<String, Value>) {
    let mut params = Map::from_iter([("taskId".to_owned(), json!(work))]);
    if answers.is_empty() {
        return ("tasks/get", params);
    }
    params.insert("inputResponses".into(), responses(answers));
    ("tasks/update", params)
}

fn responses(answers: &[(String, Answer)]) -> Value {
    let shaped = answers.iter().filter_map(|(key, answer)| Some((key.clone(), result(answer).ok()?)));
    Value::Object(shaped.collect())
}
