//! Which scenarios are run at which revisions, and which are left out because Askback claims nothing there.

use super::Wanted;
use super::suite::{EXTENSION, Scenario};
use crate::{Failure, Outcome};

/// Extensions that Askback does not support, and why. Only extensions may stand here: what a revision requires is
/// always run. Each name is one of the suite's, so a row that has outlived its scenario is noticed.
const NOT_CLAIMED: &[(&str, &str)] = &[
    ("auth/dpop", DPOP),
    ("auth/dpop-nonce", DPOP),
    ("auth/wif-jwt-bearer", "a workload's identity stands for a machine, and Askback's callers are people"),
    ("sep-2640-client-no-prefetch", SKILLS),
    ("sep-2640-client-verify-digest", SKILLS),
    ("sep-2640-client-verify-size", SKILLS),
    ("sep-2640-client-verify-frontmatter", SKILLS),
];
const DPOP: &str = "tokens are not bound to a key";
const SKILLS: &str = "Askback loads no skills, and without loading any the suite checks nothing";

/// One scenario at one revision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) scenario: String,
    /// A revision, or [`EXTENSION`].
    pub(super) version: String,
}

/// What is run and what is not.
#[derive(Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) runs: Vec<Run>,
    /// Names of scenarios, with the reason.
    pub(super) not_claimed: Vec<(&'static str, &'static str)>,
}

/// Every scenario at every revision the suite names for it, as far as wanted. A scenario asked for by name is run even
/// if it is not claimed.
pub(super) fn plan(scenarios: &[Scenario], wanted: &Wanted) -> Outcome<Plan> {
    plan_without(scenarios, wanted, NOT_CLAIMED)
}

fn plan_without(
    scenarios: &[Scenario],
    wanted: &Wanted,
    not_claimed: &'static [(&'static str, &'static str)],
) -> Outcome<Plan> {
    for (name, _) in not_claimed {
        let optional = scenarios.iter().any(|scenario| scenario.name == *name && scenario.versions == [EXTENSION]);
        if !optional {
            let what = format!("{name} is listed as not claimed, but is no extension of the suite");
            return Err(Failure::new(what, "correct the list in xtask/src/conformance/plan.rs"));
        }
    }
    let is_wanted = |run: &Run| {
        wanted.scenario.as_ref().is_none_or(|name| *name == run.scenario)
            && wanted.version.as_ref().is_none_or(|version| *version == run.version)
    };
    let all = scenarios.iter().flat_map(|scenario| {
        let run = |version: &String| Run { scenario: scenario.name.clone(), version: version.clone() };
        scenario.versions.iter().map(run)
    });
    let mut plan = Plan { runs: Vec::new(), not_claimed: Vec::new() };
    for run in all.filter(is_wanted) {
        match not_claimed.iter().find(|(name, _)| *name == run.scenario) {
            Some(left_out) if wanted.scenario.is_none() => plan.not_claimed.push(*left_out),
            _ => plan.runs.push(run),
        }
    }
    if plan.runs.is_empty() {
        let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
        let what = "the suite has no such scenario at such a revision".to_owned();
        return Err(Failure::new(what, format!("its scenarios are {}", names.join(", "))));
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMO: &[(&str, &str)] = &[("auth/dpop", "no keys")];

    fn scenarios() -> Vec<Scenario> {
        let scenario = |name: &str, versions: &[&str]| Scenario {
            name: name.to_owned(),
            versions: versions.iter().map(|version| (*version).to_owned()).collect(),
        };
        vec![
            scenario("initialize", &["2025-06-18", "2025-11-25"]),
            scenario("auth/jwt", &[EXTENSION]),
            scenario("auth/dpop", &[EXTENSION]),
        ]
    }

    #[track_caller]
    fn check(scenario: Option<&str>, version: Option<&str>, runs: &[&str], not_claimed: usize) {
        let wanted =
            Wanted { scenario: scenario.map(str::to_owned), version: version.map(str::to_owned), client: None };
        let plan = plan_without(&scenarios(), &wanted, DEMO).expect("there is something to run");
        let found: Vec<String> = plan.runs.iter().map(|run| format!("{} {}", run.scenario, run.version)).collect();
        assert_eq!(found, runs);
        assert_eq!(plan.not_claimed.len(), not_claimed);
    }

    #[test]
    fn everything_is_run_but_extensions_that_are_not_claimed() {
        check(None, None, &["initialize 2025-06-18", "initialize 2025-11-25", "auth/jwt extension"], 1);
    }

    #[test]
    fn a_scenario_or_a_revision_may_be_chosen() {
        check(Some("initialize"), None, &["initialize 2025-06-18", "initialize 2025-11-25"], 0);
        check(None, Some("2025-11-25"), &["initialize 2025-11-25"], 0);
        check(Some("auth/dpop"), None, &["auth/dpop extension"], 0);
    }

    #[test]
    fn nothing_to_run_is_a_failure() {
        let wanted = Wanted { scenario: Some("initialise".to_owned()), ..Wanted::default() };
        let failure = plan_without(&scenarios(), &wanted, DEMO).expect_err("there is no such scenario");
        assert!(failure.next.contains("initialize"), "{failure:?}");
    }

    #[test]
    fn what_a_revision_requires_cannot_be_left_out() {
        for list in [&[("initialize", "tiresome")], &[("auth/gone", "gone")]] as [&'static [(&str, &str)]; 2] {
            assert!(plan_without(&scenarios(), &Wanted::default(), list).is_err(), "{list:?}");
        }
    }
}
