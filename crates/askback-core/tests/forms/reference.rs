//! `docs/reference/forms.md`: how forms are drawn, written by a test from what really happens.

use std::fmt::Write as _;
use std::path::Path;

use askback_core::form::{ContentError, Entry, Field, Form};
use serde_json::Value;

use crate::fixtures::{self, Fixture, LIBRARIES, Library, Refused};
use crate::shapes::{self, Shape};
use crate::words;

const PAGE: &str = "docs/reference/forms.md";
const UPDATE: &str = "UPDATE_DOCS";

const INTRODUCTION: &str = "\
# Forms

You write `requestedSchema`; this page says what the person sees, what they can enter, and what your server gets.

In short: send a flat object of text, numbers, yes-or-no and choices, give every property a `title`, and list in `required` what you cannot do
without. Everything else is read as well as it can be. Whatever is sent has been checked against your schema as you wrote it.

- **Untouched optional fields are left out.** `null` is never sent, and no `false` is invented.
- **Defaults are filled in** if they fit; one that does not is named in a note and not used.
- **Nothing is dropped silently.** A property for which there is no control is entered as JSON, and checked all the same.
- **Secrets do not belong in forms.** A field that seems to ask for one is locked until the person lifts the lock; use URL mode.

Each row shows one property, called `value` and required, unless the row says otherwise. *Italics* stand for keys other than text: *yes*,
a chosen label, *untouched* (nothing was done), *nothing* (left out, or the default taken away); ⏎ is a new line.

<!-- Written by a test. After a change: UPDATE_DOCS=1 cargo nextest run -p askback-core reference -->
";

const LIBRARIES_INTRODUCTION: &str = "\
## What libraries send

The tables below were made by running the libraries: each line of code was turned into a schema by the library itself (for SDKs: taken from
the request that they sent), read as a form, and filled in. Every answer satisfies its schema, as judged by an independent validator.
";

/// A cell of a table: bars would end it, and it has no lines of its own.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>")
}

