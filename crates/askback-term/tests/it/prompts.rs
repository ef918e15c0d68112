//! The runner between a desk and a terminal, both made for tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askback_core::answer::Answer;
use askback_core::ask::AskBody;
use askback_desk::desk::BoxFuture;
use askback_desk::lending::{DraftEvent, Offer, Permission, Wish};
use askback_desk::view::{Closed, Root, RoundId, RoundView, ServerView};
use askback_desk::{AnswerRejected, Desk, DeskEvent, Lang};
use askback_term::key::keys;
use askback_term::prompts;
use askback_term::screen::{Input, Screen};
use askback_term::zone::Zone;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::asks;
use crate::drawn::texts;
use crate::lent::{self, Lender};
use crate::screen::Memory;

#[derive(Default)]
struct Inner {
    faces: Vec<mpsc::UnboundedSender<DeskEvent>>,
    answers: Vec<(u64, usize, Answer)>,
    muted: Vec<String>,
    opened: Vec<String>,
    remembered: Vec<(Vec<Root>, Vec<Root>)>,
    retried: Vec<u64>,
    given_up: Vec<u64>,
    replies: VecDeque<Result<(), AnswerRejected>>,
    browser: Option<String>,
    lender: Option<Lender>,
    wishes: Vec<Wish>,
    permitted: Vec<Permission>,
    /// Why a permission cannot be written down.
    disk: Option<String>,
    /// Where the model at work sends what it writes.
    model: Option<mpsc::UnboundedSender<DraftEvent>>,
}

#[derive(Default)]
struct TestDesk(Mutex<Inner>);

impl Desk for TestDesk {
    fn subscribe(&self) -> mpsc::UnboundedReceiver<DeskEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.0.lock().unwrap().faces.push(sender);
        receiver
    }

    fn answer(&self, round: RoundId, index: usize, answer: Answer) -> BoxFuture<'_, Result<(), AnswerRejected>> {
        let mut inner = self.0.lock().unwrap();
        let reply = inner.replies.pop_front().unwrap_or(Ok(()));
        if reply.is_ok() {
            inner.answers.push((round.0, index, answer));
        }
        Box::pin(async move { reply })
    }

    fn decline_all_from(&self, server: &str) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().muted.push(server.to_owned());
        Box::pin(async {})
    }

    fn try_again(&self, round: RoundId) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().retried.push(round.0);
        Box::pin(async {})
    }

    fn give_up(&self, round: RoundId) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().given_up.push(round.0);
        Box::pin(async {})
    }

    fn offer(&self, _: &ServerView, wish: Wish) -> Option<Offer> {
        self.0.lock().unwrap().lender.as_ref().map(|lender| lender.offer(&wish))
    }

    fn draft(&self, _: &ServerView, wish: Wish) -> mpsc::UnboundedReceiver<DraftEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut inner = self.0.lock().unwrap();
        inner.wishes.push(wish);
        inner.model = Some(sender);
        receiver
    }

    fn permit(&self, _: &ServerView, permission: Permission) -> BoxFuture<'_, Result<(), String>> {
        let mut inner = self.0.lock().unwrap();
        inner.permitted.push(permission);
        let failure = inner.disk.clone();
        Box::pin(async move { failure.map_or(Ok(()), Err) })
    }

    fn remember_roots(
        &self,
        _: &ServerView,
        shared: Vec<Root>,
        withheld: Vec<Root>,
    ) -> BoxFuture<'_, Result<(), String>> {
        self.0.lock().unwrap().remembered.push((shared, withheld));
        Box::pin(async { Ok(()) })
    }

    fn open_page(&self, url: &str) -> BoxFuture<'_, Result<(), String>> {
        let mut inner = self.0.lock().unwrap();
        inner.opened.push(url.to_owned());
        let failure = inner.browser.clone();
        Box::pin(async move { failure.map_or(Ok(()), Err) })
    }
}

struct World {
    desk: Arc<TestDesk>,
    terminal: Memory,
    runner: JoinHandle<()>,
}

