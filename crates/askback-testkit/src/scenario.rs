//! Scenario files: a whole conversation as data.
//!
//! Owns the format, which `scenarios/README.md` documents. Knows nothing of how a scenario is run.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::script::{Act, Era, Script, Step, json_map, json_option};

/// The revisions that a scenario is run in unless it says otherwise: the newest of each era.
const USUAL_REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];
/// All revisions.
const REVISIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// A conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in one line.
    pub title: String,
    /// The cases of the behaviour catalogue that it covers.
    #[serde(default)]
    pub cases: Vec<String>,
    /// More about it, for the reader.
    #[serde(default)]
    pub about: String,
    /// The revisions to run it in.
    #[serde(default)]
    pub revisions: Vec<String>,
    /// How the messages may travel; in every way if not given.
    #[serde(default)]
    pub transports: Vec<Transport>,
    /// What is called, and how.
    pub call: CallText,
    /// What the server does.
    #[serde(default)]
    pub server: Script,
    /// The entries of an answer file, as they stand there.
    #[serde(default)]
    pub answer: Vec<toml::Table>,
    /// `askback.toml`, as it stands there.
    #[serde(default)]
    pub config: toml::Table,
    /// Whether a person sits at a terminal even if they do nothing, and its size.
    pub terminal: Option<TerminalText>,
    /// What the person does, in order.
    #[serde(default)]
    pub person: Vec<PersonStep>,
    /// What is to come of it.
    expect: Map<String, Value>,
    /// Where the scenario comes from.
    #[serde(skip)]
    pub file: PathBuf,
}

/// How messages travel between the client and the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Lines on standard input and output of a process.
    Stdio,
    /// HTTP, in the shape that it has in the revision.
    Http,
    /// HTTP through a network that delivers late and in pieces, which must change nothing.
    #[serde(skip)]
    HttpInPieces,
    /// HTTP through networks that cut, double and swap: several runs, each with what must hold then.
    #[serde(skip)]
    HttpUnderFaults,
}

impl Transport {
    /// Those that a scenario may name.
    const NAMED: [Transport; 2] = [Transport::Stdio, Transport::Http];

    /// Its name in a revision, as the names of tests have it.
    pub fn name(self, revision: &str) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http if revision == "2024-11-05" => "http_sse",
            Transport::Http => "streamable_http",
            Transport::HttpInPieces if revision == "2024-11-05" => "http_sse_in_pieces",
            Transport::HttpInPieces => "streamable_http_in_pieces",
            Transport::HttpUnderFaults if revision == "2024-11-05" => "http_sse_under_faults",
            Transport::HttpUnderFaults => "streamable_http_under_faults",
        }
    }
}

/// What is called: one of tool, prompt, resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallText {
    /// A tool.
    pub tool: Option<String>,
    /// A prompt.
    pub prompt: Option<String>,
    /// A resource.
    pub resource: Option<String>,
    /// Whether everything is listed rather than something called.
    #[serde(default)]
    pub list: bool,
    /// The arguments of a tool or prompt.
    #[serde(default, deserialize_with = "json_option")]
    pub arguments: Option<Value>,
    /// Folders to share.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Further options, as typed.
    #[serde(default)]
    pub options: Vec<String>,
    /// The exit code of the browser; there is none if not given.
    pub browser: Option<u8>,
}

/// The size of a terminal.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerminalText {
    /// Rows; 40 if not given.
    #[serde(default = "usual_rows")]
    pub rows: u16,
    /// Columns; 100 if not given.
    #[serde(default = "usual_columns")]
    pub columns: u16,
}

fn usual_rows() -> u16 {
    40
}

fn usual_columns() -> u16 {
    100
}

/// One thing that the person does, once what they wait for has come.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonStep {
    /// Waits until the screen shows this.
    pub sees: Option<String>,
    /// Waits until the server has been sent this method.
    pub sent: Option<String>,
    /// Waits until the server has the answer to the ask with this key.
    pub answered: Option<String>,
    /// Thinks for so many milliseconds.
    pub thinks: Option<u64>,
    /// The screen must not show this now.
    pub lacks: Option<String>,
    /// Presses these keys.
    pub presses: Option<String>,
    /// Closes the terminal.
    #[serde(default)]
    pub hangs_up: bool,
    /// Sends the program this signal: `INT`, `TERM` or `HUP`.
    pub signals: Option<String>,
}

/// What is to come of a scenario in one era.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The exit code.
    pub exit: i32,
    /// The result, but for its `resultType`.
    #[serde(default, deserialize_with = "json_option")]
    pub result: Option<Value>,
    /// The text of the first block of the result.
    pub text: Option<String>,
    /// The kind of the error.
    pub error: Option<String>,
    /// The JSON-RPC code of the error.
    pub code: Option<i64>,
    /// A part of the message or the hint of the error.
    pub says: Option<String>,
    /// The asks, each with the fields that matter.
    pub asks: Option<Vec<Map<String, Value>>>,
    /// How many rounds there were.
    pub rounds: Option<u32>,
    /// What the server's asks were answered, by key: everything that was.
    #[serde(default, deserialize_with = "json_map")]
    pub received: Map<String, Value>,
    /// The rules that the server broke, all of them, in order.
    #[serde(default)]
    pub violations: Vec<String>,
    /// What standard error says, or the terminal.
    #[serde(default)]
    pub stderr: StderrText,
    /// The methods that the server was sent, all of them, in order.
    pub sent: Option<Vec<String>>,
    /// The addresses that the browser was started with, all of them, in order.
    pub opened: Option<Vec<String>>,
    /// The capabilities that it was told of first.
    #[serde(default, deserialize_with = "json_option")]
    pub declared: Option<Value>,
    /// How often the client came again to a stream that had been cut (over HTTP).
    pub came_again: Option<usize>,
    /// How many processes of the server were started (over standard input and output).
    pub processes: Option<usize>,
    /// The most milliseconds that the call took by its own account.
    pub within: Option<u64>,
    /// The least milliseconds that it took.
    pub at_least: Option<u64>,
    /// The least milliseconds that the person took by the call's account.
    pub human_at_least: Option<u64>,
}

