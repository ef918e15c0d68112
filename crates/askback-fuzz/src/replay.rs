//! The corpora and everything that failed once, replayed by ordinary tests.

use std::fs;
use std::path::Path;

#[track_caller]
fn check(target: &str, run: fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for kind in ["corpus", "regressions"] {
        let folder = root.join(kind).join(target);
        // Git keeps no empty folder, so there may be no regressions yet.
        let files = fs::read_dir(&folder).into_iter().flatten();
        let mut files: Vec<_> = files.map(|file| file.expect("a readable folder").path()).collect();
        files.sort();
        assert!(kind != "corpus" || !files.is_empty(), "{} has no seeds", folder.display());
        for file in files {
            // Seen only when the test fails, and then the last line names the culprit.
            eprintln!("{kind}/{target}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            run(&fs::read(&file).expect("a readable input"));
        }
    }
}

#[test]
fn address() {
    check("address", crate::address);
}

#[test]
fn answer_file() {
    check("answer_file", crate::answer_file);
}

#[test]
fn form_entries() {
    check("form_entries", crate::form_entries);
}

#[test]
fn form_schema() {
    check("form_schema", crate::form_schema);
}

#[test]
fn root() {
    check("root", crate::root);
}

#[test]
fn wire() {
    check("wire", crate::wire);
}
