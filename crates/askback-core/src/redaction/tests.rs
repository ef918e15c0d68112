//! Tables of texts and what is hidden in them, and what must hold whatever the text.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::sampling::{ReplyContent, SamplingReply};

const GITHUB: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const AWS: &str = "AKIAIOSFODNN7EXAMPLE";
const RANDOM: &str = "q7Rk2mZx9Lw4TnB8vYc3Hd6P";

fn request(text: &str) -> SamplingRequest {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    SamplingRequest::read(&json!({"messages": [message], "maxTokens": 5})).unwrap().0
}

fn redactor() -> Redactor {
    Redactor::new(&["(?i)project-[a-z]+"]).unwrap()
}

fn text_of(redacted: &Redacted) -> &str {
    match &redacted.request.messages[0].content[..] {
        [crate::sampling::Content::Text(text)] => text,
        other => panic!("{other:?}"),
    }
}

fn restored(redacted: &Redacted) -> String {
    let text = text_of(redacted);
    redacted.placeholders.restore_text(text).unwrap_or_else(|| text.to_owned())
}

/// What is left of a text when what stands between `«` and `»` is secret.
#[track_caller]
fn check(kind: SecretKind, marked: &str) {
    let text = marked.replace(['«', '»'], "");
    let redacted = redactor().redact(&request(&text));
    let mut expected = String::new();
    for (number, piece) in marked.split('«').enumerate() {
        if number == 0 {
            expected.push_str(piece);
        } else {
            let (_, rest) = piece.split_once('»').expect("a closing mark");
            expected.push_str(&format!("[[redacted-{number}]]{rest}"));
        }
    }
    assert_eq!(text_of(&redacted), expected);
    assert!(redacted.found.iter().all(|found| found.kind == kind), "{:?}", redacted.found);
    assert_eq!(restored(&redacted), text);
}

#[track_caller]
fn check_plain(text: &str) {
    let redacted = redactor().redact(&request(text));
    assert_eq!(text_of(&redacted), text, "{:?}", redacted.found);
    assert!(redacted.found.is_empty());
}

#[test]
fn known_forms() {
    let x = |count: usize| "aB3x".repeat(count / 4 + 1)[..count].to_owned();
    check(SecretKind::GitHub, &format!("clone with «{GITHUB}», please"));
    check(SecretKind::GitHub, &format!("«github_pat_{}»", x(40)));
    check(SecretKind::Aws, &format!("key «{AWS}»"));
    check(SecretKind::GitLab, &format!("«glpat-{}»", x(20)));
    check(SecretKind::Slack, &format!("«xoxb-123456789012-{}»", x(20)));
    check(SecretKind::Slack, &format!("«https://hooks.slack.com/services/T0/B0/{}»", x(24)));
    check(SecretKind::Google, &format!("«AIza{}»", x(35)));
    check(SecretKind::Stripe, &format!("«sk_live_{}»", x(24)));
    check(SecretKind::ModelProvider, &format!("«sk-proj-{}»", x(48)));
    check(SecretKind::ModelProvider, &format!("«sk-ant-api03-{}»", x(48)));
    check(SecretKind::Service, &format!("«npm_{}»", x(36)));
    check(SecretKind::Jwt, &format!("«eyJ{}.eyJ{}.{}»", x(20), x(40), x(43)));
    check(SecretKind::UrlPassword, "postgres://me:«hunter2»@db/x and https://example.com:8080/a@b");
    check(SecretKind::Authorization, &format!("Authorization: Bearer «{}»", x(20)));
    check(SecretKind::Authorization, "authorization: Basic «bWU6aHVudGVyMg==»");
}

#[test]
fn key_blocks() {
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----";
    check(SecretKind::PrivateKey, &format!("the key:\n«{key}»\nand «-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl»"));
    check_plain("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----");
}

#[test]
fn names_give_values_away() {
    for marked in [
        "password: «hunter2»",
        "PASSWORD=«swordfish» next",
        "{\"apiKey\": \"«a b c d»\", \"x\": 1}",
        "{\\\"password\\\": \\\"«hunter2»\\\"}",
        "AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»",
        "https://example.com/?token=«abc123»&page=2",
        "secret_key_base: «d34db33f»",
        "passwd='«geheim»';",
        "Password: «12345678».",
        "密码：«hunter2»。",
        "token: password: «hunter2»",
    ] {
        check(SecretKind::Named, marked);
    }
}

