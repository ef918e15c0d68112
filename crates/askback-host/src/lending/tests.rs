//! A lender with a model made for tests: what the model gets, what is counted, and who need not ask.

use std::sync::Mutex;

use askback_core::sampling::choice::Takes;
use askback_core::sampling::estimate::Price;
use askback_core::sampling::{ReplyContent, RequestChanges};
use askback_models::{Completing, ModelError};
use serde_json::json;

use super::*;

/// Repeats what it was asked, and remembers it.
#[derive(Default)]
struct Parrot {
    heard: Mutex<Vec<SamplingRequest>>,
    /// Whether it never comes to an end.
    endless: bool,
    fails: bool,
}

impl Model for Parrot {
    fn complete<'a>(&'a self, request: &'a SamplingRequest, pieces: mpsc::UnboundedSender<Piece>) -> Completing<'a> {
        self.heard.lock().expect("a lock").push(request.clone());
        let said: String = request.messages.iter().flat_map(|message| &message.content).map(text).collect();
        Box::pin(async move {
            let _ = pieces.send(Piece::Text(said.clone()));
            if self.endless {
                std::future::pending::<()>().await;
            }
            if self.fails {
                return Err(ModelError::Silent { after: std::time::Duration::from_secs(9) });
            }
            let reply = SamplingReply {
                content: vec![ReplyContent::Text(said)],
                model: "parrot-1".into(),
                stop_reason: Some("endTurn".into()),
            };
            let usage = Usage { input_tokens: Some(100), output_tokens: Some(10) };
            Ok(Completion { reply, usage: Some(usage), left_out: Vec::new() })
        })
    }
}

fn text(content: &askback_core::sampling::Content) -> String {
    match content {
        askback_core::sampling::Content::Text(text) => text.clone(),
        other => panic!("not a text: {other:?}"),
    }
}

fn request(text: &str) -> SamplingRequest {
    let content = json!({ "type": "text", "text": text });
    let params = json!({ "messages": [{ "role": "user", "content": content }], "maxTokens": 50 });
    SamplingRequest::read(&params).expect("a request").0
}

fn wish(text: &str) -> Wish {
    Wish { request: request(text), model: None, redact: true }
}

fn server() -> ServerView {
    ServerView { name: "travel".into(), source: "travel --serve".into() }
}

fn options(parrot: &Arc<Parrot>) -> LenderOptions {
    let card = ModelCard {
        name: "small".into(),
        model: "parrot".into(),
        vendor: None,
        cost: 0.1,
        speed: 0.9,
        intelligence: 0.2,
        takes: Takes::default(),
        context: None,
        price: Some(Price { input: 1_000.0, output: 10_000.0 }),
    };
    let model: Arc<dyn Model> = Arc::clone(parrot) as Arc<dyn Model>;
    LenderOptions {
        models: vec![OwnModel { card, model }],
        default: None,
        usual: Terms::default(),
        terms: BTreeMap::new(),
        redactor: Redactor::default(),
        book: None,
        explain: Arc::new(ToString::to_string),
    }
}

fn limits(limits: Limits) -> Terms {
    Terms { allowed: None, limits }
}

async fn events(mut receiver: mpsc::UnboundedReceiver<DraftEvent>) -> Vec<DraftEvent> {
    let mut events = Vec::new();
    while let Some(event) = receiver.recv().await {
        events.push(event);
    }
    events
}

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[tokio::test]
async fn the_model_gets_no_secrets_and_they_come_back_only_beside_the_reply() {
    let parrot = Arc::new(Parrot::default());
    let lender = Arc::new(Lender::new(options(&parrot)));
    let events = events(lender.draft("travel", wish(&format!("Use {SECRET}.")))).await;
    let heard = text(&parrot.heard.lock().expect("a lock")[0].messages[0].content[0]);
    assert!(!heard.contains(SECRET), "{heard}");
    let Some(DraftEvent::Finished(draft)) = events.last() else { panic!("{events:?}") };
    assert_eq!(draft.reply.content, [ReplyContent::Text(heard)]);
    let restored = draft.restored.as_ref().expect("a reply with the secret put back");
    assert_eq!(restored.content, [ReplyContent::Text(format!("Use {SECRET}."))]);
    assert_eq!(draft.tokens, Some((100, 10)));
}

#[tokio::test]
async fn a_person_may_show_the_model_everything() {
    let parrot = Arc::new(Parrot::default());
    let lender = Arc::new(Lender::new(options(&parrot)));
    let offer = lender.offer("travel", &Wish { redact: false, ..wish(SECRET) });
    assert_eq!((offer.found.len(), text(&offer.sent.messages[0].content[0])), (1, SECRET.to_owned()));
    events(lender.draft("travel", Wish { redact: false, ..wish(SECRET) })).await;
    assert_eq!(text(&parrot.heard.lock().expect("a lock")[0].messages[0].content[0]), SECRET);
}

#[tokio::test]
async fn under_a_rule_placeholders_stay_in_the_reply() {
    let lender = Arc::new(Lender::new(options(&Arc::default())));
    let reply = lender.answer("travel", request(SECRET), ModelOrder::default()).await.expect("a reply");
    let [ReplyContent::Text(said)] = &reply.content[..] else { panic!("{reply:?}") };
    assert!(!said.contains(SECRET), "{said}");
}

