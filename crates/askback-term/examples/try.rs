//! Puts a few questions to whoever runs it: `cargo run -p askback-term --example try -- [en|zh-CN] [SECONDS]`.
//!
//! With a number of seconds, the server goes away after that time.

#[path = "../tests/it/asks.rs"]
#[expect(dead_code, reason = "the tests use more of these asks")]
mod asks;

use std::sync::Arc;
use std::time::Duration;

use askback_core::answer::Answer;
use askback_core::sampling::ToolChoice;
use askback_desk::desk::BoxFuture;
use askback_desk::lending::{DraftEvent, Offer, Permission, Wish};
use askback_desk::view::{Closed, Root, RoundId, ServerView};
use askback_desk::{AnswerRejected, Desk, DeskEvent, Lang, Texts};
use askback_term::screen::Screen;
use askback_term::tty::Tty;
use askback_term::zone::Zone;
use askback_term::{TERM, prompts};
use tokio::sync::{Notify, mpsc};

struct TryDesk {
    seconds: Option<u64>,
    answered: Arc<Notify>,
    answers: mpsc::UnboundedSender<Answer>,
}

impl Desk for TryDesk {
    fn subscribe(&self) -> mpsc::UnboundedReceiver<DeskEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (seconds, answered) = (self.seconds, Arc::clone(&self.answered));
        tokio::spawn(async move {
            let rounds = [
                asks::round(1, vec![asks::barcelona()]),
                asks::round(2, vec![asks::traveller()]),
                asks::round(3, vec![asks::payment(), asks::best_flight(), asks::with_tools(ToolChoice::Auto)]),
            ];
            for round in rounds {
                let (id, asks) = (round.id, round.asks.len());
                if sender.send(DeskEvent::Opened(Box::new(round))).is_err() {
                    return;
                }
                if let Some(seconds) = seconds {
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                    let _ = sender.send(DeskEvent::Closed { round: id, why: Closed::Disconnected });
                } else {
                    for _ in 0..asks {
                        answered.notified().await;
                    }
                }
            }
        });
        receiver
    }

    fn answer(&self, _: RoundId, _: usize, answer: Answer) -> BoxFuture<'_, Result<(), AnswerRejected>> {
        let _ = self.answers.send(answer);
        self.answered.notify_one();
        Box::pin(async { Ok(()) })
    }

    fn decline_all_from(&self, _: &str) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn try_again(&self, _: RoundId) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn give_up(&self, _: RoundId) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn offer(&self, _: &ServerView, _: Wish) -> Option<Offer> {
        None
    }

    fn draft(&self, _: &ServerView, _: Wish) -> mpsc::UnboundedReceiver<DraftEvent> {
        mpsc::unbounded_channel().1
    }

    fn permit(&self, _: &ServerView, _: Permission) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Err("there are no models here".to_owned()) })
    }

    fn remember_roots(&self, _: &ServerView, _: Vec<Root>, _: Vec<Root>) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

    fn open_page(&self, _: &str) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Err("there is no browser here".to_owned()) })
    }
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let lang = arguments.next().and_then(|tag| Lang::from_tag(&tag)).unwrap_or_default();
    let seconds = arguments.next().and_then(|number| number.parse().ok());
    let (sender, mut answers) = mpsc::unbounded_channel();
    let screen = Screen::new(Tty::new(std::env::var("EDITOR").ok()), std::env::var_os("NO_COLOR").is_none());
    let printer = screen.printer();
    let ticking = screen.printer();
    tokio::spawn(async move {
        for step in 1..=3 {
            tokio::time::sleep(Duration::from_secs(4)).await;
            ticking.print(&format!("progress: step {step} of 3"));
        }
    });
    let desk = Arc::new(TryDesk { seconds, answered: Arc::new(Notify::new()), answers: sender });
    tokio::spawn(prompts::run(desk, Arc::new(Texts::new(lang, &[TERM])), Zone::of_system(), screen));
    while let Some(answer) = answers.recv().await {
        printer.print(&format!("-- {answer:?}"));
    }
}