impl World {
    async fn new() -> World {
        let (desk, terminal) = (Arc::new(TestDesk::default()), Memory::new(60, 80));
        let screen = Screen::new(terminal.clone(), false);
        let runner = tokio::spawn(prompts::run(desk.clone(), texts(Lang::En), Zone::default(), screen));
        let world = World { desk, terminal, runner };
        world.until(|world| !world.desk.0.lock().unwrap().faces.is_empty()).await;
        world
    }

    async fn until(&self, met: impl Fn(&World) -> bool) {
        let waited = tokio::time::timeout(Duration::from_secs(10), async {
            while !met(self) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        assert!(waited.await.is_ok(), "never happened; the screen is:\n{}", self.terminal.contents());
    }

    fn tell(&self, event: DeskEvent) {
        for face in &self.desk.0.lock().unwrap().faces {
            face.send(event.clone()).unwrap();
        }
    }

    fn open(&self, round: RoundView) {
        self.tell(DeskEvent::Opened(Box::new(round)));
    }

    async fn shows(&self, text: &str) {
        self.until(|world| world.terminal.contents().contains(text)).await;
    }

    async fn press(&self, script: &str) {
        self.until(|world| world.terminal.is_open()).await;
        let sender = self.terminal.0.lock().unwrap().keys.clone().unwrap();
        for key in keys(script) {
            sender.send(Input::Key(key)).unwrap();
        }
    }

    async fn is_closed(&self) {
        self.until(|world| !world.terminal.is_open()).await;
    }

    fn answers(&self) -> Vec<(u64, usize, Answer)> {
        self.desk.0.lock().unwrap().answers.clone()
    }
}

#[tokio::test]
async fn control_c_cancels_the_open_ask_only() {
    let world = World::new().await;
    world.open(asks::round(7, vec![asks::payment(), asks::barcelona()]));
    world.press("ctrl-c").await;
    world.shows("question 2 of 2").await;
    world.press("esc").await;
    world.is_closed().await;
    assert_eq!(world.answers(), [(7, 0, Answer::Cancelled), (7, 1, Answer::Cancelled)]);
    assert!(!world.runner.is_finished());
}

#[tokio::test]
async fn e38_a_call_waits_for_a_page_until_the_person_or_the_server_says_so() {
    let world = World::new().await;
    world.tell(DeskEvent::Waiting(Box::new(asks::wait(asks::pages(&["https://a.example/"])))));
    world.shows("https://a.example/").await;
    world.press("enter").await;
    world.is_closed().await;
    assert_eq!(world.desk.0.lock().unwrap().retried, [1]);
    world.tell(DeskEvent::Waiting(Box::new(asks::wait(asks::pages(&["https://b.example/"])))));
    world.shows("https://b.example/").await;
    world.tell(DeskEvent::Closed { round: RoundId(1), why: Closed::PagesDone });
    world.is_closed().await;
    world.tell(DeskEvent::Waiting(Box::new(asks::wait(asks::pages(&["https://c.example/"])))));
    world.shows("https://c.example/").await;
    world.press("esc").await;
    world.is_closed().await;
    let inner = world.desk.0.lock().unwrap();
    assert_eq!((inner.retried.len(), &inner.given_up[..]), (1, &[1][..]));
}

#[tokio::test]
async fn a_second_round_waits_for_its_turn() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::payment()]));
    world.open(asks::round(2, vec![asks::barcelona()]));
    world.shows("1 more question waits").await;
    world.press("esc").await;
    world.shows("confirmBooking").await;
    world.press("esc").await;
    world.is_closed().await;
    assert_eq!(world.answers(), [(1, 0, Answer::Cancelled), (2, 0, Answer::Cancelled)]);
}

#[tokio::test]
async fn a_dialog_closes_at_once_when_the_server_is_gone() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::traveller()]));
    world.press("type:Ada·Lovelace").await;
    world.shows("Ada Lovelace").await;
    world.tell(DeskEvent::Closed { round: RoundId(1), why: Closed::Disconnected });
    world.is_closed().await;
    insta::assert_snapshot!(world.terminal.contents());
    assert_eq!(world.answers(), []);
}

#[tokio::test]
async fn a_round_closed_while_it_waits_is_never_shown() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::payment()]));
    world.open(asks::round(2, vec![asks::barcelona()]));
    world.shows("1 more question waits").await;
    world.tell(DeskEvent::Closed { round: RoundId(2), why: Closed::Withdrawn });
    world.until(|world| !world.terminal.contents().contains("more question")).await;
    world.press("esc").await;
    world.is_closed().await;
    assert_eq!(world.terminal.0.lock().unwrap().opened, 1);
}