/// What standard error says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StderrText {
    /// All of these.
    pub contains: Vec<String>,
    /// None of these.
    pub lacks: Vec<String>,
}

impl Scenario {
    /// Reads a file, with what is expected in each revision.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &Path) -> Result<Scenario, String> {
        let problem = |detail: String| format!("{}: {detail}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
        let mut scenario = Scenario::parse(&text).map_err(problem)?;
        scenario.file = file.to_owned();
        Ok(scenario)
    }

    fn parse(text: &str) -> Result<Scenario, String> {
        let mut scenario: Scenario = toml::from_str(text).map_err(|error| error.to_string())?;
        if scenario.revisions.is_empty() {
            scenario.revisions = USUAL_REVISIONS.map(str::to_owned).to_vec();
        }
        if let Some(unknown) = scenario.revisions.iter().find(|revision| !REVISIONS.contains(&revision.as_str())) {
            return Err(format!("{unknown:?} is no revision"));
        }
        if scenario.transports.is_empty() {
            scenario.transports = Transport::NAMED.to_vec();
        }
        for revision in &scenario.revisions {
            for transport in Transport::NAMED {
                scenario.expect(Era::of(revision), transport)?;
            }
        }
        Ok(scenario)
    }

    /// Its name, which is that of its file.
    pub fn name(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it may run over a transport. A network is not made unkind in two ways, and what a person does at a terminal does not depend on
    /// the pieces in which bytes arrive.
    pub fn runs_over(&self, transport: Transport) -> bool {
        match transport {
            Transport::Stdio | Transport::Http => self.transports.contains(&transport),
            Transport::HttpInPieces => self.knows_a_kind_network() && !self.at_terminal(),
            // Where it matters to a person that the server is gone: something in between takes connections all the same.
            Transport::HttpUnderFaults => {
                let ends = self.server.steps.iter().any(Step::ends_the_server);
                // A very long message takes its time, and shows no more than a short one.
                let is_long = self.server.steps.iter().any(|step| matches!(step.act, Act::ReturnBig(_)));
                self.knows_a_kind_network() && !(ends && self.at_terminal()) && !is_long
            }
        }
    }

    fn knows_a_kind_network(&self) -> bool {
        self.transports.contains(&Transport::Http) && self.server.http.through.is_none()
    }

    /// Whether its server may answer everything in streams of events that have ids: not where the scenario is about how it answers.
    pub(crate) fn may_answer_in_streams(&self) -> bool {
        self.server.http.reply.is_none() && self.server.http.cut.is_empty()
    }

    /// Whether it needs a terminal.
    pub fn at_terminal(&self) -> bool {
        self.terminal.is_some() || self.person.iter().any(|step| step.presses.is_some() || step.sees.is_some())
    }

    /// What is expected in an era and over a transport: what is under the name of one of them stands over the rest, and the transport's over
    /// the era's.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn expect(&self, era: Era, transport: Transport) -> Result<Expect, String> {
        let mut expect = self.expect.clone();
        let era = match era {
            Era::Modern => "modern",
            Era::Legacy => "legacy",
        };
        let transport = match transport {
            Transport::Stdio => "stdio",
            Transport::Http | Transport::HttpInPieces | Transport::HttpUnderFaults => "http",
        };
        let over: Vec<(&str, Option<Value>)> =
            ["modern", "legacy", "stdio", "http"].map(|name| (name, expect.shift_remove(name))).into();
        for (name, over) in over {
            match over {
                Some(Value::Object(over)) if name == era || name == transport => expect.extend(over),
                None | Some(Value::Object(_)) => {}
                Some(_) => return Err(format!("expect.{name} is no table")),
            }
        }
        serde_json::from_value(Value::Object(expect)).map_err(|error| format!("expect, {era}, {transport}: {error}"))
    }
}

/// Reads all scenarios of a folder, in the order of their names.
///
/// # Errors
/// The first that is wrong.
pub fn read_folder(folder: &Path) -> Result<Vec<Scenario>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files.iter().map(|file| Scenario::read(file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "title = \"t\"\ncases = [\"E02\"]\n[call]\ntool = \"x\"\n[expect]\nexit = 0\n";

    #[test]
    fn what_is_under_an_era_stands_over_the_rest() {
        let scenario =
            Scenario::parse(&format!("{SMALL}text = \"a\"\n[expect.legacy]\nexit = 4\n[expect.http]\nexit = 5\n"))
                .unwrap();
        let expect = |era, transport| scenario.expect(era, transport).unwrap();
        let modern = expect(Era::Modern, Transport::Stdio);
        let legacy = expect(Era::Legacy, Transport::Stdio);
        assert_eq!((modern.exit, legacy.exit), (0, 4));
        assert_eq!(legacy.text.as_deref(), Some("a"));
        assert_eq!(expect(Era::Legacy, Transport::Http).exit, 5);
    }

    #[test]
    fn mistakes_are_found_when_the_file_is_read() {
        let check = |more: &str, part: &str| {
            let error = Scenario::parse(&format!("{SMALL}{more}")).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check("txet = \"a\"", "txet");
        check("[expect.modern]\ntxet = \"a\"", "txet");
        check("[[person]]\npress = \"enter\"", "press");
        check("[[server.step]]\nwaiit = 1", "waiit");
        assert!(Scenario::parse("title = \"t\"\n[call]\ntool = \"x\"\n").is_err());
    }
}
