//! A conversation as it is kept: a file of JSON Lines that only its owner can read, each line written as it happens.
//!
//! Owns the shape of the lines. What the user's redaction finds in them is masked before it is written.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use askback_core::redaction::Redactor;
use askback_core::sampling::ReplyContent;
use serde_json::{Map, Value, json};

use super::event::{Decision, Entry, TurnEnd};
use crate::wall_clock;

/// How many conversations may begin in the same second.
const MOST_AT_ONCE: u32 = 100;

/// The transcript of one conversation.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    file: File,
    redactor: Redactor,
}

impl Transcript {
    /// A new one in this folder, named by the time.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn create(folder: &Path, name: &str, redactor: Redactor) -> io::Result<Transcript> {
        fs::create_dir_all(folder)?;
        let mut options = File::options();
        options.create_new(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        for number in 1..=MOST_AT_ONCE {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{name}{more}.jsonl"));
            match options.open(&path) {
                Ok(file) => return Ok(Transcript { path, file, redactor }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes down what happened.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn add(&mut self, entry: &Entry) -> io::Result<()> {
        self.add_line(line(entry))
    }

    /// Writes down something else, which gets the time and is masked like everything.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn add_line(&mut self, mut line: Map<String, Value>) -> io::Result<()> {
        line.values_mut().for_each(|value| *value = self.redactor.mask_value(value));
        let mut whole = Map::from_iter([("at".to_owned(), Value::from(wall_clock::now()))]);
        whole.extend(line);
        let mut text = Value::Object(whole).to_string();
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

fn line(entry: &Entry) -> Map<String, Value> {
    let value = match entry {
        Entry::Said { text } => json!({"type": "said", "text": text}),
        Entry::Replied(reply) => json!({
            "type": "replied",
            "model": reply.model,
            "content": reply.content.iter().map(ReplyContent::to_value).collect::<Vec<_>>(),
            "stopReason": reply.stop_reason,
        }),
        Entry::Decided { call, decision } => {
            let (arguments, allowed, by, reason) = match decision {
                Decision::Allowed { arguments, by, .. } => (arguments, true, by, None),
                Decision::Declined { reason, by } => (&call.arguments, false, by, reason.as_deref()),
            };
            json!({
                "type": "decided",
                "id": call.id,
                "server": call.server.as_str(),
                "tool": call.tool,
                "arguments": arguments,
                "allowed": allowed,
                "by": by.as_str(),
                "reason": reason,
            })
        }
        Entry::Answered { id, text, is_error, left_out } => {
            json!({"type": "answered", "id": id, "text": text, "isError": is_error, "leftOut": left_out})
        }
        Entry::Ended(end) => {
            let how = match end {
                TurnEnd::Finished { .. } => "finished",
                TurnEnd::Capped { .. } => "capped",
                TurnEnd::ModelFailed => "model-failed",
                TurnEnd::Stopped => "stopped",
            };
            json!({"type": "ended", "how": how})
        }
    };
    match value {
        Value::Object(line) => line,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_masked_and_only_their_owner_can_read_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let redactor = Redactor::new(&["(?i)project-[a-z]+"]).expect("a pattern");
        let create = || Transcript::create(folder.path(), "2026-01-05", redactor.clone()).expect("it can be made");
        let mut transcript = create();
        transcript.add(&Entry::Said { text: "About Project-Falcon".to_owned() }).expect("it is written");
        let text = fs::read_to_string(transcript.path()).expect("it can be read");
        let line: Value = serde_json::from_str(text.trim_end()).expect("one line of JSON");
        assert_eq!((&line["type"], &line["text"]), (&json!("said"), &json!("About ••••••")));
        assert!(line["at"].as_u64().is_some_and(|at| at > 0));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(transcript.path()).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_ne!(create().path(), transcript.path(), "the next one has a file of its own");
    }
}
