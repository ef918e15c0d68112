//! Many servers that are slow to answer, for `cargo xtask bench http`: one travel server, and in front of it doors that each open with a
//! delay of their own.
//!
//! `bench_http_slow COUNT LONGEST` prints COUNT addresses; the delays are spread evenly up to LONGEST milliseconds, the longest last.

use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [count, longest] = numbers[..] else { return Err("bench_http_slow COUNT LONGEST".into()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = TcpListener::bind("127.0.0.1:0").await?;
        let behind = server.local_addr()?;
        for number in 1..=count {
            let door = TcpListener::bind("127.0.0.1:0").await?;
            println!("http://{}{}", door.local_addr()?, askback_travel::PATH);
            let delay = Duration::from_millis(u64::from(longest * number / count));
            tokio::spawn(async move {
                while let Ok((visitor, _)) = door.accept().await {
                    tokio::spawn(pass(visitor, behind, delay));
                }
            });
        }
        match askback_travel::serve_http(server).await? {}
    })
}

/// Lets a visitor through after the delay, for as long as they stay.
async fn pass(mut visitor: TcpStream, behind: std::net::SocketAddr, delay: Duration) {
    tokio::time::sleep(delay).await;
    if let Ok(mut server) = TcpStream::connect(behind).await {
        // Small messages go out at once, as they would without this door.
        let _ = (visitor.set_nodelay(true), server.set_nodelay(true));
        let _ = tokio::io::copy_bidirectional(&mut visitor, &mut server).await;
    }
}