fn row(page: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

fn header(page: &mut String, names: &[&str]) {
    row(page, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let _ = writeln!(page, "|{}", "---|".repeat(names.len()));
}

fn reason(form: &Form, errors: &[ContentError]) -> String {
    let name = |error: &ContentError| {
        let key = error
            .key
            .as_ref()
            .filter(|key| form.fields.len() > 1 || form.fields[0].key != "value" || key.as_str() != "value");
        key.map_or_else(String::new, |key| format!("{}: ", words::code(key)))
    };
    errors.iter().map(|error| format!("{}{}", name(error), words::error(&error.error))).collect::<Vec<_>>().join("; ")
}

/// One row, made of what really happens, and compared with what is expected.
fn shape_row(page: &mut String, shape: &Shape, wrong: &mut Vec<String>) {
    let (mut entered, mut sent) = (Vec::new(), Vec::new());
    let becomes = Form::read(&shape.requested_schema());
    let drawn = match &becomes {
        Ok(form) => Ok(words::form(form)),
        Err(error) => Err(error.to_string()),
    };
    if drawn.as_deref().map_err(String::as_str) != shape.becomes {
        wrong.push(format!("{}:\n  is       {drawn:?}\n  expected {:?}", shape.name, shape.becomes));
    }
    let form = becomes.ok();
    for (entry, expected) in &shape.tries {
        let form = form.as_ref().expect("only forms are tried");
        let entries = entry.as_ref().map_or_else(|| form.initial_entries(), |entry| vec![entry.clone()]);
        let outcome = form.content_of(&entries).map(Value::Object).map_err(|errors| reason(form, &errors));
        if outcome.as_ref().map_err(String::as_str) != expected.as_ref().map_err(|why| *why) {
            wrong.push(format!("{} with {entry:?}:\n  is       {outcome:?}\n  expected {expected:?}", shape.name));
        }
        entered.push(entry.as_ref().map_or_else(|| "*untouched*".into(), |entry| words::entry(&form.fields[0], entry)));
        sent.push(outcome.map_or_else(|why| format!("✗ {why}"), |content| words::code(&words::json(&content))));
    }
    let drawn = drawn.unwrap_or_else(|why| format!("✗ refused: {why}"));
    let schema = format!("{}\n{}", shape.name, words::code(&words::json(shape.shown())));
    row(page, &[schema, drawn, entered.join("\n"), sent.join("\n")]);
}

/// What of a fixture is the same for the same code, whichever library sends it.
fn library_cells(fixture: &Fixture) -> (String, String) {
    let form = Form::read(&fixture.schema).expect("fixtures are read");
    let example = fixtures::filled(&form).map_or_else(
        || "✗".to_owned(),
        |(entries, content)| {
            let typed = |(field, entry): (&Field, &Entry)| {
                let unlocked = if field.secret.is_some() { " (once unlocked)" } else { "" };
                format!("{}{unlocked}", words::entry(field, entry))
            };
            let typed: Vec<String> = form.fields.iter().zip(&entries).map(typed).collect();
            let typed = if typed.len() == 1 { format!("{} → ", typed[0]) } else { String::new() };
            format!("{typed}{}", words::code(&words::json(&Value::Object(content))))
        },
    );
    (words::form(&form), example)
}

fn library_section(page: &mut String, library: &Library, base: Option<&Library>) {
    let _ = writeln!(page, "\n### {} {}\n", library.library, library.version);
    let base_rows: Vec<_> =
        base.iter().flat_map(|base| &base.fixtures).map(|fixture| (&fixture.source, library_cells(fixture))).collect();
    let (mut same, mut rows) = (Vec::new(), Vec::new());
    for fixture in &library.fixtures {
        let cells = library_cells(fixture);
        if base_rows.iter().any(|(source, known)| **source == fixture.source && *known == cells) {
            same.push(fixture.name.as_str());
        } else {
            rows.push((fixture, cells));
        }
    }
    let _ = writeln!(page, "Made by {}.", words::code(&library.how));
    match base {
        None => {
            let language = if library.given.contains("const ") { "js" } else { "python" };
            let _ = writeln!(page, "With these at hand:\n\n```{language}\n{}\n```", library.given);
        }
        Some(base) => {
            let _ = writeln!(
                page,
                "\nThese {} are drawn and answered just as under {}: {}.",
                same.len(),
                base.library,
                same.join("; ")
            );
        }
    }
    if !rows.is_empty() {
        page.push('\n');
        header(page, &["what", "code", "drawn as", "an answer"]);
        for (fixture, (drawn, example)) in rows {
            let code: Vec<String> = fixture.source.lines().map(words::code).collect();
            row(page, &[fixture.name.clone(), code.join("\n"), drawn, example]);
        }
    }
    if let Some(first) = library.refused.first() {
        let code = |refused: &Refused| words::code(&words::shortened(&refused.source.replace('\n', " "), 90));
        let codes: Vec<String> = library.refused.iter().map(code).collect();
        let _ = writeln!(
            page,
            "\n{} refuses to send these, so no client ever sees them: {}.\n\nIts words for the first: “{}”",
            library.library,
            codes.join(" · "),
            words::shortened(&first.why, 160)
        );
    }
}

fn page() -> String {
    let mut wrong = Vec::new();
    let mut page = INTRODUCTION.to_owned();
    for group in shapes::groups() {
        let _ = writeln!(page, "\n## {}\n\n{}\n", group.title, group.about);
        header(&mut page, &["the schema", "drawn as", "entered", "sent, or why not"]);
        for shape in &group.shapes {
            shape_row(&mut page, shape, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} expectations are not met:\n{}", wrong.len(), wrong.join("\n"));
    let _ = write!(page, "\n{LIBRARIES_INTRODUCTION}");
    for (name, base) in LIBRARIES {
        library_section(&mut page, &fixtures::read(name), base.map(fixtures::read).as_ref());
    }
    page
}

#[test]
fn reference_page_says_what_happens() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE);
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((number, (is, says))) = page.lines().zip(kept.lines()).enumerate().find(|(_, (is, says))| is != says) {
        panic!(
            "{PAGE}, line {}, is out of date:\n  says {says}\n  is   {is}\nwrite it anew: {UPDATE}=1 cargo nextest run -p askback-core reference",
            number + 1
        );
    }
    assert!(
        page == kept,
        "{PAGE} is out of date; write it anew: {UPDATE}=1 cargo nextest run -p askback-core reference"
    );
}
