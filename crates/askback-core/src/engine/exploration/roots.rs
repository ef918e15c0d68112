//! A world of folders: asks for them in both shapes, every answer, and every change of what is there, in every order.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::super::tests::conversation::{ask, offers, operation};
use super::super::{Effect, Engine, Input, Record, ReplyAddress, Returns, Rules};
use crate::answer::{Answer, By, Refusal};
use crate::call::{CallId, RoundId, ServerName, TimeLimits};
use crate::roots::Root;

/// All that may be offered at a time: folders agreed to, to be asked about, and not to be told.
const FOLDERS: [&[&str]; 4] = [&["w", "x?"], &["x?", "y?"], &["w!", "x", "y?"], &[]];
const ASKS: u64 = 2;
const CHANGES: u32 = 2;

/// The books beside the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Books {
    /// Which of `FOLDERS` is there.
    at: usize,
    changes: u32,
    asks: u64,
    rounds: u32,
    called: bool,
    /// Folders that the person was shown, by round.
    shown: BTreeMap<u64, Vec<String>>,
    /// What the person said of folders, at last.
    said: BTreeMap<String, bool>,
    replied: BTreeSet<u64>,
}

fn name(root: &Root) -> String {
    root.uri.trim_start_matches("file:///").to_owned()
}

impl Books {
    /// Whether a folder may be told now: it is there, and rules or the person have agreed to it.
    fn may_be_told(&self, folder: &str) -> bool {
        let there = FOLDERS[self.at].iter().find(|word| word.trim_end_matches(['?', '!']) == folder);
        let by_rule = there.is_some_and(|word| !word.ends_with(['?', '!']));
        there.is_some() && self.said.get(folder).copied().unwrap_or(by_rule)
    }

    fn check_roots(&self, answer: &Answer) {
        let Answer::Roots(roots) = answer else { return };
        for root in roots {
            assert!(self.may_be_told(&name(root)), "{} goes out and must not: {self:?}", root.uri);
        }
    }

    fn took(&mut self, input: &Input, effects: &[Effect]) {
        match input {
            Input::CallRequested { .. } => self.called = true,
            Input::Asked { returns: Returns::Reply { .. }, .. } => self.asks += 1,
            Input::Asked { .. } => self.rounds += 1,
            Input::RootsChanged { roots, .. } => {
                self.at = FOLDERS.iter().position(|folders| offers(folders) == *roots).expect("one of them");
                self.changes += 1;
            }
            Input::Answered { round, answer: Answer::Roots(chosen), .. } => {
                let chosen: Vec<String> = chosen.iter().map(name).collect();
                // Only an answer that is taken says anything.
                let taken = effects.iter().any(|effect| matches!(effect, Effect::Record(_)));
                for folder in self.shown.get(&round.0).into_iter().flatten().filter(|_| taken) {
                    self.said.insert(folder.clone(), chosen.contains(folder));
                }
            }
            _ => {}
        }
        let mut recorded = Vec::new();
        for effect in effects {
            match effect {
                Effect::Record(Record::Decided(decided)) => {
                    self.check_roots(&decided.answer);
                    assert_ne!(decided.by, By::Nobody);
                    recorded.push(decided.answer.clone());
                }
                Effect::Reply { address, answer, .. } => {
                    self.check_roots(answer);
                    assert!(recorded.contains(answer), "a reply was not recorded before");
                    assert!(self.replied.insert(address.0), "a second reply to one ask");
                }
                Effect::Send { continuation: Some(continuation), .. } => {
                    continuation.answers.iter().for_each(|(_, answer)| self.check_roots(answer));
                }
                Effect::Publish(round) => {
                    let folders: Vec<String> = round.roots.iter().map(|offer| name(&offer.root)).collect();
                    let unsaid = |folder: &&&str| {
                        let folder = folder.strip_suffix('?');
                        folder.is_some_and(|folder| !self.said.contains_key(folder))
                    };
                    assert!(
                        round.asks.iter().all(|(_, ask)| ask.kind() != crate::ask::AskKind::Roots)
                            || FOLDERS[self.at].iter().any(|folder| unsaid(&folder)),
                        "the person is asked what they have said already"
                    );
                    self.shown.insert(round.id.0, folders);
                }
                Effect::TellRootsChanged { .. } => {
                    assert!(matches!(input, Input::RootsChanged { .. }), "told of a change, and there was none");
                }
                _ => {}
            }
        }
        let reply = effects.iter().position(|effect| matches!(effect, Effect::Reply { .. } | Effect::Send { .. }));
        let tell = effects.iter().position(|effect| matches!(effect, Effect::TellRootsChanged { .. }));
        assert!(tell.is_none() || reply.is_none() || tell < reply, "the notice comes after what follows from it");
    }

    fn inputs(&self, engine: &Engine) -> Vec<Input> {
        let server = ServerName::new("travel");
        let mut inputs = Vec::new();
        let call = CallId(1);
        if !self.called {
            let (operation, limits) = (operation("book"), TimeLimits::default());
            inputs.push(Input::CallRequested { call, server: server.clone(), operation, limits });
        }
        if self.asks < ASKS {
            inputs.push(Input::Asked {
                server: server.clone(),
                calls: Vec::new(),
                returns: Returns::Reply { address: ReplyAddress(self.asks + 1) },
                asks: vec![("roots/list".into(), ask("roots/list", "roots"))],
            });
        }
        if self.called && self.rounds < 1 {
            let asks = ["roots", "url"].map(|kind| (kind.to_owned(), ask(kind, kind))).to_vec();
            let returns = Returns::Resend { state: None };
            inputs.push(Input::Asked { server: server.clone(), calls: vec![call], returns, asks });
        }
        if self.changes < CHANGES {
            let roots = FOLDERS.iter().map(|folders| offers(folders));
            inputs.extend(roots.map(|roots| Input::RootsChanged { server: server.clone(), roots }));
        }
        let some = |names: &[&str]| Answer::Roots(offers(names).into_iter().map(|offer| offer.root).collect());
        let answers = [some(&[]), some(&["x"]), Answer::Consented, Answer::Refused(Refusal::ByPerson { reason: None })];
        for round in (1..engine.next_round).map(RoundId) {
            for (index, answer) in (0..2).flat_map(|index| answers.iter().map(move |answer| (index, answer))) {
                inputs.push(Input::Answered { round, index, answer: answer.clone(), by: By::Person });
            }
        }
        inputs
    }
}

#[test]
fn r08_folders_that_change_while_they_are_asked_for() {
    let roots = [(ServerName::new("travel"), offers(FOLDERS[0]))].into();
    let start = (Engine::new(Rules { person: true, roots, ..Rules::default() }), Books::default());
    let mut seen = HashSet::from([super::key_of_roots(&start.0, &start.1)]);
    let mut nodes = vec![start];
    let mut next = 0;
    while next < nodes.len() {
        for input in nodes[next].1.inputs(&nodes[next].0) {
            let (mut engine, mut books) = nodes[next].clone();
            let effects = engine.handle(0, input.clone());
            books.took(&input, &effects);
            if seen.insert(super::key_of_roots(&engine, &books)) {
                nodes.push((engine, books));
                assert!(nodes.len() < 60_000, "the world is not small");
            }
        }
        next += 1;
    }
    println!("folders that change while they are asked for: {} states", nodes.len());
    assert!(nodes.len() > 1_000);
}
