//! Holds the conversation of a scenario over networks that are not kind, each at places that a seed chooses.
//!
//! A run over a kind network comes first: what it carried says where connections can be cut, and what came of it what is usual. Then
//! [`plans`] are made, held, and judged by [`crate::fault_judge`]. The environment may ask for more of them:
//!
//! - `ASKBACK_FAULT_SEEDS`: how many seeds; 1 if not set.
//! - `ASKBACK_FAULT_FIRST`: the first of them; 0 if not set.

use std::time::Duration;

use crate::conversation::{Conversation, Held};
use crate::dice::Dice;
use crate::fault_judge::{Demand, judge};
use crate::fault_proxy::plan::{CutAt, Faults, Way};
use crate::fault_proxy::traffic::{Passed, Traffic};
use crate::http::manners::ReplyForm;
use crate::run::{Programs, listed};
use crate::scenario::{Expect, Scenario, Transport};
use crate::script::{Era, Script};

/// How long a request may take where a connection is cut.
const TIMEOUT: &str = "4s";
/// A conversation that takes longer is held under one fault for each seed, and not under all.
const LONG: Duration = Duration::from_secs(1);

/// One conversation under a fault.
#[derive(Clone, Debug)]
struct Plan {
    faults: Faults,
    demand: Demand,
}

/// A scenario in a revision, with one way in which its server answers.
struct Setting<'a> {
    programs: &'a Programs,
    scenario: &'a Scenario,
    revision: &'a str,
    script: Script,
    /// What the manners are called where something comes out wrong.
    called: &'static str,
}

/// Holds all of them; `name` makes the choices of one scenario differ from those of another.
///
/// # Errors
/// Everything that came out otherwise than it must, with the fault under which it did.
pub(crate) fn run(programs: &Programs, scenario: &Scenario, revision: &str, name: &str) -> Result<(), String> {
    let era = Era::of(revision);
    let expect = scenario.expect(era, Transport::HttpUnderFaults)?;
    let setting = |script, called| Setting { programs, scenario, revision, script, called };
    let plain = setting(scenario.server.clone(), "as in the file");
    let streams =
        setting(in_streams(&scenario.server, era), "answers as streams of events, with ids in the legacy era");
    let (first, count) = (number_of("ASKBACK_FAULT_FIRST", 0), number_of("ASKBACK_FAULT_SEEDS", 1));
    let own: u64 = name.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let seeds = (first..first.saturating_add(count)).map(|number| own.wrapping_add(number.wrapping_mul(1_000_003)));
    // A person takes their time, and for what they see the streams are enough.
    let needs_plain = scenario.person.is_empty() || !scenario.may_answer_in_streams();
    if needs_plain {
        plain.run(&expect, seeds.clone(), false)?;
    }
    if scenario.may_answer_in_streams() { streams.run(&expect, seeds, true) } else { Ok(()) }
}

