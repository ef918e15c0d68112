use serde_json::json;

use super::*;
use crate::settings::{Provider, Takes};

fn settings() -> ModelSettings {
    ModelSettings {
        name: "m".into(),
        provider: Provider::OpenAi,
        base_url: None,
        model: "big".into(),
        key: Some(SecretString::from("sk-secret")),
        key_variable: Some("BIG_KEY".into()),
        takes: Takes::default(),
    }
}

fn read(status: u16, headers: &[(&'static str, &str)], body: &str) -> ModelError {
    let fields = headers.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")));
    let refusal = Refusal { status, body: body.to_owned(), headers: fields.collect() };
    Reading { settings: &settings(), origin: "http://127.0.0.1:1" }.refusal(&refusal)
}

#[track_caller]
fn check(status: u16, body: &str, expected: ModelError) {
    assert_eq!(read(status, &[], body), expected, "{status} {body}");
}

#[test]
fn each_status_has_its_meaning() {
    let body = r#"{"error":{"message":"no sk-secret"}}"#;
    let said = "no •••".to_owned();
    check(401, body, ModelError::Unauthorized { variable: Some("BIG_KEY".into()), said: said.clone() });
    check(403, body, ModelError::Forbidden { said: said.clone() });
    check(404, body, ModelError::UnknownModel { model: "big".into(), said: said.clone() });
    check(413, body, ModelError::TooLong { said: said.clone() });
    check(429, body, ModelError::TooManyRequests { retry_after: None, said: said.clone() });
    check(400, body, ModelError::Rejected { status: 400, said: said.clone() });
    check(402, body, ModelError::Rejected { status: 402, said: said.clone() });
    for status in [408, 500, 503, 529] {
        check(status, body, ModelError::Unavailable { status: Some(status), retry_after: None, said: said.clone() });
    }
}

#[test]
fn some_refusals_are_known_by_their_words() {
    let body = |message: &str| json!({"error": {"message": message}}).to_string();
    for message in ["This model's maximum context length is 8192 tokens.", "prompt is too long: 9 > 8"] {
        check(400, &body(message), ModelError::TooLong { said: message.into() });
    }
    let filtered = r#"{"error":{"code":"content_filter","message":"No."}}"#;
    check(400, filtered, ModelError::Filtered { said: "No.".into() });
    let message = "API key not valid. Please pass a valid API key.";
    check(400, &body(message), ModelError::Unauthorized { variable: Some("BIG_KEY".into()), said: message.into() });
}

#[test]
fn the_wait_is_read_from_fields_and_from_gemini_s_body() {
    let wait = |error: ModelError| match error {
        ModelError::TooManyRequests { retry_after, .. } | ModelError::Unavailable { retry_after, .. } => retry_after,
        other => panic!("{other:?}"),
    };
    assert_eq!(wait(read(429, &[("retry-after", "7")], "")), Some(Duration::from_secs(7)));
    assert_eq!(
        wait(read(503, &[("retry-after-ms", "1500"), ("retry-after", "2")], "")),
        Some(Duration::from_millis(1500))
    );
    let body = r#"{"error":{"details":[{"retryDelay": "17s"}]}}"#;
    assert_eq!(wait(read(429, &[], body)), Some(Duration::from_secs(17)));
    for nonsense in ["soon", "-3", "1e400", "NaN"] {
        assert_eq!(wait(read(429, &[("retry-after", nonsense)], "")), None, "{nonsense}");
    }
}

#[test]
fn a_redirect_is_told_without_its_secrets() {
    let to = "https://elsewhere.example/login?token=abc";
    let expected = ModelError::Redirected { to: Some("https://elsewhere.example/login".into()) };
    assert_eq!(read(307, &[("location", to)], ""), expected);
}

#[test]
fn errors_in_the_middle_are_told_apart() {
    let told = |body: Value| Reading { settings: &settings(), origin: "" }.told(&body);
    let said = "Busy".to_owned();
    let error = |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "Busy"}});
    let unavailable = ModelError::Unavailable { status: None, retry_after: None, said: said.clone() };
    assert_eq!(told(error("overloaded_error")), unavailable);
    assert_eq!(told(error("rate_limit_error")), ModelError::TooManyRequests { retry_after: None, said: said.clone() });
    assert_eq!(told(json!({"message": "Busy", "code": "context_length_exceeded"})), ModelError::TooLong { said });
    assert_eq!(told(json!("Busy")), unavailable);
}
