//! What a small world holds, and what can happen next in it.

use super::super::tests::conversation::{answer, ask, leave, operation, page};
use super::super::{Abandonment, Engine, Input, Millis, PetitionId, ReplyAddress, Returns, Rules, Undelivered};
use super::model::Model;
use crate::answer::{Answer, By, Refusal};
use crate::ask::{Ask, AskProblem};
use crate::call::{CallId, RoundId, ServerName, TimeLimits};
use crate::violation::Violation;

/// The limit of a leg, in milliseconds, in every world.
pub(super) const LEG: Millis = 1_000;
/// How far time goes in one step that is no deadline.
const STEP: Millis = 400;

/// What there is, and how much of everything can happen.
pub(super) struct World {
    /// The calls with their servers and budgets.
    pub(super) calls: Vec<(CallId, &'static str, Option<Millis>)>,
    /// The server that asks in requests, and how often.
    pub(super) asking: &'static str,
    pub(super) asks: u64,
    /// The call that is asked in rounds, and how many asks each of them has.
    pub(super) rounds_of: Option<CallId>,
    pub(super) rounds: Vec<usize>,
    /// Whether these rounds send people to pages, after which the call is sent again as it was.
    pub(super) repeats: bool,
    /// Whether these rounds are those of work that the server goes on with by itself.
    pub(super) works: bool,
    /// Whether the asks of requests, and the first of each round, are sampling, and models are lent for it.
    pub(super) models: bool,
    pub(super) deaths: u32,
    /// How often a request gets no answer.
    pub(super) losses: u32,
    /// How often a request is held up until a person has got leave.
    pub(super) leaves: u64,
    pub(super) mutes: bool,
    pub(super) withdrawals: bool,
    pub(super) progress: bool,
    pub(super) steps: u32,
    pub(super) deadlines: u32,
    pub(super) cap: u32,
}

impl World {
    pub(super) fn uncertain() -> World {
        World {
            calls: vec![(CallId(1), "travel", None), (CallId(2), "travel", None)],
            asking: "travel",
            asks: 3,
            rounds_of: None,
            rounds: Vec::new(),
            repeats: false,
            works: false,
            models: false,
            deaths: 1,
            losses: 0,
            leaves: 0,
            mutes: false,
            withdrawals: true,
            progress: false,
            steps: 0,
            deadlines: 0,
            cap: 50,
        }
    }

    pub(super) fn mixed() -> World {
        World {
            calls: vec![(CallId(1), "old", None), (CallId(2), "new", None)],
            asking: "old",
            asks: 1,
            rounds_of: Some(CallId(2)),
            rounds: vec![2, 0],
            repeats: false,
            works: false,
            models: false,
            deaths: 1,
            losses: 0,
            leaves: 0,
            mutes: true,
            withdrawals: true,
            progress: false,
            steps: 0,
            deadlines: 0,
            cap: 50,
        }
    }

    /// A call over retries with pauses, a budget and a cap of one round.
    pub(super) fn timed_retries() -> World {
        World {
            calls: vec![(CallId(2), "new", Some(1_500))],
            asking: "old",
            asks: 0,
            rounds_of: Some(CallId(2)),
            rounds: vec![0, 1, 0, 1],
            repeats: false,
            works: false,
            models: false,
            deaths: 1,
            losses: 0,
            leaves: 0,
            mutes: false,
            withdrawals: false,
            progress: true,
            steps: 3,
            deadlines: 3,
            cap: 1,
        }
    }

    /// A call over replies with a budget, whose asks overlap in time.
    pub(super) fn timed_replies() -> World {
        World {
            calls: vec![(CallId(1), "old", Some(1_500))],
            asking: "old",
            asks: 2,
            rounds_of: None,
            rounds: Vec::new(),
            repeats: false,
            works: false,
            models: false,
            deaths: 0,
            losses: 0,
            leaves: 0,
            mutes: false,
            withdrawals: true,
            progress: true,
            steps: 3,
            deadlines: 2,
            cap: 50,
        }
    }

    /// A call that is refused until pages have been visited, twice, and asked in between.
    pub(super) fn pages() -> World {
        World {
            calls: vec![(CallId(2), "old", Some(1_500))],
            asking: "old",
            asks: 1,
            rounds_of: Some(CallId(2)),
            rounds: vec![2, 1],
            repeats: true,
            works: false,
            models: false,
            deaths: 1,
            losses: 0,
            leaves: 0,
            mutes: true,
            withdrawals: false,
            progress: false,
            steps: 1,
            deadlines: 1,
            cap: 50,
        }
    }