impl Setting<'_> {
    fn run(&self, expect: &Expect, seeds: impl Iterator<Item = u64>, in_streams: bool) -> Result<(), String> {
        let usual = self.hold(&Faults::default())?;
        let problems = usual.differences(expect);
        if !problems.is_empty() {
            return Err(self.report("nothing at all", &problems, &usual));
        }
        let has_person = !self.scenario.person.is_empty();
        for seed in seeds {
            let mut plans = plans(seed, in_streams, has_person, &usual.traffic);
            if usual.took > LONG {
                plans = Dice::new(seed).one(&plans).cloned().into_iter().collect();
            }
            for plan in plans {
                let held = self.hold(&plan.faults)?;
                let demand = if self.goes_on(&plan, &held) { Demand::SameOutcome } else { plan.demand };
                let problems = judge(&held, &usual, expect, &plan.faults, demand);
                if !problems.is_empty() {
                    return Err(self.report(&format!("{:?}, which demands {demand:?}", plan.faults), &problems, &held));
                }
            }
        }
        Ok(())
    }

    fn hold(&self, faults: &Faults) -> Result<Held, String> {
        let mut script = self.script.clone();
        script.http.through = Some(faults.clone());
        let Setting { programs, scenario, revision, .. } = self;
        // What nobody can know to be lost, such as the answer to a ping, is waited for as long as a request may take.
        let options: &[&str] = if faults.cut.is_some() && !self.has_limit() { &["--timeout", TIMEOUT] } else { &[] };
        let conversation = Conversation { programs, scenario, revision, on_a_socket: Some(script), options };
        conversation.hold().map_err(|error| error.to_string())
    }

    /// Whether the scenario says itself how long a request may take.
    fn has_limit(&self) -> bool {
        self.scenario.call.options.iter().any(|option| option == "--timeout")
    }

    /// Whether the connection was cut in a place from which the protocol lets the client go on: in a stream of Streamable HTTP in the legacy
    /// era, once there is a session. Coming again takes a second, for which a limit of the scenario's own may leave no time.
    fn goes_on(&self, plan: &Plan, held: &Held) -> bool {
        let on_the_way = plan.faults.cut.map(|cut| cut.on_the_way);
        let is_legacy = Era::of(self.revision) == Era::Legacy && self.revision != "2024-11-05";
        let is_streamable = is_legacy && on_the_way == Some(Way::ToClient);
        let cut = held.traffic.cut();
        is_streamable
            && !self.has_limit()
            && cut.is_some_and(|passed| passed.can_be_gone_on_with() && !begins_session(&passed))
    }

    fn report(&self, fault: &str, problems: &[String], held: &Held) -> String {
        format!("the server's manners: {}\nthe fault: {fault}\n{}{}", self.called, listed(problems), held.told())
    }
}

/// Whether the last answer on a connection is that to `initialize`: until it is whole there is no session to go on with.
fn begins_session(passed: &Passed) -> bool {
    let heard = String::from_utf8_lossy(&passed.heard).to_ascii_lowercase();
    heard.rsplit("http/1.1 ").next().is_some_and(|last| last.contains("mcp-session-id:"))
}

/// The server as a server behaves that answers everything in streams of events, which have ids where there can be any.
fn in_streams(script: &Script, era: Era) -> Script {
    let mut script = script.clone();
    script.http.reply = Some(ReplyForm::Sse);
    if era == Era::Legacy {
        script.http.event_ids = true;
        script.http.priming = true;
    }
    script
}

/// What goes wrong under a seed. Only events can be doubled, so doubling is for answers in streams; and where a person waits for what they
/// see, a connection is not cut, since it may never come.
fn plans(seed: u64, in_streams: bool, has_person: bool, usual: &Traffic) -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut plan = |faults, demand| plans.push(Plan { faults, demand });
    if in_streams {
        plan(Faults { seed, double: true, ..Faults::default() }, Demand::SameOutcome);
    }
    plan(Faults { seed, swap: true, ..Faults::default() }, Demand::SameOutcome);
    if let Some(cut) = place(seed, &usual.connections()).filter(|_| !has_person) {
        plan(Faults { seed, cut: Some(cut), ..Faults::default() }, Demand::SameOrClearError);
    }
    plans
}

/// A place within what was carried.
fn place(seed: u64, connections: &[Passed]) -> Option<CutAt> {
    let mut dice = Dice::new(seed);
    let numbered: Vec<(u32, &Passed)> = (1..).zip(connections).collect();
    let (connection, passed) = *dice.one(&numbered)?;
    let on_the_way = if dice.percent(25) { Way::ToServer } else { Way::ToClient };
    let carried = match on_the_way {
        Way::ToServer => passed.to_server,
        Way::ToClient => passed.to_client,
    };
    let byte = usize::try_from(dice.below(carried as u64)).unwrap_or_default();
    Some(CutAt { connection, byte, on_the_way })
}

fn number_of(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
