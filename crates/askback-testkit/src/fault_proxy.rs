//! A network that is not kind: a proxy on loopback that delivers late, in pieces, or not to the end.
//!
//! Knows connections and bytes, and nothing of what they carry. What it does is decided by a seed, so that a run can be repeated.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::dice::Dice;

/// How many bytes of each direction of a connection are delivered one by one; the rest comes in pieces of any size.
const ONE_BY_ONE: usize = 2_000;
/// How many pieces of each direction of a connection are late; the rest comes as it is.
const LATE: u32 = 20;

/// What goes wrong between a client and a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Decides about everything that is left open.
    pub seed: u64,
    /// Whether bytes arrive one by one, or in pieces of any size when there are many.
    pub split: bool,
    /// The most milliseconds that a piece is late.
    pub delay: u64,
    /// Where a connection breaks off.
    pub cut: Option<CutAt>,
}

/// A place where a connection breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutAt {
    /// The number of the connection, counted from 1.
    pub connection: u32,
    /// How many bytes the client still gets.
    pub byte: usize,
}

impl Faults {
    /// What must change nothing: everything arrives, but late and in pieces.
    pub fn harmless(seed: u64) -> Faults {
        Faults { seed, split: true, delay: 3, cut: None }
    }
}

/// Stands between those who connect to the listener and the server, until it is dropped.
pub async fn run(listener: TcpListener, server: SocketAddr, faults: Faults) {
    let count = AtomicU32::new(0);
    let faults = Arc::new(faults);
    while let Ok((client, _)) = listener.accept().await {
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let faults = Arc::clone(&faults);
        tokio::spawn(async move {
            // A server that is gone, or a connection that breaks off, is for the client to find out.
            let _ = stand_between(client, server, number, &faults).await;
        });
    }
}

async fn stand_between(client: TcpStream, server: SocketAddr, number: u32, faults: &Faults) -> io::Result<()> {
    let server = TcpStream::connect(server).await?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let most = faults.cut.filter(|cut| cut.connection == number).map(|cut| cut.byte);
    let seed = faults.seed.wrapping_add(u64::from(number) * 2);
    let there = carry(from_client, to_server, Dice::new(seed), faults, None);
    let back = carry(from_server, to_client, Dice::new(seed + 1), faults, most);
    // Each direction ends by itself, unless the connection breaks off: then both are dropped at once.
    tokio::try_join!(there, back)?;
    Ok(())
}

/// Carries one direction to its end.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut dice: Dice,
    faults: &Faults,
    most: Option<usize>,
) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    let (mut carried, mut late) = (0, 0);
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return to.shutdown().await;
        }
        let mut rest = &buffer[..count];
        while !rest.is_empty() {
            let size = match faults.split {
                true if carried < ONE_BY_ONE => 1,
                true => usize::try_from(dice.below(rest.len() as u64)).unwrap_or_default() + 1,
                false => rest.len(),
            };
            let size = most.map_or(size, |most| size.min(most - carried));
            let (piece, after) = rest.split_at(size);
            to.write_all(piece).await?;
            carried += size;
            rest = after;
            if most == Some(carried) {
                to.flush().await?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            if faults.delay > 0 && late < LATE && dice.below(16) == 0 {
                late += 1;
                tokio::time::sleep(Duration::from_millis(dice.below(faults.delay + 1))).await;
            } else {
                // Whoever reads gets a chance to read just this.
                tokio::task::yield_now().await;
            }
        }
    }
}
