//! One row of the page: a server is talked to with the real binary, conversation by conversation.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::plan::{COLUMNS, Cell, PROGRESS, Row, Server};
use crate::peers::{Over, Reach, reach};
use crate::served::Served;
use crate::surroundings::Surroundings;
use crate::terminal::Session;

/// The longest that a conversation may take.
const WHOLE: Duration = Duration::from_secs(60);

/// What came of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// What had to come.
    Works,
    /// The server does not offer this.
    NotOffered,
    /// Something else.
    Fails(String),
}

/// A row with everything tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The server's title, with its version.
    pub title: String,
    /// How it was talked to.
    pub over: Over,
    /// In which revision.
    pub revision: String,
    /// What came of each column.
    pub seen: Vec<Seen>,
}

/// Tries everything of a row; nothing when the server is not here.
///
/// # Panics
/// When the server does not start, or none may be missing.
pub fn try_out(test: &str, row: &Row, binary: &Path) -> Option<Tried> {
    let reach =
        if row.server.name == "travel" { travel(binary, row.over) } else { reach(test, &row.server.name, row.over)? };
    let listing = list(row, binary, &reach);
    let seen = COLUMNS.iter().chain([&PROGRESS]).map(|(column, _)| match *column {
        "connect" => connected(row, &listing),
        "list" => listed(&listing),
        column => row.cells.get(column).map_or(Seen::NotOffered, |cell| converse(row, cell, binary, &reach)),
    });
    Some(Tried { title: title(&row.server), over: row.over, revision: row.revision.clone(), seen: seen.collect() })
}

fn travel(binary: &Path, over: Over) -> Reach {
    let words = |more: &[&str]| {
        let all = ["demo", "server"].iter().chain(more).map(|word| (*word).to_owned());
        std::iter::once(binary.display().to_string()).chain(all).collect::<Vec<_>>()
    };
    match over {
        Over::Stdio => Reach::Command(words(&[])),
        _ => Reach::Served(Served::start(&words(&["--http", "0"]), "").unwrap_or_else(|problem| panic!("{problem}"))),
    }
}

/// The server's name with the version of what it is made of.
fn title(server: &Server) -> String {
    let peers = std::env::var_os("ASKBACK_PEERS").unwrap_or_default();
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let version = if let Some(package) = &server.npm {
        let folders = ["npm-servers", &server.name].map(|folder| Path::new(&peers).join(folder).join("node_modules"));
        folders.into_iter().find_map(|folder| {
            let manifest: Value = serde_json::from_str(&read(folder.join(package).join("package.json"))).ok()?;
            Some(manifest["version"].as_str()?.to_owned())
        })
    } else if let Some(package) = &server.python {
        let folders = ["python-servers", &server.name].map(|folder| Path::new(&peers).join(folder));
        let pinned = folders.map(|folder| read(folder.join("requirements.txt"))).concat();
        pinned.lines().find_map(|line| line.strip_prefix(package.as_str())?.strip_prefix("==")).map(str::to_owned)
    } else {
        let lock = read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"));
        let name = format!("name = \"{}\"\nversion = \"", server.rust.as_deref().unwrap_or_default());
        lock.split_once(&name).and_then(|(_, rest)| rest.split_once('"')).map(|(version, _)| version.to_owned())
    };
    format!("{} {}", server.title, version.as_deref().unwrap_or("?"))
}

/// What one run of the binary left behind.
struct Ran {
    code: i32,
    document: Value,
    stderr: String,
    /// What stands in its output only because of where it ran.
    places: Vec<(String, &'static str)>,
}

impl Ran {
    fn failure(&self, what: &str) -> Seen {
        let error = &self.document["error"];
        let said = match (error["message"].as_str(), self.document["result"]["content"][0]["text"].as_str()) {
            (_, Some(text)) if error["kind"] == "tool-error" => text,
            (Some(message), _) => message,
            (None, _) => self.stderr.lines().next().unwrap_or_default(),
        };
        let said = self.places.iter().fold(said.to_owned(), |said, (place, name)| said.replace(place.as_str(), name));
        let said: String = said.lines().next().unwrap_or_default().chars().take(160).collect();
        Seen::Fails(format!("{what}; exit code {}: {said}", self.code))
    }
}

fn run(row: &Row, binary: &Path, reach: &Reach, words: &[String], answers: &str, protocol: bool) -> Ran {
    let surroundings = Surroundings::new().expect("folders can be made");
    let work = surroundings.work().display().to_string();
    let mut command = surroundings.command(binary);
    let mut words: Vec<String> = words.iter().map(|word| word.replace("$WORK", &work)).collect();
    let mut places = vec![(work, "the folder")];
    if let Reach::Served(served) = reach {
        words.insert(1, served.address.clone());
        places.push((served.address.clone(), "the address"));
    }
    command.args(words).args(["--json", "--no-input"]);
    if protocol {
        command.args(["--protocol", &row.revision]);
    }
    if !answers.is_empty() {
        let path = surroundings.path("answers.toml");
        std::fs::write(&path, answers).expect("the answer file can be written");
        command.arg("--answers").arg(path);
    }
    if let Reach::Command(server) = reach {
        command.arg("--").args(server);
    }
    let ended = Session::start(&mut command).expect("the binary starts").end(WHOLE);
    match ended {
        Ok(ended) => Ran {
            code: ended.status.code().unwrap_or(-1),
            document: serde_json::from_str(&ended.stdout).unwrap_or_default(),
            stderr: ended.stderr,
            places,
        },
        Err(problem) => Ran { code: -1, document: Value::Null, stderr: problem, places },
    }
}

fn list(row: &Row, binary: &Path, reach: &Reach) -> Ran {
    run(row, binary, reach, &["list".to_owned()], "", !row.found)
}

fn connected(row: &Row, listing: &Ran) -> Seen {
    let version = &listing.document["servers"][0]["protocolVersion"];
    if *version == row.revision { Seen::Works } else { listing.failure(&format!("it speaks {version}")) }
}

fn listed(listing: &Ran) -> Seen {
    let tools = listing.document["servers"][0]["tools"].as_array().map_or(0, Vec::len);
    if listing.code == 0 && tools > 0 { Seen::Works } else { listing.failure("no tools are listed") }
}

fn converse(row: &Row, cell: &Cell, binary: &Path, reach: &Reach) -> Seen {
    let ran = run(row, binary, reach, &cell.words, &cell.answers, true);
    let asks = ran.document["asks"].as_array();
    let asked: Vec<String> = asks
        .into_iter()
        .flatten()
        .map(|ask| [&ask["kind"], &ask["action"]].map(|word| word.as_str().unwrap_or("?")).join(" "))
        .collect();
    let says = cell.says.replace("$WORK", "the folder");
    let result =
        ran.places.iter().fold(ran.document["result"].to_string(), |text, (place, name)| text.replace(place, name));
    if asked != cell.asked {
        return ran.failure(&format!("asked was {asked:?}"));
    }
    if ran.code != cell.code {
        return ran.failure("it ends otherwise");
    }
    if !result.contains(&says) {
        return ran.failure(&format!("the result does not say {says:?}"));
    }
    match ran.document["violations"].as_array() {
        Some(violations) if !violations.is_empty() => {
            ran.failure(&format!("rules are broken: {}", violations[0]["rule"]))
        }
        _ => Seen::Works,
    }
}
