//! From what a server sent to asks. Read tolerantly: older dialects are understood, with a note to the author.

use askback_core::ask::{Ask, AskBody, AskProblem, AuthorNote, FormAsk, UrlAsk};
use askback_core::form::Form;
use askback_core::sampling::SamplingRequest;
use serde_json::Value;

use crate::declared::Declared;

/// Reads one ask: a server request, or an entry of `inputRequests`.
///
/// # Errors
/// Why it cannot be put to anyone.
pub fn ask(key: &str, method: &str, params: &Value, declared: Declared) -> Result<Ask, AskProblem> {
    let mut notes = Vec::new();
    let body = match method {
        "elicitation/create" | "elicitation/requestInput" => elicitation(method, params, declared, &mut notes)?,
        "sampling/createMessage" => {
            declared_or("sampling", declared.sampling)?;
            let (request, found) = SamplingRequest::read(params)?;
            if !request.tools.is_empty() || params.get("toolChoice").is_some() {
                declared_or("sampling.tools", declared.sampling_tools)?;
            }
            notes.extend(found);
            notes.push(AuthorNote::Deprecated { feature: "sampling" });
            AskBody::Sampling(Box::new(request))
        }
        "roots/list" => {
            declared_or("roots", declared.roots)?;
            notes.push(AuthorNote::Deprecated { feature: "roots" });
            AskBody::Roots
        }
        _ => return Err(AskProblem::UnknownMethod { method: method.to_owned() }),
    };
    Ok(Ask { key: key.to_owned(), body, raw: params.clone(), notes })
}

fn declared_or(capability: &str, declared: bool) -> Result<(), AskProblem> {
    if declared { Ok(()) } else { Err(AskProblem::Undeclared { capability: capability.to_owned() }) }
}

fn invalid(path: &str, what: impl Into<String>) -> AskProblem {
    AskProblem::Invalid { path: path.to_owned(), what: what.into() }
}

fn elicitation(
    method: &str,
    params: &Value,
    declared: Declared,
    notes: &mut Vec<AuthorNote>,
) -> Result<AskBody, AskProblem> {
    declared_or("elicitation", declared.form || declared.url)?;
    let message = match params.get("message") {
        Some(Value::String(message)) => message.clone(),
        Some(_) => return Err(invalid("params.message", "is not a string")),
        None => return Err(invalid("params.message", "is missing")),
    };
    match params.get("mode") {
        None => {}
        Some(Value::String(mode)) if mode == "form" => {}
        Some(Value::String(mode)) if mode == "url" => {
            declared_or("elicitation.url", declared.url)?;
            let url = match params.get("url") {
                Some(Value::String(url)) => url.clone(),
                Some(_) => return Err(invalid("params.url", "is not a string")),
                None => return Err(invalid("params.url", "is missing")),
            };
            let elicitation_id = params.get("elicitationId").and_then(Value::as_str).map(str::to_owned);
            return Ok(AskBody::Url(UrlAsk { message, url, elicitation_id }));
        }
        Some(mode) => return Err(invalid("params.mode", format!("{mode} is neither \"form\" nor \"url\""))),
    }
    declared_or("elicitation.form", declared.form)?;
    let old_dialect = method == "elicitation/requestInput";
    let schema = match (params.get("requestedSchema"), params.get("schema")) {
        (Some(schema), _) => schema,
        (None, Some(schema)) if old_dialect => schema,
        (None, Some(_)) => {
            return Err(invalid(
                "params.requestedSchema",
                "is missing; \"schema\" is not its name in elicitation/create",
            ));
        }
        (None, None) => return Err(invalid("params.requestedSchema", "is missing")),
    };
    if old_dialect {
        notes.push(AuthorNote::OldDialect {
            found: "elicitation/requestInput with schema".into(),
            instead: "elicitation/create with requestedSchema".into(),
        });
    }
    let form = Form::read(schema).map_err(|error| invalid("params.requestedSchema", error.to_string()))?;
    Ok(AskBody::Form(FormAsk { message, form }))
}
