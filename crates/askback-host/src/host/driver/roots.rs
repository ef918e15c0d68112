//! The user's roots as they change, and how far a server is with its first question for them.

use askback_core::AskBody;
use askback_core::call::ServerName;
use askback_core::engine::OpenRound;

use super::Driver;
use crate::conductor::Arrived;
use crate::host::{Command, Notice, RootsTold};
use crate::roots::{self, LeftOut, Looked, WhyLeftOut};
use crate::server::ServerSpec;

impl Driver {
    /// Looks at the roots of a server, so that what is left out is told however short the run is, and again and again from now on.
    pub(super) fn watch_roots(&mut self, spec: &ServerSpec) {
        let Some(keeper) = self.roots.clone() else { return };
        let first = keeper.look(spec.name.as_str(), &spec.source.line());
        self.roots_looked(spec.name.clone(), first.clone());
        let (server, commands) = (spec.name.clone(), self.commands.clone());
        let tell = move |looked| commands.send(Command::RootsLooked { server: server.clone(), looked }).is_ok();
        tokio::spawn(roots::watch(keeper, spec.name.to_string(), spec.source.line(), first, tell));
    }

    /// They have been looked at.
    pub(super) fn roots_looked(&mut self, server: ServerName, looked: Looked) {
        let Looked { offers, left_out } = looked;
        let before = self.left_out.insert(server.clone(), left_out.clone()).unwrap_or_default();
        // An exclusion is the person's own wish, and no news.
        let is_news = |left: &LeftOut| left.why != WhyLeftOut::Excluded && !before.contains(left);
        for left_out in left_out.into_iter().filter(is_news) {
            let _ = self.notices.send(Notice::RootLeftOut { server: server.clone(), left_out });
        }
        self.arrived(Arrived::RootsChanged { server, roots: offers });
    }

    /// How far a server is with its first question for them.
    pub(super) fn roots_told(&self, server: &ServerName) -> RootsTold {
        if self.conductor.engine().open_rounds().any(|round| round.server == *server && asks_for_roots(&round)) {
            return RootsTold::Deciding;
        }
        if self.told_roots.contains(server) { RootsTold::Told } else { RootsTold::NotAsked }
    }

    /// What is never told, if a round is about what is.
    pub(super) fn excluded_from(&self, round: &OpenRound) -> Vec<String> {
        let keeper = self.roots.as_ref().filter(|_| asks_for_roots(round));
        keeper.map(|keeper| keeper.excluded()).unwrap_or_default()
    }
}

fn asks_for_roots(round: &OpenRound) -> bool {
    round.asks.iter().any(|(_, ask)| ask.body == AskBody::Roots)
}