#[tokio::test]
async fn a_refused_answer_is_said_and_can_be_given_again() {
    let world = World::new().await;
    world.desk.0.lock().unwrap().replies.push_back(Err(AnswerRejected::WrongKind));
    world.open(asks::round(1, vec![asks::payment()]));
    world.press("down enter").await;
    world.shows("such an answer does not fit").await;
    world.press("enter").await;
    world.is_closed().await;
    assert_eq!(world.answers(), [(1, 0, Answer::Consented)]);
    assert_eq!(world.desk.0.lock().unwrap().opened.len(), 1);
}

#[tokio::test]
async fn a_page_that_does_not_open_leaves_its_address() {
    let world = World::new().await;
    world.desk.0.lock().unwrap().browser = Some("no browser".into());
    world.open(asks::round(1, vec![asks::payment()]));
    world.press("down enter").await;
    world.shows("could not be opened (no browser)").await;
}

#[tokio::test]
async fn a_server_can_be_muted() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::barcelona()]));
    world.press("ctrl-x tab enter").await;
    world.is_closed().await;
    assert_eq!(world.desk.0.lock().unwrap().muted, ["travel"]);
    assert_eq!(world.answers(), [(1, 0, Answer::Declined { reason: None })]);
}

#[tokio::test]
async fn a_reply_can_be_written_in_an_editor() {
    let world = World::new().await;
    world.terminal.0.lock().unwrap().edited = Some(" 8301\n".into());
    world.open(asks::round(1, vec![asks::best_flight()]));
    world.press("enter type:VY ctrl-e").await;
    world.shows("› VY 8301").await;
    world.press("ctrl-s enter").await;
    world.is_closed().await;
    assert!(matches!(&world.answers()[..], [(1, 0, Answer::Sampled(_))]));
}

#[tokio::test]
async fn the_terminal_is_put_back_when_the_runner_is_dropped() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::payment()]));
    world.until(|world| world.terminal.is_open()).await;
    world.runner.abort();
    world.is_closed().await;
    assert!(!world.terminal.contents().contains("Esc"));
}

#[tokio::test]
async fn the_end_of_input_cancels_everything_open() {
    let world = World::new().await;
    world.open(asks::round(1, vec![asks::payment(), asks::barcelona()]));
    world.until(|world| world.terminal.is_open()).await;
    world.terminal.0.lock().unwrap().keys = None;
    world.until(|world| world.answers().len() == 2).await;
    assert_eq!(world.answers(), [(1, 0, Answer::Cancelled), (1, 1, Answer::Cancelled)]);
}

impl World {
    /// A world in which models are lent.
    async fn lending() -> World {
        let world = World::new().await;
        world.desk.0.lock().unwrap().lender = Some(Lender::new());
        world
    }

    async fn model_writes(&self, events: Vec<DraftEvent>) {
        self.until(|world| world.desk.0.lock().unwrap().model.is_some()).await;
        let model = self.desk.0.lock().unwrap().model.clone().unwrap();
        for event in events {
            model.send(event).unwrap();
        }
    }

    /// Whether nobody waits for the model any more.
    async fn model_is_stopped(&self) {
        self.until(|world| world.desk.0.lock().unwrap().model.as_ref().is_some_and(mpsc::UnboundedSender::is_closed))
            .await;
    }
}

#[tokio::test]
async fn s10_a_model_replies_after_both_gates() {
    let world = World::lending().await;
    world.open(asks::round(1, vec![asks::best_flight()]));
    world.shows("Ask sonnet").await;
    world.press("down enter").await;
    world.shows("sonnet is at work").await;
    world.model_writes(vec![DraftEvent::Text("VY 8301, as it".into())]).await;
    world.shows("│ VY 8301, as it").await;
    assert_eq!(world.answers(), []);
    world.model_writes(lent::text("VY 8301, as it is cheaper.")).await;
    world.shows("This goes to travel").await;
    world.press("down enter").await;
    world.is_closed().await;
    let [(1, 0, Answer::Sampled(reply))] = &world.answers()[..] else { panic!("{:?}", world.answers()) };
    assert_eq!(reply.model, "claude-sonnet-9");
    world.model_is_stopped().await;
    let inner = world.desk.0.lock().unwrap();
    let [wish] = &inner.wishes[..] else { panic!("{:?}", inner.wishes) };
    assert_eq!(wish, &Wish { request: asks::flight_request(), model: None, redact: true });
}

