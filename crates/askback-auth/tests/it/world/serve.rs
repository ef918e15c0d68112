//! The HTTP under the world: hyper on loopback.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use url::Url;

use super::{Hit, State};

/// Serves until the test ends; gives the address of the protected server.
pub(super) async fn start(state: Arc<Mutex<State>>) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mcp = Url::parse(&format!("http://{}/mcp", listener.local_addr().unwrap())).unwrap();
    let origin = mcp.join("/").unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (state, origin) = (state.clone(), origin.clone());
            let service = service_fn(move |request| answer(state.clone(), origin.clone(), request));
            let serving = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            tokio::spawn(serving);
        }
    });
    mcp
}

async fn answer(
    state: Arc<Mutex<State>>,
    origin: Url,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let pairs = |bytes: &[u8]| -> BTreeMap<String, String> {
        url::form_urlencoded::parse(bytes).map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
    };
    let mut parameters = pairs(head.uri.query().unwrap_or_default().as_bytes());
    if head.headers.get("content-type").is_some_and(|kind| kind == "application/x-www-form-urlencoded") {
        parameters.extend(pairs(&body));
    }
    let hit = Hit {
        path: head.uri.path().to_owned(),
        parameters,
        json: serde_json::from_slice(&body).unwrap_or_default(),
        authorization: head.headers.get("authorization").map(|value| value.to_str().unwrap().to_owned()),
    };
    let mut state = state.lock().unwrap();
    state.hits.push(hit.clone());
    let page = state.page(&origin, &hit);
    let mut response = Response::builder().status(page.status);
    for (name, value) in page.headers {
        response = response.header(name, value);
    }
    Ok(response.body(Full::new(Bytes::from(page.body))).unwrap())
}