#[tokio::test]
async fn an_order_names_the_model_and_changes_the_request() {
    let parrot = Arc::new(Parrot::default());
    let lender = Arc::new(Lender::new(options(&parrot)));
    let order = |model: &str| ModelOrder {
        model: Some(model.into()),
        changes: RequestChanges { max_tokens: Some(7), ..RequestChanges::default() },
    };
    lender.answer("travel", request("Hi"), order("small")).await.expect("a reply");
    assert_eq!(parrot.heard.lock().expect("a lock")[0].max_tokens, 7);
    let error = lender.answer("travel", request("Hi"), order("large")).await.expect_err("no such model");
    assert_eq!(error, "no model \"large\" is configured");
}

#[tokio::test]
async fn s12_limits_count_requests_tokens_and_money_and_outlive_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let parrot = Arc::new(Parrot::default());
    let lender = |limits_: Limits| {
        let book = Some(folder.path().join("state/lending.json"));
        Arc::new(Lender::new(LenderOptions { usual: limits(limits_), book, ..options(&parrot) }))
    };
    let day = Limits { tokens_per_day: Some(200), ..Limits::default() };
    events(lender(day).draft("travel", wish("Hi"))).await;
    // 110 tokens were taken, by the word of the provider; another run knows.
    assert_eq!(lender(day).left("travel").tokens, Some(90));
    let money = lender(Limits { money_per_day: Some(1.0), ..Limits::default() }).left("travel").money;
    assert!((money.expect("a rest") - 0.8).abs() < 1e-9, "{money:?}");
    let minute = Limits { requests_per_minute: Some(1), ..Limits::default() };
    let told = events(lender(minute).draft("travel", wish("Hi"))).await;
    assert_eq!(told, [DraftEvent::Failed { why: "1 requests a minute are used up".into() }]);
    assert_eq!(parrot.heard.lock().expect("a lock").len(), 1);
    assert!(lender(minute).offer("travel", &wish("Hi")).exceeded.is_some());
    // Another server has its own.
    assert_eq!(lender(minute).left("weather").requests, Some(1));
}

#[tokio::test]
async fn what_a_stopped_or_failed_model_took_is_paid() {
    for fails in [true, false] {
        let parrot = Arc::new(Parrot { fails, endless: !fails, ..Parrot::default() });
        let usual = limits(Limits { tokens_per_day: Some(1_000), ..Limits::default() });
        let lender = Arc::new(Lender::new(LenderOptions { usual, ..options(&parrot) }));
        let mut receiver = lender.draft("travel", wish("a text of some length"));
        assert!(matches!(receiver.recv().await, Some(DraftEvent::Text(_))));
        drop(receiver);
        let mut left = Some(1_000);
        for _ in 0..200 {
            left = lender.left("travel").tokens;
            if left != Some(1_000) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        assert!(left.is_some_and(|left| (900..1_000).contains(&left)), "{left:?}");
    }
}

#[tokio::test]
async fn s10_a_permission_is_for_one_server_as_it_was_seen_and_can_be_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let lender = || {
        let book = Some(folder.path().join("lending.json"));
        Lender::new(LenderOptions { book, ..options(&Arc::default()) })
    };
    let first = lender();
    assert!(!first.permits("travel", "travel --serve"));
    first.permit(&server(), Permission::Session).expect("noted");
    assert!(first.permits("travel", "travel --serve") && !lender().permits("travel", "travel --serve"));
    first.permit(&server(), Permission::Always).expect("written");
    assert!(lender().permits("travel", "travel --serve"));
    // Something else under the same name was never seen by the person.
    assert!(!lender().permits("travel", "evil --serve"));
    assert_eq!(lender().permitted(), [("travel".to_owned(), "travel --serve".to_owned())]);
    assert_eq!((lender().revoke("travel").expect("written"), lender().revoke("travel").expect("written")), (1, 0));
    assert!(!lender().permits("travel", "travel --serve"));
}

#[tokio::test]
async fn one_switch_stops_all_sampling() {
    let parrot = Arc::new(Parrot::default());
    let lender = Arc::new(Lender::new(options(&parrot)));
    lender.stop(true).expect("noted");
    let told = events(lender.draft("travel", wish("Hi"))).await;
    assert_eq!(told, [DraftEvent::Failed { why: "all sampling is stopped".into() }]);
    lender.stop(false).expect("noted");
    assert!(matches!(events(lender.draft("travel", wish("Hi"))).await.last(), Some(DraftEvent::Finished(_))));
    assert_eq!(parrot.heard.lock().expect("a lock").len(), 1);
}

#[tokio::test]
async fn a_book_that_cannot_be_read_lends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("lending.json");
    std::fs::write(&book, "{").expect("a file");
    let parrot = Arc::new(Parrot::default());
    let lender = Arc::new(Lender::new(LenderOptions { book: Some(book.clone()), ..options(&parrot) }));
    let told = events(lender.draft("travel", wish("Hi"))).await;
    assert!(matches!(&told[..], [DraftEvent::Failed { why }] if why.contains("cannot be counted")), "{told:?}");
    assert!(parrot.heard.lock().expect("a lock").is_empty());
    assert_eq!(std::fs::read_to_string(&book).expect("a file"), "{");
}

#[tokio::test]
async fn a_server_gets_only_the_models_that_it_may_have() {
    let terms = [("travel".to_owned(), Terms { allowed: Some(Vec::new()), limits: Limits::default() })].into();
    let lender = Arc::new(Lender::new(LenderOptions { terms, ..options(&Arc::default()) }));
    let offer = lender.offer("travel", &wish("Hi"));
    assert_eq!((offer.models.len(), offer.unusable.len(), offer.chosen), (0, 1, None));
    assert_eq!(lender.offer("weather", &wish("Hi")).models.len(), 1);
}
