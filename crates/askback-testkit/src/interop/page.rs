//! `docs/reference/interop.md`: what came of all conversations, and whether the page says so.

use super::plan::{COLUMNS, PROGRESS};
use super::row::{Seen, Tried};

const HEAD: &str = "\
# Real servers

<!-- Written by `cargo xtask interop`. The tests hold every row of it against what they see. -->

Each cell is a conversation that was held through the `askback` binary with `--json`, the answers from an answer file, with a server that
was written without this client in mind, or on an SDK that was. Which conversation stands in `peers/interop.toml`.

✓ works. – is not offered by the server, or not in this revision, or needs more than a machine without accounts and browsers. ✗ fails; what
was seen is said below.

*Connect*: the newest revision that a server speaks is found without being named. *Several asks* come in one round in 2026-07-28, one after the
other in 2025-11-25. *Progress* keeps a call alive beyond its time limit.
";

/// Writes the page.
pub fn write(rows: &[Tried]) -> String {
    let headings = COLUMNS.iter().chain([&PROGRESS]).map(|(_, heading)| *heading);
    let headings: Vec<&str> = ["server", "over", "revision"].into_iter().chain(headings).collect();
    let rule = "---|".repeat(headings.len());
    let mut page = format!("{HEAD}\n| {} |\n|{rule}\n", headings.join(" | "));
    for row in rows {
        page.push_str(&line(row));
        page.push('\n');
    }
    let notes: Vec<String> = rows.iter().flat_map(notes).collect();
    if !notes.is_empty() {
        page.push_str(&format!("\n## What fails\n\n{}\n", notes.join("\n")));
    }
    page
}

/// Where the page says something else of this row than what was seen.
///
/// # Errors
/// What the page ought to say, and what it says.
pub fn check(page: &str, row: &Tried) -> Result<(), String> {
    let wanted: Vec<String> = std::iter::once(line(row)).chain(notes(row)).collect();
    let begins = [format!("| {} |", key(row).join(" | ")), format!("- {}, ", key(row).join(", "))];
    let found: Vec<&str> = page.lines().filter(|line| begins.iter().any(|begin| line.starts_with(begin))).collect();
    if found == wanted {
        return Ok(());
    }
    Err(format!(
        "the page of real servers is not true any more; `cargo xtask interop` writes it anew.\nseen:\n{}\non the page:\n{}",
        wanted.join("\n"),
        found.join("\n")
    ))
}

/// How many rows the page has.
pub fn rows_of(page: &str) -> usize {
    page.lines().filter(|line| line.starts_with("| ")).count().saturating_sub(1)
}

fn key(row: &Tried) -> [&str; 3] {
    [&row.title, row.over.title(), &row.revision]
}

fn line(row: &Tried) -> String {
    let cells = row.seen.iter().map(|seen| match seen {
        Seen::Works => "✓",
        Seen::NotOffered => "–",
        Seen::Fails(_) => "✗",
    });
    format!("| {} |", key(row).into_iter().chain(cells).collect::<Vec<_>>().join(" | "))
}

fn notes(row: &Tried) -> Vec<String> {
    let columns = COLUMNS.iter().chain([&PROGRESS]).zip(&row.seen);
    columns
        .filter_map(|((_, heading), seen)| match seen {
            Seen::Fails(what) => Some(format!("- {}, {heading}: {what}", key(row).join(", "))),
            Seen::Works | Seen::NotOffered => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Over;

    fn tried(seen: Seen) -> Tried {
        let rest = std::iter::repeat_n(Seen::NotOffered, COLUMNS.len());
        let seen = std::iter::once(seen).chain(rest).collect();
        Tried { title: "`a` 1.0".into(), over: Over::Stdio, revision: "2025-11-25".into(), seen }
    }

    #[test]
    fn a_page_that_was_just_written_is_true() {
        let rows = [tried(Seen::Works), Tried { revision: "2026-07-28".into(), ..tried(Seen::Fails("no".into())) }];
        let page = write(&rows);
        assert_eq!(rows_of(&page), 2);
        assert_eq!(rows.each_ref().map(|row| check(&page, row)), [Ok(()), Ok(())]);
    }

    #[test]
    fn a_page_that_lies_is_found_out() {
        let page = write(&[tried(Seen::Works)]);
        let lies = [
            tried(Seen::Fails("it was silent".into())),
            tried(Seen::NotOffered),
            Tried { title: "`a` 1.1".into(), ..tried(Seen::Works) },
        ];
        assert!(lies.iter().all(|row| check(&page, row).is_err()));
        let failing = write(&[tried(Seen::Fails("it was silent".into()))]);
        assert!(check(&failing, &tried(Seen::Fails("it was rude".into()))).is_err(), "what was seen counts as well");
    }
}
