//! `cargo xtask bench form`: how long forms take, measured by the program in the folder `benches`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::write_section;
use crate::program::{cargo, openly};
use crate::{Failure, Outcome, target};

/// What the program measures, with the aim in milliseconds. The folders are those that it writes its results to.
const GROUPS: &[Group] = &[
    Group {
        folder: "large",
        aim: 5.0,
        head: "A form of 500 fields, its defaults taken as content. *Cold*: the schema has not been seen before, and is compiled. *Warm*: the same \
               server asks the same again.",
    },
    Group {
        folder: "hostile",
        aim: 50.0,
        head: "Schemas that are meant to cost much, each refused, or read and its defaults checked. Always cold.",
    },
];

struct Group {
    folder: &'static str,
    aim: f64,
    head: &'static str,
}

/// One measured thing, in milliseconds.
struct Row {
    name: String,
    least: f64,
    median: f64,
}

/// Measures, and writes the section.
pub(crate) fn run() -> Outcome {
    let results = target().join("benches/results");
    let _ = fs::remove_dir_all(&results);
    let mut command = cargo();
    command.args(["run", "--release", "--locked", "--manifest-path", "benches/Cargo.toml", "--bin", "form"]);
    command.args(["--", "--bench", "--noplot"]);
    command.env("CARGO_TARGET_DIR", target().join("benches")).env("CRITERION_HOME", &results);
    openly(&mut command, "its output above says why")?;

    let mut section = String::from(
        "## Forms\n\nBy `cargo xtask bench form`, with criterion. The least of the samples is given beside the median, as other work on the machine only \
         ever adds.\n",
    );
    for Group { folder, aim, head } in GROUPS {
        section.push_str(&format!("\n{head} The aim is {aim} ms.\n\n| | least | median |\n|---|---|---|\n"));
        let mut rows = rows_of(&results.join(folder))?;
        rows.sort_by(|one, other| other.median.total_cmp(&one.median));
        for Row { name, least, median } in rows {
            section.push_str(&format!("| {name} | {least:.2} ms | {median:.2} ms |\n"));
        }
    }
    write_section("form", &section)
}

fn rows_of(folder: &Path) -> Outcome<Vec<Row>> {
    let failed = |what: String| Failure::new(what, "run `cargo xtask bench form` again");
    let read = |path: &Path| -> Outcome<Value> {
        let text = fs::read_to_string(path).map_err(|error| failed(format!("{}: {error}", path.display())))?;
        serde_json::from_str(&text).map_err(|error| failed(format!("{}: {error}", path.display())))
    };
    let entries = fs::read_dir(folder).map_err(|error| failed(format!("{}: {error}", folder.display())))?;
    let mut rows = Vec::new();
    for entry in entries.flatten() {
        let new = entry.path().join("new");
        // Beside the measurements lies a folder of reports.
        if !new.join("sample.json").is_file() {
            continue;
        }
        let (told, sample) = (read(&new.join("benchmark.json"))?, read(&new.join("sample.json"))?);
        let numbers = |name: &str| sample[name].as_array().into_iter().flatten().filter_map(Value::as_f64);
        let mut each: Vec<f64> =
            numbers("times").zip(numbers("iters")).map(|(time, count)| time / count / 1e6).collect();
        each.sort_by(f64::total_cmp);
        let name = told["function_id"].as_str().unwrap_or_default().to_owned();
        if let (Some(least), Some(median)) = (each.first(), each.get(each.len() / 2)) {
            rows.push(Row { name, least: *least, median: *median });
        }
    }
    Ok(rows)
}