    /// Such a call beside another of the same server, and an ask that may belong to either.
    pub(super) fn pages_beside() -> World {
        World {
            calls: vec![(CallId(1), "old", None), (CallId(2), "old", None)],
            rounds: vec![1],
            deaths: 0,
            losses: 0,
            leaves: 0,
            mutes: false,
            steps: 0,
            deadlines: 0,
            ..World::pages()
        }
    }

    /// A call over retries whose requests get lost on the way, with time, mutes and a death.
    pub(super) fn losses() -> World {
        World {
            calls: vec![(CallId(2), "new", Some(1_500))],
            asking: "old",
            asks: 0,
            rounds_of: Some(CallId(2)),
            rounds: vec![2, 0, 1],
            repeats: false,
            works: false,
            models: false,
            deaths: 1,
            losses: 2,
            leaves: 0,
            mutes: true,
            withdrawals: false,
            progress: false,
            steps: 2,
            deadlines: 1,
            cap: 50,
        }
    }

    /// Such a call beside one over replies, of the same server, and an ask that may belong to either.
    pub(super) fn losses_beside() -> World {
        World {
            calls: vec![(CallId(1), "old", None), (CallId(2), "old", None)],
            asks: 1,
            rounds: vec![1],
            mutes: false,
            steps: 0,
            deadlines: 0,
            ..World::losses()
        }
    }

    /// A call over retries that is held up twice, with time, and one request that gets lost.
    pub(super) fn leaves() -> World {
        World { rounds: vec![1], losses: 1, leaves: 2, steps: 1, deaths: 0, mutes: false, ..World::losses() }
    }

    /// Such a call beside one over replies, of the same server, with a death.
    pub(super) fn leaves_beside() -> World {
        World { asks: 0, losses: 0, leaves: 1, ..World::losses_beside() }
    }

    /// A call that becomes work, which is asked after and asks twice, the second time with a key that is answered already.
    pub(super) fn work() -> World {
        World { rounds: vec![0, 1, 2, 0], works: true, mutes: true, cap: 2, ..World::timed_retries() }
    }

    /// A call over replies and one over retries, whose sampling is answered by models that may fail, with mutes and a death.
    pub(super) fn lent() -> World {
        World { rounds: vec![2], models: true, ..World::mixed() }
    }

    /// A call over replies with a budget, whose sampling is answered by models, one at a time or two at once.
    pub(super) fn timed_lent() -> World {
        World { models: true, steps: 2, progress: false, ..World::timed_replies() }
    }

    pub(super) fn rules(&self) -> Rules {
        let lent = if self.models { &["old", "new"][..] } else { &[] };
        let lent = lent.iter().map(|server| ServerName::new(*server)).collect();
        Rules { person: true, rounds: self.cap, models: self.models, lent, ..Rules::default() }
    }

    pub(super) fn server_of(&self, call: CallId) -> &'static str {
        self.calls.iter().find(|(id, ..)| *id == call).map_or("", |(_, server, _)| server)
    }

    pub(super) fn budget_of(&self, call: CallId) -> Option<Millis> {
        self.calls.iter().find(|(id, ..)| *id == call).and_then(|(.., budget)| *budget)
    }

    fn ask_in_round(&self, key: &str) -> Result<Ask, AskProblem> {
        page(key, if self.models && key == "a" { "sampling" } else { "url" })
    }

