//! Ctrl-C and requests to terminate, listened for from beginning to end: one that comes while nobody waits for it is kept.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop what is going on.
pub(crate) struct Interrupts {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
}

impl Interrupts {
    /// Listens from now on. A signal that cannot be listened for does what it does to any program.
    pub(crate) fn listen() -> Interrupts {
        Interrupts { interrupt: signal(SignalKind::interrupt()).ok(), terminate: signal(SignalKind::terminate()).ok() }
    }

    /// Waits for the next one. Cancel-safe.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            () = received(&mut self.interrupt) => {}
            () = received(&mut self.terminate) => {}
        }
    }
}

/// Lets a terminal go away without ending the program: the prompts see the end of their input and cancel what is open, and the call goes on to its
/// end, so that the server is told and ended properly.
pub(crate) async fn outlive_the_terminal() {
    let mut hangup = signal(SignalKind::hangup()).ok();
    loop {
        received(&mut hangup).await;
    }
}

async fn received(signals: &mut Option<Signal>) {
    match signals {
        Some(signals) => {
            signals.recv().await;
        }
        None => std::future::pending().await,
    }
}
