//! The scripted server on a socket: a thread with an HTTP server on loopback.
//!
//! Owns the socket, the clock and the connections. What is answered is decided by [`crate::http::front`].

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;

use crate::fault_proxy;
use crate::fault_proxy::traffic::Traffic;
use crate::http::Shape;
use crate::http::exchange::{Head, Line, Piece, Received};
use crate::http::front::Front;
use crate::record::Recorder;
use crate::script::Script;

/// How long a client that has ended may be behind with the end of its session.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A server that listens, until it is stopped.
#[derive(Debug)]
pub struct HttpServer {
    /// Where it is to be found.
    pub url: String,
    /// What passes between it and the client, where something stands between them.
    pub traffic: Traffic,
    happenings: UnboundedSender<Happened>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum Happened {
    Came(Received, Line),
    Went(u64),
    Stopped,
}

/// The connection ended before its answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection breaks off, as the script wants it")]
struct Broken;

impl HttpServer {
    /// Serves a script in a revision on a free port of loopback.
    ///
    /// # Errors
    /// When there is no such port, or no thread.
    pub fn start(script: Script, revision: &str, recorder: Recorder) -> io::Result<HttpServer> {
        recorder.started(None)?;
        let socket = free_port()?;
        // What stands in between is what the client knows of.
        let between =
            script.http.through.clone().map(|faults| Ok::<_, io::Error>((free_port()?, faults))).transpose()?;
        let known = between.as_ref().map_or(&socket, |(known, _)| known);
        let authority = known.local_addr()?.to_string();
        let spoken = script.revision.clone().unwrap_or_else(|| revision.to_owned());
        let url = format!("http://{authority}{}", Shape::of(&spoken).path());
        let front = Front::new(Arc::new(script), revision, &authority, recorder);
        let (happenings, received) = mpsc::unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let sender = happenings.clone();
        let traffic = Traffic::default();
        let counted = traffic.clone();
        let thread = std::thread::Builder::new().name("scripted-server".into()).spawn(move || {
            runtime.block_on(async {
                let server = socket.local_addr();
                if let (Some((known, faults)), Ok(server)) = (between, server)
                    && let Ok(known) = TcpListener::from_std(known)
                {
                    tokio::spawn(fault_proxy::run(known, server, faults, counted));
                }
                serve(socket, front, sender, received).await;
            });
        })?;
        Ok(HttpServer { url, traffic, happenings, thread: Some(thread) })
    }

    /// Stops it, and has it note down what the client left undone.
    pub fn stop(mut self) {
        self.end();
    }

    /// Serves until the script ends the server.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has been printed by then.
            let _ = thread.join();
        }
    }

    fn end(&mut self) {
        // A server that its script has ended is not there to be told.
        let _ = self.happenings.send(Happened::Stopped);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.end();
    }
}

fn free_port() -> io::Result<std::net::TcpListener> {
    let socket = std::net::TcpListener::bind("127.0.0.1:0")?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

async fn serve(
    socket: std::net::TcpListener,
    mut front: Front,
    happenings: UnboundedSender<Happened>,
    mut received: UnboundedReceiver<Happened>,
) {
    let began = Instant::now();
    let now = || u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (down, is_down) = watch::channel(false);
    let Ok(listener) = TcpListener::from_std(socket) else { return };
    let accepting = tokio::spawn(accept(listener, happenings, is_down));
    loop {
        let wait = front.next_wake().map(|at| Duration::from_millis(at.saturating_sub(now())));
        let happened = tokio::select! {
            happened = received.recv() => happened,
            () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {
                front.tick(now());
                continue;
            }
        };
        match happened {
            Some(Happened::Came(request, line)) => front.receive(now(), request, line),
            Some(Happened::Went(exchange)) => front.gone(now(), exchange),
            Some(Happened::Stopped) | None => break,
        }
        if front.is_down() {
            // Nobody is there any more to open a connection to; what was said is still heard.
            accepting.abort();
            let _ = down.send(true);
        }
    }
    // The end of the session may be on its way still.
    let enough = tokio::time::Instant::now() + LAST_WORDS;
    while front.has_session() {
        match tokio::time::timeout_at(enough, received.recv()).await {
            Ok(Some(Happened::Came(request, line))) => front.receive(now(), request, line),
            Ok(Some(Happened::Went(exchange))) => front.gone(now(), exchange),
            Ok(Some(Happened::Stopped)) => {}
            Ok(None) | Err(_) => break,
        }
    }
    front.finish();
}

async fn accept(listener: TcpListener, happenings: UnboundedSender<Happened>, is_down: watch::Receiver<bool>) {
    let exchanges = Arc::new(std::sync::atomic::AtomicU64::new(1));
    while let Ok((stream, _)) = listener.accept().await {
        let (happenings, exchanges) = (happenings.clone(), Arc::clone(&exchanges));
        tokio::spawn(converse(stream, happenings, exchanges, is_down.clone()));
    }
}

async fn converse(
    stream: TcpStream,
    happenings: UnboundedSender<Happened>,
    exchanges: Arc<std::sync::atomic::AtomicU64>,
    mut is_down: watch::Receiver<bool>,
) {
    // Small messages go out at once, as a server's do.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let exchange = exchanges.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        answer(request, exchange, happenings.clone())
    });
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    // A connection that breaks off is not worth more words: the script wanted it, or the client.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = is_down.wait_for(|down| *down) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn answer(
    request: Request<Incoming>,
    exchange: u64,
    happenings: UnboundedSender<Happened>,
) -> Result<Response<Pieces>, Broken> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Broken)?.to_bytes();
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let received = Received {
        method: parts.method.to_string(),
        path: parts.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        headers: headers.collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let (pieces, mut rest) = mpsc::unbounded_channel();
    // From here on a client that goes away drops this, and the server hears of it.
    let watch = Watch { exchange, happenings: happenings.clone() };
    happenings.send(Happened::Came(received, Line { exchange, pieces })).map_err(|_| Broken)?;
    let Some(Piece::Head(Head { status, headers, whole })) = rest.recv().await else { return Err(Broken) };
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    let whole = whole.map(Bytes::from);
    response.body(Pieces { whole, rest, is_cut: false, _watch: watch }).map_err(|_| Broken)
}

/// Tells the server that the client went away, or that all was said, when it is dropped.
struct Watch {
    exchange: u64,
    happenings: UnboundedSender<Happened>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A server that was stopped does not care.
        let _ = self.happenings.send(Happened::Went(self.exchange));
    }
}

/// A body that comes piece by piece.
struct Pieces {
    whole: Option<Bytes>,
    rest: UnboundedReceiver<Piece>,
    /// Whether the connection breaks off as soon as everything before is on its way.
    is_cut: bool,
    _watch: Watch,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if let Some(whole) = self.whole.take() {
            return Poll::Ready(Some(Ok(Frame::data(whole))));
        }
        if self.is_cut {
            return Poll::Ready(Some(Err(Broken)));
        }
        match self.rest.poll_recv(context) {
            Poll::Ready(Some(Piece::Data(data))) => Poll::Ready(Some(Ok(Frame::data(data.into())))),
            // What was written before goes out while the body has nothing to give, and not when it has failed.
            Poll::Ready(Some(Piece::Cut)) => {
                self.is_cut = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Poll::Ready(Some(Piece::Head(_)) | None) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.whole {
            Some(whole) => SizeHint::with_exact(whole.len() as u64),
            None => SizeHint::default(),
        }
    }
}