    /// Everything that can happen next.
    pub(super) fn inputs(&self, engine: &Engine, model: &Model) -> Vec<(Millis, Input)> {
        let now = model.now;
        let mut inputs = Vec::new();
        for (call, server, budget) in &self.calls {
            if !model.started(*call) {
                let limits = TimeLimits {
                    leg: std::time::Duration::from_millis(LEG),
                    budget: budget.map(std::time::Duration::from_millis),
                };
                inputs.push(Input::CallRequested {
                    call: *call,
                    server: ServerName::new(*server),
                    operation: operation("book"),
                    limits,
                });
                continue;
            }
            inputs.push(Input::Returned { call: *call, result: serde_json::json!({}) });
            if self.progress {
                inputs.push(Input::Broke { call: *call, violation: Violation::new("result", "bad") });
                inputs.push(Input::Progressed { call: *call });
            }
            inputs.push(Input::Stopped { call: *call });
            if model.losses < self.losses {
                let undelivered = Undelivered { detail: "lost".into(), may_have_acted: true };
                inputs.push(Input::Undelivered { call: *call, undelivered });
            }
            if self.works {
                inputs.push(Input::Abandoned { call: *call, why: Abandonment::Cancelled { words: None } });
            }
        }
        if model.addresses_used < self.asks {
            let calls = model.in_flight().filter(|call| self.server_of(*call) == self.asking).collect();
            let address = ReplyAddress(model.addresses_used + 1);
            inputs.push(Input::Asked {
                server: ServerName::new(self.asking),
                calls,
                returns: Returns::Reply { address },
                asks: vec![("ask".into(), ask("ask", if self.models { "sampling" } else { "url" }))],
            });
        }
        if self.withdrawals {
            for address in 1..=model.addresses_used {
                inputs.push(Input::Withdrawn { server: ServerName::new(self.asking), address: ReplyAddress(address) });
            }
        }
        if let Some(call) = self.rounds_of
            && let Some(size) = self.rounds.get(model.rounds_used)
            && model.started(call)
        {
            inputs.push(Input::Asked {
                server: ServerName::new(self.server_of(call)),
                calls: vec![call],
                returns: if self.repeats {
                    Returns::Repeat
                } else if self.works {
                    Returns::Follow { work: "w".into(), pause: (model.rounds_used == 0).then_some(500) }
                } else {
                    Returns::Resend { state: Some(format!("s{}", model.rounds_used)) }
                },
                asks: ["a", "b"][..*size].iter().map(|key| ((*key).to_owned(), self.ask_in_round(key))).collect(),
            });
        }
        if self.repeats {
            for id in ["a", "b"] {
                inputs.push(Input::PageCompleted { server: ServerName::new("old"), elicitation_id: id.into() });
            }
        }
        if self.rounds_of.is_some() {
            for wait in (1..engine.next_round).map(RoundId) {
                inputs.extend([Input::Retried { wait }, Input::GaveUp { wait }]);
            }
        }
        for call in model.in_flight().filter(|_| model.petitions_used() < self.leaves) {
            let petition = PetitionId(model.petitions_used() + 1);
            inputs.push(Input::LeaveWanted { petition, call, leave: leave() });
        }
        for petition in (1..=model.petitions_used()).map(PetitionId) {
            inputs.push(Input::LeaveSettled { petition });
        }
        // A decline differs from a consent only in what a retry gathers.
        let words =
            if self.rounds_of.is_some() { &["consent", "decline", "refuse"][..] } else { &["consent", "refuse"] };
        let words = if self.models { &["consent", "sample", "refuse"][..] } else { words };
        for round in (1..engine.next_round).map(RoundId) {
            let open = engine.rounds.get(&round);
            // A late answer is without effect whatever it is.
            let words = if open.is_some() { words } else { &words[..1] };
            for index in 0..open.map_or(1, |state| state.slots.len()) {
                inputs.extend(words.iter().map(|word| {
                    let answer = answer(word);
                    Input::Answered { round, index, answer, by: By::Person }
                }));
            }
        }
        if self.models {
            for (round, state) in &engine.rounds {
                for index in 0..state.slots.len() {
                    let Answer::Sampled(reply) = answer("sample") else { continue };
                    for outcome in [Ok(reply), Err("busy".to_owned())] {
                        inputs.push(Input::Drafted { round: *round, index, outcome });
                    }
                }
            }
        }
        for server in ["travel", "old", "new"] {
            let known = self.calls.iter().any(|(_, other, _)| *other == server);
            if known && model.deaths < self.deaths {
                inputs.push(Input::Disconnected { server: ServerName::new(server), detail: "dead".into() });
            }
            if known && self.mutes && !model.is_muted(server) {
                inputs.push(Input::Muted { server: ServerName::new(server) });
            }
        }
        let mut inputs: Vec<(Millis, Input)> = inputs.into_iter().map(|input| (now, input)).collect();
        if model.steps_taken < self.steps {
            inputs.push((now + STEP, Input::Ticked));
        }
        if let Some(due) = engine.next_deadline()
            && model.deadlines_met < self.deadlines
        {
            inputs.push((due.max(now), Input::Ticked));
        }
        inputs
    }
}

/// The refusal that a person gives in these worlds.
pub(super) fn refusal() -> Refusal {
    Refusal::ByPerson { reason: None }
}
