//! A file with an entry on each line, as JSON, that only its owner can read.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Disclosure, DisclosureLog, Disclosures};

/// The longest line that is read, in bytes; what writes them stays far below.
const LINE: u64 = 64 * 1024 * 1024;

/// Keeps entries in a file, which several processes may add to at the same time.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    file: Mutex<Option<File>>,
}

impl JsonLines {
    /// The log in this file, which is made with its folder when something is first added.
    pub fn new(path: PathBuf) -> JsonLines {
        JsonLines { path, file: Mutex::default() }
    }
}

impl DisclosureLog for JsonLines {
    fn add(&self, entry: &Disclosure) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &mut *file {
            Some(open) => open,
            none => none.insert(open(&self.path)?),
        };
        // One write for the whole line, so that lines of several processes do not mix.
        let written = open.write_all(&line);
        if written.is_err() {
            // It may have ended in the middle of a line; opening it again mends that.
            *file = None;
        }
        written
    }

    fn of_server(&self, server: &str) -> io::Result<Disclosures> {
        let mut found = Disclosures::default();
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            file => file?,
        };
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            if (&mut reader).take(LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(found);
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Disclosure>(&line) {
                Ok(entry) if entry.server == server => found.entries.push(entry),
                Ok(_) => {}
                Err(_) => found.damaged += 1,
            }
        }
    }
}

/// Opens the file to add to it. A line that was cut short, by a crash or a full disk, stays alone.
fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = File::options();
    options.create(true).read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::super::Given;
    use super::*;

    fn entry(server: &str, at: u64) -> Disclosure {
        Disclosure {
            at,
            server: server.to_owned(),
            source: "npx travel".to_owned(),
            call: Some("book".to_owned()),
            round: 1,
            by: "person".to_owned(),
            asked: None,
            given: Given::Reason("too dear".to_owned()),
        }
    }

    #[test]
    fn entries_are_added_and_found_by_their_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/disclosures.jsonl");
        assert_eq!(JsonLines::new(path.clone()).of_server("a").unwrap(), Disclosures::default());
        let (one, other) = (JsonLines::new(path.clone()), JsonLines::new(path.clone()));
        one.add(&entry("a", 1)).unwrap();
        other.add(&entry("b", 2)).unwrap();
        one.add(&entry("a", 3)).unwrap();
        let found = other.of_server("a").unwrap();
        assert_eq!(found, Disclosures { entries: vec![entry("a", 1), entry("a", 3)], damaged: 0 });
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_line_that_was_cut_short_costs_itself_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disclosures.jsonl");
        JsonLines::new(path.clone()).add(&entry("a", 1)).unwrap();
        let half = serde_json::to_string(&entry("a", 2)).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(&half.as_bytes()[..40]).unwrap();
        JsonLines::new(path.clone()).add(&entry("a", 3)).unwrap();
        let found = JsonLines::new(path).of_server("a").unwrap();
        assert_eq!(found, Disclosures { entries: vec![entry("a", 1), entry("a", 3)], damaged: 1 });
    }
}