#[test]
fn what_only_speaks_of_secrets_stays() {
    for text in [
        "The password: please enter it.",
        "token: yes",
        "password: $PASSWORD, or ${PASSWORD}, or <your password>, or ********",
        "password = getPassword(user)",
        "max_tokens: 1000000, token: 1234567",
        "const token = process.env.TOKEN",
        "请输入密码：谢谢",
        "\"password\": \"string\", \"token\": null",
        "Reset your password.",
    ] {
        check_plain(text);
    }
}

#[test]
fn random_tokens_and_what_only_looks_long() {
    check(SecretKind::Random, &format!("see «{RANDOM}» there"));
    check(SecretKind::Random, &format!("/home/traveller/documents/of/mine/and/of/others/«{RANDOM}»/file"));
    for text in [
        "123e4567-e89b-12d3-a456-426614174000",
        "commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
        "AbstractSingletonProxyFactoryBeanConfigurer2",
        "/home/user/Projects/MyApp2/src/main/java/com/Example.java",
        "sha512-9/u6bgY2+JDlb7vzKD5STG+jIErimDgtYkdB0NxmODJuKCxBvl5CVNiCB3LFUYosWowMf37aGVlKfrU5RT4e1w==",
        "release-2026-11-30T12-00-00Z-Build",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ] {
        check_plain(text);
    }
}

#[test]
fn own_patterns() {
    check(SecretKind::Own, "about «project-manhattan» and «Project-X»");
    let redactor = Redactor::new(&["x*", "."]).unwrap();
    assert_eq!(redactor.redact(&request("äxx")).found.len(), 2);
    let error = Redactor::new(&["a", "(b"]).unwrap_err();
    assert_eq!((error.number, error.pattern.as_str()), (2, "(b"));
    assert!(Redactor::new(&["(?:a{1000}){1000}"]).is_err());
    let long = format!("{}project-zebra{}", "é ".repeat(3_000), " é".repeat(3_000));
    assert_eq!(redactor_text(&long).matches("[[redacted-1]]").count(), 1);
}

fn redactor_text(text: &str) -> String {
    text_of(&redactor().redact(&request(text))).to_owned()
}

#[test]
fn a_secret_has_one_placeholder_wherever_it_stands() {
    let params = json!({
        "systemPrompt": format!("use {GITHUB}"),
        "messages": [
            {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "t",
                "input": {"password": "correct horse", "deep": [{"x": format!("{GITHUB}!")}]}}},
            {"role": "user", "content": {"type": "tool_result", "toolUseId": "1", "content": [
                {"type": "text", "text": "correct horse is right"},
                {"type": "image", "mimeType": "image/png", "data": RANDOM}
            ]}},
        ],
        "tools": [{"name": "t", "description": format!("needs {GITHUB}"),
            "inputSchema": {"type": "object", "properties": {"password": {"type": "string", "default": "correct horse"}}}}],
        "metadata": {"session": {"access_token": "abcd-efgh"}},
        "maxTokens": 5
    });
    let (request, _) = SamplingRequest::read(&params).unwrap();
    let redacted = redactor().redact(&request);
    let shown: Vec<_> = redacted.found.iter().map(|found| (found.kind, found.times, found.shown.as_str())).collect();
    assert_eq!(shown, [(SecretKind::GitHub, 3, "ghp_…4a"), (SecretKind::Named, 3, "…"), (SecretKind::Named, 1, "…")]);
    let tool = Place::Tool { name: "t".into() };
    let input = Place::ToolInput { message: 0, part: 0 };
    assert_eq!(redacted.found[0].places, [Place::SystemPrompt, input, tool]);
    assert_eq!(redacted.request.system_prompt.as_deref(), Some("use [[redacted-1]]"));
    let all = format!("{redacted:?}");
    for secret in [GITHUB, "correct horse", "abcd-efgh"] {
        assert!(!all.contains(secret), "{all}");
    }
    assert!(all.contains(RANDOM), "the Base64 of an image stays");
}

fn reply(content: Vec<ReplyContent>) -> SamplingReply {
    SamplingReply { content, model: "m".into(), stop_reason: None }
}

