//! Runs scenarios: each in every revision that it names and over every transport, and says what came out otherwise than expected.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::conversation::Conversation;
use crate::fault_proxy::plan::Faults;
use crate::scenario::{Scenario, Transport};
use crate::script::Era;
use crate::under_faults;

/// One scenario in one revision over one transport.
pub struct Trial {
    /// Unique, and with the cases in it.
    pub name: String,
    scenario: Arc<Scenario>,
    revision: String,
    transport: Transport,
}

/// The programs that take part.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The `askback` binary.
    pub askback: PathBuf,
    /// A program that calls [`crate::stdio_server::run_if_asked`].
    pub server: PathBuf,
}

/// Every scenario of a folder in every revision that it names, over those of these transports that it may run over.
///
/// # Errors
/// The first file that is no scenario.
pub fn trials(folder: &Path, transports: &[Transport]) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for scenario in crate::scenario::read_folder(folder)? {
        let scenario = Arc::new(scenario);
        let name = scenario.name();
        for revision in &scenario.revisions {
            for transport in transports.iter().copied().filter(|transport| scenario.runs_over(*transport)) {
                trials.push(Trial {
                    name: format!("{name}::{}::{}", revision.replace('-', "_"), transport.name(revision)),
                    scenario: Arc::clone(&scenario),
                    revision: revision.clone(),
                    transport,
                });
            }
        }
    }
    Ok(trials)
}

impl Trial {
    /// Holds the conversation.
    ///
    /// # Errors
    /// Everything that came out otherwise than the scenario expects, in words.
    pub fn run(&self, programs: &Programs) -> Result<(), String> {
        let text = |error: std::io::Error| error.to_string();
        if self.transport == Transport::HttpUnderFaults {
            let name = format!("{}::{}", self.scenario.name(), self.revision);
            return under_faults::run(programs, &self.scenario, &self.revision, &name)
                .map_err(|what| self.head() + &what);
        }
        let on_a_socket = match self.transport {
            Transport::Stdio => None,
            Transport::Http | Transport::HttpUnderFaults => Some(self.scenario.server.clone()),
            Transport::HttpInPieces => {
                let mut script = self.scenario.server.clone();
                script.http.through = Some(Faults::harmless(self.name.bytes().map(u64::from).sum()));
                Some(script)
            }
        };
        let expect = self.scenario.expect(Era::of(&self.revision), self.transport)?;
        let Trial { scenario, revision, .. } = self;
        let held = Conversation { programs, scenario, revision, on_a_socket, options: &[] }.hold().map_err(text)?;
        let problems = held.differences(&expect);
        if problems.is_empty() { Ok(()) } else { Err(self.head() + &listed(&problems) + &held.told()) }
    }

    fn head(&self) -> String {
        format!(
            "{} ({})\n{}, in {} over {}\n",
            self.scenario.title,
            self.scenario.cases.join(", "),
            self.scenario.file.display(),
            self.revision,
            self.transport.name(&self.revision)
        )
    }
}

/// Problems, one below the other.
pub(crate) fn listed(problems: &[String]) -> String {
    problems.iter().map(|problem| format!("  * {}\n", problem.trim_end())).collect()
}
