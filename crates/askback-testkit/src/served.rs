//! A server of others that runs over HTTP for as long as a test wants it. Must not know which one it is.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long it may take until the server says where it is.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server; it is ended when this is dropped.
pub struct Served {
    process: Child,
    /// Where it is to be found.
    pub address: String,
}

impl Served {
    /// Starts a server that prints its address as a line of standard output; `path` is put behind that.
    ///
    /// # Errors
    /// When it does not start, or ends or stays silent instead.
    pub fn start(command: &[String], path: &str) -> Result<Served, String> {
        let (program, arguments) = command.split_first().ok_or("there is no command")?;
        let mut process = Command::new(program)
            .args(arguments)
            // Those that print no address of their own accord take a free port from here.
            .env("PORT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program} does not start: {error}"))?;
        let stdout = process.stdout.take().ok_or("standard output is not piped")?;
        let mut served = Served { process, address: String::new() };
        served.address = format!("{}{path}", announced(stdout)?);
        Ok(served)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, which its tests will have noticed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The first line that is an address. What follows is read and dropped, so that the server never waits for a reader.
fn announced(output: impl Read + Send + 'static) -> Result<String, String> {
    let (found, address) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if line.starts_with("http://") {
                let _ = found.send(line.trim().to_owned());
            }
        }
    });
    address.recv_timeout(PATIENCE).map_err(|_| "it does not say where it is".to_owned())
}