#[test]
fn a_reply_gets_its_secrets_back() {
    let placeholders = redactor().redact(&request(&format!("{GITHUB} {AWS}"))).placeholders;
    let input = |text: &str| Map::from_iter([("a".to_owned(), json!([text])), (text.to_owned(), Value::Null)]);
    let content = |one: &str| {
        vec![
            ReplyContent::Text(format!("{one} and [[redacted-9]] and [[redacted-]] and [[redacted2-1]]")),
            ReplyContent::ToolUse { id: "1".into(), name: "t".into(), input: input(one) },
            ReplyContent::Raw(json!({"type": "text", "text": one})),
        ]
    };
    let given = reply(content("[[redacted-1]][[redacted-2]]"));
    assert!(placeholders.mentions(&given));
    assert_eq!(placeholders.restore(&given), reply(content(&format!("{GITHUB}{AWS}"))));
    let without = reply(vec![ReplyContent::Text("[[redacted-3]]".into())]);
    assert!(!placeholders.mentions(&without));
    assert_eq!(placeholders.restore(&without), without);
}

#[test]
fn placeholders_do_not_collide_with_text() {
    let text = format!("[[redacted-1]] [[redacted2-7 {GITHUB}");
    let redacted = redactor().redact(&request(&text));
    assert_eq!(text_of(&redacted), "[[redacted-1]] [[redacted2-7 [[redacted3-1]]");
    assert_eq!(restored(&redacted), text);
}

#[test]
fn large_and_hostile_texts_take_no_long_time() {
    let own = Redactor::new(&["a.*b|a"]).unwrap();
    let text = "a".repeat(5_000);
    assert!(restored(&own.redact(&request(&text))) == text);
    let redactor = redactor();
    for piece in
        ["a", "password=", "eyJ.eyJ", "-----BEGIN PRIVATE KEY", "://a:", "[[redacted", "aB3", &format!("{GITHUB} ")]
    {
        let text = piece.repeat(20_000 / piece.len());
        let redacted = redactor.redact(&request(&text));
        assert!(restored(&redacted) == text, "{piece}");
    }
}

fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "ghp_[A-Za-z0-9]{36}",
        "AKIA[A-Z2-7]{16}",
        "sk-[A-Za-z0-9]{40}",
        "eyJ[A-Za-z0-9]{10}\\.eyJ[A-Za-z0-9]{10}\\.[A-Za-z0-9]{10}",
        "project-[a-z]{4,9}",
    ]
}

/// Words, and the pieces of which the forms of secrets and placeholders are made.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        " ",
        "\n",
        "a",
        "password",
        "token",
        "=",
        ": ",
        ":",
        "\"",
        "\\",
        "[[redacted",
        "-1",
        "]]",
        "[",
        "密码",
        "：",
        "é",
        "://",
        "@",
        "hunter2",
        "eyJ",
        ".",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "Bearer ",
        "project-",
        "q7Rk2mZx9Lw4",
        "(",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_a_secret_stays_and_all_of_it_comes_back(
        texts in proptest::collection::vec(pieces(), 1..4), secrets in proptest::collection::vec(secret(), 1..4)
    ) {
        let text: String = texts.iter().zip(secrets.iter().cycle()).map(|(text, secret)| format!("{text} {secret} ")).collect();
        let redacted = redactor().redact(&request(&text));
        prop_assert_eq!(restored(&redacted), text.as_str());
        let printed = format!("{redacted:?}");
        for secret in secrets.iter().take(texts.len()) {
            prop_assert!(!printed.contains(secret.as_str()), "{} in {}", secret, printed);
        }
    }

    #[test]
    fn redacting_twice_is_redacting_once(text in pieces(), secret in secret()) {
        let once = redactor().redact(&request(&format!("{text}{secret}{text}")));
        let twice = redactor().redact(&once.request);
        prop_assert_eq!(&twice.found, &[]);
        prop_assert_eq!(twice.request, once.request);
    }

    #[test]
    fn any_text_comes_back(text in any::<String>(), more in pieces()) {
        let text = text + &more;
        prop_assert_eq!(restored(&redactor().redact(&request(&text))), text);
    }

    #[test]
    fn prose_stays_as_it_is(text in "([A-Z]?[a-z]{1,12}[,.?]? ){0,40}|[一-龥，。]{0,40}") {
        prop_assert_eq!(redactor_text(&text), text);
    }
}
