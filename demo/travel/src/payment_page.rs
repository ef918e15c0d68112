//! The web page of a payment: one button, on a port of this machine that nobody else can reach. Speaks as much HTTP/1.1
//! as that takes, reads no more than it must, and knows nothing about MCP.

use std::io;
use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::payments::Payments;

/// A browser's request for this page has never needed more.
const LONGEST_HEAD: usize = 16 * 1024;
/// The form has no fields, so its body is empty or close to it.
const LONGEST_BODY: usize = 1024;
const LONGEST_VISIT: Duration = Duration::from_secs(10);
const MOST_VISITORS: usize = 16;

/// Serves the pages of `payments` on the loopback interface until `hangup`, and returns their origin.
pub(crate) fn serve(payments: Arc<Payments>, hangup: CancellationToken) -> io::Result<String> {
    let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let host = format!("127.0.0.1:{}", listener.local_addr()?.port());
    let origin = format!("http://{host}");
    tokio::spawn(hangup.run_until_cancelled_owned(async move {
        let visitors = Arc::new(Semaphore::new(MOST_VISITORS));
        while let Ok(place) = visitors.clone().acquire_owned().await {
            // An accept that fails concerns that visitor only; if it is for want of file handles, they come back.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (payments, host) = (payments.clone(), host.clone());
            tokio::spawn(async move {
                let _visit = tokio::time::timeout(LONGEST_VISIT, receive(stream, &payments, &host)).await;
                drop(place);
            });
        }
    }));
    Ok(origin)
}

async fn receive(mut stream: TcpStream, payments: &Payments, host: &str) -> io::Result<()> {
    let answer = match read_request(&mut stream).await? {
        Some(head) => answer(&head, payments, host),
        None => page(413, "Too large", "<p>This request is larger than any that this page needs.</p>"),
    };
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// Reads the head of a request and skips its body. `None` if either is too long.
async fn read_request(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut chunk = [0_u8; 1024];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > LONGEST_HEAD {
            return Ok(None);
        }
        match stream.read(&mut chunk).await? {
            0 => break bytes.len(),
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    if length > LONGEST_BODY {
        return Ok(None);
    }
    let mut body = bytes.len() - end;
    while body < length {
        match stream.read(&mut chunk).await? {
            0 => break,
            count => body += count,
        }
    }
    Ok(Some(head))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .find_map(|(key, value)| key.trim().eq_ignore_ascii_case(name).then(|| value.trim()))
}

fn answer(head: &str, payments: &Payments, host: &str) -> String {
    // Another name for this address means that a page elsewhere has been pointed here.
    if header(head, "host") != Some(host) {
        return page(421, "Wrong address", "<p>This page answers at its own address only.</p>");
    }
    let mut words = head.split_ascii_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let token = path.strip_prefix("/pay/").unwrap_or_default();
    let Some(paid) = payments.state_of_page(token) else {
        return page(404, "No such payment", "<p>There is no payment here. The link may be old or incomplete.</p>");
    };
    match method {
        "GET" | "HEAD" if paid => thanks(),
        "GET" | "HEAD" => page(
            200,
            "Pay the deposit",
            "<p>Your travel agency asks for a deposit of $300. It is counted towards the price of your trip.</p>\
             <form method=\"post\"><button type=\"submit\">Pay the deposit of $300</button></form>\
             <p>This is a demonstration: no money moves. To pay nothing, close this page.</p>",
        ),
        "POST" if payments.pay(token) => thanks(),
        _ => page(405, "Not possible", "<p>This page can be opened and its button pressed, and nothing else.</p>"),
    }
}

fn thanks() -> String {
    page(200, "Deposit paid", "<p role=\"status\">Thank you: the deposit of $300 is paid. You can close this page.</p>")
}

fn page(status: u16, title: &str, body: &str) -> String {
    let reason = match status {
        200 => "OK",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        _ => "Misdirected Request",
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} – Travel</title>\n\
         <style>body{{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}}\
         button{{font:inherit;padding:.6rem 1.2rem}}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    );
    format!(
        "HTTP/1.1 {status} {reason}\r\n\
         Content-Type: text/html; charset=utf-8\r\n\
         Content-Length: {length}\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; \
         frame-ancestors 'none'; base-uri 'none'\r\n\
         Referrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n{html}",
        length = html.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: &str, status: &str) -> String {
        let payments = Payments::new(CancellationToken::new());
        let answer = answer(request, &payments, "127.0.0.1:1");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        answer
    }

    #[test]
    fn strangers_get_nothing() {
        check("GET /pay/guess HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", "404");
        check("GET /pay/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", "404");
        check("GET /pay/guess HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421");
        check("", "421");
    }
}
