//! `list --follow`: what servers offer, and each change of it as it happens.
//!
//! Owns what is told of a change. Lists are read again when their server says that they have changed, once for all that it says in a row.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use askback_core::ServerName;
use askback_host::{Connected, Host, ListeningState, Notice};
use askback_wire::session::{Change, Interest, List};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::interrupts::Interrupts;
use crate::list::{LISTS, Lists, Offer, row};
use crate::run_call::print_out;
use crate::{listing, wording};

/// How long after a notice the list is read: others often come with it.
const SETTLING: Duration = Duration::from_millis(200);

/// A server that is followed.
struct Followed {
    lists: Lists,
    limit: Duration,
    stale: BTreeSet<List>,
    /// Whether something may have happened that was not told.
    missed: bool,
}

/// Tells of changes until the user has seen enough, or no server tells of any. Gives the exit code.
pub(crate) async fn run(
    console: &Console,
    host: &Host,
    offers: Vec<Offer>,
    mut notices: mpsc::UnboundedReceiver<Notice>,
    interrupts: &mut Interrupts,
    json: bool,
) -> u8 {
    let mut followed = BTreeMap::new();
    for offer in offers {
        let Ok((connected, lists)) = offer.outcome else { continue };
        if tells(console, &connected) {
            followed
                .insert(connected.name, Followed { lists, limit: offer.limit, stale: BTreeSet::new(), missed: false });
        }
    }
    let several = followed.len() > 1;
    let mut due: Option<Instant> = None;
    while !followed.is_empty() {
        tokio::select! {
            () = interrupts.next() => {
                followed.into_keys().for_each(|server| host.stop_listening(server));
                return 0;
            }
            Some(notice) = notices.recv() => {
                heard(console, &notice, &mut followed);
                if followed.values().any(|server| !server.stale.is_empty()) {
                    due = due.or_else(|| Some(Instant::now() + SETTLING));
                }
            }
            () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                due = None;
                for (name, server) in &mut followed {
                    tokio::select! {
                        () = read_again(console, host, name, server, several, json) => {}
                        () = interrupts.next() => {
                            host.stop_listening(name.clone());
                            return 0;
                        }
                    }
                }
            }
        }
    }
    let failure = Failure::new(FailureKind::Disconnected, console.texts.get("follow-over"));
    wording::print_failure(&console.texts, &failure, console.colour);
    failure.kind.exit_code()
}

/// Whether a server tells of any changes; says so if not.
fn tells(console: &Console, connected: &Connected) -> bool {
    let tells = !Interest::in_lists(&connected.capabilities).is_empty();
    if !tells {
        console.note(&console.texts.format("follow-nothing", &[("server", connected.name.as_str().into())]));
    }
    tells
}

fn heard(console: &Console, notice: &Notice, followed: &mut BTreeMap<ServerName, Followed>) {
    match notice {
        Notice::Changed { server, change: Change::List(list) } => {
            if let Some(server) = followed.get_mut(server) {
                server.stale.insert(*list);
            }
        }
        Notice::Listening { server, state } => {
            wording::listening_lines(&console.texts, server, state).iter().for_each(|line| console.note(line));
            match (state, followed.get_mut(server)) {
                (ListeningState::Interrupted { .. }, Some(server)) => server.missed = true,
                (ListeningState::Begun { .. }, Some(server)) if server.missed => {
                    server.missed = false;
                    server.stale.extend(List::ALL);
                }
                (ListeningState::Refused { .. } | ListeningState::Over { .. }, _) => {
                    followed.remove(server);
                }
                (ListeningState::Begun { .. } | ListeningState::Interrupted { .. }, _) => {}
            }
        }
        notice => wording::tell(console, notice),
    }
}

/// Reads again what is stale, and tells what is different. What cannot be read stays stale until there is a further notice.
async fn read_again(
    console: &Console,
    host: &Host,
    name: &ServerName,
    server: &mut Followed,
    several: bool,
    json: bool,
) {
    let mut stale = std::mem::take(&mut server.stale);
    for (_, method, key, id) in LISTS {
        let Some(list) = List::ALL.into_iter().find(|list| list.methods().contains(&method)) else { continue };
        let Some((_, known)) = server.lists.iter_mut().find(|(known, _)| *known == key) else { continue };
        if !stale.contains(&list) {
            continue;
        }
        match listing::all(host, name, method, key, server.limit).await {
            Ok(items) => {
                let before = std::mem::replace(known, items);
                for difference in differences(&before, known, id) {
                    let line = if json { difference.document(name, key) } else { difference.line(console, key, id) };
                    let line = if several && !json { format!("{name}: {line}") } else { line };
                    console.no_status();
                    print_out(&line);
                }
            }
            Err(error) => {
                let failure = wording::request_failure(&console.texts, name, &error);
                console.note(&failure.message);
                stale.remove(&list);
                server.stale.insert(list);
            }
        }
    }
}

/// What is different about one item.
#[derive(Debug, PartialEq)]
struct Difference<'a> {
    mark: char,
    item: &'a Value,
}

impl Difference<'_> {
    fn line(&self, console: &Console, key: &str, id: &str) -> String {
        let (name, description) = row(self.item, id);
        let kind = console.texts.get(&format!("one-of-{key}"));
        let space = if description.is_empty() { "" } else { "  " };
        format!("{} {kind} {name}{space}{description}", self.mark)
    }

    fn document(&self, server: &ServerName, key: &str) -> String {
        let change = match self.mark {
            '+' => "added",
            '-' => "removed",
            _ => "changed",
        };
        json!({ "server": server.as_str(), "change": change, "list": key, "item": self.item }).to_string()
    }
}

/// What is gone, what is new, and what is different, by what names an item.
fn differences<'a>(before: &'a [Value], after: &'a [Value], id: &str) -> Vec<Difference<'a>> {
    let find = |items: &'a [Value], item: &Value| items.iter().find(|other| other.get(id) == item.get(id));
    let gone = before.iter().filter(|item| find(after, item).is_none()).map(|item| Difference { mark: '-', item });
    let there = after.iter().filter_map(|item| match find(before, item) {
        None => Some(Difference { mark: '+', item }),
        Some(same) if same == item => None,
        Some(_) => Some(Difference { mark: '~', item }),
    });
    gone.chain(there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_go_and_change() {
        let before = [json!({ "name": "a" }), json!({ "name": "b" }), json!({ "name": "c" })];
        let after = [json!({ "name": "d" }), json!({ "name": "c" }), json!({ "name": "b", "description": "new" })];
        let marks: Vec<(char, &str)> = differences(&before, &after, "name")
            .iter()
            .map(|difference| (difference.mark, difference.item["name"].as_str().unwrap()))
            .collect();
        assert_eq!(marks, [('-', "a"), ('+', "d"), ('~', "b")]);
    }
}
