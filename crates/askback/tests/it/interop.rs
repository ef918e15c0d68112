//! `docs/reference/interop.md` says the truth: every row of it is tried out anew.

use std::path::{Path, PathBuf};

use askback_testkit::interop::row::try_out;
use askback_testkit::interop::{page, plan};
use libtest_mimic::Trial;

use crate::askback::binary;

pub(crate) fn trials() -> Vec<Trial> {
    let rows = plan::read(&root().join("peers/interop.toml")).unwrap_or_else(|problem| panic!("{problem}"));
    let count = rows.len();
    let whole = Trial::test("interop::the_page_has_a_row_for_each_and_no_other", move || {
        let found = page::rows_of(&the_page());
        if found == count { Ok(()) } else { Err(format!("{found} rows instead of {count}").into()) }
    });
    let each = rows.into_iter().map(|row| {
        let name = format!("interop::{}", row.test_name());
        Trial::test(name.clone(), move || match try_out(&name, &row, &binary()) {
            Some(tried) => page::check(&the_page(), &tried).map_err(Into::into),
            None => Ok(()),
        })
    });
    std::iter::once(whole).chain(each).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn the_page() -> String {
    std::fs::read_to_string(root().join("docs/reference/interop.md")).unwrap_or_default()
}
