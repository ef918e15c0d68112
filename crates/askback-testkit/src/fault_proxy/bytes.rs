//! The network below HTTP: bytes that are late, come in pieces, or not to the end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::plan::{Faults, Way};
use super::traffic::Traffic;
use crate::dice::Dice;

/// How many bytes of each direction of a connection are delivered one by one; the rest comes in pieces of any size.
const ONE_BY_ONE: usize = 2_000;
/// How many pieces of each direction of a connection are late; the rest comes as it is.
const LATE: u32 = 20;

/// Carries connections until it is dropped.
pub(super) async fn run(listener: TcpListener, server: SocketAddr, faults: Arc<Faults>, traffic: Traffic) {
    while let Ok((client, _)) = listener.accept().await {
        let number = traffic.connected();
        let (faults, traffic) = (Arc::clone(&faults), traffic.clone());
        tokio::spawn(async move {
            // A server that is gone, or a connection that breaks off, is for the client to find out.
            let _ = stand_between(client, server, number, &faults, &traffic).await;
        });
    }
}

async fn stand_between(
    client: TcpStream,
    server: SocketAddr,
    number: u32,
    faults: &Faults,
    traffic: &Traffic,
) -> io::Result<()> {
    let server = TcpStream::connect(server).await?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let seed = faults.seed.wrapping_add(u64::from(number) * 2);
    let direction = |way, seed| Direction { number, way, dice: Dice::new(seed), faults, traffic };
    let there = direction(Way::ToServer, seed).carry(from_client, to_server);
    let back = direction(Way::ToClient, seed.wrapping_add(1)).carry(from_server, to_client);
    // Each direction ends by itself, unless the connection breaks off: then both are dropped at once.
    tokio::try_join!(there, back)?;
    Ok(())
}

/// One direction of a connection.
struct Direction<'a> {
    number: u32,
    way: Way,
    dice: Dice,
    faults: &'a Faults,
    traffic: &'a Traffic,
}

impl Direction<'_> {
    /// Carries it to its end.
    async fn carry(mut self, mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> io::Result<()> {
        let most = self.faults.cut_of(self.number, self.way);
        let mut buffer = vec![0; 64 * 1024];
        let (mut carried, mut late) = (0, 0);
        loop {
            let count = from.read(&mut buffer).await?;
            if count == 0 {
                return to.shutdown().await;
            }
            let mut rest = &buffer[..count];
            while !rest.is_empty() {
                let size = most.map_or_else(|| usize::MAX, |most| most - carried).min(self.size(carried, rest.len()));
                let (piece, after) = rest.split_at(size);
                to.write_all(piece).await?;
                self.traffic.passed(self.number, self.way, piece);
                carried += size;
                rest = after;
                if most == Some(carried) {
                    to.flush().await?;
                    self.traffic.was_cut(self.number);
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                if self.faults.delay > 0 && late < LATE && self.dice.below(16) == 0 {
                    late += 1;
                    tokio::time::sleep(Duration::from_millis(self.dice.below(self.faults.delay + 1))).await;
                } else {
                    // Whoever reads gets a chance to read just this.
                    tokio::task::yield_now().await;
                }
            }
        }
    }

    /// How many bytes come next.
    fn size(&mut self, carried: usize, rest: usize) -> usize {
        match self.faults.split {
            true if carried < ONE_BY_ONE => 1,
            true => usize::try_from(self.dice.below(rest as u64)).unwrap_or_default() + 1,
            false => rest,
        }
    }
}