#[tokio::test]
async fn a_model_at_work_is_stopped_by_a_key() {
    for key in ["esc", "ctrl-c"] {
        let world = World::lending().await;
        world.open(asks::round(1, vec![asks::best_flight()]));
        world.press("down enter").await;
        world.model_writes(vec![DraftEvent::Thinking("Hm".into())]).await;
        world.shows("thinking").await;
        world.press(key).await;
        world.model_is_stopped().await;
        world.shows("Stopped.").await;
        assert_eq!(world.answers(), []);
        world.press("ctrl-c").await;
        world.is_closed().await;
        assert!(matches!(&world.answers()[..], [(1, 0, Answer::Refused(_))]));
    }
}

#[tokio::test]
async fn a_model_at_work_is_stopped_when_its_request_ends() {
    let world = World::lending().await;
    world.open(asks::round(1, vec![asks::best_flight()]));
    world.press("down enter").await;
    world.shows("is at work").await;
    world.tell(DeskEvent::Closed { round: RoundId(1), why: Closed::Disconnected });
    world.model_is_stopped().await;
    world.is_closed().await;
    world.open(asks::round(2, vec![asks::best_flight(), asks::payment()]));
    world.press("down enter").await;
    world.until(|world| world.desk.0.lock().unwrap().wishes.len() == 2).await;
    world.press("ctrl-x enter").await;
    world.model_is_stopped().await;
    world.shows("question 2 of 2").await;
}

#[tokio::test]
async fn a_model_that_is_gone_leads_back_to_the_request() {
    let world = World::lending().await;
    world.open(asks::round(1, vec![asks::best_flight()]));
    world.press("down enter").await;
    world.shows("is at work").await;
    drop(world.desk.0.lock().unwrap().model.take());
    world.shows("The model stopped without a reply.").await;
    world.shows("Ask sonnet").await;
}

#[tokio::test]
async fn a_permission_is_given_to_the_desk_before_the_model_is_asked() {
    let world = World::lending().await;
    world.desk.0.lock().unwrap().disk = Some("disk full".into());
    world.open(asks::round(1, vec![asks::best_flight()]));
    world.press("end up enter down down enter").await;
    world.shows("could not be written down (disk full)").await;
    world.shows("is at work").await;
    let inner = world.desk.0.lock().unwrap();
    assert_eq!((&inner.permitted[..], inner.wishes.len()), (&[Permission::Always][..], 1));
}

#[tokio::test]
async fn nothing_of_one_request_is_kept_for_another() {
    let world = World::lending().await;
    world.open(asks::round(1, vec![asks::best_flight()]));
    // Another model, a draft, and then declined.
    world.press("down down enter down enter down enter").await;
    world.model_writes(lent::text("A secret of the first request.")).await;
    world.shows("A secret of the first request.").await;
    world.press("esc").await;
    world.is_closed().await;
    world.open(asks::round(2, vec![asks::best_flight()]));
    world.press("down enter").await;
    world.until(|world| world.desk.0.lock().unwrap().wishes.len() == 2).await;
    let inner = world.desk.0.lock().unwrap();
    assert_eq!(inner.wishes[0].model.as_deref(), Some("vision"));
    assert_eq!(inner.wishes[1], Wish { request: asks::flight_request(), model: None, redact: true });
}

#[tokio::test]
async fn a_request_can_be_edited_in_an_editor() {
    let world = World::lending().await;
    world.terminal.0.lock().unwrap().edited = Some(" Be brief.\n".into());
    let mut request = asks::flight_request();
    request.messages[0].content.pop();
    world.open(asks::round(1, vec![AskBody::Sampling(Box::new(request))]));
    world.press("ctrl-e").await;
    world.shows("What you changed").await;
    world.shows("+  Be brief.").await;
}
