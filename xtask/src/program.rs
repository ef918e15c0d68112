//! Running other programs: quietly, with their output kept for the error, or openly.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::{Failure, Outcome, root};

/// A command that runs in the root of the repository and reads no input.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Cargo: the one that runs this program, where there is one.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs `command` and returns its standard output; when it fails, the error has the telling lines of its output.
pub(crate) fn quietly(command: &mut Command) -> Result<String, String> {
    let line = line_of(command);
    let output = command.output().map_err(|error| format!("`{line}` did not start: {error}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{line}` ended with {}: {}", output.status, telling_lines(&format!("{stdout}\n{stderr}"))))
}

/// The first lines that speak of an error, else the last lines.
fn telling_lines(output: &str) -> String {
    let lines: Vec<&str> =
        output.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "npm error").collect();
    let mut telling: Vec<&str> = lines.iter().copied().filter(|line| line.to_lowercase().contains("error")).collect();
    if telling.is_empty() {
        telling = lines[lines.len().saturating_sub(4)..].to_vec();
    }
    telling.truncate(4);
    telling.join(" / ")
}

/// Whether `command` starts and succeeds; what it prints is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs `command` with its output shown; `next` is the hint for when it fails.
pub(crate) fn openly(command: &mut Command, next: &str) -> Outcome {
    let line = line_of(command);
    let status = command
        .status()
        .map_err(|error| Failure::new(format!("`{line}` did not start: {error}"), "is it installed, and on PATH?"))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{line}` ended with {status}"), next)) }
}

/// The command as a person would type it, the program without its folders.
pub(crate) fn line_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> =
        std::iter::once(name).chain(command.get_args()).map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ")
}
