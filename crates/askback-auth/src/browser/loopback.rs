//! A login in the person's own browser, which comes back to a port on this machine.
//!
//! Owns the listener of one login: one path, one answer, and an end. Must not know how a page is opened; that is the opener's.
//!
//! Serves "Communication Security" and "Open Redirection" of the authorization pages, and RFC 8252, section 7.3.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use askback_desk::texts::Lang;
use askback_host::authorization::Pending;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use url::Url;

use super::page::{self, Ending, redirect_page};
use super::{Browser, BrowserError, LoginPage, Redirected, Visit};

/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// How long a request may take to arrive, once connected.
const PATIENCE_WITH_REQUEST: Duration = Duration::from_secs(5);
/// The longest request head that is read: codes and states are long, but not this long.
const LONGEST_HEAD: usize = 32 * 1024;
/// The only path that is answered.
const PATH: &str = "/callback";

/// Opens a page for the person, or says that it cannot: shows the address, starts the browser. It may block. Errors are
/// [`BrowserError::NotOpened`], [`BrowserError::Declined`] and [`BrowserError::NotNow`], in words for the person.
pub type Opener = Arc<dyn Fn(&LoginPage) -> Result<(), BrowserError> + Send + Sync>;

/// Sends the person to their own browser.
#[derive(Clone)]
pub struct LoopbackBrowser {
    opener: Opener,
    lang: Lang,
    patience: Duration,
}

impl LoopbackBrowser {
    /// Opens pages with `opener`, and ends logins on a page in `lang`. A person has five minutes.
    pub fn new(opener: Opener, lang: Lang) -> LoopbackBrowser {
        LoopbackBrowser { opener, lang, patience: PATIENCE }
    }

    /// Gives a person another time.
    pub fn with_patience(self, patience: Duration) -> LoopbackBrowser {
        LoopbackBrowser { patience, ..self }
    }
}

impl fmt::Debug for LoopbackBrowser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LoopbackBrowser").field("lang", &self.lang).finish_non_exhaustive()
    }
}

impl Browser for LoopbackBrowser {
    fn prepare<'a>(&'a self, earlier: Option<&'a str>) -> Pending<'a, Result<Box<dyn Visit>, BrowserError>> {
        Box::pin(async move {
            let listener = listen(earlier).await.map_err(BrowserError::Listen)?;
            let port = listener.local_addr().map_err(BrowserError::Listen)?.port();
            let redirect_uri = format!("http://127.0.0.1:{port}{PATH}");
            let visit: Box<dyn Visit> = Box::new(LoopbackVisit { browser: self.clone(), listener, redirect_uri });
            Ok(visit)
        })
    }
}

/// A port of the system's choice; the port of `earlier` if it is one of ours and free.
async fn listen(earlier: Option<&str>) -> io::Result<TcpListener> {
    let earlier = earlier.and_then(|earlier| Url::parse(earlier).ok());
    let port =
        earlier.filter(|url| url.host_str() == Some("127.0.0.1") && url.path() == PATH).and_then(|url| url.port());
    if let Some(port) = port
        && let Ok(listener) = TcpListener::bind(("127.0.0.1", port)).await
    {
        return Ok(listener);
    }
    TcpListener::bind(("127.0.0.1", 0)).await
}

struct LoopbackVisit {
    browser: LoopbackBrowser,
    listener: TcpListener,
    redirect_uri: String,
}

impl Visit for LoopbackVisit {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn make(self: Box<Self>, page: LoginPage) -> Pending<'static, Result<Redirected, BrowserError>> {
        Box::pin(async move {
            let state = page.state();
            let opener = self.browser.opener.clone();
            // Asking the person first, or starting a browser, may take its time.
            let opened = tokio::task::spawn_blocking(move || opener(&page)).await;
            opened.unwrap_or_else(|error| Err(BrowserError::NotOpened { detail: error.to_string() }))?;
            let waited = self.browser.patience;
            let answer = timeout(waited, answer_to(&self.listener, state.as_deref(), self.browser.lang)).await;
            answer.map_err(|_| BrowserError::TimedOut { waited })?.map_err(BrowserError::Listen)
        })
    }
}

/// Waits for the redirect that carries `state`, and answers everything else with 404. Connections are served side by side: browsers open
/// some that they never use.
async fn answer_to(listener: &TcpListener, state: Option<&str>, lang: Lang) -> io::Result<Redirected> {
    let (found, mut answers) = mpsc::channel(1);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted?.0,
            Some(answer) = answers.recv() => return Ok(answer),
        };
        let (found, state) = (found.clone(), state.map(str::to_owned));
        tokio::spawn(async move {
            // A request that breaks off is nobody's answer.
            if let Ok(Ok(Some(answer))) = timeout(PATIENCE_WITH_REQUEST, serve(stream, state.as_deref(), lang)).await {
                let _ = found.try_send(answer);
            }
        });
    }
}

async fn serve(mut stream: TcpStream, state: Option<&str>, lang: Lang) -> io::Result<Option<Redirected>> {
    let head = read_head(&mut stream).await?;
    let answer = redirect_in(&head, state);
    let (status, body) = match &answer {
        None => ("404 Not Found", String::new()),
        Some(answer) if answer.parameter("error").is_some() => ("200 OK", redirect_page(lang, Ending::Refused)),
        Some(_) => ("200 OK", redirect_page(lang, Ending::Answered)),
    };
    let head =
        format!("HTTP/1.1 {status}\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n", page::headers(), body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await?;
    Ok(answer)
}

async fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    let mut chunk = [0; 4096];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await?;
        if read == 0 || head.len() + read > LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        head.extend_from_slice(&chunk[..read]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// The redirect in the head of a request, if it is the one that is waited for: a page that guesses the port does not know the state, and so
/// cannot end a login.
fn redirect_in(head: &str, state: Option<&str>) -> Option<Redirected> {
    let target = head.strip_prefix("GET ")?.split(' ').next()?;
    let (path, query) = target.split_once('?')?;
    let answer = Redirected::new(query);
    (path == PATH && answer.parameter("state").as_deref() == state).then_some(answer)
}
