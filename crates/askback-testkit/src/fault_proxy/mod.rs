//! A network that is not kind: a proxy on loopback that delivers late, in pieces, twice, in another order, or not to the end.
//!
//! [`plan`] says what goes wrong, as data; [`bytes`] does it to connections, and [`events`] to answers and events, whose [`order`] is a piece of
//! its own; [`traffic`] is what passed. Knows nothing of the protocol that is carried. What is left open is decided by a seed, so that a run
//! can be repeated.
//!
//! Bytes of one connection never change their order, nor come twice: TCP sees to that. What can is an event of a stream, where a server or
//! something in between replays it, and an answer, since each request may travel on a connection of its own.

mod bytes;
mod events;
mod order;
pub mod plan;
pub mod traffic;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;

use plan::Faults;
use traffic::Traffic;

/// Stands between those who connect to the listener and the server, until it is dropped.
///
/// # Errors
/// When loopback has no port left.
pub async fn run(listener: TcpListener, server: SocketAddr, faults: Faults, traffic: Traffic) -> io::Result<()> {
    let faults = Arc::new(faults);
    if !faults.alters_events() {
        bytes::run(listener, server, faults, traffic).await;
        return Ok(());
    }
    let behind = TcpListener::bind("127.0.0.1:0").await?;
    let between = behind.local_addr()?;
    tokio::join!(bytes::run(listener, between, Arc::clone(&faults), traffic), events::run(behind, server, faults));
    Ok(())
}
