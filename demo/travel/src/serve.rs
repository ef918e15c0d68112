//! Running the server over a pair of streams until the client hangs up. Knows streams, and nothing about travel.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rmcp::service::{QuitReason, ServerInitializeError, serve_server};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::modern::RestoreAsks;
use crate::server::Travel;

/// Why the server could not start, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system gave no random bytes for the key that protects `requestState`.
    #[error("the travel server could not get random bytes for its key")]
    Key(#[source] getrandom::Error),
    /// The client's first messages were not the start of any era.
    #[error("the travel server could not agree with the client on how to begin")]
    Begin(#[source] Box<ServerInitializeError>),
    /// No more connections can be taken.
    #[error("the travel server cannot listen any more")]
    Listen(#[source] io::Error),
    /// The loop that serves messages panicked or was aborted.
    #[error("the travel server stopped in the middle of its work")]
    Stopped(#[source] tokio::task::JoinError),
}

/// Serves MCP over this process's standard input and output, and returns when the input ends.
///
/// Needs a tokio runtime with input, output and time enabled. Nothing but MCP messages is written to standard output.
///
/// # Errors
///
/// When the server cannot start, or the client does not begin as any era begins.
pub async fn serve_stdio() -> Result<(), Error> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(input, output).await
}

/// Serves MCP over any pair of streams, one JSON message a line, and returns when the input ends.
///
/// # Errors
///
/// As for [`serve_stdio`].
pub async fn serve<R, W>(input: R, output: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let hangup = CancellationToken::new();
    let _at_the_end = hangup.clone().drop_guard();
    let travel = Travel::new(hangup.clone()).map_err(Error::Key)?;
    let running = match serve_server(RestoreAsks(travel), (UntilHangup { input, hangup }, output)).await {
        Ok(running) => running,
        // A client that only looked at what there is, and left.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(Error::Begin(Box::new(error))),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(Error::Stopped(error)),
        Ok(_) => Ok(()),
    }
}

/// A reader that says when the input has ended.
///
/// The service loop gives calls that are under way five seconds to finish after the end of input. A call that waits
/// for an answer will never get one then, so it is told at once, and the process can go.
struct UntilHangup<R> {
    input: R,
    hangup: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilHangup<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let outcome = ready!(Pin::new(&mut self.input).poll_read(cx, buffer));
        if outcome.is_err() || buffer.filled().len() == before {
            self.hangup.cancel();
        }
        Poll::Ready(outcome)
    }
}
