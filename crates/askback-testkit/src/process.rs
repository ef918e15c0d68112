//! Whether processes live, and ending those that outlive their test.

use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Whether a process runs. One that has ended and waits to be collected does not.
pub fn is_running(process: u32) -> bool {
    let Ok(pid) = i32::try_from(process) else { return false };
    if matches!(kill(Pid::from_raw(pid), None), Err(Errno::ESRCH)) {
        return false;
    }
    // The state is the first field after the name, which is in parentheses and may hold anything.
    match std::fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X'])),
        Err(_) => !std::path::Path::new("/proc/self/stat").exists(),
    }
}

/// Waits until all of these processes have ended; gives those that have not.
pub fn wait_until_ended(processes: &[u32], limit: Duration) -> Vec<u32> {
    let began = Instant::now();
    loop {
        let running: Vec<u32> = processes.iter().copied().filter(|process| is_running(*process)).collect();
        if running.is_empty() || began.elapsed() >= limit {
            return running;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to one process that a test has started.
pub fn signal(process: u32, signal: Signal) {
    if let Ok(pid) = i32::try_from(process) {
        // A process that is gone needs no signal.
        let _ = kill(Pid::from_raw(pid), signal);
    }
}
