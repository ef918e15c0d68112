//! The network above TCP: a proxy that reads HTTP, has events come twice, and lets them and whole answers overtake each other.
//!
//! Stands where a proxy or a load balancer may stand. Knows answers and events, and nothing of what they say.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::order::{Order, whole_event};
use super::plan::Faults;
use crate::dice::Dice;

/// How long something waits to be overtaken. Longer would only keep a client waiting for what nothing overtakes.
const HELD: Duration = Duration::from_millis(40);

/// How soon after an event a stream ends that ends with it.
const AT_ONCE: Duration = Duration::from_millis(10);

/// The server, or the client, broke a connection off.
#[derive(Debug, thiserror::Error)]
#[error("the other side broke the connection off")]
struct Broken;

/// Everything that is under way through the proxy.
#[derive(Debug)]
struct Passage {
    server: SocketAddr,
    faults: Arc<Faults>,
    exchanges: AtomicU64,
    /// How many events and whole answers have gone by.
    gone_by: watch::Sender<u64>,
}

/// Passes requests on until it is dropped.
pub(super) async fn run(listener: TcpListener, server: SocketAddr, faults: Arc<Faults>) {
    let (gone_by, _) = watch::channel(0);
    let passage = Arc::new(Passage { server, faults, exchanges: AtomicU64::new(0), gone_by });
    while let Ok((client, _)) = listener.accept().await {
        let passage = Arc::clone(&passage);
        tokio::spawn(async move {
            let _ = client.set_nodelay(true);
            let service = service_fn(|request| passage.exchange(request));
            // A connection that breaks off is for both sides to find out.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(client), service).await;
        });
    }
}

impl Passage {
    async fn exchange(self: &Arc<Passage>, request: Request<Incoming>) -> Result<Response<Altered>, Broken> {
        let seed = self.faults.seed.wrapping_add(self.exchanges.fetch_add(1, Ordering::Relaxed));
        let stream = TcpStream::connect(self.server).await.map_err(|_| Broken)?;
        stream.set_nodelay(true).map_err(|_| Broken)?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|_| Broken)?;
        let connection = Connection(tokio::spawn(connection).abort_handle());
        let response = sender.send_request(request).await.map_err(|_| Broken)?;
        let (head, body) = response.into_parts();
        let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_stream = kind.starts_with("text/event-stream");
        if !is_stream {
            let body = body.collect().await.map_err(|_| Broken)?.to_bytes();
            if self.faults.swap && Dice::new(seed).percent(50) {
                self.let_others_pass().await;
            }
            self.went_by();
            return Ok(Response::from_parts(head, Altered::Whole(Some(body))));
        }
        let (pieces, rest) = mpsc::channel(1);
        let order = Order::new(&self.faults, seed);
        tokio::spawn(Arc::clone(self).pass_on(body, order, pieces, connection));
        Ok(Response::from_parts(head, Altered::Pieces(rest)))
    }

    /// Passes a stream on, as long as both sides are there. What a server says last ends the stream, and a client need not hear what comes
    /// behind it; so that overtakes nothing.
    async fn pass_on(
        self: Arc<Passage>,
        mut body: Incoming,
        mut order: Order,
        pieces: mpsc::Sender<Result<Bytes, Broken>>,
        _connection: Connection,
    ) {
        let mut bytes = Vec::new();
        let mut looked_at = None;
        let last = loop {
            let frame = tokio::select! {
                frame = next(&mut looked_at, &mut body) => frame,
                () = self.let_others_pass(), if order.holds() => {
                    self.send(&pieces, order.release()).await;
                    continue;
                }
                () = pieces.closed() => return,
            };
            match frame {
                Some(Ok(frame)) => bytes.extend(frame.into_data().unwrap_or_default()),
                Some(Err(_)) => break Some(Broken),
                None => break None,
            }
            while let Some(length) = whole_event(&bytes) {
                let event: Vec<u8> = bytes.drain(..length).collect();
                if order.holds() && bytes.is_empty() {
                    looked_at = tokio::time::timeout(AT_ONCE, body.frame()).await.ok();
                    if matches!(looked_at, Some(None)) {
                        self.send(&pieces, order.release()).await;
                    }
                }
                self.send(&pieces, order.came(event)).await;
            }
        };
        let mut rest = order.end();
        rest.append(&mut bytes);
        self.send(&pieces, rest).await;
        if let Some(broken) = last {
            // What was written before goes out first.
            tokio::task::yield_now().await;
            let _ = pieces.send(Err(broken)).await;
        }
    }

    async fn send(&self, pieces: &mpsc::Sender<Result<Bytes, Broken>>, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            // A client that has gone is noticed where the next piece is waited for.
            let _ = pieces.send(Ok(bytes.into())).await;
            self.went_by();
        }
    }

    fn went_by(&self) {
        self.gone_by.send_modify(|count| *count += 1);
    }

    /// Waits until something else has gone by, for a while.
    async fn let_others_pass(&self) {
        let mut gone_by = self.gone_by.subscribe();
        let _ = tokio::time::timeout(HELD, gone_by.changed()).await;
    }
}

/// The next part of a body, which may have been looked at already. Cancel-safe.
async fn next(
    looked_at: &mut Option<Option<hyper::Result<Frame<Bytes>>>>,
    body: &mut Incoming,
) -> Option<hyper::Result<Frame<Bytes>>> {
    match looked_at.take() {
        Some(frame) => frame,
        None => body.frame().await,
    }
}

/// A connection to the server, which ends with whoever holds this.
struct Connection(AbortHandle);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The body of an answer.
enum Altered {
    Whole(Option<Bytes>),
    Pieces(mpsc::Receiver<Result<Bytes, Broken>>),
}

impl Body for Altered {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match &mut *self {
            Altered::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Altered::Pieces(pieces) => {
                let piece = ready!(pieces.poll_recv(context));
                Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
            }
        }
    }
}
