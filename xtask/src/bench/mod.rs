//! `cargo xtask bench WHAT`: measurements, one file per command. Each owns a marked section of `docs/benchmarks.md`.

pub(crate) mod call;
pub(crate) mod form;
pub(crate) mod http;

use std::fs;

use crate::{Failure, Outcome, root};

/// What stands at the top of the page.
const HEAD: &str = "# Benchmarks

Each section is written by the command that it names. The times belong to the machine, which has two cores; what counts beside other programs are
the ratios.
";

/// Writes the section that belongs to `cargo xtask bench WHAT`; the others stay as they are.
fn write_section(what: &str, body: &str) -> Outcome {
    let path = root().join("docs/benchmarks.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|_| HEAD.to_owned());
    fs::write(&path, with_section(&page, what, body)).map_err(|error| {
        Failure::new(format!("docs/benchmarks.md cannot be written: {error}"), "check the folder docs")
    })?;
    println!("{body}");
    Ok(())
}

fn with_section(page: &str, what: &str, body: &str) -> String {
    let (begin, end) =
        (format!("<!-- begin: cargo xtask bench {what} -->\n"), format!("<!-- end: cargo xtask bench {what} -->\n"));
    let section = format!("{begin}\n{}\n\n{end}", body.trim());
    if let Some((before, rest)) = page.split_once(&begin)
        && let Some((_, after)) = rest.split_once(&end)
    {
        return format!("{before}{section}{after}");
    }
    format!("{}\n\n{section}", page.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{HEAD, with_section};

    #[test]
    fn a_section_is_put_in_its_place_and_the_others_stay() {
        let one = with_section(HEAD, "call", "first");
        let two = with_section(&one, "form", "second\n");
        assert!(two.starts_with(&one), "{two}");
        let again = with_section(&two, "call", "third");
        assert_eq!(again, two.replace("first", "third"));
    }
}
