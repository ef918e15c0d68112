//! The redirect that ends a login in the person's own browser, and the page that it ends on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askback_auth::OAuthAuthorizer;
use askback_auth::browser::{
    Browser, BrowserError, ENDINGS, Ending, LoginPage, LoopbackBrowser, Opener, Redirected, redirect_page,
};
use askback_desk::texts::Lang;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use url::Url;

use crate::world::{Rules, World};

struct Login {
    redirect_uri: String,
    answer: JoinHandle<Result<Redirected, BrowserError>>,
    client: reqwest::Client,
}

/// A login that waits for its redirect.
async fn begin(patience: Duration) -> Login {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (opened, is_open) = oneshot::channel();
    let opened = Mutex::new(Some(opened));
    let opener: Opener = Arc::new(move |page: &LoginPage| {
        let _ = opened.lock().unwrap().take().unwrap().send(page.clone());
        Ok(())
    });
    let browser = LoopbackBrowser::new(opener, Lang::En).with_patience(patience);
    let visit = browser.prepare(None).await.unwrap();
    let redirect_uri = visit.redirect_uri().to_owned();
    let address = Url::parse("https://auth.example/authorize?state=ours").unwrap();
    let (server_name, issuer) = ("travel".to_owned(), "https://auth.example".to_owned());
    let page = LoginPage { address, server_name, issuer, is_agreed: false };
    let answer = tokio::spawn(visit.make(page.clone()));
    assert_eq!(is_open.await.unwrap(), page);
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
    Login { redirect_uri, answer, client }
}

impl Login {
    async fn get(&self, address: &str) -> (u16, reqwest::header::HeaderMap, String) {
        let response = self.client.get(address).send().await.unwrap();
        (response.status().as_u16(), response.headers().clone(), response.text().await.unwrap())
    }
}

#[tokio::test]
async fn only_the_awaited_redirect_is_taken_and_only_once() {
    let login = begin(Duration::from_secs(30)).await;
    let address = Url::parse(&login.redirect_uri).unwrap();
    assert_eq!((address.host_str(), address.path()), (Some("127.0.0.1"), "/callback"));
    let idle = tokio::net::TcpStream::connect(("127.0.0.1", address.port().unwrap())).await.unwrap();
    for wrong in ["/", "/favicon.ico", "/callback", "/callback?state=guessed&code=1", "/other?state=ours&code=1"] {
        assert_eq!(login.get(address.join(wrong).unwrap().as_str()).await.0, 404, "{wrong}");
    }
    let posted = login.client.post(format!("{address}?state=ours&code=1")).send().await.unwrap();
    assert_eq!(posted.status(), 404);
    let (status, headers, body) = login.get(&format!("{address}?state=ours&code=a%2Bb")).await;
    assert_eq!((status, body), (200, redirect_page(Lang::En, Ending::Answered)));
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(headers["cache-control"], "no-store");
    let answer = login.answer.await.unwrap().unwrap();
    assert_eq!(answer.parameter("code").as_deref(), Some("a+b"));
    assert_eq!(format!("{answer:?}"), "Redirected(…)");
    assert!(login.client.get(address).send().await.is_err(), "nothing listens any more");
    drop(idle);
}

#[tokio::test]
async fn a_refused_login_ends_on_a_page_that_says_so() {
    let login = begin(Duration::from_secs(30)).await;
    let (status, _, body) = login.get(&format!("{}?state=ours&error=access_denied", login.redirect_uri)).await;
    assert_eq!((status, body), (200, redirect_page(Lang::En, Ending::Refused)));
    assert_eq!(login.answer.await.unwrap().unwrap().parameter("error").as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn a_login_that_nobody_finishes_ends() {
    let login = begin(Duration::from_millis(50)).await;
    assert!(matches!(login.answer.await.unwrap(), Err(BrowserError::TimedOut { .. })));
    assert!(login.client.get(&login.redirect_uri).send().await.is_err(), "nothing listens any more");
}

#[tokio::test]
async fn the_whole_login_goes_through_a_browser() {
    let world = World::new(Rules::default()).await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let opener: Opener = Arc::new(move |page: &LoginPage| {
        let (client, address) = (client.clone(), page.address.clone());
        tokio::spawn(async move { client.get(address).send().await });
        Ok(())
    });
    let browser = Arc::new(LoopbackBrowser::new(opener, Lang::ZhCn));
    let authorizer = OAuthAuthorizer::new(world.settings(), world.store.clone(), Some(browser));
    world.request(&authorizer).await.unwrap();
    world.change(|rules| rules.needs = "admin");
    world.request(&authorizer).await.unwrap();
    let pages = world.hits("/one/authorize");
    assert_eq!(pages.len(), 2);
    assert_eq!(
        pages[0].parameter("redirect_uri"),
        pages[1].parameter("redirect_uri"),
        "the client that registered with the first address is used again"
    );
    assert_eq!(world.hits("/one/register").len(), 1);
}

#[test]
fn the_page_in_both_languages() {
    for lang in Lang::ALL {
        for ending in ENDINGS {
            insta::assert_snapshot!(format!("{}-{ending:?}", lang.tag()).to_lowercase(), redirect_page(lang, ending));
        }
    }
}
