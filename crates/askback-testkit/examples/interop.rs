//! Tries out all real servers and writes the page, or with `--check` compares it: `interop BINARY PLAN PAGE [--check]`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use askback_testkit::interop::page;
use askback_testkit::interop::plan::{self, Row};
use askback_testkit::interop::row::{Tried, try_out};

/// How many servers are talked to at the same time.
const AT_ONCE: usize = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [binary, plan, page, rest @ ..] = &words[..] else {
        eprintln!("interop BINARY PLAN PAGE [--check]");
        return ExitCode::from(2);
    };
    let only_check = rest.first().is_some_and(|word| word == "--check");
    match plan::read(Path::new(plan)).and_then(|rows| run(&rows, Path::new(binary), Path::new(page), only_check)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(rows: &[Row], binary: &Path, path: &Path, only_check: bool) -> Result<(), String> {
    let tried = try_all(rows, binary)?;
    if !only_check {
        let page = page::write(&tried);
        println!("{page}");
        return std::fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()));
    }
    let page = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    tried.iter().try_for_each(|row| page::check(&page, row))
}

fn try_all(rows: &[Row], binary: &Path) -> Result<Vec<Tried>, String> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Option<Tried>)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(row) = rows.get(index)
                {
                    eprintln!("{}", row.test_name());
                    let tried = try_out(&row.test_name(), row, binary);
                    if let Ok(mut done) = done.lock() {
                        done.push((index, tried));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().map_err(|_| "a server could not be tried out".to_owned())?;
    done.sort_by_key(|(index, _)| *index);
    done.into_iter()
        .map(|(_, tried)| tried.ok_or_else(|| "a server is not here; its row cannot be written".to_owned()))
        .collect()
}
