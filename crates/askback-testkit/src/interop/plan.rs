//! What is to be tried with which server. Owns the format of `peers/interop.toml`, and knows nothing of how it is tried.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::peers::Over;

/// What is tried, in the order of the page's columns: the key in the plan, and the heading. The first two are the same for every server.
pub const COLUMNS: [(&str, &str); 15] = [
    ("connect", "connect"),
    ("list", "list"),
    ("call", "call"),
    ("error", "tool error"),
    ("form", "form"),
    ("decline", "decline"),
    ("cancel", "cancel"),
    ("url", "URL"),
    ("refused", "URL first (-32042)"),
    ("sampling", "sampling"),
    ("roots", "roots"),
    ("several", "several asks"),
    ("rounds", "several rounds"),
    ("prompt", "prompt"),
    ("resource", "resource"),
];

/// One more column, apart because it takes its time.
pub const PROGRESS: (&str, &str) = ("progress", "progress");

/// One server over one transport in one revision.
#[derive(Clone, Debug)]
pub struct Row {
    /// The server.
    pub server: Server,
    /// How it is talked to.
    pub over: Over,
    /// The revision.
    pub revision: String,
    /// Whether the client is to find this revision by itself.
    pub found: bool,
    /// The conversations by column.
    pub cells: BTreeMap<String, Cell>,
}

impl Row {
    /// A name for a test.
    pub fn test_name(&self) -> String {
        let over = self.over.title().to_lowercase().replace([' ', '+'], "_");
        format!("{}_over_{over}_in_{}", self.server.name, self.revision).replace('-', "_")
    }
}

/// A server, and where its version is to be found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its name among the peers.
    pub name: String,
    /// What the page calls it.
    pub title: String,
    /// The npm package that it is, or is made of.
    pub npm: Option<String>,
    /// The Python package.
    pub python: Option<String>,
    /// The crate.
    #[serde(rename = "crate")]
    pub rust: Option<String>,
}

/// One conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// What stands behind `askback`.
    pub words: Vec<String>,
    /// The answer file; there is none if empty.
    #[serde(default)]
    pub answers: String,
    /// What must be asked: kind and action of each ask, in order.
    #[serde(default)]
    pub asked: Vec<String>,
    /// What the result must contain.
    #[serde(default)]
    pub says: String,
    /// The exit code.
    #[serde(default)]
    pub code: i32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    group: Vec<Group>,
    text: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    servers: Vec<Server>,
    over: Vec<Over>,
    revisions: Vec<String>,
    cell: BTreeMap<String, Cell>,
}

/// Reads the plan.
///
/// # Errors
/// When it is no plan.
pub fn read(path: &Path) -> Result<Vec<Row>, String> {
    let failed = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let plan: Plan = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let mut rows = Vec::new();
    for group in &plan.group {
        let known = |key: &str| COLUMNS.iter().chain([&PROGRESS]).any(|(column, _)| *column == key);
        if let Some(key) = group.cell.keys().find(|key| !known(key)) {
            return Err(failed(format!("there is no column {key:?}")));
        }
        for server in &group.servers {
            for over in &group.over {
                for revision in &group.revisions {
                    rows.push(Row {
                        server: server.clone(),
                        over: *over,
                        revision: revision.clone(),
                        found: false,
                        cells: group.cell.iter().map(|(key, cell)| (key.clone(), filled(cell, &plan.text))).collect(),
                    });
                }
            }
        }
    }
    // The client prefers the newest that a server speaks.
    for index in 0..rows.len() {
        let newest =
            rows.iter().filter(|row| row.server.name == rows[index].server.name).map(|row| &row.revision).max();
        rows[index].found = newest == Some(&rows[index].revision);
    }
    Ok(rows)
}

/// The cell with the plan's texts in place of their names.
fn filled(cell: &Cell, texts: &BTreeMap<String, String>) -> Cell {
    // The longer names first, as some begin with others.
    let fill = |text: &String| {
        texts.iter().rev().fold(text.clone(), |text, (name, with)| text.replace(&format!("${name}"), with))
    };
    Cell { words: cell.words.iter().map(fill).collect(), answers: fill(&cell.answers), ..cell.clone() }
}
