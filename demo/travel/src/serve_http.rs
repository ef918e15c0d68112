//! Running the server over Streamable HTTP, in both eras, for as long as anybody wants it. Knows connections, and nothing about travel.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::CONTENT_LENGTH;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::modern;
use crate::serve::Error;
use crate::server::Travel;

/// Where the server is to be found below the listener's address.
pub const PATH: &str = "/mcp";

type Mcp = StreamableHttpService<Arc<Travel>, LocalSessionManager>;

/// Serves MCP over Streamable HTTP at [`PATH`] to everyone who connects: 2026-07-28 and, with sessions, the revisions before it. All of them
/// meet the same travel agency, with the same bookings.
///
/// Answers only requests for a loopback host, and none that a page in a browser makes. Runs until it is dropped; needs a tokio runtime with
/// input, output and time enabled.
///
/// # Errors
///
/// When the server cannot start, or the listener fails for good.
pub async fn serve_http(listener: TcpListener) -> Result<Infallible, Error> {
    let hangup = CancellationToken::new();
    let _at_the_end = hangup.clone().drop_guard();
    let travel = Arc::new(Travel::new(hangup.clone()).map_err(Error::Key)?);
    let config = StreamableHttpServerConfig::default().with_cancellation_token(hangup).enforce_origin_validation();
    let mcp = Mcp::new(move || Ok(Arc::clone(&travel)), Arc::default(), config);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Such a failure concerns one visitor only.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return Err(Error::Listen(error)),
        };
        // The head of an answer goes out before its body, and the body must not wait until the head is acknowledged: that is 40 ms.
        let _ = stream.set_nodelay(true);
        let mcp = mcp.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let mcp = mcp.clone();
                async move { Ok::<_, Infallible>(answer(&mcp, request).await) }
            });
            // A connection that fails is the client's to notice.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(mcp: &Mcp, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
    if request.uri().path() != PATH {
        let mut response = Response::new(BoxBody::default());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    }
    let mut response = mcp.handle(request).await;
    // The asks are put in their place on the way out, which changes how long the body is.
    response.headers_mut().remove(CONTENT_LENGTH);
    response.map(|body| {
        let restored = body.map_frame(|frame| match frame.into_data() {
            Ok(data) => Frame::data(modern::restore_in_body(&data).map_or(data, Bytes::from)),
            Err(trailers) => trailers,
        });
        restored.boxed()
    })
}
